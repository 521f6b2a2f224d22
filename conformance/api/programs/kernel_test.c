/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel objects: creation, arguments, queries, clones. */
#include "cl_help.h"

#include <stdlib.h>
#include <string.h>

static const char source[] =
    "typedef struct { int a; char b; double c; } thing;\n"
    "kernel void args(global int *out, constant float *in, local char *scratch, uint n,\n"
    "                 float4 v, thing t, const global uchar * restrict p)\n"
    "{\n"
    "    scratch[get_local_id(0)] = 1;\n"
    "    out[0] = n + (int)v.w + t.a + (in ? 0 : 100) + (p ? 0 : 1000);\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void sized(global int *x) { *x = 1; }\n"
    "kernel __attribute__((work_group_size_hint(8, 1, 1), vec_type_hint(float4)))\n"
    "void hinted(global int *x) { *x = 1; }\n"
    "kernel void nothing(void) {}\n"
    "kernel void big_local(global int *x)\n"
    "{\n"
    "    local int tile[256];\n"
    "    tile[get_local_id(0)] = 1;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    *x = tile[0];\n"
    "}\n";

struct thing {
    cl_int a;
    cl_char b;
    cl_double c;
};

static cl_program program;

static cl_kernel kernel_named(const char *name)
{
    program = built(source, "-cl-kernel-arg-info");
    return kernel_of(program, name);
}

static void done(cl_kernel kernel)
{
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
}

static void create(void)
{
    cl_kernel nothing = kernel_named("nothing"), all[8] = {NULL}, wrong = (cl_kernel)cl.queue;
    cl_uint count = 0;
    CHECK_OK(clCreateKernelsInProgram(program, 0, NULL, &count));
    CHECK_EQ(count, 5);
    CHECK_OK(clCreateKernelsInProgram(program, 8, all, NULL));
    for (cl_uint i = 0; i < count; i++)
        RELEASE_KERNEL(all[i]);
    FAILS(CL_INVALID_VALUE, clCreateKernelsInProgram(program, 3, all, NULL));
    FAILS(CL_INVALID_PROGRAM, clCreateKernelsInProgram(NULL, 0, NULL, &count));
    CREATE_FAILS(CL_INVALID_KERNEL_NAME, clCreateKernel(program, "absent", ERR));
    CREATE_FAILS(CL_INVALID_KERNEL_NAME, clCreateKernel(program, "", ERR));
    CREATE_FAILS(CL_INVALID_VALUE, clCreateKernel(program, NULL, ERR));
    CREATE_FAILS(CL_INVALID_PROGRAM, clCreateKernel(NULL, "nothing", ERR));
    CREATE_WRONG(CL_INVALID_PROGRAM, clCreateKernel((cl_program)cl.queue, "nothing", ERR));
    WRONG(CL_INVALID_KERNEL, clRetainKernel(wrong));
    WRONG(CL_INVALID_KERNEL, clReleaseKernel(wrong));
    cl_program unbuilt = new_program(source);
    CREATE_FAILS(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(unbuilt, "nothing", ERR));
    FAILS(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernelsInProgram(unbuilt, 0, NULL, &count));
    RELEASE_PROGRAM(unbuilt);
    done(nothing);
}

static void info(void)
{
    cl_kernel kernel = kernel_named("args");
    char name[64] = "";
    size_t size = 0;
    cl_uint number = 99;
    cl_context context = NULL;
    cl_program owner = NULL;
    CHECK_OK(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, &size));
    CHECK(!strcmp(name, "args") && size == 5);
    CHECK_OK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof number, &number, NULL));
    CHECK_EQ(number, 7);
    CHECK_OK(clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof context, &context, NULL));
    CHECK(context == cl.context);
    CHECK_OK(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof owner, &owner, NULL));
    CHECK(owner == program);
    CHECK_OK(clRetainKernel(kernel));
    CHECK_OK(clGetKernelInfo(kernel, CL_KERNEL_REFERENCE_COUNT, sizeof number, &number, NULL));
    CHECK_EQ(number, 2);
    RELEASE_KERNEL(kernel);
    CHECK_OK(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, 0, NULL, &size));
    CHECK(size >= 1);
    FAILS(CL_INVALID_VALUE, clGetKernelInfo(kernel, 0x7777, sizeof name, name, NULL));
    FAILS(CL_INVALID_VALUE, clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 4, name, NULL));
    WRONG(CL_INVALID_KERNEL,
          clGetKernelInfo((cl_kernel)cl.queue, CL_KERNEL_NUM_ARGS, sizeof number, &number, NULL));
    done(kernel);
}

static void attributes(void)
{
    cl_kernel kernel = kernel_named("sized");
    char text[256] = "";
    CHECK_OK(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof text, text, NULL));
    CHECK(strstr(text, "reqd_work_group_size(4,2,1)") ||
          strstr(text, "reqd_work_group_size(4, 2, 1)"));
    done(kernel);
    kernel = kernel_named("hinted");
    CHECK_OK(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof text, text, NULL));
    CHECK(strstr(text, "work_group_size_hint(8,1,1)") ||
          strstr(text, "work_group_size_hint(8, 1, 1)"));
    CHECK(strstr(text, "vec_type_hint(float4)"));
    CHECK(!strstr(text, "reqd_work_group_size"));
    done(kernel);
}

struct arg_row {
    const char *type, *name;
    cl_kernel_arg_address_qualifier space;
    cl_kernel_arg_type_qualifier qualifier;
};

static void arg_info(void)
{
    static const struct arg_row rows[] = {
        {"int*", "out", CL_KERNEL_ARG_ADDRESS_GLOBAL, 0},
        {"float*", "in", CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_TYPE_CONST},
        {"char*", "scratch", CL_KERNEL_ARG_ADDRESS_LOCAL, 0},
        {"uint", "n", CL_KERNEL_ARG_ADDRESS_PRIVATE, 0},
        {"float4", "v", CL_KERNEL_ARG_ADDRESS_PRIVATE, 0},
        {"thing", "t", CL_KERNEL_ARG_ADDRESS_PRIVATE, 0},
        {"uchar*", "p", CL_KERNEL_ARG_ADDRESS_GLOBAL,
         CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT},
    };
    cl_kernel kernel = kernel_named("args");
    for (cl_uint i = 0; i < LEN(rows); i++) {
        char text[64] = "";
        cl_kernel_arg_address_qualifier space = 0;
        cl_kernel_arg_access_qualifier access = 0;
        cl_kernel_arg_type_qualifier qualifier = 99;
        CHECK_OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL));
        if (strcmp(text, rows[i].type))
            check_fail(__FILE__, __LINE__, "type of %s: %s", rows[i].name, text);
        CHECK_OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
        CHECK(!strcmp(text, rows[i].name));
        CHECK_OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space,
                                    &space, NULL));
        CHECK_EQ(space, rows[i].space);
        CHECK_OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access,
                                    &access, NULL));
        CHECK_EQ(access, CL_KERNEL_ARG_ACCESS_NONE);
        CHECK_OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier,
                                    &qualifier, NULL));
        CHECK_EQ(qualifier, rows[i].qualifier);
    }
    char text[64];
    FAILS(CL_INVALID_ARG_INDEX,
          clGetKernelArgInfo(kernel, 7, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
    FAILS(CL_INVALID_VALUE, clGetKernelArgInfo(kernel, 0, 0x7777, sizeof text, text, NULL));
    FAILS(CL_INVALID_VALUE, clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, 1, text, NULL));
    done(kernel);
}

/* Pointers to named parts of global memory are global ones, whatever is computed with them. */
static void arg_info_of_global_parts(void)
{
    enum { COUNT = 37 };
    static const char text[] =
        "#define DEVICE __attribute__((opencl_global_device))\n"
        "#define HOST __attribute__((opencl_global_host))\n"
        "int twice(HOST const int *p, int i) { return p[i] * 2; }\n"
        "kernel void k(DEVICE int *a, HOST int *b, DEVICE const uchar *restrict c, global int *d)\n"
        "{\n"
        "    int i = get_global_id(0);\n"
        "    global int *plain = b;\n"
        "    a[i] = twice(b, i) + plain[i] + c[i];\n"
        "    atomic_add(a + i, 1);\n"
        "    d[i] = 5;\n"
        "}\n";
    static const cl_kernel_arg_type_qualifier qualifiers[] = {
        0, 0, CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT, 0};
    cl_int words[COUNT];
    cl_uchar bytes[COUNT];
    if (!is_sluice())
        check_skip("an attribute of clang's");
    for (cl_int i = 0; i < COUNT; i++) {
        words[i] = 1000 * i;
        bytes[i] = (cl_uchar)(3 * i);
    }
    program = built(text, "-cl-kernel-arg-info");
    cl_kernel kernel = kernel_of(program, "k");
    for (cl_uint i = 0; i < LEN(qualifiers); i++) {
        cl_kernel_arg_address_qualifier space = 0;
        cl_kernel_arg_type_qualifier qualifier = 99;
        CHECK_OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space,
                                    &space, NULL));
        CHECK_EQ(space, CL_KERNEL_ARG_ADDRESS_GLOBAL);
        CHECK_OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier,
                                    &qualifier, NULL));
        CHECK_EQ(qualifier, qualifiers[i]);
    }
    cl_mem mems[] = {new_buffer(CL_MEM_READ_WRITE, sizeof words, NULL),
                     new_buffer(CL_MEM_COPY_HOST_PTR, sizeof words, words),
                     new_buffer(CL_MEM_COPY_HOST_PTR, sizeof bytes, bytes),
                     new_buffer(CL_MEM_READ_WRITE, sizeof words, NULL)};
    for (cl_uint i = 0; i < LEN(mems); i++)
        CHECK_OK(clSetKernelArg(kernel, i, sizeof mems[i], &mems[i]));
    const size_t count = COUNT;
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
    REQUIRE_OK(
        clEnqueueReadBuffer(cl.queue, mems[0], CL_TRUE, 0, sizeof words, words, 0, NULL, NULL));
    for (cl_int i = 0; i < COUNT; i++)
        if (!CHECK_EQ(words[i], 3000 * i + (cl_uchar)(3 * i) + 1))
            break;
    for (cl_uint i = 0; i < LEN(mems); i++)
        RELEASE_MEM(mems[i]);
    done(kernel);
}

/* The specification makes the information a part of the build only with its option. */
static void arg_info_needs_its_option(void)
{
    program = built(source, "");
    cl_kernel kernel = kernel_of(program, "args");
    char text[64] = "";
    FAILS(CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
          clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
    FAILS(CL_INVALID_ARG_INDEX,
          clGetKernelArgInfo(kernel, 7, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
    done(kernel);
}

/* Bytes of one work-item, however many of them the device computes at once. */
static void private_memory(void)
{
    cl_kernel kernel = new_kernel("kernel void k(global int *out, int at)\n"
                                  "{ int a[100]; for (int n = 0; n < 100; n++) a[n] = out[n] * n;\n"
                                  "  out[get_global_id(0)] = a[at] + a[out[at] & 63]; }\n",
                                  "k", NULL);
    cl_ulong bytes = 0;
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof bytes,
                                      &bytes, NULL));
    /* What the others count is their own affair. */
    CHECK(!is_sluice() || (bytes >= 400 && bytes < 800));
    RELEASE_KERNEL(kernel);
}

static void work_group_info(void)
{
    cl_kernel kernel = kernel_named("sized");
    size_t size = 0, three[3] = {9, 9, 9};
    cl_ulong bytes = 99;
    const cl_device_id device = cl.device;
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size,
                                      NULL));
    CHECK(size >= 8 && size <= device_size(CL_DEVICE_MAX_WORK_GROUP_SIZE));
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                      sizeof three, three, NULL));
    CHECK(three[0] == 4 && three[1] == 2 && three[2] == 1);
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                      sizeof size, &size, NULL));
    CHECK(size >= 1);
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof bytes,
                                      &bytes, NULL));
    FAILS(CL_INVALID_VALUE,
          clGetKernelWorkGroupInfo(kernel, device, 0x7777, sizeof size, &size, NULL));
    FAILS(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_GLOBAL_WORK_SIZE,
                                                     sizeof three, three, NULL));
    WRONG(CL_INVALID_DEVICE,
          clGetKernelWorkGroupInfo(kernel, (cl_device_id)cl.queue, CL_KERNEL_WORK_GROUP_SIZE,
                                   sizeof size, &size, NULL));
    RELEASE_KERNEL(kernel);
    kernel = kernel_of(program, "big_local");
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes,
                                      &bytes, NULL));
    CHECK(bytes >= 256 * sizeof(cl_int));
    CHECK_OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                      sizeof three, three, NULL));
    CHECK(!three[0] && !three[1] && !three[2]);
    done(kernel);
}

static void arg_errors(void)
{
    cl_kernel kernel = kernel_named("args");
    cl_mem mem = new_buffer(0, 64, NULL), none = NULL, wrong = (cl_mem)cl.queue;
    cl_uint n = 1;
    FAILS(CL_INVALID_KERNEL, clSetKernelArg(NULL, 0, sizeof mem, &mem));
    FAILS(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel, 7, sizeof mem, &mem));
    FAILS(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel, (cl_uint)-1, sizeof mem, &mem));
    FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 4, &mem));
    FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 3, 8, &n));
    FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 3, 0, &n));
    FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 5, 12, &n));
    if (device_version() < 310)
        FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 2, 0, NULL));
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 2, 16, &n));
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 3, sizeof n, NULL));
    WRONG(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof wrong, &wrong));
    WRONG(CL_INVALID_KERNEL, clSetKernelArg((cl_kernel)cl.queue, 0, sizeof mem, &mem));
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof none, &none));
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof none, NULL));
    CHECK_OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    RELEASE_MEM(mem);
    done(kernel);
}

/* Since 3.1: no local memory at all, or none at one place among others. */
static const char local_source[] =
    "kernel void k(global int *out, local int *a, local int *b, local int *c, int n)\n"
    "{\n"
    "    int i = get_local_id(0);\n"
    "    if (n & 1) a[i] = i + 1;\n"
    "    if (n & 2) b[i] = i + 20;\n"
    "    if (n & 4) c[i] = i + 300;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    int j = get_local_size(0) - 1 - i;\n"
    "    out[get_global_id(0)] = (n & 1 ? a[j] : 0) + (n & 2 ? b[j] : 0) + (n & 4 ? c[j] : 0);\n"
    "}\n";

static void empty_local(void)
{
    enum { LOCAL = 7, ITEMS = 35 };
    cl_int got[ITEMS];
    if (device_version() < 310)
        check_skip("before OpenCL 3.1");
    cl_kernel kernel = new_kernel(local_source, "k", NULL);
    cl_mem mem = new_buffer(0, sizeof got, NULL);
    ARG(kernel, 0, mem);
    for (cl_int used = 0; used < 8; used++) {
        cl_ulong bytes = 1;
        for (cl_uint k = 0; k < 3; k++)
            CHECK_OK(
                clSetKernelArg(kernel, k + 1, used >> k & 1 ? LOCAL * sizeof(cl_int) : 0, NULL));
        ARG(kernel, 4, used);
        CHECK_OK(clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes,
                                          &bytes, NULL));
        CHECK_EQ(bytes != 0, used != 0);
        run_1d(kernel, ITEMS, LOCAL);
        read_back(mem, sizeof got, got);
        for (int i = 0; i < ITEMS; i++) {
            int j = LOCAL - 1 - i % LOCAL;
            CHECK_EQ(got[i],
                     (used & 1 ? j + 1 : 0) + (used & 2 ? j + 20 : 0) + (used & 4 ? j + 300 : 0));
        }
    }
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 1, 0, &mem));
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
}

/* Values are copied by clSetKernelArg, captured by the enqueue, and stay for the next one. */
static void values(void)
{
    cl_kernel kernel = kernel_named("args");
    int result[2] = {0, 0};
    cl_mem first = new_buffer(0, sizeof result[0], NULL),
           second = new_buffer(0, sizeof result[0], NULL), in = new_buffer(0, 64, NULL),
           none = NULL;
    struct thing t = {1000000, 1, 2.0};
    cl_float v[4] = {0, 0, 0, 20000};
    cl_uint n = 7;
    const size_t one = 1;
    ARG(kernel, 0, first);
    ARG(kernel, 1, in);
    CHECK_OK(clSetKernelArg(kernel, 2, 64, NULL));
    ARG(kernel, 3, n);
    ARG(kernel, 4, v);
    ARG(kernel, 5, t);
    ARG(kernel, 6, none);
    n = 0, t.a = 0, v[3] = 0;
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    n = 8;
    ARG(kernel, 3, n);
    ARG(kernel, 0, second);
    ARG(kernel, 1, none);
    ARG(kernel, 6, in);
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    read_back(first, sizeof result[0], &result[0]);
    read_back(second, sizeof result[0], &result[1]);
    CHECK_EQ(result[0], 1021007);
    CHECK_EQ(result[1], 1020108);
    RELEASE_MEM(first);
    RELEASE_MEM(second);
    RELEASE_MEM(in);
    done(kernel);
}

/* Types of the application's that are called as images and samplers are, nearly. */
static void types_named_like_images(void)
{
    cl_kernel kernel = new_kernel("typedef struct { int a, b; } image_data;\n"
                                  "typedef struct { int a, b; } sampler_tuning;\n"
                                  "kernel void k(global image_data *x, sampler_tuning by_value)\n"
                                  "{ x->a = by_value.a; x->b = by_value.b; }\n",
                                  "k", NULL);
    const cl_int value[2] = {3, 4};
    cl_int result[2] = {0, 0};
    cl_mem mem = new_buffer(0, sizeof result, NULL);
    ARG(kernel, 0, mem);
    ARG(kernel, 1, value);
    run_1d(kernel, 1, 0);
    read_back(mem, sizeof result, result);
    CHECK_EQ(result[0], 3);
    CHECK_EQ(result[1], 4);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
}

static void unset_arguments(void)
{
    cl_kernel kernel = kernel_named("sized");
    const size_t global[] = {4, 2, 1};
    FAILS(CL_INVALID_KERNEL_ARGS,
          clEnqueueNDRangeKernel(cl.queue, kernel, 3, NULL, global, global, 0, NULL, NULL));
    FAILS(CL_INVALID_KERNEL_ARGS, clEnqueueTask(cl.queue, kernel, 0, NULL, NULL));
    done(kernel);
}

static void clone(void)
{
    if (device_version() < 210)
        check_skip("before OpenCL 2.1");
    cl_kernel kernel = new_kernel("kernel void k(global int *x, int y) { *x = y; }", "k", NULL);
    cl_mem mem = new_buffer(0, sizeof(int), NULL);
    int y = 5, z = 6, result = 0;
    cl_int rc;
    ARG(kernel, 0, mem);
    ARG(kernel, 1, y);
    cl_kernel copy = clCloneKernel(kernel, &rc);
    REQUIRE_OK(rc);
    ARG(kernel, 1, z);
    run_1d(copy, 1, 0);
    read_back(mem, sizeof result, &result);
    CHECK_EQ(result, 5);
    RELEASE_KERNEL(kernel);
    RELEASE_KERNEL(copy);
    RELEASE_MEM(mem);
    CREATE_FAILS(CL_INVALID_KERNEL, clCloneKernel(NULL, ERR));
}

static void sub_group_info(void)
{
    if (device_version() < 210)
        check_skip("before OpenCL 2.1");
    if (device_uint(CL_DEVICE_MAX_NUM_SUB_GROUPS))
        check_skip("the device has sub-groups");
    cl_kernel kernel = kernel_named("nothing");
    size_t value;
    FAILS(CL_INVALID_KERNEL, clGetKernelSubGroupInfo(NULL, cl.device, CL_KERNEL_MAX_NUM_SUB_GROUPS,
                                                     0, NULL, sizeof value, &value, NULL));
    WRONG(CL_INVALID_DEVICE,
          clGetKernelSubGroupInfo(kernel, (cl_device_id)cl.queue, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0,
                                  NULL, sizeof value, &value, NULL));
    FAILS(CL_INVALID_OPERATION,
          clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL,
                                  sizeof value, &value, NULL));
    done(kernel);
}

static const struct test_case cases[] = {
    CASE(create),
    CASE(info),
    CASE(attributes),
    CASE(arg_info),
    CASE(arg_info_of_global_parts),
    CASE(arg_info_needs_its_option),
    CASE(work_group_info),
    CASE(private_memory),
    CASE(arg_errors),
    CASE(empty_local),
    CASE(values),
    CASE(unset_arguments),
    CASE(types_named_like_images),
    CASE(clone),
    CASE(sub_group_info),
};
TEST_MAIN("kernel", cases)
