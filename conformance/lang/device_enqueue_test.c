/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that enqueue kernels: what these compute, in which order, and how deep it may go. */
#include "device_queue.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_kernel parent(const char *source, const char *name)
{
    return new_kernel(source, name, "-cl-std=CL3.0");
}

/* Runs a kernel whose first argument is a buffer of `count` ints, zeros at first. */
static void run_ints(cl_kernel kernel, size_t items, size_t group, size_t count, cl_int *out)
{
    memset(out, 0, count * sizeof *out);
    cl_mem mem = new_buffer(CL_MEM_COPY_HOST_PTR, count * sizeof *out, out);
    ARG(kernel, 0, mem);
    run_1d(kernel, items, group);
    read_back(mem, count * sizeof *out, out);
    RELEASE_MEM(mem);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Each item has a child of its own size; captured values differ from child to child. */
static void one_child_each(void)
{
    enum { PARENTS = 1037, MOST = 7 };
    static cl_int out[PARENTS * MOST];
    need_device_queues();
    cl_command_queue queue = default_queue();
    cl_kernel kernel = parent("kernel void k(global int *out)\n"
                              "{\n"
                              "    int me = get_global_id(0), twice = me * 2;\n"
                              "    float half_me = me * 0.5f;\n"
                              "    size_t n = me % 7 + 1;\n"
                              "    int rc = enqueue_kernel(get_default_queue(),\n"
                              "        CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(n), ^{\n"
                              "            size_t i = get_global_id(0);\n"
                              "            out[me * 7 + i] += twice + (int)half_me + i * 10\n"
                              "                             + get_global_size(0) * 100000;\n"
                              "        });\n"
                              "    if (rc) out[me * 7] = rc;\n"
                              "}\n",
                              "k");
    run_ints(kernel, PARENTS, 17, LEN(out), out);
    for (int me = 0; me < PARENTS; me++)
        for (int i = 0; i < MOST; i++) {
            int n = me % MOST + 1, want = i < n ? me * 2 + me / 2 + i * 10 + n * 100000 : 0;
            if (out[me * MOST + i] != want) {
                CHECK_EQ(out[me * MOST + i], want);
                i = MOST, me = PARENTS;
            }
        }
    RELEASE_KERNEL(kernel);
    RELEASE_QUEUE(queue);
}

struct range {
    int dims;
    size_t offset[3], global[3], local[3];
};

/* What an item sees of its place is what an ordinary launch of that range shows. */
static void ranges(void)
{
    static const struct range rows[] = {
        {1, {0}, {1}, {1}},
        {1, {5}, {131}, {8}},
        {1, {0}, {64}, {64}},
        {2, {3, 1}, {13, 7}, {4, 3}},
        {2, {0, 0}, {31, 5}, {31, 1}},
        {3, {1, 2, 3}, {7, 5, 3}, {3, 2, 2}},
        {3, {0, 0, 0}, {4, 4, 4}, {4, 4, 4}},
    };
#define PLACE                                                                                      \
    "    size_t x = get_global_id(0) - get_global_offset(0),"                                      \
    "           y = get_global_id(1) - get_global_offset(1),"                                      \
    "           z = get_global_id(2) - get_global_offset(2);"                                      \
    "    size_t at = (z * get_global_size(1) + y) * get_global_size(0) + x;"                       \
    "    out[at] = get_local_id(0) + 10 * get_local_id(1) + 100 * get_local_id(2)"                 \
    "            + 1000 * get_group_id(0) + 20000 * get_group_id(1) + 100000 * get_group_id(2)"    \
    "            + 1000000 * get_local_size(0) + 3 * get_enqueued_local_size(1)"                   \
    "            + 7 * get_work_dim() + 11 * get_num_groups(2) + 13 * get_global_id(1);\n"
    static const char source[] =
        "typedef struct { int dims; ulong offset[3], all[3], group[3]; } range;\n"
        "kernel void child(global int *out) {\n" PLACE "}\n"
        "kernel void k(global int *out, range r)\n"
        "{\n"
        "    ndrange_t nd = r.dims == 1 ? ndrange_1D(r.offset[0], r.all[0], r.group[0])\n"
        "        : r.dims == 2 ? ndrange_2D(r.offset, r.all, r.group)\n"
        "        : ndrange_3D(r.offset, r.all, r.group);\n"
        "    int rc = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, nd, "
        "^{\n" PLACE "    });\n"
        "    if (rc) out[0] = rc;\n"
        "}\n";
    cl_int got[256], want[256];
    need_device_queues();
    cl_command_queue queue = default_queue();
    cl_program program = built(source, "-cl-std=CL3.0");
    cl_kernel kernel = kernel_of(program, "k"), child = kernel_of(program, "child");
    cl_mem mem = new_buffer(0, sizeof got, NULL);
    for (size_t row = 0; row < LEN(rows); row++) {
        const struct range *r = &rows[row];
        size_t items =
            r->global[0] * (r->dims > 1 ? r->global[1] : 1) * (r->dims > 2 ? r->global[2] : 1);
        ARG(child, 0, mem);
        run_nd(child, (cl_uint)r->dims, r->offset, r->global, r->local);
        read_back(mem, items * sizeof *want, want);
        ARG(kernel, 0, mem);
        ARG(kernel, 1, *r);
        memset(got, 0xff, sizeof got);
        CHECK_OK(clEnqueueWriteBuffer(cl.queue, mem, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        run_1d(kernel, 1, 1);
        read_back(mem, items * sizeof *got, got);
        CHECK(!memcmp(got, want, items * sizeof *got));
    }
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    RELEASE_KERNEL(child);
    RELEASE_PROGRAM(program);
    RELEASE_QUEUE(queue);
}

/* A range without a local size, and one without items. */
static void chosen_sizes(void)
{
    enum { ITEMS = 10007 };
    static cl_int out[ITEMS + 1];
    need_device_queues();
    cl_command_queue queue = default_queue();
    cl_kernel kernel =
        parent("kernel void k(global int *out)\n"
               "{\n"
               "    queue_t q = get_default_queue();\n"
               "    size_t flat[2] = {10007, 1}, none[2] = {10007, 0};\n"
               "    out[10007] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_2D(flat),\n"
               "        ^{ out[get_global_id(0)] += get_global_id(0) * 3; })\n"
               "        + enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_2D(none),\n"
               "        ^{ out[get_global_id(0)] += 1; });\n"
               "}\n",
               "k");
    run_ints(kernel, 1, 1, LEN(out), out);
    for (int i = 0; i < ITEMS; i++)
        if (out[i] != i * 3) {
            CHECK_EQ(out[i], i * 3);
            break;
        }
    CHECK_EQ(out[ITEMS], 0);
    RELEASE_KERNEL(kernel);
    RELEASE_QUEUE(queue);
}

/* Two pieces of local memory of sizes known at run time; a barrier between writer and reader. */
static void local_memory(void)
{
    enum { GROUP = 37, GROUPS = 11, ITEMS = GROUP * GROUPS };
    static cl_int out[ITEMS];
    need_device_queues();
    cl_command_queue queue = default_queue();
    cl_kernel kernel =
        parent("kernel void k(global int *out, uint group, uint items)\n"
               "{\n"
               "    int seed = 5;\n"
               "    int rc = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT,\n"
               "        ndrange_1D(items, group), ^(local void *a, local void *b) {\n"
               "            local int *turned = a;\n"
               "            local char *small = b;\n"
               "            int l = get_local_id(0), n = get_local_size(0);\n"
               "            turned[n - 1 - l] = get_global_id(0) * seed;\n"
               "            small[l] = l;\n"
               "            barrier(CLK_LOCAL_MEM_FENCE);\n"
               "            out[get_global_id(0)] = turned[l] + small[(l + 1) % n];\n"
               "        }, (uint)(group * sizeof(int)), group);\n"
               "    if (rc) out[0] = rc;\n"
               "}\n",
               "k");
    const cl_uint group = GROUP, items = ITEMS;
    ARG(kernel, 1, group);
    ARG(kernel, 2, items);
    run_ints(kernel, 1, 1, LEN(out), out);
    for (int i = 0; i < ITEMS; i++) {
        int l = i % GROUP, other = i - l + GROUP - 1 - l;
        if (out[i] != other * 5 + (l + 1) % GROUP) {
            CHECK_EQ(out[i], other * 5 + (l + 1) % GROUP);
            break;
        }
    }
    RELEASE_KERNEL(kernel);
    RELEASE_QUEUE(queue);
}

/* Blocks that are called, kept at program scope, and given vectors and structs. */
static void other_blocks(void)
{
    cl_int out[12];
    need_device_queues();
    cl_command_queue queue = default_queue();
    cl_kernel kernel = parent(
        "global int ran;\n"
        "void (^const common)(void) = ^{ atomic_inc(&ran); };\n"
        "typedef struct { char c; double16 d; int i[3]; } mixed;\n"
        "kernel void k(global int *out)\n"
        "{\n"
        "    queue_t q = get_default_queue();\n"
        "    int (^plus)(int) = ^(int x) { return x + out[11] + 4; };\n"
        "    out[0] = plus(3);\n"
        "    mixed m = {'a', (double16)(0), {7, 8, 9}};\n"
        "    m.d.s7 = 2.5;\n"
        "    int4 v = (int4)(1, 2, 3, 4);\n"
        "    clk_event_t first, none = CLK_NULL_EVENT;\n"
        "    out[1] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(25), 0, NULL,\n"
        "                            &first, common);\n"
        "    out[2] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &first,\n"
        "        NULL, ^{ out[3] = ran; out[4] = m.c; out[5] = (int)(m.d.s7 * 2) + m.i[2];\n"
        "                 out[6] = v.w * 10 + v.y; });\n"
        "    out[7] = is_valid_event(none) ? 1 : 2;\n"
        "    out[8] = is_valid_event(first) ? 1 : 2;\n"
        "    release_event(first);\n"
        "}\n",
        "k");
    run_ints(kernel, 1, 1, LEN(out), out);
    const cl_int want[12] = {7, 0, 0, 25, 'a', 14, 42, 2, 1};
    for (size_t i = 0; i < LEN(out); i++)
        CHECK_EQ(out[i], want[i]);
    RELEASE_KERNEL(kernel);
    RELEASE_QUEUE(queue);
}

/* ---- order and depth ------------------------------------------------------------------------- */

/* A child that waits for the kernel sees what all of its groups wrote. */
static void after_the_parent(void)
{
    enum { ITEMS = 50021 };
    static cl_int out[ITEMS + 3];
    need_device_queues();
    cl_command_queue queue = default_queue();
    cl_kernel kernel =
        parent("kernel void k(global int *out, uint n, kernel_enqueue_flags_t flags)\n"
               "{\n"
               "    size_t i = get_global_id(0);\n"
               "    if (i == 0)\n"
               "        out[n + 1] = enqueue_kernel(get_default_queue(), flags, ndrange_1D(1), ^{\n"
               "            int sum = 0;\n"
               "            for (uint j = 0; j < n; j++) sum += out[j];\n"
               "            out[n] = sum;\n"
               "        });\n"
               "    out[i] = i % 5;\n"
               "}\n",
               "k");
    const cl_uint n = ITEMS;
    for (cl_int flags = 1; flags <= 2; flags++) { /* WAIT_KERNEL; WAIT_WORK_GROUP: own group */
        ARG(kernel, 1, n);
        ARG(kernel, 2, flags);
        run_ints(kernel, ITEMS, flags == 1 ? 23 : 1, LEN(out), out);
        CHECK_EQ(out[ITEMS + 1], 0);
        if (flags == 1)
            CHECK_EQ(out[ITEMS], ITEMS / 5 * 10); /* and 1 item more that adds 0 */
    }
    RELEASE_KERNEL(kernel);
    RELEASE_QUEUE(queue);
}

/* Three children each, five levels: 1 + 3 + 9 + ... kernels of 5 items. */
static void tree(void)
{
    cl_int out[8];
    need_device_queues();
    cl_command_queue queue = default_queue();
    cl_kernel kernel =
        parent("void visit(global int *out, int level)\n"
               "{\n"
               "    atomic_inc(&out[level]);\n"
               "    if (level == 6 || get_global_id(0)) return;\n"
               "    for (int i = 0; i < 3; i++)\n"
               "        if (enqueue_kernel(get_default_queue(), i % 3, ndrange_1D(5, 2),\n"
               "                           ^{ visit(out, level + 1); }))\n"
               "            atomic_inc(&out[7]);\n"
               "}\n"
               "kernel void k(global int *out) { visit(out, 0); }\n",
               "k");
    run_ints(kernel, 1, 1, LEN(out), out);
    for (int level = 0, kernels = 1; level <= 6; level++, kernels *= 3)
        CHECK_EQ(out[level], level ? kernels * 5 : 1);
    CHECK_EQ(out[7], 0);
    RELEASE_KERNEL(kernel);
    RELEASE_QUEUE(queue);
}

/* A kernel that enqueues its successor, far more often than the queue has room for kernels. */
static void long_chain(void)
{
    enum { LINKS = 20000 };
    cl_int out[2];
    need_device_queues();
    cl_command_queue queue = device_queue(CL_QUEUE_ON_DEVICE_DEFAULT, 16 << 10);
    cl_kernel kernel = parent(
        "void next(global int *out, int left)\n"
        "{\n"
        "    out[0]++;\n"
        "    if (left && enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL,\n"
        "                               ndrange_1D(1), ^{ next(out, left - 1); }))\n"
        "        out[1]++;\n"
        "}\n"
        "kernel void k(global int *out) { next(out, 20000); }\n",
        "k");
    run_ints(kernel, 1, 1, LEN(out), out);
    CHECK_EQ(out[0], LINKS + 1);
    CHECK_EQ(out[1], 0);
    RELEASE_KERNEL(kernel);
    RELEASE_QUEUE(queue);
}

/* The event of the host's command, and what comes behind it in queues of both kinds. */
static void ends_with_its_children(void)
{
    enum { ITEMS = 4096 };
    static cl_int out[ITEMS];
    need_device_queues();
    cl_command_queue queue = default_queue();
    cl_kernel kernel =
        parent("kernel void k(global int *out)\n"
               "{\n"
               "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT,\n"
               "        ndrange_1D(4096, 64), ^{\n"
               "        uint x = get_global_id(0);\n"
               "        for (int i = 0; i < 20000; i++) x = x * 1664525u + 1013904223u;\n"
               "        if (get_global_id(0) == 0)\n"
               "            enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL,\n"
               "                ndrange_1D(4096), ^{ out[get_global_id(0)]++; });\n"
               "        out[get_global_id(0)] = x | 1;\n"
               "    });\n"
               "}\n",
               "k");
    for (int kind = 0; kind < 2; kind++) {
        const size_t one = 1;
        cl_event event;
        cl_command_queue host = new_queue(kind ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
        cl_mem mem = new_buffer(0, sizeof out, NULL);
        ARG(kernel, 0, mem);
        CHECK_OK(clEnqueueNDRangeKernel(host, kernel, 1, NULL, &one, NULL, 0, NULL, &event));
        CHECK_OK(clEnqueueReadBuffer(host, mem, CL_FALSE, 0, sizeof out, out, kind, /* in order: */
                                     kind ? &event : NULL, NULL));
        CHECK_OK(clFinish(host));
        CHECK_EQ(event_status(event), CL_COMPLETE);
        for (cl_uint i = 0; i < ITEMS; i++) {
            cl_uint x = i;
            for (int k = 0; k < 20000; k++)
                x = x * 1664525u + 1013904223u;
            if ((cl_uint)out[i] != (x | 1) + 1) {
                CHECK_EQ(out[i], (x | 1) + 1);
                break;
            }
        }
        RELEASE_EVENT(event);
        RELEASE_MEM(mem);
        RELEASE_QUEUE(host);
    }
    RELEASE_KERNEL(kernel);
    RELEASE_QUEUE(queue);
}

/* A child that must end its launch early fails the launch, and the next one works. */
static void failing_child(void)
{
    need_device_queues();
    if (!is_sluice())
        check_skip("what a trap does is ours to say");
    cl_command_queue queue = default_queue(), host = new_queue(0);
    cl_kernel kernel =
        parent("kernel void k(global int *out)\n"
               "{\n"
               "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(3),\n"
               "                   ^{ if (out[0] == 0) __builtin_trap(); out[1] = 5; });\n"
               "}\n",
               "k");
    const size_t one = 1;
    for (cl_int round = 0; round < 2; round++) {
        cl_int data[2] = {round, 0};
        cl_event event;
        cl_mem mem = new_buffer(CL_MEM_USE_HOST_PTR, sizeof data, data);
        ARG(kernel, 0, mem);
        CHECK_OK(clEnqueueNDRangeKernel(host, kernel, 1, NULL, &one, NULL, 0, NULL, &event));
        clFinish(host);
        CHECK(round ? event_status(event) == CL_COMPLETE : event_status(event) < 0);
        CHECK_EQ(data[1], round ? 5 : 0);
        RELEASE_EVENT(event);
        RELEASE_MEM(mem);
    }
    RELEASE_KERNEL(kernel);
    RELEASE_QUEUE(host);
    RELEASE_QUEUE(queue);
}

/* ---- programs -------------------------------------------------------------------------------- */

static const char hidden_source[] =
    "kernel void k(global int *out)\n"
    "{\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(9),\n"
    "                   ^{ out[get_global_id(0)] = get_global_id(0) + 1; });\n"
    "}\n"
    "kernel void plain(global int *out) { out[get_global_id(0)] = 1; }\n";

static void check_hidden(cl_program program)
{
    cl_int out[9], rc;
    cl_uint made = 0;
    cl_kernel kernels[3];
    size_t count = 0;
    char names[64] = "";
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
    CHECK_EQ(count, 2);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
    CHECK(!strcmp(names, "k;plain") || !strcmp(names, "plain;k"));
    CHECK_OK(clCreateKernelsInProgram(program, 3, kernels, &made));
    CHECK_EQ(made, 2);
    for (cl_uint i = 0; i < made; i++)
        RELEASE_KERNEL(kernels[i]);
    clCreateKernel(program, "__k_block_invoke_kernel", &rc);
    CHECK_EQ(rc, CL_INVALID_KERNEL_NAME);
    cl_kernel kernel = kernel_of(program, "k");
    run_ints(kernel, 1, 1, LEN(out), out);
    for (int i = 0; i < 9; i++)
        CHECK_EQ(out[i], i + 1);
    RELEASE_KERNEL(kernel);
}

/* Kernels of blocks are no kernels that an application sees, also in a binary. */
static void not_seen(void)
{
    cl_int rc, status;
    size_t bytes = 0;
    need_device_queues();
    cl_command_queue queue = default_queue();
    cl_program program = built(hidden_source, "-cl-std=CL3.0");
    check_hidden(program);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    unsigned char *binary = malloc(bytes);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    RELEASE_PROGRAM(program);
    program = clCreateProgramWithBinary(cl.context, 1, &cl.device, &bytes,
                                        (const unsigned char **)&binary, &status, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(program, 1, &cl.device, NULL, NULL, NULL));
    check_hidden(program);
    free(binary);
    RELEASE_PROGRAM(program);
    RELEASE_QUEUE(queue);
}

static cl_program object(const char *name, int value)
{
    char text[512];
    snprintf(text, sizeof text,
             "static void go(global int *out) {\n"
             "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(3),\n"
             "                   ^{ out[get_global_id(0)] += %d; });\n"
             "}\n"
             "kernel void %s(global int *out) { go(out); }\n",
             value, name);
    cl_program program = new_program(text);
    REQUIRE_OK(
        clCompileProgram(program, 1, &cl.device, "-cl-std=CL3.0", 0, NULL, NULL, NULL, NULL));
    return program;
}

/* Blocks of functions that are called alike in two files. */
static void linked(void)
{
    cl_int rc, out[3];
    need_device_queues();
    cl_command_queue queue = default_queue();
    cl_program parts[] = {object("first", 20), object("second", 3)};
    cl_program program = clLinkProgram(cl.context, 1, &cl.device, NULL, 2, parts, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    cl_kernel first = kernel_of(program, "first"), second = kernel_of(program, "second");
    run_ints(first, 1, 1, LEN(out), out);
    CHECK_EQ(out[2], 20);
    run_ints(second, 1, 1, LEN(out), out);
    CHECK_EQ(out[2], 3);
    RELEASE_KERNEL(first);
    RELEASE_KERNEL(second);
    RELEASE_PROGRAM(program);
    RELEASE_PROGRAM(parts[0]);
    RELEASE_PROGRAM(parts[1]);
    RELEASE_QUEUE(queue);
}

/* As many kernels as are compiled by several processes, or when they are launched. */
static void many(void)
{
    enum { KERNELS = 40 };
    static char text[KERNELS * 320];
    cl_int out[3];
    char *at = text;
    need_device_queues();
    cl_command_queue queue = default_queue();
    for (int i = 0; i < KERNELS; i++)
        at += sprintf(at,
                      "kernel void k%d(global int *out) {\n"
                      "    int x = %d;\n"
                      "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL,\n"
                      "        ndrange_1D(3), ^{ out[get_global_id(0)] += x * %d; });\n"
                      "}\n",
                      i, i, i + 1);
    cl_program program = built(text, "-cl-std=CL3.0");
    for (int i = KERNELS - 1; i >= 0; i -= 7) {
        char name[8];
        snprintf(name, sizeof name, "k%d", i);
        cl_kernel kernel = kernel_of(program, name);
        run_ints(kernel, 1, 1, LEN(out), out);
        CHECK_EQ(out[2], i * (i + 1));
        RELEASE_KERNEL(kernel);
    }
    RELEASE_PROGRAM(program);
    RELEASE_QUEUE(queue);
}

static void refused(void)
{
    static const char *const sources[] = {
        "kernel void k(queue_t q, global int *x) { if (q == 0) *x = 1; }",
        "kernel void k(queue_t q, global int *x) { q = 0; *x = 1; }",
        "kernel void k(global int *x) { clk_event_t e = __builtin_astype(5ul, clk_event_t); "
        "*x = is_valid_event(e); }",
        "kernel void k(global int *x) { enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), "
        "^(int a) { *x = a; }, 4); }",
    };
    need_device_queues();
    for (size_t i = 0; i < LEN(sources); i++) {
        cl_program program = new_program(sources[i]);
        FAILS(CL_BUILD_PROGRAM_FAILURE,
              clBuildProgram(program, 1, &cl.device, "-cl-std=CL3.0", NULL, NULL));
        char *log = build_log(program);
        CHECK(strstr(log, "error: "));
        if (is_sluice())
            CHECK(strstr(log, "1:")); /* with its place */
        free(log);
        RELEASE_PROGRAM(program);
    }
}

/* ---- several threads ------------------------------------------------------------------------- */

enum { THREADS = 6, ROUNDS = 40, ITEMS = 301 };
static cl_program shared_program;

static void *enqueue_often(void *arg)
{
    const size_t global = ITEMS;
    cl_int seed = *(int *)arg, rc, data[ITEMS];
    cl_command_queue queue = clCreateCommandQueue(cl.context, cl.device, 0, &rc);
    if (!CHECK_OK(rc))
        return NULL;
    for (cl_int round = 0; round < ROUNDS; round++) {
        cl_kernel kernel = clCreateKernel(shared_program, "k", &rc);
        memset(data, 0, sizeof data);
        cl_mem mem = clCreateBuffer(cl.context, CL_MEM_COPY_HOST_PTR, sizeof data, data, &rc);
        if (!CHECK_OK(rc))
            break;
        cl_int value = seed * 1000 + round;
        CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
        CHECK_OK(clSetKernelArg(kernel, 1, sizeof value, &value));
        CHECK_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
        CHECK_OK(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
        CHECK_OK(clReleaseMemObject(mem));
        CHECK_OK(clReleaseKernel(kernel));
        for (int i = 0; i < ITEMS; i++)
            if (data[i] != value + i) {
                CHECK_EQ(data[i], value + i);
                break;
            }
    }
    CHECK_OK(clReleaseCommandQueue(queue));
    return NULL;
}

static void several_threads(void)
{
    pthread_t threads[THREADS];
    int seeds[THREADS];
    need_device_queues();
    cl_command_queue queue = default_queue();
    shared_program =
        built("kernel void k(global int *out, int value)\n"
              "{\n"
              "    queue_t q = get_default_queue();\n"
              "    size_t i = get_global_id(0);\n"
              "    clk_event_t a, b = create_user_event();\n"
              "    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &b, &a,\n"
              "                   ^{ out[i] += value; });\n"
              "    enqueue_kernel(q, i % 3, ndrange_1D(1), 1, &a, NULL, ^{ out[i] += i; });\n"
              "    set_user_event_status(b, CL_COMPLETE);\n"
              "    release_event(a);\n"
              "    release_event(b);\n"
              "}\n",
              "-cl-std=CL3.0");
    for (int i = 0; i < THREADS; i++) {
        seeds[i] = i + 1;
        REQUIRE(!pthread_create(&threads[i], NULL, enqueue_often, &seeds[i]));
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    RELEASE_PROGRAM(shared_program);
    RELEASE_QUEUE(queue);
}

static const struct test_case cases[] = {
    CASE(one_child_each),
    CASE(ranges),
    CASE(chosen_sizes),
    CASE(local_memory),
    CASE(other_blocks),
    CASE(tree),
    CASE(long_chain),
    CASE(failing_child),
    CASE(after_the_parent),
    CASE(not_seen),
    CASE(ends_with_its_children),
    CASE(linked),
    CASE(many),
    CASE(refused),
    CASE(several_threads),
};
TEST_MAIN("device_enqueue", cases)
