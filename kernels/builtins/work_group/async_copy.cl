/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asynchronous copies, done by the work-items themselves: each takes every n-th element, n the size
 * of the group, and waiting for the event is a barrier. prefetch has nothing to do on this machine.
 */
#include "table.h"

static size_t sl_first(void)
{
    return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) +
           get_local_id(0);
}

static size_t sl_step(void)
{
    return get_local_size(0) * get_local_size(1) * get_local_size(2);
}

#define SL_COPY(T, N, ...)                                                                         \
    SL_OVERLOAD event_t async_work_group_copy(local T##N *to, const global T##N *from, size_t n,   \
                                              event_t event)                                       \
    {                                                                                              \
        for (size_t i = sl_first(), step = sl_step(); i < n; i += step)                            \
            to[i] = from[i];                                                                       \
        return event;                                                                              \
    }                                                                                              \
    SL_OVERLOAD event_t async_work_group_copy(global T##N *to, const local T##N *from, size_t n,   \
                                              event_t event)                                       \
    {                                                                                              \
        for (size_t i = sl_first(), step = sl_step(); i < n; i += step)                            \
            to[i] = from[i];                                                                       \
        return event;                                                                              \
    }                                                                                              \
    SL_OVERLOAD event_t async_work_group_strided_copy(local T##N *to, const global T##N *from,     \
                                                      size_t n, size_t stride, event_t event)      \
    {                                                                                              \
        for (size_t i = sl_first(), step = sl_step(); i < n; i += step)                            \
            to[i] = from[i * stride];                                                              \
        return event;                                                                              \
    }                                                                                              \
    SL_OVERLOAD event_t async_work_group_strided_copy(global T##N *to, const local T##N *from,     \
                                                      size_t n, size_t stride, event_t event)      \
    {                                                                                              \
        for (size_t i = sl_first(), step = sl_step(); i < n; i += step)                            \
            to[i * stride] = from[i];                                                              \
        return event;                                                                              \
    }                                                                                              \
    SL_OVERLOAD void prefetch(const global T##N *from, size_t n)                                   \
    {                                                                                              \
    }

SL_EACH_TYPE(SL_COPY)

SL_OVERLOAD void wait_group_events(int count, private event_t *events)
{
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

SL_OVERLOAD void wait_group_events(int count, generic event_t *events)
{
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

/* cl_khr_async_work_group_copy_fence: what any item has copied comes before what any copies now. */
SL_OVERLOAD void async_work_group_copy_fence(cl_mem_fence_flags flags)
{
    barrier(flags);
}

/* ---- cl_khr_extended_async_copies ------------------------------------------------------------ */

/* In elements, as they are given. */
struct sl_extent {
    size_t offset, line, plane;
};

/* Lines are bytes in one piece, which the items take in turn, whatever their elements are. */
#define SL_COPY_LINES(TO, FROM)                                                                    \
    SL_INLINE static void sl_copy_lines(TO uchar *to, struct sl_extent t, const FROM uchar *from,  \
                              struct sl_extent f, size_t bytes, size_t elements, size_t lines,     \
                              size_t planes)                                                       \
    {                                                                                              \
        const size_t first = sl_first(), step = sl_step();                                         \
        for (size_t p = 0; p < planes; p++)                                                        \
            for (size_t l = 0; l < lines; l++) {                                                   \
                TO uchar *out = to + (t.offset + p * t.plane + l * t.line) * bytes;                \
                const FROM uchar *in = from + (f.offset + p * f.plane + l * f.line) * bytes;       \
                for (size_t i = first; i < elements * bytes; i += step)                            \
                    out[i] = in[i];                                                                \
            }                                                                                      \
    }                                                                                              \
    SL_OVERLOAD event_t async_work_group_copy_2D2D(                                                \
        TO void *to, size_t to_offset, const FROM void *from, size_t from_offset, size_t bytes,    \
        size_t elements, size_t lines, size_t from_line, size_t to_line, event_t event)            \
    {                                                                                              \
        sl_copy_lines(to, (struct sl_extent){to_offset, to_line, 0}, from,                         \
                      (struct sl_extent){from_offset, from_line, 0}, bytes, elements, lines, 1);   \
        return event;                                                                              \
    }                                                                                              \
    SL_OVERLOAD event_t async_work_group_copy_3D3D(                                                \
        TO void *to, size_t to_offset, const FROM void *from, size_t from_offset, size_t bytes,    \
        size_t elements, size_t lines, size_t planes, size_t from_line, size_t from_plane,         \
        size_t to_line, size_t to_plane, event_t event)                                            \
    {                                                                                              \
        sl_copy_lines(to, (struct sl_extent){to_offset, to_line, to_plane}, from,                  \
                      (struct sl_extent){from_offset, from_line, from_plane}, bytes, elements,     \
                      lines, planes);                                                              \
        return event;                                                                              \
    }
SL_COPY_LINES(local, global)
SL_COPY_LINES(global, local)
