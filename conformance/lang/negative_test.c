/* SPDX-License-Identifier: Apache-2.0 */
/* Source that must not build: a failure with a log that says why, and the next build works. */
#include "cl_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void next_build_works(void)
{
    int result = 0;
    cl_kernel kernel = new_kernel("kernel void k(global int *x) { *x = 42; }", "k", NULL);
    cl_mem mem = new_buffer(0, sizeof result, NULL);
    ARG(kernel, 0, mem);
    run_1d(kernel, 1, 0);
    read_back(mem, sizeof result, &result);
    CHECK_EQ(result, 42);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}

/* hint: what the log must contain; NULL: any text */
static void must_fail(const char *source, size_t length, const char *hint)
{
    cl_int rc;
    cl_program program = clCreateProgramWithSource(cl.context, 1, &source, &length, &rc);
    REQUIRE_OK(rc);
    FAILS(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &cl.device, NULL, NULL, NULL));
    char *log = build_log(program);
    CHECK(strlen(log) > 10);
    if (hint && !strstr(log, hint))
        check_fail(__FILE__, __LINE__, "the log does not say \"%s\": %.300s", hint, log);
    free(log);
    RELEASE_PROGRAM(program);
    next_build_works();
}

/* Either answer will do, but there must be one. */
static void must_answer(const char *source, size_t length)
{
    cl_int rc;
    cl_program program = clCreateProgramWithSource(cl.context, 1, &source, &length, &rc);
    REQUIRE_OK(rc);
    rc = clBuildProgram(program, 1, &cl.device, NULL, NULL, NULL);
    CHECK(rc == CL_SUCCESS || rc == CL_BUILD_PROGRAM_FAILURE);
    RELEASE_PROGRAM(program);
    next_build_works();
}

static void text_must_fail(const char *source, const char *hint)
{
    must_fail(source, strlen(source), hint);
}

/* start, then count times piece, then middle, then count times closing */
static char *nested(const char *start, char piece, size_t count, const char *middle, char closing,
                    const char *end)
{
    char *text = malloc(strlen(start) + strlen(middle) + strlen(end) + 2 * count + 1), *at = text;
    REQUIRE(text);
    at = stpcpy(at, start);
    memset(at, piece, count);
    at = stpcpy(at + count, middle);
    memset(at, closing, count);
    stpcpy(at + count, end);
    return text;
}

static void parentheses(size_t depth)
{
    char *text = nested("kernel void k(global int *x) { *x = ", '(', depth, "1", ')', "; }");
    must_fail(text, strlen(text), NULL);
    free(text);
}

static void parentheses_3000(void)
{
    parentheses(3000);
}

static void parentheses_100000(void)
{
    parentheses(100000);
}

static void braces_100000(void)
{
    char *text = nested("kernel void k(void) ", '{', 100000, "", '}', "");
    must_fail(text, strlen(text), NULL);
    free(text);
}

static void unary_bomb(void)
{
    char *text = nested("kernel void k(global int *x) { *x = ", '~', 200000, "1;", '}', "");
    must_fail(text, strlen(text), NULL);
    free(text);
}

/* 10^9 tokens when expanded */
static void macro_bomb(void)
{
    text_must_fail("#define A x x x x x x x x x x\n#define B A A A A A A A A A A\n"
                   "#define C B B B B B B B B B B\n#define D C C C C C C C C C C\n"
                   "#define E D D D D D D D D D D\n#define F E E E E E E E E E E\n"
                   "#define G F F F F F F F F F F\n#define H G G G G G G G G G G\n"
                   "#define I H H H H H H H H H H\n"
                   "kernel void k(void) { I }\n",
                   NULL);
}

/* LLVM 22's parser of C never comes back from these. */
static void scopes(void)
{
    text_must_fail("kernel void k(global int *a)\n{\n    a[0] = (::a);\n}\n", ":3:13: fatal error");
    text_must_fail("kernel void k(global int *a) { a[0] = sizeof(::x); }", "'::'");
    text_must_fail("#define S ::\nkernel void k(global int *a) { a[0] = (int)(S a); }", "'::'");
    text_must_fail("kernel void k(global int *a) { a[a[a[0]]] = (::a); }", "'::'");
    text_must_fail("kernel void k(global int *a) { ::", "'::'");
    text_must_fail("kernel void k() { [[gnu::aligned(sizeof(::x))]] int q; }", "'::'");
    text_must_fail("typedef int v [[gnu::vector_size((1, _Alignof(::x)))]];", "'::'");
    cl_program program = built("#if 0\n ::\n#endif\n"
                               "kernel void k(global int *a) { a[0] = \"::\"[0]; /* :: */ }\n"
                               "[[clang::noinline]] int f(int x) { return x; }\n",
                               NULL);
    RELEASE_PROGRAM(program);
}

static void self_include(void)
{
    text_must_fail("#include __FILE__\nkernel void k(void) {}\n", NULL);
}

static void inline_assembly(void)
{
    text_must_fail("kernel void k(global int *x) { __asm__ volatile(\"syscall\"); *x = 1; }",
                   "asm");
}

static void recursion(void)
{
    text_must_fail("int f(int x) { return x < 2 ? 1 : x ^ f(x - 1) * 3; }\n"
                   "kernel void k(global int *x) { *x = f(*x); }",
                   "recurs");
}

static void mutual_recursion(void)
{
    text_must_fail("int g(int);\nint f(int x) { return x < 2 ? 1 : g(x - 1); }\n"
                   "int g(int x) { return f(x) * 3 ^ 1; }\n"
                   "kernel void k(global int *x) { *x = f(*x); }",
                   "recurs");
}

static void undefined_function(void)
{
    text_must_fail("kernel void k(global int *x) { *x = no_such_thing(*x); }", "no_such_thing");
    text_must_fail("int declared_only(int);\n"
                   "kernel void k(global int *x) { *x = declared_only(*x); }",
                   "declared_only");
}

/* What a device without channels says to a design that has them names the one that it is for. */
static void channels_elsewhere(void)
{
    static const char to[] = "the emulated FPGA";
    if (!is_sluice() || has_extension("cl_intel_channels"))
        check_skip("it has channels");
    text_must_fail("#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
                   "channel int c;\n"
                   "kernel void k(global int *x) { write_channel_intel(c, *x); }\n",
                   to);
    cl_program program = new_program("kernel void k(global int *x) { *x = nobody; }\n");
    CHECK_EQ(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    char *log = build_log(program);
    CHECK(strstr(log, "nobody") && !strstr(log, to));
    free(log);
    RELEASE_PROGRAM(program);
}

static void syntax_errors(void)
{
    text_must_fail("kernel void k(global int *x) { *x = 1;", "error");
    text_must_fail("kernel void k(global int *x) { *x = ; }", "error");
    text_must_fail("kernel int k(void) { return 1; }", "void");
    text_must_fail("kernel void k(private int *x) {}", "k");
    text_must_fail("kernel void k(global int **x) { goto nowhere; }", "error");
    text_must_fail("kernel void k(void) { int x = \"text\" * 2.0; }", "error");
    text_must_fail("#error stop here\nkernel void k(void) {}", "stop here");
    text_must_fail("#include \"does/not/exist.h\"\nkernel void k(void) {}", "does/not/exist.h");
    text_must_fail("kernel void k(global int *x) { _Static_assert(sizeof(int) == 5, \"width\"); }",
                   "width");
}

static void host_files_are_out_of_reach(void)
{
    text_must_fail("#include <stdio.h>\nkernel void k(void) { FILE *f; }", "stdio.h");
}

static void long_line(void)
{
    size_t size = (1 << 20) + 64;
    char *text = malloc(size + 64), *at;
    REQUIRE(text);
    at = stpcpy(text, "kernel void k(global int *x) { *x = 0");
    while (at < text + size)
        at = stpcpy(at, "+1");
    strcpy(at, "; }");
    must_answer(text, strlen(text));
    strcpy(at, "; } }");
    must_fail(text, strlen(text), NULL);
    free(text);
}

static void not_utf8(void)
{
    static const char bad[] = "kernel void k(void) { int \xff\xfe\x80 = 1; }";
    must_fail(bad, sizeof bad - 1, NULL);
    static const char comment[] = "/* \xff\xfe\x80 */ kernel void k(void) {}";
    must_answer(comment, sizeof comment - 1);
}

static void nul_in_source(void)
{
    static const char source[] = "kernel void k(void) {}\0 garbage ( here";
    must_answer(source, sizeof source - 1);
    static const char nothing[] = "\0\0\0\0";
    must_answer(nothing, sizeof nothing - 1);
}

static void huge_private_array(void)
{
    text_must_fail("kernel void k(global int *x) { int a[1L << 61]; a[*x] = 1; *x = a[5]; }", NULL);
}

/* More local memory than the device has: the build or the launch says so. */
static void huge_local_array(void)
{
    cl_program program =
        new_program("kernel void k(global int *x) { local int a[1 << 28]; a[*x] = 1; "
                    "barrier(CLK_LOCAL_MEM_FENCE); *x = a[5]; }");
    cl_int rc = clBuildProgram(program, 1, &cl.device, NULL, NULL, NULL);
    if (rc == CL_SUCCESS) {
        cl_kernel kernel = kernel_of(program, "k");
        cl_mem mem = new_buffer(0, 4, NULL);
        const size_t one = 1;
        ARG(kernel, 0, mem);
        FAILS(CL_OUT_OF_RESOURCES,
              clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
        RELEASE_MEM(mem);
        RELEASE_KERNEL(kernel);
    } else {
        CHECK_EQ(rc, CL_BUILD_PROGRAM_FAILURE);
    }
    RELEASE_PROGRAM(program);
    next_build_works();
}

/* What clang takes and no kernel can have: refused with the place. */
static void odd_attributes(void)
{
    static const char *const attributes[] = {
        "naked",        "constructor",
        "destructor",   "section(\"text\")",
        "weakref",      "section(\".init_array\")",
        "alias(\"g\")", "target(\"avx512f\")",
    };
    char text[256];
    for (size_t i = 0; i < LEN(attributes); i++) {
        snprintf(text, sizeof text,
                 "void g(void) {}\nstatic __attribute__((%s)) void f(void)%s\n"
                 "kernel void k(global int *x) { f(); *x = 1; }",
                 attributes[i],
                 strstr(attributes[i], "al") || attributes[i][0] == 'w' ? ";" : " {}");
        text_must_fail(text, ":2:");
    }
    text_must_fail("__attribute__((naked)) kernel void k(global int *x) {}", ":1:16: error");
    text_must_fail("__attribute__((preserve_all)) kernel void k(global int *x) {}", ":1:43: error");
    text_must_fail("#pragma weak other = k\nkernel void k(global int *x) { *x = 1; }", ":1:");
    text_must_fail("int f(int) __asm__(\"llvm.trap\");\n"
                   "kernel void k(global int *x) { *x = f(1); }",
                   ":1:");
    text_must_fail("#pragma clang attribute push(__attribute__((naked)), apply_to = function)\n"
                   "kernel void k(void) {}\n#pragma clang attribute pop\n",
                   ":1:");
}

static void frames_are_out_of_reach(void)
{
    text_must_fail("kernel void k(global ulong *x)\n"
                   "{ *x = (ulong)__builtin_return_address(100); }",
                   ":2:15: error");
    text_must_fail("kernel void k(global ulong *x)\n{ *x = (ulong)__builtin_frame_address(50); }",
                   ":2:15: error");
    text_must_fail("kernel void k(void) { __builtin_eh_return(1, 0); }", ":1:23: error");
    text_must_fail("kernel void k(void) { void *b[5]; __builtin_longjmp(b, 1); }", "error");
}

/* clang's own commands for testing how it crashes. */
static void debug_pragmas(void)
{
    static const char *const commands[] = {"crash",          "parser_crash", "llvm_fatal_error",
                                           "overflow_stack", "assert",       "llvm_unreachable"};
    char text[128];
    for (size_t i = 0; i < LEN(commands); i++) {
        snprintf(text, sizeof text, "#pragma clang __debug %s\nkernel void k(void) {}",
                 commands[i]);
        must_answer(text, strlen(text));
    }
}

static void odd_types(void)
{
    text_must_fail("typedef int wide __attribute__((ext_vector_type(100000)));\n"
                   "kernel void k(global wide *x) { x[1] = x[0] * 3; }",
                   ":1:9: error");
    text_must_fail("struct s { char x[1L << 40]; };\n"
                   "kernel void k(struct s a, global int *b) { *b = a.x[*b]; }",
                   ":2:24: error");
}

/* Files that have no end or never begin. */
static void files_without_end(void)
{
    text_must_fail("#include \"/dev/zero\"\nkernel void k(void) {}", "/dev/zero");
    text_must_fail("#include \"/proc/self/mem\"\nkernel void k(void) {}", "/proc/self/mem");
    char path[] = "/tmp/sluice-fifo-XXXXXX", text[128];
    REQUIRE(mkdtemp(path));
    REQUIRE(!rmdir(path) && !mkfifo(path, 0600));
    snprintf(text, sizeof text, "#include \"%s\"\nkernel void k(void) {}", path);
    must_fail(text, strlen(text), path);
    snprintf(text, sizeof text, "#if __has_include(\"%s\")\n#endif\nkernel void k(void) {}", path);
    must_answer(text, strlen(text));
    unlink(path);
}

/* Names that the compiler uses itself. */
static void names_of_the_compiler(void)
{
    static const char *const names[] = {
        "llvm",      "sl_module",   "memcpy",        "exit",          "abort",
        "sl_rare_k", "a_sl_cold_k", "sl_lane_scale", "sl_image_read", "sl_srgb_decode"};
    for (size_t i = 0; i < LEN(names); i++) {
        char text[512];
        int result = 0;
        snprintf(text, sizeof text,
                 "__attribute__((noinline)) int f%s(int x) { barrier(1); return x; }\n"
                 "kernel void %s(global int *x)\n"
                 "{ *x = f%s((int)fmod(sin((float)*x), 1.0f) + 42); }\n"
                 "#ifdef __IMAGE_SUPPORT__\n"
                 "kernel void images(global float4 *x, read_only image2d_t i)\n"
                 "{ *x = sin(read_imagef(i, (int2)(0))); }\n"
                 "#endif\n",
                 names[i], names[i], names[i]);
        cl_kernel kernel = new_kernel(text, names[i], NULL);
        cl_mem mem = new_buffer(0, sizeof result, NULL);
        ARG(kernel, 0, mem);
        run_1d(kernel, 1, 0);
        read_back(mem, sizeof result, &result);
        CHECK_EQ(result, 42);
        RELEASE_MEM(mem);
        RELEASE_KERNEL(kernel);
    }
}

static void attributes_that_do_no_harm(void)
{
    int result[8] = {0};
    cl_kernel kernel = new_kernel("__attribute__((used, noinline, optnone)) kernel\n"
                                  "void k(global int *x)\n"
                                  "{ x[get_local_id(0)] = get_local_id(0);\n"
                                  "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
                                  "  int y = x[7 - get_local_id(0)];\n"
                                  "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
                                  "  x[get_local_id(0)] = y; }",
                                  "k", NULL);
    cl_mem mem = new_buffer(0, sizeof result, NULL);
    ARG(kernel, 0, mem);
    run_1d(kernel, 8, 8);
    read_back(mem, sizeof result, result);
    for (int i = 0; i < 8; i++)
        CHECK_EQ(result[i], 7 - i);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}

/* The launch fails, the application goes on. */
static void launch_must_fail(const char *source)
{
    const size_t items = 13;
    cl_event event;
    cl_int status = 0;
    cl_kernel kernel = new_kernel(source, "k", NULL);
    cl_mem mem = new_buffer(0, 64, NULL);
    const int zero = 0;
    REQUIRE_OK(clEnqueueFillBuffer(cl.queue, mem, &zero, 4, 0, 64, 0, NULL, NULL));
    ARG(kernel, 0, mem);
    REQUIRE_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &items, NULL, 0, NULL, &event));
    clFinish(cl.queue);
    REQUIRE_OK(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    if (status >= 0)
        check_fail(__FILE__, __LINE__, "this launch has no error: %s", source);
    clReleaseEvent(event);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
    next_build_works();
}

static void dead_ends(void)
{
    static const char *const sources[] = {
        "kernel void k(global int *x) { __builtin_unreachable(); }",
        "kernel void k(global int *x) { if (x[0]) __builtin_unreachable();\n"
        "                               else __builtin_unreachable(); }",
        "kernel void k(global int *x) { x[get_local_id(0)] = 1; barrier(CLK_GLOBAL_MEM_FENCE);\n"
        "                               __builtin_unreachable(); }",
        "__attribute__((noinline)) int f(int x) { __builtin_unreachable(); }\n"
        "kernel void k(global int *x) { x[0] = f(x[1]); }",
        "int f(int x) { switch (x) { case 1: return 3; case 2: return 9; case 3: return 17;\n"
        "  case 4: return 5; case 5: return x * 2; default: __builtin_unreachable(); } }\n"
        "kernel void k(global int *x) { x[0] = f(x[1] + 100000); }",
        "__attribute__((noreturn)) kernel void k(global int *x) {}",
        "_Noreturn void f(int x) {}\nkernel void k(global int *x) { f(1); x[0] = 1; }",
        "__attribute__((noreturn)) void f(int x) { barrier(CLK_GLOBAL_MEM_FENCE); }\n"
        "kernel void k(global int *x) { f(1); x[0] = 1; }",
        "kernel void k(global int *x) { __builtin_assume(0); x[0] = 1; }",
        "kernel void k(global int *x) { int *p = 0; *p = x[0]; }",
        "kernel void k(global int *x) { __builtin_trap(); }",
        "kernel void k(global int *x) { __builtin_debugtrap(); }",
    };
    for (size_t i = 0; i < LEN(sources); i++)
        launch_must_fail(sources[i]);
}

/* Each function calls the one before twice: 2^28 copies, if barriers or the program ask for them.
 */
static void inlining_bombs(void)
{
    static const char *const firsts[] = {
        "int f0(int x) { barrier(CLK_GLOBAL_MEM_FENCE); return x * 3 + 1; }\n",
        "__attribute__((always_inline)) int f0(int x) { return x * 3 + 1; }\n"};
    for (size_t i = 0; i < LEN(firsts); i++) {
        char text[4096], *at = stpcpy(text, firsts[i]);
        for (int n = 1; n < 29; n++)
            at += sprintf(at, "%s int f%d(int x) { return f%d(x) + f%d(x + 1); }\n",
                          i ? "__attribute__((always_inline))" : "", n, n - 1, n - 1);
        strcpy(at, "kernel void k(global int *x) { *x = f28(*x); }");
        text_must_fail(text, "inlined");
    }
}

/* Some are shown, and the log stays readable. */
static void ten_thousand_errors(void)
{
    const size_t count = 10000;
    const char line[] = "kernel void k%zu(global int *x) { *x = y%zu; }\n";
    char *text = malloc(count * (sizeof line + 16)), *at = text;
    REQUIRE(text);
    for (size_t i = 0; i < count; i++)
        at += sprintf(at, line, i, i);
    text_must_fail(text, ":1:");
    free(text);
}

static void empty_source(void)
{
    must_answer("", 0);
    must_answer("   \n", 4);
    must_answer("// nothing\n", 11);
}

/* More than the optimiser has the time for: as good as it can be, but in time and right. */
static void a_thousand_loops(void)
{
    enum { LOOPS = 1200 };
    static const char loop[] = "for (int j = 0; j < (n ^ %4d); j++) x = x * 3 + a[j & 7];\n";
    static const char head[] = "kernel void k(global int *a, global int *o, int n) {\nint x = n;\n";
    static const char tail[] = "o[get_global_id(0)] = x;\n}\n";
    char *source = malloc(sizeof head + sizeof tail + LOOPS * sizeof loop);
    cl_int a[8] = {3, 1, 4, 1, 5, 9, 2, 6}, n = 0, got[3] = {0};
    cl_uint want = 0;
    REQUIRE(source);
    size_t at = (size_t)sprintf(source, "%s", head);
    for (int l = 0; l < LOOPS; l++)
        at += (size_t)sprintf(source + at, loop, l % 5);
    strcpy(source + at, tail);
    for (int l = 0; l < LOOPS; l++)
        for (int j = 0; j < l % 5; j++)
            want = want * 3 + (cl_uint)a[j & 7];
    cl_kernel kernel = new_kernel(source, "k", NULL);
    cl_mem in = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof a, a);
    cl_mem out = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof got, got);
    ARG(kernel, 0, in);
    ARG(kernel, 1, out);
    ARG(kernel, 2, n);
    run_1d(kernel, 3, 0);
    read_back(out, sizeof got, got);
    for (int i = 0; i < 3; i++)
        CHECK_EQ((cl_uint)got[i], want);
    RELEASE_MEM(in);
    RELEASE_MEM(out);
    RELEASE_KERNEL(kernel);
    free(source);
}

static const struct test_case cases[] = {
    CASE(parentheses_3000),
    CASE(parentheses_100000),
    CASE(braces_100000),
    CASE(unary_bomb),
    CASE(macro_bomb),
    CASE(scopes),
    CASE(self_include),
    CASE(inline_assembly),
    CASE(recursion),
    CASE(mutual_recursion),
    CASE(undefined_function),
    CASE(channels_elsewhere),
    CASE(syntax_errors),
    CASE(host_files_are_out_of_reach),
    CASE(long_line),
    CASE(not_utf8),
    CASE(nul_in_source),
    CASE(huge_private_array),
    CASE(huge_local_array),
    CASE(empty_source),
    CASE(odd_attributes),
    CASE(frames_are_out_of_reach),
    CASE(debug_pragmas),
    CASE(odd_types),
    CASE(files_without_end),
    CASE(names_of_the_compiler),
    CASE(attributes_that_do_no_harm),
    CASE(dead_ends),
    CASE(inlining_bombs),
    CASE(ten_thousand_errors),
    CASE(a_thousand_loops),
};
TEST_MAIN("negative", cases)
