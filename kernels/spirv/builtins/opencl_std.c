/* SPDX-License-Identifier: Apache-2.0 */
/* The extended instructions of OpenCL.std: calls of the functions of OpenCL C, by one table. */
#include <stdio.h>
#include <string.h>

#include "spirv/builtins/builtin.h"
#include "spirv/builtins/call.h"

struct row {
    uint32_t number;
    const char *name, *parameters;
    enum sl_call_effect effect;
};

static const struct row rows[] = {
#define STD(number, name, parameters, effect) {number, name, parameters, SL_CALL_##effect},
#include "spirv/builtins/opencl_std.def"
#undef STD
};
enum { STD_PRINTF = 184, STD_PREFETCH = 185 };

/* An instruction of the set at hand. */
struct standard {
    struct sl_spirv *spirv;
    const struct sl_spirv_instruction *instruction;
    const struct row *row;
    const uint32_t *operands;
    struct sl_call call;
    char name[48]; /* of the function */
};

static const struct row *find(uint32_t number)
{
    size_t low = 0;
    size_t high = sizeof rows / sizeof *rows;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rows[middle].number == number)
            return &rows[middle];
        if (rows[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Native and half functions, and fast ones, are of float; for other types they are the plain ones.
 */
static const char *plain_name(const char *name, LLVMTypeRef result)
{
    static const char *const prefixes[] = {"native_", "half_", "fast_"};
    if (LLVMGetTypeKind(sl_build_element(result)) == LLVMFloatTypeKind)
        return name;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
            return name + strlen(prefixes[i]);
    return name;
}

static int append(struct standard *std, const char *text)
{
    if (strlen(std->name) + strlen(text) >= sizeof std->name)
        return sl_spirv_fail(std->spirv, std->instruction, "%s%s: no such function", std->name,
                             text);
    strcat(std->name, text);
    return 0;
}

static int append_lanes(struct standard *std, unsigned lanes)
{
    char number[16];
    snprintf(number, sizeof number, "%u", lanes);
    return lanes > 1 ? append(std, number) : 0;
}

static int append_rounding(struct standard *std, uint32_t mode)
{
    static const char *const suffixes[] = {"_rte", "_rtz", "_rtp", "_rtn"};
    if (mode >= sizeof suffixes / sizeof *suffixes)
        return sl_spirv_fail(std->spirv, std->instruction, "rounding mode %u", (unsigned)mode);
    return append(std, suffixes[mode]);
}

static int add(struct standard *std, char parameter, uint32_t operand)
{
    struct sl_call *call = &std->call;
    LLVMContextRef context = sl_spirv_context(std->spirv);
    switch (parameter) {
    case 's':
    case 'u':
        sl_call_add_id(call, operand, parameter == 'u');
        return 0;
    case 'S':
        sl_call_add_id(call, operand, false);
        return call->failed ? -1 : append_lanes(std, sl_build_lanes(LLVMTypeOf(call->values[0])));
    case 'z':
        sl_call_add_index(call, operand, 64);
        return 0;
    case 'r':
        sl_call_add_pointer(call, operand, call->result, false, false);
        return 0;
    case 'i':
        sl_call_add_pointer(call, operand,
                            sl_build_as_many(LLVMInt32TypeInContext(context), call->result), false,
                            false);
        return 0;
    case 'k':
        sl_call_add_pointer(call, operand, sl_build_element(call->result), false, true);
        return 0;
    case 'p':
        sl_call_add_pointer(call, operand, sl_build_element(LLVMTypeOf(call->values[0])), false,
                            false);
        return 0;
    case 'h':
    case 'H':
        sl_call_add_pointer(call, operand, LLVMHalfTypeInContext(context), false, parameter == 'h');
        return 0;
    case 'n':
        return append_lanes(std, operand);
    default:
        return append_rounding(std, operand);
    }
}

static bool is_real(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(sl_build_element(type));
    return kind == LLVMHalfTypeKind || kind == LLVMDoubleTypeKind;
}

/* native_divide and native_recip of other types than float, which have no function. */
static LLVMValueRef quotient(struct standard *std)
{
    LLVMBuilderRef b = sl_spirv_builder(std->spirv);
    LLVMValueRef first = std->call.values[0];
    for (unsigned i = 0; i < std->call.count; i++)
        if (LLVMTypeOf(std->call.values[i]) != std->call.result || !is_real(std->call.result)) {
            sl_spirv_fail(std->spirv, std->instruction, "operands of different types");
            return NULL;
        }
    if (!strcmp(std->name, "divide"))
        return LLVMBuildFDiv(b, first, std->call.values[1], "");
    return LLVMBuildFDiv(b, sl_build_real(LLVMTypeOf(first), 1), first, "");
}

static int translate(struct standard *std, unsigned count)
{
    const char *parameters = std->row->parameters;
    if (count != strlen(parameters))
        return sl_spirv_fail(std->spirv, std->instruction, "%s has %zu operands, not %u",
                             std->row->name, strlen(parameters), count);
    sl_call_begin(&std->call, std->spirv, std->instruction, std->name);
    if (std->call.failed)
        return -1;
    snprintf(std->name, sizeof std->name, "%s", plain_name(std->row->name, std->call.result));
    for (unsigned i = 0; i < count; i++)
        if (std->call.failed || add(std, parameters[i], std->operands[i]))
            return -1;
    if (std->call.failed)
        return -1;
    std->call.effect = std->row->effect;
    std->call.is_unsigned = parameters[0] == 'u';
    bool divides = !strcmp(std->name, "divide") || !strcmp(std->name, "recip");
    return sl_build_result(std->spirv, std->instruction,
                           divides ? quotient(std) : sl_call_make(&std->call));
}

/* ---- printf ---------------------------------------------------------------------------------- */

/* As C passes what an ellipsis takes. */
static LLVMValueRef promoted(LLVMBuilderRef b, LLVMValueRef value)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(value));
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind)
        return LLVMBuildFPExt(b, value, LLVMDoubleTypeInContext(context), "");
    if (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 32)
        return LLVMBuildIntCast2(b, value, LLVMInt32TypeInContext(context),
                                 LLVMGetIntTypeWidth(type) > 1, "");
    return value;
}

static LLVMValueRef declare_printf(struct sl_spirv *spirv, LLVMTypeRef type)
{
    LLVMValueRef function = LLVMGetNamedFunction(sl_spirv_module(spirv), "printf");
    if (!function) {
        function = LLVMAddFunction(sl_spirv_module(spirv), "printf", type);
        LLVMSetFunctionCallConv(function, SL_SPIR_FUNCTION);
    }
    return LLVMGlobalGetValueType(function) == type ? function : NULL;
}

/* The string itself, where the module has it as a generic pointer. */
static LLVMValueRef without_casts(LLVMValueRef pointer)
{
    while ((LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMAddrSpaceCast) ||
           LLVMIsAAddrSpaceCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

static int translate_printf(struct sl_spirv *spirv, const struct sl_spirv_instruction *instruction,
                            const uint32_t *operands, unsigned count)
{
    enum { MOST = 256 };
    LLVMValueRef values[MOST];
    LLVMContextRef context = sl_spirv_context(spirv);
    LLVMTypeRef format = LLVMPointerTypeInContext(context, 2);
    if (!count || count > MOST)
        return sl_spirv_fail(spirv, instruction, "printf with %u operands", count);
    for (unsigned i = 0; i < count; i++) {
        values[i] = sl_spirv_value(spirv, operands[i]);
        if (!values[i])
            return -1;
        values[i] = promoted(sl_spirv_builder(spirv), values[i]);
    }
    values[0] = without_casts(values[0]);
    if (LLVMTypeOf(values[0]) != format)
        return sl_spirv_fail(spirv, instruction, "the format of printf is no constant string");
    LLVMTypeRef type = LLVMFunctionType(LLVMInt32TypeInContext(context), &format, 1, true);
    LLVMValueRef function = declare_printf(spirv, type);
    if (!function)
        return sl_spirv_fail(spirv, instruction, "the module has another printf");
    LLVMValueRef made = LLVMBuildCall2(sl_spirv_builder(spirv), type, function, values, count, "");
    LLVMSetInstructionCallConv(made, SL_SPIR_FUNCTION);
    return sl_build_result(spirv, instruction, made);
}

int sl_spirv_opencl_std(struct sl_spirv *spirv, const struct sl_spirv_instruction *instruction,
                        uint32_t number, const uint32_t *operands, unsigned count)
{
    if (number == STD_PREFETCH)
        return 1; /* a hint; nothing to do on machines whose caches look after themselves */
    if (number == STD_PRINTF)
        return translate_printf(spirv, instruction, operands, count);
    struct standard std = {.spirv = spirv, .instruction = instruction, .operands = operands};
    std.row = find(number);
    return std.row ? translate(&std, count) : 0;
}
