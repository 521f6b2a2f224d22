/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `row = get_global_id(0), column = get_global_id(1) ... a[row * width + column]`: items that
 * follow each other in dimension 0, which is the one that rows and vectors go along, are far apart
 * in memory there, and those that follow each other in dimension 1 are neighbours. Then the kernel
 * is compiled as if these two had changed places, and launched so (SL_KERNEL_TURNED_1, _2). One
 * that has some of both, as a transposition, runs in tiles (SL_KERNEL_TILES), so that lines of
 * memory are still in the caches when their other items come. Only for kernels that ask for global
 * ids and nothing else: no item can tell. No shared state.
 */
#include "groups/stages.h"

#include "groups/group_function.h"
#include "ir/calls.h"
#include "ir/cfg.h"
#include "ir/memory.h"
#include "items/work_item.h"
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#define DIMS 3
#define DEEPEST 48 /* operations from the ids to an address */
#define NEAR 64 /* elements, as a step that the source names: perhaps so many are all there are */
#define FAR (INT64_C(1) << 40) /* bytes; also: nobody can tell */

/* How far a number goes from one item to the next of each dimension. */
struct steps {
    int64_t by[DIMS];
};

struct turn {
    LLVMTargetDataRef data;
    struct sl_cfg cfg;
    struct sl_map known; /* value -> struct steps, owned */
    bool asked[DIMS];    /* for an id */
    uint32_t *depth;     /* of loops around each block */
    double cost[DIMS];   /* of accesses, if vectors went along that dimension */
    double rest;         /* of what is computed, in either case */
    bool crosses;        /* far along dimension 0, near along dimension 1 */
};

static struct steps steps_of(struct turn *, LLVMValueRef, unsigned depth);

static int64_t limited(int64_t step)
{
    return step < FAR && step > -FAR ? step : FAR;
}

static struct steps added(struct steps a, struct steps b, int sign)
{
    for (unsigned d = 0; d < DIMS; d++)
        a.by[d] = a.by[d] == FAR || b.by[d] == FAR ? FAR : limited(a.by[d] + sign * b.by[d]);
    return a;
}

static struct steps scaled(struct steps a, int64_t by)
{
    for (unsigned d = 0; d < DIMS; d++)
        a.by[d] = !a.by[d]                                ? 0
                  : llabs(by) > 1 << 20 || a.by[d] == FAR ? FAR
                                                          : limited(a.by[d] * by);
    return a;
}

/* Of something else that is made of both. */
static struct steps mixed(struct steps a, struct steps b)
{
    for (unsigned d = 0; d < DIMS; d++)
        a.by[d] = a.by[d] || b.by[d] ? FAR : 0;
    return a;
}

/* Of one of them. */
static struct steps chosen(struct steps a, struct steps b)
{
    for (unsigned d = 0; d < DIMS; d++)
        a.by[d] = a.by[d] ? a.by[d] : b.by[d];
    return a;
}

static struct steps product(struct turn *t, LLVMValueRef i, unsigned depth)
{
    struct steps a = steps_of(t, LLVMGetOperand(i, 0), depth);
    LLVMValueRef by = LLVMGetOperand(i, 1);
    if (!LLVMIsAConstantInt(by))
        return mixed(a, steps_of(t, by, depth));
    int64_t factor = LLVMConstIntGetSExtValue(by);
    if (LLVMGetInstructionOpcode(i) == LLVMShl)
        factor = factor >= 0 && factor < 20 ? INT64_C(1) << factor : INT64_MAX;
    return scaled(a, factor);
}

static struct steps address(struct turn *t, LLVMValueRef i, unsigned depth)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
    struct steps all = steps_of(t, LLVMGetOperand(i, 0), depth);
    for (int k = 1; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef index = LLVMGetOperand(i, (unsigned)k);
        if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
            continue;
        }
        if (k > 1)
            type = LLVMGetElementType(type);
        int64_t size = (int64_t)LLVMABISizeOfType(t->data, type);
        all = added(all, scaled(steps_of(t, index, depth), size), 1);
    }
    return all;
}

static struct steps of_operands(struct turn *t, LLVMValueRef i, unsigned depth)
{
    struct steps all = {{0}};
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (!LLVMValueIsBasicBlock(LLVMGetOperand(i, (unsigned)k)))
            all = mixed(all, steps_of(t, LLVMGetOperand(i, (unsigned)k), depth));
    return all;
}

static bool is_bound(LLVMValueRef call)
{
    const char *name = sl_callee_name(call);
    return !strncmp(name, "llvm.smin", 9) || !strncmp(name, "llvm.smax", 9) ||
           !strncmp(name, "llvm.umin", 9) || !strncmp(name, "llvm.umax", 9);
}

static struct steps called(struct turn *t, LLVMValueRef call, unsigned depth)
{
    struct steps one = {{0}};
    enum sl_wi what;
    unsigned dim;
    if (sl_wi_parse(call, &what, &dim)) {
        if (sl_wi_is_item(what) && dim < DIMS) {
            one.by[dim] = 1;
            t->asked[dim] = true;
        }
        return one;
    }
    if (is_bound(call))
        return chosen(steps_of(t, LLVMGetOperand(call, 0), depth),
                      steps_of(t, LLVMGetOperand(call, 1), depth));
    return of_operands(t, call, depth);
}

static struct steps computed(struct turn *t, LLVMValueRef i, unsigned depth)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMOr:
        return added(steps_of(t, LLVMGetOperand(i, 0), depth),
                     steps_of(t, LLVMGetOperand(i, 1), depth), 1);
    case LLVMSub:
        return added(steps_of(t, LLVMGetOperand(i, 0), depth),
                     steps_of(t, LLVMGetOperand(i, 1), depth), -1);
    case LLVMMul:
    case LLVMShl:
        return product(t, i, depth);
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMFreeze:
        return steps_of(t, LLVMGetOperand(i, 0), depth);
    case LLVMGetElementPtr:
        return address(t, i, depth);
    case LLVMSelect:
        return chosen(steps_of(t, LLVMGetOperand(i, 1), depth),
                      steps_of(t, LLVMGetOperand(i, 2), depth));
    case LLVMCall:
        return called(t, i, depth);
    default:
        return of_operands(t, i, depth);
    }
}

/* A loop's counter steps as its first value does: what it is taken for while the others are looked
 * at. */
static void find_phi(struct turn *t, LLVMValueRef phi, struct steps *known, unsigned depth)
{
    *known = steps_of(t, LLVMGetIncomingValue(phi, 0), depth);
    for (unsigned k = 1; k < LLVMCountIncoming(phi); k++) {
        struct steps other = steps_of(t, LLVMGetIncomingValue(phi, k), depth);
        for (unsigned d = 0; d < DIMS; d++)
            if (other.by[d] != known->by[d])
                known->by[d] = FAR;
    }
}

static struct steps steps_of(struct turn *t, LLVMValueRef value, unsigned depth)
{
    struct steps none = {{0}}, unknown = {{FAR, FAR, FAR}};
    if (!LLVMIsAInstruction(value))
        return none;
    struct steps *known = sl_map_get(&t->known, value);
    if (known)
        return *known;
    if (!depth--)
        return unknown;
    known = sl_ir_alloc(1, sizeof *known);
    sl_map_set(&t->known, value, known);
    *known = unknown;
    if (LLVMIsAPHINode(value))
        find_phi(t, value, known, depth);
    else
        *known = computed(t, value, depth);
    return *known;
}

/* ---- what it costs --------------------------------------------------------------------------- */

static double cost_of(int64_t step, int64_t size, bool store)
{
    step = llabs(step);
    if (step && step < NEAR * size)
        return step > size ? 2 : 1;
    return store ? 12 : step ? 8 : 1;
}

static void weigh(struct turn *t, LLVMValueRef i, uint32_t depth)
{
    bool store = LLVMIsAStoreInst(i);
    LLVMValueRef pointer = LLVMGetOperand(i, store ? 1 : 0);
    LLVMTypeRef type = LLVMTypeOf(store ? LLVMGetOperand(i, 0) : i);
    int64_t size = (int64_t)LLVMABISizeOfType(t->data, type);
    struct steps steps = steps_of(t, pointer, DEEPEST);
    for (unsigned d = 0; d < DIMS; d++)
        t->cost[d] += cost_of(steps.by[d], size, store) * (double)(1u << (3 * depth));
    t->crosses |= llabs(steps.by[0]) >= NEAR * size && llabs(steps.by[1]) == size;
}

/* Sums and products of integers are mostly indices, of which vectors have one for all items. */
static double computing(LLVMValueRef i)
{
    enum { FUNCTION = 20, DIVISION = 5 };
    enum sl_wi what;
    unsigned dim;
    if (LLVMIsACallInst(i) && strncmp(sl_callee_name(i), "llvm.", 5) != 0)
        return sl_wi_parse(i, &what, &dim) ? 0 : FUNCTION;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMFDiv:
        return DIVISION;
    case LLVMCall:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMXor:
    case LLVMAnd:
    case LLVMLShr:
    case LLVMAShr:
        return 1;
    default:
        return 0;
    }
}

/* The blocks from which `last` is reached without passing `header`, which it goes back to. */
static void mark_loop(const struct turn *t, uint32_t last, uint32_t header, bool *in)
{
    uint32_t *stack = sl_ir_alloc(t->cfg.count, sizeof *stack), depth = 0;
    in[header] = true;
    if (!in[last])
        in[stack[depth++] = last] = true;
    while (depth) {
        const struct sl_block *block = &t->cfg.blocks[stack[--depth]];
        for (uint32_t p = 0; p < block->pred_count; p++)
            if (!in[block->pred[p]])
                in[stack[depth++] = block->pred[p]] = true;
    }
    free(stack);
}

static void find_depths(struct turn *t)
{
    enum { MOST_DEPTH = 3 };
    t->depth = sl_ir_alloc(t->cfg.count, sizeof *t->depth);
    for (uint32_t h = 0; h < t->cfg.count; h++) {
        const struct sl_block *header = &t->cfg.blocks[h];
        bool *in = NULL;
        for (uint32_t p = 0; p < header->pred_count; p++) {
            if (header->pred[p] < h)
                continue;
            if (!in)
                in = sl_ir_alloc(t->cfg.count, sizeof *in);
            mark_loop(t, header->pred[p], h, in);
        }
        for (uint32_t b = 0; in && b < t->cfg.count; b++)
            t->depth[b] += in[b] && t->depth[b] < MOST_DEPTH;
        free(in);
    }
}

/* Which dimension should be the first one; 0: it may stay. */
static unsigned best_dimension(struct turn *t)
{
    enum { TENTH = 10 };
    find_depths(t);
    for (uint32_t b = 0; b < t->cfg.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(t->cfg.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i))
            if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
                weigh(t, i, t->depth[b]);
            else
                t->rest += computing(i) * (double)(1u << (3 * t->depth[b]));
    unsigned best = 0;
    for (unsigned d = 1; d < DIMS; d++)
        if (t->asked[d] && t->cost[d] < t->cost[best])
            best = d;
    bool pays = TENTH * (t->cost[0] - t->cost[best]) > t->rest;
    return 2 * t->cost[best] < t->cost[0] && pays ? best : 0;
}

/* Nobody knows the range here: rows of a few items fill no vector, which costs more the more they
 * compute. */
static bool minds_narrow_rows(const struct turn *t, unsigned best)
{
    return t->cost[0] - t->cost[best] <= 3 * t->rest;
}

/* ---- turning --------------------------------------------------------------------------------- */

/* Nothing of it but speed depends on which items follow each other. */
static bool may_turn(const struct sl_pass *pass, const struct sl_kernel_facts *facts)
{
    const uint32_t others = SL_KERNEL_USES_PIPES | SL_KERNEL_AUTORUN | SL_KERNEL_ENQUEUES;
    uint32_t size[3];
    bool second = false;
    if (pass->pipe_kind == SL_PIPES_DATAFLOW || pass->quick || facts->flags & others ||
        facts->local_bytes || sl_has_local_argument(facts) ||
        sl_read_required_size(pass->context, facts->kernel, size) ||
        !sl_only_global_places(facts->kernel))
        return false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(facts->kernel); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            enum sl_wi what;
            unsigned dim;
            if (sl_wi_is_barrier(i))
                return false;
            second |= sl_wi_parse(i, &what, &dim) && sl_wi_is_item(what) && dim;
        }
    return second;
}

static void rename_places(struct sl_pass *pass, LLVMValueRef kernel, unsigned first)
{
    struct sl_emit e;
    sl_emit_init(&e, pass->context);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            enum sl_wi what;
            unsigned dim;
            if (!sl_wi_parse(i, &what, &dim) || what == SL_WI_WORK_DIM ||
                what >= SL_WI_LOCAL_BASE || (dim && dim != first))
                continue;
            LLVMPositionBuilderBefore(e.builder, i);
            LLVMReplaceAllUsesWith(i, sl_wi_emit(&e, pass->module, what, dim ? 0 : first));
            LLVMInstructionEraseFromParent(i);
        }
    sl_emit_finish(&e);
}

void sl_interchange_dimensions(struct sl_pass *pass, struct sl_kernel_facts *facts)
{
    if (!may_turn(pass, facts))
        return;
    struct turn t = {.data = LLVMGetModuleDataLayout(pass->module)};
    sl_cfg_init(&t.cfg, facts->kernel);
    unsigned first = best_dimension(&t);
    bool both = minds_narrow_rows(&t, first);
    sl_map_each(&t.known, free);
    sl_map_finish(&t.known);
    free(t.depth);
    sl_cfg_finish(&t.cfg);
    if (!first && t.crosses)
        facts->flags |= SL_KERNEL_TILES;
    if (!first || facts->is_form || !sl_pass_step(pass, "turn", facts))
        return;
    if (both)
        facts = sl_add_form(pass, facts);
    rename_places(pass, facts->kernel, first);
    facts->flags |= first == 1 ? SL_KERNEL_TURNED_1 : SL_KERNEL_TURNED_2;
    sl_pass_remark(pass, facts, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(facts->kernel)),
                   "vectors go along dimension %u, whose items are neighbours in memory", first);
}
