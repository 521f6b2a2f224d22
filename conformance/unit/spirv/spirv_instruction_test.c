/* SPDX-License-Identifier: Apache-2.0 */
/* SPIR-V's own instructions on numbers as calls and code; what is refused; any operands at all. */
#include "spirv_builtin_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"i", NULL};

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
    types[n++] = image_type(s, Dim2D, false, false, 0);
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
        cmocka_unit_test(conversions_exist),
        cmocka_unit_test(plain_instructions_have_their_types),
        cmocka_unit_test(unsupported_instructions_are_refused),
        cmocka_unit_test(any_operands_are_safe),
        cmocka_unit_test(wrong_operands_are_refused),
    };
    return cmocka_run_group_tests(tests, open_library, close_library);
}
