/* SPDX-License-Identifier: Apache-2.0 */
/* A part of a grid, some whole rows of it. Each step a cell becomes the mean of its neighbours; the
 * rows at both edges of the part go to the ranks above and below, theirs come in return. ABOVE and
 * BELOW say whether there is such a rank; without it the row there stays as it is. */
#pragma OPENCL EXTENSION cl_intel_channels : enable
#pragma OPENCL FP_CONTRACT OFF /* the same bits however the grid is cut */

#define PIECE 1024
#define AN_EDGE __attribute__((depth(PIECE)))
#ifdef ABOVE
channel float to_above AN_EDGE __attribute__((io("to_above")));
channel float from_above AN_EDGE __attribute__((io("from_above")));
#endif
#ifdef BELOW
channel float to_below AN_EDGE __attribute__((io("to_below")));
channel float from_below AN_EDGE __attribute__((io("from_below")));
#endif

/* Row 0 and row rows + 1 are the neighbours'. What goes out fits into the channels, so that no rank
 * waits to write to one that does so as well. */
void exchange(global float *grid, uint width, uint rows)
{
    for (uint first = 0; first < width; first += PIECE) {
        uint end = min(first + PIECE, width);
#ifdef ABOVE
        for (uint x = first; x < end; x++)
            write_channel_intel(to_above, grid[width + x]);
#endif
#ifdef BELOW
        for (uint x = first; x < end; x++)
            write_channel_intel(to_below, grid[rows * width + x]);
#endif
#ifdef ABOVE
        for (uint x = first; x < end; x++)
            grid[x] = read_channel_intel(from_above);
#endif
#ifdef BELOW
        for (uint x = first; x < end; x++)
            grid[(rows + 1) * width + x] = read_channel_intel(from_below);
#endif
    }
}

void relax(global const float *restrict from, global float *restrict to, uint width, uint rows)
{
    for (uint y = 1; y <= rows; y++)
        for (uint x = 1; x < width - 1; x++) {
            uint at = y * width + x;
            to[at] = 0.25f * (from[at - 1] + from[at + 1] + (from[at - width] + from[at + width]));
        }
}

/* The result is in `a` when the number of steps is even. */
kernel void stencil(global float *restrict a, global float *restrict b, uint width, uint rows,
                    uint steps)
{
    for (uint step = 0; step < steps; step += 2) {
        exchange(a, width, rows);
        relax(a, b, width, rows);
        if (step + 1 == steps)
            break;
        exchange(b, width, rows);
        relax(b, a, width, rows);
    }
}
