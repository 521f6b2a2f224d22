/* SPDX-License-Identifier: Apache-2.0 */
/* Versions of the image core's functions for several items, and calls that have them. No shared
 * state. */
#include "vector/analysis/image_call.h"

#include <stdio.h>
#include <string.h>

static const struct sl_image_form forms[] = {
    {.image = 0, .sampler = 1, .at = 2, .color = -1, .shape = 3, .count = 4},
    {.image = 0, .sampler = -1, .at = 1, .color = 2, .shape = 3, .count = 4},
};
enum { READ, WRITE };

static const uint32_t widths[] = {16, 8, 4};

LLVMValueRef sl_image_lanes(LLVMValueRef f, enum sl_image_version kind, uint32_t *items)
{
    static const char *const suffixes[] = SL_IMAGE_SUFFIXES;
    const char *name = LLVMGetValueName(f);
    if (strncmp(name, SL_IMAGE_CORE, strlen(SL_IMAGE_CORE)) != 0)
        return NULL;
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
        char version[64];
        snprintf(version, sizeof version, "%s%s%u", name, suffixes[kind], widths[k]);
        LLVMValueRef found = LLVMGetNamedFunction(LLVMGetGlobalParent(f), version);
        *items = widths[k];
        if (found)
            return found;
    }
    return NULL;
}

bool sl_image_has_lanes(LLVMValueRef f)
{
    uint32_t items;
    return strstr(LLVMGetValueName(f), SL_LANES_SUFFIX) ||
           sl_image_lanes(f, SL_IMAGE_ANYWHERE, &items);
}

const struct sl_image_form *sl_image_form(LLVMValueRef call)
{
    uint32_t items;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(callee) || !sl_image_lanes(callee, SL_IMAGE_ANYWHERE, &items))
        return NULL;
    bool writes = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind;
    const struct sl_image_form *form = &forms[writes ? WRITE : READ];
    return LLVMGetNumArgOperands(call) == form->count ? form : NULL;
}

bool sl_vector_is_image_read(LLVMValueRef call)
{
    return sl_image_form(call) == &forms[READ];
}
