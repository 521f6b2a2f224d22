/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random kernels against the interpreter, each with several sizes of launches; everything that they
 * may have stored is compared, and what lies around it. Some are built a second time without
 * optimisation. SLUICE_TEST_KERNELS: how many;
 * SLUICE_TEST_KERNEL: only the one with this number; SLUICE_TEST_SEED: others. The source of a
 * kernel that fails, or runs alone, is printed. SLUICE_TEST_REQUIRED: those that ask for their
 * group require its size, in most of them rows that fill vectors. One thread; no lock.
 */
#include "cl_help.h"
#include "kernel.h"
#include "through.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEFAULT_KERNELS = 80,
    UNOPTIMISED_EACH = 4,
    LAUNCHES = 5,
    OUTPUT_LENGTH = MOST_ITEMS * 8 + 2 * PAD
};

static uint64_t state; /* starts anew with each kernel, so that one alone sees the same data */

static uint64_t draw(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint64_t draw_below(uint64_t below)
{
    return draw() % below;
}

/* ---- data ------------------------------------------------------------------------------------ */

static void fill(enum base base, void *to, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        struct value x = {0};
        if (base_is_float(base))
            x.d[0] = (double)draw_below(201) - 100;
        else
            x.i[0] = base_wrap(base, (int64_t)draw() >> draw_below(64));
        value_to_memory(&x, base, 0, to, i);
    }
}

static void choose_arguments(const struct program *p, struct launch *launch)
{
    memset(launch->arguments, 0, sizeof launch->arguments);
    for (uint32_t i = 0; i < ARGUMENTS; i++) {
        uint64_t most = (uint64_t)p->argument_most[i];
        int64_t x = most ? (int64_t)draw_below(most + 1) : (int64_t)draw() >> draw_below(64);
        launch->arguments[i].i[0] = base_wrap(p->arguments[i], x);
    }
}

static size_t random_divisor(size_t of, size_t most)
{
    size_t found[64], count = 0;
    for (size_t i = 1; i <= of && i <= most; i++)
        if (of % i == 0 && count < 64)
            found[count++] = i;
    return draw_below(3) == 0 ? found[count - 1] : found[draw_below(count)];
}

static void choose_sizes(const struct program *p, struct launch *launch)
{
    static const size_t lines[] = {1, 7, 16, 17, 63, 64, 128, 256, 333, 960, 1000};
    static const size_t planes[][3] = {{17, 7, 1}, {16, 16, 1}, {63, 5, 1},  {1, 33, 1},
                                       {9, 37, 1}, {64, 6, 1},  {128, 3, 1}, {333, 2, 1}};
    static const size_t one[] = {1, 1, 1};
    static const size_t boxes[][3] = {{7, 5, 3}, {16, 4, 4}, {3, 3, 37}, {64, 2, 3}, {1, 1, 90}};
    size_t line[3] = {lines[draw_below(LEN(lines))], 1, 1};
    const size_t *chosen = p->dims == 1   ? line
                           : p->dims == 2 ? planes[draw_below(LEN(planes))]
                                          : boxes[draw_below(LEN(boxes))];
    size_t left = MOST_LOCAL;
    launch->dims = p->dims;
    if (p->task)
        chosen = one;
    for (uint32_t d = 0; d < 3; d++) {
        launch->global[d] = chosen[d];
        launch->offset[d] = p->offsets && d < p->dims ? draw_below(100) : 0;
        launch->local[d] = p->groups ? random_divisor(chosen[d], left) : chosen[d];
        left /= launch->local[d];
    }
}

/* Groups of one size in all launches; as many of them as the outputs have room for. */
static void choose_required(const struct program *p, struct launch *launch)
{
    static const size_t lines[][3] = {{16, 1, 1}, {64, 1, 1}, {128, 1, 1}, {32, 1, 1}, {48, 1, 1}};
    static const size_t planes[][3] = {{16, 16, 1}, {32, 8, 1}, {16, 4, 1}, {8, 8, 1}, {64, 2, 1},
                                       {32, 4, 1},  {8, 16, 1}, {48, 4, 1}, {4, 4, 1}};
    static const size_t boxes[][3] = {{16, 4, 4}, {8, 8, 4}, {32, 2, 2}, {16, 16, 1}, {4, 8, 3}};
    memcpy(launch->local,
           p->dims == 1   ? lines[draw_below(LEN(lines))]
           : p->dims == 2 ? planes[draw_below(LEN(planes))]
                          : boxes[draw_below(LEN(boxes))],
           sizeof launch->local);
}

static void choose_groups(const struct program *p, struct launch *launch)
{
    size_t left = MOST_ITEMS / (launch->local[0] * launch->local[1] * launch->local[2]);
    launch->dims = p->dims;
    for (uint32_t d = 0; d < 3; d++) {
        size_t most = d >= p->dims ? 1 : left < 3 ? left : 3, count = 1 + draw_below(most);
        launch->global[d] = count * launch->local[d];
        launch->offset[d] = p->offsets && d < p->dims ? draw_below(100) : 0;
        left /= count;
    }
}

/* ---- one launch ------------------------------------------------------------------------------ */

struct run {
    const struct program *p;
    uint32_t number;
    cl_kernel kernel;
    cl_mem inputs[INPUTS], outputs[OUTPUTS], counters;
    struct launch launch;
    void *got;
};

static void start_values(struct run *r)
{
    for (uint32_t i = 0; i < OUTPUTS; i++) {
        enum base base = r->p->outputs[i].base;
        size_t bytes = OUTPUT_LENGTH * base_bytes(base);
        fill(base, r->launch.outputs[i], OUTPUT_LENGTH);
        REQUIRE_OK(clEnqueueWriteBuffer(cl.queue, r->outputs[i], CL_TRUE, 0, bytes,
                                        r->launch.outputs[i], 0, NULL, NULL));
    }
    for (uint32_t i = 0; i < COUNTERS; i++)
        r->launch.counters[i] = (cl_uint)draw();
    REQUIRE_OK(clEnqueueWriteBuffer(cl.queue, r->counters, CL_TRUE, 0, sizeof r->launch.counters,
                                    r->launch.counters, 0, NULL, NULL));
}

static size_t sub_group_size(const struct run *r)
{
    size_t size = 0;
    if (r->p->sub_groups)
        REQUIRE_OK(clGetKernelSubGroupInfo(
            r->kernel, cl.device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
            r->launch.dims * sizeof(size_t), r->launch.local, sizeof size, &size, NULL));
    return size;
}

static void run_kernel(struct run *r)
{
    for (uint32_t i = 0; i < ARGUMENTS; i++)
        set_arg(r->kernel, INPUTS + OUTPUTS + i, base_bytes(r->p->arguments[i]),
                &r->launch.arguments[i]);
    run_nd(r->kernel, r->launch.dims, r->launch.offset, r->launch.global,
           r->p->groups ? r->launch.local : NULL);
}

static void tell(const struct run *r, const char *what, uint32_t index, size_t at, const char *got,
                 const char *want)
{
    const struct launch *l = &r->launch;
    check_fail(__FILE__, __LINE__,
               "kernel %u: %s %u element %zu: expected %s, got %s; "
               "global %zu %zu %zu local %zu %zu %zu%s offset %zu %zu %zu",
               r->number, what, index, at, want, got, l->global[0], l->global[1], l->global[2],
               l->local[0], l->local[1], l->local[2], r->p->groups ? "" : " (NULL)", l->offset[0],
               l->offset[1], l->offset[2]);
}

static void write_number(char *to, size_t size, enum base base, const struct value *x)
{
    if (base_is_float(base))
        snprintf(to, size, "%.17g", x->d[0]);
    else
        snprintf(to, size, "%lld", (long long)x->i[0]);
}

/* Most often all of it is the same to the bit, and nobody needs to look at the values. */
static int compare_output(const struct run *r, uint32_t index)
{
    enum base base = r->p->outputs[index].base;
    size_t bytes = OUTPUT_LENGTH * base_bytes(base);
    read_back(r->outputs[index], bytes, r->got);
    if (!memcmp(r->got, r->launch.outputs[index], bytes))
        return 1;
    for (size_t i = 0; i < OUTPUT_LENGTH; i++) {
        struct value got, want;
        char got_text[64], want_text[64];
        value_from_memory(&got, base, 0, r->got, i);
        value_from_memory(&want, base, 0, r->launch.outputs[index], i);
        if (lane_compare(X_EQ, base, &got, &want, 0))
            continue;
        write_number(got_text, sizeof got_text, base, &got);
        write_number(want_text, sizeof want_text, base, &want);
        tell(r, "output", index, i, got_text, want_text);
        return 0;
    }
    return 1;
}

static int compare_counters(const struct run *r)
{
    uint32_t got[COUNTERS];
    read_back(r->counters, sizeof got, got);
    for (uint32_t i = 0; i < COUNTERS; i++) {
        char got_text[64], want_text[64];
        if (got[i] == r->launch.counters[i])
            continue;
        snprintf(got_text, sizeof got_text, "%u", got[i]);
        snprintf(want_text, sizeof want_text, "%u", r->launch.counters[i]);
        tell(r, "counter", i, 0, got_text, want_text);
        return 0;
    }
    return 1;
}

/* ---- one kernel ------------------------------------------------------------------------------ */

static void make_buffers(struct run *r)
{
    for (uint32_t i = 0; i < INPUTS; i++) {
        enum base base = r->p->inputs[i];
        size_t bytes = INPUT_LENGTH * base_bytes(base);
        r->launch.inputs[i] = malloc(bytes);
        REQUIRE(r->launch.inputs[i]);
        fill(base, r->launch.inputs[i], INPUT_LENGTH);
        r->inputs[i] = new_buffer(CL_MEM_COPY_HOST_PTR, bytes, r->launch.inputs[i]);
        ARG(r->kernel, i, r->inputs[i]);
    }
    for (uint32_t i = 0; i < OUTPUTS; i++) {
        size_t bytes = OUTPUT_LENGTH * base_bytes(r->p->outputs[i].base);
        r->launch.outputs[i] = malloc(bytes);
        REQUIRE(r->launch.outputs[i]);
        r->outputs[i] = new_buffer(0, bytes, NULL);
        ARG(r->kernel, INPUTS + i, r->outputs[i]);
    }
    r->counters = new_buffer(0, sizeof r->launch.counters, NULL);
    ARG(r->kernel, INPUTS + OUTPUTS + ARGUMENTS, r->counters);
    r->got = malloc(OUTPUT_LENGTH * sizeof(cl_ulong));
    REQUIRE(r->got);
}

static void free_buffers(struct run *r)
{
    for (uint32_t i = 0; i < INPUTS; i++) {
        RELEASE_MEM(r->inputs[i]);
        free(r->launch.inputs[i]);
    }
    for (uint32_t i = 0; i < OUTPUTS; i++) {
        RELEASE_MEM(r->outputs[i]);
        free(r->launch.outputs[i]);
    }
    RELEASE_MEM(r->counters);
    free(r->got);
}

static char *source_of(const struct program *p)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    REQUIRE(to);
    program_print(p, "k", to);
    fclose(to);
    return text;
}

/*
 * On its way through clang's SPIR-V a source gets clang's conversion of vectors in the place of
 * OpenCL C's functions, of which clang 22 writes those from signed numbers wrong
 * (../lists/through_clang.txt).
 */
static char *for_clang(const char *source)
{
    static const char *const names[] = {"char", "uchar", "short", "ushort", "int",
                                        "uint", "long",  "ulong", "float",  "double"};
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    REQUIRE(to);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int width = 2; width <= 16; width = width < 4 ? width + 1 : width * 2)
            fprintf(to, "#define convert_%s%d(x) __builtin_convertvector((x), %s%d)\n", names[i],
                    width, names[i], width);
    fputs(source, to);
    fclose(to);
    return text;
}

/* NULL, with the build's log, when there is no such kernel. */
static cl_kernel kernel_from(const char *source, uint32_t number, const char *options)
{
    char *converting = for_clang(source);
    cl_program program = program_through(converting, options);
    cl_kernel kernel = NULL;
    free(converting);
    if (!program)
        program = new_program(source);
    if (clBuildProgram(program, 1, &cl.device, options, NULL, NULL)) {
        char *log = build_log(program);
        check_fail(__FILE__, __LINE__, "kernel %u does not build (%s): %.2000s", number, options,
                   log);
        free(log);
    } else {
        kernel = kernel_of(program, "k");
    }
    RELEASE_PROGRAM(program);
    return kernel;
}

/* Programs with sub-groups are of OpenCL C 3.0. */
static const char *options_of(const struct program *p, int plain)
{
    static const char *const all[2][2] = {{"", "-cl-opt-disable"},
                                          {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-opt-disable"}};
    return all[p->sub_groups][plain];
}

static int has_sub_groups(void)
{
    return device_version() >= 300 && device_uint(CL_DEVICE_MAX_NUM_SUB_GROUPS) &&
           has_extension("cl_khr_subgroup_shuffle");
}

static void one_kernel(uint32_t number, uint64_t seed, int print, int plain)
{
    struct program *p = program_make(seed + number);
    if (p->sub_groups && !has_sub_groups()) {
        program_destroy(p);
        return;
    }
    char options[128];
    struct run r = {.p = p, .number = number};
    char *source = source_of(p);
    int right = 1, required = getenv("SLUICE_TEST_REQUIRED") && p->groups && !p->task;
    state = seed + number;
    snprintf(options, sizeof options, "%s", options_of(p, plain));
    if (required) {
        const size_t *size = r.launch.local;
        choose_required(p, &r.launch);
        snprintf(options, sizeof options, "%s -DREQUIRED=%zu,%zu,%zu", options_of(p, plain),
                 size[0], size[1], size[2]);
    }
    if (print)
        printf("%s", source);
    r.kernel = kernel_from(source, number, options);
    if (r.kernel)
        make_buffers(&r);
    for (int i = 0; i < LAUNCHES && right && r.kernel; i++) {
        if (required)
            choose_groups(p, &r.launch);
        else
            choose_sizes(p, &r.launch);
        choose_arguments(p, &r.launch);
        r.launch.sub_group_size = sub_group_size(&r);
        start_values(&r);
        run_kernel(&r);
        program_interpret(p, &r.launch);
        right = compare_counters(&r);
        for (uint32_t k = 0; k < OUTPUTS && right; k++)
            right = compare_output(&r, k);
    }
    if (!(right && r.kernel) && !print)
        printf("%s/* built with \"%s\" */\n", source, options);
    if (r.kernel) {
        free_buffers(&r);
        RELEASE_KERNEL(r.kernel);
    }
    free(source);
    program_destroy(p);
}

static void in_all_builds(uint32_t number, uint64_t seed, int print)
{
    one_kernel(number, seed, print, 0);
    if (number % UNOPTIMISED_EACH == 0)
        one_kernel(number, seed, print, 1);
}

static uint32_t number_in(const char *variable, uint32_t otherwise)
{
    const char *text = getenv(variable);
    return text ? (uint32_t)strtoul(text, NULL, 0) : otherwise;
}

static void random_kernels(void)
{
    uint32_t one = number_in("SLUICE_TEST_KERNEL", UINT32_MAX);
    uint32_t count = number_in("SLUICE_TEST_KERNELS", DEFAULT_KERNELS);
    uint64_t seed = (uint64_t)number_in("SLUICE_TEST_SEED", 0) << 32;
    if (one != UINT32_MAX)
        in_all_builds(one, seed, 1);
    for (uint32_t i = 0; i < count && one == UINT32_MAX; i++)
        in_all_builds(i, seed, 0);
}

static const struct test_case cases[] = {CASE(random_kernels)};
TEST_MAIN("random", cases)
