/* SPDX-License-Identifier: Apache-2.0 */
#include "signal_reference.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

void make_signal(float *signal, size_t count)
{
    unsigned state = 1;
    for (size_t n = 0; n < count; n++) {
        state = state * 1664525u + 1013904223u;
        double noise = (double)(state >> 16) / 65536 - 0.5;
        signal[n] = (float)(sin(2 * pi * 0.0625 * (double)n) + 0.5 * sin(2 * pi * 0.4 * (double)n) +
                            0.1 * noise);
    }
}

void make_taps(float *taps)
{
    for (int i = 0; i < TAPS; i++) {
        double x = i - (TAPS - 1) / 2.0;
        double window = 0.54 - 0.46 * cos(2 * pi * i / (TAPS - 1));
        taps[i] = (float)(window * sin(2 * pi * 0.2 * x) / (pi * x));
    }
}

void make_twiddles(float *twiddles)
{
    for (int i = 0; i < POINTS / 2; i++) {
        twiddles[2 * i] = (float)cos(2 * pi * i / POINTS);
        twiddles[2 * i + 1] = (float)-sin(2 * pi * i / POINTS);
    }
}

void filter_samples(const float *signal, const float *taps, double *to, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        to[n] = 0;
        for (size_t i = 0; i < TAPS && i <= n; i++)
            to[n] += (double)taps[i] * signal[n - i];
    }
}

static double expected_power(const double *block, const double *cosines, unsigned bin)
{
    double re = 0, im = 0;
    for (unsigned n = 0; n < POINTS; n++) {
        re += block[n] * cosines[n * bin % POINTS];
        im += block[n] * cosines[(n * bin + POINTS / 4) % POINTS];
    }
    return re * re + im * im;
}

size_t wrong_bins(const float *bins, const double *filtered, size_t blocks)
{
    double cosines[POINTS];
    size_t wrong = 0;
    for (unsigned i = 0; i < POINTS; i++)
        cosines[i] = cos(2 * pi * i / POINTS);
    for (size_t b = 0; b < blocks; b++)
        for (unsigned bin = 0; bin < POINTS; bin++) {
            double want = expected_power(filtered + b * POINTS, cosines, bin);
            wrong += !(fabs(bins[b * POINTS + bin] - want) <= 1e-3 + 2e-4 * want);
        }
    return wrong;
}
