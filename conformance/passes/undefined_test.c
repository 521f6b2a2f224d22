/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The check of the passes (passes/undefined.h) finds what a wrong pass would do, here done by hand
 * to functions of a few lines, and says nothing of right ones nor of what the program left
 * undefined itself. One thread.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <llvm-c/IRReader.h>

#include "ir/emit.h"
#include "passes/undefined.h"

static struct sl_pass pass;
static struct sl_undefined undefined;
static struct sl_emit emit;

static void open(const char *body)
{
    char text[1024], *error = NULL;
    int n = snprintf(text, sizeof text,
                     "declare void @use(ptr)\n"
                     "declare void @llvm.lifetime.start.p0(ptr)\n"
                     "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
                     "define i64 @f(i64 %%a, i1 %%c, ptr %%p) {\n%s}\n",
                     body);
    assert_in_range(n, 1, sizeof text - 1);
    pass = (struct sl_pass){.context = LLVMContextCreate()};
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
    if (LLVMParseIRInContext(pass.context, buffer, &pass.module, &error))
        fail_msg("%s", error);
    sl_emit_init(&emit, pass.context);
    sl_undefined_begin(&undefined, &pass);
}

/* Takes the module back; words NULL: the check was silent. */
static void expect(const char *words)
{
    struct sl_list functions = {0};
    sl_list_add(&functions, LLVMGetNamedFunction(pass.module, "f"));
    int rc = sl_undefined_check(&undefined, &functions, "breaking");
    sl_list_finish(&functions);
    assert_int_equal(rc, words ? -1 : 0);
    if (words)
        assert_string_equal(pass.error, words);
    free(pass.error);
    sl_undefined_finish(&undefined);
    sl_emit_finish(&emit);
    LLVMDisposeModule(pass.module);
    LLVMContextDispose(pass.context);
}

static LLVMValueRef function(void)
{
    return LLVMGetNamedFunction(pass.module, "f");
}

/* The n-th instruction with this opcode. */
static LLVMValueRef find(LLVMOpcode opcode, int n)
{
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function());
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMGetInstructionOpcode(i) == opcode && !n--)
                return i;
    fail();
    return NULL;
}

static LLVMValueRef add_own(void)
{
    return sl_emit_entry_alloca(&emit, function(), emit.i64, 8, "own");
}

static void store_before(LLVMValueRef place, LLVMValueRef variable)
{
    LLVMPositionBuilderBefore(emit.builder, place);
    LLVMBuildStore(emit.builder, sl_emit_i64(&emit, 1), variable);
}

static void load_before(LLVMValueRef place, LLVMValueRef variable)
{
    LLVMPositionBuilderBefore(emit.builder, place);
    LLVMBuildLoad2(emit.builder, emit.i64, variable, "");
}

static const char straight[] = "  %v = alloca i64\n"
                               "  store i64 %a, ptr %v\n"
                               "  %x = load i64, ptr %v\n"
                               "  ret i64 %x\n";
static const char branch[] = "  %v = alloca i64\n"
                             "  br i1 %c, label %yes, label %no\n"
                             "yes:\n"
                             "  store i64 %a, ptr %v\n"
                             "  br label %no\n"
                             "no:\n"
                             "  %x = load i64, ptr %v\n"
                             "  ret i64 %x\n";
static const char loop[] = "  %v = alloca i64\n"
                           "  store i64 %a, ptr %v\n"
                           "  br label %again\n"
                           "again:\n"
                           "  %x = load i64, ptr %v\n"
                           "  store i64 7, ptr %v\n"
                           "  br i1 %c, label %again, label %out\n"
                           "out:\n"
                           "  ret i64 %x\n";

#define OWN "internal error: breaking reads 'own' of 'f' before it is written"
#define PROGRAMS "internal error: breaking reads 'v' of 'f' before it is written"

/* ---- variables of passes --------------------------------------------------------------------- */

static void own_written_first(void **state)
{
    (void)state;
    open(straight);
    LLVMValueRef own = add_own(), end = find(LLVMRet, 0);
    store_before(end, own);
    load_before(end, own);
    expect(NULL);
}

static void own_written_behind(void **state)
{
    (void)state;
    open(straight);
    LLVMValueRef own = add_own(), end = find(LLVMRet, 0);
    load_before(end, own);
    store_before(end, own);
    expect(OWN);
}

static void own_written_on_one_way(void **state)
{
    (void)state;
    open(branch);
    LLVMValueRef own = add_own();
    store_before(find(LLVMStore, 0), own);
    load_before(find(LLVMRet, 0), own);
    expect(OWN);
}

static void own_written_in_loop(void **state)
{
    (void)state;
    open(loop);
    LLVMValueRef own = add_own();
    load_before(find(LLVMStore, 1), own);
    store_before(find(LLVMStore, 1), own);
    expect(OWN);
    open(loop);
    own = add_own();
    store_before(find(LLVMLoad, 0), own);
    load_before(find(LLVMRet, 0), own);
    expect(NULL);
}

/* ---- variables of the program ---------------------------------------------------------------- */

static void moved_store(void **state)
{
    (void)state;
    open(straight);
    LLVMValueRef store = find(LLVMStore, 0);
    LLVMInstructionRemoveFromParent(store);
    LLVMPositionBuilderBefore(emit.builder, find(LLVMRet, 0));
    LLVMInsertIntoBuilder(emit.builder, store);
    expect(PROGRAMS);
}

static void dropped_store(void **state)
{
    (void)state;
    open(loop);
    LLVMInstructionEraseFromParent(find(LLVMStore, 1)); /* in the loop: nothing is lost */
    expect(NULL);
    open(loop);
    LLVMInstructionEraseFromParent(find(LLVMStore, 0)); /* some way still has one */
    expect(NULL);
    open(straight);
    LLVMInstructionEraseFromParent(find(LLVMStore, 0));
    expect(PROGRAMS);
}

/* What the program reads before it may have written it is its own affair, also in parts of code. */
static void undefined_in_program(void **state)
{
    (void)state;
    open(branch);
    LLVMInstructionEraseFromParent(find(LLVMStore, 0));
    expect(NULL);
    open("  %v = alloca i64\n  %x = load i64, ptr %v\n  ret i64 %x\n");
    expect(NULL);
    open("  %v = alloca i64\n"
         "  store i64 1, ptr %v\n"
         "  call void @llvm.lifetime.start.p0(ptr %v)\n"
         "  %x = load i64, ptr %v\n"
         "  ret i64 %x\n");
    expect(NULL);
}

/* Parts, and uses that nobody follows. */
static void not_understood(void **state)
{
    static const char *const bodies[] = {
        "  %v = alloca [2 x i64]\n"
        "  store i64 1, ptr %v\n"
        "  %q = getelementptr i64, ptr %v, i64 1\n"
        "  %x = load i64, ptr %q\n"
        "  ret i64 %x\n",
        "  %v = alloca i64\n"
        "  call void @use(ptr %v)\n"
        "  %x = load i64, ptr %v\n"
        "  ret i64 %x\n",
        "  %v = alloca i64\n"
        "  call void @llvm.memcpy.p0.p0.i64(ptr %v, ptr %p, i64 8, i1 false)\n"
        "  %x = load i64, ptr %v\n"
        "  ret i64 %x\n",
        "  %v = alloca i64\n"
        "  %q = select i1 %c, ptr %v, ptr %p\n"
        "  %x = load i64, ptr %q\n"
        "  ret i64 %x\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        open(bodies[i]);
        expect(NULL);
    }
}

/* A copy has its original's number; one of a pass's is a pass's. */
static void copies(void **state)
{
    (void)state;
    open(straight);
    LLVMValueRef own = add_own(), end = find(LLVMRet, 0);
    LLVMValueRef copy = sl_emit_entry_copy(&emit, function(), emit.i64, 8, "copy", own);
    load_before(end, copy);
    expect("internal error: breaking reads 'copy' of 'f' before it is written");
    open(straight);
    copy = sl_emit_entry_copy(&emit, function(), emit.i64, 8, "copy", find(LLVMAlloca, 0));
    load_before(find(LLVMRet, 0), copy);
    expect(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_written_first),
        cmocka_unit_test(own_written_behind),
        cmocka_unit_test(own_written_on_one_way),
        cmocka_unit_test(own_written_in_loop),
        cmocka_unit_test(moved_store),
        cmocka_unit_test(dropped_store),
        cmocka_unit_test(undefined_in_program),
        cmocka_unit_test(not_understood),
        cmocka_unit_test(copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
