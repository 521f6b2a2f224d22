/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows without masks, where masks cost: as many items as fill vectors in one loop, or in several
 * that differ in what is known of their items, the others in a last one, at once where lanes can be
 * masked off, else in turn. No shared state.
 */
#include "vector/control_flow/remainder.h"

#include "ir/memory.h"
#include "items/region_copy.h"
#include "vector/analysis/target.h"
#include "vector/control_flow/region_loops.h"

#include <stdlib.h>

void sl_vector_add_way(struct sl_region *region, int32_t next)
{
    for (uint32_t k = 0; k < region->way_count; k++)
        if (region->ways[k].next == next)
            return;
    region->ways = sl_ir_resize(region->ways, region->way_count + 1, sizeof *region->ways);
    region->ways[region->way_count++].next = next;
}

void sl_vector_outcome_open(struct sl_vector_outcome *o, struct sl_group_function *g)
{
    *o = (struct sl_vector_outcome){.g = g};
    o->next = sl_emit_entry_alloca(&g->e, g->function, g->e.i32, 0, "next");
    o->after = sl_ir_alloc(g->split.slot_count, sizeof(*o->after));
}

void sl_vector_outcome_note(struct sl_vector_outcome *o, const struct sl_region *region)
{
    struct sl_group_function *g = o->g;
    LLVMBuildStore(g->e.builder, region->next, o->next);
    for (uint32_t s = 0; s < g->split.slot_count; s++) {
        if (!region->after[s])
            continue;
        LLVMTypeRef type = g->split.slots[s].type;
        if (!o->after[s])
            o->after[s] = sl_emit_entry_alloca(&g->e, g->function, type, 0, "after");
        LLVMBuildStore(g->e.builder, region->after[s], o->after[s]);
    }
}

void sl_vector_outcome_recall(const struct sl_vector_outcome *o, struct sl_region *region)
{
    struct sl_group_function *g = o->g;
    region->next = LLVMBuildLoad2(g->e.builder, g->e.i32, o->next, "next");
    for (uint32_t s = 0; s < g->split.slot_count; s++)
        if (o->after[s])
            region->after[s] =
                LLVMBuildLoad2(g->e.builder, g->split.slots[s].type, o->after[s], "after");
}

LLVMBasicBlockRef sl_vector_enter_unless(struct sl_group_function *g, LLVMValueRef a,
                                         LLVMValueRef b, const char *name)
{
    LLVMBasicBlockRef run = LLVMAppendBasicBlockInContext(g->e.context, g->function, name);
    LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(g->e.context, g->function, "behind");
    LLVMBuildCondBr(g->e.builder, LLVMBuildICmp(g->e.builder, LLVMIntEQ, a, b, ""), end, run);
    LLVMPositionBuilderAtEnd(g->e.builder, run);
    return end;
}

void sl_vector_leave_to(struct sl_group_function *g, LLVMBasicBlockRef end)
{
    LLVMBuildBr(g->e.builder, end);
    LLVMPositionBuilderAtEnd(g->e.builder, end);
}

void sl_vector_add_ways(struct sl_region *region, const struct sl_region *part)
{
    for (uint32_t k = 0; part != region && k < part->way_count; k++)
        sl_vector_add_way(region, part->ways[k].next);
}

/* At most one item less than the narrowest part has lanes. */
void sl_vector_emit_remainder(struct sl_vector_outcome *o, struct sl_region *region,
                              const struct sl_rows *rows, LLVMValueRef done, uint32_t narrowest)
{
    if (done == rows->count && LLVMIsAConstantInt(done))
        return;
    LLVMBasicBlockRef end = sl_vector_enter_unless(o->g, done, rows->count, "rest");
    struct sl_rows left;
    struct sl_region remainder = {.g = o->g, .number = region->number, .before = region->before};
    sl_rows_remaining(o->g, rows, done, &left);
    bool masked =
        o->g->facts->in_step ||
        (narrowest > 2 && (o->masks_rest || sl_vector_target(o->g->pass)->mask_registers));
    uint32_t lanes = o->g->lanes;
    if (o->masks_rest)
        o->g->lanes = narrowest;
    left.once = narrowest <= (masked ? o->g->lanes : 2);
    if (masked)
        sl_vector_region_emit_masked(&remainder, &left);
    else
        sl_region_emit_copy(&remainder, &left);
    o->g->lanes = lanes;
    sl_vector_outcome_note(o, &remainder);
    sl_vector_add_ways(region, &remainder);
    sl_region_finish(&remainder);
    sl_vector_leave_to(o->g, end);
}

static void emit_part(struct sl_vector_outcome *o, const struct sl_rows *rows, LLVMValueRef begin,
                      const struct sl_vector_part *part)
{
    struct sl_group_function *g = o->g;
    struct sl_rows from = *rows;
    LLVMValueRef stop = part->end;
    if (rows->ahead)
        stop = LLVMBuildSelect(g->e.builder, rows->ahead, begin, stop, "");
    LLVMBasicBlockRef end = sl_vector_enter_unless(g, stop, begin, "vectors");
    if (!LLVMIsAConstantInt(begin) || LLVMConstIntGetZExtValue(begin))
        sl_rows_remaining(g, rows, begin, &from);
    from.once = part->once;
    LLVMValueRef count = LLVMBuildNUWSub(g->e.builder, part->end, begin, "");
    sl_lanes_emit_full(g, &from, count, part->lanes, part->body, part->data);
    sl_vector_outcome_note(o, part->region);
    sl_vector_leave_to(g, end);
}

void sl_vector_emit_parts(struct sl_region *region, struct sl_vector_outcome *o,
                          const struct sl_rows *rows, const struct sl_vector_part *parts,
                          uint32_t count)
{
    struct sl_group_function *g = region->g;
    LLVMValueRef done = sl_emit_i64(&g->e, 0);
    LLVMBasicBlockRef end = NULL;
    for (uint32_t k = 0; k < count; k++) {
        if (!end && k && parts[k].lanes < parts[k - 1].lanes)
            end = sl_vector_enter_unless(g, done, rows->count, "rest");
        emit_part(o, rows, done, &parts[k]);
        sl_vector_add_ways(region, parts[k].region);
        done = parts[k].end;
    }
    sl_vector_emit_remainder(o, region, rows, done, parts[count - 1].lanes);
    if (end)
        sl_vector_leave_to(g, end);
    sl_vector_outcome_recall(o, region);
}
