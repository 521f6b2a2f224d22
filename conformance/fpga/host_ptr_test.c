/* SPDX-License-Identifier: Apache-2.0 */
/* SLUICE_FPGA_HOST_PTR: whether buffers of CL_MEM_USE_HOST_PTR are the host's memory or, as on a
 * board, a copy of it. */
#include "flow.h"

#include <stdlib.h>
#include <string.h>

enum { ITEMS = 1003, BYTES = ITEMS * sizeof(cl_uint) };

static const char source[] = "kernel void add(global uint *a, uint n) {\n"
                             "    for (uint i = 0; i < n; i++) a[i] += i;\n"
                             "}\n";

static void run_add(cl_mem mem)
{
    cl_program program = built(source, "");
    cl_kernel kernel = kernel_of(program, "add");
    const cl_uint count = ITEMS;
    const size_t one = 1;
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(kernel, 1, sizeof count, &count));
    CHECK_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
    CHECK_OK(clFinish(cl.queue));
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
}

/* What the kernel sees of a change of the host's memory, and the host of what the kernel writes. */
static void host_memory_changes_behind_the_creation(void)
{
    const char *setting = getenv("SLUICE_FPGA_HOST_PTR");
    const cl_uint first = setting && !strcmp(setting, "copy") ? 7 : 1000;
    cl_uint *memory = malloc(BYTES), got[ITEMS];
    cl_int rc;
    void *told = NULL;
    REQUIRE(memory);
    if (!is_sluice())
        check_skip("a setting of Sluice");
    for (cl_uint i = 0; i < ITEMS; i++)
        memory[i] = 7;
    cl_mem mem =
        clCreateBuffer(cl.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, BYTES, memory, &rc);
    REQUIRE_OK(rc);
    for (cl_uint i = 0; i < ITEMS; i++)
        memory[i] = 1000;
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_HOST_PTR, sizeof told, &told, NULL));
    CHECK(told == memory);
    run_add(mem);
    CHECK_OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, BYTES, got, 0, NULL, NULL));
    cl_uint *mapped =
        clEnqueueMapBuffer(cl.queue, mem, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    CHECK_EQ(mapped == memory, first == 1000);
    for (cl_uint i = 0; i < ITEMS; i++)
        if (!CHECK_EQ(got[i], first + i) || !CHECK_EQ(mapped[i], first + i) ||
            !CHECK_EQ(memory[i], first == 1000 ? 1000 + i : 1000))
            break;
    CHECK_OK(clEnqueueUnmapMemObject(cl.queue, mem, mapped, 0, NULL, NULL));
    CHECK_OK(clFinish(cl.queue));
    RELEASE_MEM(mem);
    free(memory);
}

/* As hosts for AMD's boards name a bank: the pointer is in a structure. */
#define EXT_PTR ((cl_mem_flags)1 << 31)
struct ext_ptr {
    unsigned flags;
    void *obj, *param;
};

static cl_int try_buffer(cl_context context, cl_mem_flags flags, struct ext_ptr *ext)
{
    cl_int rc;
    cl_mem mem = clCreateBuffer(context, flags | EXT_PTR, BYTES, ext, &rc);
    CHECK_EQ(mem == NULL, rc != CL_SUCCESS);
    if (mem)
        CHECK_OK(clReleaseMemObject(mem));
    return rc;
}

static void pointers_come_with_banks(void)
{
    static cl_uint memory[ITEMS], got[ITEMS];
    static const cl_mem_flags ways[] = {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR, 0};
    if (!is_sluice())
        check_skip("other platforms refuse AMD's flag");
    for (size_t w = 0; w < LEN(ways); w++) {
        struct ext_ptr ext = {1u << w, ways[w] ? memory : NULL, NULL};
        cl_int rc;
        for (cl_uint i = 0; i < ITEMS; i++)
            memory[i] = i * 5;
        cl_mem mem =
            clCreateBuffer(cl.context, CL_MEM_READ_WRITE | ways[w] | EXT_PTR, BYTES, &ext, &rc);
        REQUIRE_OK(rc);
        memset(&ext, 0xee, sizeof ext); /* nobody looks at it again */
        if (!ways[w])
            CHECK_OK(clEnqueueWriteBuffer(cl.queue, mem, CL_TRUE, 0, BYTES, memory, 0, NULL, NULL));
        run_add(mem);
        CHECK_OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, BYTES, got, 0, NULL, NULL));
        for (cl_uint i = 0; i < ITEMS; i++)
            if (!CHECK_EQ(got[i], i * 6))
                break;
        RELEASE_MEM(mem);
    }
    struct ext_ptr none = {1, NULL, NULL}, some = {1, memory, NULL};
    CHECK_EQ(try_buffer(cl.context, CL_MEM_READ_ONLY, NULL), CL_INVALID_VALUE);
    CHECK_EQ(try_buffer(cl.context, CL_MEM_USE_HOST_PTR, &none), CL_INVALID_HOST_PTR);
    CHECK_EQ(try_buffer(cl.context, CL_MEM_READ_ONLY, &some), CL_INVALID_HOST_PTR);
    cl_int rc;
    const cl_context_properties platform[] = {CL_CONTEXT_PLATFORM,
                                              (cl_context_properties)cl.platform, 0};
    cl_context cpu = clCreateContextFromType(platform, CL_DEVICE_TYPE_CPU, NULL, NULL, &rc);
    if (cpu) {
        CHECK_EQ(try_buffer(cpu, CL_MEM_COPY_HOST_PTR, &some), CL_INVALID_VALUE);
        CHECK_OK(clReleaseContext(cpu));
    }
}

static const struct test_case cases[] = {
    CASE(host_memory_changes_behind_the_creation),
    CASE(pointers_come_with_banks),
};
TEST_MAIN("host_ptr", cases)
