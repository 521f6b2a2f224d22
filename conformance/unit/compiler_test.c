/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler library: source in, a module that runs or a readable refusal out. */
#include <dlfcn.h>
#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "compiler/binary/container.h"
#include "compiler/build.h"
#include "sluice/base/level.h"

/* ---- helpers --------------------------------------------------------------------------------- */

struct outcome {
    struct sl_build_request request;
    struct sl_build_result result;
    int status;
};

static void run_build(void *data)
{
    struct outcome *outcome = data;
    outcome->status = sl_compiler_build(&outcome->request, &outcome->result);
}

static void build(struct outcome *outcome)
{
    memset(&outcome->result, 0, sizeof outcome->result);
    assert_int_equal(sl_compiler_on_large_stack(run_build, outcome), 0);
}

/* A build of `source` with at most two options. */
static void build_with_two(struct outcome *outcome, const char *source, const char *first,
                           const char *second)
{
    const char *options[] = {first, second};
    *outcome = (struct outcome){.request = {.kind = SL_BUILD_BUILD,
                                            .options = options,
                                            .option_count = (first != NULL) + (second != NULL),
                                            .source = {source, strlen(source)}}};
    build(outcome);
    outcome->request.options = NULL;
}

static void build_source(struct outcome *outcome, const char *source, const char *option)
{
    build_with_two(outcome, source, option, NULL);
}

static void finish(struct outcome *outcome)
{
    sl_build_result_finish(&outcome->result);
}

static void expect_log(const struct outcome *outcome, const char *text)
{
    const char *log = outcome->result.log.data ? outcome->result.log.data : "";
    if (!strstr(log, text))
        fail_msg("the log lacks \"%s\":\n%s", text, log);
}

static void refuse(const char *source, const char *option, int status, const char *text)
{
    struct outcome outcome;
    build_source(&outcome, source, option);
    assert_int_equal(outcome.status, status);
    expect_log(&outcome, text);
    assert_int_equal(outcome.result.binary.bytes, 0);
    finish(&outcome);
}

static void expect_success(const char *source, const char *option)
{
    struct outcome outcome;
    build_source(&outcome, source, option);
    if (outcome.status)
        fail_msg("refused:\n%s", outcome.result.log.data);
    finish(&outcome);
}

struct loaded {
    void *handle;
    const struct sl_module_info *info;
};

static struct loaded load(const struct outcome *outcome)
{
    struct sl_blob whole = {outcome->result.binary.data, outcome->result.binary.bytes}, elf;
    char path[64];
    if (outcome->status)
        fail_msg("refused:\n%s", outcome->result.log.data);
    assert_null(sl_container_payload(&whole, SL_BINARY_EXECUTABLE, &elf));
    int fd = memfd_create("module", MFD_CLOEXEC);
    assert_int_equal(write(fd, elf.data, elf.bytes), (ssize_t)elf.bytes);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct loaded module = {.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
    if (!module.handle)
        fail_msg("%s", dlerror());
    close(fd);
    module.info = dlsym(module.handle, SL_MODULE_SYMBOL);
    assert_non_null(module.info);
    assert_int_equal(module.info->abi, SL_MODULE_ABI);
    return module;
}

/* One row of groups of 8 items. */
static void run_kernel(const struct sl_kernel_info *kernel, const void *args, size_t groups)
{
    enum { ITEMS = 8 };
    struct sl_launch launch = {
        .work_dim = 1,
        .global_size = {ITEMS * groups, 1, 1},
        .local_size = {ITEMS, 1, 1},
        .group_count = {groups, 1, 1},
    };
    struct sl_group group = {
        .count = groups,
        .local = aligned_alloc(SL_LOCAL_ALIGN, 1 << 16),
        .context = aligned_alloc(64, 1 << 20),
    };
    assert_true(kernel->context_fixed + (size_t)kernel->context_per_item * ITEMS <= 1 << 20);
    kernel->run(args, &launch, &group);
    free(group.local);
    free(group.context);
}

/* ---- what comes out -------------------------------------------------------------------------- */

static const char saxpy[] = "kernel void saxpy(global float *restrict y, global const float *x,\n"
                            "                  float a)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    y[i] += a * x[i];\n"
                            "}\n";

static void saxpy_runs(void **state)
{
    struct outcome outcome;
    float x[64], y[64];
    (void)state;
    build_source(&outcome, saxpy, NULL);
    struct loaded module = load(&outcome);
    assert_int_equal(module.info->kernel_count, 1);
    const struct sl_kernel_info *kernel = module.info->kernels;
    assert_true(kernel->flags & SL_KERNEL_UNIFORM_GROUPS); /* OpenCL C 1.2 */
    assert_false(kernel->flags & SL_KERNEL_HAS_ARG_INFO);
    unsigned char args[64] = {0};
    memcpy(args + kernel->args[0].offset, &(void *){y}, sizeof(void *));
    memcpy(args + kernel->args[1].offset, &(void *){x}, sizeof(void *));
    memcpy(args + kernel->args[2].offset, &(float){2}, sizeof(float));
    for (int i = 0; i < 64; i++) {
        x[i] = (float)i;
        y[i] = 1;
    }
    run_kernel(kernel, args, 7);
    for (int i = 0; i < 64; i++)
        assert_true(y[i] == (i < 56 ? 1 + 2.0f * (float)i : 1));
    dlclose(module.handle);
    finish(&outcome);
}

/* ---- rare arguments -------------------------------------------------------------------------- */

enum { RARE_ITEMS = 40 }; /* of which the last group is not full of rare ones */

static void check_rare(const float *x, const float *y)
{
    for (int i = 0; i < RARE_ITEMS; i++) {
        const float *r = y + 3 * i;
        assert_true(fabs(r[0] - sin((double)x[i])) < 1e-6 && fabs(r[1] - cos((double)x[i])) < 1e-6);
        assert_true(r[2] == fmodf(x[i], 0.7f)); /* exact */
    }
}

/* Their code is not compiled with the kernel: it is in the runtime archive, for each level. */
static void rare_code_is_linked(const char *level, const char *option)
{
    static const char source[] = "kernel void f(global const float *x, global float *y)\n"
                                 "{ size_t i = get_global_id(0); vstore3((float3)(sin(x[i]), "
                                 "cos(x[i]), fmod(x[i], 0.7f)), i, "
                                 "y); }\n";
    const char *options[] = {option};
    struct outcome outcome = {.request = {.kind = SL_BUILD_BUILD,
                                          .target = level,
                                          .options = options,
                                          .option_count = option != NULL,
                                          .source = {source, sizeof source - 1}}};
    float x[RARE_ITEMS], y[3 * RARE_ITEMS];
    unsigned char args[64] = {0};
    char symbol[64];
    for (int i = 0; i < RARE_ITEMS; i++)
        x[i] = i % 3 == 0 || i > 36 ? 0.25f * (float)i : (i % 2 ? -1.5e9f : 3.1e30f) * (float)i;
    build(&outcome);
    struct loaded module = load(&outcome);
    snprintf(symbol, sizeof symbol, "_Z11sl_rare_sinf.%s", sl_level_find(level)->code);
    assert_non_null(memmem(outcome.result.binary.data, outcome.result.binary.bytes, symbol,
                           strlen(symbol) + 1));
    const struct sl_kernel_info *kernel = module.info->kernels;
    memcpy(args + kernel->args[0].offset, &(void *){x}, sizeof(void *));
    memcpy(args + kernel->args[1].offset, &(void *){y}, sizeof(void *));
    run_kernel(kernel, args, RARE_ITEMS / 8);
    check_rare(x, y);
    dlclose(module.handle);
    finish(&outcome);
}

static void rare_code_is_linked_for_each_level(void **state)
{
    (void)state;
    bool have = false; /* the levels below this machine's too */
    for (unsigned i = 0; sl_level_at(i); i++) {
        have |= sl_level_at(i) == sl_level_host();
        if (!have)
            continue;
        rare_code_is_linked(sl_level_at(i)->name, NULL);
        rare_code_is_linked(sl_level_at(i)->name, "-cl-opt-disable");
    }
}

static void tables_tell_what_the_source_says(void **state)
{
    static const char source[] =
        "typedef struct { int a; float4 b; } pair;\n"
        "global int counters[10];\n"
        "kernel void b(constant float *c, local int *l, pair p, uint4 v, image2d_t i, sampler_t "
        "s)\n"
        "{ if (get_global_id(0) == 99) l[0] = counters[v.x] = (int)c[0] + p.a; }\n"
        "kernel __attribute__((reqd_work_group_size(8, 2, 1), vec_type_hint(uint4)))\n"
        "void a(global const volatile unsigned int *restrict x) { (void)x; }\n";
    struct outcome outcome;
    (void)state;
    build_with_two(&outcome, source, "-cl-std=CL2.0", "-cl-kernel-arg-info");
    struct loaded module = load(&outcome);
    assert_int_equal(module.info->kernel_count, 2);
    const struct sl_kernel_info *a = &module.info->kernels[0], *b = &module.info->kernels[1];
    assert_string_equal(a->name, "a");
    assert_string_equal(b->name, "b");
    assert_int_equal(a->line, 6);
    assert_int_equal(b->line, 3);
    assert_int_equal(a->reqd_size[0], 8);
    assert_int_equal(a->reqd_size[1], 2);
    assert_int_equal(b->reqd_size[0], 0);
    assert_string_equal(a->vec_type_hint, "uint4");
    assert_string_equal(a->attributes, "vec_type_hint(uint4) reqd_work_group_size(8,2,1)");
    assert_string_equal(b->attributes, "");
    assert_string_equal(a->args[0].name, "x");
    assert_string_equal(a->args[0].type_name, "uint*");
    assert_int_equal(a->args[0].qualifiers, SL_QUAL_CONST | SL_QUAL_VOLATILE | SL_QUAL_RESTRICT);
    assert_int_equal(a->args[0].address, SL_ADDRESS_GLOBAL);
    static const struct {
        const char *type;
        uint8_t kind, address, access;
    } expected[] = {
        {"float*", SL_ARG_CONSTANT, SL_ADDRESS_CONSTANT, SL_ACCESS_NONE},
        {"int*", SL_ARG_LOCAL, SL_ADDRESS_LOCAL, SL_ACCESS_NONE},
        {"pair", SL_ARG_VALUE, SL_ADDRESS_PRIVATE, SL_ACCESS_NONE},
        {"uint4", SL_ARG_VALUE, SL_ADDRESS_PRIVATE, SL_ACCESS_NONE},
        {"image2d_t", SL_ARG_IMAGE, SL_ADDRESS_GLOBAL, SL_ACCESS_READ_ONLY},
        {"sampler_t", SL_ARG_SAMPLER, SL_ADDRESS_PRIVATE, SL_ACCESS_NONE},
    };
    assert_int_equal(b->arg_count, 6);
    for (int i = 0; i < 6; i++) {
        assert_string_equal(b->args[i].type_name, expected[i].type);
        assert_int_equal(b->args[i].kind, expected[i].kind);
        assert_int_equal(b->args[i].address, expected[i].address);
        assert_int_equal(b->args[i].access, expected[i].access);
    }
    assert_int_equal(b->args[2].size, 32);
    assert_true(b->flags & SL_KERNEL_HAS_ARG_INFO);
    assert_false(b->flags & SL_KERNEL_UNIFORM_GROUPS); /* OpenCL C 2.0 */
    assert_int_equal(module.info->global_count, 1);
    assert_string_equal(module.info->globals[0].name, "counters");
    assert_int_equal(module.info->globals_bytes, 40);
    dlclose(module.handle);
    finish(&outcome);
}

static void same_request_same_bytes(void **state)
{
    struct outcome one, two;
    (void)state;
    build_source(&one, saxpy, NULL);
    build_source(&two, saxpy, NULL);
    assert_int_equal(one.result.binary.bytes, two.result.binary.bytes);
    assert_memory_equal(one.result.binary.data, two.result.binary.data, one.result.binary.bytes);
    finish(&one);
    finish(&two);
}

static void modules_ask_for_nothing(void **state)
{
    /* Structs this large are copied by calls of memcpy. */
    static const char source[] = "typedef struct { int a[4000]; } big;\n"
                                 "kernel void k(global big *x, global big *y, global half *h)\n"
                                 "{ x[get_global_id(0)] = y[get_global_id(0)];\n"
                                 "  vstore_half(vload_half(0, h) * 2, 1, h); }\n";
    struct outcome outcome;
    (void)state;
    build_source(&outcome, source, NULL);
    struct loaded module = load(&outcome);
    dlclose(module.handle);
    finish(&outcome);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void errors_name_line_and_column(void **state)
{
    (void)state;
    refuse("kernel void k(global int *a)\n{\n    a[0] = nothing;\n}\n", NULL, SL_BUILD_FAILED,
           "<source>:3:12: error: use of undeclared identifier 'nothing'\n"
           "    3 |     a[0] = nothing;\n"
           "      |            ^");
}

static void undefined_functions_are_named(void **state)
{
    static const char source[] = "int foo(int); int bar(int);\n"
                                 "int helper(int a) { return bar(a); }\n"
                                 "int unused(int a) { return foo(a); }\n"
                                 "kernel void k(global int *a) { a[0] = helper(foo(1)); }\n";
    (void)state;
    refuse(source, NULL, SL_BUILD_FAILED, "undefined function 'foo' called from kernel 'k'");
    refuse(source, NULL, SL_BUILD_FAILED,
           "undefined function 'bar' called from function 'helper' of kernel 'k'");
    expect_success("int foo(int); int unused(int a) { return foo(a); }\nkernel void k() {}\n",
                   NULL);
}

static void recursion_is_named(void **state)
{
    (void)state;
    refuse("int f(int);\nint g(int a) { return 3 ^ f(a); }\nint f(int a) { return a ? g(a) + g(1) "
           ": 1; }\n"
           "kernel void k(global int *a) { a[0] = f(a[0]); }\n",
           NULL, SL_BUILD_FAILED,
           "<source>:3:27: error: recursion is not allowed in OpenCL C: f -> g -> f");
    refuse("kernel void k(global int *a) { if (a[0]) k(a); }\n", NULL, SL_BUILD_FAILED,
           "'k' calls 'k'");
}

static void assembly_is_refused(void **state)
{
    (void)state;
    refuse("kernel void k(global int *a)\n{\n    __asm__(\"bogus\");\n}\n", NULL, SL_BUILD_FAILED,
           "<source>:3:13: error: inline assembly is not supported");
    refuse("__asm__(\".globl x\");\nkernel void k() {}\n", NULL, SL_BUILD_FAILED,
           "error: inline assembly is not supported");
}

static void bombs_are_refused(void **state)
{
    enum { DEPTH = 3000 };
    static char source[2 * DEPTH + 100];
    (void)state;
    size_t at = (size_t)sprintf(source, "kernel void k(global int *a) { a[0] = ");
    memset(source + at, '(', DEPTH);
    source[at + DEPTH] = '1';
    memset(source + at + DEPTH + 1, ')', DEPTH);
    strcpy(source + at + 2 * DEPTH + 1, "; }");
    refuse(source, NULL, SL_BUILD_FAILED, "bracket nesting level exceeded");
    refuse("#include \"<source>\"\n", NULL, SL_BUILD_FAILED, "#include nested too deeply");
}

static void sizes_have_limits(void **state)
{
    (void)state;
    refuse("kernel void k(global int *a) { char x[1ul << 40]; x[a[0]] = 3; a[1] = x[a[2]]; }", NULL,
           SL_BUILD_FAILED, ":1:37: error: variable 'x' takes 1099511");
    refuse("kernel void k(global int *a) { local int x[1 << 30]; x[a[0]] = 3; a[1] = x[a[2]]; }",
           NULL, SL_BUILD_FAILED, ":1:42: error: variable 'x' takes 4294967296 bytes");
    refuse("constant int c[1 << 29] = {1};\nkernel void k(global int *a) { a[1] = c[a[2]]; }", NULL,
           SL_BUILD_FAILED, ":1:14: error: variable 'c' takes 2147483648 bytes");
    refuse("kernel void k(global int *a) { char x[3 << 28], y[3 << 28]; x[a[0]] = y[a[1]] = 3;\n"
           "  a[1] = x[a[2]] + y[a[3]]; }",
           NULL, SL_BUILD_FAILED, "private variables of function k take 1610612");
    refuse("kernel void k(global int *a) { local char x[3 << 28], y[3 << 28];\n"
           "  x[a[0]] = y[a[1]] = 3; a[1] = x[a[2]] + y[a[3]]; }",
           NULL, SL_BUILD_FAILED, "local data takes 1610612736 bytes");
    refuse("constant char c[3 << 28] = {1}, d[3 << 28] = {2};\n"
           "kernel void k(global int *a) { a[1] = c[a[2]] + d[a[3]]; }",
           NULL, SL_BUILD_FAILED, "program-scope data takes 1610612736 bytes");
}

static void options_are_checked(void **state)
{
    static const char *const option = "-cl-no-such-option";
    struct outcome outcome = {.request = {.options = &option, .option_count = 1}};
    static const struct {
        enum sl_build_kind kind;
        int status;
    } expected[] = {{SL_BUILD_BUILD, SL_BUILD_BAD_OPTIONS},
                    {SL_BUILD_COMPILE, SL_BUILD_BAD_COMPILE_OPTIONS},
                    {SL_BUILD_LINK, SL_BUILD_BAD_LINK_OPTIONS}};
    (void)state;
    for (int i = 0; i < 3; i++) {
        outcome.request.kind = expected[i].kind;
        build(&outcome);
        assert_int_equal(outcome.status, expected[i].status);
        expect_log(&outcome, option);
        finish(&outcome);
    }
    refuse("kernel void k() {}", "-cl-std=CLC++20", SL_BUILD_BAD_OPTIONS, "-cl-std=CLC++20");
    refuse("kernel void k() { int unused; unused; }", "-Werror", SL_BUILD_FAILED, "error:");
}

/* ---- options and language -------------------------------------------------------------------- */

static void every_option_is_accepted(void **state)
{
    static const char *const options[] = {"-DN=3",
                                          "-I/nowhere",
                                          "-cl-std=CL1.1",
                                          "-cl-std=CL3.0",
                                          "-cl-single-precision-constant",
                                          "-cl-denorms-are-zero",
                                          "-cl-fp32-correctly-rounded-divide-sqrt",
                                          "-cl-opt-disable",
                                          "-cl-strict-aliasing",
                                          "-cl-uniform-work-group-size",
                                          "-cl-no-subgroup-ifp",
                                          "-cl-mad-enable",
                                          "-cl-no-signed-zeros",
                                          "-cl-unsafe-math-optimizations",
                                          "-cl-finite-math-only",
                                          "-cl-fast-relaxed-math",
                                          "-cl-kernel-arg-info",
                                          "-w",
                                          "-Werror",
                                          "-g"};
    (void)state;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        expect_success(saxpy, options[i]);
    expect_success("#ifndef __FAST_RELAXED_MATH__\n#error\n#endif\n", "-cl-fast-relaxed-math");
}

static void cxx_is_a_language(void **state)
{
    static const char *const options[] = {"-cl-std=CLC++", "-cl-std=CLC++1.0", "-cl-std=CLC++2021"};
    static const char source[] = "template <typename T> T twice(T x) { return x + x; }\n"
                                 "kernel void k(global int *p) { *p = twice(*p); }\n";
    (void)state;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        expect_success(source, options[i]);
    refuse(source, "-cl-std=CL3.0", SL_BUILD_FAILED, ":1:1: error:");
}

static void macros_are_honest(void **state)
{
    static const char source[] =
        "#if __OPENCL_VERSION__ != 300 || __OPENCL_C_VERSION__ != 120\n#error version\n#endif\n"
        "#ifndef __ENDIAN_LITTLE__\n#error endian\n#endif\n"
        "#if defined(__IMAGE_SUPPORT__) || defined(cl_khr_fp64) || defined(cl_khr_fp16)\n"
        "#error not announced\n#endif\n"
        "#if defined(cl_intel_subgroups) || defined(__SPIR__)\n#error not us\n#endif\n"
        "#ifndef cl_sluice_test\n#error announced\n#endif\n";
    struct outcome outcome = {.request = {.kind = SL_BUILD_BUILD,
                                          .source = {source, sizeof source - 1},
                                          .extensions = "cl_sluice_test cl_khr_icd"}};
    (void)state;
    build(&outcome);
    if (outcome.status)
        fail_msg("%s", outcome.result.log.data);
    finish(&outcome);
}

static void old_code_still_builds(void **state)
{
    struct outcome outcome;
    (void)state;
    build_source(&outcome,
                 "kernel void k(global int *a, global float *b)\n"
                 "{ global int *p = b; int q = a; a[0] = p[0] + q; }\n",
                 NULL);
    assert_int_equal(outcome.status, 0);
    expect_log(&outcome, "warning: incompatible pointer types");
    finish(&outcome);
}

/* Of very many messages only the first are shown, but what a build fails with always is. */
static void errors_come_behind_many_warnings(void **state)
{
    enum { WARNINGS = 400 };
    static const char *const ends[][2] = {
        {"kernel void k(global int *a) { a[0] = nobody; }\n",
         "error: use of undeclared identifier"},
        {"#include \"nobody.h\"\n", "fatal error: 'nobody.h' file not found"},
        {"kernel void k(global int *a) { a[0] = (::a); }\n", "fatal error: '::' is not OpenCL C"},
    };
    static char source[WARNINGS * 16 + 100];
    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct outcome outcome;
        char *to = source;
        for (int w = 0; w < WARNINGS; w++)
            to = stpcpy(to, "#warning no\n");
        strcpy(to, ends[i][0]);
        build_source(&outcome, source, NULL);
        assert_int_equal(outcome.status, SL_BUILD_FAILED);
        expect_log(&outcome, ends[i][1]);
        assert_in_range(outcome.result.log.bytes, 1000, 100 * WARNINGS);
        finish(&outcome);
    }
}

/* ---- several files --------------------------------------------------------------------------- */

static void headers_come_with_the_request(void **state)
{
    static const char source[] = "#include \"in/one.h\"\n#include <two.h>\n"
                                 "kernel void k(global int *a) { a[0] = ONE + TWO + THREE; }\n";
    const struct sl_header headers[] = {
        {"in/one.h", {"#include \"three.h\"\n#define ONE 1\n", 34}},
        {"two.h", {"#define TWO 2\n", 14}},
        {"in/three.h", {"#define THREE 3\n", 16}},
    };
    struct outcome outcome = {.request = {.kind = SL_BUILD_COMPILE,
                                          .source = {source, sizeof source - 1},
                                          .headers = headers,
                                          .header_count = 3}};
    (void)state;
    build(&outcome);
    if (outcome.status)
        fail_msg("%s", outcome.result.log.data);
    assert_int_equal(outcome.result.dependencies.count, 0);
    finish(&outcome);
    outcome.request.header_count = 2;
    build(&outcome);
    assert_int_equal(outcome.status, SL_BUILD_COMPILE_FAILED);
    expect_log(&outcome, "in/one.h:1:10: fatal error: 'three.h' file not found");
    finish(&outcome);
}

static void included_files_are_reported(void **state)
{
    char folder[] = "/tmp/sluice-XXXXXX", path[64], option[64];
    struct outcome outcome;
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/x.h", folder);
    snprintf(option, sizeof option, "-I%s", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("#define X 1\n", file);
    fclose(file);
    build_source(&outcome, "#include \"x.h\"\nkernel void k(global int *a) { a[0] = X; }\n",
                 option);
    unlink(path);
    rmdir(folder);
    assert_int_equal(outcome.status, 0);
    assert_int_equal(outcome.result.dependencies.count, 1);
    const char *line = outcome.result.dependencies.items[0];
    assert_int_equal(strspn(line, "0123456789abcdef"), 32);
    assert_string_equal(line + 33, path);
    finish(&outcome);
}

static void compile_object_with(struct outcome *outcome, const char *source, const char *option)
{
    *outcome = (struct outcome){.request = {.kind = SL_BUILD_COMPILE,
                                            .source = {source, strlen(source)},
                                            .options = &option,
                                            .option_count = option != NULL}};
    build(outcome);
    outcome->request.options = NULL;
    assert_int_equal(outcome->status, 0);
}

static void compile_object(struct outcome *outcome, const char *source)
{
    compile_object_with(outcome, source, NULL);
}

static int link_objects(struct outcome *outcome, const struct outcome *a, const struct outcome *b,
                        const char *option)
{
    struct sl_blob inputs[] = {{a->result.binary.data, a->result.binary.bytes},
                               {b->result.binary.data, b->result.binary.bytes}};
    *outcome = (struct outcome){.request = {.kind = SL_BUILD_LINK,
                                            .inputs = inputs,
                                            .input_count = 2,
                                            .options = &option,
                                            .option_count = option != NULL}};
    build(outcome);
    return outcome->status;
}

/* Of the first kernel: how many items its code takes at once. */
static unsigned load_width(const struct outcome *outcome)
{
    struct loaded module = load(outcome);
    unsigned width = module.info->kernels[0].vector_width;
    dlclose(module.handle);
    return width;
}

static void objects_link(void **state)
{
    struct outcome caller, callee, other, linked, library;
    int values[64] = {0}, *pointer = values;
    (void)state;
    compile_object(&caller, "int twice(int);\n"
                            "kernel void k(global int *a)\n"
                            "{ a[get_global_id(0)] = twice(get_global_id(0)); }\n");
    compile_object(&callee, "int twice(int a) { return 2 * a; }\n");
    compile_object(&other, "int thrice(int a) { return 3 * a; }\n");
    assert_int_equal(link_objects(&linked, &caller, &other, NULL), SL_BUILD_LINK_FAILED);
    expect_log(&linked, "undefined function 'twice' called from kernel 'k'");
    finish(&linked);
    assert_int_equal(link_objects(&linked, &callee, &callee, NULL), SL_BUILD_LINK_FAILED);
    expect_log(&linked, "twice");
    finish(&linked);
    assert_int_equal(link_objects(&library, &callee, &other, "-create-library"), 0);
    assert_int_equal(link_objects(&linked, &caller, &library, NULL), 0);
    struct loaded module = load(&linked);
    run_kernel(module.info->kernels, &pointer, 8);
    for (int i = 0; i < 64; i++)
        assert_int_equal(values[i], 2 * i);
    dlclose(module.handle);
    library.result.binary.data[200] ^= 1;
    finish(&linked);
    assert_int_equal(link_objects(&linked, &caller, &library, NULL), SL_BUILD_LINK_FAILED);
    finish(&linked);
    finish(&library);
    finish(&caller);
    finish(&callee);
    finish(&other);
}

/* So many that they are hidden from LLVM (llvm/crowded_conditions.h), and what they compute. */
static void branches_on_one_value_compute(void **state)
{
    enum { BRANCHES = 250, ITEMS = 40 };
    char source[BRANCHES * 60 + 200];
    struct outcome outcome;
    (void)state;
    int at = snprintf(source, sizeof source,
                      "kernel void k(global uint *a, uint u)\n{ uint x = "
                      "a[get_global_id(0)];\n");
    for (int j = 0; j < BRANCHES; j++)
        at +=
            snprintf(source + at, sizeof source - (size_t)at,
                     "if (u > %d) x = x * %d + (u & %d); else x ^= %d;\n", 3 * j, j | 1, j % 7, j);
    snprintf(source + at, sizeof source - (size_t)at, "a[get_global_id(0)] = x; }\n");
    build_source(&outcome, source, NULL);
    struct loaded module = load(&outcome);
    for (unsigned u = 0; u < 3 * BRANCHES + 9; u += 97) {
        unsigned values[ITEMS];
        struct {
            unsigned *a;
            unsigned u;
        } args = {values, u};
        for (unsigned i = 0; i < ITEMS; i++)
            values[i] = i * 2654435761u;
        run_kernel(module.info->kernels, &args, ITEMS / 8);
        for (unsigned i = 0; i < ITEMS; i++) {
            unsigned x = i * 2654435761u;
            for (unsigned j = 0; j < BRANCHES; j++)
                x = u > 3 * j ? x * (j | 1) + (u & (j % 7)) : x ^ j;
            assert_int_equal(values[i], x);
        }
    }
    dlclose(module.handle);
    finish(&outcome);
}

static bool same_code(const struct outcome *a, const struct outcome *b)
{
    return a->result.binary.bytes == b->result.binary.bytes &&
           !memcmp(a->result.binary.data, b->result.binary.data, a->result.binary.bytes);
}

/* Whichever object says it, and also if it does so out of a library. */
static void objects_keep_that_they_are_not_optimized(void **state)
{
    static const char square[] = "float square(float a) { return a * a; }\n";
    static const char source[] = "float square(float);\nkernel void k(global float *a)\n"
                                 "{ a[get_global_id(0)] = square(a[get_global_id(0)]); }\n";
    struct outcome objects[2][2], library, plain, linked;
    (void)state;
    for (int slow = 0; slow < 2; slow++) {
        compile_object_with(&objects[0][slow], source, slow ? "-cl-opt-disable" : NULL);
        compile_object_with(&objects[1][slow], square, slow ? "-cl-opt-disable" : NULL);
    }
    assert_int_equal(link_objects(&plain, &objects[0][0], &objects[1][0], NULL), 0);
    assert_true(load_width(&plain) > 1);
    for (int k = 1; k < 4; k++) {
        assert_int_equal(link_objects(&linked, &objects[0][k & 1], &objects[1][k >> 1], NULL), 0);
        assert_int_equal(load_width(&linked), 1);
        assert_false(same_code(&plain, &linked));
        finish(&linked);
    }
    assert_int_equal(link_objects(&library, &objects[0][1], &objects[1][1], "-create-library"), 0);
    struct outcome nothing;
    compile_object(&nothing, "int nothing(int a) { return a; }\n");
    assert_int_equal(link_objects(&linked, &nothing, &library, NULL), 0);
    assert_int_equal(load_width(&linked), 1);
    finish(&linked);
    finish(&nothing);
    finish(&library);
    finish(&plain);
    for (int i = 0; i < 4; i++)
        finish(&objects[i / 2][i % 2]);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static size_t memory_in_use(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* The compiler process lives as long as the application. */
static void builds_give_their_memory_back(void **state)
{
    struct outcome outcome;
    char source[300];
    size_t before = 0;
    (void)state;
    for (int i = 0; i < 30; i++) {
        snprintf(source, sizeof source, "%s\nconstant int number = %d;\n", saxpy, i);
        build_source(&outcome, source, i % 3 ? NULL : "-g");
        assert_int_equal(outcome.status, 0);
        finish(&outcome);
        if (i == 9)
            before = memory_in_use();
    }
    assert_true(memory_in_use() < before + (1 << 20)); /* 4 MiB when clang freed nothing */
}

/* ---- remarks --------------------------------------------------------------------------------- */

static void expect_remark(const struct outcome *outcome, const char *text)
{
    const char *remarks = outcome->result.remarks.data ? outcome->result.remarks.data : "";
    if (!strstr(remarks, text))
        fail_msg("the remarks lack \"%s\":\n%s", text, remarks);
}

static void remarks_tell_how_kernels_were_compiled(void **state)
{
    static const char source[] = "kernel void k(global int *x, global const int *at)\n"
                                 "{\n"
                                 "    size_t i = get_global_id(0);\n"
                                 "    x[i] = x[i] * 3 + at[i];\n"
                                 "    if (x[i] > 100)\n"
                                 "        atomic_xchg(&x[at[i]], 7);\n"
                                 "}\n";
    const char *settings[] = {"SLUICE_REMARKS=1", "SLUICE_PASS_LIMIT=1"};
    struct outcome outcome = {.request = {.kind = SL_BUILD_BUILD,
                                          .source = {source, strlen(source)},
                                          .cpu = "x86-64-v4",
                                          .cpu_features = "+avx512bw,+avx512vl",
                                          .settings = settings,
                                          .setting_count = 1}};
    (void)state;
    build(&outcome);
    assert_int_equal(outcome.status, SL_BUILD_OK);
    expect_remark(&outcome, "k line 1: 8 items at once\n");
    expect_remark(&outcome, "k line 6: atomic item by item\n");
    finish(&outcome);
    outcome.request.setting_count = 2;
    build(&outcome);
    assert_int_equal(outcome.status, SL_BUILD_OK);
    expect_remark(&outcome, "k line 1: step 1, simplify: done\n");
    expect_remark(&outcome, "k line 1: step 2, vector form: left out\nk line 1: items in turn\n");
    expect_remark(&outcome, "program: step 4, LLVM's optimiser: left out\n");
    finish(&outcome);
    outcome.request.setting_count = 0;
    build(&outcome);
    assert_int_equal(outcome.result.remarks.bytes, 0);
    finish(&outcome);
}

/* With the line of what caused it, whatever passes made of the code since. */
static void remarks_tell_where_items_stay_in_turn(void **state)
{
    static const char source[] = "kernel void dear(global int *x, global const int *at)\n"
                                 "{\n"
                                 "    size_t i = get_global_id(0);\n"
                                 "    int place = at[i];\n"
                                 "    x[place] = 1;\n"
                                 "}\n"
                                 "kernel void large(global int *x, int n)\n"
                                 "{\n"
                                 "    int own[8192], i = get_global_id(0);\n"
                                 "    for (int k = 0; k < n; k++)\n"
                                 "        own[k] = k;\n"
                                 "    x[i] = own[x[i]];\n"
                                 "}\n";
    const char *settings[] = {"SLUICE_REMARKS=1"};
    struct outcome outcome = {.request = {.kind = SL_BUILD_BUILD,
                                          .source = {source, strlen(source)},
                                          .cpu = "x86-64-v3",
                                          .settings = settings,
                                          .setting_count = 1}};
    (void)state;
    build(&outcome);
    assert_int_equal(outcome.status, SL_BUILD_OK);
    expect_remark(&outcome, "dear line 5: items in turn\n");
    expect_remark(&outcome, "large line 9: no vector form: private variable\n");
    finish(&outcome);
}

/* ---- what ends LLVM -------------------------------------------------------------------------- */

/* LLVM calls it fatal that this processor has no 64-bit code: a build that fails, and the last. */
static void fatal_errors_fail_the_build(void **state)
{
    struct outcome outcome = {.request = {.kind = SL_BUILD_BUILD,
                                          .source = {saxpy, strlen(saxpy)},
                                          .cpu = "i486",
                                          .cpu_features = "-64bit"}};
    (void)state;
    build(&outcome);
    assert_int_equal(outcome.status, SL_BUILD_FAILED);
    assert_true(outcome.result.poisoned);
    expect_log(&outcome, "internal compiler error: 64-bit code requested");
    finish(&outcome);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saxpy_runs),
        cmocka_unit_test(rare_code_is_linked_for_each_level),
        cmocka_unit_test(tables_tell_what_the_source_says),
        cmocka_unit_test(same_request_same_bytes),
        cmocka_unit_test(modules_ask_for_nothing),
        cmocka_unit_test(errors_name_line_and_column),
        cmocka_unit_test(undefined_functions_are_named),
        cmocka_unit_test(recursion_is_named),
        cmocka_unit_test(assembly_is_refused),
        cmocka_unit_test(bombs_are_refused),
        cmocka_unit_test(sizes_have_limits),
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(every_option_is_accepted),
        cmocka_unit_test(cxx_is_a_language),
        cmocka_unit_test(macros_are_honest),
        cmocka_unit_test(old_code_still_builds),
        cmocka_unit_test(errors_come_behind_many_warnings),
        cmocka_unit_test(headers_come_with_the_request),
        cmocka_unit_test(included_files_are_reported),
        cmocka_unit_test(objects_link),
        cmocka_unit_test(objects_keep_that_they_are_not_optimized),
        cmocka_unit_test(branches_on_one_value_compute),
        cmocka_unit_test(builds_give_their_memory_back),
        cmocka_unit_test(remarks_tell_how_kernels_were_compiled),
        cmocka_unit_test(remarks_tell_where_items_stay_in_turn),
        cmocka_unit_test(fatal_errors_fail_the_build), /* the last in this process */
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
