/* SPDX-License-Identifier: Apache-2.0 */
/* Trace lines and timeline spans of commands. No state, no lock. */
#include "commands/queue/command_trace.h"
#include "base/thread/clock.h"

#include <stdio.h>

#include "base/log/error.h"
#include "base/log/log.h"
#include "base/log/timeline.h"
#include "commands/queue/command.h"
#include "commands/queue/native_scope.h"
#include "commands/queue/queue.h"
#include "program/kernel.h"
#include "sluice/module.h"

/* The kernel that the command runs; it is held until the command has ended. */
static const char *kernel_name(cl_event e)
{
    if (e->how != SL_HOW_DEVICE || e->work.kind != SL_WORK_KERNEL)
        return NULL;
    for (uint32_t i = 0; i < e->held_count; i++) {
        const struct sl_object *held = e->held[i];
        if (atomic_load_explicit(&held->type, memory_order_relaxed) == &sl_kernel_type)
            return ((cl_kernel)e->held[i])->info->name;
    }
    return NULL;
}

void sl_command_title(cl_event e, char *out, size_t room)
{
    const char *kernel = kernel_name(e);
    snprintf(out, room, "%s%s%s", sl_command_name(e->type), kernel ? " " : "",
             kernel ? kernel : "");
}

void sl_command_trace(cl_event e, enum sl_command_step step, cl_int status)
{
    static const char *const words[] = {"queued", "submitted", "started", "ended"};
    char name[256];
    if (!sl_trace_enabled(SL_TRACE_SCHEDULER))
        return;
    sl_command_title(e, name, sizeof name);
    /* Undefined by the extension, and done: the command waits for nothing of the native one's. */
    if (step == SL_STEP_QUEUED && !e->queue->scope && sl_native_function_is_here())
        sl_trace(SL_TRACE_SCHEDULER,
                 "scheduler: command %p %s is enqueued by a native command's function, but not to "
                 "its queue: it is no part of that",
                 (void *)e, name);
    sl_trace(SL_TRACE_SCHEDULER, "scheduler: command %p %s in queue %p: %s%s%s", (void *)e, name,
             (void *)e->queue, words[step], step == SL_STEP_ENDED ? ", " : "",
             step == SL_STEP_ENDED ? status ? sl_error_name(status) : "complete" : "");
}

void sl_command_timeline(cl_event e, cl_int status)
{
    char name[256], args[512];
    const uint64_t *when = e->when_ns;
    if (!sl_timeline_enabled())
        return;
    sl_command_title(e, name, sizeof name);
    snprintf(args, sizeof args,
             "{\"queue\":\"%p\",\"queued_ns\":%llu,\"submitted_ns\":%llu,\"started_ns\":%llu,"
             "\"ended_ns\":%llu,\"status\":\"%s\"}",
             (void *)e->queue, (unsigned long long)when[SL_TIME_QUEUED],
             (unsigned long long)when[SL_TIME_SUBMITTED], (unsigned long long)when[SL_TIME_STARTED],
             (unsigned long long)when[SL_TIME_ENDED],
             status ? sl_error_name(status) : "CL_COMPLETE");
    sl_timeline_span("command", name, when[SL_TIME_STARTED], when[SL_TIME_COMPLETE], args);
}

void sl_command_replayed(cl_event recorded, cl_event command, uint64_t started_ns, cl_int status)
{
    char name[256], args[128];
    if (status < 0) {
        sl_command_title(recorded, name, sizeof name);
        sl_log(SL_LOG_INFO, "cmd", "%s of command-buffer command %p ended with %s", name,
               (void *)command, sl_error_name(status));
    }
    if (!started_ns || !sl_timeline_enabled())
        return;
    sl_command_title(recorded, name, sizeof name);
    snprintf(args, sizeof args, "{\"queue\":\"%p\",\"replay\":\"%p\",\"status\":\"%s\"}",
             (void *)command->queue, (void *)command,
             status < 0 ? sl_error_name(status) : "CL_COMPLETE");
    sl_timeline_span("command", name, started_ns, sl_now_ns(), args);
}
