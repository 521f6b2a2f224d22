/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builtins that are one instruction of AVX-512 each (builtins/lane.h). LLVM has no name of its own
 * for them, only the machine's for whole registers: vectors of lanes are cut into registers or
 * filled up to one. No shared state.
 */
#include "vector/operations/builtin.h"

#include "vector/analysis/facts.h"
#include "vector/analysis/lane_builtin.h"
#include "vector/operations/dot_product.h"
#include "vector/operations/serial.h"
#include "vector/operations/value.h"
#include "vector/vector.h"

#include <stdio.h>

#define REGISTER 512u /* bits */

/* ---- registers ------------------------------------------------------------------------------- */

static unsigned element_bits(LLVMValueRef value)
{
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(value));
    return LLVMGetTypeKind(element) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(element)
           : LLVMGetTypeKind(element) == LLVMFloatTypeKind ? 32
                                                           : 64;
}

LLVMValueRef sl_vector_elements(struct sl_vector *v, LLVMValueRef value, uint32_t from,
                                uint32_t count)
{
    LLVMValueRef which[64];
    uint32_t has = LLVMGetVectorSize(LLVMTypeOf(value));
    if (has == count)
        return value;
    for (uint32_t k = 0; k < count; k++)
        which[k] = from + k < has ? sl_emit_i32(&v->g->e, from + k) : LLVMGetPoison(v->g->e.i32);
    return LLVMBuildShuffleVector(v->g->e.builder, value, LLVMGetPoison(LLVMTypeOf(value)),
                                  LLVMConstVector(which, count), "");
}

LLVMValueRef sl_vector_joined(struct sl_vector *v, LLVMValueRef *registers, uint32_t count)
{
    uint32_t each = LLVMGetVectorSize(LLVMTypeOf(registers[0]));
    if (count <= each)
        return sl_vector_elements(v, registers[0], 0, count);
    for (uint32_t width = each; width < count; width *= 2)
        for (uint32_t r = 0; r < count / width; r += 2) {
            LLVMValueRef which[64 * SL_VECTOR_MOST_PARTS];
            for (uint32_t k = 0; k < 2 * width; k++)
                which[k] = sl_emit_i32(&v->g->e, k);
            registers[r / 2] =
                LLVMBuildShuffleVector(v->g->e.builder, registers[r], registers[r + 1],
                                       LLVMConstVector(which, 2 * width), "");
        }
    return registers[0];
}

/* ---- one register ---------------------------------------------------------------------------- */

static LLVMValueRef part_of_table(struct sl_vector *v, LLVMValueRef table, LLVMTypeRef type,
                                  uint32_t part)
{
    LLVMValueRef at = sl_emit_i32(&v->g->e, part);
    LLVMValueRef place = LLVMBuildGEP2(v->g->e.builder, type, table, &at, 1, "");
    LLVMValueRef load = LLVMBuildLoad2(v->g->e.builder, type, place, "table");
    LLVMSetAlignment(load, REGISTER / 8);
    return load;
}

static LLVMValueRef look_up(struct sl_vector *v, const struct sl_lane_builtin *row,
                            LLVMValueRef table, LLVMValueRef index)
{
    LLVMTypeRef result = element_bits(index) == 32 ? LLVMFloatTypeInContext(v->g->e.context)
                                                   : LLVMDoubleTypeInContext(v->g->e.context);
    LLVMTypeRef type = LLVMVectorType(result, LLVMGetVectorSize(LLVMTypeOf(index)));
    bool is_float = element_bits(index) == 32;
    LLVMValueRef low = part_of_table(v, table, type, 0);
    if (row->form == SL_LANE_ENTRY_OF_16 && is_float) {
        LLVMValueRef args[] = {low, index};
        return sl_vector_intrinsic(v, "llvm.x86.avx512.permvar.sf.512", NULL, 0, args, 2);
    }
    LLVMValueRef args[] = {low, index, part_of_table(v, table, type, 1)};
    return sl_vector_intrinsic(
        v, is_float ? "llvm.x86.avx512.vpermi2var.ps.512" : "llvm.x86.avx512.vpermi2var.pd.512",
        NULL, 0, args, 3);
}

static LLVMValueRef of_register(struct sl_vector *v, const struct sl_lane_builtin *row,
                                LLVMValueRef *values)
{
    if (row->form == SL_LANE_DOT)
        return sl_vector_dot_product(v, row->control, values[0], values[1]);
    bool is_float = element_bits(values[0]) == 32;
    LLVMValueRef args[6], control = sl_emit_i32(&v->g->e, row->control);
    unsigned count = 0;
    args[count++] = values[0];
    if (row->form == SL_LANE_BINARY || row->form == SL_LANE_BINARY_CONTROL)
        args[count++] = values[1];
    if (row->form == SL_LANE_UNARY_CONTROL || row->form == SL_LANE_BINARY_CONTROL)
        args[count++] = control;
    args[count++] = LLVMGetPoison(LLVMTypeOf(values[0]));
    args[count++] = LLVMConstAllOnes(LLVMIntTypeInContext(v->g->e.context, is_float ? 16 : 8));
    if (row->form != SL_LANE_ESTIMATE)
        args[count++] = sl_emit_i32(&v->g->e, 4); /* rounding as the machine is set */
    char name[64];
    snprintf(name, sizeof name, "llvm.x86.avx512.%s%s.512", row->machine, is_float ? "ps" : "pd");
    return sl_vector_intrinsic(v, name, NULL, 0, args, count);
}

static void emit_part(struct sl_vector *v, LLVMValueRef call, const struct sl_lane_builtin *row,
                      uint32_t k)
{
    bool looks_up = row->form == SL_LANE_ENTRY_OF_16 || row->form == SL_LANE_ENTRY_OF_32;
    bool two = looks_up || row->form == SL_LANE_BINARY || row->form == SL_LANE_BINARY_CONTROL ||
               row->form == SL_LANE_DOT;
    LLVMValueRef first = looks_up ? NULL : sl_vector_part(v, LLVMGetArgOperand(call, 0), k);
    LLVMValueRef second = two ? sl_vector_part(v, LLVMGetArgOperand(call, 1), k) : NULL;
    LLVMValueRef table = looks_up ? sl_vector_scalar(v, LLVMGetArgOperand(call, 0)) : NULL;
    uint32_t each = REGISTER / element_bits(looks_up ? second : first);
    LLVMValueRef registers[16] = {NULL};
    for (uint32_t r = 0; r * each < v->facts.lanes; r++) {
        LLVMValueRef values[2] = {first ? sl_vector_elements(v, first, r * each, each) : NULL,
                                  second ? sl_vector_elements(v, second, r * each, each) : NULL};
        registers[r] = looks_up ? look_up(v, row, table, values[1]) : of_register(v, row, values);
    }
    sl_vector_set_part(v, call, k, sl_vector_joined(v, registers, v->facts.lanes));
}

void sl_vector_emit_builtin(struct sl_vector *v, LLVMValueRef call)
{
    const struct sl_lane_builtin *row = sl_lane_builtin(call);
    for (uint32_t k = 0; k < sl_vector_part_count(LLVMTypeOf(call)); k++)
        emit_part(v, call, row, k);
}
