/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole numbers of up to 2048 bits, computed as on paper: what kernels' wide integers are compared
 * with. Values, no state; any thread.
 */
#ifndef SL_CONFORMANCE_LONG_NUMBER_H
#define SL_CONFORMANCE_LONG_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

enum { NUMBER_PARTS = 65 };

/* Two's complement, the least part first; a number of 2048 bits without a sign has room. */
struct number {
    uint32_t part[NUMBER_PARTS];
};

struct number number_of(int64_t value);

/* What is left of it in so many bits, read with or without a sign. */
struct number number_cut(const struct number *, unsigned bits, bool sign);

/* The next four lose what is beyond the last part. */
struct number number_add(const struct number *, const struct number *);
struct number number_negate(const struct number *);
struct number number_multiply(const struct number *, const struct number *);
struct number number_shift_left(const struct number *, unsigned by);

/* Rounds down. */
struct number number_shift_right(const struct number *, unsigned by);

/* Quotient towards 0, or what remains, which has the sign of `a`. */
struct number number_divide(const struct number *a, const struct number *by, bool remainder);

/* -1, 0 or 1. */
int number_compare(const struct number *, const struct number *);

/* Rounded to so many binary digits, to even where two are as near; infinite from 2^1024 on. */
double number_round(const struct number *, unsigned digits);

/* Without its fraction. |value| < 2^2048. */
struct number number_of_double(double value);

#endif
