/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shift registers: private arrays that a loop moves on by a constant distance, as designs for FPGAs
 * have them. In a circuit that costs nothing; in memory the array stays where it is and a window
 * moves over it, in more room than it needs, until it reaches the end and is put back once.
 */
#ifndef SL_KERNELS_IR_SHIFT_REGISTER_H
#define SL_KERNELS_IR_SHIFT_REGISTER_H

#include "ir/pass.h"

/* Were there any? Only where one item at a time runs: each would have the room. Loops that moved an
 * array are empty behind it, and where the window is is a variable. */
bool sl_slide_shift_registers(struct sl_pass *, const struct sl_kernel_facts *);

#endif
