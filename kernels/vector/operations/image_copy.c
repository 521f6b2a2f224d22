/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One function for each sampler and shape that reads or writes for all lanes: calls that agree on
 * them share it. No shared state.
 */
#include "vector/operations/image_copy.h"

#include "vector/analysis/image_call.h"
#include "vector/analysis/target.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* What a version takes: the vectors lie in a block, where colours take their place. Those for rows
 * have one more, in which the first says to the second where the row is (builtins: sl_row). */
enum { IMAGE, SAMPLER, BLOCK, SHAPE, ROW, OPERANDS };
enum { MOST_VECTORS = SL_IMAGE_MOST - SL_IMAGE_VECTORS, ROW_VECTORS = 3 };

static LLVMTypeRef copy_type(const struct sl_emit *e, LLVMTypeRef vector, bool reads)
{
    LLVMTypeRef given[SL_IMAGE_MOST] = {e->ptr, e->i32, e->i32}, colors[SL_IMAGE_CHANNELS];
    unsigned count = reads ? SL_IMAGE_VECTORS + SL_IMAGE_COORDINATES : (unsigned)SL_IMAGE_MOST;
    for (unsigned k = SL_IMAGE_VECTORS; k < count; k++)
        given[k] = vector;
    for (unsigned k = 0; k < SL_IMAGE_CHANNELS; k++)
        colors[k] = vector;
    LLVMTypeRef result =
        reads ? LLVMStructTypeInContext(e->context, colors, SL_IMAGE_CHANNELS, false) : e->none;
    return LLVMFunctionType(result, given, count, false);
}

static LLVMValueRef place_of(const struct sl_emit *e, LLVMTypeRef type, LLVMValueRef block,
                             uint32_t k)
{
    LLVMValueRef at = sl_emit_i32(e, k);
    return k ? LLVMBuildInBoundsGEP2(e->builder, type, block, &at, 1, "") : block;
}

static unsigned long long number(LLVMValueRef value)
{
    return LLVMIsAConstantInt(value) ? LLVMConstIntGetZExtValue(value) : ULLONG_MAX;
}

/* ---- memory's order -------------------------------------------------------------------------- */

static LLVMValueRef shuffled(const struct sl_emit *e, LLVMValueRef a, LLVMValueRef b,
                             const uint32_t *order, uint32_t count)
{
    LLVMValueRef numbers[64];
    for (uint32_t n = 0; n < count; n++)
        numbers[n] = sl_emit_i32(e, order[n]);
    return LLVMBuildShuffleVector(e->builder, a, b, LLVMConstVector(numbers, count), "");
}

/* The same exchange in each quarter of four items: 0 to 3 are the first vector's, 4 to 7 the
 * other's.
 */
static LLVMValueRef mixed(const struct sl_emit *e, LLVMValueRef a, LLVMValueRef b,
                          const uint32_t order[4])
{
    uint32_t items = LLVMGetVectorSize(LLVMTypeOf(a)), all[64];
    for (uint32_t n = 0; n < items; n++) {
        uint32_t from = order[n % 4];
        all[n] = from / 4 * items + n / 4 * 4 + from % 4;
    }
    return shuffled(e, a, b, all, items);
}

/* Four numbers of an item from each of these, for as many as there are. */
static LLVMValueRef fours_of(const struct sl_emit *e, LLVMValueRef *rows, uint32_t count,
                             uint32_t quarter)
{
    uint32_t order[64], items = LLVMGetVectorSize(LLVMTypeOf(rows[0]));
    if (count == 1)
        return rows[0];
    if (count == 4) {
        LLVMValueRef low = fours_of(e, rows, 2, quarter), high = fours_of(e, rows + 2, 2, quarter);
        for (uint32_t n = 0; n < 16; n++)
            order[n] = n;
        return shuffled(e, low, high, order, 16);
    }
    for (uint32_t n = 0; n < 8; n++)
        order[n] = n / 4 * items + quarter * 4 + n % 4;
    return shuffled(e, rows[0], rows[1], order, 8);
}

/* Vectors of channels become those of the items' quarters, by steps that stay within four words as
 * long as they can (builtins/image/image_lanes_memory.h: sl_to_memory_order). */
static LLVMValueRef in_memory_order(const struct sl_emit *e, LLVMValueRef colors)
{
    static const uint32_t low[] = {0, 4, 1, 5}, high[] = {2, 6, 3, 7};
    static const uint32_t first[] = {0, 1, 4, 5}, second[] = {2, 3, 6, 7};
    LLVMValueRef c[SL_IMAGE_CHANNELS], rows[SL_IMAGE_CHANNELS];
    for (uint32_t k = 0; k < SL_IMAGE_CHANNELS; k++)
        c[k] = LLVMBuildExtractValue(e->builder, colors, k, "");
    for (uint32_t k = 0; k < 2; k++) {
        LLVMValueRef a = mixed(e, c[0], c[1], k ? high : low);
        LLVMValueRef b = mixed(e, c[2], c[3], k ? high : low);
        rows[2 * k] = mixed(e, a, b, first);
        rows[2 * k + 1] = mixed(e, a, b, second);
    }
    uint32_t each = LLVMGetVectorSize(LLVMTypeOf(c[0])) / SL_IMAGE_CHANNELS;
    for (uint32_t k = 0; k < SL_IMAGE_CHANNELS; k++) {
        uint32_t item = k * each;
        colors = LLVMBuildInsertValue(e->builder, colors,
                                      fours_of(e, rows + item % 4, each, item / 4), k, "");
    }
    return colors;
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* What a copy calls: a version for items anywhere; or, where items are in a row, the one that knows
 * their colours then, and else the copy for items anywhere. */
struct versions {
    LLVMValueRef does, row, anywhere;
};

struct copy {
    struct sl_emit e;
    LLVMValueRef function, given[SL_IMAGE_MOST], args[OPERANDS];
    LLVMTypeRef vector;
    LLVMValueRef block; /* of vectors, and of what versions for rows tell each other */
};

static LLVMValueRef call(const struct sl_emit *e, LLVMValueRef f, LLVMValueRef *args)
{
    return LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(f), f, args, LLVMCountParams(f), "");
}

static void leave_unless_row(struct copy *c, const struct versions *from)
{
    const struct sl_emit *e = &c->e;
    LLVMBasicBlockRef row = LLVMAppendBasicBlockInContext(e->context, c->function, "row");
    LLVMBasicBlockRef other = LLVMAppendBasicBlockInContext(e->context, c->function, "anywhere");
    LLVMBuildCondBr(e->builder, call(e, from->row, c->args), row, other);
    LLVMPositionBuilderAtEnd(e->builder, other);
    LLVMValueRef colors = call(e, from->anywhere, c->given);
    bool packed = number(c->args[SHAPE]) & SL_IMAGE_PACKED;
    LLVMBuildRet(e->builder, packed ? in_memory_order(e, colors) : colors);
    LLVMPositionBuilderAtEnd(e->builder, row);
}

static void give_back(struct copy *c)
{
    LLVMBuilderRef b = c->e.builder;
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(c->function));
    LLVMValueRef all = LLVMGetPoison(result);
    if (LLVMGetTypeKind(result) != LLVMStructTypeKind) {
        LLVMBuildRetVoid(b);
        return;
    }
    for (uint32_t k = 0; k < SL_IMAGE_CHANNELS; k++) {
        LLVMValueRef one =
            LLVMBuildLoad2(b, c->vector, place_of(&c->e, c->vector, c->block, k), "");
        all = LLVMBuildInsertValue(b, all, one, k, "");
    }
    LLVMBuildRet(b, all);
}

static void fill_copy(LLVMValueRef function, const struct versions *from, LLVMValueRef *fixed)
{
    struct copy c = {.function = function};
    sl_emit_init(&c.e, LLVMGetModuleContext(LLVMGetGlobalParent(function)));
    LLVMPositionBuilderAtEnd(c.e.builder, LLVMAppendBasicBlockInContext(c.e.context, function, ""));
    LLVMGetParams(function, c.given);
    c.vector = LLVMTypeOf(c.given[SL_IMAGE_VECTORS]);
    c.block =
        LLVMBuildAlloca(c.e.builder, LLVMArrayType2(c.vector, MOST_VECTORS + ROW_VECTORS), "");
    LLVMSetAlignment(c.block, SL_VECTOR_ARRAY_ALIGN);
    for (uint32_t k = 0; k < LLVMCountParams(function) - SL_IMAGE_VECTORS; k++)
        LLVMBuildStore(c.e.builder, c.given[SL_IMAGE_VECTORS + k],
                       place_of(&c.e, c.vector, c.block, k));
    c.args[IMAGE] = c.given[SL_IMAGE_IMAGE];
    c.args[SAMPLER] = LLVMIsAConstantInt(fixed[SL_IMAGE_SAMPLER]) ? fixed[SL_IMAGE_SAMPLER]
                                                                  : c.given[SL_IMAGE_SAMPLER];
    c.args[SHAPE] =
        LLVMIsAConstantInt(fixed[SL_IMAGE_SHAPE]) ? fixed[SL_IMAGE_SHAPE] : c.given[SL_IMAGE_SHAPE];
    c.args[BLOCK] = c.block;
    c.args[ROW] = place_of(&c.e, c.vector, c.block, MOST_VECTORS);
    if (from->row)
        leave_unless_row(&c, from);
    call(&c.e, from->does, c.args);
    give_back(&c);
    sl_emit_finish(&c.e);
}

/* With the sampler, if it is known, and the shape only their cases are left. */
static LLVMValueRef copy_of(const struct sl_emit *e, const struct versions *from,
                            LLVMValueRef *args, bool reads)
{
    char name[128];
    LLVMModuleRef module = LLVMGetGlobalParent(from->does);
    snprintf(name, sizeof name, "%s.%llx.%llx", LLVMGetValueName(from->does),
             number(args[SL_IMAGE_SAMPLER]), number(args[SL_IMAGE_SHAPE]));
    LLVMValueRef copy = LLVMGetNamedFunction(module, name);
    if (copy)
        return copy;
    copy = LLVMAddFunction(module, name, copy_type(e, LLVMTypeOf(args[SL_IMAGE_VECTORS]), reads));
    LLVMSetLinkage(copy, LLVMInternalLinkage);
    sl_emit_add_enum_attribute(copy, LLVMAttributeFunctionIndex, "nounwind", 0);
    sl_emit_add_enum_attribute(from->does, LLVMAttributeFunctionIndex, "alwaysinline", 0);
    if (from->row)
        sl_emit_add_enum_attribute(from->row, LLVMAttributeFunctionIndex, "alwaysinline", 0);
    fill_copy(copy, from, args);
    return copy;
}

LLVMValueRef sl_image_copy(const struct sl_emit *e, LLVMValueRef version, LLVMValueRef *args,
                           bool reads)
{
    return copy_of(e, &(struct versions){.does = version}, args, reads);
}

LLVMValueRef sl_image_row_copy(const struct sl_emit *e, LLVMValueRef read, LLVMValueRef *args,
                               bool packed, LLVMValueRef anywhere)
{
    uint32_t items;
    LLVMValueRef more[SL_IMAGE_MOST];
    const struct versions from = {
        .does = sl_image_lanes(read, SL_IMAGE_COLORS, &items),
        .row = sl_image_lanes(read, SL_IMAGE_ROW, &items),
        .anywhere = anywhere,
    };
    memcpy(more, args, sizeof more);
    if (packed)
        more[SL_IMAGE_SHAPE] =
            sl_emit_i32(e, (uint32_t)number(args[SL_IMAGE_SHAPE]) | SL_IMAGE_PACKED);
    return copy_of(e, &from, more, true);
}

/* Not a version itself: those have nothing behind their number. */
static bool is_copy(LLVMValueRef f)
{
    const char *lanes = strstr(LLVMGetValueName(f), SL_LANES_SUFFIX);
    return lanes && strchr(lanes + 1, '.');
}

static bool is_used_once(LLVMValueRef f)
{
    LLVMUseRef use = LLVMGetFirstUse(f);
    return use && !LLVMGetNextUse(use) &&
           !is_copy(LLVMGetBasicBlockParent(LLVMGetInstructionParent(LLVMGetUser(use))));
}

void sl_image_settle_copies(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (is_copy(f) && LLVMGetFirstUse(f))
            sl_emit_add_enum_attribute(f, LLVMAttributeFunctionIndex,
                                       is_used_once(f) ? "alwaysinline" : "noinline", 0);
}
