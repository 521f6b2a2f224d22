/* SPDX-License-Identifier: Apache-2.0 */
/* Starting threads. No state, no lock. */
#include "base/thread/thread.h"

#include <signal.h>
#include <stddef.h>

#include "sluice/base/stack.h"

int sl_thread_start(pthread_t *out, void *(*run)(void *), void *data)
{
    pthread_t thread;
    pthread_attr_t attr;
    sigset_t all, before;
    int error = sl_stack_attr(&attr);
    if (error)
        return error;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&thread, &attr, run, data);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    if (error)
        return error;
    if (out)
        *out = thread;
    else
        pthread_detach(thread);
    return 0;
}
