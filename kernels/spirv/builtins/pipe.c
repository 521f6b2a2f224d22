/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pipes: the calls that clang makes of their functions. A letter for each
 * operand, behind the scope of a group:
 *   p  a pipe, r  a reservation, i  a number, g  a pointer to a packet
 */
#include <stdio.h>
#include <string.h>

#include "spirv/builtins/call.h"
#include "spirv/builtins/group.h"
#include "spirv/builtins/latency.h"
#include "spirv/builtins/pipe_storage.h"

enum { GENERIC_SPACE = 4 };

static void add_object(struct sl_call *call, uint32_t id, enum sl_spirv_type_kind kind)
{
    const struct sl_spirv_type *type = sl_spirv_type_of(call->spirv, id);
    LLVMValueRef value = type ? sl_spirv_value(call->spirv, id) : NULL;
    struct sl_mangle_type mangled = {.base = "13ocl_reserveid", .lanes = 1};
    if (type && type->kind != kind) {
        sl_spirv_fail(call->spirv, call->instruction, "%s: an operand of the wrong type",
                      call->name);
        value = NULL;
    }
    sl_call_add_as(call, value, &mangled);
}

static void add_packet(struct sl_call *call, uint32_t id)
{
    LLVMContextRef context = sl_spirv_context(call->spirv);
    LLVMTypeRef generic = LLVMPointerTypeInContext(context, GENERIC_SPACE);
    LLVMValueRef value = sl_spirv_value(call->spirv, id);
    struct sl_mangle_type mangled = {.base = "v", .is_pointer = true, .space = GENERIC_SPACE};
    if (value && LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind) {
        sl_spirv_fail(call->spirv, call->instruction, "%s: the packet is no pointer", call->name);
        value = NULL;
    }
    if (value && LLVMTypeOf(value) != generic)
        value = LLVMBuildAddrSpaceCast(sl_spirv_builder(call->spirv), value, generic, "");
    sl_call_add_as(call, value, &mangled);
}

static void add(struct sl_call *call, char letter, uint32_t id)
{
    switch (letter) {
    case 'p':
        add_object(call, id, SL_SPIRV_PIPE);
        break;
    case 'r':
        add_object(call, id, SL_SPIRV_RESERVE_ID);
        break;
    case 'g':
        add_packet(call, id);
        break;
    default:
        sl_call_add_index(call, id, 32);
    }
}

/* The row's name: a star is for the scope; pipes at program scope have functions of their own. */
static int name_call(const struct sl_builtin *op, bool is_own, char out[64])
{
    const char *prefix = "", *star = strchr(op->name, '*'), *access = "";
    if (star && sl_group_scope(op, &prefix) < 0)
        return -1;
    if (op->flags & SL_PIPE_BY_ACCESS && !is_own) {
        const struct sl_spirv_type *type =
            sl_spirv_type_of(op->spirv, op->instruction->operands[0]);
        if (!type)
            return -1;
        access = type->image.access ? "_wo" : "_ro";
    }
    const char *rest = op->name + 2; /* behind __ */
    int length = star ? (int)(star - rest) : (int)strlen(rest);
    snprintf(out, 64, "__%s%.*s%s%s%s", is_own ? "sl_" : "", length, rest, prefix,
             star ? star + 1 : "", access);
    return 0;
}

int sl_builtin_pipe(const struct sl_builtin *op)
{
    struct sl_call call;
    char name[64];
    const uint32_t *operands = op->instruction->operands + (strchr(op->name, '*') != NULL);
    LLVMValueRef own = NULL; /* a pipe at program scope */
    if (sl_pipe_storage(op, operands[0], &own) < 0 || name_call(op, own, name))
        return -1;
    sl_call_begin(&call, op->spirv, op->instruction, name);
    call.is_plain = true;
    call.effect = SL_CALL_ALONE;
    if (op->flags & SL_PIPE_TELLS)
        call.result = LLVMInt32TypeInContext(sl_spirv_context(op->spirv));
    for (unsigned i = 0; op->parameters[i]; i++)
        if (own && !i)
            sl_call_add_as(&call, own, &(struct sl_mangle_type){.base = "v", .is_pointer = true});
        else
            add(&call, op->parameters[i], operands[i]);
    LLVMValueRef made = sl_call_make(&call);
    if (made && own)
        sl_spirv_mark_latency(op, operands[0], LLVMGetValueName(own), strstr(name, "write"), made);
    return made ? sl_build_result(op->spirv, op->instruction, made) : -1;
}

int sl_builtin_is_reservation(const struct sl_builtin *op)
{
    struct sl_call call;
    sl_call_begin(&call, op->spirv, op->instruction, "is_valid_reserve_id");
    call.effect = SL_CALL_ALONE;
    call.is_unsigned = true;
    add(&call, 'r', op->instruction->operands[0]);
    return sl_build_result(op->spirv, op->instruction, sl_call_make(&call));
}
