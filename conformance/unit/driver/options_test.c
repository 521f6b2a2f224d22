/* SPDX-License-Identifier: Apache-2.0 */
/* Build options: splitting and quoting, every row of the table, what each entry point refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "program/build/options.h"

static void expect(const char *text, unsigned where, const char *joined)
{
    struct sl_options options;
    char got[512] = "";
    assert_int_equal(sl_options_parse(text, where, &options), SL_OPTIONS_OK);
    for (uint32_t i = 0; i < options.count; i++) {
        strcat(got, i ? "|" : "");
        strcat(got, options.tokens[i]);
    }
    assert_string_equal(got, joined);
    sl_options_finish(&options);
}

static void refuse(const char *text, unsigned where, enum sl_options_result result)
{
    struct sl_options options;
    assert_int_equal(sl_options_parse(text, where, &options), result);
    assert_true(*options.why);
    sl_options_finish(&options);
}

static void test_splitting(void **state)
{
    (void)state;
    expect(NULL, SL_FOR_COMPILE, "");
    expect("", SL_FOR_COMPILE, "");
    expect(" \t\n ", SL_FOR_COMPILE, "");
    expect("-D A -DB=1  -D C=2 ", SL_FOR_COMPILE, "-DA|-DB=1|-DC=2");
    expect("-I /a -I/b", SL_FOR_COMPILE, "-I/a|-I/b");
    expect("-w\t-Werror\n-g", SL_FOR_COMPILE, "-w|-Werror|-g");
    expect("-D XM2S(x)=#x", SL_FOR_COMPILE, "-DXM2S(x)=#x");
    expect("-D -w", SL_FOR_COMPILE, "-D-w");
}

static void test_quoting(void **state)
{
    (void)state;
    expect("-D \"A=1 2\"", SL_FOR_COMPILE, "-DA=1 2");
    expect("-D'A=1 2'", SL_FOR_COMPILE, "-DA=1 2");
    expect("-DA=\"b c\"d", SL_FOR_COMPILE, "-DA=b cd");
    expect("-DS=\\\"text\\\"", SL_FOR_COMPILE, "-DS=\"text\"");
    expect("-DS=\"\\\"t t\\\"\"", SL_FOR_COMPILE, "-DS=\"t t\"");
    expect("-DS='\\n'", SL_FOR_COMPILE, "-DS=\\n");
    expect("-DS=\"\\n\\\\\"", SL_FOR_COMPILE, "-DS=\\n\\");
    expect("-I /with\\ space", SL_FOR_COMPILE, "-I/with space");
    expect("-I \"/it's\"", SL_FOR_COMPILE, "-I/it's");
    refuse("-D \"A=1", SL_FOR_COMPILE, SL_OPTIONS_INVALID);
    refuse("-w 'x", SL_FOR_COMPILE, SL_OPTIONS_INVALID);
}

static void test_refused(void **state)
{
    static const char *const texts[] = {
        "-cl-unknown",     "-x",   "x",    "-D", "-I", "-D \"\"",     "-Wl,-x",
        "-Wp,-DA",         "-O4",  "-O",   "-U", "-s", "-save-temps", "-std=c99",
        "-cl-mad-enable2", "-foo", "\"\"", "-"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        refuse(texts[i], SL_FOR_COMPILE, SL_OPTIONS_INVALID);
}

/* What the specification does not know and other drivers take. */
static void test_common(void **state)
{
    (void)state;
    expect("-U A -UB -O0 -O3", SL_FOR_COMPILE, "-UA|-UB|-O0|-O3");
    expect("-Wall -W -Wno-unused-variable -Werror=vla", SL_FOR_COMPILE,
           "-Wall|-W|-Wno-unused-variable|-Werror=vla");
    expect("-g -s \"/a b.cl\" -w", SL_FOR_COMPILE, "-g|-s=/a b.cl|-w");
    expect("-s /a.cl -gline-tables-only", SL_FOR_COMPILE, "-s=/a.cl|-gline-tables-only");
    expect("-x spir -spir-std=1.2 -w", SL_FOR_COMPILE, "-spir-std=1.2|-w");
    expect("-ze-intel-greater-than-4GB-buffer-required -w", SL_FOR_COMPILE, "-w");
    expect("-cl-intel-greater-than-4GB-buffer-required", SL_FOR_LINK, "");
    expect("-O2 -ze-opt-large-register-file -cl-intel-256-GRF-per-thread", SL_FOR_LINK, "-O2");
    refuse("-ze-intel-greater-than-4GB", SL_FOR_COMPILE, SL_OPTIONS_INVALID);
    expect("-O2", SL_FOR_LINK, "-O2");
    refuse("-U A", SL_FOR_LINK, SL_OPTIONS_INVALID);
}

static void test_standards(void **state)
{
    (void)state;
    expect("-cl-std=CL1.0", SL_FOR_COMPILE, "-cl-std=CL1.0");
    expect("-cl-std=CL1.1", SL_FOR_COMPILE, "-cl-std=CL1.1");
    expect("-cl-std=CL1.2 -w", SL_FOR_COMPILE, "-cl-std=CL1.2|-w");
    expect("-cl-std=CL3.0", SL_FOR_COMPILE, "-cl-std=CL3.0");
    expect("-cl-std=CL3.1", SL_FOR_COMPILE | SL_FOR_31, "-cl-std=CL3.1");
    refuse("-cl-std=CL3.1", SL_FOR_COMPILE | SL_FOR_GENERIC, SL_OPTIONS_UNSUPPORTED);
    refuse("-cl-std=CL3.1 -cl-std=CL3.0", SL_FOR_COMPILE, SL_OPTIONS_UNSUPPORTED);
    refuse("-cl-std=CL3.2", SL_FOR_COMPILE, SL_OPTIONS_INVALID);
    refuse("-cl-std=CL2.0", SL_FOR_COMPILE, SL_OPTIONS_UNSUPPORTED);
    refuse("-cl-std=CLC++", SL_FOR_COMPILE, SL_OPTIONS_UNSUPPORTED);
    refuse("-cl-std=CL9.9", SL_FOR_COMPILE, SL_OPTIONS_INVALID);
    refuse("-cl-std=", SL_FOR_COMPILE, SL_OPTIONS_INVALID);
}

/* Each row of options.def is accepted where it says and refused elsewhere. */
static void test_table(void **state)
{
    static const struct {
        const char *text, *how;
        unsigned where;
    } rows[] = {
#define SL_OPTION(text, how, where) {text, #how, where},
#include "program/build/options.def"
#undef SL_OPTION
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned where = SL_FOR_COMPILE; where <= SL_FOR_LINK; where *= 2) {
            struct sl_options options;
            char text[100];
            const char *value = !strcmp(rows[i].how, "VALUE")    ? "/v"
                                : !strcmp(rows[i].how, "STD")    ? "CL1.2"
                                : !strcmp(rows[i].how, "NAME")   ? " /v"
                                : !strcmp(rows[i].how, "UNUSED") ? " /v"
                                                                 : "";
            bool alone = strcmp(rows[i].text, "-enable-link-options");
            snprintf(text, sizeof text, "%s%s%s", alone ? "" : "-create-library ", rows[i].text,
                     value);
            assert_int_equal(sl_options_parse(text, where, &options),
                             rows[i].where & where ? SL_OPTIONS_OK : SL_OPTIONS_INVALID);
            sl_options_finish(&options);
        }
}

/* Devices with generic pointers take OpenCL C 2.0 and C++, others do not. */
static void test_version_2(void **state)
{
    (void)state;
    expect("-cl-std=CL2.0", SL_FOR_COMPILE | SL_FOR_GENERIC, "-cl-std=CL2.0");
    refuse("-cl-std=CL2.0", SL_FOR_COMPILE, SL_OPTIONS_UNSUPPORTED);
    refuse("-cl-std=CL2.1", SL_FOR_COMPILE | SL_FOR_GENERIC, SL_OPTIONS_INVALID);
    expect("-cl-std=CLC++", SL_FOR_COMPILE | SL_FOR_GENERIC, "-cl-std=CLC++");
    expect("-cl-std=CLC++1.0", SL_FOR_COMPILE | SL_FOR_GENERIC, "-cl-std=CLC++1.0");
    expect("-cl-std=CLC++2021", SL_FOR_COMPILE | SL_FOR_GENERIC, "-cl-std=CLC++2021");
    refuse("-cl-std=CLC++2021", SL_FOR_COMPILE, SL_OPTIONS_UNSUPPORTED);
    refuse("-cl-std=CLC++20", SL_FOR_COMPILE | SL_FOR_GENERIC, SL_OPTIONS_INVALID);
    refuse("-cl-std=clc++", SL_FOR_COMPILE | SL_FOR_GENERIC, SL_OPTIONS_INVALID);
}

static void test_libraries(void **state)
{
    struct sl_options options;
    (void)state;
    assert_int_equal(sl_options_parse("-create-library", SL_FOR_LINK, &options), SL_OPTIONS_OK);
    assert_true(options.create_library);
    sl_options_finish(&options);
    expect("-create-library -enable-link-options -cl-finite-math-only", SL_FOR_LINK,
           "-create-library|-enable-link-options|-cl-finite-math-only");
    refuse("-enable-link-options", SL_FOR_LINK, SL_OPTIONS_INVALID);
    refuse("-create-library -cl-finite-math-only", SL_FOR_LINK, SL_OPTIONS_INVALID);
}

static void test_anchor(void **state)
{
    struct sl_options options;
    (void)state;
    assert_int_equal(chdir("/usr"), 0);
    assert_int_equal(sl_options_parse("-I inc -I/abs -w", SL_FOR_COMPILE, &options), 0);
    assert_true(sl_options_anchor(&options, true));
    assert_int_equal(options.count, 4);
    assert_string_equal(options.tokens[0], "-I/usr/inc");
    assert_string_equal(options.tokens[1], "-I/abs");
    assert_string_equal(options.tokens[3], "-I/usr");
    sl_options_finish(&options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_splitting), cmocka_unit_test(test_quoting),
        cmocka_unit_test(test_refused),   cmocka_unit_test(test_common),
        cmocka_unit_test(test_standards), cmocka_unit_test(test_table),
        cmocka_unit_test(test_libraries), cmocka_unit_test(test_anchor),
        cmocka_unit_test(test_version_2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
