/* SPDX-License-Identifier: Apache-2.0 */
/* Integer operators and builtins, every type and vector width, against arithmetic in 128 bits. */
#include <stdio.h>

#include "elementwise.h"
#include "reference.h"

#include <stdlib.h>
#include <string.h>

typedef __int128 wide;

static wide lowest(const struct element *e)
{
    return e->is_signed ? -((wide)1 << (e->bits - 1)) : 0;
}

static wide highest(const struct element *e)
{
    return ((wide)1 << (e->bits - e->is_signed)) - 1;
}

static wide saturated(wide v, const struct element *e)
{
    return v < lowest(e) ? lowest(e) : v > highest(e) ? highest(e) : v;
}

static unsigned __int128 pattern(wide v, const struct element *e)
{
    return (unsigned __int128)v & (((unsigned __int128)1 << e->bits) - 1);
}

/* One function per expression; operands are values of the type. */
#define REF(name, expression)                                                                      \
    static wide name(wide a, wide b, wide c, const struct element *e)                              \
    {                                                                                              \
        (void)a, (void)b, (void)c, (void)e;                                                        \
        return expression;                                                                         \
    }
REF(ref_add, a + b)
REF(ref_sub, a - b)
REF(ref_mul, (wide)((unsigned __int128)a * (unsigned __int128)b))
REF(ref_div, b == 0 || (b == -1 && a == lowest(e)) ? 0 : a / b)
REF(ref_mod, b == 0 || (b == -1 && a == lowest(e)) ? 0 : a % b)
REF(ref_and, a &b)
REF(ref_or, a | b)
REF(ref_xor, a ^ b)
REF(ref_not, ~a)
REF(ref_neg, -a)
REF(ref_shl, (wide)((unsigned __int128)a << (b & (e->bits - 1))))
REF(ref_shr, a >> (b & (e->bits - 1)))
REF(ref_abs, a < 0 ? -a : a)
REF(ref_abs_diff, a > b ? a - b : b - a)
REF(ref_add_sat, saturated(a + b, e))
REF(ref_sub_sat, saturated(a - b, e))
REF(ref_hadd, (a + b) >> 1)
REF(ref_rhadd, (a + b + 1) >> 1)
REF(ref_min, a < b ? a : b)
REF(ref_max, a > b ? a : b)
REF(ref_mul_hi, (wide)(a * b) >> e->bits)
REF(ref_mad_hi, ((wide)(a * b) >> e->bits) + c)
REF(ref_popcount, __builtin_popcountll((unsigned long long)pattern(a, e)))
REF(ref_clz, pattern(a, e)
                 ? __builtin_clzll((unsigned long long)pattern(a, e)) - (64 - (int)e->bits)
                 : (wide)e->bits)

static wide ref_mul_hi_unsigned(wide a, wide b, const struct element *e)
{
    return (wide)((unsigned __int128)a * (unsigned __int128)b >> e->bits);
}

static wide ref_mad_sat(wide a, wide b, wide c, const struct element *e)
{
    /* 64 x 64 unsigned does not fit the signed 128 */
    if (!e->is_signed && a && b > (((wide)1 << 126) / a))
        return highest(e);
    return saturated(a * b + c, e);
}

static wide ref_rotate(wide a, wide b, wide c, const struct element *e)
{
    (void)c;
    unsigned by = (unsigned)(b & (e->bits - 1));
    unsigned __int128 bits = pattern(a, e);
    return (wide)(bits << by | bits >> (e->bits - by));
}

static wide ref_clamp(wide a, wide b, wide c, const struct element *e)
{
    (void)e;
    wide low = b < c ? b : c, high = b < c ? c : b;
    return a < low ? low : a > high ? high : a;
}

struct op {
    const char *expression;
    wide (*ref)(wide, wide, wide, const struct element *);
};
static const struct op ops[] = {
    {"a + b", ref_add},
    {"a - b", ref_sub},
    {"a * b", ref_mul},
    {"SAFE(a, b, a / D(a, b))", ref_div},
    {"SAFE(a, b, a % D(a, b))", ref_mod},
    {"a & b", ref_and},
    {"a | b", ref_or},
    {"a ^ b", ref_xor},
    {"~a", ref_not},
    {"-a", ref_neg},
    {"a << (b & (T)(BITS - 1))", ref_shl},
    {"a >> (b & (T)(BITS - 1))", ref_shr},
    {"AS(abs(a))", ref_abs},
    {"AS(abs_diff(a, b))", ref_abs_diff},
    {"add_sat(a, b)", ref_add_sat},
    {"sub_sat(a, b)", ref_sub_sat},
    {"hadd(a, b)", ref_hadd},
    {"rhadd(a, b)", ref_rhadd},
    {"min(a, b)", ref_min},
    {"max(a, b)", ref_max},
    {"mul_hi(a, b)", ref_mul_hi},
    {"mad_hi(a, b, c)", ref_mad_hi},
    {"mad_sat(a, b, c)", ref_mad_sat},
    {"popcount(a)", ref_popcount},
    {"clz(a)", ref_clz},
    {"rotate(a, b)", ref_rotate},
    {"clamp(a, min(b, c), max(b, c))", ref_clamp},
};
enum { ITEMS = 128 };

static wide reference(const struct op *op, wide a, wide b, wide c, const struct element *e)
{
    if (!e->is_signed && e->bits == 64 && op->ref == ref_mul_hi)
        return ref_mul_hi_unsigned(a, b, e);
    if (!e->is_signed && e->bits == 64 && op->ref == ref_mad_hi)
        return ref_mul_hi_unsigned(a, b, e) + c;
    return op->ref(a, b, c, e);
}

static void print_source(char *to, size_t size, const struct element *e, unsigned width)
{
    int n = print_prologue(to, size, e, width);
    char as[48] = "as_", vector[32];
    strcat(as, vector_name(vector, e, width));
    n += snprintf(to + n, size - (size_t)n,
                  "#define BITS %u\n#define AS(x) %s(x)\n"
                  "#define BAD(a, b) ((b == (T)0) | ((b == (T)-1) & (a == (T)LOWEST)))\n"
                  "#define LOWEST %s\n"
                  "#define D(a, b) SELECT(b, (T)1, BAD(a, b))\n"
                  "#define SAFE(a, b, x) SELECT(x, (T)0, BAD(a, b))\n",
                  e->bits, as, e->is_signed ? "((S)((S)1 << (BITS - 1)))" : "((S)0)");
    n += snprintf(to + n, size - (size_t)n, "#define SELECT(x, y, bad) %s\n",
                  width == 1 ? "((bad) ? (y) : (x))" : "select(x, y, bad)");
    n += snprintf(to + n, size - (size_t)n,
                  "kernel void k(global S *pa, global S *pb, global S *pc, global S *out)\n{\n"
                  "    size_t i = get_global_id(0), n = get_global_size(0) * %u;\n"
                  "    T a = LD(pa), b = LD(pb), c = LD(pc);\n",
                  width);
    for (size_t i = 0; i < LEN(ops); i++) {
        const char *text = ops[i].expression;
        if (!e->is_signed && ops[i].ref == ref_neg)
            text = "(T)0 - a";
        n += snprintf(to + n, size - (size_t)n, "    ST((T)(%s), out + %zu * n);\n", text, i);
    }
    snprintf(to + n, size - (size_t)n, "}\n");
}

static void compare(const struct element *e, unsigned width, const void *const in[3],
                    const void *out)
{
    size_t count = (size_t)ITEMS * width;
    for (size_t op = 0; op < LEN(ops); op++) {
        for (size_t i = 0; i < count; i++) {
            wide a = load_integer(in[0], i, e), b = load_integer(in[1], i, e),
                 c = load_integer(in[2], i, e);
            wide want = wrapped(reference(&ops[op], a, b, c, e), e),
                 got = load_integer(out, op * count + i, e);
            if (got == want)
                continue;
            check_fail(__FILE__, __LINE__, "%s%u %s: a=%lld b=%lld c=%lld: expected %lld, got %lld",
                       e->name, width, ops[op].expression, (long long)a, (long long)b, (long long)c,
                       (long long)want, (long long)got);
            break;
        }
    }
}

static void check_type(const struct element *e, unsigned width)
{
    static char source[16384];
    size_t count = (size_t)ITEMS * width, bytes = count * e->bits / 8;
    void *in[3], *out = malloc(bytes * LEN(ops));
    cl_mem mem[4];
    print_source(source, sizeof source, e, width);
    cl_kernel kernel = new_kernel(source, "k", NULL);
    for (cl_uint j = 0; j < 3; j++) {
        in[j] = malloc(bytes);
        REQUIRE(in[j]);
        for (size_t i = 0; i < count; i++)
            store_integer(in[j], i, e, random_integer(e->bits));
        mem[j] = new_buffer(CL_MEM_COPY_HOST_PTR, bytes, in[j]);
        ARG(kernel, j, mem[j]);
    }
    mem[3] = new_buffer(0, bytes * LEN(ops), NULL);
    ARG(kernel, 3, mem[3]);
    run_1d(kernel, ITEMS, 0);
    read_back(mem[3], bytes * LEN(ops), out);
    compare(e, width, (const void *const *)in, out);
    for (int j = 0; j < 4; j++)
        RELEASE_MEM(mem[j]);
    for (int j = 0; j < 3; j++)
        free(in[j]);
    free(out);
    RELEASE_KERNEL(kernel);
}

static void of_type(const char *name)
{
    for (size_t t = 0; t < LEN(integers); t++) {
        for (size_t w = 0; !strcmp(integers[t].name, name) && w < LEN(widths); w++)
            check_type(&integers[t], widths[w]);
    }
}

#define TYPE_CASE(name)                                                                            \
    static void type_##name(void)                                                                  \
    {                                                                                              \
        of_type(#name);                                                                            \
    }
TYPE_CASE(char)
TYPE_CASE(uchar)
TYPE_CASE(short)
TYPE_CASE(ushort)
TYPE_CASE(int)
TYPE_CASE(uint)
TYPE_CASE(long)
TYPE_CASE(ulong)

static void multiply_24(void)
{
    static const char source[] =
        "kernel void k(global int *a, global int *b, global int *o, global uint *u)\n"
        "{\n"
        "    size_t i = get_global_id(0);\n"
        "    o[i * 3] = mul24(a[i], b[i]);\n"
        "    o[i * 3 + 1] = mad24(a[i], b[i], 77);\n"
        "    o[i * 3 + 2] = mul24(a[i], a[i]) < 0;\n" /* of squares that no int holds */
        "    u[i * 2] = mul24((uint)a[i] & 0xffffffu, (uint)b[i] & 0xffffffu);\n"
        "    u[i * 2 + 1] = mad24((uint)a[i] & 0xffffffu, (uint)b[i] & 0xffffffu, 77u);\n"
        "}\n";
    cl_int a[ITEMS], b[ITEMS], o[ITEMS * 3];
    cl_uint u[ITEMS * 2];
    for (int i = 0; i < ITEMS; i++) {
        a[i] = (cl_int)((uint32_t)random_integer(24) << 8) >> 8;
        b[i] = (cl_int)((uint32_t)random_integer(24) << 8) >> 8;
    }
    cl_kernel kernel = new_kernel(source, "k", NULL);
    cl_mem mem[] = {new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a, a),
                    new_buffer(CL_MEM_COPY_HOST_PTR, sizeof b, b), new_buffer(0, sizeof o, NULL),
                    new_buffer(0, sizeof u, NULL)};
    for (cl_uint j = 0; j < 4; j++)
        ARG(kernel, j, mem[j]);
    run_1d(kernel, ITEMS, 0);
    read_back(mem[2], sizeof o, o);
    read_back(mem[3], sizeof u, u);
    for (int i = 0; i < ITEMS; i++) {
        uint32_t want = (uint32_t)((int64_t)a[i] * b[i]);
        uint32_t uwant = (uint32_t)((uint64_t)(a[i] & 0xffffff) * (uint64_t)(b[i] & 0xffffff));
        CHECK_EQ((uint32_t)o[i * 3], want);
        CHECK_EQ((uint32_t)o[i * 3 + 1], want + 77);
        CHECK_EQ(o[i * 3 + 2], (uint32_t)((int64_t)a[i] * a[i]) >> 31);
        CHECK_EQ(u[i * 2], uwant);
        CHECK_EQ(u[i * 2 + 1], uwant + 77);
    }
    for (int j = 0; j < 4; j++)
        RELEASE_MEM(mem[j]);
    RELEASE_KERNEL(kernel);
}

static void upsampling(void)
{
    static const char source[] = "kernel void k(global long *o)\n"
                                 "{\n"
                                 "    o[0] = upsample((char)-2, (uchar)0xf1);\n"
                                 "    o[1] = upsample((uchar)0xfe, (uchar)0xf1);\n"
                                 "    o[2] = upsample((short)-3, (ushort)0xf1f2);\n"
                                 "    o[3] = upsample((ushort)0x8001, (ushort)0xf1f2);\n"
                                 "    o[4] = upsample(-5, 0xf1f2f3f4u);\n"
                                 "    o[5] = (long)upsample(0x80000001u, 0xf1f2f3f4u);\n"
                                 "}\n";
    static const cl_long want[] = {-2 * 256 + 0xf1,
                                   0xfef1,
                                   -3 * 65536 + 0xf1f2,
                                   0x8001f1f2,
                                   -5 * 4294967296ll + 0xf1f2f3f4,
                                   (cl_long)0x80000001f1f2f3f4ull};
    cl_long got[LEN(want)];
    cl_kernel kernel = new_kernel(source, "k", NULL);
    cl_mem mem = new_buffer(0, sizeof got, NULL);
    ARG(kernel, 0, mem);
    run_1d(kernel, 1, 0);
    read_back(mem, sizeof got, got);
    for (size_t i = 0; i < LEN(want); i++)
        CHECK_EQ(got[i], want[i]);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}

static const struct test_case cases[] = {
    CASE(type_char), CASE(type_uchar), CASE(type_short), CASE(type_ushort), CASE(type_int),
    CASE(type_uint), CASE(type_long),  CASE(type_ulong), CASE(multiply_24), CASE(upsampling),
};
TEST_MAIN("integer", cases)
