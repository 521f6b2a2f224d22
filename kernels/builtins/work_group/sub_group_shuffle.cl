/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One item's value for others of its sub-group: shuffles, rotations (cl_khr_subgroup_shuffle,
 * _shuffle_relative, _rotate) and broadcasts of all types.
 */
#include "work_group/sub_group.h"

#define SL_SHUFFLES(T, LEAST, MOST)                                                                \
    SL_SHARED(T);                                                                                  \
    SL_OVERLOAD T sub_group_shuffle(T x, uint index)                                               \
    {                                                                                              \
        SL_EXCHANGE(T, x, SL_STOP, index)                                                          \
    }                                                                                              \
    SL_OVERLOAD T sub_group_shuffle_xor(T x, uint mask)                                            \
    {                                                                                              \
        SL_EXCHANGE(T, x, SL_STOP, SL_ME ^ mask)                                                   \
    }                                                                                              \
    SL_OVERLOAD T sub_group_shuffle_up(T x, uint delta)                                            \
    {                                                                                              \
        SL_EXCHANGE(T, x, SL_STOP, SL_ME - delta)                                                  \
    }                                                                                              \
    SL_OVERLOAD T sub_group_shuffle_down(T x, uint delta)                                          \
    {                                                                                              \
        SL_EXCHANGE(T, x, SL_STOP, SL_ME + delta)                                                  \
    }                                                                                              \
    SL_OVERLOAD T sub_group_rotate(T x, int delta)                                                 \
    {                                                                                              \
        SL_EXCHANGE(T, x, SL_STOP, (SL_ME + delta) & (get_max_sub_group_size() - 1))               \
    }                                                                                              \
    SL_OVERLOAD T sub_group_clustered_rotate(T x, int delta, uint size)                            \
    {                                                                                              \
        SL_EXCHANGE(T, x, SL_STOP, (SL_ME & ~(size - 1)) | ((SL_ME + delta) & (size - 1)))         \
    }
SL_EACH_NUMBER(SL_SHUFFLES)

#define SL_BROADCASTS(T)                                                                           \
    SL_OVERLOAD T sub_group_broadcast(T x, uint index)                                             \
    {                                                                                              \
        SL_EXCHANGE(T, x, SL_MEET, index)                                                          \
    }                                                                                              \
    SL_OVERLOAD T sub_group_non_uniform_broadcast(T x, uint index)                                 \
    {                                                                                              \
        SL_EXCHANGE(T, x, SL_STOP, index)                                                          \
    }
#define SL_SCALAR_BROADCAST(T, LEAST, MOST) SL_BROADCASTS(T)
SL_EACH_NUMBER(SL_SCALAR_BROADCAST)

#define SL_VECTOR_BROADCAST(T, N)                                                                  \
    SL_SHARED(T##N);                                                                               \
    SL_BROADCASTS(T##N)
#define SL_VECTOR_BROADCASTS(T, LEAST, MOST)                                                       \
    SL_VECTOR_BROADCAST(T, 2)                                                                      \
    SL_VECTOR_BROADCAST(T, 3)                                                                      \
    SL_VECTOR_BROADCAST(T, 4)                                                                      \
    SL_VECTOR_BROADCAST(T, 8)                                                                      \
    SL_VECTOR_BROADCAST(T, 16)
SL_EACH_NUMBER(SL_VECTOR_BROADCASTS)
