/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Integers of any width: random kernels, and what a computation with long numbers that are cut to
 * the width after each step makes of the same trees.
 */
#include "cl_help.h"

#include "arbitrary.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 77, LOCAL = 11, INPUTS = 4, NODES = 24, PROGRAMS = 60 };

enum kind { INPUT, NUMBER, CAST, NEGATE, INVERT, BINARY, SHIFT, DIVIDE, COMPARE, CHOOSE, KINDS };
static const char *const binary[] = {"+", "-", "*", "&", "|", "^"};
static const char *const compare[] = {"<", "<=", "==", "!=", ">", ">="};

struct node {
    enum kind kind;
    struct arbitrary_type type;
    unsigned op, a, b, c; /* nodes */
    unsigned shift;
    uint64_t high,
        low; /* of a number: ("high" << bits - 64) ^ "low"; without "high" up to 64 bits */
    struct number number;
};

struct program {
    bool wide; /* has integers of more than 64 bits */
    struct arbitrary_type input[INPUTS], output;
    struct node nodes[NODES];
};

/* ---- values ---------------------------------------------------------------------------------- */

static struct arbitrary_type common(struct arbitrary_type a, struct arbitrary_type b)
{
    struct arbitrary_type wide = a.bits >= b.bits ? a : b;
    if (a.bits == b.bits) {
        wide.sign = a.sign && b.sign;
        wide.plain = a.plain || b.plain;
    }
    return wide;
}

static struct number apply(unsigned op, const struct number *x, const struct number *y)
{
    struct number z = *x;
    switch (op) {
    case 0:
        return number_add(x, y);
    case 1:
        z = number_negate(y);
        return number_add(x, &z);
    case 2:
        return number_multiply(x, y);
    default:
        for (unsigned k = 0; k < NUMBER_PARTS; k++)
            z.part[k] = op == 3   ? x->part[k] & y->part[k]
                        : op == 4 ? x->part[k] | y->part[k]
                                  : x->part[k] ^ y->part[k];
        return z;
    }
}

static struct number compared(unsigned op, const struct number *x, const struct number *y)
{
    const int way = number_compare(x, y);
    const bool all[] = {way < 0, way <= 0, way == 0, way != 0, way > 0, way >= 0};
    return number_of(all[op]);
}

static struct number inverted(const struct number *x)
{
    const struct number minus_one = number_of(-1);
    return apply(5, x, &minus_one);
}

/* By a number, or by another node's value of which some bits are shifted out. */
static struct number divided(const struct node *n, struct arbitrary_type left,
                             const struct number *x, const struct number *y)
{
    struct number by = n->number;
    if (left.bits > 64) {
        by = arbitrary_cut(left, *y);
        by = number_shift_right(&by, n->shift);
        by.part[0] |= 1;
    }
    return number_divide(x, &by, n->op);
}

static struct number value_of(const struct program *p, const struct node *n,
                              const struct number *in, const struct number *done)
{
    const struct arbitrary_type left = p->nodes[n->a].type,
                                both = common(left, p->nodes[n->b].type);
    const struct number x = done[n->a], y = done[n->b];
    const struct number zero = number_of(0), wide_x = arbitrary_cut(both, x),
                        wide_y = arbitrary_cut(both, y);
    switch (n->kind) {
    case INPUT:
        return in[n->a];
    case NUMBER:
        return n->number;
    case CAST:
        return x;
    case NEGATE:
        return number_negate(&x);
    case INVERT:
        return inverted(&x);
    case BINARY:
        return apply(n->op, &wide_x, &wide_y);
    case SHIFT:
        return n->op ? number_shift_right(&x, n->shift) : number_shift_left(&x, n->shift);
    case DIVIDE:
        return divided(n, left, &x, &y);
    case COMPARE:
        return compared(n->op, &wide_x, &wide_y);
    default:
        return !number_compare(&x, &zero) ? done[n->c] : y;
    }
}

static uint64_t float_bits(const struct number *x)
{
    const double exact = number_round(x, 24);
    const float value = fabs(exact) > FLT_MAX ? copysignf(INFINITY, (float)exact) : (float)exact;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* `all`: of all nodes. */
static struct number expected(const struct program *p, const struct number *in, uint64_t *all)
{
    static struct number done[NODES];
    uint64_t sum = 0;
    for (unsigned i = 0; i < NODES; i++) {
        const struct arbitrary_type type = p->nodes[i].type;
        done[i] = arbitrary_cut(type, value_of(p, &p->nodes[i], in, done));
        sum = sum * 31 ^ arbitrary_low(&done[i]);
        if (type.bits > 64) {
            const struct number high = number_shift_right(&done[i], type.bits - 64);
            sum = sum * 31 ^ arbitrary_low(&high);
        }
        sum = sum * 31 ^ float_bits(&done[i]);
        sum = sum * 31 ^ arbitrary_double(&done[i]);
    }
    *all = sum;
    return arbitrary_cut(p->output, done[NODES - 1]);
}

/* ---- programs -------------------------------------------------------------------------------- */

static struct arbitrary_type draw_type(bool wide)
{
    static const unsigned wider[] = {65, 100, 127, 128, 129, 192, 200, 256, 512, 2048};
    static const unsigned often[] = {1, 2, 5, 8, 16, 17, 31, 32, 33, 63, 64};
    struct arbitrary_type type = {.sign = arbitrary_draw(2), .plain = arbitrary_draw(5) == 0};
    type.bits = arbitrary_draw(2) ? (unsigned)arbitrary_draw(64) + 1
                                  : often[arbitrary_draw(sizeof often / sizeof *often)];
    if (wide && arbitrary_draw(2))
        type.bits = arbitrary_draw(2) ? 65 + (unsigned)arbitrary_draw(200)
                                      : wider[arbitrary_draw(sizeof wider / sizeof *wider)];
    if (type.plain)
        type.bits = arbitrary_draw(2) ? 32 : 64;
    if (type.bits == 1)
        type.sign = false;
    return type;
}

/* Also of what a division or shift of the node's own needs. */
static void make_node(struct program *p, unsigned i)
{
    struct node *n = &p->nodes[i];
    struct number least;
    const bool usual = arbitrary_draw(2);
    *n = (struct node){.kind = i < INPUTS ? INPUT
                               : usual    ? BINARY
                                          : (enum kind)arbitrary_draw(KINDS)};
    n->a = i ? (unsigned)arbitrary_draw(i) : 0;
    n->b = i ? (unsigned)arbitrary_draw(i) : 0;
    n->c = i ? (unsigned)arbitrary_draw(i) : 0;
    n->op = (unsigned)arbitrary_draw(6);
    n->type = common(p->nodes[n->a].type, p->nodes[n->b].type);
    if (i && arbitrary_draw(2)) /* so that most of it counts */
        n->b = i - 1, n->type = common(p->nodes[n->a].type, p->nodes[n->b].type);
    struct arbitrary_type left = p->nodes[n->a].type;
    switch (n->kind) {
    case INPUT:
        n->a = i < INPUTS ? i : (unsigned)arbitrary_draw(INPUTS);
        n->type = p->input[n->a];
        break;
    case NUMBER:
    case CAST:
        n->type = draw_type(p->wide);
        n->low = arbitrary_draw(UINT64_MAX) >> arbitrary_draw(64);
        n->high = n->type.bits > 64 ? arbitrary_draw(UINT64_MAX) : 0;
        n->number = number_of((int64_t)n->high);
        n->number = number_shift_left(&n->number, n->type.bits > 64 ? n->type.bits - 64 : 0);
        least = number_of((int64_t)n->low);
        least = number_cut(&least, 64, false);
        n->number = arbitrary_cut(n->type, apply(5, &n->number, &least));
        break;
    case NEGATE:
    case INVERT:
        n->type = left;
        break;
    case SHIFT:
    case DIVIDE:
        n->type = left;
        n->op %= 2;
        n->shift = (unsigned)arbitrary_draw(left.bits);
        n->low = left.bits < 3 ? 1 : 1 + arbitrary_draw(3);
        n->low = left.bits > 8 ? n->low * 17 + 2 : n->low;
        n->number = number_of((int64_t)n->low);
        break;
    case COMPARE:
        n->type = (struct arbitrary_type){32, true, true};
        break;
    case CHOOSE:
        n->type = common(p->nodes[n->b].type, p->nodes[n->c].type);
        break;
    default:
        break;
    }
}

/* int and long may not overflow, nor what is as wide as they are. */
static void avoid_overflow(struct node *n)
{
    const bool c = n->type.sign && (n->type.bits == 32 || n->type.bits == 64);
    if (c && n->kind == BINARY && n->op < 3)
        n->op += 3;
    if (c && n->kind == NEGATE)
        n->kind = INVERT;
}

static void make(struct program *p, uint64_t seed)
{
    arbitrary_begin(seed * 7919 + 1);
    p->wide = seed % 2;
    for (unsigned i = 0; i < INPUTS; i++)
        p->input[i] = draw_type(p->wide);
    p->output = draw_type(p->wide);
    for (unsigned i = 0; i < NODES; i++) {
        make_node(p, i);
        avoid_overflow(&p->nodes[i]);
    }
}

/* ---- their text ------------------------------------------------------------------------------ */

static const char *name_of(struct arbitrary_type type, char *text)
{
    if (type.plain)
        return type.bits == 32 ? type.sign ? "int" : "uint" : type.sign ? "long" : "ulong";
    if (type.bits > 64)
        sprintf(text, "%s_BitInt(%u)", type.sign ? "" : "unsigned ", type.bits);
    else
        sprintf(text, "%sint%u_t", type.sign ? "" : "u", type.bits);
    return text;
}

static char *print_node(char *at, const struct node *n, unsigned i)
{
    char room[32];
    const char *name = name_of(n->type, room);
    at += sprintf(at, "    %s v%u = ", name, i);
    switch (n->kind) {
    case INPUT:
        return at + sprintf(at, "in%u[g];\n", n->a);
    case NUMBER:
        if (n->type.bits > 64)
            at += sprintf(at, "((%s)0x%" PRIx64 "ul << %u) ^ ", name, n->high, n->type.bits - 64);
        return at + sprintf(at, "(%s)0x%" PRIx64 "ul;\n", name, n->low);
    case CAST:
        return at + sprintf(at, "v%u;\n", n->a);
    case NEGATE:
        return at + sprintf(at, "-v%u;\n", n->a);
    case INVERT:
        return at + sprintf(at, "~v%u;\n", n->a);
    case BINARY:
        return at + sprintf(at, "v%u %s v%u;\n", n->a, binary[n->op], n->b);
    case SHIFT:
        return at + sprintf(at, "v%u %s %u;\n", n->a, n->op ? ">>" : "<<", n->shift);
    case DIVIDE:
        at += sprintf(at, "v%u %c ", n->a, n->op ? '%' : '/');
        if (n->type.bits > 64)
            return at + sprintf(at, "((%s)v%u >> %u | (%s)1);\n", name, n->b, n->shift, name);
        return at + sprintf(at, "(%s)%u;\n", name, (unsigned)n->low);
    case COMPARE:
        return at + sprintf(at, "v%u %s v%u;\n", n->a, compare[n->op], n->b);
    default:
        if (i % 2)
            return at + sprintf(at, "v%u ? v%u : v%u;\n", n->a, n->b, n->c);
        return at + sprintf(at, "v%u;\n    if (v%u) v%u = v%u;\n", n->c, n->a, i, n->b);
    }
}

/* A third of them with barriers, a third that hand the result on by local memory. */
static char *print(const struct program *p, uint64_t seed)
{
    char name[32], *source = malloc(32768), *at = source;
    REQUIRE(source);
    at += sprintf(at, "#include \"ihc_apint.h\"\nkernel void k(");
    for (unsigned i = 0; i < INPUTS; i++)
        at += sprintf(at, "global const %s *in%u, ", name_of(p->input[i], name), i);
    at += sprintf(at, "global %s *out, global long *wide) {\n", name_of(p->output, name));
    at += sprintf(at, "    int g = get_global_id(0), l = get_local_id(0);\n");
    at += sprintf(at, "    local %s shared[%d];\n", name_of(p->output, name), LOCAL);
    for (unsigned i = 0; i < NODES; i++) {
        at = print_node(at, &p->nodes[i], i);
        if (seed % 3 && i % 8 == 7)
            at += sprintf(at, "    barrier(CLK_LOCAL_MEM_FENCE);\n");
    }
    at += sprintf(at, "    %s result = v%d; ulong all = 0;\n", name_of(p->output, name), NODES - 1);
    for (unsigned i = 0; i < NODES; i++) {
        const unsigned bits = p->nodes[i].type.bits;
        at += sprintf(at, "    all = all * 31 ^ (ulong)(long)v%u;\n", i);
        if (bits > 64)
            at += sprintf(at, "    all = all * 31 ^ (ulong)(v%u >> %u);\n", i, bits - 64);
        at += sprintf(at, "    all = all * 31 ^ as_uint((float)v%u);\n", i);
        at += sprintf(at, "    all = all * 31 ^ as_ulong((double)v%u);\n", i);
    }
    at += sprintf(at, "    wide[g] = all;\n");
    if (seed % 3 == 2)
        at += sprintf(at,
                      "    shared[(l + 1) %% %d] = result; barrier(CLK_LOCAL_MEM_FENCE);\n"
                      "    result = shared[l]; g = g - l + (l + %d) %% %d;\n",
                      LOCAL, LOCAL - 1, LOCAL);
    sprintf(at, "    out[g] = result;\n}\n");
    return source;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static struct number draw_number(struct arbitrary_type type)
{
    struct number number;
    for (unsigned k = 0; k < NUMBER_PARTS; k++)
        number.part[k] = (uint32_t)arbitrary_draw(UINT64_MAX);
    number = number_cut(&number, type.bits, type.sign);
    return number_shift_right(&number, (unsigned)arbitrary_draw(type.bits));
}

static void run(const struct program *p, uint64_t seed)
{
    char *source = print(p, seed);
    cl_program program = built(source, "");
    cl_int rc;
    cl_kernel kernel = clCreateKernel(program, "k", &rc);
    cl_mem memory[INPUTS + 2];
    static struct number in[ITEMS][INPUTS], narrow[ITEMS];
    static uint64_t wide[ITEMS];
    const size_t items = ITEMS, local = LOCAL;
    REQUIRE_OK(rc);
    for (unsigned i = 0; i < INPUTS + 2; i++) {
        size_t bytes = i == INPUTS + 1 ? 8 : arbitrary_bytes(i < INPUTS ? p->input[i] : p->output);
        static unsigned char data[sizeof(struct number) * ITEMS];
        for (unsigned k = 0; i < INPUTS && k < ITEMS; k++) {
            in[k][i] = draw_number(p->input[i]);
            memcpy(data + k * bytes, &in[k][i], bytes);
        }
        memory[i] = clCreateBuffer(cl.context, CL_MEM_COPY_HOST_PTR, bytes * ITEMS, data, &rc);
        REQUIRE_OK(rc);
        ARG(kernel, i, memory[i]);
    }
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL));
    const size_t out_bytes = arbitrary_bytes(p->output);
    REQUIRE_OK(clEnqueueReadBuffer(cl.queue, memory[INPUTS], CL_TRUE, 0, out_bytes * ITEMS, narrow,
                                   0, NULL, NULL));
    REQUIRE_OK(clEnqueueReadBuffer(cl.queue, memory[INPUTS + 1], CL_TRUE, 0, sizeof wide, wide, 0,
                                   NULL, NULL));
    for (unsigned k = 0; k < ITEMS; k++) {
        uint64_t all;
        const struct number want = expected(p, in[k], &all);
        const char *got = (const char *)narrow + k * out_bytes;
        if (wide[k] == all && !memcmp(got, &want, out_bytes))
            continue;
        check_fail(__FILE__, __LINE__, "seed %u, item %u: %" PRIx64 ", not %" PRIx64 "\n%s",
                   (unsigned)seed, k, wide[k], all, source);
        break;
    }
    for (unsigned i = 0; i < INPUTS + 2; i++)
        RELEASE_MEM(memory[i]);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    free(source);
}

static void random_kernels(void)
{
    const char *from = getenv("ARBITRARY_SEED"), *count = getenv("ARBITRARY_COUNT");
    const uint64_t first = from ? strtoull(from, NULL, 0) : 1;
    const uint64_t last = first + (count ? strtoull(count, NULL, 0) : PROGRAMS);
    arbitrary_need();
    for (uint64_t seed = first; seed < last; seed++) {
        struct program program;
        make(&program, seed);
        run(&program, seed);
    }
}

static const struct test_case cases[] = {CASE(random_kernels)};
TEST_MAIN("arbitrary_random", cases)
