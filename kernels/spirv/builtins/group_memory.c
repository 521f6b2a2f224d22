/* SPDX-License-Identifier: Apache-2.0 */
/* What the items of a group copy, read and write together. */
#include <stdio.h>

#include "spirv/builtins/call.h"
#include "spirv/builtins/group.h"
#include "spirv/grammar/numbers.h"

enum { GENERIC_SPACE = 4 };

static int check_work_group(const struct sl_builtin *op)
{
    const char *prefix;
    int sub_group = sl_group_scope(op, &prefix);
    return sub_group > 0 ? sl_spirv_fail(op->spirv, op->instruction, "not of a sub-group")
                         : sub_group;
}

static bool is_one(struct sl_spirv *spirv, uint32_t id)
{
    uint64_t number;
    return sl_spirv_is_constant(spirv, id) && !sl_spirv_number(spirv, id, &number) && number == 1;
}

/* Clang's own back end hands whole arrays over, and means their elements. */
static LLVMTypeRef copied_type(LLVMTypeRef type)
{
    while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
        type = LLVMGetElementType(type);
    return type;
}

/* Operands: scope, destination, source, elements, stride, event. */
int sl_builtin_async_copy(const struct sl_builtin *op)
{
    const uint32_t *operands = op->instruction->operands;
    const struct sl_spirv_type *pointer = sl_spirv_type_of(op->spirv, operands[1]);
    struct sl_call call;
    if (!pointer || check_work_group(op))
        return -1;
    if (pointer->kind != SL_SPIRV_POINTER || !pointer->element)
        return sl_spirv_fail(op->spirv, op->instruction, "the destination has no type");
    const struct sl_spirv_type *element = sl_spirv_type(op->spirv, pointer->element);
    if (!element)
        return -1;
    LLVMTypeRef copied = copied_type(element->llvm);
    bool dense = is_one(op->spirv, operands[4]);
    sl_call_begin(&call, op->spirv, op->instruction,
                  dense ? "async_work_group_copy" : "async_work_group_strided_copy");
    sl_call_add_pointer(&call, operands[1], copied, false, false);
    sl_call_add_pointer(&call, operands[2], copied, false, true);
    sl_call_add_index(&call, operands[3], 64);
    if (!dense)
        sl_call_add_index(&call, operands[4], 64);
    sl_call_add_id(&call, operands[5], false);
    return sl_build_result(op->spirv, op->instruction, sl_call_make(&call));
}

int sl_builtin_wait_events(const struct sl_builtin *op)
{
    const uint32_t *operands = op->instruction->operands;
    LLVMBuilderRef b = sl_spirv_builder(op->spirv);
    LLVMContextRef context = sl_spirv_context(op->spirv);
    struct sl_mangle_type events = {.base = "9ocl_event", .lanes = 1, .is_pointer = true};
    struct sl_call call;
    if (check_work_group(op))
        return -1;
    LLVMValueRef count = sl_spirv_value(op->spirv, operands[1]);
    LLVMValueRef list = count ? sl_spirv_value(op->spirv, operands[2]) : NULL;
    if (!list)
        return -1;
    if (LLVMGetTypeKind(LLVMTypeOf(list)) != LLVMPointerTypeKind ||
        LLVMGetTypeKind(LLVMTypeOf(count)) != LLVMIntegerTypeKind)
        return sl_spirv_fail(op->spirv, op->instruction, "an operand of the wrong type");
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(list)))
        events.space = GENERIC_SPACE;
    if (events.space && LLVMGetPointerAddressSpace(LLVMTypeOf(list)) != GENERIC_SPACE)
        list =
            LLVMBuildAddrSpaceCast(b, list, LLVMPointerTypeInContext(context, GENERIC_SPACE), "");
    sl_call_begin(&call, op->spirv, op->instruction, "wait_group_events");
    sl_call_add(&call, LLVMBuildIntCast2(b, count, LLVMInt32TypeInContext(context), true, ""),
                false);
    sl_call_add_as(&call, list, &events);
    return sl_call_make(&call) ? 1 : -1;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* intel_sub_group_block_read_us8 and the like: `name` with the width and the lanes. */
static int name_block(const struct sl_builtin *op, LLVMTypeRef data, char out[64])
{
    unsigned bits = sl_build_bits(data), lanes = sl_build_lanes(data);
    const char *width = bits == 8    ? "_uc"
                        : bits == 16 ? "_us"
                        : bits == 32 ? ""
                        : bits == 64 ? "_ul"
                                     : NULL;
    if (!width || lanes == 3 || (lanes == 16 && bits > 16))
        return sl_spirv_fail(op->spirv, op->instruction, "no block is of this type");
    snprintf(out, 64, lanes > 1 ? "%s%s%u" : "%s%s", op->name, width, lanes);
    return 0;
}

static LLVMTypeRef as_integers(struct sl_spirv *spirv, LLVMTypeRef data)
{
    return sl_build_as_many(LLVMIntTypeInContext(sl_spirv_context(spirv), sl_build_bits(data)),
                            data);
}

/* The memory: a pointer, or an image and a place in it. */
static void add_place(const struct sl_builtin *op, struct sl_call *call, LLVMTypeRef integers,
                      bool is_read)
{
    const uint32_t *operands = op->instruction->operands;
    if (!(op->flags & SL_BLOCK_OF_IMAGE)) {
        sl_call_add_pointer(call, operands[0], sl_build_element(integers), true, is_read);
        return;
    }
    sl_call_add_id(call, operands[0], false);
    sl_call_add_id(call, operands[1], false);
}

int sl_builtin_block_read(const struct sl_builtin *op)
{
    LLVMTypeRef type = sl_build_type(op->spirv, op->instruction);
    struct sl_call call;
    char name[64];
    if (!type || name_block(op, type, name))
        return -1;
    sl_call_begin(&call, op->spirv, op->instruction, name);
    call.result = as_integers(op->spirv, type);
    call.is_unsigned = true;
    add_place(op, &call, call.result, true);
    LLVMValueRef data = sl_call_make(&call);
    if (data)
        data = LLVMBuildBitCast(sl_spirv_builder(op->spirv), data, type, "");
    return sl_build_result(op->spirv, op->instruction, data);
}

int sl_builtin_block_write(const struct sl_builtin *op)
{
    unsigned last = op->flags & SL_BLOCK_OF_IMAGE ? 2 : 1;
    LLVMValueRef data = sl_build_operand(op->spirv, op->instruction, last);
    struct sl_call call;
    char name[64];
    if (!data || name_block(op, LLVMTypeOf(data), name))
        return -1;
    LLVMTypeRef integers = as_integers(op->spirv, LLVMTypeOf(data));
    sl_call_begin(&call, op->spirv, op->instruction, name);
    add_place(op, &call, integers, false);
    sl_call_add(&call, LLVMBuildBitCast(sl_spirv_builder(op->spirv), data, integers, ""), true);
    return sl_call_make(&call) ? 1 : -1;
}
