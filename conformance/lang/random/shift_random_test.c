/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random kernels with shift registers, beside what their statements do one after the other:
 * registers of several types and lengths, moved by any distance, in any order, also one that
 * smears, wholly or in part, at times, and read and written anywhere in between.
 * SLUICE_TEST_KERNELS: how many; SLUICE_TEST_SEED: which.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef cl_uint uint;

enum { REGISTERS = 3, STATEMENTS = 9, LONGEST = 700, ROUNDS = 1200, TEXT = 8192 };

/* What a register's elements are; a number goes in by `make` and comes out by `take`. */
struct type {
    const char *name, *make, *take;
    uint (*back)(uint v);
};

static uint all(uint v)
{
    return v;
}
static uint low(uint v)
{
    return v & 0xffff;
}
static uint third(uint v)
{
    return 3 * v;
}
static uint of_vector(uint v)
{
    return 3 * v + (v ^ 5);
}
static uint of_record(uint v)
{
    return v + (v & 0xffff);
}

static const struct type types[] = {
    {"uint", "(v)", "(e)", all},
    {"ushort", "(ushort)(v)", "(e)", low},
    {"ulong", "(3 * (ulong)(v))", "(uint)(e)", third},
    {"float", "(float)((v) & 0xffff)", "(uint)(e)", low},
    {"uint4", "(uint4)((v), 3 * (v), (v) ^ 5, 7)", "((e).y + (e).z)", of_vector},
    {"uint3", "(uint3)((v), 3 * (v), (v) ^ 5)", "((e).y + (e).z)", of_vector},
    {"struct record", "record_of(v)", "((e).a + (e).b)", of_record},
};

enum kind {
    MOVE,      /* for i: r[i] = r[i + distance], at times only */
    MOVE_TWO,  /* of two registers in one loop */
    MOVE_READ, /* what is moved is added up as well */
    SET,       /* r[place] = x */
    SET_ANY,   /* r[x % length] = y */
    GET,
    GET_ANY,
    ADD_UP, /* of a part */
    LEAVE,  /* the rounds */
    KINDS
};

struct statement {
    enum kind kind;
    int of, other;          /* registers */
    int from, to, distance; /* of a move: which elements get what; from > to: backwards */
    bool sometimes, unroll;
    uint number;
};

struct design {
    int count, length[REGISTERS];
    const struct type *type[REGISTERS];
    bool unrolled_start;
    int statement_count;
    struct statement statements[STATEMENTS];
};

/* ---- made up --------------------------------------------------------------------------------- */

static int below(int n)
{
    return (int)random_below((uint64_t)n);
}

static void make_move(const struct design *d, struct statement *s)
{
    int length = d->length[s->of];
    if (s->kind == MOVE_TWO && d->length[s->other] < length)
        length = d->length[s->other];
    int far = below(3) ? 1 : 1 + below(length / 3), begin = below(4) ? 0 : below(length / 4),
        end = length - far - (below(4) ? 0 : below(length / 4));
    bool up = below(2), right = below(8) != 0;
    if (begin >= end)
        begin = 0;
    /* With the elements in the right order each is read before it is overwritten. */
    s->distance = up ? -far : far;
    s->from = up ? begin + far : begin;
    s->to = up ? end + far : end;
    if (up == right) {
        int last = s->to - 1;
        s->to = s->from - 1;
        s->from = last;
    }
}

static void make_statement(const struct design *d, struct statement *s, int number)
{
    *s = (struct statement){.kind = number ? (enum kind)below(KINDS) : MOVE,
                            .of = below(d->count),
                            .other = below(d->count),
                            .sometimes = !below(4),
                            .unroll = below(2),
                            .number = (uint)random_bits()};
    if (s->kind == MOVE_TWO && s->other == s->of)
        s->kind = MOVE;
    if (s->kind == MOVE || s->kind == MOVE_TWO || s->kind == MOVE_READ)
        make_move(d, s);
    if (s->kind == ADD_UP) {
        s->from = below(d->length[s->of]);
        s->to = s->from + below(d->length[s->of] - s->from + 1);
    }
}

static void make_design(struct design *d)
{
    *d = (struct design){.count = 1 + below(REGISTERS), .unrolled_start = below(2)};
    for (int r = 0; r < d->count; r++) {
        d->length[r] = below(3) ? 60 + below(LONGEST - 60) : 5 + below(140);
        d->type[r] = &types[below(LEN(types))];
    }
    d->statement_count = 2 + below(STATEMENTS - 2);
    for (int s = 0; s < d->statement_count; s++)
        make_statement(d, &d->statements[s], s);
}

/* ---- as text --------------------------------------------------------------------------------- */

struct text {
    char chars[TEXT];
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *fmt, ...)
{
    va_list list;
    va_start(list, fmt);
    int bytes = vsnprintf(t->chars + t->used, sizeof t->chars - t->used, fmt, list);
    va_end(list);
    REQUIRE(bytes >= 0 && t->used + (size_t)bytes < sizeof t->chars);
    t->used += (size_t)bytes;
}

static void print_loop(struct text *t, const struct statement *s)
{
    if (s->unroll)
        add(t, "    #pragma unroll\n");
    if (s->from <= s->to)
        add(t, "    for (int i = %d; i < %d; i++) {", s->from, s->to);
    else
        add(t, "    for (int i = %d; i > %d; i--) {", s->from, s->to);
}

static void print_statement(struct text *t, const struct design *d, const struct statement *s)
{
    const int r = s->of, length = d->length[r];
    const int place = (int)(s->number % (uint)length);
    if (s->kind <= MOVE_READ) {
        add(t, s->sometimes ? "    if (x & %u) {\n" : "    {\n", 1u << s->number % 5);
        print_loop(t, s);
        add(t, " r%d[i] = r%d[i + %d];", r, r, s->distance);
        if (s->kind == MOVE_TWO)
            add(t, " r%d[i] = r%d[i + %d];", s->other, s->other, s->distance);
        if (s->kind == MOVE_READ)
            add(t, " y = y * 3 + TAKE%d(r%d[i]);", r, r);
        add(t, " }\n    }\n");
    } else if (s->kind == SET)
        add(t, "    r%d[%d] = MAKE%d(x + %uu);\n", r, place, r, s->number);
    else if (s->kind == SET_ANY)
        add(t, "    r%d[x %% %d] = MAKE%d(y ^ x);\n", r, length, r);
    else if (s->kind == GET)
        add(t, "    y = y * 5 + TAKE%d(r%d[%d]);\n", r, r, place);
    else if (s->kind == GET_ANY)
        add(t, "    y ^= TAKE%d(r%d[(x ^ %uu) %% %d]);\n", r, r, s->number, length);
    else if (s->kind == ADD_UP) {
        print_loop(t, s);
        add(t, " y += TAKE%d(r%d[i]); }\n", r, r);
    } else
        add(t, "    if (k > %d && x %% 128 == %u) break;\n", ROUNDS / 2, s->number % 128);
}

static void print_design(struct text *t, const struct design *d)
{
    t->used = 0;
    add(t, "struct record { uint a; ushort b; };\n"
           "struct record record_of(uint v) { struct record r = {v, (ushort)v}; return r; }\n");
    for (int r = 0; r < d->count; r++)
        add(t, "#define MAKE%d(v) %s\n#define TAKE%d(e) %s\n", r, d->type[r]->make, r,
            d->type[r]->take);
    add(t, "kernel void k(global const uint *in, global uint *out, int n)\n{\n");
    for (int r = 0; r < d->count; r++)
        add(t, "%s r%d[%d];%s\nfor (int i = 0; i < %d; i++) r%d[i] = MAKE%d(i * 7u);\n",
            d->type[r]->name, r, d->length[r], d->unrolled_start ? "\n#pragma unroll" : "",
            d->length[r], r, r);
    add(t, "for (int k = 0; k < n; k++) {\n    uint x = in[k], y = 0;\n");
    for (int s = 0; s < d->statement_count; s++)
        print_statement(t, d, &d->statements[s]);
    add(t, "    out[k] = y;\n}\n");
    for (int r = 0; r < d->count; r++)
        add(t, "for (int i = 0; i < %d; i++) out[n + i] ^= TAKE%d(r%d[i]);\n", d->length[r], r, r);
    add(t, "}\n");
}

/* ---- as it is meant -------------------------------------------------------------------------- */

static uint now[REGISTERS][LONGEST];

static uint take(const struct design *d, int r, int place)
{
    return d->type[r]->back(now[r][place]);
}

static uint run_move(const struct design *d, const struct statement *s, uint y)
{
    const int step = s->from <= s->to ? 1 : -1;
    for (int i = s->from; i != s->to; i += step) {
        now[s->of][i] = now[s->of][i + s->distance];
        if (s->kind == MOVE_TWO)
            now[s->other][i] = now[s->other][i + s->distance];
        if (s->kind == MOVE_READ)
            y = y * 3 + take(d, s->of, i);
    }
    return y;
}

static uint run_statement(const struct design *d, const struct statement *s, uint x, uint y)
{
    const int r = s->of;
    const uint length = (uint)d->length[r];
    switch (s->kind) {
    case SET:
        now[r][s->number % length] = x + s->number;
        return y;
    case SET_ANY:
        now[r][x % length] = y ^ x;
        return y;
    case GET:
        return y * 5 + take(d, r, (int)(s->number % length));
    case GET_ANY:
        return y ^ take(d, r, (int)((x ^ s->number) % length));
    case ADD_UP:
        for (int i = s->from; i < s->to; i++)
            y += take(d, r, i);
        return y;
    case LEAVE:
    case KINDS:
        return y;
    default:
        return s->sometimes && !(x & 1u << s->number % 5) ? y : run_move(d, s, y);
    }
}

static void run_design(const struct design *d, const uint *in, uint *out)
{
    bool left = false;
    for (int r = 0; r < d->count; r++)
        for (int i = 0; i < d->length[r]; i++)
            now[r][i] = (uint)i * 7;
    for (int k = 0; k < ROUNDS && !left; k++) {
        uint y = 0;
        for (int s = 0; s < d->statement_count && !left; s++) {
            const struct statement *at = &d->statements[s];
            left = at->kind == LEAVE && k > ROUNDS / 2 && in[k] % 128 == at->number % 128;
            if (!left)
                y = run_statement(d, at, in[k], y);
        }
        if (!left)
            out[k] = y;
    }
    for (int r = 0; r < d->count; r++)
        for (int i = 0; i < d->length[r]; i++)
            out[ROUNDS + i] ^= take(d, r, i);
}

/* ---- compared -------------------------------------------------------------------------------- */

static uint in[ROUNDS], got[ROUNDS + LONGEST], wanted[ROUNDS + LONGEST];

static void compare(const struct design *d, unsigned number)
{
    static struct text text;
    const cl_int rounds = ROUNDS;
    print_design(&text, d);
    for (size_t i = 0; i < ROUNDS; i++)
        in[i] = (uint)random_bits();
    memset(got, 0, sizeof got);
    memset(wanted, 0, sizeof wanted);
    run_design(d, in, wanted);
    cl_kernel kernel = new_kernel(text.chars, "k", NULL);
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in),
           to = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof got, got);
    ARG(kernel, 0, from);
    ARG(kernel, 1, to);
    ARG(kernel, 2, rounds);
    run_1d(kernel, 1, 0);
    read_back(to, sizeof got, got);
    RELEASE_MEM(from);
    RELEASE_MEM(to);
    RELEASE_KERNEL(kernel);
    for (size_t i = 0; i < LEN(got); i++)
        if (got[i] != wanted[i]) {
            check_fail(__FILE__, __LINE__, "kernel %u: %zu is %u, not %u\n%s", number, i, got[i],
                       wanted[i], text.chars);
            check_abandon();
        }
}

static unsigned setting(const char *name, unsigned otherwise)
{
    const char *text = getenv(name);
    return text ? (unsigned)strtoul(text, NULL, 10) : otherwise;
}

static void random_designs(void)
{
    for (unsigned s = setting("SLUICE_TEST_SEED", 0); s; s--)
        random_bits();
    for (unsigned k = 0; k < setting("SLUICE_TEST_KERNELS", 60); k++) {
        struct design design;
        make_design(&design);
        compare(&design, k);
    }
}

static const struct test_case cases[] = {CASE(random_designs)};
TEST_MAIN("shift_random", cases)
