/* SPDX-License-Identifier: Apache-2.0 */
/* Address spaces as compilers of SYCL count on them. Cases bear the numbers of their requirements
 * (docs/requirements.md); those of pointers without address space are in generic_test.c. */
#include "cl_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl_ext.h>

enum { COUNT = 37 };

static void need_generic(void)
{
    cl_bool has = CL_FALSE;
    if (device_version() < 300)
        check_skip("no generic address space");
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, sizeof has, &has,
                             NULL));
    if (!has || !device_size(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE))
        check_skip("no generic address space, or no variables at program scope");
    if (!is_sluice())
        check_skip("attributes of clang's");
}

#define SPACES                                                                                     \
    "#define DEVICE __attribute__((opencl_global_device))\n"                                       \
    "#define HOST __attribute__((opencl_global_host))\n"
/* Which of the three a pointer reaches: 1 global, 2 local, 4 private. */
#define WHERE                                                                                      \
    "int where(const void *p) { return (to_global((void *)p) != 0) + 2 * (to_local((void *)p) != " \
    "0) + 4 * (to_private((void *)p) != 0); }\n"

static cl_kernel kernel_for(const char *source)
{
    return new_kernel(source, "k", "-cl-std=CL3.0");
}

static void refuse(const char *what, const char *conversion)
{
    char source[1024];
    snprintf(source, sizeof source,
             SPACES "kernel void k(global int *g, local int *l, constant int *c, DEVICE int *d, "
                    "HOST int *h) { int own, *any = g; private int *p = &own;\n"
                    "%s; *any = *p; }\n",
             conversion);
    cl_program program = new_program(source);
    CHECK_EQ(clBuildProgram(program, 1, &cl.device, "-cl-std=CL3.0", NULL, NULL),
             CL_BUILD_PROGRAM_FAILURE);
    char *log = build_log(program);
    if (!strstr(log, "error:"))
        check_fail(__FILE__, __LINE__, "%s: no error in %s", what, log);
    free(log);
    RELEASE_PROGRAM(program);
}

/* To the generic space of its own accord, back by a cast. */
static void a4_conversions(void)
{
    static const char source[] =
        "int first(int *p) { return *p; }\n"
        "kernel void k(global int *g, local int *l, global int *out) {\n"
        "  size_t i = get_global_id(0); int own = 3 * (int)i;\n"
        "  l[get_local_id(0)] = 2 * g[i];\n"
        "  int *a = g + i, *b = l + get_local_id(0), *c = &own;\n"
        "  *(private int *)c += 1; *(local int *)b += 5; *(global int *)a += 7;\n"
        "  out[i] = first(g + i) + 1000 * first(l + get_local_id(0)) + 1000000 * first(&own);\n"
        "}\n";
    cl_int g[COUNT], out[COUNT];
    need_generic();
    for (int i = 0; i < COUNT; i++)
        g[i] = i;
    cl_mem in = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof g, g);
    cl_mem result = new_buffer(0, sizeof out, NULL);
    cl_kernel kernel = kernel_for(source);
    ARG(kernel, 0, in);
    set_arg(kernel, 1, COUNT * sizeof(cl_int), NULL);
    ARG(kernel, 2, result);
    run_1d(kernel, COUNT, COUNT);
    read_back(result, sizeof out, out);
    for (int i = 0; i < COUNT; i++)
        CHECK_EQ(out[i], i + 7 + 1000 * (2 * i + 5) + 1000000 * (3 * i + 1));
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(in);
    RELEASE_MEM(result);
    refuse("generic to global", "global int *x = any");
    refuse("generic to local", "local int *x = any");
    refuse("generic to private", "private int *x = any");
    refuse("constant to generic", "const int *x = c");
    refuse("local to global", "global int *x = (global int *)l");
}

/* Parts of global memory become all of it of their own accord; back only by a cast. */
static void a5_parts_of_global(void)
{
    static const char source[] =
        SPACES "int plain(global const int *p, int i) { return p[i]; }\n"
               "kernel void k(DEVICE int *d, HOST const int *h, global int *g) {\n"
               "  int i = get_global_id(0);\n"
               "  global int *from_device = d; global const int *from_host = h;\n"
               "  DEVICE int *back = (DEVICE int *)g; HOST int *there = (HOST int *)(g + 1000);\n"
               "  back[i] = plain(d, i) + 10 * plain(from_host, i);\n"
               "  from_device[i] = there - g == 1000 ? (int)(back - (DEVICE int *)g) + i : -1;\n"
               "}\n";
    cl_int d[COUNT], h[COUNT], g[COUNT];
    need_generic();
    for (int i = 0; i < COUNT; i++) {
        d[i] = 3 * i;
        h[i] = 100 - i;
    }
    cl_mem mems[] = {new_buffer(CL_MEM_COPY_HOST_PTR, sizeof d, d),
                     new_buffer(CL_MEM_COPY_HOST_PTR, sizeof h, h), new_buffer(0, sizeof g, NULL)};
    cl_kernel kernel = kernel_for(source);
    for (cl_uint i = 0; i < LEN(mems); i++)
        ARG(kernel, i, mems[i]);
    run_1d(kernel, COUNT, 0);
    read_back(mems[0], sizeof d, d);
    read_back(mems[2], sizeof g, g);
    for (int i = 0; i < COUNT; i++) {
        CHECK_EQ(g[i], 3 * i + 10 * (100 - i));
        CHECK_EQ(d[i], i);
    }
    RELEASE_KERNEL(kernel);
    for (size_t i = 0; i < LEN(mems); i++)
        RELEASE_MEM(mems[i]);
    refuse("global to its device's part", "DEVICE int *x = g");
    refuse("global to its host's part", "HOST int *x = g");
    refuse("one part to the other", "HOST int *x = d");
}

/* Each pointer reaches one of the three spaces, and is the same address there. */
static void a6_spaces_are_disjoint(void)
{
    static const char source[] = SPACES WHERE
        "kernel void k(global int *g, DEVICE int *d, HOST int *h, local int *l, global int *out) "
        "{\n"
        "  local int fixed[3]; int own[7]; global int *o = out + 8 * get_global_id(0);\n"
        "  own[get_global_id(0) % 7] = 1; fixed[0] = 2;\n"
        "  o[0] = where(g); o[1] = where(d); o[2] = where(h); o[3] = where(l);\n"
        "  o[4] = where(fixed); o[5] = where(own); o[6] = where(0); o[7] = where(g + 11);\n"
        "}\n";
    static const cl_int want[8] = {1, 1, 1, 2, 2, 4, 0, 1};
    cl_int out[8 * COUNT];
    need_generic();
    cl_mem g = new_buffer(0, 64, NULL), d = new_buffer(0, 64, NULL), h = new_buffer(0, 64, NULL);
    cl_mem result = new_buffer(0, sizeof out, NULL);
    cl_kernel kernel = kernel_for(source);
    ARG(kernel, 0, g);
    ARG(kernel, 1, d);
    ARG(kernel, 2, h);
    set_arg(kernel, 3, 64, NULL);
    ARG(kernel, 4, result);
    run_1d(kernel, COUNT, 1);
    read_back(result, sizeof out, out);
    for (int i = 0; i < 8 * COUNT; i++)
        CHECK_EQ(out[i], want[i % 8]);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(g);
    RELEASE_MEM(d);
    RELEASE_MEM(h);
    RELEASE_MEM(result);
}

/* What one device does to a variable no other sees. */
static void run_on(cl_context context, cl_device_id device, cl_program program, cl_int add,
                   cl_int *out)
{
    cl_int rc;
    size_t one = 1;
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &rc);
    REQUIRE_OK(rc);
    cl_mem mem = clCreateBuffer(context, 0, 4 * sizeof *out, NULL, &rc);
    cl_kernel kernel = kernel_of(program, "k");
    ARG(kernel, 0, add);
    ARG(kernel, 1, mem);
    CHECK_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 4 * sizeof *out, out, 0, NULL, NULL));
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
    RELEASE_QUEUE(queue);
}

static void a7_variables_of_the_program(void)
{
    static const char source[] =
        WHERE "int counter = 5; int table[16384] = {[16383] = 77};\n"
              "kernel void k(int add, global int *out) {\n"
              "  static int calls = 40;\n"
              "  counter += add; table[16383] += add; calls++;\n"
              "  out[0] = counter; out[1] = table[16383]; out[2] = calls;\n"
              "  out[3] = where(&counter) * 100 + where(&table[9]) * 10 + where(&calls);\n"
              "}\n";
    cl_uint count = 0;
    cl_device_id all[8];
    cl_int rc, out[4];
    need_generic();
    CHECK(device_size(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE) >= 65536);
    REQUIRE_OK(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, LEN(all), all, &count));
    cl_context context = clCreateContext(NULL, count, all, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    const char *text = source;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(program, count, all, "-cl-std=CL3.0", NULL, NULL));
    for (cl_int round = 1; round <= 2; round++)
        for (cl_uint d = 0; d < count; d++) {
            cl_int add = 10 + (cl_int)d;
            run_on(context, all[d], program, add, out);
            CHECK_EQ(out[0], 5 + round * add);
            CHECK_EQ(out[1], 77 + round * add);
            CHECK_EQ(out[2], 40 + round);
            CHECK_EQ(out[3], 111);
        }
    RELEASE_PROGRAM(program);
    RELEASE_CONTEXT(context);
}

/* Objects without an address space of their own lie where they are declared. */
static void a8_objects_by_context(void)
{
    static const char source[] =
        WHERE "struct link { struct link *next; int value; };\n"
              "struct link head; int *where_to;\n"
              "int sum(struct link *at) { int s = 0; for (; at; at = at->next) s += at->value; "
              "return s; }\n"
              "kernel void k(global int *out) {\n"
              "  local struct link middle; struct link last = {0, (int)get_global_size(0)};\n"
              "  int x = 3, *to_x = &x; int **to_pointer = &to_x;\n"
              "  middle.next = &last; middle.value = 20; head.next = &middle; head.value = 300;\n"
              "  where_to = &last.value; *where_to += 1000; **to_pointer += 4;\n"
              "  out[0] = sum(&head); out[1] = x;\n"
              "  out[2] = where(&head) * 100 + where(&middle) * 10 + where(&last);\n"
              "  out[3] = where(&where_to) * 100 + where(to_pointer) * 10 + where(where_to);\n"
              "  head.next = 0; where_to = 0;\n"
              "}\n";
    cl_int out[4];
    need_generic();
    cl_mem result = new_buffer(0, sizeof out, NULL);
    cl_kernel kernel = kernel_for(source);
    ARG(kernel, 0, result);
    run_1d(kernel, 1, 1);
    read_back(result, sizeof out, out);
    CHECK_EQ(out[0], 300 + 20 + 1001);
    CHECK_EQ(out[1], 7);
    CHECK_EQ(out[2], 124);
    CHECK_EQ(out[3], 144);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(result);
}

/* SYCL's constant memory is global memory: the same buffer is written, and read as constant. */
static void a10_constant_is_global_memory(void)
{
    static const char source[] =
        "kernel void k(constant int *c, global int *g) { size_t i = get_global_id(0);\n"
        "  g[i] = 3 * c[i] + 1; }\n";
    cl_int a[COUNT], want[COUNT];
    need_generic();
    for (int i = 0; i < COUNT; i++)
        a[i] = want[i] = i;
    cl_mem one = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a, a);
    cl_mem two = new_buffer(CL_MEM_READ_WRITE, sizeof a, NULL);
    cl_kernel kernel = kernel_for(source);
    for (int round = 0; round < 5; round++) {
        ARG(kernel, 0, *(round & 1 ? &two : &one));
        ARG(kernel, 1, *(round & 1 ? &one : &two));
        run_1d(kernel, COUNT, 0);
        for (int i = 0; i < COUNT; i++)
            want[i] = 3 * want[i] + 1;
    }
    read_back(two, sizeof a, a);
    for (int i = 0; i < COUNT; i++)
        CHECK_EQ(a[i], want[i]);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(one);
    RELEASE_MEM(two);
}

/* Allocations of the device and of the host, given to pointers of those parts. */
static void a11_placed_allocations(void)
{
    static const char source[] =
        SPACES WHERE "kernel void k(DEVICE int *d, HOST int *h, global int *out) {\n"
                     "  int i = get_global_id(0); h[i] += 5; d[i] = h[i] * 2;\n"
                     "  out[i] = d[i] + 10000 * where(d) + 100000 * where(h); }\n";
    cl_int rc, rc2, out[COUNT];
    clHostMemAllocINTEL_fn host_alloc =
        (clHostMemAllocINTEL_fn)clGetExtensionFunctionAddressForPlatform(cl.platform,
                                                                         "clHostMemAllocINTEL");
    clDeviceMemAllocINTEL_fn device_alloc =
        (clDeviceMemAllocINTEL_fn)clGetExtensionFunctionAddressForPlatform(cl.platform,
                                                                           "clDeviceMemAllocINTEL");
    clMemBlockingFreeINTEL_fn release =
        (clMemBlockingFreeINTEL_fn)clGetExtensionFunctionAddressForPlatform(
            cl.platform, "clMemBlockingFreeINTEL");
    clSetKernelArgMemPointerINTEL_fn set_pointer =
        (clSetKernelArgMemPointerINTEL_fn)clGetExtensionFunctionAddressForPlatform(
            cl.platform, "clSetKernelArgMemPointerINTEL");
    need_generic();
    REQUIRE(host_alloc && device_alloc && release && set_pointer);
    cl_int *h = host_alloc(cl.context, NULL, sizeof out, 0, &rc);
    cl_int *d = device_alloc(cl.context, cl.device, NULL, sizeof out, 0, &rc2);
    REQUIRE(!rc && !rc2);
    for (int i = 0; i < COUNT; i++)
        h[i] = i;
    cl_mem result = new_buffer(0, sizeof out, NULL);
    cl_kernel kernel = kernel_for(source);
    CHECK_OK(set_pointer(kernel, 0, d));
    CHECK_OK(set_pointer(kernel, 1, h));
    ARG(kernel, 2, result);
    run_1d(kernel, COUNT, 0);
    read_back(result, sizeof out, out);
    for (int i = 0; i < COUNT; i++) {
        CHECK_EQ(out[i], 110000 + 2 * (i + 5));
        CHECK_EQ(h[i], i + 5);
    }
    CHECK_OK(release(cl.context, h));
    CHECK_OK(release(cl.context, d));
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(result);
}

static const struct test_case cases[] = {
    CASE(a4_conversions),         CASE(a5_parts_of_global),
    CASE(a6_spaces_are_disjoint), CASE(a7_variables_of_the_program),
    CASE(a8_objects_by_context),  CASE(a10_constant_is_global_memory),
    CASE(a11_placed_allocations),
};
TEST_MAIN("address spaces", cases)
