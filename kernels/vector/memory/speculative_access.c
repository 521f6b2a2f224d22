/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses whose addresses follow from lane 0's, unless a number on the way wraps around
 * (speculative_stride.c): the code asks, and goes by neighbours or lane by lane. No shared state.
 */
#include "vector/memory/speculative_access.h"

#include "vector/analysis/facts.h"
#include "vector/analysis/speculative_stride.h"
#include "vector/memory/gather.h"
#include "vector/memory/memory.h"
#include "vector/memory/memory_order.h"
#include "vector/memory/speculative_base.h"
#include "vector/memory/window.h"
#include "vector/operations/element.h"
#include "vector/operations/interleaved_code.h"
#include "vector/operations/serial.h"
#include "vector/operations/value.h"
#include "vector/vector.h"
#include "llvm/pass_support.h"

#include <llvm-c/Target.h>

static LLVMTypeRef type_of(LLVMValueRef access)
{
    return LLVMTypeOf(LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access);
}

static LLVMValueRef pointer_of(LLVMValueRef access)
{
    return LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
}

static bool find(const struct sl_vector_facts *v, LLVMValueRef access, uint32_t block,
                 int64_t *stride)
{
    LLVMTypeRef type = type_of(access);
    int64_t size = (int64_t)LLVMStoreSizeOfType(LLVMGetModuleDataLayout(v->g->pass->module), type);
    if (!sl_vector_can_access(type) || sl_vector_prefers_window(v, access, block) ||
        !sl_vector_speculative_stride(v, pointer_of(access), block, stride))
        return false;
    bool load = LLVMIsALoadInst(access), single = sl_vector_part_count(type) == 1;
    return *stride == size || (*stride == -size && single) || (!*stride && load) ||
           (*stride == 2 * size && single && load && !v->target->mask_registers);
}

bool sl_vector_speculation_pays(const struct sl_vector_facts *v, LLVMValueRef access,
                                uint32_t block)
{
    int64_t stride;
    return find(v, access, block, &stride);
}

/* The builder stands at the near form's place then; *each is the other's. */
static struct sl_vector_access ask(struct sl_vector *v, LLVMValueRef access, int64_t stride,
                                   LLVMBasicBlockRef *each)
{
    LLVMBuilderRef b = v->g->e.builder;
    LLVMContextRef context = v->g->e.context;
    sl_vector_remark(v, access, "of neighbours unless an index wraps around");
    LLVMValueRef sure, base = sl_vector_speculative_base(v, pointer_of(access), &sure);
    if (!stride && v->now.mask != v->now.entry_mask)
        sure = LLVMBuildAnd(b, sure, sl_vector_any(v, v->now.mask), "");
    LLVMBasicBlockRef near = LLVMAppendBasicBlockInContext(context, v->g->function, "near");
    *each = LLVMAppendBasicBlockInContext(context, v->g->function, "each");
    sl_rows_may_go_second_way(v->g, LLVMBuildCondBr(b, sure, near, *each));
    LLVMPositionBuilderAtEnd(b, near);
    return (struct sl_vector_access){type_of(access),          base,   stride,
                                     LLVMGetAlignment(access), access, NULL};
}

/* From one place for all lanes. */
static void load_once(struct sl_vector *v, const struct sl_vector_access *a, LLVMValueRef *parts)
{
    LLVMBuilderRef b = v->g->e.builder;
    LLVMValueRef one = LLVMBuildLoad2(b, a->type, a->base, "");
    LLVMSetAlignment(one, a->align);
    sl_llvm_copy_flags(a->like, one);
    bool vector = LLVMGetTypeKind(a->type) == LLVMVectorTypeKind;
    for (uint32_t k = 0; k < sl_vector_part_count(a->type); k++)
        parts[k] = sl_vector_splat(
            v, vector ? LLVMBuildExtractElement(b, one, sl_emit_i32(&v->g->e, k), "") : one);
}

bool sl_vector_load_speculatively(struct sl_vector *v, LLVMValueRef load, LLVMValueRef *parts)
{
    LLVMBuilderRef b = v->g->e.builder;
    LLVMBasicBlockRef each, from[2];
    LLVMValueRef far[SL_VECTOR_MOST_PARTS];
    int64_t stride;
    if (!find(&v->facts, load, v->now.block, &stride))
        return false;
    LLVMValueRef addresses = sl_vector_part(v, pointer_of(load), 0);
    bool whole = sl_vector_is_interleaved(&v->facts, load);
    struct sl_vector_access access = ask(v, load, stride, &each);
    if (!stride)
        load_once(v, &access, parts);
    else if (whole)
        parts[0] = sl_vector_load_all(v, &access);
    else
        sl_vector_load_linear(v, &access, parts);
    if (!stride && whole)
        parts[0] = sl_vector_interleave(v, parts, sl_vector_part_count(access.type));
    LLVMBasicBlockRef join = LLVMAppendBasicBlockInContext(v->g->e.context, v->g->function, "got");
    from[0] = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, join);
    LLVMPositionBuilderAtEnd(b, each);
    if (whole)
        far[0] = sl_vector_gather_all(v, load, addresses);
    else
        sl_vector_gather(v, load, addresses, far);
    from[1] = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, join);
    LLVMPositionBuilderAtEnd(b, join);
    for (uint32_t k = 0; k < sl_vector_kept_count(v, load); k++) {
        LLVMValueRef both[2] = {parts[k], far[k]};
        parts[k] = LLVMBuildPhi(b, LLVMTypeOf(parts[k]), "");
        LLVMAddIncoming(parts[k], both, from, 2);
    }
    return true;
}

bool sl_vector_store_speculatively(struct sl_vector *v, LLVMValueRef store, LLVMValueRef *parts)
{
    LLVMBuilderRef b = v->g->e.builder;
    LLVMBasicBlockRef each;
    int64_t stride;
    if (!find(&v->facts, store, v->now.block, &stride))
        return false;
    LLVMValueRef addresses = sl_vector_part(v, pointer_of(store), 0);
    struct sl_vector_access access = ask(v, store, stride, &each);
    if (sl_vector_is_interleaved(&v->facts, LLVMGetOperand(store, 0)))
        access.all = sl_vector_interleaved(v, LLVMGetOperand(store, 0));
    else if (stride)
        access.all = sl_vector_whole(v, store);
    sl_vector_store_linear(v, &access, parts);
    LLVMBasicBlockRef join = LLVMAppendBasicBlockInContext(v->g->e.context, v->g->function, "put");
    LLVMBuildBr(b, join);
    LLVMPositionBuilderAtEnd(b, each);
    sl_vector_scatter(v, store, addresses, parts);
    LLVMBuildBr(b, join);
    LLVMPositionBuilderAtEnd(b, join);
    return true;
}
