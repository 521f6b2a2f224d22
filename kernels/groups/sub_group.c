/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work-group functions of kernels with sub-group functions. Barriers make all items of a group go
 * in step; the items of a sub-group need not, and sub-groups go their own ways altogether. So each
 * item has a word that says where it waits, and its sub-group's turn is a loop: of the places where
 * items wait the first one is chosen, and the items that wait there go on to where they wait next.
 * The turn ends when all wait at a barrier or have returned; when all sub-groups had their turn the
 * barrier opens.
 *
 * The numbers of places are in the order of the code, so that items that took different branches
 * find each other where those join, except that a place that all must come to is never chosen while
 * others wait elsewhere.
 */
#include "groups/sub_group.h"

#include "ir/memory.h"
#include "items/region_copy.h"
#include <stdlib.h>
#include <string.h>

#define MEMORY_BYTES (SL_SUB_GROUP_VALUES + (SL_LARGEST_SUB_GROUP + 1) * 128)

/* Where an item waits: the number of the region behind, and what kind of place it is. */
#define KIND_MEET 0x10000000u
#define KIND_BARRIER 0x20000000u
#define RETURNED 0x40000000u
#define REGION_MASK 0x0fffffffu

struct sl_sub_groups {
    uint32_t size;
    uint64_t states_offset, memory_offset; /* in the context; of states: per item */
    LLVMValueRef states, memory;
    LLVMValueRef first;     /* linear number of the sub-group's first item */
    LLVMValueRef all;       /* i64: a bit for each of its items */
    LLVMValueRef bits;      /* i64: phi, the items that go on */
    LLVMValueRef part;      /* i1: these are not all */
    LLVMValueRef shares[2]; /* i64: what to multiply with to divide by a size */
    LLVMValueRef place;     /* i32: phi, from where */
    LLVMBasicBlockRef choose, decide;
    const struct sl_region *region; /* the one that is being emitted */
    LLVMValueRef next,
        differs; /* behind its loop: where the last item waits, do not all wait there */
};

/* ---- what a kernel asks for ------------------------------------------------------------------ */

uint32_t sl_sub_group_size(LLVMValueRef kernel, uint32_t *required)
{
    static const char name[] = "intel_reqd_sub_group_size";
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(kernel));
    unsigned kind = LLVMGetMDKindIDInContext(context, name, sizeof name - 1);
    size_t count;
    *required = 0;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(kernel, &count);
    for (size_t i = 0; i < count; i++) {
        LLVMValueRef size,
            node = LLVMMetadataAsValue(context, LLVMValueMetadataEntriesGetMetadata(all, i));
        if (LLVMValueMetadataEntriesGetKind(all, i) != kind || LLVMGetMDNodeNumOperands(node) != 1)
            continue;
        LLVMGetMDNodeOperands(node, &size);
        *required = (uint32_t)LLVMConstIntGetZExtValue(size);
    }
    LLVMDisposeValueMetadataEntries(all);
    return *required ? *required : SL_SUB_GROUP_SIZE;
}

bool sl_has_sub_group_stops(LLVMValueRef kernel)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (sl_wi_barrier_kind(i) > SL_BARRIER_GROUP)
                return true;
    return false;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static uint64_t round_up(uint64_t value, uint64_t align)
{
    return (value + align - 1) / align * align;
}

void sl_sub_groups_reserve(struct sl_group_function *g)
{
    struct sl_sub_groups *s = sl_ir_alloc(1, sizeof *s);
    g->sub_groups = s;
    g->each_item = sl_sub_group_items;
    s->size = g->facts->sub_group_size;
    s->states_offset = round_up(g->split.per_item, sizeof(uint32_t));
    g->split.per_item = s->states_offset + sizeof(uint32_t);
    s->memory_offset = round_up(g->facts->context_fixed, SL_SUB_GROUP_ALIGN);
    g->facts->context_fixed = s->memory_offset + MEMORY_BYTES;
    s->memory = sl_emit_byte_offset(&g->e, g->context, sl_emit_i64(&g->e, s->memory_offset), "");
    g->places[SL_WI_SUB_GROUP][0] = s->memory;
}

static void find_states(struct sl_group_function *g)
{
    struct sl_emit *e = &g->e;
    struct sl_sub_groups *s = g->sub_groups;
    LLVMValueRef begin = sl_emit_mul_exact(e, g->items, sl_emit_i64(e, s->states_offset), "");
    begin = sl_emit_add_exact(e, begin, sl_emit_i64(e, g->slots_begin), "");
    s->states = sl_emit_byte_offset(e, g->context, begin, "states");
    LLVMValueRef bytes = sl_emit_mul_exact(e, g->items, sl_emit_i64(e, sizeof(uint32_t)), "");
    LLVMBuildMemSet(e->builder, s->states, LLVMConstInt(e->i8, 0, false), bytes, sizeof(uint32_t));
}

static LLVMValueRef state_of(struct sl_group_function *g, LLVMValueRef item)
{
    return LLVMBuildInBoundsGEP2(g->e.builder, g->e.i32, g->sub_groups->states, &item, 1, "");
}

/* ---- small loops ----------------------------------------------------------------------------- */

static LLVMBasicBlockRef new_block(struct sl_group_function *g, const char *name)
{
    return LLVMAppendBasicBlockInContext(g->e.context, g->function, name);
}

struct loop {
    LLVMBasicBlockRef head;
    LLVMValueRef counter, count;
};

static LLVMValueRef open_phi(struct sl_group_function *g, LLVMBasicBlockRef from,
                             LLVMValueRef start)
{
    LLVMValueRef phi = LLVMBuildPhi(g->e.builder, LLVMTypeOf(start), "");
    LLVMAddIncoming(phi, &start, &from, 1);
    return phi;
}

static void close_phi(struct sl_group_function *g, LLVMValueRef phi, LLVMValueRef next)
{
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->e.builder);
    LLVMAddIncoming(phi, &next, &from, 1);
}

static struct loop open_loop(struct sl_group_function *g, LLVMValueRef count)
{
    struct loop loop = {.head = new_block(g, "items"), .count = count};
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->e.builder);
    LLVMBuildBr(g->e.builder, loop.head);
    LLVMPositionBuilderAtEnd(g->e.builder, loop.head);
    loop.counter = open_phi(g, from, sl_emit_i64(&g->e, 0));
    return loop;
}

static void close_loop(struct sl_group_function *g, struct loop *loop)
{
    LLVMBasicBlockRef exit = new_block(g, "end");
    LLVMValueRef next = sl_emit_add_exact(&g->e, loop->counter, sl_emit_i64(&g->e, 1), "");
    LLVMValueRef more = LLVMBuildICmp(g->e.builder, LLVMIntNE, next, loop->count, "");
    close_phi(g, loop->counter, next);
    LLVMBuildCondBr(g->e.builder, more, loop->head, exit);
    LLVMPositionBuilderAtEnd(g->e.builder, exit);
}

/* ---- the items that go on -------------------------------------------------------------------- */

static LLVMValueRef narrow(struct sl_group_function *g, LLVMValueRef value)
{
    return LLVMBuildTrunc(g->e.builder, value, g->e.i32, "");
}

/*
 * For n and size up to 2^20, n / size is n * share / 2^40. A branch for groups of one row instead
 * would be one more condition on the sizes at each place where items wait, and LLVM goes through
 * all of these whenever it asks what bits a size has: a quarter of the build.
 */
#define SHARE_BITS 40

static void find_shares(struct sl_group_function *g)
{
    LLVMBuilderRef b = g->e.builder;
    for (unsigned d = 0; d < 2; d++) {
        LLVMValueRef whole = sl_emit_i64(&g->e, (UINT64_C(1) << SHARE_BITS) - 1);
        LLVMValueRef down = LLVMBuildUDiv(b, whole, g->size[d], "");
        g->sub_groups->shares[d] = sl_emit_add_exact(&g->e, down, sl_emit_i64(&g->e, 1), "share");
    }
}

static void divide(struct sl_group_function *g, LLVMValueRef left, LLVMValueRef ids[3])
{
    struct sl_emit *e = &g->e;
    LLVMBuilderRef b = e->builder;
    for (unsigned d = 0; d < 2; d++) {
        LLVMValueRef rows = sl_emit_mul_exact(e, left, g->sub_groups->shares[d], "");
        rows = LLVMBuildLShr(b, rows, sl_emit_i64(e, SHARE_BITS), "");
        ids[d] = LLVMBuildNUWSub(b, left, sl_emit_mul_exact(e, rows, g->size[d], ""), "");
        left = rows;
    }
    ids[2] = left;
}

static void place_item(struct sl_group_function *g, LLVMValueRef index)
{
    LLVMValueRef ids[3];
    divide(g, index, ids);
    for (unsigned d = 0; d < 3; d++) {
        g->places[SL_WI_LOCAL_ID][d] = ids[d];
        g->places[SL_WI_GLOBAL_ID][d] = sl_emit_add_exact(&g->e, g->base[d], ids[d], "");
    }
    g->places[SL_WI_LOCAL_LOW][0] = narrow(g, ids[0]);
    g->places[SL_WI_GLOBAL_LOW][0] = narrow(g, g->places[SL_WI_GLOBAL_ID][0]);
}

static uint32_t place_behind(const struct sl_split *split, int32_t next)
{
    static const uint32_t kinds[] = {
        [SL_BARRIER_GROUP] = KIND_BARRIER,
        [SL_BARRIER_MEET] = KIND_MEET,
        [SL_BARRIER_STOP] = 0,
    };
    return next < 0 ? RETURNED : kinds[split->barriers[next - 1].kind] + (uint32_t)next;
}

static LLVMValueRef next_state(struct sl_group_function *g, const struct sl_region *region)
{
    LLVMValueRef state = sl_emit_i32(&g->e, RETURNED);
    for (uint32_t w = 0; w < region->way_count; w++) {
        int32_t next = region->ways[w].next;
        LLVMValueRef is = LLVMBuildICmp(g->e.builder, LLVMIntEQ, region->next,
                                        sl_emit_i32(&g->e, (uint32_t)next), "");
        state = LLVMBuildSelect(g->e.builder, is, sl_emit_i32(&g->e, place_behind(&g->split, next)),
                                state, "");
    }
    return state;
}

static LLVMValueRef lowest(struct sl_group_function *g, LLVMValueRef bits)
{
    static const char name[] = "llvm.cttz";
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(
        g->pass->module, LLVMLookupIntrinsicID(name, sizeof name - 1), &g->e.i64, 1);
    LLVMValueRef args[] = {bits, LLVMConstInt(g->e.i1, 1, false)};
    return LLVMBuildCall2(g->e.builder, LLVMGlobalGetValueType(f), f, args, 2, "");
}

void sl_sub_group_items(struct sl_group_function *g, sl_item_body_fn body, void *data)
{
    struct sl_sub_groups *s = g->sub_groups;
    LLVMBuilderRef b = g->e.builder;
    LLVMBasicBlockRef head = new_block(g, "item"), exit = new_block(g, "items.end");
    LLVMBasicBlockRef from = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, head);
    LLVMPositionBuilderAtEnd(b, head);
    LLVMValueRef bits = open_phi(g, from, s->bits);
    LLVMValueRef before = open_phi(g, from, LLVMGetPoison(g->e.i32));
    LLVMValueRef differed = open_phi(g, from, s->part);
    struct sl_item item = {.index = sl_emit_add_exact(&g->e, s->first, lowest(g, bits), "index")};
    place_item(g, item.index);
    body(&item, data);
    s->next = next_state(g, s->region);
    LLVMBuildStore(b, s->next, state_of(g, item.index));
    LLVMValueRef is_first = LLVMBuildICmp(b, LLVMIntEQ, bits, s->bits, "");
    LLVMValueRef other = LLVMBuildSelect(b, is_first, LLVMConstInt(g->e.i1, 0, false),
                                         LLVMBuildICmp(b, LLVMIntNE, s->next, before, ""), "");
    s->differs = LLVMBuildOr(b, differed, other, "");
    LLVMValueRef less = LLVMBuildSub(b, bits, sl_emit_i64(&g->e, 1), "");
    LLVMValueRef left = LLVMBuildAnd(b, bits, less, "");
    close_phi(g, bits, left);
    close_phi(g, before, s->next);
    close_phi(g, differed, s->differs);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, left, sl_emit_i64(&g->e, 0), ""), head, exit);
    LLVMPositionBuilderAtEnd(b, exit);
}

/* When all items went on and wait at one place, nobody need look for it. */
static void decide(struct sl_group_function *g)
{
    struct sl_sub_groups *s = g->sub_groups;
    LLVMBuilderRef b = g->e.builder;
    close_phi(g, s->bits, s->bits);
    close_phi(g, s->place, s->next);
    LLVMBuildCondBr(b, s->differs, s->choose, s->decide);
}

static void emit_region(struct sl_group_function *g, uint32_t number)
{
    struct sl_region region = {.g = g, .number = number};
    region.before = sl_ir_alloc(g->split.slot_count, sizeof(*region.before));
    LLVMPositionBuilderAtEnd(g->e.builder, g->regions[number].begin);
    g->sub_groups->region = &region;
    sl_region_emit_copy(&region, NULL);
    decide(g);
    for (uint32_t w = 0; w < region.way_count; w++)
        if (region.ways[w].next > 0)
            sl_region_begin(g, (uint32_t)region.ways[w].next);
    free(region.before);
    sl_region_finish(&region);
}

static void emit_regions(struct sl_group_function *g)
{
    uint32_t count = g->split.barrier_count + 1;
    sl_region_begin(g, 0);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t r = 0; r < count; r++)
            if (g->regions[r].begin && !g->regions[r].done) {
                g->regions[r].done = more = true;
                emit_region(g, r);
            }
    }
}

/* ---- turns ----------------------------------------------------------------------------------- */

/* Finds the place to go on from, and who waits there. */
static void emit_choice(struct sl_group_function *g, LLVMValueRef count)
{
    struct sl_sub_groups *s = g->sub_groups;
    struct sl_emit *e = &g->e;
    LLVMBuilderRef b = e->builder;
    LLVMPositionBuilderAtEnd(b, s->choose);
    struct loop loop = open_loop(g, count);
    LLVMValueRef place = open_phi(g, s->choose, sl_emit_i32(e, UINT32_MAX));
    LLVMValueRef bits = open_phi(g, s->choose, sl_emit_i64(e, 0));
    LLVMValueRef item = sl_emit_add_exact(e, s->first, loop.counter, "");
    LLVMValueRef state = LLVMBuildLoad2(b, e->i32, state_of(g, item), "");
    LLVMValueRef bit = LLVMBuildShl(b, sl_emit_i64(e, 1), loop.counter, "");
    LLVMValueRef sooner = LLVMBuildICmp(b, LLVMIntULT, state, place, "");
    LLVMValueRef same = LLVMBuildICmp(b, LLVMIntEQ, state, place, "");
    LLVMValueRef others = LLVMBuildSelect(b, same, LLVMBuildOr(b, bits, bit, ""), bits, "");
    LLVMValueRef now = LLVMBuildSelect(b, sooner, bit, others, "");
    LLVMValueRef first_place = LLVMBuildSelect(b, sooner, state, place, "");
    close_phi(g, place, first_place);
    close_phi(g, bits, now);
    close_loop(g, &loop);
    LLVMBuildStore(b, now, s->memory);
    LLVMBasicBlockRef from = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, s->decide);
    LLVMPositionBuilderAtEnd(b, s->decide);
    s->bits = open_phi(g, from, now);
    s->place = open_phi(g, from, first_place);
    /* Not "is different": branches on that would tell LLVM something about the bits, see above. */
    s->part = LLVMBuildICmp(b, LLVMIntULT, s->bits, s->all, "part");
}

static void emit_switch(struct sl_group_function *g, LLVMBasicBlockRef at)
{
    LLVMBuilderRef b = g->e.builder;
    LLVMPositionBuilderAtEnd(b, at);
    LLVMValueRef region =
        LLVMBuildAnd(b, g->sub_groups->place, sl_emit_i32(&g->e, REGION_MASK), "");
    LLVMValueRef way = LLVMBuildSwitch(b, region, g->regions[0].begin, g->split.barrier_count);
    for (uint32_t r = 1; r <= g->split.barrier_count; r++)
        if (g->regions[r].begin)
            LLVMAddCase(way, sl_emit_i32(&g->e, r), g->regions[r].begin);
}

/* All wait at the barrier, or have returned. */
static void open_barrier(struct sl_group_function *g, LLVMBasicBlockRef round)
{
    struct sl_emit *e = &g->e;
    LLVMBuilderRef b = e->builder;
    LLVMBasicBlockRef from = LLVMGetInsertBlock(b);
    struct loop loop = open_loop(g, g->items);
    LLVMValueRef any = open_phi(g, from, LLVMConstInt(e->i1, 0, false));
    LLVMValueRef at = state_of(g, loop.counter);
    LLVMValueRef state = LLVMBuildLoad2(b, e->i32, at, "");
    LLVMValueRef waits = LLVMBuildICmp(b, LLVMIntNE, state, sl_emit_i32(e, RETURNED), "");
    LLVMValueRef freed = LLVMBuildSub(b, state, sl_emit_i32(e, KIND_BARRIER), "");
    LLVMBuildStore(b, LLVMBuildSelect(b, waits, freed, state, ""), at);
    LLVMValueRef now = LLVMBuildOr(b, any, waits, "");
    close_phi(g, any, now);
    close_loop(g, &loop);
    LLVMBuildCondBr(b, now, round, g->group_end);
}

void sl_sub_groups_emit(struct sl_group_function *g)
{
    struct sl_sub_groups *s = g->sub_groups;
    struct sl_emit *e = &g->e;
    LLVMBuilderRef b = e->builder;
    LLVMBasicBlockRef round = new_block(g, "round"), turn = new_block(g, "turn"),
                      go_on = new_block(g, "go.on"), next = new_block(g, "next"),
                      over = new_block(g, "over");
    s->choose = new_block(g, "choose");
    s->decide = new_block(g, "decide");
    g->regions = sl_ir_alloc(g->split.barrier_count + 1, sizeof *g->regions);
    find_states(g);
    find_shares(g);
    LLVMBuildBr(b, round);
    LLVMPositionBuilderAtEnd(b, round);
    LLVMBuildBr(b, turn);
    LLVMPositionBuilderAtEnd(b, turn);
    s->first = open_phi(g, round, sl_emit_i64(e, 0));
    LLVMValueRef size = sl_emit_i64(e, s->size);
    LLVMValueRef count =
        sl_emit_min(e, LLVMBuildNUWSub(b, g->items, s->first, ""), size, "sub.group");
    LLVMValueRef missing = LLVMBuildSub(b, sl_emit_i64(e, SL_LARGEST_SUB_GROUP), count, "");
    s->all = LLVMBuildLShr(b, sl_emit_i64(e, UINT64_MAX), missing, "all");
    LLVMBuildBr(b, s->choose);
    emit_choice(g, count);
    LLVMValueRef runs = LLVMBuildICmp(b, LLVMIntULT, s->place, sl_emit_i32(e, KIND_BARRIER), "");
    LLVMBuildCondBr(b, runs, go_on, next);
    emit_regions(g);
    emit_switch(g, go_on);
    LLVMPositionBuilderAtEnd(b, next);
    LLVMValueRef following = sl_emit_add_exact(e, s->first, size, "");
    close_phi(g, s->first, following);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, following, g->items, ""), turn, over);
    LLVMPositionBuilderAtEnd(b, over);
    open_barrier(g, round);
    free(g->regions);
}
