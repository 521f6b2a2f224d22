/* SPDX-License-Identifier: Apache-2.0 */
/*
 * printf becomes a record on the stack, one struct sl_print_arg and value per argument, and a call
 * through sl_launch.runtime. The format string is read only to tell %s from %p. No shared state.
 */
#include "items/work_item.h"
#include "passes/stages.h"

#include "ir/calls.h"
#include "ir/memory.h"
#include <ctype.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

/* The constant string that `value` points to, through casts and zero offsets; NULL if unknown. */
static const char *literal(LLVMValueRef value, size_t *length)
{
    while (LLVMIsAConstantExpr(value) && (LLVMGetConstOpcode(value) == LLVMAddrSpaceCast ||
                                          LLVMGetConstOpcode(value) == LLVMGetElementPtr))
        value = LLVMGetOperand(value, 0);
    if (!LLVMIsAGlobalVariable(value) || !LLVMGetInitializer(value))
        return NULL;
    LLVMValueRef text = LLVMGetInitializer(value);
    return LLVMIsConstantString(text) ? LLVMGetAsString(text, length) : NULL;
}

/* Moves to the next conversion that takes an argument, "*" included; returns its letter or 0. */
static char next_conversion(const char **at, const char *end, bool *inside)
{
    while (*at < end) {
        char c = *(*at)++;
        if (!*inside) {
            *inside = c == '%';
            continue;
        }
        if (c == '*')
            return c;
        if (c == '%' || isalpha((unsigned char)c)) {
            if (c == 'h' || c == 'l')
                continue;
            if (c == 'v')
                continue;
            *inside = false;
            if (c != '%')
                return c;
        }
    }
    return 0;
}

static uint16_t kind_of(LLVMTypeRef element, char conversion)
{
    switch (LLVMGetTypeKind(element)) {
    case LLVMPointerTypeKind:
        return conversion == 's' ? SL_PRINT_STRING : SL_PRINT_POINTER;
    case LLVMIntegerTypeKind:
        return SL_PRINT_INT;
    default:
        return SL_PRINT_FLOAT;
    }
}

struct record {
    struct sl_emit *e;
    LLVMTargetDataRef layout;
    LLVMValueRef base;
    uint32_t bytes;
};

static void store_at(struct record *r, LLVMValueRef value, uint32_t offset)
{
    LLVMValueRef at = sl_emit_byte_offset(r->e, r->base, sl_emit_i64(r->e, offset), "");
    LLVMSetAlignment(LLVMBuildStore(r->e->builder, value, at), 8);
}

static uint32_t value_bytes(struct record *r, LLVMTypeRef type)
{
    return (LLVMStoreSizeOfType(r->layout, type) + 7) / 8 * 8;
}

static void add_argument(struct record *r, LLVMValueRef value, char conversion)
{
    LLVMTypeRef type = LLVMTypeOf(value), element = type;
    uint16_t lanes = 1;
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        lanes = LLVMGetVectorSize(type);
        element = LLVMGetElementType(type);
    }
    uint64_t head = kind_of(element, conversion) | (uint64_t)lanes << 16 |
                    (uint64_t)LLVMStoreSizeOfType(r->layout, element) << 32;
    store_at(r, sl_emit_i64(r->e, head), r->bytes);
    store_at(r, value, r->bytes + sizeof(struct sl_print_arg));
    r->bytes += sizeof(struct sl_print_arg) + value_bytes(r, type);
}

static void fill_record(struct record *r, LLVMValueRef call)
{
    size_t length = 0;
    const char *format = literal(LLVMGetArgOperand(call, 0), &length);
    const char *end = format ? format + length : NULL;
    bool inside = false;
    for (unsigned k = 1; k < LLVMGetNumArgOperands(call); k++) {
        char conversion = format ? next_conversion(&format, end, &inside) : 0;
        add_argument(r, LLVMGetArgOperand(call, k), conversion);
    }
}

static uint32_t record_bytes(struct record *r, LLVMValueRef call)
{
    uint32_t bytes = 0;
    for (unsigned k = 1; k < LLVMGetNumArgOperands(call); k++)
        bytes +=
            sizeof(struct sl_print_arg) + value_bytes(r, LLVMTypeOf(LLVMGetArgOperand(call, k)));
    return bytes;
}

static LLVMValueRef call_runtime(struct sl_pass *pass, struct record *r, LLVMValueRef call)
{
    struct sl_emit *e = r->e;
    LLVMTypeRef params[] = {e->ptr, e->ptr, e->ptr, e->i32, e->i32};
    LLVMTypeRef type = LLVMFunctionType(e->i32, params, 5, false);
    LLVMValueRef launch = sl_wi_emit(e, pass->module, SL_WI_LAUNCH, 0);
    LLVMValueRef runtime =
        sl_emit_load_field(e, e->ptr, launch, offsetof(struct sl_launch, runtime), "");
    LLVMValueRef print =
        sl_emit_load_field(e, e->ptr, runtime, offsetof(struct sl_runtime, print), "");
    LLVMValueRef format = LLVMBuildPointerCast(e->builder, LLVMGetArgOperand(call, 0), e->ptr, "");
    LLVMValueRef args[] = {launch, format, r->base, sl_emit_i32(e, r->bytes),
                           sl_emit_i32(e, LLVMGetNumArgOperands(call) - 1)};
    return LLVMBuildCall2(e->builder, type, print, args, 5, "");
}

static void lower(struct sl_pass *pass, struct sl_emit *e, LLVMValueRef kernel, LLVMValueRef call)
{
    struct record r = {.e = e, .layout = LLVMGetModuleDataLayout(pass->module)};
    uint32_t bytes = record_bytes(&r, call);
    r.base = sl_emit_entry_alloca(e, kernel, LLVMArrayType2(e->i64, bytes / 8), 8, "record");
    LLVMPositionBuilderBefore(e->builder, call);
    fill_record(&r, call);
    LLVMReplaceAllUsesWith(call, call_runtime(pass, &r, call));
    LLVMInstructionEraseFromParent(call);
}

/* `printf("")` prints nothing: designs pass time with it. */
static bool prints(LLVMValueRef call)
{
    LLVMValueRef format = LLVMGetArgOperand(call, 0);
    while (LLVMIsAConstantExpr(format) && LLVMGetConstOpcode(format) == LLVMAddrSpaceCast)
        format = LLVMGetOperand(format, 0);
    LLVMValueRef text = LLVMIsAGlobalVariable(format) ? LLVMGetInitializer(format) : NULL;
    return !text || !LLVMIsGlobalConstant(format) || !LLVMIsNull(text);
}

static void drop(LLVMValueRef call)
{
    LLVMReplaceAllUsesWith(call, LLVMConstNull(LLVMTypeOf(call)));
    LLVMInstructionEraseFromParent(call);
}

static bool is_printf(const char *callee)
{
    return strcmp(callee, "printf") == 0;
}

int sl_pass_printf_lower(struct sl_pass *pass)
{
    struct sl_emit e;
    sl_emit_init(&e, pass->context);
    for (uint32_t k = 0; k < pass->kernel_count; k++) {
        struct sl_list calls = {0};
        LLVMValueRef f = pass->kernels[k].kernel;
        sl_find_calls(f, is_printf, &calls);
        for (size_t i = 0; i < calls.count; i++) {
            if (!prints(calls.items[i])) {
                drop(calls.items[i]);
                continue;
            }
            lower(pass, &e, f, calls.items[i]);
            pass->kernels[k].flags |= SL_KERNEL_USES_PRINT;
        }
        sl_list_finish(&calls);
    }
    sl_emit_finish(&e);
    return 0;
}
