/* SPDX-License-Identifier: Apache-2.0 */
/* Functions whose loops have addresses that are long sums of clamps, and others. One thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <llvm-c/IRReader.h>

#include "llvm/loops/memory/long_addresses.h"

static char text[1 << 17];

static int begin(int clamps)
{
    int n = sprintf(text, "declare i64 @llvm.umin.i64(i64, i64)\n"
                          "define void @f(ptr %%a, i64 %%s0, i64 %%m, i64 %%n) {\nentry:\n");
    for (int c = 0; c < clamps; c++)
        n += sprintf(text + n,
                     " %%d%d = udiv i64 %%s%d, %%m\n %%t%d = add i64 %%s%d, %%d%d\n"
                     " %%s%d = call i64 @llvm.umin.i64(i64 %%t%d, i64 %%n)\n",
                     c, c, c, c, c, c + 1, c);
    return n + sprintf(text + n, " br label %%l0\n");
}

/* Value or block NAME of loop `l`, with what is between. */
static int put(char *at, int l, const char *line)
{
    int n = 0;
    for (; *line; line++)
        n += *line == '#' ? sprintf(at + n, "%d", l) : sprintf(at + n, "%c", *line);
    return n;
}

/* One loop behind the other, each over what lies from the last clamp on. */
static void write_function(int clamps, int loops)
{
    int n = begin(clamps);
    for (int l = 0; l < loops; l++) {
        n += put(text + n, l, "l#:\n %i# = phi i64 [ 0, %");
        n += l ? put(text + n, l - 1, "e#") : sprintf(text + n, "entry");
        n += put(text + n, l, " ], [ %j#, %l# ]\n %x# = add i64 %i#, %s");
        n += put(text + n, clamps, "#\n");
        n +=
            put(text + n, l,
                " %p# = getelementptr i32, ptr %a, i64 %x#\n %v# = load i32, ptr %p#\n"
                " %w# = mul i32 %v#, 7\n store i32 %w#, ptr %p#\n %j# = add i64 %i#, 1\n"
                " %c# = icmp ult i64 %j#, %m\n br i1 %c#, label %l#, label %e#\ne#:\n br label %l");
        n += put(text + n, l + 1, "#\n");
    }
    n += put(text + n, loops, "l#:\n ret void\n}\n");
}

static bool is_long(int clamps, int loops)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module;
    char *error = NULL;
    write_function(clamps, loops);
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
    if (LLVMParseIRInContext(context, buffer, &module, &error))
        fail_msg("%s", error);
    bool answer = sl_llvm_has_long_addresses(LLVMGetNamedFunction(module, "f"));
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return answer;
}

static void long_where_a_clamp_follows_the_other(void **state)
{
    (void)state;
    assert_true(is_long(8, 70));
    assert_true(is_long(12, 70)); /* more terms than anybody counts */
}

static void not_long_with_few_clamps_or_in_short_functions(void **state)
{
    (void)state;
    assert_false(is_long(0, 70));
    assert_false(is_long(2, 70));
    assert_false(is_long(12, 30));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_where_a_clamp_follows_the_other),
        cmocka_unit_test(not_long_with_few_clamps_or_in_short_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
