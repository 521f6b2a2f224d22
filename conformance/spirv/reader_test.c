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

/* With such words behind the module. The caller disposes of the message. */
static char *ir_before(const char *name, const uint32_t *behind, size_t behind_count)
{
    unsigned k = 0;
    while (k < spirv_case_count && strcmp(spirv_cases[k].name, name))
        k++;
    assert_true(k < spirv_case_count);
    char *text = spirv_case_text(&spirv_cases[k]);
    struct spirv_module words = spirv_assemble(text, spirv_cases[k].version);
    size_t count = words.count + behind_count;
    uint32_t *all = malloc(count * sizeof *all);
    assert_non_null(all);
    memcpy(all, words.words, words.count * sizeof *all);
    if (behind_count)
        memcpy(all + words.count, behind, behind_count * sizeof *all);
    struct sl_spirv_input input = {
        .bytes = all, .byte_count = count * sizeof *all, .name = name, .log = take_log};
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = sl_spirv_read(context, &input);
    assert_non_null(module);
    char *ir = LLVMPrintModuleToString(module);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    spirv_module_finish(&words);
    free(all);
    free(text);
    return ir;
}

static char *ir_of(const char *name)
{
    return ir_before(name, NULL, 0);
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

/* Behind the data of a library lies the header of its exception table. */
static void a_table_behind_is_no_part(void **state)
{
    static const uint32_t table[] = {0x3b031b01, 0x0000026c, 0x0000004c, 0xfd9e0020};
    static const char name[] = "a vector that bytes of zeros clear";
    (void)state;
    char *ir = ir_of(name), *before = ir_before(name, table, sizeof table / sizeof *table);
    assert_string_equal(before, ir);
    LLVMDisposeMessage(before);
    LLVMDisposeMessage(ir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(zeros_are_no_bytes),
                                       cmocka_unit_test(a_table_behind_is_no_part)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
