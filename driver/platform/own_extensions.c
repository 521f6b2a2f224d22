/* SPDX-License-Identifier: Apache-2.0 */
/* See own_extensions.h. */
#include "platform/own_extensions.h"

#include <stdio.h>
#include <string.h>

#include "base/object/alloc.h"
#include "base/query/extension.h"
#include "platform/platform.h"

static const void *ask(struct sl_device *device, const char *name)
{
    return device->ops->query ? device->ops->query(device, name) : NULL;
}

/* Ended by a NULL name. */
static const struct sl_named_version *own(struct sl_device *device)
{
    static const struct sl_named_version none = {0};
    const struct sl_named_version *rows = ask(device, SL_QUERY_EXTENSIONS);
    return rows ? rows : &none;
}

bool sl_own_extensions_sound(struct sl_device *device, char *why, size_t capacity)
{
    for (const struct sl_named_version *row = own(device); row->name; row++) {
        size_t length = strlen(row->name);
        if (length && length < CL_NAME_VERSION_MAX_NAME_SIZE && !strpbrk(row->name, " \t\n"))
            continue;
        snprintf(why, capacity, "\"%s\" cannot be the name of an extension", row->name);
        return false;
    }
    return true;
}

static char *all_names(const char *common, const struct sl_named_version *rows)
{
    size_t bytes = strlen(common) + 1;
    for (const struct sl_named_version *row = rows; row->name; row++)
        bytes += strlen(row->name) + 1;
    char *all = sl_alloc(bytes);
    char *end = all ? stpcpy(all, common) : NULL;
    for (; all && rows->name; rows++) {
        if (end != all)
            *end++ = ' ';
        end = stpcpy(end, rows->name);
    }
    return all;
}

void sl_device_extension_names(const struct _cl_device_id *device, uint32_t features,
                               struct sl_answer *answer)
{
    char *common = sl_extension_names(SL_EXT_DEVICE, features);
    char *all = common ? all_names(common, own(device->impl)) : NULL;
    if (all)
        sl_answer_string(answer, all);
    else
        answer->rc = CL_OUT_OF_HOST_MEMORY;
    sl_free(all);
    sl_free(common);
}

void sl_device_extension_versions(const struct _cl_device_id *device, uint32_t features,
                                  struct sl_answer *answer)
{
    const struct sl_named_version *rows = own(device->impl);
    size_t more = 0, count;
    while (rows[more].name)
        more++;
    cl_name_version *versions = sl_extension_rows(SL_EXT_DEVICE, features, more, &count);
    if (!versions) {
        answer->rc = CL_OUT_OF_HOST_MEMORY;
        return;
    }
    for (size_t i = 0; i < more; i++)
        sl_extension_row(&versions[count++], rows[i].name, rows[i].version);
    sl_answer_bytes(answer, versions, count * sizeof *versions);
    sl_free(versions);
}

void *sl_own_function(const char *name)
{
    cl_platform_id platform = sl_platform_made();
    const void *function = NULL;
    if (!platform || strncmp(name, "cl", 2) != 0)
        return NULL;
    for (cl_uint i = 0; i < platform->device_count && !function; i++)
        function = ask(platform->devices[i]->impl, name);
    return (void *)(uintptr_t)function;
}

static struct sl_device *device_of(const void *device_id)
{
    const struct _cl_device_id *device = device_id;
    return sl_valid(device, &sl_device_type) ? device->impl : NULL;
}

const void *sl_host_query(const char *name)
{
    static const struct sl_handles handles = {.size = sizeof handles, .device = device_of};
    return name && !strcmp(name, SL_QUERY_HANDLES) ? &handles : NULL;
}
