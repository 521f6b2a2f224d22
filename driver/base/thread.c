/* SPDX-License-Identifier: Apache-2.0 */
/* Starting threads. No state, no lock. */
#include "base/thread.h"

#include <signal.h>
#include <stddef.h>

int sl_thread_start(pthread_t *out, void *(*run)(void *), void *data)
{
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&thread, NULL, run, data);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        return error;
    if (out)
        *out = thread;
    else
        pthread_detach(thread);
    return 0;
}
