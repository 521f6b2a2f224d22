/* SPDX-License-Identifier: Apache-2.0 */
/* See map_command.h. */
#include "commands/enqueue/map_command.h"

#include "base/log/error.h"
#include "commands/queue/command.h"
#include "memory/map.h"

static void forget_failed(cl_event e)
{
    if (e->result < 0)
        sl_map_forget(e->u.map.mem, e->u.map.pointer, false);
}

cl_int sl_map_submit(cl_command_queue queue, cl_mem mem, cl_command_type type, void *pointer,
                     bool blocking, cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
    if (!pointer)
        return sl_refuse(CL_MAP_FAILURE, "the memory has no host address");
    cl_event command;
    cl_int rc = sl_command_create(queue, type, SL_HOW_NOTHING, &command);
    if (rc)
        return rc;
    rc = sl_command_keep(command, mem);
    if (!rc)
        rc = sl_map_note(mem, pointer);
    if (rc) {
        sl_command_abandon(command);
        return rc;
    }
    command->u.map.mem = mem;
    command->u.map.pointer = pointer;
    command->on_finish = forget_failed;
    return sl_command_submit(command, wait_count, wait_list, blocking, event);
}

/* An unmap that fails leaves the region mapped: it may be unmapped again. */
static void finish_unmap(cl_event e)
{
    if (e->result < 0)
        sl_map_mark(e->u.map.mem, e->u.map.pointer, false);
    else
        sl_map_forget(e->u.map.mem, e->u.map.pointer, true);
}

cl_int sl_unmap_submit(cl_command_queue queue, cl_mem mem, void *pointer, cl_uint wait_count,
                       const cl_event *wait_list, cl_event *event)
{
    cl_event command;
    cl_int rc = sl_command_create(queue, CL_COMMAND_UNMAP_MEM_OBJECT, SL_HOW_NOTHING, &command);
    if (rc)
        return rc;
    rc = sl_command_keep(command, mem);
    if (!rc && !sl_map_mark(mem, pointer, true))
        rc = sl_refuse(CL_INVALID_VALUE, "%p was unmapped meanwhile", pointer);
    if (rc) {
        sl_command_abandon(command);
        return rc;
    }
    command->u.map.mem = mem;
    command->u.map.pointer = pointer;
    command->on_finish = finish_unmap;
    return sl_command_submit(command, wait_count, wait_list, false, event);
}
