/* SPDX-License-Identifier: Apache-2.0 */
/* SPIR-V's instructions of work-groups and sub-groups call what the builtins archive has. */
#include "spirv_builtin_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_groups_exist),
        cmocka_unit_test(functions_of_groups_exist),
        cmocka_unit_test(counts_of_ballots_exist),
        cmocka_unit_test(copies_of_groups_exist),
    };
    return cmocka_run_group_tests(tests, open_library, close_library);
}
