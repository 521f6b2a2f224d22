/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Creating images and asking about them (5.3.1, 5.3.7). Nothing here changes an image after it was
 * made, so there is no lock.
 */
#include "memory/image.h"

#include <stdint.h>
#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/object/alloc.h"
#include "base/query/info.h"
#include "base/rect.h"
#include "memory/format.h"
#include "memory/mem_properties.h"
#include "platform/context.h"
#include "platform/device.h"

#define COORDS(type, count) [(type) - CL_MEM_OBJECT_IMAGE2D] = (count)
static const unsigned char coordinates[] = {
    COORDS(CL_MEM_OBJECT_IMAGE2D, 2),       COORDS(CL_MEM_OBJECT_IMAGE3D, 3),
    COORDS(CL_MEM_OBJECT_IMAGE2D_ARRAY, 3), COORDS(CL_MEM_OBJECT_IMAGE1D, 1),
    COORDS(CL_MEM_OBJECT_IMAGE1D_ARRAY, 2), COORDS(CL_MEM_OBJECT_IMAGE1D_BUFFER, 1),
};

unsigned sl_image_dims(cl_mem_object_type type)
{
    const cl_mem_object_type i = type - CL_MEM_OBJECT_IMAGE2D;
    return i < SL_LEN(coordinates) ? coordinates[i] : 0;
}

bool sl_is_image(cl_mem mem)
{
    return sl_image_dims(mem->type) != 0;
}

void sl_image_pitches(cl_mem mem, size_t pitch[2])
{
    const bool layers_are_rows = mem->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    pitch[0] = layers_are_rows ? mem->image.slice_pitch : mem->image.row_pitch;
    pitch[1] = mem->image.slice_pitch;
}

size_t sl_image_offset(cl_mem mem, const size_t origin[3])
{
    size_t pitch[2];
    sl_image_pitches(mem, pitch);
    return origin[0] * mem->image.elem_bytes + origin[1] * pitch[0] + origin[2] * pitch[1];
}

/* Elements, rows and slices (layers included) of the whole image; 1 where a dimension is missing.
 */
static void extent(const cl_image_desc *desc, size_t out[3])
{
    const unsigned dims = sl_image_dims(desc->image_type);
    out[0] = desc->image_width;
    out[1] = dims < 2                                          ? 1
             : desc->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? desc->image_array_size
                                                               : desc->image_height;
    out[2] = dims < 3                                          ? 1
             : desc->image_type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? desc->image_array_size
                                                               : desc->image_depth;
}

cl_int sl_image_check_box(cl_mem mem, const size_t *origin, const size_t *region,
                          struct sl_image_box *out)
{
    if (!origin || !region)
        return sl_refuse(CL_INVALID_VALUE, "origin or region is NULL");
    size_t size[3];
    extent(&mem->desc, size);
    for (int i = 0; i < 3; i++) {
        if (!region[i])
            return sl_refuse(CL_INVALID_VALUE, "region[%d] is 0", i);
        if (origin[i] > size[i] || region[i] > size[i] - origin[i])
            return sl_refuse(CL_INVALID_VALUE,
                             "origin %zu + region %zu exceeds %zu in dimension %d", origin[i],
                             region[i], size[i], i);
        out->origin[i] = origin[i];
        out->region[i] = region[i];
    }
    return CL_SUCCESS;
}

cl_int sl_image_host_pitches(cl_mem mem, const size_t region[3], size_t row_pitch,
                             size_t slice_pitch, size_t pitch[2], size_t *span)
{
    const bool layers_are_rows = mem->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    if (slice_pitch && sl_image_dims(mem->type) < 3 && !layers_are_rows)
        return sl_refuse(CL_INVALID_VALUE, "a slice pitch for an image without slices");
    const size_t boxes[2][3] = {{region[0], region[1], region[2]}, {region[0], 1, region[1]}};
    if (!sl_pitches_set(pitch, boxes[layers_are_rows], mem->image.elem_bytes, row_pitch,
                        slice_pitch, span))
        return sl_refuse(CL_INVALID_VALUE, "pitches %zu and %zu for %zu x %zu x %zu elements of %u",
                         row_pitch, slice_pitch, region[0], region[1], region[2],
                         mem->image.elem_bytes);
    if (layers_are_rows)
        pitch[0] = pitch[1];
    return CL_SUCCESS;
}

/* ---- checks at creation ---------------------------------------------------------------------- */

/* True if the sizes suit one device that knows images. */
static bool fits(const cl_image_desc *d, const struct sl_device_caps *caps)
{
    switch (d->image_type) {
    case CL_MEM_OBJECT_IMAGE1D:
        return d->image_width <= caps->image2d_max[0];
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
        return d->image_width <= caps->image_max_buffer;
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
        return d->image_width <= caps->image2d_max[0] &&
               d->image_array_size <= caps->image_max_array;
    case CL_MEM_OBJECT_IMAGE3D:
        return d->image_width <= caps->image3d_max[0] && d->image_height <= caps->image3d_max[1] &&
               d->image_depth <= caps->image3d_max[2];
    default:
        return d->image_width <= caps->image2d_max[0] && d->image_height <= caps->image2d_max[1] &&
               (d->image_type == CL_MEM_OBJECT_IMAGE2D ||
                d->image_array_size <= caps->image_max_array);
    }
}

static cl_int check_sizes(cl_context context, const cl_image_desc *desc)
{
    size_t size[3];
    extent(desc, size);
    if (!size[0] || !size[1] || !size[2])
        return sl_refuse(CL_INVALID_IMAGE_DESCRIPTOR, "a dimension of the image is 0");
    for (cl_uint i = 0; i < context->device_count; i++)
        if (sl_device_feature(context->devices[i], SL_FEATURE_IMAGES) &&
            fits(desc, sl_caps(context->devices[i])))
            return CL_SUCCESS;
    return sl_refuse(CL_INVALID_IMAGE_SIZE,
                     "no device of the context takes an image of %zu x %zu x %zu", size[0], size[1],
                     size[2]);
}

static cl_int check_parent(cl_context context, const cl_image_desc *desc)
{
    cl_mem parent = desc->mem_object;
    const bool line = desc->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
    if (!parent)
        return line ? sl_refuse(CL_INVALID_IMAGE_DESCRIPTOR, "a 1D image buffer needs a buffer")
                    : CL_SUCCESS;
    if (!sl_valid(parent, &sl_mem_type) || parent->context != context ||
        (parent->type != CL_MEM_OBJECT_BUFFER && !sl_is_image_view(desc)))
        return sl_refuse(CL_INVALID_IMAGE_DESCRIPTOR,
                         "mem_object is no buffer of this context, nor an image below a 2D one");
    if (!line && desc->image_type != CL_MEM_OBJECT_IMAGE2D)
        return sl_refuse(CL_INVALID_IMAGE_DESCRIPTOR, "this image type takes no buffer");
    return CL_SUCCESS;
}

/* cl_khr_image2d_from_buffer: where rows may start, by the strictest device of the context. */
static cl_int check_plane_in_buffer(cl_context context, const cl_image_desc *desc, size_t elem)
{
    size_t pitch = elem, base = elem;
    for (cl_uint i = 0; i < context->device_count; i++) {
        const struct sl_device_caps *caps = sl_caps(context->devices[i]);
        if (!(caps->features & SL_FEATURE_IMAGES))
            continue;
        if (!caps->image_pitch_align)
            return sl_refuse(CL_INVALID_OPERATION, "no 2D images in buffers on this device");
        if (pitch < elem * caps->image_pitch_align)
            pitch = elem * caps->image_pitch_align;
        if (base < elem * caps->image_base_align)
            base = elem * caps->image_base_align;
    }
    if (desc->image_row_pitch % pitch || (uintptr_t)desc->mem_object->host_ptr % base)
        return sl_refuse(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                         "rows %zu apart from %p on; multiples of %zu and %zu are needed",
                         desc->image_row_pitch, desc->mem_object->host_ptr, pitch, base);
    return CL_SUCCESS;
}

/* Tight ones where none are given; no slice pitch where there are no slices. */
static void set_pitches(cl_image_desc *desc, size_t elem)
{
    const bool layers_are_rows = desc->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    size_t size[3];
    extent(desc, size);
    if (!desc->image_row_pitch)
        desc->image_row_pitch = size[0] * elem;
    if (sl_image_dims(desc->image_type) < 3 && !layers_are_rows)
        desc->image_slice_pitch = 0;
    else if (!desc->image_slice_pitch)
        desc->image_slice_pitch = desc->image_row_pitch * (layers_are_rows ? 1 : size[1]);
}

/* Checks the pitches of memory that is there already, and completes them. */
static cl_int check_pitches(cl_image_desc *desc, size_t elem, bool given)
{
    /* In a buffer there are no slices; the pitch of an only row says nothing, but is accepted. */
    const bool in_buffer = desc->mem_object && (desc->image_type == CL_MEM_OBJECT_IMAGE2D ||
                                                desc->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER);
    if (!given && (desc->image_slice_pitch || (desc->image_row_pitch && !in_buffer)))
        return sl_refuse(CL_INVALID_IMAGE_DESCRIPTOR, "pitches need memory that they describe");
    cl_image_desc tight = *desc;
    tight.image_slice_pitch = 0;
    set_pitches(&tight, elem);
    const size_t row = desc->image_width * elem;
    if (tight.image_row_pitch < row || tight.image_row_pitch % elem)
        return sl_refuse(CL_INVALID_IMAGE_DESCRIPTOR, "row pitch %zu with rows of %zu bytes",
                         desc->image_row_pitch, row);
    set_pitches(desc, elem);
    size_t size[3], span;
    extent(desc, size);
    if (desc->image_slice_pitch < tight.image_slice_pitch ||
        desc->image_slice_pitch % desc->image_row_pitch)
        return sl_refuse(CL_INVALID_IMAGE_DESCRIPTOR, "slice pitch %zu with slices of %zu bytes",
                         desc->image_slice_pitch, tight.image_slice_pitch);
    if (!sl_mul_fits(desc->image_row_pitch, size[1], &span) ||
        !sl_mul_fits(desc->image_slice_pitch, size[1] > size[2] ? size[1] : size[2], &span))
        return sl_refuse(CL_INVALID_IMAGE_DESCRIPTOR, "pitches %zu and %zu overflow",
                         desc->image_row_pitch, desc->image_slice_pitch);
    return CL_SUCCESS;
}

static cl_int check_format(const cl_image_format *format)
{
    if (!format || !sl_format_valid(format))
        return sl_refuse(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "no such image format");
    if (!sl_format_bytes(format))
        return sl_refuse(CL_IMAGE_FORMAT_NOT_SUPPORTED, "order %#x with type %#x",
                         format->image_channel_order, format->image_channel_data_type);
    return CL_SUCCESS;
}

static cl_int check_desc(const cl_image_desc *desc)
{
    if (!desc || !sl_image_dims(desc->image_type))
        return sl_refuse(CL_INVALID_IMAGE_DESCRIPTOR, "no image description or unknown image type");
    if (desc->num_mip_levels || desc->num_samples)
        return sl_refuse(CL_INVALID_IMAGE_DESCRIPTOR, "mip levels and samples are not supported");
    return CL_SUCCESS;
}

/* ---- making ---------------------------------------------------------------------------------- */

static size_t storage_bytes(const cl_image_desc *desc)
{
    size_t size[3];
    extent(desc, size);
    const bool layers_are_rows = desc->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    if (layers_are_rows)
        return desc->image_slice_pitch * size[1];
    return desc->image_slice_pitch ? desc->image_slice_pitch * size[2]
                                   : desc->image_row_pitch * size[1];
}

/* Dimensions that the type lacks read as 1 for kernels and as 0 for queries. */
static void describe(cl_mem mem, const cl_image_format *format, const cl_image_desc *desc)
{
    const cl_mem_object_type type = desc->image_type;
    const bool volume = type == CL_MEM_OBJECT_IMAGE3D;
    const bool array = type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    const bool rows =
        volume || type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    mem->type = type;
    mem->format = *format;
    mem->desc = *desc;
    if (!rows)
        mem->desc.image_height = 0;
    if (!volume)
        mem->desc.image_depth = 0;
    if (!array)
        mem->desc.image_array_size = 0;
    mem->image = (struct sl_image){
        .data = mem->host,
        .width = (uint32_t)desc->image_width,
        .height = rows ? (uint32_t)desc->image_height : 1,
        .depth = volume ? (uint32_t)desc->image_depth : 1,
        .array_size = array ? (uint32_t)desc->image_array_size : 1,
        .row_pitch = desc->image_row_pitch,
        .slice_pitch = desc->image_slice_pitch,
        .channel_order = format->image_channel_order,
        .channel_type = format->image_channel_data_type,
        .elem_bytes = (uint32_t)sl_format_bytes(format),
        .dims = sl_image_dims(type),
    };
}

static void copy_rows(unsigned char *dst, const size_t dst_pitch[2], const unsigned char *src,
                      const size_t src_pitch[2], const size_t region[3], size_t row_bytes)
{
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            memcpy(dst + z * dst_pitch[1] + y * dst_pitch[0],
                   src + z * src_pitch[1] + y * src_pitch[0], row_bytes);
}

/* The bytes that elements lie in: the last row may end before its pitch does. */
static size_t used_bytes(const cl_image_desc *desc, size_t elem)
{
    return storage_bytes(desc) - (desc->image_row_pitch - desc->image_width * elem);
}

/* An image over a buffer or another image shares its bytes. */
static cl_int create_over_buffer(cl_mem_flags flags, const cl_image_desc *desc, size_t elem,
                                 cl_mem *out)
{
    cl_mem parent = desc->mem_object;
    const size_t bytes = used_bytes(desc, elem);
    if (bytes > parent->size)
        return sl_refuse(CL_INVALID_IMAGE_DESCRIPTOR,
                         "the image needs %zu bytes, its buffer has %zu", bytes, parent->size);
    cl_int rc = CL_SUCCESS;
    if (parent->type == CL_MEM_OBJECT_BUFFER && desc->image_type == CL_MEM_OBJECT_IMAGE2D)
        rc = check_plane_in_buffer(parent->context, desc, elem);
    return rc ? rc : sl_mem_view(parent, flags, 0, bytes, out);
}

static cl_int check_allocation(cl_context context, size_t bytes)
{
    for (cl_uint i = 0; i < context->device_count; i++)
        if (bytes <= sl_caps(context->devices[i])->max_alloc_bytes)
            return CL_SUCCESS;
    return sl_refuse(CL_MEM_OBJECT_ALLOCATION_FAILURE, "an image of %zu bytes", bytes);
}

/* From the application's rows into our own, which are tight. */
static void copy_in(cl_mem mem, const cl_image_desc *from, const cl_image_desc *to, size_t elem,
                    const void *host_ptr)
{
    const bool layers = from->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const size_t src[2] = {layers ? from->image_slice_pitch : from->image_row_pitch,
                           from->image_slice_pitch};
    const size_t dst[2] = {layers ? to->image_slice_pitch : to->image_row_pitch,
                           to->image_slice_pitch};
    size_t size[3];
    extent(from, size);
    copy_rows(mem->host, dst, host_ptr, src, size, size[0] * elem);
}

/* Storage of our own is tight, whatever the pitches of the memory to copy from. */
static cl_int create_with_storage(cl_context context, cl_mem_flags flags, cl_image_desc *desc,
                                  size_t elem, void *host_ptr, cl_mem *out)
{
    const cl_image_desc given = *desc;
    if (!(flags & CL_MEM_USE_HOST_PTR)) {
        desc->image_row_pitch = desc->image_slice_pitch = 0;
        set_pitches(desc, elem);
    }
    cl_int rc = check_allocation(context, storage_bytes(desc));
    if (rc)
        return rc;
    if (flags & CL_MEM_USE_HOST_PTR)
        return sl_buffer_create(context, flags, storage_bytes(desc), host_ptr, out);
    cl_mem mem;
    const cl_mem_flags copy = flags & CL_MEM_COPY_HOST_PTR;
    rc = sl_buffer_create(context, flags & ~(cl_mem_flags)CL_MEM_COPY_HOST_PTR, storage_bytes(desc),
                          NULL, &mem);
    if (rc)
        return rc;
    if (copy && !mem->host) {
        sl_discard(mem);
        return sl_refuse(CL_MEM_OBJECT_ALLOCATION_FAILURE, "the memory cannot be filled here");
    }
    mem->flags = flags ? flags : CL_MEM_READ_WRITE;
    if (copy)
        copy_in(mem, &given, desc, elem, host_ptr);
    *out = mem;
    return CL_SUCCESS;
}

/* In the memory behind a handle, which is linear. */
static cl_int create_external(cl_context context, const cl_mem_properties *properties,
                              cl_mem_flags flags, const cl_image_desc *desc, size_t elem,
                              cl_mem *out)
{
    cl_int rc = check_allocation(context, storage_bytes(desc));
    return rc ? rc
              : sl_external_import(context, properties, flags, used_bytes(desc, elem),
                                   CL_INVALID_IMAGE_SIZE, out);
}

/* In the order of the specification; `desc` becomes complete, with pitches. */
static cl_int check_arguments(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                              cl_image_desc *desc, const cl_image_desc *given, const void *host_ptr,
                              bool external)
{
    const cl_int flags_rc = sl_check_mem_flags(context, flags, host_ptr);
    if (flags_rc == CL_INVALID_VALUE)
        return flags_rc;
    const cl_int format_rc = check_format(format);
    if (format_rc == CL_INVALID_IMAGE_FORMAT_DESCRIPTOR)
        return format_rc;
    cl_int rc;
    if ((rc = check_desc(given)) || (rc = check_parent(context, given)) ||
        (rc = check_sizes(context, given)))
        return rc;
    if (external && given->mem_object)
        return sl_refuse(CL_INVALID_IMAGE_DESCRIPTOR, "a handle and an object to be made from");
    *desc = *given;
    if (!format_rc && sl_is_image_view(given)) {
        if ((rc = sl_image_check_view(format, given)))
            return rc;
        desc->image_row_pitch = given->mem_object->desc.image_row_pitch;
    }
    if (!format_rc && !sl_format_suits(format, given->image_type))
        rc = sl_refuse(CL_IMAGE_FORMAT_NOT_SUPPORTED, "order %#x in this type of image",
                       format->image_channel_order);
    else if (!format_rc && !flags_rc)
        rc = check_pitches(desc, sl_format_bytes(format), host_ptr || external);
    return rc ? rc : flags_rc ? flags_rc : format_rc;
}

static cl_int check_immutable_parent(cl_mem_flags flags, cl_mem parent)
{
    if ((parent->flags & CL_MEM_IMMUTABLE_EXT) && !(flags & CL_MEM_IMMUTABLE_EXT))
        return sl_refuse(CL_INVALID_VALUE, "an image of an immutable object that is not so");
    return CL_SUCCESS;
}

/* Of checked arguments. */
static cl_int make(cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
                   const cl_image_format *format, cl_image_desc *desc, void *host_ptr, cl_mem *out)
{
    const size_t elem = sl_format_bytes(format);
    cl_mem mem;
    cl_int rc;
    if (desc->mem_object)
        rc = create_over_buffer(flags, desc, elem, &mem);
    else if (sl_external_named(properties))
        rc = create_external(context, properties, flags, desc, elem, &mem);
    else
        rc = create_with_storage(context, flags, desc, elem, host_ptr, &mem);
    if (rc)
        return rc;
    describe(mem, format, desc);
    rc = sl_mem_properties_keep(mem, properties);
    if (rc) {
        sl_discard(mem);
        return rc;
    }
    sl_external_take(properties);
    *out = mem;
    return CL_SUCCESS;
}

static cl_int create(cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
                     const cl_image_format *format, const cl_image_desc *given, void *host_ptr,
                     cl_mem *out)
{
    if (!sl_valid(context, &sl_context_type))
        return sl_refuse(CL_INVALID_CONTEXT, "not a context");
    if (!sl_context_feature(context, SL_FEATURE_IMAGES))
        return sl_refuse(CL_INVALID_OPERATION, "no device of the context supports images");
    cl_image_desc desc = {0};
    cl_int rc = sl_mem_properties_check(context, SL_MEM_IMAGE, properties, CL_INVALID_PROPERTY);
    if (!rc)
        rc = sl_external_check(context, properties, flags);
    const bool external = !rc && sl_external_named(properties);
    if (!rc)
        rc = check_arguments(context, flags, format, &desc, given, host_ptr, external);
    if (rc)
        return rc;
    if (desc.mem_object)
        rc = check_immutable_parent(flags, desc.mem_object);
    else if (!external)
        rc = sl_check_contents(flags);
    if (!rc)
        rc = sl_check_host_size(host_ptr, storage_bytes(&desc));
    return rc ? rc : make(context, properties, flags, format, &desc, host_ptr, out);
}

CL_API_ENTRY cl_mem CL_API_CALL sl_clCreateImageWithProperties(cl_context context,
                                                               const cl_mem_properties *properties,
                                                               cl_mem_flags flags,
                                                               const cl_image_format *image_format,
                                                               const cl_image_desc *image_desc,
                                                               void *host_ptr, cl_int *errcode_ret)
{
    cl_mem mem = NULL;
    const cl_int rc = create(context, properties, flags, image_format, image_desc, host_ptr, &mem);
    if (errcode_ret)
        *errcode_ret = rc;
    return mem;
}

CL_API_ENTRY cl_mem CL_API_CALL sl_clCreateImage(cl_context context, cl_mem_flags flags,
                                                 const cl_image_format *image_format,
                                                 const cl_image_desc *image_desc, void *host_ptr,
                                                 cl_int *errcode_ret)
{
    return sl_clCreateImageWithProperties(context, NULL, flags, image_format, image_desc, host_ptr,
                                          errcode_ret);
}

CL_API_ENTRY cl_mem CL_API_CALL sl_clCreateImage2D(cl_context context, cl_mem_flags flags,
                                                   const cl_image_format *image_format,
                                                   size_t image_width, size_t image_height,
                                                   size_t image_row_pitch, void *host_ptr,
                                                   cl_int *errcode_ret)
{
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                .image_width = image_width,
                                .image_height = image_height,
                                .image_row_pitch = image_row_pitch};
    cl_mem mem = sl_clCreateImageWithProperties(context, NULL, flags, image_format, &desc, host_ptr,
                                                errcode_ret);
    /* 1.1 knows no descriptor: a bad size has its own code. */
    if (errcode_ret && *errcode_ret == CL_INVALID_IMAGE_DESCRIPTOR)
        *errcode_ret = CL_INVALID_IMAGE_SIZE;
    return mem;
}

CL_API_ENTRY cl_mem CL_API_CALL sl_clCreateImage3D(cl_context context, cl_mem_flags flags,
                                                   const cl_image_format *image_format,
                                                   size_t image_width, size_t image_height,
                                                   size_t image_depth, size_t image_row_pitch,
                                                   size_t image_slice_pitch, void *host_ptr,
                                                   cl_int *errcode_ret)
{
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                                .image_width = image_width,
                                .image_height = image_height,
                                /* 1.1 asks for more than one slice */
                                .image_depth = image_depth > 1 ? image_depth : 0,
                                .image_row_pitch = image_row_pitch,
                                .image_slice_pitch = image_slice_pitch};
    cl_mem mem = sl_clCreateImageWithProperties(context, NULL, flags, image_format, &desc, host_ptr,
                                                errcode_ret);
    if (errcode_ret && *errcode_ret == CL_INVALID_IMAGE_DESCRIPTOR)
        *errcode_ret = CL_INVALID_IMAGE_SIZE;
    return mem;
}

/* ---- queries --------------------------------------------------------------------------------- */

static void element_size(const void *object, struct sl_answer *a)
{
    SL_ANSWER(a, size_t, ((cl_mem)object)->image.elem_bytes);
}

static void parent_buffer(const void *object, struct sl_answer *a)
{
    cl_mem parent = ((cl_mem)object)->parent;
    SL_ANSWER(a, cl_mem, parent && parent->type == CL_MEM_OBJECT_BUFFER ? parent : NULL);
}

static const struct sl_info_row image_rows[] = {
    SL_VALUE(CL_IMAGE_FORMAT, struct _cl_mem, format),
    SL_CALL(CL_IMAGE_ELEMENT_SIZE, element_size),
    SL_VALUE(CL_IMAGE_ROW_PITCH, struct _cl_mem, desc.image_row_pitch),
    SL_VALUE(CL_IMAGE_SLICE_PITCH, struct _cl_mem, desc.image_slice_pitch),
    SL_VALUE(CL_IMAGE_WIDTH, struct _cl_mem, desc.image_width),
    SL_VALUE(CL_IMAGE_HEIGHT, struct _cl_mem, desc.image_height),
    SL_VALUE(CL_IMAGE_DEPTH, struct _cl_mem, desc.image_depth),
    SL_VALUE(CL_IMAGE_ARRAY_SIZE, struct _cl_mem, desc.image_array_size),
    SL_CALL(CL_IMAGE_BUFFER, parent_buffer),
    SL_VALUE(CL_IMAGE_NUM_MIP_LEVELS, struct _cl_mem, desc.num_mip_levels),
    SL_VALUE(CL_IMAGE_NUM_SAMPLES, struct _cl_mem, desc.num_samples),
};

CL_API_ENTRY cl_int CL_API_CALL sl_clGetImageInfo(cl_mem image, cl_image_info param_name,
                                                  size_t param_value_size, void *param_value,
                                                  size_t *param_value_size_ret)
{
    if (!sl_valid(image, &sl_mem_type) || !sl_is_image(image))
        return sl_refuse(CL_INVALID_MEM_OBJECT, "not an image");
    return sl_info(image_rows, SL_LEN(image_rows), image, param_name, param_value_size, param_value,
                   param_value_size_ret);
}

CL_API_ENTRY cl_int CL_API_CALL sl_clGetSupportedImageFormats(
    cl_context context, cl_mem_flags flags, cl_mem_object_type image_type, cl_uint num_entries,
    cl_image_format *image_formats, cl_uint *num_image_formats)
{
    if (!sl_valid(context, &sl_context_type))
        return sl_refuse(CL_INVALID_CONTEXT, "not a context");
    const cl_int rc =
        sl_check_mem_flags(context,
                           flags & ~(cl_mem_flags)(CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR |
                                                   CL_MEM_KERNEL_READ_AND_WRITE),
                           NULL);
    if (rc)
        return rc;
    if (!sl_image_dims(image_type))
        return sl_refuse(CL_INVALID_VALUE, "unknown image type %#x", image_type);
    if (!num_entries && image_formats)
        return sl_refuse(CL_INVALID_VALUE, "num_entries is 0 but image_formats is not NULL");
    const cl_uint count = sl_context_feature(context, SL_FEATURE_IMAGES)
                              ? sl_format_list(image_type, flags, num_entries, image_formats)
                              : 0;
    if (num_image_formats)
        *num_image_formats = count;
    return CL_SUCCESS;
}
