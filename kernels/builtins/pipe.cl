/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reservations that a sub-group makes as one: its first item does, the others are told. These are
 * the names that clang calls; pipes and reservations are pointers and integers here, as they are to
 * the passes, which make the calls for one item into code (passes/pipe_resolve.c).
 */
#include "sub_group.h"

#define SL_PIPE private void *ring

#define SL_RESERVATION(OP)                                                                         \
    ulong __reserve_##OP##_pipe(SL_PIPE, uint count, uint bytes, uint align);                      \
    void __commit_##OP##_pipe(SL_PIPE, ulong id, uint bytes, uint align);                          \
    ulong __sub_group_reserve_##OP##_pipe(SL_PIPE, uint count, uint bytes, uint align)             \
    {                                                                                              \
        SL_MEET;                                                                                   \
        if (sl_is_first())                                                                         \
            SL_ROOM[0] = __reserve_##OP##_pipe(ring, count, bytes, align);                         \
        SL_MEET;                                                                                   \
        return SL_ROOM[0];                                                                         \
    }                                                                                              \
    void __sub_group_commit_##OP##_pipe(SL_PIPE, ulong id, uint bytes, uint align)                 \
    {                                                                                              \
        SL_MEET;                                                                                   \
        if (sl_is_first())                                                                         \
            __commit_##OP##_pipe(ring, id, bytes, align);                                          \
    }

SL_RESERVATION(read)
SL_RESERVATION(write)
