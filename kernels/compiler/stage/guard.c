/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No locks: a build's state belongs to its thread. */
#include "compiler/stage/guard.h"

#include <llvm-c/ErrorHandling.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

/* The build that this thread is in, for the handler of fatal errors. */
static _Thread_local struct {
    struct sl_stages *stages;
    jmp_buf out;
} guarded;

static void on_fatal_error(const char *reason)
{
    if (!guarded.stages)
        return; /* LLVM ends the process */
    sl_stage_fail(guarded.stages, "internal compiler error: %s", reason);
    guarded.stages->result->poisoned = true;
    longjmp(guarded.out, 1);
}

void sl_stage_abandon(struct sl_stages *stages)
{
    stages->result->poisoned = true;
    if (guarded.stages != stages)
        abort(); /* on a thread of clang's: the crash handler ends the process */
    longjmp(guarded.out, 1);
}

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *data)
{
    struct sl_stages *stages = data;
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
        return; /* remarks on optimisation are not for users */
    char *text = LLVMGetDiagInfoDescription(info);
    sl_stage_fail(stages, "%s", text);
    LLVMDisposeMessage(text);
    stages->llvm_error = true;
}

static void install_fatal_handler(void)
{
    LLVMInstallFatalErrorHandler(on_fatal_error);
}

int sl_stage_guarded(struct sl_stages *stages, int (*run)(struct sl_stages *), int failure)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install_fatal_handler);
    LLVMContextSetDiagnosticHandler(stages->context, on_diagnostic, stages);
    if (setjmp(guarded.out)) {
        guarded.stages = NULL;
        return failure;
    }
    guarded.stages = stages;
    int rc = run(stages);
    guarded.stages = NULL;
    return rc;
}
