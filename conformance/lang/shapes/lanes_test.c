/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels whose items are computed several at once: addresses that count up with the id until a
 * number on the way wraps around, items that do not run beside items that do. The same text is the
 * kernel's function and the reference.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned short ushort;
typedef unsigned char uchar;
#define global

enum { LENGTH = 4096, ITEMS = 2048 };

static cl_int given[LENGTH], got[LENGTH], wanted[LENGTH];

typedef void item_fn(const int *in, int *out, size_t g, size_t l, size_t k, uint w);

static void set_inputs(void)
{
    for (int i = 0; i < LENGTH; i++) {
        given[i] = (cl_int)random_below(1000);
        got[i] = wanted[i] = -1;
    }
}

static void compare(cl_kernel kernel, item_fn *item, size_t offset, size_t local, uint w)
{
    size_t items = ITEMS / local * local;
    set_inputs();
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof given, given);
    cl_mem b = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof got, got);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    ARG(kernel, 2, w);
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, &offset, &items, &local, 0, NULL, NULL));
    read_back(b, sizeof got, got);
    for (size_t k = 0; k < items; k++)
        item(given, wanted, offset + k, k % local, k, w);
    for (size_t i = 0; i < LENGTH; i++)
        if (got[i] != wanted[i]) {
            check_fail(__FILE__, __LINE__, "offset %zu local %zu w %u: [%zu] is %d, not %d", offset,
                       local, w, i, got[i], wanted[i]);
            check_abandon();
        }
    RELEASE_MEM(a);
    RELEASE_MEM(b);
}

static void run(const char *text, item_fn *item, const size_t *offsets, size_t offset_count,
                const uint *widths, size_t width_count)
{
    static const size_t locals[] = {1, 3, 7, 16, 17, 63, 65, 256, 1024};
    char source[4096];
    snprintf(source, sizeof source,
             "enum { ITEMS = 2048 };\n"
             "void item(global const int *in, global int *out, size_t g, size_t l, size_t k, "
             "uint w)\n%s\n"
             "kernel void k(global const int *in, global int *out, uint w)\n"
             "{ size_t g = get_global_id(0); item(in, out, g, get_local_id(0), "
             "g - get_global_offset(0), w); }\n",
             text);
    cl_kernel kernel = new_kernel(source, "k", NULL);
    for (size_t l = 0; l < sizeof locals / sizeof *locals; l++)
        for (size_t o = 0; o < offset_count; o++)
            for (size_t w = 0; w < width_count; w++)
                compare(kernel, item, offsets[o], locals[l], widths[w]);
    RELEASE_KERNEL(kernel);
}

static const size_t near_zero[] = {0, 1, 1000};
static const size_t anywhere[] = {0, 5, 0x7ffffc00, 0xfffffbf9};
static const uint widths[] = {1, 2, 7, 16, 100, 1000, 1024};

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define SAME(name, offsets, ...)                                                                   \
    static void item_##name(const int *in, int *out, size_t g, size_t l, size_t k, uint w)         \
    {                                                                                              \
        (void)g, (void)l, (void)k, (void)w;                                                        \
        __VA_ARGS__                                                                                \
    }                                                                                              \
    static void name(void)                                                                         \
    {                                                                                              \
        run("{" #__VA_ARGS__ "}", item_##name, offsets, COUNT(offsets), widths, COUNT(widths));    \
    }

/* "or" that is a sum for the items that run, and is none for the first one of their vector. */
SAME(bits_of_items_that_run, near_zero, {
    int i = (int)g;
    if ((i & 3) == 2)
        for (int j = i | 1, c = 0; c < (int)(w % 4); j += 300, c++)
            out[j] = in[j] + 1;
})

SAME(masked_ids, anywhere, {
    uint i = (uint)g;
    out[k] = in[i & 1023] + in[(i + 5) & 255] * 3 + in[(i * 3 + w) & 1023] * 5 + in[-i & 127] +
             in[i & 15] * 7 + in[i & ~63u & 2047] + in[i & 4080];
})

SAME(masks_from_arguments, anywhere, {
    uint i = (uint)g, low = i & (w - 1), at = ((i - low) << 1) + low;
    out[k] = in[low] + in[at & 2047];
})

/* DPC++ writes i & (w - 1) with a sign bit on top, and other masks have ones and zeros anywhere. */
SAME(masks_with_gaps, near_zero, {
    uint i = (uint)g;
    out[k] = in[i & (w + 0x7fffffff)] + in[i & (w * 5 + 3)] * 3 + in[i & ~(w * 2 + 1)] * 5 +
             in[i & (0 - w * 3)] * 7;
    out[ITEMS + k] = in[i & ((w - 1) ^ 4080)] + in[(i + 3) & ~(8 * w)] * 3;
})

SAME(shifted_ids, anywhere, {
    uint i = (uint)g & 2047;
    out[k] = in[i >> 5] + in[(i >> 4) * 16 + 3] * 3 + in[((i >> 6) << 6) + (i & 63)] * 5;
    out[ITEMS + k] = in[((int)((uint)g - 77) >> 3) & 1023] + in[(int)l >> 1];
})

SAME(rows_and_columns, near_zero, {
    uint i = (uint)g;
    int s = (int)g - 3;
    out[k] = in[i / w] + in[i % w] * 3;
    out[ITEMS + k] =
        in[(g / w) % 100] + in[(size_t)(g % w) + 1] * 3 + in[s / (int)w + 3] + in[s % (int)w + 3];
})

/* Neighbours up to a bound, where some items or all of a vector meet it: above, below, at 0,
 * around. */
SAME(bounded_ids, near_zero, {
    int i = (int)g, n = (int)w + 1000, z = 2047 - (int)k;
    uint u = (uint)g;
    int low = i - (int)w > 0 ? i - (int)w : 0, high = i + 5 < n ? i + 5 : n;
    uint rest = u > w ? u - w : 0;
    int far = i - n < 0 ? n - i : i - n, next = i == (int)w ? 0 : i + 1;
    int back = i<n ? i : 4095 - i, down = z>(int) w ? z : (int)w;
    out[k] = in[low] + in[high] * 3 + in[rest] * 5 + in[far] * 7 + in[next] * 11 + in[back] * 13 +
             in[down] * 17;
})

/* Every other one, of ints and of what an int holds two or four of; under a guard and for some. */
SAME(every_other_one, near_zero, {
    global const char *c = (global const char *)in;
    global const short *s = (global const short *)in;
    int i = (int)(g & 1023), far = (int)(g + w) < 1500 ? (int)(g + w) : 1500;
    out[k] = in[2 * i] + in[2 * i + 3] * 3 + s[2 * i + 1] * 5 + c[2 * i] * 7 + in[2 * far] * 11;
    if (in[i] & 1)
        out[k] += in[2 * i + 5] * 13;
})

/* Records of two, three and five: whole ones, without their last field, without one in the middle;
 * for all items and for some. */
SAME(whole_records, near_zero, {
    int i = (int)k - 400;
    if (k < 1100 && k >= 400) {
        int a = in[3 * i] + in[2 * i] * 3 + in[2 * i + 1], b = in[3 * i + 1], c = in[3 * i + 2];
        out[3 * i] = b - c;
        out[3 * i + 1] = a + in[5 * i] + in[5 * i + 4] * 5;
        out[3 * i + 2] = a * 7 + in[5 * i + 1] * 9 + in[5 * i + 3];
    }
})

SAME(records_for_some, near_zero, {
    int i = (int)(k & 1023);
    if (k < 1024 && in[3 * i + 1] % 5 != (int)(w % 5)) {
        int a = in[3 * i], c = in[3 * i + 2];
        out[3 * i + 2] = a - in[4 * i];
        out[3 * i] = c + in[4 * i + 3];
        if (a & 1)
            out[3 * i + 1] = in[3 * i + 1] + (int)w;
    }
})

SAME(small_records, near_zero, {
    global const uchar *p = (global const uchar *)in;
    global const short *q = (global const short *)in;
    global uchar *o = (global uchar *)out;
    uchar r = p[3 * k];
    uchar b = p[3 * k + 2];
    o[3 * k] = b;
    o[3 * k + 1] = (uchar)(p[3 * k + 1] + r + q[3 * k] + q[3 * k + 1] * 3 + q[3 * k + 2]);
    o[3 * k + 2] = (uchar)(r + w);
})

/* Quotients of what counts by multiples. */
SAME(halved_ids, anywhere, {
    int i = (int)(k * 6 + w) - 40, j = (int)k * -4 + 5000;
    uint u = (uint)g * 4 + w;
    size_t tens = k * 10 + w;
    out[k] = in[(i / 6 + 8) & 4095] + in[((i >> 1) + 30) & 4095] * 3 + in[(u >> 2) & 4095] * 5 +
             in[tens / 10] * 7 + in[(j >> 2) & 4095] * 11 + in[(j / 4 + 4096) & 4095] * 13;
})

/* Sums of longs that end as an int. */
SAME(cut_longs, near_zero, {
    int i = (int)(g + (size_t)w);
    int o = (int)(k + (size_t)w * 2 - w - w);
    out[o] = in[i] * 3;
})

/* Branches on which all items agree lead into what only some of them run. */
SAME(mixed_branches, near_zero, {
    int x = in[k], r = 0;
    if (w & 1) {
        if (x & 4)
            goto both;
        r = 3;
        if (w & 2)
            goto last;
    } else if (w & 4) {
        if (x % 3 == 0)
            goto last;
        r = 5;
    } else {
        r = x;
        goto both;
    }
    r += 7;
both:
    r = r * 3 + (x >> 1);
    for (uint n = 0; n < (w & 7); n++) {
        if (w & 2) {
            if (x & 1)
                continue;
            r++;
        }
        r ^= x + (int)n;
    }
last:
    out[k] = r + 1;
})

/* From the first item of a vector to the last one, the number wraps around to a little above. */
SAME(masked_long_strides, anywhere, {
    uint i = (uint)g, high = ~0u << (w & 31);
    out[k] = in[((i * 286331154u) & high) >> 24] + in[((i * 613566757u) & high) >> 24] * 3;
})

/* The sum wraps around in the middle of a vector. */
SAME(unsigned_sums, near_zero, {
    uint i = (uint)k + (0xfffffbf0u - w / 2);
    ulong j = i;
    out[k] = in[j - (j >> 31 << 32) + 2048];
    out[ITEMS + k] = in[(size_t)(ushort)(0xff80 + k) & 4095];
})

SAME(narrow_signed_ids, anywhere,
     { out[k] = in[(signed char)g + 128] + in[(short)(g * 8) / 16 + 2048] * 3; })

SAME(where_items_differ, near_zero, {
    int s = 0;
    for (int j = (int)l; j < (int)w; j += 5) {
        if (in[j] & 1)
            s += in[((uint)j + (uint)k) & 511];
        else if (in[j] % 7 == 3)
            continue;
        else if ((in[j + k % 3] & 31) == 8)
            break;
        if (s & 4)
            s ^= in[(g & 255) / 16 * 16 + j % 16];
    }
    if (s & 2)
        out[ITEMS + ((uint)g & 2047)] = s;
    out[k] = s;
})

/* Elements in equal steps, some of them beside each other. */
SAME(records, near_zero, {
    if (k < 1300 && in[k] % 5) {
        int r = in[3 * k];
        int b = in[3 * k + 2];
        if (in[k] & 1)
            r += in[3 * k + 1] * 7;
        out[3 * k + 2] = r;
        out[3 * k + 1] = b ^ r;
        if (b & 1)
            out[3 * k] = b;
    }
})

SAME(fields, near_zero, {
    if (k < 1020) {
        int w0 = in[4 * k + 3];
        int x0 = in[4 * k];
        int y0 = in[4 * k + 1];
        int next = in[4 * k + 5];
        out[4 * k + 1] = w0 - x0;
        out[4 * k] = y0 * 3 + next;
        out[4 * k + 3] = in[2 * k + 1] + in[2 * k];
    }
})

SAME(bytes_of_pixels, near_zero, {
    global const uchar *from = (global const uchar *)in;
    global uchar *to = (global uchar *)out;
    uint r = from[3 * k], g0 = from[3 * k + 1], b = from[3 * k + 2];
    to[2 * k] = (r * 77 + g0 * 151 + b * 28) >> 8;
    if (r & 1)
        to[2 * k + 1] = g0;
})

/* What two shorts hold, as bytes. */
SAME(regrouped_bytes, near_zero, {
    union {
        short pair[2];
        char bytes[4];
    } u;
    u.pair[0] = (short)in[k];
    u.pair[1] = (short)(in[k + 1] * 3);
    out[k] = u.bytes[0] + u.bytes[1] * 3 + u.bytes[2] * 5 + (u.bytes[3] ^ (int)w);
    if (in[k] & 1)
        out[k] += u.bytes[3] / 3;
})

SAME(small_private_arrays, near_zero, {
    int a[5];
    for (int j = 0; j < 5; j++)
        a[j] = in[k + j];
    for (int j = 0; j < in[k] % 9; j++) {
        a[j % 5] += a[(j + in[j]) % 5] & 0xffff;
        a[2] ^= a[1] + j;
    }
    out[k] = a[0] + a[1] * 3 + a[2] * 5 + (a[3] ^ a[4]);
})

/* Arrays of one item, at indices that items agree on and at their own ones. */
SAME(private_bytes, near_zero, {
    uchar a[41];
    short h[24];
    for (int j = 0; j < 41; j++)
        a[j] = in[k + j];
    for (int j = 0; j < 24; j++)
        h[j] = in[j] - 500;
    for (uint j = 0; j < w % 40; j++) {
        if (in[k + j] % 3)
            a[j] += a[in[k + j] % 41];
        if (a[j] & 4)
            h[(a[j] + j) % 24] -= a[40 - j] * 9;
        h[j % 24] ^= h[(j + 7) % 24] + (short)l;
    }
    for (int j = 0; j < 41; j++)
        out[k] = (int)((uint)out[k] * 3 + (uint)(a[j] + h[j % 24]));
})

SAME(private_words, near_zero, {
    double d[9];
    ulong u[6] = {0};
    int table[12] = {5, 3, 8, 1, 0, 2, 9, 4, 7, 6, 11, 10};
    for (int j = 0; j < 9; j++)
        d[j] = in[k + j] * 0.25;
    for (int j = 0; in[k + j] % 5 && j < 30; j++) {
        int at = table[in[k + j] % 12];
        table[j % 12] = table[at] ^ 1;
        u[j % 6] += in[at] * 0x100000001l;
        u[at % 6] ^= u[(j + 1) % 6] << (j & 7);
        if (in[j] & 1)
            d[at % 9] = d[j % 9] * 0.5 + at;
        table[j % 12] %= 12;
    }
    for (int j = 0; j < 12; j++)
        out[k] = (int)((uint)out[k] * 7 +
                       (uint)(table[j] + (int)(u[j % 6] ^ u[j % 6] >> 32) + (int)d[j % 9]));
})

SAME(private_structs, near_zero, {
    struct pair {
        int x;
        float y;
    } p[10];
    int m[4][5];
    for (int j = 0; j < 10; j++) {
        p[j].x = in[k + j];
        p[j].y = in[j] * 0.5f;
        m[j % 4][j / 2] = in[k + j] % 10;
        m[(j + 2) % 4][j / 2] = j;
    }
    for (uint j = 0; j < w % 23; j++) {
        p[m[j % 4][j % 5] % 10].x += (int)p[(j + k) % 10].y + in[j];
        m[(k + j) % 4][j % 5] = (p[j % 10].x & 15) % 10;
        p[l % 10].y = p[9 - l % 10].x % 100 * 0.5f;
    }
    for (int j = 0; j < 10; j++)
        out[k] = (int)((uint)out[k] * 5 + (uint)(p[j].x + (int)p[j].y + m[j % 4][j % 5]));
})

/* Rows that change places, and arrays that are looked at in other ways than item after item. */
SAME(private_rows, near_zero, {
    int a[18];
    int b[18];
    int *last = a;
    int *next = b;
    for (int j = 0; j < 18; j++)
        a[j] = in[j], b[j] = j;
    for (uint j = 0; j < w % 12; j++) {
        for (int n = 1; n < 17; n++)
            next[n] = (last[n - 1] + last[n + 1] * 3 + in[k + n] % 7) & 0xffff;
        int *t = last;
        last = next;
        next = t;
        if (in[k + j] & 1)
            next = last;
    }
    for (int j = 0; j < 18; j++)
        out[k] = (int)((uint)out[k] * 3 + (uint)(last[j] - next[j]));
})

SAME(private_casts, near_zero, {
    int a[16];
    uint s[8];
    uchar *bytes = (uchar *)a;
    uint *into = s + in[k] % 8;
    for (int j = 0; j < 16; j++)
        a[j] = in[k + j] * 77777, s[j & 7] = j;
    for (uint j = 0; j < w % 50; j++) {
        bytes[(in[j] + j) % 64] += j;
        *into += (uint)a[j % 16];
        into = s + *into % 8;
    }
    for (int j = 0; j < 16; j++)
        out[k] = (int)((uint)out[k] * 3 + (uint)((uint)a[j] + s[j & 7]));
})

static int one_of_four(int x, int which)
{
    const int all[] = {x, x / 3, x - 7, x ^ 5};
    return all[which & 3];
}

/* Truth of vectors lives across a barrier, and so do what a switch over all values chose and what a
 * loop counted that each item leaves in a turn of its own. */
static void truth_across_barriers(void)
{
    cl_kernel kernel =
        new_kernel("kernel void k(global const int *in, global int *out, local int *t)\n"
                   "{\n"
                   "    int l = get_local_id(0), g = get_global_id(0);\n"
                   "    int4 a = (int4)(in[g], in[g + 1], in[g + 2], in[g + 3]);\n"
                   "    int4 c = a * 3 < a.yzwx * 2;\n"
                   "    int d;\n"
                   "    switch (a.y & 3) {\n"
                   "    case 0: d = a.x; break;\n"
                   "    case 1: d = a.x / 3; break;\n"
                   "    case 2: d = a.x - 7; break;\n"
                   "    case 3: d = a.x ^ 5; break;\n"
                   "    }\n"
                   "    int turns = 0;\n"
                   "    do turns = turns * 3 + 1; while (turns < a.z);\n"
                   "    t[l] = a.x;\n"
                   "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                   "    int o = t[get_local_size(0) - 1 - l];\n"
                   "    int4 r = select((int4)(o), (int4)(1, 2, 3, 4), c);\n"
                   "    out[g] = r.x + r.y * 3 + r.z * 5 + r.w * 7 + d * 11 + turns * 13;\n"
                   "}\n",
                   "k", NULL);
    enum { LOCAL = 37, GROUPS = 9 };
    set_inputs();
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof given, given);
    cl_mem b = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof got, got);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    REQUIRE_OK(clSetKernelArg(kernel, 2, LOCAL * sizeof(cl_int), NULL));
    run_1d(kernel, LOCAL * GROUPS, LOCAL);
    read_back(b, sizeof got, got);
    for (int i = 0; i < LOCAL * GROUPS; i++) {
        int first = i / LOCAL * LOCAL, o = given[first + LOCAL - 1 - i % LOCAL], sum = 0;
        for (int e = 0; e < 4; e++)
            sum += (given[i + e] * 3 < given[i + (e + 1) % 4] * 2 ? e + 1 : o) * (2 * e + 1);
        int turns = 0;
        do
            turns = turns * 3 + 1;
        while (turns < given[i + 2]);
        CHECK_EQ(got[i], sum + one_of_four(given[i], given[i + 1]) * 11 + turns * 13);
    }
    RELEASE_MEM(a);
    RELEASE_MEM(b);
    RELEASE_KERNEL(kernel);
}

/* A loop that does nothing but wait: many items at once, those that are left over fewer at once.
 * Halves are exact, multiplied and added at once or not. */
SAME(waiting, near_zero, {
    float x = (float)in[g % 4096];
    for (int n = 0; n < 37; n++)
        x = x * 0.5f + 3.0f;
    out[k] += (int)(x * 4096.0f) + (int)w;
})
SAME(some_waiting, near_zero, {
    if (k >= w)
        return;
    float x = (float)in[g % 4096];
    for (int n = 0; n < 37; n++)
        x = x * 0.5f + 3.0f;
    out[k] += (int)(x * 4096.0f) + (int)w;
})
SAME(waiting_for_each, near_zero, {
    float x = (float)in[g % 4096];
    for (uint n = 0; n < w; n++)
        x = x * 0.5f + 3.0f;
    out[k] += (int)(x * 4096.0f) + (int)w;
})

/* Some items loop, the others are done: the width says how many. */
SAME(packed, anywhere, {
    int x = in[g % 4096];
    if (x < (int)w) {
        out[k] = x;
        return;
    }
    int steps = 0;
    while (x > 1 && steps < 300) {
        x = (x & 1) ? 3 * x + 1 : x >> 1;
        steps++;
    }
    out[k] = steps * 3 + (int)w;
})

/* What follows is for all of them; what they carry along is of several sizes. */
SAME(packed_and_joined, near_zero, {
    int x = in[g % 4096], r = x * 5;
    uchar small = (uchar)x;
    short middle = (short)(x * 33);
    long large = (long)x << 33;
    bool odd = x & 1;
    float real = (float)x * 0.25f;
    const global int *from = odd ? in + 7 : in + 1000;
    if (x % 16 >= (int)(w % 16)) {
        uint a = (uint)x + 77;
        for (int i = 0; i < 9 + small % 5; i++)
            a = a * 1664525u + 1013904223u + (uint)from[(a >> 20) & 1023];
        r = (int)(a >> 8) + middle + (int)(large >> 31) + (int)real + odd + small;
    }
    out[k] += r;
    out[ITEMS + k] = (int)g - r;
})

/* Behind another guard, with several ways to go on. */
SAME(packed_behind_guard, near_zero, {
    uint i = (uint)g;
    if (k >= 1500 || in[i & 2047] % 7 == 3)
        return;
    int x = in[i], y = in[i + 1];
    if (x > y) {
        int d = x - y;
        for (int n = 0; n < d; n += 1 + (d >> 3)) {
            x = (x * 31 + y) % 1009;
            if (x == 500)
                break;
            if (x & 4)
                y ^= x;
            else
                y += n;
        }
        if (x & 1) {
            out[k] = x * 7 + y;
            return;
        }
        out[k] -= y;
    }
    out[ITEMS + k] = x + (int)w;
})

/* Each item runs once. */
SAME(packed_once, near_zero, {
    int x = in[k & 1023];
    if (in[(x + (int)w) & 4095] % 3 == 0) {
        uint a = (uint)(x + 1);
        for (int n = 0; n < 200 && a % 101; n++)
            a = a * 5 + 1;
        x = (int)(a & 0xffff);
    }
    out[k] += x;
})

/* Behind the branch items go ways that have no vector form, for they meet in two places. */
SAME(packed_in_turn, near_zero, {
    int x = in[g % 4096];
    if (x >= 300) {
        for (int n = 0; n < 200 && x % 37; n++)
            x = (x * 13 + 7) & 1023;
        if (w & 1) {
            if (x & 1)
                goto odd;
            x += 1;
        } else {
            if (x & 2)
                goto odd;
            x -= 1;
        }
        x *= 3;
        goto end;
    odd:
        x ^= 5;
    }
end:
    out[k] += x;
})

/* Places in the group are those of the item, not of its place among the packed ones. */
SAME(packed_with_local_id, near_zero, {
    int x = in[k & 1023];
    if (x % 3 == 0) {
        uint a = (uint)(x + 1);
        for (int n = 0; n < 200 && a % 101; n++)
            a = a * 5 + 1;
        out[k] += (int)(a & 0xffff) + (int)l * 3;
        return;
    }
    out[ITEMS + k] = x - (int)w;
})

static const struct test_case cases[] = {
    CASE(waiting),
    CASE(some_waiting),
    CASE(waiting_for_each),
    CASE(packed),
    CASE(packed_and_joined),
    CASE(packed_behind_guard),
    CASE(packed_once),
    CASE(packed_in_turn),
    CASE(packed_with_local_id),
    CASE(bits_of_items_that_run),
    CASE(masked_ids),
    CASE(bounded_ids),
    CASE(every_other_one),
    CASE(halved_ids),
    CASE(cut_longs),
    CASE(whole_records),
    CASE(records_for_some),
    CASE(small_records),
    CASE(mixed_branches),
    CASE(masks_from_arguments),
    CASE(masks_with_gaps),
    CASE(masked_long_strides),
    CASE(shifted_ids),
    CASE(rows_and_columns),
    CASE(unsigned_sums),
    CASE(narrow_signed_ids),
    CASE(where_items_differ),
    CASE(truth_across_barriers),
    CASE(records),
    CASE(fields),
    CASE(bytes_of_pixels),
    CASE(regrouped_bytes),
    CASE(small_private_arrays),
    CASE(private_bytes),
    CASE(private_words),
    CASE(private_structs),
    CASE(private_rows),
    CASE(private_casts),
};
TEST_MAIN("lanes", cases)
