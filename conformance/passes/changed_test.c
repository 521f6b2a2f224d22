/* SPDX-License-Identifier: Apache-2.0 */
/* Each kind of change of a function's body is seen, once, and of that function alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include <llvm-c/IRReader.h>

#include "passes/changed.h"

static const char text[] = "define i64 @f(i64 %a, i64 %b, i1 %c) {\n"
                           "entry:\n"
                           "  br i1 %c, label %one, label %two\n"
                           "one:\n"
                           "  %x = add i64 %a, %b\n"
                           "  br label %end\n"
                           "two:\n"
                           "  %y = sub i64 %a, %b\n"
                           "  br label %end\n"
                           "end:\n"
                           "  %p = phi i64 [ %a, %one ], [ %a, %two ]\n"
                           "  %q = mul i64 %p, %a\n"
                           "  ret i64 %q\n"
                           "}\n"
                           "define i64 @g(i64 %a) {\n"
                           "  ret i64 %a\n"
                           "}\n";

static LLVMContextRef context;
static LLVMModuleRef module;
static struct sl_changed changed;

static LLVMValueRef function(const char *name)
{
    return LLVMGetNamedFunction(module, name);
}

static int set_up(void **state)
{
    char *error = NULL;
    (void)state;
    context = LLVMContextCreate();
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
    if (LLVMParseIRInContext(context, buffer, &module, &error))
        fail_msg("%s", error);
    changed = (struct sl_changed){0};
    assert_true(sl_changed_since(&changed, function("f")));
    assert_true(sl_changed_since(&changed, function("g")));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sl_changed_finish(&changed);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return 0;
}

static LLVMBasicBlockRef block(unsigned number)
{
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function("f"));
    while (number--)
        b = LLVMGetNextBasicBlock(b);
    return b;
}

static void expect_change_of_f(void)
{
    assert_false(sl_changed_since(&changed, function("g")));
    assert_true(sl_changed_since(&changed, function("f")));
    assert_false(sl_changed_since(&changed, function("f")));
}

static void nothing(void **state)
{
    (void)state;
    assert_false(sl_changed_since(&changed, function("f")));
    assert_false(sl_changed_since(&changed, function("g")));
}

static void operands(void **state)
{
    (void)state;
    LLVMValueRef x = LLVMGetFirstInstruction(block(1));
    LLVMSetOperand(x, 1, LLVMGetOperand(x, 0));
    expect_change_of_f();
}

/* That change nothing but their order. */
static void swapped_operands(void **state)
{
    (void)state;
    LLVMValueRef y = LLVMGetFirstInstruction(block(2)), a = LLVMGetOperand(y, 0);
    LLVMSetOperand(y, 0, LLVMGetOperand(y, 1));
    LLVMSetOperand(y, 1, a);
    expect_change_of_f();
}

static void ways(void **state)
{
    (void)state;
    LLVMSetSuccessor(LLVMGetBasicBlockTerminator(block(0)), 0, block(2));
    expect_change_of_f();
}

/* The phi has the same values, in the same order, from other blocks. */
static void origins(void **state)
{
    (void)state;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMValueRef old = LLVMGetFirstInstruction(block(3)), a = LLVMGetIncomingValue(old, 0);
    LLVMPositionBuilderBefore(builder, old);
    LLVMValueRef phi = LLVMBuildPhi(builder, LLVMTypeOf(a), "r");
    LLVMBasicBlockRef one = block(1), two = block(2);
    LLVMAddIncoming(phi, &a, &one, 1);
    LLVMAddIncoming(phi, &a, &two, 1);
    expect_change_of_f();
    LLVMMoveBasicBlockBefore(two, one);
    expect_change_of_f();
    LLVMDisposeBuilder(builder);
}

static void new_and_gone(void **state)
{
    (void)state;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(block(3)));
    LLVMValueRef sum = LLVMBuildAdd(builder, LLVMGetParam(function("f"), 0),
                                    LLVMGetParam(function("f"), 1), "sum");
    expect_change_of_f();
    LLVMInstructionEraseFromParent(sum);
    expect_change_of_f();
    LLVMDisposeBuilder(builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(operands, set_up, tear_down),
        cmocka_unit_test_setup_teardown(swapped_operands, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ways, set_up, tear_down),
        cmocka_unit_test_setup_teardown(origins, set_up, tear_down),
        cmocka_unit_test_setup_teardown(new_and_gone, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
