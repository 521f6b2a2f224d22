/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The schedule of a program as numbers: what timing.c writes as text, for others of the compiler.
 * Belongs to one thread.
 */
#ifndef SL_KERNELS_TIMING_SCHEDULE_ROWS_H
#define SL_KERNELS_TIMING_SCHEDULE_ROWS_H

#include "timing/loop.h"

struct sl_schedule_step { /* a pipe operation, in the order of the program */
    uint32_t line, column;
    uint32_t cycle;   /* of the iteration, or of its stretch */
    uint32_t stretch; /* where iterations do not overlap: of operations with one begin, from 1; 0:
                         it has no cycle there */
    bool write;
};

struct sl_schedule_loop {
    struct sl_schedule_step *steps; /* owned */
    uint32_t step_count;
    uint32_t line, column;
    int32_t parent;    /* row of the same kernel, before this one; -1: none */
    uint32_t unrolled; /* iterations of the source in one */
    struct sl_loop_around
        *around; /* owned; of a copy, and how many there were before any vanished */
    uint32_t around_count, copies;
    bool in_turn;      /* nothing passes any of those by */
    bool pipelined;    /* what follows is of those */
    bool items;        /* iterations are work-items */
    uint32_t interval; /* II; of a work-item's iterations, which may be further apart than */
    uint32_t slot;     /* what each takes of the loop from others */
    uint64_t drain;    /* from the begin of the last iteration until all have run dry */
};

struct sl_schedule_region { /* of work-items, behind a place where those of a group meet */
    uint32_t line, column;  /* that place; of the kernel's begin: its line and 0 */
    uint32_t depth;         /* cycles that an item takes beside its loops and pipes */
    uint32_t apart;         /* and the next one is behind it, at least */
};

struct sl_schedule_kernel {
    char *name;                         /* owned */
    struct sl_schedule_loop *loops;     /* owned */
    struct sl_schedule_step *steps;     /* owned; outside of all loops */
    struct sl_schedule_region *regions; /* owned; of such as have items_line */
    uint32_t loop_count, step_count, region_count;
    uint32_t items_line;  /* of a kernel whose work-items have no row, but are on their way at the
                             same time: its own; else 0 */
    bool groups;          /* those of a group meet */
    bool counted;         /* they all do the same, as often as the rows say */
    bool tells;           /* what each takes follows from how often it goes round which loop */
    bool follow;          /* they follow each other, and none waits for another */
    uint64_t group_items; /* of a group; 0: not known */
    uint32_t copies;      /* groups that may be on their way at once */
};

struct sl_schedule_merged { /* places, line << 32 | column: `inner` is one loop with `outer` */
    uint64_t outer, inner;
};

struct sl_schedule_rows {
    struct sl_schedule_kernel *kernels; /* owned */
    struct sl_schedule_merged *merged;  /* owned */
    uint32_t kernel_count, merged_count;
    bool no_memory; /* something is missing */
};

/* They come in the order of the program; `timing`: NULL where iterations do not overlap and nothing
 * has a cycle. */
void sl_schedule_add_kernel(struct sl_schedule_rows *, const char *name);
void sl_schedule_add_loop(struct sl_schedule_rows *, const struct sl_loop_body *,
                          const struct sl_loop_timing *timing);
/* Of the code that is in no loop. */
void sl_schedule_add_rest(struct sl_schedule_rows *, const struct sl_loop_body *,
                          const struct sl_loop_timing *timing);
/* Of the kernel that was added last. */
void sl_schedule_add_items(struct sl_schedule_rows *, uint32_t line, bool groups,
                           uint64_t group_items, uint32_t copies);
void sl_schedule_add_follow(struct sl_schedule_rows *);
void sl_schedule_add_counted(struct sl_schedule_rows *);
/* Unless two loops cannot be told apart: at one place, and in others. `beside`: items are side by
 * side, which go in step: then how often an item goes round in all only tells of loops that it
 * enters once. */
void sl_schedule_add_telling(struct sl_schedule_rows *, bool beside);
/* Of a kernel whose items are: what SL_PIPE_ITEMS_ATTRIBUTE says; owned by the caller; NULL: no
 * memory. */
char *sl_schedule_item_text(const struct sl_schedule_kernel *);
/* The same. Of regions behind one place the longest counts. */
void sl_schedule_add_region(struct sl_schedule_rows *, const struct sl_schedule_region *);
/* Of copies of a loop one is enough. */
void sl_schedule_add_merged(struct sl_schedule_rows *, uint64_t outer, uint64_t inner);
void sl_schedule_finish(struct sl_schedule_rows *);

/* NULL: it has none. */
const struct sl_schedule_kernel *sl_schedule_find(const struct sl_schedule_rows *,
                                                  const char *kernel);
/* Where loops are that have a row, or are part of one, or tell copies apart, and kernels with such
 * work-items (column 0); owned by the caller; NULL: no memory. */
uint64_t *sl_schedule_places(const struct sl_schedule_rows *, size_t *count);
/* Copies of that loop have to be told apart by iterations of loops around them: one has vanished,
 * or they do not always follow each other and it matters which of them does. */
bool sl_schedule_is_told_apart(const struct sl_schedule_kernel *, uint32_t loop);
/* Of the loops at a place: the most iterations of the source in one. */
uint32_t sl_schedule_unrolled(const struct sl_schedule_rows *, uint64_t place);
/* No kernel has two loops there, or had before they vanished. */
bool sl_schedule_is_alone(const struct sl_schedule_rows *, uint64_t place);

/* The cycle of an operation in its iteration, or in its stretch, if there are stretches. */
uint32_t sl_schedule_cycle(const struct sl_loop_timing *, uint32_t operation,
                           const uint32_t *stretch, uint32_t count);

#endif
