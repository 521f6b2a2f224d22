/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the reader makes of the modules of spirv_cases.h, where values alone do not show it: IR that
 * later passes take minutes for, or make bytes of.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "spirv/spirv.h"
#include "spirv_cases.h"
#include "spirv_text.h"

static void take_log(void *data, const char *text, size_t bytes)
{
    (void)data;
    fail_msg("%.*s", (int)bytes, text);
}

/* The caller disposes of the message. */
static char *ir_of(const char *name)
{
    unsigned k = 0;
    while (k < spirv_case_count && strcmp(spirv_cases[k].name, name))
        k++;
    assert_true(k < spirv_case_count);
    char *text = spirv_case_text(&spirv_cases[k]);
    struct spirv_module words = spirv_assemble(text, spirv_cases[k].version);
    struct sl_spirv_input input = {
        .bytes = words.words, .byte_count = words.count * 4, .name = name, .log = take_log};
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = sl_spirv_read(context, &input);
    assert_non_null(module);
    char *ir = LLVMPrintModuleToString(module);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    spirv_module_finish(&words);
    free(text);
    return ir;
}

static unsigned count(const char *text, const char *what)
{
    unsigned n = 0;
    for (; (text = strstr(text, what)); text++)
        n++;
    return n;
}

/* A store of an array would be taken apart, and the vector beneath it become 16 bytes. */
static void zeros_are_no_bytes(void **state)
{
    (void)state;
    char *ir = ir_of("a vector that bytes of zeros clear");
    assert_int_equal(count(ir, "store [16 x i8]"), 0);
    assert_int_equal(count(ir, "call void @llvm.memset"), 2);
    LLVMDisposeMessage(ir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(zeros_are_no_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
