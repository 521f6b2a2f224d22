/* SPDX-License-Identifier: Apache-2.0 */
/* What goes on in a call, kept with its thread, and whom it concerns. */
#include "base/report.h"

#include <stdio.h>

#include "memory/buffer.h"
#include "commands/command.h"
#include "commands/recording/command_buffer.h"
#include "platform/context.h"
#include "commands/device_queue.h"
#include "base/error.h"
#include "base/info.h"
#include "program/kernel.h"
#include "platform/platform.h"
#include "program/program.h"
#include "commands/queue.h"
#include "memory/sampler.h"

atomic_int sl_report_listeners;

static _Thread_local struct {
    struct sl_report *open; /* innermost */
    bool muted;
} here;

void sl_report_open(struct sl_report *report)
{
    struct sl_report **place = &here.open;
    report->outer = *place;
    report->place = place;
    report->heard = SL_REPORT_NOTHING;
    report->code = CL_SUCCESS;
    *place = report;
}

struct sl_report *sl_report_waiting(void)
{
    if (!sl_report_wanted() || here.muted || !here.open)
        return NULL;
    return here.open->heard == SL_REPORT_NOTHING ? here.open : NULL;
}

void sl_report_hear(struct sl_report *report, cl_int code, const char *why)
{
    report->heard = SL_REPORT_REASON;
    report->code = code;
    snprintf(report->why, sizeof report->why, "%s", why);
}

void sl_report_known(void)
{
    if (sl_report_wanted() && here.open)
        here.open->heard = SL_REPORT_KNOWN;
}

void sl_report_mute(bool muted)
{
    here.muted = muted;
}

static cl_context context_of(const void *handle)
{
    static const struct {
        const struct sl_type *type;
        size_t context; /* where it is in the object */
    } rows[] = {
        {&sl_queue_type, offsetof(struct _cl_command_queue, context)},
        {&sl_queue_on_device_type, offsetof(struct sl_queue_on_device, context)},
        {&sl_mem_type, offsetof(struct _cl_mem, context)},
        {&sl_program_type, offsetof(struct _cl_program, context)},
        {&sl_event_type, offsetof(struct _cl_event, context)},
        {&sl_sampler_type, offsetof(struct _cl_sampler, context)},
        {&sl_command_buffer_type, offsetof(struct _cl_command_buffer_khr, context)},
    };
    if (sl_valid(handle, &sl_context_type))
        return (cl_context)handle;
    if (sl_valid(handle, &sl_kernel_type))
        return ((const struct _cl_kernel *)handle)->program->context;
    for (size_t i = 0; i < SL_LEN(rows); i++)
        if (sl_valid(handle, rows[i].type))
            return *(const cl_context *)((const char *)handle + rows[i].context);
    return NULL;
}

/* A child made by fork has no thread that would bring the notice. */
void sl_report_failure(cl_context context, const char *call, cl_int code, const char *why)
{
    if (!here.muted && !sl_forked())
        sl_context_notify(context, "%s failed: %s (%d): %s", call, sl_error_name(code), code, why);
}

void sl_report_tell(const struct sl_report *report, const char *call, cl_int code, size_t count,
                    const void *const *handles)
{
    cl_context context = NULL;
    if (report->heard != SL_REPORT_REASON)
        return;
    for (size_t i = 0; i < count && !context; i++)
        context = context_of(handles[i]);
    if (context)
        sl_report_failure(context, call, code, report->why);
}
