/* SPDX-License-Identifier: Apache-2.0 */
/* Which context a failed call concerns: by the handles that it was given, of any type. No shared
 * state. */
#include "commands/failed_call_notice.h"

#include "base/query/info.h"
#include "commands/queue/command.h"
#include "commands/queue/queue.h"
#include "commands/recording/command_buffer.h"
#include "memory/buffer.h"
#include "memory/device_queue.h"
#include "memory/sampler.h"
#include "platform/context.h"
#include "platform/failure.h"
#include "program/kernel.h"
#include "program/object/program.h"
#include <stddef.h>

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
