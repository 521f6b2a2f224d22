/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions of SPIR-V as calls: each that OpenCL.std has, of each type that it may have, calls a
 * function that the builtins archive has under the very name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/builtins/library.h"
#include "fake_spirv.h"
#include "spirv/grammar/numbers.h"

static struct sl_library *library;

static int open_library(void **state)
{
    (void)state;
    char path[4096];
    const char *folder = getenv("SLUICE_LIBRARY_DIR");
    assert_non_null(folder);
    snprintf(path, sizeof path, "%s/builtins.slb", folder);
    return sl_library_open(path, &library);
}

static int close_library(void **state)
{
    (void)state;
    sl_library_close(library);
    return 0;
}

/* ---- which combinations there are ------------------------------------------------------------ */

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

static const char *const reals[] = {"Dh", "f", "d", NULL};
static const char *const integers[] = {"c", "s", "i", "l", NULL};
static const char *const all_types[] = {"c", "s", "i", "l", "Dh", "f", "d", NULL};
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

/* Counts what is called and not there. */
static unsigned missing(struct sl_spirv *s)
{
    unsigned count = 0;
    LLVMModuleRef module = sl_spirv_module(s);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        const char *name = LLVMGetValueName(f);
        if (strncmp(name, "_Z", 2) != 0 || sl_library_has(library, name))
            continue;
        fprintf(stderr, "the library has no %s\n", name);
        count++;
    }
    return count;
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

/* ---- instructions ---------------------------------------------------------------------------- */

static const unsigned widths_of_vectors[] = {1, 2, 3, 4, 8, 16};

struct conversion {
    uint16_t opcode;
    const char *const *from, *const *to;
};
static const struct conversion conversions[] = {
    {OpConvertFToU, reals, integers},
    {OpConvertFToS, reals, integers},
    {OpConvertSToF, integers, reals},
    {OpConvertUToF, integers, reals},
    {OpUConvert, integers, integers},
    {OpSConvert, integers, integers},
    {OpFConvert, reals, reals},
    {OpSatConvertSToU, integers, integers},
    {OpSatConvertUToS, integers, integers},
};

/* `mode`: 0 none, 1 saturated, 2 and more rounded. */
static unsigned convert(const struct conversion *c, const char *from, const char *to,
                        unsigned lanes, unsigned mode)
{
    struct sl_spirv *s = fake_spirv_new();
    uint32_t value = fake_spirv_value(s, fake_spirv_numbers(s, from, lanes));
    uint32_t type = fake_spirv_numbers(s, to, lanes);
    if (mode)
        fake_spirv_decorate(s, fake_spirv_next(s),
                            mode == 1 ? DecorationSaturatedConversion : DecorationFPRoundingMode,
                            mode - 2);
    int rc = fake_spirv_instruction(s, c->opcode, type, &value, 1);
    unsigned bad = rc != 1 ? 1 : missing(s);
    free(fake_spirv_print(s));
    fake_spirv_free(s);
    return bad;
}

static void conversions_exist(void **state)
{
    (void)state;
    unsigned bad = 0;
    for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++)
        for (const char *const *from = conversions[i].from; *from; from++)
            for (const char *const *to = conversions[i].to; *to; to++)
                for (unsigned k = 0; k < 6 * 6; k++)
                    bad += convert(&conversions[i], *from, *to, widths_of_vectors[k % 6], k / 6);
    assert_int_equal(bad, 0);
}

static const struct {
    uint16_t opcode;
    const char *const *types;
    const char *result; /* NULL: as the operands; "2": a pair of these */
    unsigned operands, least, most;
    bool folds; /* the result has one lane */
} plain[] = {
    {OpIsNan, reals, "b", 1, 1, 16, false},
    {OpIsInf, reals, "b", 1, 1, 16, false},
    {OpIsFinite, reals, "b", 1, 1, 16, false},
    {OpIsNormal, reals, "b", 1, 1, 16, false},
    {OpSignBitSet, reals, "b", 1, 1, 16, false},
    {OpLessOrGreater, reals, "b", 2, 1, 16, false},
    {OpOrdered, reals, "b", 2, 1, 16, false},
    {OpUnordered, reals, "b", 2, 1, 16, false},
    {OpBitReverse, integers, NULL, 1, 1, 16, false},
    {OpBitCount, integers, NULL, 1, 1, 16, false},
    {OpDot, reals, NULL, 2, 2, 16, true},
    {OpSDot, integers, "l", 2, 2, 16, true},
    {OpUDot, integers, "l", 2, 2, 16, true},
    {OpSUDot, integers, "l", 2, 2, 16, true},
    {OpIAddCarry, integers, "2", 2, 1, 16, false},
    {OpISubBorrow, integers, "2", 2, 1, 16, false},
    {OpUMulExtended, integers, "2", 2, 1, 16, false},
    {OpSMulExtended, integers, "2", 2, 1, 16, false},
    {OpFmaKHR, reals, NULL, 3, 1, 16, false},
    {OpUCountLeadingZerosINTEL, integers, NULL, 1, 1, 16, false},
    {OpUCountTrailingZerosINTEL, integers, NULL, 1, 1, 16, false},
    {OpAbsISubINTEL, integers, NULL, 2, 1, 16, false},
    {OpAbsUSubINTEL, integers, NULL, 2, 1, 16, false},
    {OpIAddSatINTEL, integers, NULL, 2, 1, 16, false},
    {OpUAddSatINTEL, integers, NULL, 2, 1, 16, false},
    {OpIAverageINTEL, integers, NULL, 2, 1, 16, false},
    {OpUAverageINTEL, integers, NULL, 2, 1, 16, false},
    {OpIAverageRoundedINTEL, integers, NULL, 2, 1, 16, false},
    {OpUAverageRoundedINTEL, integers, NULL, 2, 1, 16, false},
    {OpISubSatINTEL, integers, NULL, 2, 1, 16, false},
    {OpUSubSatINTEL, integers, NULL, 2, 1, 16, false},
    {OpIMul32x16INTEL, words, NULL, 2, 1, 16, false},
    {OpUMul32x16INTEL, words, NULL, 2, 1, 16, false},
};
enum { PLAIN = sizeof plain / sizeof *plain };

static uint32_t pair_of(struct sl_spirv *s, uint32_t type)
{
    LLVMTypeRef element = sl_spirv_type(s, type)->llvm, both[2] = {element, element};
    struct sl_spirv_type pair = {.kind = SL_SPIRV_STRUCT, .count = 2};
    pair.llvm = LLVMStructTypeInContext(sl_spirv_context(s), both, 2, 0);
    return fake_spirv_type(s, &pair);
}

static unsigned run_plain(unsigned i, const char *base, unsigned lanes)
{
    struct sl_spirv *s = fake_spirv_new();
    uint32_t operands[3], type = fake_spirv_numbers(s, base, lanes);
    for (unsigned o = 0; o < plain[i].operands; o++)
        operands[o] = fake_spirv_value(s, type);
    const char *result = plain[i].result ? plain[i].result : base;
    type = *result == '2' ? pair_of(s, type)
                          : fake_spirv_numbers(s, result, plain[i].folds ? 1 : lanes);
    int rc = fake_spirv_instruction(s, plain[i].opcode, type, operands, plain[i].operands);
    unsigned bad = rc != 1 ? 1 : missing(s);
    LLVMValueRef made = rc == 1 ? sl_spirv_value(s, fake_spirv_last(s)) : NULL;
    bad += made && LLVMTypeOf(made) != sl_spirv_type(s, type)->llvm;
    free(fake_spirv_print(s));
    fake_spirv_free(s);
    return bad;
}

static void plain_instructions_have_their_types(void **state)
{
    (void)state;
    unsigned bad = 0;
    for (unsigned i = 0; i < PLAIN; i++)
        for (const char *const *type = plain[i].types; *type; type++)
            for (unsigned w = 0; w < 6; w++)
                if (widths_of_vectors[w] >= plain[i].least && widths_of_vectors[w] <= plain[i].most)
                    bad += run_plain(i, *type, widths_of_vectors[w]);
    assert_int_equal(bad, 0);
}

/* ---- groups ---------------------------------------------------------------------------------- */

enum { WORK_GROUP = 2, SUB_GROUP = 3 };

static const char *const booleans[] = {"b", NULL};

/* Instructions with a kind of sum; `alone`: clusters as well, and no work-groups. */
static const struct {
    uint16_t opcode;
    const char *const *types;
    bool alone;
} sums[] = {
    {OpGroupIAdd, integers, false},
    {OpGroupFAdd, reals, false},
    {OpGroupFMin, reals, false},
    {OpGroupUMin, integers, false},
    {OpGroupSMin, integers, false},
    {OpGroupFMax, reals, false},
    {OpGroupUMax, integers, false},
    {OpGroupSMax, integers, false},
    {OpGroupIMulKHR, integers, false},
    {OpGroupFMulKHR, reals, false},
    {OpGroupBitwiseAndKHR, integers, false},
    {OpGroupBitwiseOrKHR, integers, false},
    {OpGroupBitwiseXorKHR, integers, false},
    {OpGroupLogicalAndKHR, booleans, false},
    {OpGroupLogicalOrKHR, booleans, false},
    {OpGroupLogicalXorKHR, booleans, false},
    {OpGroupNonUniformIAdd, integers, true},
    {OpGroupNonUniformFAdd, reals, true},
    {OpGroupNonUniformIMul, integers, true},
    {OpGroupNonUniformFMul, reals, true},
    {OpGroupNonUniformSMin, integers, true},
    {OpGroupNonUniformUMin, integers, true},
    {OpGroupNonUniformFMin, reals, true},
    {OpGroupNonUniformSMax, integers, true},
    {OpGroupNonUniformUMax, integers, true},
    {OpGroupNonUniformFMax, reals, true},
    {OpGroupNonUniformBitwiseAnd, integers, true},
    {OpGroupNonUniformBitwiseOr, integers, true},
    {OpGroupNonUniformBitwiseXor, integers, true},
    {OpGroupNonUniformLogicalAnd, booleans, true},
    {OpGroupNonUniformLogicalOr, booleans, true},
    {OpGroupNonUniformLogicalXor, booleans, true},
};

/* Gives 0 when the instruction is a call of what is there, with a result of the type. */
static unsigned judge(struct sl_spirv *s, uint16_t opcode, uint32_t type, const uint32_t *operands,
                      unsigned count)
{
    int rc = fake_spirv_instruction(s, opcode, type, operands, count);
    if (rc != 1)
        fprintf(stderr, "%u: %s\n", opcode, fake_spirv_error(s));
    unsigned bad = rc != 1 ? 1 : missing(s);
    LLVMValueRef made = rc == 1 && type ? sl_spirv_value(s, fake_spirv_last(s)) : NULL;
    bad += made && LLVMTypeOf(made) != sl_spirv_type(s, type)->llvm;
    free(fake_spirv_print(s));
    fake_spirv_free(s);
    return bad;
}

static unsigned sum(size_t row, const char *base, unsigned lanes, unsigned scope, unsigned kind)
{
    struct sl_spirv *s = fake_spirv_new();
    uint32_t word = fake_spirv_numbers(s, "i", 1), type = fake_spirv_numbers(s, base, lanes);
    uint32_t operands[] = {fake_spirv_constant(s, word, scope), kind, fake_spirv_value(s, type),
                           fake_spirv_constant(s, word, 4)};
    return judge(s, sums[row].opcode, type, operands, kind == 3 ? 4 : 3);
}

static void sums_of_groups_exist(void **state)
{
    (void)state;
    unsigned bad = 0;
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        for (const char *const *type = sums[i].types; *type; type++)
            for (unsigned kind = 0; kind < (sums[i].alone ? 4 : 3); kind++)
                for (unsigned scope = sums[i].alone ? SUB_GROUP : WORK_GROUP; scope <= SUB_GROUP;
                     scope++) {
                    bad += sum(i, *type, 1, scope, kind);
                    bad += sum(i, *type, 4, scope, kind);
                }
    assert_int_equal(bad, 0);
}

/*
 * Others: a letter for each operand and one for the result in front: s scope, v value, b boolean,
 * i a uint, d an int, m a uint4, l a local id, L three of them.
 */
static const struct {
    uint16_t opcode;
    const char *types;
    bool work_group; /* has the function, too */
} calls[] = {
    {OpGroupAll, "bsb", true},
    {OpGroupAny, "bsb", true},
    {OpGroupBroadcast, "vsvl", true},
    {OpGroupBroadcast, "vsvL", true},
    {OpGroupNonUniformElect, "bs", false},
    {OpGroupNonUniformAll, "bsb", false},
    {OpGroupNonUniformAny, "bsb", false},
    {OpGroupNonUniformAllEqual, "bsv", false},
    {OpGroupNonUniformBroadcast, "vsvi", false},
    {OpGroupNonUniformBroadcastFirst, "vsv", false},
    {OpGroupNonUniformBallot, "msb", false},
    {OpGroupNonUniformInverseBallot, "bsm", false},
    {OpGroupNonUniformBallotBitExtract, "bsmi", false},
    {OpGroupNonUniformBallotFindLSB, "ism", false},
    {OpGroupNonUniformBallotFindMSB, "ism", false},
    {OpGroupNonUniformShuffle, "vsvi", false},
    {OpGroupNonUniformShuffleXor, "vsvi", false},
    {OpGroupNonUniformShuffleUp, "vsvi", false},
    {OpGroupNonUniformShuffleDown, "vsvi", false},
    {OpGroupNonUniformRotateKHR, "vsvd", false},
    {OpGroupNonUniformRotateKHR, "vsvdi", false},
    {OpSubgroupBallotKHR, "mb", false},
    {OpSubgroupFirstInvocationKHR, "vv", false},
    {OpSubgroupAllKHR, "bb", false},
    {OpSubgroupAnyKHR, "bb", false},
    {OpSubgroupAllEqualKHR, "bv", false},
    {OpSubgroupReadInvocationKHR, "vvi", false},
    {OpSubgroupShuffleINTEL, "vvi", false},
    {OpSubgroupShuffleXorINTEL, "vvi", false},
    {OpSubgroupShuffleUpINTEL, "vvvi", false},
    {OpSubgroupShuffleDownINTEL, "vvvi", false},
};

static uint32_t type_of(struct sl_spirv *s, char letter, const char *base, unsigned lanes)
{
    switch (letter) {
    case 'b':
        return fake_spirv_numbers(s, "b", 1);
    case 'm':
        return fake_spirv_numbers(s, "j", 4);
    case 'l':
        return fake_spirv_numbers(s, "m", 1);
    case 'L':
        return fake_spirv_numbers(s, "m", 3);
    case 'v':
        return fake_spirv_numbers(s, base, lanes);
    default:
        return fake_spirv_numbers(s, "j", 1);
    }
}

static unsigned group_call(size_t row, const char *base, unsigned lanes, unsigned scope)
{
    struct sl_spirv *s = fake_spirv_new();
    uint32_t operands[5];
    const char *letters = calls[row].types;
    unsigned count = (unsigned)strlen(letters) - 1;
    for (unsigned i = 0; i < count; i++) {
        uint32_t type = type_of(s, letters[i + 1], base, lanes);
        operands[i] =
            letters[i + 1] == 's' ? fake_spirv_constant(s, type, scope) : fake_spirv_value(s, type);
    }
    uint32_t type = type_of(s, *letters, base, lanes);
    return judge(s, calls[row].opcode, type, operands, count);
}

static void functions_of_groups_exist(void **state)
{
    static const char *const types[] = {"b", "c", "s", "i", "l", "Dh", "f", "d"};
    (void)state;
    unsigned bad = 0;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        for (unsigned t = 0; t < 8; t++)
            for (unsigned w = 0; w < 6; w++)
                for (unsigned scope = calls[i].work_group ? WORK_GROUP : SUB_GROUP;
                     scope <= SUB_GROUP; scope++)
                    bad += group_call(i, types[t], widths_of_vectors[w], scope);
    assert_int_equal(bad, 0);
}

static void counts_of_ballots_exist(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 3; kind++) {
        struct sl_spirv *s = fake_spirv_new();
        uint32_t word = fake_spirv_numbers(s, "j", 1);
        uint32_t operands[] = {fake_spirv_constant(s, word, SUB_GROUP), kind,
                               fake_spirv_value(s, fake_spirv_numbers(s, "j", 4))};
        assert_int_equal(judge(s, OpGroupNonUniformBallotBitCount, word, operands, 3), 0);
    }
}

static uint32_t object_type(struct sl_spirv *s, enum sl_spirv_type_kind kind, const char *name)
{
    struct sl_spirv_type type = {.kind = kind};
    type.llvm = LLVMTargetExtTypeInContext(sl_spirv_context(s), name, NULL, 0, NULL, 0);
    return fake_spirv_type(s, &type);
}

static unsigned async_copy(const char *base, unsigned lanes, bool to_local, unsigned stride)
{
    struct sl_spirv *s = fake_spirv_new();
    uint32_t word = fake_spirv_numbers(s, "i", 1), size = fake_spirv_numbers(s, "m", 1);
    uint32_t element = fake_spirv_numbers(s, base, lanes);
    uint32_t event = object_type(s, SL_SPIRV_EVENT, "spirv.Event");
    uint32_t operands[] = {fake_spirv_constant(s, word, WORK_GROUP),
                           fake_spirv_value(s, fake_spirv_pointer(s, element, to_local ? 3 : 1)),
                           fake_spirv_value(s, fake_spirv_pointer(s, element, to_local ? 1 : 3)),
                           fake_spirv_value(s, size),
                           fake_spirv_constant(s, size, stride),
                           fake_spirv_value(s, event)};
    return judge(s, OpGroupAsyncCopy, event, operands, 6);
}

static void copies_of_groups_exist(void **state)
{
    (void)state;
    unsigned bad = 0;
    for (const char *const *type = all_types; *type; type++)
        for (unsigned k = 0; k < 6 * 4; k++)
            bad += async_copy(*type, widths_of_vectors[k / 4], k & 1, 1 + (k >> 1 & 1));
    assert_int_equal(bad, 0);
    for (unsigned space = 0; space <= 4; space++) {
        struct sl_spirv *s = fake_spirv_new();
        uint32_t word = fake_spirv_numbers(s, "i", 1);
        uint32_t event = object_type(s, SL_SPIRV_EVENT, "spirv.Event");
        uint32_t operands[] = {fake_spirv_constant(s, word, WORK_GROUP),
                               fake_spirv_constant(s, word, 1),
                               fake_spirv_value(s, fake_spirv_pointer(s, event, space))};
        assert_int_equal(judge(s, OpGroupWaitEvents, 0, operands, 3), 0);
    }
}

/* ---- blocks of memory, images ---------------------------------------------------------------- */

/* Dimension, arrayed, depth; how many coordinates and lanes of its size. */
static const struct {
    unsigned dim, arrayed, depth, coordinates, size;
    bool samples;
} images[] = {
    {Dim1D, 0, 0, 1, 1, true}, {DimBuffer, 0, 0, 1, 1, false}, {Dim1D, 1, 0, 2, 2, true},
    {Dim2D, 0, 0, 2, 2, true}, {Dim2D, 1, 0, 3, 3, true},      {Dim2D, 1, 0, 4, 3, true},
    {Dim3D, 0, 0, 3, 3, true}, {Dim3D, 0, 0, 4, 3, true},      {Dim2D, 0, 1, 2, 2, true},
    {Dim2D, 1, 1, 3, 3, true},
};
enum { IMAGES = sizeof images / sizeof *images };

static uint32_t image_type(struct sl_spirv *s, size_t row, unsigned access)
{
    unsigned numbers[] = {images[row].dim, images[row].depth, images[row].arrayed, 0, 0, 0, access};
    LLVMTypeRef none = LLVMVoidTypeInContext(sl_spirv_context(s));
    struct sl_spirv_type type = {.kind = SL_SPIRV_IMAGE};
    type.image.dim = images[row].dim;
    type.image.arrayed = images[row].arrayed;
    type.image.depth = images[row].depth;
    type.image.access = access;
    type.llvm =
        LLVMTargetExtTypeInContext(sl_spirv_context(s), "spirv.Image", &none, 1, numbers, 7);
    return fake_spirv_type(s, &type);
}

static uint32_t pair_type(struct sl_spirv *s, uint32_t image, uint32_t sampler)
{
    LLVMTypeRef both[] = {sl_spirv_type(s, image)->llvm, sl_spirv_type(s, sampler)->llvm};
    struct sl_spirv_type type = {.kind = SL_SPIRV_SAMPLED_IMAGE, .element = image};
    type.llvm = LLVMStructTypeInContext(sl_spirv_context(s), both, 2, 0);
    return fake_spirv_type(s, &type);
}

static unsigned read_image(size_t row, const char *texel, unsigned access, uint32_t mask)
{
    struct sl_spirv *s = fake_spirv_new();
    uint32_t place = fake_spirv_numbers(s, "i", images[row].coordinates);
    uint32_t operands[] = {fake_spirv_value(s, image_type(s, row, access)),
                           fake_spirv_value(s, place), mask};
    return judge(s, OpImageRead, fake_spirv_numbers(s, texel, 4), operands, mask ? 3 : 2);
}

static unsigned write_image(size_t row, const char *texel, unsigned access, uint32_t mask)
{
    struct sl_spirv *s = fake_spirv_new();
    uint32_t place = fake_spirv_numbers(s, "i", images[row].coordinates);
    uint32_t operands[] = {fake_spirv_value(s, image_type(s, row, access)),
                           fake_spirv_value(s, place),
                           fake_spirv_value(s, fake_spirv_numbers(s, texel, 4)), mask};
    return judge(s, OpImageWrite, 0, operands, mask ? 4 : 3);
}

static unsigned sample_image(size_t row, const char *texel, const char *place)
{
    struct sl_spirv *s = fake_spirv_new();
    uint32_t image = image_type(s, row, 0), level = fake_spirv_numbers(s, "f", 1);
    uint32_t sampler = object_type(s, SL_SPIRV_SAMPLER, "spirv.Sampler");
    uint32_t both[] = {fake_spirv_value(s, image), fake_spirv_value(s, sampler)};
    if (fake_spirv_instruction(s, OpSampledImage, pair_type(s, image, sampler), both, 2) != 1)
        return 1;
    uint32_t operands[] = {
        fake_spirv_last(s),
        fake_spirv_value(s, fake_spirv_numbers(s, place, images[row].coordinates)),
        ImageOperandsLodMask, fake_spirv_value(s, level)};
    return judge(s, OpImageSampleExplicitLod, fake_spirv_numbers(s, texel, 4), operands, 4);
}

static void functions_of_images_exist(void **state)
{
    static const char *const texels[] = {"f", "Dh", "i", "i", "i"};
    static const uint32_t masks[] = {0, 0, 0, ImageOperandsSignExtendMask,
                                     ImageOperandsZeroExtendMask};
    (void)state;
    unsigned bad = 0;
    for (size_t i = 0; i < IMAGES; i++)
        for (unsigned t = 0; t < (images[i].depth ? 1 : 5); t++) {
            bad += read_image(i, texels[t], 0, masks[t]) + read_image(i, texels[t], 2, masks[t]);
            bad += write_image(i, texels[t], 1, masks[t]) + write_image(i, texels[t], 2, masks[t]);
            if (images[i].samples)
                bad += sample_image(i, texels[t], "i") + sample_image(i, texels[t], "f");
        }
    assert_int_equal(bad, 0);
}

static unsigned ask_image(size_t row, unsigned access, uint16_t opcode, const char *base,
                          unsigned lanes)
{
    struct sl_spirv *s = fake_spirv_new();
    uint32_t image = fake_spirv_value(s, image_type(s, row, access));
    return judge(s, opcode, fake_spirv_numbers(s, base, lanes), &image, 1);
}

static void questions_about_images_exist(void **state)
{
    (void)state;
    unsigned bad = 0;
    for (size_t i = 0; i < IMAGES; i++)
        for (unsigned access = 0; access < 3; access++) {
            bad += ask_image(i, access, OpImageQuerySize, "i", images[i].size);
            bad += ask_image(i, access, OpImageQuerySizeLod, "l", images[i].size);
            bad += ask_image(i, access, OpImageQueryFormat, "i", 1);
            bad += ask_image(i, access, OpImageQueryOrder, "i", 1);
            bad += ask_image(i, access, OpImageQueryLevels, "i", 1);
        }
    assert_int_equal(bad, 0);
}

static unsigned block(const char *base, unsigned lanes, bool is_read, bool of_image)
{
    struct sl_spirv *s = fake_spirv_new();
    uint32_t data = fake_spirv_numbers(s, base, lanes);
    uint32_t at = fake_spirv_pointer(s, fake_spirv_numbers(s, base, 1), 1);
    uint32_t place = fake_spirv_value(s, fake_spirv_numbers(s, "i", 2));
    uint32_t memory = fake_spirv_value(s, of_image ? image_type(s, 3, is_read ? 0 : 1) : at);
    uint32_t operands[] = {memory, place, fake_spirv_value(s, data)};
    if (!of_image)
        operands[1] = operands[2];
    return judge(s,
                 of_image
                     ? (is_read ? OpSubgroupImageBlockReadINTEL : OpSubgroupImageBlockWriteINTEL)
                     : (is_read ? OpSubgroupBlockReadINTEL : OpSubgroupBlockWriteINTEL),
                 is_read ? data : 0, operands, 1 + of_image + !is_read);
}

static void blocks_exist(void **state)
{
    (void)state;
    unsigned bad = 0;
    for (const char *const *type = all_types; *type; type++)
        for (unsigned w = 0; w < 6; w++) {
            unsigned lanes = widths_of_vectors[w];
            bool is_small = **type == 'c' || **type == 's' || **type == 'D';
            if (lanes == 3 || (lanes == 16 && !is_small))
                continue;
            for (unsigned k = 0; k < 4; k++)
                bad += block(*type, lanes, k & 1, k & 2);
        }
    assert_int_equal(bad, 0);
}

/* ---- atomics, barriers ----------------------------------------------------------------------- */

static void expect_text(struct sl_spirv *s, const char *expected)
{
    char *text = fake_spirv_print(s);
    if (!strstr(text, expected))
        fprintf(stderr, "%s\nhas no %s\n", text, expected);
    assert_non_null(strstr(text, expected));
    free(text);
    fake_spirv_free(s);
}

static const struct {
    uint16_t opcode;
    const char *base;
    unsigned operands; /* behind pointer, scope and semantics; all are values */
    uint32_t semantics;
    const char *expected;
    bool to_bool;
} atomics[] = {
    {OpAtomicLoad, "i", 0, 0x2, "load atomic i32, ptr addrspace(1) %1 acquire, align 4", false},
    {OpAtomicLoad, "d", 0, 0x4, "load atomic double, ptr addrspace(1) %1 monotonic, align 8",
     false},
    {OpAtomicExchange, "f", 1, 0x8, "atomicrmw xchg ptr addrspace(1) %1, float %2 acq_rel", false},
    {OpAtomicCompareExchange, "l", 3, 0x10, "cmpxchg ptr addrspace(1) %1, i64 %4, i64 %3 seq_cst",
     false},
    {OpAtomicCompareExchangeWeak, "i", 3, 0,
     "cmpxchg ptr addrspace(1) %1, i32 %4, i32 %3 monotonic", false},
    {OpAtomicIIncrement, "i", 0, 0, "atomicrmw add ptr addrspace(1) %1, i32 1 monotonic", false},
    {OpAtomicIDecrement, "l", 0, 0x4, "atomicrmw sub ptr addrspace(1) %1, i64 1 release", false},
    {OpAtomicIAdd, "i", 1, 0, "atomicrmw add ptr addrspace(1) %1, i32 %2 monotonic", false},
    {OpAtomicISub, "i", 1, 0, "atomicrmw sub ptr", false},
    {OpAtomicSMin, "i", 1, 0, "atomicrmw min ptr", false},
    {OpAtomicUMin, "i", 1, 0, "atomicrmw umin ptr", false},
    {OpAtomicSMax, "l", 1, 0, "atomicrmw max ptr", false},
    {OpAtomicUMax, "i", 1, 0, "atomicrmw umax ptr", false},
    {OpAtomicAnd, "i", 1, 0, "atomicrmw and ptr", false},
    {OpAtomicOr, "i", 1, 0, "atomicrmw or ptr", false},
    {OpAtomicXor, "i", 1, 0, "atomicrmw xor ptr", false},
    {OpAtomicFAddEXT, "f", 1, 0, "atomicrmw fadd ptr addrspace(1) %1, float %2 monotonic", false},
    {OpAtomicFMinEXT, "d", 1, 0, "atomicrmw fmin ptr", false},
    {OpAtomicFMaxEXT, "f", 1, 0, "atomicrmw fmax ptr", false},
    {OpAtomicFlagTestAndSet, "i", 0, 0x2, "atomicrmw xchg ptr addrspace(1) %1, i32 1 acquire",
     true},
};

static void atomics_are_instructions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof atomics / sizeof *atomics; i++) {
        struct sl_spirv *s = fake_spirv_new();
        uint32_t word = fake_spirv_numbers(s, "i", 1),
                 type = fake_spirv_numbers(s, atomics[i].base, 1);
        uint32_t operands[6] = {fake_spirv_value(s, fake_spirv_pointer(s, type, 1)),
                                fake_spirv_constant(s, word, 1),
                                fake_spirv_constant(s, word, atomics[i].semantics)};
        for (unsigned k = 0; k < atomics[i].operands; k++)
            operands[3 + k] = fake_spirv_value(s, type);
        if (atomics[i].operands == 3)
            operands[3] = operands[2];
        if (atomics[i].to_bool)
            type = fake_spirv_numbers(s, "b", 1);
        assert_int_equal(
            fake_spirv_instruction(s, atomics[i].opcode, type, operands, 3 + atomics[i].operands),
            1);
        expect_text(s, atomics[i].expected);
    }
}

static void atomic_stores_are_instructions(void **state)
{
    (void)state;
    struct sl_spirv *s = fake_spirv_new();
    uint32_t word = fake_spirv_numbers(s, "i", 1);
    uint32_t operands[] = {fake_spirv_value(s, fake_spirv_pointer(s, word, 4)),
                           fake_spirv_constant(s, word, 1), fake_spirv_value(s, word),
                           fake_spirv_constant(s, word, 7)};
    assert_int_equal(fake_spirv_instruction(s, OpAtomicStore, 0, operands, 4), 1);
    expect_text(s,
                "store atomic i32 7, ptr addrspace(4) %1 seq_cst, align 4"); /* who knows which */
    s = fake_spirv_new();
    word = fake_spirv_numbers(s, "i", 1);
    operands[0] = fake_spirv_value(s, fake_spirv_pointer(s, word, 3));
    operands[1] = operands[2] = fake_spirv_constant(s, word, 4);
    assert_int_equal(fake_spirv_instruction(s, OpAtomicFlagClear, 0, operands, 3), 1);
    expect_text(s, "store atomic i32 0, ptr addrspace(3) %1 release, align 4");
}

static const struct {
    uint16_t opcode;
    uint32_t operands[3];
    unsigned count;
    const char *expected;
} barriers[] = {
    {OpControlBarrier, {2, 2, 0x110}, 3, "@_Z18work_group_barrierj12memory_scope(i32 1, i32 1)"},
    {OpControlBarrier, {2, 1, 0xb08}, 3, "@_Z18work_group_barrierj12memory_scope(i32 7, i32 2)"},
    {OpControlBarrier, {3, 3, 0x208}, 3, "@_Z17sub_group_barrierj12memory_scope(i32 2, i32 4)"},
    {OpControlBarrier,
     {4, 0, 0x202},
     3,
     "@_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 2, i32 2, i32 3)"},
    {OpMemoryBarrier,
     {1, 0x308},
     2,
     "@_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 3, i32 4, i32 2)"},
    {OpControlBarrierArriveINTEL,
     {2, 2, 0x104},
     3,
     "@_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 1, i32 3, i32 1)"},
    {OpControlBarrierWaitINTEL,
     {2, 2, 0x102},
     3,
     "@_Z18work_group_barrierj12memory_scope(i32 1, i32 1)"},
};

static void barriers_are_calls(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof barriers / sizeof *barriers; i++) {
        struct sl_spirv *s = fake_spirv_new();
        uint32_t word = fake_spirv_numbers(s, "i", 1), operands[3];
        for (unsigned k = 0; k < barriers[i].count; k++)
            operands[k] = fake_spirv_constant(s, word, barriers[i].operands[k]);
        assert_int_equal(
            fake_spirv_instruction(s, barriers[i].opcode, 0, operands, barriers[i].count), 1);
        expect_text(s, barriers[i].expected);
    }
}

/* ---- pipes ----------------------------------------------------------------------------------- */

/* Operands: s a scope (its number follows in `scope`), p a pipe, r a reservation, g a packet, i. */
static const struct {
    uint16_t opcode;
    const char *operands;
    unsigned access, scope;
    char result; /* v nothing, i, r, b */
    const char *expected;
} pipes[] = {
    {OpReadPipe, "pgii", 0, 0, 'i', "call spir_func i32 @__read_pipe_2(target(\"spirv.Pipe\", 0) "},
    {OpWritePipe, "pgii", 1, 0, 'i',
     "call spir_func i32 @__write_pipe_2(target(\"spirv.Pipe\", 1) "},
    {OpReadPipeBlockingINTEL, "pgii", 0, 0, 'v', "call spir_func i32 @__read_pipe_2_bl(target"},
    {OpWritePipeBlockingINTEL, "pgii", 1, 0, 'v', "call spir_func i32 @__write_pipe_2_bl(target"},
    {OpReservedReadPipe, "prigii", 0, 0, 'i', "call spir_func i32 @__read_pipe_4(target"},
    {OpReservedWritePipe, "prigii", 1, 0, 'i', "call spir_func i32 @__write_pipe_4(target"},
    {OpReserveReadPipePackets, "piii", 0, 0, 'r',
     "call spir_func target(\"spirv.ReserveId\") @__reserve_read_pipe(target"},
    {OpReserveWritePipePackets, "piii", 1, 0, 'r',
     "call spir_func target(\"spirv.ReserveId\") @__reserve_write_pipe(target"},
    {OpCommitReadPipe, "prii", 0, 0, 'v', "call spir_func void @__commit_read_pipe(target"},
    {OpCommitWritePipe, "prii", 1, 0, 'v', "call spir_func void @__commit_write_pipe(target"},
    {OpGroupReserveReadPipePackets, "spiii", 0, 2, 'r', "@__work_group_reserve_read_pipe(target"},
    {OpGroupReserveWritePipePackets, "spiii", 1, 3, 'r', "@__sub_group_reserve_write_pipe(target"},
    {OpGroupCommitReadPipe, "sprii", 0, 3, 'v', "@__sub_group_commit_read_pipe(target"},
    {OpGroupCommitWritePipe, "sprii", 1, 2, 'v', "@__work_group_commit_write_pipe(target"},
    {OpGetNumPipePackets, "pii", 0, 0, 'i', "@__get_pipe_num_packets_ro(target"},
    {OpGetMaxPipePackets, "pii", 1, 0, 'i', "@__get_pipe_max_packets_wo(target"},
    {OpIsValidReserveId, "r", 0, 0, 'b',
     "call spir_func zeroext i1 @_Z19is_valid_reserve_id13ocl_reserveid(target"},
};

static uint32_t pipe_type(struct sl_spirv *s, char letter, size_t row)
{
    struct sl_spirv_type pipe = {.kind = SL_SPIRV_PIPE};
    unsigned access = pipes[row].access;
    switch (letter) {
    case 'p':
        pipe.image.access = access;
        pipe.llvm =
            LLVMTargetExtTypeInContext(sl_spirv_context(s), "spirv.Pipe", NULL, 0, &access, 1);
        return fake_spirv_type(s, &pipe);
    case 'r':
        return object_type(s, SL_SPIRV_RESERVE_ID, "spirv.ReserveId");
    case 'g':
        return fake_spirv_pointer(s, fake_spirv_numbers(s, "i", 1), row & 1 ? 0 : 4);
    case 'b':
        return fake_spirv_numbers(s, "b", 1);
    case 'v':
        return 0;
    default:
        return fake_spirv_numbers(s, "i", 1);
    }
}

static void pipes_are_what_clang_calls(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pipes / sizeof *pipes; i++) {
        struct sl_spirv *s = fake_spirv_new();
        uint32_t operands[6];
        unsigned count = (unsigned)strlen(pipes[i].operands);
        for (unsigned k = 0; k < count; k++) {
            uint32_t type = pipe_type(s, pipes[i].operands[k], i);
            operands[k] = pipes[i].operands[k] == 's' ? fake_spirv_constant(s, type, pipes[i].scope)
                                                      : fake_spirv_value(s, type);
        }
        uint32_t result = pipe_type(s, pipes[i].result, i);
        assert_int_equal(fake_spirv_instruction(s, pipes[i].opcode, result, operands, count), 1);
        expect_text(s, pipes[i].expected);
    }
}

static uint32_t storage(struct sl_spirv *s)
{
    LLVMContextRef context = sl_spirv_context(s);
    LLVMTypeRef word = LLVMInt32TypeInContext(context);
    LLVMValueRef numbers[] = {LLVMConstInt(word, 8, 0), LLVMConstInt(word, 4, 0),
                              LLVMConstInt(word, 5, 0)};
    LLVMValueRef all = LLVMConstStructInContext(context, numbers, 3, 0);
    LLVMValueRef variable =
        LLVMAddGlobalInAddressSpace(sl_spirv_module(s), LLVMTypeOf(all), "stream", 1);
    LLVMSetInitializer(variable, all);
    return fake_spirv_variable(s, fake_spirv_pointer(s, fake_spirv_numbers(s, "i", 1), 1),
                               variable);
}

/* The variable gives its name to what passes know as a pipe; both ends are the same one. */
static void pipes_of_programs_are_described(void **state)
{
    static const char *const expected[] = {
        "@stream = external addrspace(2) constant [1 x i32]",
        "call spir_func i32 @__sl_read_pipe_2(ptr addrspace(2) @stream, ptr addrspace(4) ",
        "call spir_func i32 @__sl_write_pipe_2_bl(ptr addrspace(2) @stream, ptr addrspace(4) ",
        "!sl.pipes = !{!0}",
        "!{!\"stream\", !\"pipe\", i32 8, i32 4, i32 5, i32 0, !\"\", !\"\", !\"\", i32 0, i32 0}"};
    (void)state;
    struct sl_spirv *s = fake_spirv_new();
    uint32_t word = fake_spirv_numbers(s, "i", 1), variable = storage(s), ends[2];
    for (unsigned k = 0; k < 2; k++) {
        assert_int_equal(fake_spirv_instruction(s, OpCreatePipeFromPipeStorage,
                                                pipe_type(s, 'p', k), &variable, 1),
                         1);
        ends[k] = fake_spirv_last(s);
    }
    uint32_t packet = fake_spirv_value(s, fake_spirv_pointer(s, word, 4));
    uint32_t operands[] = {ends[0], packet, fake_spirv_constant(s, word, 8),
                           fake_spirv_constant(s, word, 4)};
    assert_int_equal(fake_spirv_instruction(s, OpReadPipe, word, operands, 4), 1);
    operands[0] = ends[1];
    assert_int_equal(fake_spirv_instruction(s, OpWritePipeBlockingINTEL, 0, operands, 4), 1);
    char *text = fake_spirv_print(s);
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        if (!strstr(text, expected[k]))
            fprintf(stderr, "%s\nhas no %s\n", text, expected[k]);
        assert_non_null(strstr(text, expected[k]));
    }
    free(text);
    fake_spirv_free(s);
}

static void clocks_exist(void **state)
{
    (void)state;
    for (unsigned scope = 1; scope <= 3; scope++)
        for (unsigned lanes = 1; lanes <= 2; lanes++) {
            struct sl_spirv *s = fake_spirv_new();
            uint32_t id = fake_spirv_constant(s, fake_spirv_numbers(s, "i", 1), scope);
            uint32_t type = fake_spirv_numbers(s, lanes > 1 ? "i" : "l", lanes);
            assert_int_equal(judge(s, OpReadClockKHR, type, &id, 1), 0);
        }
}

/* What no device has is refused by its name. */
static void unsupported_instructions_are_refused(void **state)
{
    static const struct {
        uint16_t opcode;
        uint32_t operands[4];
        unsigned count;
        const char *why;
    } refused[] = {
        {OpControlBarrier, {1, 1, 0}, 3, "wider than a work-group"},
        {OpControlBarrier, {9, 1, 0}, 3, "scope 9"},
        {OpMemoryBarrier, {5, 0x8}, 2, "scope 5"},
        {OpNamedBarrierInitialize, {1}, 1, "NamedBarrier"},
        {OpMemoryNamedBarrier, {1, 1, 0}, 3, "NamedBarrier"},
        {OpSubgroupImageMediaBlockReadINTEL, {0}, 4, "SubgroupImageMediaBlockIOINTEL"},
        {OpSubgroupImageMediaBlockWriteINTEL, {0}, 4, "SubgroupImageMediaBlockIOINTEL"},
        {OpImageQuerySamples, {0}, 1, "several samples"},
        {OpEnqueueKernel, {0}, 4, "4 operands"},
        {OpReadClockKHR, {4}, 1, "no clock"},
        {OpGroupAll, {1, 1}, 2, "scope 1"},
        {OpGroupNonUniformElect, {2}, 1, "not of a work-group"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct sl_spirv *s = fake_spirv_new();
        uint32_t word = fake_spirv_numbers(s, "i", 1), operands[4];
        for (unsigned k = 0; k < 4; k++)
            operands[k] = fake_spirv_constant(s, word, refused[i].operands[k]);
        assert_int_equal(
            fake_spirv_instruction(s, refused[i].opcode, word, operands, refused[i].count), -1);
        if (!strstr(fake_spirv_error(s), refused[i].why))
            fprintf(stderr, "%s, not %s\n", fake_spirv_error(s), refused[i].why);
        assert_non_null(strstr(fake_spirv_error(s), refused[i].why));
        fake_spirv_free(s);
    }
}

/* ---- any operands at all --------------------------------------------------------------------- */

static const struct {
    uint16_t opcode;
    unsigned least;
} all_rows[] = {
#define OP(opcode, least, kind, name, parameters, flags) {opcode, least},
#include "spirv/builtins/builtin.def"
#undef OP
};

enum { KINDS_OF_OPERANDS = 16 };

/* One value of each type that modules have, and constants, which also are scopes. */
static void make_operands(struct sl_spirv *s, uint32_t types[KINDS_OF_OPERANDS],
                          uint32_t values[KINDS_OF_OPERANDS])
{
    static const char *const bases[] = {"b", "c", "i", "l", "Dh", "f", "d", "b"};
    unsigned n = 0;
    for (unsigned k = 0; k < 8; k++)
        types[n++] = fake_spirv_numbers(s, bases[k], k == 7 ? 4 : 1);
    types[n++] = fake_spirv_numbers(s, "i", 4);
    types[n++] = fake_spirv_numbers(s, "f", 3);
    types[n++] = fake_spirv_pointer(s, types[2], 1);
    types[n++] = pair_of(s, types[2]);
    types[n++] = image_type(s, 3, 0);
    types[n++] = object_type(s, SL_SPIRV_EVENT, "spirv.Event");
    for (unsigned k = 0; k < n; k++)
        values[k] = fake_spirv_value(s, types[k]);
    for (; n < KINDS_OF_OPERANDS; n++) {
        types[n] = types[2];
        values[n] = fake_spirv_constant(s, types[2], n == 15 ? 3 : 2);
    }
}

/* Whatever a module says: it is refused, or LLVM accepts what becomes of it. */
static void any_operands_are_safe(void **state)
{
    (void)state;
    uint32_t random = 12345, accepted = 0;
    for (size_t row = 0; row < sizeof all_rows / sizeof *all_rows; row++) {
        struct sl_spirv *s = fake_spirv_new();
        uint32_t types[KINDS_OF_OPERANDS], values[KINDS_OF_OPERANDS], operands[8];
        make_operands(s, types, values);
        for (unsigned round = 0; round < 800; round++) {
            for (unsigned k = 0; k < 8; k++, random = random * 1664525 + 1013904223)
                operands[k] = values[random >> 28];
            if (round & 1)
                operands[0] = values[15]; /* a scope */
            if (round & 2)
                operands[1] = round >> 2 & 3; /* a kind of sum */
            random = random * 1664525 + 1013904223;
            uint32_t type = round & 4 ? types[random >> 28] : 0;
            accepted += fake_spirv_instruction(s, all_rows[row].opcode, type, operands,
                                               all_rows[row].least + (round >> 3 & 1)) == 1;
        }
        free(fake_spirv_print(s));
        fake_spirv_free(s);
    }
    assert_true(accepted > 1000);
}

/* Too few operands, and operands of a type that the instruction does not take. */
static void wrong_operands_are_refused(void **state)
{
    (void)state;
    struct sl_spirv *s = fake_spirv_new();
    uint32_t real = fake_spirv_numbers(s, "f", 4), integer = fake_spirv_numbers(s, "i", 4);
    uint32_t values[2] = {fake_spirv_value(s, real), fake_spirv_value(s, integer)};
    for (unsigned i = 0; i < PLAIN; i++) {
        const uint32_t *wrong = plain[i].types == reals ? &values[1] : &values[0];
        assert_int_equal(fake_spirv_instruction(s, plain[i].opcode, real, wrong, 0), -1);
        assert_non_null(strstr(fake_spirv_error(s), "0 operands"));
        uint32_t both[2] = {*wrong, *wrong};
        assert_int_equal(fake_spirv_instruction(s, plain[i].opcode, real, both, 2), -1);
        assert_int_not_equal(*fake_spirv_error(s), 0);
    }
    assert_int_equal(fake_spirv_standard(s, 7, real, values, 1), -1);  /* atan2 of one number */
    assert_int_equal(fake_spirv_standard(s, 30, real, values, 2), -1); /* fract to no pointer */
    assert_int_equal(fake_spirv_standard(s, 120, real, values, 1), 0); /* no such number */
    assert_int_equal(fake_spirv_instruction(s, OpNop, 0, NULL, 0), 0); /* not ours */
    fake_spirv_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standard_numbers_are_all_there),
        cmocka_unit_test(standard_functions_exist),
        cmocka_unit_test(conversions_exist),
        cmocka_unit_test(plain_instructions_have_their_types),
        cmocka_unit_test(sums_of_groups_exist),
        cmocka_unit_test(functions_of_groups_exist),
        cmocka_unit_test(counts_of_ballots_exist),
        cmocka_unit_test(copies_of_groups_exist),
        cmocka_unit_test(functions_of_images_exist),
        cmocka_unit_test(questions_about_images_exist),
        cmocka_unit_test(blocks_exist),
        cmocka_unit_test(atomics_are_instructions),
        cmocka_unit_test(atomic_stores_are_instructions),
        cmocka_unit_test(barriers_are_calls),
        cmocka_unit_test(pipes_are_what_clang_calls),
        cmocka_unit_test(pipes_of_programs_are_described),
        cmocka_unit_test(clocks_exist),
        cmocka_unit_test(unsupported_instructions_are_refused),
        cmocka_unit_test(any_operands_are_safe),
        cmocka_unit_test(wrong_operands_are_refused),
    };
    return cmocka_run_group_tests(tests, open_library, close_library);
}
