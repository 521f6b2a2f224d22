/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lanes in any order. The machines put one register's lanes in any order (AVX-512: two registers');
 * where a vector has more, those of each are chosen from. Elsewhere lanes go through memory.
 * No shared state.
 */
#include "vector/operations/sub_group.h"

#include "vector/analysis/facts.h"
#include "vector/operations/serial.h"
#include "vector/operations/value.h"

#include <llvm-c/Target.h>

#define MOST_REGISTERS 8

static LLVMBuilderRef builder(struct sl_vector *v)
{
    return v->g->e.builder;
}

/* Lanes from `first` on; those beyond x are anything. */
static LLVMValueRef lanes_of(struct sl_vector *v, LLVMValueRef x, uint32_t first, uint32_t count)
{
    LLVMValueRef lanes[64];
    uint32_t all = LLVMGetVectorSize(LLVMTypeOf(x));
    for (uint32_t l = 0; l < count; l++)
        lanes[l] = first + l < all ? sl_emit_i32(&v->g->e, first + l) : LLVMGetPoison(v->g->e.i32);
    return LLVMBuildShuffleVector(builder(v), x, LLVMGetPoison(LLVMTypeOf(x)),
                                  LLVMConstVector(lanes, count), "");
}

static LLVMValueRef joined(struct sl_vector *v, LLVMValueRef a, LLVMValueRef b, uint32_t count)
{
    LLVMValueRef lanes[64];
    for (uint32_t l = 0; l < count; l++)
        lanes[l] = sl_emit_i32(&v->g->e, l);
    return LLVMBuildShuffleVector(builder(v), a, b, LLVMConstVector(lanes, count), "");
}

struct permutation {
    struct sl_vector *v;
    uint32_t each; /* lanes of a register */
    LLVMValueRef registers[MOST_REGISTERS];
    const char *one, *two; /* intrinsics: of one register, of two (NULL: there is none) */
};

/* Which of `count` registers from `first` on each lane is in says a bit of its index. */
static LLVMValueRef chosen(struct permutation *p, uint32_t first, uint32_t count,
                           LLVMValueRef index)
{
    struct sl_vector *v = p->v;
    LLVMBuilderRef b = builder(v);
    if (count == 1) {
        LLVMValueRef args[] = {p->registers[first], index};
        return sl_vector_intrinsic(v, p->one, NULL, 0, args, 2);
    }
    if (count == 2 && p->two) {
        LLVMValueRef args[] = {p->registers[first], index, p->registers[first + 1]};
        return sl_vector_intrinsic(v, p->two, NULL, 0, args, 3);
    }
    LLVMValueRef low = chosen(p, first, count / 2, index);
    LLVMValueRef high = chosen(p, first + count / 2, count / 2, index);
    LLVMTypeRef type = LLVMTypeOf(index);
    LLVMValueRef bit = sl_vector_splat_to(
        v, LLVMConstInt(LLVMGetElementType(type), (uint64_t)p->each * (count / 2), false), p->each);
    LLVMValueRef is_high =
        LLVMBuildICmp(b, LLVMIntNE, LLVMBuildAnd(b, index, bit, ""), LLVMConstNull(type), "");
    return LLVMBuildSelect(b, is_high, high, low, "");
}

static LLVMValueRef in_registers(struct permutation *p, LLVMValueRef x, LLVMValueRef from)
{
    struct sl_vector *v = p->v;
    uint32_t count = (v->facts.lanes + p->each - 1) / p->each;
    LLVMValueRef results[MOST_REGISTERS];
    for (uint32_t r = 0; r < count; r++)
        p->registers[r] = lanes_of(v, x, r * p->each, p->each);
    for (uint32_t r = 0; r < count; r++)
        results[r] = chosen(p, 0, count, lanes_of(v, from, r * p->each, p->each));
    for (uint32_t n = count, each = p->each; n > 1; n /= 2, each *= 2)
        for (uint32_t r = 0; r < n / 2; r++)
            results[r] = joined(v, results[2 * r], results[2 * r + 1], 2 * each);
    return v->facts.lanes < p->each ? lanes_of(v, results[0], 0, v->facts.lanes) : results[0];
}

/* All lanes are stored, and each is loaded from its place. */
static LLVMValueRef through_memory(struct sl_vector *v, LLVMValueRef x, LLVMValueRef from)
{
    LLVMBuilderRef b = builder(v);
    LLVMTypeRef type = LLVMTypeOf(x), element = LLVMGetElementType(type);
    LLVMValueRef room = sl_emit_entry_alloca(&v->g->e, v->g->function, type, 64, "lanes");
    LLVMValueRef all = LLVMGetPoison(type);
    LLVMBuildStore(b, x, room);
    for (uint32_t l = 0; l < v->facts.lanes; l++) {
        LLVMValueRef lane = sl_emit_i32(&v->g->e, l);
        LLVMValueRef at = LLVMBuildExtractElement(b, from, lane, "");
        at = LLVMBuildZExt(b, at, v->g->e.i64, "");
        LLVMValueRef place = LLVMBuildInBoundsGEP2(b, element, room, &at, 1, "");
        all = LLVMBuildInsertElement(b, all, LLVMBuildLoad2(b, element, place, ""), lane, "");
    }
    return all;
}

/* Numbers of 32 bits, or of 64 with AVX-512. */
static LLVMValueRef of_words(struct sl_vector *v, LLVMValueRef x, LLVMValueRef from, unsigned bits)
{
    bool wide = v->facts.target->mask_registers, words = bits == 32;
    if (v->facts.target->register_bits < 256 || (!wide && !words))
        return through_memory(v, x, from);
    struct permutation p = {.v = v,
                            .each = v->facts.target->register_bits / bits,
                            .one = !wide   ? "llvm.x86.avx2.permd"
                                   : words ? "llvm.x86.avx512.permvar.si.512"
                                           : "llvm.x86.avx512.permvar.di.512",
                            .two = !wide   ? NULL
                                   : words ? "llvm.x86.avx512.vpermi2var.d.512"
                                           : "llvm.x86.avx512.vpermi2var.q.512"};
    if (!words)
        from = LLVMBuildZExt(builder(v), from, sl_vector_wide_type(v, v->g->e.i64), "");
    return in_registers(&p, x, from);
}

LLVMValueRef sl_vector_permute(struct sl_vector *v, LLVMValueRef x, LLVMValueRef from)
{
    LLVMBuilderRef b = builder(v);
    LLVMTypeRef type = LLVMTypeOf(x), element = LLVMGetElementType(type);
    if (LLVMIsConstant(from))
        return LLVMBuildShuffleVector(b, x, x, from, "");
    unsigned bits =
        (unsigned)LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(v->g->pass->module), element);
    LLVMTypeRef plain = sl_vector_wide_type(v, LLVMIntTypeInContext(v->g->e.context, bits));
    LLVMTypeRef words = bits < 32 ? sl_vector_wide_type(v, v->g->e.i32) : plain;
    x = LLVMBuildZExt(b, LLVMBuildBitCast(b, x, plain, ""), words, "");
    x = of_words(v, x, from, bits < 32 ? 32 : bits);
    return LLVMBuildBitCast(b, LLVMBuildTrunc(b, x, plain, ""), type, "");
}
