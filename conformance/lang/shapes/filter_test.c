/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Filters of images whose pitch and distance of elements lie in a struct: a tile is copied into
 * local memory row by row, mirrored, clamped or filled at the borders, and windows of it become a
 * median (sorted in a private array, by loops whose counts follow from those around them), the
 * largest, the least and largest of what a mask has, or a sum with weights whose rounds an argument
 * tells. Groups of several shapes, images of odd
 * sizes.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shape {
    cl_long dims[2], strides[2], offset;
};

enum { MOST = 20000, MOST_WINDOW = 7, BORDERS = 4 };

static const char source[] =
    "typedef struct { long dims[2], strides[2], offset; } shape;\n"
    "int place(int x, int y, int s1, int s0) { return y * s1 + x * s0; }\n"
    "void one(local float *tile, global const float *in, int lx, int ly, int wide, int d0, int "
    "d1,\n"
    "         int gx, int gy, int s1, int s0)\n"
    "{\n"
    "#if BORDER == 0\n"
    "    if (gx < 0) gx *= -1;\n"
    "    if (gy < 0) gy *= -1;\n"
    "    if (gx >= d0) gx = 2 * (d0 - 1) - gx;\n"
    "    if (gy >= d1) gy = 2 * (d1 - 1) - gy;\n"
    "    tile[ly * wide + lx] = in[place(gx, gy, s1, s0)];\n"
    "#elif BORDER == 3\n"
    "    int at = abs(d0 - 1 - (int)abs(d0 - 1 - gx)) * s0;\n"
    "    tile[ly * wide + lx] = in[at + (int)abs(d1 - 1 - (int)abs(d1 - 1 - gy)) * s1];\n"
    "#elif BORDER == 1\n"
    "    tile[ly * wide + lx] = in[place(clamp(gx, 0, d0 - 1), clamp(gy, 0, d1 - 1), s1, s0)];\n"
    "#else\n"
    "    tile[ly * wide + lx] =\n"
    "        gx >= 0 && gx < d0 && gy >= 0 && gy < d1 ? in[place(gx, gy, s1, s0)] : -1;\n"
    "#endif\n"
    "}\n"
    "#define SWAP(a, b) { float t = a; a = min(a, b); b = max(t, b); }\n"
    "kernel void filter(global float *out, shape o, global const float *in, shape s,\n"
    "                   global const int *mask, local float *tile)\n"
    "{\n"
    "    int lx = get_local_id(0), ly = get_local_id(1), edge = WIDE / 2;\n"
    "    int gx = get_group_id(0) * get_local_size(0) + lx;\n"
    "    int gy = get_group_id(1) * get_local_size(1) + ly;\n"
    "    int wide = get_local_size(0) + WIDE - 1, high = get_local_size(1) + WIDE - 1;\n"
    "    int s0 = s.strides[0], s1 = s.strides[1], d0 = s.dims[0], d1 = s.dims[1];\n"
    "    in += s.offset;\n"
    "    for (int b = ly, y = gy; b < high; b += get_local_size(1), y += get_local_size(1))\n"
    "        for (int a = lx, x = gx; a < wide; a += get_local_size(0), x += get_local_size(0))\n"
    "            one(tile, in, a, b, wide, d0, d1, x - edge, y - edge, s1, s0);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "#if WHAT == 4\n" /* counters of two loops make the place */
    "    if (gx < s.dims[0] && gy < s.dims[1]) {\n"
    "        lx += edge; ly += edge;\n"
    "        int rounds = min(WIDE, d0 + WIDE), from = (ly - edge) * wide + (lx - edge), k = 0;\n"
    "        float sum = 0;\n"
    "        for (int j = 0; j < rounds; ++j) {\n"
    "            for (int i = 0; i < rounds; ++i) sum += tile[from + i] * mask[k + i];\n"
    "            from += wide;\n"
    "            k += rounds;\n"
    "        }\n"
    "        out[place(gx, gy, o.strides[1], o.strides[0])] = sum - tile[ly * wide + lx];\n"
    "    }\n"
    "    return;\n"
    "#endif\n"
    "    if (gx >= d0 || gy >= d1) return;\n"
    "    float v[WIDE * WIDE], r;\n"
    "    for (int j = 0; j < WIDE; j++)\n"
    "        for (int i = 0; i < WIDE; i++)\n"
    "            v[j * WIDE + i] = tile[(ly + j) * wide + lx + i];\n"
    "#if WHAT == 0\n" /* the half that is less, by exchanges */
    "    for (int i = 0; i <= WIDE * WIDE / 2; i++)\n"
    "        for (int j = i + 1; j < WIDE * WIDE; j++)\n"
    "            SWAP(v[i], v[j])\n"
    "    r = v[WIDE * WIDE / 2];\n"
    "#elif WHAT == 1\n" /* fewer in each round, from both ends, the middle last */
    "    int last = WIDE * WIDE - 1;\n"
    "    for (int k = 0; k < WIDE * WIDE / 2; k++, last--) {\n"
    "        for (int i = k; i < (last + k + 1) / 2; i++) SWAP(v[i], v[last + k - i])\n"
    "        for (int i = k + 1; i <= (last + k) / 2; i++) SWAP(v[k], v[i])\n"
    "        for (int i = last - 1; i >= (last + k + 1) / 2; i--) SWAP(v[i], v[last])\n"
    "    }\n"
    "    r = v[WIDE * WIDE / 2];\n"
    "#elif WHAT == 2\n" /* as everybody writes it */
    "    for (int i = 0; i < WIDE * WIDE - 1; i++)\n"
    "        for (int j = 0; j < WIDE * WIDE - 1 - i; j++)\n"
    "            if (v[j] > v[j + 1]) {\n"
    "                float t = v[j];\n"
    "                v[j] = v[j + 1];\n"
    "                v[j + 1] = t;\n"
    "            }\n"
    "    r = v[WIDE * WIDE / 2];\n"
    "#else\n"
    "    float most = -1e30f, least = 1e30f;\n"
    "    for (int k = 0; k < WIDE * WIDE; k++)\n"
    "        if (mask[k]) {\n"
    "            most = max(most, v[k]);\n"
    "            least = min(least, v[k]);\n"
    "        }\n"
    "    r = 3 * most - least;\n"
    "#endif\n"
    "    out[place(gx, gy, o.strides[1], o.strides[0])] = r;\n"
    "}\n";

static cl_float in[MOST], got[MOST], wanted[MOST];
static cl_int mask[MOST_WINDOW * MOST_WINDOW];

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

static float read(const struct shape *s, int border, int x, int y)
{
    int d0 = (int)s->dims[0], d1 = (int)s->dims[1];
    if (border == 2 && (x < 0 || x >= d0 || y < 0 || y >= d1))
        return -1;
    if (border == 1) {
        x = x < 0 ? 0 : x >= d0 ? d0 - 1 : x;
        y = y < 0 ? 0 : y >= d1 ? d1 - 1 : y;
    } else {
        x = abs(x), y = abs(y);
        x = x >= d0 ? 2 * (d0 - 1) - x : x;
        y = y >= d1 ? 2 * (d1 - 1) - y : y;
    }
    return in[s->offset + y * s->strides[1] + x * s->strides[0]];
}

static float filtered(const struct shape *s, int border, int what, int wide, int x, int y)
{
    float v[MOST_WINDOW * MOST_WINDOW], most = -1e30F, least = 1e30F, sum = 0;
    for (int j = 0; j < wide; j++)
        for (int i = 0; i < wide; i++) {
            float now = read(s, border, x + i - wide / 2, y + j - wide / 2);
            v[j * wide + i] = now;
            sum += now * (float)mask[j * wide + i];
            if (mask[j * wide + i]) {
                most = now > most ? now : most;
                least = now < least ? now : least;
            }
        }
    if (what == 3)
        return 3 * most - least;
    if (what == 4)
        return sum - v[wide * wide / 2];
    qsort(v, (size_t)(wide * wide), sizeof *v, by_size);
    return v[wide * wide / 2];
}

static void launch(cl_kernel kernel, const struct shape *to, const struct shape *from,
                   const size_t local[2], int border, int what, int wide)
{
    memset(got, 0, sizeof got);
    memset(wanted, 0, sizeof wanted);
    cl_mem out = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof got, got);
    cl_mem image = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in);
    cl_mem which = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof mask, mask);
    size_t tile = (local[0] + (size_t)wide - 1) * (local[1] + (size_t)wide - 1) * sizeof *in;
    size_t global[2];
    for (int d = 0; d < 2; d++)
        global[d] = ((size_t)from->dims[d] + local[d] - 1) / local[d] * local[d];
    ARG(kernel, 0, out);
    ARG(kernel, 1, *to);
    ARG(kernel, 2, image);
    ARG(kernel, 3, *from);
    ARG(kernel, 4, which);
    REQUIRE_OK(clSetKernelArg(kernel, 5, tile, NULL));
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 2, NULL, global, local, 0, NULL, NULL));
    read_back(out, sizeof got, got);
    for (int y = 0; y < from->dims[1]; y++)
        for (int x = 0; x < from->dims[0]; x++)
            wanted[y * to->strides[1] + x * to->strides[0]] =
                filtered(from, border, what, wide, x, y);
    for (size_t i = 0; i < LEN(got); i++)
        if (got[i] != wanted[i]) {
            check_fail(
                __FILE__, __LINE__,
                "%d of %d, border %d, groups %zu x %zu, distances %d, %d: [%zu] is %g, not %g",
                what, wide, border, local[0], local[1], (int)from->strides[0], (int)to->strides[0],
                i, (double)got[i], (double)wanted[i]);
            check_abandon();
        }
    RELEASE_MEM(out);
    RELEASE_MEM(image);
    RELEASE_MEM(which);
}

static void run(int what, int wide)
{
    static const size_t locals[][2] = {{16, 16}, {8, 4}, {17, 3}, {1, 5}, {64, 1}};
    static const struct shape images[][2] = {
        {{{53, 41}, {1, 53}, 0}, {{53, 41}, {1, 53}, 0}},
        {{{37, 29}, {1, 64}, 0}, {{37, 29}, {1, 41}, 77}},
        {{{35, 23}, {3, 111}, 0}, {{35, 23}, {1, 35}, 5}},
        {{{35, 23}, {1, 35}, 0}, {{35, 23}, {2, 80}, 1}},
        {{{23, 35}, {35, 1}, 0}, {{23, 35}, {35, 1}, 0}},
    };
    for (int border = 0; border < BORDERS; border++) {
        char options[80];
        snprintf(options, sizeof options, "-DWHAT=%d -DWIDE=%d -DBORDER=%d", what, wide, border);
        cl_kernel kernel = new_kernel(source, "filter", options);
        for (size_t i = 0; i < LEN(in); i++)
            in[i] = (float)random_below(1 << 12);
        for (size_t i = 0; i < LEN(mask); i++)
            mask[i] = i < 2 || random_below(3);
        for (size_t l = 0; l < LEN(locals); l++)
            for (size_t s = 0; s < LEN(images); s++)
                launch(kernel, &images[s][0], &images[s][1], locals[l], border, what, wide);
        RELEASE_KERNEL(kernel);
    }
}

static void medians(void)
{
    run(0, 3);
    run(0, 5);
}

static void from_both_ends(void)
{
    run(1, 3);
    run(1, 5);
}

static void bubbles(void)
{
    run(2, 3);
}

static void extremes(void)
{
    run(3, 3);
    run(3, 7);
}

static void sums(void)
{
    run(4, 3);
    run(4, 7);
}

static const struct test_case cases[] = {CASE(medians), CASE(from_both_ends), CASE(bubbles),
                                         CASE(extremes), CASE(sums)};
TEST_MAIN("filters", cases)
