/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of the C library in double whose largest error is known: what agrees with one of them
 * needs no slow reference. Pure functions.
 */
#ifndef SL_CONFORMANCE_MATH_SCREEN_H
#define SL_CONFORMANCE_MATH_SCREEN_H

struct sl_screen {
    const char *name;
    double bound; /* ulp */
    double (*at1)(double);
    double (*at2)(double, double);
};

/* NULL: the C library has no such function, or none whose error is known. */
const struct sl_screen *sl_find_screen(const char *name);

/*
 * An upper bound, in ulp of the exact result, of the error of `got` where the screen gives `near`;
 * infinite where that says nothing (a result that is no ordinary number).
 */
double sl_screened_error(const struct sl_screen *screen, double got, double near);

#endif
