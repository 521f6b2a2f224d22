/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packing: the values of some lanes go into arrays, one behind the other, for a loop that takes
 * them as full vectors. A register of words at a time, whose chosen words a table of orders brings
 * to its front, however many they are. Arrays have room for the lanes of a vector behind the last
 * one. No shared state.
 */
#include "vector/control_flow/compaction.h"

#include "ir/memory.h"
#include "vector/operations/builtin.h"
#include "vector/operations/serial.h"
#include "vector/operations/value.h"
#include "vector/vector.h"

#include <stdlib.h>

struct compaction {
    struct sl_vector *v;
    uint32_t words;    /* of a register */
    LLVMValueRef mask; /* of one register */
    LLVMValueRef bits; /* the same as an i32 */
    LLVMValueRef order;
};

/* ---- one register ---------------------------------------------------------------------------- */

static LLVMTypeRef words_type(const struct compaction *p)
{
    return LLVMVectorType(p->v->g->e.i32, p->words);
}

/* For each set of a register's words, the order that puts these in front. */
static LLVMValueRef table_of_orders(const struct compaction *p)
{
    static const char name[] = "sl.pack.orders";
    const struct sl_emit *e = &p->v->g->e;
    LLVMModuleRef module = p->v->g->pass->module;
    bool bytes = p->v->facts.target->shuffles_bytes;
    uint32_t sets = 1u << p->words, each = bytes ? 4 * p->words : p->words, n = 0;
    LLVMValueRef known = LLVMGetNamedGlobal(module, name);
    if (known)
        return known;
    LLVMValueRef *all = sl_ir_alloc((size_t)sets * each, sizeof(*all));
    for (uint32_t set = 0; set < sets; set++) {
        n = set * each;
        for (uint32_t w = 0; w < p->words; w++)
            for (uint32_t k = 0; k < each / p->words && set >> w & 1; k++)
                all[n++] = LLVMConstInt(e->i8, bytes ? 4 * w + k : w, false);
        while (n < (set + 1) * each)
            all[n++] = LLVMConstInt(e->i8, 0, false);
    }
    LLVMValueRef table = LLVMAddGlobal(module, LLVMArrayType2(e->i8, (uint64_t)sets * each), name);
    LLVMSetInitializer(table, LLVMConstArray2(e->i8, all, (uint64_t)sets * each));
    LLVMSetGlobalConstant(table, true);
    LLVMSetLinkage(table, LLVMPrivateLinkage);
    LLVMSetAlignment(table, 16);
    free(all);
    return table;
}

static LLVMValueRef order_of(const struct compaction *p)
{
    const struct sl_emit *e = &p->v->g->e;
    bool bytes = p->v->facts.target->shuffles_bytes;
    LLVMTypeRef row = LLVMVectorType(e->i8, bytes ? 4 * p->words : p->words);
    LLVMValueRef at = p->bits, table = table_of_orders(p);
    LLVMValueRef from = LLVMBuildInBoundsGEP2(e->builder, row, table, &at, 1, "");
    LLVMValueRef order = LLVMBuildLoad2(e->builder, row, from, "order");
    LLVMSetAlignment(order, bytes ? 16 : p->words);
    return bytes ? order : LLVMBuildZExt(e->builder, order, words_type(p), "");
}

static LLVMValueRef front_of_words(const struct compaction *p, LLVMValueRef words)
{
    LLVMBuilderRef b = p->v->g->e.builder;
    LLVMTypeRef type = words_type(p);
    if (!p->v->facts.target->shuffle) {
        LLVMValueRef args[] = {words, p->mask, LLVMGetPoison(type)};
        return sl_vector_intrinsic(p->v, "llvm.experimental.vector.compress", &type, 1, args, 3);
    }
    LLVMValueRef args[] = {LLVMBuildBitCast(b, words, LLVMTypeOf(p->order), ""), p->order};
    LLVMValueRef now = sl_vector_intrinsic(p->v, p->v->facts.target->shuffle, NULL, 0, args, 2);
    return LLVMBuildBitCast(b, now, type, "");
}

/* Halves of longs, by one word of each. */
static LLVMValueRef half_of(const struct compaction *p, LLVMValueRef longs, uint32_t half)
{
    const struct sl_emit *e = &p->v->g->e;
    LLVMValueRef which[16];
    LLVMValueRef all =
        LLVMBuildBitCast(e->builder, longs, LLVMVectorType(e->i32, 2 * p->words), "");
    for (uint32_t k = 0; k < p->words; k++)
        which[k] = sl_emit_i32(e, 2 * k + half);
    return LLVMBuildShuffleVector(e->builder, all, LLVMGetPoison(LLVMTypeOf(all)),
                                  LLVMConstVector(which, p->words), "");
}

static LLVMValueRef joined_halves(const struct compaction *p, LLVMValueRef low, LLVMValueRef high)
{
    const struct sl_emit *e = &p->v->g->e;
    LLVMValueRef which[32];
    for (uint32_t k = 0; k < 2 * p->words; k++)
        which[k] = sl_emit_i32(e, k / 2 + k % 2 * p->words);
    LLVMValueRef all =
        LLVMBuildShuffleVector(e->builder, low, high, LLVMConstVector(which, 2 * p->words), "");
    return LLVMBuildBitCast(e->builder, all, LLVMVectorType(e->i64, p->words), "");
}

/* The chosen elements in front; behind them there may be anything. */
static LLVMValueRef front_of(const struct compaction *p, LLVMValueRef value)
{
    const struct sl_emit *e = &p->v->g->e;
    LLVMBuilderRef b = e->builder;
    LLVMTypeRef type = LLVMTypeOf(value), element = LLVMGetElementType(type);
    bool pointer = LLVMGetTypeKind(element) == LLVMPointerTypeKind;
    uint64_t bits =
        pointer ? 64
                : LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(p->v->g->pass->module), element);
    LLVMTypeRef integers =
        LLVMVectorType(LLVMIntTypeInContext(e->context, (unsigned)bits), p->words);
    value = pointer ? LLVMBuildPtrToInt(b, value, integers, "")
                    : LLVMBuildBitCast(b, value, integers, "");
    if (bits == 64) {
        LLVMValueRef low = front_of_words(p, half_of(p, value, 0));
        value = joined_halves(p, low, front_of_words(p, half_of(p, value, 1)));
    } else if (bits == 32) {
        value = front_of_words(p, value);
    } else {
        value = LLVMBuildZExt(b, value, words_type(p), "");
        value = LLVMBuildTrunc(b, front_of_words(p, value), integers, "");
    }
    return pointer ? LLVMBuildIntToPtr(b, value, type, "") : LLVMBuildBitCast(b, value, type, "");
}

/* ---- all lanes ------------------------------------------------------------------------------- */

static LLVMBasicBlockRef new_block(const struct compaction *p, const char *name)
{
    return LLVMAppendBasicBlockInContext(p->v->g->e.context, p->v->g->function, name);
}

/* Where in the chunk the lanes are. */
static LLVMValueRef offsets(struct sl_vector *v)
{
    const struct sl_emit *e = &v->g->e;
    LLVMValueRef first =
        LLVMBuildSub(e->builder, v->g->places[SL_WI_GLOBAL_ID][0], v->g->compacted.first, "");
    first = LLVMBuildTrunc(e->builder, first, e->i32, "");
    return LLVMBuildAdd(e->builder, sl_vector_splat(v, first), sl_vector_iota(v, e->i32, 1), "");
}

static LLVMValueRef bits_of(const struct compaction *p, LLVMValueRef mask)
{
    const struct sl_emit *e = &p->v->g->e;
    LLVMTypeRef narrow = LLVMIntTypeInContext(e->context, p->v->facts.lanes);
    LLVMValueRef bits = LLVMBuildBitCast(e->builder, mask, narrow, "");
    return p->v->facts.lanes < 64 ? LLVMBuildZExt(e->builder, bits, e->i64, "") : bits;
}

static LLVMValueRef mask_of_register(const struct compaction *p, LLVMValueRef mask, uint32_t from)
{
    const struct sl_emit *e = &p->v->g->e;
    LLVMValueRef which[16];
    for (uint32_t k = 0; k < p->words; k++)
        which[k] = sl_emit_i32(e, from + k < p->v->facts.lanes ? from + k : p->v->facts.lanes);
    return LLVMBuildShuffleVector(e->builder, mask, LLVMConstNull(LLVMTypeOf(mask)),
                                  LLVMConstVector(which, p->words), "");
}

/* The lanes from this one on that a register has; those that there are not do not count. */
static void choose_register(struct compaction *p, LLVMValueRef mask, LLVMValueRef bits,
                            uint32_t from)
{
    const struct sl_emit *e = &p->v->g->e;
    LLVMValueRef some = LLVMBuildLShr(e->builder, bits, sl_emit_i64(e, from), "");
    some = LLVMBuildTrunc(e->builder, some, e->i32, "");
    LLVMValueRef all = sl_emit_i32(e, (1u << p->words) - 1);
    p->bits = LLVMBuildAnd(e->builder, some, all, "");
    if (p->v->facts.target->shuffle)
        p->order = order_of(p);
    else
        p->mask = mask_of_register(p, mask, from);
}

static void compact_column(struct compaction *p, const struct sl_vector_column *column,
                           uint32_t from, LLVMValueRef at)
{
    LLVMBuilderRef b = p->v->g->e.builder;
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(column->value));
    LLVMValueRef some = sl_vector_elements(p->v, column->value, from, p->words);
    LLVMValueRef to = LLVMBuildInBoundsGEP2(b, element, column->array, &at, 1, "");
    LLVMSetAlignment(LLVMBuildStore(b, front_of(p, some), to), column->align);
}

void sl_vector_compact_lanes(struct sl_vector *v, LLVMValueRef mask,
                             const struct sl_vector_column *columns, uint32_t count)
{
    const struct sl_emit *e = &v->g->e;
    LLVMBuilderRef b = e->builder;
    struct compaction p = {.v = v, .words = v->facts.target->register_bits / 32};
    LLVMBasicBlockRef some = new_block(&p, "pack"), end = new_block(&p, "pack.done");
    LLVMBuildCondBr(b, sl_vector_any(v, mask), some, end);
    LLVMPositionBuilderAtEnd(b, some);
    struct sl_vector_column ids = {offsets(v), v->g->compacted.offsets, sizeof(int32_t)};
    LLVMValueRef at = LLVMBuildLoad2(b, e->i32, v->g->compacted.count, "");
    LLVMValueRef bits = bits_of(&p, mask);
    LLVMTypeRef i32 = e->i32;
    for (uint32_t from = 0; from < v->facts.lanes; from += p.words) {
        choose_register(&p, mask, bits, from);
        compact_column(&p, &ids, from, at);
        for (uint32_t k = 0; k < count; k++)
            compact_column(&p, &columns[k], from, at);
        LLVMValueRef more = sl_vector_intrinsic(v, "llvm.ctpop", &i32, 1, &p.bits, 1);
        at = sl_emit_add_exact(e, at, more, "");
    }
    LLVMBuildStore(b, at, v->g->compacted.count);
    LLVMBuildBr(b, end);
    LLVMPositionBuilderAtEnd(b, end);
}
