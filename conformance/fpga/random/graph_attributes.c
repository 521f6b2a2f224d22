/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of kernels: each that a kind of kernel may have, drawn one by one. */
#include "graph.h"

enum kind { TASK = 1, RANGE = 2, AUTORUN = 4, ANY = 7 };

/* In each group, of rows that fit only one may be taken. %u is the local size. */
static const struct {
    int kinds, group;
    const char *words;
} rows[] = {
    {TASK | AUTORUN, 0, "max_global_work_dim(0)"}, {TASK, 0, "max_global_work_dim(1)"},
    {TASK, 0, "max_global_work_dim(2)"},           {RANGE, 0, "max_global_work_dim(1)"},
    {RANGE, 0, "max_global_work_dim(3)"},          {ANY, 1, "reqd_work_group_size(%u, 1, 1)"},
    {TASK | RANGE, 2, "max_work_group_size(%u)"},  {TASK | RANGE, 2, "max_work_group_size(16)"},
    {RANGE, 2, "max_work_group_size(%u, 1, 1)"},   {ANY, 3, "uses_global_work_offset(0)"},
    {ANY, 4, "scheduler_target_fmax_mhz(240)"},    {ANY, 5, "use_stall_enable_clusters"},
    {TASK | RANGE, 6, "num_compute_units(2)"},     {TASK | RANGE, 6, "num_compute_units(3, 2)"},
};
enum { GROUPS = 7, DIMENSIONS = 0, SIZE = 1 };

static enum kind kind_of(const struct graph_process *process)
{
    return process->runs != RUNS_LAUNCHED ? AUTORUN : process->items > 1 ? RANGE : TASK;
}

/* Of those that fit, one is chosen by `draw`. */
static const char *choose(const struct graph_process *process, int group, uint32_t draw)
{
    uint32_t fit = 0;
    for (size_t i = 0; i < LEN(rows); i++)
        fit += rows[i].group == group && rows[i].kinds & kind_of(process);
    for (size_t i = 0; fit && i < LEN(rows); i++)
        if (rows[i].group == group && rows[i].kinds & kind_of(process) && draw-- % fit == 0)
            return rows[i].words;
    return NULL;
}

static void add(const char *words, uint32_t local, struct text *to)
{
    text_add(to, "__attribute__((");
    text_add(to, words, local);
    text_add(to, "))\n");
}

/* Two bits of the drawn ones are for each group: whether it has one at all, and which. */
void graph_attributes(const struct graph_process *process, struct text *to)
{
    int autorun = kind_of(process) == AUTORUN, known = 0;
    uint32_t bits = process->attributes;
    for (int group = 0; group < GROUPS; group++, bits >>= 3) {
        const char *words = choose(process, group, bits >> 1 & 3);
        if (!words || !(bits & 1) || (autorun && group == SIZE && known))
            continue;
        known |= group == DIMENSIONS || group == SIZE;
        add(words, process->local, to);
    }
    if (!autorun)
        return;
    if (!known)
        add("max_global_work_dim(0)", 1, to);
    text_add(to, "__attribute__((autorun))\n");
    if (process->units > 1)
        text_add(to, "__attribute__((num_compute_units(%u)))\n", process->units);
}
