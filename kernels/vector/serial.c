/* SPDX-License-Identifier: Apache-2.0 */
/* What has no vector form, lane after lane. No shared state. */
#include "vector/vector.h"

#include "passes/passes_internal.h"
#include <stdlib.h>
#include <string.h>

static LLVMBuilderRef builder(struct sl_vector *v)
{
    return v->g->e.builder;
}

static LLVMBasicBlockRef block(struct sl_vector *v, const char *name)
{
    return LLVMAppendBasicBlockInContext(v->g->e.context, v->g->function, name);
}

static LLVMValueRef *open_results(struct sl_vector *v, LLVMValueRef i, uint32_t count)
{
    LLVMTypeRef type = LLVMTypeOf(i);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        return NULL;
    LLVMValueRef *cells = sl_ir_alloc(count, sizeof(*cells));
    for (uint32_t k = 0; k < count; k++) {
        LLVMTypeRef wide = sl_vector_wide_type(v, sl_vector_part_type(type, k));
        cells[k] = sl_emit_entry_alloca(&v->g->e, v->g->function, wide, 0, "serial");
        LLVMBuildStore(builder(v), LLVMGetPoison(wide), cells[k]);
    }
    return cells;
}

static void keep_result(struct sl_vector *v, LLVMValueRef i, LLVMValueRef now, LLVMValueRef lane,
                        LLVMValueRef *cells, uint32_t count)
{
    LLVMBuilderRef b = builder(v);
    LLVMTypeRef type = LLVMTypeOf(i);
    for (uint32_t k = 0; k < count; k++) {
        LLVMTypeKind kind = LLVMGetTypeKind(type);
        LLVMValueRef one = kind == LLVMVectorTypeKind
                               ? LLVMBuildExtractElement(b, now, sl_emit_i32(&v->g->e, k), "")
                           : kind == LLVMStructTypeKind ? LLVMBuildExtractValue(b, now, k, "")
                                                        : now;
        LLVMTypeRef wide = sl_vector_wide_type(v, LLVMTypeOf(one));
        LLVMValueRef old = LLVMBuildLoad2(b, wide, cells[k], "");
        LLVMBuildStore(b, LLVMBuildInsertElement(b, old, one, lane, ""), cells[k]);
    }
}

void sl_vector_remark(struct sl_vector *v, LLVMValueRef i, const char *how)
{
    sl_pass_remark(v->g->pass, v->g->facts, i, "%s %s", sl_instruction_name(i), how);
}

/* Bits of the mask are taken one by one, so that few active lanes cost little. */
void sl_vector_emit_serially(struct sl_vector *v, LLVMValueRef i)
{
    LLVMBuilderRef b = builder(v);
    LLVMTypeRef type = LLVMTypeOf(i), bits = LLVMIntTypeInContext(v->g->e.context, v->lanes);
    uint32_t count = sl_vector_part_count(type);
    sl_vector_remark(v, i, "item by item");
    LLVMValueRef *cells = open_results(v, i, count);
    LLVMValueRef all = LLVMBuildBitCast(b, v->mask, bits, "");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), head = block(v, "lane"),
                      body = block(v, "lane.run"), end = block(v, "lanes.done");
    LLVMBuildBr(b, head);
    LLVMPositionBuilderAtEnd(b, head);
    LLVMValueRef left = LLVMBuildPhi(b, bits, "left");
    LLVMAddIncoming(left, &all, &before, 1);
    LLVMValueRef more = LLVMBuildICmp(b, LLVMIntNE, left, LLVMConstNull(bits), "");
    LLVMBuildCondBr(b, more, body, end);
    LLVMPositionBuilderAtEnd(b, body);
    LLVMValueRef count_args[] = {left, LLVMConstInt(v->g->e.i1, 1, false)};
    LLVMValueRef lane = sl_vector_intrinsic(v, "llvm.cttz", &bits, 1, count_args, 2);
    lane = LLVMBuildZExtOrBitCast(b, lane, bits, "");
    LLVMValueRef lane32 = v->lanes < 32    ? LLVMBuildZExt(b, lane, v->g->e.i32, "")
                          : v->lanes == 32 ? lane
                                           : LLVMBuildTrunc(b, lane, v->g->e.i32, "");
    LLVMValueRef now = LLVMInstructionClone(i);
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        LLVMSetOperand(now, k, sl_vector_lane(v, LLVMGetOperand(i, k), lane32));
    LLVMInsertIntoBuilder(b, now);
    if (cells)
        keep_result(v, i, now, lane32, cells, count);
    LLVMValueRef less = LLVMBuildSub(b, left, LLVMConstInt(bits, 1, false), "");
    LLVMValueRef rest = LLVMBuildAnd(b, left, less, "");
    LLVMBasicBlockRef last = LLVMGetInsertBlock(b);
    LLVMAddIncoming(left, &rest, &last, 1);
    LLVMBuildBr(b, head);
    LLVMPositionBuilderAtEnd(b, end);
    for (uint32_t k = 0; cells && k < count; k++)
        sl_vector_set_part(
            v, i, k,
            LLVMBuildLoad2(b, sl_vector_wide_type(v, sl_vector_part_type(type, k)), cells[k], ""));
    free(cells);
}

LLVMValueRef sl_vector_intrinsic(struct sl_vector *v, const char *name, LLVMTypeRef *types,
                                 size_t type_count, LLVMValueRef *args, unsigned count)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(v->g->pass->module, id, types, type_count);
    return LLVMBuildCall2(builder(v), LLVMGlobalGetValueType(f), f, args, count, "");
}
