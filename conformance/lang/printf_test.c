/* SPDX-License-Identifier: Apache-2.0 */
/* printf in kernels: what arrives on the application's standard output. */
#include "cl_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 1 << 20 };

static char text[MOST];

/* Runs the kernel with standard output in a file; returns what was written. */
static const char *printed_until(const char *source, size_t global, size_t local, cl_int status)
{
    cl_event event = NULL;
    cl_int ended = CL_COMPLETE;
    cl_kernel kernel = new_kernel(source, "k", "-cl-std=CL3.0");
    FILE *file = tmpfile();
    REQUIRE(file);
    fflush(stdout);
    int keep = dup(1);
    dup2(fileno(file), 1);
    cl_int rc = clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, local ? &local : NULL, 0,
                                       NULL, &event);
    clFinish(cl.queue);
    fflush(stdout);
    dup2(keep, 1);
    close(keep);
    CHECK_OK(rc);
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof ended, &ended, NULL));
    CHECK_EQ(ended, status);
    RELEASE_EVENT(event);
    rewind(file);
    text[fread(text, 1, MOST - 1, file)] = 0;
    fclose(file);
    RELEASE_KERNEL(kernel);
    return text;
}

static const char *printed(const char *source, size_t global, size_t local)
{
    return printed_until(source, global, local, CL_COMPLETE);
}

static void expect(const char *call, const char *want)
{
    char source[1024];
    snprintf(source, sizeof source,
             "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
             "kernel void k(void) { printf(%s); }",
             call);
    const char *got = printed(source, 1, 1);
    if (strcmp(got, want))
        check_fail(__FILE__, __LINE__, "printf(%s): expected \"%s\", got \"%s\"", call, want, got);
}

static void integers(void)
{
    expect("\"%d %i %u\\n\", -5, 6, 7u", "-5 6 7\n");
    expect("\"%5d|%-5d|%05d|%+d|% d\\n\", 42, 42, 42, 42, 42", "   42|42   |00042|+42| 42\n");
    expect("\"%x %X %#x %o %#o\\n\", 255, 255, 255, 8, 8", "ff FF 0xff 10 010\n");
    expect("\"%ld %lu %lx\\n\", -5000000000l, 5000000000ul, 0xabcdef0123ul",
           "-5000000000 5000000000 abcdef0123\n");
    expect("\"%hd %hhd %hu %hhu\\n\", (short)-3, (char)-4, (ushort)65535, (uchar)255",
           "-3 -4 65535 255\n");
    expect("\"%.3d|%8.3d|%-8.3x|\\n\", 7, 7, 7", "007|     007|007     |\n");
    expect("\"%c%c%c\\n\", 'a', 66, 'c'", "aBc\n");
}

static void reals(void)
{
    expect("\"%f %.2f %10.3f|%-10.1f|\\n\", 1.5f, 2.345f, 3.14159f, 9.99f",
           "1.500000 2.35      3.142|10.0      |\n");
    expect("\"%e %.2E %g %G\\n\", 12345.678f, 0.00012f, 0.0001f, 1e10f",
           "1.234568e+04 1.20E-04 0.0001 1E+10\n");
    expect("\"%a\\n\", 1.0f", "0x1p+0\n");
    expect("\"%f %f %f\\n\", INFINITY, -INFINITY, NAN", "inf -inf nan\n");
    if (has_extension("cl_khr_fp64"))
        expect("\"%.12f %lf\\n\", 3.14159265358979, 2.5", "3.141592653590 2.500000\n");
    if (has_extension("cl_khr_fp16")) {
        expect("\"%f %.2f %g %a\\n\", 1.5h, -2.25h, (half)65504, 0x1p-24h",
               "1.500000 -2.25 65504 0x1p-24\n");
        expect("\"%.1v4hf %v2hf %g\\n\", (half4)(1, -2, 0.5h, INFINITY), (half2)(3, 4), HALF_MAX",
               "1.0,-2.0,0.5,inf 3.000000,4.000000 65504\n");
    }
}

static void texts(void)
{
    expect("\"plain\\n\"", "plain\n");
    expect("\"100%% %s %s|%.2s|%6s|\\n\", \"one\", \"two\", \"three\", \"r\"",
           "100% one two|th|     r|\n");
    expect("\"tab\\tquote\\\" back\\\\ \\n\"", "tab\tquote\" back\\ \n");
    expect("\"no newline\"", "no newline");
    expect("\"\"", "");
}

static void vectors(void)
{
    expect("\"%v4hld\\n\", (int4)(1, -2, 3, -4)", "1,-2,3,-4\n");
    expect("\"%v4hlf\\n\", (float4)(1, 2.5f, -3, 4)", "1.000000,2.500000,-3.000000,4.000000\n");
    expect("\"%v2hlu|%v3hlx\\n\", (uint2)(7, 8), (uint3)(10, 11, 12)", "7,8|a,b,c\n");
    expect("\"%v4hhd %v8hhu\\n\", (char4)(1, -1, 2, -2), (uchar8)(255)",
           "1,-1,2,-2 255,255,255,255,255,255,255,255\n");
    expect("\"%v2hd\\n\", (short2)(-300, 300)", "-300,300\n");
    expect("\"%v2ld\\n\", (long2)(-5000000000l, 1)", "-5000000000,1\n");
    expect("\"%5.1v2hlf|\\n\", (float2)(1.25f, 33)", "  1.2, 33.0|\n");
    expect("\"%v16hld\\n\", (int16)(3)", "3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3\n");
}

static void mixed(void)
{
    expect("\"%d %f %s %v2hld %c|%lu\\n\", 1, 2.0f, \"x\", (int2)(3, 4), 'z', 9ul",
           "1 2.000000 x 3,4 z|9\n");
    if (is_sluice()) /* not before OpenCL C 3.1, but here always */
        expect("\"%zu %s %td|%hd\\n\", (size_t)-1, \"x\", (ptrdiff_t)-7, (short)3",
               "18446744073709551615 x -7|3\n");
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Lines of different items may mix in any order, but each is whole and comes once. */
static void many_items(void)
{
    enum { ITEMS = 500 };
    printed("kernel void k(void) { int i = get_global_id(0); printf(\"item %04d of %d\\n\", i, "
            "(int)get_global_size(0)); }",
            ITEMS, 10);
    char *lines[ITEMS + 1];
    size_t count = 0;
    for (char *line = strtok(text, "\n"); line && count <= ITEMS; line = strtok(NULL, "\n"))
        lines[count++] = line;
    REQUIRE(CHECK_EQ(count, ITEMS));
    qsort(lines, ITEMS, sizeof *lines, by_text);
    for (int i = 0; i < ITEMS; i++) {
        char want[64];
        snprintf(want, sizeof want, "item %04d of %d", i, ITEMS);
        REQUIRE(!strcmp(lines[i], want));
    }
}

static void several_calls_in_order(void)
{
    CHECK(!strcmp(printed("kernel void k(void)\n"
                          "{\n"
                          "    for (int i = 0; i < 5; i++)\n"
                          "        if (i != 2) printf(\"%d;\", i);\n"
                          "    int r = printf(\"end\\n\");\n"
                          "    printf(\"%d\\n\", r);\n"
                          "}\n",
                          1, 1),
                  "0;1;3;4;end\n0\n"));
}

/* An empty text is nothing: designs for FPGAs let time pass so. Thirty million end at once. */
static void nothing(void)
{
    CHECK(!strcmp(printed("kernel void k(void)\n"
                          "{\n"
                          "    int r = 7;\n"
                          "    for (ulong i = 0; i < 1ul << 25; i++) r = printf(\"\");\n"
                          "    printf(\"%d\\n\", r + printf(\"\", r));\n"
                          "}\n",
                          1, 1),
                  "0\n"));
}

/* What compilers of SYCL make of assert(): the launch ends, and says where. */
static void failed_assertion(void)
{
    if (!has_extension("cl_intel_devicelib_assert"))
        check_skip("the device has no function for it");
    const char *got = printed_until(
        "void __devicelib_assert_fail(const generic char *, const generic char *, int,\n"
        "    const generic char *, ulong, ulong, ulong, ulong, ulong, ulong);\n"
        "kernel void k(void)\n"
        "{\n"
        "    char text[] = \"i != 5\", file[] = \"f.cpp\", name[] = \"void k()\";\n"
        "    if (get_global_id(0) == 5)\n"
        "        __devicelib_assert_fail(text, file, 42, name, 5, 6, 7, 1, 2, 3);\n"
        "}\n",
        8, 4, CL_OUT_OF_RESOURCES);
    CHECK(!strcmp(got, "f.cpp:42: void k(): global id: [5,6,7], local id: [1,2,3] Assertion "
                       "`i != 5` failed.\n"));
}

static const struct test_case cases[] = {CASE(integers),
                                         CASE(reals),
                                         CASE(texts),
                                         CASE(vectors),
                                         CASE(mixed),
                                         CASE(many_items),
                                         CASE(several_calls_in_order),
                                         CASE(nothing),
                                         CASE(failed_assertion)};
TEST_MAIN("printf", cases)
