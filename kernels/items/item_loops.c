/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loops over the work-items of a group, as few as the kernel needs: what is not there need not
 * be optimised. A kernel that does not ask for dimensions 1 and 2 has one loop over all rows, and a
 * task none at all.
 *
 * Ids are size_t, but most kernels narrow them to int or uint. LLVM's vectoriser needs to see that
 * the narrowed id does not wrap inside the loop, or else it guards the loop with a check and keeps
 * a scalar copy. So the innermost loop of those counts the low 32 bits of the global id and never
 * crosses a multiple of 2^31: the loop around it goes through segments of rows, of which all but
 * gigantic launches have one per row. The high bits do not change inside. Local ids are small:
 * where LLVM's vectoriser need not be shown, and only they are narrowed, rows are not divided.
 *
 * No shared state.
 */
#include "items/group_frame.h"
#include "items/parallel_access.h"

#include "llvm/machine_code.h"
#include "llvm/pass_support.h"
#include <string.h>

#define SEGMENT (UINT64_C(1) << 31)
#define MOST_STEPS 8 /* from an id to its use, that we look at */

static LLVMBasicBlockRef new_block(struct sl_group_function *g, const char *name)
{
    return LLVMAppendBasicBlockInContext(g->e.context, g->function, name);
}

static void enter(struct sl_group_function *g, LLVMBasicBlockRef block)
{
    LLVMBuildBr(g->e.builder, block);
    LLVMPositionBuilderAtEnd(g->e.builder, block);
}

static LLVMValueRef counter(struct sl_group_function *g, LLVMBasicBlockRef from, LLVMValueRef start,
                            const char *name)
{
    LLVMValueRef phi = LLVMBuildPhi(g->e.builder, LLVMTypeOf(start), name);
    LLVMAddIncoming(phi, &start, &from, 1);
    return phi;
}

static struct sl_loop open_loop(struct sl_group_function *g, const char *name)
{
    struct sl_loop loop = {.head = new_block(g, name)};
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->e.builder);
    enter(g, loop.head);
    loop.counter = counter(g, from, sl_emit_i64(&g->e, 0), name);
    return loop;
}

static LLVMMetadataRef property(struct sl_group_function *g, const char *name, LLVMValueRef value)
{
    LLVMMetadataRef parts[2] = {LLVMMDStringInContext2(g->e.context, name, strlen(name)),
                                value ? LLVMValueAsMetadata(value) : NULL};
    return LLVMMDNodeInContext2(g->e.context, parts, value ? 2 : 1);
}

/* Counts are not known: LLVM would only find out that there is nothing to unroll. */
static void close_loop(struct sl_group_function *g, struct sl_loop *loop, LLVMValueRef step,
                       LLVMValueRef end)
{
    LLVMBuilderRef b = g->e.builder;
    LLVMValueRef next = sl_emit_add_exact(&g->e, loop->counter, step, "");
    LLVMValueRef more = LLVMBuildICmp(b, LLVMIntNE, next, end, "");
    LLVMBasicBlockRef from = LLVMGetInsertBlock(b), exit = new_block(g, "end");
    LLVMAddIncoming(loop->counter, &next, &from, 1);
    LLVMMetadataRef whole = property(g, "llvm.loop.unroll.disable", NULL);
    sl_llvm_set_loop_properties(LLVMBuildCondBr(b, more, loop->head, exit), &whole, 1);
    LLVMPositionBuilderAtEnd(b, exit);
}

/* ---- what the kernel asks for ---------------------------------------------------------------- */

static bool is_item_id(LLVMValueRef value, unsigned *dim)
{
    enum sl_wi what;
    return sl_wi_parse(value, &what, dim) && sl_wi_is_item(what);
}

static bool is_local(LLVMValueRef value)
{
    enum sl_wi what;
    unsigned dim;
    return sl_wi_parse(value, &what, &dim) && (what == SL_WI_LOCAL_ID || what == SL_WI_LOCAL_LOW);
}

/* Do all that compute with this id, or with what depends on it in equal steps, use 64 bits? */
static bool stays_wide(LLVMValueRef id, unsigned depth)
{
    if (depth > MOST_STEPS)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(id); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        switch (LLVMGetInstructionOpcode(user)) {
        case LLVMGetElementPtr:
        case LLVMICmp:
        case LLVMStore:
            break;
        case LLVMAdd:
        case LLVMSub:
        case LLVMMul:
            if (!stays_wide(user, depth + 1))
                return false;
            break;
        default:
            return false;
        }
    }
    return true;
}

static void read_wishes(struct sl_group_function *g, struct sl_rows *r)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(g->split.kernel);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
        unsigned dim;
        if (!is_item_id(i, &dim))
            continue;
        r->asks_for_row |= dim > 0;
        bool narrow = dim == 0 && (LLVMTypeOf(i) == g->e.i32 || !stays_wide(i, 0));
        r->narrow |= narrow && (g->lanes < 2 || !is_local(i));
    }
}

/* ---- the loops around ------------------------------------------------------------------------ */

static bool is_one(LLVMValueRef number)
{
    return LLVMIsAConstantInt(number) && LLVMConstIntGetZExtValue(number) == 1;
}

static void open_outer(struct sl_group_function *g, struct sl_rows *r)
{
    struct sl_emit *e = &g->e;
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->builder);
    r->start = r->outer.counter = sl_emit_i64(e, 0);
    r->count = g->size[0];
    if (g->nameless)
        return; /* merged into one row */
    r->outer_end = r->asks_for_row ? g->size[2] : sl_emit_mul_exact(e, g->size[1], g->size[2], "");
    if (!r->divided && is_one(r->outer_end))
        return;
    r->outer = open_loop(g, r->asks_for_row ? "z" : "rows");
    if (!r->divided)
        return;
    r->start = counter(g, from, r->start, "segment");
    LLVMValueRef first = sl_emit_add_exact(e, g->base[0], r->start, "");
    LLVMValueRef within = LLVMBuildAnd(e->builder, first, sl_emit_i64(e, SEGMENT - 1), "");
    LLVMValueRef room = LLVMBuildNUWSub(e->builder, sl_emit_i64(e, SEGMENT), within, "");
    LLVMValueRef left = LLVMBuildNUWSub(e->builder, g->size[0], r->start, "");
    r->count = sl_emit_min(e, left, room, "count");
}

/* The next segment is of this row, or the first of the next one. */
static void close_outer(struct sl_group_function *g, struct sl_rows *r)
{
    LLVMBuilderRef b = g->e.builder;
    LLVMValueRef step = sl_emit_i64(&g->e, 1);
    if (!r->outer.head)
        return;
    if (r->divided) {
        LLVMValueRef end = sl_emit_add_exact(&g->e, r->segment, r->segment_count, "");
        LLVMValueRef done = LLVMBuildICmp(b, LLVMIntEQ, end, g->size[0], "");
        LLVMValueRef next = LLVMBuildSelect(b, done, sl_emit_i64(&g->e, 0), end, "");
        LLVMBasicBlockRef from = LLVMGetInsertBlock(b);
        LLVMAddIncoming(r->segment, &next, &from, 1);
        step = LLVMBuildZExt(b, done, g->e.i64, "");
    }
    close_loop(g, &r->outer, step, r->outer_end);
}

static void open_chunk(struct sl_group_function *g, struct sl_rows *r)
{
    r->chunk = open_loop(g, "chunk");
    LLVMValueRef left = LLVMBuildNUWSub(g->e.builder, r->segment_count, r->chunk.counter, "");
    r->start = sl_emit_add_exact(&g->e, r->segment, r->chunk.counter, "start");
    r->count = sl_emit_min(&g->e, left, sl_emit_i64(&g->e, r->chunk_size), "count");
}

void sl_rows_place(struct sl_group_function *g, struct sl_rows *r, LLVMValueRef y)
{
    struct sl_emit *e = &g->e;
    LLVMValueRef row = r->outer.counter;
    if (r->asks_for_row) {
        g->places[SL_WI_LOCAL_ID][1] = y;
        g->places[SL_WI_LOCAL_ID][2] = row;
        g->places[SL_WI_GLOBAL_ID][1] = sl_emit_add_exact(e, g->base[1], y, "gid.y");
        g->places[SL_WI_GLOBAL_ID][2] = sl_emit_add_exact(e, g->base[2], row, "gid.z");
        row = sl_emit_mul_exact(e, row, g->size[1], "");
        row = sl_emit_add_exact(e, row, y, "");
    }
    r->row = sl_emit_mul_exact(e, row, g->size[0], "row");
}

static void place_last(struct sl_group_function *g, struct sl_rows *r)
{
    struct sl_emit *e = &g->e;
    LLVMValueRef count = LLVMBuildTrunc(e->builder, r->count, e->i32, "");
    r->last = LLVMBuildAdd(e->builder, r->low,
                           LLVMBuildSub(e->builder, count, sl_emit_i32(e, 1), ""), "last");
}

static void place_narrow(struct sl_group_function *g, struct sl_rows *r)
{
    struct sl_emit *e = &g->e;
    r->low = LLVMBuildTrunc(e->builder, r->first, e->i32, "low");
    LLVMValueRef high =
        LLVMBuildSub(e->builder, r->first, LLVMBuildSExt(e->builder, r->low, e->i64, ""), "");
    r->high = LLVMBuildAnd(e->builder, high, sl_emit_i64(e, ~UINT64_C(0xffffffff)), "high");
    place_last(g, r);
}

static void place_only_item(struct sl_group_function *g, struct sl_rows *r)
{
    LLVMValueRef zero = sl_emit_i64(&g->e, 0);
    for (unsigned d = 0; d < 3; d++) {
        g->places[SL_WI_LOCAL_ID][d] = zero;
        g->places[SL_WI_GLOBAL_ID][d] = g->base[d];
    }
    g->places[SL_WI_LOCAL_LOW][0] = sl_emit_i32(&g->e, 0);
    g->places[SL_WI_GLOBAL_LOW][0] = LLVMBuildTrunc(g->e.builder, g->base[0], g->e.i32, "");
    r->row = zero;
}

bool sl_rows_may_be_divided(struct sl_group_function *g)
{
    struct sl_rows r = {0};
    read_wishes(g, &r);
    return r.narrow;
}

LLVMValueRef sl_rows_within_segment(struct sl_group_function *g)
{
    const struct sl_emit *e = &g->e;
    bool known = LLVMIsAConstantInt(g->size[0]) && !g->single && !g->facts->in_step;
    uint64_t size = known ? LLVMConstIntGetZExtValue(g->size[0]) : 0;
    if (g->lanes < 2 || !size || size % g->lanes || g->split.compacts || g->leave)
        return NULL;
    LLVMValueRef first = LLVMBuildAnd(e->builder, g->base[0], sl_emit_i64(e, SEGMENT - 1), "");
    return LLVMBuildICmp(e->builder, LLVMIntULE, first, sl_emit_i64(e, SEGMENT - size), "within");
}

void sl_rows_open(struct sl_group_function *g, struct sl_rows *r, uint32_t chunk_size)
{
    *r = (struct sl_rows){.chunk_size = chunk_size};
    if (g->single) {
        place_only_item(g, r);
        return;
    }
    read_wishes(g, r);
    r->divided = r->narrow && !g->undivided;
    open_outer(g, r);
    r->segment = r->start;
    r->segment_count = r->count;
    r->y.counter = sl_emit_i64(&g->e, 0);
    if (r->asks_for_row && !is_one(g->size[1]))
        r->y = open_loop(g, "y");
    sl_rows_place(g, r, r->y.counter);
    if (chunk_size)
        open_chunk(g, r);
    r->first = sl_emit_add_exact(&g->e, g->base[0], r->start, "");
    if (r->narrow)
        place_narrow(g, r);
}

void sl_rows_close(struct sl_group_function *g, struct sl_rows *r)
{
    if (g->single)
        return;
    if (r->chunk_size)
        close_loop(g, &r->chunk, r->count, r->segment_count);
    if (r->y.head)
        close_loop(g, &r->y, r->done ? r->done : sl_emit_i64(&g->e, 1), g->size[1]);
    close_outer(g, r);
}

/* ---- the innermost loop ---------------------------------------------------------------------- */

struct inner {
    LLVMBasicBlockRef head;
    LLVMValueRef low, id; /* if narrow: low halves of the global and the local id */
    LLVMValueRef at;      /* position in the chunk */
};

static void place_narrow_item(struct sl_group_function *g, const struct sl_rows *r, struct inner *n,
                              LLVMBasicBlockRef from, LLVMValueRef id)
{
    struct sl_emit *e = &g->e;
    n->low = counter(g, from, r->low, "gid.low");
    n->id = counter(g, from, id, "lid.low");
    g->places[SL_WI_GLOBAL_LOW][0] = n->low;
    g->places[SL_WI_LOCAL_LOW][0] = n->id;
    LLVMValueRef wide = LLVMBuildSExt(e->builder, n->low, e->i64, "");
    g->places[SL_WI_GLOBAL_ID][0] = LLVMBuildAdd(e->builder, r->high, wide, "gid.x");
    g->places[SL_WI_LOCAL_ID][0] = LLVMBuildZExt(e->builder, n->id, e->i64, "lid.x");
}

static void place_wide_item(struct sl_group_function *g, const struct sl_rows *r,
                            const struct inner *n)
{
    LLVMBuilderRef b = g->e.builder;
    LLVMValueRef id = sl_emit_add_exact(&g->e, r->start, n->at, "lid.x");
    LLVMValueRef low = LLVMBuildTrunc(b, id, g->e.i32, "lid.low");
    if (LLVMIsAInstruction(low)) {
        LLVMSetNSW(low, true);
        LLVMSetNUW(low, true);
    }
    g->places[SL_WI_GLOBAL_ID][0] = sl_emit_add_exact(&g->e, r->first, n->at, "gid.x");
    g->places[SL_WI_LOCAL_ID][0] = id;
    g->places[SL_WI_LOCAL_LOW][0] = low;
}

static struct inner open_inner(struct sl_group_function *g, const struct sl_rows *r)
{
    struct sl_emit *e = &g->e;
    LLVMValueRef id = r->narrow ? LLVMBuildTrunc(e->builder, r->start, e->i32, "") : NULL;
    LLVMBasicBlockRef from = LLVMGetInsertBlock(e->builder);
    struct inner n = {.head = new_block(g, "x")};
    enter(g, n.head);
    n.at = counter(g, from, sl_emit_i64(e, 0), "at");
    if (r->narrow)
        place_narrow_item(g, r, &n, from, id);
    else
        place_wide_item(g, r, &n);
    return n;
}

static void annotate(struct sl_group_function *g, LLVMValueRef branch)
{
    LLVMMetadataRef properties[] = {
        property(g, "llvm.loop.parallel_accesses",
                 sl_parallel_group(g->e.context, g->pass->module)),
        property(g, "llvm.loop.unroll.disable", NULL),
    };
    sl_llvm_set_loop_properties(branch, properties, 2);
}

static LLVMValueRef step(struct sl_group_function *g, LLVMValueRef phi)
{
    LLVMValueRef one = LLVMConstInt(LLVMTypeOf(phi), 1, false);
    LLVMValueRef next = sl_emit_add_exact(&g->e, phi, one, "");
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->e.builder);
    LLVMAddIncoming(phi, &next, &from, 1);
    return next;
}

/* LLVM would not find out that the counter comes to its end at once, and keep both, and the code
 * that repeats, in registers and in what the processor predicts. */
static void leave_straight(struct sl_group_function *g)
{
    enter(g, new_block(g, "row.end"));
}

static void close_inner(struct sl_group_function *g, const struct sl_rows *r, struct inner *n)
{
    LLVMBuilderRef b = g->e.builder;
    if (r->once) {
        leave_straight(g);
        return;
    }
    LLVMValueRef next = step(g, n->at);
    LLVMValueRef more = r->narrow ? LLVMBuildICmp(b, LLVMIntNE, n->low, r->last, "")
                                  : LLVMBuildICmp(b, LLVMIntNE, next, r->count, "");
    if (r->narrow) {
        step(g, n->low);
        step(g, n->id);
    }
    LLVMBasicBlockRef exit = new_block(g, "row.end");
    LLVMValueRef branch = LLVMBuildCondBr(b, more, n->head, exit);
    if (r->is_remainder)
        sl_loop_is_done(g, branch);
    else
        annotate(g, branch);
    LLVMPositionBuilderAtEnd(b, exit);
}

void sl_items_emit(struct sl_group_function *g, const struct sl_rows *r, sl_item_body_fn body,
                   void *data)
{
    if (g->each_item) {
        g->each_item(g, body, data);
        return;
    }
    struct sl_item item = {.at = r->row, .index = r->row};
    if (g->single) {
        body(&item, data);
        return;
    }
    struct inner n = open_inner(g, r);
    item.at = n.at;
    item.index = sl_emit_add_exact(&g->e, r->row, g->places[SL_WI_LOCAL_ID][0], "index");
    body(&item, data);
    close_inner(g, r, &n);
}

/* ---- several items at once ------------------------------------------------------------------- */

/* `more`: one more of its properties; NULL: none. */
static void set_done(struct sl_group_function *g, LLVMValueRef branch, LLVMMetadataRef more)
{
    LLVMMetadataRef properties[] = {
        property(g, "llvm.loop.isvectorized", sl_emit_i32(&g->e, 1)),
        property(g, "llvm.loop.unroll.disable", NULL),
        more,
    };
    sl_llvm_set_loop_properties(branch, properties, more ? 3 : 2);
}

void sl_loop_is_done(struct sl_group_function *g, LLVMValueRef branch)
{
    set_done(g, branch, NULL);
}

/* The value, of which LLVM knows nothing; no instruction. */
static LLVMValueRef unknown(struct sl_group_function *g, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value), function = LLVMFunctionType(type, &type, 1, false);
    LLVMValueRef same = LLVMGetInlineAsm(function, "", 0, "=r,0", sizeof "=r,0" - 1, false, false,
                                         LLVMInlineAsmDialectATT, false);
    return LLVMBuildCall2(g->e.builder, function, same, &value, 1, "");
}

/*
 * One bit for each of the items that there are, of `lanes` from here on. LLVM 22 forgets to clear
 * the upper bits of a mask that it spills, since it takes KMOVBkk, which does, for a plain copy. So
 * nothing may need that: the mask is never made in less than 32 bits, since eight lanes' bytes are
 * accessed as sixteen under a mask, while an operation on eight bits leaves there what the register
 * held; and LLVM must not learn that there are eight items of sixteen, as in rows whose length the
 * kernel fixes, where it would make `and` of a mask and eight bits such a clearing.
 */
static LLVMValueRef lane_mask(struct sl_group_function *g, LLVMValueRef count, LLVMValueRef left,
                              uint32_t lanes)
{
    LLVMBuilderRef b = g->e.builder;
    LLVMTypeRef wide = LLVMIntTypeInContext(g->e.context, lanes < 32 ? 32 : lanes);
    LLVMValueRef most = sl_emit_i64(&g->e, lanes);
    LLVMValueRef missing = LLVMBuildNUWSub(b, most, sl_emit_min(&g->e, left, most, "active"), "");
    missing = lanes == 64 ? missing : LLVMBuildTrunc(b, missing, wide, "");
    if (LLVMIsConstant(count))
        missing = unknown(g, missing);
    LLVMValueRef all = LLVMConstInt(wide, UINT64_MAX >> (64 - lanes), false);
    LLVMValueRef mask = LLVMBuildLShr(b, all, missing, "");
    if (lanes < 32)
        mask = LLVMBuildTrunc(b, mask, LLVMIntTypeInContext(g->e.context, lanes), "");
    return LLVMBuildBitCast(b, mask, LLVMVectorType(g->e.i1, lanes), "mask");
}

/* For who predicts how long the loop takes; nobody else looks at it. */
static LLVMMetadataRef items_property(struct sl_group_function *g, uint32_t lanes, bool masked)
{
    const uint32_t numbers[] = {g->jammed ? lanes * g->jammed : lanes, g->region, masked};
    LLVMMetadataRef parts[4] = {
        LLVMMDStringInContext2(g->e.context, SL_ITEMS_PROPERTY, strlen(SL_ITEMS_PROPERTY))};
    if (!sl_pass_has(g->pass, SL_PASS_WANTS_REMARKS))
        return NULL;
    for (unsigned k = 0; k < 3; k++)
        parts[k + 1] = LLVMValueAsMetadata(sl_emit_i32(&g->e, numbers[k]));
    return LLVMMDNodeInContext2(g->e.context, parts, 4);
}

static void step_lanes(struct sl_group_function *g, LLVMValueRef phi, LLVMValueRef next)
{
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->e.builder);
    LLVMAddIncoming(phi, &next, &from, 1);
}

/* Behind the code of one vector: on to the next one while its place is `more` than, or not, `end`.
 */
static void close_lanes(struct sl_group_function *g, const struct sl_rows *r, struct inner *n,
                        LLVMIntPredicate more, LLVMValueRef end, uint32_t lanes)
{
    LLVMBuilderRef b = g->e.builder;
    if (r->once) {
        leave_straight(g);
        return;
    }
    LLVMValueRef next = sl_emit_add_exact(&g->e, n->at, sl_emit_i64(&g->e, lanes), "");
    step_lanes(g, n->at, next);
    LLVMValueRef goes_on = LLVMBuildICmp(b, more, next, end, "");
    if (r->narrow) {
        LLVMValueRef by = sl_emit_i32(&g->e, lanes);
        step_lanes(g, n->low, sl_emit_add_exact(&g->e, n->low, by, ""));
        step_lanes(g, n->id, sl_emit_add_exact(&g->e, n->id, by, ""));
    }
    LLVMBasicBlockRef exit = new_block(g, "row.end");
    set_done(g, LLVMBuildCondBr(b, goes_on, n->head, exit),
             items_property(g, lanes, more == LLVMIntULT));
    LLVMPositionBuilderAtEnd(b, exit);
}

void sl_lanes_emit(struct sl_group_function *g, const struct sl_rows *r, uint32_t lanes,
                   sl_item_body_fn body, void *data)
{
    LLVMBuilderRef b = g->e.builder;
    struct inner n = open_inner(g, r);
    struct sl_item item = {.at = n.at};
    item.index = sl_emit_add_exact(&g->e, r->row, g->places[SL_WI_LOCAL_ID][0], "index");
    LLVMValueRef left = LLVMBuildNUWSub(b, r->count, n.at, "left");
    item.mask = lane_mask(g, r->count, left, lanes);
    body(&item, data);
    close_lanes(g, r, &n, LLVMIntULT, r->count, lanes);
}

/* ---- the same without masks: full vectors, and the items that are left over ------------------ */

LLVMValueRef sl_rows_in_vectors(struct sl_group_function *g, const struct sl_rows *r,
                                uint32_t lanes)
{
    LLVMValueRef whole = sl_emit_i64(&g->e, ~(uint64_t)(lanes - 1));
    return LLVMBuildAnd(g->e.builder, r->count, whole, "in.vectors");
}

void sl_lanes_emit_full(struct sl_group_function *g, const struct sl_rows *r, LLVMValueRef count,
                        uint32_t lanes, sl_item_body_fn body, void *data)
{
    struct inner n = open_inner(g, r);
    struct sl_item item = {.at = n.at};
    item.index = sl_emit_add_exact(&g->e, r->row, g->places[SL_WI_LOCAL_ID][0], "index");
    item.mask = LLVMConstAllOnes(LLVMVectorType(g->e.i1, lanes));
    body(&item, data);
    close_lanes(g, r, &n, LLVMIntNE, count, lanes);
}

void sl_rows_first(struct sl_group_function *g, const struct sl_rows *r, LLVMValueRef count,
                   struct sl_rows *first)
{
    *first = *r;
    first->count = count;
    if (r->narrow)
        place_last(g, first);
}

void sl_rows_remaining(struct sl_group_function *g, const struct sl_rows *r, LLVMValueRef done,
                       struct sl_rows *remaining)
{
    *remaining = *r;
    remaining->is_remainder = true;
    remaining->once = false;
    remaining->start = sl_emit_add_exact(&g->e, r->start, done, "");
    remaining->first = sl_emit_add_exact(&g->e, r->first, done, "");
    remaining->count = LLVMBuildNUWSub(g->e.builder, r->count, done, "rest");
    if (r->narrow)
        remaining->low = LLVMBuildTrunc(g->e.builder, remaining->first, g->e.i32, "low");
}

/* ---- questions that rows answer together ----------------------------------------------------- */

static const char second_way[] = "sl.second.way";

unsigned sl_second_way_kind(LLVMContextRef context)
{
    return LLVMGetMDKindIDInContext(context, second_way, sizeof second_way - 1);
}

void sl_rows_may_go_second_way(struct sl_group_function *g, LLVMValueRef branch)
{
    LLVMMetadataRef node = LLVMMDNodeInContext2(g->e.context, NULL, 0);
    LLVMSetMetadata(branch, sl_second_way_kind(g->e.context),
                    LLVMMetadataAsValue(g->e.context, node));
}

bool sl_rows_may_go_together(LLVMContextRef context, LLVMValueRef branch)
{
    return LLVMIsABranchInst(branch) && LLVMIsConditional(branch) &&
           LLVMGetMetadata(branch, sl_second_way_kind(context));
}
