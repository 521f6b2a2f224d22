/* SPDX-License-Identifier: Apache-2.0 */
/* The second version of a loop, see batch.h. No shared state. */
#include "pipes/batch.h"

#include "items/work_item.h"
#include "vector/analysis/target.h"
#include "llvm/intrinsics.h"
#include "llvm/pass_support.h"
#include <stdio.h>
#include <string.h>

/* ---- values that are used behind the loop ---------------------------------------------------- */

/* Where the value of a use is needed. */
static LLVMBasicBlockRef place_of_use(LLVMValueRef user, unsigned operand)
{
    return LLVMIsAPHINode(user) ? LLVMGetIncomingBlock(user, operand)
                                : LLVMGetInstructionParent(user);
}

/* Either version leaves it in a variable. */
static void demote(struct sl_batch *batch, LLVMValueRef value)
{
    const struct sl_emit *e = &batch->x->e;
    LLVMValueRef variable = NULL;
    LLVMUseRef next;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = next) {
        next = LLVMGetNextUse(use);
        LLVMValueRef user = LLVMGetUser(use);
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(user); i++) {
            if (LLVMGetOperand(user, i) != value)
                continue;
            LLVMBasicBlockRef at = place_of_use(user, i);
            if (sl_batch_has(batch, at))
                continue;
            if (!variable)
                variable = sl_emit_entry_alloca(e, batch->x->function, LLVMTypeOf(value), 0, "");
            LLVMPositionBuilderBefore(
                e->builder, LLVMIsAPHINode(user) ? LLVMGetBasicBlockTerminator(at) : user);
            LLVMSetOperand(user, i, LLVMBuildLoad2(e->builder, LLVMTypeOf(value), variable, ""));
            next = LLVMGetFirstUse(value); /* the list has changed */
            break;
        }
    }
    if (!variable)
        return;
    LLVMBasicBlockRef first = batch->body.items[0];
    LLVMPositionBuilderBefore(e->builder, LLVMGetInstructionParent(value) == batch->check
                                              ? LLVMGetFirstInstruction(first)
                                              : sl_llvm_behind(value));
    LLVMBuildStore(e->builder, value, variable);
}

static void demote_all(struct sl_batch *batch)
{
    struct sl_list values = {0};
    for (size_t b = 0; b <= batch->body.count; b++) {
        LLVMBasicBlockRef block = b ? batch->body.items[b - 1] : batch->check;
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            if (LLVMGetFirstUse(i))
                sl_list_add(&values, i);
    }
    for (size_t i = 0; i < values.count; i++)
        demote(batch, values.items[i]);
    sl_list_finish(&values);
}

/* ---- the copy -------------------------------------------------------------------------------- */

static void *copy_of(const struct sl_batch *batch, void *original)
{
    void *copy = sl_map_get(&batch->copies, original);
    return copy ? copy : original;
}

static void copy_operation(struct sl_batch *batch, LLVMValueRef call)
{
    const struct sl_batch_step *step = batch->steps;
    while (step->call != call)
        step++;
    sl_batch_move_packet(batch, step);
    sl_map_set(&batch->copies, call, sl_emit_i32(&batch->x->e, 0));
}

static void copy_instruction(struct sl_batch *batch, LLVMValueRef i)
{
    const struct sl_emit *e = &batch->x->e;
    LLVMBasicBlockRef usual = sl_batch_success(batch->x, i);
    LLVMValueRef copy;
    if (sl_batch_is_mark(i)) {
        sl_batch_keep_trips(batch, i);
        return;
    }
    if (sl_batch_place(batch->x, i)) {
        copy_operation(batch, i);
        return;
    }
    if (usual) {
        copy = LLVMBuildBr(e->builder, usual);
    } else if (batch->counter && i == LLVMGetBasicBlockTerminator(batch->latch)) {
        copy = LLVMBuildBr(e->builder, batch->check);
    } else if (LLVMIsAPHINode(i)) {
        copy = LLVMBuildPhi(e->builder, LLVMTypeOf(i), "");
    } else {
        copy = LLVMInstructionClone(i);
        LLVMInsertIntoBuilder(e->builder, copy);
    }
    sl_map_set(&batch->copies, i, copy);
}

static void copy_body(struct sl_batch *batch)
{
    const struct sl_emit *e = &batch->x->e;
    for (size_t b = 0; b < batch->body.count; b++)
        sl_map_set(&batch->copies, batch->body.items[b],
                   LLVMAppendBasicBlockInContext(e->context, batch->x->function, "batch"));
    LLVMPositionBuilderAtEnd(e->builder, copy_of(batch, batch->body.items[0]));
    LLVMValueRef i = LLVMGetFirstInstruction(batch->check);
    for (; LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        sl_map_set(&batch->copies, i, LLVMBuildPhi(e->builder, LLVMTypeOf(i), ""));
    for (size_t b = 0; b < batch->body.count; b++) {
        LLVMPositionBuilderAtEnd(e->builder, copy_of(batch, batch->body.items[b]));
        for (i = LLVMGetFirstInstruction(batch->body.items[b]); i; i = LLVMGetNextInstruction(i))
            copy_instruction(batch, i);
    }
}

/* What a phi gets from a block, seen from the copy. */
static LLVMValueRef incoming_copy(const struct sl_batch *batch, LLVMValueRef phi,
                                  LLVMBasicBlockRef from)
{
    unsigned i = 0;
    while (LLVMGetIncomingBlock(phi, i) != from)
        i++;
    return copy_of(batch, LLVMGetIncomingValue(phi, i));
}

/* A phi of the body: from the copies of the blocks that come this way usually. */
static void join_phi(struct sl_batch *batch, LLVMValueRef phi)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(phi);
    LLVMValueRef copy = copy_of(batch, phi);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i), from_copy = copy_of(batch, from);
        if (from_copy == from || !sl_batch_is_usual(batch->x, from, block))
            continue;
        LLVMValueRef value = copy_of(batch, LLVMGetIncomingValue(phi, i));
        LLVMAddIncoming(copy, &value, &from_copy, 1);
    }
}

static void add_to_phis(struct sl_batch *batch, LLVMBasicBlockRef from, LLVMBasicBlockRef from_copy,
                        LLVMBasicBlockRef to)
{
    LLVMValueRef phi = LLVMGetFirstInstruction(to);
    for (; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef value = incoming_copy(batch, phi, from);
        LLVMAddIncoming(phi, &value, &from_copy, 1);
    }
}

/* The end of the batch on its way from the copy of `from` to a block behind the loop. */
static LLVMBasicBlockRef leave(struct sl_batch *batch, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    const struct sl_emit *e = &batch->x->e;
    LLVMBasicBlockRef out =
        LLVMAppendBasicBlockInContext(e->context, batch->x->function, "batch.end");
    LLVMPositionBuilderAtEnd(e->builder, out);
    sl_batch_emit_end(batch, from == batch->latch && (batch->counter || to == batch->check));
    LLVMBasicBlockRef last = LLVMGetInsertBlock(e->builder);
    add_to_phis(batch, from, last, to);
    if (!batch->counter || from != batch->latch) {
        LLVMBuildBr(e->builder, to);
        return out;
    }
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(batch->latch);
    LLVMBasicBlockRef behind = LLVMGetSuccessor(branch, LLVMGetSuccessor(branch, 0) == to);
    add_to_phis(batch, from, last, behind);
    LLVMBuildCondBr(e->builder, batch->last, behind, to);
    return out;
}

static void join_branch(struct sl_batch *batch, LLVMBasicBlockRef from, LLVMValueRef branch)
{
    for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); i++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(branch, i);
        LLVMBasicBlockRef copy = sl_map_get(&batch->copies, to);
        if (!copy)
            copy = to == batch->check ? batch->again : leave(batch, from, to);
        LLVMSetSuccessor(branch, i, copy);
    }
}

static void join_instruction(struct sl_batch *batch, LLVMValueRef copy)
{
    unsigned count = LLVMIsAPHINode(copy) ? 0 : (unsigned)LLVMGetNumOperands(copy);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef operand = LLVMGetOperand(copy, i);
        if (!LLVMValueIsBasicBlock(operand) && sl_map_get(&batch->copies, operand))
            LLVMSetOperand(copy, i, copy_of(batch, operand));
    }
}

static void join_body(struct sl_batch *batch)
{
    for (size_t b = 0; b < batch->body.count; b++) {
        LLVMBasicBlockRef from = batch->body.items[b], copy = copy_of(batch, from);
        for (LLVMValueRef i = LLVMGetFirstInstruction(copy); i; i = LLVMGetNextInstruction(i))
            join_instruction(batch, i);
        for (LLVMValueRef i = LLVMGetFirstInstruction(from); LLVMIsAPHINode(i);
             i = LLVMGetNextInstruction(i))
            join_phi(batch, i);
        join_branch(batch, from, LLVMGetBasicBlockTerminator(copy));
    }
}

static LLVMMetadataRef property(const struct sl_emit *e, const char *name, LLVMValueRef value)
{
    LLVMMetadataRef parts[2] = {LLVMMDStringInContext2(e->context, name, strlen(name)),
                                value ? LLVMValueAsMetadata(value) : NULL};
    return LLVMMDNodeInContext2(e->context, parts, value ? 2 : 1);
}

/* Packets in a vector of 64 bytes; 0: each is several numbers, or they are not side by side. */
static uint32_t width_of(const struct sl_batch *batch)
{
    uint32_t bytes = sizeof(uint32_t);
    if (batch->step_count > batch->part_count)
        return 0;
    for (uint32_t i = 0; i < batch->part_count; i++)
        if (batch->parts[i].place->packet_bytes > bytes)
            bytes = batch->parts[i].place->packet_bytes;
    return bytes <= sizeof(uint64_t) ? 64 / bytes : 0;
}

/* A loop that is told how wide its vectors are may add up in another order than the program does:
 * what comes out would depend on how many packets were there. */
static bool has_ordered_sum(const struct sl_batch *batch)
{
    bool ordered = false;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(batch->check); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        unsigned i = 0;
        while (LLVMGetIncomingBlock(phi, i) != batch->latch)
            i++;
        LLVMValueRef next = LLVMGetIncomingValue(phi, i);
        const bool free = LLVMIsACallInst(next) && !sl_llvm_is_intrinsic(next, SL_INTRINSIC_FMA);
        ordered |= LLVMIsAInstruction(next) && LLVMCanValueUseFastMathFlags(next) && !free &&
                   !(LLVMGetFastMathFlags(next) & LLVMFastMathAllowReassoc);
    }
    return ordered;
}

/* Batches are short: one vector after the other, rather than several and many rounds alone. */
static void set_short(const struct sl_batch *batch, LLVMValueRef branch)
{
    const struct sl_emit *e = &batch->x->e;
    LLVMMetadataRef properties[4] = {
        property(e, "llvm.loop.interleave.count", sl_emit_i32(e, 1)),
        property(e, "llvm.loop.unroll.disable", NULL),
    };
    size_t count = 2;
    const struct sl_vector_target *target = sl_vector_target(batch->x->pass);
    if (batch->counter && target && target->mask_registers) {
        LLVMValueRef yes = LLVMConstInt(e->i1, 1, false), width = sl_emit_i32(e, width_of(batch));
        properties[count++] = property(e, "llvm.loop.vectorize.predicate.enable", yes);
        if (batch->cheap && batch->straight && width_of(batch) && !has_ordered_sum(batch))
            properties[count++] = property(e, "llvm.loop.vectorize.width", width);
    }
    sl_llvm_set_loop_properties(branch, properties, count);
}

/* Round again, or out when the batch is through. */
static void close_loop(struct sl_batch *batch, LLVMBasicBlockRef begin)
{
    const struct sl_emit *e = &batch->x->e;
    LLVMBasicBlockRef first = copy_of(batch, batch->body.items[0]);
    LLVMBasicBlockRef ends[] = {begin, batch->again};
    LLVMPositionBuilderBefore(e->builder, LLVMGetFirstInstruction(first));
    LLVMValueRef round = LLVMBuildPhi(e->builder, e->i64, "round");
    for (LLVMValueRef phi = LLVMGetFirstInstruction(batch->check); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef values[] = {phi, incoming_copy(batch, phi, batch->latch)};
        LLVMAddIncoming(copy_of(batch, phi), values, ends, 2);
    }
    LLVMBasicBlockRef out = leave(batch, batch->latch, batch->check);
    LLVMPositionBuilderAtEnd(e->builder, batch->again);
    LLVMValueRef next = sl_emit_add_exact(e, round, sl_emit_i64(e, 1), "");
    LLVMValueRef rounds[] = {sl_emit_i64(e, 0), next};
    LLVMAddIncoming(round, rounds, ends, 2);
    LLVMValueRef through = LLVMBuildICmp(e->builder, LLVMIntEQ, next, batch->count, "");
    set_short(batch, LLVMBuildCondBr(e->builder, through, out, first));
}

static LLVMMetadataRef make_domain(const struct sl_emit *e, const char *function, size_t number)
{
    char name[128];
    snprintf(name, sizeof name, "batch %zu of %s", number, function);
    LLVMMetadataRef part = LLVMMDStringInContext2(e->context, name, strlen(name));
    return LLVMMDNodeInContext2(e->context, &part, 1);
}

void sl_batch_add_version(struct sl_batch *batch, size_t number)
{
    const struct sl_emit *e = &batch->x->e;
    LLVMValueRef function = batch->x->function;
    for (uint32_t i = 0; i < batch->part_count; i++)
        batch->parts[i].at = sl_emit_entry_alloca(e, function, e->i64, 8, "at");
    if (batch->varied) {
        batch->trips = sl_emit_entry_alloca(e, function, LLVMArrayType2(e->i64, SL_PIPE_MOST_TRIPS),
                                            8, "trips");
        batch->trip = sl_emit_entry_alloca(e, function, e->i64, 8, "trip");
    }
    LLVMBasicBlockRef begin = LLVMAppendBasicBlockInContext(e->context, function, "batch.begin");
    batch->again = LLVMAppendBasicBlockInContext(e->context, function, "batch.again");
    batch->domain = make_domain(e, LLVMGetValueName(function), number);
    demote_all(batch);
    sl_batch_emit_question(batch, begin);
    sl_batch_emit_begin(batch, begin);
    copy_body(batch);
    LLVMPositionBuilderAtEnd(e->builder, begin);
    LLVMBuildBr(e->builder, copy_of(batch, batch->body.items[0]));
    join_body(batch);
    close_loop(batch, begin);
}
