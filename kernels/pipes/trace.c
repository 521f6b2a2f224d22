/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traces an address to the pipe variable or parameter it was made of. Where paths join they may
 * bring different elements of one array, but not different pipes: connections are static.
 * No shared state.
 */
#include "pipes/trace.h"

#include "ir/map.h"
#include "llvm/pass_support.h"

struct tracer {
    const struct sl_emit *e;
    struct sl_map joins;    /* phi of addresses -> phi of offsets */
    LLVMValueRef join_root; /* of what joined so far, while a loop is followed */
};

static struct sl_pipe_origin trace(struct tracer *, LLVMValueRef pointer);

static const struct sl_pipe_origin nowhere;

static struct sl_pipe_origin trace_gep(struct tracer *t, LLVMValueRef gep)
{
    struct sl_pipe_origin from = trace(t, LLVMGetOperand(gep, 0));
    if (!from.root)
        return nowhere;
    LLVMPositionBuilderBefore(t->e->builder, gep);
    LLVMValueRef step = sl_llvm_emit_gep_offset(t->e->builder, gep);
    step = LLVMBuildSExtOrBitCast(t->e->builder, step, t->e->i64, "");
    from.offset = LLVMBuildNSWAdd(t->e->builder, from.offset, step, "");
    return from;
}

static struct sl_pipe_origin trace_select(struct tracer *t, LLVMValueRef select)
{
    struct sl_pipe_origin a = trace(t, LLVMGetOperand(select, 1));
    struct sl_pipe_origin b = trace(t, LLVMGetOperand(select, 2));
    if (!a.root || a.root != b.root)
        return nowhere;
    LLVMPositionBuilderBefore(t->e->builder, select);
    a.offset = LLVMBuildSelect(t->e->builder, LLVMGetOperand(select, 0), a.offset, b.offset, "");
    return a;
}

/* A way that leads back here brings no pipe of its own: it is known by its phi, without root. */
static struct sl_pipe_origin trace_phi(struct tracer *t, LLVMValueRef phi)
{
    struct sl_pipe_origin result = {.offset = sl_map_get(&t->joins, phi)};
    if (result.offset) {
        result.root = t->join_root;
        return result;
    }
    LLVMPositionBuilderBefore(t->e->builder, phi);
    result.offset = LLVMBuildPhi(t->e->builder, t->e->i64, "");
    sl_map_set(&t->joins, phi, result.offset);
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        struct sl_pipe_origin way = trace(t, LLVMGetIncomingValue(phi, k));
        if (!way.root || (t->join_root && t->join_root != way.root))
            return nowhere;
        t->join_root = result.root = way.root;
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
        LLVMAddIncoming(result.offset, &way.offset, &from, 1);
    }
    return result;
}

static struct sl_pipe_origin trace(struct tracer *t, LLVMValueRef pointer)
{
    int64_t known = 0;
    LLVMValueRef base = sl_llvm_strip_offset(pointer, &known);
    struct sl_pipe_origin from = nowhere;
    if (LLVMIsAGlobalVariable(base) || LLVMIsAArgument(base))
        return (struct sl_pipe_origin){base, sl_emit_i64(t->e, (uint64_t)known)};
    if (LLVMIsAGetElementPtrInst(base))
        from = trace_gep(t, base);
    else if (LLVMIsASelectInst(base))
        from = trace_select(t, base);
    else if (LLVMIsAPHINode(base))
        from = trace_phi(t, base);
    if (!from.root || !known)
        return from;
    LLVMPositionBuilderBefore(t->e->builder, sl_llvm_behind(base));
    from.offset =
        LLVMBuildNSWAdd(t->e->builder, from.offset, sl_emit_i64(t->e, (uint64_t)known), "");
    return from;
}

struct sl_pipe_origin sl_pipe_trace(const struct sl_emit *e, LLVMValueRef operand)
{
    struct tracer t = {.e = e};
    struct sl_pipe_origin origin = trace(&t, operand);
    sl_map_finish(&t.joins);
    return origin;
}
