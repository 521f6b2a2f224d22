/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "llvm/run_passes.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "llvm/crowded_conditions.h"
#include "llvm/loop_idioms.h"
#include "llvm/straight_vectors.h"
#include "llvm/vector_scans.h"

static char *text_of(LLVMErrorRef error)
{
    if (!error)
        return NULL;
    char *said = LLVMGetErrorMessage(error), *text = strdup(said);
    LLVMDisposeErrorMessage(said);
    return text;
}

static void set_limits(void)
{
    sl_llvm_limit_idioms();
    sl_llvm_extend_scans();
}

static void limit_passes(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, set_limits);
    sl_llvm_limit_straight_vectors();
}

char *sl_llvm_run_on_function(LLVMValueRef function, LLVMTargetMachineRef machine,
                              const char *pipeline)
{
    limit_passes();
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
    limit_passes();
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
