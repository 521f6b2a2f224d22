/* SPDX-License-Identifier: Apache-2.0 */
/* C++ for OpenCL (cl_ext_cxx_for_opencl): what the language has beyond C, against plain C. */
#include "cxx_help.h"

#include <CL/cl_ext_sluice.h>

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
    cxx_need();
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
    cxx_need();
    RELEASE_PROGRAM(
        built("#ifdef __OPENCL_CPP_VERSION__\n#error\n#endif\n"
              "kernel void k(void) { int class = 1, template = class; (void)template; }",
              "-cl-std=CL3.0"));
}

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
    cxx_compare_source(template_source, template_item);
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
    cxx_compare_source(class_source, class_item);
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
    cxx_compare_source(constant_source, constant_item);
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
    cxx_compare_source(space_source, space_item);
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
    cxx_compare_source(vector_source, vector_item);
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
    cxx_compare_source(group_source, same_item);
}

static const struct test_case cases[] = {
    CASE(version),   CASE(is_c_without_option), CASE(templates), CASE(classes),
    CASE(constants), CASE(address_spaces),      CASE(vectors),   CASE(groups),
};
TEST_MAIN("cxx", cases)
