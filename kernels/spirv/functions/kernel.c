/* SPDX-License-Identifier: Apache-2.0 */
/* What clang says about kernels beside their code: metadata of arguments and sizes, the version. */
#include <string.h>

#include "spirv/functions/function.h"
#include "spirv/functions/kernel_args.h"
#include "spirv/values/operand.h"

static void set_node(struct sl_spirv *s, LLVMValueRef function, const char *kind,
                     LLVMMetadataRef *parts, unsigned count)
{
    LLVMGlobalSetMetadata(function,
                          LLVMGetMDKindIDInContext(s->context, kind, (unsigned)strlen(kind)),
                          LLVMMDNodeInContext2(s->context, parts, count));
}

static LLVMMetadataRef number(struct sl_spirv *s, uint64_t value)
{
    return LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(s->context), value, 0));
}

/* ---- execution modes ------------------------------------------------------------------------- */

static int set_size(struct sl_spirv *s, LLVMValueRef kernel, const struct sl_spirv_instruction *i,
                    const char *kind, bool ids)
{
    LLVMMetadataRef parts[3];
    for (unsigned d = 0; d < 3; d++) {
        uint64_t value = sl_spirv_literal(i, 2 + d);
        if (ids && sl_spirv_number(s, sl_spirv_literal(i, 2 + d), &value))
            return -1;
        parts[d] = number(s, value);
    }
    set_node(s, kernel, kind, parts, 3);
    return 0;
}

/* The upper half is the count of lanes, the lower a type: i8, i16, i32, i64, half, float, double.
 */
static int set_vector_hint(struct sl_spirv *s, LLVMValueRef kernel,
                           const struct sl_spirv_instruction *i)
{
    LLVMContextRef c = s->context;
    LLVMTypeRef types[] = {LLVMInt8TypeInContext(c),  LLVMInt16TypeInContext(c),
                           LLVMInt32TypeInContext(c), LLVMInt64TypeInContext(c),
                           LLVMHalfTypeInContext(c),  LLVMFloatTypeInContext(c),
                           LLVMDoubleTypeInContext(c)};
    uint32_t lanes = i->operands[2] >> 16, type = i->operands[2] & 0xffff;
    if (type >= sizeof types / sizeof *types || lanes > 16)
        return sl_spirv_fail(s, i, "the hint %#x names no type", i->operands[2]);
    LLVMTypeRef hint = lanes > 1 ? LLVMVectorType(types[type], lanes) : types[type];
    LLVMMetadataRef parts[] = {LLVMValueAsMetadata(LLVMGetUndef(hint)), number(s, 1)};
    set_node(s, kernel, "vec_type_hint", parts, 2);
    return 0;
}

static int set_sub_group_size(struct sl_spirv *s, LLVMValueRef kernel,
                              const struct sl_spirv_instruction *i)
{
    LLVMMetadataRef size = number(s, i->operands[2]);
    if (!i->operands[2])
        return sl_spirv_fail(s, i, "a sub-group has no items");
    set_node(s, kernel, "intel_reqd_sub_group_size", &size, 1);
    return 0;
}

static int apply_mode(struct sl_spirv *s, LLVMValueRef kernel, const struct sl_spirv_instruction *i)
{
    switch (i->operands[1]) {
    case ExecutionModeLocalSize:
        return set_size(s, kernel, i, "reqd_work_group_size", false);
    case ExecutionModeLocalSizeId:
        return set_size(s, kernel, i, "reqd_work_group_size", true);
    case ExecutionModeLocalSizeHint:
        return set_size(s, kernel, i, "work_group_size_hint", false);
    case ExecutionModeLocalSizeHintId:
        return set_size(s, kernel, i, "work_group_size_hint", true);
    case ExecutionModeVecTypeHint:
        return set_vector_hint(s, kernel, i);
    case ExecutionModeSubgroupSize:
        return set_sub_group_size(s, kernel, i);
    case ExecutionModeRoundingModeRTZ:
    case ExecutionModeRoundingModeRTPINTEL:
    case ExecutionModeRoundingModeRTNINTEL:
        return sl_spirv_fail(s, i, "a rounding mode for all of a kernel is not supported");
    case ExecutionModeDenormFlushToZero:
        return sl_spirv_fail(s, i, "capability DenormFlushToZero is not supported");
    case ExecutionModeFinalizer:
        return sl_spirv_fail(s, i, "a kernel that runs when a program goes is not supported");
    case ExecutionModeInitializer:
        return sl_spirv_fail(s, i, "a kernel that runs when a program comes is not supported");
    }
    return 0; /* the others are wishes, or hold of every kernel here */
}

static int apply_modes(struct sl_spirv *s)
{
    for (uint32_t n = 0; n < s->instruction_count; n++) {
        const struct sl_spirv_instruction *i = &s->instructions[n];
        if (i->opcode != OpExecutionMode && i->opcode != OpExecutionModeId)
            continue;
        const struct sl_spirv_instruction *function = sl_spirv_definition(s, i->operands[0]);
        if (!function || function->opcode != OpFunction || !s->ids[i->operands[0]].entry)
            return sl_spirv_fail(s, i, "id %u is no kernel", i->operands[0]);
        if (apply_mode(s, s->ids[i->operands[0]].value, i))
            return -1;
    }
    return 0;
}

/* ---- of the module --------------------------------------------------------------------------- */

/* As "Language_C 300000": 3.0. What is no OpenCL C counts as the newest that clang knows. */
static uint32_t language_version(const struct sl_spirv *s)
{
    enum { OPENCL_C = 3 };
    for (uint32_t n = 0; n < s->instruction_count; n++)
        if (s->instructions[n].opcode == OpSource && s->instructions[n].operands[0] == OPENCL_C)
            return s->instructions[n].operands[1];
    return 300000;
}

static void set_version(struct sl_spirv *s)
{
    static const char *const names[] = {"opencl.ocl.version", "opencl.spir.version"};
    uint32_t version = language_version(s);
    LLVMMetadataRef parts[] = {number(s, version / 100000), number(s, version / 1000 % 100)};
    for (size_t k = 0; k < 2; k++)
        LLVMAddNamedMetadataOperand(
            s->module, names[k],
            LLVMMetadataAsValue(s->context, LLVMMDNodeInContext2(s->context, parts, 2)));
}

int sl_spirv_describe_kernels(struct sl_spirv *s)
{
    set_version(s);
    if (apply_modes(s))
        return -1;
    for (uint32_t id = 1; id < s->bound; id++)
        if (s->ids[id].entry && sl_spirv_describe_arguments(s, id))
            return -1;
    return 0;
}
