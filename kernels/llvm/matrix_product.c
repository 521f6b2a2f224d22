/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Row after row: each of its words meets a row of b. VNNI multiplies unsigned bytes with signed
 * ones: of two of a kind the row's get what the other kind has by their highest bit, and b's sums,
 * 128 times, are taken off: these are the same for all rows. No shared state.
 */
#include "llvm/matrix_product.h"

#include <stdio.h>
#include <string.h>

#define MOST_LANES 16u
#define HIGHEST 0x80808080u

/* What a word of b, or of a row, is made into: one vector, or its even and odd numbers apart. */
struct parts {
    LLVMValueRef of[2];
};

struct expansion {
    LLVMBuilderRef builder;
    LLVMModuleRef module;
    LLVMContextRef context;
    const struct sl_matrix_machine *machine;
    const struct sl_matrix_product *product;
    struct parts b[SL_MATRIX_WORDS];
};

static uint32_t size_of(LLVMValueRef vector)
{
    return LLVMGetVectorSize(LLVMTypeOf(vector));
}

/* A vector of one kind of integers as one of another. */
static LLVMValueRef as(const struct expansion *x, LLVMValueRef value, LLVMTypeRef element,
                       unsigned bits)
{
    unsigned has = LLVMGetTypeKind(LLVMGetElementType(LLVMTypeOf(value))) == LLVMIntegerTypeKind
                       ? LLVMGetIntTypeWidth(LLVMGetElementType(LLVMTypeOf(value)))
                       : 32;
    return LLVMBuildBitCast(x->builder, value, LLVMVectorType(element, size_of(value) * has / bits),
                            "");
}

static LLVMValueRef as_bits(const struct expansion *x, LLVMValueRef value, unsigned bits)
{
    return as(x, value, LLVMIntTypeInContext(x->context, bits), bits);
}

static LLVMValueRef all(LLVMTypeRef vector, uint64_t value)
{
    LLVMValueRef each[4 * MOST_LANES];
    for (uint32_t k = 0; k < LLVMGetVectorSize(vector); k++)
        each[k] = LLVMConstInt(LLVMGetElementType(vector), value, false);
    return LLVMConstVector(each, LLVMGetVectorSize(vector));
}

static LLVMValueRef chosen(const struct expansion *x, LLVMValueRef one, LLVMValueRef other,
                           uint32_t first, uint32_t step, uint32_t count)
{
    LLVMValueRef which[4 * MOST_LANES];
    for (uint32_t k = 0; k < count; k++)
        which[k] = LLVMConstInt(LLVMInt32TypeInContext(x->context), first + k * step, false);
    return LLVMBuildShuffleVector(x->builder, one, other, LLVMConstVector(which, count), "");
}

/* One element of a row, for all lanes. */
static LLVMValueRef splat(const struct expansion *x, LLVMValueRef row, uint32_t at)
{
    return chosen(x, row, LLVMGetPoison(LLVMTypeOf(row)), at, 0, x->product->lanes);
}

static LLVMValueRef call(const struct expansion *x, const char *name, LLVMValueRef *args,
                         unsigned count)
{
    LLVMValueRef f =
        LLVMGetIntrinsicDeclaration(x->module, LLVMLookupIntrinsicID(name, strlen(name)), NULL, 0);
    return LLVMBuildCall2(x->builder, LLVMGlobalGetValueType(f), f, args, count, "");
}

/* ---- VNNI ------------------------------------------------------------------------------------ */

static bool is_whole(const struct expansion *x)
{
    return x->product->lanes * 32 == 512;
}

static LLVMValueRef add_bytes(const struct expansion *x, LLVMValueRef sum, LLVMValueRef unsigned_,
                              LLVMValueRef signed_)
{
    LLVMValueRef args[] = {sum, as_bits(x, unsigned_, 8), as_bits(x, signed_, 8)};
    return call(x, is_whole(x) ? "llvm.x86.avx512.vpdpbusd.512" : "llvm.x86.avx512.vpdpbusd.256",
                args, 3);
}

/* The sums of b's bytes, 128 times or -128 times: what rows with other highest bits have too much.
 */
static LLVMValueRef excess(const struct expansion *x, LLVMValueRef *b)
{
    LLVMTypeRef type = LLVMTypeOf(b[0]);
    LLVMValueRef sum = LLVMConstNull(type), highest = all(type, HIGHEST);
    for (uint32_t k = 0; k < SL_MATRIX_WORDS; k++)
        sum = x->product->b_signed ? add_bytes(x, sum, highest, b[k])
                                   : add_bytes(x, sum, b[k], highest);
    return sum;
}

static void by_byte_products(const struct expansion *x, LLVMValueRef *a, LLVMValueRef *b,
                             LLVMValueRef *sums)
{
    const struct sl_matrix_product *p = x->product;
    const bool alike = p->a_signed == p->b_signed;
    LLVMValueRef more = alike ? excess(x, b) : NULL;
    for (uint32_t m = 0; m < p->rows; m++) {
        LLVMValueRef row = a[m];
        if (alike) {
            row = LLVMBuildXor(x->builder, row, all(LLVMTypeOf(row), HIGHEST), "");
            sums[m] = LLVMBuildSub(x->builder, sums[m], more, "");
        }
        for (uint32_t k = 0; k < SL_MATRIX_WORDS; k++) {
            LLVMValueRef word = splat(x, row, k);
            sums[m] =
                p->b_signed ? add_bytes(x, sums[m], word, b[k]) : add_bytes(x, sums[m], b[k], word);
        }
    }
}

/* ---- bytes without it: even and odd ones apart, as halves of 16 bits ------------------------- */

static struct parts bytes_apart(const struct expansion *x, LLVMValueRef value, bool is_signed)
{
    LLVMBuilderRef b = x->builder;
    LLVMValueRef both = as_bits(x, value, 16), eight = all(LLVMTypeOf(both), 8);
    struct parts parts;
    if (is_signed) {
        parts.of[0] = LLVMBuildAShr(b, LLVMBuildShl(b, both, eight, ""), eight, "");
        parts.of[1] = LLVMBuildAShr(b, both, eight, "");
    } else {
        parts.of[0] = LLVMBuildAnd(b, both, all(LLVMTypeOf(both), 255), "");
        parts.of[1] = LLVMBuildLShr(b, both, eight, "");
    }
    for (unsigned k = 0; k < 2; k++)
        parts.of[k] = as_bits(x, parts.of[k], 32);
    return parts;
}

/* Of neighbours, which are added: no such sum leaves 32 bits. */
static LLVMValueRef multiply_halves(const struct expansion *x, LLVMValueRef a, LLVMValueRef b)
{
    const uint32_t lanes = x->product->lanes;
    const uint32_t most = x->machine->register_bits / 32, each = lanes < most ? lanes : most;
    const char *name = each == 16  ? "llvm.x86.avx512.pmaddw.d.512"
                       : each == 8 ? "llvm.x86.avx2.pmadd.wd"
                                   : "llvm.x86.sse2.pmadd.wd";
    LLVMValueRef parts[MOST_LANES / 4];
    for (uint32_t r = 0; r * each < lanes; r++) {
        LLVMValueRef args[] = {as_bits(x, chosen(x, a, a, r * each, 1, each), 16),
                               as_bits(x, chosen(x, b, b, r * each, 1, each), 16)};
        parts[r] = call(x, name, args, 2);
    }
    for (uint32_t width = each; width < lanes; width *= 2)
        for (uint32_t r = 0; r < lanes / width; r += 2)
            parts[r / 2] = chosen(x, parts[r], parts[r + 1], 0, 1, 2 * width);
    return parts[0];
}

static void by_halves(struct expansion *x, LLVMValueRef *a, LLVMValueRef *b, LLVMValueRef *sums)
{
    for (uint32_t k = 0; k < SL_MATRIX_WORDS; k++)
        x->b[k] = bytes_apart(x, b[k], x->product->b_signed);
    for (uint32_t m = 0; m < x->product->rows; m++) {
        struct parts row = bytes_apart(x, a[m], x->product->a_signed);
        for (uint32_t k = 0; k < 2 * SL_MATRIX_WORDS; k++) {
            LLVMValueRef word = splat(x, row.of[k % 2], k / 2);
            sums[m] = LLVMBuildAdd(x->builder, sums[m],
                                   multiply_halves(x, word, x->b[k / 2].of[k % 2]), "");
        }
    }
}

/* ---- floats ---------------------------------------------------------------------------------- */

static void by_bfloat_products(const struct expansion *x, LLVMValueRef *a, LLVMValueRef *b,
                               LLVMValueRef *sums)
{
    LLVMTypeRef bfloat = LLVMBFloatTypeInContext(x->context);
    const char *name =
        is_whole(x) ? "llvm.x86.avx512bf16.dpbf16ps.512" : "llvm.x86.avx512bf16.dpbf16ps.256";
    for (uint32_t m = 0; m < x->product->rows; m++)
        for (uint32_t k = 0; k < SL_MATRIX_WORDS; k++) {
            LLVMValueRef args[] = {sums[m], as(x, splat(x, a[m], k), bfloat, 16),
                                   as(x, b[k], bfloat, 16)};
            sums[m] = call(x, name, args, 3);
        }
}

/* Even and odd numbers as floats. */
static struct parts floats_apart(const struct expansion *x, LLVMValueRef value)
{
    LLVMBuilderRef b = x->builder;
    LLVMTypeRef real = LLVMFloatTypeInContext(x->context);
    LLVMTypeRef floats = LLVMVectorType(real, size_of(value));
    struct parts parts;
    if (x->product->number == SL_MATRIX_BFLOATS) {
        LLVMTypeRef type = LLVMTypeOf(value);
        parts.of[0] = LLVMBuildBitCast(b, LLVMBuildShl(b, value, all(type, 16), ""), floats, "");
        parts.of[1] =
            LLVMBuildBitCast(b, LLVMBuildAnd(b, value, all(type, 0xffff0000), ""), floats, "");
        return parts;
    }
    LLVMValueRef halves = as(x, value, LLVMHalfTypeInContext(x->context), 16);
    for (uint32_t k = 0; k < 2; k++)
        parts.of[k] = LLVMBuildFPExt(
            b, chosen(x, halves, LLVMGetPoison(LLVMTypeOf(halves)), k, 2, size_of(value)), floats,
            "");
    return parts;
}

/* A constant is shared, and has no flags. */
static void contract(LLVMValueRef value)
{
    if (LLVMIsAInstruction(value))
        LLVMSetFastMathFlags(value, LLVMFastMathAllowContract);
}

/* Products of two such numbers are exact, but for those of bfloat16 beyond the range of float: with
 * or without fused operations the sum is the same otherwise. */
static void by_floats(struct expansion *x, LLVMValueRef *a, LLVMValueRef *b, LLVMValueRef *sums)
{
    for (uint32_t k = 0; k < SL_MATRIX_WORDS; k++)
        x->b[k] = floats_apart(x, b[k]);
    for (uint32_t m = 0; m < x->product->rows; m++) {
        struct parts row = floats_apart(x, a[m]);
        for (uint32_t k = 0; k < 2 * SL_MATRIX_WORDS; k++) {
            LLVMValueRef times = LLVMBuildFMul(x->builder, splat(x, row.of[k % 2], k / 2),
                                               x->b[k / 2].of[k % 2], "");
            LLVMValueRef sum = LLVMBuildFAdd(x->builder, sums[m], times, "");
            contract(times);
            contract(sum);
            sums[m] = sum;
        }
    }
}

void sl_matrix_expand_floats(LLVMBuilderRef builder, uint32_t rows, LLVMValueRef *a,
                             LLVMValueRef *b, LLVMValueRef *sums)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(a[0]));
    LLVMTypeRef word = LLVMInt32TypeInContext(context);
    for (uint32_t k = 0; k < SL_MATRIX_FLOAT_TERMS; k++) {
        LLVMValueRef which[MOST_LANES];
        for (uint32_t lane = 0; lane < MOST_LANES; lane++)
            which[lane] = LLVMConstInt(word, k, false);
        for (uint32_t m = 0; m < rows; m++) {
            LLVMValueRef one =
                LLVMBuildShuffleVector(builder, a[m], LLVMGetPoison(LLVMTypeOf(a[m])),
                                       LLVMConstVector(which, MOST_LANES), "");
            LLVMValueRef times = LLVMBuildFMul(builder, one, b[k], "");
            LLVMValueRef sum = LLVMBuildFAdd(builder, sums[m], times, "");
            contract(times);
            contract(sum);
            sums[m] = sum;
        }
    }
}

void sl_matrix_expand(LLVMBuilderRef builder, const struct sl_matrix_machine *machine,
                      const struct sl_matrix_product *product, LLVMValueRef *a, LLVMValueRef *b,
                      LLVMValueRef *sums)
{
    LLVMModuleRef module =
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInsertBlock(builder)));
    struct expansion x = {.builder = builder,
                          .module = module,
                          .context = LLVMGetModuleContext(module),
                          .machine = machine,
                          .product = product};
    const bool bytes = product->number == SL_MATRIX_BYTES;
    if (bytes && machine->byte_products)
        by_byte_products(&x, a, b, sums);
    else if (bytes)
        by_halves(&x, a, b, sums);
    else if (product->number == SL_MATRIX_BFLOATS && machine->bfloat_products)
        by_bfloat_products(&x, a, b, sums);
    else
        by_floats(&x, a, b, sums);
}

/* ---- for later ------------------------------------------------------------------------------- */

#define POSTPONED "sl.matrix."

static LLVMValueRef declare(LLVMModuleRef module, const char *name, LLVMTypeRef type)
{
    static const char *const attributes[] = {"nounwind", "willreturn", "nofree", "nocallback",
                                             "memory"};
    LLVMValueRef f = LLVMGetNamedFunction(module, name);
    if (f)
        return f;
    f = LLVMAddFunction(module, name, type);
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(attributes[i], strlen(attributes[i]));
        LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(LLVMGetModuleContext(module), kind, 0));
    }
    return f;
}

void sl_matrix_postpone(LLVMBuilderRef builder, const struct sl_matrix_product *product,
                        LLVMValueRef *a, LLVMValueRef *b, LLVMValueRef *sums)
{
    LLVMModuleRef module =
        LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInsertBlock(builder)));
    LLVMValueRef operands[2 * SL_MATRIX_MOST_ROWS + SL_MATRIX_WORDS];
    LLVMTypeRef types[2 * SL_MATRIX_MOST_ROWS + SL_MATRIX_WORDS];
    const uint32_t rows = product->rows;
    unsigned count = 0;
    for (uint32_t m = 0; m < rows; m++)
        operands[count++] = a[m];
    for (uint32_t k = 0; k < SL_MATRIX_WORDS; k++)
        operands[count++] = b[k];
    for (uint32_t m = 0; m < rows; m++)
        operands[count++] = sums[m];
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(operands[i]);
    LLVMTypeRef type =
        LLVMFunctionType(LLVMArrayType2(LLVMTypeOf(sums[0]), rows), types, count, false);
    char name[64];
    snprintf(name, sizeof name, POSTPONED "%d%d%d.%u.%u", (int)product->number, product->a_signed,
             product->b_signed, rows, product->lanes);
    LLVMValueRef call =
        LLVMBuildCall2(builder, type, declare(module, name, type), operands, count, "");
    for (uint32_t m = 0; m < rows; m++)
        sums[m] = LLVMBuildExtractValue(builder, call, m, "");
}

bool sl_matrix_is_postponed(LLVMValueRef value, struct sl_matrix_product *product)
{
    size_t bytes;
    LLVMValueRef callee = LLVMIsACallInst(value) ? LLVMGetCalledValue(value) : NULL;
    const char *name = callee ? LLVMGetValueName2(callee, &bytes) : "";
    unsigned number, is_signed[2];
    if (strncmp(name, POSTPONED, sizeof POSTPONED - 1) != 0)
        return false;
    if (sscanf(name, POSTPONED "%1u%1u%1u.%u.%u", &number, &is_signed[0], &is_signed[1],
               &product->rows, &product->lanes) != 5)
        return false;
    product->number = (enum sl_matrix_number)number;
    product->a_signed = is_signed[0];
    product->b_signed = is_signed[1];
    return true;
}
