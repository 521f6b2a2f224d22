/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler library: source or objects in, a module that runs out. */
#include "compiler_help.h"

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

#include <cmocka.h>

#include "sluice/base/level.h"

/* ---- what comes out -------------------------------------------------------------------------- */

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

/* ---- objects --------------------------------------------------------------------------------- */

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
    expect_log(&linked, "error: undefined function 'twice' called from kernel 'k'\n"
                        "note: objects that are compiled with -g have the lines of it\n");
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
        cmocka_unit_test(objects_link),
        cmocka_unit_test(objects_keep_that_they_are_not_optimized),
        cmocka_unit_test(branches_on_one_value_compute),
        cmocka_unit_test(builds_give_their_memory_back),
        cmocka_unit_test(fatal_errors_fail_the_build), /* the last in this process */
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
