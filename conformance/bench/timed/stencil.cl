/* SPDX-License-Identifier: Apache-2.0 */
/* Edges in a picture, with two buffers of lines. The sink prints a sum, so that runs can be compared. */
#pragma OPENCL EXTENSION cl_intel_channels : enable

uint next_random(uint *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

#define WIDTH 256
channel uint pixels __attribute__((depth(32)));
channel uint edges __attribute__((depth(32)));
kernel void stencil_give(void)
{
    uint state = 5;
    for (int n = 0; n < LINES * WIDTH; n++)
        write_channel_intel(pixels, next_random(&state) & 255);
}
kernel void stencil(void)
{
    uint above[WIDTH], twice_above[WIDTH];
    for (uint x = 0; x < WIDTH; x++)
        above[x] = twice_above[x] = 0;
    for (uint y = 0; y < LINES; y++) {
        uint window[3][3] = {{0}};
        for (uint x = 0; x < WIDTH; x++) {
            uint now = read_channel_intel(pixels);
#pragma unroll
            for (int i = 0; i < 3; i++) {
                window[i][0] = window[i][1];
                window[i][1] = window[i][2];
            }
            window[0][2] = twice_above[x];
            window[1][2] = above[x];
            window[2][2] = now;
            twice_above[x] = above[x];
            above[x] = now;
            int gx = (int)(window[0][2] + 2 * window[1][2] + window[2][2]) -
                     (int)(window[0][0] + 2 * window[1][0] + window[2][0]);
            int gy = (int)(window[2][0] + 2 * window[2][1] + window[2][2]) -
                     (int)(window[0][0] + 2 * window[0][1] + window[0][2]);
            write_channel_intel(edges, (uint)(abs(gx) + abs(gy)));
        }
    }
}
kernel void stencil_take(void)
{
    uint sum = 0;
    for (int n = 0; n < LINES * WIDTH; n++)
        sum = sum * 31 + read_channel_intel(edges);
    printf("%u\n", sum);
}
