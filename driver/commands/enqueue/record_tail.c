/* SPDX-License-Identifier: Apache-2.0 */
/* See record_tail.h. */
#include "commands/enqueue/record_tail.h"

#include "base/log/error.h"
#include "program/object/host_end.h"

cl_int sl_recording_check(const struct sl_recording *r)
{
    if (!r->point_count != !r->points)
        return sl_refuse(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, "%u sync-points, list %p",
                         r->point_count, (const void *)r->points);
    for (cl_uint i = 0; i < r->point_count; i++)
        if (!r->points[i] || r->points[i] > r->known_points)
            return sl_refuse(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, "there is no sync-point %u",
                             r->points[i]);
    return CL_SUCCESS;
}

/* What is done when a command starts is done for one that runs once. */
cl_int sl_recording_take(struct sl_recording *r, cl_event command)
{
    if (command->on_start) {
        sl_command_abandon(command);
        return sl_refuse(CL_INVALID_OPERATION,
                         "a pipe of several devices cannot be used in a command-buffer");
    }
    sl_drop(command); /* a command holds itself until it has ended: this one only begins */
    r->made = command;
    return CL_SUCCESS;
}

void sl_recording_claimed(struct sl_recording *r, cl_program program, struct sl_code_ref *code,
                          uint32_t kernel)
{
    r->claim.program = program;
    r->claim.code = code;
    r->claim.kernel = kernel;
}

void sl_recording_discard(const struct sl_recording *r)
{
    if (r->claim.program)
        sl_host_ends_unclaim(r->claim.program, r->claim.code, r->claim.kernel);
    sl_discard(r->made);
}
