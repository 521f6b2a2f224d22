/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products of cooperative matrices: every one that the device announces, in layouts of all kinds,
 * with strides that are no round numbers, against the same sums in C. Sub-groups have rows of their
 * own; b is the same for all.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl_help.h"
#include "cooperative.h"
#include "runner.h"
#include "spirv_run.h"

enum {
    LOCAL = 32,
    GROUPS = 3,
    BLOCKS = GROUPS * LOCAL / SUB_GROUP,
    A_SIGNED = 1,
    B_SIGNED = 2,
    C_SIGNED = 4,
    RESULT_SIGNED = 8,
    SATURATES = 16,
};

/* A matrix in memory, the sub-groups' below each other. */
struct matrix {
    component type;
    unsigned rows, columns, layout, stride; /* layout: 1 is by columns */
    size_t count;                           /* with all that lies between */
    unsigned char *data;                    /* owned */
    cl_mem buffer;
};

static size_t place(const struct matrix *m, unsigned row, unsigned column)
{
    return m->layout ? (size_t)column * m->stride + row : (size_t)row * m->stride + column;
}

static struct matrix new_matrix(component type, unsigned rows, unsigned columns, unsigned layout,
                                unsigned more)
{
    struct matrix m = {.type = type, .rows = rows, .columns = columns, .layout = layout};
    m.stride = (layout ? rows : columns) + more;
    m.count = (size_t)m.stride * (layout ? columns : rows);
    m.data = malloc(m.count * cooperative_bytes(type));
    REQUIRE(m.data);
    memset(m.data, 0x5a, m.count * cooperative_bytes(type));
    return m;
}

static uint32_t state;

static uint32_t next(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

/* Integers are any; floats are integers, so that sums are exact, or (`any`) any numbers. */
static double number_for(component type, bool any)
{
    if (cooperative_is_real(type))
        return any ? ((double)next() - (1 << 23)) / (1 << 22) : (double)(next() % 5) - 2;
    const unsigned bits = 8 * cooperative_bytes(type);
    const uint32_t value = (next() << 16 ^ next()) >> (32 - bits);
    return cooperative_is_signed(type) ? (double)((int32_t)(value << (32 - bits)) >> (32 - bits))
                                       : (double)value;
}

static void fill(struct matrix *m, bool any)
{
    for (unsigned r = 0; r < m->rows; r++)
        for (unsigned c = 0; c < m->columns; c++)
            cooperative_put(m->type, m->data, place(m, r, c), number_for(m->type, any));
}

/* Two of three are so near the ends that their sums leave them. */
static void fill_at_ends(struct matrix *m)
{
    const bool is_signed = cooperative_is_signed(m->type);
    for (unsigned r = 0; r < m->rows; r++)
        for (unsigned c = 0; c < m->columns; c++) {
            const double near = next() % 100000, which = next() % 3;
            const double value = which == 0   ? (is_signed ? INT32_MAX : UINT32_MAX) - near
                                 : which == 1 ? (is_signed ? INT32_MIN + near : near)
                                              : number_for(m->type, false);
            cooperative_put(m->type, m->data, place(m, r, c), value);
        }
}

/* ---- the module ------------------------------------------------------------------------------ */

static unsigned operands_of(const variant *v)
{
    return (cooperative_is_signed(v->a_type) ? A_SIGNED : 0) |
           (cooperative_is_signed(v->b_type) ? B_SIGNED : 0) |
           (cooperative_is_signed(v->c_type) ? C_SIGNED : 0) |
           (cooperative_is_signed(v->result_type) ? RESULT_SIGNED : 0) |
           (v->saturating_accumulation ? SATURATES : 0);
}

/* k(a, b, c, r, strides of a, b, c and r, rounds): a goes on to its right, b below. */
static char *module_of(const variant *v, const unsigned layout[4])
{
    char *text = malloc(8192), operands[16] = "";
    REQUIRE(text);
    if (operands_of(v))
        snprintf(operands, sizeof operands, "%u", operands_of(v));
    snprintf(
        text, 8192,
        "%s%s"
        "%%m = OpConstant %%uint %u\n%%n = OpConstant %%uint %u\n%%kk = OpConstant %%uint %u\n"
        "%%ml = OpConstant %%ulong %uL\n%%kl = OpConstant %%ulong %uL\n"
        "%%la = OpConstant %%uint %u\n%%lb = OpConstant %%uint %u\n"
        "%%lc = OpConstant %%uint %u\n%%lr = OpConstant %%uint %u\n"
        "%%ta = OpTypeCooperativeMatrixKHR %s %%c3 %%m %%kk %%c0\n"
        "%%tb = OpTypeCooperativeMatrixKHR %s %%c3 %%kk %%n %%c1\n"
        "%%tc = OpTypeCooperativeMatrixKHR %s %%c3 %%m %%n %%c2\n"
        "%%pa = OpTypePointer 5 %s\n%%pb = OpTypePointer 5 %s\n%%pc = OpTypePointer 5 %s\n"
        "%%kt = OpTypeFunction %%void %%pa %%pb %%pc %%pc %%uint %%uint %%uint %%uint %%uint\n"
        "%%k = OpFunction %%void 0 %%kt\n"
        "%%a = OpFunctionParameter %%pa\n%%b = OpFunctionParameter %%pb\n"
        "%%c = OpFunctionParameter %%pc\n%%r = OpFunctionParameter %%pc\n"
        "%%sa = OpFunctionParameter %%uint\n%%sb = OpFunctionParameter %%uint\n"
        "%%sc = OpFunctionParameter %%uint\n%%sr = OpFunctionParameter %%uint\n"
        "%%rounds = OpFunctionParameter %%uint\n%%start = OpLabel\n"
        "%%ids = OpLoad %%v3 %%gid\n%%id = OpCompositeExtract %%ulong %%ids 0\n"
        "%%block = OpShiftRightLogical %%ulong %%id %%l4\n%%row = OpIMul %%ulong %%block %%ml\n"
        "%%sal = OpUConvert %%ulong %%sa\n%%sbl = OpUConvert %%ulong %%sb\n"
        "%%scl = OpUConvert %%ulong %%sc\n%%srl = OpUConvert %%ulong %%sr\n"
        "%%far = OpIMul %%ulong %%row %s\n%%a0 = OpPtrAccessChain %%pa %%a %%far\n"
        "%%fcr = OpIMul %%ulong %%row %s\n%%c_ = OpPtrAccessChain %%pc %%c %%fcr\n"
        "%%frr = OpIMul %%ulong %%row %s\n%%r_ = OpPtrAccessChain %%pc %%r %%frr\n"
        "%%first = OpCooperativeMatrixLoadKHR %%tc %%c_ %%lc %%sc\n"
        "OpBranch %%head\n%%head = OpLabel\n"
        "%%sum = OpPhi %%tc %%first %%start %%more %%body\n"
        "%%round = OpPhi %%uint %%c0 %%start %%then %%body\n"
        "%%goes = OpULessThan %%bool %%round %%rounds\n"
        "OpLoopMerge %%end %%body 0\nOpBranchConditional %%goes %%body %%end\n%%body = OpLabel\n"
        "%%rl = OpUConvert %%ulong %%round\n%%at = OpIMul %%ulong %%rl %%kl\n"
        "%%fa = OpIMul %%ulong %%at %s\n%%a1 = OpPtrAccessChain %%pa %%a0 %%fa\n"
        "%%fb = OpIMul %%ulong %%at %s\n%%b1 = OpPtrAccessChain %%pb %%b %%fb\n"
        "%%va = OpCooperativeMatrixLoadKHR %%ta %%a1 %%la %%sa\n"
        "%%vb = OpCooperativeMatrixLoadKHR %%tb %%b1 %%lb %%sb\n"
        "%%more = OpCooperativeMatrixMulAddKHR %%tc %%va %%vb %%sum %s\n"
        "%%then = OpIAdd %%uint %%round %%c1\nOpBranch %%head\n%%end = OpLabel\n"
        "OpCooperativeMatrixStoreKHR %%r_ %%sum %%lr %%sr\nOpReturn\nOpFunctionEnd\n",
        cooperative_head, cooperative_types, v->m_size, v->n_size, v->k_size, v->m_size, v->k_size,
        layout[0], layout[1], layout[2], layout[3], cooperative_name(v->a_type),
        cooperative_name(v->b_type), cooperative_name(v->c_type), cooperative_name(v->a_type),
        cooperative_name(v->b_type), cooperative_name(v->c_type), layout[0] ? "%one" : "%sal",
        layout[2] ? "%one" : "%scl", layout[3] ? "%one" : "%srl", layout[0] ? "%sal" : "%one",
        layout[1] ? "%one" : "%sbl", operands);
    return text;
}

/* ---- the same in C --------------------------------------------------------------------------- */

static double add(const variant *v, double sum, double more)
{
    const bool is_signed = cooperative_is_signed(v->result_type);
    const double least = is_signed ? INT32_MIN : 0, most = is_signed ? INT32_MAX : UINT32_MAX;
    if (cooperative_is_real(v->result_type))
        return sum + more;
    if (v->saturating_accumulation)
        return fmin(fmax(sum + more, least), most);
    const uint32_t bits = (uint32_t)(int64_t)(sum + more);
    return is_signed ? (double)(int32_t)bits : (double)bits;
}

/* `size`: the sum of what is added, without signs. */
static double wanted(const variant *v, const struct matrix *a, const struct matrix *b, double sum,
                     unsigned row, unsigned column, double *size)
{
    for (unsigned k0 = 0; k0 < a->columns; k0 += v->k_size) {
        double product = 0;
        for (unsigned k = k0; k < k0 + v->k_size; k++) {
            const double one = cooperative_get(a->type, a->data, place(a, row, k)) *
                               cooperative_get(b->type, b->data, place(b, k, column));
            product += one;
            *size += fabs(one);
        }
        sum = add(v, sum, product);
    }
    return sum;
}

static bool is_near(component type, double got, double want, double size, unsigned terms)
{
    static const int digits[] = {11, 24, 53};
    if (got == want)
        return true;
    return cooperative_is_real(type) && size > 0 &&
           fabs(got - want) <= terms * ldexp(size, -digits[type]);
}

static void check(const variant *v, const struct matrix *a, const struct matrix *b,
                  const struct matrix *c, const struct matrix *r, bool any, const char *name)
{
    unsigned char *got = malloc(r->count * cooperative_bytes(r->type));
    unsigned bad = 0;
    REQUIRE(got);
    read_back(r->buffer, r->count * cooperative_bytes(r->type), got);
    for (unsigned row = 0; row < r->rows; row++)
        for (unsigned column = 0; column < r->columns; column++) {
            const double first = cooperative_get(c->type, c->data, place(c, row, column));
            double size = fabs(first);
            const double want = wanted(v, a, b, first, row, column, &size);
            const double is = cooperative_get(r->type, got, place(r, row, column));
            if (!is_near(r->type, is, want, any ? size : 0, a->columns + 1) && bad++ < 3)
                check_fail(__FILE__, __LINE__, "%s: row %u, column %u is %g, not %g", name, row,
                           column, is, want);
            memcpy(got + place(r, row, column) * cooperative_bytes(r->type), r->data,
                   cooperative_bytes(r->type)); /* what it was */
        }
    if (memcmp(got, r->data, r->count * cooperative_bytes(r->type)) != 0)
        check_fail(__FILE__, __LINE__, "%s: something is written outside of the matrix", name);
    free(got);
}

/* ---- one product ----------------------------------------------------------------------------- */

static void run(cl_kernel kernel, const variant *v, const unsigned layout[4], unsigned rounds,
                bool any, const char *name)
{
    struct matrix m[4] = {
        new_matrix(v->a_type, BLOCKS * v->m_size, rounds * v->k_size, layout[0], 3),
        new_matrix(v->b_type, rounds * v->k_size, v->n_size, layout[1], 5),
        new_matrix(v->c_type, BLOCKS * v->m_size, v->n_size, layout[2], 1),
        new_matrix(v->result_type, BLOCKS * v->m_size, v->n_size, layout[3], 7),
    };
    for (unsigned i = 0; i < 4; i++) {
        if (i == 2 && v->saturating_accumulation)
            fill_at_ends(&m[i]);
        else if (i < 3)
            fill(&m[i], any);
        m[i].buffer =
            new_buffer(CL_MEM_COPY_HOST_PTR, m[i].count * cooperative_bytes(m[i].type), m[i].data);
        ARG(kernel, i, m[i].buffer);
        const cl_uint stride = m[i].stride;
        ARG(kernel, 4 + i, stride);
    }
    const cl_uint count = rounds;
    ARG(kernel, 8, count);
    run_1d(kernel, GROUPS * LOCAL, LOCAL);
    check(v, &m[0], &m[1], &m[2], &m[3], any, name);
    for (unsigned i = 0; i < 4; i++) {
        RELEASE_MEM(m[i].buffer);
        free(m[i].data);
    }
}

static void multiply(const variant *v, const unsigned layout[4])
{
    char name[128], *text = module_of(v, layout);
    char *with_one = malloc(strlen(text) + 64), *at = strstr(text, "%ml = ");
    REQUIRE(with_one && at);
    snprintf(with_one, strlen(text) + 64, "%.*s%%one = OpConstant %%ulong 1L\n%s", (int)(at - text),
             text, at);
    snprintf(name, sizeof name, "%u x %u x %u, types %u %u %u%s, layouts %u%u%u%u", v->m_size,
             v->n_size, v->k_size, v->a_type, v->b_type, v->c_type,
             v->saturating_accumulation ? " saturated" : "", layout[0], layout[1], layout[2],
             layout[3]);
    cl_program program = spirv_program(with_one, 0x10300, NULL, false);
    cl_kernel kernel = kernel_of(program, "k");
    run(kernel, v, layout, 1, false, name);
    run(kernel, v, layout, 4, false, name);
    if (cooperative_is_real(v->a_type))
        run(kernel, v, layout, 3, true, name);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    free(with_one);
    free(text);
}

enum { LAYOUTS = 4 };

/* Every product comes in one of the layouts; SLUICE_TEST_SEED, from 0 to 3, says in which. */
static void products(size_t turn, const unsigned layout[4])
{
    const char *seed = getenv("SLUICE_TEST_SEED");
    variant all[MOST_VARIANTS];
    const size_t count = cooperative_variants(all);
    state = 20260123;
    REQUIRE(count % LAYOUTS == 0);
    turn += seed ? strtoul(seed, NULL, 0) : 0;
    for (size_t i = turn % LAYOUTS; i < count; i += LAYOUTS) {
        const variant *v = &all[i / LAYOUTS * LAYOUTS + (i + i / LAYOUTS) % LAYOUTS];
        if (!cooperative_is_left_out(v) && check_chosen(3))
            multiply(v, layout);
    }
}

static void by_rows(void)
{
    products(0, (unsigned[]){0, 0, 0, 0});
}

static void by_columns(void)
{
    products(1, (unsigned[]){1, 1, 1, 1});
}

static void by_both(void)
{
    products(2, (unsigned[]){0, 1, 0, 1});
}

static void by_both_otherwise(void)
{
    products(3, (unsigned[]){1, 0, 1, 0});
}

static const struct test_case cases[] = {
    CASE(by_rows),
    CASE(by_columns),
    CASE(by_both),
    CASE(by_both_otherwise),
};
TEST_MAIN("products of cooperative matrices", cases)
