/* SPDX-License-Identifier: Apache-2.0 */
/* See image.h. No state, no lock. */
#include "program/image.h"

#include <CL/cl_ext.h>
#include <stdbool.h>
#include <string.h>

#include "program/module.h"
#include "sluice/base/spirv.h"

/* How many bytes of `left` the image takes with which they begin; 0: they begin with none. */
static size_t image_size(const unsigned char *at, size_t left)
{
    struct sl_binary_header head;
    if (sl_spirv_begins(at, left))
        return left;
    if (left < sizeof head)
        return 0;
    memcpy(&head, at, sizeof head);
    bool kept = head.kind == SL_BINARY_OBJECT || head.kind == SL_BINARY_LIBRARY ||
                head.kind == SL_BINARY_EXECUTABLE;
    return !memcmp(head.magic, SL_BINARY_MAGIC, sizeof head.magic) && kept &&
                   head.total_bytes >= sizeof head && head.total_bytes <= left
               ? (size_t)head.total_bytes
               : 0;
}

/* Images to the last byte: what only begins as some is one binary with something behind it. */
static bool is_of_images(const unsigned char *at, size_t left)
{
    for (size_t size; left; at += size, left -= size) {
        size = image_size(at, left);
        if (!size)
            return false;
    }
    return true;
}

static const char *judge(const struct sl_device_caps *caps, struct sl_program_image *image)
{
    struct sl_module_view view;
    const char *why = NULL;
    if (sl_spirv_begins(image->bytes, image->size)) {
        image->type = CL_PROGRAM_BINARY_TYPE_INTERMEDIATE;
        return caps->features & SL_FEATURE_IL ? sl_spirv_check_header(image->bytes, image->size)
                                              : "the device takes no SPIR-V";
    }
    if (!sl_module_check(image->bytes, image->size, caps->target, &view, &why))
        image->type = sl_module_type(&view);
    return why;
}

const char *sl_program_pick_image(const struct sl_device_caps *caps, const void *binary,
                                  size_t bytes, struct sl_program_image *out)
{
    struct sl_program_image image = {.bytes = binary, .size = bytes};
    bool several = is_of_images(binary, bytes);
    const char *why;
    for (size_t left = bytes;; image.bytes += image.size) {
        image.size = several ? image_size(image.bytes, left) : left;
        why = judge(caps, &image);
        left -= image.size;
        if (!why || !left)
            break;
    }
    if (!why)
        *out = image;
    return why && several && image.size < bytes ? "none of its images is for the device" : why;
}
