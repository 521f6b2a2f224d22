/* SPDX-License-Identifier: Apache-2.0 */
/* How a batch begins, moves packets and ends, see batch.h. No shared state. */
#include "pipes/batch.h"

#include "sluice/unshared.h"
#include "llvm/pass_support.h"
#include <stdio.h>
#include <string.h>

/* ---- the way in ------------------------------------------------------------------------------ */

static LLVMValueRef load(const struct sl_emit *e, LLVMValueRef variable)
{
    return LLVMBuildLoad2(e->builder, e->i64, variable, "");
}

static LLVMValueRef slots_of(const struct sl_batch *batch, const struct sl_batch_part *part,
                             LLVMValueRef *mask)
{
    const struct sl_emit *e = &batch->x->e;
    const struct sl_pipe_design *design = batch->x->pass->pipes;
    if (part->place->variable < 0) {
        *mask = part->end->mask;
        return part->end->slots;
    }
    const struct sl_pipe_variable *v = &design->variables[part->place->variable];
    uint64_t element = (uint64_t)(part->end->ring - v->first_ring);
    LLVMValueRef at = sl_emit_i64(e, v->slots_offset + element * v->element_bytes);
    *mask = sl_emit_i64(e, v->slot_count - 1);
    if (part->end->movable) {
        *mask = part->end->mask;
        return part->end->slots;
    }
    return LLVMConstInBoundsGEP2(e->i8, design->slots, &at, 1);
}

/* The device says so of the kernel. */
static LLVMValueRef is_unshared(const struct sl_batch *batch, const struct sl_kept_pipe_end *end)
{
    const struct sl_emit *e = &batch->x->e;
    const uint32_t flag = (uint32_t)SL_PIPE_UNSHARED << end->direction;
    LLVMValueRef flags =
        LLVMBuildLoad2(e->builder, e->i32,
                       sl_pipe_field(e, end->address, offsetof(struct sl_pipe_ring, flags)), "");
    flags = LLVMBuildAnd(e->builder, flags, LLVMConstInt(e->i32, flag, false), "");
    return LLVMBuildICmp(e->builder, LLVMIntNE, flags, LLVMConstInt(e->i32, 0, false), "unshared");
}

/* Where the end's index has to stop; see sluice/pipe.h. */
static LLVMValueRef limit_of(const struct sl_batch *batch, const struct sl_kept_pipe_end *end)
{
    const struct sl_emit *e = &batch->x->e;
    LLVMValueRef limit = load(e, end->limit);
    if (!batch->x->timed || !(batch->seen || batch->shares))
        return limit;
    size_t offset = end->direction == SL_PIPE_READ ? offsetof(struct sl_pipe_ring, read_within)
                                                   : offsetof(struct sl_pipe_ring, write_within);
    LLVMValueRef beyond =
        LLVMBuildLoad2(e->builder, e->i64, sl_pipe_field(e, end->address, offset), "");
    if (!batch->seen)
        beyond =
            LLVMBuildSelect(e->builder, is_unshared(batch, end), sl_emit_i64(e, 0), beyond, "");
    return sl_emit_min(e, limit, LLVMBuildNot(e->builder, beyond, ""), "within");
}

/* Of so many packets. */
static LLVMValueRef rounds_of(const struct sl_batch *batch, const struct sl_batch_part *part,
                              LLVMValueRef packets)
{
    const struct sl_emit *e = &batch->x->e;
    return part->each > 1 ? LLVMBuildUDiv(e->builder, packets, sl_emit_i64(e, part->each), "rounds")
                          : packets;
}

/* What the clock allows may be behind where the kernel is; see journal.h. */
static LLVMValueRef packets_before(const struct sl_batch *batch, LLVMValueRef limit,
                                   LLVMValueRef index)
{
    const struct sl_emit *e = &batch->x->e;
    if (!batch->x->timed || !(batch->seen || batch->shares))
        return LLVMBuildNUWSub(e->builder, limit, index, "there");
    LLVMValueRef there = LLVMBuildSub(e->builder, limit, index, "there");
    LLVMValueRef none = LLVMBuildICmp(e->builder, LLVMIntULT, limit, index, "none");
    return LLVMBuildSelect(e->builder, none, sl_emit_i64(e, 0), there, "");
}

/* How many rounds there are packets or room for. */
static LLVMValueRef emit_count(const struct sl_batch *batch)
{
    const struct sl_emit *e = &batch->x->e;
    LLVMValueRef count = NULL;
    for (uint32_t i = 0; i < batch->part_count; i++) {
        const struct sl_kept_pipe_end *end = batch->parts[i].end;
        LLVMValueRef there = packets_before(batch, limit_of(batch, end), load(e, end->index));
        there = rounds_of(batch, &batch->parts[i], there);
        count = i ? sl_emit_min(e, count, there, "") : there;
    }
    return count;
}

/* Rounds that the loop has left, less one: 2^64 are one too many. */
static LLVMValueRef rounds_left(const struct sl_batch *batch)
{
    const struct sl_emit *e = &batch->x->e;
    LLVMValueRef left = LLVMBuildSub(e->builder, batch->end, batch->counter, "");
    left = LLVMBuildSub(e->builder, left, LLVMConstInt(LLVMTypeOf(left), 1, false), "");
    return LLVMBuildZExt(e->builder, left, e->i64, "left");
}

/* So many rounds are few, less one: of those that the rings have room for. */
static uint64_t few_of(const struct sl_batch *batch)
{
    uint64_t few = SL_BATCH_FEW_TIMED;
    for (uint32_t i = 0; i < batch->part_count; i++) {
        const struct sl_batch_part *part = &batch->parts[i];
        const uint64_t slots =
            part->place->variable < 0
                ? 0
                : batch->x->pass->pipes->variables[part->place->variable].slot_count;
        few = slots / 2 / part->each < few ? slots / 2 / part->each : few;
    }
    return (few > SL_BATCH_LEAST_TIMED ? few : SL_BATCH_LEAST_TIMED) - 1;
}

static void ask_for(const struct sl_batch *batch, LLVMValueRef few, LLVMBasicBlockRef enough,
                    LLVMBasicBlockRef other)
{
    const struct sl_emit *e = &batch->x->e;
    LLVMValueRef many = LLVMBuildICmp(e->builder, LLVMIntUGT, batch->count, few, "");
    LLVMBuildCondBr(e->builder, many, enough, other);
}

/* Where there are few, others may run first: then it is asked again. */
static void emit_second_question(struct sl_batch *batch, LLVMBasicBlockRef enough)
{
    const struct sl_emit *e = &batch->x->e;
    LLVMBasicBlockRef again =
        LLVMInsertBasicBlockInContext(e->context, batch->body.items[0], "batch.await");
    LLVMValueRef left = batch->counter ? rounds_left(batch) : sl_emit_i64(e, UINT64_MAX - 1);
    LLVMValueRef few = sl_emit_i64(e, few_of(batch)), first = batch->count;
    ask_for(batch, sl_emit_min(e, few, left, "few"), enough, again);
    LLVMPositionBuilderAtEnd(e->builder, again);
    sl_batch_emit_await(batch, sl_emit_add_exact(e, left, sl_emit_i64(e, 1), "most"));
    batch->count = emit_count(batch);
    ask_for(batch, sl_emit_i64(e, SL_BATCH_LEAST_TIMED - 1), enough, batch->body.items[0]);
    LLVMValueRef counts[] = {first, batch->count};
    LLVMBasicBlockRef from[] = {batch->check, again};
    LLVMPositionBuilderAtEnd(e->builder, enough);
    batch->count = LLVMBuildPhi(e->builder, e->i64, "count");
    LLVMAddIncoming(batch->count, counts, from, 2);
}

/* At the end of `check`. */
void sl_batch_emit_question(struct sl_batch *batch, LLVMBasicBlockRef enough)
{
    const struct sl_emit *e = &batch->x->e;
    LLVMValueRef single = LLVMGetBasicBlockTerminator(batch->check);
    LLVMPositionBuilderBefore(e->builder, single);
    batch->count = emit_count(batch);
    if (batch->x->timed)
        emit_second_question(batch, enough);
    else
        ask_for(batch, sl_emit_i64(e, SL_BATCH_LEAST - 1), enough, batch->body.items[0]);
    LLVMInstructionEraseFromParent(single);
}

/* Not more than the loop has rounds left. */
static void emit_left(struct sl_batch *batch)
{
    const struct sl_emit *e = &batch->x->e;
    LLVMValueRef left = rounds_left(batch);
    LLVMValueRef less = LLVMBuildNUWSub(e->builder, batch->count, sl_emit_i64(e, 1), "");
    less = sl_emit_min(e, less, left, "");
    batch->count = sl_emit_add_exact(e, less, sl_emit_i64(e, 1), "rounds");
    batch->last = LLVMBuildICmp(e->builder, LLVMIntEQ, less, left, "last");
}

/* A batch does not go round the end of a ring, unless packets are found one by one. */
void sl_batch_emit_begin(struct sl_batch *batch, LLVMBasicBlockRef begin)
{
    const struct sl_emit *e = &batch->x->e;
    LLVMPositionBuilderAtEnd(e->builder, begin);
    for (uint32_t i = 0; i < batch->part_count; i++) {
        struct sl_batch_part *part = &batch->parts[i];
        LLVMValueRef mask;
        part->slots = slots_of(batch, part, &mask);
        if (part->each > 1) {
            part->mask = mask;
            part->start = load(e, part->end->index);
            LLVMBuildStore(e->builder, part->start, part->at);
            continue;
        }
        part->start = LLVMBuildAnd(e->builder, load(e, part->end->index), mask, "start");
        LLVMBuildStore(e->builder, part->start, part->at);
        LLVMValueRef slots = LLVMBuildNUWAdd(e->builder, mask, sl_emit_i64(e, 1), "");
        LLVMValueRef straight = LLVMBuildNUWSub(e->builder, slots, part->start, "");
        batch->count = sl_emit_min(e, batch->count, straight, "rounds");
    }
    if (batch->varied) {
        const uint64_t most = SL_PIPE_MOST_TRIPS / batch->varied;
        batch->count = sl_emit_min(e, batch->count, sl_emit_i64(e, most), "rounds");
        LLVMBuildStore(e->builder, sl_emit_i64(e, 0), batch->trip);
    }
    if (batch->counter)
        emit_left(batch);
}

/* ---- the way out ----------------------------------------------------------------------------- */

/* Packets of that part, as many in each round if all of them are straight. */
static LLVMValueRef packets_done(const struct sl_batch *batch, const struct sl_batch_part *part,
                                 bool whole)
{
    const struct sl_emit *e = &batch->x->e;
    if (whole && batch->straight && part->each == 1)
        return batch->count;
    return LLVMBuildNUWSub(e->builder, load(e, part->at), part->start, "");
}

static void publish(const struct sl_batch *batch, const struct sl_batch_part *part, bool whole)
{
    const struct sl_emit *e = &batch->x->e;
    LLVMValueRef done = packets_done(batch, part, whole);
    LLVMValueRef index = LLVMBuildNUWAdd(e->builder, load(e, part->end->index), done, "");
    LLVMBuildStore(e->builder, index, part->end->index);
    sl_pipe_publish(batch->x, part->end->address, part->place, index);
}

/* At the builder's position, which is then in another block. `whole`: no round was left early. */
void sl_batch_emit_end(struct sl_batch *batch, bool whole)
{
    for (uint32_t i = 0; i < batch->part_count; i++)
        publish(batch, &batch->parts[i], whole);
    const struct sl_batch_part *first = &batch->parts[0];
    if (batch->x->timed)
        sl_batch_emit_rounds(batch, rounds_of(batch, first, packets_done(batch, first, whole)));
    for (uint32_t i = 0; i < batch->part_count; i++)
        if (batch->parts[i].place->foreign)
            sl_pipe_tell(batch->x, batch->parts[i].end->address);
}

/* ---- slots of different pipes ---------------------------------------------------------------- */

static bool are_distinct(const struct sl_batch_part *a, const struct sl_batch_part *b)
{
    bool arguments = a->end->ring < 0 && b->end->ring < 0;
    return arguments ? a->place->packet_bytes != b->place->packet_bytes
                     : a->end->ring != b->end->ring;
}

static LLVMMetadataRef scope_of(const struct sl_batch *batch, const struct sl_batch_part *part)
{
    const struct sl_emit *e = &batch->x->e;
    char name[32];
    snprintf(name, sizeof name, "slots of pipe %d", (int)(part - batch->parts));
    LLVMMetadataRef parts[2] = {LLVMMDStringInContext2(e->context, name, strlen(name)),
                                batch->domain};
    return LLVMMDNodeInContext2(e->context, parts, 2);
}

static void set_list(const struct sl_batch *batch, LLVMValueRef access, const char *kind,
                     LLVMMetadataRef *scopes, size_t count)
{
    LLVMContextRef context = batch->x->e.context;
    LLVMMetadataRef list = LLVMMDNodeInContext2(context, scopes, count);
    LLVMSetMetadata(access, LLVMGetMDKindIDInContext(context, kind, (unsigned)strlen(kind)),
                    LLVMMetadataAsValue(context, list));
}

/* Without that the vectoriser asks at run time, and the answer is often that it cannot tell. */
static void set_scopes(const struct sl_batch *batch, const struct sl_batch_part *part,
                       LLVMValueRef access)
{
    LLVMMetadataRef own = scope_of(batch, part), others[SL_BATCH_MOST_ENDS];
    size_t count = 0;
    for (uint32_t i = 0; i < batch->part_count; i++)
        if (&batch->parts[i] != part && are_distinct(&batch->parts[i], part))
            others[count++] = scope_of(batch, &batch->parts[i]);
    set_list(batch, access, "alias.scope", &own, 1);
    if (count)
        set_list(batch, access, "noalias", others, count);
}

/* The packet as one number, so that what is said of the slot is not said of the kernel's variable.
 */
void sl_batch_move_packet(const struct sl_batch *batch, const struct sl_batch_step *step)
{
    const struct sl_emit *e = &batch->x->e;
    const struct sl_batch_part *part = &batch->parts[step->part];
    const struct sl_pipe_place *place = sl_batch_place(batch->x, step->call);
    LLVMValueRef packet = LLVMGetArgOperand(step->call, 1);
    LLVMValueRef at = load(e, part->at), bytes = sl_emit_i64(e, place->packet_bytes);
    LLVMValueRef number = part->mask ? LLVMBuildAnd(e->builder, at, part->mask, "") : at;
    LLVMValueRef slot =
        sl_emit_byte_offset(e, part->slots, sl_emit_mul_exact(e, number, bytes, ""), "slot");
    LLVMBuildStore(e->builder, sl_emit_add_exact(e, at, sl_emit_i64(e, 1), ""), part->at);
    uint32_t size = place->packet_bytes;
    if (size & (size - 1) || size > sizeof(uint64_t)) {
        sl_pipe_move_packet(batch->x, place, packet, slot);
        return;
    }
    bool read = place->operation->direction == SL_PIPE_READ;
    LLVMTypeRef type = LLVMIntTypeInContext(e->context, 8 * size);
    LLVMValueRef from = LLVMBuildLoad2(e->builder, type, read ? slot : packet, "");
    LLVMValueRef to = LLVMBuildStore(e->builder, from, read ? packet : slot);
    LLVMSetAlignment(read ? from : to, size);
    LLVMSetAlignment(read ? to : from, place->packet_align);
    set_scopes(batch, part, read ? from : to);
}
