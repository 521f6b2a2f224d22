/* SPDX-License-Identifier: Apache-2.0 */
/* See device_programs.h. */
#include "platform/device_programs.h"

#include <stddef.h>
#include <stdint.h>

#include "platform/compiler_path.h"

const struct sl_program_ops *sl_device_programs(const struct sl_device *device)
{
    const size_t least = offsetof(struct sl_program_ops, build) + sizeof(void *);
    const struct sl_program_ops *ops =
        device->ops->query
            ? device->ops->query((struct sl_device *)(uintptr_t)device, SL_QUERY_PROGRAMS)
            : NULL;
    return ops && ops->size >= least && ops->build ? ops : NULL;
}

bool sl_device_runs_code(const struct sl_device *device)
{
    return device->caps.target && device->ops->code_load;
}

bool sl_device_compiles(const struct sl_device *device)
{
    const struct sl_program_ops *own = sl_device_programs(device);
    if (!sl_device_runs_code(device))
        return false;
    if (own && own->forms & SL_PROGRAM_SOURCE)
        return true;
    return (!own || own->forms & SL_PROGRAM_IR) && sl_compiler_available();
}
