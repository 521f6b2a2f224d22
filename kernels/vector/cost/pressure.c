/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many registers a block of a kernel needs at once in vector form, roughly: what varies and is
 * defined in it until its last use, what comes from elsewhere all along. No shared state.
 */
#include "vector/cost/pressure.h"

#include "ir/map.h"
#include "vector/analysis/control_flow.h"
#include "vector/analysis/facts.h"
#include "vector/analysis/shape.h"
#include "vector/memory/speculative_access.h"
#include "vector/operations/value.h"

#define DEEPEST 5 /* operations from a number to the address made of it */

static unsigned bits_of(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMVectorTypeKind:
        return bits_of(LLVMGetElementType(type));
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) < 8 ? 8 : LLVMGetIntTypeWidth(type);
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
        return 16;
    case LLVMFloatTypeKind:
        return 32;
    default:
        return 64;
    }
}

static uint32_t registers(const struct sl_vector_facts *v, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    uint32_t whole = v->target->register_bits;
    uint32_t rows = v->by_row && sl_map_get(v->by_row, value) ? v->rows : 1;
    uint32_t bits = bits_of(type) * v->lanes, parts = sl_vector_part_count(type);
    if (sl_vector_is_interleaved(v, value))
        return (bits * parts + whole - 1) / whole * rows;
    return (bits + whole - 1) / whole * parts * rows;
}

/* An address of an access that only goes by it, lane by lane, where it is no neighbour's. */
static bool is_spare_address(const struct sl_vector_facts *v, LLVMValueRef value, unsigned depth)
{
    bool any = false;
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        uint32_t block = sl_vector_number(&v->plan, LLVMGetInstructionParent(i));
        bool store = LLVMIsAStoreInst(i);
        any = true;
        if (LLVMIsALoadInst(i) || (store && LLVMGetOperand(i, 1) == value)) {
            if (!sl_vector_speculation_pays(v, i, block))
                return false;
        } else if ((!LLVMIsAGetElementPtrInst(i) && !LLVMIsACastInst(i) &&
                    !LLVMIsABinaryOperator(i)) ||
                   !depth || !is_spare_address(v, i, depth - 1)) {
            return false;
        }
    }
    return any;
}

bool sl_vector_is_spare_address(const struct sl_vector_facts *v, LLVMValueRef value)
{
    return is_spare_address(v, value, DEEPEST);
}

/* What the loop's last iteration left of it is in the same register, as a rule. */
static bool shares_register(const struct sl_vector_facts *v, LLVMValueRef value)
{
    LLVMBasicBlockRef block = LLVMIsAPHINode(value) ? LLVMGetInstructionParent(value) : NULL;
    for (unsigned k = 0; v->counts_closely && block && k < LLVMCountIncoming(value); k++)
        if (LLVMGetIncomingBlock(value, k) == block)
            return true;
    return false;
}

struct live {
    const struct sl_vector_facts *v;
    struct sl_map values; /* what is alive -> itself */
    uint32_t now, most;
};

static void begin(struct live *live, LLVMValueRef value)
{
    if (sl_vector_shape(live->v, value).kind != SL_SHAPE_VARYING ||
        sl_map_get(&live->values, value) || shares_register(live->v, value) ||
        (live->v->counts_closely && sl_vector_is_spare_address(live->v, value)))
        return;
    sl_map_set(&live->values, value, value);
    live->now += registers(live->v, value);
    live->most = live->now > live->most ? live->now : live->most;
}

static void end(struct live *live, LLVMValueRef value)
{
    if (!sl_map_get(&live->values, value))
        return;
    sl_map_set(&live->values, value, NULL);
    live->now -= registers(live->v, value);
}

static bool leaves(LLVMValueRef value, LLVMBasicBlockRef block)
{
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMGetInstructionParent(user) != block || LLVMIsAPHINode(user))
            return true;
    }
    return false;
}

uint32_t sl_vector_pressure(const struct sl_vector_facts *v, uint32_t block)
{
    LLVMBasicBlockRef ref = v->plan.blocks[block].ref;
    struct live live = {.v = v};
    for (LLVMValueRef i = LLVMGetFirstInstruction(ref); i; i = LLVMGetNextInstruction(i)) {
        if (leaves(i, ref))
            begin(&live, i);
        for (int k = 0; k < LLVMGetNumOperands(i) && !LLVMIsAPHINode(i); k++) {
            LLVMValueRef operand = LLVMGetOperand(i, k);
            if (LLVMIsAInstruction(operand) && LLVMGetInstructionParent(operand) != ref)
                begin(&live, operand);
        }
    }
    for (LLVMValueRef i = LLVMGetLastInstruction(ref); i && !LLVMIsAPHINode(i);
         i = LLVMGetPreviousInstruction(i)) {
        end(&live, i);
        for (int k = 0; k < LLVMGetNumOperands(i); k++)
            if (LLVMIsAInstruction(LLVMGetOperand(i, k)))
                begin(&live, LLVMGetOperand(i, k));
    }
    sl_map_finish(&live.values);
    return live.most;
}
