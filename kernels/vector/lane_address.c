/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses of single lanes. Those that are one base and a vector of numbers need not become a
 * vector of 64-bit addresses first, twice as many registers, that is taken apart again: the lanes
 * take their numbers, as narrow as they are, and the processor's addressing does the rest. No
 * shared state.
 */
#include "vector/vector.h"

static bool is_vector(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

bool sl_vector_find_numbers(LLVMValueRef addresses, struct sl_vector_numbers *n)
{
    *n = (struct sl_vector_numbers){.address = addresses};
    if (!LLVMIsAGetElementPtrInst(addresses))
        return false;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(addresses); k++) {
        if (!is_vector(LLVMGetOperand(addresses, k)))
            continue;
        if (n->operand || !k)
            return false;
        n->operand = k;
    }
    if (!n->operand || LLVMGetNumOperands(addresses) > SL_VECTOR_MOST_PARTS)
        return false;
    n->all = LLVMGetOperand(addresses, n->operand);
    if (LLVMIsAZExtInst(n->all) || LLVMIsASExtInst(n->all)) {
        LLVMValueRef narrow = LLVMGetOperand(n->all, 0);
        unsigned bits = LLVMGetIntTypeWidth(LLVMGetElementType(LLVMTypeOf(narrow)));
        if (bits >= 8 && !(bits & (bits - 1))) {
            n->is_signed = LLVMIsASExtInst(n->all);
            n->all = narrow;
        }
    }
    return true;
}

LLVMValueRef sl_vector_address_of(struct sl_vector *v, const struct sl_vector_numbers *n,
                                  LLVMValueRef number)
{
    LLVMBuilderRef b = v->g->e.builder;
    LLVMValueRef indices[SL_VECTOR_MOST_PARTS];
    unsigned count = (unsigned)LLVMGetNumOperands(n->address);
    LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(LLVMGetOperand(n->address, n->operand)));
    for (unsigned k = 1; k < count; k++)
        indices[k - 1] = k == n->operand ? LLVMBuildIntCast2(b, number, type, n->is_signed, "")
                                         : LLVMGetOperand(n->address, k);
    return LLVMBuildGEP2(b, LLVMGetGEPSourceElementType(n->address), LLVMGetOperand(n->address, 0),
                         indices, count - 1, "");
}

void sl_vector_lane_addresses(struct sl_vector *v, LLVMValueRef addresses, LLVMValueRef *each)
{
    LLVMBuilderRef b = v->g->e.builder;
    struct sl_vector_numbers n;
    bool numbers = sl_vector_find_numbers(addresses, &n);
    for (uint32_t l = 0; l < v->lanes; l++)
        each[l] =
            LLVMBuildExtractElement(b, numbers ? n.all : addresses, sl_emit_i32(&v->g->e, l), "");
    for (uint32_t l = 0; numbers && l < v->lanes; l++)
        each[l] = sl_vector_address_of(v, &n, each[l]);
}
