/* SPDX-License-Identifier: Apache-2.0 */
/* A filter and a transform. The sink prints a sum, so that runs can be compared. */
#pragma OPENCL EXTENSION cl_intel_channels : enable

uint next_random(uint *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

#define TAPS 32
#define LOG_POINTS 6
#define POINTS (1 << LOG_POINTS)
channel float samples __attribute__((depth(256)));
channel float filtered __attribute__((depth(256)));
channel float2 spectrum __attribute__((depth(256)));
channel float bins __attribute__((depth(256)));
constant float taps[TAPS] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
                             16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1};

kernel void fir_give(void)
{
    uint state = 1;
    for (int n = 0; n < BLOCKS * POINTS; n++)
        write_channel_intel(samples, (float)(next_random(&state) & 255));
}
kernel void fir(void)
{
    float delay[TAPS];
    for (int i = 0; i < TAPS; i++)
        delay[i] = 0;
    for (uint n = 0; n < BLOCKS * POINTS; n++) {
        float sum = 0, sample = read_channel_intel(samples);
#pragma unroll
        for (int i = TAPS - 1; i > 0; i--)
            delay[i] = delay[i - 1];
        delay[0] = sample;
#pragma unroll
        for (int i = 0; i < TAPS; i++)
            sum += taps[i] * delay[i];
        write_channel_intel(filtered, sum);
    }
}
uint reversed(uint index)
{
    uint to = 0;
    for (int bit = 0; bit < LOG_POINTS; bit++)
        to |= (index >> bit & 1) << (LOG_POINTS - 1 - bit);
    return to;
}
kernel void fft(void)
{
    float2 x[POINTS];
    for (uint block = 0; block < BLOCKS; block++) {
        for (uint i = 0; i < POINTS; i++)
            x[reversed(i)] = (float2)(read_channel_intel(filtered), 0);
        for (uint half_size = 1; half_size < POINTS; half_size *= 2)
            for (uint start = 0; start < POINTS; start += 2 * half_size)
                for (uint i = 0; i < half_size; i++) {
                    float angle = -M_PI_F * (float)i / (float)half_size;
                    float2 w = (float2)(native_cos(angle), native_sin(angle));
                    float2 a = x[start + i], b = x[start + i + half_size];
                    float2 turned = (float2)(b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x);
                    x[start + i] = a + turned;
                    x[start + i + half_size] = a - turned;
                }
        for (uint i = 0; i < POINTS; i++)
            write_channel_intel(spectrum, x[i]);
    }
}
kernel void power(void)
{
    for (uint n = 0; n < BLOCKS * POINTS; n++) {
        float2 v = read_channel_intel(spectrum);
        write_channel_intel(bins, v.x * v.x + v.y * v.y);
    }
}
kernel void fir_take(void)
{
    float most = 0;
    for (uint n = 0; n < BLOCKS * POINTS; n++)
        most = fmax(most, read_channel_intel(bins));
    printf("%a\n", most);
}
