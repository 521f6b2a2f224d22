/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses of single lanes. Those that are one base and a vector of numbers need not become a
 * vector of 64-bit addresses first, twice as many registers, that is taken apart again: the lanes
 * take their numbers, as narrow as they are, and the processor's addressing does the rest. What all
 * lanes are away from where each begins is added last, so that a loop which goes through rows finds
 * the rows' beginnings taken apart before it begins. No shared state.
 */
#include "vector/memory/lane_address.h"

#include "vector/analysis/facts.h"
#include "vector/operations/value.h"
#include "vector/vector.h"

#include <llvm-c/Target.h>

/* p[number].field[i]: two or three address computations in a chain. */
#define MOST_STEPS 4

struct numbers {
    LLVMValueRef address; /* whose lanes differ in one operand; NULL: the numbers are addresses */
    unsigned operand;
    LLVMValueRef all; /* that operand, or what it is the extension of */
    bool is_signed;
    LLVMValueRef steps[MOST_STEPS]; /* from there on, the last one first; equal in all lanes */
    unsigned step_count;
};

static bool is_vector(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

/* Of an address computation: its only vector. */
static bool find_vector(LLVMValueRef address, unsigned *operand)
{
    unsigned count = (unsigned)LLVMGetNumOperands(address), found = 0;
    for (unsigned k = 0; k < count; k++) {
        if (is_vector(LLVMGetOperand(address, k)))
            *operand = k, found++;
    }
    return found == 1 && count <= SL_VECTOR_MOST_PARTS;
}

static void find_narrow(struct numbers *n)
{
    if (!LLVMIsAZExtInst(n->all) && !LLVMIsASExtInst(n->all))
        return;
    LLVMValueRef narrow = LLVMGetOperand(n->all, 0);
    unsigned bits = LLVMGetIntTypeWidth(LLVMGetElementType(LLVMTypeOf(narrow)));
    if (bits >= 8 && !(bits & (bits - 1))) {
        n->is_signed = LLVMIsASExtInst(n->all);
        n->all = narrow;
    }
}

static struct numbers find_numbers(LLVMValueRef addresses)
{
    struct numbers n = {.all = addresses};
    unsigned operand = 0;
    while (LLVMIsAGetElementPtrInst(n.all) && find_vector(n.all, &operand)) {
        if (operand) {
            n.address = n.all;
            n.operand = operand;
            n.all = LLVMGetOperand(n.all, operand);
            find_narrow(&n);
            break;
        }
        if (n.step_count == MOST_STEPS)
            break;
        n.steps[n.step_count++] = n.all;
        n.all = LLVMGetOperand(n.all, 0);
    }
    return n;
}

/* The address computation once more, from another base and, where operand is not 0, number. */
static LLVMValueRef again(struct sl_vector *v, LLVMValueRef address, LLVMValueRef base,
                          unsigned operand, LLVMValueRef number)
{
    LLVMValueRef indices[SL_VECTOR_MOST_PARTS];
    unsigned count = (unsigned)LLVMGetNumOperands(address);
    for (unsigned k = 1; k < count; k++)
        indices[k - 1] = operand && k == operand ? number : LLVMGetOperand(address, k);
    return LLVMBuildGEP2(v->g->e.builder, LLVMGetGEPSourceElementType(address), base, indices,
                         count - 1, "");
}

/* NULL: nothing. */
static LLVMValueRef bytes_of_steps(struct sl_vector *v, const struct numbers *n)
{
    LLVMValueRef from = LLVMConstNull(v->g->e.ptr);
    for (unsigned k = n->step_count; k-- > 0;)
        from = again(v, n->steps[k], from, 0, NULL);
    return n->step_count ? LLVMBuildPtrToInt(v->g->e.builder, from, v->g->e.i64, "") : NULL;
}

static LLVMValueRef begin_of_lane(struct sl_vector *v, const struct numbers *n, uint32_t lane)
{
    LLVMBuilderRef b = v->g->e.builder;
    LLVMValueRef number = LLVMBuildExtractElement(b, n->all, sl_emit_i32(&v->g->e, lane), "");
    if (!n->address)
        return number;
    LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(LLVMGetOperand(n->address, n->operand)));
    number = LLVMBuildIntCast2(b, number, type, n->is_signed, "");
    return again(v, n->address, LLVMGetOperand(n->address, 0), n->operand, number);
}

void sl_vector_lane_distances(struct sl_vector *v, LLVMValueRef addresses, uint32_t first,
                              uint64_t most, struct sl_vector_distances *d)
{
    LLVMBuilderRef b = v->g->e.builder;
    struct numbers n = find_numbers(addresses);
    if (n.operand != 1)
        n = (struct numbers){.all = addresses};
    LLVMValueRef bytes = bytes_of_steps(v, &n);
    *d = (struct sl_vector_distances){.base = begin_of_lane(v, &n, first), .scale = 1};
    if (bytes)
        d->base = LLVMBuildGEP2(b, v->g->e.i8, d->base, &bytes, 1, "");
    LLVMTypeRef longs = sl_vector_wide_type(v, v->g->e.i64);
    LLVMValueRef all = n.address ? n.all : LLVMBuildPtrToInt(b, n.all, longs, "");
    if (!sl_vector_all_run(v)) { /* what does not run is anything, but the same in each use */
        all = LLVMBuildFreeze(b, all, "");
        d->base = LLVMBuildFreeze(b, d->base, "");
    }
    LLVMValueRef one = LLVMBuildExtractElement(b, all, sl_emit_i32(&v->g->e, first), "");
    LLVMTypeRef type = LLVMTypeOf(one);
    unsigned bits = LLVMGetIntTypeWidth(type);
    d->numbers = LLVMBuildSub(b, all, sl_vector_splat(v, one), "");
    if (n.address)
        d->scale = LLVMABISizeOfType(LLVMGetModuleDataLayout(v->g->pass->module),
                                     LLVMGetGEPSourceElementType(n.address));
    if (bits == 64)
        return;
    /* Numbers that go round are far from each other once they are addresses. */
    bool sign = n.is_signed || LLVMGetIntTypeWidth(LLVMGetElementType(
                                   LLVMTypeOf(LLVMGetOperand(n.address, n.operand)))) < 64;
    uint64_t top = UINT64_MAX >> (64 - bits + sign);
    d->sure = LLVMBuildICmp(b, sign ? LLVMIntSLE : LLVMIntULE, one,
                            LLVMConstInt(type, top > most ? top - most : 0, false), "");
}

void sl_vector_lane_addresses(struct sl_vector *v, LLVMValueRef addresses, LLVMValueRef mask,
                              LLVMValueRef *each)
{
    struct numbers n = find_numbers(addresses);
    LLVMValueRef bytes = bytes_of_steps(v, &n);
    if (mask) {
        LLVMBuilderRef b = v->g->e.builder;
        LLVMValueRef first = LLVMBuildExtractElement(b, n.all, sl_emit_i32(&v->g->e, 0), "");
        n.all = LLVMBuildSelect(b, mask, n.all, sl_vector_splat(v, first), "");
    }
    for (uint32_t l = 0; l < v->facts.lanes; l++) {
        each[l] = begin_of_lane(v, &n, l);
        if (bytes)
            each[l] = LLVMBuildGEP2(v->g->e.builder, v->g->e.i8, each[l], &bytes, 1, "");
    }
}
