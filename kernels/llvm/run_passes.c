/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/run_passes.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

static char *text_of(LLVMErrorRef error)
{
    if (!error)
        return NULL;
    char *said = LLVMGetErrorMessage(error), *text = strdup(said);
    LLVMDisposeErrorMessage(said);
    return text;
}

char *sl_llvm_run_on_function(LLVMValueRef function, LLVMTargetMachineRef machine,
                              const char *pipeline)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPassesOnFunction(function, pipeline, machine, options);
    LLVMDisposePassBuilderOptions(options);
    return text_of(error);
}

char *sl_llvm_run_on_module(LLVMModuleRef module, LLVMTargetMachineRef machine,
                            const char *pipeline)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, pipeline, machine, options);
    LLVMDisposePassBuilderOptions(options);
    return text_of(error);
}
