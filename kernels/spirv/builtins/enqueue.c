/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels that enqueue kernels: the calls that clang makes for OpenCL C. A function that is
 * enqueued gets a kernel of its own, as a block does, and what it is given goes behind a block's
 * head, whose size and alignment tell the runtime what to keep (frontend/blocks.c has the rest).
 */
#include <stdio.h>
#include <string.h>

#include "spirv/builtins/builtin.h"
#include "spirv/builtins/call.h"
#include "spirv/spirv.h"

enum { GLOBAL_SPACE = 1, LOCAL_SPACE = 3, GENERIC_SPACE = 4 };
enum { HEAD_BYTES = 16, LARGEST_ALIGNMENT = 128, LARGEST_PARAM = 1 << 20 };
enum { MOST_PARAMETERS = 32 };
enum { RANGE_BYTES = 80 }; /* ndrange_t: dimensions, offset, global and local size */

static int wrong(const struct sl_builtin *op, const char *what)
{
    return sl_spirv_fail(op->spirv, op->instruction, "%s", what);
}

static LLVMTypeRef pointer(const struct sl_builtin *op, unsigned space)
{
    return LLVMPointerTypeInContext(sl_spirv_context(op->spirv), space);
}

static LLVMTypeRef integer(const struct sl_builtin *op, unsigned bits)
{
    return LLVMIntTypeInContext(sl_spirv_context(op->spirv), bits);
}

/* The calls are plain: what stands for a type's name is never read. */
static void add(struct sl_call *call, LLVMValueRef value)
{
    sl_call_add_as(call, value, &(struct sl_mangle_type){.base = "v", .lanes = 1});
}

static LLVMValueRef cast(LLVMBuilderRef builder, LLVMValueRef value, LLVMTypeRef type)
{
    return LLVMTypeOf(value) == type ? value : LLVMBuildAddrSpaceCast(builder, value, type, "");
}

/* NULL: failed. */
static LLVMValueRef pointer_operand(const struct sl_builtin *op, uint32_t id, unsigned space)
{
    LLVMValueRef value = sl_spirv_value(op->spirv, id);
    if (value && LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
        return cast(sl_spirv_builder(op->spirv), value, pointer(op, space));
    if (value)
        sl_spirv_fail(op->spirv, op->instruction, "id %u is no pointer", id);
    return NULL;
}

static LLVMValueRef object_operand(const struct sl_builtin *op, uint32_t id,
                                   enum sl_spirv_type_kind kind)
{
    const struct sl_spirv_type *type = sl_spirv_type_of(op->spirv, id);
    if (type && type->kind == kind)
        return sl_spirv_value(op->spirv, id);
    if (type)
        sl_spirv_fail(op->spirv, op->instruction, "id %u is of the wrong type", id);
    return NULL;
}

/* ---- what is enqueued ------------------------------------------------------------------------ */

struct block {
    LLVMValueRef function;
    uint32_t id;
    uint64_t bytes, alignment; /* of what the function is given */
    uint64_t at;               /* where that begins, behind the head */
};

static bool fits(LLVMValueRef function)
{
    if (!function || !LLVMIsAFunction(function) ||
        LLVMGetFunctionCallConv(function) != LLVMSPIRFUNCCallConv || !LLVMCountParams(function) ||
        LLVMCountParams(function) > MOST_PARAMETERS ||
        LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(function))) != LLVMVoidTypeKind)
        return false;
    for (unsigned p = 0; p < LLVMCountParams(function); p++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function, p));
        if (LLVMGetTypeKind(type) != LLVMPointerTypeKind ||
            (p && LLVMGetPointerAddressSpace(type) != LOCAL_SPACE))
            return false;
    }
    return true;
}

/* Operands: the function, what it is given, its size and alignment. */
static int read_block(const struct sl_builtin *op, const uint32_t *operands, struct block *out)
{
    out->function = sl_spirv_value(op->spirv, operands[0]);
    out->id = operands[0];
    if (!out->function || sl_spirv_number(op->spirv, operands[2], &out->bytes) ||
        sl_spirv_number(op->spirv, operands[3], &out->alignment))
        return -1;
    if (!fits(out->function))
        return sl_spirv_fail(op->spirv, op->instruction,
                             "id %u is no function that can be enqueued", operands[0]);
    out->alignment = out->alignment ? out->alignment : 1;
    if (out->alignment > LARGEST_ALIGNMENT || (out->alignment & (out->alignment - 1)) ||
        out->bytes > LARGEST_PARAM)
        return wrong(op, "what the function is given has an impossible size or alignment");
    out->at = out->alignment > HEAD_BYTES ? out->alignment : HEAD_BYTES;
    return 0;
}

static LLVMValueRef behind_head(LLVMBuilderRef builder, LLVMTypeRef byte, LLVMValueRef head,
                                uint64_t at)
{
    LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(LLVMGetTypeContext(byte)), at, 0);
    return LLVMBuildGEP2(builder, byte, head, &index, 1, "");
}

static void fill_kernel(const struct sl_builtin *op, const struct block *block, LLVMValueRef kernel)
{
    LLVMContextRef context = sl_spirv_context(op->spirv);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, kernel, ""));
    unsigned count = LLVMCountParams(kernel);
    LLVMValueRef values[MOST_PARAMETERS];
    LLVMGetParams(kernel, values);
    values[0] = cast(builder, behind_head(builder, integer(op, 8), values[0], block->at),
                     LLVMTypeOf(LLVMGetParam(block->function, 0)));
    LLVMValueRef call = LLVMBuildCall2(builder, LLVMGlobalGetValueType(block->function),
                                       block->function, values, count, "");
    LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
    LLVMBuildRetVoid(builder);
    LLVMDisposeBuilder(builder);
}

static void mark(const struct sl_builtin *op, LLVMValueRef function, const char *attribute)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(sl_spirv_context(op->spirv), kind, 0));
}

static LLVMValueRef kernel_of(const struct sl_builtin *op, const struct block *block)
{
    char name[80];
    snprintf(name, sizeof name, "__spirv_%u_%u_block_invoke_kernel", (unsigned)block->id,
             (unsigned)block->at);
    LLVMValueRef kernel = LLVMGetNamedFunction(sl_spirv_module(op->spirv), name);
    unsigned count = LLVMCountParams(block->function);
    LLVMTypeRef types[MOST_PARAMETERS];
    if (kernel)
        return kernel;
    LLVMGetParamTypes(LLVMGlobalGetValueType(block->function), types);
    types[0] = pointer(op, GENERIC_SPACE);
    LLVMTypeRef nothing = LLVMVoidTypeInContext(sl_spirv_context(op->spirv));
    kernel = LLVMAddFunction(sl_spirv_module(op->spirv), name,
                             LLVMFunctionType(nothing, types, count, 0));
    LLVMSetFunctionCallConv(kernel, LLVMSPIRKERNELCallConv);
    LLVMSetLinkage(kernel, LLVMInternalLinkage);
    mark(op, kernel, "convergent");
    mark(op, kernel, "nounwind");
    fill_kernel(op, block, kernel);
    return kernel;
}

/* NULL: failed. */
static LLVMValueRef literal_of(const struct sl_builtin *op, const struct block *block,
                               uint32_t param)
{
    LLVMBuilderRef builder = sl_spirv_builder(op->spirv);
    LLVMTypeRef byte = integer(op, 8), word = integer(op, 32);
    unsigned alignment = block->alignment > 8 ? (unsigned)block->alignment : 8;
    LLVMValueRef given = block->bytes ? pointer_operand(op, param, GENERIC_SPACE) : NULL;
    if (block->bytes && !given)
        return NULL;
    LLVMValueRef head =
                     sl_spirv_frame_slot(op->spirv, LLVMArrayType2(byte, block->at + block->bytes)),
                 size = LLVMConstInt(word, block->at + block->bytes, 0);
    LLVMSetAlignment(head, alignment);
    LLVMBuildStore(builder, size, head);
    LLVMBuildStore(builder, LLVMConstInt(word, alignment, 0), behind_head(builder, byte, head, 4));
    if (given)
        LLVMBuildMemCpy(builder, behind_head(builder, byte, head, block->at),
                        (unsigned)block->alignment, given, 1,
                        LLVMConstInt(integer(op, 64), block->bytes, 0));
    return cast(builder, head, pointer(op, GENERIC_SPACE));
}

static int add_block(struct sl_call *call, const struct sl_builtin *op, const uint32_t *operands,
                     struct block *block)
{
    if (read_block(op, operands, block))
        return -1;
    LLVMValueRef literal = literal_of(op, block, operands[1]);
    if (!literal)
        return -1;
    add(call, LLVMConstAddrSpaceCast(kernel_of(op, block), pointer(op, GENERIC_SPACE)));
    add(call, literal);
    return 0;
}

/* ---- over what ------------------------------------------------------------------------------- */

static bool is_range(const struct sl_spirv_type *type)
{
    return type && type->kind == SL_SPIRV_STRUCT && type->bytes == RANGE_BYTES && type->count == 4;
}

/* A value, or a pointer to one as some compilers have it. NULL: failed. */
static LLVMValueRef range_operand(const struct sl_builtin *op, uint32_t id)
{
    const struct sl_spirv_type *type = sl_spirv_type_of(op->spirv, id);
    if (!is_range(type))
        return type ? pointer_operand(op, id, 0) : NULL;
    LLVMValueRef value = sl_spirv_value(op->spirv, id);
    LLVMValueRef slot = value ? sl_spirv_frame_slot(op->spirv, type->llvm) : NULL;
    if (slot)
        LLVMBuildStore(sl_spirv_builder(op->spirv), value, slot);
    return slot;
}

/* Dimension d of a number or an array of numbers; NULL: it has none, or is something else. */
static LLVMValueRef size_at(const struct sl_builtin *op, LLVMValueRef sizes, unsigned d)
{
    LLVMBuilderRef builder = sl_spirv_builder(op->spirv);
    LLVMTypeRef type = LLVMTypeOf(sizes);
    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind && d < LLVMGetArrayLength2(type))
        sizes = LLVMBuildExtractValue(builder, sizes, d, "");
    else if (d)
        return NULL;
    return LLVMGetTypeKind(LLVMTypeOf(sizes)) == LLVMIntegerTypeKind
               ? LLVMBuildIntCast2(builder, sizes, integer(op, 64), false, "")
               : NULL;
}

int sl_builtin_ndrange(const struct sl_builtin *op)
{
    static const unsigned field[] = {2, 3, 1}; /* of the operands: global, local size, offset */
    LLVMBuilderRef builder = sl_spirv_builder(op->spirv);
    const struct sl_spirv_type *type = sl_spirv_type(op->spirv, op->instruction->type);
    LLVMTypeRef sizes = LLVMArrayType2(integer(op, 64), 3);
    unsigned dimensions = 0;
    if (!is_range(type) || LLVMStructGetTypeAtIndex(type->llvm, 0) != integer(op, 32))
        return wrong(op, "its type is no ndrange_t");
    LLVMValueRef range = LLVMConstNull(type->llvm);
    for (unsigned k = 0; k < 3; k++) {
        LLVMValueRef all = sl_build_operand(op->spirv, op->instruction, k), one = all;
        if (!all || LLVMStructGetTypeAtIndex(type->llvm, field[k]) != sizes)
            return all ? wrong(op, "its type is no ndrange_t") : -1;
        LLVMValueRef made = LLVMConstNull(sizes);
        for (unsigned d = 0; d < 3 && (one = size_at(op, all, d)); d++) {
            made = LLVMBuildInsertValue(builder, made, one, d, "");
            dimensions = k ? dimensions : d + 1;
        }
        for (unsigned d = dimensions; !k && d < 3; d++)
            made = LLVMBuildInsertValue(builder, made, LLVMConstInt(integer(op, 64), 1, 0), d, "");
        range = LLVMBuildInsertValue(builder, range, made, field[k], "");
    }
    if (!dimensions)
        return wrong(op, "its sizes are no numbers");
    range =
        LLVMBuildInsertValue(builder, range, LLVMConstInt(integer(op, 32), dimensions, 0), 0, "");
    return sl_build_result(op->spirv, op->instruction, range);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void begin(struct sl_call *call, const struct sl_builtin *op, LLVMTypeRef result)
{
    sl_call_begin(call, op->spirv, op->instruction, op->name);
    call->is_plain = true;
    call->effect = SL_CALL_ALONE;
    call->result = result;
    LLVMGetOrInsertNamedMetadata(sl_spirv_module(op->spirv), SL_DEVICE_QUEUES_METADATA,
                                 sizeof SL_DEVICE_QUEUES_METADATA - 1);
}

static int finish(struct sl_call *call, const struct sl_builtin *op)
{
    LLVMValueRef made = sl_call_make(call);
    if (!made || !op->instruction->result)
        return made ? 1 : -1;
    if (sl_build_type(op->spirv, op->instruction) != LLVMTypeOf(made))
        return wrong(op, "its type is not the answer's");
    return sl_build_result(op->spirv, op->instruction, made);
}

/* A count, and an array of as many sizes. */
static int add_local_sizes(struct sl_call *call, const struct sl_builtin *op, unsigned count)
{
    LLVMBuilderRef builder = sl_spirv_builder(op->spirv);
    LLVMTypeRef type = LLVMArrayType2(integer(op, 64), count ? count : 1);
    LLVMValueRef slot = sl_spirv_frame_slot(op->spirv, type);
    for (unsigned k = 0; k < count; k++) {
        LLVMValueRef size = sl_build_operand(op->spirv, op->instruction, 10 + k);
        size = size ? size_at(op, size, 0) : NULL;
        if (!size)
            return wrong(op, "the size of local memory is no number");
        LLVMBuildStore(builder, size, behind_head(builder, integer(op, 64), slot, k));
    }
    add(call, LLVMConstInt(integer(op, 32), count, 0));
    add(call, slot);
    return 0;
}

int sl_builtin_enqueue_kernel(const struct sl_builtin *op)
{
    const uint32_t *operands = op->instruction->operands;
    unsigned locals = op->instruction->operand_count - 10u;
    struct sl_call call;
    struct block block;
    begin(&call, op, integer(op, 32));
    LLVMValueRef values[] = {object_operand(op, operands[0], SL_SPIRV_QUEUE),
                             range_operand(op, operands[2]),
                             pointer_operand(op, operands[4], GENERIC_SPACE),
                             pointer_operand(op, operands[5], GENERIC_SPACE)};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        if (!values[k])
            return -1;
    add(&call, values[0]);
    sl_call_add_index(&call, operands[1], 32);
    add(&call, values[1]);
    sl_call_add_index(&call, operands[3], 32);
    add(&call, values[2]);
    add(&call, values[3]);
    if (add_block(&call, op, operands + 6, &block))
        return -1;
    if (LLVMCountParams(block.function) != 1 + locals)
        return wrong(op, "the function has other parameters than sizes of local memory are given");
    return add_local_sizes(&call, op, locals) ? -1 : finish(&call, op);
}

int sl_builtin_kernel_query(const struct sl_builtin *op)
{
    bool ranged = op->flags & SL_QUERY_OF_RANGE, counted = op->flags & SL_QUERY_OF_COUNT;
    const uint32_t *operands = op->instruction->operands;
    LLVMValueRef range = ranged ? range_operand(op, operands[0]) : NULL;
    struct sl_call call;
    struct block block;
    if (ranged && !range)
        return -1;
    begin(&call, op, integer(op, 32));
    if (range)
        add(&call, range);
    if (counted)
        sl_call_add_index(&call, operands[0], 32);
    return add_block(&call, op, operands + ranged + counted, &block) ? -1 : finish(&call, op);
}

static LLVMValueRef operand(const struct sl_builtin *op, char letter, uint32_t id)
{
    switch (letter) {
    case 'q':
        return object_operand(op, id, SL_SPIRV_QUEUE);
    case 'e':
        return object_operand(op, id, SL_SPIRV_DEVICE_EVENT);
    default:
        return pointer_operand(op, id, letter == 'g' ? GENERIC_SPACE : GLOBAL_SPACE);
    }
}

/* NULL: failed. */
static LLVMTypeRef answer_type(const struct sl_builtin *op)
{
    const struct sl_spirv_type *type;
    if (!op->instruction->result)
        return LLVMVoidTypeInContext(sl_spirv_context(op->spirv));
    type = sl_spirv_type(op->spirv, op->instruction->type);
    if (type && (type->kind != op->flags || (type->kind == SL_SPIRV_INT && type->bits != 32))) {
        wrong(op, "its type is not the answer's");
        return NULL;
    }
    return type ? type->llvm : NULL;
}

int sl_builtin_queue_call(const struct sl_builtin *op)
{
    struct sl_call call;
    LLVMTypeRef result = answer_type(op);
    if (!result)
        return -1;
    begin(&call, op, result);
    for (unsigned k = 0; op->parameters[k]; k++) {
        uint32_t id = op->instruction->operands[k];
        if (op->parameters[k] == 'i') {
            sl_call_add_index(&call, id, 32);
            continue;
        }
        LLVMValueRef value = operand(op, op->parameters[k], id);
        if (!value)
            return -1;
        add(&call, value);
    }
    return finish(&call, op);
}
