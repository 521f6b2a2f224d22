/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `row = get_global_id(0), column = get_global_id(1) ... a[row * width + column]`: items that
 * follow each other in dimension 0, which is the one that rows and vectors go along, are far apart
 * in memory there, and those that follow each other in dimension 1 are neighbours. Then the kernel
 * is compiled as if these two had changed places, and launched so (SL_KERNEL_INTERCHANGED_1, _2).
 * One that has some of both, as a transposition, runs in tiles (SL_KERNEL_TILES), so that lines of
 * memory are still in the caches when their other items come. No item can tell: all that it may ask
 * of its place changes with it. Where items of a group have something together, the shape of groups
 * is the application's, and the launch says which of the two forms runs (interchange_forms.c): a
 * row of few items, or of one, may be a column of many. Where nobody asks for an id along dimension
 * 0, groups are columns whatever memory says. No shared state.
 */
#include "groups/stages.h"

#include "groups/group_function.h"
#include "ir/control_flow/cfg.h"
#include "ir/memory.h"
#include "items/item_shape.h"
#include "items/work_item.h"
#include "llvm/intrinsics.h"
#include <llvm-c/Target.h>
#include <stdlib.h>

#define DIMS 3
#define NEAR 64 /* elements, as a step that the source names: perhaps so many are all there are */
#define FAR (INT64_C(1) << 40) /* bytes; also: nobody can tell */
#define MOST_TWICE 1000        /* instructions of a kernel that works in groups */

struct interchange {
    struct sl_cfg cfg;
    struct sl_affine along[DIMS];
    bool asked[DIMS];  /* for an id */
    uint32_t *depth;   /* of loops around each block */
    double cost[DIMS]; /* of accesses, if vectors went along that dimension */
    double other;      /* of what is computed, in either case */
    bool crosses;      /* far along dimension 0, near along dimension 1 */
};

static bool known(struct sl_affine *a, LLVMValueRef value, struct sl_shape *shape)
{
    bool *asked = a->user;
    if (!sl_item_shape(a, value, shape))
        return false;
    asked[a->dimension] |= shape->kind == SL_SHAPE_LINEAR;
    return true;
}

/* ---- what it costs --------------------------------------------------------------------------- */

static double cost_of(int64_t step, int64_t size, bool store)
{
    step = llabs(step);
    if (step && step < NEAR * size)
        return step > size ? 2 : 1;
    return store ? 12 : step ? 8 : 1;
}

static void weigh(struct interchange *t, LLVMValueRef i, uint32_t depth)
{
    bool store = LLVMIsAStoreInst(i);
    LLVMValueRef pointer = LLVMGetOperand(i, store ? 1 : 0);
    LLVMTypeRef type = LLVMTypeOf(store ? LLVMGetOperand(i, 0) : i);
    int64_t size = (int64_t)LLVMABISizeOfType(t->along[0].data, type), by[DIMS];
    for (unsigned d = 0; d < DIMS; d++) {
        struct sl_shape shape = sl_affine_shape(&t->along[d], pointer);
        by[d] = shape.kind == SL_SHAPE_VARYING ? FAR : shape.stride;
        t->cost[d] += cost_of(by[d], size, store) * (double)(1u << (3 * depth));
    }
    t->crosses |= llabs(by[0]) >= NEAR * size && llabs(by[1]) == size;
}

/* Sums and products of integers are mostly indices, of which vectors have one for all items. */
static double computing(LLVMValueRef i)
{
    enum { FUNCTION = 20, DIVISION = 5 };
    enum sl_wi what;
    unsigned dim;
    if (LLVMIsACallInst(i) && !sl_llvm_is_intrinsic(i, SL_INTRINSIC_ANY))
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
static void mark_loop(const struct interchange *t, uint32_t last, uint32_t header, bool *in)
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

static void find_depths(struct interchange *t)
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

/* What traps is there for the compiler's sake. */
static bool never_ends(LLVMBasicBlockRef block)
{
    return LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(block));
}

/* What a kernel asks for, and how long it is. */
struct asked {
    bool along[DIMS]; /* for an id */
    bool order;       /* for the order of items in a group: which of them are a sub-group */
    bool barrier;
    uint32_t instructions;
};

/* Groups are columns of items, as of a transformation of columns: there is nothing to a row. */
static bool has_only_columns(const struct asked *asked)
{
    return !asked->along[0] && asked->along[1] != asked->along[2];
}

/* Which dimension should be the first one; 0: it may stay. */
static unsigned best_dimension(struct interchange *t, const struct asked *asked)
{
    enum { TENTH = 10 };
    if (has_only_columns(asked))
        return asked->along[1] ? 1 : 2;
    find_depths(t);
    for (uint32_t b = 0; b < t->cfg.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(t->cfg.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i))
            if (never_ends(t->cfg.blocks[b].ref))
                break;
            else if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
                weigh(t, i, t->depth[b]);
            else
                t->other += computing(i) * (double)(1u << (3 * t->depth[b]));
    unsigned best = 0;
    for (unsigned d = 1; d < DIMS; d++)
        if (t->asked[d] && t->cost[d] < t->cost[best])
            best = d;
    bool pays = TENTH * (t->cost[0] - t->cost[best]) > t->other;
    return 2 * t->cost[best] < t->cost[0] && pays ? best : 0;
}

/* Nobody knows the range here: rows of a few items fill no vector, which costs more the more they
 * compute. */
static bool minds_narrow_rows(const struct interchange *t, unsigned best)
{
    return t->cost[0] - t->cost[best] <= 3 * t->other;
}

/* ---- interchange ----------------------------------------------------------------------------- */

static bool is_of_order(enum sl_wi what)
{
    return what == SL_WI_SUB_GROUP || sl_wi_is_of_sub_group(what);
}

static struct asked look(LLVMValueRef kernel)
{
    struct asked asked = {0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            enum sl_wi what;
            unsigned dim;
            asked.instructions++;
            asked.barrier |= sl_wi_is_barrier(i);
            if (!sl_wi_parse(i, &what, &dim))
                continue;
            if (sl_wi_is_item(what))
                asked.along[dim] = true;
            asked.order |= is_of_order(what);
        }
    return asked;
}

static bool works_in_groups(const struct sl_kernel_facts *facts, const struct asked *asked)
{
    return asked->barrier || facts->local_bytes || sl_has_local_argument(facts) ||
           !sl_only_global_places(facts->kernel);
}

/* Nothing of it but speed depends on which items follow each other. */
static bool may_interchange(const struct sl_pass *pass, const struct sl_kernel_facts *facts,
                            const struct asked *asked)
{
    const uint32_t others = SL_KERNEL_USES_PIPES | SL_KERNEL_AUTORUN | SL_KERNEL_ENQUEUES;
    uint32_t size[3];
    if (pass->pipe_kind == SL_PIPES_DATAFLOW || sl_pass_has(pass, SL_PASS_QUICK) ||
        facts->in_step || facts->sub_group_stops || facts->flags & others ||
        sl_read_required_size(pass->context, facts->kernel, size))
        return false;
    return (asked->along[1] || asked->along[2]) && !asked->order &&
           (!works_in_groups(facts, asked) || has_only_columns(asked) ||
            asked->instructions <= MOST_TWICE);
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
    struct asked asked = look(facts->kernel);
    if (!may_interchange(pass, facts, &asked))
        return;
    bool in_groups = works_in_groups(facts, &asked);
    struct interchange t = {0};
    for (unsigned d = 0; d < DIMS; d++)
        t.along[d] = (struct sl_affine){.exactness = SL_AFFINE_LIKELY,
                                        .dimension = d,
                                        .data = LLVMGetModuleDataLayout(pass->module),
                                        .known = known,
                                        .user = t.asked};
    sl_cfg_init(&t.cfg, facts->kernel);
    unsigned first = best_dimension(&t, &asked);
    bool both = !has_only_columns(&asked) && (in_groups || minds_narrow_rows(&t, first));
    for (unsigned d = 0; d < DIMS; d++)
        sl_affine_finish(&t.along[d]);
    free(t.depth);
    sl_cfg_finish(&t.cfg);
    if (!first && t.crosses && !in_groups)
        facts->flags |= SL_KERNEL_TILES;
    if (!first || facts->is_form || !sl_pass_step(pass, "interchange", facts))
        return;
    if (both)
        facts = sl_add_form(pass, facts, "as_written");
    rename_places(pass, facts->kernel, first);
    facts->flags |= first == 1 ? SL_KERNEL_INTERCHANGED_1 : SL_KERNEL_INTERCHANGED_2;
    sl_pass_remark(pass, facts, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(facts->kernel)),
                   "vectors go along dimension %u, whose items are neighbours in memory", first);
}
