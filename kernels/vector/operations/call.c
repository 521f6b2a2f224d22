/* SPDX-License-Identifier: Apache-2.0 */
/* Calls: LLVM's intrinsics that work element by element, builtins that have forms of their own, and
 * all others lane by lane. */
#include "vector/operations/call.h"

#include "ir/calls.h"
#include "vector/operations/builtin.h"
#include "vector/operations/combined_atomics.h"
#include "vector/operations/image.h"
#include "vector/operations/rare.h"
#include "vector/operations/saturate.h"
#include "vector/operations/serial.h"
#include "vector/operations/value.h"
#include "vector/vector.h"
#include "llvm/pass_support.h"

#include <string.h>

/* Which types name the variant, and which operands stay as they are. */
enum overload {
    BY_RESULT,
    BY_RESULT_AND_FIRST,
    BY_RESULT_AND_SECOND,
    BY_FIRST,
    SATURATED, /* saturate.c */
};

static const struct row {
    const char *name;
    enum overload overload;
    int scalar; /* this operand stays as it is; -1: none */
} rows[] = {
    {"llvm.fmuladd", BY_RESULT, -1},
    {"llvm.fma", BY_RESULT, -1},
    {"llvm.sqrt", BY_RESULT, -1},
    {"llvm.fabs", BY_RESULT, -1},
    {"llvm.floor", BY_RESULT, -1},
    {"llvm.ceil", BY_RESULT, -1},
    {"llvm.trunc", BY_RESULT, -1},
    {"llvm.rint", BY_RESULT, -1},
    {"llvm.nearbyint", BY_RESULT, -1},
    {"llvm.round", BY_RESULT, -1},
    {"llvm.roundeven", BY_RESULT, -1},
    {"llvm.copysign", BY_RESULT, -1},
    {"llvm.minnum", BY_RESULT, -1},
    {"llvm.maxnum", BY_RESULT, -1},
    {"llvm.minimum", BY_RESULT, -1},
    {"llvm.maximum", BY_RESULT, -1},
    {"llvm.minimumnum", BY_RESULT, -1},
    {"llvm.maximumnum", BY_RESULT, -1},
    {"llvm.canonicalize", BY_RESULT, -1},
    {"llvm.smin", BY_RESULT, -1},
    {"llvm.smax", BY_RESULT, -1},
    {"llvm.umin", BY_RESULT, -1},
    {"llvm.umax", BY_RESULT, -1},
    {"llvm.abs", BY_RESULT, 1},
    {"llvm.ctpop", BY_RESULT, -1},
    {"llvm.ctlz", BY_RESULT, 1},
    {"llvm.cttz", BY_RESULT, 1},
    {"llvm.bswap", BY_RESULT, -1},
    {"llvm.bitreverse", BY_RESULT, -1},
    {"llvm.fshl", BY_RESULT, -1},
    {"llvm.fshr", BY_RESULT, -1},
    {"llvm.sadd.sat", BY_RESULT, -1},
    {"llvm.uadd.sat", BY_RESULT, -1},
    {"llvm.ssub.sat", BY_RESULT, -1},
    {"llvm.usub.sat", BY_RESULT, -1},
    {"llvm.fptosi.sat", SATURATED, -1},
    {"llvm.fptoui.sat", SATURATED, -1},
    {"llvm.ldexp", BY_RESULT_AND_SECOND, -1},
    {"llvm.is.fpclass", BY_FIRST, 1},
    {"llvm.scmp", BY_RESULT_AND_FIRST, -1},
    {"llvm.ucmp", BY_RESULT_AND_FIRST, -1},
};

static const struct row *find(LLVMValueRef call)
{
    const char *name = sl_callee_name(call);
    if (strncmp(name, "llvm.", 5) != 0)
        return NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t length = strlen(rows[i].name);
        if (strncmp(name, rows[i].name, length) == 0 && name[length] == '.')
            return &rows[i];
    }
    return NULL;
}

bool sl_vector_is_lanewise_call(LLVMValueRef call)
{
    return find(call) || sl_vector_is_builtin(call);
}

bool sl_vector_is_elementwise_call(LLVMValueRef call)
{
    const struct row *row = find(call);
    return row && row->overload == BY_RESULT && row->scalar < 0 && !sl_vector_is_builtin(call);
}

LLVMValueRef sl_vector_elementwise_call(struct sl_vector *v, LLVMValueRef call, LLVMValueRef *args)
{
    LLVMTypeRef type = LLVMTypeOf(args[0]);
    LLVMValueRef now = sl_vector_intrinsic(v, find(call)->name, &type, 1, args,
                                           (unsigned)LLVMGetNumArgOperands(call));
    sl_llvm_copy_flags(call, now);
    return now;
}

static void emit_part(struct sl_vector *v, LLVMValueRef call, const struct row *row, uint32_t k)
{
    LLVMValueRef args[4];
    unsigned count = LLVMGetNumArgOperands(call);
    if (row->overload == SATURATED) {
        bool sign = strcmp(row->name, "llvm.fptosi.sat") == 0;
        LLVMValueRef x = sl_vector_part(v, LLVMGetArgOperand(call, 0), k);
        LLVMTypeRef element = sl_vector_part_type(LLVMTypeOf(call), k);
        sl_vector_set_part(v, call, k, sl_vector_saturate(v, x, element, sign));
        return;
    }
    for (unsigned a = 0; a < count; a++)
        args[a] = (int)a == row->scalar ? LLVMGetArgOperand(call, a)
                                        : sl_vector_part(v, LLVMGetArgOperand(call, a), k);
    LLVMTypeRef result = sl_vector_wide_type(v, sl_vector_part_type(LLVMTypeOf(call), k));
    LLVMTypeRef types[2] = {result, LLVMTypeOf(args[0])};
    if (row->overload == BY_FIRST)
        types[0] = LLVMTypeOf(args[0]);
    if (row->overload == BY_RESULT_AND_SECOND)
        types[1] = LLVMTypeOf(args[1]);
    bool two = row->overload == BY_RESULT_AND_FIRST || row->overload == BY_RESULT_AND_SECOND;
    LLVMValueRef now = sl_vector_intrinsic(v, row->name, types, two ? 2 : 1, args, count);
    sl_llvm_copy_flags(call, now);
    sl_vector_set_part(v, call, k, now);
}

void sl_vector_emit_call(struct sl_vector *v, LLVMValueRef call)
{
    const struct row *row = find(call);
    if (sl_vector_is_builtin(call)) {
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
