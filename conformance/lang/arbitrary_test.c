/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Integers of any width: random kernels, and what a computation with 64 bits that are cut to the
 * width after each step makes of the same trees.
 */
#include "cl_help.h"

#include <inttypes.h>
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
    int64_t number;
};

struct program {
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

static int64_t cut(struct type type, uint64_t value)
{
    if (type.bits == 64)
        return (int64_t)value;
    value &= ((uint64_t)1 << type.bits) - 1;
    if (type.sign && value >> (type.bits - 1))
        value -= (uint64_t)1 << type.bits;
    return (int64_t)value;
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

static int64_t apply(unsigned op, int64_t x, int64_t y)
{
    uint64_t a = (uint64_t)x, b = (uint64_t)y;
    const uint64_t all[] = {a + b, a - b, a * b, a & b, a | b, a ^ b};
    return (int64_t)all[op];
}

static int64_t less(struct type type, unsigned op, int64_t x, int64_t y)
{
    bool below = type.sign || type.bits < 64 ? x < y : (uint64_t)x < (uint64_t)y;
    const bool all[] = {below, below || x == y, x == y, x != y, !below && x != y, !below};
    return all[op];
}

static int64_t divide(struct type type, unsigned op, int64_t x, int64_t y)
{
    if (type.sign || type.bits < 64)
        return op ? x % y : x / y;
    return (int64_t)(op ? (uint64_t)x % (uint64_t)y : (uint64_t)x / (uint64_t)y);
}

static int64_t shift(struct type type, unsigned op, int64_t x, unsigned by)
{
    if (!op)
        return (int64_t)((uint64_t)x << by);
    return type.sign ? x >> by : (int64_t)((uint64_t)x >> by);
}

static int64_t value_of(const struct program *p, const struct node *n, const int64_t *in,
                        const int64_t *done)
{
    const struct type left = p->nodes[n->a].type, both = common(left, p->nodes[n->b].type);
    const int64_t x = done[n->a], y = done[n->b];
    switch (n->kind) {
    case INPUT:
        return in[n->a];
    case NUMBER:
        return n->number;
    case CAST:
        return x;
    case NEGATE:
        return (int64_t)(0 - (uint64_t)x);
    case INVERT:
        return ~x;
    case BINARY:
        return apply(n->op, cut(both, (uint64_t)x), cut(both, (uint64_t)y));
    case SHIFT:
        return shift(left, n->op, x, (unsigned)n->number);
    case DIVIDE:
        return divide(left, n->op, x, n->number);
    case COMPARE:
        return less(both, n->op, cut(both, (uint64_t)x), cut(both, (uint64_t)y));
    default:
        return x ? y : done[n->c];
    }
}

/* `all`: of all nodes. */
static int64_t expected(const struct program *p, const int64_t *in, int64_t *all)
{
    int64_t done[NODES] = {0};
    uint64_t sum = 0;
    for (unsigned i = 0; i < NODES; i++) {
        done[i] = cut(p->nodes[i].type, (uint64_t)value_of(p, &p->nodes[i], in, done));
        sum = sum * 31 ^ (uint64_t)done[i];
    }
    *all = (int64_t)sum;
    return cut(p->output, (uint64_t)done[NODES - 1]);
}

/* ---- programs -------------------------------------------------------------------------------- */

static struct type draw_type(void)
{
    static const unsigned often[] = {1, 2, 5, 8, 16, 17, 31, 32, 33, 63, 64};
    struct type type = {.sign = draw(2), .plain = draw(5) == 0};
    type.bits = draw(2) ? (unsigned)draw(64) + 1 : often[draw(sizeof often / sizeof *often)];
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
        n->type = draw_type();
        n->number = cut(n->type, draw(UINT64_MAX) >> draw(64));
        break;
    case NEGATE:
    case INVERT:
        n->type = left;
        break;
    case SHIFT:
    case DIVIDE:
        n->type = left;
        n->op %= 2;
        n->number = (int64_t)draw(left.bits);
        if (n->kind == DIVIDE) {
            n->number = left.bits < 3 ? 1 : 1 + (int64_t)draw(3);
            n->number = left.bits > 8 ? n->number * 17 + 2 : n->number;
        }
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
    for (unsigned i = 0; i < INPUTS; i++)
        p->input[i] = draw_type();
    p->output = draw_type();
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
    sprintf(text, "%sint%u_t", type.sign ? "" : "u", type.bits);
    return text;
}

static char *print_node(char *at, const struct node *n, unsigned i)
{
    char room[16];
    const char *name = name_of(n->type, room);
    at += sprintf(at, "    %s v%u = ", name, i);
    switch (n->kind) {
    case INPUT:
        return at + sprintf(at, "in%u[g];\n", n->a);
    case NUMBER:
        return at + sprintf(at, "(%s)0x%" PRIx64 "ul;\n", name, (uint64_t)n->number);
    case CAST:
        return at + sprintf(at, "v%u;\n", n->a);
    case NEGATE:
        return at + sprintf(at, "-v%u;\n", n->a);
    case INVERT:
        return at + sprintf(at, "~v%u;\n", n->a);
    case BINARY:
        return at + sprintf(at, "v%u %s v%u;\n", n->a, binary[n->op], n->b);
    case SHIFT:
        return at + sprintf(at, "v%u %s %d;\n", n->a, n->op ? ">>" : "<<", (int)n->number);
    case DIVIDE:
        return at + sprintf(at, "v%u %s (__typeof__(v%u))%d;\n", n->a, n->op ? "%" : "/", n->a,
                            (int)n->number);
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
    char name[16], *source = malloc(16384), *at = source;
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
    for (unsigned i = 0; i < NODES; i++)
        at += sprintf(at, "    all = all * 31 ^ (ulong)(long)v%u;\n", i);
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
    while (8 * bytes < type.bits)
        bytes *= 2;
    return bytes;
}

static void run(const struct program *p, uint64_t seed)
{
    char *source = print(p, seed);
    cl_program program = built(source, "");
    cl_int rc;
    cl_kernel kernel = clCreateKernel(program, "k", &rc);
    cl_mem memory[INPUTS + 2];
    static int64_t in[ITEMS][INPUTS], wide[ITEMS], narrow[ITEMS];
    const size_t items = ITEMS, local = LOCAL;
    REQUIRE_OK(rc);
    for (unsigned i = 0; i < INPUTS + 2; i++) {
        size_t bytes = i == INPUTS + 1 ? 8 : bytes_of(i < INPUTS ? p->input[i] : p->output);
        static unsigned char data[8 * ITEMS];
        for (unsigned k = 0; i < INPUTS && k < ITEMS; k++) {
            in[k][i] = cut(p->input[i], draw(UINT64_MAX) >> draw(64));
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
        int64_t all, want = expected(p, in[k], &all);
        const char *got = (const char *)narrow + k * out_bytes;
        if (wide[k] == all && !memcmp(got, &want, out_bytes))
            continue;
        check_fail(__FILE__, __LINE__, "seed %u, item %u: %" PRIx64 ", not %" PRIx64 "\n%s",
                   (unsigned)seed, k, (uint64_t)wide[k], (uint64_t)all, source);
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
    CHECK_EQ(out[0].long33, cut((struct type){33, true, false}, 5 * (uint64_t)y));
    CHECK_EQ(out[1].five, 0);
    CHECK_EQ(out[1].long33, (INT64_C(1) << 32) - 1);
    CHECK_EQ(ints[1], 300 - 512);
    CHECK_EQ(ints[2], 16);
    RELEASE_MEM(o);
    RELEASE_MEM(p);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
}

static void refusals(void)
{
    static const struct {
        const char *source, *word;
    } rows[] = {
        {"typedef int __attribute__((__ap_int(65))) T;\n",
         ":1:28: error: '__ap_int(65)': integers of more than 64 bits"},
        {"typedef int __attribute__((__ap_int(1))) T;\n", ":1:28: error: '__ap_int(1)'"},
        {"typedef int __attribute__((__ap_int(0))) T;\n", ":1:28: error: '__ap_int(0)'"},
        {"typedef float __attribute__((__ap_int(5))) T;\n", "not for 'float'"},
        {"typedef int4 __attribute__((__ap_int(5))) T;\n", "not for 'int4'"},
        {"typedef int __attribute__((__ap_int(f()))) T;\n", ":1:"},
        {"int __attribute__((__ap_int(5))) f(int x) { return x; }\n", ":1:20: error: '__ap_int'"},
        {"#include \"ihc_apint.h\"\ntypedef uint8_t T __attribute__((ext_vector_type(4)));\n",
         ":2:9: error: vectors of 'uint8_t'"},
        {"kernel void k(global _BitInt(65) *p) {}\n", ":1:22: error: integers of more than 64"},
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

static const struct test_case cases[] = {
    CASE(random_kernels),
    CASE(places),
    CASE(refusals),
};
TEST_MAIN("arbitrary", cases)
