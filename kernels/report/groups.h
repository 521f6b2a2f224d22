/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is shown as one: the copies of an autorun kernel (num_compute_units), and the pipes of
 * an array between the same two ends. Few of a kind stay apart. Owned arrays; no shared state.
 */
#ifndef SL_KERNELS_REPORT_GROUPS_H
#define SL_KERNELS_REPORT_GROUPS_H

#include "report/input/design.h"

/* As many are drawn as one. */
enum { SL_FEWEST_GROUPED = 4 };

struct sl_design_group {
    uint32_t first; /* its first member: kernel or pipe of the design */
    uint32_t count;
};

struct sl_design_groups {
    struct sl_design_group *kernels, *pipes; /* in the order of their first members */
    uint32_t *of_kernel, *of_pipe;           /* index of the group of each kernel and pipe */
    size_t kernel_count, pipe_count;         /* of groups, those of one member too */
};

/* 0, or -1: out of memory. To be finished in any case. */
int sl_design_groups_make(struct sl_design_groups *, const struct sl_report_design *);
void sl_design_groups_finish(struct sl_design_groups *);

/* The part of a name that members share: "row" of "row[1][2]". */
size_t sl_design_pipe_stem(const char *name);

/* Of `count` pipes of the design, worst first, one of each group stays, the first; their number.
 * `of_group`, zeroed, gets how many of each group there were. */
size_t sl_design_worst_of_arrays(const struct sl_design_groups *, const struct sl_report_design *,
                                 const struct sl_design_pipe **, size_t count, uint32_t *of_group);

#endif
