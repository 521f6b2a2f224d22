/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builtins as machine code (kernels/compiler/builtins/ready_code.h): whatever the archive of a
 * level has that a program can call gives the bits that the same builtin gives as bitcode in a
 * kernel that is not optimised, and, at length, in a vectorised one. The functions and their
 * parameters are read from the archive's mangled names.
 *
 * usage: unit_ready_code [LEVEL]; without one all levels, at length
 */
#include <dlfcn.h>
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
#include "compiler/builtins/resources.h"
#include "ready_code_kernels.h"
#include "sluice/base/level.h"

enum {
    ITEMS = 3000,      /* of a kernel */
    GROUP = 8,         /* of a work-group */
    MOST_TOGETHER = 12 /* functions of a program: with sixteen kernels it would fork */
};

/* ---- values ---------------------------------------------------------------------------------- */

static uint64_t random_bits(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static double random_double(unsigned choice)
{
    static const double special[] = {
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        2.0,
        INFINITY,
        -INFINITY,
        NAN,
        0x1p-149,
        -0x1p-130,
        0x1p-126,
        0x1p-1074,
        0x1p-1030,
        0x1.fffffep127,
        1e300,
        0.25,
        3.0,
        -2.5,
        1e-8,
        1e5,
        3e9,
        -1e18,
        1e30,
        88.7,
        -103.9,
        709.7,
        -745.0,
        0x1p24,
        0x1p53,
        1.5707963267948966,
        3.14159274,
    };
    double unit = (double)(int64_t)random_bits() * 0x1p-63;
    uint64_t bits = random_bits();
    double any;
    switch (choice % 5) {
    case 0:
        return special[bits % (sizeof special / sizeof *special)];
    case 1:
        return unit;
    case 2:
        return unit * 8;
    case 3:
        return unit * 200;
    default:
        memcpy(&any, &bits, sizeof any);
        return any;
    }
}

static void fill_element(char element, unsigned choice, unsigned char *to)
{
    uint64_t bits = random_bits();
    unsigned size = element_size(element);
    if (element == 'd') {
        double value = random_double(choice);
        memcpy(to, &value, sizeof value);
    } else if (element == 'f' && choice % 5 != 4) {
        float value = (float)random_double(choice);
        memcpy(to, &value, sizeof value);
    } else if (element == 'f' || choice % 2) {
        memcpy(to, &bits, size);
    } else {
        int64_t value = (int64_t)(bits % 41) - 20; /* powers and exponents */
        memcpy(to, &value, size);
    }
}

static void fill(const struct function *f, unsigned char *in)
{
    for (unsigned i = 0; i < ITEMS; i++)
        for (unsigned p = 0; p < f->parameter_count; p++) {
            unsigned char *slot = in + (i * MOST_PARAMETERS + p) * SLOT;
            unsigned size = element_size(f->parameters[p].element);
            unsigned choice = p ? (unsigned)random_bits() % 5 : i;
            for (unsigned e = 0; e < f->parameters[p].count; e++)
                fill_element(f->parameters[p].element, choice + e * (i % 3 == 0), slot + e * size);
        }
}

/* ---- builds ---------------------------------------------------------------------------------- */

struct build {
    struct sl_build_request request;
    struct sl_build_result result;
    int status;
    int file; /* open as long as the handle: the dynamic linker knows modules by their paths */
    void *handle;
    const struct sl_module_info *info;
};

static void run_build(void *data)
{
    struct build *build = data;
    build->status = sl_compiler_build(&build->request, &build->result);
}

static void load(struct build *build, const struct text *source)
{
    struct sl_blob whole, elf;
    char path[64];
    build->request.kind = SL_BUILD_BUILD;
    build->request.source = (struct sl_blob){source->data, source->bytes};
    assert_int_equal(sl_compiler_on_large_stack(run_build, build), 0);
    if (build->status)
        fail_msg("refused:\n%s", build->result.log.data);
    whole = (struct sl_blob){build->result.binary.data, build->result.binary.bytes};
    assert_null(sl_container_payload(&whole, SL_BINARY_EXECUTABLE, &elf));
    build->file = memfd_create("module", MFD_CLOEXEC);
    assert_int_equal(write(build->file, elf.data, elf.bytes), (ssize_t)elf.bytes);
    snprintf(path, sizeof path, "/proc/self/fd/%d", build->file);
    build->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!build->handle)
        fail_msg("%s", dlerror());
    build->info = dlsym(build->handle, SL_MODULE_SYMBOL);
    assert_non_null(build->info);
}

static void unload(struct build *build)
{
    dlclose(build->handle);
    close(build->file);
    sl_build_result_finish(&build->result);
}

static void run(const struct build *build, size_t index, const unsigned char *in,
                unsigned char *out)
{
    static _Alignas(SL_LOCAL_ALIGN) unsigned char local[1 << 16], context[1 << 20];
    char name[32];
    const struct sl_kernel_info *kernel = NULL;
    snprintf(name, sizeof name, "k%zu", index);
    for (uint32_t k = 0; k < build->info->kernel_count; k++)
        if (!strcmp(build->info->kernels[k].name, name))
            kernel = &build->info->kernels[k];
    assert_non_null(kernel);
    assert_true(kernel->context_fixed + (size_t)kernel->context_per_item * GROUP <= sizeof context);
    struct sl_launch launch = {.work_dim = 1,
                               .global_size = {ITEMS, 1, 1},
                               .local_size = {GROUP, 1, 1},
                               .group_count = {ITEMS / GROUP, 1, 1}};
    struct sl_group group = {.count = ITEMS / GROUP, .local = local, .context = context};
    unsigned char args[64] = {0};
    memcpy(args + kernel->args[0].offset, &in, sizeof in);
    memcpy(args + kernel->args[1].offset, &out, sizeof out);
    memset(out, 0, (size_t)ITEMS * 2 * SLOT);
    kernel->run(args, &launch, &group);
}

/* ---- comparison ------------------------------------------------------------------------------ */

/* Of which NaN a result is nobody says anything. */
static bool is_same(const unsigned char *a, const unsigned char *b, unsigned size)
{
    float x, y;
    double xd, yd;
    if (!memcmp(a, b, size))
        return true;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    if (size == sizeof x)
        return isnan(x) && isnan(y);
    memcpy(&xd, a, sizeof xd);
    memcpy(&yd, b, sizeof yd);
    return isnan(xd) && isnan(yd);
}

static unsigned compare(const struct function *f, const unsigned char *in,
                        const unsigned char *normal, const unsigned char *quick)
{
    const unsigned size = f->parameters[0].element == 'd' ? 8 : 4;
    unsigned wrong = 0;
    for (size_t at = 0; at < (size_t)ITEMS * 2 * SLOT; at += size) {
        if (is_same(normal + at, quick + at, size))
            continue;
        uint64_t a = 0, b = 0, x = 0;
        const size_t item = at / (2 * SLOT);
        memcpy(&a, normal + at, size);
        memcpy(&b, quick + at, size);
        memcpy(&x, in + item * MOST_PARAMETERS * SLOT + at % SLOT, size);
        if (!wrong++)
            print_error("%s of %#llx...: %#llx, as bitcode %#llx\n", f->symbol,
                        (unsigned long long)x, (unsigned long long)b, (unsigned long long)a);
    }
    return wrong;
}

static bool has_symbol(const struct build *build, const char *symbol)
{
    return memmem(build->result.binary.data, build->result.binary.bytes, symbol,
                  strlen(symbol) + 1);
}

/* As many functions as differ. */
static unsigned check(const char *level, const struct function *functions, size_t count,
                      const char *language, bool optimize)
{
    static unsigned char in[ITEMS * MOST_PARAMETERS * SLOT], normal[ITEMS * 2 * SLOT],
        quick[ITEMS * 2 * SLOT];
    const char *options[] = {language, "-cl-opt-disable"};
    struct text source = print_program(functions, count);
    struct build builds[2] = {0};
    unsigned wrong = 0;
    for (int i = 0; i < 2; i++) {
        builds[i].request = (struct sl_build_request){
            .target = level, .options = options, .option_count = i || optimize ? 1 : 2, .quick = i};
        load(&builds[i], &source);
    }
    assert_ptr_not_equal(builds[0].handle, builds[1].handle);
    for (size_t i = 0; i < count; i++) {
        if (has_symbol(&builds[0], functions[i].symbol) ||
            !has_symbol(&builds[1], functions[i].symbol)) {
            print_error("%s is not called, or by both\n", functions[i].symbol);
            wrong++;
        }
        fill(&functions[i], in);
        run(&builds[0], i, in, normal);
        run(&builds[1], i, in, quick);
        wrong += compare(&functions[i], in, normal, quick) != 0;
    }
    for (int i = 0; i < 2; i++)
        unload(&builds[i]);
    free(source.data);
    return wrong;
}

/* ---- levels ---------------------------------------------------------------------------------- */

/* Of vectors those of three will do. */
static bool is_even_vector(const struct function *f)
{
    return f->parameters[0].count == 2 || f->parameters[0].count == 4;
}

static bool thorough; /* all widths of vectors, and scalar floats in vectorised kernels too */

struct batch {
    struct function functions[MOST_TOGETHER];
    size_t count;
    const char *language;
    bool optimize;
};

/* What native functions give beyond their domain depends on the form of the kernel. */
static bool has_many_forms(const struct function *f)
{
    bool scalar = f->parameters[0].element == 'f';
    for (unsigned p = 0; p < f->parameter_count; p++)
        scalar &= f->parameters[p].count == 1;
    return scalar && strncmp(f->name, "native_", 7) != 0;
}

/* Pointers to a named address space choose among functions of OpenCL C 1.2, those to none of 3.0.
 */
static struct batch *batch_for(struct batch batches[2][2], const struct function *f)
{
    bool old = f->space && f->space != '4';
    bool optimize = thorough && has_many_forms(f);
    struct batch *batch = &batches[old][optimize];
    batch->language = old ? "-cl-std=CL1.2" : "-cl-std=CL3.0";
    batch->optimize = optimize;
    return batch;
}

static unsigned finish_batch(const char *level, struct batch *batch)
{
    unsigned wrong = batch->count ? check(level, batch->functions, batch->count, batch->language,
                                          batch->optimize)
                                  : 0;
    batch->count = 0;
    return wrong;
}

static void check_level(unsigned index)
{
    static struct batch batches[2][2];
    const char *level = sl_level_at(index)->name;
    const struct sl_library *code = sl_resources_code(index);
    struct sl_library_member member;
    unsigned wrong = 0, count = 0;
    assert_non_null(code);
    for (uint32_t i = 0; sl_library_member_at(code, i, &member); i++) {
        struct function f;
        if (!read_function(member.name, &f) || (!thorough && is_even_vector(&f)))
            continue;
        struct batch *batch = batch_for(batches, &f);
        batch->functions[batch->count++] = f;
        count++;
        if (batch->count == MOST_TOGETHER)
            wrong += finish_batch(level, batch);
    }
    for (int i = 0; i < 4; i++)
        wrong += finish_batch(level, &batches[i / 2][i % 2]);
    assert_true(count > (thorough ? 500 : 200));
    assert_int_equal(wrong, 0);
}

static const char *wanted_level; /* NULL: all that this machine has */

static void ready_code_gives_the_same_bits(void **state)
{
    bool have = false; /* the levels below this machine's too */
    unsigned checked = 0;
    (void)state;
    for (unsigned i = 0; sl_level_at(i); i++) {
        have |= sl_level_at(i) == sl_level_host();
        if (!have || (wanted_level && strcmp(wanted_level, sl_level_at(i)->name) != 0))
            continue;
        check_level(i);
        checked++;
    }
    if (!checked)
        skip(); /* the wanted level is more than this machine runs */
}

/* Does a kernel call the sine of this machine's level? */
static bool calls_code(struct sl_build_request request)
{
    char text[] = "kernel void k(global float *x) { *x = sin(*x); }", symbol[64];
    const struct text source = {text, sizeof text - 1};
    struct build build = {.request = request};
    snprintf(symbol, sizeof symbol, "_Z3sinf.%s", sl_level_host()->code);
    load(&build, &source);
    bool calls = has_symbol(&build, symbol);
    unload(&build);
    return calls;
}

static void only_where_it_serves(void **state)
{
    const char *flush = "-cl-denorms-are-zero";
    (void)state;
    assert_true(calls_code((struct sl_build_request){.quick = true}));
    assert_false(calls_code((struct sl_build_request){.quick = false}));
    assert_false(
        calls_code((struct sl_build_request){.quick = true, .options = &flush, .option_count = 1}));
    assert_false(calls_code((struct sl_build_request){
        .quick = true, .cpu = sl_level_host()->cpu, .cpu_features = "-sse4a"}));
}

int main(int argc, char **argv)
{
    wanted_level = argc > 1 ? argv[1] : NULL;
    thorough = !wanted_level;
    const struct CMUnitTest tests[] = {cmocka_unit_test(ready_code_gives_the_same_bits),
                                       cmocka_unit_test(only_where_it_serves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
