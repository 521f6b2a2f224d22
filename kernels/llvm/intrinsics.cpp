/* SPDX-License-Identifier: Apache-2.0 */
/* The table of intrinsics.h. Stateless. */
#include "llvm/intrinsics.h"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Intrinsics.h>

using namespace llvm;

/* id, overload, scalar operand, bound, flags */
static const sl_intrinsic rows[] = {
    {Intrinsic::fmuladd, SL_BY_RESULT, -1, SL_BOUND_NONE, SL_INTRINSIC_IN_LOOPS},
    {Intrinsic::fma, SL_BY_RESULT, -1, SL_BOUND_NONE, SL_INTRINSIC_IN_LOOPS},
    {Intrinsic::sqrt, SL_BY_RESULT, -1, SL_BOUND_NONE, SL_INTRINSIC_IN_LOOPS},
    {Intrinsic::fabs, SL_BY_RESULT, -1, SL_BOUND_NONE, SL_INTRINSIC_IN_LOOPS},
    {Intrinsic::floor, SL_BY_RESULT, -1, SL_BOUND_NONE, SL_INTRINSIC_IN_LOOPS},
    {Intrinsic::ceil, SL_BY_RESULT, -1, SL_BOUND_NONE, SL_INTRINSIC_IN_LOOPS},
    {Intrinsic::trunc, SL_BY_RESULT, -1, SL_BOUND_NONE, SL_INTRINSIC_IN_LOOPS},
    {Intrinsic::rint, SL_BY_RESULT, -1, SL_BOUND_NONE, SL_INTRINSIC_IN_LOOPS},
    {Intrinsic::nearbyint, SL_BY_RESULT, -1, SL_BOUND_NONE, SL_INTRINSIC_IN_LOOPS},
    {Intrinsic::round, SL_BY_RESULT, -1, SL_BOUND_NONE, SL_INTRINSIC_IN_LOOPS},
    {Intrinsic::roundeven, SL_BY_RESULT, -1, SL_BOUND_NONE, SL_INTRINSIC_IN_LOOPS},
    {Intrinsic::copysign, SL_BY_RESULT, -1, SL_BOUND_NONE, SL_INTRINSIC_IN_LOOPS},
    {Intrinsic::minnum, SL_BY_RESULT, -1, SL_BOUND_NONE, SL_INTRINSIC_IN_LOOPS},
    {Intrinsic::maxnum, SL_BY_RESULT, -1, SL_BOUND_NONE, SL_INTRINSIC_IN_LOOPS},
    {Intrinsic::minimum, SL_BY_RESULT, -1, SL_BOUND_NONE, 0},
    {Intrinsic::maximum, SL_BY_RESULT, -1, SL_BOUND_NONE, 0},
    {Intrinsic::minimumnum, SL_BY_RESULT, -1, SL_BOUND_NONE, 0},
    {Intrinsic::maximumnum, SL_BY_RESULT, -1, SL_BOUND_NONE, 0},
    {Intrinsic::canonicalize, SL_BY_RESULT, -1, SL_BOUND_NONE, 0},
    {Intrinsic::smin, SL_BY_RESULT, -1, SL_BOUND_MIN, SL_INTRINSIC_SIGNED | SL_INTRINSIC_IN_LOOPS},
    {Intrinsic::smax, SL_BY_RESULT, -1, SL_BOUND_MAX, SL_INTRINSIC_SIGNED | SL_INTRINSIC_IN_LOOPS},
    {Intrinsic::umin, SL_BY_RESULT, -1, SL_BOUND_MIN, SL_INTRINSIC_IN_LOOPS},
    {Intrinsic::umax, SL_BY_RESULT, -1, SL_BOUND_MAX, SL_INTRINSIC_IN_LOOPS},
    {Intrinsic::abs, SL_BY_RESULT, 1, SL_BOUND_ABSOLUTE,
     SL_INTRINSIC_SIGNED | SL_INTRINSIC_IN_LOOPS},
    {Intrinsic::ctpop, SL_BY_RESULT, -1, SL_BOUND_NONE, 0},
    {Intrinsic::ctlz, SL_BY_RESULT, 1, SL_BOUND_NONE, SL_INTRINSIC_IN_LOOPS},
    {Intrinsic::cttz, SL_BY_RESULT, 1, SL_BOUND_NONE, 0},
    {Intrinsic::bswap, SL_BY_RESULT, -1, SL_BOUND_NONE, 0},
    {Intrinsic::bitreverse, SL_BY_RESULT, -1, SL_BOUND_NONE, 0},
    {Intrinsic::fshl, SL_BY_RESULT, -1, SL_BOUND_NONE, SL_INTRINSIC_IN_LOOPS},
    {Intrinsic::fshr, SL_BY_RESULT, -1, SL_BOUND_NONE, SL_INTRINSIC_IN_LOOPS},
    {Intrinsic::sadd_sat, SL_BY_RESULT, -1, SL_BOUND_NONE, SL_INTRINSIC_SIGNED},
    {Intrinsic::uadd_sat, SL_BY_RESULT, -1, SL_BOUND_NONE, 0},
    {Intrinsic::ssub_sat, SL_BY_RESULT, -1, SL_BOUND_NONE, SL_INTRINSIC_SIGNED},
    {Intrinsic::usub_sat, SL_BY_RESULT, -1, SL_BOUND_DIFFERENCE, 0},
    {Intrinsic::fptosi_sat, SL_BY_RESULT_SATURATED, -1, SL_BOUND_NONE, SL_INTRINSIC_SIGNED},
    {Intrinsic::fptoui_sat, SL_BY_RESULT_SATURATED, -1, SL_BOUND_NONE, 0},
    {Intrinsic::ldexp, SL_BY_RESULT_AND_SECOND, -1, SL_BOUND_NONE, SL_INTRINSIC_IN_LOOPS},
    {Intrinsic::is_fpclass, SL_BY_FIRST, 1, SL_BOUND_NONE, SL_INTRINSIC_IN_LOOPS},
    {Intrinsic::scmp, SL_BY_RESULT_AND_FIRST, -1, SL_BOUND_NONE, SL_INTRINSIC_SIGNED},
    {Intrinsic::ucmp, SL_BY_RESULT_AND_FIRST, -1, SL_BOUND_NONE, 0},
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

static const struct {
    Intrinsic::ID id;
    sl_intrinsic_kind kind;
} kinds[] = {
    {Intrinsic::lifetime_start, SL_INTRINSIC_LIFETIME_START},
    {Intrinsic::lifetime_end, SL_INTRINSIC_LIFETIME_END},
    {Intrinsic::dbg_declare, SL_INTRINSIC_DEBUG},
    {Intrinsic::dbg_value, SL_INTRINSIC_DEBUG},
    {Intrinsic::dbg_label, SL_INTRINSIC_DEBUG},
    {Intrinsic::dbg_assign, SL_INTRINSIC_DEBUG},
    {Intrinsic::assume, SL_INTRINSIC_ASSUME},
    {Intrinsic::experimental_noalias_scope_decl, SL_INTRINSIC_ALIAS_SCOPE},
    {Intrinsic::invariant_start, SL_INTRINSIC_INVARIANT},
    {Intrinsic::invariant_end, SL_INTRINSIC_INVARIANT},
    {Intrinsic::prefetch, SL_INTRINSIC_PREFETCH},
    {Intrinsic::donothing, SL_INTRINSIC_NOTHING},
    {Intrinsic::sideeffect, SL_INTRINSIC_NOTHING},
    {Intrinsic::memcpy, SL_INTRINSIC_COPY},
    {Intrinsic::memcpy_inline, SL_INTRINSIC_COPY_INLINE},
    {Intrinsic::memmove, SL_INTRINSIC_MOVE},
    {Intrinsic::memset, SL_INTRINSIC_FILL},
    {Intrinsic::memset_inline, SL_INTRINSIC_FILL_INLINE},
    {Intrinsic::masked_store, SL_INTRINSIC_MASKED_STORE},
    {Intrinsic::masked_scatter, SL_INTRINSIC_MASKED_STORE},
    {Intrinsic::fma, SL_INTRINSIC_FMA},
    {Intrinsic::fmuladd, SL_INTRINSIC_FMA},
    {Intrinsic::sqrt, SL_INTRINSIC_SQRT},
    {Intrinsic::fabs, SL_INTRINSIC_SIGN},
    {Intrinsic::copysign, SL_INTRINSIC_SIGN},
    {Intrinsic::fshl, SL_INTRINSIC_FUNNEL_SHIFT},
    {Intrinsic::fshr, SL_INTRINSIC_FUNNEL_SHIFT},
    {Intrinsic::trap, SL_INTRINSIC_TRAP},
    {Intrinsic::debugtrap, SL_INTRINSIC_TRAP},
    {Intrinsic::ubsantrap, SL_INTRINSIC_DEAD_END},
};

bool sl_llvm_is_intrinsic(LLVMValueRef call_or_function, unsigned wanted)
{
    const auto *function = dyn_cast<Function>(unwrap(call_or_function));
    if (const auto *call = dyn_cast<CallInst>(unwrap(call_or_function)))
        function = call->getCalledFunction();
    if (!function || !function->isIntrinsic())
        return false;
    for (const auto &row : kinds)
        if (row.id == function->getIntrinsicID())
            return row.kind & wanted;
    return SL_INTRINSIC_OTHER & wanted;
}
