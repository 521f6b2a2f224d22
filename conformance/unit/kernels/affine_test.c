/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The affine analysis on functions written by hand: what each value does from item to item, along
 * each dimension, as certain and as likely. Ids are calls of @x, @y (64 bits) and @xi (32 bits of
 * dimension 0). One thread.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <llvm-c/IRReader.h>

#include "ir/affine/affine_modulo.h"
#include "ir/calls.h"

static LLVMContextRef context;
static LLVMModuleRef module;
static struct sl_affine affine;

static bool known(struct sl_affine *a, LLVMValueRef value, struct sl_shape *shape)
{
    static const struct id {
        const char *name;
        unsigned dimension;
        bool half;
    } ids[] = {{"x", 0, true}, {"y", 1, true}, {"xi", 0, false}};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (!strcmp(sl_callee_name(value), ids[i].name)) {
            *shape = ids[i].dimension == a->dimension ? sl_shape_linear(1, true, true)
                                                      : sl_shape_uniform();
            shape->low_half = ids[i].half && shape->kind == SL_SHAPE_LINEAR;
            return true;
        }
    return false;
}

static void open(const char *body)
{
    char text[8192], *error = NULL;
    int n = snprintf(text, sizeof text,
                     "declare i64 @x()\ndeclare i64 @y()\ndeclare i32 @xi()\n"
                     "declare i32 @llvm.smin.i32(i32, i32)\ndeclare i32 @f(i32)\n"
                     "declare i32 @llvm.umax.i32(i32, i32)\n"
                     "declare i32 @llvm.usub.sat.i32(i32, i32)\n"
                     "declare i32 @llvm.abs.i32(i32, i1)\n"
                     "define void @g(ptr %%p, i64 %%a, i32 %%b, i1 %%c) {\n"
                     "entry:\n %%x = call i64 @x()\n %%y = call i64 @y()\n %%i = call i32 @xi()\n"
                     "%s\n ret void\n}\n",
                     body);
    assert_in_range(n, 1, sizeof text - 1);
    context = LLVMContextCreate();
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
    if (LLVMParseIRInContext(context, buffer, &module, &error))
        fail_msg("%s\n%s", error, text);
}

static void close(void)
{
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
}

static LLVMValueRef value_named(const char *name)
{
    LLVMValueRef g = LLVMGetNamedFunction(module, "g");
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(g); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (!strcmp(LLVMGetValueName(i), name))
                return i;
    fail_msg("no value %s", name);
    return NULL;
}

static struct sl_shape shape_of(const char *name, unsigned dimension,
                                enum sl_affine_exactness exactness)
{
    affine = (struct sl_affine){.exactness = exactness,
                                .dimension = dimension,
                                .data = LLVMGetModuleDataLayout(module),
                                .items = 16,
                                .known = known};
    struct sl_shape shape = sl_affine_shape(&affine, value_named(name));
    sl_affine_finish(&affine);
    return shape;
}

/* Of "%v": what is so along dimension 0, as "uniform", "varying", or the stride and whether it
 * holds for signed and unsigned numbers ("4 nsw nuw"). */
static void expect(const char *body, enum sl_affine_exactness exactness, const char *is)
{
    char text[64];
    open(body);
    struct sl_shape s = shape_of("v", 0, exactness);
    if (s.kind == SL_SHAPE_LINEAR)
        snprintf(text, sizeof text, "%lld%s%s", (long long)s.stride, s.nsw ? " nsw" : "",
                 s.nuw ? " nuw" : "");
    else
        snprintf(text, sizeof text, "%s", s.kind == SL_SHAPE_UNIFORM ? "uniform" : "varying");
    close();
    if (strcmp(text, is) != 0)
        fail_msg("%s: %s, not %s", body, text, is);
}

struct row {
    const char *body, *proven, *likely; /* likely: without nsw and nuw, which a cost does not ask */
};

static void expect_rows(const struct row *rows, size_t count)
{
    for (size_t r = 0; r < count; r++) {
        expect(rows[r].body, SL_AFFINE_PROVEN, rows[r].proven);
        char likely[64];
        open(rows[r].body);
        struct sl_shape s = shape_of("v", 0, SL_AFFINE_LIKELY);
        close();
        snprintf(likely, sizeof likely, "%lld", (long long)s.stride);
        if (strcmp(s.kind == SL_SHAPE_UNIFORM   ? "uniform"
                   : s.kind == SL_SHAPE_VARYING ? "varying"
                                                : likely,
                   rows[r].likely) != 0)
            fail_msg("likely %s: %s, not %s", rows[r].body, likely, rows[r].likely);
    }
}

#define ROWS(name, ...)                                                                            \
    static void name(void **state)                                                                 \
    {                                                                                              \
        static const struct row rows[] = {__VA_ARGS__};                                            \
        (void)state;                                                                               \
        expect_rows(rows, sizeof rows / sizeof *rows);                                             \
    }

ROWS(sums, {"%v = add nsw i64 %x, %a", "1 nsw", "1"}, {"%v = add nuw i64 %a, %x", "1 nuw", "1"},
     {"%v = add i64 %x, 5", "1", "1"}, {"%v = sub nsw nuw i64 %a, %x", "-1 nsw nuw", "-1"},
     {"%v = sub i64 %x, %x", "uniform", "uniform"}, {"%v = add nsw i64 %x, %x", "2 nsw", "2"},
     {"%v = or disjoint i64 %x, %a", "1 nsw nuw", "1"}, {"%v = or i64 %x, %a", "varying", "1"},
     {"%v = xor i64 %x, -1", "-1 nsw", "-1"}, {"%v = xor i64 %x, 1", "varying", "varying"},
     {"%v = add i64 %y, %a", "uniform", "uniform"}, {"%v = add i64 %a, 3", "uniform", "uniform"})

ROWS(products, {"%v = mul nsw i64 %x, 12", "12 nsw", "12"},
     {"%v = mul nuw i64 %x, -3", "-3 nuw", "-3"},
     {"%v = shl nuw nsw i64 %x, 4", "16 nsw nuw", "16"},
     {"%v = mul i64 %x, %a", "varying", "varying"}, {"%v = mul i64 %x, 0", "uniform", "uniform"},
     {"%v = mul i64 %x, 2147483647", "2147483647", "2147483647"},
     {"%v = mul i64 %x, 2147483648", "varying", "varying"},
     {"%v = shl i64 %x, 62", "varying", "varying"},
     {"%w = mul i64 %x, 2147483647\n %u = mul i64 %w, 2147483647\n %v = add i64 %u, %u", "varying",
      "varying"},
     {"%v = udiv i64 %x, 2", "varying", "varying"}, {"%v = udiv i64 %a, 2", "uniform", "uniform"})

ROWS(casts, {"%v = trunc i64 %x to i32", "1 nsw nuw", "1"}, {"%v = trunc i64 %x to i16", "1", "1"},
     {"%w = add i64 %x, 1\n %v = trunc i64 %w to i32", "1", "1"},
     {"%v = sext i32 %i to i64", "1 nsw nuw", "1"},
     {"%w = add nsw i32 %i, %b\n %v = sext i32 %w to i64", "1 nsw", "1"},
     {"%w = add i32 %i, %b\n %v = sext i32 %w to i64", "varying", "1"},
     {"%w = add nsw i32 %i, %b\n %v = zext i32 %w to i64", "varying", "1"},
     {"%w = add nsw i32 %i, %b\n %v = zext nneg i32 %w to i64", "1 nsw nuw", "1"},
     {"%w = add nuw i32 %i, %b\n %v = zext i32 %w to i64", "1 nsw nuw", "1"},
     {"%w = shl i64 %x, 32\n %v = ashr i64 %w, 32", "1 nsw nuw", "1"},
     {"%w = shl i64 %x, 32\n %v = ashr i64 %w, 29", "8 nsw nuw", "8"},
     {"%u = add i64 %x, %a\n %w = shl i64 %u, 32\n %v = ashr i64 %w, 32", "varying", "1"},
     {"%v = and i64 %x, 4294967295", "1 nsw nuw", "1"},
     {"%v = and i64 %x, 255", "varying", "varying"}, {"%v = freeze i64 %x", "varying", "1"})

ROWS(addresses, {"%v = getelementptr float, ptr %p, i64 %x", "4", "4"},
     {"%v = getelementptr [7 x i16], ptr %p, i64 %a, i64 %x", "2", "2"},
     {"%v = getelementptr [7 x i16], ptr %p, i64 %x, i64 %x", "16", "16"},
     {"%v = getelementptr {i32, [3 x double]}, ptr %p, i64 %a, i32 1, i64 %x", "8", "8"},
     {"%v = getelementptr float, ptr %p, i32 %i", "4", "4"},
     {"%w = add i32 %i, %b\n %v = getelementptr float, ptr %p, i32 %w", "varying", "4"},
     {"%v = getelementptr float, ptr %p, i64 %a", "uniform", "uniform"},
     {"%w = getelementptr i8, ptr %p, i64 %x\n %u = mul i64 %x, -1\n"
      "%v = getelementptr i8, ptr %w, i64 %u",
      "uniform", "uniform"},
     {"%v = getelementptr [2147483648 x i8], ptr %p, i64 %x", "varying", "varying"})

ROWS(choices, {"%v = select i1 %c, i64 %x, i64 %a", "varying", "1"},
     {"%w = add nsw i64 %x, 1\n %v = select i1 %c, i64 %x, i64 %w", "1 nsw", "1"},
     {"%q = icmp eq i64 %x, 3\n %v = select i1 %q, i64 %x, i64 %x", "varying", "1"},
     {"%v = call i32 @llvm.smin.i32(i32 %i, i32 %b)", "varying", "1"},
     {"%v = call i32 @f(i32 %i)", "varying", "varying"},
     {"%v = call i32 @f(i32 %b)", "uniform", "uniform"},
     {"%w = getelementptr i32, ptr %p, i64 %x\n %v = load i32, ptr %w", "varying", "varying"})

#define LOOP(start, step)                                                                          \
    "br label %l\nl:\n %v = phi i64 [" start ", %entry], [%n, %l]\n %n = add i64 %v, " step        \
    "\n br i1 %c, label %l, label %e\ne:\n"

ROWS(counters, {LOOP("%x", "%a"), "varying", "1"}, {LOOP("%a", "1"), "varying", "uniform"},
     {LOOP("%a", "%x"), "varying", "varying"}, {LOOP("%x", "%x"), "varying", "varying"})

/* 16 items in a row go on in step, or the same, as long as nothing is met on the way. */
static void unless_something_is_met(void **state)
{
    static const struct {
        const char *body, *is;
    } rows[] = {
        {"%v = and i64 %x, 255", "1"},
        {"%v = and i64 %x, 15", "1"},
        {"%v = and i64 %x, 7", "varying"},
        {"%v = and i64 %x, -16", "0"},
        {"%v = and i64 %x, -8", "varying"},
        {"%v = and i64 %x, %a", "1"},
        {"%n = sub i64 0, %a\n %v = and i64 %n, %x", "0"},
        {"%v = lshr i64 %x, 4", "0"},
        {"%v = lshr i64 %x, 3", "varying"},
        {"%w = mul i64 %x, 24\n %v = udiv i64 %w, 8", "3"},
        {"%v = udiv i64 %x, %a", "0"},
        {"%v = udiv i64 %x, 16", "0"},
        {"%v = sdiv i64 %x, 15", "varying"},
        {"%v = urem i64 %x, %a", "1"},
        {"%n = sub i64 %a, %x\n %v = urem i64 %n, %a", "varying"},
        {"%w = urem i64 %x, %a\n %v = mul i64 %w, 1073741825", "varying"},
        {"%w = urem i64 %x, %a\n %v = mul i64 %w, %x", "varying"},
        {"%w = urem i64 %x, %a\n %u = udiv i64 %x, %a\n %z = mul i64 %u, %a\n"
         "%v = add i64 %w, %z",
         "1"},
        {"%w = add i32 %i, %b\n %v = sext i32 %w to i64", "1"},
        {"%v = call i32 @llvm.smin.i32(i32 %i, i32 %b)", "1"},
        {"%v = call i32 @llvm.umax.i32(i32 %b, i32 %i)", "1"},
        {"%v = call i32 @llvm.usub.sat.i32(i32 %i, i32 %b)", "1"},
        {"%v = call i32 @llvm.usub.sat.i32(i32 %b, i32 %i)", "varying"},
        {"%v = call i32 @llvm.abs.i32(i32 %i, i1 false)", "1"},
        {"%v = call i32 @llvm.smin.i32(i32 %i, i32 %i)", "varying"},
        {"%q = icmp slt i64 %x, %a\n %v = select i1 %q, i64 %x, i64 0", "1"},
        {"%q = icmp eq i64 %x, 3\n %v = select i1 %q, i64 %a, i64 %x", "1"},
        {"%q = icmp eq i64 %x, 3\n %v = select i1 %q, i64 %x, i64 %a", "varying"},
        {"%v = select i1 %c, i64 %a, i64 %x", "1"},
        {"%w = and i64 %x, 255\n %v = getelementptr [4 x float], ptr %p, i64 %w, i64 %w", "20"},
        {"%w = and i32 %i, 255\n %v = getelementptr float, ptr %p, i32 %w", "varying"},
        {"%w = getelementptr i64, ptr %p, i64 %x\n %v = load i64, ptr %w", "varying"},
        {LOOP("%x", "1"), "varying"},
        {"%v = add i64 %y, %a", "uniform"},
    };
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        expect(rows[r].body, SL_AFFINE_GUARDED, rows[r].is);
}

/* What was found while a phi was taken for what it is not is forgotten. */
static void nothing_wrong_is_kept(void **state)
{
    (void)state;
    open("%z = mul i64 %x, 2\n br label %l\n"
         "l:\n %v = phi i64 [%x, %entry], [%u, %l]\n %w = add i64 %v, 1\n"
         " %s = select i1 %c, i64 %w, i64 %w\n %u = add i64 %s, %z\n br i1 %c, label %l, label %e\n"
         "e:\n");
    affine = (struct sl_affine){.exactness = SL_AFFINE_LIKELY, .known = known};
    assert_int_equal(sl_affine_shape(&affine, value_named("v")).kind, SL_SHAPE_VARYING);
    assert_int_equal(sl_affine_shape(&affine, value_named("w")).kind, SL_SHAPE_VARYING);
    assert_int_equal(sl_affine_shape(&affine, value_named("u")).kind, SL_SHAPE_VARYING);
    assert_int_equal(sl_affine_shape(&affine, value_named("z")).stride, 2);
    sl_affine_finish(&affine);
    close();
}

static void each_dimension_has_its_own_strides(void **state)
{
    (void)state;
    open("%w = mul i64 %y, 640\n %u = add i64 %w, %x\n"
         "%v = getelementptr float, ptr %p, i64 %u");
    assert_int_equal(shape_of("v", 0, SL_AFFINE_PROVEN).stride, 4);
    assert_int_equal(shape_of("v", 1, SL_AFFINE_PROVEN).stride, 2560);
    assert_int_equal(shape_of("v", 2, SL_AFFINE_PROVEN).kind, SL_SHAPE_UNIFORM);
    close();
}

/* Elements of a private array may be as many apart as there are lanes. */
static void arrays_of_items(void **state)
{
    (void)state;
    open("%v = getelementptr float, ptr %p, i64 %x");
    affine = (struct sl_affine){
        .data = LLVMGetModuleDataLayout(module), .known = known, .element_stride = 16};
    assert_int_equal(sl_affine_shape(&affine, value_named("v")).stride, 64);
    sl_affine_finish(&affine);
    close();
}

/* However deep, it ends, and errs towards "varying". Sums of a value with itself double it. */
static void deep_sums(void **state)
{
    char body[2048] = "%v0 = add i64 %x, 0\n";
    (void)state;
    for (unsigned k = 1; k <= 60; k++)
        snprintf(body + strlen(body), sizeof body - strlen(body), "%%v%u = add i64 %%v%u, %%v%u\n",
                 k, k - 1, k - 1);
    open(body);
    assert_int_equal(shape_of("v30", 0, SL_AFFINE_PROVEN).stride, INT64_C(1) << 30);
    assert_int_equal(shape_of("v60", 0, SL_AFFINE_PROVEN).kind, SL_SHAPE_VARYING);
    close();
}

/* Each phi is one of the two below it, or what the first of all is not: all that is assumed on the
 * way down is wrong, and twice at each level. */
static void deep_phis(void **state)
{
    enum { LEVELS = 44 };
    char body[6144] = "%d = add i64 %x, %x\nswitch i32 %b, label %b0 [ ";
    (void)state;
    for (unsigned k = 1; k <= LEVELS; k++)
        snprintf(body + strlen(body), sizeof body - strlen(body), "i32 %u, label %%b%u ", k, k);
    strcat(body, "i32 -1, label %z ]\nz: br label %b44\n");
    strcat(body,
           "b44: %v44 = phi i64 [ %x, %entry ], [ %d, %z ]\nbr i1 %c, label %b43, label %b42\n"
           "b43: %v43 = phi i64 [ %x, %entry ], [ %v44, %b44 ]\n"
           "br i1 %c, label %b42, label %b41\n");
    for (unsigned k = LEVELS - 2; k > 1; k--)
        snprintf(body + strlen(body), sizeof body - strlen(body),
                 "b%u: %%v%u = phi i64 [ %%x, %%entry ], [ %%v%u, %%b%u ], [ %%v%u, %%b%u ]\n"
                 "br i1 %%c, label %%b%u, label %%b%u\n",
                 k, k, k + 1, k + 1, k + 2, k + 2, k - 1, k - 2);
    strcat(body, "b1: %v1 = phi i64 [ %x, %entry ], [ %v2, %b2 ], [ %v3, %b3 ]\n br label %b0\n"
                 "b0: %v0 = phi i64 [ %x, %entry ], [ %v1, %b1 ], [ %v2, %b2 ]\n");
    open(body);
    assert_int_equal(shape_of("v0", 0, SL_AFFINE_LIKELY).kind, SL_SHAPE_VARYING);
    close();
}

static bool is_sum(LLVMValueRef i)
{
    return LLVMGetInstructionOpcode(i) == LLVMAdd;
}

/* Only some instructions may be linear, and only so many on the way, whichever way is first. */
static void limits_of_who_asks(void **state)
{
    (void)state;
    open("%w = mul i64 %x, 1\n %v = add i64 %w, %a\n %m = mul i64 %a, %y\n"
         "%s = add i64 %x, 1\n %t = add i64 %s, 1\n %u = add i64 %t, 1\n %z = add i64 %t, %t\n");
    affine = (struct sl_affine){.known = known, .may_count = is_sum};
    assert_int_equal(sl_affine_shape(&affine, value_named("v")).kind, SL_SHAPE_VARYING);
    assert_int_equal(sl_affine_shape(&affine, value_named("m")).kind, SL_SHAPE_UNIFORM);
    sl_affine_finish(&affine);
    affine = (struct sl_affine){.known = known, .deepest = 2};
    assert_int_equal(sl_affine_shape(&affine, value_named("t")).stride, 1);
    assert_int_equal(sl_affine_shape(&affine, value_named("u")).kind, SL_SHAPE_VARYING);
    assert_int_equal(sl_affine_shape(&affine, value_named("z")).kind, SL_SHAPE_VARYING);
    assert_int_equal(sl_affine_shape(&affine, value_named("s")).stride, 1);
    sl_affine_finish(&affine);
    close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums),
        cmocka_unit_test(products),
        cmocka_unit_test(casts),
        cmocka_unit_test(addresses),
        cmocka_unit_test(choices),
        cmocka_unit_test(counters),
        cmocka_unit_test(unless_something_is_met),
        cmocka_unit_test(nothing_wrong_is_kept),
        cmocka_unit_test(each_dimension_has_its_own_strides),
        cmocka_unit_test(arrays_of_items),
        cmocka_unit_test(deep_sums),
        cmocka_unit_test(deep_phis),
        cmocka_unit_test(limits_of_who_asks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
