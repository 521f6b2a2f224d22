/* SPDX-License-Identifier: Apache-2.0 */
/* What the receiver is fed, what it needs to know, and the same in double precision. No state. */
#ifndef SIGNAL_REFERENCE_H
#define SIGNAL_REFERENCE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TAPS = 16, LOG_POINTS = 8, POINTS = 1 << LOG_POINTS };

/* Two tones, one beyond the filter's edge, and noise. */
void make_signal(float *signal, size_t count);
/* A windowed low pass: TAPS numbers. */
void make_taps(float *taps);
/* POINTS numbers: half as many pairs of cosine and sine. */
void make_twiddles(float *twiddles);
void filter_samples(const float *signal, const float *taps, double *to, size_t count);
/* How many bins are off by more than single precision explains. */
size_t wrong_bins(const float *bins, const double *filtered, size_t blocks);

#ifdef __cplusplus
}
#endif
#endif
