/* SPDX-License-Identifier: Apache-2.0 */
/* Each thread writes its calls itself, in the handler of a signal; they take turns. */
#include "stuck.h"

#include <dirent.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CALLS = 40, PATIENCE_MS = 300, TELL = 41 /* a signal of real time */ };

static atomic_int answered;

static void write_calls(int sig)
{
    void *calls[MOST_CALLS];
    (void)sig;
    backtrace_symbols_fd(calls, backtrace(calls, MOST_CALLS), STDERR_FILENO);
    atomic_store(&answered, 1);
}

void stuck_prepare(void)
{
    void *first[1];
    struct sigaction action = {.sa_handler = write_calls, .sa_flags = SA_RESTART | SA_ONSTACK};
    backtrace(first, 1); /* loads the library that it needs */
    sigaction(TELL, &action, NULL);
}

static void copy_file(const char *task, const char *name)
{
    char path[300], text[600];
    snprintf(path, sizeof path, "/proc/self/task/%s/%s", task, name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    text[size < 0 ? 0 : size] = '\0';
    /* of `stat` the state alone, which stands behind the name in parentheses */
    const char *state = strcmp(name, "stat") ? NULL : strrchr(text, ')');
    if (state && strlen(state) > 2)
        dprintf(STDERR_FILENO, " %c", state[2]);
    else
        dprintf(STDERR_FILENO, " %.*s", (int)strcspn(text, "\n"), text);
}

static void tell_thread(const char *task)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    dprintf(STDERR_FILENO, "thread %s", task);
    copy_file(task, "comm");
    copy_file(task, "stat");
    copy_file(task, "syscall");
    dprintf(STDERR_FILENO, "\n");
    atomic_store(&answered, 0);
    if (syscall(SYS_tgkill, getpid(), atoi(task), TELL))
        return;
    for (int ms = 0; ms < PATIENCE_MS && !atomic_load(&answered); ms++)
        nanosleep(&moment, NULL);
}

void stuck_tell(void)
{
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *task; tasks && (task = readdir(tasks));)
        if (task->d_name[0] != '.')
            tell_thread(task->d_name);
}
