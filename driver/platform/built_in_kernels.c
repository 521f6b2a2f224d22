/* SPDX-License-Identifier: Apache-2.0 */
/* See built_in_kernels.h. */
#include "platform/built_in_kernels.h"

#include <stdio.h>
#include <string.h>

#include "base/object/alloc.h"
#include "base/query/extension.h"
#include "platform/device_programs.h"

/* Ended by a NULL name. A device that cannot make a program of them has none. */
static const struct sl_named_version *kernels_of(struct sl_device *device)
{
    static const struct sl_named_version none = {0};
    const struct sl_program_ops *own = sl_device_programs(device);
    const struct sl_named_version *rows =
        own && own->forms & SL_PROGRAM_BUILT_IN
            ? device->ops->query(device, SL_QUERY_BUILT_IN_KERNELS)
            : NULL;
    return rows ? rows : &none;
}

bool sl_built_in_kernels_sound(struct sl_device *device, char *why, size_t capacity)
{
    for (const struct sl_named_version *row = kernels_of(device); row->name; row++) {
        size_t length = strlen(row->name);
        if (length && length < CL_NAME_VERSION_MAX_NAME_SIZE && !strpbrk(row->name, "; \t\n"))
            continue;
        snprintf(why, capacity, "\"%s\" cannot be the name of a built-in kernel", row->name);
        return false;
    }
    return true;
}

bool sl_has_built_in_kernel(struct sl_device *device, const char *name, size_t letters)
{
    for (const struct sl_named_version *row = kernels_of(device); row->name; row++)
        if (strlen(row->name) == letters && !memcmp(row->name, name, letters))
            return true;
    return false;
}

void sl_built_in_kernel_names(const struct _cl_device_id *device, struct sl_answer *answer)
{
    const struct sl_named_version *rows = kernels_of(device->impl);
    size_t bytes = 1;
    for (const struct sl_named_version *row = rows; row->name; row++)
        bytes += strlen(row->name) + 1;
    char *all = sl_zalloc(bytes), *end = all;
    for (; all && rows->name; rows++) {
        if (end != all)
            *end++ = ';';
        end = stpcpy(end, rows->name);
    }
    if (all)
        sl_answer_string(answer, all);
    else
        answer->rc = CL_OUT_OF_HOST_MEMORY;
    sl_free(all);
}

void sl_built_in_kernel_versions(const struct _cl_device_id *device, struct sl_answer *answer)
{
    const struct sl_named_version *rows = kernels_of(device->impl);
    size_t count = 0;
    while (rows[count].name)
        count++;
    cl_name_version *versions = sl_zalloc((count + 1) * sizeof *versions);
    for (size_t i = 0; versions && i < count; i++)
        sl_extension_row(&versions[i], rows[i].name, rows[i].version);
    if (versions)
        sl_answer_bytes(answer, versions, count * sizeof *versions);
    else
        answer->rc = CL_OUT_OF_HOST_MEMORY;
    sl_free(versions);
}
