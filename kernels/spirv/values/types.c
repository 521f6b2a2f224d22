/* SPDX-License-Identifier: Apache-2.0 */
/* See types.h. */
#include "spirv/values/types.h"

#include <llvm-c/Target.h>
#include <string.h>

#include "sluice/base/cooperative_matrix.h"
#include "spirv/values/operand.h"

enum { MOST_DEPTH = 255 }; /* of structures in each other (2.17) */

int sl_spirv_address_space(uint32_t storage_class)
{
    switch (storage_class) {
    case StorageClassFunction:
    case StorageClassPrivate:
    case StorageClassCodeSectionINTEL:
    case StorageClassInput: /* variables of work-items are read into variables of functions */
        return 0;
    case StorageClassCrossWorkgroup:
    case StorageClassDeviceOnlyINTEL:
    case StorageClassHostOnlyINTEL:
        return 1;
    case StorageClassUniformConstant:
        return 2;
    case StorageClassWorkgroup:
        return 3;
    case StorageClassGeneric:
        return 4;
    }
    return -1;
}

bool sl_spirv_is_sized(const struct sl_spirv_type *type)
{
    return type->kind != SL_SPIRV_VOID && type->kind != SL_SPIRV_FUNCTION &&
           type->kind != SL_SPIRV_OPAQUE;
}

LLVMTypeRef sl_spirv_memory_type(struct sl_spirv *s, uint32_t type_id)
{
    const struct sl_spirv_type *type = type_id ? sl_spirv_type(s, type_id) : NULL;
    return type && sl_spirv_is_sized(type) ? type->memory : LLVMInt8TypeInContext(s->context);
}

unsigned sl_spirv_alignment(struct sl_spirv *s, const struct sl_spirv_type *type)
{
    return LLVMABIAlignmentOfType(LLVMGetModuleDataLayout(s->module), type->memory);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static int declare_integer(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                           struct sl_spirv_type *type)
{
    type->kind = SL_SPIRV_INT;
    type->bits = i->operands[0];
    if (type->bits != 8 && type->bits != 16 && type->bits != 32 && type->bits != 64)
        return sl_spirv_fail(s, i, "integers of %u bits are not supported", type->bits);
    type->llvm = LLVMIntTypeInContext(s->context, type->bits);
    return 0;
}

static int declare_float(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                         struct sl_spirv_type *type)
{
    type->kind = SL_SPIRV_FLOAT;
    type->bits = i->operands[0];
    if (i->operand_count > 1)
        return sl_spirv_fail(s, i, "encoding %u of floats is not supported", i->operands[1]);
    type->llvm = type->bits == 16   ? LLVMHalfTypeInContext(s->context)
                 : type->bits == 32 ? LLVMFloatTypeInContext(s->context)
                 : type->bits == 64 ? LLVMDoubleTypeInContext(s->context)
                                    : NULL;
    return type->llvm ? 0 : sl_spirv_fail(s, i, "floats of %u bits are not supported", type->bits);
}

static int declare_bool(struct sl_spirv *s, struct sl_spirv_type *type)
{
    type->kind = SL_SPIRV_BOOL;
    type->llvm = LLVMInt1TypeInContext(s->context);
    type->memory = LLVMInt8TypeInContext(s->context);
    return 0;
}

bool sl_spirv_is_single(const struct sl_spirv_type *type)
{
    bool is_scalar = type->kind == SL_SPIRV_INT || type->kind == SL_SPIRV_FLOAT ||
                     type->kind == SL_SPIRV_BOOL || type->kind == SL_SPIRV_MATRIX;
    return is_scalar && type->count == 1;
}

/*
 * SPIR-V has vectors of 2, 3, 4, 8 and 16 lanes. LLVM's own writer puts down what its optimiser
 * made, though: any number, and one lane, which is a scalar here but for its one part.
 */
static int declare_vector(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                          struct sl_spirv_type *type)
{
    const struct sl_spirv_type *lane = sl_spirv_type(s, i->operands[0]);
    unsigned count = i->operands[1];
    if (!lane)
        return -1;
    if (lane->kind != SL_SPIRV_INT && lane->kind != SL_SPIRV_FLOAT && lane->kind != SL_SPIRV_BOOL)
        return sl_spirv_fail(s, i, "vectors are of numbers or booleans only");
    if (!count || count > SL_SPIRV_MOST_LANES)
        return sl_spirv_fail(s, i, "vectors of %u lanes are not supported", count);
    if (count == 1) {
        type->kind = lane->kind;
        type->element = lane->id;
        type->count = 1;
        type->bits = lane->bits;
        type->llvm = lane->llvm;
        type->memory = lane->memory;
        return 0;
    }
    type->kind = SL_SPIRV_VECTOR;
    type->element = lane->id;
    type->count = count;
    type->bits = lane->bits;
    type->llvm = LLVMVectorType(lane->llvm, count);
    type->memory = LLVMVectorType(lane->memory, count);
    return 0;
}

/* ---- aggregates ------------------------------------------------------------------------------ */

static int check_member(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                        const struct sl_spirv_type *member, struct sl_spirv_type *whole)
{
    if (!sl_spirv_is_sized(member))
        return sl_spirv_fail(s, i, "has a member without a size");
    if (member->depth >= MOST_DEPTH)
        return sl_spirv_fail(s, i, "more than %d types are within each other", MOST_DEPTH);
    if (whole->depth <= member->depth)
        whole->depth = member->depth + 1;
    whole->holds_matrix |= member->holds_matrix;
    return 0;
}

static int declare_array(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                         struct sl_spirv_type *type)
{
    const struct sl_spirv_type *element = sl_spirv_type(s, i->operands[0]);
    uint64_t count;
    if (!element || check_member(s, i, element, type) || sl_spirv_number(s, i->operands[1], &count))
        return -1;
    if (count > UINT32_MAX || (count && element->bytes > SL_SPIRV_MOST_BYTES / count))
        return sl_spirv_fail(s, i, "an array of %llu elements is too large",
                             (unsigned long long)count);
    type->kind = SL_SPIRV_ARRAY;
    type->element = element->id;
    type->count = (uint32_t)count;
    type->llvm = LLVMArrayType2(element->memory, count);
    return 0;
}

static bool is_packed(const struct sl_spirv *s, uint32_t id)
{
    for (const struct sl_spirv_annotation *a = s->ids[id].annotations; a; a = a->next)
        if (a->member == SL_SPIRV_WHOLE && a->decoration == DecorationCPacked)
            return true;
    return false;
}

static int declare_struct(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                          struct sl_spirv_type *type)
{
    unsigned count = i->operand_count;
    LLVMTypeRef *members = sl_spirv_allocate(s, count + 1u, sizeof *members);
    uint64_t bytes = 0;
    for (unsigned k = 0; members && k < count; k++) {
        const struct sl_spirv_type *member = sl_spirv_type(s, i->operands[k]);
        if (!member || check_member(s, i, member, type))
            return -1;
        members[k] = member->memory;
        bytes += member->bytes + 128; /* no member is aligned to more */
        if (bytes > SL_SPIRV_MOST_BYTES)
            return sl_spirv_fail(s, i, "the structure is too large");
    }
    if (!members)
        return -1;
    const char *name = s->ids[i->result].name;
    type->kind = SL_SPIRV_STRUCT;
    type->count = count;
    type->members = i->operands;
    type->llvm = LLVMStructCreateNamed(s->context, name ? name : "struct");
    LLVMStructSetBody(type->llvm, members, count, is_packed(s, i->result));
    return 0;
}

static int declare_pointer(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                           struct sl_spirv_type *type)
{
    int space = sl_spirv_address_space(i->operands[0]);
    if (space < 0)
        return sl_spirv_fail(s, i, "storage class %u is not OpenCL's", i->operands[0]);
    const struct sl_spirv_type *held = s->ids[i->operands[1]].type; /* it may come later */
    if (held && held->holds_matrix && space != 0 && space != 4)
        return sl_spirv_fail(s, i, "matrices of sub-groups are in variables of functions only");
    type->kind = SL_SPIRV_POINTER;
    type->storage = i->operands[0];
    type->element = i->operands[1];
    type->llvm = LLVMPointerTypeInContext(s->context, (unsigned)space);
    return 0;
}

/*
 * How the components lie among the items, instructions/matrix.c has: an item has as many as all
 * others.
 */
static int declare_matrix(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                          struct sl_spirv_type *type)
{
    const struct sl_spirv_type *component = sl_spirv_type(s, i->operands[0]);
    uint64_t numbers[4]; /* scope, rows, columns, use */
    if (!component)
        return -1;
    for (unsigned k = 0; k < 4; k++)
        if (sl_spirv_number(s, i->operands[1 + k], &numbers[k]))
            return -1;
    if (component->kind != SL_SPIRV_INT && component->kind != SL_SPIRV_FLOAT)
        return sl_spirv_fail(s, i, "its components are no numbers");
    if (numbers[0] != ScopeSubgroup)
        return sl_spirv_fail(s, i, "only sub-groups have matrices, not scope %llu",
                             (unsigned long long)numbers[0]);
    if (numbers[3] > SL_COOPERATIVE_ACCUMULATOR)
        return sl_spirv_fail(s, i, "use %llu is not known", (unsigned long long)numbers[3]);
    if (numbers[1] > UINT32_MAX || numbers[2] > UINT32_MAX ||
        !sl_cooperative_has_matrix((enum sl_cooperative_use)numbers[3],
                                   component->kind == SL_SPIRV_FLOAT, component->bits,
                                   (uint32_t)numbers[1], (uint32_t)numbers[2])) {
        static const char *const uses[] = {"A", "B", "accumulator"};
        return sl_spirv_fail(
            s, i,
            "no product has a matrix %s of %llu x %llu %s of %u bits "
            "(clGetDeviceCooperativeMatrixInfoKHR)",
            uses[numbers[3]], (unsigned long long)numbers[1], (unsigned long long)numbers[2],
            component->kind == SL_SPIRV_FLOAT ? "floats" : "integers", component->bits);
    }
    type->kind = SL_SPIRV_MATRIX;
    type->element = component->id;
    type->bits = component->bits;
    type->matrix.rows = (uint32_t)numbers[1];
    type->matrix.columns = (uint32_t)numbers[2];
    type->matrix.use = (uint32_t)numbers[3];
    type->count = type->matrix.rows * type->matrix.columns / SL_COOPERATIVE_SUB_GROUP;
    type->llvm = type->count > 1 ? LLVMVectorType(component->llvm, type->count) : component->llvm;
    type->holds_matrix = true;
    s->has_matrices = true;
    return 0;
}

static int declare_function(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                            struct sl_spirv_type *type)
{
    const struct sl_spirv_type *result = sl_spirv_type(s, i->operands[0]);
    unsigned count = i->operand_count - 1u;
    LLVMTypeRef *parameters = sl_spirv_allocate(s, count + 1u, sizeof *parameters);
    if (!result || !parameters)
        return -1;
    if (result->kind != SL_SPIRV_VOID && !sl_spirv_is_sized(result))
        return sl_spirv_fail(s, i, "the result has no size");
    for (unsigned k = 0; k < count; k++) {
        const struct sl_spirv_type *parameter = sl_spirv_type(s, i->operands[1 + k]);
        if (!parameter)
            return -1;
        if (!sl_spirv_is_sized(parameter))
            return sl_spirv_fail(s, i, "parameter %u has no size", k + 1);
        parameters[k] = parameter->llvm;
    }
    type->kind = SL_SPIRV_FUNCTION;
    type->element = result->id;
    type->count = count;
    type->members = i->operands + 1;
    type->llvm = LLVMFunctionType(result->llvm, parameters, count, 0);
    return 0;
}

/* ---- objects of OpenCL ----------------------------------------------------------------------- */

static LLVMTypeRef image_type(struct sl_spirv *s, const struct sl_spirv_type *type)
{
    LLVMTypeRef nothing = LLVMVoidTypeInContext(s->context);
    unsigned numbers[] = {
        type->image.dim,   type->image.depth, type->image.arrayed, type->image.multisampled, 0, 0,
        type->image.access};
    return LLVMTargetExtTypeInContext(s->context, "spirv.Image", &nothing, 1, numbers,
                                      sizeof numbers / sizeof *numbers);
}

static int declare_image(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                         struct sl_spirv_type *type)
{
    const uint32_t *o = i->operands;
    type->kind = SL_SPIRV_IMAGE;
    type->image.sampled_type = o[0];
    type->image.dim = o[1];
    type->image.depth = o[2] == 1;
    type->image.arrayed = o[3] == 1;
    type->image.multisampled = o[4] == 1;
    type->image.access = sl_spirv_literal(i, 7);
    if (!sl_spirv_type(s, o[0]))
        return -1;
    if (o[1] > Dim3D && o[1] != DimBuffer)
        return sl_spirv_fail(s, i, "dimension %u is not OpenCL's", o[1]);
    if (type->image.access > 2)
        return sl_spirv_fail(s, i, "access qualifier %u is not known", type->image.access);
    type->llvm = image_type(s, type);
    return 0;
}

static LLVMTypeRef plain_target_type(struct sl_spirv *s, const char *name)
{
    return LLVMTargetExtTypeInContext(s->context, name, NULL, 0, NULL, 0);
}

static int declare_sampled_image(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                                 struct sl_spirv_type *type)
{
    const struct sl_spirv_type *image = sl_spirv_type(s, i->operands[0]);
    if (!image)
        return -1;
    if (image->kind != SL_SPIRV_IMAGE)
        return sl_spirv_fail(s, i, "id %u is no image", i->operands[0]);
    LLVMTypeRef both[] = {image->llvm, plain_target_type(s, "spirv.Sampler")};
    type->kind = SL_SPIRV_SAMPLED_IMAGE;
    type->element = image->id;
    type->image = image->image;
    type->llvm = LLVMStructTypeInContext(s->context, both, 2, 0);
    return 0;
}

static int declare_pipe(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                        struct sl_spirv_type *type)
{
    unsigned access = i->operands[0];
    if (access > 1)
        return sl_spirv_fail(s, i, "access qualifier %u is none of a pipe", access);
    type->kind = SL_SPIRV_PIPE;
    type->image.access = access;
    type->llvm = LLVMTargetExtTypeInContext(s->context, "spirv.Pipe", NULL, 0, &access, 1);
    return 0;
}

/* Size of a packet, its alignment, capacity: what compilers of SYCL write out by themselves. */
static int declare_pipe_storage(struct sl_spirv *s, struct sl_spirv_type *type)
{
    LLVMTypeRef word = LLVMInt32TypeInContext(s->context), words[] = {word, word, word};
    type->kind = SL_SPIRV_PIPE_STORAGE;
    type->llvm = LLVMStructTypeInContext(s->context, words, 3, 0);
    return 0;
}

static int declare_object(struct sl_spirv *s, struct sl_spirv_type *type,
                          enum sl_spirv_type_kind kind, const char *name)
{
    type->kind = kind;
    type->llvm = plain_target_type(s, name);
    return 0;
}

static int declare_opaque(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                          struct sl_spirv_type *type)
{
    type->kind = SL_SPIRV_OPAQUE;
    type->llvm = LLVMStructCreateNamed(s->context, (const char *)i->operands);
    return 0;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int choose(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                  struct sl_spirv_type *type)
{
    switch (i->opcode) {
    case OpTypeVoid:
        type->kind = SL_SPIRV_VOID;
        type->llvm = LLVMVoidTypeInContext(s->context);
        return 0;
    case OpTypeBool:
        return declare_bool(s, type);
    case OpTypeInt:
        return declare_integer(s, i, type);
    case OpTypeFloat:
        return declare_float(s, i, type);
    case OpTypeVector:
        return declare_vector(s, i, type);
    case OpTypeArray:
        return declare_array(s, i, type);
    case OpTypeCooperativeMatrixKHR:
        return declare_matrix(s, i, type);
    case OpTypeStruct:
        return declare_struct(s, i, type);
    case OpTypePointer:
        return declare_pointer(s, i, type);
    case OpTypeFunction:
        return declare_function(s, i, type);
    case OpTypeImage:
        return declare_image(s, i, type);
    case OpTypeSampledImage:
        return declare_sampled_image(s, i, type);
    case OpTypeSampler:
        return declare_object(s, type, SL_SPIRV_SAMPLER, "spirv.Sampler");
    case OpTypeEvent:
        return declare_object(s, type, SL_SPIRV_EVENT, "spirv.Event");
    case OpTypeDeviceEvent:
        return declare_object(s, type, SL_SPIRV_DEVICE_EVENT, "spirv.DeviceEvent");
    case OpTypeReserveId:
        return declare_object(s, type, SL_SPIRV_RESERVE_ID, "spirv.ReserveId");
    case OpTypeQueue:
        return declare_object(s, type, SL_SPIRV_QUEUE, "spirv.Queue");
    case OpTypePipe:
        return declare_pipe(s, i, type);
    case OpTypePipeStorage:
        return declare_pipe_storage(s, type);
    case OpTypeOpaque:
        return declare_opaque(s, i, type);
    }
    return sl_spirv_fail(s, i, "types of this kind are not supported");
}

int sl_spirv_declare_type(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    struct sl_spirv_type *type = sl_spirv_allocate(s, 1, sizeof *type);
    if (!type)
        return -1;
    type->id = i->result;
    if (choose(s, i, type))
        return -1;
    if (!type->memory)
        type->memory = type->llvm;
    if (sl_spirv_is_sized(type))
        type->bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(s->module), type->memory);
    s->ids[i->result].type = type;
    return 0;
}
