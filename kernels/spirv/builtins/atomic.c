/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomics are LLVM's own instructions, which the functions of OpenCL C become once they are
 * inlined. Scopes do not matter: a narrower one would cost as much. A semantics that is no constant
 * is the strongest.
 */
#include "spirv/builtins/builtin.h"
#include "spirv/builtins/call.h"
#include "spirv/grammar/numbers.h"

static int fail(const struct sl_builtin *op, const char *why)
{
    return sl_spirv_fail(op->spirv, op->instruction, "%s", why);
}

/* ---- order ----------------------------------------------------------------------------------- */

static LLVMAtomicOrdering ordering_of(struct sl_spirv *spirv, uint32_t semantics)
{
    uint64_t bits;
    if (!sl_spirv_is_constant(spirv, semantics) || sl_spirv_number(spirv, semantics, &bits) ||
        bits & MemorySemanticsSequentiallyConsistentMask)
        return LLVMAtomicOrderingSequentiallyConsistent;
    bool acquires = bits & (MemorySemanticsAcquireMask | MemorySemanticsAcquireReleaseMask);
    bool releases = bits & (MemorySemanticsReleaseMask | MemorySemanticsAcquireReleaseMask);
    return acquires && releases ? LLVMAtomicOrderingAcquireRelease
           : acquires           ? LLVMAtomicOrderingAcquire
           : releases           ? LLVMAtomicOrderingRelease
                                : LLVMAtomicOrderingMonotonic;
}

/* Of one side, as a load or a store is. */
static LLVMAtomicOrdering one_side(LLVMAtomicOrdering order, LLVMAtomicOrdering side)
{
    return order == LLVMAtomicOrderingAcquireRelease ? side
           : order == LLVMAtomicOrderingAcquire || order == LLVMAtomicOrderingRelease
               ? (order == side ? side : LLVMAtomicOrderingMonotonic)
               : order;
}

/* ---- operands -------------------------------------------------------------------------------- */

static bool is_real(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static bool is_whole(LLVMTypeRef type)
{
    unsigned bits = LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

static LLVMValueRef pointer_of(const struct sl_builtin *op)
{
    LLVMValueRef pointer = sl_build_operand(op->spirv, op->instruction, 0);
    if (pointer && LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind) {
        fail(op, "the first operand is no pointer");
        return NULL;
    }
    return pointer;
}

static bool takes(LLVMTypeRef type, bool whole, bool real)
{
    return (whole && is_whole(type)) || (real && is_real(type));
}

/* ---- loads and stores ------------------------------------------------------------------------ */

int sl_builtin_atomic_load(const struct sl_builtin *op)
{
    LLVMValueRef pointer = pointer_of(op);
    LLVMTypeRef type = sl_build_type(op->spirv, op->instruction);
    if (!pointer || !type)
        return -1;
    if (!takes(type, true, true))
        return fail(op, "no atomic type");
    LLVMAtomicOrdering order = ordering_of(op->spirv, op->instruction->operands[2]);
    LLVMValueRef load = LLVMBuildLoad2(sl_spirv_builder(op->spirv), type, pointer, "");
    LLVMSetOrdering(load, one_side(order, LLVMAtomicOrderingAcquire));
    LLVMSetAlignment(load, sl_build_bits(type) / 8);
    return sl_build_result(op->spirv, op->instruction, load);
}

static int store(const struct sl_builtin *op, LLVMValueRef pointer, LLVMValueRef value)
{
    LLVMAtomicOrdering order = ordering_of(op->spirv, op->instruction->operands[2]);
    LLVMValueRef made = LLVMBuildStore(sl_spirv_builder(op->spirv), value, pointer);
    LLVMSetOrdering(made, one_side(order, LLVMAtomicOrderingRelease));
    LLVMSetAlignment(made, sl_build_bits(LLVMTypeOf(value)) / 8);
    return 1;
}

int sl_builtin_atomic_store(const struct sl_builtin *op)
{
    LLVMValueRef pointer = pointer_of(op);
    LLVMValueRef value = pointer ? sl_build_operand(op->spirv, op->instruction, 3) : NULL;
    if (!value)
        return -1;
    return takes(LLVMTypeOf(value), true, true) ? store(op, pointer, value)
                                                : fail(op, "no atomic type");
}

/* ---- updates --------------------------------------------------------------------------------- */

/* NULL: failed. One is added or taken away where there is no operand. */
static LLVMValueRef update(const struct sl_builtin *op, LLVMTypeRef type, LLVMValueRef value)
{
    LLVMValueRef pointer = pointer_of(op);
    if (!pointer || !value)
        return NULL;
    bool real = op->flags & SL_ATOMIC_REAL, whole = !real;
    LLVMAtomicRMWBinOp what = (LLVMAtomicRMWBinOp)(op->flags & ~(unsigned)SL_ATOMIC_REAL);
    if (!takes(type, whole, real || what == LLVMAtomicRMWBinOpXchg) || LLVMTypeOf(value) != type) {
        fail(op, "an operand of the wrong type");
        return NULL;
    }
    return LLVMBuildAtomicRMW(sl_spirv_builder(op->spirv), what, pointer, value,
                              ordering_of(op->spirv, op->instruction->operands[2]), false);
}

int sl_builtin_atomic_update(const struct sl_builtin *op)
{
    LLVMTypeRef type = sl_build_type(op->spirv, op->instruction);
    LLVMValueRef value = type ? sl_build_operand(op->spirv, op->instruction, 3) : NULL;
    return sl_build_result(op->spirv, op->instruction, update(op, type, value));
}

int sl_builtin_atomic_step(const struct sl_builtin *op)
{
    LLVMTypeRef type = sl_build_type(op->spirv, op->instruction);
    if (!type)
        return -1;
    if (!is_whole(type))
        return fail(op, "an operand of the wrong type");
    return sl_build_result(op->spirv, op->instruction, update(op, type, sl_build_integer(type, 1)));
}

int sl_builtin_atomic_compare(const struct sl_builtin *op)
{
    const uint32_t *operands = op->instruction->operands;
    LLVMValueRef pointer = pointer_of(op);
    LLVMValueRef value = pointer ? sl_build_operand(op->spirv, op->instruction, 4) : NULL;
    LLVMValueRef expected = value ? sl_build_operand(op->spirv, op->instruction, 5) : NULL;
    if (!expected)
        return -1;
    if (!is_whole(LLVMTypeOf(value)) || LLVMTypeOf(value) != LLVMTypeOf(expected))
        return fail(op, "an operand of the wrong type");
    LLVMAtomicOrdering equal = ordering_of(op->spirv, operands[2]);
    LLVMAtomicOrdering unequal =
        one_side(ordering_of(op->spirv, operands[3]), LLVMAtomicOrderingAcquire);
    LLVMBuilderRef b = sl_spirv_builder(op->spirv);
    LLVMValueRef both = LLVMBuildAtomicCmpXchg(b, pointer, expected, value, equal, unequal, false);
    return sl_build_result(op->spirv, op->instruction, LLVMBuildExtractValue(b, both, 0, ""));
}

/* ---- flags are ints -------------------------------------------------------------------------- */

int sl_builtin_atomic_flag_set(const struct sl_builtin *op)
{
    LLVMTypeRef word = LLVMInt32TypeInContext(sl_spirv_context(op->spirv));
    LLVMValueRef old = update(op, word, sl_build_integer(word, 1));
    return old ? sl_build_result(op->spirv, op->instruction, sl_build_to_bool(op->spirv, old)) : -1;
}

int sl_builtin_atomic_flag_clear(const struct sl_builtin *op)
{
    LLVMValueRef pointer = pointer_of(op);
    LLVMTypeRef word = LLVMInt32TypeInContext(sl_spirv_context(op->spirv));
    return pointer ? store(op, pointer, sl_build_integer(word, 0)) : -1;
}
