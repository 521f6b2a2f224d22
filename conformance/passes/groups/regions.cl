/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of regions_*.c: each computes what the C function of the same name expects. No builtin
 * is called that the passes do not lower. */

size_t flat_index(void)
{
    size_t x = get_global_id(0) - get_global_offset(0);
    size_t y = get_global_id(1) - get_global_offset(1);
    size_t z = get_global_id(2) - get_global_offset(2);
    return (z * get_global_size(1) + y) * get_global_size(0) + x;
}

__kernel void flat_ids(__global ulong *out)
{
    out[flat_index()] = get_global_id(0) + 1000 * get_global_id(1) + 1000000 * get_global_id(2);
}

__kernel void all_ids(__global ulong *out)
{
    __global ulong *o = out + 16 * flat_index();
    for (uint d = 0; d < 4; d++) {
        o[d] = get_local_id(d) + 100 * get_local_size(d);
        o[4 + d] = get_group_id(d) + 100 * get_num_groups(d);
        o[8 + d] = get_global_id(d) + 1000 * get_global_size(d);
        o[12 + d] = get_global_offset(d);
    }
    o[15] = get_work_dim();
}

__kernel void narrow_ids(__global int *out, int n)
{
    int x = get_global_id(0), l = get_local_id(0);
    if (x < n)
        out[x] = 3 * x + l;
}

/* One writes per item, the other counts the items of each column. */
__kernel void narrow_rows(__global ulong *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[flat_index()] = (ulong)(long)x + 1000 * y + 1000000 * (int)get_global_id(2);
}

__kernel void narrow_columns(__global ulong *out)
{
    int x = get_global_id(0);
    size_t at = get_global_id(0) - get_global_offset(0);
    out[2 * at] = (ulong)(long)x;
    out[2 * at + 1] += 1;
}

__kernel void reduce(__global const int *in, __global int *out, __local int *s)
{
    size_t l = get_local_id(0), n = get_local_size(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t split = (n + 1) / 2; n > 1; n = split, split = (n + 1) / 2) {
        if (l + split < n)
            s[l] += s[l + split];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}

__kernel void scan(__global const int *in, __global int *out, __local int *a, __local int *b)
{
    size_t l = get_local_id(0), n = get_local_size(0);
    a[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t step = 1; step < n; step *= 2) {
        b[l] = l >= step ? a[l] + a[l - step] : a[l];
        barrier(CLK_LOCAL_MEM_FENCE);
        __local int *t = a;
        a = b;
        b = t;
    }
    out[get_global_id(0)] = a[l];
}

#define TILE 8
__kernel void tiled_matmul(__global const float *a, __global const float *b, __global float *c,
                           int n)
{
    __local float ta[TILE][TILE], tb[TILE][TILE];
    int x = get_global_id(0), y = get_global_id(1);
    int lx = get_local_id(0), ly = get_local_id(1);
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        ta[ly][lx] = a[y * n + t + lx];
        tb[ly][lx] = b[(t + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum += ta[ly][k] * tb[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}

__kernel void both_arms(__global int *out, __local int *s, int which)
{
    int l = get_local_id(0), n = get_local_size(0), v;
    s[l] = l * l;
    if (which & 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        v = s[n - 1 - l];
        if (which & 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            s[l] = v + 1;
            barrier(CLK_LOCAL_MEM_FENCE);
            v += s[(l + 1) % n];
        }
    } else {
        v = 7 * l;
        barrier(CLK_LOCAL_MEM_FENCE);
        v += s[(l + 1) % n];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = v;
}

__kernel void early_return(__global int *out, __local int *s, int limit)
{
    int l = get_local_id(0), n = get_local_size(0);
    if ((int)get_group_id(0) >= limit)
        return;
    s[l] = l + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (s[0] + limit == 3)
        return;
    out[get_global_id(0)] = s[n - 1 - l];
    barrier(CLK_GLOBAL_MEM_FENCE);
}

__kernel void do_while(__global int *out, __local int *s, int rounds)
{
    int l = get_local_id(0), n = get_local_size(0);
    int a = 1, b = l, round = 0;
    do {
        s[l] = a + b;
        barrier(CLK_LOCAL_MEM_FENCE);
        int t = s[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
        s[l] = t * 3;
        barrier(CLK_LOCAL_MEM_FENCE);
        a = b;
        b = s[(l + n - 1) % n] & 0xffff;
        barrier(CLK_LOCAL_MEM_FENCE);
        round++;
    } while (round < rounds);
    out[get_global_id(0)] = 1000 * a + b + round;
}

__kernel void nested_loops(__global int *out, __local int *s, int n1, int n2)
{
    int l = get_local_id(0), n = get_local_size(0), v = l;
    for (int i = 0; i < n1; i++) {
        s[l] = v + i;
        for (int j = 0; j < i + n2; j++) {
            barrier(CLK_LOCAL_MEM_FENCE);
            int t = s[(l + j) % n];
            barrier(CLK_LOCAL_MEM_FENCE);
            if (j == 5)
                break;
            if (t & 1)
                s[l] = t + j;
            else
                s[l] ^= t;
        }
        v += s[l] & 255;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = v;
}

__kernel void private_array(__global int *out, __local int *s, int pick)
{
    int l = get_local_id(0), n = get_local_size(0);
    int a[8];
    for (int i = 0; i < 8; i++)
        a[(i * 3 + pick) & 7] = i * l;
    s[l] = a[(l + pick) & 7];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l & 7] = s[(l + 1) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum = sum * 5 + a[(i + pick) & 7];
    out[get_global_id(0)] = sum;
}

__kernel void big_array(__global int *out, int pick)
{
    int a[3000];
    int g = get_global_id(0);
    for (int i = 0; i < 3000; i++)
        a[i] = i * g;
    for (int i = 0; i < 3000; i++)
        a[(i * 7 + pick) % 3000] += a[(i + pick) % 3000];
    out[g] = a[pick] + a[(pick + g) % 3000];
}

__kernel void big_array_crossing(__global int *out, int pick)
{
    int a[1500];
    int g = get_global_id(0);
    for (int i = 0; i < 1500; i++)
        a[i] = (i + pick) * g;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = a[pick % 1500] + a[(pick + g) % 1500];
}

__kernel void odd_types(__global const double *in, __global double *out, __local int *s)
{
    int g = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
    double4 d = (double4)(in[g], 2, 3, in[g] * 2);
    float3 f = (float3)(in[g], 1, 2);
    long16 w = (long16)(g) + (long16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    char c = (char)g;
    bool flag = in[g] > 0.5;
    s[l] = flag;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (flag)
        d += (double4)(s[(l + 1) % n]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = d.x + d.y + d.z + d.w + f.x + f.y + f.z + w.s0 + w.sf + c + (flag ? 100 : 0);
}

struct pair {
    int a;
    float b[4];
    short c;
};

__kernel void by_value(__global float *out, struct pair p, float3 v, char q, struct pair r)
{
    int g = get_global_id(0);
    p.b[g & 3] += g;
    p.a++;
    out[g] = p.b[0] + p.b[1] + p.b[2] + p.b[3] + p.a + p.c + v.x + v.y + v.z + q + r.b[g & 3];
}

__kernel void divide(__global const int *a, __global const int *b, __global int *out)
{
    int g = get_global_id(0);
    out[4 * g] = a[g] / b[g];
    out[4 * g + 1] = a[g] % b[g];
    out[4 * g + 2] = (uint)a[g] / (uint)b[g];
    out[4 * g + 3] = a[g] / 7 + a[g] % -1;
}

int neighbour(__local int *s, int v)
{
    int l = get_local_id(0), n = get_local_size(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    return s[(l + 1) % n];
}

__kernel void inner(__global int *out, int add)
{
    __local int tile[64];
    int g = get_global_id(0);
    out[g] = neighbour(tile, g + add);
}

__kernel void outer(__global int *out, int add)
{
    __local int mine[64];
    inner(out, add);
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] += neighbour(mine, 2 * get_global_id(0));
}

__kernel void cases(__global int *out, __local int *s, int rounds)
{
    int l = get_local_id(0), n = get_local_size(0), v = l;
    for (int i = 0;; i++) {
        switch (i % 3) {
        case 0:
            s[l] = v;
            barrier(CLK_LOCAL_MEM_FENCE);
            v += s[n - 1 - l];
            break;
        case 1:
            v ^= 5;
            break;
        default:
            barrier(CLK_LOCAL_MEM_FENCE);
            s[l] = v * 2;
            barrier(CLK_LOCAL_MEM_FENCE);
            v = s[(l + 2) % n] & 0xfffff;
        }
        if (i == rounds)
            break;
    }
    out[get_global_id(0)] = v;
}

__kernel void edges(__global int *out)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[flat_index()] = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

__kernel void shared_flag(__global const int *in, __global int *out)
{
    __local int any;
    int l = get_local_id(0), g = get_global_id(0), rounds = 0;
    do {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0)
            any = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (in[g] > rounds)
            any = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        rounds++;
    } while (any);
    out[g] = rounds;
}

__kernel __attribute__((reqd_work_group_size(4, 2, 1))) void required(__global int *out)
{
    __local int s[8];
    int l = get_local_id(1) * 4 + get_local_id(0);
    s[l] = get_local_size(0) * 10 + get_local_size(1);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[flat_index()] = s[7 - l] + l;
}

__kernel void speaks(__global int *out)
{
    int g = get_global_id(0);
    out[g] = printf("%d %s %5.2f %v3hld %*p|%%|%c\n", g, "text", 1.5f, (int3)(g, 2, 3), 7, out, 'x');
}

__kernel void rows(__global const int *in, __global int *out, int width, int rounds)
{
    int x = get_global_id(0) - get_global_offset(0), sum = x;
    int y = get_global_id(1) - get_global_offset(1);
    int z = get_global_id(2) - get_global_offset(2);
    for (int k = 0; k < rounds + y; k++) {
        int v = in[k * width + x];
        sum = v & 1 ? sum * 3 + v : sum - v;
        if (k == width - 31)
            break;
        if (k + z == 7)
            continue;
        sum ^= in[x + 2] + k;
    }
    out[flat_index()] = sum;
}

__kernel void rows_nested(__global const int *in, __global int *out, int width, int rounds)
{
    int x = get_local_id(0), n = get_local_size(0), sum = 0, other = 1;
    int base = get_group_id(0);
    for (int i = 0; i < rounds; i++) {
        for (int k = i; k < rounds; k++) {
            sum += in[k * width + x] * (i + 1);
            other = other * 5 + sum;
        }
        if (i & 1)
            other -= in[base + x];
    }
    for (int k = n; k > 3; k -= 3)
        sum += in[k + x];
    out[flat_index()] = sum + other;
}

__kernel void rows_and_barriers(__global const int *in, __global int *out, __local int *s,
                                int rounds)
{
    int l = get_local_id(0), n = get_local_size(0), sum = 0;
    int g = get_global_id(0) - get_global_offset(0);
    for (int i = 0; i < 3; i++) {
        s[l] = in[g + i] + sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < n; k++)
            sum += s[k] * (k + rounds) - in[l + k];
        int limit = s[0] & 7;
        for (int k = 0; k < rounds; k++)
            sum += in[(k + i) * 2 + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += limit;
    }
    out[g] = sum;
}

#define STEP(b)                                                                                    \
    if (n & (1 << ((b) % 10))) {                                                                   \
        s[l] = v + (b);                                                                            \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        v += s[(l + (b)) % z] * 3;                                                                 \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
    } else {                                                                                       \
        v ^= (b);                                                                                  \
    }
#define STEPS(b) STEP(b) STEP(b + 1) STEP(b + 2) STEP(b + 3) STEP(b + 4)
__kernel void many_barriers(__global int *out, __local int *s, int n)
{
    int l = get_local_id(0), z = get_local_size(0), v = l;
    for (int i = 0; i < 3 + (n & 1); i++) {
        STEPS(0)
        STEPS(5)
        STEPS(10)
        STEPS(15)
        STEPS(20)
        STEPS(25)
    }
    out[get_global_id(0)] = v;
}
