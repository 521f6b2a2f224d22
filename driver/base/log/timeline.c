/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timeline file. `lock` guards the file and its end. Each span overwrites the closing bracket
 * with itself and a new bracket in one write, so the file is complete at any time.
 */
#include "base/log/timeline.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/config/config.h"
#include "base/log/log.h"
#include "base/thread/fork.h"
#include "sluice/base/file.h"
#include "sluice/base/json.h"

enum { UNREAD, OFF, ON };
static const char empty[] = "[\n\n]\n", closing[] = "\n]\n";
enum { FIRST = sizeof empty - sizeof closing }; /* where the first span begins */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int state = UNREAD;
static int file = -1;
static off_t end; /* where the closing bracket begins; guarded by lock */

static int open_locked(void)
{
    const char *path = sl_config(SL_CONFIG_TIMELINE), *why = NULL;
    if (!path || !*path)
        return OFF;
    file = sl_output_open(path, O_TRUNC, &why);
    end = FIRST;
    if (file >= 0 && pwrite(file, empty, sizeof empty - 1, 0) == sizeof empty - 1)
        return ON;
    sl_log(SL_LOG_ERROR, SL_LOG_SETTING, "SLUICE_TIMELINE=%s: %s", path,
           why ? why : "cannot be written");
    return OFF;
}

bool sl_timeline_enabled(void)
{
    int now = atomic_load_explicit(&state, memory_order_acquire);
    if (now != UNREAD)
        return now == ON;
    pthread_mutex_lock(&lock);
    now = atomic_load_explicit(&state, memory_order_relaxed);
    if (now == UNREAD) {
        now = open_locked();
        atomic_store_explicit(&state, now, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return now == ON;
}

void sl_timeline_span(const char *category, const char *name, uint64_t start_ns, uint64_t end_ns,
                      const char *args_json)
{
    if (!sl_timeline_enabled() || sl_forked())
        return;
    static char title[512], text[4096]; /* guarded by lock; too large for a caller's stack */
    uint64_t spent = end_ns > start_ns ? end_ns - start_ns : 0;
    if (args_json && strlen(args_json) > sizeof text - 1024)
        args_json = NULL;
    pthread_mutex_lock(&lock);
    sl_json_escape(title, sizeof title, name);
    int bytes = snprintf(text, sizeof text,
                         "%s{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"ts\":%llu.%03u,"
                         "\"dur\":%llu.%03u,\"pid\":%d,\"tid\":%ld,\"args\":%s}",
                         end > FIRST ? ",\n" : "", category, title,
                         (unsigned long long)(start_ns / 1000), (unsigned)(start_ns % 1000),
                         (unsigned long long)(spent / 1000), (unsigned)(spent % 1000), getpid(),
                         syscall(SYS_gettid), args_json ? args_json : "{}");
    if (bytes > 0 && (size_t)bytes + sizeof closing < sizeof text) {
        memcpy(text + bytes, closing, sizeof closing);
        size_t all = (size_t)bytes + sizeof closing - 1;
        if (pwrite(file, text, all, end) == (ssize_t)all)
            end += bytes;
    }
    pthread_mutex_unlock(&lock);
}
