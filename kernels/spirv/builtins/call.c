/* SPDX-License-Identifier: Apache-2.0 */
/* See call.h. */
#include "spirv/builtins/call.h"

#include <string.h>

#include "spirv/builtins/build.h"
#include "spirv/grammar/numbers.h"

void sl_call_begin(struct sl_call *call, struct sl_spirv *spirv,
                   const struct sl_spirv_instruction *instruction, const char *name)
{
    *call = (struct sl_call){.spirv = spirv, .instruction = instruction, .name = name};
    if (instruction->type) {
        const struct sl_spirv_type *type = sl_spirv_type(spirv, instruction->type);
        call->failed = !type;
        call->result = type ? type->llvm : NULL;
    } else {
        call->result = LLVMVoidTypeInContext(sl_spirv_context(spirv));
    }
}

/* ---- types ----------------------------------------------------------------------------------- */

static const char *integer_name(unsigned bits, bool is_unsigned)
{
    switch (bits) {
    case 8:
        return is_unsigned ? "h" : "c";
    case 16:
        return is_unsigned ? "t" : "s";
    case 32:
        return is_unsigned ? "j" : "i";
    case 64:
        return is_unsigned ? "m" : "l";
    default:
        return NULL;
    }
}

static const char *scalar_name(LLVMTypeRef type, bool is_unsigned)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return integer_name(LLVMGetIntTypeWidth(type), is_unsigned);
    case LLVMHalfTypeKind:
        return "Dh";
    case LLVMFloatTypeKind:
        return "f";
    case LLVMDoubleTypeKind:
        return "d";
    default:
        return NULL;
    }
}

unsigned sl_call_lanes(unsigned lanes)
{
    return lanes < 5 ? lanes : lanes < 9 ? 8 : SL_SPIRV_MOST_LANES;
}

/* With as many lanes as the call will have. */
static bool describe(LLVMTypeRef type, bool is_unsigned, struct sl_mangle_type *out)
{
    *out = (struct sl_mangle_type){.lanes = (uint8_t)sl_call_lanes(sl_build_lanes(type))};
    out->base = scalar_name(sl_build_element(type), is_unsigned);
    return out->base != NULL;
}

bool sl_call_describe(LLVMTypeRef type, bool is_unsigned, struct sl_mangle_type *out)
{
    return describe(type, is_unsigned, out) && out->lanes == sl_build_lanes(type);
}

/* By dimension, then arrayed, depth and multisampled as bits; then by access. */
#define IMAGE(LENGTHS, NAME)                                                                       \
    {LENGTHS "ocl_" NAME "_ro", LENGTHS "ocl_" NAME "_wo", LENGTHS "ocl_" NAME "_rw"}
static const char *const image_names[4][8][3] = {
    {IMAGE("14", "image1d"), IMAGE("20", "image1d_array")},
    {IMAGE("14", "image2d"), IMAGE("20", "image2d_array"), IMAGE("20", "image2d_depth"),
     IMAGE("26", "image2d_array_depth"), IMAGE("19", "image2d_msaa"),
     IMAGE("25", "image2d_array_msaa"), IMAGE("25", "image2d_msaa_depth"),
     IMAGE("31", "image2d_array_msaa_depth")},
    {IMAGE("14", "image3d")},
    {IMAGE("21", "image1d_buffer")},
};

static const char *image_name(const struct sl_spirv_type *type)
{
    uint32_t dim = type->image.dim == DimBuffer ? 3 : type->image.dim;
    if (dim > 3 || (dim == 3 && type->image.dim != DimBuffer) || type->image.access > 2)
        return NULL;
    unsigned kind = (type->image.arrayed ? 1u : 0) | (type->image.depth == 1 ? 2u : 0) |
                    (type->image.multisampled ? 4u : 0);
    return image_names[dim][kind][type->image.access];
}

const char *sl_call_object_name(const struct sl_spirv_type *type)
{
    switch (type->kind) {
    case SL_SPIRV_IMAGE:
        return image_name(type);
    case SL_SPIRV_SAMPLER:
        return "11ocl_sampler";
    case SL_SPIRV_EVENT:
        return "9ocl_event";
    case SL_SPIRV_DEVICE_EVENT:
        return "12ocl_clkevent";
    case SL_SPIRV_RESERVE_ID:
        return "13ocl_reserveid";
    case SL_SPIRV_QUEUE:
        return "9ocl_queue";
    default:
        return NULL;
    }
}

/* ---- parameters ------------------------------------------------------------------------------ */

static void fail(struct sl_call *call, const char *why)
{
    if (!call->failed)
        sl_spirv_fail(call->spirv, call->instruction, "%s: %s", call->name, why);
    call->failed = true;
}

void sl_call_add_as(struct sl_call *call, LLVMValueRef value, const struct sl_mangle_type *type)
{
    if (call->failed || !value) {
        call->failed = true;
        return;
    }
    if (call->count == SL_CALL_MOST) {
        fail(call, "too many arguments");
        return;
    }
    call->values[call->count] = value;
    call->types[call->count++] = *type;
}

void sl_call_add(struct sl_call *call, LLVMValueRef value, bool is_unsigned)
{
    struct sl_mangle_type type;
    if (!value)
        call->failed = true;
    else if (describe(LLVMTypeOf(value), is_unsigned, &type))
        sl_call_add_as(call, value, &type);
    else
        fail(call, "an argument has a type that this function does not take");
}

void sl_call_add_enum(struct sl_call *call, uint32_t value, const char *base)
{
    struct sl_mangle_type type = {.base = base, .lanes = 1};
    LLVMTypeRef word = LLVMInt32TypeInContext(sl_spirv_context(call->spirv));
    sl_call_add_as(call, LLVMConstInt(word, value, 0), &type);
}

void sl_call_add_id(struct sl_call *call, uint32_t id, bool is_unsigned)
{
    const struct sl_spirv_type *type = sl_spirv_type_of(call->spirv, id);
    LLVMValueRef value = type ? sl_spirv_value(call->spirv, id) : NULL;
    const char *object = type ? sl_call_object_name(type) : NULL;
    if (object)
        sl_call_add_as(call, value, &(struct sl_mangle_type){.base = object, .lanes = 1});
    else
        sl_call_add(call, value, is_unsigned);
}

void sl_call_add_index(struct sl_call *call, uint32_t id, unsigned bits)
{
    LLVMTypeRef type = LLVMIntTypeInContext(sl_spirv_context(call->spirv), bits);
    LLVMValueRef value = sl_spirv_value(call->spirv, id);
    if (value && LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind) {
        fail(call, "an argument is not an integer");
        return;
    }
    if (value && LLVMTypeOf(value) != type)
        value = LLVMBuildIntCast2(sl_spirv_builder(call->spirv), value, type, false, "");
    sl_call_add(call, value, true);
}

void sl_call_add_pointer(struct sl_call *call, uint32_t id, LLVMTypeRef to, bool is_unsigned,
                         bool is_const)
{
    struct sl_mangle_type type;
    LLVMValueRef value = sl_spirv_value(call->spirv, id);
    if (!value) {
        call->failed = true;
    } else if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind ||
               !sl_call_describe(to, is_unsigned, &type)) {
        fail(call, "an argument is not a pointer that this function takes");
    } else {
        type.is_pointer = true;
        type.is_const = is_const;
        type.space = (uint8_t)LLVMGetPointerAddressSpace(LLVMTypeOf(value));
        sl_call_add_as(call, value, &type);
    }
}

/* ---- the call -------------------------------------------------------------------------------- */

/* Of what is narrower than int callers extend, as the convention has it. */
static const char *extension(LLVMTypeRef type, bool is_unsigned)
{
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) >= 32)
        return NULL;
    return is_unsigned ? "zeroext" : "signext";
}

static LLVMAttributeRef attribute(LLVMContextRef context, const char *name, uint64_t value)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMCreateEnumAttribute(context, kind, value);
}

typedef void (*attribute_fn)(LLVMValueRef, LLVMAttributeIndex, LLVMAttributeRef);

/* The same for a declaration and for a call. */
static void add_attributes(const struct sl_call *call, LLVMValueRef to, attribute_fn add)
{
    enum {
        READ_ALL = 0x555
    }; /* one of each two bits, for each kind of memory that LLVM tells apart */
    LLVMContextRef context = sl_spirv_context(call->spirv);
    LLVMAttributeIndex function = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    add(to, function, attribute(context, "nounwind", 0));
    if (call->effect == SL_CALL_ANY) {
        add(to, function, attribute(context, "convergent", 0));
    } else if (call->effect != SL_CALL_ALONE) {
        add(to, function, attribute(context, "willreturn", 0));
        add(to, function,
            attribute(context, "memory", call->effect == SL_CALL_READS ? READ_ALL : 0));
    }
    const char *extends = extension(call->result, call->is_unsigned);
    if (extends)
        add(to, LLVMAttributeReturnIndex, attribute(context, extends, 0));
    for (unsigned i = 0; i < call->count; i++) {
        bool is_unsigned = strchr("htjm", *call->types[i].base) != NULL;
        extends = extension(LLVMTypeOf(call->values[i]), is_unsigned);
        if (extends)
            add(to, i + 1, attribute(context, extends, 0));
    }
}

static LLVMValueRef declare(struct sl_call *call, LLVMTypeRef type)
{
    char name[SL_MANGLE_ROOM];
    LLVMModuleRef module = sl_spirv_module(call->spirv);
    if (!call->is_plain && !sl_mangle(name, call->name, call->types, call->count)) {
        fail(call, "its name is too long");
        return NULL;
    }
    const char *symbol = call->is_plain ? call->name : name;
    LLVMValueRef function = LLVMGetNamedFunction(module, symbol);
    if (function && LLVMGlobalGetValueType(function) != type) {
        fail(call, "the module has another function of this name");
        return NULL;
    }
    if (!function) {
        function = LLVMAddFunction(module, symbol, type);
        LLVMSetFunctionCallConv(function, SL_SPIR_FUNCTION);
        add_attributes(call, function, LLVMAddAttributeAtIndex);
    }
    return function;
}

/* The first `lanes` of the vector, those behind its own are zero. */
static LLVMValueRef with_length(const struct sl_call *call, LLVMValueRef vector, unsigned lanes)
{
    LLVMValueRef mask[SL_SPIRV_MOST_LANES];
    LLVMTypeRef word = LLVMInt32TypeInContext(sl_spirv_context(call->spirv));
    for (unsigned k = 0; k < lanes; k++)
        mask[k] = LLVMConstInt(word, k, 0); /* at most twice its own length */
    return LLVMBuildShuffleVector(sl_spirv_builder(call->spirv), vector,
                                  LLVMConstNull(LLVMTypeOf(vector)), LLVMConstVector(mask, lanes),
                                  "");
}

/* Makes vectors of `lanes` longer, where OpenCL C has none of these. All are of one length. */
static void lengthen(struct sl_call *call, unsigned lanes)
{
    unsigned more = sl_call_lanes(lanes);
    for (unsigned i = 0; i < call->count; i++) {
        unsigned has = sl_build_lanes(LLVMTypeOf(call->values[i]));
        if (has == lanes)
            call->values[i] = with_length(call, call->values[i], more);
        else if (has > 1)
            fail(call, "vectors of different lengths");
    }
    if (sl_build_lanes(call->result) == lanes)
        call->result = LLVMVectorType(sl_build_element(call->result), more);
}

/* 0: all are of lengths that OpenCL C has. */
static unsigned odd_lanes(const struct sl_call *call)
{
    unsigned lanes = sl_build_lanes(call->result);
    for (unsigned i = 0; i < call->count && lanes == sl_call_lanes(lanes); i++)
        lanes = sl_build_lanes(LLVMTypeOf(call->values[i]));
    return lanes == sl_call_lanes(lanes) ? 0 : lanes;
}

LLVMValueRef sl_call_make(struct sl_call *call)
{
    LLVMTypeRef types[SL_CALL_MOST];
    unsigned odd = call->failed ? 0 : odd_lanes(call);
    bool shortens = odd && sl_build_lanes(call->result) == odd;
    if (odd)
        lengthen(call, odd);
    if (call->failed)
        return NULL;
    for (unsigned i = 0; i < call->count; i++)
        types[i] = LLVMTypeOf(call->values[i]);
    LLVMTypeRef type = LLVMFunctionType(call->result, types, call->count, false);
    LLVMValueRef function = declare(call, type);
    if (!function)
        return NULL;
    LLVMValueRef made = LLVMBuildCall2(sl_spirv_builder(call->spirv), type, function, call->values,
                                       call->count, "");
    LLVMSetInstructionCallConv(made, SL_SPIR_FUNCTION);
    add_attributes(call, made, LLVMAddCallSiteAttribute);
    if (LLVMCanValueUseFastMathFlags(made))
        LLVMSetFastMathFlags(made, sl_build_fast_math(call->spirv, call->instruction->result));
    return shortens ? with_length(call, made, odd) : made;
}
