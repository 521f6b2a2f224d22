/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. The pass has no options of its own but these variables. */
#include "llvm/loop_idioms.h"

#include <llvm/Transforms/Scalar/LoopIdiomRecognize.h>

void sl_llvm_limit_idioms(void)
{
    llvm::DisableLIRP::Memset = true;
    llvm::DisableLIRP::Memcpy = true;
    llvm::DisableLIRP::Strlen = true;
    llvm::DisableLIRP::Wcslen = true;
    llvm::DisableLIRP::HashRecognize = true;
}
