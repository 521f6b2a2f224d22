/* SPDX-License-Identifier: Apache-2.0 */
/* A systolic array. The sink prints a sum, so that runs can be compared. */
#pragma OPENCL EXTENSION cl_intel_channels : enable

uint next_random(uint *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

#define SIDE 8
#define INNER 64
channel float from_left[SIDE][SIDE] __attribute__((depth(16)));
channel float from_above[SIDE][SIDE] __attribute__((depth(16)));
channel float sums[SIDE][SIDE] __attribute__((depth(2)));
__attribute__((max_global_work_dim(0))) __attribute__((autorun))
__attribute__((num_compute_units(SIDE, SIDE)))
kernel void element(void)
{
    const int column = get_compute_id(0), row = get_compute_id(1);
    while (1) {
        float sum = 0;
        for (int k = 0; k < INNER; k++) {
            float a = read_channel_intel(from_left[row][column]);
            float b = read_channel_intel(from_above[row][column]);
            sum += a * b;
            if (column + 1 < SIDE)
                write_channel_intel(from_left[row][column + 1], a);
            if (row + 1 < SIDE)
                write_channel_intel(from_above[row + 1][column], b);
        }
        write_channel_intel(sums[row][column], sum);
    }
}
kernel void systolic_left(void)
{
    uint state = 1;
    for (uint k = 0; k < TILES * INNER; k++)
#pragma unroll
        for (uint i = 0; i < SIDE; i++)
            write_channel_intel(from_left[i][0], (float)(next_random(&state) & 15));
}
kernel void systolic_above(void)
{
    uint state = 2;
    for (uint k = 0; k < TILES * INNER; k++)
#pragma unroll
        for (uint j = 0; j < SIDE; j++)
            write_channel_intel(from_above[0][j], (float)(next_random(&state) & 15));
}
kernel void systolic_take(void)
{
    float sum = 0;
    for (uint tile = 0; tile < TILES; tile++)
        for (uint i = 0; i < SIDE; i++)
            for (uint j = 0; j < SIDE; j++)
                sum += read_channel_intel(sums[i][j]);
    printf("%a\n", sum);
}
