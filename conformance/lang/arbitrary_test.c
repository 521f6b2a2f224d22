/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Integers of any width: random kernels, and what a computation with long numbers that are cut to
 * the width after each step makes of the same trees.
 */
#include "cl_help.h"

#include "long_number.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 77, LOCAL = 11, INPUTS = 4, NODES = 24, PROGRAMS = 60 };

struct type {
    unsigned bits;
    bool sign, plain; /* plain: int, uint, long, ulong */
};

enum kind { INPUT, NUMBER, CAST, NEGATE, INVERT, BINARY, SHIFT, DIVIDE, COMPARE, CHOOSE, KINDS };
static const char *const binary[] = {"+", "-", "*", "&", "|", "^"};
static const char *const compare[] = {"<", "<=", "==", "!=", ">", ">="};

struct node {
    enum kind kind;
    struct type type;
    unsigned op, a, b, c; /* nodes */
    unsigned shift;
    uint64_t high,
        low; /* of a number: ("high" << bits - 64) ^ "low"; without "high" up to 64 bits */
    struct number number;
};

struct program {
    bool wide; /* has integers of more than 64 bits */
    struct type input[INPUTS], output;
    struct node nodes[NODES];
};

static uint64_t state;

static uint64_t draw(uint64_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    uint64_t high = state >> 32;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return ((high << 32) ^ (state >> 32)) % below;
}

/* ---- values ---------------------------------------------------------------------------------- */

static struct number cut(struct type type, struct number value)
{
    return number_cut(&value, type.bits, type.sign);
}

static struct type common(struct type a, struct type b)
{
    struct type wide = a.bits >= b.bits ? a : b;
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
static struct number divided(const struct node *n, struct type left, const struct number *x,
                             const struct number *y)
{
    struct number by = n->number;
    if (left.bits > 64) {
        by = cut(left, *y);
        by = number_shift_right(&by, n->shift);
        by.part[0] |= 1;
    }
    return number_divide(x, &by, n->op);
}

static struct number value_of(const struct program *p, const struct node *n,
                              const struct number *in, const struct number *done)
{
    const struct type left = p->nodes[n->a].type, both = common(left, p->nodes[n->b].type);
    const struct number x = done[n->a], y = done[n->b];
    const struct number zero = number_of(0), wide_x = cut(both, x), wide_y = cut(both, y);
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

static uint64_t low(const struct number *x)
{
    return (uint64_t)x->part[1] << 32 | x->part[0];
}

static uint64_t float_bits(const struct number *x)
{
    const double exact = number_round(x, 24);
    const float value = fabs(exact) > FLT_MAX ? copysignf(INFINITY, (float)exact) : (float)exact;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t double_bits(const struct number *x)
{
    const double value = number_round(x, 53);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* `all`: of all nodes. */
static struct number expected(const struct program *p, const struct number *in, uint64_t *all)
{
    static struct number done[NODES];
    uint64_t sum = 0;
    for (unsigned i = 0; i < NODES; i++) {
        const struct type type = p->nodes[i].type;
        done[i] = cut(type, value_of(p, &p->nodes[i], in, done));
        sum = sum * 31 ^ low(&done[i]);
        if (type.bits > 64) {
            const struct number high = number_shift_right(&done[i], type.bits - 64);
            sum = sum * 31 ^ low(&high);
        }
        sum = sum * 31 ^ float_bits(&done[i]);
        sum = sum * 31 ^ double_bits(&done[i]);
    }
    *all = sum;
    return cut(p->output, done[NODES - 1]);
}

/* ---- programs -------------------------------------------------------------------------------- */

static struct type draw_type(bool wide)
{
    static const unsigned wider[] = {65, 100, 127, 128, 129, 192, 200, 256, 512, 2048};
    static const unsigned often[] = {1, 2, 5, 8, 16, 17, 31, 32, 33, 63, 64};
    struct type type = {.sign = draw(2), .plain = draw(5) == 0};
    type.bits = draw(2) ? (unsigned)draw(64) + 1 : often[draw(sizeof often / sizeof *often)];
    if (wide && draw(2))
        type.bits = draw(2) ? 65 + (unsigned)draw(200) : wider[draw(sizeof wider / sizeof *wider)];
    if (type.plain)
        type.bits = draw(2) ? 32 : 64;
    if (type.bits == 1)
        type.sign = false;
    return type;
}

/* Also of what a division or shift of the node's own needs. */
static void make_node(struct program *p, unsigned i)
{
    struct node *n = &p->nodes[i];
    struct number least;
    const bool usual = draw(2);
    *n = (struct node){.kind = i < INPUTS ? INPUT : usual ? BINARY : (enum kind)draw(KINDS)};
    n->a = i ? (unsigned)draw(i) : 0;
    n->b = i ? (unsigned)draw(i) : 0;
    n->c = i ? (unsigned)draw(i) : 0;
    n->op = (unsigned)draw(6);
    n->type = common(p->nodes[n->a].type, p->nodes[n->b].type);
    if (i && draw(2)) /* so that most of it counts */
        n->b = i - 1, n->type = common(p->nodes[n->a].type, p->nodes[n->b].type);
    struct type left = p->nodes[n->a].type;
    switch (n->kind) {
    case INPUT:
        n->a = i < INPUTS ? i : (unsigned)draw(INPUTS);
        n->type = p->input[n->a];
        break;
    case NUMBER:
    case CAST:
        n->type = draw_type(p->wide);
        n->low = draw(UINT64_MAX) >> draw(64);
        n->high = n->type.bits > 64 ? draw(UINT64_MAX) : 0;
        n->number = number_of((int64_t)n->high);
        n->number = number_shift_left(&n->number, n->type.bits > 64 ? n->type.bits - 64 : 0);
        least = number_of((int64_t)n->low);
        least = number_cut(&least, 64, false);
        n->number = cut(n->type, apply(5, &n->number, &least));
        break;
    case NEGATE:
    case INVERT:
        n->type = left;
        break;
    case SHIFT:
    case DIVIDE:
        n->type = left;
        n->op %= 2;
        n->shift = (unsigned)draw(left.bits);
        n->low = left.bits < 3 ? 1 : 1 + draw(3);
        n->low = left.bits > 8 ? n->low * 17 + 2 : n->low;
        n->number = number_of((int64_t)n->low);
        break;
    case COMPARE:
        n->type = (struct type){32, true, true};
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
    state = seed * 7919 + 1;
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

static const char *name_of(struct type type, char *text)
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

static size_t bytes_of(struct type type)
{
    size_t bytes = 1;
    while (8 * bytes < type.bits && bytes < 16)
        bytes *= 2;
    return type.bits > 128 ? (type.bits + 127) / 128 * 16 : bytes;
}

static struct number draw_number(struct type type)
{
    struct number number;
    for (unsigned k = 0; k < NUMBER_PARTS; k++)
        number.part[k] = (uint32_t)draw(UINT64_MAX);
    number = number_cut(&number, type.bits, type.sign);
    return number_shift_right(&number, (unsigned)draw(type.bits));
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
        size_t bytes = i == INPUTS + 1 ? 8 : bytes_of(i < INPUTS ? p->input[i] : p->output);
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
    const size_t out_bytes = bytes_of(p->output);
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

static void need_widths(void)
{
    if (!is_sluice())
        check_skip("no integers of any width");
}

static void random_kernels(void)
{
    const char *from = getenv("ARBITRARY_SEED"), *count = getenv("ARBITRARY_COUNT");
    const uint64_t first = from ? strtoull(from, NULL, 0) : 1;
    const uint64_t last = first + (count ? strtoull(count, NULL, 0) : PROGRAMS);
    need_widths();
    for (uint64_t seed = first; seed < last; seed++) {
        struct program program;
        make(&program, seed);
        run(&program, seed);
    }
}

/* ---- by hand --------------------------------------------------------------------------------- */

struct arguments {
    cl_uchar five, pad[7];
    cl_long long33;
};

/* Arguments of kernels, members, private arrays, calls, loops. */
static void places(void)
{
    static const char source[] =
        "typedef unsigned int __attribute__((__ap_int(5))) u5;\n"
        "constant int W = 33; typedef int i33 __attribute__((__ap_int(W)));\n"
        "typedef struct { u5 five; i33 long33; } S;\n"
        "u5 square(u5 x) { return x * x; }\n"
        "i33 sum(int n, i33 by) { i33 s = 0; for (int i = 0; i < n; i++) s += by; return s; }\n"
        "kernel void k(u5 x, i33 y, S s, global S *o, global int *p) {\n"
        "    u5 kept[3]; for (int i = 0; i < 3; i++) kept[i] = square(x + (u5)i);\n"
        "    o[0].five = kept[p[0]]; o[0].long33 = sum(5, y);\n"
        "    o[1] = s; o[1].five++; o[1].long33--;\n"
        "    int __attribute__((__ap_int(9))) z = p[1]; p[1] = z; p[2] = sizeof(S);\n"
        "}\n";
    need_widths();
    cl_program program = built(source, "");
    cl_int rc, ints[] = {2, 300, 0};
    cl_kernel kernel = clCreateKernel(program, "k", &rc);
    REQUIRE_OK(rc);
    const cl_uchar five = 7;
    const cl_long y = INT64_C(0xFFFFFFFE); /* times 5 it does not fit */
    struct arguments s = {.five = 31, .long33 = -(INT64_C(1) << 32)}, out[2];
    const size_t one = 1;
    cl_mem o = clCreateBuffer(cl.context, 0, sizeof out, NULL, &rc);
    REQUIRE_OK(rc);
    cl_mem p = clCreateBuffer(cl.context, CL_MEM_COPY_HOST_PTR, sizeof ints, ints, &rc);
    REQUIRE_OK(rc);
    FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, sizeof(cl_uint), &ints[0]));
    ARG(kernel, 0, five);
    ARG(kernel, 1, y);
    ARG(kernel, 2, s);
    ARG(kernel, 3, o);
    ARG(kernel, 4, p);
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    REQUIRE_OK(clEnqueueReadBuffer(cl.queue, o, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    REQUIRE_OK(clEnqueueReadBuffer(cl.queue, p, CL_TRUE, 0, sizeof ints, ints, 0, NULL, NULL));
    CHECK_EQ(out[0].five, 81 % 32);
    CHECK_EQ(out[0].long33, 5 * y - (INT64_C(1) << 34)); /* in 33 bits */
    CHECK_EQ(out[1].five, 0);
    CHECK_EQ(out[1].long33, (INT64_C(1) << 32) - 1);
    CHECK_EQ(ints[1], 300 - 512);
    CHECK_EQ(ints[2], 16);
    RELEASE_MEM(o);
    RELEASE_MEM(p);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
}

static void check_number(const unsigned char *got, const struct number *want, struct type type,
                         const char *what, double from)
{
    const struct number kept = cut(type, *want);
    if (memcmp(got, &kept, bytes_of(type)) != 0)
        check_fail(__FILE__, __LINE__, "%u bits: %s of %a", type.bits, what, from);
}

/* What 65504 and less is exact in 11 digits, and no halves lie above. */
static double nearest_half(const struct number *x)
{
    const double value = number_round(x, 11);
    return fabs(value) > 65504 ? copysign(INFINITY, value) : value;
}

static double half_value(uint16_t bits)
{
    const int power = bits >> 10 & 31, digits = bits & 1023;
    const double size = power == 31 ? digits ? NAN : INFINITY
                        : power     ? ldexp(1024 + digits, power - 25)
                                    : ldexp(digits, -24);
    return bits >> 15 ? -size : size;
}

static void check_halves(cl_program program, cl_mem from, unsigned bits, const double *in,
                         size_t count)
{
    const size_t bytes = 2 * sizeof(uint16_t) * count;
    uint16_t *got = malloc(bytes);
    REQUIRE(got);
    cl_int rc;
    cl_kernel kernel = clCreateKernel(program, "h", &rc);
    REQUIRE_OK(rc);
    cl_mem to = clCreateBuffer(cl.context, 0, bytes, NULL, &rc);
    REQUIRE_OK(rc);
    ARG(kernel, 0, from);
    ARG(kernel, 1, to);
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
    REQUIRE_OK(clEnqueueReadBuffer(cl.queue, to, CL_TRUE, 0, bytes, got, 0, NULL, NULL));
    for (size_t k = 0; k < count; k++) {
        const struct number whole = number_of_double(fabs(in[k]));
        struct number below = number_shift_right(&whole, 1);
        below = number_negate(&below);
        if (half_value(got[k]) != nearest_half(&whole) ||
            half_value(got[k + count]) != nearest_half(&below))
            check_fail(__FILE__, __LINE__, "%u bits: a half of %a", bits, in[k]);
    }
    free(got);
    RELEASE_MEM(to);
    RELEASE_KERNEL(kernel);
}

/* Numbers of all sizes that fit, and so small ones that nothing is left. */
static void floating_of(const char *source, unsigned bits)
{
    enum { COUNT = 64, LARGEST = 256 };
    const struct type u = {bits, false, false}, i = {bits, true, false};
    const size_t bytes = bytes_of(u), items = COUNT;
    static unsigned char got[3][COUNT * LARGEST];
    double in[COUNT];
    char options[64];
    cl_int rc;
    for (unsigned k = 0; k < COUNT; k++) {
        int power = (int)(draw(2) ? draw(bits) : draw(70)) - 4;
        in[k] =
            ldexp(1 + (double)draw(UINT64_C(1) << 52) / 0x1p52, power > 120 ? power % 120 : power);
        in[k] = draw(2) ? in[k] : -in[k];
    }
    in[0] = 0, in[1] = -0.0, in[2] = 0x1.fffffffffffffp-1, in[3] = 0x1p63, in[4] = 0x1.0000001p64;
    sprintf(options, "-DBITS=%u -DITEMS=%d", bits, COUNT);
    cl_program program = built(source, options);
    cl_kernel kernel = clCreateKernel(program, "k", &rc);
    REQUIRE_OK(rc);
    cl_mem memory[4];
    for (unsigned m = 0; m < 4; m++) {
        memory[m] = clCreateBuffer(cl.context, m ? 0 : CL_MEM_COPY_HOST_PTR,
                                   m ? bytes * COUNT : sizeof in, m ? NULL : in, &rc);
        REQUIRE_OK(rc);
        ARG(kernel, m, memory[m]);
    }
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    for (unsigned m = 0; m < 3; m++)
        REQUIRE_OK(clEnqueueReadBuffer(cl.queue, memory[m + 1], CL_TRUE, 0, bytes * COUNT, got[m],
                                       0, NULL, NULL));
    for (unsigned k = 0; k < COUNT; k++) {
        struct number want = number_of_double(fabs(in[k]));
        check_number(got[0] + k * bytes, &want, u, "a double", in[k]);
        want = number_of_double(-in[k] / 2);
        check_number(got[1] + k * bytes, &want, i, "a double with a sign", in[k]);
        want = number_of_double(fabs((float)in[k]));
        check_number(got[2] + k * bytes, &want, u, "a float", in[k]);
    }
    if (has_extension("cl_khr_fp16"))
        check_halves(program, memory[1], bits, in, items);
    for (unsigned m = 0; m < 4; m++)
        RELEASE_MEM(memory[m]);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
}

/* From floating-point numbers, and to halves. */
static void floating(void)
{
    static const char source[] =
        "typedef unsigned int __attribute__((__ap_int(BITS))) U;\n"
        "typedef int __attribute__((__ap_int(BITS))) I;\n"
        "kernel void k(global const double *d, global U *u, global I *i, global U *f) {\n"
        "    int g = get_global_id(0);\n"
        "    u[g] = fabs(d[g]); i[g] = -d[g] / 2; f[g] = fabs((float)d[g]);\n"
        "}\n"
        "#ifdef cl_khr_fp16\n"
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
        "kernel void h(global const U *u, global half *h) {\n"
        "    int g = get_global_id(0); h[g] = u[g]; h[g + ITEMS] = -(I)(u[g] >> 1);\n"
        "}\n"
        "#endif\n";
    static const unsigned widths[] = {65, 100, 128, 200, 256, 1000};
    need_widths();
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        floating_of(source, widths[w]);
}

enum { PASSING = 6 };

static void expect_passing(const cl_ulong in[3], cl_ulong want[PASSING])
{
    struct number n[3], product, all[PASSING];
    for (unsigned m = 0; m < 3; m++) {
        n[m] = number_of((int64_t)in[m]);
        n[m] = number_cut(&n[m], 64, false);
    }
    product = number_multiply(&n[0], &n[1]);
    all[0] = number_divide(&product, &n[2], false);
    all[1] = number_divide(&product, &n[2], true);
    all[2] = number_shift_right(&product, 64);
    all[3] = number_shift_right(&product, 37);
    want[4] = double_bits(&product);
    product = number_cut(&product, 100, true);
    all[5] = number_divide(&product, &n[2], false);
    for (unsigned k = 0; k < PASSING; k++)
        want[k] = k == 4 ? want[k] : low(&all[k]);
}

/* What is wide for a moment only; such kernels compute several items at once. */
static void passing(void)
{
    static const char source[] =
        "typedef unsigned _BitInt(128) U; typedef _BitInt(100) I;\n"
        "kernel void k(global const ulong *in, global ulong *out) {\n"
        "    int g = get_global_id(0); ulong a = in[3 * g], b = in[3 * g + 1], c = in[3 * g + 2];\n"
        "    global ulong *o = out + 6 * g;\n"
        "    o[PART] = PART == 0 ? (ulong)((U)a * b / c) : PART == 1 ? (ulong)((U)a * b % c)\n"
        "            : PART == 2 ? (ulong)((U)a * b >> 64) : PART == 3 ? (ulong)((U)a * b >> 37)\n"
        "            : PART == 4 ? as_ulong((double)((U)a * b)) : (ulong)((I)a * b / (I)c);\n"
        "}\n";
    enum { COUNT = 500 };
    static cl_ulong in[COUNT][3], out[COUNT][PASSING];
    const size_t items = COUNT;
    need_widths();
    state = 77;
    for (unsigned k = 0; k < 3 * COUNT; k++)
        in[k / 3][k % 3] = (draw(UINT64_MAX) >> draw(64)) | 1;
    cl_int rc;
    cl_mem from = clCreateBuffer(cl.context, CL_MEM_COPY_HOST_PTR, sizeof in, in, &rc);
    REQUIRE_OK(rc);
    cl_mem to = clCreateBuffer(cl.context, 0, sizeof out, NULL, &rc);
    REQUIRE_OK(rc);
    for (unsigned part = 0; part < PASSING; part++) {
        char options[32];
        sprintf(options, "-DPART=%u", part);
        cl_program program = built(source, options);
        cl_kernel kernel = clCreateKernel(program, "k", &rc);
        REQUIRE_OK(rc);
        ARG(kernel, 0, from);
        ARG(kernel, 1, to);
        REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
        REQUIRE_OK(clFinish(cl.queue));
        RELEASE_KERNEL(kernel);
        RELEASE_PROGRAM(program);
    }
    REQUIRE_OK(clEnqueueReadBuffer(cl.queue, to, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    for (unsigned k = 0; k < COUNT; k++) {
        cl_ulong want[PASSING];
        expect_passing(in[k], want);
        for (unsigned part = 0; part < PASSING; part++)
            CHECK_EQ(out[k][part], want[part]);
    }
    RELEASE_MEM(from);
    RELEASE_MEM(to);
}

static void refusals(void)
{
    static const struct {
        const char *source, *word;
    } rows[] = {
        {"typedef int __attribute__((__ap_int(2049))) T;\n",
         ":1:28: error: '__ap_int(2049)': integers of more than 2048 bits"},
        {"typedef int __attribute__((__ap_int(1))) T;\n", ":1:28: error: '__ap_int(1)'"},
        {"typedef int __attribute__((__ap_int(0))) T;\n", ":1:28: error: '__ap_int(0)'"},
        {"typedef float __attribute__((__ap_int(5))) T;\n", "not for 'float'"},
        {"typedef int4 __attribute__((__ap_int(5))) T;\n", "not for 'int4'"},
        {"typedef int __attribute__((__ap_int(f()))) T;\n", ":1:"},
        {"int __attribute__((__ap_int(5))) f(int x) { return x; }\n", ":1:20: error: '__ap_int'"},
        {"#include \"ihc_apint.h\"\ntypedef uint8_t T __attribute__((ext_vector_type(4)));\n",
         ":2:9: error: vectors of 'uint8_t'"},
        {"kernel void k(global _BitInt(2049) *p) {}\n", "greater than 2048"},
        {"typedef unsigned _BitInt(256) T __attribute__((ext_vector_type(4)));\n", "vectors of"},
        {"#include <ihc_apint.h>\nkernel void k(uint5_t x) { printf(\"%d\\n\", x); }\n",
         ":2:43: error: an argument of type 'uint5_t'"},
    };
    need_widths();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cl_program program = new_program(rows[i].source);
        CHECK_EQ(clBuildProgram(program, 1, &cl.device, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
        char *log = build_log(program);
        if (!strstr(log, rows[i].word))
            check_fail(__FILE__, __LINE__, "the log lacks \"%s\":\n%s", rows[i].word, log);
        free(log);
        RELEASE_PROGRAM(program);
    }
}

static size_t bytes_of_products(unsigned count)
{
    char source[256];
    size_t bytes = 0;
    snprintf(source, sizeof source,
             "typedef unsigned int __attribute__((__ap_int(2048))) T;\n"
             "kernel void k(global T *a) { T x = a[0], y = a[1];\n"
             "#pragma unroll\n"
             "for (int i = 0; i < %u; i++) x = x * y + i;\n"
             "a[0] = x; }",
             count);
    cl_program program = built(source, "");
    REQUIRE_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    RELEASE_PROGRAM(program);
    return bytes;
}

/* The code of a product of 2048 bits, 13 KB, is there once: builds took a minute. */
static void many_products(void)
{
    need_widths();
    const size_t few = bytes_of_products(2), many = bytes_of_products(14);
    CHECK(many < few + 12 * 5000);
}

static const struct test_case cases[] = {
    CASE(random_kernels), CASE(places),        CASE(floating),
    CASE(passing),        CASE(many_products), CASE(refusals),
};
TEST_MAIN("arbitrary", cases)
