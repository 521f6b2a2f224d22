/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations on pipes that all threads share: calls through sl_launch.runtime from the start. To
 * later passes they are calls like any other, made for each item in its order; vector forms make
 * them lane by lane. A packet in private memory goes there in a variable of its own, so that the
 * kernel's can stay a value. No shared state.
 */
#include "items/work_item.h"
#include "pipes/resolve.h"

#include <string.h>

#define LARGE_PACKET 512 /* bytes; copying it once more costs more than it can save */
#define OWN_ALIGN 16

struct shared {
    struct sl_pass *pass;
    const struct sl_emit *e;
    const struct sl_pipe_place *place;
};

static LLVMValueRef call_runtime(const struct shared *s, size_t offset, LLVMTypeRef result,
                                 LLVMValueRef *args, unsigned count)
{
    const struct sl_emit *e = s->e;
    LLVMTypeRef types[8];
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(args[i]);
    LLVMValueRef launch = sl_wi_emit(e, s->pass->module, SL_WI_LAUNCH, 0);
    LLVMValueRef runtime =
        sl_emit_load_field(e, e->ptr, launch, offsetof(struct sl_launch, runtime), "");
    LLVMValueRef function = sl_emit_load_field(e, e->ptr, runtime, offset, "");
    LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
    LLVMValueRef call = LLVMBuildCall2(e->builder, type, function, args, count, "");
    unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", strlen("nounwind"));
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(e->context, nounwind, 0));
    return call;
}

static LLVMValueRef direction(const struct shared *s)
{
    return sl_emit_i32(s->e, s->place->operation->direction);
}

/* ---- packets --------------------------------------------------------------------------------- */

static void mark_lifetime(const struct shared *s, const char *name, LLVMValueRef variable)
{
    LLVMTypeRef type = LLVMTypeOf(variable);
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(s->pass->module, id, &type, 1);
    LLVMBuildCall2(s->e->builder, LLVMGlobalGetValueType(f), f, &variable, 1, "");
}

static void copy(const struct shared *s, LLVMValueRef to, unsigned to_align, LLVMValueRef from,
                 unsigned from_align)
{
    LLVMBuildMemCpy(s->e->builder, to, to_align, from, from_align,
                    sl_emit_i64(s->e, s->place->packet_bytes));
}

/* A read that fails must not write: what is not the item's own, others may have changed meanwhile.
 */
static bool may_have_own(const struct shared *s, LLVMValueRef packet)
{
    return s->place->packet_bytes <= LARGE_PACKET &&
           (s->place->operation->direction == SL_PIPE_WRITE ||
            LLVMIsAAllocaInst(sl_address_base(packet)));
}

/* The last of `args` is the packet. */
static LLVMValueRef move(const struct shared *s, size_t offset, LLVMValueRef *args, unsigned count)
{
    const struct sl_emit *e = s->e;
    LLVMValueRef packet = args[count - 1];
    if (!may_have_own(s, packet)) {
        args[count - 1] = LLVMBuildAddrSpaceCast(e->builder, packet, e->ptr, "");
        return call_runtime(s, offset, e->i32, args, count);
    }
    uint32_t align = s->place->packet_align;
    uint32_t own_align = align > OWN_ALIGN ? align : OWN_ALIGN;
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInsertBlock(e->builder));
    LLVMTypeRef room = LLVMArrayType2(e->i8, s->place->packet_bytes);
    LLVMValueRef own = sl_emit_entry_alloca(e, function, room, own_align, "packet");
    mark_lifetime(s, "llvm.lifetime.start", own);
    copy(s, own, own_align, packet, align); /* also what a read that fails leaves alone */
    args[count - 1] = own;
    LLVMValueRef call = call_runtime(s, offset, e->i32, args, count);
    if (s->place->operation->direction == SL_PIPE_READ)
        copy(s, packet, align, own, own_align);
    mark_lifetime(s, "llvm.lifetime.end", own);
    return call;
}

/* ---- operations ------------------------------------------------------------------------------ */

LLVMValueRef sl_pipe_emit_shared(struct sl_pass *pass, const struct sl_emit *e,
                                 const struct sl_pipe_place *place, LLVMValueRef *operands)
{
    const struct shared s = {.pass = pass, .e = e, .place = place};
    LLVMValueRef ring = operands[0];
    switch (place->operation->form) {
    case SL_PIPE_FORM_PACKET: {
        LLVMValueRef args[] = {ring, direction(&s), operands[1]};
        return move(&s, offsetof(struct sl_runtime, shared_move), args, 3);
    }
    case SL_PIPE_FORM_RESERVED: {
        LLVMValueRef args[] = {ring, direction(&s), operands[1], operands[2], operands[3]};
        return move(&s, offsetof(struct sl_runtime, shared_move_at), args, 5);
    }
    case SL_PIPE_FORM_RESERVE: {
        LLVMValueRef args[] = {ring, direction(&s), operands[1]};
        return call_runtime(&s, offsetof(struct sl_runtime, shared_reserve), e->i64, args, 3);
    }
    case SL_PIPE_FORM_COMMIT: {
        LLVMValueRef args[] = {ring, direction(&s), operands[1]};
        return call_runtime(&s, offsetof(struct sl_runtime, shared_commit), e->none, args, 3);
    }
    case SL_PIPE_FORM_FILL:
        return call_runtime(&s, offsetof(struct sl_runtime, shared_fill), e->i32, &ring, 1);
    case SL_PIPE_FORM_CAPACITY:
    case SL_PIPE_FORM_VALID:
        break;
    }
    return NULL;
}
