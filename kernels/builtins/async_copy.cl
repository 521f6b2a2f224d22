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
