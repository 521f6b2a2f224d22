/* SPDX-License-Identifier: Apache-2.0 */
/* See actors.h. How much of its processor a thread has used is kept from one look to the next. */
#include "commands/device_callbacks/actors.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/object/callback_thread.h"

enum { KNOWN = 64 };
static struct {
    int thread;
    uint64_t used_ns, at_ns;
} known[KNOWN];

void sl_idle_add(struct sl_idle *idle, int thread)
{
    if (idle->count < SL_IDLE_MOST)
        idle->threads[idle->count++] = thread;
}

static bool is_idle(const struct sl_idle *idle, int thread)
{
    unsigned i = 0;
    while (i < idle->count && idle->threads[i] != thread)
        i++;
    return i < idle->count;
}

/* The beginning of what the system says about a thread; "" if it says nothing. */
static void read_about(int folder, const char *thread, const char *what, char *text, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "%.20s/%.8s", thread, what);
    int file = openat(folder, path, O_RDONLY | O_CLOEXEC);
    ssize_t bytes = file < 0 ? 0 : read(file, text, size - 1);
    if (file >= 0)
        close(file);
    text[bytes > 0 ? bytes : 0] = 0;
}

/* An application may be called as our threads are, and then others of its threads are, too. */
static bool is_ours(int folder, const char *thread, const char *program, bool callbacks)
{
    char name[32];
    read_about(folder, thread, "comm", name, sizeof name);
    if (callbacks && !strcmp(name, SL_THREAD_CALLBACK "\n"))
        return false;
    return !strncmp(name, SL_THREAD_PREFIX, strlen(SL_THREAD_PREFIX)) && strcmp(name, program);
}

/* The clock of any thread of this process; clock_getcpuclockid has it for processes only. */
static uint64_t used_by(int thread)
{
    struct timespec used;
    const clockid_t clock = (clockid_t)(~(unsigned)thread << 3 | 6);
    return clock_gettime(clock, &used)
               ? 0
               : (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
}

/* A twentieth of the time is more than what a thread needs to find that it has nothing to do. */
static bool is_busy(int thread, uint64_t now)
{
    enum { SHARE = 20 };
    const uint64_t used = used_by(thread);
    const unsigned at = (unsigned)thread % KNOWN;
    bool same = known[at].thread == thread;
    bool busy = same && (used - known[at].used_ns) * SHARE > now - known[at].at_ns;
    known[at].thread = thread;
    known[at].used_ns = used;
    known[at].at_ns = now;
    return busy;
}

/* Where many threads want the processors one that computes may get none of them for a while. */
static bool is_runnable(int folder, const char *thread)
{
    char text[128];
    read_about(folder, thread, "stat", text, sizeof text);
    const char *name_end = strrchr(text, ')');
    return name_end && !strncmp(name_end, ") R", 3);
}

/* The thread sanitizer has a thread of its own, the second one of the process. */
#if defined(__SANITIZE_THREAD__)
#define SANITIZER_THREAD 2
#else
#define SANITIZER_THREAD 0
#endif

enum sl_actors sl_actors_look(const struct sl_idle *idle, bool callbacks, uint64_t now)
{
    enum sl_actors found = SL_ACTORS_NONE;
    char first[16], program[32];
    DIR *threads = opendir("/proc/self/task");
    if (!threads)
        return SL_ACTORS_QUIET;
    unsigned number = 0;
    snprintf(first, sizeof first, "%d", (int)getpid());
    read_about(dirfd(threads), first, "comm", program, sizeof program);
    for (struct dirent *entry; (entry = readdir(threads));) {
        int thread = atoi(entry->d_name);
        if (thread <= 0 || ++number == SANITIZER_THREAD || is_idle(idle, thread) ||
            is_ours(dirfd(threads), entry->d_name, program, callbacks))
            continue;
        bool busy = is_busy(thread, now); /* which notes what it has used by now */
        if (busy || is_runnable(dirfd(threads), entry->d_name))
            found = SL_ACTORS_BUSY;
        else if (found == SL_ACTORS_NONE)
            found = SL_ACTORS_QUIET;
    }
    closedir(threads);
    return found;
}
