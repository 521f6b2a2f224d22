/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels that write one number behind the other, as those whose stores go past the caches: aligned
 * or not, in one piece or with gaps, into what they read. The same text is the kernel's function
 * and the reference. With SLUICE_STREAM_KIB=0 all of it goes that way, otherwise the large case.
 */
#include "cl_help.h"
#include "reference.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned int uint;
typedef unsigned char uchar;
#define global

enum { ROOM = 64 }; /* numbers behind what items write */

/* x: the item's id of n. */
typedef void item_fn(const uint *in, uint *out, uint *more, int x, int n);

struct data {
    size_t count; /* numbers in each array */
    uint *given, *wanted[2], *got[2];
    cl_mem in, out[2];
};

static void new_data(struct data *d, size_t count, bool in_place)
{
    d->count = count;
    size_t bytes = d->count * sizeof(uint);
    d->given = malloc(bytes);
    for (int k = 0; k < 2; k++) {
        d->wanted[k] = malloc(bytes);
        d->got[k] = malloc(bytes);
        CHECK(d->wanted[k] && d->got[k]);
    }
    CHECK(d->given != NULL);
    for (size_t i = 0; i < d->count; i++) {
        d->given[i] = (uint)i * 2654435761u >> 2;
        d->wanted[0][i] = in_place ? d->given[i] : 0xabcdef01u + (uint)i;
        d->wanted[1][i] = ~(uint)i;
    }
    d->in = new_buffer(CL_MEM_COPY_HOST_PTR, bytes, d->given);
    for (int k = 0; k < 2; k++)
        d->out[k] = new_buffer(CL_MEM_COPY_HOST_PTR, bytes, d->wanted[k]);
}

static void free_data(struct data *d)
{
    RELEASE_MEM(d->in);
    for (int k = 0; k < 2; k++) {
        RELEASE_MEM(d->out[k]);
        free(d->wanted[k]);
        free(d->got[k]);
    }
    free(d->given);
}

static void compare(const struct data *d, const char *name, size_t n, size_t local)
{
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < d->count; i++)
            if (d->got[k][i] != d->wanted[k][i]) {
                check_fail(__FILE__, __LINE__, "%s: %zu in groups of %zu: %s[%zu] is %#x, not %#x",
                           name, n, local, k ? "more" : "out", i, d->got[k][i], d->wanted[k][i]);
                check_abandon();
            }
}

static void run_one(cl_kernel kernel, const char *name, item_fn *item, size_t n, size_t local,
                    size_t each, bool in_place)
{
    struct data d;
    cl_int count = (cl_int)n;
    new_data(&d, each * n + ROOM, in_place);
    set_arg(kernel, 0, sizeof d.in, in_place ? &d.out[0] : &d.in);
    ARG(kernel, 1, d.out[0]);
    ARG(kernel, 2, d.out[1]);
    ARG(kernel, 3, count);
    run_1d(kernel, n, local);
    for (int k = 0; k < 2; k++)
        read_back(d.out[k], d.count * sizeof(uint), d.got[k]);
    for (int x = 0; x < count; x++)
        item(in_place ? d.wanted[0] : d.given, d.wanted[0], d.wanted[1], x, count);
    compare(&d, name, n, local);
    free_data(&d);
}

/* Items write up to `each` numbers, or one in its own place. */
static void run(const char *name, const char *text, item_fn *item, size_t each)
{
    static const size_t launches[][2] = {{1, 0},       {7, 0},     {8, 8},    {100, 0},
                                         {1000, 10},   {1024, 64}, {4099, 0}, {4096, 1},
                                         {65536, 256}, {70001, 0}};
    static const size_t large = 4200003; /* 16 MiB and a bit */
    char source[2048];
    snprintf(
        source, sizeof source,
        "void item(global const uint *in, global uint *out, global uint *more, int x, int n)"
        "\n%s\nkernel void k(global const uint *in, global uint *out, global uint *more, int n)"
        "{ item(in, out, more, get_global_id(0), n); }\n",
        text);
    cl_kernel kernel = new_kernel(source, "k", NULL);
    for (size_t i = 0; i < LEN(launches); i++) {
        run_one(kernel, name, item, launches[i][0], launches[i][1], each ? each : 1, false);
        if (!each)
            run_one(kernel, name, item, launches[i][0], launches[i][1], 1, true);
    }
    if (!each)
        run_one(kernel, name, item, large, 0, 1, false);
    RELEASE_KERNEL(kernel);
}

#define SAME(name, each, ...)                                                                      \
    static void item_##name(const uint *in, uint *out, uint *more, int x, int n)                   \
    {                                                                                              \
        (void)in, (void)out, (void)more, (void)n;                                                  \
        __VA_ARGS__                                                                                \
    }                                                                                              \
    static void name(void)                                                                         \
    {                                                                                              \
        run(#name, "{" #__VA_ARGS__ "}", item_##name, each);                                       \
    }

SAME(changed, 0, { out[x] = in[x] * 3 + 1; })

SAME(filled, 0, { out[x] = 77; })

SAME(summed, 1, { out[x] = in[x] + in[x + 1] + in[x + 2]; })

/* Nothing is aligned. */
SAME(behind, 1, { out[x + 1] = in[x]; })

SAME(guarded, 0, {
    if (x < n - 3)
        out[x] = in[x] ^ 5;
})

SAME(some, 0, {
    if (in[x] & 1)
        out[x] = in[x] + 9;
})

SAME(two_buffers, 0, {
    out[x] = in[x] / 3;
    more[x] = in[x] % 3;
})

/* The second buffer is read: only the first may go past the caches. */
SAME(one_of_two, 0, {
    out[x] = in[x] + more[x];
    more[x] = in[x] * 2;
})

SAME(pairs, 2, {
    out[2 * x] = in[x];
    out[2 * x + 1] = in[x] + 1;
})

SAME(fours, 4, {
    for (int k = 0; k < 4; k++)
        out[4 * x + k] = in[x] + k;
})

SAME(every_other, 2, { out[2 * x] = in[x]; })

SAME(two_places, 2, {
    out[x] = in[x];
    out[x + n] = in[x] + 3;
})

SAME(bytes, 0, {
    global uchar *o = (global uchar *)out;
    global const uchar *i = (global const uchar *)in;
    o[x] = (uchar)(i[x] + 3);
})

SAME(from_behind, 1, { out[n - 1 - x] = in[x]; })

SAME(added, 0, { out[x] += in[x]; })

/* What was written is read again, by the same item. */
SAME(read_again, 1, {
    out[x] = in[x];
    more[x] = out[x] + 1;
})

static const struct test_case cases[] = {
    CASE(changed), CASE(filled),      CASE(summed),      CASE(behind),
    CASE(guarded), CASE(some),        CASE(two_buffers), CASE(one_of_two),
    CASE(pairs),   CASE(fours),       CASE(every_other), CASE(two_places),
    CASE(bytes),   CASE(from_behind), CASE(added),       CASE(read_again),
};
TEST_MAIN("streaming", cases)
