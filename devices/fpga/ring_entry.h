/* SPDX-License-Identifier: Apache-2.0 */
/* Whether ring_entry_x86_64.c has sl_ring_slow(). */
#ifndef SL_FPGA_RING_ENTRY_H
#define SL_FPGA_RING_ENTRY_H

#include "fpga/shadow.h"

#if defined(__x86_64__) && !defined(SL_FIBER_PORTABLE) && !defined(SL_SHADOW_ADDRESS) &&           \
    !defined(SL_SHADOW_THREAD)
#define SL_RING_ENTRY_X86_64 1
#endif

#endif
