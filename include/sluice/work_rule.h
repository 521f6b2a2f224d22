/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many instructions a work-item of a kernel runs at most, where that depends on the values of
 * its arguments: a text that the compiler writes (sl_kernel_info.work_rule) and the driver computes
 * for a launch. Words one blank apart, in reverse Polish order, on unsigned numbers of 64 bits:
 *
 *   N        the number N, in decimal
 *   aK.B     the value of argument K, of B bits, without sign
 *   +B *B /B sum, product, quotient of the two numbers before, modulo 2 to the power of B;
 *            whatever is divided by zero has no value
 *   GB LB    the larger and the smaller of the two, as numbers with sign of B bits
 *   gB lB    the same of numbers without sign
 *   tB       the lowest B bits of the number before
 *   sB.C     that number of B bits with its sign, in C bits
 *   S P      sum and product of the two, UINT64_MAX where that is more
 */
#ifndef SLUICE_WORK_RULE_H
#define SLUICE_WORK_RULE_H

#include <stdint.h>

enum {
    SL_WORK_RULE_DEPTH = 32,   /* numbers that wait at most */
    SL_WORK_RULE_BYTES = 2048, /* of a text, its end included */
};

#endif
