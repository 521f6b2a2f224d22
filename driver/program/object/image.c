/* SPDX-License-Identifier: Apache-2.0 */
/* See image.h. No state, no lock. */
#include "program/object/image.h"

#include <CL/cl_ext.h>
#include <stdbool.h>
#include <string.h>

#include "base/object/alloc.h"
#include "platform/device_programs.h"
#include "program/object/device_container.h"
#include "program/object/module.h"
#include "sluice/base/spirv.h"
#include "sluice/base/target.h"

/* What lies behind an executable and belongs to it. */
static size_t rest_size(const struct sl_binary_header *executable, const unsigned char *at,
                        size_t left)
{
    struct sl_binary_header head;
    if (executable->kind != SL_BINARY_EXECUTABLE || left < sizeof head)
        return 0;
    memcpy(&head, at, sizeof head);
    return !memcmp(head.magic, SL_BINARY_MAGIC, sizeof head.magic) && head.kind == SL_BINARY_REST &&
                   head.total_bytes >= sizeof head && head.total_bytes <= left
               ? (size_t)head.total_bytes
               : 0;
}

/* How many bytes of `left` the image takes with which they begin; 0: they begin with none. */
static size_t image_size(const unsigned char *at, size_t left)
{
    struct sl_binary_header head;
    if (sl_spirv_begins(at, left))
        return left;
    if (left < sizeof head)
        return 0;
    memcpy(&head, at, sizeof head);
    bool known = head.kind == SL_BINARY_OBJECT || head.kind == SL_BINARY_LIBRARY ||
                 head.kind == SL_BINARY_EXECUTABLE;
    bool begins = !memcmp(head.magic, SL_BINARY_MAGIC, sizeof head.magic) && known &&
                  head.total_bytes >= sizeof head && head.total_bytes <= left;
    if (!begins)
        return 0;
    return (size_t)head.total_bytes +
           rest_size(&head, at + head.total_bytes, left - (size_t)head.total_bytes);
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

static const char *judge_own(struct sl_device *device, const struct sl_program_ops *own,
                             struct sl_program_image *image)
{
    uint32_t kind = own && own->recognize ? own->recognize(device, image->bytes, image->size) : 0;
    image->bare = true;
    image->type = kind;
    switch (kind) {
    case SL_BINARY_OBJECT:
    case SL_BINARY_LIBRARY:
    case SL_BINARY_EXECUTABLE:
        return NULL;
    }
    return "not a Sluice binary";
}

static const char *judge_container(const struct sl_device *device, const struct sl_program_ops *own,
                                   struct sl_program_image *image)
{
    struct sl_module_view view, rest;
    const char *why = NULL;
    size_t first = sl_container_split(image->bytes, image->size), behind = image->size - first;
    if (sl_module_check(image->bytes, first, device->caps.target, &view, &why))
        return why;
    if (view.header.kind == SL_BINARY_REST)
        return "half a binary";
    if (behind && sl_module_check(image->bytes + first, behind, device->caps.target, &rest, &why))
        return why;
    image->type = sl_module_type(&view);
    if (image->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE && sl_module_is_own(&view) != !!own)
        return own ? "the device runs no code but its own" : "code of another device's own";
    return NULL;
}

static const char *judge(struct sl_device *device, struct sl_program_image *image)
{
    const struct sl_program_ops *own = sl_device_programs(device);
    image->bare = false;
    if (sl_spirv_begins(image->bytes, image->size)) {
        image->type = CL_PROGRAM_BINARY_TYPE_INTERMEDIATE;
        return device->caps.features & SL_FEATURE_IL
                   ? sl_spirv_check_header(image->bytes, image->size)
                   : "the device takes no SPIR-V";
    }
    if (own && !image_size(image->bytes, image->size))
        return judge_own(device, own, image);
    return judge_container(device, own, image);
}

/* ---- several --------------------------------------------------------------------------------- */

static uint32_t count_images(const unsigned char *at, size_t left)
{
    uint32_t count = 0;
    for (size_t size; left; at += size, left -= size, count++)
        size = image_size(at, left);
    return count;
}

static const char *target_of(const unsigned char *image, size_t size, char text[64])
{
    struct sl_binary_header head;
    *text = 0;
    if (sl_spirv_begins(image, size))
        return text;
    memcpy(&head, image, sizeof head);
    memcpy(text, head.target, sizeof head.target);
    text[sizeof head.target - 1] = 0;
    return text;
}

/* The device chooses; its choice is looked at like any other. */
static const char *select_image(struct sl_device *device, const struct sl_program_ops *own,
                                const void *binary, size_t bytes, struct sl_program_image *out)
{
    uint32_t count = count_images(binary, bytes), i = 0;
    struct sl_program_part *parts = sl_zalloc(count * sizeof *parts);
    char (*names)[64] = sl_zalloc(count * sizeof *names);
    const unsigned char *at = binary;
    const char *why = parts && names ? NULL : "out of memory";
    for (size_t left = bytes, size; !why && left; at += size, left -= size, i++) {
        size = image_size(at, left);
        parts[i] =
            (struct sl_program_part){sl_spirv_begins(at, size) ? SL_PROGRAM_SPIRV : SL_PROGRAM_OWN,
                                     at, size, target_of(at, size, names[i])};
    }
    int32_t chosen = why ? -1 : own->select(device, parts, count);
    if (!why && (chosen < 0 || (uint32_t)chosen >= count))
        why = "none of its images is for the device";
    if (!why) {
        out->bytes = parts[chosen].bytes;
        out->size = parts[chosen].byte_count;
        why = judge(device, out);
    }
    sl_free(parts);
    sl_free(names);
    return why;
}

/* Code for this machine before code for less than it has, and SPIR-V last. */
static uint64_t rank(const struct sl_device *device, const struct sl_program_image *image)
{
    enum { IL = 1 };
    char text[64];
    if (image->bare)
        return SL_TARGET_EXACT + (uint64_t)IL;
    if (image->type == CL_PROGRAM_BINARY_TYPE_INTERMEDIATE)
        return IL;
    target_of(image->bytes, image->size, text);
    return IL + (uint64_t)sl_target_suits(text, device->caps.target);
}

static const char *best_image(struct sl_device *device, const void *binary, size_t bytes,
                              bool several, struct sl_program_image *best)
{
    const char *why = "not a Sluice binary";
    uint64_t found = 0;
    struct sl_program_image image = {.bytes = binary};
    for (size_t left = bytes; left; image.bytes += image.size, left -= image.size) {
        image.size = several ? image_size(image.bytes, left) : left;
        why = judge(device, &image);
        uint64_t one = why ? 0 : rank(device, &image);
        if (one > found)
            *best = image;
        found = one > found ? one : found;
    }
    if (found)
        return NULL;
    return several && image.size < bytes ? "none of its images is for the device" : why;
}

/* Hosts that read a file as a string hand over the byte that ends it as well. */
static size_t without_end(const void *binary, size_t bytes)
{
    const unsigned char *at = binary;
    bool ends = bytes && !at[bytes - 1] && !is_of_images(at, bytes) && is_of_images(at, bytes - 1);
    return ends ? bytes - 1 : bytes;
}

const char *sl_program_pick_image(struct sl_device *device, const void *binary, size_t bytes,
                                  struct sl_program_image *out)
{
    bytes = without_end(binary, bytes);
    struct sl_program_image image = {0};
    const struct sl_program_ops *own = sl_device_programs(device);
    bool several = is_of_images(binary, bytes);
    bool selects = own && own->size >= sizeof *own && own->select;
    const char *why = several && selects ? select_image(device, own, binary, bytes, &image)
                                         : best_image(device, binary, bytes, several, &image);
    if (!why)
        *out = image;
    return why;
}
