/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where an item of a sub-group of 16 has the components of a matrix:
 *   A            of each row, in each stretch of 32 bytes (16 numbers where these are wider than
 *                two bytes), the item's sixteenth part; row after row, stretch after stretch
 *   B, sums      columns item, item + 16, ...; column after column
 * Components that are multiplied in one word are loaded and stored in words where they lie side by
 * side in memory as well. No shared state.
 */
#include "spirv/instructions/matrix.h"

#include <stdio.h>

#include "sluice/base/cooperative_matrix.h"
#include "spirv/builtins/build.h"
#include "spirv/builtins/call.h"
#include "spirv/module/module.h"
#include "spirv/values/operand.h"
#include "spirv/values/types.h"

enum {
    ITEMS = SL_COOPERATIVE_SUB_GROUP,
    MOST_ROWS = 8, /* of a call */
    WORDS = 8,     /* of a stretch */
    A_PART = 16,   /* bits of an item's part of a row in a stretch */
};

/* Memory layouts and operands of products (3.X Cooperative Matrix ...). */
enum { ROW_MAJOR, COLUMN_MAJOR };
enum {
    A_SIGNED = 1,
    B_SIGNED = 2,
    C_SIGNED = 4,
    RESULT_SIGNED = 8,
    SATURATES = 16,
};

/* How a matrix is made of words. */
struct form {
    const struct sl_spirv_type *type;
    LLVMTypeRef component, word;
    unsigned packed; /* components of a word, neighbours along the sum of products */
    unsigned words;
    unsigned along;   /* words of an item along the sum: of a stretch of A, of a column of B */
    unsigned stretch; /* components of A's rows in a stretch */
};

static const struct sl_spirv_type *matrix_type(struct sl_spirv *s,
                                               const struct sl_spirv_instruction *i, uint32_t type)
{
    const struct sl_spirv_type *found = sl_spirv_type(s, type);
    if (found && found->kind != SL_SPIRV_MATRIX) {
        sl_spirv_fail(s, i, "id %u is no type of matrices", type);
        return NULL;
    }
    return found;
}

static const struct sl_spirv_type *matrix_operand(struct sl_spirv *s,
                                                  const struct sl_spirv_instruction *i, unsigned k)
{
    const struct sl_spirv_type *type = sl_spirv_type_of(s, i->operands[k]);
    if (type && type->kind != SL_SPIRV_MATRIX) {
        sl_spirv_fail(s, i, "operand %u is no matrix", k + 1);
        return NULL;
    }
    return type;
}

static struct form form_of(struct sl_spirv *s, const struct sl_spirv_type *type)
{
    const unsigned bits = type->bits;
    const bool narrow = bits <= A_PART && type->matrix.use != SL_COOPERATIVE_ACCUMULATOR;
    const unsigned word = !narrow ? bits : type->matrix.use == SL_COOPERATIVE_A ? A_PART : 32;
    struct form f = {.type = type, .component = sl_build_element(type->llvm)};
    f.word = narrow ? LLVMIntTypeInContext(s->context, word) : f.component;
    f.packed = word / bits;
    f.words = type->count / f.packed;
    f.along = type->matrix.rows / f.packed;
    f.stretch = ITEMS * f.packed;
    return f;
}

static LLVMTypeRef many(LLVMTypeRef element, unsigned count)
{
    return count > 1 ? LLVMVectorType(element, count) : element;
}

static LLVMValueRef as_words(struct sl_spirv *s, const struct form *f, LLVMValueRef matrix)
{
    return LLVMBuildBitCast(s->builder, matrix, many(f->word, f->words), "");
}

/* ---- memory ---------------------------------------------------------------------------------- */

struct place {
    LLVMValueRef base; /* the item's own, in bytes */
    LLVMValueRef stride;
    unsigned layout, step; /* of neighbours in memory */
    bool is_volatile;
};

static LLVMValueRef bytes_along(struct sl_spirv *s, const struct place *p, unsigned row,
                                unsigned column)
{
    LLVMTypeRef word = LLVMInt64TypeInContext(s->context);
    const unsigned near = p->layout == ROW_MAJOR ? column : row;
    const unsigned far = p->layout == ROW_MAJOR ? row : column;
    LLVMValueRef bytes = LLVMBuildMul(s->builder, p->stride, LLVMConstInt(word, far, 0), "");
    return LLVMBuildAdd(s->builder, bytes, LLVMConstInt(word, (uint64_t)near * p->step, 0), "");
}

static LLVMValueRef address(struct sl_spirv *s, const struct place *p, unsigned row,
                            unsigned column)
{
    LLVMValueRef bytes = bytes_along(s, p, row, column);
    return LLVMBuildGEP2(s->builder, LLVMInt8TypeInContext(s->context), p->base, &bytes, 1, "");
}

static LLVMValueRef item_id(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    struct sl_call call;
    LLVMTypeRef word = LLVMInt32TypeInContext(s->context);
    sl_call_begin(&call, s, i, "get_sub_group_local_id");
    call.result = word;
    call.is_unsigned = true;
    call.effect = SL_CALL_PURE;
    LLVMValueRef id = sl_call_make(&call);
    return id ? LLVMBuildZExt(s->builder, id, LLVMInt64TypeInContext(s->context), "") : NULL;
}

static int check_pointer(struct sl_spirv *s, const struct sl_spirv_instruction *i, uint32_t id,
                         uint64_t *bytes)
{
    const struct sl_spirv_type *pointer = sl_spirv_type_of(s, id);
    const struct sl_spirv_type *to =
        pointer && pointer->kind == SL_SPIRV_POINTER ? sl_spirv_type(s, pointer->element) : NULL;
    if (!pointer || s->failed)
        return -1;
    if (!to ||
        (to->kind != SL_SPIRV_INT && to->kind != SL_SPIRV_FLOAT && to->kind != SL_SPIRV_VECTOR))
        return sl_spirv_fail(s, i, "the pointer leads to no numbers");
    const int space = sl_spirv_address_space(pointer->storage);
    if (space != 1 && space != 3 && space != 4)
        return sl_spirv_fail(s, i,
                             "matrices are in global and local memory only, not in storage "
                             "class %u",
                             pointer->storage);
    *bytes = to->bytes;
    return 0;
}

/* `k`: of the operand that is the layout; `pointer`: of the pointer. */
static int read_place(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                      const struct form *f, unsigned pointer, unsigned k, struct place *p)
{
    uint64_t layout = 0, bytes = 1;
    LLVMTypeRef word = LLVMInt64TypeInContext(s->context);
    LLVMValueRef base = sl_spirv_pointer_operand(s, i, pointer);
    if (!base || check_pointer(s, i, i->operands[pointer], &bytes) ||
        sl_spirv_number(s, i->operands[k], &layout))
        return -1;
    if (layout > COLUMN_MAJOR)
        return sl_spirv_fail(s, i, "layout %llu is not known", (unsigned long long)layout);
    if (i->operand_count < k + 2)
        return sl_spirv_fail(s, i, "there is no stride");
    LLVMValueRef stride = sl_spirv_operand(s, i, k + 1);
    if (!stride)
        return -1;
    if (LLVMGetTypeKind(LLVMTypeOf(stride)) != LLVMIntegerTypeKind)
        return sl_spirv_fail(s, i, "the stride is no integer");
    stride = LLVMBuildIntCast2(s->builder, stride, word, false, "");
    *p = (struct place){
        .stride = LLVMBuildMul(s->builder, stride, LLVMConstInt(word, bytes, 0), ""),
        .layout = (unsigned)layout,
        .step = f->type->bits / 8,
        .is_volatile = i->operand_count > k + 2 && i->operands[k + 2] & MemoryAccessVolatileMask,
    };
    LLVMValueRef id = item_id(s, i);
    if (!id)
        return -1;
    const unsigned columns = f->type->matrix.use == SL_COOPERATIVE_A ? f->packed : 1;
    LLVMValueRef own = LLVMBuildMul(s->builder, id, bytes_along(s, p, 0, columns), "");
    p->base = LLVMBuildGEP2(s->builder, LLVMInt8TypeInContext(s->context), base, &own, 1, "");
    return 0;
}

/* The word's first component, in the sub-group's first item. */
static void find_word(const struct form *f, unsigned word, unsigned *row, unsigned *column)
{
    if (f->type->matrix.use == SL_COOPERATIVE_A) {
        *row = word % f->type->matrix.rows;
        *column = word / f->type->matrix.rows * f->stretch;
    } else {
        *row = word % f->along * f->packed;
        *column = word / f->along * ITEMS;
    }
}

/* Are a word's components side by side in memory? */
static bool is_dense(const struct form *f, const struct place *p)
{
    const bool rows = f->type->matrix.use == SL_COOPERATIVE_A;
    return f->packed == 1 || rows == (p->layout == ROW_MAJOR);
}

static void find_component(const struct form *f, unsigned word, unsigned k, unsigned *row,
                           unsigned *column)
{
    find_word(f, word, row, column);
    *(f->type->matrix.use == SL_COOPERATIVE_A ? column : row) += k;
}

static LLVMValueRef load_at(struct sl_spirv *s, const struct place *p, LLVMTypeRef type,
                            unsigned row, unsigned column)
{
    LLVMValueRef value = LLVMBuildLoad2(s->builder, type, address(s, p, row, column), "");
    LLVMSetAlignment(value, p->step);
    LLVMSetVolatile(value, p->is_volatile);
    return value;
}

static LLVMValueRef load_word(struct sl_spirv *s, const struct form *f, const struct place *p,
                              unsigned word)
{
    unsigned row, column;
    LLVMValueRef whole = NULL;
    find_word(f, word, &row, &column);
    if (is_dense(f, p))
        return load_at(s, p, f->word, row, column);
    LLVMTypeRef part = LLVMIntTypeInContext(s->context, f->type->bits);
    for (unsigned k = 0; k < f->packed; k++) {
        find_component(f, word, k, &row, &column);
        LLVMValueRef one = LLVMBuildZExt(s->builder, load_at(s, p, part, row, column), f->word, "");
        one = LLVMBuildShl(s->builder, one, LLVMConstInt(f->word, k * f->type->bits, 0), "");
        whole = whole ? LLVMBuildOr(s->builder, whole, one, "") : one;
    }
    return whole;
}

static int load(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = matrix_type(s, i, i->type);
    struct place p;
    if (!type)
        return -1;
    const struct form f = form_of(s, type);
    if (read_place(s, i, &f, 0, 1, &p))
        return -1;
    LLVMTypeRef words = many(f.word, f.words);
    LLVMValueRef value = LLVMGetPoison(words);
    for (unsigned w = 0; w < f.words; w++)
        value = sl_build_with_lane(s, words, value, load_word(s, &f, &p, w), w);
    return sl_spirv_define(s, i, LLVMBuildBitCast(s->builder, value, type->llvm, "")) ? -1 : 1;
}

static void store_at(struct sl_spirv *s, const struct place *p, LLVMValueRef value, unsigned row,
                     unsigned column)
{
    LLVMValueRef store = LLVMBuildStore(s->builder, value, address(s, p, row, column));
    LLVMSetAlignment(store, p->step);
    LLVMSetVolatile(store, p->is_volatile);
}

static void store_word(struct sl_spirv *s, const struct form *f, const struct place *p,
                       unsigned word, LLVMValueRef value)
{
    unsigned row, column;
    find_word(f, word, &row, &column);
    if (is_dense(f, p)) {
        store_at(s, p, value, row, column);
        return;
    }
    LLVMTypeRef part = LLVMIntTypeInContext(s->context, f->type->bits);
    for (unsigned k = 0; k < f->packed; k++) {
        find_component(f, word, k, &row, &column);
        LLVMValueRef one =
            LLVMBuildLShr(s->builder, value, LLVMConstInt(f->word, k * f->type->bits, 0), "");
        store_at(s, p, LLVMBuildTrunc(s->builder, one, part, ""), row, column);
    }
}

static int store(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = matrix_operand(s, i, 1);
    LLVMValueRef value = type ? sl_spirv_operand_of(s, i, 1, type->llvm) : NULL;
    struct place p;
    if (!value)
        return -1;
    const struct form f = form_of(s, type);
    if (read_place(s, i, &f, 0, 2, &p))
        return -1;
    value = as_words(s, &f, value);
    for (unsigned w = 0; w < f.words; w++)
        store_word(s, &f, &p, w, sl_build_lane(s, value, w));
    return 1;
}

/* ---- products -------------------------------------------------------------------------------- */

struct product {
    const struct sl_spirv_instruction *i;
    struct sl_cooperative_variant variant;
    struct form a, b;
    LLVMValueRef a_words, b_words;
    unsigned rows, b_count; /* of a call: rows, b's words */
};

static enum sl_cooperative_component component_of(const struct form *f, bool is_signed)
{
    const bool real = LLVMGetTypeKind(f->component) != LLVMIntegerTypeKind;
    for (int c = SL_COOPERATIVE_FP16; c <= SL_COOPERATIVE_UINT64; c++) {
        const enum sl_cooperative_component component = (enum sl_cooperative_component)c;
        if (sl_cooperative_is_real(component) == real &&
            sl_cooperative_bits(component) == f->type->bits &&
            (real || sl_cooperative_is_signed(component) == is_signed))
            return component;
    }
    return SL_COOPERATIVE_UINT64;
}

/* Integers alone have a sign to tell. */
static int check_signs(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                       const struct form *f, uint32_t operands, const char *of)
{
    return operands && LLVMGetTypeKind(f->component) != LLVMIntegerTypeKind
               ? sl_spirv_fail(s, i, "%s is of floats, which nothing makes signed", of)
               : 0;
}

static int read_variant(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                        const struct form *c, const struct form *result, struct product *p)
{
    static const char *const uses[] = {"A", "B", "C"};
    const struct form *forms[] = {&p->a, &p->b, c};
    const uint32_t operands = sl_spirv_literal(i, 3);
    for (unsigned k = 0; k < 3; k++)
        if (forms[k]->type->matrix.use != k)
            return sl_spirv_fail(s, i, "operand %u is no matrix %s", k + 1, uses[k]);
    if (result->type->matrix.use != SL_COOPERATIVE_ACCUMULATOR)
        return sl_spirv_fail(s, i, "the result is no accumulator");
    if (check_signs(s, i, &p->a, operands & A_SIGNED, "A") ||
        check_signs(s, i, &p->b, operands & B_SIGNED, "B") ||
        check_signs(s, i, c, operands & C_SIGNED, "C") ||
        check_signs(s, i, result, operands & RESULT_SIGNED, "the result"))
        return -1;
    const uint32_t m = result->type->matrix.rows, n = result->type->matrix.columns;
    const uint32_t k = p->a.type->matrix.columns;
    if (p->a.type->matrix.rows != m || c->type->matrix.rows != m || p->b.type->matrix.rows != k ||
        p->b.type->matrix.columns != n || c->type->matrix.columns != n)
        return sl_spirv_fail(s, i, "rows and columns of the matrices do not fit each other");
    p->variant = (struct sl_cooperative_variant){
        .m = m,
        .n = n,
        .k = k,
        .a = component_of(&p->a, operands & A_SIGNED),
        .b = component_of(&p->b, operands & B_SIGNED),
        .c = component_of(c, operands & C_SIGNED),
        .result = component_of(result, operands & RESULT_SIGNED),
        .saturates = operands & SATURATES,
    };
    if (operands >= 2 * SATURATES)
        return sl_spirv_fail(s, i, "operands %#x are not known", operands);
    return sl_cooperative_has_variant(&p->variant)
               ? 0
               : sl_spirv_fail(s, i,
                               "no product of %u x %u x %u has components of these types "
                               "(clGetDeviceCooperativeMatrixInfoKHR)",
                               m, n, k);
}

/* What is multiplied, as functions name it. */
static const char *letters(enum sl_cooperative_component component)
{
    switch (component) {
    case SL_COOPERATIVE_SINT8:
        return "i8";
    case SL_COOPERATIVE_UINT8:
        return "u8";
    case SL_COOPERATIVE_FP16:
        return "f16";
    case SL_COOPERATIVE_FP32:
        return "f32";
    default:
        return "f64";
    }
}

/* Rows from `row` on, 16 columns, the stretch: added to the sums. NULL: failed. */
static LLVMValueRef multiply(struct sl_spirv *s, const struct product *p, LLVMValueRef sums,
                             unsigned row, unsigned columns, unsigned stretch)
{
    const bool bytes = p->a.type->bits == 8, narrow = p->a.type->bits <= A_PART;
    LLVMValueRef a = sl_build_slice(s, p->a_words, stretch * p->variant.m + row, p->rows);
    LLVMValueRef b =
        sl_build_slice(s, p->b_words, columns * p->b.along + stretch * p->b_count, p->b_count);
    struct sl_call call;
    char name[64];
    snprintf(name, sizeof name, "%s_%s_%s_matrix_mad_k%u",
             narrow ? "intel_sub_group" : "__sl_sub_group", letters(p->variant.a),
             letters(p->variant.b), bytes ? 32 : 16);
    sl_call_begin(&call, s, p->i, name);
    call.result = LLVMTypeOf(sums);
    sl_call_add(&call, a, p->variant.a == SL_COOPERATIVE_UINT8);
    sl_call_add(&call, b, p->variant.b == SL_COOPERATIVE_UINT8);
    sl_call_add(&call, sums, false);
    return sl_call_make(&call);
}

/* NULL: failed. */
static LLVMValueRef multiply_all(struct sl_spirv *s, const struct product *p, LLVMValueRef sums)
{
    const unsigned stretches = p->variant.k / p->a.stretch;
    for (unsigned columns = 0; columns < p->variant.n / ITEMS; columns++)
        for (unsigned row = 0; row < p->variant.m && sums; row += p->rows) {
            const unsigned at = columns * p->variant.m + row;
            LLVMValueRef part = sl_build_slice(s, sums, at, p->rows);
            for (unsigned stretch = 0; stretch < stretches && part; stretch++)
                part = multiply(s, p, part, row, columns, stretch);
            sums = part ? sl_build_with_slice(s, sums, part, at) : NULL;
        }
    return sums;
}

static int multiply_add(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *result = matrix_type(s, i, i->type), *types[3];
    LLVMValueRef values[3];
    for (unsigned k = 0; k < 3; k++) {
        types[k] = result ? matrix_operand(s, i, k) : NULL;
        values[k] = types[k] ? sl_spirv_operand_of(s, i, k, types[k]->llvm) : NULL;
        if (!values[k])
            return -1;
    }
    const struct form c = form_of(s, types[2]), r = form_of(s, result);
    struct product p = {.i = i, .a = form_of(s, types[0]), .b = form_of(s, types[1])};
    if (read_variant(s, i, &c, &r, &p))
        return -1;
    p.rows = p.variant.m < MOST_ROWS ? p.variant.m : MOST_ROWS;
    p.b_count = p.a.type->bits <= A_PART ? WORDS : ITEMS;
    p.a_words = as_words(s, &p.a, values[0]);
    p.b_words = as_words(s, &p.b, values[1]);
    /* The sum of the products is exact, and what is added to it is saturated. */
    LLVMValueRef sums =
        multiply_all(s, &p, p.variant.saturates ? LLVMConstNull(result->llvm) : values[2]);
    if (sums && p.variant.saturates)
        sums = sl_build_intrinsic(
            s, sl_cooperative_is_signed(p.variant.result) ? "llvm.sadd.sat" : "llvm.uadd.sat",
            (LLVMValueRef[]){sums, values[2]}, 2);
    return !sums || sl_spirv_define(s, i, sums) ? -1 : 1;
}

/* ---- others ---------------------------------------------------------------------------------- */

static int length(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    const struct sl_spirv_type *type = sl_spirv_type(s, i->type);
    const struct sl_spirv_type *matrix = type ? matrix_type(s, i, i->operands[0]) : NULL;
    if (!matrix)
        return -1;
    if (type->kind != SL_SPIRV_INT || type->bits != 32)
        return sl_spirv_fail(s, i, "its result is no integer of 32 bits");
    return sl_spirv_define(s, i, LLVMConstInt(type->llvm, matrix->count, 0)) ? -1 : 1;
}

static LLVMValueRef in_all(struct sl_spirv *s, const struct sl_spirv_type *type, LLVMValueRef one)
{
    LLVMValueRef all = LLVMGetPoison(type->llvm);
    for (unsigned k = 0; k < type->count; k++)
        all = sl_build_with_lane(s, type->llvm, all, one, k);
    return all;
}

static int construct(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                     const struct sl_spirv_type *type)
{
    if (i->operand_count != 1)
        return sl_spirv_fail(s, i, "a matrix is made of one number, not of %u", i->operand_count);
    LLVMValueRef one = sl_spirv_operand_of(s, i, 0, sl_build_element(type->llvm));
    return !one || sl_spirv_define(s, i, in_all(s, type, one)) ? -1 : 1;
}

static int times_scalar(struct sl_spirv *s, const struct sl_spirv_instruction *i,
                        const struct sl_spirv_type *type)
{
    LLVMTypeRef component = sl_build_element(type->llvm);
    LLVMValueRef matrix = sl_spirv_operand_of(s, i, 0, type->llvm);
    LLVMValueRef one = matrix ? sl_spirv_operand_of(s, i, 1, component) : NULL;
    if (!one || !matrix_operand(s, i, 0))
        return -1;
    if (sl_spirv_type_of(s, i->operands[0])->id != i->type)
        return sl_spirv_fail(s, i, "operand 1 is no matrix of the result's type");
    one = in_all(s, type, one);
    LLVMValueRef value = LLVMGetTypeKind(component) == LLVMIntegerTypeKind
                             ? LLVMBuildMul(s->builder, matrix, one, "")
                             : LLVMBuildFMul(s->builder, matrix, one, "");
    return sl_spirv_define(s, i, value) ? -1 : 1;
}

int sl_spirv_matrix(struct sl_spirv *s, const struct sl_spirv_instruction *i)
{
    if (sl_spirv_check_matrices(s, i))
        return -1;
    const struct sl_spirv_type *type = i->type ? s->ids[i->type].type : NULL;
    const bool gives_matrix = type && type->kind == SL_SPIRV_MATRIX;
    switch (i->opcode) {
    case OpCooperativeMatrixLoadKHR:
        return load(s, i);
    case OpCooperativeMatrixStoreKHR:
        return store(s, i);
    case OpCooperativeMatrixMulAddKHR:
        return multiply_add(s, i);
    case OpCooperativeMatrixLengthKHR:
        return length(s, i);
    case OpCompositeConstruct:
        return gives_matrix ? construct(s, i, type) : 0;
    case OpMatrixTimesScalar:
        return gives_matrix ? times_scalar(s, i, type) : 0;
    }
    return 0;
}
