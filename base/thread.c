/* SPDX-License-Identifier: Apache-2.0 */
/* See thread.h. No state, no lock. */
#include "sluice/base/thread.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>

#include "sluice/base/stack.h"

static void *begin(void *data)
{
    const struct sl_thread *self = data; /* its memory may be let go by what is run */
    prctl(PR_SET_NAME, self->name);
    return self->run(self->data);
}

/* Whoever reports crashes shall hear of those here, too: a blocked fault ends the process without a
 * word. */
static void block_signals(sigset_t *before)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigset_t others;
    sigfillset(&others);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigdelset(&others, faults[i]);
    pthread_sigmask(SIG_SETMASK, &others, before);
}

static int start(struct sl_thread *thread, bool detached)
{
    pthread_t id;
    pthread_attr_t attr;
    sigset_t before;
    int error = sl_stack_attr(&attr, thread->stack_bytes);
    if (error)
        return error;
    if (detached)
        pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    block_signals(&before);
    error = pthread_create(&id, &attr, begin, thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    if (!error && !detached)
        thread->id = id;
    return error;
}

int sl_thread_start(struct sl_thread *thread)
{
    return start(thread, false);
}

int sl_thread_start_detached(struct sl_thread *thread)
{
    return start(thread, true);
}

void sl_thread_lend(struct sl_thread_name *before)
{
    prctl(PR_GET_NAME, before->text);
    prctl(PR_SET_NAME, program_invocation_short_name);
}

void sl_thread_return(const struct sl_thread_name *before)
{
    prctl(PR_SET_NAME, before->text);
}
