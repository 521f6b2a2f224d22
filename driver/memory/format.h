/* SPDX-License-Identifier: Apache-2.0 */
/* Image formats: what each order and type means, and the list that is supported. Spec 5.3.1. */
#ifndef SL_DRIVER_MEMORY_FORMAT_H
#define SL_DRIVER_MEMORY_FORMAT_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

/* False for a pair that the specification does not allow (CL_INVALID_IMAGE_FORMAT_DESCRIPTOR). */
bool sl_format_valid(const cl_image_format *);
/* Bytes of one image element; 0 for a format that is not supported. */
size_t sl_format_bytes(const cl_image_format *);
/* Whether images of that type can have the (supported) format. */
bool sl_format_suits(const cl_image_format *, cl_mem_object_type);
/* The supported formats of images of a type, in a fixed order: stores up to `cap` (out may be
 * NULL), returns how many. */
cl_uint sl_format_list(cl_mem_object_type, cl_mem_flags, cl_uint cap, cl_image_format *out);
/*
 * One element of that format from a fill colour (float4, int4 or uint4, as the format has it; one
 * float for depth).
 * `out` has room for 16 bytes. Normalised values are rounded to nearest even, as kernels write
 * them.
 */
void sl_format_pack(const cl_image_format *, const void *color, unsigned char *out);

#endif
