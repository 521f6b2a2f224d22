/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images: reads, samples, writes and queries, by the functions of OpenCL C. An image and a sampler
 * that belong together are a pair of values. Images have one level, which every level of detail and
 * every gradient means.
 */
#include <stdio.h>

#include "spirv/builtins/builtin.h"
#include "spirv/builtins/call.h"
#include "spirv/grammar/numbers.h"

/* ---- what is read and where ------------------------------------------------------------------ */

struct access {
    const struct sl_builtin *op;
    const struct sl_spirv_type *type; /* of the image */
    LLVMValueRef image, sampler;      /* sampler: NULL: none */
    bool is_unsigned;
};

static int fail(const struct sl_builtin *op, const char *why)
{
    return sl_spirv_fail(op->spirv, op->instruction, "%s", why);
}

static int take_type(struct access *a, const struct sl_spirv_type *type)
{
    a->type = type;
    if (!type)
        return -1;
    if (type->image.multisampled)
        return fail(a->op, "images with several samples are not supported");
    return sl_call_object_name(type) ? 0 : fail(a->op, "OpenCL has no images of this type");
}

static int find_image(struct access *a)
{
    uint32_t id = a->op->instruction->operands[0];
    const struct sl_spirv_type *type = sl_spirv_type_of(a->op->spirv, id);
    a->image = type ? sl_spirv_value(a->op->spirv, id) : NULL;
    if (!a->image)
        return -1;
    if (type->kind != SL_SPIRV_IMAGE)
        return fail(a->op, "the first operand is no image");
    return take_type(a, type);
}

/* Of a pair that was made from two values they themselves. */
static LLVMValueRef part(struct sl_spirv *spirv, LLVMValueRef pair, unsigned index)
{
    LLVMValueRef at = pair;
    while (LLVMIsAInsertValueInst(at)) {
        if (*LLVMGetIndices(at) == index)
            return LLVMGetOperand(at, 1);
        at = LLVMGetOperand(at, 0);
    }
    return LLVMBuildExtractValue(sl_spirv_builder(spirv), pair, index, "");
}

static int find_pair(struct access *a)
{
    struct sl_spirv *spirv = a->op->spirv;
    uint32_t id = a->op->instruction->operands[0];
    const struct sl_spirv_type *type = sl_spirv_type_of(spirv, id);
    LLVMValueRef pair = type ? sl_spirv_value(spirv, id) : NULL;
    if (!pair)
        return -1;
    if (type->kind != SL_SPIRV_SAMPLED_IMAGE)
        return fail(a->op, "the first operand is no sampled image");
    a->image = part(spirv, pair, 0);
    a->sampler = part(spirv, pair, 1);
    return take_type(a, sl_spirv_type(spirv, type->element));
}

/* The operands that follow a mask, which stands at `at`. */
static int read_operands(struct access *a, unsigned at)
{
    const uint32_t refused = ImageOperandsBiasMask | ImageOperandsConstOffsetMask |
                             ImageOperandsOffsetMask | ImageOperandsConstOffsetsMask |
                             ImageOperandsSampleMask | ImageOperandsOffsetsMask;
    const struct sl_spirv_instruction *i = a->op->instruction;
    uint32_t mask = i->operand_count > at ? i->operands[at] : 0;
    a->is_unsigned = mask & ImageOperandsZeroExtendMask;
    if (mask & refused)
        return sl_spirv_fail(a->op->spirv, i, "image operands 0x%x are not supported",
                             (unsigned)(mask & refused));
    return 0;
}

static unsigned coordinates_of(const struct sl_spirv_type *type)
{
    unsigned plain = type->image.dim == Dim2D ? 2 : type->image.dim == Dim3D ? 3 : 1;
    unsigned count = plain + (type->image.arrayed ? 1 : 0);
    return count == 3 ? 4 : count;
}

/* As many coordinates as the function takes; where SPIR-V has three, they are four there. */
static void add_coordinates(struct access *a, struct sl_call *call)
{
    struct sl_spirv *spirv = a->op->spirv;
    LLVMValueRef given = sl_build_operand(spirv, a->op->instruction, 1);
    struct sl_mangle_type numbers;
    if (given && !sl_call_describe(LLVMTypeOf(given), false, &numbers)) {
        fail(a->op, "the coordinates are no numbers");
        given = NULL;
    }
    if (!given) {
        call->failed = true;
        return;
    }
    unsigned wanted = coordinates_of(a->type), lanes = sl_build_lanes(LLVMTypeOf(given));
    LLVMTypeRef element = sl_build_element(LLVMTypeOf(given));
    LLVMValueRef taken = given;
    if (wanted != lanes) {
        LLVMTypeRef type = wanted > 1 ? LLVMVectorType(element, wanted) : element;
        taken = LLVMConstNull(type);
        for (unsigned i = 0; i < wanted && i < lanes; i++)
            taken = sl_build_with_lane(spirv, type, taken, sl_build_lane(spirv, given, i), i);
    }
    if (LLVMGetTypeKind(element) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) != 32) {
        LLVMTypeRef word = LLVMInt32TypeInContext(sl_spirv_context(spirv));
        taken = LLVMBuildIntCast2(sl_spirv_builder(spirv), taken,
                                  sl_build_as_many(word, LLVMTypeOf(taken)), true, "");
    }
    sl_call_add(call, taken, false);
}

/* The letters behind read_image and write_image. NULL: no such function. */
static const char *suffix(LLVMTypeRef texel, bool is_unsigned)
{
    LLVMTypeRef element = sl_build_element(texel);
    switch (LLVMGetTypeKind(element)) {
    case LLVMFloatTypeKind:
        return "f";
    case LLVMHalfTypeKind:
        return "h";
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(element) != 32 ? NULL : is_unsigned ? "ui" : "i";
    default:
        return NULL;
    }
}

static void add_image(const struct access *a, struct sl_call *call)
{
    const struct sl_mangle_type type = {.base = sl_call_object_name(a->type), .lanes = 1};
    sl_call_add_as(call, a->image, &type);
}

/* ---- reads and writes ------------------------------------------------------------------------ */

static int finish_read(struct access *a)
{
    static const struct sl_mangle_type sampler = {.base = "11ocl_sampler", .lanes = 1};
    struct sl_spirv *spirv = a->op->spirv;
    LLVMTypeRef result = sl_build_type(spirv, a->op->instruction);
    const char *kind = result ? suffix(result, a->is_unsigned) : NULL;
    char name[16];
    struct sl_call call;
    if (!result)
        return -1;
    bool one = a->type->image.depth == 1;
    if (!kind || (!one && sl_build_lanes(result) != 4))
        return fail(a->op, "no image is read as this type");
    snprintf(name, sizeof name, "read_image%s", kind);
    sl_call_begin(&call, spirv, a->op->instruction, name);
    call.effect = SL_CALL_READS;
    if (one)
        call.result = sl_build_element(result);
    add_image(a, &call);
    if (a->sampler)
        sl_call_add_as(&call, a->sampler, &sampler);
    add_coordinates(a, &call);
    LLVMValueRef texel = sl_call_make(&call);
    if (texel && one)
        texel = sl_build_with_lane(spirv, result, LLVMConstNull(result), texel, 0);
    return sl_build_result(spirv, a->op->instruction, texel);
}

int sl_builtin_image_read(const struct sl_builtin *op)
{
    struct access a = {.op = op};
    return find_image(&a) || read_operands(&a, 2) ? -1 : finish_read(&a);
}

int sl_builtin_image_sample(const struct sl_builtin *op)
{
    struct access a = {.op = op};
    return find_pair(&a) || read_operands(&a, 2) ? -1 : finish_read(&a);
}

int sl_builtin_image_write(const struct sl_builtin *op)
{
    struct access a = {.op = op};
    struct sl_call call;
    char name[16];
    if (find_image(&a) || read_operands(&a, 3))
        return -1;
    LLVMValueRef texel = sl_build_operand(op->spirv, op->instruction, 2);
    if (!texel)
        return -1;
    bool one = a.type->image.depth == 1;
    const char *kind = suffix(LLVMTypeOf(texel), a.is_unsigned);
    if (!kind || (!one && sl_build_lanes(LLVMTypeOf(texel)) != 4))
        return fail(op, "no image is written as this type");
    snprintf(name, sizeof name, "write_image%s", kind);
    sl_call_begin(&call, op->spirv, op->instruction, name);
    add_image(&a, &call);
    add_coordinates(&a, &call);
    sl_call_add(&call, one ? sl_build_lane(op->spirv, texel, 0) : texel, a.is_unsigned);
    return sl_build_result(op->spirv, op->instruction, sl_call_make(&call));
}

/* ---- pairs of image and sampler -------------------------------------------------------------- */

int sl_builtin_sampled_image(const struct sl_builtin *op)
{
    LLVMBuilderRef b = sl_spirv_builder(op->spirv);
    const struct sl_spirv_type *type = sl_spirv_type(op->spirv, op->instruction->type);
    LLVMValueRef image = type ? sl_build_operand(op->spirv, op->instruction, 0) : NULL;
    LLVMValueRef sampler = image ? sl_build_operand(op->spirv, op->instruction, 1) : NULL;
    if (!sampler)
        return -1;
    if (type->kind != SL_SPIRV_SAMPLED_IMAGE ||
        LLVMStructGetTypeAtIndex(type->llvm, 0) != LLVMTypeOf(image) ||
        LLVMStructGetTypeAtIndex(type->llvm, 1) != LLVMTypeOf(sampler))
        return fail(op, "image and sampler do not fit the result's type");
    LLVMValueRef half = LLVMBuildInsertValue(b, LLVMGetPoison(type->llvm), image, 0, "");
    return sl_build_result(op->spirv, op->instruction,
                           LLVMBuildInsertValue(b, half, sampler, 1, ""));
}

int sl_builtin_image_of_pair(const struct sl_builtin *op)
{
    struct access a = {.op = op};
    return find_pair(&a) ? -1 : sl_build_result(op->spirv, op->instruction, a.image);
}

/* ---- queries --------------------------------------------------------------------------------- */

static LLVMValueRef ask(const struct access *a, const char *question, LLVMTypeRef result)
{
    struct sl_call call;
    sl_call_begin(&call, a->op->spirv, a->op->instruction, question);
    call.effect = SL_CALL_PURE;
    call.result = result;
    add_image(a, &call);
    return sl_call_make(&call);
}

/* Flags: what OpenCL C's numbers begin with. */
int sl_builtin_image_query(const struct sl_builtin *op)
{
    struct access a = {.op = op};
    LLVMTypeRef word = LLVMInt32TypeInContext(sl_spirv_context(op->spirv));
    if (find_image(&a))
        return -1;
    if (sl_build_type(op->spirv, op->instruction) != word)
        return fail(op, "the result is no 32-bit integer");
    LLVMValueRef answer = ask(&a, op->name, word);
    if (answer)
        answer =
            LLVMBuildSub(sl_spirv_builder(op->spirv), answer, LLVMConstInt(word, op->flags, 0), "");
    return sl_build_result(op->spirv, op->instruction, answer);
}

int sl_builtin_image_levels(const struct sl_builtin *op)
{
    struct access a = {.op = op};
    LLVMTypeRef type = sl_build_type(op->spirv, op->instruction);
    if (!type || find_image(&a))
        return -1;
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return fail(op, "the result is no integer");
    return sl_build_result(op->spirv, op->instruction, sl_build_integer(type, 1));
}

/* The questions whose answers are the lanes of the size. */
static unsigned questions_of(const struct sl_spirv_type *image, const char *out[4])
{
    unsigned count = 0;
    out[count++] = "get_image_width";
    if (image->image.dim == Dim2D || image->image.dim == Dim3D)
        out[count++] = "get_image_height";
    if (image->image.dim == Dim3D)
        out[count++] = "get_image_depth";
    if (image->image.arrayed)
        out[count++] = "get_image_array_size";
    return count;
}

int sl_builtin_image_size(const struct sl_builtin *op)
{
    struct access a = {.op = op};
    const char *questions[4];
    LLVMTypeRef result = sl_build_type(op->spirv, op->instruction);
    if (!result || find_image(&a))
        return -1;
    LLVMTypeRef element = sl_build_element(result);
    unsigned count = questions_of(a.type, questions);
    if (count != sl_build_lanes(result) || LLVMGetTypeKind(element) != LLVMIntegerTypeKind)
        return fail(op, "the size has another type");
    LLVMValueRef all = NULL;
    for (unsigned i = 0; i < count; i++) {
        bool is_layers = i && i == count - 1 && a.type->image.arrayed; /* a size_t */
        LLVMTypeRef type = LLVMIntTypeInContext(sl_spirv_context(op->spirv), is_layers ? 64 : 32);
        LLVMValueRef answer = ask(&a, questions[i], type);
        if (!answer)
            return -1;
        answer = LLVMBuildIntCast2(sl_spirv_builder(op->spirv), answer, element, false, "");
        all = sl_build_with_lane(op->spirv, result, all, answer, i);
    }
    return sl_build_result(op->spirv, op->instruction, all);
}
