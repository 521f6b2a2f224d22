/* SPDX-License-Identifier: Apache-2.0 */
/* Calls: LLVM's intrinsics that work element by element, builtins that have forms of their own, and
 * all others lane by lane. */
#include "vector/operations/call.h"

#include "vector/analysis/lane_builtin.h"
#include "vector/operations/builtin.h"
#include "vector/operations/combined_atomics.h"
#include "vector/operations/image.h"
#include "vector/operations/rare.h"
#include "vector/operations/saturate.h"
#include "vector/operations/serial.h"
#include "vector/operations/value.h"
#include "vector/vector.h"
#include "llvm/intrinsics.h"
#include "llvm/pass_support.h"

LLVMValueRef sl_vector_elementwise_call(struct sl_vector *v, LLVMValueRef call, LLVMValueRef *args)
{
    LLVMTypeRef type = LLVMTypeOf(args[0]);
    LLVMValueRef now = sl_vector_intrinsic_of(v, sl_llvm_intrinsic(call)->id, &type, 1, args,
                                              (unsigned)LLVMGetNumArgOperands(call));
    sl_llvm_copy_flags(call, now);
    return now;
}

static void emit_part(struct sl_vector *v, LLVMValueRef call, const struct sl_intrinsic *row,
                      uint32_t k)
{
    LLVMValueRef args[4];
    unsigned count = LLVMGetNumArgOperands(call);
    if (row->overload == SL_BY_RESULT_SATURATED) {
        LLVMValueRef x = sl_vector_part(v, LLVMGetArgOperand(call, 0), k);
        LLVMTypeRef element = sl_vector_part_type(LLVMTypeOf(call), k);
        sl_vector_set_part(v, call, k,
                           sl_vector_saturate(v, x, element, row->flags & SL_INTRINSIC_SIGNED));
        return;
    }
    for (unsigned a = 0; a < count; a++)
        args[a] = (int)a == row->scalar ? LLVMGetArgOperand(call, a)
                                        : sl_vector_part(v, LLVMGetArgOperand(call, a), k);
    LLVMTypeRef result = sl_vector_wide_type(v, sl_vector_part_type(LLVMTypeOf(call), k));
    LLVMTypeRef types[2] = {result, LLVMTypeOf(args[0])};
    if (row->overload == SL_BY_FIRST)
        types[0] = LLVMTypeOf(args[0]);
    if (row->overload == SL_BY_RESULT_AND_SECOND)
        types[1] = LLVMTypeOf(args[1]);
    bool two = row->overload == SL_BY_RESULT_AND_FIRST || row->overload == SL_BY_RESULT_AND_SECOND;
    LLVMValueRef now = sl_vector_intrinsic_of(v, row->id, types, two ? 2 : 1, args, count);
    sl_llvm_copy_flags(call, now);
    sl_vector_set_part(v, call, k, now);
}

void sl_vector_emit_call(struct sl_vector *v, LLVMValueRef call)
{
    const struct sl_intrinsic *row = sl_llvm_intrinsic(call);
    if (sl_lane_builtin(call)) {
        sl_vector_emit_builtin(v, call);
        return;
    }
    if (sl_vector_has_image_form(&v->facts, call, v->now.block)) {
        sl_vector_emit_image(v, call);
        return;
    }
    if (sl_vector_is_rare(&v->facts, call)) {
        sl_vector_emit_rare(v, call);
        return;
    }
    if (!row) {
        if (!sl_vector_emit_combined(v, call))
            sl_vector_emit_serially(v, call);
        return;
    }
    for (uint32_t k = 0; k < sl_vector_part_count(LLVMTypeOf(call)); k++)
        emit_part(v, call, row, k);
}
