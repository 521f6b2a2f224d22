/* SPDX-License-Identifier: Apache-2.0 */
/*
 * References of the float functions for many arguments at once: vector functions in double, a few
 * ulp of double off, which is nothing to a float. Pure functions.
 */
#ifndef SL_CONFORMANCE_MATH_WIDE_H
#define SL_CONFORMANCE_MATH_WIDE_H

#include <stddef.h>

/* results[i] = function(arguments[i]); `count` is a multiple of four. */
typedef void (*sl_wide_reference)(const float *arguments, double *results, size_t count);

/* NULL: no such function, or a processor without AVX2. */
sl_wide_reference sl_find_wide_reference(const char *name);

#endif
