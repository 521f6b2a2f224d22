/* SPDX-License-Identifier: Apache-2.0 */
/* Whether ring_leave_x86_64.c has sl_ring_leave(). */
#ifndef SL_FPGA_RING_LEAVE_X86_64_H
#define SL_FPGA_RING_LEAVE_X86_64_H

#include "fpga/base/shadow.h"

#if defined(__x86_64__) && !defined(SL_FIBER_PORTABLE) && !defined(SL_SHADOW_ADDRESS) &&           \
    !defined(SL_SHADOW_THREAD)
#define SL_RING_LEAVE_X86_64 1
#endif

#endif
