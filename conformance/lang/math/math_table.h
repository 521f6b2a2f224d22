/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The math functions with the full profile's error limits in ulp (OpenCL C specification, "Relative
 * error as ULPs"). One list for the kernels, the references and the test.
 * SL_MATH1(name, limit of float, of double, of half): one argument; 2: two; 2I: the second an int.
 */
#define SL_MATH1(M)                                                                                \
    M(acos, 4, 4, 2)                                                                               \
    M(acosh, 4, 4, 2)                                                                              \
    M(acospi, 5, 5, 2)                                                                             \
    M(asin, 4, 4, 2)                                                                               \
    M(asinh, 4, 4, 2)                                                                              \
    M(asinpi, 5, 5, 2)                                                                             \
    M(atan, 5, 5, 2)                                                                               \
    M(atanh, 5, 5, 2)                                                                              \
    M(atanpi, 5, 5, 2)                                                                             \
    M(cbrt, 2, 2, 2)                                                                               \
    M(ceil, 0, 0, 0)                                                                               \
    M(cos, 4, 4, 2)                                                                                \
    M(cosh, 4, 4, 2)                                                                               \
    M(cospi, 4, 4, 2)                                                                              \
    M(erf, 16, 16, 4)                                                                              \
    M(erfc, 16, 16, 4)                                                                             \
    M(exp, 3, 3, 2)                                                                                \
    M(exp10, 3, 3, 2)                                                                              \
    M(exp2, 3, 3, 2)                                                                               \
    M(expm1, 3, 3, 2)                                                                              \
    M(fabs, 0, 0, 0)                                                                               \
    M(floor, 0, 0, 0)                                                                              \
    M(log, 3, 3, 2)                                                                                \
    M(log10, 3, 3, 2)                                                                              \
    M(log1p, 2, 2, 2)                                                                              \
    M(log2, 3, 3, 2)                                                                               \
    M(logb, 0, 0, 0)                                                                               \
    M(rint, 0, 0, 0)                                                                               \
    M(round, 0, 0, 0)                                                                              \
    M(rsqrt, 2, 2, 1)                                                                              \
    M(sin, 4, 4, 2)                                                                                \
    M(sinh, 4, 4, 2)                                                                               \
    M(sinpi, 4, 4, 2)                                                                              \
    M(sqrt, 3, 0, 0)                                                                               \
    M(tan, 5, 5, 2)                                                                                \
    M(tanh, 5, 5, 2)                                                                               \
    M(tanpi, 6, 6, 2)                                                                              \
    M(tgamma, 16, 16, 4)                                                                           \
    M(trunc, 0, 0, 0)

#define SL_MATH2(M)                                                                                \
    M(atan2, 6, 6, 2)                                                                              \
    M(atan2pi, 6, 6, 2)                                                                            \
    M(copysign, 0, 0, 0)                                                                           \
    M(fdim, 0, 0, 0)                                                                               \
    M(fmax, 0, 0, 0)                                                                               \
    M(fmin, 0, 0, 0)                                                                               \
    M(fmod, 0, 0, 0)                                                                               \
    M(hypot, 4, 4, 2)                                                                              \
    M(maxmag, 0, 0, 0)                                                                             \
    M(minmag, 0, 0, 0)                                                                             \
    M(pow, 16, 16, 4)                                                                              \
    M(powr, 16, 16, 4)                                                                             \
    M(remainder, 0, 0, 0)

#define SL_MATH2I(M)                                                                               \
    M(ldexp, 0, 0, 0)                                                                              \
    M(pown, 16, 16, 4)                                                                             \
    M(rootn, 16, 16, 4)
