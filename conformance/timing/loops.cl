// SPDX-License-Identifier: Apache-2.0
// Loops and what their schedule is: a comment "loop: TEXT" stands in the line where the loop begins; "@+N" in it is
// the line N further down.
#pragma OPENCL EXTENSION cl_intel_channels : enable

channel float samples __attribute__((depth(8)));
channel int numbers __attribute__((depth(8)));
channel int pair[2], other[2];
channel int results;
channel int choices;
channel int never;

__kernel void float_sum(__global const float *restrict x, __global float *restrict out, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++) // loop: II 4: float add at line @+1, distance 1
        sum += x[i];
    *out = sum;
}

__kernel void double_sum(__global const double *restrict x, __global double *restrict out, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) // loop: II 8: double add at line @+1, distance 1
        sum += x[i] * x[i];
    *out = sum;
}

__kernel void integer_sum(__global const int *restrict x, __global int *restrict out, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) // loop: II 1
        sum += x[i];
    *out = sum;
}

// Two sums that take turns: the same add has two iterations of time.
__kernel void turns(__global const float *restrict x, __global float *restrict out, int n)
{
    float a = 0, b = 0;
    for (int i = 0; i < n; i++) { // loop: II 2: float add at line @+1, distance 2
        float next = a + x[i];
        a = b;
        b = next;
    }
    *out = a + b;
}

__kernel void histogram(__global const uchar *restrict x, __global uint *restrict out, int n)
{
    __local uint bins[256];
    for (int i = 0; i < n; i++) // loop: II 5: local load at line @+1, integer add at line @+1, local store at line @+1, distance 1
        bins[x[i]]++;
    for (int i = 0; i < 256; i++) // loop: II 1
        out[i] = bins[i];
}

__kernel void far(__global int *restrict x, int n)
{
    for (int i = 9; i < n; i++) // loop: II 9: global load at line @+1, integer add at line @+1, global store at line @+1, distance 9
        x[i] = x[i - 9] + 1;
}

// The pointers may be the same.
__kernel void unknown(__global const int *x, __global int *y, int n)
{
    for (int i = 0; i < n; i++) // loop: II 81: global load at line @+1, integer add at line @+1, global store at line @+1, distance 1
        y[i] = x[i] + 1;
}

__kernel void promised(__global const int *x, __global int *y, int n)
{
#pragma ivdep
    for (int i = 0; i < n; i++) // loop: II 1
        y[i] = x[i] + 1;
}

__kernel void two_writes(__global const int *restrict x, int n)
{
    for (int i = 0; i < n; i++) { // loop: II 2: write to numbers at line @+1, write to numbers at line @+2, distance 1
        write_channel_intel(numbers, x[i]);
        write_channel_intel(numbers, -x[i]);
    }
}

__kernel void either(int n)
{
    for (int i = 0; i < n; i++) // loop: II 1
        if (i & 1)
            write_channel_intel(other[0], i);
        else
            write_channel_intel(other[1], i);
}

// What was read decides whether more is read.
__kernel void until(__global float *restrict out)
{
    float x;
    int i = 0;
    do // loop: II 2: float comparison at line @+3, distance 1
        x = read_channel_intel(samples);
    while (x // in front of the next line
           > 0);
    *out = x;
}

// Quotients of constants are products, and a sum for the sign; a remainder is a product and a difference more.
__kernel void divided(__global int *restrict out, int n)
{
    int s = n;
    uint u = n;
    for (int i = 0; i < n; i++) // loop: II 4: integer multiply at line @+1, distance 1
        s = s / 3;
    for (int i = 0; i < n; i++) // loop: II 7: integer multiply at line @+1, distance 1
        u = (u ^ i) % 7;
    for (int i = 0; i < n; i++) // loop: II 1
        s = s / 4;
    out[0] = s;
    out[1] = u;
}

// Both sums are there before the condition is, which only selects.
__kernel void counts(write_only pipe int p, __global int *restrict out, int n)
{
    int i = 0;
    while (i < n) { // loop: II 2: integer add at line @+1, write to p at line @+2, integer add at line @+2, distance 1
        int v = i + 5;
        if (!write_pipe(p, &v))
            i++;
    }
    *out = i;
}

__kernel void many_accesses(__global int *restrict out, int n)
{
    __local int a[1024];
    for (int i = 0; i < 1024; i++) // loop: II 1
        a[i] = n ^ i;
    for (int i = 0; i < n; i++) // loop: II 3: 5 accesses to many_accesses.a, 2 ports
        out[i] = a[i & 1023] ^ a[(i + 1) & 1023] ^ a[(i + 2) & 1023] ^ a[(i + 3) & 1023] ^ a[(i + 4) & 1023];
}

// Four accesses in each of two ways that exclude each other.
__kernel void ways(__global int *restrict out, int n)
{
    __local int a[1024];
    for (int i = 0; i < 1024; i++) // loop: II 1
        a[i] = n ^ i;
    for (int i = 0; i < n; i++) // loop: II 2: 4 accesses to ways.a, 2 ports
        if (read_channel_intel(choices))
            write_channel_intel(pair[0], a[i & 1023] ^ a[(i + 1) & 1023] ^ a[(i + 2) & 1023] ^ a[(i + 3) & 1023]);
        else
            write_channel_intel(pair[1], a[i & 511] ^ a[(i + 9) & 1023] ^ a[(i + 8) & 1023] ^ a[(i + 7) & 1023]);
}

__kernel void asked(__global const int *restrict x, __global int *restrict y, int n)
{
#pragma ii 7
    for (int i = 0; i < n; i++) // loop: II 7: #pragma ii
        y[i] = x[i];
#pragma disable_loop_pipelining
    for (int i = 0; i < n; i++) // loop: II 81: #pragma disable_loop_pipelining
        y[i] = x[i] + 1;
#pragma max_concurrency 2
    for (int i = 0; i < n; i++) // loop: II 41: #pragma max_concurrency
        y[i] = x[i] + 1;
}

// A macro makes the pragma, and a comment stands in between.
#define SLOW _Pragma("ii(3)")

__kernel void asked_otherwise(__global const int *restrict x, __global int *restrict y, int n)
{
    int i = n;
    SLOW /* three */
    do // loop: II 3: #pragma ii
        y[i] = x[i];
    while (--i > 0);
#pragma ii 2
#pragma unroll 1
    while (++i < n) // loop: II 2: #pragma ii
        y[i] = x[i];
#pragma ii 2
    for (int k = 0; k < n; k++) // loop: II 4: float add at line @+1, distance 1
        y[0] = as_int(as_float(y[0]) + as_float(x[k]));
}

// The condition is known in cycle 6, behind two products; the sum is made beside them. Before that as many iterations may begin as it says.
__kernel void speculated(__global int *restrict out, int n)
{
    int m = 0;
#pragma speculated_iterations 0
    while (m * m * m < n) // loop: II 6: #pragma speculated_iterations 0, integer comparison at line @+0 is known in cycle 6
        m++;
    out[0] = m;
#pragma speculated_iterations 1
    while (m * m * m < n + 99) // loop: II 3: #pragma speculated_iterations 1, integer comparison at line @+0 is known in cycle 6; 1 speculated iteration at its end
        m++;
    out[1] = m;
#pragma speculated_iterations 5
    while (m * m * m < n + 999) // loop: II 1; 5 speculated iterations at its end
        m++;
    out[2] = m;
#define MANY 8
#pragma speculated_iterations MANY
#pragma ii 3
    while (m * m * m < n + 9999) // loop: II 3: #pragma ii; 8 speculated iterations at its end
        m++;
    out[3] = m;
#pragma speculated_iterations 2
#pragma disable_loop_pipelining
    while (m * m * m < n + 99999) // loop: II 6: #pragma disable_loop_pipelining
        m++;
    out[4] = m;
    // How often it goes round is known before.
#pragma speculated_iterations 0
    for (int i = 0; i < n; i++) // loop: II 1
        out[i] = i;
    // No number: as if it were not there.
#pragma speculated_iterations some
    while (m * m * m < n + 999999) // loop: II 1
        m++;
    out[5] = m;
}

// One loop of each nest: sums of rows, and what is handed on from row to row as well.
__kernel void coalesced(__global const float *restrict x, __global float *restrict out, int n)
{
#pragma loop_coalesce
    for (int i = 0; i < n; i++) { // loop: II 4: float add at line @+3, distance 1; 2 loops as one
        float sum = 0;
        for (int k = 0; k < 100; k++)
            sum += x[100 * i + k];
        out[i] = sum;
    }
    int state = n;
#pragma loop_coalesce 3
    for (int i = 0; i < n; i++) // loop: II 3: integer multiply at line @+3, distance 1; 3 loops as one
        for (int k = 0; k < n; k++) {
            for (int l = 0; l < 7; l++)
                state = state * 5 ^ l;
        }
    // Two levels of three: what is left has a loop inside.
#pragma loop_coalesce 2
    for (int i = 0; i < n; i++) // loop: iterations run the loops inside
        for (int k = 0; k < n; k++) { // loop: iterations run the loops inside
            for (int l = 0; l < 9; l++) // loop: II 3: integer multiply at line @+1, distance 1
                state = state * 5 ^ l;
        }
    out[0] += state;
}

__kernel void unrolled(__global const float *restrict x, __global float *restrict out, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++) { // loop: II 16: float add at line @+3, float add at line @+3, float add at line @+3, float add at line @+3, distance 1
#pragma unroll
        for (int k = 0; k < 4; k++)
            sum += x[4 * i + k];
    }
    *out = sum;
}

__kernel void nested(__global const float *restrict x, __global float *restrict out, int n)
{
    for (int i = 0; i < n; i++) { // loop: iterations run the loops inside
        float sum = 0;
        for (int k = 0; k < 100; k++) // loop: II 4: float add at line @+1, distance 1
            sum += x[100 * i + k];
        out[i] = sum;
    }
}

int next(int state)
{
    return state * 5 + 1;
}

__kernel void helper(int n)
{
    int state = 1;
    for (int i = 0; i < n; i++) { // loop: II 4: integer multiply at line @-6, integer add at line @-6, distance 1
        state = next(state);
        write_channel_intel(results, state);
    }
}

__kernel void sink(__global int *restrict out, int n)
{
    for (int i = 0; i < n; i++) // loop: II 1
        out[i] = read_channel_intel(results) + read_channel_intel(numbers) + read_channel_intel(pair[0]) +
                 read_channel_intel(pair[1]) + read_channel_intel(other[0]) + read_channel_intel(other[1]) +
                 read_channel_intel(never);
}

__kernel void source(int n)
{
    for (int i = n; i >= 0; i--) // loop: II 1
        write_channel_intel(samples, (float)i);
}

__kernel void choose(int n)
{
    for (int i = 0; i < n; i++) // loop: II 1
        write_channel_intel(choices, i & 3);
}

// What no iteration does is nothing: the first loop is none, the second takes its time without it.
__kernel void nothing(__global const int *restrict in)
{
    int dead = 1, x = *in;
#pragma ii 5
    for (int i = 0; i < 3; i++) {
        if (((1 + i) & 3) == 0)
            write_channel_intel(never, dead);
        dead = dead * dead + 3;
    }
#pragma ii 5
    for (int i = 0; i < 3; i++) { // loop: II 5: #pragma ii
        if (((25 + i) & 3) == 0)
            write_channel_intel(never, x);
        x ^= 5;
    }
    write_channel_intel(never, x + (dead & 0));
}

// Four work-items side by side; those of a vendor's circuit that has no room for them in one access wait elsewhere.
__attribute__((num_simd_work_items(4), reqd_work_group_size(64, 1, 1)))
__kernel void lanes(__global const int *restrict in, __global int *restrict out) // loop: II 1; iterations are work-items; 4 work-items side by side
{
    out[get_global_id(0)] = in[get_global_id(0)] + 1;
}
