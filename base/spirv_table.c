/* SPDX-License-Identifier: Apache-2.0 */
/* What SPIR-V modules may ask for: spirv.def in arrays. Constant data, no lock. */
#include "sluice/base/spirv.h"
#include "sluice/device.h"

static const struct sl_spirv_capability capabilities[] = {
#define SL_SPIRV_CAPABILITY(number, name, extension, features) {number, #name, extension, features},
#define SL_SPIRV_EXTENSION(...)
#define SL_SPIRV_SET(...)
#include "sluice/base/spirv.def"
#undef SL_SPIRV_CAPABILITY
#undef SL_SPIRV_EXTENSION
};

static const char *const extensions[] = {
#define SL_SPIRV_CAPABILITY(...)
#define SL_SPIRV_EXTENSION(name) name,
#include "sluice/base/spirv.def"
#undef SL_SPIRV_EXTENSION
#undef SL_SPIRV_SET
};

static const char *const sets[] = {
#define SL_SPIRV_EXTENSION(...)
#define SL_SPIRV_SET(name) name,
#include "sluice/base/spirv.def"
};

const struct sl_spirv_capability *sl_spirv_capability_at(size_t row)
{
    return row < sizeof capabilities / sizeof *capabilities ? &capabilities[row] : NULL;
}

bool sl_spirv_takes_capability(uint32_t number)
{
    const struct sl_spirv_capability *row;
    for (size_t i = 0; (row = sl_spirv_capability_at(i)); i++)
        if (row->number == number)
            return true;
    return false;
}

const char *sl_spirv_extension_at(size_t row)
{
    return row < sizeof extensions / sizeof *extensions ? extensions[row] : NULL;
}

const char *sl_spirv_set_at(size_t row)
{
    return row < sizeof sets / sizeof *sets ? sets[row] : NULL;
}
