/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private arrays of few elements, at indices that each work-item has for itself: all elements are
 * looked at there, of items that run. The same text is the kernel's function and the reference.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdio.h>
#include <string.h>

typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned char uchar;
typedef struct {
    int x, y;
} int2; /* as far as it is used here */

enum { ITEMS = 1021, EACH = 8 };

static cl_int given[ITEMS * EACH], got[ITEMS], wanted[ITEMS];

typedef int item_fn(const int *in, int n);

static void run(const char *text, item_fn *item)
{
    static const size_t locals[] = {1, 3, 16, 17, 63, 256, 1021};
    char source[4096];
    snprintf(source, sizeof source,
             "int item(global const int *in, int n)\n%s\n"
             "kernel void k(global const int *in, global int *out, int n, int items)\n"
             "{ int g = get_global_id(0); if (g < items) out[g] = item(in + %d * g, n); }\n",
             text, EACH);
    cl_kernel kernel = new_kernel(source, "k", NULL);
    for (size_t i = 0; i < LEN(given); i++)
        given[i] = (cl_int)random_below(1 << 20);
    cl_mem in = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof given, given);
    cl_mem out = new_buffer(0, sizeof got, NULL);
    cl_int items = ITEMS;
    ARG(kernel, 0, in);
    ARG(kernel, 1, out);
    ARG(kernel, 3, items);
    for (size_t l = 0; l < LEN(locals); l++)
        for (cl_int n = 0; n <= EACH; n += 4) {
            size_t local = locals[l], global = (ITEMS + local - 1) / local * local;
            ARG(kernel, 2, n);
            REQUIRE_OK(
                clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
            read_back(out, sizeof got, got);
            for (size_t i = 0; i < ITEMS; i++)
                wanted[i] = item(given + EACH * i, n);
            for (size_t i = 0; i < ITEMS; i++)
                if (got[i] != wanted[i]) {
                    check_fail(__FILE__, __LINE__, "local %zu n %d: [%zu] is %d, not %d", local, n,
                               i, got[i], wanted[i]);
                    check_abandon();
                }
        }
    RELEASE_MEM(in);
    RELEASE_MEM(out);
    RELEASE_KERNEL(kernel);
}

#define SAME(name, ...)                                                                            \
    static int item_##name(const int *in, int n)                                                   \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }                                                                                              \
    static void name(void)                                                                         \
    {                                                                                              \
        run("{" #__VA_ARGS__ "}", item_##name);                                                    \
    }

/* The least three, in order. */
SAME(insertions, {
    float least[3];
    int last = -1;
    for (int i = 0; i < 3; i++)
        least[i] = 1e6f;
    for (int i = 0; i < n; i++) {
        float d = (float)(in[i] % 1000);
        int j = 0, k;
        for (j = 0; j < 3 && d > least[j]; j++)
            ;
        if (j < 3) {
            for (k = 2; k > j; k--)
                least[k] = least[k - 1];
            least[j] = d;
            if (j == 2)
                last = i;
        }
    }
    return (int)(least[0] + 3 * least[1]) + (n > 2 ? (int)least[2] * 7 : 0) + last;
})

SAME(counts, {
    uint c[5] = {0, 0, 0, 0, 0};
    for (int i = 0; i < n; i++)
        c[in[i] % 5] += (uint)i + 1;
    return (int)(c[0] + c[1] * 10 + c[2] * 100 + c[3] * 1000 + c[in[0] % 5] * 10000);
})

/* Words and less; as many as are looked at, and one more. */
SAME(bytes, {
    uchar a[8] = {3, 1, 4, 1, 5, 9, 2, 6};
    for (int i = 0; i < n; i++) {
        int j = in[i] & 7;
        int k = in[i] >> 3 & 7;
        uchar t = a[j];
        a[j] = (uchar)(a[k] + 1);
        a[k] = t;
    }
    return a[0] + a[1] * 2 + a[2] * 3 + a[3] * 5 + a[4] * 7 + a[5] * 11 + a[6] * 13 + a[7] * 17;
})

SAME(shorts, {
    short a[9];
    for (int i = 0; i < 9; i++)
        a[i] = (short)(in[i & 7] - 30000);
    for (int i = 0; i < n; i++)
        a[in[i] % 9] ^= a[(in[i] >> 5) % 9];
    return a[0] + a[1] * 2 + a[2] * 3 + a[3] * 5 + a[4] * 7 + a[5] * 11 + a[6] + a[7] - a[8];
})

SAME(longs, {
    long a[2];
    a[0] = in[0];
    a[1] = -in[1];
    for (int i = 0; i < n; i++)
        a[in[i] & 1] = a[in[i] >> 1 & 1] * 31 + in[i];
    return (int)(a[0] ^ a[1] ^ a[0] >> 32 ^ a[1] >> 32);
})

SAME(doubles, {
    double a[4] = {1, 2, 3, 4};
    for (int i = 0; i < n; i++)
        a[in[i] & 3] += a[in[i] >> 2 & 3] / 4;
    return (int)(a[0] * 64 + a[1] * 128 + a[2] * 256 + a[3] * 512);
})

/* Of items that do not run the index may be anything. */
SAME(far_away, {
    int a[4] = {1, 2, 3, 4};
    int sum = 0;
    for (int i = 0; i < n; i++) {
        int j = in[i] * 4099 - 77;
        if (j >= 0 && j < 4)
            a[j] = i;
        if ((in[i] & 15) < 4)
            a[in[i] & 15] += 100;
        if ((in[i] & 7) < 4)
            sum += a[in[i] & 7] * (i + 1);
    }
    return sum + a[0] + a[1] * 3 + a[2] * 5 + a[3] * 7;
})

SAME(planes, {
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int *row = m[in[0] & 1];
    for (int i = 0; i < n; i++) {
        m[in[i] & 1][in[i] % 3] += in[i] & 255;
        row[in[i] >> 3 & 1] -= i;
    }
    return m[0][0] + m[0][1] * 3 + m[0][2] * 5 + m[1][0] * 7 + m[1][1] * 11 + m[1][2] * 13;
})

SAME(records, {
    struct {
        int key;
        float weight;
    } a[3] = {{1, 2}, {3, 4}, {5, 6}};
    for (int i = 0; i < n; i++) {
        int j = in[i] % 3;
        a[j].key += in[i] & 1023;
        a[(j + 1) % 3].weight += (float)(a[j].key & 15);
        if (in[i] & 64)
            a[in[i] % 3] = a[(in[i] >> 7) % 3];
    }
    return a[0].key + a[1].key * 3 + a[2].key * 5 + (int)(a[0].weight + a[1].weight * 7) +
           (int)a[2].weight * 11;
})

/* Vectors are moved whole, of which each part is a row. */
SAME(vectors, {
    int2 a[3];
    for (int i = 0; i < 3; i++) {
        a[i].x = in[i] & 4095;
        a[i].y = in[i + 3] >> 8;
    }
    for (int i = 0; i < n; i++) {
        int j = in[i] % 3;
        int k = (in[i] >> 4) % 3;
        int2 t = a[j];
        t.x += k;
        if (in[i] & 64)
            a[k] = t;
        a[(in[i] >> 9) % 3].y ^= i;
    }
    return a[0].x + a[0].y * 3 + a[1].x * 5 + a[1].y * 7 + a[2].x * 11 + a[2].y * 13;
})

/* Of one array in some lanes and of another in others. */
SAME(either, {
    int a[4] = {1, 2, 3, 4};
    int b[3] = {50, 60, 70};
    int c = 0;
    for (int i = 0; i < n; i++) {
        c += (in[i] & 64) ? a[(i + 2) & 3] : b[i % 3];
        a[i & 3] = c & 4095;
        int *p = (in[i] & 128) ? &a[in[i] & 3] : &b[in[i] % 3];
        *p += i;
        c ^= (in[i] & 256) ? b[in[i] % 3] : a[in[i] & 3];
    }
    return c + a[0] * 3 + a[1] * 5 + a[2] * 7 + a[3] * 11 + b[0] * 13 + b[1] * 17 + b[2] * 19;
})

/* Items leave the loop one by one. */
SAME(walks, {
    int stack[6];
    int top = 0, sum = 0, steps = 0;
    stack[top++] = in[0] & 255;
    while (top > 0 && steps++ < 20) {
        int one = stack[--top];
        sum += one * steps;
        if (one & 1 && top < 5) {
            stack[top++] = one >> 1;
            stack[top++] = (one + n) >> 2;
        } else if (one > 3) {
            stack[top++] = one >> 1;
        }
    }
    return sum + steps * 1000 + top;
})

static const struct test_case cases[] = {
    CASE(insertions), CASE(counts), CASE(bytes),   CASE(shorts),  CASE(longs),  CASE(doubles),
    CASE(far_away),   CASE(planes), CASE(records), CASE(vectors), CASE(either), CASE(walks),
};
TEST_MAIN("small arrays", cases)
