/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of atomic_sums.h: entries of address and sum, an address has one place. It lies in the
 * thread's context, as long as the items there are, so that a short launch has a short one, and is
 * empty outside of the work-group function. Where sums are few it is an array of them. No shared
 * state.
 */
#include "groups/atomic_sums.h"

#include <string.h>

enum { MOST = 1024, LEAST = 16, ENTRY_BYTES = 16, HEAD_BYTES = 64, ALIGN = 64 };

/* ---- entries --------------------------------------------------------------------------------- */

/* Entry `number`, not yet bounded. */
static LLVMValueRef entry_at(const struct sl_emit *e, LLVMValueRef table, LLVMValueRef number)
{
    LLVMValueRef offset = LLVMBuildMul(e->builder, number, sl_emit_i64(e, ENTRY_BYTES), "");
    offset = LLVMBuildAdd(e->builder, offset, sl_emit_i64(e, HEAD_BYTES), "");
    return sl_emit_byte_offset(e, table, offset, "entry");
}

static LLVMValueRef sum_at(const struct sl_emit *e, LLVMValueRef entry)
{
    return sl_emit_byte_offset(e, entry, sl_emit_i64(e, 8), "sum");
}

static void add_to(const struct sl_emit *e, LLVMValueRef address, LLVMValueRef sum)
{
    LLVMValueRef add = LLVMBuildAtomicRMW(e->builder, LLVMAtomicRMWBinOpAdd, address, sum,
                                          LLVMAtomicOrderingMonotonic, false);
    LLVMSetAlignment(add, LLVMGetIntTypeWidth(LLVMTypeOf(sum)) / 8);
}

/* Adds what the entry has to memory. */
static void flush_entry(const struct sl_emit *e, LLVMTypeRef type, LLVMValueRef entry,
                        LLVMValueRef address)
{
    add_to(e, address, LLVMBuildLoad2(e->builder, type, sum_at(e, entry), ""));
}

static LLVMBasicBlockRef block(const struct sl_emit *e, LLVMValueRef f, const char *name)
{
    return LLVMAppendBasicBlockInContext(e->context, f, name);
}

/* Neighbours get neighbouring entries, and pages not all the same ones. */
static LLVMValueRef number_of(const struct sl_emit *e, LLVMValueRef table, LLVMValueRef address,
                              unsigned bytes)
{
    LLVMBuilderRef b = e->builder;
    LLVMValueRef bits = LLVMBuildPtrToInt(b, address, e->i64, "");
    LLVMValueRef low = LLVMBuildLShr(b, bits, sl_emit_i64(e, bytes == 4 ? 2 : 3), "");
    LLVMValueRef page = LLVMBuildLShr(b, bits, sl_emit_i64(e, 12), "");
    LLVMValueRef mask = LLVMBuildLoad2(b, e->i64, table, "mask");
    return LLVMBuildAnd(b, LLVMBuildXor(b, low, page, ""), mask, "");
}

/* ---- "sl.sum.*": one addition ---------------------------------------------------------------- */

static void define_sum(const struct sl_emit *e, LLVMValueRef f)
{
    LLVMBuilderRef b = e->builder;
    LLVMValueRef table = LLVMGetParam(f, 0), address = LLVMGetParam(f, 1), x = LLVMGetParam(f, 2);
    LLVMTypeRef type = LLVMTypeOf(x);
    LLVMBasicBlockRef entry_block = block(e, f, "entry"), known = block(e, f, "known"),
                      other = block(e, f, "other"), full = block(e, f, "full"),
                      take = block(e, f, "take");
    LLVMSetLinkage(f, LLVMInternalLinkage);
    sl_emit_add_enum_attribute(f, LLVMAttributeFunctionIndex, "alwaysinline", 0);
    LLVMPositionBuilderAtEnd(b, entry_block);
    LLVMValueRef entry =
        entry_at(e, table, number_of(e, table, address, LLVMGetIntTypeWidth(type) / 8));
    LLVMValueRef owner = LLVMBuildLoad2(b, e->ptr, entry, "owner");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, owner, address, ""), known, other);
    LLVMPositionBuilderAtEnd(b, known);
    LLVMValueRef old = LLVMBuildLoad2(b, type, sum_at(e, entry), "");
    LLVMBuildStore(b, LLVMBuildAdd(b, old, x, ""), sum_at(e, entry));
    LLVMBuildRetVoid(b);
    LLVMPositionBuilderAtEnd(b, other);
    LLVMBuildCondBr(b, LLVMBuildIsNull(b, owner, ""), take, full);
    LLVMPositionBuilderAtEnd(b, full);
    flush_entry(e, type, entry, owner);
    LLVMBuildBr(b, take);
    LLVMPositionBuilderAtEnd(b, take);
    LLVMBuildStore(b, address, entry);
    LLVMBuildStore(b, x, sum_at(e, entry));
    LLVMBuildRetVoid(b);
}

/* ---- around the groups ----------------------------------------------------------------------- */

/* One less than the number of entries: a power of two, at least half the items of the call. */
static LLVMValueRef mask_for(struct sl_group_function *g)
{
    struct sl_emit *e = &g->e;
    LLVMBuilderRef b = e->builder;
    LLVMValueRef items =
        sl_emit_load_field(e, e->i64, g->group, offsetof(struct sl_group, count), "groups");
    for (unsigned d = 0; d < 3; d++)
        items = LLVMBuildMul(b, items, g->places[SL_WI_ENQUEUED_LOCAL_SIZE][d], "");
    LLVMValueRef half = LLVMBuildLShr(b, items, sl_emit_i64(e, 1), "");
    half = LLVMBuildOr(b, half, sl_emit_i64(e, LEAST - 1), "");
    unsigned id = LLVMLookupIntrinsicID("llvm.ctlz", strlen("llvm.ctlz"));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(g->pass->module, id, &e->i64, 1);
    LLVMValueRef args[] = {half, LLVMConstInt(e->i1, 1, false)};
    LLVMValueRef zeros = LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, 2, "");
    LLVMValueRef mask = LLVMBuildLShr(b, sl_emit_i64(e, UINT64_MAX), zeros, "");
    return LLVMBuildAnd(b, mask, sl_emit_i64(e, MOST - 1), "mask");
}

static LLVMValueRef entry_bytes(const struct sl_emit *e, LLVMValueRef mask)
{
    LLVMValueRef count = LLVMBuildAdd(e->builder, mask, sl_emit_i64(e, 1), "");
    return LLVMBuildMul(e->builder, count, sl_emit_i64(e, ENTRY_BYTES), "");
}

static LLVMTypeRef sum_type(const struct sl_group_function *g)
{
    return g->facts->sum_bits == 64 ? g->e.i64 : g->e.i32;
}

static void define(const struct sl_group_function *g)
{
    struct sl_emit e;
    LLVMValueRef f = sl_sum_function(&g->e, g->pass->module, sum_type(g));
    if (!LLVMIsDeclaration(f))
        return;
    sl_emit_init(&e, g->pass->context);
    define_sum(&e, f);
    sl_emit_finish(&e);
}

/* So many bytes of the thread's context. */
static LLVMValueRef room_for(struct sl_group_function *g, uint64_t bytes)
{
    uint64_t offset = (g->facts->context_fixed + ALIGN - 1) / ALIGN * ALIGN;
    g->facts->context_fixed = offset + bytes;
    return sl_emit_byte_offset(&g->e, g->context, sl_emit_i64(&g->e, offset), "sums");
}

static void clear(const struct sl_emit *e, LLVMValueRef at, LLVMValueRef bytes)
{
    LLVMBuildMemSet(e->builder, at, LLVMConstNull(e->i8), bytes, ALIGN);
}

static uint64_t few_bytes(const struct sl_group_function *g)
{
    return (uint64_t)g->facts->sum_entries * (g->facts->sum_bits / 8);
}

void sl_sums_open(struct sl_group_function *g)
{
    struct sl_emit *e = &g->e;
    if (!g->facts->sum_bits)
        return;
    if (g->facts->sum_entries) {
        g->places[SL_WI_SUMS][0] = room_for(g, few_bytes(g));
        clear(e, g->places[SL_WI_SUMS][0], sl_emit_i64(e, few_bytes(g)));
        return;
    }
    define(g);
    LLVMValueRef table = room_for(g, HEAD_BYTES + (uint64_t)MOST * ENTRY_BYTES);
    LLVMValueRef mask = mask_for(g);
    LLVMBuildStore(e->builder, mask, table);
    clear(e, sl_emit_byte_offset(e, table, sl_emit_i64(e, HEAD_BYTES), ""), entry_bytes(e, mask));
    g->places[SL_WI_SUMS][0] = table;
}

/* One of the few: what is added to where, if it is anything. */
static LLVMValueRef few_at(struct sl_group_function *g, LLVMValueRef number, LLVMValueRef *address)
{
    const struct sl_emit *e = &g->e;
    LLVMValueRef bytes = sl_emit_i64(e, g->facts->sum_bits / 8);
    LLVMValueRef offset = LLVMBuildMul(e->builder, number, bytes, "");
    LLVMValueRef argument = LLVMGetParam(g->function, g->facts->sum_argument);
    LLVMValueRef at = sl_emit_byte_offset(e, g->places[SL_WI_SUMS][0], offset, "entry");
    *address = LLVMBuildGEP2(e->builder, e->i8, argument, &offset, 1, "address");
    return LLVMBuildLoad2(e->builder, sum_type(g), at, "sum");
}

static LLVMValueRef last_number(struct sl_group_function *g)
{
    return g->facts->sum_entries
               ? sl_emit_i64(&g->e, g->facts->sum_entries - 1)
               : LLVMBuildLoad2(g->e.builder, g->e.i64, g->places[SL_WI_SUMS][0], "mask");
}

void sl_sums_close(struct sl_group_function *g)
{
    if (!g->facts->sum_bits)
        return;
    const struct sl_emit *e = &g->e;
    LLVMBuilderRef b = e->builder;
    LLVMValueRef table = g->places[SL_WI_SUMS][0], zero = sl_emit_i64(e, 0);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), head = block(e, g->function, "sums"),
                      some = block(e, g->function, "sums.some"),
                      next = block(e, g->function, "sums.next"),
                      done = block(e, g->function, "sums.done");
    LLVMValueRef last = last_number(g);
    LLVMBuildBr(b, head);
    LLVMPositionBuilderAtEnd(b, head);
    LLVMValueRef number = LLVMBuildPhi(b, e->i64, "number"), owner, sum = NULL;
    LLVMAddIncoming(number, &zero, &before, 1);
    LLVMValueRef entry = NULL;
    if (g->facts->sum_entries) {
        sum = few_at(g, number, &owner);
    } else {
        entry = entry_at(e, table, number);
        owner = LLVMBuildLoad2(b, e->ptr, entry, "owner");
    }
    LLVMBuildCondBr(b, LLVMBuildIsNull(b, sum ? sum : owner, ""), next, some);
    LLVMPositionBuilderAtEnd(b, some);
    if (sum)
        add_to(e, owner, sum);
    else
        flush_entry(e, sum_type(g), entry, owner);
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, next);
    LLVMValueRef more = LLVMBuildICmp(b, LLVMIntNE, number, last, "");
    LLVMValueRef up = sl_emit_add_exact(e, number, sl_emit_i64(e, 1), "");
    LLVMAddIncoming(number, &up, &next, 1);
    sl_loop_is_done(g, LLVMBuildCondBr(b, more, head, done));
    LLVMPositionBuilderAtEnd(b, done);
}
