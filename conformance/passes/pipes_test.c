/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the kernels of pipes.cl, as the passes and LLVM made them, on pipes_device.c: every
 * operation against plain C, at several depths and with limits that move. Arguments: the bitcode
 * file, and the pipeline for LLVM after the passes ("default<O2>").
 */
#include "pipes_device.h"

#include "llvm/llvm_extra.h"
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arguments.h"

static const char *bitcode, *pipeline;
static struct lowered code;

/* ---- programs -------------------------------------------------------------------------------- */

struct declaration {
    const char *symbol;
    uint32_t bytes, align, flags, rank, dims[3];
};
static const struct declaration declarations[] = {
    {"p1", 1, 1, 0, 0, {0}},         {"p2", 2, 1, 0, 0, {0}},
    {"p3", 3, 1, 0, 0, {0}},         {"p12", 12, 1, 0, 0, {0}},
    {"p24", 24, 1, 0, 0, {0}},       {"p100", 100, 1, 0, 0, {0}},
    {"p1000", 1000, 1, 0, 0, {0}},   {"p_int2", 8, 8, 0, 0, {0}},
    {"p_int3", 16, 16, 0, 0, {0}},   {"p_float4", 16, 16, 0, 0, {0}},
    {"p_ulong8", 64, 64, 0, 0, {0}}, {"first", 4, 4, 0, 0, {0}},
    {"second", 4, 4, 0, 0, {0}},     {"waiting", 4, 4, SL_PIPE_BLOCKING, 0, {0}},
    {"hasty", 4, 4, 0, 0, {0}},      {"grid", 2, 2, 0, 2, {3, 2}},
    {"mixed", 4, 4, 0, 1, {4}},      {"lanes", 4, 4, 0, 1, {4}},
    {"chain", 4, 4, 0, 1, {6}},
};
#define DECLARATIONS (sizeof declarations / sizeof *declarations)

static LLVMMetadataRef text(const char *value)
{
    return LLVMMDStringInContext2(code.pass.context, value, strlen(value));
}

static LLVMMetadataRef number(uint32_t value)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(code.pass.context);
    return LLVMValueAsMetadata(LLVMConstInt(i32, value, false));
}

static void declare(const struct declaration *d, uint32_t depth)
{
    LLVMMetadataRef parts[14] = {text(d->symbol),  text("channel"), number(d->bytes),
                                 number(d->align), number(depth),   number(d->flags),
                                 text(""),         text("packet"),  text("pipes.cl"),
                                 number(1),        number(d->rank)};
    for (uint32_t i = 0; i < d->rank; i++)
        parts[11 + i] = number(d->dims[i]);
    LLVMMetadataRef node = LLVMMDNodeInContext2(code.pass.context, parts, 11 + d->rank);
    LLVMAddNamedMetadataOperand(code.pass.module, "sl.pipes",
                                LLVMMetadataAsValue(code.pass.context, node));
}

static bool is_wanted(const char *name, const char *kernels)
{
    size_t length = strlen(name);
    for (const char *at = kernels; (at = strstr(at, name)); at += length)
        if ((at == kernels || at[-1] == ' ') && (!at[length] || at[length] == ' '))
            return true;
    return false;
}

static LLVMAttributeRef mark(const char *name, const char *value)
{
    return LLVMCreateStringAttribute(code.pass.context, name, (unsigned)strlen(name), value,
                                     (unsigned)strlen(value));
}

/* What the front end would say of attributes. */
static void add_marks(LLVMValueRef kernel, const char *name)
{
    if (strcmp(name, "stage") == 0) {
        LLVMAddAttributeAtIndex(kernel, LLVMAttributeFunctionIndex, mark("sl-autorun", ""));
        LLVMAddAttributeAtIndex(kernel, LLVMAttributeFunctionIndex,
                                mark("sl-num-compute-units", "5,1,1"));
    }
    for (unsigned i = 1; strcmp(name, "arg_blocking") == 0 && i <= 2; i++)
        LLVMAddAttributeAtIndex(kernel, i, mark("sl-pipe-blocking", ""));
}

static void keep_kernels(const char *kernels)
{
    LLVMValueRef next;
    for (LLVMValueRef f = LLVMGetFirstFunction(code.pass.module); f; f = next) {
        const char *name = LLVMGetValueName(f);
        next = LLVMGetNextFunction(f);
        if (LLVMIsDeclaration(f) ||
            !LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, SL_KERNEL_ATTRIBUTE,
                                           strlen(SL_KERNEL_ATTRIBUTE)))
            continue;
        if (is_wanted(name, kernels))
            add_marks(f, name);
        else
            LLVMDeleteFunction(f);
    }
}

/* The named kernels of pipes.cl and no others, all pipes with this depth; 0, or -1 and an error. */
static int begin(const char *kernels, uint32_t depth)
{
    assert_true(lower_open(&code, bitcode, NULL));
    keep_kernels(kernels);
    for (size_t i = 0; i < DECLARATIONS; i++)
        declare(&declarations[i], depth);
    return sl_passes_run(&code.pass);
}

static void build(const char *kernels, uint32_t depth)
{
    if (begin(kernels, depth))
        fail_msg("%s: %s", kernels, code.pass.error);
    assert_true(lower_optimize(&code, pipeline));
    LLVMValueRef infos = LLVMGetNamedGlobal(code.pass.module, "sluice.pipes");
    if (infos)
        LLVMSetLinkage(infos, LLVMExternalLinkage);
    assert_true(lower_load(&code));
}

static const struct sl_pipe_info *find_pipe(const char *name)
{
    const struct sl_pipe_info *infos = dlsym(code.library, "sluice.pipes");
    for (uint32_t i = 0; infos && i < code.pass.pipe_tables.ring_count; i++)
        if (strcmp(infos[i].name, name) == 0)
            return &infos[i];
    fail_msg("no pipe %s", name);
    return NULL;
}

/* ---- launches -------------------------------------------------------------------------------- */

static struct arguments kernel(const char *name)
{
    struct arguments a = {.count = 0};
    a.run = lower_find(&code, name, &a.facts);
    if (!a.run)
        fail_msg("no kernel %s", name);
    assert_true(a.facts->flags & (SL_KERNEL_USES_PIPES | SL_KERNEL_PIPE_ARGS));
    assert_false(a.facts->flags & SL_KERNEL_FLAT);
    return a;
}

static void start(const struct arguments *a, size_t global, size_t local)
{
    size_t bytes = a->facts->local_bytes + 1024;
    device_start(a->run, a->facts, a->block, global, local, bytes);
}

/* Pointers first, then ints: the order in which the kernels take them. */
static void start_task(const char *name, int pointers, int ints, ...)
{
    struct arguments a = kernel(name);
    va_list list;
    va_start(list, ints);
    for (int i = 0; i < pointers; i++)
        add_pointer(&a, va_arg(list, void *));
    for (int i = 0; i < ints; i++) {
        int value = va_arg(list, int);
        add(&a, &value, sizeof value);
    }
    va_end(list);
    start(&a, 1, 1);
}

static void run(void)
{
    if (!device_run())
        fail_msg("the kernels wait for each other; last at %s", machine.last_site->pipe);
}

static void close_code(void)
{
    lower_close(&code);
}

typedef void (*case_fn)(uint32_t depth);
static void each_case(case_fn run_case)
{
    static const struct {
        uint32_t depth;
        enum limits limits;
    } cases[] = {{1, LIMITS_TRUE},   {1, LIMITS_RANDOM}, {3, LIMITS_TIGHT},
                 {3, LIMITS_RANDOM}, {64, LIMITS_TRUE},  {100, LIMITS_RANDOM}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        machine = (struct machine){.limits = cases[c].limits, .seed = 5 + (unsigned)c};
        run_case(cases[c].depth);
    }
}

/* ---- packets --------------------------------------------------------------------------------- */

static void check_size(const char *type, uint32_t depth)
{
    char put[32], take[32], both[80];
    int bad = -1;
    snprintf(put, sizeof put, "put%s", type);
    snprintf(take, sizeof take, "take%s", type);
    snprintf(both, sizeof both, "%s %s", put, take);
    build(both, depth);
    start_task(put, 0, 1, 517);
    start_task(take, 1, 1, &bad, 517);
    run();
    assert_int_equal(bad, 0);
    close_code();
}

static void test_sizes(void **state)
{
    static const char *const types[] = {"1",    "2",     "3",     "12",      "24",     "100",
                                        "1000", "_int2", "_int3", "_float4", "_ulong8"};
    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        machine = (struct machine){.limits = LIMITS_RANDOM, .seed = (unsigned)i};
        check_size(types[i], 5);
        machine = (struct machine){.limits = LIMITS_TRUE};
        check_size(types[i], 1);
    }
}

/* ---- streams --------------------------------------------------------------------------------- */

static void stream(uint32_t depth)
{
    enum { COUNT = 1000 };
    long out = -1, want = 0;
    for (int i = 0; i < COUNT; i++)
        want = (long)((unsigned long)want * 3 + (unsigned long)(2 * i + 1));
    build("produce relay consume", depth);
    assert_int_equal(find_pipe("first")->depth, depth);
    start_task("consume", 1, 1, &out, COUNT);
    start_task("relay", 0, 1, COUNT);
    start_task("produce", 0, 1, COUNT);
    run();
    assert_true(out == want);
    if (machine.limits == LIMITS_TRUE)
        assert_true(machine.calls <= 4 * (COUNT / depth + 4));
    close_code();
}

static void test_stream(void **state)
{
    (void)state;
    each_case(stream);
}

static void poll(uint32_t depth)
{
    enum { COUNT = 300 };
    int out[COUNT] = {0}, failed[2] = {0, -1};
    build("produce_nb consume_nb", depth);
    start_task("consume_nb", 2, 1, out, failed, COUNT);
    start_task("produce_nb", 0, 1, COUNT);
    run();
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(out[i], i);
    if (machine.limits == LIMITS_TRUE)
        assert_true(failed[0] > 0);
    assert_int_equal(failed[1], 0);
    close_code();
}

static void test_polling(void **state)
{
    (void)state;
    each_case(poll);
}

static void test_failed_read_touches_nothing(void **state)
{
    int out[4] = {-1, -2, -3, -4}, codes[4];
    (void)state;
    machine = (struct machine){.limits = LIMITS_TRUE};
    build("consume_global", 4);
    start_task("consume_global", 2, 1, out, codes, 4);
    run();
    for (int i = 0; i < 4; i++) {
        assert_int_equal(codes[i], -1);
        assert_int_equal(out[i], -i - 1);
    }
    close_code();
}

static void both_ends(uint32_t depth)
{
    int out[60];
    build("self", depth);
    start_task("self", 1, 1, out, 20);
    run();
    for (int i = 0; i < 20; i++) {
        assert_int_equal(out[3 * i], 1);
        assert_int_equal(out[3 * i + 1], i * 5);
        assert_int_equal(out[3 * i + 2], depth);
    }
    close_code();
}

static void test_both_ends(void **state)
{
    (void)state;
    each_case(both_ends);
}

static void test_declared_blocking(void **state)
{
    int out = 0, drained[50];
    (void)state;
    machine = (struct machine){.limits = LIMITS_TRUE};
    build("two_kinds drain_waiting", 8);
    start_task("two_kinds", 1, 1, &out, 50);
    start_task("drain_waiting", 1, 1, drained, 50);
    run();
    assert_int_equal(out, 1 - 42);
    for (int i = 0; i < 50; i++)
        assert_int_equal(drained[i], i);
    close_code();
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static void arrays(uint32_t depth)
{
    short out[100];
    build("spread gather", depth);
    assert_int_equal(code.pass.pipe_tables.ring_count, 6);
    start_task("spread", 0, 1, 100);
    start_task("gather", 1, 1, out, 100);
    run();
    for (int i = 0; i < 100; i++)
        assert_int_equal(out[i], i);
    const struct sl_pipe_info *last = find_pipe("grid[2][1]");
    assert_int_equal(last->ring->tail, 16);
    assert_ptr_equal(last->ring->info, last);
    close_code();
}

static void test_arrays(void **state)
{
    (void)state;
    each_case(arrays);
}

static void mixed(uint32_t depth)
{
    for (int at = 1; at <= 2; at++) {
        int out[40];
        build("mix unmix", depth);
        start_task("mix", 0, 2, 20, at);
        start_task("unmix", 1, 2, out, 20, at);
        run();
        for (int i = 0; i < 20; i++) {
            assert_int_equal(out[2 * i], at == 1 ? -i : i);
            assert_int_equal(out[2 * i + 1], at == 1 ? i : -i);
        }
        close_code();
    }
}

static void test_mixed_indices(void **state)
{
    (void)state;
    machine = (struct machine){.limits = LIMITS_TRUE};
    mixed(64);
    machine = (struct machine){.limits = LIMITS_RANDOM};
    mixed(2);
}

static void test_unrolled_lanes(void **state)
{
    int out[80];
    (void)state;
    machine = (struct machine){.limits = LIMITS_RANDOM};
    build("low_lanes high_lanes all_lanes", 3);
    start_task("low_lanes", 0, 1, 20);
    start_task("high_lanes", 0, 1, 20);
    start_task("all_lanes", 1, 1, out, 20);
    run();
    for (int i = 0; i < 80; i++)
        assert_int_equal(out[i], i);
    const struct sl_kernel_facts *low, *high;
    lower_find(&code, "low_lanes", &low);
    lower_find(&code, "high_lanes", &high);
    assert_int_equal(low->component, high->component);
    assert_ptr_equal(&code.pass.kernels[find_pipe("lanes[1]")->writer], low);
    assert_ptr_equal(&code.pass.kernels[find_pipe("lanes[2]")->writer], high);
    close_code();
}

/* ---- autorun --------------------------------------------------------------------------------- */

static void units(uint32_t depth)
{
    int out[31];
    build("stage feed collect", depth);
    assert_int_equal(code.pass.kernel_count, 7);
    for (uint32_t k = 0; k < 7; k++)
        if (code.pass.kernels[k].flags & SL_KERNEL_AUTORUN) {
            struct arguments a = kernel(code.pass.kernels[k].name);
            assert_string_equal(code.pass.kernels[a.facts->first_unit].name, "stage");
            start(&a, 1, 1);
        }
    start_task("feed", 0, 1, 30);
    start_task("collect", 1, 1, out, 30);
    run();
    for (int i = 0; i < 30; i++)
        assert_int_equal(out[i], (i << 8) + 31);
    assert_int_equal(out[30], 0);
    close_code();
}

static void test_compute_units(void **state)
{
    (void)state;
    each_case(units);
}

/* ---- waiting for memory ---------------------------------------------------------------------- */

static void test_spinning(void **state)
{
    int flag[2] = {0, 0};
    (void)state;
    machine = (struct machine){.limits = LIMITS_TRUE};
    build("write_and_spin read_and_set", 4);
    start_task("write_and_spin", 1, 0, flag);
    start_task("read_and_set", 1, 0, flag);
    run();
    assert_int_equal(flag[0], 77);
    assert_int_equal(flag[1], 77);
    close_code();
}

/* ---- many items ------------------------------------------------------------------------------ */

enum { ITEMS = 60 };
static const size_t local_sizes[] = {1, 4, 60, 7, 64};
#define LOCAL_SIZES (sizeof local_sizes / sizeof *local_sizes)

static void in_order(uint32_t depth)
{
    for (size_t l = 0; l < LOCAL_SIZES; l++) {
        int out[ITEMS], factor = 3;
        build("items_in_order sink", depth);
        struct arguments a = kernel("items_in_order");
        add(&a, &factor, sizeof factor);
        start(&a, ITEMS, local_sizes[l]);
        start_task("sink", 1, 1, out, ITEMS);
        run();
        for (int i = 0; i < ITEMS; i++)
            assert_int_equal(out[i], i * 3);
        close_code();
    }
}

static void test_items_in_order(void **state)
{
    (void)state;
    machine = (struct machine){.limits = LIMITS_RANDOM};
    in_order(1);
    machine = (struct machine){.limits = LIMITS_TRUE};
    in_order(16);
}

static void test_items_take_turns_whole(void **state)
{
    int in[5 * ITEMS], out[2 * ITEMS], rounds = 5;
    (void)state;
    for (int i = 0; i < 5 * ITEMS; i++)
        in[i] = i * i;
    machine = (struct machine){.limits = LIMITS_TRUE};
    build("items_with_loop sink", 2);
    struct arguments a = kernel("items_with_loop");
    add_pointer(&a, in);
    add(&a, &rounds, sizeof rounds);
    start(&a, ITEMS, 20);
    start_task("sink", 1, 1, out, 2 * ITEMS);
    run();
    for (int x = 0; x < ITEMS; x++) {
        int sum = 0;
        for (int k = 0; k < rounds; k++)
            sum += in[k * ITEMS + x];
        assert_int_equal(out[2 * x], x);
        assert_int_equal(out[2 * x + 1], sum);
    }
    close_code();
}

static void barriers(uint32_t depth)
{
    enum { LOCAL = 6, GROUPS = 4, EACH = LOCAL * 2 + LOCAL / 2 };
    int out[GROUPS * EACH], *at = out;
    build("items_with_barriers sink", depth);
    struct arguments a = kernel("items_with_barriers");
    uint64_t offset = 0;
    add(&a, &offset, sizeof offset);
    start(&a, LOCAL * GROUPS, LOCAL);
    start_task("sink", 1, 1, out, GROUPS * EACH);
    run();
    for (int g = 0; g < GROUPS; g++) {
        for (int x = 0; x < LOCAL; x++)
            assert_int_equal(*at++, g * LOCAL + x);
        for (int x = 0; x < LOCAL; x++)
            assert_int_equal(*at++, (g * LOCAL + LOCAL - 1 - x) * 10);
        for (int x = 0; x < LOCAL; x += 2)
            assert_int_equal(*at++, x);
    }
    close_code();
}

static void test_barriers(void **state)
{
    (void)state;
    each_case(barriers);
}

static int plain_branches(int *out, int count)
{
    int n = 0;
    for (int i = 0; i < count; i++) {
        if (i % 5 == 4)
            continue;
        if (i % 3 == 0)
            out[n++] = i;
        if (i % 3 <= 1)
            out[n++] = -i;
        for (int k = 0; i % 3 == 2 && k < i % 4; k++)
            out[n++] = i * 100 + k;
        if (i == count - 2)
            break;
    }
    return n;
}

static void branches(uint32_t depth)
{
    int want[400], out[400], count = plain_branches(want, 99);
    build("branches sink", depth);
    start_task("branches", 0, 1, 99);
    start_task("sink", 1, 1, out, count);
    run();
    assert_memory_equal(out, want, (size_t)count * sizeof *out);
    close_code();
}

static void test_branches(void **state)
{
    (void)state;
    each_case(branches);
}

/* ---- reservations ---------------------------------------------------------------------------- */

static void test_reservation(void **state)
{
    int out[3] = {0}, got[30];
    (void)state;
    machine = (struct machine){.limits = LIMITS_TRUE};
    build("reserve sink", 4);
    start_task("reserve", 1, 1, out, 30);
    start_task("sink", 1, 1, got, 30);
    run();
    for (int i = 0; i < 30; i++)
        assert_int_equal(got[i], i);
    assert_true(out[0] > 0);
    assert_int_equal(out[1], 0);
    assert_int_equal(out[2], -10);
    close_code();
}

static void test_group_reservation(void **state)
{
    enum { LOCAL = 5, GROUPS = 6 };
    int out[LOCAL * GROUPS];
    uint64_t ids[LOCAL * GROUPS];
    (void)state;
    machine = (struct machine){.limits = LIMITS_TRUE};
    build("reserve_groups produce", 7);
    struct arguments a = kernel("reserve_groups");
    add_pointer(&a, out);
    add_pointer(&a, ids);
    start(&a, LOCAL * GROUPS, LOCAL);
    start_task("produce", 0, 1, LOCAL * GROUPS);
    run();
    for (int i = 0; i < LOCAL * GROUPS; i++) {
        int g = i / LOCAL, x = i % LOCAL;
        assert_int_equal(out[i], g * LOCAL + LOCAL - 1 - x);
        assert_int_equal(ids[i], g * LOCAL + 1);
    }
    close_code();
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void push(struct sl_pipe_ring *ring, const void *packet)
{
    memcpy(ring->slots + (ring->tail++ & ring->mask) * ring->packet_bytes, packet,
           ring->packet_bytes);
}

static void arguments(uint32_t depth)
{
    struct sl_pipe_ring *in = device_ring(4, 40), *out = device_ring(4, 40 + depth);
    int count = 40;
    for (int i = 0; i < count; i++)
        push(in, &i);
    build("arg_relay", depth);
    out->attention = depth == 3;
    struct arguments a = kernel("arg_relay");
    assert_int_equal(a.facts->args[0].kind, SL_ARG_PIPE);
    assert_int_equal(a.facts->args[0].pipe.packet_bytes, 4);
    add_pointer(&a, in);
    add_pointer(&a, out);
    add(&a, &count, sizeof count);
    start(&a, 1, 1);
    run();
    assert_int_equal(in->head, 40);
    assert_int_equal(out->tail, 40);
    for (int i = 0; i < count; i++)
        assert_int_equal(((int *)out->slots)[i], i + 1000);
    if (machine.limits == LIMITS_TRUE)
        assert_int_equal(machine.notified, depth == 3 ? 40 : 0);
    free(in->slots);
    free(in);
    free(out->slots);
    free(out);
    close_code();
}

static void test_arguments(void **state)
{
    (void)state;
    each_case(arguments);
}

static void test_blocking_arguments(void **state)
{
    struct sl_pipe_ring *a = device_ring(8, 2), *b = device_ring(8, 3), *c = device_ring(8, 64);
    int count = 30;
    (void)state;
    machine = (struct machine){.limits = LIMITS_TRUE};
    build("arg_blocking", 1);
    struct sl_pipe_ring *ends[3][2] = {{a, b}, {b, c}, {c, a}};
    float start_value[2] = {1, 2};
    push(a, start_value);
    for (int k = 0; k < 3; k++) {
        struct arguments args = kernel("arg_blocking");
        add_pointer(&args, ends[k][0]);
        add_pointer(&args, ends[k][1]);
        add(&args, &count, sizeof count);
        start(&args, 1, 1);
    }
    run();
    assert_int_equal(a->tail, 31);
    assert_int_equal(c->head, 30);
    assert_true(((float *)a->slots)[0] == 1);
    struct sl_pipe_ring *all[] = {a, b, c};
    for (int k = 0; k < 3; k++) {
        free(all[k]->slots);
        free(all[k]);
    }
    close_code();
}

static void test_one_pipe_twice(void **state)
{
    (void)state;
    for (int l = 0; l < LIMITS_COUNT; l++) {
        struct sl_pipe_ring *ring = device_ring(4, 64);
        int count = 20;
        machine = (struct machine){.limits = (enum limits)l};
        build("arg_same", 1);
        struct arguments a = kernel("arg_same");
        add_pointer(&a, ring);
        add_pointer(&a, ring);
        add(&a, &count, sizeof count);
        start(&a, 1, 1);
        run();
        assert_int_equal(ring->tail, 40);
        for (int i = 0; i < 40; i++)
            assert_int_equal(((int *)ring->slots)[i], i % 2 ? -(i / 2) : i / 2);
        free(ring->slots);
        free(ring);
        close_code();
    }
}

static void test_argument_reservation(void **state)
{
    struct sl_pipe_ring *ring = device_ring(4, 50);
    int out[41], count = 40;
    (void)state;
    machine = (struct machine){.limits = LIMITS_TRUE};
    for (int i = 0; i < count; i++)
        push(ring, &i);
    build("arg_reserve", 1);
    struct arguments a = kernel("arg_reserve");
    add_pointer(&a, ring);
    add_pointer(&a, out);
    add(&a, &count, sizeof count);
    start(&a, 1, 1);
    run();
    for (int i = 0; i < count; i++)
        assert_int_equal(out[i], i);
    assert_int_equal(out[40], 50);
    free(ring->slots);
    free(ring);
    close_code();
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void check_refused(const char *kernels, const char *words[])
{
    if (!begin(kernels, 4))
        fail_msg("%s: not refused", kernels);
    for (int i = 0; words[i]; i++)
        if (!strstr(code.pass.error, words[i]))
            fail_msg("%s: '%s' is not in '%s'", kernels, words[i], code.pass.error);
    close_code();
}

static void test_connections(void **state)
{
    (void)state;
    check_refused("produce produce_nb consume_nb",
                  (const char *[]){"'first'", "'produce'", "'produce_nb'", "written", NULL});
    check_refused("relay sink produce",
                  (const char *[]){"'first'", "'relay'", "'sink'", "read", NULL});
    check_refused("low_lanes mix unmix spread gather high_lanes all_lanes two_kinds stage unmix "
                  "collect feed produce self",
                  (const char *[]){"'first'", "'self'", NULL});
    assert_int_equal(begin("produce", 4), 0);
    assert_non_null(code.pass.warnings);
    assert_non_null(strstr(code.pass.warnings, "'first' is never read"));
    close_code();
    assert_int_equal(begin("produce sink", 4), 0);
    assert_null(code.pass.warnings);
    close_code();
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    bitcode = argv[1];
    pipeline = argv[2];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_stream),
        cmocka_unit_test(test_polling),
        cmocka_unit_test(test_failed_read_touches_nothing),
        cmocka_unit_test(test_both_ends),
        cmocka_unit_test(test_declared_blocking),
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_mixed_indices),
        cmocka_unit_test(test_unrolled_lanes),
        cmocka_unit_test(test_compute_units),
        cmocka_unit_test(test_spinning),
        cmocka_unit_test(test_items_in_order),
        cmocka_unit_test(test_items_take_turns_whole),
        cmocka_unit_test(test_barriers),
        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_reservation),
        cmocka_unit_test(test_group_reservation),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_blocking_arguments),
        cmocka_unit_test(test_one_pipe_twice),
        cmocka_unit_test(test_argument_reservation),
        cmocka_unit_test(test_connections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
