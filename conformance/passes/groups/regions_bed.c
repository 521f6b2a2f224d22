/* SPDX-License-Identifier: Apache-2.0 */
#include "regions_bed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lowered code;
struct printed printed;

bool open_regions(int argc, char **argv)
{
    if (argc < 3 || !lower_open(&code, argv[1], NULL))
        return false;
    if (!strcmp(argv[2], "default<O0>"))
        code.pass.flags &= ~(uint32_t)SL_PASS_OPTIMIZE;
    if (sl_passes_run(&code.pass)) {
        fprintf(stderr, "%s\n", code.pass.error);
        return false;
    }
    return lower_optimize(&code, argv[2]) && lower_load(&code);
}

static int32_t record_print(const struct sl_launch *launch, const char *format, const void *record,
                            uint32_t bytes, uint32_t arg_count)
{
    assert_non_null(launch);
    printed.calls++;
    printed.arg_count = arg_count;
    printed.bytes = bytes;
    printed.format = format;
    memcpy(printed.record, record, bytes < sizeof printed.record ? bytes : sizeof printed.record);
    return 0;
}

static const struct sl_runtime runtime = {.size = sizeof runtime, .print = record_print};

struct arguments begin(const char *kernel)
{
    struct arguments a = {.count = 0};
    a.run = lower_find(&code, kernel, &a.facts);
    assert_non_null(a.run);
    a.local = a.facts->local_bytes;
    return a;
}

void add_int(struct arguments *a, int value)
{
    add(a, &value, sizeof value);
}

void add_local(struct arguments *a, size_t bytes)
{
    uint64_t offset = (a->local + SL_LOCAL_ALIGN - 1) / SL_LOCAL_ALIGN * SL_LOCAL_ALIGN;
    a->local = offset + bytes;
    add(a, &offset, sizeof offset);
}

size_t items_of(const struct range *r)
{
    return r->local[0] * r->local[1] * r->local[2];
}

void fill_launch(const struct range *r, struct sl_launch *launch)
{
    *launch = (struct sl_launch){.work_dim = r->dims, .runtime = &runtime};
    for (int d = 0; d < 3; d++) {
        launch->global_offset[d] = r->offset[d];
        launch->global_size[d] = r->global[d];
        launch->local_size[d] = r->local[d];
        launch->group_count[d] = (r->global[d] + r->local[d] - 1) / r->local[d];
    }
}

void launch(struct arguments *a, const struct range *r)
{
    struct sl_launch l;
    fill_launch(r, &l);
    assert_int_equal(a->count, a->facts->arg_count);
    size_t context = a->facts->context_fixed + a->facts->context_per_item * items_of(r);
    struct sl_group group = {.local = aligned_alloc(128, (a->local + 127) / 128 * 128 + 128),
                             .context = aligned_alloc(64, (context + 63) / 64 * 64 + 64)};
    memset(group.context, 0x5a, context);
    memset((char *)group.context + context, 0x77, 64);
    size_t step = r->step ? r->step : l.group_count[0];
    for (size_t z = 0; z < l.group_count[2]; z++)
        for (size_t y = 0; y < l.group_count[1]; y++)
            for (size_t x = 0; x < l.group_count[0]; x += step) {
                size_t left = l.group_count[0] - x;
                memcpy(group.id, (size_t[]){x, y, z}, sizeof group.id);
                group.count = left < step ? left : step;
                a->run(a->block, &l, &group);
            }
    for (size_t i = 0; i < 64; i++)
        assert_int_equal(((unsigned char *)group.context)[context + i], 0x77);
    free(group.local);
    free(group.context);
}

const struct range ranges[RANGES] = {
    {1, {64, 1, 1}, {16, 1, 1}, {0, 0, 0}, 0},   {1, {64, 1, 1}, {64, 1, 1}, {0, 0, 0}, 1},
    {1, {96, 1, 1}, {1, 1, 1}, {0, 0, 0}, 7},    {1, {91, 1, 1}, {13, 1, 1}, {5, 0, 0}, 2},
    {1, {100, 1, 1}, {32, 1, 1}, {3, 0, 0}, 0},  {1, {101, 1, 1}, {40, 1, 1}, {0, 0, 0}, 1},
    {1, {7, 1, 1}, {50, 1, 1}, {0, 0, 0}, 0},    {2, {12, 10, 1}, {4, 5, 1}, {0, 0, 0}, 0},
    {2, {13, 11, 1}, {4, 3, 1}, {2, 9, 0}, 1},   {2, {33, 5, 1}, {16, 2, 1}, {0, 0, 0}, 2},
    {3, {6, 5, 4}, {3, 5, 2}, {0, 0, 0}, 0},     {3, {7, 6, 5}, {3, 4, 2}, {1, 2, 3}, 1},
    {3, {64, 3, 2}, {64, 1, 1}, {0, 0, 7}, 0},   {1, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, 0},
    {3, {20, 20, 3}, {7, 7, 2}, {100, 0, 0}, 3},
};

size_t local_of(const struct range *r, int d, size_t group)
{
    size_t left = r->global[d] - group * r->local[d];
    return left < r->local[d] ? left : r->local[d];
}

void each_group(const struct range *r, group_check check, void *data)
{
    for (size_t g = 0; g * r->local[0] < r->global[0]; g++)
        check(g, g * r->local[0], local_of(r, 0, g), data);
}

struct lines lines;

void fill_lines(int a, int b)
{
    for (int i = 0; i < LIMIT; i++) {
        lines.in[i] = (i * 7919 + 13) % 1009 - 300;
        lines.out[i] = lines.want[i] = -1;
    }
    lines.a = a;
    lines.b = b;
}

void check_lines(const char *kernel, const struct range *r)
{
    for (int i = 0; i < LIMIT; i++)
        if (lines.out[i] != lines.want[i])
            fail_msg("%s: global %zu local %zu offset %zu: item %d is %d, not %d", kernel,
                     r->global[0], r->local[0], r->offset[0], i, lines.out[i], lines.want[i]);
}

void run_line(const char *kernel, const struct range *r, bool in, int locals, int ints,
              group_check check)
{
    struct arguments a = begin(kernel);
    if (in)
        add_pointer(&a, lines.in - r->offset[0]);
    add_pointer(&a, lines.out - r->offset[0]);
    for (int i = 0; i < locals; i++)
        add_local(&a, r->local[0] * sizeof(int));
    if (ints > 0)
        add_int(&a, lines.a);
    if (ints > 1)
        add_int(&a, lines.b);
    launch(&a, r);
    each_group(r, check, &lines);
    check_lines(kernel, r);
}

void each_line(const char *kernel, bool in, int locals, int ints, int a, int b, group_check check)
{
    for (size_t i = 0; i < RANGES; i++)
        if (ranges[i].dims == 1) {
            fill_lines(a, b);
            run_line(kernel, &ranges[i], in, locals, ints, check);
        }
}
