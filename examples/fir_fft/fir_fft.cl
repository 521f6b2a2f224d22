/* SPDX-License-Identifier: Apache-2.0 */
/* A receiver: samples come from the host, pass a FIR filter, are transformed in blocks, and the
 * power of each bin goes back to the host. Three kernels, all running at once. */
#pragma OPENCL EXTENSION cl_intel_channels : enable
#pragma OPENCL EXTENSION cl_intel_fpga_host_pipe : enable

#define POINTS (1 << LOG_POINTS)

/* The host's ends: pipe objects, or pipes of the program that the host has declared. */
#ifdef PIPES_OF_PROGRAM
#define SAMPLES
#define BINS
#else
#define SAMPLES , read_only HOST_PIPE samples
#define BINS , write_only HOST_PIPE bins
#define HOST_PIPE pipe float __attribute__((blocking)) __attribute__((intel_host_accessible))
#endif

channel float filtered __attribute__((depth(256)));
channel float2 spectrum __attribute__((depth(256)));

kernel void fir(uint count, constant float *restrict taps SAMPLES)
{
    float delay[TAPS];
    for (int i = 0; i < TAPS; i++)
        delay[i] = 0;
    for (uint n = 0; n < count; n++) {
        float sample, sum = 0;
        read_pipe_block(samples, &sample);
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

kernel void fft(uint blocks, constant float2 *restrict twiddles)
{
    float2 x[POINTS];
    for (uint block = 0; block < blocks; block++) {
        for (uint i = 0; i < POINTS; i++)
            x[reversed(i)] = (float2)(read_channel_intel(filtered), 0);
        for (uint half_size = 1; half_size < POINTS; half_size *= 2)
            for (uint start = 0; start < POINTS; start += 2 * half_size)
                for (uint i = 0; i < half_size; i++) {
                    float2 w = twiddles[i * (POINTS / 2 / half_size)];
                    float2 a = x[start + i], b = x[start + i + half_size];
                    float2 turned = (float2)(b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x);
                    x[start + i] = a + turned;
                    x[start + i + half_size] = a - turned;
                }
        for (uint i = 0; i < POINTS; i++)
            write_channel_intel(spectrum, x[i]);
    }
}

kernel void power(uint count BINS)
{
    for (uint n = 0; n < count; n++) {
        float2 v = read_channel_intel(spectrum);
        float strength = v.x * v.x + v.y * v.y;
        write_pipe_block(bins, &strength);
    }
}
