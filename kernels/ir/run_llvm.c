/* SPDX-License-Identifier: Apache-2.0 */
/* LLVM's own passes by their textual names. No shared state. */
#include "ir/pass.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

static int check_run(struct sl_pass *pass, const char *pipeline, LLVMErrorRef error)
{
    if (!error)
        return 0;
    char *text = LLVMGetErrorMessage(error);
    sl_pass_refuse(pass, "%s: %s", pipeline, text);
    LLVMDisposeErrorMessage(text);
    return -1;
}

int sl_pass_run_llvm(struct sl_pass *pass, LLVMValueRef function, const char *pipeline)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPassesOnFunction(function, pipeline, pass->machine, options);
    LLVMDisposePassBuilderOptions(options);
    return check_run(pass, pipeline, error);
}

int sl_pass_run_llvm_on_module(struct sl_pass *pass, const char *pipeline)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(pass->module, pipeline, pass->machine, options);
    LLVMDisposePassBuilderOptions(options);
    return check_run(pass, pipeline, error);
}
