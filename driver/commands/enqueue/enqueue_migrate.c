/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clEnqueueMigrateMemObjects. All devices of a context see the same memory: the objects are where
 * they are wanted, and the command has no work. (Of pointers: enqueue_svm.c, enqueue_usm.c.) No
 * lock. Spec 5.5.4.
 */
#include "base/api.h"
#include "base/log/error.h"
#include "commands/enqueue/tail.h"
#include "commands/enqueue/transfer.h"
#include "memory/buffer.h"

static cl_int check_objects(cl_command_queue queue, cl_uint count, const cl_mem *objects)
{
    if (!count || !objects)
        return sl_refuse(CL_INVALID_VALUE, "%u objects, list %p", count, (const void *)objects);
    for (cl_uint i = 0; i < count; i++) {
        if (!sl_valid(objects[i], &sl_mem_type))
            return sl_refuse(CL_INVALID_MEM_OBJECT, "object %u is not valid", i);
        if (objects[i]->context != queue->context)
            return sl_refuse(CL_INVALID_CONTEXT, "object %u belongs to another context", i);
    }
    return CL_SUCCESS;
}

cl_int sl_clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint count, const cl_mem *objects,
                                     cl_mem_migration_flags flags, cl_uint wait_count,
                                     const cl_event *wait_list, cl_event *event)
{
    const cl_mem_migration_flags known =
        CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    const struct sl_tail tail = {false, wait_count, wait_list, event, NULL};
    cl_int rc = sl_tail_check_queue(queue, &tail);
    if (!rc)
        rc = check_objects(queue, count, objects);
    if (rc)
        return rc;
    if (flags & ~known)
        return sl_refuse(CL_INVALID_VALUE, "migration flags 0x%llx", (unsigned long long)flags);
    return sl_enqueue_point(queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, &tail);
}
