/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opaque operations become code: see sluice/pipe.h for the protocol. The packet goes to the runtime
 * in a variable of its own, so that the kernel's one can stay a value. No shared state.
 */
#include "pipes/expand.h"

#include "ir/compile_effort.h"
#include "ir/memory.h"
#include "items/work_item.h"
#include "pipes/journal.h"
#include "pipes/own_variables.h"
#include "pipes/stages.h"
#include "llvm/llvm_extra.h"
#include "llvm/pass_support.h"
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#define LARGE_PACKET 512 /* bytes; copying it once more costs more than it can save */
#define SLOTS_ALIGN 64

struct operation {
    struct sl_pipe_expander *x;
    LLVMValueRef call, ring;
    const struct sl_pipe_place *place;
    uint32_t number;                    /* of the place */
    const struct sl_kept_pipe_end *end; /* NULL: not kept */
    LLVMBasicBlockRef rest;             /* what follows the operation */
    LLVMValueRef result;                /* phi in `rest` */
};

/* ---- calls of the runtime -------------------------------------------------------------------- */

LLVMValueRef sl_pipe_call_runtime(struct sl_pipe_expander *x, size_t offset, LLVMTypeRef result,
                                  LLVMValueRef *args, unsigned count)
{
    const struct sl_emit *e = &x->e;
    LLVMTypeRef types[8];
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(args[i]);
    LLVMValueRef runtime =
        sl_emit_load_field(e, e->ptr, x->launch, offsetof(struct sl_launch, runtime), "");
    LLVMValueRef function = sl_emit_load_field(e, e->ptr, runtime, offset, "");
    LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
    return LLVMBuildCall2(e->builder, type, function, args, count, "");
}

LLVMValueRef sl_pipe_site_address(struct sl_pipe_expander *x, uint32_t number)
{
    LLVMValueRef offset = sl_emit_i64(&x->e, (uint64_t)number * sizeof(struct sl_pipe_site));
    return LLVMConstInBoundsGEP2(x->e.i8, x->pass->pipes->sites, &offset, 1);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Ends the block before the call; the builder stays at its end. */
static void open(struct operation *o)
{
    struct sl_emit *e = &o->x->e;
    LLVMBasicBlockRef head = LLVMGetInstructionParent(o->call);
    o->rest = sl_llvm_split_block(o->call, "pipe.done");
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(head));
    LLVMPositionBuilderBefore(e->builder, o->call);
    o->result = LLVMBuildPhi(e->builder, e->i32, "");
    LLVMPositionBuilderAtEnd(e->builder, head);
    LLVMSetCurrentDebugLocation2(e->builder, LLVMInstructionGetDebugLoc(o->call));
}

static LLVMBasicBlockRef add_block(struct operation *o, const char *name)
{
    return LLVMInsertBasicBlockInContext(o->x->e.context, o->rest, name);
}

static void finish(struct operation *o, LLVMValueRef result)
{
    LLVMBasicBlockRef from = LLVMGetInsertBlock(o->x->e.builder);
    LLVMAddIncoming(o->result, &result, &from, 1);
    LLVMBuildBr(o->x->e.builder, o->rest);
}

static void branch_unlikely(struct sl_pipe_expander *x, LLVMValueRef condition,
                            LLVMBasicBlockRef rare, LLVMBasicBlockRef usual)
{
    LLVMValueRef branch = LLVMBuildCondBr(x->e.builder, condition, rare, usual);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(x->e.context, "prof", 4),
                    LLVMMetadataAsValue(x->e.context, x->unlikely));
}

static void close_operation(struct operation *o)
{
    LLVMReplaceAllUsesWith(o->call, o->result);
    LLVMInstructionEraseFromParent(o->call);
    if (!LLVMGetFirstUse(o->result))
        LLVMInstructionEraseFromParent(o->result);
}

/* ---- packets --------------------------------------------------------------------------------- */

static void copy(struct sl_pipe_expander *x, const struct sl_pipe_place *place, LLVMValueRef to,
                 uint32_t to_align, LLVMValueRef from, uint32_t from_align)
{
    LLVMBuildMemCpy(x->e.builder, to, to_align, from, from_align,
                    sl_emit_i64(&x->e, place->packet_bytes));
}

void sl_pipe_move_packet(struct sl_pipe_expander *x, const struct sl_pipe_place *place,
                         LLVMValueRef packet, LLVMValueRef slot)
{
    uint32_t size = place->packet_bytes, align = place->packet_align;
    uint32_t slot_align = size & -size;
    if (slot_align > SLOTS_ALIGN)
        slot_align = SLOTS_ALIGN;
    if (place->operation->direction == SL_PIPE_READ)
        copy(x, place, packet, align, slot, slot_align);
    else
        copy(x, place, slot, slot_align, packet, align);
}

static LLVMValueRef slot_of(struct operation *o, LLVMValueRef index)
{
    const struct sl_emit *e = &o->x->e;
    struct sl_pipe_design *design = o->x->pass->pipes;
    LLVMValueRef slots, mask;
    if (o->place->variable >= 0) {
        const struct sl_pipe_variable *v = &design->variables[o->place->variable];
        mask = sl_emit_i64(e, v->slot_count - 1);
        if (o->end && o->end->movable) {
            slots = o->end->slots;
            mask = o->end->mask;
        } else if (o->end) {
            uint64_t element = (uint64_t)(o->end->ring - v->first_ring);
            LLVMValueRef at = sl_emit_i64(e, v->slots_offset + element * v->element_bytes);
            slots = LLVMConstInBoundsGEP2(e->i8, design->slots, &at, 1);
        } else {
            slots =
                sl_emit_load_field(e, e->ptr, o->ring, offsetof(struct sl_pipe_ring, slots), "");
            if (v->flags & SL_PIPE_IO)
                mask =
                    sl_emit_load_field(e, e->i64, o->ring, offsetof(struct sl_pipe_ring, mask), "");
        }
    } else if (o->end) {
        slots = o->end->slots;
        mask = o->end->mask;
    } else {
        slots = sl_emit_load_field(e, e->ptr, o->ring, offsetof(struct sl_pipe_ring, slots), "");
        mask = sl_emit_load_field(e, e->i64, o->ring, offsetof(struct sl_pipe_ring, mask), "");
    }
    LLVMValueRef number = LLVMBuildAnd(e->builder, index, mask, "");
    LLVMValueRef offset = sl_emit_mul_exact(e, number, sl_emit_i64(e, o->place->packet_bytes), "");
    return sl_emit_byte_offset(e, slots, offset, "slot");
}

/* ---- the fast path --------------------------------------------------------------------------- */

static LLVMValueRef load_own(struct operation *o, LLVMValueRef variable, size_t offset)
{
    const struct sl_emit *e = &o->x->e;
    if (o->end)
        return LLVMBuildLoad2(e->builder, e->i64, variable, "");
    return sl_emit_load_field(e, e->i64, o->ring, offset, "");
}

void sl_pipe_publish(struct sl_pipe_expander *x, LLVMValueRef ring,
                     const struct sl_pipe_place *place, LLVMValueRef index)
{
    const struct sl_emit *e = &x->e;
    size_t offset = sl_pipe_index_offset(place->operation->direction);
    LLVMValueRef store = LLVMBuildStore(e->builder, index, sl_pipe_field(e, ring, offset));
    LLVMSetAlignment(store, 8);
    LLVMSetOrdering(store,
                    place->foreign ? LLVMAtomicOrderingRelease : LLVMAtomicOrderingMonotonic);
}

/* The other thread's membarrier stands for the processor's fence; the compiler's is here. */
static LLVMValueRef emit_wanted(struct sl_pipe_expander *x, LLVMValueRef ring)
{
    const struct sl_emit *e = &x->e;
    LLVMBuildFence(e->builder, LLVMAtomicOrderingSequentiallyConsistent, true, "");
    LLVMValueRef attention =
        sl_emit_load_field(e, e->i32, ring, offsetof(struct sl_pipe_ring, attention), "attention");
    LLVMSetAlignment(attention, 4);
    LLVMSetOrdering(attention, LLVMAtomicOrderingMonotonic);
    return LLVMBuildICmp(e->builder, LLVMIntNE, attention, sl_emit_i32(e, 0), "");
}

static void emit_notify(struct sl_pipe_expander *x, LLVMValueRef ring)
{
    LLVMValueRef args[] = {x->launch, ring};
    sl_pipe_call_runtime(x, offsetof(struct sl_runtime, pipe_notify), x->e.none, args, 2);
    sl_pipe_reload(x);
}

void sl_pipe_tell(struct sl_pipe_expander *x, LLVMValueRef ring)
{
    const struct sl_emit *e = &x->e;
    LLVMBasicBlockRef notify = LLVMAppendBasicBlockInContext(e->context, x->function, "notify");
    LLVMBasicBlockRef told = LLVMAppendBasicBlockInContext(e->context, x->function, "told");
    branch_unlikely(x, emit_wanted(x, ring), notify, told);
    LLVMPositionBuilderAtEnd(e->builder, notify);
    emit_notify(x, ring);
    LLVMBuildBr(e->builder, told);
    LLVMPositionBuilderAtEnd(e->builder, told);
}

static void tell_other_thread(struct operation *o)
{
    const struct sl_emit *e = &o->x->e;
    LLVMValueRef wanted = emit_wanted(o->x, o->ring);
    LLVMBasicBlockRef notify = add_block(o, "pipe.notify"), done = add_block(o, "pipe.told");
    branch_unlikely(o->x, wanted, notify, done);
    LLVMPositionBuilderAtEnd(e->builder, notify);
    emit_notify(o->x, o->ring);
    finish(o, sl_emit_i32(e, 0)); /* a way of its own: the usual one stays a straight line */
    LLVMPositionBuilderAtEnd(e->builder, done);
}

static void finish_noted(struct operation *o)
{
    const struct sl_emit *e = &o->x->e;
    LLVMBasicBlockRef ends[2];
    sl_journal_emit_moved(o->x, o->call, o->ring, o->number, ends);
    for (int i = 0; i < 2; i++) {
        LLVMPositionBuilderAtEnd(e->builder, ends[i]);
        finish(o, sl_emit_i32(e, 0));
    }
}

static void emit_fast(struct operation *o, LLVMValueRef index)
{
    const struct sl_emit *e = &o->x->e;
    LLVMValueRef packet = LLVMGetArgOperand(o->call, 1);
    sl_pipe_move_packet(o->x, o->place, packet, slot_of(o, index));
    LLVMValueRef next = LLVMBuildNUWAdd(e->builder, index, sl_emit_i64(e, 1), "");
    if (o->end)
        LLVMBuildStore(e->builder, next, o->end->index);
    sl_pipe_publish(o->x, o->ring, o->place, next);
    if (sl_journal_has(o->x, o->call)) {
        finish_noted(o);
        return;
    }
    if (o->x->timed)
        sl_pipe_emit_moved(o->x, o->ring, o->number, sl_journal_leaves(o->x, o->call));
    if (o->place->foreign)
        tell_other_thread(o);
    finish(o, sl_emit_i32(e, 0));
}

/* ---- the slow path --------------------------------------------------------------------------- */

static LLVMValueRef own_packet(struct operation *o)
{
    if (o->place->packet_bytes > LARGE_PACKET)
        return LLVMGetArgOperand(o->call, 1);
    return o->x->packet;
}

static void call_slow(struct operation *o, LLVMValueRef packet, LLVMValueRef *result)
{
    struct sl_pipe_expander *x = o->x;
    LLVMValueRef args[] = {x->launch, o->ring, sl_pipe_site_address(o->x, o->number), packet};
    const bool noted = sl_journal_has(x, o->call) || sl_journal_leaves(x, o->call);
    const size_t function = noted ? offsetof(struct sl_runtime, pipe_slow_noted)
                                  : offsetof(struct sl_runtime, pipe_slow);
    *result = sl_pipe_call_runtime(x, function, x->e.i32, args, 4);
    sl_pipe_reload(x);
}

static void emit_slow(struct operation *o)
{
    const struct sl_emit *e = &o->x->e;
    LLVMValueRef packet = LLVMGetArgOperand(o->call, 1), own = own_packet(o), result;
    bool read = o->place->operation->direction == SL_PIPE_READ;
    sl_journal_emit_marks(o->x, o->call);
    if (!read && own != packet)
        copy(o->x, o->place, own, SLOTS_ALIGN, packet, o->place->packet_align);
    call_slow(o, own, &result);
    if (read && own != packet) {
        if (!o->place->blocking) {
            LLVMBasicBlockRef taken = add_block(o, "pipe.taken");
            LLVMValueRef failed =
                LLVMBuildICmp(e->builder, LLVMIntNE, result, sl_emit_i32(e, 0), "");
            LLVMBasicBlockRef from = LLVMGetInsertBlock(e->builder);
            LLVMAddIncoming(o->result, &result, &from, 1);
            LLVMBuildCondBr(e->builder, failed, o->rest, taken);
            LLVMPositionBuilderAtEnd(e->builder, taken);
        }
        copy(o->x, o->place, packet, o->place->packet_align, own, SLOTS_ALIGN);
    }
    finish(o, o->place->blocking ? sl_emit_i32(e, 0) : result);
}

/* ---- contested ends -------------------------------------------------------------------------- */

/* The kernel goes on only if the end is its own. */
static void expand_claim(struct operation *o)
{
    struct sl_pipe_expander *x = o->x;
    const struct sl_emit *e = &x->e;
    LLVMBasicBlockRef head = LLVMGetInstructionParent(o->call);
    LLVMBasicBlockRef rest = sl_llvm_split_block(o->call, "pipe.claimed");
    LLVMBasicBlockRef claim = LLVMInsertBasicBlockInContext(e->context, rest, "pipe.claim");
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(head));
    LLVMPositionBuilderAtEnd(e->builder, head);
    LLVMSetCurrentDebugLocation2(e->builder, LLVMInstructionGetDebugLoc(o->call));
    size_t offset =
        offsetof(struct sl_pipe_ring, claim) + o->place->operation->direction * sizeof(uint32_t);
    LLVMValueRef owner = sl_emit_load_field(e, e->i32, o->ring, offset, "owner");
    LLVMValueRef other =
        LLVMBuildICmp(e->builder, LLVMIntNE, owner, sl_emit_i32(e, o->place->kernel + 1), "");
    branch_unlikely(x, other, claim, rest);
    LLVMPositionBuilderAtEnd(e->builder, claim);
    LLVMValueRef args[] = {x->launch, o->ring, sl_pipe_site_address(o->x, o->number)};
    sl_pipe_call_runtime(x, offsetof(struct sl_runtime, pipe_claim), e->none, args, 3);
    LLVMBuildBr(e->builder, rest);
}

static void expand_packet(struct operation *o)
{
    const struct sl_emit *e = &o->x->e;
    enum sl_pipe_op direction = o->place->operation->direction;
    open(o);
    if (o->x->timed && !o->place->blocking) {
        emit_slow(o);
        close_operation(o);
        return;
    }
    LLVMValueRef index =
        load_own(o, o->end ? o->end->index : NULL, sl_pipe_index_offset(direction));
    LLVMValueRef limit =
        load_own(o, o->end ? o->end->limit : NULL, sl_pipe_limit_offset(direction));
    LLVMBasicBlockRef fast = add_block(o, "pipe.fast"), slow = add_block(o, "pipe.slow");
    LLVMValueRef stop = LLVMBuildICmp(e->builder, LLVMIntEQ, index, limit, "");
    branch_unlikely(o->x, stop, slow, fast);
    LLVMPositionBuilderAtEnd(e->builder, fast);
    emit_fast(o, index);
    LLVMPositionBuilderAtEnd(e->builder, slow);
    emit_slow(o);
    sl_journal_drop_marks(o->x, o->call);
    close_operation(o);
}

/* ---- reservations ---------------------------------------------------------------------------- */

static void expand_reserved(struct operation *o)
{
    struct sl_pipe_expander *x = o->x;
    const struct sl_emit *e = &x->e;
    open(o);
    LLVMValueRef args[] = {x->launch, o->ring, LLVMGetArgOperand(o->call, 1),
                           LLVMGetArgOperand(o->call, 2)};
    LLVMValueRef slot =
        sl_pipe_call_runtime(x, offsetof(struct sl_runtime, pipe_reserved), e->ptr, args, 4);
    LLVMBasicBlockRef good = add_block(o, "pipe.slot"), bad = add_block(o, "pipe.none");
    LLVMValueRef none = LLVMBuildIsNull(e->builder, slot, "");
    branch_unlikely(o->x, none, bad, good);
    LLVMPositionBuilderAtEnd(e->builder, good);
    sl_pipe_move_packet(o->x, o->place, LLVMGetArgOperand(o->call, 3), slot);
    finish(o, sl_emit_i32(e, 0));
    LLVMPositionBuilderAtEnd(e->builder, bad);
    finish(o, LLVMConstAllOnes(e->i32));
    close_operation(o);
}

static void expand_call(struct operation *o, size_t offset, unsigned count)
{
    struct sl_pipe_expander *x = o->x;
    LLVMPositionBuilderBefore(x->e.builder, o->call);
    LLVMValueRef args[] = {x->launch, o->ring, sl_pipe_site_address(o->x, o->number),
                           LLVMGetArgOperand(o->call, 1)};
    LLVMValueRef value = sl_pipe_call_runtime(x, offset, LLVMTypeOf(o->call), args, count);
    sl_pipe_reload(x);
    if (LLVMGetFirstUse(o->call))
        LLVMReplaceAllUsesWith(o->call, value);
    LLVMInstructionEraseFromParent(o->call);
}

/* ---- functions ------------------------------------------------------------------------------- */

static void expand(struct sl_pipe_expander *x, LLVMValueRef call)
{
    uint32_t number = sl_pipe_place_of(call);
    struct operation o = {
        .x = x,
        .call = call,
        .ring = LLVMGetArgOperand(call, 0),
        .place = &x->pass->pipes->places[number],
        .number = number,
        .end = sl_pipe_kept_end(x, call),
    };
    if (o.place->claims)
        expand_claim(&o);
    switch (o.place->operation->form) {
    case SL_PIPE_FORM_PACKET:
        expand_packet(&o);
        break;
    case SL_PIPE_FORM_RESERVED:
        expand_reserved(&o);
        break;
    case SL_PIPE_FORM_RESERVE:
        expand_call(&o, offsetof(struct sl_runtime, pipe_reserve), 4);
        break;
    case SL_PIPE_FORM_COMMIT:
        expand_call(&o, offsetof(struct sl_runtime, pipe_commit), 4);
        break;
    case SL_PIPE_FORM_FILL:
        expand_call(&o, offsetof(struct sl_runtime, pipe_fill), 3);
        break;
    case SL_PIPE_FORM_CAPACITY:
    case SL_PIPE_FORM_VALID:
        break;
    }
}

static void add_packet(struct sl_pipe_expander *x)
{
    uint32_t bytes = 0;
    for (size_t i = 0; i < x->calls.count; i++) {
        const struct sl_pipe_place *place =
            &x->pass->pipes->places[sl_pipe_place_of(x->calls.items[i])];
        if (place->operation->form == SL_PIPE_FORM_PACKET && place->packet_bytes <= LARGE_PACKET &&
            place->packet_bytes > bytes)
            bytes = place->packet_bytes;
    }
    if (bytes)
        x->packet = sl_emit_entry_alloca(&x->e, x->function, LLVMArrayType2(x->e.i8, bytes),
                                         SLOTS_ALIGN, "packet");
}

static LLVMMetadataRef unlikely(const struct sl_emit *e)
{
    LLVMMetadataRef parts[] = {
        LLVMMDStringInContext2(e->context, "branch_weights", strlen("branch_weights")),
        LLVMValueAsMetadata(sl_emit_i32(e, 1)),
        LLVMValueAsMetadata(sl_emit_i32(e, 4000)),
    };
    return LLVMMDNodeInContext2(e->context, parts, 3);
}

static void expand_yield(struct sl_pipe_expander *x, LLVMValueRef call)
{
    LLVMPositionBuilderBefore(x->e.builder, call);
    LLVMValueRef args[] = {x->launch};
    sl_pipe_call_runtime(x, offsetof(struct sl_runtime, yield), x->e.none, args, 1);
    sl_pipe_reload(x);
    LLVMInstructionEraseFromParent(call);
}

static void find_calls(struct sl_pipe_expander *x)
{
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(x->function);
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (sl_pipe_is_opaque(i))
                sl_list_add(sl_pipe_is_yield(i)       ? &x->yields
                            : sl_pipe_is_loop_mark(i) ? &x->marks
                                                      : &x->calls,
                            i);
}

static bool may_fail(const struct sl_pipe_expander *x)
{
    bool any = false;
    for (size_t i = 0; i < x->calls.count && !any; i++)
        any = !x->pass->pipes->places[sl_pipe_place_of(x->calls.items[i])].blocking;
    return any;
}

static int expand_function(struct sl_pass *pass, struct sl_kernel_facts *facts)
{
    struct sl_pipe_expander x = {
        .pass = pass, .function = facts->body, .timed = sl_pipe_is_timed(pass->module)};
    find_calls(&x);
    sl_emit_init(&x.e, pass->context);
    x.launch = LLVMGetParam(x.function, LLVMCountParams(x.function) - 2);
    x.unlikely = unlikely(&x.e);
    if (facts->flags & SL_KERNEL_AUTORUN && x.calls.count)
        sl_pipe_repeat(&x);
    sl_pipe_keep_ends(&x);
    if (sl_pass_has(pass, SL_PASS_OPTIMIZE) && !sl_is_too_large(facts->body))
        facts->loop_passes |= sl_pipe_batch(&x);
    if (facts->loop_passes)
        LLVMRemoveStringAttributeAtIndex(facts->run, LLVMAttributeFunctionIndex, SL_PLAIN_ATTRIBUTE,
                                         strlen(SL_PLAIN_ATTRIBUTE));
    add_packet(&x);
    sl_journal_expand(&x);
    bool fails = may_fail(&x);
    /* Each takes what is behind it off its block: from the end on, that is never much. */
    for (size_t i = x.calls.count; i-- > 0;)
        expand(&x, x.calls.items[i]);
    for (size_t i = 0; i < x.yields.count; i++)
        expand_yield(&x, x.yields.items[i]);
    for (size_t i = 0; i < x.marks.count; i++)
        if (!sl_journal_has_mark(&x, x.marks.items[i]))
            sl_pipe_expand_mark(&x, x.marks.items[i]);
    sl_journal_finish(&x);
    if (sl_pass_has(pass, SL_PASS_LENT_PIPES))
        sl_pipe_take_from_launch(pass, x.function, x.launch);
    free(x.ends);
    sl_list_finish(&x.calls);
    sl_list_finish(&x.yields);
    sl_list_finish(&x.marks);
    sl_emit_finish(&x.e);
    /* Fast paths do not fail: past the kernel's question whether they did. */
    if (fails && sl_pass_has(pass, SL_PASS_OPTIMIZE) && !sl_is_too_large(facts->body))
        return sl_pass_run_llvm(pass, facts->body, "jump-threading");
    return 0;
}

static void drop_opaque(LLVMModuleRef module)
{
    LLVMValueRef next;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
        next = LLVMGetNextFunction(f);
        if (LLVMIsDeclaration(f) && !LLVMGetFirstUse(f) &&
            strncmp(LLVMGetValueName(f), "sl.pipe.", 8) == 0)
            LLVMDeleteFunction(f);
    }
}

int sl_pass_pipe_expand(struct sl_pass *pass)
{
    if (sl_pipe_is_timed(pass->module))
        sl_pipe_find_own_variables(pass);
    for (uint32_t k = 0; k < pass->kernel_count; k++)
        if (!pass->kernels[k].elsewhere && pass->kernels[k].flags & SL_KERNEL_USES_PIPES &&
            expand_function(pass, &pass->kernels[k]))
            return -1;
    drop_opaque(pass->module);
    return 0;
}
