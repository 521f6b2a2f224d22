/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels of which much is the same in all rows of a group, the more so if several of them run in
 * step: products of matrices in many forms, rows that differ after all, whatever else an item may
 * do in its row. Groups of every shape, with and without rows and items left over.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_N = 19, MOST_W = 100, MOST_H = 21 };

/* a: a row of n for each y; b: n rows of w; c before the kernel runs. */
struct in {
    cl_uint n, w, h;
    cl_uint a[MOST_H * MOST_N], b[MOST_N * MOST_W], c[MOST_H * MOST_W];
};

struct form {
    const char *text;
    cl_uint (*want)(const struct in *, cl_uint x, cl_uint y);
};

#define IN const struct in *i, cl_uint x, cl_uint y
#define A(Y, K) i->a[(Y) * i->n + (K)]
#define B(K, X) i->b[(K) * i->w + (X)]
#define C(Y, X) i->c[(Y) * i->w + (X)]

static cl_uint product(IN)
{
    cl_uint s = 0;
    for (cl_uint k = 0; k < i->n; k++)
        s += A(y, k) * B(k, x);
    return s;
}

static cl_uint of_bytes(IN)
{
    cl_uint s = 0;
    for (cl_uint k = 0; k < i->n; k++)
        s += (A(y, k) & 255) * (B(k, x) & 255);
    return s;
}

static cl_uint odd_only(IN)
{
    cl_uint s = 0;
    for (cl_uint k = 0; k < i->n; k++)
        s = B(k, x) & 1 ? s + A(y, k) * B(k, x) : s * 3;
    return s;
}

static cl_uint until_zero(IN)
{
    cl_uint s = 0;
    for (cl_uint k = 0; k < i->n && B(k, x) % 5; k++)
        s += A(y, k) * B(k, x);
    return s;
}

static cl_uint onto(IN)
{
    cl_uint s = C(y, x);
    for (cl_uint k = 0; k < i->n; k++)
        s = s * 5 + (A(y, k) ^ B(k, x));
    return s;
}

static cl_uint own_length(IN)
{
    cl_uint s = 0;
    for (cl_uint k = 0; i->n && k < A(y, 0) % (i->n + 1); k++)
        s += A(y, k) * B(k, x);
    return s;
}

static cl_uint own_way(IN)
{
    cl_uint s = 0;
    for (cl_uint k = 0; k < i->n; k++)
        s = A(y, k) & 1 ? s + B(k, x) : s ^ B(k, x);
    return s;
}

static cl_uint four_sums(IN)
{
    cl_uint s[4] = {0};
    for (cl_uint k = 0; k < i->n; k++)
        s[k % 4] = s[k % 4] * 3 + A(y, k) * B(k, x);
    return s[0] + 7 * s[1] + 11 * s[2] + 13 * s[3];
}

static cl_uint sums_by_row(IN)
{
    cl_uint s[4] = {1, 2, 3, 4};
    for (cl_uint k = 0; k < i->n; k++)
        s[(k + y) & 3] += A(y, k) * B(k, x);
    return s[0] + 7 * s[1] + 11 * s[2] + 13 * s[3];
}

static cl_uint fibonacci(IN)
{
    cl_uint p = y, q = 1;
    for (cl_uint k = 0; k < i->n; k++) {
        cl_uint r = p + q * B(k, x);
        p = q;
        q = r;
    }
    return q;
}

static cl_uint least(IN)
{
    cl_uint s = ~0u;
    for (cl_uint k = 0; k < i->n; k++) {
        cl_uint t = A(y, k) + B(k, x);
        s = t < s ? t : s;
    }
    return s;
}

static cl_uint rest_of(IN)
{
    cl_uint s = 0;
    for (cl_uint k = 0; k < i->n; k++)
        s += A(y, k) % (B(k, x) | 1) + B(k, x) / (A(y, k) | 1);
    return s;
}

static cl_uint nested(IN)
{
    cl_uint s = 0;
    for (cl_uint k = 0; k < i->n; k++) {
        cl_uint t = B(k, x);
        for (cl_uint l = 0; l < i->n; l++)
            t = t * 3 + (B(l, x) ^ A(y, l));
        s += t * A(y, k);
    }
    return s;
}

static cl_uint two_places(IN)
{
    cl_uint p[2] = {0, 2};
    for (cl_uint k = 0; k < i->n; k++) {
        cl_uint u = B(k, x);
        for (cl_uint l = 0; l < i->n; l++)
            u = u * 3 + (B(l, x) ^ u >> 1);
        p[k & 1] += A(y, k) * u;
    }
    return p[0] * 7 + p[1];
}

static cl_uint first_of_group(IN)
{
    return product(i, x, y) + 1000 * y;
}

#define IDS " int x = get_global_id(0), y = get_global_id(1);\n"
#define GUARD " if (x < w && y < h)\n"
#define SUM " uint s = 0; for (int k = 0; k < n; k++) s += a[y * n + k] * b[k * w + x];\n"

static const struct form forms[] = {
    {IDS GUARD "{" SUM " c[y * w + x] = s; }", product},
    {" uint X = get_global_id(0), Y = get_global_id(1), W = w;\n if (X < w && Y < h) { uint s = 0;"
     " for (uint k = 0; k < n; k++) s += a[Y * n + k] * b[k * W + X]; c[Y * W + X] = s; }",
     product},
    {" size_t x = get_global_id(0), y = get_global_id(1), W = w;\n if (x < W && y < h) { uint s = "
     "0;"
     " for (size_t k = 0; k < n; k++) s += a[y * n + k] * b[k * W + x]; c[y * W + x] = s; }",
     product},
    {IDS " if (x >= w) return; if (y >= h) return;" SUM " c[y * w + x] = s;", product},
    {IDS GUARD " { c[y * w + x] = 0; for (int k = 0; k < n; k++)"
               " c[y * w + x] += a[y * n + k] * b[k * w + x]; }",
     product},
    {IDS GUARD "{ float s = 0; for (int k = 0; k < n; k++)"
               " s += (float)(a[y * n + k] & 255) * (float)(b[k * w + x] & 255);"
               " c[y * w + x] = (uint)s; }",
     of_bytes},
    {IDS GUARD "{ uint s = 0; for (int k = 0; k < n; k++) { uint v = b[k * w + x];"
               " if (v & 1) s += a[y * n + k] * v; else s *= 3; } c[y * w + x] = s; }",
     odd_only},
    {IDS GUARD "{ uint s = 0; for (int k = 0; k < n; k++) { uint v = b[k * w + x];"
               " if (v % 5 == 0) break; s += a[y * n + k] * v; } c[y * w + x] = s; }",
     until_zero},
    {IDS GUARD " for (int k = 0; k < n; k++)"
               " c[y * w + x] = c[y * w + x] * 5 + (a[y * n + k] ^ b[k * w + x]);",
     onto},
    {IDS GUARD
     "{ uint s = 0, m = n ? a[y * n] % (uint)(n + 1) : 0; for (int k = 0; k < (int)m; k++)"
     " s += a[y * n + k] * b[k * w + x]; c[y * w + x] = s; }",
     own_length},
    {IDS GUARD "{ uint s = 0; for (int k = 0; k < n; k++) if (a[y * n + k] & 1)"
               " s += b[k * w + x]; else s ^= b[k * w + x]; c[y * w + x] = s; }",
     own_way},
    {IDS GUARD "{ uint s[4] = {0, 0, 0, 0}; for (int k = 0; k < n; k++)"
               " s[k % 4] = s[k % 4] * 3 + a[y * n + k] * b[k * w + x];"
               " c[y * w + x] = s[0] + 7 * s[1] + 11 * s[2] + 13 * s[3]; }",
     four_sums},
    {IDS GUARD "{ uint s[4] = {1, 2, 3, 4}; for (int k = 0; k < n; k++)"
               " s[(k + y) & 3] += a[y * n + k] * b[k * w + x];"
               " c[y * w + x] = s[0] + 7 * s[1] + 11 * s[2] + 13 * s[3]; }",
     sums_by_row},
    {IDS GUARD "{ uint p = y, q = 1; for (int k = 0; k < n; k++)"
               " { uint r = p + q * b[k * w + x]; p = q; q = r; } c[y * w + x] = q; }",
     fibonacci},
    {IDS GUARD "{ uint s = ~0u; for (int k = 0; k < n; k++)"
               " s = min(s, a[y * n + k] + b[k * w + x]); c[y * w + x] = s; }",
     least},
    {IDS GUARD "{ uint s = 0; for (int k = 0; k < n; k++) s += a[y * n + k] % (b[k * w + x] | 1)"
               " + b[k * w + x] / (a[y * n + k] | 1); c[y * w + x] = s; }",
     rest_of},
    {IDS GUARD "{ uint s = 0; for (int k = 0; k < n; k++) { uint t = b[k * w + x];"
               " for (int l = 0; l < n; l++) t = t * 3 + (b[l * w + x] ^ a[y * n + l]);"
               " s += t * a[y * n + k]; } c[y * w + x] = s; }",
     nested},
    {IDS GUARD "{" SUM " atomic_add(&c[y * w + x], s - c[y * w + x]); }", product},
    {IDS GUARD "{ uint s = 0; global volatile const uint *v = b; for (int k = 0; k < n; k++)"
               " s += a[y * n + k] * v[k * w + x]; c[y * w + x] = s; }",
     product},
    /* rows of what dimension 0 counts */
    {" int y = get_global_id(0), x = get_global_id(1);\n" GUARD "{" SUM " c[y * w + x] = s; }",
     product},
    /* tiles, whatever the group's size; the sums live across barriers */
    {" local uint t[64];\n" IDS
     " int l = get_local_id(0) + get_local_size(0) * get_local_id(1); uint s = 0;\n"
     " uint L = get_local_size(0) * get_local_size(1);\n"
     " for (int k = 0; k < n; k++) {\n"
     "  barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  if (get_local_id(1) == 0 && x < w) t[get_local_id(0)] = b[k * w + x];\n"
     "  barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  if (x < w && y < h) s += a[y * n + k] * t[get_local_id(0)];\n }\n"
     " if (l < L && x < w && y < h) c[y * w + x] = s;",
     product},
    /* four steps between barriers, shared by all rows */
    {" local uint t[4][64];\n" IDS " int l = get_local_id(0); uint s = 0;\n"
     " for (int k = 0; k < n; k += 4) {\n"
     "  for (int m = get_local_id(1); m < 4; m += get_local_size(1))"
     " t[m][l] = x < w && k + m < n ? b[(k + m) * w + x] : 0;\n"
     "  barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  for (int m = 0; m < 4; m++)"
     " s += (y < h && k + m < n ? a[y * n + k + m] : 0) * t[m][l];\n"
     "  barrier(CLK_LOCAL_MEM_FENCE);\n }\n"
     " if (x < w && y < h) c[y * w + x] = s;",
     product},
    /* a place in an array that is found in front of a barrier, the same one for some of the rows */
    {" local uint t[64];\n" IDS
     " int l = get_local_id(0); uint v[512], *p = v + (y >> 2 & 1) * 8;\n"
     " if (get_local_id(1) == 0) t[l] = 0;\n barrier(CLK_LOCAL_MEM_FENCE);\n"
     " p[0] = t[l]; p[1] = 2;\n for (int k = 0; k < n; k++) { uint u = b[k * w + x];"
     " for (int m = 0; m < n; m++) u = u * 3 + (b[m * w + x] ^ u >> 1);"
     " p[k & 1] += a[y * n + k] * u; }\n c[y * w + x] = p[0] * 7 + p[1];",
     two_places},
    /* a number of the row that lives across a barrier */
    {" local uint t[64];\n" IDS " int l = get_local_id(0); uint m = y * 1000;\n"
     " if (get_local_id(1) == 0) t[l] = x;\n barrier(CLK_LOCAL_MEM_FENCE);\n"
     " uint z = t[l];\n if (z < w && y < h) { uint s = m; for (int k = 0; k < n; k++)"
     " s += a[y * n + k] * b[k * w + z];\n c[y * w + z] = s; }",
     first_of_group},
};

/* ---- running --------------------------------------------------------------------------------- */

static const struct shape {
    cl_uint w, h, n;
    size_t global[2], local[2];
} shapes[] = {
    {64, 16, 16, {64, 16}, {16, 16}}, {40, 8, 5, {40, 8}, {8, 8}},
    {33, 7, 4, {33, 7}, {11, 7}},     {100, 21, 7, {100, 21}, {0, 0}},
    {100, 20, 9, {100, 20}, {0, 0}},  {37, 13, 3, {64, 16}, {64, 4}},
    {37, 13, 3, {64, 16}, {32, 8}},   {5, 21, 19, {8, 24}, {8, 8}},
    {64, 4, 8, {64, 4}, {64, 1}},     {17, 3, 6, {17, 3}, {17, 3}},
    {64, 21, 4, {64, 21}, {32, 5}},   {50, 19, 8, {50, 19}, {16, 8}},
    {50, 19, 0, {50, 19}, {16, 8}},   {16, 21, 1, {16, 21}, {16, 21}},
    {1, 21, 5, {1, 21}, {1, 7}},      {21, 21, 8, {21, 21}, {7, 3}},
    {64, 12, 2, {64, 12}, {64, 12}},  {21, 1, 8, {24, 1}, {8, 1}},
};

static void fill(struct in *in, const struct shape *shape)
{
    random_fill(in, sizeof *in);
    in->n = shape->n;
    in->w = shape->w;
    in->h = shape->h;
    for (size_t k = 0; k < LEN(in->b); k++)
        in->b[k] = in->b[k] % 7 ? in->b[k] : 0;
}

static bool compare(const struct form *form, const struct in *in, const struct shape *s,
                    const cl_uint *out, cl_uint high)
{
    for (cl_uint y = 0; y < high; y++)
        for (cl_uint x = 0; x < in->w; x++) {
            cl_uint want = form->want(in, x, y), got = out[y * in->w + x];
            if (want == got)
                continue;
            check_fail(__FILE__, __LINE__,
                       "%s\n%u x %u of %zu x %zu by %zu x %zu, n %u: %u, not %u", form->text, x, y,
                       s->global[0], s->global[1], s->local[0], s->local[1], in->n, got, want);
            return false;
        }
    return true;
}

static bool run_shape(const struct form *form, cl_kernel kernel, const struct shape *shape)
{
    static struct in in;
    static cl_uint out[MOST_H * MOST_W];
    const size_t none[] = {0, 0};
    bool turned = strstr(form->text, "y = get_global_id(0)") != NULL;
    size_t global[] = {shape->global[turned], shape->global[!turned]};
    size_t local[] = {shape->local[turned], shape->local[!turned]};
    if (local[0] > 64)
        return true;
    fill(&in, shape);
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in.a, in.a);
    cl_mem b = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in.b, in.b);
    cl_mem c = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in.c, in.c);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    ARG(kernel, 2, c);
    ARG(kernel, 3, in.n);
    ARG(kernel, 4, in.w);
    ARG(kernel, 5, in.h);
    run_nd(kernel, 2, none, global, local[0] ? local : NULL);
    read_back(c, sizeof out, out);
    RELEASE_MEM(a);
    RELEASE_MEM(b);
    RELEASE_MEM(c);
    bool untouched =
        !memcmp(out + in.w * in.h, in.c + in.w * in.h, sizeof out - in.w * in.h * sizeof *out);
    return CHECK(untouched) && compare(form, &in, shape, out, in.h);
}

static void run_form(const struct form *form)
{
    char source[2048];
    snprintf(source, sizeof source,
             "kernel void k(global const uint *a, global const uint *b, global uint *c, int n, "
             "int w, int h)\n{\n%s\n}\n",
             form->text);
    cl_kernel kernel = new_kernel(source, "k", "-cl-std=CL3.0");
    for (size_t s = 0; s < LEN(shapes); s++) {
        bool has_local = strstr(form->text, "local uint t") != NULL;
        if (has_local && !shapes[s].local[0]) /* rows of a chosen size may be longer than t */
            continue;
        bool fits = shapes[s].global[0] == shapes[s].w && shapes[s].global[1] == shapes[s].h;
        if (!fits && !strstr(form->text, "h)")) /* nothing says where to stop */
            continue;
        REQUIRE(run_shape(form, kernel, &shapes[s]));
    }
    RELEASE_KERNEL(kernel);
}

static void every_form(void)
{
    for (size_t k = 0; k < LEN(forms); k++)
        run_form(&forms[k]);
}

/* ---- three dimensions, offsets, numbers with a point ----------------------------------------- */

static void every_layer(void)
{
    static const char source[] =
        "kernel void k(global const double *a, global const double *b, global double *c, int n)\n"
        "{\n    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
        "    size_t ox = get_global_offset(0), oy = get_global_offset(1), w = get_global_size(0), "
        "h = get_global_size(1);\n    double s = 0;\n"
        "    for (int k = 0; k < n; k++) s += a[(y - oy) * n + k] * b[(z * n + k) * w + x - ox];\n"
        "    c[(z * h + y - oy) * w + x - ox] = s + (double)y;\n}\n";
    enum { W = 53, H = 11, D = 3, N = 9 };
    static double a[H * N], b[D * N * W], c[D * H * W];
    for (size_t k = 0; k < LEN(a); k++)
        a[k] = (double)random_below(1000);
    for (size_t k = 0; k < LEN(b); k++)
        b[k] = (double)random_below(1000);
    cl_kernel kernel = new_kernel(source, "k", "-cl-std=CL3.0");
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a, a);
    cl_mem by = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof b, b);
    cl_mem to = new_buffer(0, sizeof c, NULL);
    ARG(kernel, 0, from);
    ARG(kernel, 1, by);
    ARG(kernel, 2, to);
    cl_int n = N;
    ARG(kernel, 3, n);
    const size_t global[] = {W, H, D},
                 locals[][3] = {{0, 0, 0}, {8, 4, 1}, {53, 5, 2}, {16, 11, 3}};
    for (size_t l = 0; l < LEN(locals); l++) {
        const size_t offset[] = {l * 5, l ? 0xfffffff0 + l : 0, 0};
        run_nd(kernel, 3, offset, global, l ? locals[l] : NULL);
        read_back(to, sizeof c, c);
        for (size_t z = 0; z < D; z++)
            for (size_t y = 0; y < H; y++)
                for (size_t x = 0; x < W; x++) {
                    double s = 0;
                    for (size_t k = 0; k < N; k++)
                        s += a[y * N + k] * b[(z * N + k) * W + x];
                    REQUIRE(CHECK(c[(z * H + y) * W + x] == s + (double)(y + offset[1])));
                }
    }
    RELEASE_MEM(from);
    RELEASE_MEM(by);
    RELEASE_MEM(to);
    RELEASE_KERNEL(kernel);
}

static const struct test_case cases[] = {
    CASE(every_form),
    CASE(every_layer),
};
TEST_MAIN("rows", cases)
