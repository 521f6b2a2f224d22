/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All arithmetic of offsets, origins, regions and pitches, with its overflow checks: what passed
 * here may be added and multiplied freely. Everything is in bytes unless it says elements. Pure
 * functions, any thread. Spec 5.2.2 (buffers), 5.3 (images), appendix "CL_MEM_COPY_OVERLAP".
 */
#ifndef SL_DRIVER_BASE_RECT_H
#define SL_DRIVER_BASE_RECT_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sl_copy;

static inline bool sl_add_fits(size_t a, size_t b, size_t *sum)
{
    return !__builtin_add_overflow(a, b, sum);
}

static inline bool sl_mul_fits(size_t a, size_t b, size_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}

/* offset + size lies within limit. */
static inline bool sl_range_inside(size_t offset, size_t size, size_t limit)
{
    return offset <= limit && size <= limit - offset;
}

/* So many bytes may begin there: no object is larger than half of all addresses, and none wraps. */
static inline bool sl_addresses_fit(const void *at, size_t bytes)
{
    return bytes <= PTRDIFF_MAX && sl_range_inside((uintptr_t)at, bytes, UINTPTR_MAX);
}

static inline bool sl_ranges_overlap(size_t a, size_t b, size_t size)
{
    return a < b ? b - a < size : a - b < size;
}

/* Memory of the application that a command reads or writes. CL_INVALID_VALUE. */
cl_int sl_check_host_range(const void *at, size_t bytes);

/* A box of bytes in linear memory. */
struct sl_rect {
    size_t region[3]; /* bytes, rows, slices; none is 0 */
    size_t pitch[2];  /* row, slice; never 0 */
    size_t start;     /* offset of the first byte */
    size_t end;       /* offset behind the last byte */
};

/*
 * The rules of the *BufferRect commands: region without zeros, pitches 0 (tight) or large enough,
 * slice pitch a multiple of the row pitch, nothing overflows. CL_INVALID_VALUE.
 */
cl_int sl_rect_set(struct sl_rect *, const size_t origin[3], const size_t region[3],
                   size_t row_pitch, size_t slice_pitch);

/* Do the two, in the same memory, share a byte? With equal pitches the spec's own algorithm. */
bool sl_rects_overlap(const struct sl_rect *a, const struct sl_rect *b);

/* region and pitches of a copy between two rects of the same region (places are the caller's). */
void sl_rect_copy(struct sl_copy *, const struct sl_rect *dst, const struct sl_rect *src);

/* ---- images ---------------------------------------------------------------------------------- */

/* origin and region, in elements, lie inside extent and no region is 0. */
bool sl_region_inside(const size_t origin[3], const size_t region[3], const size_t extent[3]);

/*
 * Pitches of the host side of an image transfer: `region` in elements, 0 means tight. False when
 * a pitch is smaller than what it spans or something overflows. On success pitch[] is filled in and
 * *span is the distance from the first byte to behind the last.
 */
bool sl_pitches_set(size_t pitch[2], const size_t region[3], size_t element_bytes, size_t row_pitch,
                    size_t slice_pitch, size_t *span);

/* origin[2] * slice + origin[1] * row + origin[0] * element_bytes; checked regions only. */
size_t sl_origin_bytes(const size_t origin[3], size_t element_bytes, const size_t pitch[2]);

/* Do two boxes of the same region, in elements of one image, share an element? */
bool sl_boxes_overlap(const size_t a[3], const size_t b[3], const size_t region[3]);

#endif
