/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads and writes of images for all lanes at once. Which format and sampler they are of is the
 * same for all of them; the functions called here ask for it once and do the rest on vectors. No
 * shared state.
 */
#include "vector/image.h"

#include "vector/vector.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define CHANNELS 4u
#define COORDINATES 3u
#define MOST_VECTORS (COORDINATES + CHANNELS + 1)

/* Operands of the core's functions by what they are; -1: it has none. */
static const struct form {
    int image, sampler, at, color, shape;
    unsigned count;
} forms[] = {
    {.image = 0, .sampler = 1, .at = 2, .color = -1, .shape = 3, .count = 4},
    {.image = 0, .sampler = -1, .at = 1, .color = 2, .shape = 3, .count = 4},
};
enum { READ, WRITE };

/* What a version takes: the vectors lie in a block, where colours take their place. */
enum { IMAGE, SAMPLER, BLOCK, SHAPE, OPERANDS };

/* In scalar instructions, roughly: for one item, and for all of a version's. */
#define COST_ONE 60u
#define COST_ALL 100u

static const uint32_t widths[] = {16, 8, 4};

LLVMValueRef sl_image_lanes(LLVMValueRef f, uint32_t *items)
{
    const char *name = LLVMGetValueName(f);
    if (strncmp(name, SL_IMAGE_CORE, strlen(SL_IMAGE_CORE)) != 0)
        return NULL;
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
        char version[64];
        snprintf(version, sizeof version, "%s" SL_LANES_SUFFIX "%u", name, widths[k]);
        LLVMValueRef found = LLVMGetNamedFunction(LLVMGetGlobalParent(f), version);
        *items = widths[k];
        if (found)
            return found;
    }
    return NULL;
}

bool sl_image_has_lanes(LLVMValueRef f)
{
    uint32_t items;
    return strstr(LLVMGetValueName(f), SL_LANES_SUFFIX) || sl_image_lanes(f, &items);
}

static LLVMValueRef version_of(LLVMValueRef call, uint32_t *items)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsAFunction(callee) ? sl_image_lanes(callee, items) : NULL;
}

static const struct form *form_of(LLVMValueRef call)
{
    return &forms[LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind ? WRITE : READ];
}

static bool is_image_call(LLVMValueRef call)
{
    uint32_t items;
    return version_of(call, &items) && LLVMGetNumArgOperands(call) == form_of(call)->count;
}

bool sl_vector_is_image_read(LLVMValueRef call)
{
    return is_image_call(call) && form_of(call) == &forms[READ];
}

static bool is_same(const struct sl_vector *v, LLVMValueRef call, int operand, uint32_t block)
{
    return operand < 0 ||
           sl_vector_shape_at(v, LLVMGetArgOperand(call, (unsigned)operand), block).kind <=
               SL_SHAPE_UNIFORM;
}

bool sl_vector_has_image_form(const struct sl_vector *v, LLVMValueRef call, uint32_t block)
{
    const struct form *form = form_of(call);
    return is_image_call(call) && is_same(v, call, form->image, block) &&
           is_same(v, call, form->sampler, block) && is_same(v, call, form->shape, block);
}

uint64_t sl_vector_image_cost(const struct sl_vector *v, LLVMValueRef call, uint64_t *scalar)
{
    uint32_t items = 1;
    version_of(call, &items);
    *scalar = COST_ONE;
    return (uint64_t)COST_ALL * ((v->lanes + items - 1) / items);
}

/* ---- one function for each sampler and shape ------------------------------------------------ */

/* Image, sampler, shape, vectors; result: the colours. In registers: what comes from memory waits
 * for all that was stored before. All vectors are of words. */
enum {
    COPY_IMAGE,
    COPY_SAMPLER,
    COPY_SHAPE,
    COPY_VECTORS,
    COPY_MOST = COPY_VECTORS + MOST_VECTORS
};

static LLVMTypeRef copy_type(const struct sl_emit *e, LLVMTypeRef vector, bool reads)
{
    LLVMTypeRef given[COPY_MOST] = {e->ptr, e->i32, e->i32}, colors[CHANNELS];
    unsigned count = COPY_VECTORS + (reads ? COORDINATES : MOST_VECTORS);
    for (unsigned k = COPY_VECTORS; k < count; k++)
        given[k] = vector;
    for (unsigned k = 0; k < CHANNELS; k++)
        colors[k] = vector;
    LLVMTypeRef result =
        reads ? LLVMStructTypeInContext(e->context, colors, CHANNELS, false) : e->none;
    return LLVMFunctionType(result, given, count, false);
}

static LLVMValueRef place_of(const struct sl_emit *e, LLVMTypeRef type, LLVMValueRef block,
                             uint32_t k)
{
    LLVMValueRef at = sl_emit_i32(e, k);
    return k ? LLVMBuildInBoundsGEP2(e->builder, type, block, &at, 1, "") : block;
}

static void fill_copy(LLVMValueRef copy, LLVMValueRef version, LLVMValueRef *fixed)
{
    struct sl_emit e;
    LLVMValueRef given[COPY_MOST], all = NULL;
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(copy));
    sl_emit_init(&e, LLVMGetModuleContext(LLVMGetGlobalParent(version)));
    LLVMPositionBuilderAtEnd(e.builder, LLVMAppendBasicBlockInContext(e.context, copy, ""));
    LLVMGetParams(copy, given);
    LLVMTypeRef vector = LLVMTypeOf(given[COPY_VECTORS]);
    LLVMValueRef block = LLVMBuildAlloca(e.builder, LLVMArrayType2(vector, MOST_VECTORS), "");
    LLVMSetAlignment(block, SL_VECTOR_ARRAY_ALIGN);
    for (uint32_t k = COPY_VECTORS; k < LLVMCountParams(copy); k++)
        LLVMBuildStore(e.builder, given[k], place_of(&e, vector, block, k - COPY_VECTORS));
    LLVMValueRef args[OPERANDS] = {given[COPY_IMAGE], given[COPY_SAMPLER], block,
                                   given[COPY_SHAPE]};
    args[SAMPLER] = LLVMIsAConstantInt(fixed[COPY_SAMPLER]) ? fixed[COPY_SAMPLER] : args[SAMPLER];
    args[SHAPE] = LLVMIsAConstantInt(fixed[COPY_SHAPE]) ? fixed[COPY_SHAPE] : args[SHAPE];
    LLVMBuildCall2(e.builder, LLVMGlobalGetValueType(version), version, args, OPERANDS, "");
    bool reads = LLVMGetTypeKind(result) == LLVMStructTypeKind;
    for (uint32_t k = 0; reads && k < CHANNELS; k++) {
        LLVMValueRef one = LLVMBuildLoad2(e.builder, vector, place_of(&e, vector, block, k), "");
        all = LLVMBuildInsertValue(e.builder, all ? all : LLVMGetPoison(result), one, k, "");
    }
    if (reads)
        LLVMBuildRet(e.builder, all);
    else
        LLVMBuildRetVoid(e.builder);
    sl_emit_finish(&e);
}

static unsigned long long number(LLVMValueRef value)
{
    return LLVMIsAConstantInt(value) ? LLVMConstIntGetZExtValue(value) : ULLONG_MAX;
}

/* Calls with the same sampler, if it is known, and shape share a copy of the version, in which only
 * their cases are left. */
static LLVMValueRef copy_of(const struct sl_emit *e, LLVMValueRef version, LLVMValueRef *args,
                            bool reads)
{
    char name[128];
    LLVMModuleRef module = LLVMGetGlobalParent(version);
    snprintf(name, sizeof name, "%s.%llx.%llx", LLVMGetValueName(version),
             number(args[COPY_SAMPLER]), number(args[COPY_SHAPE]));
    LLVMValueRef copy = LLVMGetNamedFunction(module, name);
    if (copy)
        return copy;
    copy = LLVMAddFunction(module, name, copy_type(e, LLVMTypeOf(args[COPY_VECTORS]), reads));
    LLVMSetLinkage(copy, LLVMInternalLinkage);
    sl_emit_add_enum_attribute(copy, LLVMAttributeFunctionIndex, "nounwind", 0);
    sl_emit_add_enum_attribute(version, LLVMAttributeFunctionIndex, "alwaysinline", 0);
    fill_copy(copy, version, args);
    return copy;
}

/* Not a version itself: those have nothing behind their number. */
static bool is_copy(LLVMValueRef f)
{
    const char *lanes = strstr(LLVMGetValueName(f), SL_LANES_SUFFIX);
    return lanes && strchr(lanes + 1, '.');
}

void sl_image_settle_copies(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        LLVMUseRef use = LLVMGetFirstUse(f);
        if (is_copy(f) && use)
            sl_emit_add_enum_attribute(f, LLVMAttributeFunctionIndex,
                                       LLVMGetNextUse(use) ? "noinline" : "alwaysinline", 0);
    }
}

/* ---- the call ------------------------------------------------------------------------------- */

/* Lanes that do not run may have anything, but the same thing wherever it is asked for. */
static LLVMValueRef words_of(struct sl_vector *v, LLVMValueRef operand, uint32_t part,
                             uint32_t from, uint32_t items)
{
    LLVMBuilderRef b = v->g->e.builder;
    LLVMValueRef some = sl_vector_elements(v, sl_vector_part(v, operand, part), from, items);
    if (!LLVMIsConstant(some))
        some = LLVMBuildFreeze(b, some, "");
    return LLVMBuildBitCast(b, some, LLVMVectorType(v->g->e.i32, items), "");
}

/* Items that there are not do not write. */
static LLVMValueRef mask_of(struct sl_vector *v, uint32_t from, uint32_t items)
{
    LLVMBuilderRef b = v->g->e.builder;
    LLVMTypeRef wide = sl_vector_wide_type(v, v->g->e.i32);
    LLVMValueRef all = LLVMBuildSExt(b, v->mask, wide, ""), which[16];
    for (uint32_t k = 0; k < items; k++)
        which[k] = sl_emit_i32(&v->g->e, from + k < v->lanes ? from + k : v->lanes);
    return LLVMBuildShuffleVector(b, all, LLVMConstNull(wide), LLVMConstVector(which, items), "");
}

void sl_vector_emit_image(struct sl_vector *v, LLVMValueRef call)
{
    LLVMBuilderRef b = v->g->e.builder;
    const struct form *form = form_of(call);
    bool reads = form->color < 0;
    uint32_t items = 1;
    LLVMValueRef version = version_of(call, &items), parts[CHANNELS][16];
    LLVMValueRef args[COPY_MOST] = {
        sl_vector_scalar(v, LLVMGetArgOperand(call, (unsigned)form->image)),
        reads ? sl_vector_scalar(v, LLVMGetArgOperand(call, (unsigned)form->sampler))
              : sl_emit_i32(&v->g->e, 0),
        sl_vector_scalar(v, LLVMGetArgOperand(call, (unsigned)form->shape))};
    for (uint32_t from = 0; from < v->lanes; from += items) {
        unsigned count = COPY_VECTORS;
        for (uint32_t k = 0; k < COORDINATES; k++)
            args[count++] =
                words_of(v, LLVMGetArgOperand(call, (unsigned)form->at), k, from, items);
        for (uint32_t k = 0; !reads && k < CHANNELS; k++)
            args[count++] =
                words_of(v, LLVMGetArgOperand(call, (unsigned)form->color), k, from, items);
        if (!reads)
            args[count++] = mask_of(v, from, items);
        LLVMValueRef copy = copy_of(&v->g->e, version, args, reads);
        LLVMValueRef colors =
            LLVMBuildCall2(b, LLVMGlobalGetValueType(copy), copy, args, count, "");
        for (uint32_t k = 0; reads && k < CHANNELS; k++) {
            LLVMTypeRef out = LLVMVectorType(sl_vector_part_type(LLVMTypeOf(call), k), items);
            LLVMValueRef one = LLVMBuildExtractValue(b, colors, k, "");
            parts[k][from / items] = LLVMBuildBitCast(b, one, out, "");
        }
    }
    for (uint32_t k = 0; reads && k < CHANNELS; k++)
        sl_vector_set_part(v, call, k, sl_vector_joined(v, parts[k], v->lanes));
}
