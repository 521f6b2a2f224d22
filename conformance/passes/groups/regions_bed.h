/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs kernels of regions.cl, as the passes and LLVM made them: no driver, one thread, ranges of
 * work-items of every shape. Helpers end the test when they fail.
 */
#ifndef SLUICE_CONFORMANCE_PASSES_REGIONS_BED_H
#define SLUICE_CONFORMANCE_PASSES_REGIONS_BED_H

#include "lower.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "arguments.h"

/* The program's arguments: the bitcode file, and the pipeline for LLVM after the passes
 * ("default<O2>"). False with a message where it does not come to code, which lower_close ends. */
bool open_regions(int argc, char **argv);
extern struct lowered code;

struct range {
    uint32_t dims;
    size_t global[3], local[3], offset[3];
    size_t step; /* work-groups of a row per call; 0: the row */
};

/* Ranges of one to three dimensions, most of them with cut groups. */
enum { RANGES = 15, LIMIT = 4096 /* ints and items enough for every range */ };
extern const struct range ranges[RANGES];

/* Items of the group with that index, along a dimension. */
size_t local_of(const struct range *r, int d, size_t group);
size_t items_of(const struct range *r);

/* What the last printf has left. */
struct printed {
    int calls;
    uint32_t arg_count, bytes;
    const char *format;
    unsigned char record[256];
};
extern struct printed printed;

/* A launch: its kernel, its arguments one by one, then the range. */
struct arguments begin(const char *kernel);
void add_int(struct arguments *a, int value);
void add_local(struct arguments *a, size_t bytes);
void fill_launch(const struct range *r, struct sl_launch *launch);
void launch(struct arguments *a, const struct range *r);

/* One-dimensional kernels: calls `check` for each group with its first item and size. */
typedef void (*group_check)(size_t group, size_t first, size_t size, void *data);
void each_group(const struct range *r, group_check check, void *data);

/* Numbers in and out, what is wanted, and the kernel's ints. */
struct lines {
    int in[LIMIT], out[LIMIT], want[LIMIT];
    int a, b;
};
extern struct lines lines;
void fill_lines(int a, int b);
void check_lines(const char *kernel, const struct range *r);

/* Out, local int array, up to two ints: what most kernels below take. Ids start at the offset, so
 * the buffers do as well. `check` writes what is wanted. */
void run_line(const char *kernel, const struct range *r, bool in, int locals, int ints,
              group_check check);

/* The same for each range of one dimension. */
void each_line(const char *kernel, bool in, int locals, int ints, int a, int b, group_check check);

/* The tests by subject besides those of regions_test.c: each gives how many have failed. */
int regions_ids(void);
int regions_memory(void);

#endif
