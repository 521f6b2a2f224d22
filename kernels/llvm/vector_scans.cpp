/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. The pass has an option for it, which only a command line could set. */
#include "llvm/vector_scans.h"

#include <llvm/Support/CommandLine.h>

using namespace llvm;

constexpr unsigned far = 1024;
constexpr bool isDefault = true; /* lld resets all options when it begins */

void sl_llvm_extend_scans(void)
{
    auto &options = cl::getRegisteredOptions();
    auto found = options.find("vector-combine-max-scan-instrs");
    if (found != options.end())
        static_cast<cl::opt<unsigned> *>(found->second)->setValue(far, isDefault);
}
