/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images: a cl_mem with a format and a description. Spec 5.3.
 *
 * Storage is linear: rows of row_pitch bytes, slices of slice_pitch bytes. In a 1D array each layer
 * is one row, slice_pitch apart. All commands see an image as (x, row, slice) with two pitches.
 */
#ifndef SL_DRIVER_MEMORY_IMAGE_H
#define SL_DRIVER_MEMORY_IMAGE_H

#include "memory/buffer.h"

/* A box of an image in commands: origin and region in elements, rows and slices. */
struct sl_image_box {
    size_t origin[3], region[3];
};

bool sl_is_image(cl_mem); /* any of the image types */
unsigned
    sl_image_dims(cl_mem_object_type); /* coordinates that address an element, layers included */
/* Distance of rows and of slices in the image's storage, in bytes. */
void sl_image_pitches(cl_mem, size_t pitch[2]);
/* Byte offset of an element from the image's first byte. */
size_t sl_image_offset(cl_mem, const size_t origin[3]);
/* NULL origin or region, parts outside the image, non-zero origin or region != 1 in a dimension
 * that the image lacks: CL_INVALID_VALUE. */
cl_int sl_image_check_box(cl_mem, const size_t *origin, const size_t *region,
                          struct sl_image_box *out);
/*
 * Pitches of host memory for a region: zeros become tight ones; too small ones, or a slice pitch
 * that is no multiple of the row pitch where rows exist, are CL_INVALID_VALUE. `*span`: how many
 * bytes lie between the region's ends.
 */
cl_int sl_image_host_pitches(cl_mem, const size_t region[3], size_t row_pitch, size_t slice_pitch,
                             size_t pitch[2], size_t *span);
/* image_view.c: whether it describes a 2D image over another (mem_object is valid); and if such a
 * view of the image below is allowed: CL_INVALID_IMAGE_FORMAT_DESCRIPTOR. */
bool sl_is_image_view(const cl_image_desc *);
cl_int sl_image_check_view(const cl_image_format *, const cl_image_desc *);

#endif
