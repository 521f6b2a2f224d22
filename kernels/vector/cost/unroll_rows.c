/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many rows of a group a region takes in step. Rows differ in dimension 1; what does not depend
 * on it is the same in all of them: in "sum += a[y][k] * b[k][x]" the load of b, its address, the
 * loop. Computed once for several rows it costs a part, and sums of several rows do not wait for
 * each other. All rows must go the same way, and what they do must be known to be theirs: items of
 * different rows have no order between barriers, so that one row's accesses may be anywhere between
 * another one's, but each access must be made. No shared state.
 */
#include "vector/cost/unroll_rows.h"

#include "ir/map.h"
#include "vector/analysis/control_flow.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/guard.h"
#include "vector/analysis/lanewise_call.h"
#include "vector/analysis/shape.h"
#include "vector/cost/cost.h"
#include "vector/cost/pressure.h"
#include "vector/cost/turned_rows.h"
#include "vector/operations/instruction.h"

#include <string.h>

#define MOST 4            /* rows */
#define MOST_IN_ONE 8     /* where each value of a row is in one register */
#define MOST_OF_KNOWN 16  /* the same where groups have as many rows, or a multiple */
#define WORTH_A_COPY 16   /* cost of what is shared without a loop around it */
#define MOST_STRAIGHT 320 /* instructions of all rows together where little is the same in them */
#define MOST_TURNED 1200  /* the same where they turn a tile round: four columns at once fit */
#define MOST_CODE 800     /* instructions of the machine that all rows have together */
#define LOOP_WEIGHT 8
#define DEEPEST 3

struct obstacle {
    const char *what;   /* NULL: none */
    LLVMValueRef where; /* NULL: everywhere */
};

struct rows {
    struct sl_vector_facts *v;
    struct sl_map own; /* what each row has for itself -> itself */
    struct obstacle obstacle;
    bool changed;
};

/* ---- what depends on the row ----------------------------------------------------------------- */

static bool is_own(const struct rows *r, LLVMValueRef value)
{
    return sl_map_get(&r->own, value) != NULL;
}

static void make_own(struct rows *r, LLVMValueRef value)
{
    r->changed |= !is_own(r, value);
    sl_map_set(&r->own, value, value);
}

static bool has_own_operand(const struct rows *r, LLVMValueRef i)
{
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (is_own(r, LLVMGetOperand(i, (unsigned)k)))
            return true;
    return false;
}

static bool is_special(LLVMValueRef i)
{
    return LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
}

/* Slots of items lie in the context, row after row; a private array that no barrier splits is one
 * for all rows. */
static void look_at_variables(struct rows *r)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(r->v->g->split.kernel);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
        const struct sl_vector_variable *variable = sl_map_get(r->v->variables, i);
        if (variable && (variable->kept || (!variable->memory && !variable->uniform)))
            make_own(r, i);
    }
}

static bool is_shared_array(const struct rows *r, LLVMValueRef value)
{
    const struct sl_vector_variable *variable =
        LLVMIsAAllocaInst(value) ? sl_map_get(r->v->variables, value) : NULL;
    return variable && variable->memory && !variable->kept;
}

static const char *store_obstacle(const struct rows *r, LLVMValueRef i)
{
    LLVMValueRef to = LLVMGetOperand(i, 1);
    const struct sl_vector_variable *variable = sl_map_get(r->v->variables, to);
    if (variable && !variable->memory && variable->uniform)
        return is_own(r, LLVMGetOperand(i, 0)) ? "a value of the group is a row's" : NULL;
    return is_own(r, to) ? NULL : "all rows store to one place";
}

static const char *call_obstacle(LLVMValueRef i)
{
    enum sl_wi what;
    unsigned dim;
    bool fine = sl_wi_parse(i, &what, &dim) || sl_vector_is_lanewise_call(i) ||
                sl_vector_is_idle(i) || sl_wi_is_barrier(i);
    return fine ? NULL : "a call";
}

static const char array_obstacle[] = "a private array";

static bool uses_shared_array(const struct rows *r, LLVMValueRef i)
{
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (is_shared_array(r, LLVMGetOperand(i, (unsigned)k)) && !sl_vector_is_idle(i))
            return true;
    return false;
}

static const char *obstacle_in(const struct rows *r, LLVMValueRef i)
{
    if (uses_shared_array(r, i))
        return array_obstacle;
    if ((LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && is_special(i))
        return "a volatile or atomic access";
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore:
        return store_obstacle(r, i);
    case LLVMCall:
        return call_obstacle(i);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
        return "an atomic operation";
    default:
        break;
    }
    bool asks = LLVMIsATerminatorInst(i) && LLVMGetNumSuccessors(i) > 1;
    LLVMValueRef on = asks ? LLVMGetOperand(i, 0) : NULL;
    bool is;
    return asks && !sl_vector_is_decided(r->v, on, &is) && is_own(r, on)
               ? "rows may go different ways"
               : NULL;
}

static void visit(struct rows *r, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        enum sl_wi what;
        unsigned dim;
        bool is_id = sl_wi_parse(i, &what, &dim) && sl_wi_is_item(what) && dim == 1;
        if (is_id || (!LLVMIsAAllocaInst(i) && has_own_operand(r, i)))
            make_own(r, i);
    }
}

/* To the fixed point, since loops lead back. */
static void find_own(struct rows *r)
{
    const struct sl_vector_plan *plan = &r->v->plan;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(r->v->g->split.kernel);
    look_at_variables(r);
    /* Addresses that are made in front of all regions may be of any of them. */
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i))
        if (uses_shared_array(r, i))
            r->obstacle = (struct obstacle){array_obstacle, i};
    do {
        r->changed = false;
        if (sl_vector_number(plan, entry) == plan->count)
            visit(r, entry);
        for (uint32_t b = 0; b < plan->count; b++)
            visit(r, plan->blocks[b].ref);
    } while (r->changed);
    for (uint32_t b = 0; b < plan->count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(plan->blocks[b].ref); i && !r->obstacle.what;
             i = LLVMGetNextInstruction(i))
            r->obstacle = (struct obstacle){obstacle_in(r, i), i};
}

/* ---- does it pay ----------------------------------------------------------------------------- */

struct sums {
    uint64_t shared, own, shared_loads; /* costs of one run of the region */
    uint64_t own_code;                  /* instructions of the machine */
};

static void add(const struct rows *r, LLVMValueRef i, uint32_t block, uint64_t weight,
                struct sums *s)
{
    uint64_t cost = sl_vector_cost(r->v, i, block);
    bool is_vector = sl_vector_shape(r->v, i).kind == SL_SHAPE_VARYING;
    if (is_own(r, i)) {
        s->own += weight * cost;
        s->own_code += cost;
        return;
    }
    s->shared += weight * cost;
    if (LLVMIsALoadInst(i) && is_vector)
        s->shared_loads += weight * cost;
}

static struct sums add_up(const struct rows *r)
{
    const struct sl_vector_plan *plan = &r->v->plan;
    struct sums s = {0};
    for (uint32_t b = 0; b < plan->count; b++) {
        uint64_t weight = 1;
        unsigned depth = 0;
        for (uint32_t l = plan->blocks[b].loop; l; l = plan->loops[l - 1].parent, depth++)
            weight *= depth < DEEPEST ? LOOP_WEIGHT : 1;
        for (LLVMValueRef i = LLVMGetFirstInstruction(plan->blocks[b].ref); i;
             i = LLVMGetNextInstruction(i))
            if (!LLVMIsAPHINode(i) && !LLVMIsATerminatorInst(i))
                add(r, i, b, weight, &s);
    }
    return s;
}

static bool fit(struct rows *r, uint32_t count)
{
    uint32_t most = 0;
    r->v->by_row = &r->own;
    r->v->rows = count;
    r->v->counts_closely = true;
    for (uint32_t b = 0; b < r->v->plan.count; b++) {
        uint32_t one = sl_vector_pressure(r->v, b);
        most = one > most ? one : most;
    }
    r->v->by_row = NULL;
    r->v->counts_closely = false;
    return most < r->v->target->registers; /* one is for what all lanes of a row share */
}

/* Groups have so many, or a multiple. */
static bool has_rows(const struct sl_vector_facts *v, uint32_t count)
{
    return v->g->facts->required[1] && v->g->facts->required[1] % count == 0;
}

static bool knows_rows(const struct sl_vector_facts *v)
{
    return has_rows(v, MOST_OF_KNOWN);
}

/* Half of what scatters and gathers cost goes away where a tile is turned round, at least. */
static bool turns(const struct sl_vector_facts *v, uint64_t own_code)
{
    uint64_t turned = has_rows(v, MOST) ? sl_vector_turned_cost(v) : 0;
    return turned && MOST * (own_code - turned / 2) <= MOST_TURNED;
}

static uint32_t choose(struct rows *r)
{
    struct sums s = add_up(r);
    bool loops = r->v->plan.loop_count != 0;
    if (!loops &&
        ((knows_rows(r->v) && MOST * s.own_code <= MOST_STRAIGHT) || turns(r->v, s.own_code)))
        return MOST;
    if (!s.shared_loads || 4 * s.shared < s.shared + s.own ||
        (!loops && s.shared_loads < WORTH_A_COPY))
        r->obstacle = (struct obstacle){.what = "too little is the same in all rows"};
    if (r->obstacle.what)
        return 1;
    bool in_one = r->v->lanes * 32 <= r->v->target->register_bits;
    uint32_t count = in_one             ? knows_rows(r->v) ? MOST_OF_KNOWN : MOST_IN_ONE
                     : knows_rows(r->v) ? MOST_IN_ONE
                                        : MOST;
    while (count > 1 && (count * s.own_code > MOST_CODE || !fit(r, count)))
        count /= 2;
    if (count == 1)
        r->obstacle =
            (struct obstacle){.what = "several would need too many registers or too much code"};
    return count;
}

static bool asks_for_row(const struct sl_vector_facts *v)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(v->g->split.kernel);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
        enum sl_wi what;
        unsigned dim;
        if (sl_wi_parse(i, &what, &dim) && sl_wi_is_item(what) && dim == 1)
            return true;
    }
    return false;
}

static uint32_t count_rows(struct sl_vector_facts *v, struct obstacle *obstacle)
{
    struct rows r = {.v = v};
    const struct sl_group_function *g = v->g;
    *obstacle = (struct obstacle){0};
    if (g->single || g->sub_groups || g->reqd[1] == 1 || !asks_for_row(v))
        return 1;
    find_own(&r);
    uint32_t count = r.obstacle.what ? 1 : choose(&r);
    while (g->reqd[1] && count > g->reqd[1])
        count /= 2;
    *obstacle = r.obstacle;
    sl_map_finish(&r.own);
    return count;
}

uint32_t sl_vector_rows_in_step(struct sl_vector_facts *v)
{
    struct obstacle obstacle;
    uint32_t count = count_rows(v, &obstacle);
    const struct sl_group_function *g = v->g;
    if (count > 1 && !sl_pass_step(g->pass, "rows in step", g->facts))
        count = 1;
    LLVMValueRef first = LLVMGetFirstInstruction(v->plan.blocks[0].ref);
    if (count > 1)
        sl_pass_remark(g->pass, g->facts, first, "%u rows in step", count);
    else if (obstacle.what)
        sl_pass_remark(g->pass, g->facts, obstacle.where ? obstacle.where : first,
                       "rows in turn: %s", obstacle.what);
    return count;
}

static bool bears_rows(struct sl_vector_facts *v, uint32_t lanes)
{
    struct obstacle obstacle;
    uint32_t was = v->lanes;
    v->lanes = lanes;
    bool bears = count_rows(v, &obstacle) > 1;
    v->lanes = was;
    return bears;
}

/* Of groups that meet at barriers, of a size that only a launch tells: a register's items or two,
 * as a rule. */
static bool rows_may_be_short(const struct sl_vector_facts *v)
{
    bool barrier = false;
    for (uint32_t b = 0; b < v->plan.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->plan.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i))
            barrier |= sl_wi_is_barrier(i);
    return barrier && !v->g->facts->required[0];
}

uint32_t sl_vector_leave_room_for_rows(struct sl_vector_facts *v, uint32_t times)
{
    struct sl_vector_guard guard;
    uint32_t less = times;
    if (times == 1 || !asks_for_row(v))
        return times;
    v->decided.count = 0;
    if (sl_vector_find_guard(v, &guard))
        sl_vector_decide(&v->decided, guard.condition, guard.runs_if);
    if (rows_may_be_short(v) && bears_rows(v, v->lanes))
        less = 1;
    while (less > 1 && !bears_rows(v, v->lanes * less))
        less /= 2;
    bool bears = less > 1 || bears_rows(v, v->lanes);
    v->decided.count = 0;
    return bears ? less : times;
}
