/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What code with a schedule tells the clock of its kernel: where it is in its loops, and which
 * packets have moved past the runtime, one by one or a batch at a time. Without a clock these calls
 * do nothing. No shared state.
 */
#include <stdint.h>

#include "items/work_item.h"
#include "pipes/batch.h"
#include "llvm/pass_support.h"

/* Both may let others run, until it is known in which cycles the kernel has done what it has. */
void sl_pipe_expand_mark(struct sl_pipe_expander *x, LLVMValueRef call)
{
    LLVMPositionBuilderBefore(x->e.builder, call);
    LLVMValueRef args[] = {x->launch, LLVMGetArgOperand(call, 0), LLVMGetArgOperand(call, 1),
                           LLVMGetArgOperand(call, 2), LLVMGetArgOperand(call, 3)};
    sl_pipe_call_runtime(x, offsetof(struct sl_runtime, loop_mark), x->e.none, args, 5);
    sl_pipe_reload(x);
    LLVMInstructionEraseFromParent(call);
}

void sl_pipe_emit_moved(struct sl_pipe_expander *x, LLVMValueRef ring, uint32_t place)
{
    LLVMValueRef args[] = {x->launch, ring, sl_pipe_site_address(x, place)};
    sl_pipe_call_runtime(x, offsetof(struct sl_runtime, pipe_moved), x->e.none, args, 3);
    sl_pipe_reload(x);
}

/* ---- batches --------------------------------------------------------------------------------- */

static void set(const struct sl_emit *e, LLVMValueRef rounds, size_t offset, LLVMValueRef value)
{
    LLVMBuildStore(e->builder, value, sl_emit_byte_offset(e, rounds, sl_emit_i64(e, offset), ""));
}

static void describe(struct sl_batch *batch)
{
    struct sl_pipe_expander *x = batch->x;
    const struct sl_emit *e = &x->e;
    LLVMValueRef of = batch->rounds, mark = batch->mark;
    set(e, of, offsetof(struct sl_pipe_rounds, count), sl_emit_i32(e, batch->part_count));
    set(e, of, offsetof(struct sl_pipe_rounds, before),
        sl_emit_i32(e, mark ? batch->before : UINT32_MAX));
    if (mark) {
        set(e, of, offsetof(struct sl_pipe_rounds, line), LLVMGetArgOperand(mark, 1));
        set(e, of, offsetof(struct sl_pipe_rounds, column), LLVMGetArgOperand(mark, 2));
    }
    for (uint32_t i = 0; i < batch->part_count; i++) {
        const struct sl_batch_part *part = &batch->parts[i];
        size_t at = offsetof(struct sl_pipe_rounds, moves) + i * sizeof(struct sl_pipe_move);
        set(e, of, at + offsetof(struct sl_pipe_move, ring), part->end->address);
        set(e, of, at + offsetof(struct sl_pipe_move, site),
            sl_pipe_site_address(x, sl_pipe_place_of(part->call)));
    }
}

void sl_batch_emit_rounds(struct sl_batch *batch, LLVMValueRef rounds)
{
    struct sl_pipe_expander *x = batch->x;
    if (!batch->rounds)
        batch->rounds = sl_emit_entry_alloca(&x->e, x->function,
                                             LLVMArrayType2(x->e.i8, sizeof(struct sl_pipe_rounds)),
                                             alignof(struct sl_pipe_rounds), "rounds");
    describe(batch);
    LLVMValueRef args[] = {x->launch, batch->rounds, rounds};
    sl_pipe_call_runtime(x, offsetof(struct sl_runtime, pipe_rounds), x->e.none, args, 3);
    sl_pipe_reload(x);
}
