/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C library's vector functions as references (math_wide.h), and the functions that it lacks
 * made of them. Compiled for AVX2. No state.
 */
#include "math_wide.h"

#include <immintrin.h>
#include <math.h>
#include <string.h>

/* Their names are those of the vector ABI: four doubles, no mask. */
#define SL_LIBRARY(M)                                                                              \
    M(acos)                                                                                        \
    M(acosh)                                                                                       \
    M(asin)                                                                                        \
    M(asinh)                                                                                       \
    M(atan)                                                                                        \
    M(atanh)                                                                                       \
    M(cbrt)                                                                                        \
    M(cos)                                                                                         \
    M(cosh)                                                                                        \
    M(erf)                                                                                         \
    M(erfc)                                                                                        \
    M(exp)                                                                                         \
    M(exp10)                                                                                       \
    M(exp2)                                                                                        \
    M(expm1)                                                                                       \
    M(log)                                                                                         \
    M(log10)                                                                                       \
    M(log1p)                                                                                       \
    M(log2)                                                                                        \
    M(sin)                                                                                         \
    M(sinh)                                                                                        \
    M(tan)                                                                                         \
    M(tanh)
#define SL_OWN(M)                                                                                  \
    M(acospi)                                                                                      \
    M(asinpi)                                                                                      \
    M(atanpi)                                                                                      \
    M(ceil)                                                                                        \
    M(cospi)                                                                                       \
    M(fabs)                                                                                        \
    M(floor)                                                                                       \
    M(rint)                                                                                        \
    M(rsqrt)                                                                                       \
    M(sinpi)                                                                                       \
    M(sqrt)                                                                                        \
    M(tanpi)                                                                                       \
    M(trunc)

#define SL_DECLARE(NAME) __m256d _ZGVdN4v_##NAME(__m256d);
SL_LIBRARY(SL_DECLARE)

static const double pi = 3.14159265358979323846;

static __m256d acospi4(__m256d x)
{
    return _ZGVdN4v_acos(x) / pi;
}

static __m256d asinpi4(__m256d x)
{
    return _ZGVdN4v_asin(x) / pi;
}

static __m256d atanpi4(__m256d x)
{
    return _ZGVdN4v_atan(x) / pi;
}

static __m256d ceil4(__m256d x)
{
    return _mm256_ceil_pd(x);
}

static __m256d floor4(__m256d x)
{
    return _mm256_floor_pd(x);
}

static __m256d rint4(__m256d x)
{
    return _mm256_round_pd(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

static __m256d trunc4(__m256d x)
{
    return _mm256_round_pd(x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}

static __m256d fabs4(__m256d x)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), x);
}

static __m256d rsqrt4(__m256d x)
{
    return 1.0 / _mm256_sqrt_pd(x);
}

static __m256d sqrt4(__m256d x)
{
    return _mm256_sqrt_pd(x);
}

static __m256d with_sign(__m256d value, __m256d sign)
{
    __m256d bit = _mm256_set1_pd(-0.0);
    return _mm256_or_pd(_mm256_andnot_pd(bit, value), _mm256_and_pd(bit, sign));
}

static __m256d choose(__m256d mask, __m256d yes, __m256d no)
{
    return _mm256_blendv_pd(no, yes, mask);
}

static __m256d is_equal(__m256d a, __m256d b)
{
    return _mm256_cmp_pd(a, b, _CMP_EQ_OQ);
}

/* sin(pi x): x less the nearest even number is exact, and then mirrored into a quarter turn. */
static __m256d sinpi4(__m256d x)
{
    __m256d r = x - 2.0 * rint4(x * 0.5);
    __m256d mirrored = with_sign(_mm256_set1_pd(1.0), r) - r;
    __m256d far = _mm256_cmp_pd(fabs4(r), _mm256_set1_pd(0.5), _CMP_GT_OQ);
    __m256d value = _ZGVdN4v_sin(pi * choose(far, mirrored, r));
    return choose(is_equal(r, trunc4(r)), with_sign(_mm256_setzero_pd(), x), value);
}

static __m256d cospi4(__m256d x)
{
    __m256d r = fabs4(x - 2.0 * rint4(x * 0.5));
    return _ZGVdN4v_sin(pi * (0.5 - r));
}

/* The sign of zeroes and poles alternates from one to the next, as the sine's and cosine's do not.
 */
static __m256d tanpi4(__m256d x)
{
    __m256d n = rint4(x);
    __m256d r = x - n;
    __m256d far = _mm256_cmp_pd(fabs4(r), _mm256_set1_pd(0.25), _CMP_GT_OQ);
    __m256d from_pole = _ZGVdN4v_tan(pi * (0.5 - fabs4(r)));
    __m256d value = choose(far, with_sign(1.0 / from_pole, r), _ZGVdN4v_tan(pi * r));
    __m256d odd = is_equal(fabs4(n - 2.0 * rint4(n * 0.5)), _mm256_set1_pd(1.0));
    __m256d zero = with_sign(_mm256_setzero_pd(), choose(odd, -x, x));
    __m256d below = floor4(x);
    __m256d even_below = is_equal(below, 2.0 * rint4(below * 0.5));
    __m256d pole = _mm256_set1_pd(INFINITY);
    value = choose(is_equal(fabs4(r), _mm256_set1_pd(0.5)), choose(even_below, pole, -pole), value);
    return choose(is_equal(r, _mm256_setzero_pd()), zero, value);
}

#define SL_LOOP(NAME, CALL)                                                                        \
    static void many_##NAME(const float *arguments, double *results, size_t count)                 \
    {                                                                                              \
        for (size_t i = 0; i < count; i += 4)                                                      \
            _mm256_storeu_pd(results + i, CALL(_mm256_cvtps_pd(_mm_loadu_ps(arguments + i))));     \
    }
#define SL_LIBRARY_LOOP(NAME) SL_LOOP(NAME, _ZGVdN4v_##NAME)
#define SL_OWN_LOOP(NAME) SL_LOOP(NAME, NAME##4)
SL_LIBRARY(SL_LIBRARY_LOOP)
SL_OWN(SL_OWN_LOOP)

#define SL_ROW(NAME) {#NAME, many_##NAME},
static const struct {
    const char *name;
    sl_wide_reference many;
} rows[] = {SL_LIBRARY(SL_ROW) SL_OWN(SL_ROW)};

sl_wide_reference sl_find_wide_reference(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].name, name))
            return __builtin_cpu_supports("avx2") ? rows[i].many : NULL;
    return NULL;
}
