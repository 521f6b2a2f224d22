/* SPDX-License-Identifier: Apache-2.0 */
/* Local memory and barriers in straight code, loops and called functions; barrier_branches_test.c
 * has branches. */
#include "cl_help.h"
#include "reference.h"

#include "barrier_help.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static cl_int in[MOST], out[MOST];

static void neighbour_exchange(void)
{
    fill(in);
    for (size_t i = 0; i < LEN(local_sizes); i++) {
        size_t local = local_sizes[i];
        run(HEAD "    s[l] = in[g];\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "    out[g] = s[(l + 1) % L] * 2 + s[L - 1 - l];\n}\n",
            local * GROUPS, local, in, out, 0);
        for (size_t g = 0; g < local * GROUPS; g++) {
            size_t l = g % local, base = g - l;
            REQUIRE(CHECK_EQ(out[g], in[base + (l + 1) % local] * 2 + in[base + local - 1 - l]));
        }
    }
}

static void reduction(void)
{
    fill(in);
    for (size_t i = 0; i < LEN(local_sizes); i++) {
        size_t local = local_sizes[i];
        run(HEAD "    s[l] = in[g];\n"
                 "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "    for (int w = 1; w < L; w *= 2) {\n"
                 "        int v = 0;\n"
                 "        if (l % (2 * w) == 0 && l + w < L) v = s[l + w];\n"
                 "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "        s[l] += v;\n"
                 "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "    }\n"
                 "    out[g] = s[0];\n}\n",
            local * GROUPS, local, in, out, 0);
        for (size_t g = 0; g < local * GROUPS; g++) {
            cl_int want = 0;
            for (size_t j = 0; j < local; j++)
                want += in[g / local * local + j];
            REQUIRE(CHECK_EQ(out[g], want));
        }
    }
}

static void scan(void)
{
    fill(in);
    for (size_t i = 0; i < LEN(local_sizes); i++) {
        size_t local = local_sizes[i];
        run(HEAD "    s[l] = in[g];\n"
                 "    for (int d = 1; d < L; d <<= 1) {\n"
                 "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "        int v = l >= d ? s[l - d] : 0;\n"
                 "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "        s[l] += v;\n"
                 "    }\n"
                 "    out[g] = s[l];\n}\n",
            local * GROUPS, local, in, out, 0);
        cl_int sum = 0;
        for (size_t g = 0; g < local * GROUPS; g++) {
            sum = (g % local ? sum : 0) + in[g];
            REQUIRE(CHECK_EQ(out[g], sum));
        }
    }
}

/* Values that live across barriers, changed differently by each item. */
static void private_values_survive(void)
{
    fill(in);
    run(HEAD "    int a = in[g], b = a * 3 + l, arr[4] = {l, a, b, 7};\n"
             "    s[l] = a;\n"
             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
             "    int c = s[(l + 3) % L];\n"
             "    if (l & 1) { b += c; arr[l & 3] = c; } else { arr[2] -= c; }\n"
             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
             "    s[l] = b + arr[0];\n"
             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
             "    out[g] = s[(l + 5) % L] + arr[1] * 5 + arr[2] * 7 + arr[3] + a;\n}\n",
        64, 16, in, out, 0);
    for (int group = 0; group < 4; group++) {
        int arr[16][4], b[16];
        const cl_int *x = in + group * 16;
        for (int l = 0; l < 16; l++) {
            int c = x[(l + 3) % 16];
            b[l] = x[l] * 3 + l;
            const int start[4] = {l, x[l], b[l], 7};
            memcpy(arr[l], start, sizeof start);
            if (l & 1) {
                b[l] += c;
                arr[l][l & 3] = c;
            } else {
                arr[l][2] -= c;
            }
        }
        for (int l = 0; l < 16; l++) {
            int o = (l + 5) % 16;
            CHECK_EQ(out[group * 16 + l],
                     b[o] + arr[o][0] + arr[l][1] * 5 + arr[l][2] * 7 + arr[l][3] + x[l]);
        }
    }
}

static void in_nested_loops(void)
{
    fill(in);
    run(HEAD "    int sum = 0;\n"
             "    for (int i = 0; i < n; i++) {\n"
             "        for (int j = 0; j <= i; j++) {\n"
             "            s[(l + i) % L] = in[g] + j;\n"
             "            barrier(CLK_LOCAL_MEM_FENCE);\n"
             "            sum += s[l] * (i + 1);\n"
             "            barrier(CLK_LOCAL_MEM_FENCE);\n"
             "            if (j == 3) break;\n"
             "        }\n"
             "        if (i == 5) continue;\n"
             "        sum ^= i;\n"
             "    }\n"
             "    out[g] = sum;\n}\n",
        48, 12, in, out, 9);
    for (int g = 0; g < 48; g++) {
        int l = g % 12, base = g - l, sum = 0;
        for (int i = 0; i < 9; i++) {
            for (int j = 0; j <= i && j <= 3; j++)
                sum += (in[base + (l - i + 24) % 12] + j) * (i + 1);
            if (i != 5)
                sum ^= i;
        }
        CHECK_EQ(out[g], sum);
    }
}

static void in_while_and_do(void)
{
    fill(in);
    run(HEAD "    int i = n, v = in[g];\n"
             "    do {\n"
             "        s[l] = v;\n"
             "        barrier(CLK_LOCAL_MEM_FENCE);\n"
             "        v = s[(l + i) % L] + 1;\n"
             "        barrier(CLK_LOCAL_MEM_FENCE);\n"
             "    } while (--i > 0);\n"
             "    while (i < 3) {\n"
             "        i++;\n"
             "        barrier(CLK_LOCAL_MEM_FENCE);\n"
             "        s[l] = v + l;\n"
             "        barrier(CLK_LOCAL_MEM_FENCE);\n"
             "        v = s[L - 1 - l];\n"
             "    }\n"
             "    out[g] = v;\n}\n",
        40, 10, in, out, 4);
    for (int group = 0; group < 4; group++) {
        int v[10], s[10];
        for (int l = 0; l < 10; l++)
            v[l] = in[group * 10 + l];
        for (int i = 4; i > 0; i--) {
            memcpy(s, v, sizeof s);
            for (int l = 0; l < 10; l++)
                v[l] = s[(l + i) % 10] + 1;
        }
        for (int i = 0; i < 3; i++) {
            for (int l = 0; l < 10; l++)
                s[l] = v[l] + l;
            for (int l = 0; l < 10; l++)
                v[l] = s[9 - l];
        }
        for (int l = 0; l < 10; l++)
            CHECK_EQ(out[group * 10 + l], v[l]);
    }
}

static void in_functions(void)
{
    fill(in);
    run("int swap_around(local int *s, int v)\n"
        "{\n"
        "    int l = get_local_id(0), L = get_local_size(0);\n"
        "    s[l] = v;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    int r = s[L - 1 - l];\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    return r;\n"
        "}\n" HEAD "    int a = swap_around(s, in[g]);\n"
        "    int b = swap_around(s, a + l);\n"
        "    out[g] = a * 1000 + b;\n}\n",
        36, 9, in, out, 0);
    for (int g = 0; g < 36; g++) {
        int l = g % 9, base = g - l;
        CHECK_EQ(out[g], in[base + 8 - l] * 1000 + in[base + l] + 8 - l);
    }
}

static void local_arrays_in_kernel(void)
{
    fill(in);
    run("typedef struct { int v; char pad[3]; } cell;\n" HEAD
        "    local int a[64];\n    local cell b[64];\n    local float4 c[16];\n"
        "    a[l] = in[g]; b[l].v = l * 5;\n"
        "    if (l < 16) c[l] = (float4)(l, 1, 2, 3);\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    out[g] = a[(l + 7) % L] + b[(l + 1) % L].v + (int)c[l & 7].x;\n}\n",
        64, 16, in, out, 0);
    for (int g = 0; g < 64; g++) {
        int l = g % 16, base = g - l;
        CHECK_EQ(out[g], in[base + (l + 7) % 16] + (l + 1) % 16 * 5 + (l & 7));
    }
}

static void matrix_product(void)
{
    static const char source[] =
        "#define T 8\n"
        "kernel void mul(global const float *a, global const float *b, global float *c, int n)\n"
        "{\n"
        "    local float ta[T][T], tb[T][T + 1];\n"
        "    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0),\n"
        "        ly = get_local_id(1);\n"
        "    float sum = 0;\n"
        "    for (int t = 0; t < n; t += T) {\n"
        "        ta[ly][lx] = a[y * n + t + lx];\n"
        "        tb[ly][lx] = b[(t + ly) * n + x];\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n"
        "        for (int k = 0; k < T; k++)\n"
        "            sum += ta[ly][k] * tb[k][lx];\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    }\n"
        "    c[y * n + x] = sum;\n"
        "}\n";
    enum { N = 48 };
    static float a[N * N], b[N * N], c[N * N];
    cl_int n = N;
    for (int i = 0; i < N * N; i++) {
        a[i] = (float)random_below(64);
        b[i] = (float)random_below(64);
    }
    cl_kernel kernel = new_kernel(source, "mul", NULL);
    cl_mem mem[] = {new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a, a),
                    new_buffer(CL_MEM_COPY_HOST_PTR, sizeof b, b), new_buffer(0, sizeof c, NULL)};
    for (cl_uint i = 0; i < 3; i++)
        ARG(kernel, i, mem[i]);
    ARG(kernel, 3, n);
    const size_t global[] = {N, N}, local[] = {8, 8};
    run_nd(kernel, 2, NULL, global, local);
    read_back(mem[2], sizeof c, c);
    for (int y = 0; y < N; y++) {
        for (int x = 0; x < N; x++) {
            float want = 0;
            for (int k = 0; k < N; k++)
                want += a[y * N + k] * b[k * N + x];
            REQUIRE(CHECK_EQ(c[y * N + x], want));
        }
    }
    for (int i = 0; i < 3; i++)
        RELEASE_MEM(mem[i]);
    RELEASE_KERNEL(kernel);
}

static int by_value(const void *a, const void *b)
{
    cl_int x = *(const cl_int *)a, y = *(const cl_int *)b;
    return (x > y) - (x < y);
}

static void bitonic_sort(void)
{
    for (size_t local = 2; local <= 64; local *= 2) {
        fill(in);
        run(HEAD "    s[l] = in[g];\n"
                 "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "    for (int size = 2; size <= L; size *= 2) {\n"
                 "        for (int stride = size / 2; stride > 0; stride /= 2) {\n"
                 "            int other = l ^ stride;\n"
                 "            if (other > l) {\n"
                 "                int up = (l & size) == 0, x = s[l], y = s[other];\n"
                 "                if ((x > y) == up) { s[l] = y; s[other] = x; }\n"
                 "            }\n"
                 "            barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "        }\n"
                 "    }\n"
                 "    out[g] = s[l];\n}\n",
            local * GROUPS, local, in, out, 0);
        for (size_t group = 0; group < GROUPS; group++) {
            qsort(in + group * local, local, sizeof *in, by_value);
            CHECK(!memcmp(in + group * local, out + group * local, local * sizeof *in));
        }
    }
}

/* Of the vector that lives across the barrier only one element is ever computed. */
static void one_element_kept(void)
{
    fill(in);
    for (size_t i = 0; i < LEN(local_sizes); i++) {
        size_t local = local_sizes[i];
        run(HEAD "    char4 v = select((char4)(char)(l * 3 + in[g]), (char4)(char)g, "
                 "(char4)(char)n == (char4)7);\n"
                 "    s[l] = g;\n    barrier(CLK_LOCAL_MEM_FENCE);\n    out[g] = v.s0 + s[(l + 1) "
                 "% L];\n}\n",
            local * GROUPS, local, in, out, (cl_int)(7 * (i % 2)));
        for (size_t g = 0; g < local * GROUPS; g++) {
            size_t l = g % local, next = g - l + (l + 1) % local;
            cl_char v = (cl_char)(i % 2 ? (cl_int)g : (cl_int)l * 3 + in[g]);
            REQUIRE(CHECK_EQ(out[g], v + (cl_int)next));
        }
    }
}

static const struct test_case cases[] = {
    CASE(one_element_kept),
    CASE(neighbour_exchange),
    CASE(reduction),
    CASE(scan),
    CASE(private_values_survive),
    CASE(in_nested_loops),
    CASE(in_while_and_do),
    CASE(in_functions),
    CASE(local_arrays_in_kernel),
    CASE(matrix_product),
    CASE(bitonic_sort),
};
TEST_MAIN("barrier", cases)
