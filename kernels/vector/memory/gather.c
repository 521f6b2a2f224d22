/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and stores of lanes at addresses of their own: by the machine's gathers and scatters where
 * it has them, else in turn. No shared state.
 */
#include "vector/memory/gather.h"

#include "vector/analysis/facts.h"
#include "vector/memory/lane_address.h"
#include "vector/memory/quads.h"
#include "vector/operations/builtin.h"
#include "vector/operations/element.h"
#include "vector/operations/interleaved_code.h"
#include "vector/operations/packed.h"
#include "vector/operations/serial.h"
#include "vector/operations/value.h"
#include "vector/vector.h"
#include "llvm/pass_support.h"

#include <llvm-c/Target.h>

#define MOST_READ 128   /* bytes, of one lane */
#define LEAST_MOVED 16  /* bytes of an item that is loaded and stored as a whole: a register */
#define LEAST_WIDENED 8 /* of one whose elements may fill a register when they are wider */

static LLVMBuilderRef builder(struct sl_vector *v)
{
    return v->g->e.builder;
}

static uint64_t size_of(struct sl_vector *v, LLVMTypeRef type)
{
    return LLVMStoreSizeOfType(LLVMGetModuleDataLayout(v->g->pass->module), type);
}

static uint32_t alignment(uint64_t size, uint32_t align)
{
    uint32_t natural = (uint32_t)(size & -size);
    return natural < align ? natural : align;
}

static LLVMTypeRef ptrs(struct sl_vector *v)
{
    return LLVMVectorType(v->g->e.ptr, v->facts.lanes);
}

LLVMValueRef sl_vector_part_places(struct sl_vector *v, LLVMValueRef addresses, uint64_t offset)
{
    LLVMValueRef bytes = sl_emit_i64(&v->g->e, offset);
    return offset ? LLVMBuildGEP2(builder(v), v->g->e.i8, addresses, &bytes, 1, "") : addresses;
}

/* Nothing, to be read: variables of the function are what rows in step must not share. */
static LLVMValueRef nothing(struct sl_vector *v)
{
    const char *name = "sl.nothing";
    LLVMModuleRef module = v->g->pass->module;
    LLVMValueRef is = LLVMGetNamedGlobal(module, name);
    if (is)
        return is;
    is = LLVMAddGlobal(module, LLVMArrayType2(v->g->e.i8, MOST_READ), name);
    LLVMSetInitializer(is, LLVMConstNull(LLVMGlobalGetValueType(is)));
    LLVMSetGlobalConstant(is, true);
    LLVMSetLinkage(is, LLVMPrivateLinkage);
    LLVMSetAlignment(is, MOST_READ);
    return is;
}

/* Each lane's address, or that of a place which is always there if the lane is inactive. */
static void safe_addresses(struct sl_vector *v, LLVMValueRef addresses, LLVMValueRef place,
                           LLVMValueRef *each)
{
    if (place)
        addresses =
            LLVMBuildSelect(builder(v), v->now.mask, addresses, sl_vector_splat(v, place), "");
    sl_vector_lane_addresses(v, addresses, NULL, each);
}

/* A row's last items are its first lanes, so that lane 0's address is always there, in whichever
 * iteration of a loop. */
static void addresses_to_read(struct sl_vector *v, LLVMValueRef addresses, LLVMValueRef *each)
{
    if (sl_vector_all_run(v) || v->now.mask != v->now.entry_mask)
        safe_addresses(v, addresses, sl_vector_all_run(v) ? NULL : nothing(v), each);
    else
        sl_vector_lane_addresses(v, addresses, v->now.mask, each);
}

static void addresses_to_write(struct sl_vector *v, LLVMTypeRef type, LLVMValueRef addresses,
                               LLVMValueRef *each)
{
    LLVMValueRef place = NULL;
    if (!sl_vector_all_run(v))
        place = sl_emit_entry_alloca(&v->g->e, v->g->function, type, 0, "nowhere");
    safe_addresses(v, addresses, place, each);
}

/* Lane by lane. */
LLVMValueRef sl_vector_load_serially(struct sl_vector *v, LLVMTypeRef type, LLVMValueRef addresses)
{
    LLVMBuilderRef b = builder(v);
    LLVMValueRef all = LLVMGetPoison(sl_vector_wide_type(v, type)), each[64];
    addresses_to_read(v, addresses, each);
    for (uint32_t l = 0; l < v->facts.lanes; l++) {
        LLVMValueRef lane = sl_emit_i32(&v->g->e, l);
        LLVMValueRef one = LLVMBuildLoad2(b, type, each[l], "");
        LLVMSetAlignment(one, 1);
        all = LLVMBuildInsertElement(b, all, one, lane, "");
    }
    return all;
}

/* Bytes and shorts from the words around them: those are there, if they are aligned. Shorts that
 * are not are found as well, in words that begin with them or two bytes before. */
static LLVMValueRef gather_small(struct sl_vector *v, LLVMTypeRef type, LLVMValueRef addresses)
{
    LLVMBuilderRef b = builder(v);
    const struct sl_emit *e = &v->g->e;
    uint64_t size = size_of(v, type);
    uint32_t within = size == 1 ? 3 : 2; /* bits of an address: where in the word */
    LLVMTypeRef wide = sl_vector_wide_type(v, e->i32), types[] = {ptrs(v), wide};
    LLVMTypeRef longs = sl_vector_wide_type(v, e->i64), mask_types[] = {ptrs(v), longs};
    LLVMValueRef whole[] = {addresses, sl_vector_splat(v, sl_emit_i64(e, ~(uint64_t)within))};
    LLVMValueRef from = sl_vector_intrinsic(v, "llvm.ptrmask", mask_types, 2, whole, 2);
    LLVMValueRef args[] = {from, v->now.mask, LLVMGetPoison(wide)};
    types[0] = wide, types[1] = ptrs(v);
    LLVMValueRef words = sl_vector_intrinsic(v, "llvm.masked.gather", types, 2, args, 3);
    sl_llvm_set_argument_alignment(words, 0, size == 1 ? 4 : 1);
    LLVMValueRef low = LLVMBuildPtrToInt(b, addresses, longs, "");
    low = LLVMBuildTrunc(b, low, wide, "");
    low = LLVMBuildAnd(b, low, sl_vector_splat(v, sl_emit_i32(e, within)), "");
    low = LLVMBuildShl(b, low, sl_vector_splat(v, sl_emit_i32(e, 3)), "");
    LLVMTypeRef number = LLVMIntTypeInContext(e->context, (unsigned)size * 8);
    LLVMTypeRef small = sl_vector_wide_type(v, number);
    words = LLVMBuildTrunc(b, LLVMBuildLShr(b, words, low, ""), small, "");
    return LLVMBuildBitCast(b, words, sl_vector_wide_type(v, type), "");
}

LLVMValueRef sl_vector_gather_part(struct sl_vector *v, LLVMTypeRef type, LLVMValueRef addresses,
                                   uint32_t align, LLVMValueRef like)
{
    if (!v->facts.target->gathers)
        return sl_vector_load_serially(v, type, addresses);
    if (size_of(v, type) < 4)
        return align < size_of(v, type) ? sl_vector_load_serially(v, type, addresses)
                                        : gather_small(v, type, addresses);
    LLVMTypeRef wide = sl_vector_wide_type(v, type), types[] = {wide, ptrs(v)};
    LLVMValueRef args[] = {addresses, v->now.mask, LLVMGetPoison(wide)};
    LLVMValueRef call = sl_vector_intrinsic(v, "llvm.masked.gather", types, 2, args, 3);
    sl_llvm_set_argument_alignment(call, 0, alignment(size_of(v, type), align));
    if (like)
        sl_llvm_copy_flags(like, call);
    return call;
}

/* Small elements come and go as one number per item. */
void sl_vector_gather_parts(struct sl_vector *v, LLVMTypeRef type, LLVMValueRef from,
                            uint32_t align, LLVMValueRef like, LLVMValueRef *parts)
{
    LLVMTypeRef packed = sl_vector_packed_type(type), element = sl_vector_part_type(type, 0);
    if (packed) {
        sl_vector_unpack(v, sl_vector_gather_part(v, packed, from, align, like), type, parts);
        return;
    }
    for (uint32_t k = 0; k < sl_vector_part_count(type); k++)
        parts[k] = sl_vector_gather_part(
            v, element, sl_vector_part_places(v, from, k * size_of(v, element)), align, like);
}

static void scatter(struct sl_vector *v, LLVMValueRef value, LLVMValueRef addresses, uint32_t align,
                    LLVMValueRef like)
{
    LLVMTypeRef types[] = {LLVMTypeOf(value), ptrs(v)};
    LLVMValueRef args[] = {value, addresses, v->now.mask};
    LLVMValueRef call = sl_vector_intrinsic(v, "llvm.masked.scatter", types, 2, args, 3);
    uint64_t size = size_of(v, LLVMGetElementType(LLVMTypeOf(value)));
    sl_llvm_set_argument_alignment(call, 1, alignment(size, align));
    if (like)
        sl_llvm_copy_flags(like, call);
}

/* Lane by lane. */
void sl_vector_store_serially(struct sl_vector *v, LLVMValueRef value, LLVMValueRef to)
{
    LLVMBuilderRef b = builder(v);
    LLVMValueRef each[64];
    addresses_to_write(v, LLVMGetElementType(LLVMTypeOf(value)), to, each);
    for (uint32_t l = 0; l < v->facts.lanes; l++) {
        LLVMValueRef lane = sl_emit_i32(&v->g->e, l);
        LLVMValueRef one = LLVMBuildExtractElement(b, value, lane, "");
        LLVMSetAlignment(LLVMBuildStore(b, one, each[l]), 1);
    }
}

void sl_vector_scatter_part(struct sl_vector *v, LLVMValueRef part, LLVMValueRef to, uint32_t align,
                            LLVMValueRef like)
{
    /* Of rows in step it may become stores of several elements
     * (llvm/loops/memory/turned_accesses.h). */
    if ((v->facts.target->gathers || v->g->jammed) &&
        size_of(v, LLVMGetElementType(LLVMTypeOf(part))) >= 4)
        scatter(v, part, to, align, like);
    else
        sl_vector_store_serially(v, part, to);
}

bool sl_vector_scatter_packed(struct sl_vector *v, LLVMTypeRef type, LLVMValueRef to,
                              uint32_t align, LLVMValueRef like, LLVMValueRef *parts)
{
    if (!sl_vector_packed_type(type))
        return false;
    sl_vector_scatter_part(v, sl_vector_pack(v, parts, type), to, align, like);
    return true;
}

/* ---- vectors of words, item by item ---------------------------------------------------------- */

static bool gathers_quads(const struct sl_vector *v, LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind && !v->facts.target->gathers &&
           sl_vector_has_quads(&v->facts, LLVMGetElementType(type), LLVMGetVectorSize(type));
}

/* As many as fill registers of 128 bits and more, halves also half of one; no bytes. */
bool sl_vector_moves_items(const struct sl_vector_facts *v, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return false;
    uint32_t count = LLVMGetVectorSize(type), bytes = sl_vector_part_bits(type) / 8;
    return !(count & (count - 1)) && bytes > 1 &&
           bytes * count >= (bytes == 2 ? LEAST_WIDENED : LEAST_MOVED) &&
           bytes * count <= v->target->register_bits / 8;
}

LLVMValueRef sl_vector_gather_all(struct sl_vector *v, LLVMValueRef load, LLVMValueRef from)
{
    LLVMTypeRef type = LLVMTypeOf(load);
    LLVMValueRef each[64], items[64];
    unsigned align = LLVMGetAlignment(load);
    align = align < MOST_READ ? align : MOST_READ; /* as much as nothing() has */
    addresses_to_read(v, from, each);
    for (uint32_t l = 0; l < v->facts.lanes; l++) {
        items[l] = LLVMBuildLoad2(builder(v), type, each[l], "");
        LLVMSetAlignment(items[l], align);
    }
    return sl_vector_joined(v, items, v->facts.lanes * sl_vector_part_count(type));
}

static LLVMValueRef moved(struct sl_vector *v, LLVMValueRef addresses, int64_t bytes)
{
    LLVMValueRef by = LLVMConstInt(v->g->e.i64, (uint64_t)bytes, true);
    return bytes ? LLVMBuildGEP2(builder(v), v->g->e.i8, addresses, &by, 1, "") : addresses;
}

/* From each lane's address and so many bytes on; each word of all lanes. */
void sl_vector_gather_words(struct sl_vector *v, LLVMValueRef from, int64_t offset, uint32_t count,
                            LLVMValueRef *words)
{
    const struct sl_emit *e = &v->g->e;
    LLVMValueRef each[64];
    from = moved(v, from, offset);
    if (count < 4) {
        LLVMTypeRef number = count == 1 ? e->i32 : e->i64;
        LLVMValueRef all = sl_vector_gather_part(v, number, from, 1, NULL);
        all = LLVMBuildBitCast(builder(v), all, LLVMVectorType(e->i32, v->facts.lanes * count), "");
        sl_vector_deinterleave(v, all, count, words);
        return;
    }
    addresses_to_read(v, from, each);
    for (uint32_t l = 0; l < v->facts.lanes; l++) {
        each[l] = LLVMBuildLoad2(builder(v), LLVMVectorType(e->i32, count), each[l], "");
        LLVMSetAlignment(each[l], 1);
    }
    sl_vector_transpose_quads(v, each, words);
}

static LLVMValueRef in_order(struct sl_vector *v, LLVMValueRef value, LLVMValueRef *parts)
{
    uint32_t count = sl_vector_part_count(LLVMTypeOf(value));
    if (sl_vector_is_interleaved(&v->facts, value))
        return sl_vector_interleaved(v, value);
    return sl_vector_has_quads(&v->facts, LLVMGetElementType(LLVMTypeOf(value)), count)
               ? sl_vector_store_quads(v, parts, count)
               : sl_vector_interleave(v, parts, count);
}

static void scatter_items(struct sl_vector *v, LLVMValueRef store, LLVMValueRef to,
                          LLVMValueRef *parts)
{
    LLVMValueRef value = LLVMGetOperand(store, 0), each[64];
    LLVMTypeRef type = LLVMTypeOf(value);
    uint32_t count = sl_vector_part_count(type);
    LLVMValueRef all = in_order(v, value, parts);
    addresses_to_write(v, type, to, each);
    for (uint32_t l = 0; l < v->facts.lanes; l++) {
        LLVMValueRef item = sl_vector_elements(v, all, l * count, count);
        LLVMSetAlignment(LLVMBuildStore(builder(v), item, each[l]), LLVMGetAlignment(store));
    }
}

void sl_vector_gather(struct sl_vector *v, LLVMValueRef load, LLVMValueRef from,
                      LLVMValueRef *parts)
{
    LLVMTypeRef type = LLVMTypeOf(load);
    if (gathers_quads(v, type)) {
        /* Side by side in registers, then as if they had lain so in memory. */
        sl_vector_load_quads(v, sl_vector_gather_all(v, load, from), sl_vector_part_count(type),
                             parts);
        return;
    }
    sl_vector_gather_parts(v, type, from, LLVMGetAlignment(load), load, parts);
}

void sl_vector_scatter(struct sl_vector *v, LLVMValueRef store, LLVMValueRef to,
                       LLVMValueRef *parts)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
    uint64_t step = size_of(v, sl_vector_part_type(type, 0));
    if (gathers_quads(v, type) || sl_vector_moves_items(&v->facts, type)) {
        scatter_items(v, store, to, parts);
        return;
    }
    if (sl_vector_scatter_packed(v, type, to, LLVMGetAlignment(store), store, parts))
        return;
    if (step < 4) {
        sl_vector_emit_serially(v, store);
        return;
    }
    for (uint32_t k = 0; k < sl_vector_part_count(type); k++)
        scatter(v, parts[k], sl_vector_part_places(v, to, k * step), LLVMGetAlignment(store),
                store);
}
