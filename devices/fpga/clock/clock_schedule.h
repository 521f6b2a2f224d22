/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The schedule of a program as the clock of a run needs it, read from the text that the compiler
 * left in the module (docs/timing.md). No shared state.
 */
#ifndef SL_FPGA_CLOCK_SCHEDULE_H
#define SL_FPGA_CLOCK_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

struct sl_clock_step { /* a pipe operation within an iteration */
    uint32_t line, column, cycle;
    uint32_t stretch; /* where iterations do not overlap: of all with this number, from 1, `cycle`
                         counts from one begin; 0: it has no cycle there */
    bool write;
};

struct sl_clock_place {
    uint32_t line, column;
};

struct sl_clock_around { /* a loop of the source, where a copy is one of its iterations */
    uint32_t line, column;
    uint32_t iteration, of; /* from 0; among so many that are one, 0: all of the loop's */
};

struct sl_clock_loop {
    struct sl_clock_around *around; /* owned; of a copy that unrolling has made, from the outside */
    uint32_t around_count;
    struct sl_clock_step *steps;   /* owned; in the order of the program */
    struct sl_clock_place *merged; /* owned; loops inside whose iterations are its own */
    uint32_t step_count, merged_count;
    uint32_t line, column; /* of its begin */
    int32_t parent;        /* row of the same kernel, before this one; -1: none */
    bool pipelined;
    bool items;       /* iterations are work-items */
    bool interleaved; /* iterations of one work-item are `interval` apart, its depth; those of
                         others come in between */
    bool meets;       /* work-items meet in it: it has no marks */
    bool copied;      /* of a function that is called several times: there may be copies that do
                         nothing, which have no row */
    bool alone;       /* no other loop inside the same one has its place, or had before it
                         vanished */
    bool alike;       /* steps of one place have cycles of their own */
    uint32_t interval, depth; /* depth: at least as long as the steps take */
    uint32_t speculated;      /* iterations that run behind the last one, for nothing */
    uint32_t lanes;           /* work-items side by side in an iteration; 0 is 1 */
    uint32_t units;           /* compute units, where iterations are work-items; 0 is 1 */
    uint32_t slot;            /* cycles of the loop that an iteration takes from other work-items */
    uint64_t trips, times;    /* iterations, if always as many; and so often an item enters it */
    uint64_t drain;           /* from the begin of the last one until all have run dry */
};

struct sl_clock_region {   /* of work-items, behind a place where those of a group meet */
    uint32_t line, column; /* that place; of the kernel's begin: its line and 0 */
    uint32_t depth;        /* cycles that an item takes beside its loops and pipes */
    uint32_t apart;        /* the next one is behind it, at least */
};

struct sl_clock_visit { /* of a region by a work-item, or by those side by side */
    uint32_t region;    /* region_count: none that the schedule has */
    uint32_t through;   /* cycles until it is through */
    uint32_t apart;     /* until the next one may begin */
};

struct sl_clock_kernel {
    char *name;                      /* owned */
    struct sl_clock_loop *loops;     /* owned */
    struct sl_clock_step *steps;     /* owned; outside of all loops */
    struct sl_clock_region *regions; /* owned */
    struct sl_clock_visit *visits;   /* owned; NULL: an item's are not known */
    bool items;                      /* work-items are on their way one behind the other */
    bool groups;                     /* and meet: see clock_items.c */
    uint32_t copies;                 /* groups that are on their way at once, at most */
    uint32_t lanes, units;           /* work-items side by side; compute units */
    uint32_t loop_count, step_count, region_count, visit_count;
};

struct sl_clock_schedule {
    struct sl_clock_kernel *kernels; /* owned */
    uint32_t kernel_count, clock_mhz;
};

/* 0, or -1: the text is damaged, or no memory. To be finished in any case. */
int sl_clock_schedule_read(struct sl_clock_schedule *, const char *text);
void sl_clock_schedule_finish(struct sl_clock_schedule *);

/* NULL: it has none. */
const struct sl_clock_kernel *sl_clock_schedule_find(const struct sl_clock_schedule *,
                                                     const char *kernel);

/* Does a step from `from` on, of the others with 0, have the place of one before it and another
 * cycle? */
bool sl_clock_are_alike(const struct sl_clock_step *steps, uint32_t count, uint32_t from);

#endif
