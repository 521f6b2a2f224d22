/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reservations that a sub-group makes as one: its first item does, the others are told. These are
 * the names that clang calls for pipe arguments, and those for pipes of the program on the emulated
 * FPGA (dialect/operations.cpp). Pipes and reservations are pointers and integers
 * here, as they are to the passes, which make the calls for one item into code
 * (pipes/resolve.c).
 */
#include "work_group/sub_group.h"

#define SL_RESERVATION(PREFIX, PIPE, OP)                                                           \
    ulong PREFIX##reserve_##OP##_pipe(PIPE, uint count, uint bytes, uint align);                   \
    void PREFIX##commit_##OP##_pipe(PIPE, ulong id, uint bytes, uint align);                       \
    ulong PREFIX##sub_group_reserve_##OP##_pipe(PIPE, uint count, uint bytes, uint align)          \
    {                                                                                              \
        SL_MEET;                                                                                   \
        if (sl_is_first())                                                                         \
            SL_ROOM[0] = PREFIX##reserve_##OP##_pipe(ring, count, bytes, align);                   \
        SL_MEET;                                                                                   \
        return SL_ROOM[0];                                                                         \
    }                                                                                              \
    void PREFIX##sub_group_commit_##OP##_pipe(PIPE, ulong id, uint bytes, uint align)              \
    {                                                                                              \
        SL_MEET;                                                                                   \
        if (sl_is_first())                                                                         \
            PREFIX##commit_##OP##_pipe(ring, id, bytes, align);                                    \
    }
#define SL_ARGUMENT private void *ring
#define SL_VARIABLE const constant void *ring

SL_RESERVATION(__, SL_ARGUMENT, read)
SL_RESERVATION(__, SL_ARGUMENT, write)
SL_RESERVATION(__sl_, SL_VARIABLE, read)
SL_RESERVATION(__sl_, SL_VARIABLE, write)
