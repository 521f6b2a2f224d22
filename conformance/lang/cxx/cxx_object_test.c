/* SPDX-License-Identifier: Apache-2.0 */
/* C++ for OpenCL: objects at program scope, which are made once, before the first kernel. */
#include "cxx_help.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char object_source[] =
    "int five() { return 5; }\n"
    "struct node {\n"
    "    int value; node *next;\n"
    "    node(int v, node *n) : value(v), next(n) {}\n"
    "    int sum() const { int s = 0; for (const node *n = this; n; n = n->next) s += n->value;\n"
    "                      return s; }\n"
    "};\n"
    "struct tables { float root[9]; tables() { for (int i = 0; i < 9; i++) root[i] = "
    "sqrt((float)i); } };\n"
    "node last(five(), nullptr);\n"
    "namespace n { global node first(last.value * 10, &last); }\n"
    "tables roots;\n"
    "static int divided = five() / (five() - 5);\n"
    "template <typename T> struct unit { static T one; };\n"
    "template <typename T> T unit<T>::one = T(five() - 4);\n"
    "size_t where = get_global_id(0) + get_global_size(0);\n"
    "kernel void k(global int *out)\n"
    "{\n"
    "    out[0] = n::first.sum();\n"
    "    out[1] = (int)(roots.root[8] * 1000);\n"
    "    out[2] = unit<int>::one + (int)unit<float>::one;\n"
    "    out[3] = (int)where;\n"
    "    out[4] = last.value++;\n"
    "    (void)divided;\n"
    "}\n";

static void check_objects(cl_program program, cl_int seen)
{
    cl_int out[5] = {0};
    cxx_ints_of(program, "k", out, 5);
    CHECK_EQ(out[0], 50 + seen);
    CHECK_EQ(out[1], 2828);
    CHECK_EQ(out[2], 2);
    CHECK_EQ(out[3], 1);
    CHECK_EQ(out[4], seen);
}

/* Once, before the first kernel, in each executable of its own. */
static void objects(void)
{
    const char *options = cxx_with_globals();
    cl_program program = built(object_source, options), again = cxx_from_binary(program);
    cl_bool has = CL_FALSE;
    size_t kernels = 0;
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, NULL));
    CHECK_EQ(kernels, 1);
    CHECK_OK(
        clGetProgramInfo(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, sizeof has, &has, NULL));
    CHECK_EQ(has, CL_TRUE);
    CHECK_OK(
        clGetProgramInfo(program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT, sizeof has, &has, NULL));
    CHECK_EQ(has, CL_FALSE);
    check_objects(program, 5);
    check_objects(program, 6);
    CHECK_OK(clBuildProgram(again, 1, &cl.device, NULL, NULL, NULL));
    check_objects(again, 5);
    check_objects(program, 7);
    RELEASE_PROGRAM(again);
    RELEASE_PROGRAM(program);
    program = built("int five() { return 5; } int x = five();\n"
                    "kernel void k(global int *out) { *out = x; }",
                    options);
    RELEASE_PROGRAM(program);
    program = built("int x = 5; kernel void k(global int *out) { *out = x; }", options);
    CHECK_OK(
        clGetProgramInfo(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, sizeof has, &has, NULL));
    CHECK_EQ(has, CL_FALSE);
    RELEASE_PROGRAM(program);
}

/* In the order of the parts; each part's are made. */
static void objects_of_parts(void)
{
    static const char first[] = "extern \"C\" int next(); int a = next();\n"
                                "kernel void ka(global int *out) { *out = a; }\n";
    static const char second[] = "int counter = 0;\n"
                                 "extern \"C\" int next() { return ++counter; }\n"
                                 "int b = next(), c = next();\n"
                                 "kernel void kb(global int *out) { *out = b * 10 + c; }\n";
    const char *options = cxx_with_globals();
    cl_int a = 0, b = 0;
    cl_program parts[] = {cxx_compiled(first, options, NULL, NULL),
                          cxx_compiled(second, options, NULL, NULL)};
    cl_program program = cxx_linked(2, parts);
    cxx_ints_of(program, "ka", &a, 1);
    cxx_ints_of(program, "kb", &b, 1);
    CHECK_EQ(a, 1);
    CHECK_EQ(b, 23);
    RELEASE_PROGRAM(program);
    RELEASE_PROGRAM(parts[0]);
    RELEASE_PROGRAM(parts[1]);
}

static const char once_header[] = "#pragma once\n"
                                  "extern \"C\" int tick();\n"
                                  "template <typename T> struct unit { static T made; };\n"
                                  "template <typename T> T unit<T>::made = T(tick());\n"
                                  "inline int shown = tick();\n"
                                  "struct last { int n; last(int x) : n(x) {} };\n";

/* What both parts have is made once, whether they are cxx_linked at once or through a library. */
static void objects_in_common(void)
{
    static const char first[] = "#include \"once.hpp\"\n"
                                "int ticks = 0;\n"
                                "extern \"C\" int tick() { return ++ticks; }\n"
                                "kernel void ka(global int *out)\n"
                                "{ out[0] = unit<int>::made; out[1] = shown; out[2] = ticks; }\n";
    static const char second[] = "#include \"once.hpp\"\n"
                                 "kernel void kb(global int *out)\n"
                                 "{ out[0] = unit<int>::made; out[1] = shown; out[2] = 0; }\n";
    const char *options = cxx_with_globals();
    cl_int a[3] = {0}, b[3] = {0}, rc;
    cl_program header = new_program(once_header);
    cl_program parts[] = {cxx_compiled(first, options, header, "once.hpp"),
                          cxx_compiled(second, options, header, "once.hpp")};
    for (int through_library = 0; through_library < 2; through_library++) {
        cl_program library = NULL, given[2] = {parts[0], parts[1]};
        if (through_library) {
            library = clLinkProgram(cl.context, 1, &cl.device, "-create-library", 1, parts, NULL,
                                    NULL, &rc);
            REQUIRE_OK(rc);
            given[0] = library;
        }
        cl_program program = cxx_linked(2, given);
        cxx_ints_of(program, "ka", a, 3);
        cxx_ints_of(program, "kb", b, 3);
        CHECK_EQ(a[0] + a[1], 3);
        CHECK_EQ(a[2], 2);
        CHECK(a[0] == b[0] && a[1] == b[1]);
        RELEASE_PROGRAM(program);
        if (library)
            RELEASE_PROGRAM(library);
    }
    RELEASE_PROGRAM(parts[0]);
    RELEASE_PROGRAM(parts[1]);
    RELEASE_PROGRAM(header);
}

static void objects_by_priority(void)
{
    static const char source[] = "int n = 0; int next() { return ++n; }\n"
                                 "struct s { int v; s(int x) : v(x) {} };\n"
                                 "__attribute__((init_priority(300))) s late(next());\n"
                                 "__attribute__((init_priority(200))) s early(next());\n"
                                 "s plain[2] = {next(), next()};\n"
                                 "kernel void k(global int *out) { out[0] = early.v; out[1] = "
                                 "late.v; out[2] = plain[0].v; out[3] = plain[1].v; }\n";
    cl_int out[4] = {0};
    cl_program program = built(source, cxx_with_globals());
    cxx_ints_of(program, "k", out, 4);
    for (int i = 0; i < 4; i++)
        CHECK_EQ(out[i], i + 1);
    RELEASE_PROGRAM(program);
}

/* So many kernels that several processes compile them; each knows the objects of all. */
static void objects_of_many_kernels(void)
{
    enum { KERNELS = 24 };
    static char source[8192];
    cl_kernel kernels[KERNELS];
    cl_uint count = 0;
    cl_int out = 0;
    char name[16];
    size_t length = (size_t)snprintf(source, sizeof source,
                                     "int seven() { return 7; }\nint used = seven();\n"
                                     "struct s { int v; s(int x) : v(x * seven()) {} };\n");
    for (int i = 0; i < KERNELS; i++)
        length += (size_t)snprintf(source + length, sizeof source - length,
                                   "s o%d(%d); kernel void k%d(global int *out)\n"
                                   "{ *out = o%d.v + o%d.v + used++; }\n",
                                   i, i, i, i, i ? i - 1 : 0);
    cl_program program = built(source, cxx_with_globals());
    CHECK_OK(clCreateKernelsInProgram(program, KERNELS, kernels, &count));
    CHECK_EQ(count, KERNELS);
    for (cl_uint i = 0; i < count; i++)
        RELEASE_KERNEL(kernels[i]);
    for (int i = 0; i < KERNELS; i++) {
        snprintf(name, sizeof name, "k%d", i);
        cxx_ints_of(program, name, &out, 1);
        CHECK_EQ(out, 7 * i + 7 * (i ? i - 1 : 0) + 7 + i);
    }
    RELEASE_PROGRAM(program);
}

static const char counted_source[] = "int made = 0; int make() { return ++made; }\n"
                                     "int one = make(), two = make() * 10;\n"
                                     "kernel void k(global int *out) { *out = made * 100 + one + "
                                     "two; }\n";

/* Each device has objects of its own. */
static void objects_of_devices(void)
{
    cl_device_id devices[8];
    cl_uint count = 0;
    cl_int rc;
    cxx_need();
    CHECK_OK(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, 8, devices, &count));
    count = count < 8 ? count : 8;
    cl_context context = clCreateContext(NULL, count, devices, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    const char *text = counted_source;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(program, count, devices, "-cl-std=CLC++1.0", NULL, NULL));
    cl_kernel kernel = kernel_of(program, "k");
    for (cl_uint i = 0; i < count; i++) {
        cl_int out = 0;
        size_t one = 1;
        cl_command_queue queue = clCreateCommandQueueWithProperties(context, devices[i], NULL, &rc);
        REQUIRE_OK(rc);
        cl_mem mem = clCreateBuffer(context, 0, sizeof out, NULL, &rc);
        REQUIRE_OK(rc);
        ARG(kernel, 0, mem);
        CHECK_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
        CHECK_OK(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof out, &out, 0, NULL, NULL));
        CHECK_EQ(out, 221);
        RELEASE_MEM(mem);
        RELEASE_QUEUE(queue);
    }
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    CHECK_OK(clReleaseContext(context));
}

/* Half of the threads launch kernels of one program, the others build programs of their own. */
static void *launch_first(void *arg)
{
    cl_program program = arg;
    cl_int out = 0;
    cl_command_queue queue = new_queue(0);
    cl_program mine = program ? program : built(counted_source, "-cl-std=CLC++1.0");
    cl_kernel kernel = kernel_of(mine, "k");
    cl_mem mem = new_buffer(0, sizeof out, NULL);
    size_t one = 1;
    ARG(kernel, 0, mem);
    CHECK_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof out, &out, 0, NULL, NULL));
    CHECK_EQ(out, 221);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    if (!program)
        RELEASE_PROGRAM(mine);
    RELEASE_QUEUE(queue);
    return NULL;
}

static void objects_and_threads(void)
{
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    cxx_need();
    for (int round = 0; round < 3; round++) {
        cl_program program = built(counted_source, "-cl-std=CLC++1.0");
        for (int t = 0; t < THREADS; t++)
            REQUIRE(!pthread_create(&threads[t], NULL, launch_first, t % 2 ? program : NULL));
        for (int t = 0; t < THREADS; t++)
            pthread_join(threads[t], NULL);
        RELEASE_PROGRAM(program);
    }
}

static void destructors_do_not_run(void)
{
    const char *options = cxx_with_globals();
    if (!is_sluice())
        check_skip("messages of Sluice");
    cl_program program = built("struct s { int x = 3; ~s() { x = 0; } };\n  s it;\n"
                               "kernel void k(global int *out) { *out = it.x; }",
                               options);
    cl_int out = 0;
    char *log = build_log(program);
    CHECK(strstr(log, ":2:5: warning:") && strstr(log, "destructor of 'it'"));
    free(log);
    cxx_ints_of(program, "k", &out, 1);
    CHECK_EQ(out, 3);
    RELEASE_PROGRAM(program);
}

static void initializers_that_fail(void)
{
    const char *options = cxx_with_globals();
    cl_program program = new_program("int f() { __builtin_trap(); return 1; }\nint x = f();\n"
                                     "kernel void k(global int *out) { *out = x; }");
    if (!is_sluice())
        check_skip("what Sluice does");
    cl_int rc = clBuildProgram(program, 1, &cl.device, options, NULL, NULL);
    CHECK_EQ(rc, CL_OUT_OF_RESOURCES);
    char *log = build_log(program);
    CHECK(strstr(log, "not initialize its objects"));
    free(log);
    RELEASE_PROGRAM(program);
}

static const struct test_case cases[] = {
    CASE(objects),
    CASE(objects_of_parts),
    CASE(objects_in_common),
    CASE(objects_by_priority),
    CASE(objects_of_many_kernels),
    CASE(objects_of_devices),
    CASE(objects_and_threads),
    CASE(destructors_do_not_run),
    CASE(initializers_that_fail),
};
TEST_MAIN("cxx_object", cases)
