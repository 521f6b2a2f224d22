/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels on shared virtual memory, and buffers over it; values against plain C. */
#include "pointer_sums.h"
#include "reference.h"
#include "svm_help.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- kernels --------------------------------------------------------------------------------- */

/* Starts and insides of allocations, NULL, and buffers in between. */
static void arguments(void)
{
    svm_need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    enum { COUNT = 251, AT = 17 };
    static int a[COUNT], b[COUNT], got[COUNT];
    for (int i = 0; i < COUNT; i++) {
        a[i] = (int)random_below(10000);
        b[i] = (int)random_below(10000);
    }
    cl_kernel kernel = new_kernel(sum_source, "sum", NULL);
    int *sa = svm_alloc(CL_MEM_READ_ONLY, sizeof a), *sb = svm_alloc(0, sizeof b + AT * sizeof *b),
        *sc = svm_alloc(0, sizeof got);
    svm_write(sa, a, sizeof a);
    svm_write(sb + AT, b, sizeof b);
    CHECK_OK(clSetKernelArgSVMPointer(kernel, 0, sa));
    CHECK_OK(clSetKernelArgSVMPointer(kernel, 1, sb + AT));
    CHECK_OK(clSetKernelArgSVMPointer(kernel, 2, sc));
    run_1d(kernel, COUNT, 0);
    CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, got, sc, sizeof got, 0, NULL, NULL));
    check_sums(got, a, b, COUNT);
    CHECK_OK(clSetKernelArgSVMPointer(kernel, 1, NULL));
    run_1d(kernel, COUNT, 0);
    CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, got, sc, sizeof got, 0, NULL, NULL));
    check_sums(got, a, NULL, COUNT);
    cl_mem buffer = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a, a);
    ARG(kernel, 1, buffer);
    run_1d(kernel, COUNT, 0);
    CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, got, sc, sizeof got, 0, NULL, NULL));
    check_sums(got, a, a, COUNT);
    CHECK_OK(clSetKernelArgSVMPointer(kernel, 1, sb + AT));
    if (device_version() >= 210) {
        cl_int rc;
        cl_kernel clone = clCloneKernel(kernel, &rc);
        REQUIRE_OK(rc);
        CHECK_OK(clSetKernelArgSVMPointer(kernel, 1, NULL));
        run_1d(clone, COUNT, 0);
        CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, got, sc, sizeof got, 0, NULL, NULL));
        check_sums(got, a, b, COUNT);
        RELEASE_KERNEL(clone);
    }
    RELEASE_MEM(buffer);
    RELEASE_KERNEL(kernel);
    svm_release(sa);
    svm_release(sb);
    svm_release(sc);
}

struct node {
    struct node *next;
    cl_long value;
};

/* A list whose nodes lie in allocations of their own, made by the host, changed by the kernel. */
static void linked_list(void)
{
    svm_need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    enum { NODES = 333 };
    static void *nodes[NODES];
    cl_kernel kernel = new_kernel("struct node { global struct node *next; long value; };\n"
                                  "kernel void walk(global struct node *at, global long *sum)\n"
                                  "{\n"
                                  "    long total = 0;\n"
                                  "    for (; at; at = at->next) {\n"
                                  "        total += at->value;\n"
                                  "        at->value = -at->value;\n"
                                  "    }\n"
                                  "    *sum = total;\n"
                                  "}\n",
                                  "walk", NULL);
    cl_long *sum = svm_alloc(0, sizeof *sum), want = 0;
    for (int i = 0; i < NODES; i++)
        nodes[i] = svm_alloc(0, sizeof(struct node));
    for (int i = 0; i < NODES; i++) {
        struct node *node = nodes[i];
        svm_map(node, CL_MAP_WRITE, sizeof *node);
        node->next = i + 1 < NODES ? nodes[i + 1] : NULL;
        node->value = (cl_long)random_below(1u << 20);
        want += node->value;
        svm_unmap(node);
    }
    REQUIRE_OK(clSetKernelArgSVMPointer(kernel, 0, nodes[0]));
    REQUIRE_OK(clSetKernelArgSVMPointer(kernel, 1, sum));
    CHECK_OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof nodes, nodes));
    run_1d(kernel, 1, 1);
    svm_map(sum, CL_MAP_READ, sizeof *sum);
    CHECK_EQ(*sum, want);
    svm_unmap(sum);
    run_1d(kernel, 1, 1);
    svm_map(sum, CL_MAP_READ, sizeof *sum);
    CHECK_EQ(*sum, -want);
    svm_unmap(sum);
    CHECK_OK(clEnqueueSVMFree(cl.queue, NODES, nodes, NULL, NULL, 0, NULL, NULL));
    CHECK_OK(clFinish(cl.queue));
    svm_release(sum);
    RELEASE_KERNEL(kernel);
}

/* Host and kernel count in one place at the same time. */
static void atomics(void)
{
    svm_need(CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_ATOMICS);
    enum { ITEMS = 1024, EACH = 100, MINE = 50000 };
    cl_kernel kernel = new_kernel(
        "kernel void count(volatile global atomic_int *x, volatile global atomic_long *y)\n"
        "{\n"
        "    for (int i = 0; i < 100; i++) {\n"
        "        atomic_fetch_add_explicit(x, 1, memory_order_relaxed,\n"
        "                                  memory_scope_all_svm_devices);\n"
        "        atomic_fetch_sub_explicit(y, 3, memory_order_acq_rel,\n"
        "                                  memory_scope_all_svm_devices);\n"
        "    }\n"
        "}\n",
        "count", device_version() >= 300 ? "-cl-std=CL3.0" : "-cl-std=CL2.0");
    const cl_svm_mem_flags fine = CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
    atomic_int *x = svm_alloc(fine, 64);
    _Atomic int64_t *y = svm_alloc(fine, 64);
    size_t global = ITEMS;
    atomic_init(x, 0);
    atomic_init(y, 0);
    REQUIRE_OK(clSetKernelArgSVMPointer(kernel, 0, x));
    REQUIRE_OK(clSetKernelArgSVMPointer(kernel, 1, (void *)y));
    CHECK_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    CHECK_OK(clFlush(cl.queue));
    for (int i = 0; i < MINE; i++) {
        atomic_fetch_add(x, 1);
        atomic_fetch_sub(y, 3);
    }
    CHECK_OK(clFinish(cl.queue));
    CHECK_EQ(atomic_load(x), ITEMS * EACH + MINE);
    CHECK_EQ(atomic_load(y), -3 * (ITEMS * EACH + MINE));
    svm_release(x);
    svm_release((void *)y);
    RELEASE_KERNEL(kernel);
}

static int wait_for(atomic_int *word, int value)
{
    double end = now_seconds() + 20;
    while (atomic_load_explicit(word, memory_order_acquire) != value)
        if (now_seconds() > end)
            return 0;
    return 1;
}

/* A kernel that is running and the host answer each other. */
static void conversation(void)
{
    svm_need(CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_ATOMICS);
    enum { ROUNDS = 100 };
    cl_kernel kernel = new_kernel(
        "kernel void talk(volatile global atomic_int *word, global int *text, int rounds)\n"
        "{\n"
        "    for (int i = 0; i < rounds; i++) {\n"
        "        for (long spin = 0; atomic_load_explicit(word, memory_order_acquire,\n"
        "                                memory_scope_all_svm_devices) != 2 * i + 1; spin++)\n"
        "            if (spin > 4000000000L)\n"
        "                return;\n"
        "        *text = *text * 2 + 1;\n"
        "        atomic_store_explicit(word, 2 * i + 2, memory_order_release,\n"
        "                              memory_scope_all_svm_devices);\n"
        "    }\n"
        "}\n",
        "talk", device_version() >= 300 ? "-cl-std=CL3.0" : "-cl-std=CL2.0");
    const cl_svm_mem_flags fine = CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
    atomic_int *word = svm_alloc(fine, 256);
    int *text = (int *)(word + 32), rounds = ROUNDS;
    size_t global = 1;
    atomic_init(word, 0);
    REQUIRE_OK(clSetKernelArgSVMPointer(kernel, 0, word));
    REQUIRE_OK(clSetKernelArgSVMPointer(kernel, 1, text));
    ARG(kernel, 2, rounds);
    CHECK_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    CHECK_OK(clFlush(cl.queue));
    for (int i = 0; i < ROUNDS; i++) {
        *text = i;
        atomic_store_explicit(word, 2 * i + 1, memory_order_release);
        if (!CHECK(wait_for(word, 2 * i + 2)))
            break;
        CHECK_EQ(*text, 2 * i + 1);
    }
    CHECK_OK(clFinish(cl.queue));
    svm_release(word);
    RELEASE_KERNEL(kernel);
}

/* Memory that no OpenCL call made: the heap, a static array, the stack. */
static void whole_system(void)
{
    svm_need(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
    enum { COUNT = 321 };
    static int a[COUNT];
    int *b = malloc(sizeof a), c[COUNT];
    REQUIRE(b);
    for (int i = 0; i < COUNT; i++) {
        a[i] = (int)random_below(10000);
        b[i] = (int)random_below(10000);
        c[i] = 0;
    }
    cl_kernel kernel = new_kernel(sum_source, "sum", NULL);
    const cl_bool yes = CL_TRUE;
    CHECK_OK(
        clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes));
    REQUIRE_OK(clSetKernelArgSVMPointer(kernel, 0, a));
    REQUIRE_OK(clSetKernelArgSVMPointer(kernel, 1, b));
    REQUIRE_OK(clSetKernelArgSVMPointer(kernel, 2, c));
    run_1d(kernel, COUNT, 0);
    check_sums(c, a, b, COUNT);
    free(b);
    RELEASE_KERNEL(kernel);
}

/* ---- buffers over shared virtual memory ------------------------------------------------------ */

static cl_bool uses_svm(cl_mem mem)
{
    cl_bool uses = 7;
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, NULL));
    return uses;
}

static void buffers(void)
{
    svm_need(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    cl_int rc;
    size_t align = device_uint(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
    unsigned char *at = svm_alloc(0, align * 8);
    cl_mem mem = new_buffer(CL_MEM_USE_HOST_PTR, align * 8, at),
           part = new_buffer(CL_MEM_USE_HOST_PTR, align * 4, at + align * 4),
           other = new_buffer(0, SVM_SIZE, NULL);
    const cl_buffer_region region = {align, align};
    cl_mem sub = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &rc);
    REQUIRE_OK(rc);
    CHECK_EQ(uses_svm(mem), CL_TRUE);
    CHECK_EQ(uses_svm(part), CL_TRUE);
    CHECK_EQ(uses_svm(sub), CL_TRUE);
    CHECK_EQ(uses_svm(other), CL_FALSE);
    cl_kernel kernel = new_kernel("kernel void add(global uchar *x, uchar n)\n"
                                  "{ x[get_global_id(0)] += n; }",
                                  "add", NULL);
    cl_uchar n = 5, zero = 0;
    CHECK_OK(clEnqueueSVMMemFill(cl.queue, at, &zero, 1, align * 8, 0, NULL, NULL));
    ARG(kernel, 0, mem);
    ARG(kernel, 1, n);
    run_1d(kernel, align * 8, 0);
    ARG(kernel, 0, sub);
    run_1d(kernel, align, 0);
    CHECK_OK(clSetKernelArgSVMPointer(kernel, 0, at + align * 4));
    run_1d(kernel, align * 4, 0);
    unsigned char *mapped =
        clEnqueueMapBuffer(cl.queue, mem, CL_TRUE, CL_MAP_READ, 0, align * 8, 0, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    CHECK(mapped == at);
    for (size_t i = 0; i < align * 8; i++)
        REQUIRE(mapped[i] == (i / align == 1 || i / align >= 4 ? 10 : 5));
    CHECK_OK(clEnqueueUnmapMemObject(cl.queue, mem, mapped, 0, NULL, NULL));
    CHECK_OK(clFinish(cl.queue));
    CREATE_FAILS(CL_INVALID_BUFFER_SIZE,
                 clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR, align * 8 + 1, at, ERR));
    CREATE_FAILS(CL_INVALID_BUFFER_SIZE,
                 clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR, align * 8, at + align, ERR));
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(sub);
    RELEASE_MEM(mem);
    RELEASE_MEM(part);
    RELEASE_MEM(other);
    svm_release(at);
}

static const struct test_case cases[] = {
    CASE(arguments),    CASE(linked_list),  CASE(atomics),
    CASE(conversation), CASE(whole_system), CASE(buffers),
};
TEST_MAIN("svm_kernel", cases)
