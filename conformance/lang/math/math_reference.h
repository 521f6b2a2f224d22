/* SPDX-License-Identifier: Apache-2.0 */
/*
 * References for the math tests in long double: eleven bits more than the widest type tested, so
 * their own error is below a hundredth of an ulp. Pure functions.
 */
#ifndef SL_CONFORMANCE_MATH_REFERENCE_H
#define SL_CONFORMANCE_MATH_REFERENCE_H

struct sl_reference1 {
    const char *name;
    float limit_float, limit_double, limit_half; /* ulp; 0: correctly rounded */
    long double (*at)(long double);
};
struct sl_reference2 {
    const char *name;
    float limit_float, limit_double, limit_half;
    long double (*at)(long double, long double);
};
struct sl_reference2i {
    const char *name;
    float limit_float, limit_double, limit_half;
    long double (*at)(long double, int);
};

/* Each ends with a row whose name is NULL. */
extern const struct sl_reference1 sl_references1[];
extern const struct sl_reference2 sl_references2[];
extern const struct sl_reference2i sl_references2i[];

/* |got - want| in units in the last place of a type with `digits` and a least exponent `least`. */
double sl_ulp_error(long double got, long double want, int digits, int least);

#endif
