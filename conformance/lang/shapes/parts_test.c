/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ids parted at powers of two: so many items share a row, whose number is `id / items` and in which
 * their places are `id % items`. Rows are as long as memory says. Launches and groups begin
 * anywhere, end anywhere, and where ids as ints turn negative; some items at the beginning of a row
 * of work-items do nothing.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 256, WORDS = 2048 };

static cl_uint x[WORDS], got[WORDS], wanted[WORDS];

static const char source[] =
    "uint sum(global const uint *x, TYPE row, TYPE place)\n"
    "{\n"
    "    uint s = 0, end = x[(row & 255) + 1] % 90;\n"
    "    for (uint j = x[row & 255] % 40 + place; j < end; j += ITEMS)\n"
    "        s += x[j + 300] * (j + 1);\n"
    "    return s;\n"
    "}\n"
    "kernel void flat(global const uint *x, global uint *y, uint base)\n"
    "{\n"
    "    TYPE id = get_global_id(0), row = id / ITEMS, place = id % ITEMS;\n"
    "    if (GUARD)\n"
    "        y[(uint)id - base] = sum(x, row, place) + 3 * (uint)row + (uint)place;\n"
    "}\n"
    "kernel void groups(global const uint *x, global uint *y, uint base, local uint *t)\n"
    "{\n"
    "    TYPE l = get_local_id(0), id = get_global_id(0), place = l % ITEMS, row = ROW;\n"
    "    if (RETURN)\n"
    "        return;\n"
    "    t[l] = sum(x, row, place);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (place < ITEMS / 2 && l + ITEMS / 2 < get_local_size(0))\n"
    "        t[l] += t[l + ITEMS / 2];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (GUARD)\n"
    "        y[(uint)id - base] = t[l] + (uint)row * 5 + (uint)(l & (ITEMS - 1));\n"
    "    if (place == 0)\n"
    "        y[(uint)id - base + 1024] = t[l] + (uint)row;\n"
    "}\n";

struct launch {
    size_t offset, items, group;
};

static const struct launch launches[] = {
    {0, 512, 64},  {0, 333, 37},           {32, 480, 96},          {5, 200, 40},
    {64, 130, 10}, {0x7fffff80, 256, 128}, {0x7fffffee, 300, 100}, {0x7fffffe0, 96, 48},
    {16, 20, 4},   {0xffffff80, 128, 64}};

struct form {
    const char *type, *guard, *leave, *row;
    bool is_unsigned, by_group;
    int least, only; /* items that the guard lets pass: from this one on; this one alone; -1: all */
};

#define BY_ID "id / ITEMS"
#define BY_GROUP                                                                                   \
    "(TYPE)(get_group_id(0) * ((get_enqueued_local_size(0) + ITEMS - 1) / ITEMS)) + l / ITEMS"

static const struct form forms[] = {
    {"int", "1", "0", BY_ID, false, false, -1, -1},
    {"uint", "1", "0", BY_GROUP, true, true, -1, -1},
    {"long", "(uint)id - base >= 5", "0", BY_ID, true, false, 5, -1},
    {"int", "(uint)id - base == 7", "0", BY_GROUP, false, true, -1, 7},
    {"size_t", "id >= base + 11", "0", BY_ID, true, false, 11, -1},
    {"int", "id - (int)base > 2", "(uint)id - base >= 400", BY_GROUP, false, true, 3, -1},
};

static cl_uint sum(cl_long row, cl_uint place, cl_uint items)
{
    cl_uint s = 0, end = x[(row & 255) + 1] % 90;
    for (cl_uint j = x[row & 255] % 40 + place; j < end; j += items)
        s += x[j + 300] * (j + 1);
    return s;
}

/* What an int has of an id, or an unsigned number. */
static cl_long id_of(const struct form *f, const struct launch *l, size_t item)
{
    const size_t id = l->offset + item;
    return f->is_unsigned ? (cl_long)id : (cl_long)(cl_int)(cl_uint)id;
}

static bool passes(const struct form *f, size_t item)
{
    return (f->least < 0 || item >= (size_t)f->least) && (f->only < 0 || item == (size_t)f->only);
}

static void expect_flat(const struct form *f, const struct launch *l, cl_uint items)
{
    for (size_t i = 0; i < l->items; i++) {
        cl_long id = id_of(f, l, i), row = id / (int)items, place = id % (int)items;
        if (f->type[0] == 'u')
            id = (cl_uint)id, row = id / items, place = id % items;
        if (passes(f, i))
            wanted[i] = sum(row, (cl_uint)place, items) + 3 * (cl_uint)row + (cl_uint)place;
    }
}

struct item {
    cl_long row;
    cl_uint place;
};

static struct item item_of(const struct form *f, const struct launch *l, size_t i, cl_uint items)
{
    const size_t local = i % l->group;
    cl_long id = id_of(f, l, i);
    if (f->type[0] == 'u')
        id = (cl_uint)id;
    cl_long group = (cl_long)(i / l->group * ((l->group + items - 1) / items));
    return (struct item){f->by_group ? group + (cl_long)(local / items) : id / (int)items,
                         (cl_uint)local % items};
}

static void expect_groups(const struct form *f, const struct launch *l, cl_uint items)
{
    for (size_t i = 0; i < l->items; i++) {
        const struct item me = item_of(f, l, i, items);
        cl_uint t = sum(me.row, me.place, items);
        if (me.place < items / 2 && i % l->group + items / 2 < l->group &&
            i + items / 2 < l->items) {
            const struct item other = item_of(f, l, i + items / 2, items);
            t += sum(other.row, other.place, items);
        }
        if (passes(f, i))
            wanted[i] = t + (cl_uint)me.row * 5 + (cl_uint)(i % l->group & (items - 1));
        if (!me.place)
            wanted[i + 1024] = t + (cl_uint)me.row;
    }
}

static void compare(const struct form *f, const struct launch *l, const char *what, cl_uint items)
{
    for (size_t i = 0; i < LEN(got); i++)
        if (got[i] != wanted[i]) {
            check_fail(__FILE__, __LINE__,
                       "%s of %u, %s, row %s, if %s, %zu items from %zu on, groups of %zu: word "
                       "%zu is %u, not %u",
                       what, items, f->type, f->row, f->guard, l->items, l->offset, l->group, i,
                       got[i], wanted[i]);
            check_abandon();
        }
}

static void run(cl_program program, const struct form *f, const struct launch *l, cl_uint items,
                bool flat)
{
    cl_kernel kernel = kernel_of(program, flat ? "flat" : "groups");
    const cl_uint base = (cl_uint)l->offset;
    memset(wanted, 0, sizeof wanted);
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof x, x);
    cl_mem to = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof wanted, wanted);
    ARG(kernel, 0, from);
    ARG(kernel, 1, to);
    ARG(kernel, 2, base);
    if (!flat)
        CHECK_OK(clSetKernelArg(kernel, 3, l->group * sizeof(cl_uint), NULL));
    CHECK_OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, &l->offset, &l->items,
                                    flat && l->group < 40 ? NULL : &l->group, 0, NULL, NULL));
    read_back(to, sizeof got, got);
    if (flat)
        expect_flat(f, l, items);
    else
        expect_groups(f, l, items);
    compare(f, l, flat ? "flat" : "groups", items);
    RELEASE_MEM(from);
    RELEASE_MEM(to);
    RELEASE_KERNEL(kernel);
}

/* An item returns in front of a barrier only with all of its group, and differences of ints do not
 * wrap. */
static bool suits(const struct form *f, const struct launch *l)
{
    return f->leave[0] == '0' || (l->items <= 400 && l->offset + l->items <= 0x7fffffff);
}

/* Every so many forms. */
static void all(cl_uint items, size_t step)
{
    random_fill(x, sizeof x);
    for (size_t k = 0; k < LEN(forms); k += step) {
        const struct form *f = &forms[k];
        char options[400];
        snprintf(
            options, sizeof options,
            "-cl-std=CL3.0 -DTYPE=%s -DITEMS=%u -D \"GUARD=%s\" -D \"RETURN=%s\" -D \"ROW=%s\"",
            f->type, items, f->guard, f->leave, f->row);
        cl_program program = built(source, options);
        for (size_t l = 0; l < LEN(launches); l++) {
            if (!suits(f, &launches[l]))
                continue;
            run(program, f, &launches[l], items, true);
            run(program, f, &launches[l], items, false);
        }
        RELEASE_PROGRAM(program);
    }
}

static void of_4(void)
{
    all(4, 5);
}

static void of_8(void)
{
    all(8, 1);
}

static void of_16(void)
{
    all(16, 4);
}

static void of_32(void)
{
    all(32, 3);
}

static const struct test_case cases[] = {CASE(of_4), CASE(of_8), CASE(of_16), CASE(of_32)};
TEST_MAIN("parts", cases)
