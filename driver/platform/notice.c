/* SPDX-License-Identifier: Apache-2.0 */
/* See notice.h. Atomics only. */
#include "platform/notice.h"

#include <stdlib.h>
#include <string.h>

#include "base/log/error.h"
#include "base/log/log.h"
#include "base/object/alloc.h"
#include "base/object/callback_thread.h"
#include "base/thread/fork.h"
#include "sluice/base/wait.h"

#define MOST_WAIT_NS 100000000u

struct notice { /* one call */
    void(CL_CALLBACK *call)(const char *, const void *, size_t, void *);
    void *user_data;
    size_t info_bytes; /* of private_info, which lies behind the text; 0: none */
    size_t text_bytes;
    char text[];
};

static atomic_uint pending; /* queued, and its call has not returned; a futex */

static void end_one(void)
{
    if (atomic_fetch_sub_explicit(&pending, 1, memory_order_release) == 1)
        sl_futex_wake(&pending, 1);
}

static void deliver(void *data)
{
    struct notice *notice = data;
    const char *info = notice->info_bytes ? notice->text + notice->text_bytes : NULL;
    sl_report_mute(true); /* what fails in there would bring the next notice, for ever */
    notice->call(notice->text, info, notice->info_bytes, notice->user_data);
    sl_report_mute(false);
    sl_free(notice);
    end_one();
}

/* A function that never returns, or waits for a lock of who exits, must not keep the process. */
static void await_pending(void)
{
    const uint64_t end = sl_clock_ns() + MOST_WAIT_NS;
    if (sl_forked() || sl_callback_is_here())
        return;
    for (unsigned left; (left = atomic_load_explicit(&pending, memory_order_acquire));) {
        uint64_t now = sl_clock_ns();
        if (now >= end)
            return;
        sl_futex_wait(&pending, left, end - now);
    }
}

/* Whoever comes here has a context, so the library stays mapped until the end. */
static void await_at_exit(void)
{
    static atomic_bool registered;
    if (!atomic_exchange_explicit(&registered, true, memory_order_relaxed) && atexit(await_pending))
        sl_log(SL_LOG_INFO, "api", "no memory to wait for notices at exit");
}

static struct notice *make(cl_context context, const char *text, const char *info)
{
    size_t text_bytes = strlen(text) + 1, info_bytes = info ? strlen(info) + 1 : 0;
    struct notice *notice =
        context->notify ? sl_alloc(sizeof *notice + text_bytes + info_bytes) : NULL;
    if (!notice)
        return NULL;
    *notice = (struct notice){.call = context->notify,
                              .user_data = context->notify_data,
                              .text_bytes = text_bytes,
                              .info_bytes = info_bytes};
    memcpy(notice->text, text, text_bytes);
    if (info)
        memcpy(notice->text + text_bytes, info, info_bytes);
    return notice;
}

void sl_notice_post(cl_context context, const char *text, const char *info)
{
    struct notice *notice = make(context, text, info);
    if (!notice)
        return;
    await_at_exit();
    atomic_fetch_add_explicit(&pending, 1, memory_order_relaxed);
    if (sl_callback_post(deliver, notice)) {
        sl_free(notice);
        end_one();
    }
}
