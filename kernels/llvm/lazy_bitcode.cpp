/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/lazy_bitcode.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

using namespace llvm;

namespace
{

int outcome(Error error)
{
    if (!error)
        return 0;
    consumeError(std::move(error));
    return -1;
}

} // namespace

int sl_lazy_load_body(LLVMValueRef function)
{
    return outcome(unwrap<Function>(function)->materialize());
}

int sl_lazy_load_rest(LLVMModuleRef module)
{
    return outcome(unwrap(module)->materializeAll());
}
