/* SPDX-License-Identifier: Apache-2.0 */
/* C++ for OpenCL (cl_ext_cxx_for_opencl): what the language has beyond C, against plain C; what it
 * forbids is refused with a place. */
#include "cl_help.h"

#include <CL/cl_ext_sluice.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LEN(array) (sizeof(array) / sizeof *(array))

static const char *const versions[] = {"-cl-std=CLC++", "-cl-std=CLC++1.0", "-cl-std=CLC++2021",
                                       "-cl-std=CLC++2021 -cl-opt-disable"};

/* Sizes that no vector divides, and shapes of groups. */
static const struct {
    size_t items, group;
} shapes[] = {{1, 1}, {7, 7}, {99, 33}, {130, 13}, {257, 0}};
enum { MOST = 257 };

static void need_cxx(void)
{
    if (!has_extension("cl_ext_cxx_for_opencl"))
        check_skip("no C++ for OpenCL");
}

static int has_feature(const char *name)
{
    cl_name_version features[64];
    size_t size = 0;
    if (clGetDeviceInfo(cl.device, CL_DEVICE_OPENCL_C_FEATURES, sizeof features, features, &size))
        return 0;
    for (size_t i = 0; i < size / sizeof *features; i++)
        if (!strcmp(features[i].name, name))
            return 1;
    return 0;
}

static cl_int input(size_t i)
{
    return (cl_int)(i * 2654435761u >> 7) % 10007 - 5003;
}

typedef cl_int (*item_fn)(const cl_int *in, size_t i, size_t items);

/* kernel void k(global const int *in, global int *out), item by item as `want` says. */
static void compare(cl_kernel kernel, item_fn want)
{
    cl_int in[MOST], out[MOST];
    for (size_t i = 0; i < MOST; i++)
        in[i] = input(i);
    for (size_t s = 0; s < LEN(shapes); s++) {
        cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in);
        cl_mem b = new_buffer(0, sizeof out, NULL);
        ARG(kernel, 0, a);
        ARG(kernel, 1, b);
        run_1d(kernel, shapes[s].items, shapes[s].group);
        read_back(b, shapes[s].items * sizeof *out, out);
        for (size_t i = 0; i < shapes[s].items; i++)
            if (out[i] != want(in, i, shapes[s].items)) {
                check_fail(__FILE__, __LINE__, "item %zu of %zu: %d, not %d", i, shapes[s].items,
                           out[i], want(in, i, shapes[s].items));
                break;
            }
        RELEASE_MEM(a);
        RELEASE_MEM(b);
    }
}

static void compare_source(const char *source, item_fn want)
{
    need_cxx();
    for (size_t v = 0; v < LEN(versions); v++) {
        cl_kernel kernel = new_kernel(source, "k", versions[v]);
        compare(kernel, want);
        RELEASE_KERNEL(kernel);
    }
}

/* ---- what is announced ---------------------------------------------------------------------- */

static void version_of(const char *options, cl_int want)
{
    cl_int got[2] = {0};
    cl_kernel kernel = new_kernel("#ifndef cl_ext_cxx_for_opencl\n#error\n#endif\n"
                                  "#ifdef __OPENCL_C_VERSION__\n#error\n#endif\n"
                                  "#if __CL_CPP_VERSION_1_0__ != 100\n#error\n#endif\n"
                                  "#if __CL_CPP_VERSION_2021__ != 202100\n#error\n#endif\n"
                                  "#if !defined(__opencl_c_generic_address_space)\n#error\n#endif\n"
                                  "kernel void k(global int *out)\n"
                                  "{\n"
                                  "    out[0] = __OPENCL_CPP_VERSION__;\n"
                                  "    out[1] = __cplusplus >= 201703L;\n"
                                  "}\n",
                                  "k", options);
    cl_mem mem = new_buffer(0, sizeof got, NULL);
    ARG(kernel, 0, mem);
    run_1d(kernel, 1, 1);
    read_back(mem, sizeof got, got);
    CHECK_EQ(got[0], want);
    CHECK_EQ(got[1], 1);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}

static void version(void)
{
    cl_version number = 0;
    size_t size = 0;
    need_cxx();
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT, sizeof number,
                             &number, &size));
    CHECK_EQ(size, sizeof number);
    CHECK_EQ(number, CL_MAKE_VERSION(1, 0, 0));
    FAILS(CL_INVALID_VALUE, clGetDeviceInfo(cl.device, CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT,
                                            sizeof number - 1, &number, NULL));
    version_of("-cl-std=CLC++", 100);
    version_of("-cl-std=CLC++1.0", 100);
    version_of("-cl-std=CLC++2021", 202100);
    version_of("-cl-std=CL1.2 -cl-std=CLC++2021", 202100);
}

static void is_c_without_option(void)
{
    need_cxx();
    RELEASE_PROGRAM(
        built("#ifdef __OPENCL_CPP_VERSION__\n#error\n#endif\n"
              "kernel void k(void) { int class = 1, template = class; (void)template; }",
              "-cl-std=CL3.0"));
}

/* ---- the language --------------------------------------------------------------------------- */

static const char template_source[] =
    "template <typename T, int n> struct row {\n"
    "    T value[n];\n"
    "    T &operator[](int i) { return value[i]; }\n"
    "    const T &operator[](int i) const { return value[i]; }\n"
    "    template <typename F> T fold(T start, F step) const\n"
    "    {\n"
    "        for (int i = 0; i < n; i++) start = step(start, value[i]);\n"
    "        return start;\n"
    "    }\n"
    "};\n"
    "template <typename T> struct is_short { static constexpr constant int value = 1; };\n"
    "template <> struct is_short<long> { static constexpr constant int value = 3; };\n"
    "template <typename T> T largest(T a) { return a; }\n"
    "template <typename T, typename... R> T largest(T a, R... rest)\n"
    "{\n"
    "    T b = largest<T>(rest...);\n"
    "    return a > b ? a : b;\n"
    "}\n"
    "kernel void k(global const int *in, global int *out)\n"
    "{\n"
    "    int i = get_global_id(0), by = in[i] & 15;\n"
    "    row<int, 5> r;\n"
    "    for (int j = 0; j < 5; j++) r[j] = in[i] + j * by;\n"
    "    auto step = [by](int a, int b) { return a * 3 + (b ^ by); };\n"
    "    int sum = r.fold(0, step);\n"
    "    out[i] = sum + largest(in[i], by, -i) + is_short<int>::value + is_short<long>::value;\n"
    "}\n";

static cl_int template_item(const cl_int *in, size_t i, size_t items)
{
    cl_int by = in[i] & 15, most = in[i] > by ? in[i] : by;
    cl_uint sum = 0;
    (void)items;
    for (cl_int j = 0; j < 5; j++)
        sum = sum * 3 + (cl_uint)((in[i] + j * by) ^ by);
    most = most > -(cl_int)i ? most : -(cl_int)i;
    return (cl_int)(sum + (cl_uint)most + 4);
}

static void templates(void)
{
    compare_source(template_source, template_item);
}

static const char class_source[] =
    "namespace shapes {\n"
    "class counter {\n"
    "    int &count;\n"
    "  public:\n"
    "    explicit counter(int &c) : count(c) { count += 1; }\n"
    "    counter(const counter &other) : count(other.count) { count += 10; }\n"
    "    ~counter() { count *= 2; }\n"
    "    counter &operator=(const counter &) = delete;\n"
    "};\n"
    "struct base { int a; base(int x) : a(x) {} int twice() const { return a * 2; } };\n"
    "struct derived : base {\n"
    "    int b = 7;\n"
    "    using base::base;\n"
    "    derived(int x, int y) : base(x), b(y) {}\n"
    "    int sum() const { return twice() + b; }\n"
    "    operator int() const { return sum() * 3; }\n"
    "    friend derived operator+(const derived &x, const derived &y)\n"
    "    { return derived(x.a + y.a, x.b - y.b); }\n"
    "    derived &operator+=(int by) { a += by; return *this; }\n"
    "    static int unit() { return 1; }\n"
    "};\n"
    "int pick(int) { return 1; }\n"
    "int pick(float) { return 2; }\n"
    "int pick(const derived &) { return 3; }\n"
    "int pick(int2 v) { return v.y; }\n"
    "enum class color : uchar { red = 4, green = 9 };\n"
    "}\n"
    "using namespace shapes;\n"
    "kernel void k(global const int *in, global int *out)\n"
    "{\n"
    "    int i = get_global_id(0), life = in[i];\n"
    "    {\n"
    "        counter first(life);\n"
    "        counter second = first;\n"
    "        if (i % 3 == 0) { counter third(life); }\n"
    "    }\n"
    "    derived x(in[i]), y{i, 5};\n"
    "    derived z = x + y;\n"
    "    (z += 4) += derived::unit();\n"
    "    int picks = pick(i) * 1000 + pick(1.5f) * 100 + pick(x) * 10 + pick((int2)(3, 4));\n"
    "    out[i] = life + int(z) + picks + static_cast<int>(i & 1 ? color::red : color::green);\n"
    "}\n";

static cl_int class_item(const cl_int *in, size_t i, size_t items)
{
    cl_int life = in[i] + 11, n = (cl_int)i;
    (void)items;
    if (i % 3 == 0)
        life = (life + 1) * 2;
    life *= 4;
    cl_int a = in[i] + n + 5, b = 2;
    return life + (a * 2 + b) * 3 + 1234 + (n & 1 ? 4 : 9);
}

static void classes(void)
{
    compare_source(class_source, class_item);
}

static const char constant_source[] =
    "constexpr int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }\n"
    "template <int n> struct power { static constexpr int of() { return 3 * power<n - 1>::of(); } "
    "};\n"
    "template <> struct power<0> { static constexpr int of() { return 1; } };\n"
    "constant int table[] = {power<0>::of(), power<1>::of(), power<2>::of(), power<3>::of(),\n"
    "                        power<4>::of(), power<5>::of(), power<6>::of(), power<7>::of()};\n"
    "constant int limits[] = {factorial(3), factorial(5), sizeof(long)};\n"
    "static_assert(factorial(6) == 720, \"\");\n"
    "kernel void k(global const int *in, global int *out)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    constexpr int five = factorial(5);\n"
    "    if constexpr (sizeof(int) == 4) out[i] = in[i] + five; else out[i] = 0;\n"
    "    for (constant const int &l : limits) out[i] += l;\n"
    "    out[i] += table[i & 7];\n"
    "}\n";

static cl_int constant_item(const cl_int *in, size_t i, size_t items)
{
    cl_int power = 1;
    (void)items;
    for (size_t k = 0; k < (i & 7); k++)
        power *= 3;
    return in[i] + 120 + 6 + 120 + 8 + power;
}

static void constants(void)
{
    compare_source(constant_source, constant_item);
}

static const char space_source[] =
    "void store(int &to, const int &from) { to = from * 2; }\n"
    "struct cell {\n"
    "    int v;\n"
    "    int where() const global { return 100; }\n"
    "    int where() const local { return 200; }\n"
    "    int where() const private { return 300; }\n"
    "    void set(int x) { v = x; }\n"
    "};\n"
    "template <typename P> int first(P p) { return *p; }\n"
    "kernel void k(global const int *in, global int *out)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    local cell shared;\n"
    "    local int sum;\n"
    "    if (get_local_id(0) == 0) { shared.set(5); sum = 0; }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    cell own; own.set(in[i]);\n"
    "    int seen;\n"
    "    store(seen, in[i]);\n"
    "    store(out[i], own.v);\n"
    "    int *plain = &out[i];\n"
    "    global int *back = addrspace_cast<global int *>(plain);\n"
    "    const global cell &g = *reinterpret_cast<const global cell *>(in + i);\n"
    "    atomic_add(&sum, 1);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    *back += seen + first(in + i) + shared.v + shared.where() + own.where() + g.where();\n"
    "    *back += sum == (int)get_local_size(0) ? 0 : 100000;\n"
    "}\n";

static cl_int space_item(const cl_int *in, size_t i, size_t items)
{
    (void)items;
    return in[i] * 2 + in[i] * 2 + in[i] + 5 + 600;
}

static void address_spaces(void)
{
    compare_source(space_source, space_item);
}

static const char vector_source[] =
    "template <typename V> V turn(V v) { return v.wzyx; }\n"
    "struct pair { float4 a; int2 b; };\n"
    "template <typename T> T sum(const T (&all)[3]) { return all[0] + all[1] + all[2]; }\n"
    "kernel void k(global const int *in, global int *out)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    int4 v = (int4)(in[i], i, 3, 4);\n"
    "    pair p{convert_float4(turn(v)), (int2)(1, 2)};\n"
    "    int4 three[3] = {v, turn(v), v.s3210};\n"
    "    int4 s = sum(three);\n"
    "    float biggest = fmax(fmax(p.a.x, p.a.y), fmax(p.a.z, p.a.w));\n"
    "    out[i] = s.x + s.y * 3 + (int)biggest + p.b.y + (any(v == 3) ? 1 : 0) +\n"
    "             mad24(i, 2, 1) + popcount(in[i] & 255);\n"
    "}\n";

static cl_int vector_item(const cl_int *in, size_t i, size_t items)
{
    cl_int n = (cl_int)i, most = in[i] > n ? in[i] : n, bits = 0;
    (void)items;
    most = most > 4 ? most : 4;
    for (cl_int b = in[i] & 255; b; b >>= 1)
        bits += b & 1;
    return (in[i] + 4 + 4) + (n + 3 + 3) * 3 + most + 2 + 1 + n * 2 + 1 + bits;
}

static void vectors(void)
{
    compare_source(vector_source, vector_item);
}

static const char group_source[] =
    "template <typename T> struct scan {\n"
    "    local T *all;\n"
    "    T operator()(T mine) const\n"
    "    {\n"
    "        size_t me = get_local_id(0), n = get_local_size(0);\n"
    "        all[me] = mine;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        T sum = 0;\n"
    "        for (size_t j = 0; j < n; j++) sum += all[j];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        return sum;\n"
    "    }\n"
    "};\n"
    "kernel void k(global const int *in, global int *out)\n"
    "{\n"
    "    local int space[1024];\n"
    "    local atomic_int most;\n"
    "    scan<int> total{space};\n"
    "    int i = get_global_id(0);\n"
    "    if (!get_local_id(0)) atomic_init(&most, 0);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    int sum = total(in[i] & 7);\n"
    "    atomic_fetch_max_explicit(&most, (int)get_local_id(0), memory_order_relaxed,\n"
    "                              memory_scope_work_group);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    bool right = atomic_load(&most) == (int)get_local_size(0) - 1;\n"
    "    out[i] = right && sum == work_group_reduce_add(in[i] & 7) ? in[i] : -77777;\n"
    "}\n";

static cl_int same_item(const cl_int *in, size_t i, size_t items)
{
    (void)items;
    return in[i];
}

static void groups(void)
{
    compare_source(group_source, same_item);
}

/* Groups of different sizes, which OpenCL C 2.0 and later have. */
static void uneven_groups(void)
{
    static const char source[] = "kernel void k(global const int *in, global int *out)\n"
                                 "{ int i = get_global_id(0); out[i] = in[i] + "
                                 "(int)get_local_size(0) + (int)get_enqueued_local_size(0); }\n";
    cl_bool uneven = CL_FALSE;
    cl_int in[10] = {0}, out[10];
    need_cxx();
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof uneven,
                             &uneven, NULL));
    for (size_t v = 0; v < LEN(versions); v++) {
        char options[128];
        size_t global = 10, local = 4;
        cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in);
        cl_mem b = new_buffer(0, sizeof out, NULL);
        cl_kernel kernel = new_kernel(source, "k", versions[v]);
        ARG(kernel, 0, a);
        ARG(kernel, 1, b);
        if (uneven) {
            run_1d(kernel, global, local);
            read_back(b, sizeof out, out);
            for (int i = 0; i < 10; i++)
                CHECK_EQ(out[i], 4 + (i < 8 ? 4 : 2));
        }
        RELEASE_KERNEL(kernel);
        snprintf(options, sizeof options, "%s -cl-uniform-work-group-size", versions[v]);
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

/* ---- kernels -------------------------------------------------------------------------------- */

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
    need_cxx();
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
    need_cxx();
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
    need_cxx();
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
    for (size_t v = 0; v < LEN(versions); v++) {
        cl_kernel kernel = new_kernel(source, "k", versions[v]);
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
    need_cxx();
    if (!has_feature("__opencl_c_pipes"))
        check_skip("no pipes");
    for (size_t v = 0; v < LEN(versions); v++) {
        static const char *const names[] = {"put", "take"};
        cl_program program = built(source, versions[v]);
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

/* ---- several sources ------------------------------------------------------------------------ */

static cl_program compiled(const char *source, const char *options, cl_program header,
                           const char *name)
{
    cl_program program = new_program(source);
    cl_int rc = clCompileProgram(program, 1, &cl.device, options, header ? 1 : 0,
                                 header ? &header : NULL, header ? &name : NULL, NULL, NULL);
    if (rc) {
        char *log = build_log(program);
        check_fail(__FILE__, __LINE__, "%s\n%s", code_name(rc), log);
        free(log);
        check_abandon();
    }
    return program;
}

static cl_program linked(cl_uint count, const cl_program *parts)
{
    cl_int rc;
    cl_program program =
        clLinkProgram(cl.context, 1, &cl.device, "", count, parts, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    return program;
}

static cl_program from_binary(cl_program program)
{
    size_t bytes = 0;
    cl_int rc, status;
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    unsigned char *binary = malloc(bytes);
    REQUIRE(binary);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    cl_program again = clCreateProgramWithBinary(cl.context, 1, &cl.device, &bytes,
                                                 (const unsigned char **)&binary, &status, &rc);
    REQUIRE_OK(rc);
    free(binary);
    return again;
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
    need_cxx();
    for (size_t v = 0; v < LEN(versions); v++) {
        cl_program header = new_program(header_text);
        cl_program parts[] = {compiled(first, versions[v], header, "line.hpp"),
                              compiled(second, versions[v], header, "line.hpp"),
                              compiled(third, "-cl-std=CL1.2", NULL, NULL)};
        cl_program program = linked(3, parts), again = from_binary(program);
        CHECK_OK(clBuildProgram(again, 1, &cl.device, versions[v], NULL, NULL));
        cl_kernel kernels[] = {kernel_of(program, "k"), kernel_of(again, "k")};
        for (int n = 0; n < 2; n++) {
            compare(kernels[n], linked_item);
            RELEASE_KERNEL(kernels[n]);
        }
        for (int n = 0; n < 3; n++)
            RELEASE_PROGRAM(parts[n]);
        RELEASE_PROGRAM(header);
        RELEASE_PROGRAM(program);
        RELEASE_PROGRAM(again);
    }
}

/* ---- objects at program scope --------------------------------------------------------------- */

/* Devices without variables at program scope have them in the version that is for OpenCL 2. */
static const char *cxx_with_globals(void)
{
    need_cxx();
    return has_feature("__opencl_c_program_scope_global_variables") ? "-cl-std=CLC++2021"
                                                                    : "-cl-std=CLC++1.0";
}

static void ints_of(cl_program program, const char *name, cl_int *out, size_t count)
{
    cl_kernel kernel = kernel_of(program, name);
    cl_mem mem = new_buffer(0, count * sizeof *out, NULL);
    ARG(kernel, 0, mem);
    run_1d(kernel, 1, 1);
    read_back(mem, count * sizeof *out, out);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}

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
    ints_of(program, "k", out, 5);
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
    cl_program program = built(object_source, options), again = from_binary(program);
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
    cl_program parts[] = {compiled(first, options, NULL, NULL),
                          compiled(second, options, NULL, NULL)};
    cl_program program = linked(2, parts);
    ints_of(program, "ka", &a, 1);
    ints_of(program, "kb", &b, 1);
    CHECK_EQ(a, 1);
    CHECK_EQ(b, 23);
    RELEASE_PROGRAM(program);
    RELEASE_PROGRAM(parts[0]);
    RELEASE_PROGRAM(parts[1]);
}

/* ---- what is refused ------------------------------------------------------------------------ */

static void refuse(const char *options, const char *source, const char *place, const char *hint)
{
    cl_program program = new_program(source);
    FAILS(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &cl.device, options, NULL, NULL));
    char *log = build_log(program);
    if (!strstr(log, place) || !strstr(log, hint))
        check_fail(__FILE__, __LINE__, "the log does not say \"%s\" and \"%s\": %.400s", place,
                   hint, log);
    free(log);
    RELEASE_PROGRAM(program);
}

static void refused(void)
{
    static const struct {
        const char *source, *place, *hint;
    } rows[] = {
        {"struct s {\n    virtual int f() { return 1; }\n};\n", ":2:5: error:", "virtual"},
        {"void f() {\n    throw 1;\n}\n", ":2:5: error:", "exceptions"},
        {"void f() {\n    try { } catch (...) { }\n}\n", ":2:5: error:", "exceptions"},
        {"struct s {};\nvoid *f(s *x) {\n    return dynamic_cast<void *>(x);\n}\n",
         ":3:", "dynamic_cast"},
        {"int g(int);\nvoid f() {\n    int (*p)(int) = g;\n}\n",
         ":3:10: error:", "pointers to functions"},
        {"void f() {\n    int *p = new int;\n}\n", ":2:14: error:", "new"},
        {"template <typename T>\nkernel void k(T x) {}\n", ":2:", "template"},
        {"struct s {\n    kernel void k() {}\n};\n", ":2:", "kernel"},
        {"void f() {\n    thread_local int x;\n}\n", ":2:5: error:", "thread"},
        {"int make(int);\nvoid f(int x) {\n    static int y = make(x);\n}\n",
         ":3:16: error:", "'y'"},
        {"template <typename T> T f(T x) {\n    static T once = x;\n    return once;\n}\n"
         "kernel void k(global int *p) { *p = f(*p); }\n",
         ":2:14: error:", "'once'"},
        {"kernel void k() {\n    local int x;\n    constant int *p = &x;\n}\n",
         ":3:19: error:", "__constant"},
        {"kernel void k(int &x) {}\n", ":1:20: error:", "arguments to kernel functions"},
        {"int twice(int x) { return x + x; }\nint twice(int x);\n"
         "kernel void k(global int *p) { *p = thrice(*p); }\n",
         ":3:37: error:", "thrice"},
    };
    need_cxx();
    if (!is_sluice())
        check_skip("messages of Sluice");
    /* Without variables of functions 2021 says that of all of them. */
    size_t most = has_feature("__opencl_c_program_scope_global_variables") ? 3 : 2;
    for (size_t r = 0; r < LEN(rows); r++)
        for (size_t v = 0; v < most; v++)
            refuse(versions[v], rows[r].source, rows[r].place, rows[r].hint);
    refuse("-cl-std=CLC++", "int f(int x);\nkernel void k(global int *p) { *p = f(*p); }", "f(int)",
           "kernel 'k'");
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
    ints_of(program, "k", &out, 1);
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
    CHECK(rc == CL_OUT_OF_RESOURCES || rc == CL_BUILD_PROGRAM_FAILURE);
    RELEASE_PROGRAM(program);
}

static void options(void)
{
    cl_program program = new_program("kernel void k() {}");
    need_cxx();
    FAILS(CL_INVALID_BUILD_OPTIONS,
          clBuildProgram(program, 1, &cl.device, "-cl-std=CLC++3", NULL, NULL));
    FAILS(CL_INVALID_BUILD_OPTIONS,
          clBuildProgram(program, 1, &cl.device, "-cl-std=C++17", NULL, NULL));
    FAILS(CL_INVALID_COMPILER_OPTIONS,
          clCompileProgram(program, 1, &cl.device, "-cl-std=CLC++20", 0, NULL, NULL, NULL, NULL));
    CHECK_OK(
        clCompileProgram(program, 1, &cl.device, "-cl-std=CLC++2021", 0, NULL, NULL, NULL, NULL));
    RELEASE_PROGRAM(program);
}

static const struct test_case cases[] = {
    CASE(version),
    CASE(is_c_without_option),
    CASE(templates),
    CASE(classes),
    CASE(constants),
    CASE(address_spaces),
    CASE(vectors),
    CASE(groups),
    CASE(uneven_groups),
    CASE(arguments),
    CASE(prints),
    CASE(images),
    CASE(pipes),
    CASE(links),
    CASE(objects),
    CASE(objects_of_parts),
    CASE(refused),
    CASE(destructors_do_not_run),
    CASE(initializers_that_fail),
    CASE(options),
};
TEST_MAIN("cxx", cases)
