/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The less and the more of two values of any type: of a number and none (NaN) it is the number, as
 * SPIR-V wants it of group operations; of equals the first. What vectors make of sub-groups agrees
 * (vector/operations/sub_group.c).
 */
#ifndef SL_BUILTINS_EXTREMES_H
#define SL_BUILTINS_EXTREMES_H

#define SL_LESS_OF(a, b) ((b) < (a) || (a) != (a) ? (b) : (a))
#define SL_MORE_OF(a, b) ((b) > (a) || (a) != (a) ? (b) : (a))

#endif
