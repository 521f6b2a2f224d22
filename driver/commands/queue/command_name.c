/* SPDX-License-Identifier: Apache-2.0 */
/* The names of command types, for logs and the timeline. Constant data, no lock. */
#include "commands/queue/command.h"

#include <CL/cl_ext_sluice.h>

#include "base/query/info.h"

#define NAME(type) {CL_COMMAND_##type, #type}
static const struct {
    cl_command_type type;
    const char *name;
} names[] = {
    NAME(NDRANGE_KERNEL),
    NAME(TASK),
    NAME(NATIVE_KERNEL),
    NAME(NATIVE_COMMAND_SLUICE),
    NAME(READ_BUFFER),
    NAME(WRITE_BUFFER),
    NAME(COPY_BUFFER),
    NAME(FILL_BUFFER),
    NAME(READ_BUFFER_RECT),
    NAME(WRITE_BUFFER_RECT),
    NAME(COPY_BUFFER_RECT),
    NAME(READ_IMAGE),
    NAME(WRITE_IMAGE),
    NAME(COPY_IMAGE),
    NAME(FILL_IMAGE),
    NAME(COPY_IMAGE_TO_BUFFER),
    NAME(COPY_BUFFER_TO_IMAGE),
    NAME(MAP_BUFFER),
    NAME(MAP_IMAGE),
    NAME(UNMAP_MEM_OBJECT),
    NAME(MIGRATE_MEM_OBJECTS),
    NAME(MARKER),
    NAME(BARRIER),
    NAME(USER),
    NAME(SVM_FREE),
    NAME(SVM_MEMCPY),
    NAME(SVM_MEMFILL),
    NAME(SVM_MAP),
    NAME(SVM_UNMAP),
    NAME(SVM_MIGRATE_MEM),
    NAME(MEMFILL_INTEL),
    NAME(MEMCPY_INTEL),
    NAME(MIGRATEMEM_INTEL),
    NAME(MEMADVISE_INTEL),
    NAME(READ_GLOBAL_VARIABLE_INTEL),
    NAME(WRITE_GLOBAL_VARIABLE_INTEL),
    NAME(READ_HOST_PIPE_INTEL),
    NAME(WRITE_HOST_PIPE_INTEL),
    NAME(COMMAND_BUFFER_KHR),
    NAME(SEMAPHORE_WAIT_KHR),
    NAME(SEMAPHORE_SIGNAL_KHR),
    NAME(ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR),
    NAME(RELEASE_EXTERNAL_MEM_OBJECTS_KHR),
};

const char *sl_command_name(cl_command_type type)
{
    for (size_t i = 0; i < SL_LEN(names); i++)
        if (names[i].type == type)
            return names[i].name;
    return "command";
}
