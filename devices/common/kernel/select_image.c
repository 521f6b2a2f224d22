/* SPDX-License-Identifier: Apache-2.0 */
/* See select_image.h. No state, no lock. */
#include "common/kernel/select_image.h"

#include <string.h>

#include "common/base/values.h"
#include "sluice/base/spirv.h"
#include "sluice/base/target.h"

enum { /* ranks; of machine code: behind OWN_CODE, what sl_target_suits says */
       NONE,
       BITCODE,
       ANY_SPIRV,
       DATAFLOW_SPIRV,
       OWN_CODE
};

static uint32_t form_of(const struct sl_program_part *image)
{
    static const unsigned char bitcode[] = {'B', 'C', 0xc0, 0xde};
    if (image->form)
        return image->form;
    if (sl_spirv_begins(image->bytes, image->byte_count))
        return SL_PROGRAM_SPIRV;
    if (image->byte_count >= sizeof bitcode && !memcmp(image->bytes, bitcode, sizeof bitcode))
        return SL_PROGRAM_IR;
    return SL_PROGRAM_OWN;
}

static uint32_t forms_taken(const struct sl_device *device)
{
    const struct sl_device_ops *ops = device->ops;
    const struct sl_program_ops *own = NULL;
    if (ops && ops->size >= offsetof(struct sl_device_ops, query) + sizeof ops->query && ops->query)
        own = ops->query((struct sl_device *)(uintptr_t)device, SL_QUERY_PROGRAMS);
    uint32_t forms = own ? own->forms : 0;
    return device->caps.features & SL_FEATURE_IL ? forms | SL_PROGRAM_SPIRV : forms;
}

static bool is_portable(const char *name)
{
    static const char *const names[] = {"", "spir64", "spirv64", "spir", "spirv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

static uint64_t rank(const struct sl_device *device, const struct sl_program_part *image)
{
    const char *name = image->name ? image->name : "";
    uint32_t form = form_of(image);
    if (form == SL_PROGRAM_OWN) {
        uint32_t suits = device->caps.target ? sl_target_suits(name, device->caps.target) : 0;
        return suits ? (uint64_t)OWN_CODE + suits : NONE;
    }
    if (!(form & forms_taken(device)))
        return NONE;
    if (form == SL_PROGRAM_SPIRV && !strcmp(name, "spir64_fpga"))
        return device->caps.features & SL_FEATURE_DATAFLOW ? DATAFLOW_SPIRV : NONE;
    if (!is_portable(name))
        return NONE;
    return form == SL_PROGRAM_SPIRV ? ANY_SPIRV : form == SL_PROGRAM_IR ? BITCODE : NONE;
}

int sluice_select_image(const struct sl_device *device, const struct sl_program_part *images,
                        uint32_t count, uint32_t *index)
{
    uint64_t best = NONE;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t one = rank(device, &images[i]);
        if (one > best)
            *index = i;
        best = one > best ? one : best;
    }
    return best == NONE ? SL_INVALID_BINARY : 0;
}
