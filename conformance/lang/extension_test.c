/* SPDX-License-Identifier: Apache-2.0 */
/* What extensions add: their pragmas and macros, and the builtins of small ones: bit fields, dot
 * products, atomic sums of floats. */
#include "cl_help.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 77 };

static void need(const char *extension)
{
    if (!has_extension(extension))
        check_skip(extension);
}

static void run_two(cl_kernel kernel, const void *in, size_t in_bytes, void *out, size_t out_bytes,
                    size_t items)
{
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, in_bytes, (void *)(uintptr_t)in);
    cl_mem b = new_buffer(0, out_bytes, NULL);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    run_1d(kernel, items, 0);
    read_back(b, out_bytes, out);
    RELEASE_MEM(a);
    RELEASE_MEM(b);
}

static cl_ulong scattered(cl_ulong i)
{
    return (i + 1) * 0x9e3779b97f4a7c15u ^ i << 7;
}

/* ---- cl_khr_extended_bit_ops ----------------------------------------------------------------- */

static const char bit_source[] =
    "kernel void k(global const ulong *in, global ulong *out)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    T a = (T)in[i], b = (T)in[i + 1];\n"
    "    uint offset = i % BITS, count = i / 3 % (BITS + 1);\n"
    "    if (offset + count > BITS) count = BITS - offset;\n"
    "    out[i * 4] = (UT)bitfield_insert(a, b, offset, count);\n"
    "    out[i * 4 + 1] = (ulong)(long)bitfield_extract_signed(a, offset, count);\n"
    "    out[i * 4 + 2] = bitfield_extract_unsigned(a, offset, count);\n"
    "    T3 v = (T3)(a, b, a), r = bit_reverse(v);\n"
    "    out[i * 4 + 3] = r.x == r.z && r.y == bit_reverse(b) ? (UT)r.x : 1;\n"
    "}\n";

static void check_bits(const cl_ulong *in, size_t i, unsigned bits, const cl_ulong *out)
{
    cl_ulong width = bits == 64 ? ~(cl_ulong)0 : ((cl_ulong)1 << bits) - 1;
    cl_ulong a = in[i] & width, b = in[i + 1] & width, turned = 0;
    unsigned offset = i % bits, count = (unsigned)(i / 3 % (bits + 1));
    if (offset + count > bits)
        count = bits - offset;
    cl_ulong field = count == 64 ? ~(cl_ulong)0 : ((cl_ulong)1 << count) - 1;
    cl_ulong inserted = (a & ~(field << offset)) | (b & field) << offset;
    cl_ulong taken = a >> offset & field;
    for (unsigned k = 0; k < bits; k++)
        turned |= (a >> k & 1) << (bits - 1 - k);
    CHECK_EQ(out[0], inserted);
    CHECK_EQ(out[1], count && taken >> (count - 1) & 1 ? taken | ~field : taken);
    CHECK_EQ(out[2], taken);
    CHECK_EQ(out[3], turned);
}

static void bits(void)
{
    static const struct {
        const char *type, *whole;
        unsigned bits;
    } rows[] = {{"char", "uchar", 8},  {"uchar", "uchar", 8},    {"short", "ushort", 16},
                {"int", "uint", 32},   {"ushort", "ushort", 16}, {"uint", "uint", 32},
                {"long", "ulong", 64}, {"ulong", "ulong", 64}};
    cl_ulong in[ITEMS + 1], out[4 * ITEMS];
    need("cl_khr_extended_bit_ops");
    for (size_t i = 0; i <= ITEMS; i++)
        in[i] = scattered(i);
    for (size_t r = 0; r < LEN(rows); r++) {
        char options[128];
        snprintf(options, sizeof options, "-D T=%s -D T3=%s3 -D UT=%s -D BITS=%u", rows[r].type,
                 rows[r].type, rows[r].whole, rows[r].bits);
        cl_kernel kernel = new_kernel(bit_source, "k", options);
        run_two(kernel, in, sizeof in, out, sizeof out, ITEMS);
        for (size_t i = 0; i < ITEMS; i++)
            check_bits(in, i, rows[r].bits, out + 4 * i);
        RELEASE_KERNEL(kernel);
    }
}

/* ---- cl_khr_integer_dot_product -------------------------------------------------------------- */

static cl_long dot(cl_uint a, int a_signed, cl_uint b, int b_signed)
{
    cl_long sum = 0;
    for (int k = 0; k < 32; k += 8) {
        cl_long x = a >> k & 255, y = b >> k & 255;
        x -= a_signed && x > 127 ? 256 : 0;
        y -= b_signed && y > 127 ? 256 : 0;
        sum += x * y;
    }
    return sum;
}

static cl_long clamped(cl_long value, int is_signed)
{
    cl_long least = is_signed ? INT32_MIN : 0, most = is_signed ? INT32_MAX : UINT32_MAX;
    return value < least ? least : value > most ? most : value;
}

static void dots(void)
{
    static const char source[] =
        "#if !defined(__opencl_c_integer_dot_product_input_4x8bit) || \\\n"
        "    !defined(__opencl_c_integer_dot_product_input_4x8bit_packed)\n"
        "#error no macros\n"
        "#endif\n"
        "kernel void k(global const uint *in, global long *out)\n"
        "{\n"
        "    size_t i = get_global_id(0);\n"
        "    uint a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];\n"
        "    out += 16 * i;\n"
        "    out[0] = dot(as_uchar4(a), as_uchar4(b)); out[1] = dot(as_char4(a), as_char4(b));\n"
        "    out[2] = dot(as_uchar4(a), as_char4(b)); out[3] = dot(as_char4(a), as_uchar4(b));\n"
        "    out[4] = dot_4x8packed_uu_uint(a, b); out[5] = dot_4x8packed_ss_int(a, b);\n"
        "    out[6] = dot_4x8packed_us_int(a, b); out[7] = dot_4x8packed_su_int(a, b);\n"
        "    out[8] = dot_acc_sat(as_uchar4(a), as_uchar4(b), c);\n"
        "    out[9] = dot_acc_sat(as_char4(a), as_char4(b), (int)c);\n"
        "    out[10] = dot_acc_sat(as_uchar4(a), as_char4(b), (int)c);\n"
        "    out[11] = dot_acc_sat(as_char4(a), as_uchar4(b), (int)c);\n"
        "    out[12] = dot_acc_sat_4x8packed_uu_uint(a, b, c);\n"
        "    out[13] = dot_acc_sat_4x8packed_ss_int(a, b, (int)c);\n"
        "    out[14] = dot_acc_sat_4x8packed_us_int(a, b, (int)c);\n"
        "    out[15] = dot_acc_sat_4x8packed_su_int(a, b, (int)c);\n"
        "}\n";
    static const int a_signed[] = {0, 1, 0, 1}, b_signed[] = {0, 1, 1, 0};
    static const cl_uint edges[] = {0, UINT32_MAX, INT32_MAX, (cl_uint)INT32_MIN, 5};
    cl_uint in[3 * ITEMS];
    cl_long out[16 * ITEMS];
    need("cl_khr_integer_dot_product");
    for (size_t i = 0; i < ITEMS; i++) {
        in[3 * i] = (cl_uint)scattered(2 * i);
        in[3 * i + 1] = i % 7 ? (cl_uint)(scattered(i) >> 32) : 0x807f80ff;
        in[3 * i + 2] = edges[i % LEN(edges)];
    }
    cl_kernel kernel = new_kernel(source, "k", NULL);
    run_two(kernel, in, sizeof in, out, sizeof out, ITEMS);
    for (size_t i = 0; i < ITEMS; i++)
        for (int form = 0; form < 4; form++) {
            const cl_uint *v = in + 3 * i;
            cl_long product = dot(v[0], a_signed[form], v[1], b_signed[form]);
            cl_long sum = form ? (cl_long)(cl_int)v[2] : (cl_long)v[2];
            CHECK_EQ(out[16 * i + form], product);
            CHECK_EQ(out[16 * i + 4 + form], product);
            CHECK_EQ(out[16 * i + 8 + form], clamped(product + sum, form != 0));
            CHECK_EQ(out[16 * i + 12 + form], clamped(product + sum, form != 0));
        }
    RELEASE_KERNEL(kernel);
}

/* ---- cl_ext_float_atomics -------------------------------------------------------------------- */

static void float_atomics_of(const char *type, const char *bits)
{
    static const char source[] =
        "kernel void k(global const T *in, global A *out)\n"
        "{\n"
        "    local A sum, least, most;\n"
        "    size_t i = get_global_id(0);\n"
        "    if (!get_local_id(0)) {\n"
        "        atomic_store_explicit(&sum, (T)0, memory_order_relaxed);\n"
        "        atomic_store_explicit(&least, (T)1000, memory_order_relaxed);\n"
        "        atomic_store_explicit(&most, (T)-1000, memory_order_relaxed);\n"
        "    }\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    atomic_fetch_add_explicit(&sum, in[i], memory_order_relaxed, "
        "memory_scope_work_group);\n"
        "    atomic_fetch_min_explicit(&least, in[i], memory_order_relaxed,\n"
        "                              memory_scope_work_group);\n"
        "    atomic_fetch_max_explicit(&most, in[i], memory_order_relaxed, "
        "memory_scope_work_group);\n"
        "    atomic_fetch_sub_explicit(&out[3], in[i], memory_order_acq_rel, "
        "memory_scope_device);\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    if (!get_local_id(0)) {\n"
        "        atomic_fetch_add(&out[0], atomic_load(&sum));\n"
        "        atomic_fetch_min((global A *)&out[1], atomic_load(&least));\n"
        "        atomic_fetch_max(&out[2], atomic_load(&most));\n"
        "    }\n"
        "}\n";
    char options[256];
    int is_double = !strcmp(type, "double");
    double in[ITEMS], out[4] = {0, 1000, -1000, 0}, sum = 0;
    float in_float[ITEMS], out_float[4] = {0, 1000, -1000, 0};
    for (int i = 0; i < ITEMS; i++) {
        in[i] = in_float[i] = (float)(i * 29 % 31 - 12) * 0.5f; /* sums are exact */
        sum += in[i];
    }
    snprintf(options, sizeof options,
             "-cl-std=CL3.0 -D T=%s -D A=atomic_%s -D NEEDED=__opencl_c_ext_%s_global_atomic_add",
             type, type, bits);
    cl_kernel kernel = new_kernel(source, "k", options);
    cl_mem a = is_double ? new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in)
                         : new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in_float, in_float);
    cl_mem b = is_double ? new_buffer(CL_MEM_COPY_HOST_PTR, sizeof out, out)
                         : new_buffer(CL_MEM_COPY_HOST_PTR, sizeof out_float, out_float);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    run_1d(kernel, ITEMS, 11);
    read_back(b, is_double ? sizeof out : sizeof out_float, is_double ? (void *)out : out_float);
    for (int k = 0; k < 4 && !is_double; k++)
        out[k] = out_float[k];
    CHECK(out[0] == sum);
    CHECK(out[1] == -6);
    CHECK(out[2] == 9);
    CHECK(out[3] == -sum);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(a);
    RELEASE_MEM(b);
}

static void float_atomics(void)
{
    static const char *const macros[] = {"global_atomic_load_store", "global_atomic_add",
                                         "global_atomic_min_max",    "local_atomic_load_store",
                                         "local_atomic_add",         "local_atomic_min_max"};
    char source[4096] = "kernel void k(global int *a) { *a = 1; }\n";
    need("cl_ext_float_atomics");
    for (size_t i = 0; i < LEN(macros); i++)
        snprintf(source + strlen(source), sizeof source - strlen(source),
                 "#ifndef __opencl_c_ext_fp32_%s\n#error %s\n#endif\n", macros[i], macros[i]);
    RELEASE_PROGRAM(built(source, "-cl-std=CL3.0"));
    float_atomics_of("float", "fp32");
    if (has_extension("cl_khr_fp64"))
        float_atomics_of("double", "fp64");
}

static void expect_and_assume(void)
{
    cl_int in[ITEMS], out[ITEMS];
    need("cl_khr_expect_assume");
    for (int i = 0; i < ITEMS; i++)
        in[i] = i * 3;
    cl_kernel kernel =
        new_kernel("kernel void k(global const int *in, global int *out)\n"
                   "{\n"
                   "    int x = in[get_global_id(0)];\n"
                   "    __builtin_assume(x >= 0);\n"
                   "    out[get_global_id(0)] = __builtin_expect(x > 50, 1) ? x / 2 : -x;\n"
                   "}\n",
                   "k", NULL);
    run_two(kernel, in, sizeof in, out, sizeof out, ITEMS);
    for (int i = 0; i < ITEMS; i++)
        CHECK_EQ(out[i], in[i] > 50 ? in[i] / 2 : -in[i]);
    RELEASE_KERNEL(kernel);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Sources switch on whatever they may use: no word about what is announced, in any version. */
static void pragmas(void)
{
    static const char *const standards[] = {"-Werror", "-cl-std=CL1.1 -Werror",
                                            "-cl-std=CL2.0 -Werror", "-cl-std=CL3.0 -Werror"};
    char names[8192], source[16384];
    REQUIRE_OK(clGetDeviceInfo(cl.device, CL_DEVICE_EXTENSIONS, sizeof names, names, NULL));
    size_t at = 0;
    for (char *name = strtok(names, " "); name; name = strtok(NULL, " "))
        at += (size_t)snprintf(source + at, sizeof source - at,
                               "#ifndef %s\n#error no macro %s\n#endif\n"
                               "#pragma OPENCL EXTENSION %s : enable\n"
                               "_Pragma(\"OPENCL EXTENSION %s : disable\")\n",
                               name, name, name, name);
    REQUIRE(at < sizeof source - 64);
    strcpy(source + at, "kernel void k(global int *x) { *x = 1; }\n");
    for (size_t o = 0; o < LEN(standards); o++) {
        if (strstr(standards[o], "CL2.0") && device_version() >= 300 &&
            !device_uint(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT))
            continue;
        cl_program program = built(source, standards[o]);
        char *log = build_log(program);
        if (*log)
            check_fail(__FILE__, __LINE__, "%s: %.300s", standards[o], log);
        free(log);
        RELEASE_PROGRAM(program);
    }
}

static void unknown_pragma(void)
{
    static const char source[] = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                                 "#pragma OPENCL EXTENSION cl_khr_no_such_thing : enable\n"
                                 "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                                 "kernel void k(global int *x) { *x = 1; }\n";
    cl_program program = built(source, NULL);
    char *log = build_log(program);
    CHECK(strstr(log, ":2:") && strstr(log, "warning: ") && strstr(log, "cl_khr_no_such_thing"));
    CHECK(!strstr(log, "cl_khr_fp64'"));
    free(log);
    RELEASE_PROGRAM(program);
    program = new_program(source);
    FAILS(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &cl.device, "-Werror", NULL, NULL));
    RELEASE_PROGRAM(program);
}

/* ---- cl_intel_bfloat16_conversions ----------------------------------------------------------- */

enum { BFLOATS = 48 * 23 };

static cl_uint bfloat16_of(cl_uint bits)
{
    cl_uint low = bits & 0xffff, high = bits >> 16;
    if ((bits & 0x7fffffff) > 0x7f800000)
        return high | 0x40;
    return high + (low > 0x8000 || (low == 0x8000 && (high & 1)));
}

/* `n` elements at a time, as a suffix of types. */
static cl_kernel bfloat_kernel(const char *n)
{
    static const char calls[] = "    ushortN h = intel_convert_bfloat16N_as_ushortN(LOAD);\n"
                                "    uintN y = as_uintN(intel_convert_as_bfloat16N_floatN(h));\n";
    char source[1024] = "kernel void k(global const float *in, global uint *out)\n"
                        "{\n"
                        "    size_t i = get_global_id(0);\n";
    char *at = source + strlen(source);
    for (const char *from = calls; *from; from++)
        at += *from == 'N' ? sprintf(at, "%s", n) : sprintf(at, "%c", *from);
    if (*n)
        sprintf(at, "    vstore%s(convert_uint%s(h), i, out); vstore%s(y, i, out + %d);\n}\n", n, n,
                n, BFLOATS);
    else
        sprintf(at, "    out[i] = h; out[i + %d] = y;\n}\n", BFLOATS);
    char options[64];
    snprintf(options, sizeof options, *n ? "-DLOAD=vload%s(i,in)" : "-DLOAD=in[i]", n);
    return new_kernel(source, "k", options);
}

static void bfloats(void)
{
    static const char *const widths[] = {"", "2", "3", "4", "8", "16"};
    static const size_t elements[] = {1, 2, 3, 4, 8, 16};
    static const cl_uint special[] = {0,          0x80000000, 1,          0x7fff,     0x8000,
                                      0x8001,     0x18000,    0x3f808000, 0x3f818000, 0x3f817fff,
                                      0x7f7f8000, 0x7f7f7fff, 0x7f800000, 0xff800000, 0x7f800001,
                                      0xff80ffff, 0x7fc12345, 0x7fffffff, 0xffffffff, 0x007f8000};
    static cl_uint in[BFLOATS], out[2 * BFLOATS];
    need("cl_intel_bfloat16_conversions");
    for (size_t i = 0; i < BFLOATS; i++)
        in[i] = i < LEN(special) ? special[i] : (cl_uint)(scattered(i) >> 20);
    for (size_t w = 0; w < LEN(widths); w++) {
        cl_kernel kernel = bfloat_kernel(widths[w]);
        run_two(kernel, in, sizeof in, out, sizeof out, BFLOATS / elements[w]);
        for (size_t i = 0; i < BFLOATS; i++) {
            CHECK_EQ(out[i], bfloat16_of(in[i]));
            CHECK_EQ(out[i + BFLOATS], bfloat16_of(in[i]) << 16);
        }
        RELEASE_KERNEL(kernel);
    }
}

static const struct test_case cases[] = {
    CASE(pragmas),       CASE(unknown_pragma),    CASE(bits),    CASE(dots),
    CASE(float_atomics), CASE(expect_and_assume), CASE(bfloats),
};
TEST_MAIN("extension", cases)
