/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What code with a schedule tells the clock of its kernel: where it is in its loops, and which
 * packets have moved past the runtime, one by one or a batch at a time. Without a clock these calls
 * do nothing. No shared state.
 */
#include <stdint.h>
#include <stdlib.h>

#include "items/work_item.h"
#include "pipes/batch.h"
#include "pipes/journal.h"
#include "sluice/loop_nest.h"
#include "llvm/pass_support.h"

static const size_t nest_parts[SL_PIPE_NEST_PARTS] = {
    [SL_PIPE_NEST_LINE] = offsetof(struct sl_nest_row, line),
    [SL_PIPE_NEST_COLUMN] = offsetof(struct sl_nest_row, column),
    [SL_PIPE_NEST_ENTRIES] = offsetof(struct sl_nest_row, entries),
    [SL_PIPE_NEST_FILLED] = offsetof(struct sl_nest_row, filled),
    [SL_PIPE_NEST_ITERATIONS] = offsetof(struct sl_nest_row, iterations),
};

static void set(const struct sl_emit *e, LLVMValueRef record, size_t offset, LLVMValueRef value)
{
    LLVMBuildStore(e->builder, value, sl_emit_byte_offset(e, record, sl_emit_i64(e, offset), ""));
}

/* A table of rows, struct sl_nest_row. */
static LLVMValueRef store_nest(struct sl_pipe_expander *x, LLVMValueRef call)
{
    const struct sl_emit *e = &x->e;
    const uint32_t rows = sl_pipe_nest_rows(call);
    LLVMValueRef table = sl_emit_entry_alloca(
        e, x->function, LLVMArrayType2(e->i8, rows * sizeof(struct sl_nest_row)),
        alignof(struct sl_nest_row), "nest");
    for (uint32_t row = 0; row < rows; row++)
        for (enum sl_pipe_nest_part part = 0; part < SL_PIPE_NEST_PARTS; part++)
            set(e, table, row * sizeof(struct sl_nest_row) + nest_parts[part],
                sl_pipe_nest_part(call, row, part));
    return LLVMBuildPtrToInt(e->builder, table, e->i64, "");
}

/* Both may let others run, until it is known in which cycles the kernel has done what it has. */
void sl_pipe_expand_mark(struct sl_pipe_expander *x, LLVMValueRef call)
{
    const uint32_t rows = sl_pipe_nest_rows(call);
    LLVMPositionBuilderBefore(x->e.builder, call);
    LLVMValueRef args[5] = {x->launch};
    for (unsigned i = 0; i < 4 && !rows; i++)
        args[i + 1] = LLVMGetArgOperand(call, i);
    if (rows) {
        args[1] = sl_emit_i32(&x->e, SL_LOOPS_ARE_THROUGH);
        args[2] = sl_emit_i32(&x->e, rows);
        args[3] = sl_emit_i32(&x->e, 0);
        args[4] = store_nest(x, call);
    }
    sl_pipe_call_runtime(x, offsetof(struct sl_runtime, loop_mark), x->e.none, args, 5);
    sl_pipe_reload(x);
    LLVMInstructionEraseFromParent(call);
}

void sl_pipe_emit_moved(struct sl_pipe_expander *x, LLVMValueRef ring, uint32_t place, bool noted)
{
    LLVMValueRef args[] = {x->launch, ring, sl_pipe_site_address(x, place)};
    const size_t function = noted ? offsetof(struct sl_runtime, pipe_moved_noted)
                                  : offsetof(struct sl_runtime, pipe_moved);
    sl_pipe_call_runtime(x, function, x->e.none, args, 3);
    sl_pipe_reload(x);
}

/* ---- batches --------------------------------------------------------------------------------- */

static LLVMValueRef make_table(const struct sl_batch *batch, LLVMValueRef *rows, uint32_t count,
                               const char *name)
{
    LLVMValueRef table = LLVMConstArray2(LLVMTypeOf(rows[0]), rows, count);
    LLVMValueRef global = LLVMAddGlobal(batch->x->pass->module, LLVMTypeOf(table), name);
    LLVMSetInitializer(global, table);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    return global;
}

/* A constant table, struct sl_nest_row, whose parts lie there in this order. */
static LLVMValueRef make_nest(const struct sl_batch *batch, LLVMValueRef call)
{
    const struct sl_emit *e = &batch->x->e;
    const uint32_t count = sl_pipe_nest_rows(call);
    LLVMValueRef *rows = sl_ir_alloc(count, sizeof *rows), parts[SL_PIPE_NEST_PARTS];
    for (uint32_t row = 0; row < count; row++) {
        for (enum sl_pipe_nest_part part = 0; part < SL_PIPE_NEST_PARTS; part++)
            parts[part] = sl_pipe_nest_part(call, row, part);
        rows[row] = LLVMConstStructInContext(e->context, parts, SL_PIPE_NEST_PARTS, false);
    }
    LLVMValueRef table = make_table(batch, rows, count, "sluice.nest");
    free(rows);
    return table;
}

/* A constant table, struct sl_loop_told. */
static LLVMValueRef make_told(const struct sl_batch *batch)
{
    const struct sl_emit *e = &batch->x->e;
    LLVMValueRef rows[SL_PIPE_MOST_TOLD];
    for (uint32_t i = 0; i < batch->mark_count; i++) {
        LLVMValueRef call = batch->marks[i].call, before = sl_emit_i32(e, batch->marks[i].before);
        const uint32_t nest = sl_pipe_nest_rows(call);
        LLVMValueRef fields[] = {
            nest ? sl_emit_i32(e, SL_LOOPS_ARE_THROUGH) : LLVMGetArgOperand(call, 0),
            nest ? sl_emit_i32(e, nest) : LLVMGetArgOperand(call, 1),
            nest ? sl_emit_i32(e, 0) : LLVMGetArgOperand(call, 2),
            before,
            nest                     ? LLVMConstPtrToInt(make_nest(batch, call), e->i64)
            : batch->marks[i].varies ? sl_emit_i64(e, SL_PIPE_TRIPS_VARY)
                                     : LLVMGetArgOperand(call, 3),
        };
        rows[i] = LLVMConstStructInContext(e->context, fields, 5, false);
    }
    return make_table(batch, rows, batch->mark_count, "sluice.told");
}

/* A constant table of the parts that steps are. */
static LLVMValueRef make_order(const struct sl_batch *batch)
{
    const struct sl_emit *e = &batch->x->e;
    LLVMValueRef rows[SL_PIPE_MOST_STEPS];
    for (uint32_t i = 0; i < batch->step_count; i++)
        rows[i] = LLVMConstInt(e->i8, batch->steps[i].part, false);
    return make_table(batch, rows, batch->step_count, "sluice.steps");
}

static LLVMValueRef make_sites(const struct sl_batch *batch)
{
    LLVMValueRef rows[SL_PIPE_MOST_STEPS];
    for (uint32_t i = 0; i < batch->step_count; i++)
        rows[i] = sl_pipe_site_address(batch->x, sl_pipe_place_of(batch->steps[i].call));
    return make_table(batch, rows, batch->step_count, "sluice.sites.of.steps");
}

void sl_batch_keep_trips(const struct sl_batch *batch, LLVMValueRef mark)
{
    const struct sl_emit *e = &batch->x->e;
    const struct sl_batch_mark *m = batch->marks;
    while (m->call != mark)
        m++;
    if (!m->varies)
        return;
    LLVMValueRef at = LLVMBuildLoad2(e->builder, e->i64, batch->trip, "");
    LLVMValueRef place = LLVMBuildInBoundsGEP2(e->builder, e->i64, batch->trips, &at, 1, "");
    LLVMBuildStore(e->builder, LLVMGetArgOperand(mark, 3), place);
    LLVMBuildStore(e->builder, sl_emit_add_exact(e, at, sl_emit_i64(e, 1), ""), batch->trip);
}

static void describe(struct sl_batch *batch)
{
    struct sl_pipe_expander *x = batch->x;
    const struct sl_emit *e = &x->e;
    LLVMValueRef of = batch->rounds;
    if (batch->mark_count && !batch->told)
        batch->told = make_told(batch);
    if (batch->step_count > batch->part_count && !batch->order) {
        batch->order = make_order(batch);
        batch->sites = make_sites(batch);
    }
    set(e, of, offsetof(struct sl_pipe_rounds, count), sl_emit_i32(e, batch->part_count));
    set(e, of, offsetof(struct sl_pipe_rounds, told_count), sl_emit_i32(e, batch->mark_count));
    set(e, of, offsetof(struct sl_pipe_rounds, step_count), sl_emit_i32(e, batch->step_count));
    set(e, of, offsetof(struct sl_pipe_rounds, steps),
        batch->order ? batch->order : LLVMConstNull(e->ptr));
    if (batch->sites)
        set(e, of, offsetof(struct sl_pipe_rounds, sites), batch->sites);
    if (batch->told)
        set(e, of, offsetof(struct sl_pipe_rounds, told), batch->told);
    if (batch->varied)
        set(e, of, offsetof(struct sl_pipe_rounds, trips), batch->trips);
    for (uint32_t i = 0; i < batch->part_count; i++) {
        const struct sl_batch_part *part = &batch->parts[i];
        size_t at = offsetof(struct sl_pipe_rounds, moves) + i * sizeof(struct sl_pipe_move);
        set(e, of, at + offsetof(struct sl_pipe_move, ring), part->end->address);
        set(e, of, at + offsetof(struct sl_pipe_move, site),
            sl_pipe_site_address(x, sl_pipe_place_of(part->call)));
    }
}

static void make_rounds(struct sl_batch *batch)
{
    struct sl_pipe_expander *x = batch->x;
    if (!batch->rounds)
        batch->rounds = sl_emit_entry_alloca(&x->e, x->function,
                                             LLVMArrayType2(x->e.i8, sizeof(struct sl_pipe_rounds)),
                                             alignof(struct sl_pipe_rounds), "rounds");
    describe(batch);
}

void sl_batch_emit_await(struct sl_batch *batch, LLVMValueRef most)
{
    struct sl_pipe_expander *x = batch->x;
    const uint32_t within = batch->seen     ? SL_PIPE_STOPS
                            : batch->shares ? SL_PIPE_STOPS_IF_SHARED
                                            : SL_PIPE_GOES_ON;
    make_rounds(batch);
    LLVMValueRef args[] = {x->launch, batch->rounds, most, sl_emit_i32(&x->e, within)};
    sl_pipe_call_runtime(x, offsetof(struct sl_runtime, pipe_await), x->e.none, args, 4);
    sl_pipe_reload(x);
}

/* Each of them is one mark, then one packet. */
static bool is_plain(const struct sl_batch *batch)
{
    return batch->mark_count == 1 && batch->step_count == 1 && !batch->marks[0].before &&
           !batch->varied && !sl_pipe_nest_rows(batch->marks[0].call);
}

void sl_batch_emit_rounds(struct sl_batch *batch, LLVMValueRef rounds)
{
    struct sl_pipe_expander *x = batch->x;
    LLVMBasicBlockRef noted = NULL;
    if (is_plain(batch)) {
        if (!batch->told)
            batch->told = make_told(batch);
        noted = sl_journal_emit_rounds(x, batch->check, batch->parts[0].end,
                                       sl_pipe_place_of(batch->parts[0].call), batch->told, rounds);
    }
    make_rounds(batch);
    LLVMValueRef args[] = {x->launch, batch->rounds, rounds};
    sl_pipe_call_runtime(x, offsetof(struct sl_runtime, pipe_rounds), x->e.none, args, 3);
    sl_pipe_reload(x);
    if (!noted)
        return;
    LLVMBuildBr(x->e.builder, noted);
    LLVMPositionBuilderAtEnd(x->e.builder, noted);
}
