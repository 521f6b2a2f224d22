/* SPDX-License-Identifier: Apache-2.0 */
/* The table of intrinsics.h. Stateless. */
#include "llvm/intrinsics.h"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Intrinsics.h>

using namespace llvm;

/* id, overload, scalar operand, bound, sign, in loops */
static const sl_intrinsic rows[] = {
    {Intrinsic::fmuladd, SL_BY_RESULT, -1, SL_BOUND_NONE, false, true},
    {Intrinsic::fma, SL_BY_RESULT, -1, SL_BOUND_NONE, false, true},
    {Intrinsic::sqrt, SL_BY_RESULT, -1, SL_BOUND_NONE, false, true},
    {Intrinsic::fabs, SL_BY_RESULT, -1, SL_BOUND_NONE, false, true},
    {Intrinsic::floor, SL_BY_RESULT, -1, SL_BOUND_NONE, false, true},
    {Intrinsic::ceil, SL_BY_RESULT, -1, SL_BOUND_NONE, false, true},
    {Intrinsic::trunc, SL_BY_RESULT, -1, SL_BOUND_NONE, false, true},
    {Intrinsic::rint, SL_BY_RESULT, -1, SL_BOUND_NONE, false, true},
    {Intrinsic::nearbyint, SL_BY_RESULT, -1, SL_BOUND_NONE, false, true},
    {Intrinsic::round, SL_BY_RESULT, -1, SL_BOUND_NONE, false, true},
    {Intrinsic::roundeven, SL_BY_RESULT, -1, SL_BOUND_NONE, false, true},
    {Intrinsic::copysign, SL_BY_RESULT, -1, SL_BOUND_NONE, false, true},
    {Intrinsic::minnum, SL_BY_RESULT, -1, SL_BOUND_NONE, false, true},
    {Intrinsic::maxnum, SL_BY_RESULT, -1, SL_BOUND_NONE, false, true},
    {Intrinsic::minimum, SL_BY_RESULT, -1, SL_BOUND_NONE, false, false},
    {Intrinsic::maximum, SL_BY_RESULT, -1, SL_BOUND_NONE, false, false},
    {Intrinsic::minimumnum, SL_BY_RESULT, -1, SL_BOUND_NONE, false, false},
    {Intrinsic::maximumnum, SL_BY_RESULT, -1, SL_BOUND_NONE, false, false},
    {Intrinsic::canonicalize, SL_BY_RESULT, -1, SL_BOUND_NONE, false, false},
    {Intrinsic::smin, SL_BY_RESULT, -1, SL_BOUND_MIN, true, true},
    {Intrinsic::smax, SL_BY_RESULT, -1, SL_BOUND_MAX, true, true},
    {Intrinsic::umin, SL_BY_RESULT, -1, SL_BOUND_MIN, false, true},
    {Intrinsic::umax, SL_BY_RESULT, -1, SL_BOUND_MAX, false, true},
    {Intrinsic::abs, SL_BY_RESULT, 1, SL_BOUND_ABSOLUTE, true, true},
    {Intrinsic::ctpop, SL_BY_RESULT, -1, SL_BOUND_NONE, false, false},
    {Intrinsic::ctlz, SL_BY_RESULT, 1, SL_BOUND_NONE, false, true},
    {Intrinsic::cttz, SL_BY_RESULT, 1, SL_BOUND_NONE, false, false},
    {Intrinsic::bswap, SL_BY_RESULT, -1, SL_BOUND_NONE, false, false},
    {Intrinsic::bitreverse, SL_BY_RESULT, -1, SL_BOUND_NONE, false, false},
    {Intrinsic::fshl, SL_BY_RESULT, -1, SL_BOUND_NONE, false, true},
    {Intrinsic::fshr, SL_BY_RESULT, -1, SL_BOUND_NONE, false, true},
    {Intrinsic::sadd_sat, SL_BY_RESULT, -1, SL_BOUND_NONE, true, false},
    {Intrinsic::uadd_sat, SL_BY_RESULT, -1, SL_BOUND_NONE, false, false},
    {Intrinsic::ssub_sat, SL_BY_RESULT, -1, SL_BOUND_NONE, true, false},
    {Intrinsic::usub_sat, SL_BY_RESULT, -1, SL_BOUND_DIFFERENCE, false, false},
    {Intrinsic::fptosi_sat, SL_BY_RESULT_SATURATED, -1, SL_BOUND_NONE, true, false},
    {Intrinsic::fptoui_sat, SL_BY_RESULT_SATURATED, -1, SL_BOUND_NONE, false, false},
    {Intrinsic::ldexp, SL_BY_RESULT_AND_SECOND, -1, SL_BOUND_NONE, false, true},
    {Intrinsic::is_fpclass, SL_BY_FIRST, 1, SL_BOUND_NONE, false, true},
    {Intrinsic::scmp, SL_BY_RESULT_AND_FIRST, -1, SL_BOUND_NONE, true, false},
    {Intrinsic::ucmp, SL_BY_RESULT_AND_FIRST, -1, SL_BOUND_NONE, false, false},
};

const sl_intrinsic *sl_llvm_intrinsic(LLVMValueRef value)
{
    const auto *call = dyn_cast<IntrinsicInst>(unwrap(value));
    if (!call)
        return nullptr;
    for (const sl_intrinsic &row : rows)
        if (row.id == call->getIntrinsicID())
            return &row;
    return nullptr;
}

bool sl_llvm_is_min_or_max(LLVMValueRef value)
{
    const sl_intrinsic *row = sl_llvm_intrinsic(value);
    return row && (row->bound == SL_BOUND_MIN || row->bound == SL_BOUND_MAX);
}
