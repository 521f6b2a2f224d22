/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. The thread is joined before the limit goes back. */
#include "shortage_limit.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NAP_US = 500, SPACE_STEP = 256 << 10, PAGE = 4096, MOST_FDS = 1024 };

static struct {
    enum shortage_limit what;
    long left; /* steps above what the process has */
    struct rlimit before;
    pthread_t thread;
    bool runs;
    int statm;
    atomic_bool stop;
} fall;

static int resource(void)
{
    return fall.what == SHORTAGE_SPACE   ? RLIMIT_AS
           : fall.what == SHORTAGE_FILES ? RLIMIT_NOFILE
                                         : RLIMIT_NPROC;
}

static rlim_t space(void)
{
    char text[64] = "";
    ssize_t got = pread(fall.statm, text, sizeof text - 1, 0);
    return got > 0 ? (rlim_t)strtoul(text, NULL, 10) * PAGE : 0;
}

static rlim_t highest_descriptor(void)
{
    for (int fd = MOST_FDS - 1; fd >= 0; fd--) {
        if (fcntl(fd, F_GETFD) >= 0)
            return (rlim_t)fd + 1;
    }
    return 0;
}

/* The user has no other process than this one and its compiler's. */
static rlim_t tasks(void)
{
    return 2;
}

static void lower(void)
{
    struct rlimit limit = fall.before;
    rlim_t steps = (rlim_t)fall.left;
    limit.rlim_cur = fall.what == SHORTAGE_SPACE   ? space() + steps * SPACE_STEP
                     : fall.what == SHORTAGE_FILES ? highest_descriptor() + steps
                                                   : tasks() + steps;
    if (limit.rlim_cur < fall.before.rlim_cur)
        setrlimit((__rlimit_resource_t)resource(), &limit);
}

static void *run(void *unused)
{
    (void)unused;
    while (!atomic_load(&fall.stop) && fall.left >= 0) {
        lower();
        fall.left--;
        usleep(NAP_US);
    }
    return NULL;
}

void shortage_limit_begin(const struct shortage_page *page)
{
    pthread_attr_t attr;
    fall.what = page->what;
    fall.left = page->first - 1;
    fall.statm = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/statm", O_RDONLY | O_CLOEXEC);
    getrlimit((__rlimit_resource_t)resource(), &fall.before);
    if (!page->first)
        return;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 64 << 10);
    fall.runs = !pthread_create(&fall.thread, &attr, run, NULL);
    pthread_attr_destroy(&attr);
}

/* The thread has long come to its end by the time that somebody has waited in vain. */
void shortage_limit_lift(void)
{
    atomic_store(&fall.stop, true);
    setrlimit((__rlimit_resource_t)resource(), &fall.before);
}

void shortage_limit_end(void)
{
    if (!fall.what)
        return;
    atomic_store(&fall.stop, true);
    if (fall.runs)
        pthread_join(fall.thread, NULL);
    setrlimit((__rlimit_resource_t)resource(), &fall.before);
    if (fall.statm >= 0)
        close(fall.statm);
    fall.what = SHORTAGE_NO_LIMIT;
}
