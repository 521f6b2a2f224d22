/* SPDX-License-Identifier: Apache-2.0 */
/* Channels and pipes across separately compiled objects and libraries. */
#include "flow.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define CHANNEL "channel uint c __attribute__((depth(4)));\n"
static const char src[] =
    CHANNELS CHANNEL "kernel void src(global uint *o, uint n) {\n"
                     "    for (uint i = 0; i < n; i++) write_channel_intel(c, i);\n"
                     "}\n";
static const char dst[] =
    CHANNELS CHANNEL "kernel void dst(global uint *o, uint n) {\n"
                     "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(c);\n"
                     "}\n";

static cl_program compiled_with(const char *options, const char *source)
{
    cl_program program = new_program(source);
    cl_int rc = clCompileProgram(program, 1, &cl.device, options, 0, NULL, NULL, NULL, NULL);
    char *log = build_log(program);
    if (rc)
        check_fail(__FILE__, __LINE__, "compile: %s\n%.1500s", code_name(rc), log);
    free(log);
    REQUIRE(!rc);
    return program;
}

static cl_program compiled(const char *source)
{
    return compiled_with("", source);
}

static cl_program linked(const char *options, cl_program a, cl_program b)
{
    cl_int rc;
    cl_program parts[] = {a, b};
    cl_program program =
        clLinkProgram(cl.context, 1, &cl.device, options, b ? 2 : 1, parts, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    return program;
}

static void two_objects(void)
{
    cl_program a = compiled(src), b = compiled(dst), program = linked("", a, b);
    RELEASE_PROGRAM(a);
    RELEASE_PROGRAM(b);
    program_expect(program, "src dst", 1000, want_same);
    RELEASE_PROGRAM(program);
}

static void with_a_library(void)
{
    cl_program a = compiled(src), b = compiled(dst);
    cl_program library = linked("-create-library", b, NULL);
    cl_program program = linked("", a, library);
    RELEASE_PROGRAM(a);
    RELEASE_PROGRAM(b);
    RELEASE_PROGRAM(library);
    program_expect(program, "src dst", 1000, want_same);
    RELEASE_PROGRAM(program);
}

/* A helper of one object works on the channel of a kernel in the other. */
static void helper_in_the_other_object(void)
{
    static const char user[] = CHANNELS CHANNEL
        "void put(uint v);\n"
        "kernel void src(global uint *o, uint n) { for (uint i = 0; i < n; i++) put(i); }\n"
        "kernel void dst(global uint *o, uint n) {\n"
        "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(c);\n"
        "}\n";
    static const char helper[] =
        CHANNELS CHANNEL "void put(uint v) { write_channel_intel(c, v); }\n";
    cl_program a = compiled(user), b = compiled(helper), program = linked("", a, b);
    program_expect(program, "src dst", 500, want_same);
    RELEASE_PROGRAM(a);
    RELEASE_PROGRAM(b);
    RELEASE_PROGRAM(program);
}

/* The same objects linked twice: two designs with channels of their own. */
static void linked_twice(void)
{
    cl_program a = compiled(src), b = compiled(dst);
    cl_program first = linked("", a, b), second = linked("", a, b);
    program_expect(first, "src dst", 300, want_same);
    program_expect(second, "dst src", 300, want_same);
    RELEASE_PROGRAM(a);
    RELEASE_PROGRAM(b);
    RELEASE_PROGRAM(first);
    RELEASE_PROGRAM(second);
}

/* What debuggers go by: a program of pipes drops the lines that only its messages need. */
static bool has_lines(cl_program program)
{
    size_t bytes = 0;
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    unsigned char *binary = malloc(bytes + 1);
    REQUIRE(binary);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    bool has = memmem(binary, bytes, ".debug_line", sizeof ".debug_line") != NULL;
    free(binary);
    return has;
}

static void lines_for_debuggers(void)
{
    for (int debug = 0; debug < 2; debug++) {
        cl_program a = compiled_with(debug ? "-g" : "", src), b = compiled(dst);
        cl_program library = linked("-create-library", a, NULL);
        cl_program programs[] = {linked("", a, b), linked("", b, a), linked("", b, library)};
        for (int i = 0; i < 3; i++) {
            CHECK_EQ(has_lines(programs[i]), debug);
            RELEASE_PROGRAM(programs[i]);
        }
        RELEASE_PROGRAM(library);
        RELEASE_PROGRAM(a);
        RELEASE_PROGRAM(b);
    }
}

/* ---- what does not fit together -------------------------------------------------------------- */

static void link_fails(const char *one, const char *other, const char *const *words)
{
    cl_int rc;
    cl_program parts[] = {compiled(one), compiled(other)};
    cl_program program = clLinkProgram(cl.context, 1, &cl.device, "", 2, parts, NULL, NULL, &rc);
    CHECK_EQ(rc, CL_LINK_PROGRAM_FAILURE);
    if (program) {
        char *log = build_log(program);
        for (; *words; words++)
            if (!strstr(log, *words))
                check_fail(__FILE__, __LINE__, "the log lacks \"%s\":\n%.1500s", *words, log);
        free(log);
        RELEASE_PROGRAM(program);
    }
    RELEASE_PROGRAM(parts[0]);
    RELEASE_PROGRAM(parts[1]);
}

#define READER(decl)                                                                               \
    CHANNELS decl "kernel void dst(global uint *o, uint n) { *o = (uint)read_channel_intel(c); "   \
                  "}\n"

static void mismatches(void)
{
    if (!is_sluice())
        check_skip("not refused");
    link_fails(src, READER("channel ulong c __attribute__((depth(4)));\n"), WORDS("'c'"));
    link_fails(CHANNELS "channel uint c __attribute__((io(\"a\")));\n"
                        "kernel void src(void) { write_channel_intel(c, 1); }\n",
               CHANNELS "channel uint c __attribute__((io(\"b\")));\n",
               WORDS("'c'", "io \"a\" at", "io \"b\" at"));
    link_fails(CHANNELS "channel uint c __attribute__((io(\"a\")));\n"
                        "kernel void src(void) { write_channel_intel(c, 1); }\n",
               CHANNELS HOST_PIPES "channel uint c __attribute__((intel_host_accessible));\n",
               WORDS("'c'", "the host's at", "an I/O peripheral's at"));
    link_fails(src,
               CHANNELS "channel uint c[2] __attribute__((depth(4)));\n"
                        "kernel void dst(global uint *o) { *o = read_channel_intel(c[1]); }\n",
               WORDS("'c'"));
}

#define EXTERN_USER                                                                                \
    CHANNELS "extern channel uint c;\n"                                                            \
             "kernel void src(global uint *o, uint n) {\n"                                         \
             "    for (uint i = 0; i < n; i++) write_channel_intel(c, i);\n"                       \
             "}\n"

/* As a variable in C: one object has it, whoever uses it. */
static void extern_without_definition(void)
{
    static const char unused[] =
        CHANNELS "extern channel uint nobodys;\n" CHANNEL
                 "kernel void src(global uint *o, uint n) { write_channel_intel(c, 1); }\n"
                 "kernel void dst(global uint *o) { *o = read_channel_intel(c); }\n";
    if (!is_sluice())
        check_skip("not refused");
    link_fails(EXTERN_USER, READER("extern channel uint c;\n"),
               WORDS("error: the channel 'c' is extern, and no object"));
    cl_program program = new_program(EXTERN_USER READER(""));
    CHECK_EQ(clBuildProgram(program, 1, &cl.device, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    char *log = build_log(program);
    if (!strstr(log, ":2: error: the channel 'c' is extern"))
        check_fail(__FILE__, __LINE__, "the log lacks the channel and its line:\n%.1500s", log);
    free(log);
    RELEASE_PROGRAM(program);
    program = built(unused, "");
    RELEASE_PROGRAM(program);
    cl_program parts[] = {compiled(EXTERN_USER), compiled(READER("channel uint c;\n"))};
    program = linked("", parts[0], parts[1]);
    RELEASE_PROGRAM(program);
    RELEASE_PROGRAM(parts[0]);
    RELEASE_PROGRAM(parts[1]);
}

static cl_uint six_at_first(cl_uint i)
{
    return i ? 0 : 6;
}

/* Attributes count in whichever object they are written, as in one file. */
static void attributes_in_one_object(void)
{
    static const char *const orders[][2] = {
        {"channel uint c __attribute__((depth(6)));\n", "extern channel uint c;\n"},
        {"channel uint c;\n", "channel uint c __attribute__((depth(6)));\n"},
        {"channel uint c __attribute__((depth(6)));\n",
         "channel uint c __attribute__((depth(0)));\n"},
        /* room for so many at least: the greatest does for all */
        {"channel uint c __attribute__((depth(6)));\n",
         "channel uint c __attribute__((depth(4)));\n"},
        {"channel uint c __attribute__((depth(4)));\n",
         "channel uint c __attribute__((depth(6)));\n"},
    };
    if (!is_sluice())
        check_skip("refused");
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        struct text a = {0}, b = {0};
        text_add(&a,
                 CHANNELS "%skernel void src(global uint *o, uint n) {\n"
                          "    uint k = 0; while (write_channel_nb_intel(c, k)) k++;\n"
                          "    o[0] = k; for (; k < n; k++) write_channel_intel(c, k);\n"
                          "}\n",
                 orders[i][0]);
        text_add(&b,
                 CHANNELS "%skernel void dst(global uint *o, uint n) {\n"
                          "    for (uint k = 0; k < n; k++) o[k] = read_channel_intel(c);\n"
                          "}\n",
                 orders[i][1]);
        cl_program parts[] = {compiled(a.at), compiled(b.at)};
        cl_program program = linked("", parts[0], parts[1]);
        program_expect(program, "src", 6, six_at_first);
        char *log = build_log(program);
        bool told = strstr(log, "'c' has depth 4 here and depth 6 at") != NULL;
        if (told != (i >= 3))
            check_fail(__FILE__, __LINE__, "row %zu: %.500s", i, log);
        free(log);
        RELEASE_PROGRAM(program);
        RELEASE_PROGRAM(parts[0]);
        RELEASE_PROGRAM(parts[1]);
        free(a.at);
        free(b.at);
    }
}

/* Types of one size may be one type by two names: told, not refused. */
static void other_type_is_told(void)
{
    cl_program a = compiled(src), b, program;
    if (!is_sluice())
        check_skip("not told");
    b = compiled(READER("channel float c __attribute__((depth(4)));\n"));
    program = linked("", a, b);
    char *log = build_log(program);
    if (!strstr(log, "warning: 'c' is of type") || !strstr(log, "float") || !strstr(log, "uint"))
        check_fail(__FILE__, __LINE__, "no warning: %.500s", log);
    free(log);
    RELEASE_PROGRAM(a);
    RELEASE_PROGRAM(b);
    RELEASE_PROGRAM(program);
}

static void second_reader_at_link(void)
{
    static const char both[] =
        CHANNELS CHANNEL "kernel void src(global uint *o, uint n) { write_channel_intel(c, 1); }\n"
                         "kernel void other(global uint *o) { *o = read_channel_intel(c); }\n";
    if (!is_sluice())
        check_skip("not refused");
    link_fails(both, dst, WORDS("c", "other", "dst"));
}

/* Compiling alone does not warn of the missing end; linking does. */
static void missing_end_is_told_at_link(void)
{
    if (!is_sluice())
        check_skip("not told");
    cl_program a = compiled(src);
    char *log = build_log(a);
    CHECK(!strstr(log, "never"));
    free(log);
    cl_program program = linked("", a, NULL);
    log = build_log(program);
    if (!strstr(log, "never read"))
        check_fail(__FILE__, __LINE__, "no warning: %.500s", log);
    free(log);
    RELEASE_PROGRAM(a);
    RELEASE_PROGRAM(program);
}

/* ---- binaries -------------------------------------------------------------------------------- */

static void binary_round_trip(void)
{
    struct text text = {0};
    text_add(&text, "%s%s", src, strstr(dst, "kernel"));
    cl_program program = built(text.at, "");
    size_t size = 0;
    REQUIRE_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *bytes = malloc(size);
    REQUIRE(bytes);
    REQUIRE_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    RELEASE_PROGRAM(program);
    cl_int rc, status;
    program = clCreateProgramWithBinary(cl.context, 1, &cl.device, &size,
                                        (const unsigned char *[]){bytes}, &status, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
    program_expect(program, "src dst", 1000, want_same);
    RELEASE_PROGRAM(program);
    free(bytes);
    free(text.at);
}

static const struct test_case cases[] = {
    CASE(two_objects),
    CASE(with_a_library),
    CASE(helper_in_the_other_object),
    CASE(linked_twice),
    CASE(lines_for_debuggers),
    CASE(mismatches),
    CASE(extern_without_definition),
    CASE(attributes_in_one_object),
    CASE(other_type_is_told),
    CASE(second_reader_at_link),
    CASE(missing_end_is_told_at_link),
    CASE(binary_round_trip),
};
TEST_MAIN("link", cases)
