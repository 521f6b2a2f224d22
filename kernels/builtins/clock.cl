/* SPDX-License-Identifier: Apache-2.0 */
/* cl_khr_kernel_clock: the processor's counter, which is one for all units of a machine. */
#include "table.h"

#define SL_CLOCK(SCOPE)                                                                            \
    SL_OVERLOAD ulong clock_read_##SCOPE(void)                                                     \
    {                                                                                              \
        return __builtin_readcyclecounter();                                                       \
    }                                                                                              \
    SL_OVERLOAD uint2 clock_read_hilo_##SCOPE(void)                                                \
    {                                                                                              \
        return as_uint2((ulong)__builtin_readcyclecounter());                                      \
    }
SL_CLOCK(device)
SL_CLOCK(work_group)
SL_CLOCK(sub_group)
