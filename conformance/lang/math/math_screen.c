/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bounds: glibc 2.35 and later on x86-64, from its manual ("Known Maximum Errors in Math
 * Functions") and from Gladman, Innocente, Mather and Zimmermann, "Accuracy of Mathematical
 * Functions in Single, Double, Double Extended, and Quadruple Precision", with a margin.
 */
#include "math_screen.h"

#include <features.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__GLIBC__) && defined(__x86_64__)

static double screen_powr(double x, double y)
{
    return x > 0 ? pow(x, y) : NAN;
}

#define ONE(NAME, BOUND) {#NAME, BOUND, NAME, NULL}
#define TWO(NAME, BOUND) {#NAME, BOUND, NULL, NAME}
static const struct sl_screen screens[] = {
    ONE(acos, 0.6),
    ONE(acosh, 2.3),
    ONE(asin, 0.6),
    ONE(atan, 0.6),
    ONE(atanh, 1.85),
    ONE(ceil, 0),
    ONE(cos, 0.6),
    ONE(cosh, 2),
    ONE(exp, 0.6),
    ONE(exp2, 0.6),
    ONE(expm1, 1),
    ONE(fabs, 0),
    ONE(floor, 0),
    ONE(log, 0.6),
    ONE(log1p, 1),
    ONE(log2, 0.6),
    ONE(logb, 0),
    ONE(rint, 0),
    ONE(round, 0),
    ONE(sin, 0.6),
    ONE(sinh, 2),
    ONE(sqrt, 0.5),
    ONE(tan, 0.7),
    ONE(tanh, 2.25),
    ONE(trunc, 0),
    TWO(atan2, 0.6),
    TWO(copysign, 0),
    TWO(fdim, 0.5),
    TWO(fmax, 0),
    TWO(fmin, 0),
    TWO(fmod, 0),
    TWO(hypot, 1),
    TWO(pow, 0.6),
    TWO(remainder, 0),
    {"powr", 0.6, NULL, screen_powr},
};

const struct sl_screen *sl_find_screen(const char *name)
{
    for (size_t i = 0; i < sizeof screens / sizeof *screens; i++)
        if (!strcmp(screens[i].name, name))
            return &screens[i];
    return NULL;
}

#else

const struct sl_screen *sl_find_screen(const char *name)
{
    (void)name;
    return NULL;
}

#endif

double sl_screened_error(const struct sl_screen *screen, double got, double near)
{
    if (!isnormal(got) || !isnormal(near) || signbit(got) != signbit(near))
        return INFINITY;
    uint64_t a, b;
    memcpy(&a, &got, sizeof a);
    memcpy(&b, &near, sizeof b);
    double steps = (double)(a > b ? a - b : b - a);
    /* Next to a power of two a step may be two of the exact result's units. */
    int alike = a >> 52 == b >> 52 && (a << 12) != 0 && (b << 12) != 0;
    return (alike ? steps : 2 * steps) + screen->bound;
}
