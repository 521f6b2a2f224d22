/* SPDX-License-Identifier: Apache-2.0 */
/* C++ for OpenCL: its kernels, what they are given, and what they are linked with. */
#include "cxx_help.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Groups of different sizes, which OpenCL C 2.0 and later have. */
static void uneven_groups(void)
{
    static const char source[] = "kernel void k(global const int *in, global int *out)\n"
                                 "{ int i = get_global_id(0); out[i] = in[i] + "
                                 "(int)get_local_size(0) + (int)get_enqueued_local_size(0); }\n";
    cl_bool uneven = CL_FALSE;
    cl_int in[10] = {0}, out[10];
    cxx_need();
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof uneven,
                             &uneven, NULL));
    for (size_t v = 0; v < CXX_VERSIONS; v++) {
        char options[128];
        size_t global = 10, local = 4;
        cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in);
        cl_mem b = new_buffer(0, sizeof out, NULL);
        cl_kernel kernel = new_kernel(source, "k", cxx_versions[v]);
        ARG(kernel, 0, a);
        ARG(kernel, 1, b);
        if (uneven) {
            run_1d(kernel, global, local);
            read_back(b, sizeof out, out);
            for (int i = 0; i < 10; i++)
                CHECK_EQ(out[i], 4 + (i < 8 ? 4 : 2));
        }
        RELEASE_KERNEL(kernel);
        snprintf(options, sizeof options, "%s -cl-uniform-work-group-size", cxx_versions[v]);
        kernel = new_kernel(source, "k", options);
        ARG(kernel, 0, a);
        ARG(kernel, 1, b);
        FAILS(CL_INVALID_WORK_GROUP_SIZE,
              clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
        RELEASE_KERNEL(kernel);
        RELEASE_MEM(a);
        RELEASE_MEM(b);
    }
}

static void text_is(cl_kernel kernel, cl_uint arg, cl_kernel_arg_info what, const char *want)
{
    char text[64] = "";
    CHECK_OK(clGetKernelArgInfo(kernel, arg, what, sizeof text, text, NULL));
    if (strcmp(text, want))
        check_fail(__FILE__, __LINE__, "argument %u: '%s', not '%s'", arg, text, want);
}

static void arguments(void)
{
    static const char source[] =
        "namespace outer { namespace inner {\n"
        "struct pod { int a; float b; };\n"
        "kernel void k(global const float4 *__restrict in, constant uint *table, local int *work,\n"
        "              pod p, int n, image2d_t read_only image, sampler_t how)\n"
        "{}\n"
        "}}\n"
        "extern \"C\" { kernel void second(int n) {} }\n";
    cl_uint count = 0;
    cxx_need();
    cl_program program = built(source, "-cl-std=CLC++ -cl-kernel-arg-info");
    char names[64] = "";
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
    CHECK(!strcmp(names, "k;second"));
    cl_kernel kernel = kernel_of(program, "k");
    CHECK_OK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL));
    CHECK_EQ(count, 7);
    text_is(kernel, 0, CL_KERNEL_ARG_NAME, "in");
    text_is(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, "float4*");
    text_is(kernel, 1, CL_KERNEL_ARG_TYPE_NAME, "uint*");
    text_is(kernel, 2, CL_KERNEL_ARG_TYPE_NAME, "int*");
    text_is(kernel, 3, CL_KERNEL_ARG_NAME, "p");
    text_is(kernel, 4, CL_KERNEL_ARG_TYPE_NAME, "int");
    text_is(kernel, 5, CL_KERNEL_ARG_TYPE_NAME, "image2d_t");
    text_is(kernel, 6, CL_KERNEL_ARG_TYPE_NAME, "sampler_t");
    cl_kernel_arg_address_qualifier space = 0;
    CHECK_OK(
        clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL));
    CHECK_EQ(space, CL_KERNEL_ARG_ADDRESS_CONSTANT);
    cl_kernel_arg_type_qualifier how = 0;
    CHECK_OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof how, &how, NULL));
    CHECK_EQ(how, CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
}

static void prints(void)
{
    static const char source[] =
        "template <typename T> void show(const constant char *name, T value)\n"
        "{ printf(\"%s %d %.1f\\n\", name, (int)sizeof(T), (float)value); }\n"
        "kernel void k() { show(\"one\", 1); show(\"two\", (short)2); show(\"three\", 3.5f); }\n";
    char text[100] = "";
    cxx_need();
    cl_kernel kernel = new_kernel(source, "k", "-cl-std=CLC++");
    FILE *file = tmpfile();
    REQUIRE(file);
    fflush(stdout);
    int keep = dup(1);
    dup2(fileno(file), 1);
    size_t one = 1;
    cl_int rc = clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    cl_int done = clFinish(cl.queue);
    fflush(stdout);
    dup2(keep, 1);
    close(keep);
    CHECK_OK(rc);
    CHECK_OK(done);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    CHECK(!strcmp(text, "one 4 1.0\ntwo 2 2.0\nthree 4 3.5\n"));
    RELEASE_KERNEL(kernel);
}

static void images(void)
{
    static const char source[] =
        "template <typename I> float4 at(I image, int x, int y)\n"
        "{ return read_imagef(image, (int2)(x, y)); }\n"
        "kernel void k(image2d_t read_only from, image2d_t write_only to, sampler_t s)\n"
        "{\n"
        "    int x = get_global_id(0), y = get_global_id(1);\n"
        "    float4 a = at(from, x, y), b = read_imagef(from, s, (int2)(x - 1, y));\n"
        "    write_imagef(to, (int2)(x, y), a * 2.0f + b);\n"
        "}\n";
    enum { W = 13, H = 5 };
    cl_float in[W * H], out[W * H];
    cl_bool has = CL_FALSE;
    cxx_need();
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_IMAGE_SUPPORT, sizeof has, &has, NULL));
    if (!has)
        check_skip("no images");
    for (int i = 0; i < W * H; i++)
        in[i] = (cl_float)i * 0.5f;
    const cl_image_format format = {CL_R, CL_FLOAT};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = W, .image_height = H};
    const size_t origin[3] = {0}, size[3] = {W, H, 1};
    cl_int rc;
    cl_mem from = clCreateImage(cl.context, CL_MEM_COPY_HOST_PTR, &format, &desc, in, &rc);
    REQUIRE_OK(rc);
    cl_mem to = clCreateImage(cl.context, 0, &format, &desc, NULL, &rc);
    REQUIRE_OK(rc);
    cl_sampler sampler =
        clCreateSampler(cl.context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &rc);
    REQUIRE_OK(rc);
    for (size_t v = 0; v < CXX_VERSIONS; v++) {
        cl_kernel kernel = new_kernel(source, "k", cxx_versions[v]);
        ARG(kernel, 0, from);
        ARG(kernel, 1, to);
        ARG(kernel, 2, sampler);
        run_nd(kernel, 2, NULL, size, NULL);
        CHECK_OK(clEnqueueReadImage(cl.queue, to, CL_TRUE, origin, size, 0, 0, out, 0, NULL, NULL));
        for (int i = 0; i < W * H; i++)
            CHECK(out[i] == in[i] * 2 + in[i % W ? i - 1 : i]);
        RELEASE_KERNEL(kernel);
    }
    CHECK_OK(clReleaseSampler(sampler));
    RELEASE_MEM(from);
    RELEASE_MEM(to);
}

static void pipes(void)
{
    static const char source[] =
        "kernel void put(write_only pipe int p, global int *out)\n"
        "{ int v = get_global_id(0) * 3; out[get_global_id(0)] = write_pipe(p, &v); }\n"
        "kernel void take(read_only pipe int p, global int *out)\n"
        "{ int v = -1; if (read_pipe(p, &v)) v = -2; out[get_global_id(0)] = v; }\n";
    enum { PACKETS = 19 };
    cl_int out[PACKETS], rc;
    cxx_need();
    if (!cxx_has_feature("__opencl_c_pipes"))
        check_skip("no pipes");
    for (size_t v = 0; v < CXX_VERSIONS; v++) {
        static const char *const names[] = {"put", "take"};
        cl_program program = built(source, cxx_versions[v]);
        cl_mem pipe = clCreatePipe(cl.context, 0, sizeof(cl_int), PACKETS, NULL, &rc);
        REQUIRE_OK(rc);
        cl_mem mem = new_buffer(0, sizeof out, NULL);
        cl_int sum = 0;
        for (int n = 0; n < 2; n++) {
            cl_kernel kernel = kernel_of(program, names[n]);
            ARG(kernel, 0, pipe);
            ARG(kernel, 1, mem);
            run_1d(kernel, PACKETS, 0);
            RELEASE_KERNEL(kernel);
            read_back(mem, sizeof out, out);
            for (int i = 0; i < PACKETS; i++)
                sum += out[i];
        }
        CHECK_EQ(sum, 3 * PACKETS * (PACKETS - 1) / 2);
        RELEASE_MEM(pipe);
        RELEASE_MEM(mem);
        RELEASE_PROGRAM(program);
    }
}

static cl_int linked_item(const cl_int *in, size_t i, size_t items)
{
    (void)items;
    return (in[i] * 2 + 3) * 5 + 40 + in[i] % 7;
}

/* Both C++ parts instantiate the same template; the third is C. */
static void links(void)
{
    static const char header_text[] = "#pragma once\n"
                                      "template <typename T> struct line { T a, b; T operator()(T "
                                      "x) const { return a * x + b; } };\n"
                                      "template <typename T> inline T five(T x) { return x * 5; }\n"
                                      "int shift(const line<int> &, int);\n"
                                      "extern \"C\" int from_c(int x);\n";
    static const char first[] = "#include \"line.hpp\"\n"
                                "kernel void k(global const int *in, global int *out)\n"
                                "{\n"
                                "    int i = get_global_id(0);\n"
                                "    out[i] = five(shift({2, 3}, in[i])) + from_c(in[i]);\n"
                                "}\n";
    static const char second[] = "#include \"line.hpp\"\n"
                                 "int shift(const line<int> &l, int x) { return l(x); }\n"
                                 "extern \"C\" int forty() { return five(8); }\n";
    static const char third[] = "int forty(void);\n"
                                "int from_c(int x) { return forty() + x % 7; }\n";
    cxx_need();
    for (size_t v = 0; v < CXX_VERSIONS; v++) {
        cl_program header = new_program(header_text);
        cl_program parts[] = {cxx_compiled(first, cxx_versions[v], header, "line.hpp"),
                              cxx_compiled(second, cxx_versions[v], header, "line.hpp"),
                              cxx_compiled(third, "-cl-std=CL1.2", NULL, NULL)};
        cl_program program = cxx_linked(3, parts), again = cxx_from_binary(program);
        CHECK_OK(clBuildProgram(again, 1, &cl.device, cxx_versions[v], NULL, NULL));
        cl_kernel kernels[] = {kernel_of(program, "k"), kernel_of(again, "k")};
        for (int n = 0; n < 2; n++) {
            cxx_compare(kernels[n], linked_item);
            RELEASE_KERNEL(kernels[n]);
        }
        for (int n = 0; n < 3; n++)
            RELEASE_PROGRAM(parts[n]);
        RELEASE_PROGRAM(header);
        RELEASE_PROGRAM(program);
        RELEASE_PROGRAM(again);
    }
}

/* What the dataflow part of the compiler reads of kernels, in a namespace too. */
static void attributes(void)
{
    static const char source[] = "namespace outer { extern \"C\" {\n"
                                 "__attribute__((max_global_work_dim(0))) kernel void k(global int "
                                 "*out) { *out = 9; }\n"
                                 "}}\n";
    cxx_need();
    if (!has_extension("cl_intel_channels"))
        check_skip("no attributes of dataflow");
    for (size_t v = 0; v < CXX_VERSIONS; v++) {
        char text[200] = "";
        cl_int out = 0;
        cl_program program = built(source, cxx_versions[v]);
        cl_kernel kernel = kernel_of(program, "k");
        CHECK_OK(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof text, text, NULL));
        CHECK(strstr(text, "max_global_work_dim(0)"));
        RELEASE_KERNEL(kernel);
        cxx_ints_of(program, "k", &out, 1);
        CHECK_EQ(out, 9);
        RELEASE_PROGRAM(program);
    }
}

/* Channels are OpenCL C's; what computes their packets may be C++. */
static void channels(void)
{
    static const char c_part[] =
        "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
        "channel int c __attribute__((depth(8)));\n"
        "int next(int);\n"
        "kernel void k(global int *out)\n"
        "{\n"
        "    for (int i = 0; i < 8; i++) write_channel_intel(c, next(i));\n"
        "    for (int i = 0; i < 8; i++) out[i] = read_channel_intel(c);\n"
        "}\n";
    static const char cxx_part[] = "int ten() { return 10; }\nint ratio = ten();\n"
                                   "template <typename T> T times(T x) { return x * ratio; }\n"
                                   "extern \"C\" int next(int i) { return times(i); }\n";
    cl_int out[8] = {0};
    cxx_need();
    if (!has_extension("cl_intel_channels"))
        check_skip("no channels");
    cl_program parts[] = {cxx_compiled(c_part, "-cl-std=CL1.2", NULL, NULL),
                          cxx_compiled(cxx_part, "-cl-std=CLC++1.0", NULL, NULL)};
    cl_program program = cxx_linked(2, parts);
    cxx_ints_of(program, "k", out, 8);
    for (int i = 0; i < 8; i++)
        CHECK_EQ(out[i], 10 * i);
    RELEASE_PROGRAM(program);
    RELEASE_PROGRAM(parts[0]);
    RELEASE_PROGRAM(parts[1]);
}

/* Blocks are those of OpenCL C 3.0. */
static void blocks(void)
{
    static const char source[] =
        "int three() { return 3; }\nint size = three();\n"
        "kernel void k(global int *out)\n"
        "{\n"
        "    auto fill = [](global int *to, int x) { *to = x; };\n"
        "    out[0] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL,\n"
        "                            ndrange_1D(5, size), ^{\n"
        "        int i = get_global_id(0);\n"
        "        fill(out + 1 + i, 10 * i + (int)get_local_size(0));\n"
        "    });\n"
        "}\n";
    cxx_need();
    if (!cxx_has_feature("__opencl_c_device_enqueue"))
        check_skip("kernels enqueue no kernels");
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                              CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT |
                                                  CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                              0};
    cl_int rc, out[6] = {0};
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(cl.context, cl.device, properties, &rc);
    REQUIRE_OK(rc);
    cl_program program = built(source, "-cl-std=CLC++2021");
    cxx_ints_of(program, "k", out, 6);
    CHECK_EQ(out[0], 0);
    for (int i = 0; i < 5; i++)
        CHECK_EQ(out[1 + i], 10 * i + (i < 3 ? 3 : 2));
    RELEASE_PROGRAM(program);
    RELEASE_QUEUE(queue);
}

static const struct test_case cases[] = {
    CASE(uneven_groups), CASE(arguments),  CASE(prints),   CASE(images), CASE(pipes),
    CASE(links),         CASE(attributes), CASE(channels), CASE(blocks),
};
TEST_MAIN("cxx_kernel", cases)
