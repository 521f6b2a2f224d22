/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops that take a packet of each of their pipes per round get a second version, entered when so
 * many packets (or rooms) are known to be there that none of its operations can fail or wait: no
 * checks, slots one behind the other, indices published once at its end. LLVM can vectorise that.
 * The first version does what is left: a round, and then it asks again.
 *
 * Nobody can tell: kernels of the cluster run only inside of calls of the runtime, of which the
 * second version has none; another thread sees one of its ends at most, so no order of two. Which
 * way a round goes when an operation fails does not matter to it, so `while (read_pipe(p, &v));`
 * is no inner loop here. A kernel with a clock tells it of the rounds when the indices are
 * published (timed.c). No shared state.
 */
#include "pipes/batch.h"

#include "ir/control_flow/cfg.h"
#include "items/work_item.h"
#include "pipes/journal.h"
#include "pipes/own_variables.h"
#include "llvm/intrinsics.h"
#include "llvm/pass_support.h"
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_DEPTH = 32,      /* of pipes that are worth it */
    LEAST_TIMED_DEPTH = 8, /* a call for each packet is more than one for a batch */
    MOST_BLOCKS = 12,
    MOST_TIMED_BLOCKS = 32,
    MOST_IN_BODY = MOST_TIMED_BLOCKS + 1, /* the header is one more */
    MOST_INSTRUCTIONS = 160,
    MOST_TIMED_INSTRUCTIONS = 640,
    MOST_BYTES = 8, /* of a packet: larger ones are copied one by one anyway */
    MOST_TIMED_BYTES = 64,
    /* Between two threads what is published with each packet costs more than to copy it: the store
     * keeps those around it, which want lines that the other one had, from being under way at once.
     */
    MOST_FOREIGN_BYTES = 256,
    MOST_KERNELS = 1024, /* in a program: a version more takes 3 to 6 ms to compile */
};

/* ---- which way a round goes if no operation fails -------------------------------------------- */

const struct sl_pipe_place *sl_batch_place(const struct sl_pipe_expander *x, LLVMValueRef i)
{
    if (!LLVMIsACallInst(i) || !sl_pipe_has_place(i))
        return NULL;
    const struct sl_pipe_place *place = &x->pass->pipes->places[sl_pipe_place_of(i)];
    return place->operation->form == SL_PIPE_FORM_PACKET ? place : NULL;
}

bool sl_batch_is_mark(LLVMValueRef i)
{
    return LLVMIsACallInst(i) && sl_pipe_is_loop_mark(i);
}

/* The only successor when the branch asks whether an operation failed; else NULL. */
LLVMBasicBlockRef sl_batch_success(const struct sl_pipe_expander *x, LLVMValueRef branch)
{
    if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch))
        return NULL;
    LLVMValueRef question = LLVMGetCondition(branch);
    if (!LLVMIsAICmpInst(question) || !sl_batch_place(x, LLVMGetOperand(question, 0)) ||
        !LLVMIsNull(LLVMGetOperand(question, 1)))
        return NULL;
    switch (LLVMGetICmpPredicate(question)) {
    case LLVMIntEQ:
        return LLVMGetSuccessor(branch, 0);
    case LLVMIntNE:
        return LLVMGetSuccessor(branch, 1);
    default:
        return NULL;
    }
}

bool sl_batch_is_usual(const struct sl_pipe_expander *x, LLVMBasicBlockRef from,
                       LLVMBasicBlockRef to)
{
    LLVMBasicBlockRef only = sl_batch_success(x, LLVMGetBasicBlockTerminator(from));
    return !only || only == to;
}

/* ---- finding loops --------------------------------------------------------------------------- */

struct search {
    struct sl_pipe_expander *x;
    const struct sl_cfg *cfg;
    bool *body; /* per block */
    uint32_t header, latch, count;
};

static bool is_usual_edge(const struct search *s, uint32_t from, uint32_t to)
{
    return sl_batch_is_usual(s->x, s->cfg->blocks[from].ref, s->cfg->blocks[to].ref);
}

/* The block whose usual way leads back to the header; SL_NO_BLOCK: none, or several. */
static uint32_t find_latch(const struct search *s)
{
    const struct sl_block *header = &s->cfg->blocks[s->header];
    uint32_t latch = SL_NO_BLOCK;
    for (uint32_t i = 0; i < header->pred_count; i++) {
        uint32_t from = header->pred[i];
        if (from < s->header || !is_usual_edge(s, from, s->header))
            continue;
        if (latch != SL_NO_BLOCK)
            return SL_NO_BLOCK;
        latch = from;
    }
    return latch;
}

/* Adds to body what leads to block b; false: this is no loop to be looked at. */
static bool add_body(struct search *s, uint32_t b)
{
    if (s->body[b])
        return true;
    if (b < s->header || ++s->count > (s->x->timed ? MOST_TIMED_BLOCKS : MOST_BLOCKS))
        return false;
    s->body[b] = true;
    const struct sl_block *block = &s->cfg->blocks[b];
    for (uint32_t i = 0; b != s->header && i < block->pred_count; i++)
        if (is_usual_edge(s, block->pred[i], b) &&
            ((block->pred[i] >= b && !s->x->timed) || !add_body(s, block->pred[i])))
            return false; /* an inner loop, if not too much */
    return true;
}

static bool has_plain_branches(const struct search *s)
{
    for (uint32_t b = s->header; b < s->cfg->count; b++) {
        if (!s->body[b])
            continue;
        LLVMValueRef end = LLVMGetBasicBlockTerminator(s->cfg->blocks[b].ref);
        if (!LLVMIsABranchInst(end) ||
            (LLVMIsConditional(end) && LLVMGetSuccessor(end, 0) == LLVMGetSuccessor(end, 1)))
            return false;
    }
    return true;
}

/* ---- judging them ---------------------------------------------------------------------------- */

static bool is_simple(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
    case LLVMStore:
        return !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
    case LLVMCall:
        return sl_llvm_is_intrinsic(i, SL_INTRINSIC_ANY);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
    case LLVMAlloca:
        return false;
    default:
        return true;
    }
}

/* Vectors of it cost what they should: LLVM need not weigh all widths, which takes long. */
static bool is_cheap(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return LLVMIsAAllocaInst(LLVMGetOperand(i, 0));
    case LLVMStore:
        return LLVMIsAAllocaInst(LLVMGetOperand(i, 1));
    case LLVMCall:
        return sl_llvm_is_intrinsic(i, SL_INTRINSIC_LIFETIME);
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return false;
    default:
        return true;
    }
}

static bool has_room(const struct sl_pipe_expander *x, const struct sl_pipe_place *place)
{
    const struct sl_pipe_variable *v =
        place->variable < 0 ? NULL : &x->pass->pipes->variables[place->variable];
    if (v && x->timed)
        return v->slot_count >= LEAST_TIMED_DEPTH;
    return !v || v->depth >= LEAST_DEPTH;
}

static LLVMValueRef base_of(LLVMValueRef address)
{
    while (LLVMIsAGetElementPtrInst(address) || LLVMIsAAddrSpaceCastInst(address) ||
           (LLVMIsAConstantExpr(address) && (LLVMGetConstOpcode(address) == LLVMGetElementPtr ||
                                             LLVMGetConstOpcode(address) == LLVMAddrSpaceCast)))
        address = LLVMGetOperand(address, 0);
    return address;
}

/* Nobody else writes what is there, or reads what this one writes. */
static bool is_own(LLVMValueRef address)
{
    LLVMValueRef base = base_of(address);
    return LLVMIsAAllocaInst(base) ||
           (LLVMIsAGlobalVariable(base) &&
            (LLVMIsGlobalConstant(base) || sl_pipe_is_own_variable(base)));
}

/* What an argument of the kernel points to: the device knows who else has it, if by an argument. */
static bool is_argument(LLVMValueRef address)
{
    LLVMValueRef base = base_of(address);
    return LLVMIsAArgument(base) && LLVMGetTypeKind(LLVMTypeOf(base)) == LLVMPointerTypeKind;
}

static bool is_of_own(LLVMValueRef call)
{
    bool own = true;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && own; i++) {
        LLVMValueRef value = LLVMGetArgOperand(call, i);
        own = LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind || is_own(value);
    }
    return own;
}

/* Nobody can tell when, or whether, it happens. */
static bool is_unseen(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return is_own(LLVMGetOperand(i, 0));
    case LLVMStore:
        return is_own(LLVMGetOperand(i, 1));
    case LLVMCall:
        return is_of_own(i);
    default:
        return true;
    }
}

static bool is_by_argument(LLVMValueRef i)
{
    return (LLVMIsALoadInst(i) && is_argument(LLVMGetOperand(i, 0))) ||
           (LLVMIsAStoreInst(i) && is_argument(LLVMGetOperand(i, 1)));
}

enum sl_batch_sight sl_batch_sight_of(LLVMValueRef i)
{
    if (!is_simple(i))
        return SL_BATCH_SEEN;
    return is_unseen(i) ? SL_BATCH_UNSEEN : is_by_argument(i) ? SL_BATCH_SHARED : SL_BATCH_SEEN;
}

static bool is_small(const struct sl_batch *batch, const struct sl_pipe_place *place)
{
    const uint32_t most = batch->x->timed ? MOST_TIMED_BYTES : MOST_BYTES;
    return place->packet_bytes <= (place->foreign ? MOST_FOREIGN_BYTES : most);
}

static void add_step(struct sl_batch *batch, LLVMValueRef call, uint32_t part)
{
    batch->parts[part].each++;
    batch->steps[batch->step_count++] = (struct sl_batch_step){call, part};
}

/* One more operation of an end: with a clock, which takes most of the time then. */
static bool add_again(struct sl_batch *batch, uint32_t part, LLVMValueRef call)
{
    if (!batch->x->timed || batch->parts[part].place->foreign)
        return false;
    add_step(batch, call, part);
    return true;
}

static bool add_part(struct sl_batch *batch, LLVMValueRef call, const struct sl_pipe_place *place)
{
    struct sl_kept_pipe_end *end = sl_pipe_kept_end(batch->x, call);
    if (!end || place->claims || (batch->x->timed && !place->blocking) ||
        batch->step_count == SL_PIPE_MOST_STEPS || !is_small(batch, place) ||
        !has_room(batch->x, place))
        return false;
    for (uint32_t i = 0; i < batch->part_count; i++) {
        if (batch->parts[i].end == end)
            return add_again(batch, i, call);
        if (batch->parts[i].place->foreign && place->foreign)
            return false;
    }
    if (batch->part_count == SL_BATCH_MOST_ENDS)
        return false;
    batch->parts[batch->part_count] =
        (struct sl_batch_part){.call = call, .end = end, .place = place};
    add_step(batch, call, batch->part_count++);
    return true;
}

/* It says the same in each round, but for how often a loop has gone round. */
static bool add_mark(struct sl_batch *batch, LLVMValueRef call)
{
    enum { ITERATIONS = 3 };
    const bool nest = sl_pipe_nest_rows(call) != 0;
    bool varies = false;
    if (batch->mark_count == SL_PIPE_MOST_TOLD)
        return false;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (!LLVMIsAConstantInt(LLVMGetArgOperand(call, i))) {
            if (nest || i != ITERATIONS)
                return false;
            varies = true;
        }
    const uint64_t what = nest ? 0 : LLVMConstIntGetZExtValue(LLVMGetArgOperand(call, 0));
    if (what == SL_LOOP_IS_ITEM || (varies && what != SL_LOOP_IS_THROUGH) ||
        batch->varied + varies > SL_PIPE_MOST_VARIED)
        return false;
    batch->varied += varies;
    batch->marks[batch->mark_count++] = (struct sl_batch_mark){call, batch->step_count, varies};
    return true;
}

static bool add_instruction(struct sl_batch *batch, LLVMValueRef i)
{
    const struct sl_pipe_place *place = sl_batch_place(batch->x, i);
    if (place)
        return add_part(batch, i, place);
    return sl_batch_is_mark(i) ? add_mark(batch, i) : is_simple(i);
}

static bool is_worth(struct sl_batch *batch)
{
    const uint32_t most = batch->x->timed ? MOST_TIMED_INSTRUCTIONS : MOST_INSTRUCTIONS;
    uint32_t count = 0;
    batch->cheap = true;
    for (size_t b = 0; b < batch->body.count; b++) {
        LLVMValueRef i = LLVMGetFirstInstruction(batch->body.items[b]);
        for (; i; i = LLVMGetNextInstruction(i)) {
            if (++count > most || !add_instruction(batch, i))
                return false;
            bool moves = sl_batch_place(batch->x, i) || sl_batch_is_mark(i);
            batch->cheap &= moves || is_cheap(i);
            if (moves || is_unseen(i))
                continue;
            batch->shares = true;
            batch->seen |= !is_by_argument(i);
        }
    }
    /* Behind the mark of a round nothing has happened in it so far. */
    batch->seen |= !batch->mark_count || batch->marks[0].before;
    return batch->part_count != 0;
}

bool sl_batch_has(const struct sl_batch *batch, LLVMBasicBlockRef block)
{
    bool inside = block == batch->check;
    for (size_t i = 0; i < batch->body.count && !inside; i++)
        inside = batch->body.items[i] == block;
    return inside;
}

/* ---- loops that count ------------------------------------------------------------------------ */

/* The phi of the header that the loop adds one to; else NULL. */
static LLVMValueRef counter_of(const struct sl_batch *batch, LLVMValueRef next)
{
    if (!LLVMIsAInstruction(next) || LLVMGetInstructionOpcode(next) != LLVMAdd)
        return NULL;
    LLVMValueRef phi = LLVMGetOperand(next, 0), one = LLVMGetOperand(next, 1);
    if (!LLVMIsAPHINode(phi) || LLVMGetInstructionParent(phi) != batch->check ||
        !LLVMIsAConstantInt(one) || LLVMGetIntTypeWidth(LLVMTypeOf(one)) > 64 ||
        LLVMConstIntGetZExtValue(one) != 1)
        return NULL;
    unsigned i = 0;
    while (LLVMGetIncomingBlock(phi, i) != batch->latch)
        i++;
    return LLVMGetIncomingValue(phi, i) == next ? phi : NULL;
}

static bool is_straight(const struct sl_batch *batch)
{
    bool straight = true;
    for (size_t b = 0; b < batch->body.count && straight; b++) {
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(batch->body.items[b]);
        straight = batch->body.items[b] == batch->latch || !LLVMIsConditional(branch) ||
                   sl_batch_success(batch->x, branch);
    }
    return straight;
}

/* From the begin of a round its usual way leads to the latch around this block. */
static bool leads_around(const struct sl_batch *batch, LLVMBasicBlockRef avoided)
{
    LLVMBasicBlockRef list[MOST_IN_BODY] = {batch->body.items[0]};
    size_t count = list[0] != avoided, done = 0;
    bool found = false;
    for (; done < count && !found; done++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(list[done]);
        found = list[done] == batch->latch;
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end) && !found; i++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
            bool known = to == avoided || to == batch->check || !sl_batch_has(batch, to);
            for (size_t k = 0; k < count && !known; k++)
                known = list[k] == to;
            if (!known)
                list[count++] = to;
        }
    }
    return found;
}

/* It is part of a loop inside. */
static bool leads_back(const struct sl_batch *batch, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef list[MOST_IN_BODY] = {block};
    size_t count = 1, done = 0;
    bool found = false;
    for (; done < count && !found; done++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(list[done]);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end) && !found; i++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
            bool known = to == batch->check || !sl_batch_has(batch, to) ||
                         !sl_batch_is_usual(batch->x, list[done], to);
            found = to == block && !known;
            for (size_t k = 0; k < count && !known; k++)
                known = list[k] == to;
            if (!known)
                list[count++] = to;
        }
    }
    return found;
}

/* Each round passes all that a clock hears of once, and is left behind its end only. */
static bool is_regular(const struct sl_batch *batch)
{
    for (size_t b = 0; b < batch->body.count; b++) {
        LLVMBasicBlockRef block = batch->body.items[b];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        for (unsigned i = 0; block != batch->latch && !sl_batch_success(batch->x, end) &&
                             i < LLVMGetNumSuccessors(end);
             i++)
            if (LLVMGetSuccessor(end, i) == batch->check ||
                !sl_batch_has(batch, LLVMGetSuccessor(end, i)))
                return false;
        bool heard = false;
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            heard |= sl_batch_place(batch->x, i) || sl_batch_is_mark(i);
        if (heard &&
            ((block != batch->latch && leads_around(batch, block)) || leads_back(batch, block)))
            return false;
    }
    return true;
}

/* `for (i = 0; i < n; i++)` as it has become: how many rounds there will be is known before. */
static void find_counter(struct sl_batch *batch)
{
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(batch->latch);
    if (!LLVMIsConditional(branch) || sl_batch_success(batch->x, branch))
        return;
    LLVMValueRef question = LLVMGetCondition(branch);
    bool first = LLVMGetSuccessor(branch, 0) == batch->check;
    if (!LLVMIsAICmpInst(question) ||
        LLVMGetICmpPredicate(question) != (first ? LLVMIntNE : LLVMIntEQ))
        return;
    LLVMValueRef end = LLVMGetOperand(question, 1);
    if (LLVMIsAInstruction(end) && sl_batch_has(batch, LLVMGetInstructionParent(end)))
        return;
    batch->counter = counter_of(batch, LLVMGetOperand(question, 0));
    batch->end = end;
}

/* ---- functions ------------------------------------------------------------------------------- */

static bool find_body(struct search *s)
{
    memset(s->body, 0, s->cfg->count * sizeof *s->body);
    s->count = 0;
    s->body[s->header] = true;
    s->latch = find_latch(s);
    return s->latch != SL_NO_BLOCK && add_body(s, s->latch) && has_plain_branches(s);
}

static void note_loop(struct search *s, struct sl_list *loops)
{
    struct sl_batch *batch = sl_ir_alloc(1, sizeof *batch);
    batch->x = s->x;
    batch->check = s->cfg->blocks[s->header].ref;
    batch->latch = s->cfg->blocks[s->latch].ref;
    for (uint32_t b = s->header; b < s->cfg->count; b++)
        if (s->body[b])
            sl_list_add(&batch->body, s->cfg->blocks[b].ref);
    /* A clock is told of whole rounds. */
    if (is_worth(batch) && (!s->x->timed || is_regular(batch))) {
        sl_list_add(loops, batch);
        return;
    }
    sl_list_finish(&batch->body);
    free(batch);
}

/* What the header does besides joining values is part of a round. */
static void split_header(struct sl_batch *batch)
{
    LLVMValueRef first = LLVMGetFirstInstruction(batch->check);
    while (LLVMIsAPHINode(first))
        first = LLVMGetNextInstruction(first);
    batch->body.items[0] = sl_llvm_split_block(first, "round");
    if (batch->latch == batch->check)
        batch->latch = batch->body.items[0];
}

static bool has_batch(const void *data, LLVMBasicBlockRef header)
{
    const struct sl_list *loops = data;
    bool has = false;
    for (size_t i = 0; i < loops->count && !has; i++)
        has = ((const struct sl_batch *)loops->items[i])->check == header;
    return has;
}

bool sl_pipe_batch(struct sl_pipe_expander *x)
{
    struct sl_cfg cfg;
    struct sl_list loops = {0};
    if (x->pass->kernel_count > MOST_KERNELS)
        return false;
    sl_cfg_init(&cfg, x->function);
    struct search s = {.x = x, .cfg = &cfg, .body = sl_ir_alloc(cfg.count, sizeof *s.body)};
    for (s.header = 1; s.header < cfg.count; s.header++)
        if (find_body(&s))
            note_loop(&s, &loops);
    if (x->timed)
        sl_journal_find(x, &cfg, has_batch, &loops);
    for (size_t i = 0; i < loops.count; i++) {
        struct sl_batch *batch = loops.items[i];
        if (sl_journal_has_block(x, batch->check))
            batch->seen = false;
        split_header(batch);
        batch->straight = is_straight(batch);
        find_counter(batch);
        sl_batch_add_version(batch, i);
        sl_list_finish(&batch->body);
        sl_map_finish(&batch->copies);
        free(batch);
    }
    bool any = loops.count != 0;
    sl_list_finish(&loops);
    free(s.body);
    sl_cfg_finish(&cfg);
    return any;
}
