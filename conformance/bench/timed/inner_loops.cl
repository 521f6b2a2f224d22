/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels with loops between their packets. The sinks print sums, so that runs can be compared. */
#pragma OPENCL EXTENSION cl_intel_channels : enable

/* A filter of eight taps. */
channel int taps_in __attribute__((depth(64)));
channel int taps_out __attribute__((depth(64)));
kernel void taps_give(void)
{
    for (int i = 0; i < ROUNDS; i++)
        write_channel_intel(taps_in, i);
}
kernel void taps(void)
{
    const int weights[8] = {3, -1, 4, 1, -5, 9, 2, 6};
    int last[8] = {0};
    for (int i = 0; i < ROUNDS; i++) {
        int sum = 0;
        for (int j = 7; j > 0; j--)
            last[j] = last[j - 1];
        last[0] = read_channel_intel(taps_in);
        for (int j = 0; j < 8; j++)
            sum += weights[j] * last[j];
        write_channel_intel(taps_out, sum);
    }
}
kernel void taps_take(void)
{
    int sum = 0;
    for (int i = 0; i < ROUNDS; i++)
        sum += read_channel_intel(taps_out);
    printf("%d\n", sum);
}

/* A window of three by three, which moves along three lines. */
channel uint window_in __attribute__((depth(64)));
channel int window_out __attribute__((depth(64)));
kernel void window_give(void)
{
    for (int i = 0; i < ROUNDS; i++)
        write_channel_intel(window_in, (uint)i * 2654435761u);
}
kernel void window(void)
{
    const int weights[3][3] = {{1, 2, 1}, {0, 3, 0}, {-1, -2, -1}};
    int part[3][3] = {{0}};
    for (int i = 0; i < ROUNDS; i++) {
        const uint column = read_channel_intel(window_in);
        int sum = 0;
        for (int y = 0; y < 3; y++) {
            part[y][0] = part[y][1];
            part[y][1] = part[y][2];
            part[y][2] = column >> (8 * y) & 255;
        }
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 3; x++)
                sum += weights[y][x] * part[y][x];
        write_channel_intel(window_out, sum);
    }
}
kernel void window_take(void)
{
    int sum = 0;
    for (int i = 0; i < ROUNDS; i++)
        sum += read_channel_intel(window_out);
    printf("%d\n", sum);
}

/* A row of a matrix for each packet: loops that stay loops. */
channel float rows_in __attribute__((depth(64)));
channel float rows_out __attribute__((depth(64)));
kernel void rows_give(void)
{
    for (int i = 0; i < ROUNDS; i++)
        write_channel_intel(rows_in, (float)(i & 15));
}
kernel void rows(void)
{
    float row[64], state[64];
    for (int j = 0; j < 64; j++) {
        row[j] = (float)(j & 3);
        state[j] = 0;
    }
    for (int i = 0; i < ROUNDS; i++) {
        const float x = read_channel_intel(rows_in);
        int sum = 0;
        for (int j = 0; j < 64; j++)
            state[j] = state[j] * 0.5f + x * row[j];
        for (int j = 0; j < 64; j++)
            sum += (int)state[j];
        write_channel_intel(rows_out, (float)sum);
    }
}
kernel void rows_take(void)
{
    float sum = 0;
    for (int i = 0; i < ROUNDS; i++)
        sum += read_channel_intel(rows_out);
    printf("%f\n", sum);
}

/* Four packets for one. */
channel int four_in __attribute__((depth(64)));
channel int four_out __attribute__((depth(64)));
kernel void four_give(void)
{
    for (int i = 0; i < 4 * ROUNDS; i++)
        write_channel_intel(four_in, i);
}
kernel void four(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        int sum = 0;
        for (int j = 0; j < 4; j++)
            sum += (j + 1) * read_channel_intel(four_in);
        write_channel_intel(four_out, sum);
    }
}
kernel void four_take(void)
{
    int sum = 0;
    for (int i = 0; i < ROUNDS; i++)
        sum += read_channel_intel(four_out);
    printf("%d\n", sum);
}

/* Nine packets for one, in two loops, each with more around it. */
channel int nest_in __attribute__((depth(64)));
channel int nest_out __attribute__((depth(64)));
kernel void nest_give(void)
{
    for (int i = 0; i < 9 * ROUNDS; i++)
        write_channel_intel(nest_in, i);
}
kernel void nest(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        int sum = 0;
        for (int y = 0; y < 3; y++) {
            int line = y;
            for (int x = 0; x < 3; x++)
                line = line * 3 + read_channel_intel(nest_in);
            sum ^= line;
        }
        write_channel_intel(nest_out, sum);
    }
}
kernel void nest_take(void)
{
    int sum = 0;
    for (int i = 0; i < ROUNDS; i++)
        sum += read_channel_intel(nest_out);
    printf("%d\n", sum);
}

/* Two packets for one, each by an operation of its own. */
channel int pairs_in __attribute__((depth(64)));
channel int pairs_out __attribute__((depth(64)));
kernel void pairs_give(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        write_channel_intel(pairs_in, i);
        write_channel_intel(pairs_in, i * 3);
    }
}
kernel void pairs(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        const int a = read_channel_intel(pairs_in);
        const int b = read_channel_intel(pairs_in);
        write_channel_intel(pairs_out, a * 5 - b);
    }
}
kernel void pairs_take(void)
{
    int sum = 0;
    for (int i = 0; i < ROUNDS; i++)
        sum += read_channel_intel(pairs_out);
    printf("%d\n", sum);
}

/* As many rounds inside as data say. */
channel uint some_in __attribute__((depth(64)));
channel uint some_out __attribute__((depth(64)));
kernel void some_give(void)
{
    for (int i = 0; i < ROUNDS; i++)
        write_channel_intel(some_in, (uint)i * 2654435761u);
}
kernel void some(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        uint x = read_channel_intel(some_in), sum = x;
        for (uint j = 0; j < (x >> 29); j++)
            sum = sum * 5 + j;
        write_channel_intel(some_out, sum);
    }
}
kernel void some_take(void)
{
    uint sum = 0;
    for (int i = 0; i < ROUNDS; i++)
        sum += read_channel_intel(some_out);
    printf("%u\n", sum);
}

/* The same behind a condition. */
channel uint maybe_in __attribute__((depth(64)));
channel uint maybe_out __attribute__((depth(64)));
kernel void maybe_give(void)
{
    for (int i = 0; i < ROUNDS; i++)
        write_channel_intel(maybe_in, (uint)i * 2654435761u);
}
kernel void maybe(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        uint x = read_channel_intel(maybe_in), sum = x;
        if (x & 64)
            for (uint j = 0; j < (x >> 29); j++)
                sum = sum * 5 + j;
        write_channel_intel(maybe_out, sum);
    }
}
kernel void maybe_take(void)
{
    uint sum = 0;
    for (int i = 0; i < ROUNDS; i++)
        sum += read_channel_intel(maybe_out);
    printf("%u\n", sum);
}

/* Packets within loops that end by their data: 0 to 15 of them, and as many as it takes. */
channel uint burst_in __attribute__((depth(64)));
channel uint burst_out __attribute__((depth(64)));
kernel void burst_give(void)
{
    for (int i = 0; i < ROUNDS; i++)
        write_channel_intel(burst_in, (uint)i * 2654435761u);
}
kernel void burst(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        uint x = read_channel_intel(burst_in);
        for (uint j = 0; j < (x >> 28); j++)
            write_channel_intel(burst_out, (x & 255) + j);
    }
    write_channel_intel(burst_out, UINT_MAX);
}
kernel void burst_take(void)
{
    uint sum = 0, x;
    while ((x = read_channel_intel(burst_out)) != UINT_MAX)
        sum = sum * 3 + x;
    printf("%u\n", sum);
}
channel uint until_in __attribute__((depth(64)));
channel uint until_out __attribute__((depth(64)));
kernel void until_give(void)
{
    for (int i = 0; i < ROUNDS; i++)
        write_channel_intel(until_in, (i & 1023) + 1);
}
kernel void until(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        uint x = read_channel_intel(until_in);
        while (x != 1) {
            x = x & 1 ? 3 * x + 1 : x >> 1;
            write_channel_intel(until_out, x);
        }
    }
    write_channel_intel(until_out, UINT_MAX);
}
kernel void until_take(void)
{
    uint sum = 0, x;
    while ((x = read_channel_intel(until_out)) != UINT_MAX)
        sum = sum * 3 + x;
    printf("%u\n", sum);
}
