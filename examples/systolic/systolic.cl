/* SPDX-License-Identifier: Apache-2.0 */
/* A SIDE x SIDE array of processing elements that multiplies matrices tile by tile. Elements start
 * with the program and never end; rows of A enter from the left, columns of B from the top. */
#pragma OPENCL EXTENSION cl_intel_channels : enable

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

/* Both matrices come row by row; a tile is SIDE rows of A and SIDE columns of B. */
kernel void feed_a(global const float *restrict a, uint tiles_down, uint tiles_across)
{
    for (uint down = 0; down < tiles_down; down++)
        for (uint across = 0; across < tiles_across; across++)
            for (uint k = 0; k < INNER; k++)
#pragma unroll
                for (uint i = 0; i < SIDE; i++)
                    write_channel_intel(from_left[i][0], a[(down * SIDE + i) * INNER + k]);
}

kernel void feed_b(global const float *restrict b, uint tiles_down, uint tiles_across)
{
    for (uint down = 0; down < tiles_down; down++)
        for (uint across = 0; across < tiles_across; across++)
            for (uint k = 0; k < INNER; k++)
#pragma unroll
                for (uint j = 0; j < SIDE; j++)
                    write_channel_intel(from_above[0][j],
                                        b[k * tiles_across * SIDE + across * SIDE + j]);
}

kernel void collect(global float *restrict c, uint tiles_down, uint tiles_across)
{
    for (uint down = 0; down < tiles_down; down++)
        for (uint across = 0; across < tiles_across; across++)
            for (uint i = 0; i < SIDE; i++)
                for (uint j = 0; j < SIDE; j++)
                    c[(down * SIDE + i) * tiles_across * SIDE + across * SIDE + j] =
                        read_channel_intel(sums[i][j]);
}
