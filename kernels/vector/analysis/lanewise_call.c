/* SPDX-License-Identifier: Apache-2.0 */
/* Which calls have a form for all lanes at once. No shared state. */
#include "vector/analysis/lanewise_call.h"

#include "vector/analysis/lane_builtin.h"
#include "llvm/intrinsics.h"

bool sl_vector_is_lanewise_call(LLVMValueRef call)
{
    return sl_llvm_intrinsic(call) || sl_lane_builtin(call);
}

bool sl_vector_is_elementwise_call(LLVMValueRef call)
{
    const struct sl_intrinsic *row = sl_llvm_intrinsic(call);
    return row && row->overload == SL_BY_RESULT && row->scalar < 0 && !sl_lane_builtin(call);
}
