/* SPDX-License-Identifier: Apache-2.0 */
/* See device_spirv_info.h: all of it is spirv.def, seen by what a device has. No lock. */
#include "platform/device_spirv_info.h"

#include <string.h>

#include "platform/device.h"
#include "sluice/base/spirv.h"

enum { MOST_NAMES = 128 };

struct names { /* each once */
    const char *rows[MOST_NAMES];
    size_t count;
};

static void add_name(struct names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (!strcmp(names->rows[i], name))
            return;
    if (*name && names->count < MOST_NAMES)
        names->rows[names->count++] = name;
}

static bool takes_il(const void *device)
{
    return sl_device_features(device) & SL_FEATURE_IL;
}

static bool has(const void *device, const struct sl_spirv_capability *row)
{
    return takes_il(device) && (sl_device_features(device) & row->features) == row->features;
}

void sl_spirv_sets(const void *device, struct sl_answer *answer)
{
    struct names names = {.count = 0};
    const char *name;
    for (size_t i = 0; takes_il(device) && (name = sl_spirv_set_at(i)); i++)
        add_name(&names, name);
    sl_answer_bytes(answer, names.rows, names.count * sizeof *names.rows);
}

void sl_spirv_extensions(const void *device, struct sl_answer *answer)
{
    struct names names = {.count = 0};
    const struct sl_spirv_capability *row;
    const char *name;
    for (size_t i = 0; (row = sl_spirv_capability_at(i)); i++)
        if (has(device, row))
            add_name(&names, row->extension);
    for (size_t i = 0; takes_il(device) && (name = sl_spirv_extension_at(i)); i++)
        add_name(&names, name);
    sl_answer_bytes(answer, names.rows, names.count * sizeof *names.rows);
}

void sl_spirv_capabilities(const void *device, struct sl_answer *answer)
{
    enum { MOST = 256 };
    cl_uint numbers[MOST];
    const struct sl_spirv_capability *row;
    size_t count = 0;
    for (size_t i = 0; count < MOST && (row = sl_spirv_capability_at(i)); i++)
        if (has(device, row))
            numbers[count++] = row->number;
    sl_answer_bytes(answer, numbers, count * sizeof *numbers);
}
