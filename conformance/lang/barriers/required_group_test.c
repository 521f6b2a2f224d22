/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels that require a work-group size, launched with sizes that are multiples of it and with
 * others, whose last groups have fewer items: the code for whole groups may not be that for all. In
 * one, two and three dimensions, with barriers, local memory, functions of the work-group and the
 * sub-group, none of these; from source, from a binary, by two threads at once.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl_help.h"
#include "reference.h"

enum { SUB = 16 };

#define HEAD                                                                                       \
    "size_t x = get_global_id(0) - get_global_offset(0);\n"                                        \
    "size_t y = get_global_id(1) - get_global_offset(1), z = get_global_id(2);\n"                  \
    "size_t at = (z * get_global_size(1) + y) * get_global_size(0) + x;\n"                         \
    "uint a = get_local_size(0), b = get_local_size(1), c = get_local_size(2);\n"                  \
    "uint n = a * b * c, l = (get_local_id(2) * b + get_local_id(1)) * a + get_local_id(0);\n"
#define KERNEL(name)                                                                               \
    "kernel __attribute__((reqd_work_group_size(X, Y, Z))) void " name                             \
    "(global const uint *in, global uint *out)\n{\n"
static const char source[] =
    /* barriers in a loop, local memory, the item at the group's other end */
    KERNEL("sums") "local uint t[X * Y * Z];\n" HEAD
                   "t[l] = in[at];\nbarrier(CLK_LOCAL_MEM_FENCE);\nuint other = t[n - 1 - l];\n"
                   "barrier(CLK_LOCAL_MEM_FENCE);\n"
                   "for (uint s = 256; s > 0; s >>= 1) {\n"
                   "    if (l < s && l + s < n) t[l] += t[l + s];\n    "
                   "barrier(CLK_LOCAL_MEM_FENCE);\n}\n"
                   "out[at] = other * 5 + t[0] * 7 + a + b * 100 + c * 1000 + "
                   "get_enqueued_local_size(0) * 10000;\n}\n"
    /* who an item is in its group, and nothing else */
    KERNEL("places") HEAD "out[at] = in[at] * 3 + l + n * 1000 + get_group_id(0) * 100000 + "
                          "get_group_id(1) * 1000000;\n}\n"
    /* nothing of the group */
    KERNEL("flat") HEAD "out[at] = in[at] * 3 + 1;\n}\n"
    /* functions of the group */
    KERNEL("scan") HEAD
    "uint v = in[at];\nuint s = work_group_scan_inclusive_add(v);\n"
    "out[at] = s * 3 + work_group_reduce_max(v) * 5 + work_group_any(v == 7) + n * 100000;\n}\n"
    "#ifdef SUB_GROUPS\n__attribute__((intel_reqd_sub_group_size(16)))\n" KERNEL("sub") HEAD
    "uint v = in[at];\n"
    "out[at] = sub_group_reduce_add(v) + get_sub_group_local_id() * 10000\n"
    "          + get_sub_group_size() * 1000000;\n}\n#endif\n";

struct shape {
    size_t local[3], global[3], offset[3];
};

static const struct shape shapes[] = {
    {{64, 1, 1}, {640, 1, 1}, {0}},
    {{64, 1, 1}, {641, 1, 1}, {3, 0, 0}},
    {{64, 1, 1}, {63, 1, 1}, {0}},
    {{64, 1, 1}, {1, 1, 1}, {0}},
    {{64, 1, 1}, {256, 5, 1}, {0}},
    {{64, 1, 1}, {100, 5, 2}, {0}},
    {{256, 1, 1}, {4096, 1, 1}, {256, 0, 0}},
    {{256, 1, 1}, {1000, 1, 1}, {0}},
    {{256, 1, 1}, {257, 3, 1}, {1, 2, 0}},
    {{17, 1, 1}, {340, 1, 1}, {0}},
    {{17, 1, 1}, {333, 1, 1}, {5, 0, 0}},
    {{16, 4, 1}, {64, 16, 1}, {0}},
    {{16, 4, 1}, {64, 18, 1}, {0}},
    {{16, 4, 1}, {70, 16, 1}, {7, 9, 0}},
    {{16, 4, 1}, {15, 3, 1}, {0}},
    {{8, 4, 2}, {24, 8, 6}, {0}},
    {{8, 4, 2}, {24, 8, 5}, {0}},
    {{8, 4, 2}, {25, 9, 3}, {1, 1, 0}},
    {{8, 8, 1}, {64, 16, 1}, {0}},
    {{8, 8, 1}, {65, 17, 1}, {0}},
    {{4, 4, 4}, {16, 12, 8}, {4, 0, 0}},
    {{1, 32, 1}, {5, 96, 1}, {0}},
    {{1, 32, 1}, {5, 100, 1}, {0}},
};
static const char *const names[] = {"sums", "places", "flat", "scan", "sub"};
enum { SUMS, PLACES, FLAT, SCAN, SUB_SUM };

/* ---- what is right --------------------------------------------------------------------------- */

struct group {
    const struct shape *s;
    size_t corner[3], size[3], items;
    cl_uint values[512]; /* of its items, in their order */
    size_t cells[512];
};

static void find_group(struct group *g, const cl_uint *in)
{
    size_t n = 0;
    for (int d = 0; d < 3; d++) {
        size_t left = g->s->global[d] - g->corner[d];
        g->size[d] = left < g->s->local[d] ? left : g->s->local[d];
    }
    for (size_t z = 0; z < g->size[2]; z++)
        for (size_t y = 0; y < g->size[1]; y++)
            for (size_t x = 0; x < g->size[0]; x++, n++) {
                g->cells[n] =
                    ((z + g->corner[2]) * g->s->global[1] + y + g->corner[1]) * g->s->global[0] +
                    x + g->corner[0];
                g->values[n] = in[g->cells[n]];
            }
    g->items = n;
}

static size_t right_value(const struct group *g, int which, size_t n)
{
    size_t sum = 0, most = 0, any = 0, before = 0, of_sub = 0, first = n / SUB * SUB;
    size_t end = first + SUB < g->items ? first + SUB : g->items;
    for (size_t k = 0; k < g->items; k++) {
        sum += g->values[k];
        most = g->values[k] > most ? g->values[k] : most;
        any |= g->values[k] == 7;
        before += k <= n ? g->values[k] : 0;
        of_sub += k >= first && k < end ? g->values[k] : 0;
    }
    switch (which) {
    case SUMS:
        return g->values[g->items - 1 - n] * 5 + sum * 7 + g->size[0] + g->size[1] * 100 +
               g->size[2] * 1000 + g->s->local[0] * 10000;
    case PLACES:
        return g->values[n] * 3 + n + g->items * 1000 + g->corner[0] / g->s->local[0] * 100000 +
               g->corner[1] / g->s->local[1] * 1000000;
    case FLAT:
        return g->values[n] * 3 + 1;
    case SCAN:
        return before * 3 + most * 5 + any + g->items * 100000;
    default:
        return of_sub + n % SUB * 10000 + (end - first) * 1000000;
    }
}

static int wrong_cells(const struct shape *s, int which, const cl_uint *in, const cl_uint *got)
{
    struct group g = {.s = s};
    int wrong = 0;
    for (g.corner[2] = 0; g.corner[2] < s->global[2]; g.corner[2] += s->local[2])
        for (g.corner[1] = 0; g.corner[1] < s->global[1]; g.corner[1] += s->local[1])
            for (g.corner[0] = 0; g.corner[0] < s->global[0]; g.corner[0] += s->local[0]) {
                find_group(&g, in);
                for (size_t n = 0; n < g.items; n++)
                    wrong += got[g.cells[n]] != (cl_uint)right_value(&g, which, n);
            }
    return wrong;
}

/* ---- launches -------------------------------------------------------------------------------- */

static bool has_sub_groups(void)
{
    return is_sluice() && device_version() >= 300 && device_uint(CL_DEVICE_MAX_NUM_SUB_GROUPS) > 0;
}

static int kernel_count(void)
{
    return has_sub_groups() ? SUB_SUM + 1 : SUB_SUM;
}

static cl_program program_for(const struct shape *s)
{
    char options[120];
    snprintf(options, sizeof options, "-cl-std=CL3.0 -DX=%zu -DY=%zu -DZ=%zu%s", s->local[0],
             s->local[1], s->local[2], has_sub_groups() ? " -DSUB_GROUPS" : "");
    return built(source, options);
}

/* Any thread. How many cells are wrong; those of a failure all are. */
static int wrong_after(cl_command_queue queue, cl_kernel kernel, const struct shape *s, int which)
{
    static const cl_uint unset = 0xdeadbeef;
    size_t cells = s->global[0] * s->global[1] * s->global[2], bytes = cells * sizeof(cl_uint);
    cl_uint *in = malloc(bytes), *got = malloc(bytes);
    cl_int rc, second;
    for (size_t k = 0; k < cells; k++)
        in[k] = (cl_uint)(k * 37 % 101);
    cl_mem a = clCreateBuffer(cl.context, CL_MEM_COPY_HOST_PTR, bytes, in, &rc);
    cl_mem b = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, bytes, NULL, &second);
    rc = rc ? rc : second;
    rc = rc ? rc : clEnqueueFillBuffer(queue, b, &unset, sizeof unset, 0, bytes, 0, NULL, NULL);
    rc = rc ? rc : clSetKernelArg(kernel, 0, sizeof a, &a);
    rc = rc ? rc : clSetKernelArg(kernel, 1, sizeof b, &b);
    rc = rc ? rc
            : clEnqueueNDRangeKernel(queue, kernel, 3, s->offset, s->global, s->local, 0, NULL,
                                     NULL);
    rc = rc ? rc : clEnqueueReadBuffer(queue, b, CL_TRUE, 0, bytes, got, 0, NULL, NULL);
    int wrong = rc ? (int)cells : wrong_cells(s, which, in, got);
    clFinish(queue);
    clReleaseMemObject(a);
    clReleaseMemObject(b);
    free(in);
    free(got);
    return wrong;
}

static void check(cl_program program, int which, const struct shape *s)
{
    cl_kernel kernel = kernel_of(program, names[which]);
    size_t size[3] = {0};
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                      sizeof size, size, NULL));
    CHECK(!memcmp(size, s->local, sizeof size));
    int wrong = wrong_after(cl.queue, kernel, s, which);
    if (wrong)
        check_fail(__FILE__, __LINE__, "%s of %zu %zu %zu in groups of %zu %zu %zu: %d wrong",
                   names[which], s->global[0], s->global[1], s->global[2], s->local[0], s->local[1],
                   s->local[2], wrong);
    RELEASE_KERNEL(kernel);
}

static bool same_size(const struct shape *a, const struct shape *b)
{
    return !memcmp(a->local, b->local, sizeof a->local);
}

static void need_cut_groups(void)
{
    cl_bool uneven = CL_FALSE;
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof uneven,
                             &uneven, NULL));
    if (!uneven)
        check_skip("groups of a launch have one size");
}

/* All launches of a size, forward and back: whole ones in front of others, and behind. */
static void check_size(cl_program program, const struct shape *of)
{
    for (int which = 0; which < kernel_count(); which++) {
        for (size_t k = 0; k < LEN(shapes); k++)
            if (same_size(&shapes[k], of))
                check(program, which, &shapes[k]);
        for (size_t k = LEN(shapes); k-- > 0;)
            if (same_size(&shapes[k], of))
                check(program, which, &shapes[k]);
    }
}

static void every_launch(void)
{
    need_cut_groups();
    for (size_t first = 0; first < LEN(shapes); first++) {
        if (first && same_size(&shapes[first], &shapes[first - 1]))
            continue;
        cl_program program = program_for(&shapes[first]);
        check_size(program, &shapes[first]);
        RELEASE_PROGRAM(program);
    }
}

/* No launch was whole before, nor has one been. */
static void cut_ones_first(void)
{
    need_cut_groups();
    for (size_t k = 0; k < LEN(shapes); k++) {
        if (k && !same_size(&shapes[k], &shapes[k - 1]))
            continue;
        cl_program program = program_for(&shapes[k]);
        check(program, SUMS, &shapes[k]);
        check(program, SCAN, &shapes[k]);
        RELEASE_PROGRAM(program);
    }
}

static void from_a_binary(void)
{
    size_t bytes = 0;
    cl_int rc, status;
    need_cut_groups();
    cl_program program = program_for(&shapes[6]);
    REQUIRE_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    REQUIRE(bytes > 0);
    unsigned char *binary = malloc(bytes);
    const unsigned char *input = binary;
    REQUIRE_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    RELEASE_PROGRAM(program);
    program = clCreateProgramWithBinary(cl.context, 1, &cl.device, &bytes, &input, &status, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
    check_size(program, &shapes[6]);
    RELEASE_PROGRAM(program);
    free(binary);
}

/* ---- at once --------------------------------------------------------------------------------- */

struct worker {
    cl_program program;
    pthread_barrier_t *start;
    const struct shape *shape;
    int wrong;
};

static void *work(void *data)
{
    struct worker *w = data;
    cl_int rc, second = CL_SUCCESS;
    cl_command_queue queue = clCreateCommandQueue(cl.context, cl.device, 0, &rc);
    pthread_barrier_wait(w->start);
    for (int which = 0; which < SUB_SUM && !rc && !second; which++) {
        cl_kernel kernel = clCreateKernel(w->program, names[which], &second);
        for (int round = 0; round < 3 && !second; round++)
            w->wrong += wrong_after(queue, kernel, w->shape, which);
        clReleaseKernel(kernel);
    }
    w->wrong += rc || second;
    clReleaseCommandQueue(queue);
    return NULL;
}

/* One has whole groups, the other not. */
static void two_at_once(void)
{
    need_cut_groups();
    for (int round = 0; round < 3; round++) {
        pthread_t threads[2];
        pthread_barrier_t start;
        cl_program program = program_for(&shapes[6]);
        REQUIRE(!pthread_barrier_init(&start, NULL, 2));
        struct worker workers[2] = {{program, &start, &shapes[6], 0},
                                    {program, &start, &shapes[7 + round % 2], 0}};
        for (int t = 0; t < 2; t++)
            REQUIRE(!pthread_create(&threads[t], NULL, work, &workers[t]));
        for (int t = 0; t < 2; t++) {
            pthread_join(threads[t], NULL);
            CHECK_EQ(workers[t].wrong, 0);
        }
        pthread_barrier_destroy(&start);
        RELEASE_PROGRAM(program);
    }
}

static const struct test_case cases[] = {
    CASE(every_launch),
    CASE(cut_ones_first),
    CASE(from_a_binary),
    CASE(two_at_once),
};
TEST_MAIN("required_group", cases)
