/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starts a process that is nobody's awaited child: the application sees no SIGCHLD, its wait calls
 * never meet it, and it ends by itself when our end of its socket closes; if it cannot, because it
 * was stopped, the kernel kills it when our end of `life` closes. Any thread.
 */
#ifndef SL_DRIVER_PROGRAM_COMPILER_SPAWN_H
#define SL_DRIVER_PROGRAM_COMPILER_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

struct sl_spawn {
    const char *path;
    char *const *env;        /* sl_spawn_environment's */
    int peer;                /* the descriptor that becomes SL_BUILD_FD there */
    int life;                /* the end to read of a pipe whose other end only we have */
    unsigned long memory_mb; /* limit of its address space; 0: none */
    bool keep_stderr;
};

struct sl_process {
    pid_t pid;
    int pidfd; /* close-on-exec; -1 on kernels without */
};

/* A copy of the variables that the program may have, for sl_free; NULL when memory is out. To be
 * made on the application's own thread: it may change the environment at any time. */
char **sl_spawn_environment(void) __attribute__((warn_unused_result));
/* 0, or an errno. Returns when the program has been loaded or that has failed. */
int sl_spawn(const struct sl_spawn *, struct sl_process *out) __attribute__((warn_unused_result));
/* SIGKILL. The process must not have been waited for, which holds as long as nobody owns it. */
void sl_process_kill(const struct sl_process *);
/*
 * Forgets the process. Where the application itself inherits orphans (process 1 of a container, a
 * sub-reaper) it waits up to `patience_ms` for the end, so that no zombie stays.
 */
void sl_process_finish(struct sl_process *, int patience_ms);

#endif
