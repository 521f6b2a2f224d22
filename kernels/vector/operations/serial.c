/* SPDX-License-Identifier: Apache-2.0 */
/* What has no vector form, lane after lane. No shared state. */
#include "vector/operations/serial.h"

#include "ir/memory.h"
#include "ir/pass.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/shape.h"
#include "vector/memory/lane_address.h"
#include "vector/memory/memory.h"
#include "vector/operations/value.h"
#include "vector/vector.h"

#include <stdlib.h>
#include <string.h>

static LLVMBuilderRef builder(struct sl_vector *v)
{
    return v->g->e.builder;
}

static LLVMBasicBlockRef block(struct sl_vector *v, const char *name)
{
    return LLVMAppendBasicBlockInContext(v->g->e.context, v->g->function, name);
}

/* ---- vectors in memory while their lanes are taken one by one -------------------------------- */

#define SLOT_ELEMENT 8  /* bytes of an element, at most */
#define MOST_UPDATES 16 /* without a loop */

/* The `number`th of this instruction; the next one uses them again. */
static LLVMValueRef slot(struct sl_vector *v, size_t number)
{
    const struct sl_emit *e = &v->g->e;
    if (number == v->now.slots.count) {
        LLVMTypeRef room = LLVMArrayType2(e->i8, (uint64_t)v->facts.lanes * SLOT_ELEMENT);
        sl_list_add(&v->now.slots, sl_emit_entry_alloca(e, v->g->function, room,
                                                        v->facts.lanes * SLOT_ELEMENT, "lanes"));
    }
    return v->now.slots.items[number];
}

static LLVMValueRef place_of(struct sl_vector *v, LLVMTypeRef element, LLVMValueRef slot,
                             LLVMValueRef lane)
{
    return LLVMBuildInBoundsGEP2(builder(v), element, slot, &lane, 1, "");
}

struct serial {
    struct sl_vector *v;
    LLVMValueRef i;
    uint32_t count;      /* parts of the result */
    LLVMValueRef *cells; /* per part: a slot, or a variable for a vector; owned; NULL: no result */
    LLVMValueRef *from;  /* per operand: the slot it lies in; NULL: taken from registers; owned */
    size_t slots;
};

static bool varies(struct serial *s, LLVMValueRef operand)
{
    return sl_vector_shape_at(&s->v->facts, operand, s->v->now.block).kind > SL_SHAPE_UNIFORM;
}

static void open_operands(struct serial *s)
{
    int count = LLVMGetNumOperands(s->i);
    s->from = sl_ir_alloc((size_t)count, sizeof(*s->from));
    for (int k = 0; k < count; k++) {
        LLVMValueRef operand = LLVMGetOperand(s->i, k);
        if (!sl_vector_has_bytes(LLVMTypeOf(operand)) || !varies(s, operand))
            continue;
        s->from[k] = slot(s->v, s->slots++);
        LLVMBuildStore(builder(s->v), sl_vector_part(s->v, operand, 0), s->from[k]);
    }
}

static LLVMValueRef operand_of(struct serial *s, int k, LLVMValueRef lane)
{
    LLVMValueRef operand = LLVMGetOperand(s->i, k);
    LLVMTypeRef type = LLVMTypeOf(operand);
    if (!s->from[k])
        return sl_vector_lane(s->v, operand, lane);
    return LLVMBuildLoad2(builder(s->v), type, place_of(s->v, type, s->from[k], lane), "");
}

static void open_results(struct serial *s)
{
    LLVMTypeRef type = LLVMTypeOf(s->i);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        return;
    s->cells = sl_ir_alloc(s->count, sizeof(*s->cells));
    for (uint32_t k = 0; k < s->count; k++) {
        LLVMTypeRef element = sl_vector_part_type(type, k);
        LLVMTypeRef wide = sl_vector_wide_type(s->v, element);
        if (sl_vector_has_bytes(element))
            s->cells[k] = slot(s->v, s->slots++);
        else
            s->cells[k] = sl_emit_entry_alloca(&s->v->g->e, s->v->g->function, wide, 0, "serial");
        LLVMBuildStore(builder(s->v), LLVMGetPoison(wide), s->cells[k]);
    }
}

static void keep_result(struct serial *s, LLVMValueRef now, LLVMValueRef lane)
{
    LLVMBuilderRef b = builder(s->v);
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(s->i));
    for (uint32_t k = 0; s->cells && k < s->count; k++) {
        LLVMValueRef one = kind == LLVMVectorTypeKind
                               ? LLVMBuildExtractElement(b, now, sl_emit_i32(&s->v->g->e, k), "")
                           : kind == LLVMStructTypeKind ? LLVMBuildExtractValue(b, now, k, "")
                                                        : now;
        LLVMTypeRef element = LLVMTypeOf(one), wide = sl_vector_wide_type(s->v, element);
        if (sl_vector_has_bytes(element)) {
            LLVMBuildStore(b, one, place_of(s->v, element, s->cells[k], lane));
            continue;
        }
        LLVMValueRef old = LLVMBuildLoad2(b, wide, s->cells[k], "");
        LLVMBuildStore(b, LLVMBuildInsertElement(b, old, one, lane, ""), s->cells[k]);
    }
}

static void close_results(struct serial *s)
{
    LLVMTypeRef type = LLVMTypeOf(s->i);
    for (uint32_t k = 0; s->cells && k < s->count; k++) {
        LLVMTypeRef wide = sl_vector_wide_type(s->v, sl_vector_part_type(type, k));
        sl_vector_set_part(s->v, s->i, k, LLVMBuildLoad2(builder(s->v), wide, s->cells[k], ""));
    }
    free(s->cells);
    free(s->from);
}

/* ---- the loop over lanes --------------------------------------------------------------------- */

void sl_vector_remark(struct sl_vector *v, LLVMValueRef i, const char *how)
{
    sl_pass_remark(v->g->pass, v->g->facts, i, "%s %s", sl_instruction_name(i), how);
}

static void emit_lane(struct serial *s, LLVMValueRef lane)
{
    LLVMValueRef now = LLVMInstructionClone(s->i);
    for (int k = 0; k < LLVMGetNumOperands(s->i); k++)
        LLVMSetOperand(now, k, operand_of(s, k, lane));
    LLVMInsertIntoBuilder(builder(s->v), now);
    keep_result(s, now, lane);
}

/* The number of the lowest bit, as i32. */
static LLVMValueRef first_lane(struct sl_vector *v, LLVMValueRef left)
{
    LLVMTypeRef bits = LLVMTypeOf(left);
    LLVMValueRef args[] = {left, LLVMConstInt(v->g->e.i1, 1, false)};
    LLVMValueRef lane = sl_vector_intrinsic(v, "llvm.cttz", &bits, 1, args, 2);
    return LLVMBuildIntCast2(builder(v), lane, v->g->e.i32, false, "");
}

bool sl_vector_is_update(const struct sl_vector_facts *v, LLVMValueRef i, uint32_t block)
{
    return LLVMIsAAtomicRMWInst(i) && !LLVMGetFirstUse(i) &&
           sl_vector_shape_at(v, LLVMGetOperand(i, 0), block).kind == SL_SHAPE_VARYING;
}

static bool has_updates_form(const struct sl_vector *v, LLVMValueRef i)
{
    return v->facts.lanes <= MOST_UPDATES && sl_vector_is_update(&v->facts, i, v->now.block);
}

/* An update of memory for each lane: all addresses are there before the first one, so that what
 * they are made of may come from memory one by one as well. */
static void emit_updates(struct sl_vector *v, LLVMValueRef i)
{
    LLVMBuilderRef b = builder(v);
    LLVMValueRef each[MOST_UPDATES], pointer = LLVMGetOperand(i, 0), value = LLVMGetOperand(i, 1);
    sl_vector_lane_addresses(v, sl_vector_part(v, pointer, 0), NULL, each);
    for (uint32_t l = 0; l < v->facts.lanes; l++) {
        LLVMValueRef now = LLVMInstructionClone(i);
        LLVMSetOperand(now, 0, each[l]);
        LLVMSetOperand(now, 1, sl_vector_lane(v, value, sl_emit_i32(&v->g->e, l)));
        LLVMInsertIntoBuilder(b, now);
    }
}

/* Without the loop where all lanes turn out to run; its end is returned, NULL if it has no such
 * form. */
static LLVMBasicBlockRef emit_updates_if_all(struct sl_vector *v, LLVMValueRef i, LLVMValueRef all)
{
    LLVMBuilderRef b = builder(v);
    if (!has_updates_form(v, i))
        return NULL;
    LLVMBasicBlockRef whole = block(v, "lanes.all"), some = block(v, "lanes.some"),
                      end = block(v, "lanes.end");
    LLVMValueRef each = LLVMConstAllOnes(LLVMTypeOf(all));
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, all, each, ""), whole, some);
    LLVMPositionBuilderAtEnd(b, whole);
    emit_updates(v, i);
    LLVMBuildBr(b, end);
    LLVMPositionBuilderAtEnd(b, some);
    return end;
}

/* Bits of the mask are taken one by one, so that few active lanes cost little. */
void sl_vector_emit_serially(struct sl_vector *v, LLVMValueRef i)
{
    LLVMBuilderRef b = builder(v);
    LLVMTypeRef bits = LLVMIntTypeInContext(v->g->e.context, v->facts.lanes);
    struct serial s = {.v = v, .i = i, .count = sl_vector_part_count(LLVMTypeOf(i))};
    sl_vector_remark(v, i, "item by item");
    if (has_updates_form(v, i) && sl_vector_all_run(v)) {
        emit_updates(v, i);
        return;
    }
    LLVMValueRef all = LLVMBuildBitCast(b, v->now.mask, bits, "");
    LLVMBasicBlockRef updated = emit_updates_if_all(v, i, all);
    open_operands(&s);
    open_results(&s);
    bits = v->facts.lanes > 32 ? bits : v->g->e.i32; /* of a size the processor counts in */
    all = LLVMBuildIntCast2(b, all, bits, false, "");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), head = block(v, "lane"),
                      body = block(v, "lane.run"), end = block(v, "lanes.done");
    LLVMBuildBr(b, head);
    LLVMPositionBuilderAtEnd(b, head);
    LLVMValueRef left = LLVMBuildPhi(b, bits, "left");
    LLVMAddIncoming(left, &all, &before, 1);
    LLVMValueRef more = LLVMBuildICmp(b, LLVMIntNE, left, LLVMConstNull(bits), "");
    LLVMBuildCondBr(b, more, body, end);
    LLVMPositionBuilderAtEnd(b, body);
    emit_lane(&s, first_lane(v, left));
    LLVMValueRef less = LLVMBuildSub(b, left, LLVMConstInt(bits, 1, false), "");
    LLVMValueRef remaining = LLVMBuildAnd(b, left, less, "");
    LLVMBasicBlockRef last = LLVMGetInsertBlock(b);
    LLVMAddIncoming(left, &remaining, &last, 1);
    LLVMBuildBr(b, head);
    LLVMPositionBuilderAtEnd(b, end);
    close_results(&s);
    if (updated) {
        LLVMBuildBr(b, updated);
        LLVMPositionBuilderAtEnd(b, updated);
    }
}

LLVMValueRef sl_vector_intrinsic(struct sl_vector *v, const char *name, LLVMTypeRef *types,
                                 size_t type_count, LLVMValueRef *args, unsigned count)
{
    return sl_vector_intrinsic_of(v, LLVMLookupIntrinsicID(name, strlen(name)), types, type_count,
                                  args, count);
}

LLVMValueRef sl_vector_intrinsic_of(struct sl_vector *v, unsigned id, LLVMTypeRef *types,
                                    size_t type_count, LLVMValueRef *args, unsigned count)
{
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(v->g->pass->module, id, types, type_count);
    return LLVMBuildCall2(builder(v), LLVMGlobalGetValueType(f), f, args, count, "");
}
