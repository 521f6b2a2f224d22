/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of products of matrices that are asked for in many places of a loop: they build, and a
 * thread with a small stack that runs the kernel itself has room for them.
 */
#include "cl_help.h"

#include <CL/cl_ext.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 8, ITEMS = 16, WORDS = 8, BYTES = 4, TURNS = 3, STACK = 64 << 10 };

struct job {
    cl_kernel kernel;
    int cases;
};

static cl_char a[TURNS][ROWS][WORDS * BYTES], b[TURNS][WORDS][ITEMS][BYTES];

/* In turn t the rows go to place `which` + t, in an order and times a number of its own. */
static cl_kernel make_kernel(int cases)
{
    char *source = NULL;
    size_t bytes;
    FILE *text = open_memstream(&source, &bytes);
    fprintf(
        text,
        "__attribute__((intel_reqd_sub_group_size(16)))\n"
        "kernel void k(global const short *a, global const int *b, global int *out, int which)\n"
        "{\n"
        "    int me = get_sub_group_local_id(); int8 s = 0;\n"
        "    for (int t = 0; t < %d; t++) {\n"
        "        short8 x; int8 y;\n"
        "        for (int i = 0; i < 8; i++) x[i] = a[(t * 8 + i) * 16 + me];\n"
        "        for (int i = 0; i < 8; i++) y[i] = b[(t * 8 + i) * 16 + me];\n"
        "        s = intel_sub_group_i8_i8_matrix_mad_k32(x, y, s);\n"
        "        switch (which + t) {\n",
        TURNS);
    for (int n = 0; n < cases; n++)
        fprintf(text,
                "case %d: for (int i = 0; i < 8; i++) "
                "out[%d + i * 16 + me] = s[(i + %d) & 7] * %d; break;\n",
                n, n * ROWS * ITEMS, n, n + 3);
    fputs("        }\n    }\n}\n", text);
    fclose(text);
    cl_kernel kernel = new_kernel(source, "k", "-cl-std=CL3.0");
    free(source);
    return kernel;
}

static cl_int sum_of(int turn, int row, int item)
{
    cl_int sum = 0;
    for (int t = 0; t <= turn; t++)
        for (int k = 0; k < WORDS * BYTES; k++)
            sum += a[t][row][k] * b[t][k / BYTES][item][k % BYTES];
    return sum;
}

static void *run_job(void *data)
{
    const struct job *job = data;
    const cl_queue_properties own[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL,
                                       0};
    const size_t items = ITEMS, bytes = (size_t)job->cases * ROWS * ITEMS * sizeof(cl_int);
    const cl_int which = job->cases / 2;
    cl_int rc, *out = calloc(1, bytes);
    cl_command_queue queue = clCreateCommandQueueWithProperties(cl.context, cl.device, own, &rc);
    if (rc)
        queue = clCreateCommandQueueWithProperties(cl.context, cl.device, NULL, &rc);
    CHECK_OK(rc);
    cl_mem x = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a, a);
    cl_mem y = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof b, b);
    cl_mem z = new_buffer(CL_MEM_READ_WRITE, bytes, NULL);
    ARG(job->kernel, 0, x);
    ARG(job->kernel, 1, y);
    ARG(job->kernel, 2, z);
    ARG(job->kernel, 3, which);
    CHECK_OK(clEnqueueNDRangeKernel(queue, job->kernel, 1, NULL, &items, &items, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(queue, z, CL_TRUE, 0, bytes, out, 0, NULL, NULL));
    for (int t = 0; t < TURNS; t++)
        for (int i = 0; i < ROWS * ITEMS; i++) {
            const int n = which + t;
            CHECK_EQ(out[n * ROWS * ITEMS + i],
                     sum_of(t, (i / ITEMS + n) % ROWS, i % ITEMS) * (n + 3));
        }
    RELEASE_MEM(x);
    RELEASE_MEM(y);
    RELEASE_MEM(z);
    CHECK_OK(clReleaseCommandQueue(queue));
    free(out);
    return NULL;
}

static void in_many_places(int cases)
{
    if (!has_extension("cl_intel_subgroup_matrix_multiply_accumulate"))
        check_skip("no products of matrices");
    for (size_t i = 0; i < sizeof a; i++)
        (&a[0][0][0])[i] = (cl_char)(i * 37 + 11);
    for (size_t i = 0; i < sizeof b; i++)
        (&b[0][0][0][0])[i] = (cl_char)(i * 53 + 7);
    struct job job = {make_kernel(cases), cases};
    pthread_attr_t small;
    pthread_t thread;
    CHECK_EQ(pthread_attr_init(&small) | pthread_attr_setstacksize(&small, STACK), 0);
    REQUIRE(CHECK_EQ(pthread_create(&thread, &small, run_job, &job), 0));
    pthread_join(thread, NULL);
    pthread_attr_destroy(&small);
    RELEASE_KERNEL(job.kernel);
}

static void small_stack(void)
{
    in_many_places(150);
}

static void many_blocks(void)
{
    in_many_places(300);
}

static const struct test_case cases[] = {CASE(small_stack), CASE(many_blocks)};
TEST_MAIN("matrix_blocks", cases)
