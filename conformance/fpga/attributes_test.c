/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel attributes: autorun kernels and their copies, limits that are enforced, hints that are
 * accepted. */
#include "child.h"
#include "flow.h"
#include "runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AUTORUN "__attribute__((max_global_work_dim(0))) __attribute__((autorun)) "
#define ENDS(first, last)                                                                          \
    "kernel void src(global uint *o, uint n) {\n"                                                  \
    "    for (uint i = 0; i < n; i++) write_channel_intel(" first ", i);\n"                        \
    "}\n"                                                                                          \
    "kernel void dst(global uint *o, uint n) {\n"                                                  \
    "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(" last ");\n"                      \
    "}\n"

static cl_uint plus_one(cl_uint i)
{
    return i + 1;
}

static cl_uint plus_hundred(cl_uint i)
{
    return i + 100;
}

/* ---- autorun --------------------------------------------------------------------------------- */

static void autorun_loop(void)
{
    flow_expect(CHANNELS "channel uint a __attribute__((depth(2))); channel uint b "
                         "__attribute__((depth(2)));\n" AUTORUN "kernel void relay(void) {\n"
                         "    while (1) write_channel_intel(b, read_channel_intel(a) + 1);\n"
                         "}\n" ENDS("a", "b"),
                "src dst", 3000, plus_one);
}

/* One that returns is started again. */
static void autorun_restarts(void)
{
    flow_expect(CHANNELS "channel uint a __attribute__((depth(2))); channel uint b "
                         "__attribute__((depth(2)));\n" AUTORUN "kernel void relay(void) {\n"
                         "    write_channel_intel(b, read_channel_intel(a) + 1);\n"
                         "}\n" ENDS("a", "b"),
                "src dst", 3000, plus_one);
    flow_expect(
        CHANNELS
        "channel uint a __attribute__((depth(2))); channel uint b __attribute__((depth(2)));\n"
        "__attribute__((reqd_work_group_size(1, 1, 1))) __attribute__((autorun))\n"
        "kernel void relay(void) {\n"
        "    for (int i = 0; i < 3; i++) write_channel_intel(b, read_channel_intel(a) + 1);\n"
        "}\n" ENDS("a", "b"),
        "src dst", 2000, plus_one);
}

/* Started when the program is loaded: data waits for the reader without any other launch. */
static void autorun_starts_alone(void)
{
    flow_expect(CHANNELS "channel uint b __attribute__((depth(4)));\n" AUTORUN
                         "kernel void source(void) {\n"
                         "    uint i = 0; while (1) write_channel_intel(b, i++);\n"
                         "}\n"
                         "kernel void dst(global uint *o, uint n) {\n"
                         "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(b);\n"
                         "}\n",
                "dst", 5000, want_same);
}

static void autorun_copies(void)
{
    flow_expect(CHANNELS
                "channel uint a[101] __attribute__((depth(2)));\n" AUTORUN
                "__attribute__((num_compute_units(100))) kernel void stage(void) {\n"
                "    int id = get_compute_id(0);\n"
                "    while (1) write_channel_intel(a[id + 1], read_channel_intel(a[id]) + 1);\n"
                "}\n" ENDS("a[0]", "a[100]"),
                "src dst", 300, plus_hundred);
}

/* Ids in three dimensions; each copy writes its place once. */
static void copies_in_three_dimensions(void)
{
    flow_expect(
        CHANNELS
        "channel uint a[2][3][4] __attribute__((depth(1)));\n" AUTORUN
        "__attribute__((num_compute_units(4, 3, 2))) kernel void cell(void) {\n"
        "    int x = get_compute_id(0), y = get_compute_id(1), z = get_compute_id(2);\n"
        "    write_channel_intel(a[z][y][x], (uint)(z * 12 + y * 4 + x));\n"
        "}\n"
        "kernel void dst(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(a[i / 12][i / 4 % 3][i % 4]);\n"
        "}\n",
        "dst", 24, want_same);
}

/* It has no work to do and must not cost any; nor may it crash the process. */
static void autorun_with_nothing_to_do(void)
{
    cl_program program = built(CHANNELS AUTORUN "kernel void empty(void) {}\n" AUTORUN
                                                "kernel void idle(void) { int i = 0; (void)i; }\n"
                                                "kernel void k(global uint *o, uint n) {\n"
                                                "    for (uint i = 0; i < n; i++) o[i] = i;\n"
                                                "}\n",
                               "");
    program_expect(program, "k", 100, want_same);
    double before = cpu_seconds();
    usleep(300000);
    CHECK(cpu_seconds() - before < 0.1);
    RELEASE_PROGRAM(program);
}

static const char plain[] = "kernel void k(global uint *o, uint n) {\n"
                            "    for (uint i = 0; i < n; i++) o[i] = i;\n"
                            "}\n";

static void job_prints(void)
{
    struct text source = {0};
    REQUIRE(!env_open());
    text_add(&source, "%s%s", plain,
             AUTORUN "__attribute__((num_compute_units(7))) kernel void mark(void) {\n"
                     "    printf(\"<%d>\", get_compute_id(0));\n"
                     "}\n");
    cl_program program = built(source.at, "");
    program_expect(program, "k", 10, want_same);
    usleep(100000);
    RELEASE_PROGRAM(program);
    free(source.at);
    env_close(1);
}

/* Without a pipe nothing would hold restarts up: each runs once. */
static void autorun_without_pipes(void)
{
    char text[8];
    if (!is_sluice())
        check_skip("starts with a launch");
    struct child child = child_run(&(struct child_plan){.job = "job_prints"});
    CHECK_EQ(child.status, 0);
    for (int i = 0; i < 7; i++) {
        snprintf(text, sizeof text, "<%d>", i);
        const char *first = strstr(child.out, text);
        if (!CHECK(first && !strstr(first + 1, text)))
            fprintf(stderr, "%s in \"%s\"\n", text, child.out);
    }
    child_finish(&child);
}

/* One that never ends is ended with its program. */
static void endless_autorun_without_pipes(void)
{
    struct text source = {0};
    if (!is_sluice())
        check_skip("it would not end");
    text_add(&source, "%s%s", plain,
             AUTORUN "kernel void spin(void) { for (uint i = 0;; i++) ; }\n" AUTORUN
                     "kernel void turn(void) {\n"
                     "    uint j = 1;\n"
                     "    while (j) for (uint i = 0; i < 5; i++) j = (j * 3 + i) | 1;\n"
                     "}\n");
    for (int i = 0; i < 3; i++) {
        cl_program program = built(source.at, i ? "" : "-cl-opt-disable");
        program_expect(program, "k", 10, want_same);
        RELEASE_PROGRAM(program);
    }
    free(source.at);
    usleep(50000);
    double before = cpu_seconds();
    usleep(300000);
    CHECK(cpu_seconds() - before < 0.1);
}

static void autorun_errors(void)
{
    build_fails("__attribute__((max_global_work_dim(0))) __attribute__((autorun))\n"
                "kernel void relay(int n) {}\n",
                "", WORDS("autorun"));
    build_fails("__attribute__((autorun)) kernel void relay(void) {}\n", "", WORDS("autorun"));
}

/* Nobody launches it; its copies are no kernels of the program. */
static void autorun_is_not_launched(void)
{
    cl_program program = built(CHANNELS "channel uint a[3]; channel uint b[3];\n" AUTORUN
                                        "__attribute__((num_compute_units(3)))\n"
                                        "kernel void relay(void) { int i = get_compute_id(0);\n"
                                        "    write_channel_intel(b[i], read_channel_intel(a[i]));\n"
                                        "}\n" ENDS("a[i % 3]", "b[i % 3]"),
                               "");
    if (is_sluice()) {
        char names[64] = "";
        cl_kernel kernel = kernel_of(program, "relay");
        size_t one = 1;
        cl_int rc;
        FAILS(CL_INVALID_OPERATION,
              clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
        RELEASE_KERNEL(kernel);
        CREATE_FAILS(CL_INVALID_KERNEL_NAME, clCreateKernel(program, "relay.1", ERR));
        rc = clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL);
        CHECK_OK(rc);
        CHECK(!strchr(names, '.'));
    }
    program_expect(program, "src dst", 100, want_same);
    RELEASE_PROGRAM(program);
}

static cl_uint kernel_count(cl_program program)
{
    size_t count = 0;
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
    return (cl_uint)count;
}

/* get_compute_id in an ordinary kernel is 0; its copies are nobody's business. */
static void compute_id_elsewhere(void)
{
    cl_program program = built("__attribute__((num_compute_units(3)))\n"
                               "kernel void k(global uint *o, uint n) {\n"
                               "    for (uint i = 0; i < n; i++) o[i] = i + get_compute_id(0);\n"
                               "}\n"
                               "kernel void l(global uint *o, uint n) {\n"
                               "    for (uint i = 0; i < n; i++) o[i] = i + get_compute_id(1);\n"
                               "}\n",
                               "");
    program_expect(program, "k", 10, want_same);
    program_expect(program, "l", 10, want_same);
    CHECK_EQ(kernel_count(program), 2);
    RELEASE_PROGRAM(program);
}

/* ---- limits ---------------------------------------------------------------------------------- */

static cl_int enqueue(cl_kernel kernel, const size_t *offset, size_t global, const size_t *local)
{
    cl_int rc = clEnqueueNDRangeKernel(cl.queue, kernel, 1, offset, &global, local, 0, NULL, NULL);
    CHECK_OK(clFinish(cl.queue));
    return rc;
}

static void single_work_item(void)
{
    const size_t one = 1, offset = 3, two = 2;
    cl_kernel kernel = new_kernel("__attribute__((max_global_work_dim(0)))\n"
                                  "kernel void k(global uint *o) { *o = 1; }\n",
                                  "k", "");
    cl_mem out = new_uints(1);
    ARG(kernel, 0, out);
    FAILS(CL_SUCCESS, enqueue(kernel, NULL, 1, &one));
    FAILS(CL_SUCCESS, enqueue(kernel, NULL, 1, NULL));
    if (is_sluice()) {
        FAILS(CL_INVALID_GLOBAL_WORK_SIZE, enqueue(kernel, NULL, 4, NULL));
        FAILS(CL_INVALID_GLOBAL_WORK_SIZE, enqueue(kernel, NULL, 2, &two));
        FAILS(CL_INVALID_GLOBAL_OFFSET, enqueue(kernel, &offset, 1, &one));
    }
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(out);
}

static cl_int enqueue_2d(cl_kernel kernel, size_t x, size_t y, const size_t *offset)
{
    const size_t global[] = {x, y};
    cl_int rc = clEnqueueNDRangeKernel(cl.queue, kernel, 2, offset, global, NULL, 0, NULL, NULL);
    CHECK_OK(clFinish(cl.queue));
    return rc;
}

/* Higher dimensions are there, with one item. */
static void highest_dimension(void)
{
    const size_t offset[] = {3, 5};
    cl_kernel kernel = new_kernel("__attribute__((max_global_work_dim(1)))\n"
                                  "kernel void k(global uint *o) { o[get_global_id(0)] = 1; }\n",
                                  "k", "");
    cl_mem out = new_uints(16);
    ARG(kernel, 0, out);
    FAILS(CL_SUCCESS, enqueue(kernel, NULL, 16, NULL));
    FAILS(CL_SUCCESS, enqueue_2d(kernel, 4, 1, NULL));
    FAILS(CL_SUCCESS, enqueue_2d(kernel, 4, 1, offset));
    if (is_sluice())
        FAILS(CL_INVALID_GLOBAL_WORK_SIZE, enqueue_2d(kernel, 4, 2, NULL));
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(out);
}

static void work_group_limits(void)
{
    const size_t four = 4, eight = 8, sixteen = 16, offset = 8;
    cl_mem out = new_uints(64);
    cl_kernel reqd = new_kernel("__attribute__((reqd_work_group_size(8, 1, 1)))\n"
                                "kernel void k(global uint *o) { o[get_global_id(0)] = 1; }\n",
                                "k", "");
    ARG(reqd, 0, out);
    FAILS(CL_SUCCESS, enqueue(reqd, NULL, 16, &eight));
    FAILS(CL_INVALID_WORK_GROUP_SIZE, enqueue(reqd, NULL, 16, &four));
    RELEASE_KERNEL(reqd);
    cl_kernel most = new_kernel("__attribute__((max_work_group_size(8, 1, 1)))\n"
                                "kernel void k(global uint *o) { o[get_global_id(0)] = 1; }\n",
                                "k", "");
    ARG(most, 0, out);
    FAILS(CL_SUCCESS, enqueue(most, NULL, 16, &eight));
    FAILS(CL_SUCCESS, enqueue(most, NULL, 16, NULL));
    if (is_sluice())
        FAILS(CL_INVALID_WORK_GROUP_SIZE, enqueue(most, NULL, 16, &sixteen));
    RELEASE_KERNEL(most);
    cl_kernel fixed = new_kernel("__attribute__((uses_global_work_offset(0)))\n"
                                 "kernel void k(global uint *o) { o[get_global_id(0)] = 1; }\n",
                                 "k", "");
    ARG(fixed, 0, out);
    FAILS(CL_SUCCESS, enqueue(fixed, NULL, 16, &eight));
    if (is_sluice())
        FAILS(CL_INVALID_GLOBAL_OFFSET, enqueue(fixed, &offset, 16, &eight));
    RELEASE_KERNEL(fixed);
    RELEASE_MEM(out);
}

static void reported(void)
{
    char text[512] = "";
    cl_kernel kernel = new_kernel("__attribute__((max_global_work_dim(0)))\n"
                                  "__attribute__((uses_global_work_offset(0)))\n"
                                  "kernel void k(global uint *o) { *o = 1; }\n",
                                  "k", "");
    CHECK_OK(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof text, text, NULL));
    CHECK(strstr(text, "max_global_work_dim(0)"));
    if (is_sluice())
        CHECK(strstr(text, "uses_global_work_offset(0)"));
    RELEASE_KERNEL(kernel);
}

/* ---- hints ----------------------------------------------------------------------------------- */

/* All that only shapes hardware is read and changes no result. */
static void hints_are_accepted(void)
{
    flow_expect(
        "__attribute__((num_simd_work_items(4))) __attribute__((reqd_work_group_size(4, 1, 1)))\n"
        "kernel void s(global uint *o, uint n) { }\n"
        "__attribute__((scheduler_target_fmax_mhz(300))) "
        "__attribute__((use_stall_enable_clusters, task))\n"
        "kernel void k(global uint *restrict o, uint n) {\n"
        "    uint __attribute__((register)) r = 0;\n"
        "    uint __attribute__((memory, numbanks(2), bankwidth(4), doublepump)) m[8];\n"
        "    local uint __attribute__((memory, singlepump, max_replicates(2))) l[8];\n"
        "    uint __attribute__((private_copies(2), simple_dual_port, max_concurrency(2))) c[4];\n"
        "    uint __attribute__((bank_bits(2), force_pow2_depth(0), merge(\"g\", \"depth\"))) "
        "b[8];\n"
        "    #pragma unroll\n"
        "    for (uint i = 0; i < 8; i++) { m[i] = l[i] = b[i] = c[i & 3] = i; }\n"
        "    #pragma ii 1\n"
        "    #pragma ivdep\n"
        "    #pragma max_concurrency 2\n"
        "    for (uint i = 0; i < n; i++) { r = __fpga_reg(i) + m[i & 7] - l[i & 7]; o[i] = r; }\n"
        "    #pragma loop_coalesce 2\n"
        "    for (uint i = 0; i < 2; i++)\n"
        "        #pragma speculated_iterations 0\n"
        "        for (uint j = 0; j < 2; j++) o[j] += b[i] - i;\n"
        "    #pragma disable_loop_pipelining\n"
        "    for (uint i = 0; i < 2; i++) o[i] += c[i] - c[i];\n"
        "}\n",
        "k", 100, want_same);
}

/* Altera's word for a kernel that is made for one item: more of them are no error, and each has the
 * arrays to itself. */
static void task_of_any_range(void)
{
    enum { ITEMS = 5, ROUNDS = 200, TAPS = 90 };
    cl_kernel kernel = new_kernel("__attribute__((task))\n"
                                  "kernel void k(global const uint *in, global uint *out) {\n"
                                  "    uint w[90];\n"
                                  "    int id = get_global_id(0);\n"
                                  "    for (int i = 0; i < 90; i++) w[i] = id;\n"
                                  "    for (int r = 0; r < 200; r++) {\n"
                                  "        for (int i = 0; i < 89; i++) w[i] = w[i + 1];\n"
                                  "        w[89] = in[id + r];\n"
                                  "        out[id * 200 + r] = w[0] + 3 * w[44] + 5 * w[89];\n"
                                  "    }\n"
                                  "}\n",
                                  "k", "");
    cl_uint in[ITEMS + ROUNDS], out[ITEMS * ROUNDS];
    for (cl_uint i = 0; i < LEN(in); i++)
        in[i] = i * 2654435761u >> 5;
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in),
           to = new_buffer(CL_MEM_READ_WRITE, sizeof out, NULL);
    ARG(kernel, 0, from);
    ARG(kernel, 1, to);
    run_1d(kernel, ITEMS, 0);
    read_back(to, sizeof out, out);
    for (cl_uint id = 0; id < ITEMS; id++)
        for (cl_uint r = 0; r < ROUNDS; r++) {
            cl_uint oldest = r + 1 < TAPS ? id : in[id + r + 1 - TAPS];
            cl_uint middle = r + 45 < TAPS ? id : in[id + r + 45 - TAPS];
            REQUIRE(CHECK_EQ(out[id * ROUNDS + r], oldest + 3 * middle + 5 * in[id + r]));
        }
    RELEASE_MEM(from);
    RELEASE_MEM(to);
    RELEASE_KERNEL(kernel);
}

static const struct test_case cases[] = {
    CASE(autorun_loop),
    CASE(autorun_restarts),
    CASE(autorun_starts_alone),
    CASE(autorun_copies),
    CASE(copies_in_three_dimensions),
    CASE(autorun_with_nothing_to_do),
    CASE(autorun_without_pipes),
    CASE(endless_autorun_without_pipes),
    CASE(autorun_errors),
    CASE(autorun_is_not_launched),
    CASE(compute_id_elsewhere),
    CASE(single_work_item),
    CASE(highest_dimension),
    CASE(work_group_limits),
    CASE(reported),
    CASE(hints_are_accepted),
    CASE(task_of_any_range),
};
static const struct test_case jobs[] = {CASE(job_prints)};
JOBS_MAIN("attributes", cases, jobs)
