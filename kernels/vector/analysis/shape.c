/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each value of a region looks like across lanes: a fixed point from "the same everywhere"
 * downwards. A varying branch makes phis vary, so control flow and shapes are found together. What
 * the whole kernel's analysis calls uniform is so here; the others may be in this region, or go
 * from lane to lane in even steps. No shared state.
 */
#include "vector/analysis/shape.h"

#include "ir/affine/affine.h"
#include "ir/bits.h"
#include "ir/control_flow/uniformity.h"
#include "ir/map.h"
#include "ir/memory.h"
#include "items/item_shape.h"
#include "items/lane_bound.h"
#include "items/sub_group_op.h"
#include "items/work_item.h"
#include "vector/analysis/control_flow.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/image_call.h"
#include "vector/analysis/lanewise_call.h"
#include "llvm/pass_support.h"

#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_PART 65536 /* of ids: masks that cut nothing are looked at elsewhere */

struct sl_shape sl_vector_shape(const struct sl_vector_facts *v, LLVMValueRef value)
{
    const struct sl_vector_known *known = sl_vector_known(v, value);
    if (known)
        return known->shape;
    if (LLVMIsAUndefValue(value))
        return (struct sl_shape){0};
    return LLVMIsAInstruction(value) ? (struct sl_shape){0} : sl_shape_uniform();
}

bool sl_vector_is_one_for_group(const struct sl_vector_facts *v, LLVMValueRef value)
{
    const struct sl_uniformity *uniform = &v->g->split.uniform;
    return uniform->cfg && LLVMIsAInstruction(value) && sl_is_uniform(uniform, value);
}

struct sl_shape sl_vector_shape_at(const struct sl_vector_facts *v, LLVMValueRef value,
                                   uint32_t block)
{
    const struct sl_vector_known *known = sl_vector_known(v, value);
    if (!known || known->block == v->plan.count || sl_vector_is_one_for_group(v, value))
        return sl_vector_shape(v, value);
    for (uint32_t l = v->plan.blocks[known->block].loop; l; l = v->plan.loops[l - 1].parent)
        if (v->plan.loops[l - 1].divergent && !sl_vector_loop_has(&v->plan, l, block) &&
            known->shape.kind != SL_SHAPE_NONE)
            return sl_shape_varying();
    return known->shape;
}

struct of {
    const struct sl_vector_facts *v;
    LLVMValueRef i;
    uint32_t block;
    uint32_t counts_on; /* enum sl_vector_multiples */
};

static bool known(struct sl_affine *a, LLVMValueRef value, struct sl_shape *shape)
{
    const struct of *o = a->user;
    *shape = sl_vector_shape_at(o->v, value, o->block);
    return true;
}

/* Placeholders of the vectors' own dimension. */
static bool is_own_id(LLVMValueRef value, enum sl_wi *what)
{
    unsigned dim;
    return sl_wi_parse(value, what, &dim) && sl_wi_is_item(*what) && !dim;
}

static bool is_local(enum sl_wi what)
{
    return what == SL_WI_LOCAL_ID || what == SL_WI_LOCAL_LOW;
}

static bool has_whole_sub_groups(const struct sl_vector_facts *v)
{
    return v->g->facts->whole_sub_groups;
}

static uint64_t multiple(struct sl_affine *a, LLVMValueRef value)
{
    struct of *o = a->user;
    enum sl_wi what;
    if (!is_own_id(value, &what))
        return 0;
    uint32_t on = is_local(what) ? SL_VECTOR_LOCAL_MULTIPLE : SL_VECTOR_GLOBAL_MULTIPLE;
    if (!has_whole_sub_groups(o->v) && !(o->v->may_count_on & on))
        return 0;
    o->counts_on |= on;
    return a->items;
}

static bool natural(struct sl_affine *a, LLVMValueRef value)
{
    struct of *o = a->user;
    enum sl_wi what;
    if (!is_own_id(value, &what))
        return false;
    if (!is_local(what))
        o->counts_on |= SL_VECTOR_NATURAL;
    return true;
}

static bool begins_at_multiples(const struct sl_vector_facts *v)
{
    return has_whole_sub_groups(v) || (v->may_count_on && !v->decided.late && !v->compacted);
}

static struct sl_affine rules(struct of *o)
{
    bool begins = begins_at_multiples(o->v);
    return (struct sl_affine){
        .exactness = SL_AFFINE_PROVEN,
        .data = LLVMGetModuleDataLayout(o->v->g->pass->module),
        .items = o->v->lanes,
        .multiple = begins ? multiple : NULL,
        .largest_part = has_whole_sub_groups(o->v) ? 0 : LARGEST_PART,
        .natural = begins ? natural : NULL,
        .element_stride = sl_vector_array(o->v, o->i) ? o->v->lanes : 1,
        .known = known,
        .user = o,
    };
}

/* ---- phis, memory, calls --------------------------------------------------------------------- */

static struct sl_shape merged(const struct of *o)
{
    struct sl_shape all = {0};
    if (sl_bits_has(o->v->plan.joins, o->block))
        return sl_shape_varying();
    for (unsigned k = 0; k < LLVMCountIncoming(o->i); k++) {
        if (sl_vector_number(&o->v->plan, LLVMGetIncomingBlock(o->i, k)) == o->v->plan.count)
            continue;
        LLVMValueRef value = LLVMGetIncomingValue(o->i, k);
        all = sl_shape_meet(all, sl_vector_shape_at(o->v, value, o->block));
    }
    return sl_shape_as_is(all);
}

/* Lanes read at one time: where from one place, there is one value. */
static struct sl_shape loaded(struct sl_affine *a, const struct of *o)
{
    const struct sl_vector_variable *variable =
        sl_map_get(o->v->variables, LLVMGetOperand(o->i, 0));
    if (variable && !variable->memory)
        return variable->uniform ? sl_shape_uniform() : sl_shape_varying();
    return sl_affine_by_operands(a, o->i);
}

static bool is_pure(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(callee))
        return false;
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeRef memory = LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind);
    return memory && LLVMGetEnumAttributeValue(memory) == 0;
}

static struct sl_shape of_id(struct sl_affine *a, const struct of *o)
{
    struct sl_shape shape = sl_shape_varying();
    sl_item_shape(a, o->i, &shape);
    return o->v->compacted && shape.kind == SL_SHAPE_LINEAR ? sl_shape_varying() : shape;
}

/* Of what items of a sub-group do together, where the sub-group is a vector; false: the call is
 * none of it. */
static bool of_sub_group(const struct of *o, struct sl_shape *shape)
{
    struct sl_sub_group_op op;
    if (!sl_sub_group_op(o->i, &op))
        return false;
    bool one = op.kind == SL_SUB_GROUP_REDUCE ||
               (op.kind >= SL_SUB_GROUP_ANY && op.kind <= SL_SUB_GROUP_FIRST &&
                op.kind != SL_SUB_GROUP_ELECT);
    if (op.kind == SL_SUB_GROUP_BROADCAST || op.kind == SL_SUB_GROUP_SHUFFLE)
        one =
            sl_vector_shape_at(o->v, LLVMGetArgOperand(o->i, 1), o->block).kind <= SL_SHAPE_UNIFORM;
    *shape = one ? sl_shape_uniform() : sl_shape_varying();
    return true;
}

/* Of functions that are known. */
static struct sl_shape called(struct sl_affine *a, const struct of *o)
{
    struct sl_shape shape;
    if (of_sub_group(o, &shape))
        return shape;
    if (sl_lane_bound(o->i, NULL))
        return sl_shape_uniform();
    return sl_vector_is_lanewise_call(o->i) || sl_vector_is_image_read(o->i) || is_pure(o->i)
               ? sl_affine_mixed(a, o->i)
               : sl_shape_varying();
}

static struct sl_shape of_variable(const struct of *o)
{
    const struct sl_vector_array *array = sl_vector_array(o->v, o->i);
    const struct sl_vector_variable *variable = sl_map_get(o->v->variables, o->i);
    if (array)
        return sl_shape_linear(array->element, false, false);
    if (!variable)
        return sl_shape_varying();
    return variable->memory ? sl_shape_linear((int64_t)variable->stride, false, false)
                            : sl_shape_uniform();
}

static struct sl_shape of_instruction(struct of *o)
{
    bool is;
    struct sl_affine affine = rules(o);
    if (sl_vector_is_decided(o->v, o->i, &is) || sl_vector_is_one_for_group(o->v, o->i))
        return sl_shape_uniform();
    if (sl_vector_is_within(o->v, o->i))
        return sl_vector_shape_at(o->v, LLVMGetOperand(o->i, 0), o->block);
    switch (sl_wi_source(o->i)) {
    case SL_SOURCE_ID:
        return of_id(&affine, o);
    case SL_SOURCE_MEMORY:
        return loaded(&affine, o);
    case SL_SOURCE_CALL:
        return called(&affine, o);
    case SL_SOURCE_ITEM:
        return of_variable(o);
    case SL_SOURCE_OPERANDS:
    case SL_SOURCE_CHOICE: /* one for all lanes */
        break;
    }
    return LLVMIsAPHINode(o->i) ? merged(o) : sl_affine_by_operands(&affine, o->i);
}

/* ---- the fixed point ------------------------------------------------------------------------- */

static bool may_part(const struct sl_vector_facts *v, uint32_t block, LLVMValueRef on)
{
    const struct sl_uniformity *uniform = &v->g->split.uniform;
    return sl_vector_shape_at(v, on, block).kind > SL_SHAPE_UNIFORM &&
           (!uniform->cfg || sl_parts_items(uniform, v->plan.blocks[block].ref));
}

static bool visit(struct sl_vector_facts *v, LLVMValueRef i, uint32_t block)
{
    struct of o = {v, i, block, 0};
    struct sl_vector_known *value = sl_map_get(&v->values, i);
    if (!value) {
        value = sl_ir_alloc(1, sizeof *value);
        value->block = block;
        sl_map_set(&v->values, i, value);
    }
    if (LLVMIsATerminatorInst(i)) {
        if (LLVMGetNumSuccessors(i) < 2)
            return false;
        return may_part(v, block, LLVMGetOperand(i, 0)) && sl_vector_plan_diverge(&v->plan, block);
    }
    if (value->shape.kind == SL_SHAPE_VARYING)
        return false;
    struct sl_shape now = of_instruction(&o);
    struct sl_shape was = value->shape;
    if (now.kind <= SL_SHAPE_LINEAR)
        v->counts_on |= o.counts_on;
    if (now.kind == SL_SHAPE_NONE)
        now = was;
    else if (was.kind != SL_SHAPE_NONE)
        now = sl_shape_meet(was, now); /* only downwards, so that this ends */
    value->shape = now;
    return now.kind != was.kind || now.stride != was.stride || now.nsw != was.nsw ||
           now.nuw != was.nuw || now.low_half != was.low_half;
}

static bool visit_block(struct sl_vector_facts *v, LLVMBasicBlockRef ref, uint32_t block)
{
    bool changed = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(ref); i; i = LLVMGetNextInstruction(i))
        changed |= visit(v, i, block);
    return changed;
}

static void visit_all(struct sl_vector_facts *v)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < v->plan.count; b++)
            changed |= visit_block(v, v->plan.blocks[b].ref, b);
    }
}

/* Phis that are undefined wherever they come from, or get what only each other have, are one number
 * for all: else what is made of them would never be computed. Were there any? */
static bool settle_undefined(struct sl_vector_facts *v)
{
    bool any = false;
    for (uint32_t b = 0; b < v->plan.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(v->plan.blocks[b].ref);
             i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
            struct sl_vector_known *value = sl_map_get(&v->values, i);
            if (value->shape.kind != SL_SHAPE_NONE)
                continue;
            value->shape = sl_shape_uniform();
            any = true;
        }
    return any;
}

void sl_vector_find_shapes(struct sl_vector_facts *v)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(v->g->split.kernel);
    if (sl_vector_number(&v->plan, entry) == v->plan.count)
        visit_block(v, entry, v->plan.count);
    visit_all(v);
    if (settle_undefined(v))
        visit_all(v);
}
