/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/run_passes.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdbool.h>
#include <string.h>

#include "llvm/crowded_conditions.h"

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
    LLVMBool hidden = sl_llvm_hide_conditions(function);
    LLVMErrorRef error = LLVMRunPassesOnFunction(function, pipeline, machine, options);
    if (hidden)
        sl_llvm_show_conditions(LLVMGetGlobalParent(function));
    LLVMDisposePassBuilderOptions(options);
    return text_of(error);
}

char *sl_llvm_run_on_module(LLVMModuleRef module, LLVMTargetMachineRef machine,
                            const char *pipeline)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMBool hidden = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        hidden |= sl_llvm_hide_conditions(f);
    LLVMErrorRef error = LLVMRunPasses(module, pipeline, machine, options);
    if (hidden)
        sl_llvm_show_conditions(module);
    LLVMDisposePassBuilderOptions(options);
    return text_of(error);
}
