/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A vector of which only elements are used is loaded as these, in whatever order LLVM has their
 * uses (llvm/vector_scans.h). One thread.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Target.h>

#include "llvm/run_passes.h"

enum { LANES = 8 };

/* Each element's place is computed before the next one is taken, as for a row of atomics. */
static void write_text(char *text, size_t room, const char *order)
{
    int n = snprintf(text, room,
                     "target triple = \"x86_64-pc-linux-gnu\"\n"
                     "define void @f(ptr %%a, ptr %%t) {\n"
                     "  %%v = load <8 x i8>, ptr %%a, align 1\n");
    for (int k = 0; k < LANES; k++)
        n += snprintf(text + n, room - (size_t)n,
                      "  %%e%d = extractelement <8 x i8> %%v, i64 %d\n"
                      "  %%w%d = zext i8 %%e%d to i64\n"
                      "  %%p%d = getelementptr i32, ptr %%t, i64 %%w%d\n",
                      k, k, k, k, k, k);
    for (int k = 0; k < LANES; k++)
        n += snprintf(text + n, room - (size_t)n, "  store i32 %d, ptr %%p%d\n", k, k);
    n += snprintf(text + n, room - (size_t)n, "  ret void\n%s}\n", order);
    assert_in_range(n, 1, room - 1);
}

static LLVMTargetMachineRef new_machine(void)
{
    LLVMTargetRef target;
    char *error = NULL;
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    if (LLVMGetTargetFromTriple("x86_64-pc-linux-gnu", &target, &error))
        fail_msg("%s", error);
    return LLVMCreateTargetMachine(target, "x86_64-pc-linux-gnu", "x86-64-v4", "",
                                   LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelDefault);
}

static unsigned vector_loads(LLVMModuleRef module)
{
    unsigned count = 0;
    LLVMValueRef f = LLVMGetNamedFunction(module, "f");
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)); i;
         i = LLVMGetNextInstruction(i))
        count += LLVMIsALoadInst(i) && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind;
    return count;
}

static void check_order(const char *order)
{
    char text[4096], *error = NULL;
    LLVMContextRef context = LLVMContextCreate();
    LLVMTargetMachineRef machine = new_machine();
    LLVMModuleRef module;
    write_text(text, sizeof text, order);
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
    if (LLVMParseIRInContext(context, buffer, &module, &error))
        fail_msg("%s", error);
    assert_int_equal(vector_loads(module), 1);
    assert_null(sl_llvm_run_on_module(module, machine, "function(vector-combine)"));
    assert_int_equal(vector_loads(module), 0);
    LLVMDisposeModule(module);
    LLVMDisposeTargetMachine(machine);
    LLVMContextDispose(context);
}

static void last_first(void **state)
{
    (void)state;
    check_order("");
}

static void first_first(void **state)
{
    (void)state;
    check_order("  uselistorder <8 x i8> %v, { 7, 6, 5, 4, 3, 2, 1, 0 }\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(last_first),
        cmocka_unit_test(first_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
