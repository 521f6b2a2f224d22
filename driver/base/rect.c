/* SPDX-License-Identifier: Apache-2.0 */
/* See rect.h. Pure functions, no lock. */
#include "base/rect.h"

#include "base/log/error.h"
#include "sluice/device.h"

cl_int sl_check_host_range(const void *at, size_t bytes)
{
    if (!at)
        return sl_refuse(CL_INVALID_VALUE, "ptr is NULL");
    if (!sl_addresses_fit(at, bytes))
        return sl_refuse(CL_INVALID_VALUE, "%zu bytes at %p end beyond all memory", bytes, at);
    return CL_SUCCESS;
}

static cl_int choose_pitches(struct sl_rect *r, size_t row_pitch, size_t slice_pitch)
{
    if (!r->region[0] || !r->region[1] || !r->region[2])
        return sl_refuse(CL_INVALID_VALUE, "the region is empty");
    if (row_pitch && row_pitch < r->region[0])
        return sl_refuse(CL_INVALID_VALUE, "row pitch %zu is below the width %zu", row_pitch,
                         r->region[0]);
    r->pitch[0] = row_pitch ? row_pitch : r->region[0];
    size_t tight;
    if (!sl_mul_fits(r->region[1], r->pitch[0], &tight))
        return sl_refuse(CL_INVALID_VALUE, "the region is too large");
    if (slice_pitch && (slice_pitch < tight || slice_pitch % r->pitch[0]))
        return sl_refuse(CL_INVALID_VALUE, "slice pitch %zu with a row pitch of %zu", slice_pitch,
                         r->pitch[0]);
    r->pitch[1] = slice_pitch ? slice_pitch : tight;
    return CL_SUCCESS;
}

/* x + y * pitch[0] + z * pitch[1] */
static bool offset_of(size_t x, size_t y, size_t z, const size_t pitch[2], size_t *offset)
{
    size_t rows, slices;
    return sl_mul_fits(y, pitch[0], &rows) && sl_mul_fits(z, pitch[1], &slices) &&
           sl_add_fits(x, rows, offset) && sl_add_fits(*offset, slices, offset);
}

cl_int sl_rect_set(struct sl_rect *r, const size_t origin[3], const size_t region[3],
                   size_t row_pitch, size_t slice_pitch)
{
    if (!origin || !region)
        return sl_refuse(CL_INVALID_VALUE, "no origin or no region");
    for (int i = 0; i < 3; i++)
        r->region[i] = region[i];
    cl_int rc = choose_pitches(r, row_pitch, slice_pitch);
    if (rc)
        return rc;
    size_t span;
    if (!offset_of(origin[0], origin[1], origin[2], r->pitch, &r->start) ||
        !offset_of(region[0], region[1] - 1, region[2] - 1, r->pitch, &span) ||
        !sl_add_fits(r->start, span, &r->end))
        return sl_refuse(CL_INVALID_VALUE, "the region ends beyond all memory");
    return CL_SUCCESS;
}

/* One of two intervals of that size, repeated every `period`, fits into the gaps of the other. */
static bool in_gap(size_t a, size_t b, size_t size, size_t period)
{
    size_t low = (a < b ? a : b) % period, high = (a < b ? b : a) % period;
    if (low > high) {
        size_t swap = low;
        low = high;
        high = swap;
    }
    return high >= low + size && high + size <= low + period;
}

static size_t row_at(const struct sl_rect *r, size_t index)
{
    return r->start + index / r->region[1] * r->pitch[1] + index % r->region[1] * r->pitch[0];
}

/* Rows of a rect ascend: walk both lists as in a merge. */
static bool rows_overlap(const struct sl_rect *a, const struct sl_rect *b)
{
    size_t a_count = a->region[1] * a->region[2], b_count = b->region[1] * b->region[2];
    for (size_t i = 0, k = 0; i < a_count && k < b_count;) {
        size_t x = row_at(a, i), y = row_at(b, k);
        if (x + a->region[0] <= y)
            i++;
        else if (y + b->region[0] <= x)
            k++;
        else
            return true;
    }
    return false;
}

bool sl_rects_overlap(const struct sl_rect *a, const struct sl_rect *b)
{
    if (a->end <= b->start || b->end <= a->start)
        return false;
    if (a->pitch[0] != b->pitch[0] || a->pitch[1] != b->pitch[1])
        return rows_overlap(a, b);
    size_t slice = (a->region[1] - 1) * a->pitch[0] + a->region[0];
    return !in_gap(a->start, b->start, a->region[0], a->pitch[0]) &&
           !in_gap(a->start, b->start, slice, a->pitch[1]);
}

void sl_rect_copy(struct sl_copy *copy, const struct sl_rect *dst, const struct sl_rect *src)
{
    for (int i = 0; i < 3; i++)
        copy->region[i] = dst->region[i];
    for (int i = 0; i < 2; i++) {
        copy->dst_pitch[i] = dst->pitch[i];
        copy->src_pitch[i] = src->pitch[i];
    }
}

bool sl_region_inside(const size_t origin[3], const size_t region[3], const size_t extent[3])
{
    for (int i = 0; i < 3; i++)
        if (!region[i] || !sl_range_inside(origin[i], region[i], extent[i]))
            return false;
    return true;
}

bool sl_pitches_set(size_t pitch[2], const size_t region[3], size_t element_bytes, size_t row_pitch,
                    size_t slice_pitch, size_t *span)
{
    size_t row, slice, chosen[2];
    if (!sl_mul_fits(region[0], element_bytes, &row) || (row_pitch && row_pitch < row))
        return false;
    chosen[0] = row_pitch ? row_pitch : row;
    if (!sl_mul_fits(region[1], chosen[0], &slice) || (slice_pitch && slice_pitch < slice))
        return false;
    chosen[1] = slice_pitch ? slice_pitch : slice;
    if (!offset_of(row, region[1] - 1, region[2] - 1, chosen, span))
        return false;
    pitch[0] = chosen[0];
    pitch[1] = chosen[1];
    return true;
}

size_t sl_origin_bytes(const size_t origin[3], size_t element_bytes, const size_t pitch[2])
{
    return origin[2] * pitch[1] + origin[1] * pitch[0] + origin[0] * element_bytes;
}

bool sl_boxes_overlap(const size_t a[3], const size_t b[3], const size_t region[3])
{
    for (int i = 0; i < 3; i++)
        if (!sl_ranges_overlap(a[i], b[i], region[i]))
            return false;
    return true;
}
