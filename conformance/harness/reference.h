/* SPDX-License-Identifier: Apache-2.0 */
/* Random input and comparisons. The seed is SLUICE_TEST_SEED or 1, so a failure can be repeated. */
#ifndef SLUICE_TEST_REFERENCE_H
#define SLUICE_TEST_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

uint64_t random_bits(void);
/* below: exclusive, not 0 */
uint64_t random_below(uint64_t below);
void random_fill(void *to, size_t size);
/* An integer of that many bits, with the extremes and small values much more likely than by
 * chance. */
int64_t random_integer(unsigned bits);
/* Any finite bit pattern now and then, mostly values around 1. */
float random_float(void);
double random_double(void);

/* Distance in units of the last place of want; 0 when both are NaN; HUGE_VAL for a wrong class. */
double ulps_float(float got, double want);
double ulps_double(double got, long double want);
/* Round to nearest even. */
uint16_t half_from_double(double value);
double double_from_half(uint16_t bits);
#endif
