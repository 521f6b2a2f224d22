/* SPDX-License-Identifier: Apache-2.0 */
/* SPIR-V's images, blocks of memory, atomics and barriers as calls and code. */
#include "spirv_builtin_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static uint32_t type_of_row(struct sl_spirv *s, size_t row, unsigned access)
{
    return image_type(s, images[row].dim, images[row].arrayed, images[row].depth, access);
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
    uint32_t operands[] = {fake_spirv_value(s, type_of_row(s, row, access)),
                           fake_spirv_value(s, place), mask};
    return judge(s, OpImageRead, fake_spirv_numbers(s, texel, 4), operands, mask ? 3 : 2);
}

static unsigned write_image(size_t row, const char *texel, unsigned access, uint32_t mask)
{
    struct sl_spirv *s = fake_spirv_new();
    uint32_t place = fake_spirv_numbers(s, "i", images[row].coordinates);
    uint32_t operands[] = {fake_spirv_value(s, type_of_row(s, row, access)),
                           fake_spirv_value(s, place),
                           fake_spirv_value(s, fake_spirv_numbers(s, texel, 4)), mask};
    return judge(s, OpImageWrite, 0, operands, mask ? 4 : 3);
}

static unsigned sample_image(size_t row, const char *texel, const char *place)
{
    struct sl_spirv *s = fake_spirv_new();
    uint32_t image = type_of_row(s, row, 0), level = fake_spirv_numbers(s, "f", 1);
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
    uint32_t image = fake_spirv_value(s, type_of_row(s, row, access));
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
    uint32_t memory = fake_spirv_value(s, of_image ? type_of_row(s, 3, is_read ? 0 : 1) : at);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_of_images_exist),
        cmocka_unit_test(questions_about_images_exist),
        cmocka_unit_test(blocks_exist),
        cmocka_unit_test(atomics_are_instructions),
        cmocka_unit_test(atomic_stores_are_instructions),
        cmocka_unit_test(barriers_are_calls),
    };
    return cmocka_run_group_tests(tests, open_library, close_library);
}
