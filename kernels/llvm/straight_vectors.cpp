/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. The pass has an option for it, which only a command line could set. */
#include "llvm/straight_vectors.h"

#include <llvm/IR/Function.h>
#include <llvm/Support/CommandLine.h>
#include <mutex>

using namespace llvm;

constexpr unsigned longFunction = 8000; /* instructions */

/* The pass asks whether the option was given, so giving it a value is not enough. */
void sl_llvm_limit_straight_vectors(void)
{
    static std::mutex lock;
    const std::lock_guard<std::mutex> hold(lock);
    static const StringRef name = "slp-max-vf";
    static cl::Option *option = cl::getRegisteredOptions().lookup(name);
    if (option && option->getNumOccurrences() == 0) /* lld resets all options when it begins */
        option->addOccurrence(1, name, "32");
}

bool sl_llvm_is_long(LLVMValueRef function)
{
    return unwrap<Function>(function)->getInstructionCount() > longFunction;
}
