/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Neighbours in memory of which some lanes are accessed, on machines that mask words at most. Items
 * of 4 or 8 bytes and of multiples are masked words, whatever they are made of. Others are one
 * access if all lanes run, which most often they do, and else moved one by one: what lies between
 * them may belong to other threads, or be nowhere. No shared state.
 */
#include "vector/memory/some_lanes.h"

#include "vector/memory/memory.h"
#include "vector/operations/serial.h"
#include "vector/vector.h"
#include "llvm/pass_support.h"

#include <llvm-c/Target.h>

struct some {
    struct sl_vector *v;
    LLVMTypeRef wide; /* all lanes' elements */
    LLVMValueRef at, mask, like;
    uint32_t align, bytes; /* of an item */
};

static LLVMBuilderRef builder(const struct some *s)
{
    return s->v->g->e.builder;
}

static LLVMBasicBlockRef new_block(const struct some *s, const char *name)
{
    return LLVMAppendBasicBlockInContext(s->v->g->e.context, s->v->g->function, name);
}

static struct some describe(struct sl_vector *v, LLVMTypeRef wide, LLVMValueRef at,
                            LLVMValueRef mask, uint32_t align, LLVMValueRef like)
{
    struct some s = {.v = v, .wide = wide, .at = at, .mask = mask, .like = like, .align = align};
    uint64_t all = LLVMStoreSizeOfType(LLVMGetModuleDataLayout(v->g->pass->module), wide);
    s.bytes = (uint32_t)(all / v->facts.lanes);
    return s;
}

static void annotate(const struct some *s, LLVMValueRef access)
{
    if (s->like)
        sl_llvm_copy_flags(s->like, access);
}

/* ---- as words -------------------------------------------------------------------------------- */

static bool is_word_type(LLVMTypeRef wide)
{
    LLVMTypeRef element = LLVMGetElementType(wide);
    LLVMTypeKind kind = LLVMGetTypeKind(element);
    unsigned bits = kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(element) : 0;
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMPointerTypeKind ||
           bits == 32 || bits == 64;
}

/* What to access in place of `wide`; NULL: there are no such words. */
static LLVMTypeRef as_words(const struct some *s)
{
    if (!s->v->facts.target->masked_words || s->bytes % 4)
        return NULL;
    uint32_t count = LLVMGetVectorSize(s->wide) / s->v->facts.lanes;
    if (is_word_type(s->wide) && count == 1)
        return s->wide;
    if (LLVMGetTypeKind(LLVMGetElementType(s->wide)) == LLVMPointerTypeKind)
        return NULL;
    const struct sl_emit *e = &s->v->g->e;
    uint32_t word = s->bytes % 8 ? 4 : 8;
    return LLVMVectorType(word == 8 ? e->i64 : e->i32, s->v->facts.lanes * (s->bytes / word));
}

static LLVMValueRef word_mask(const struct some *s, LLVMTypeRef words)
{
    return sl_vector_repeat_mask(s->v, s->mask, LLVMGetVectorSize(words) / s->v->facts.lanes);
}

static LLVMValueRef load_words(const struct some *s, LLVMTypeRef words)
{
    LLVMTypeRef types[] = {words, s->v->g->e.ptr};
    LLVMValueRef args[] = {s->at, word_mask(s, words), LLVMGetPoison(words)};
    LLVMValueRef call = sl_vector_intrinsic(s->v, "llvm.masked.load", types, 2, args, 3);
    sl_llvm_set_argument_alignment(call, 0, s->align);
    annotate(s, call);
    return words == s->wide ? call : LLVMBuildBitCast(builder(s), call, s->wide, "");
}

static void store_words(const struct some *s, LLVMTypeRef words, LLVMValueRef value)
{
    if (words != s->wide)
        value = LLVMBuildBitCast(builder(s), value, words, "");
    LLVMTypeRef types[] = {words, s->v->g->e.ptr};
    LLVMValueRef args[] = {value, s->at, word_mask(s, words)};
    LLVMValueRef call = sl_vector_intrinsic(s->v, "llvm.masked.store", types, 2, args, 3);
    sl_llvm_set_argument_alignment(call, 1, s->align);
    annotate(s, call);
}

/* ---- all lanes, or those that run one by one ------------------------------------------------- */

struct ways {
    LLVMBasicBlockRef all, some, done;
    LLVMValueRef bits;
};

static struct ways part(const struct some *s)
{
    LLVMBuilderRef b = builder(s);
    LLVMTypeRef type = LLVMIntTypeInContext(s->v->g->e.context, s->v->facts.lanes);
    struct ways w = {new_block(s, "lanes.all"), new_block(s, "lanes.some"),
                     new_block(s, "lanes.done"), LLVMBuildBitCast(b, s->mask, type, "")};
    LLVMValueRef all = LLVMBuildICmp(b, LLVMIntEQ, w.bits, LLVMConstAllOnes(type), "all");
    LLVMBuildCondBr(b, all, w.all, w.some);
    LLVMPositionBuilderAtEnd(b, w.all);
    return w;
}

/* Bytes of the lanes that run, from one place to another; the builder ends up behind it. */
static void move_serially(const struct some *s, LLVMValueRef bits, LLVMValueRef from,
                          LLVMValueRef to, uint32_t align_from, uint32_t align_to)
{
    LLVMBuilderRef b = builder(s);
    const struct sl_emit *e = &s->v->g->e;
    LLVMTypeRef type = LLVMTypeOf(bits);
    LLVMTypeRef item = LLVMIntTypeInContext(e->context, s->bytes * 8);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), head = new_block(s, "lane"),
                      body = new_block(s, "lane.move"), end = new_block(s, "lanes.moved");
    LLVMBuildBr(b, head);
    LLVMPositionBuilderAtEnd(b, head);
    LLVMValueRef left = LLVMBuildPhi(b, type, "left");
    LLVMAddIncoming(left, &bits, &before, 1);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, left, LLVMConstNull(type), ""), body, end);
    LLVMPositionBuilderAtEnd(b, body);
    LLVMValueRef args[] = {left, LLVMConstInt(e->i1, 1, false)};
    LLVMValueRef lane = sl_vector_intrinsic(s->v, "llvm.cttz", &type, 1, args, 2);
    lane = LLVMBuildIntCast2(b, lane, e->i64, false, "");
    LLVMValueRef offset = LLVMBuildMul(b, lane, sl_emit_i64(e, s->bytes), "");
    LLVMValueRef one = LLVMBuildLoad2(b, item, LLVMBuildGEP2(b, e->i8, from, &offset, 1, ""), "");
    LLVMSetAlignment(one, align_from);
    LLVMValueRef kept = LLVMBuildStore(b, one, LLVMBuildGEP2(b, e->i8, to, &offset, 1, ""));
    LLVMSetAlignment(kept, align_to);
    LLVMValueRef less = LLVMBuildSub(b, left, LLVMConstInt(type, 1, false), "");
    LLVMValueRef remaining = LLVMBuildAnd(b, left, less, "");
    LLVMAddIncoming(left, &remaining, &body, 1);
    sl_loop_is_done(s->v->g, LLVMBuildBr(b, head));
    LLVMPositionBuilderAtEnd(b, end);
}

/* Lanes that do not run are left unwritten in it. */
static LLVMValueRef aside(const struct some *s)
{
    return sl_emit_entry_copy(&s->v->g->e, s->v->g->function, s->wide, 0, "aside", NULL);
}

LLVMValueRef sl_vector_load_some(struct sl_vector *v, LLVMTypeRef wide, LLVMValueRef at,
                                 LLVMValueRef mask, uint32_t align, LLVMValueRef like)
{
    struct some s = describe(v, wide, at, mask, align, like);
    LLVMBuilderRef b = builder(&s);
    LLVMTypeRef words = as_words(&s);
    if (words)
        return load_words(&s, words);
    LLVMValueRef place = aside(&s), values[2];
    struct ways w = part(&s);
    values[0] = LLVMBuildLoad2(b, wide, at, "");
    LLVMSetAlignment(values[0], align);
    annotate(&s, values[0]);
    LLVMBuildBr(b, w.done);
    LLVMPositionBuilderAtEnd(b, w.some);
    move_serially(&s, w.bits, at, place, align, 1);
    values[1] = LLVMBuildLoad2(b, wide, place, "");
    LLVMBasicBlockRef from[] = {w.all, LLVMGetInsertBlock(b)};
    LLVMBuildBr(b, w.done);
    LLVMPositionBuilderAtEnd(b, w.done);
    LLVMValueRef both = LLVMBuildPhi(b, wide, "");
    LLVMAddIncoming(both, values, from, 2);
    return both;
}

void sl_vector_store_some(struct sl_vector *v, LLVMValueRef value, LLVMValueRef at,
                          LLVMValueRef mask, uint32_t align, LLVMValueRef like)
{
    struct some s = describe(v, LLVMTypeOf(value), at, mask, align, like);
    LLVMBuilderRef b = builder(&s);
    LLVMTypeRef words = as_words(&s);
    if (words) {
        store_words(&s, words, value);
        return;
    }
    LLVMValueRef place = aside(&s);
    struct ways w = part(&s);
    LLVMValueRef store = LLVMBuildStore(b, value, at);
    LLVMSetAlignment(store, align);
    annotate(&s, store);
    LLVMBuildBr(b, w.done);
    LLVMPositionBuilderAtEnd(b, w.some);
    LLVMBuildStore(b, value, place);
    move_serially(&s, w.bits, place, at, 1, align);
    LLVMBuildBr(b, w.done);
    LLVMPositionBuilderAtEnd(b, w.done);
}
