/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Latency controls of a whole program: an anchor is one place. Copies that an optimiser made of one
 * operation say all the same of the same pipe, and are one. Whether constraints hold is asked of
 * the schedule (timing/latency.c), if there is one.
 */
#include "compiler/stage/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "llvm/latency.h"

enum { PLACE_BYTES = 512 };

/* Anchors first, by their numbers. */
static int by_anchor(const void *left, const void *right)
{
    const struct sl_latency_control *a = left, *b = right;
    if (a->has_anchor != b->has_anchor)
        return a->has_anchor ? -1 : 1;
    return (a->anchor > b->anchor) - (a->anchor < b->anchor);
}

/* And those with one number in the order of the source. */
static int in_order(const void *left, const void *right)
{
    const struct sl_latency_control *a = left, *b = right;
    int anchors = by_anchor(left, right);
    if (anchors || a->line != b->line)
        return anchors ? anchors : (a->line > b->line) - (a->line < b->line);
    return (a->column > b->column) - (a->column < b->column);
}

/* "a.cl:6:9: " */
static const char *place_of(const struct sl_latency_control *c, char *out, size_t bytes)
{
    *out = '\0';
    if (c->line)
        snprintf(out, bytes, "%s:%u:%u: ", c->file, c->line, c->column);
    return out;
}

static bool same_place(const struct sl_latency_control *a, const struct sl_latency_control *b)
{
    return a->line == b->line && a->column == b->column && !strcmp(a->file, b->file) &&
           !strcmp(a->pipe, b->pipe) && a->writes == b->writes &&
           a->has_constraint == b->has_constraint && a->from == b->from && a->type == b->type &&
           a->cycles == b->cycles;
}

static int check_unique(struct sl_stages *stages, const struct sl_latency_control *all,
                        size_t count)
{
    char place[PLACE_BYTES], other[PLACE_BYTES];
    for (size_t i = 1; i < count && all[i].has_anchor; i++) {
        const struct sl_latency_control *one = &all[i - 1], *two = &all[i];
        if (one->anchor != two->anchor || same_place(one, two))
            continue;
        place_of(one, other, sizeof other);
        return sl_stage_fail(stages,
                             "%slatency anchor %d is at two places, an operation of pipe '%s' and "
                             "%sone of pipe '%s'",
                             place_of(two, place, sizeof place), one->anchor, two->pipe, other,
                             one->pipe);
    }
    return 0;
}

static void warn_dangling(struct sl_stages *stages, const struct sl_latency_control *all,
                          size_t count)
{
    char place[PLACE_BYTES];
    for (size_t i = 0; i < count; i++) {
        struct sl_latency_control wanted = {.has_anchor = true, .anchor = all[i].from};
        if (all[i].has_constraint && !bsearch(&wanted, all, count, sizeof *all, by_anchor))
            sl_text_addf(&stages->result->log,
                         "%swarning: a latency constraint of pipe '%s' is from anchor %d, which no "
                         "operation has\n",
                         place_of(&all[i], place, sizeof place), all[i].pipe, all[i].from);
    }
}

int sl_stage_latency(struct sl_stages *stages)
{
    unsigned count = LLVMGetNamedMetadataNumOperands(stages->module, SL_LATENCY_NODE), known = 0;
    if (!count)
        return 0;
    LLVMValueRef *nodes = malloc(count * sizeof *nodes);
    struct sl_latency_control *all = malloc(count * sizeof *all);
    int rc = nodes && all ? 0 : sl_stage_fail(stages, "out of memory");
    if (!rc) {
        LLVMGetNamedMetadataOperands(stages->module, SL_LATENCY_NODE, nodes);
        for (unsigned i = 0; i < count; i++)
            known += sl_latency_read(nodes[i], &all[known]);
        qsort(all, known, sizeof *all, in_order);
        rc = check_unique(stages, all, known);
    }
    bool whole = stages->request->kind != SL_BUILD_COMPILE && !stages->options.create_library;
    if (!rc && whole)
        warn_dangling(stages, all, known);
    free(nodes);
    free(all);
    return rc;
}
