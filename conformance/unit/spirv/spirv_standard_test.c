/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The set OpenCL.std of SPIR-V: each of its instructions, of each type that it may have, calls a
 * function that the builtins archive has under the very name.
 */
#include "spirv_builtin_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    uint32_t number;
    const char *name, *parameters;
};
static const struct row rows[] = {
#define STD(number, name, parameters, effect) {number, name, parameters},
#include "spirv/builtins/opencl_std.def"
#undef STD
};
enum { ROWS = sizeof rows / sizeof *rows };

static const char *const floats[] = {"f", NULL};
static const char *const words[] = {"i", NULL};
static const char *const narrow[] = {"c", "s", "i", NULL};
static const char *const stored[] = {"f", "d", NULL};

struct range {
    uint32_t first, last;
    const char *const *types;
    unsigned least, most; /* lanes */
};
/* What the specification of the set says about its operands. */
static const struct range ranges[] = {
    {0, 66, reals, 1, 16},        {67, 94, reals, 1, 16},       {95, 103, reals, 1, 16},
    {104, 104, reals, 3, 4},      {105, 107, reals, 1, 4},      {108, 110, floats, 1, 4},
    {141, 163, integers, 1, 16},  {164, 165, narrow, 1, 16},    {166, 166, integers, 1, 16},
    {167, 170, words, 1, 16},     {171, 172, all_types, 2, 16}, {173, 173, floats, 1, 1},
    {174, 174, floats, 2, 16},    {175, 176, stored, 1, 1},     {177, 178, stored, 2, 16},
    {179, 179, floats, 2, 16},    {180, 181, stored, 2, 16},    {182, 183, all_types, 2, 16},
    {186, 187, all_types, 1, 16}, {201, 204, integers, 1, 16},
};

static const struct range *range_of(uint32_t number)
{
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (number >= ranges[i].first && number <= ranges[i].last)
            return &ranges[i];
    return NULL;
}

/* The integer as wide as the type. */
static const char *as_integer(const char *base)
{
    return *base == 'D' ? "s" : *base == 'f' ? "i" : *base == 'd' ? "l" : base;
}

static const char *twice_as_wide(const char *base)
{
    return *base == 'c' ? "s" : *base == 's' ? "i" : "l";
}

/* ---- one combination ------------------------------------------------------------------------- */

struct combination {
    const struct row *row;
    const char *base;
    unsigned lanes, source_lanes, space;
};

static bool is_load(const struct row *row)
{
    return row->parameters[0] == 'z';
}

static bool is_shuffle(const struct row *row)
{
    return row->number == 182 || row->number == 183;
}

static uint32_t result_type(struct sl_spirv *s, const struct combination *c)
{
    const char *base = c->row->number == 33                             ? "i"
                       : c->row->number == 164 || c->row->number == 165 ? twice_as_wide(c->base)
                                                                        : c->base;
    bool is_store = strpbrk(c->row->parameters, "pH") != NULL;
    return is_store ? 0 : fake_spirv_numbers(s, base, c->lanes);
}

static uint32_t own_operand(struct sl_spirv *s, const struct combination *c, unsigned i)
{
    uint32_t number = c->row->number;
    bool is_power = number == 34 || number == 49 || number == 54; /* ldexp, pown, rootn */
    bool is_mask = is_shuffle(c->row) && !c->row->parameters[i + 1];
    const char *base = is_power && i                                          ? "i"
                       : number == 46 || is_mask || (number == 187 && i == 2) ? as_integer(c->base)
                                                                              : c->base;
    unsigned lanes = is_shuffle(c->row) && !is_mask ? c->source_lanes : c->lanes;
    return fake_spirv_value(s, fake_spirv_numbers(s, base, lanes));
}

static uint32_t operand(struct sl_spirv *s, const struct combination *c, unsigned i)
{
    uint32_t pointee;
    switch (c->row->parameters[i]) {
    case 's':
    case 'u':
    case 'S':
        return own_operand(s, c, i);
    case 'z':
        return fake_spirv_value(s, fake_spirv_numbers(s, "m", 1));
    case 'n':
        return c->lanes;
    case 'm':
        return c->source_lanes & 3; /* a mode; goes through all */
    case 'r':
        pointee = fake_spirv_numbers(s, c->base, c->lanes);
        break;
    case 'i':
        pointee = fake_spirv_numbers(s, "i", c->lanes);
        break;
    default:
        pointee = fake_spirv_numbers(s, strchr("hH", c->row->parameters[i]) ? "Dh" : c->base, 1);
        break;
    }
    return fake_spirv_value(s, fake_spirv_pointer(s, pointee, c->space));
}

static unsigned try(const struct combination *c)
{
    struct sl_spirv *s = fake_spirv_new();
    uint32_t operands[4];
    unsigned count = (unsigned)strlen(c->row->parameters);
    for (unsigned i = 0; i < count; i++)
        operands[i] = operand(s, c, i);
    int rc = fake_spirv_standard(s, c->row->number, result_type(s, c), operands, count);
    if (rc != 1)
        fprintf(stderr, "%s: %s\n", c->row->name, fake_spirv_error(s));
    unsigned bad = rc != 1 ? 1 : missing(s);
    free(fake_spirv_print(s));
    fake_spirv_free(s);
    return bad;
}

static unsigned try_lanes(struct combination c)
{
    static const unsigned widths[] = {2, 3, 4, 8, 16};
    static const unsigned spaces[] = {0, 1, 3, 4, 2};
    unsigned bad = 0;
    bool varies = is_shuffle(c.row) || strchr(c.row->parameters, 'm');
    bool points = strpbrk(c.row->parameters, "rikphH") != NULL;
    for (unsigned w = 0; w < (varies ? 5 : 1); w++) {
        if (is_shuffle(c.row) && (widths[w] == 3 || c.lanes == 3))
            continue; /* not of three */
        for (unsigned p = 0; p < (!points ? 1 : is_load(c.row) ? 5 : 4); p++) {
            c.source_lanes = is_shuffle(c.row) ? widths[w] : w;
            c.space = spaces[p];
            bad += try(&c);
        }
    }
    return bad;
}

static void standard_functions_exist(void **state)
{
    static const unsigned widths[] = {1, 2, 3, 4, 8, 16};
    (void)state;
    unsigned bad = 0;
    for (unsigned r = 0; r < ROWS; r++) {
        const struct range *range = range_of(rows[r].number);
        assert_non_null(range);
        for (const char *const *type = range->types; *type; type++)
            for (unsigned w = 0; w < 6; w++)
                if (widths[w] >= range->least && widths[w] <= range->most)
                    bad += try_lanes((struct combination){&rows[r], *type, widths[w], 0, 0});
    }
    assert_int_equal(bad, 0);
}

/* Each number of the set is in the table, but for printf and prefetch, which are no calls by name.
 */
static void standard_numbers_are_all_there(void **state)
{
    (void)state;
    unsigned r = 0;
    for (uint32_t number = 0; number <= 204; number++) {
        bool exists = number <= 110 || (number >= 141 && number <= 187) || number >= 201;
        bool is_other = number == 184 || number == 185;
        if (exists && !is_other)
            assert_true(r < ROWS && rows[r++].number == number);
    }
    assert_int_equal(r, ROWS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standard_functions_exist),
        cmocka_unit_test(standard_numbers_are_all_there),
    };
    return cmocka_run_group_tests(tests, open_library, close_library);
}
