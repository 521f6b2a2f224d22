/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "commands/enqueue/semaphore_properties.h"

#include <limits.h>
#include <stdint.h>

#include "base/log/error.h"
#include "base/query/info.h"
#include "platform/context.h"
#include "platform/device.h"

/* A row's function: its value begins at list[*at], and *at becomes the value's last entry. */
typedef cl_int (*take_fn)(cl_context, const cl_semaphore_properties_khr *list, cl_uint *at,
                          struct sl_semaphore_wanted *);

static cl_int take_type(cl_context context, const cl_semaphore_properties_khr *list, cl_uint *at,
                        struct sl_semaphore_wanted *wanted)
{
    (void)context;
    (void)wanted;
    if (list[*at] != CL_SEMAPHORE_TYPE_BINARY_KHR)
        return sl_refuse(CL_INVALID_PROPERTY, "there are no semaphores of type %llu",
                         (unsigned long long)list[*at]);
    return CL_SUCCESS;
}

static cl_int take_devices(cl_context context, const cl_semaphore_properties_khr *list, cl_uint *at,
                           struct sl_semaphore_wanted *wanted)
{
    cl_uint count = 0;
    for (; list[*at] != CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR; (*at)++) {
        wanted->device = (cl_device_id)(uintptr_t)list[*at];
        if (count++ || !sl_valid(wanted->device, &sl_device_type) ||
            !sl_context_has_device(context, wanted->device))
            return sl_refuse(CL_INVALID_DEVICE, "the list is not one device of the context");
    }
    return count ? CL_SUCCESS : sl_refuse(CL_INVALID_DEVICE, "an empty list of devices");
}

/* An empty list names none. */
static cl_int take_exports(cl_context context, const cl_semaphore_properties_khr *list, cl_uint *at,
                           struct sl_semaphore_wanted *wanted)
{
    const cl_uint first = *at;
    (void)context;
    while (list[*at] != CL_SEMAPHORE_EXPORT_HANDLE_TYPES_LIST_END_KHR)
        (*at)++;
    wanted->exported = *at > first;
    if (*at - first > 1)
        return sl_refuse(CL_INVALID_VALUE, "%u types of handles, not one", *at - first);
    if (wanted->exported && list[first] != CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR)
        return sl_refuse(CL_INVALID_PROPERTY, "there are no handles of type 0x%llx",
                         (unsigned long long)list[first]);
    return CL_SUCCESS;
}

static cl_int take_descriptor(cl_context context, const cl_semaphore_properties_khr *list,
                              cl_uint *at, struct sl_semaphore_wanted *wanted)
{
    (void)context;
    if (list[*at] > INT_MAX)
        return sl_refuse(CL_INVALID_PROPERTY, "0x%llx is no descriptor",
                         (unsigned long long)list[*at]);
    wanted->imported = true;
    wanted->file = (int)list[*at];
    return CL_SUCCESS;
}

enum { TYPE, DEVICES, EXPORTS, DESCRIPTOR };
static const struct {
    cl_semaphore_properties_khr name;
    take_fn take;
} rows[] = {
    [TYPE] = {CL_SEMAPHORE_TYPE_KHR, take_type},
    [DEVICES] = {CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, take_devices},
    [EXPORTS] = {CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, take_exports},
    [DESCRIPTOR] = {CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, take_descriptor},
};

static bool seen(const struct sl_semaphore_wanted *wanted, int row)
{
    return wanted->seen & 1u << row;
}

static cl_int take(cl_context context, const cl_semaphore_properties_khr *list, cl_uint *at,
                   struct sl_semaphore_wanted *wanted)
{
    const cl_semaphore_properties_khr name = list[(*at)++];
    size_t row = 0;
    while (row < SL_LEN(rows) && rows[row].name != name)
        row++;
    if (row == SL_LEN(rows) || seen(wanted, (int)row))
        return sl_refuse(CL_INVALID_PROPERTY, "property 0x%llx is unknown or repeated",
                         (unsigned long long)name);
    wanted->seen |= 1u << row;
    return rows[row].take(context, list, at, wanted);
}

cl_int sl_semaphore_properties_read(cl_context context, const cl_semaphore_properties_khr *list,
                                    struct sl_semaphore_wanted *wanted)
{
    *wanted = (struct sl_semaphore_wanted){0};
    if (!list)
        return sl_refuse(CL_INVALID_VALUE, "no properties");
    for (; list[wanted->entries]; wanted->entries++) {
        cl_int rc = take(context, list, &wanted->entries, wanted);
        if (rc)
            return rc;
    }
    wanted->entries++;
    if (!seen(wanted, TYPE))
        return sl_refuse(CL_INVALID_VALUE, "no type");
    if (!seen(wanted, DEVICES) && context->device_count > 1)
        return sl_refuse(CL_INVALID_PROPERTY, "which of the context's devices is not said");
    if (seen(wanted, EXPORTS) && seen(wanted, DESCRIPTOR))
        return sl_refuse(CL_INVALID_OPERATION, "what was imported is not exported");
    return CL_SUCCESS;
}
