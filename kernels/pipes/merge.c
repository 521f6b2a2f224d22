/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One pipe that several linked objects declare. What it is has to be the same in all of them; its
 * attributes count wherever they are written, as in one file, and may not contradict each other but
 * for depths. No shared state.
 */
#include "pipes/pipe.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The declarations of one symbol, in the order of their places. */
struct group {
    struct sl_pipe_variable *rows;
    uint32_t count;
};

static bool same_dims(const struct sl_pipe_variable *a, const struct sl_pipe_variable *b)
{
    return a->rank == b->rank && !memcmp(a->dims, b->dims, a->rank * sizeof *a->dims);
}

/* What two declarations of one pipe differ in though they must not; NULL: nothing. */
static const char *difference(const struct sl_pipe_variable *a, const struct sl_pipe_variable *b)
{
    if ((a->flags ^ b->flags) & SL_PIPE_CHANNEL)
        return "one is a channel, the other a pipe";
    if (a->packet_bytes != b->packet_bytes)
        return "their packets differ in size";
    if (a->packet_align != b->packet_align)
        return "their packets differ in alignment";
    return same_dims(a, b) ? NULL : "their array dimensions differ";
}

int sl_pipe_refuse(struct sl_pass *pass, const struct sl_pipe_variable *v, const char *format, ...)
{
    char *text = NULL, place[SL_SOURCE_PLACE_BYTES];
    va_list args;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        text = NULL;
    va_end(args);
    snprintf(place, sizeof place, "%.*s:%u", SL_SOURCE_PLACE_FILE, v->file ? v->file : "", v->line);
    int rc = sl_pass_refuse_at(pass, place, "%s", text ? text : "out of memory");
    free(text);
    return rc;
}

static int check_kind(struct sl_pass *pass, const struct group *all)
{
    const struct sl_pipe_variable *first = all->rows;
    int rc = 0;
    for (uint32_t i = 1; i < all->count; i++) {
        const struct sl_pipe_variable *now = &all->rows[i];
        const char *why = difference(first, now);
        if (why)
            rc = sl_pipe_refuse(pass, now, "'%s' is declared at %s:%u and at %s:%u, but %s",
                                now->symbol, first->file, first->line, now->file, now->line, why);
        else if (strcmp(first->type_name, now->type_name) != 0) /* maybe one type by two names */
            sl_pass_warn(pass, "%s:%u: warning: '%s' is of type '%s' here and of '%s' at %s:%u",
                         now->file, now->line, now->symbol, now->type_name, first->type_name,
                         first->file, first->line);
    }
    return rc;
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* A declared depth is how many packets there is room for at least: the greatest does for all. */
static void merge_depths(struct sl_pass *pass, struct group *all)
{
    const struct sl_pipe_variable *most = NULL; /* that declares one */
    for (uint32_t i = 0; i < all->count; i++)
        if (!most || all->rows[i].declared_depth > most->declared_depth)
            most = &all->rows[i];
    for (uint32_t i = 0; i < all->count; i++) {
        const struct sl_pipe_variable *now = &all->rows[i];
        if (now->declared_depth && now->declared_depth != most->declared_depth)
            sl_pass_warn(pass, "%s:%u: warning: '%s' has depth %u here and depth %u at %s:%u: %u",
                         now->file, now->line, now->symbol, now->declared_depth,
                         most->declared_depth, most->file, most->line, most->declared_depth);
    }
    all->rows->declared_depth = most->declared_depth;
}

static int merge_peripherals(struct sl_pass *pass, struct group *all)
{
    const struct sl_pipe_variable *first = NULL; /* that names one */
    int rc = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        const struct sl_pipe_variable *now = &all->rows[i];
        if (!first && now->io)
            first = now;
        else if (now->io && strcmp(now->io, first->io) != 0)
            rc = sl_pipe_refuse(pass, now, "'%s' has io \"%s\" at %s:%u and io \"%s\" at %s:%u",
                                now->symbol, first->io, first->file, first->line, now->io,
                                now->file, now->line);
    }
    if (first && first != all->rows)
        all->rows->io = strdup(first->io);
    return rc;
}

static const struct sl_pipe_variable *with_flag(const struct group *all, uint32_t flag)
{
    for (uint32_t i = 0; i < all->count; i++)
        if (all->rows[i].flags & flag)
            return &all->rows[i];
    return NULL;
}

static int merge_flags(struct sl_pass *pass, struct group *all)
{
    const struct sl_pipe_variable *host = with_flag(all, SL_PIPE_HOST);
    const struct sl_pipe_variable *io = with_flag(all, SL_PIPE_IO);
    if (host && io)
        return sl_pipe_refuse(pass, io,
                              "'%s' is the host's at %s:%u and an I/O peripheral's at %s:%u",
                              host->symbol, host->file, host->line, io->file, io->line);
    uint32_t some = 0, common = UINT32_MAX;
    for (uint32_t i = 0; i < all->count; i++) {
        some |= all->rows[i].flags;
        common &= all->rows[i].flags;
    }
    all->rows->flags = (some & ~(uint32_t)SL_PIPE_EXTERN) | (common & SL_PIPE_EXTERN);
    return 0;
}

/* ---- all symbols ----------------------------------------------------------------------------- */

static int compare(const void *x, const void *y)
{
    const struct sl_pipe_variable *a = x, *b = y;
    int order = strcmp(a->symbol, b->symbol);
    if (!order)
        order = strcmp(a->file, b->file);
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

/* What the first one is after that is what all of them mean. */
static int merge_group(struct sl_pass *pass, struct group *all)
{
    int rc = check_kind(pass, all);
    merge_depths(pass, all);
    rc |= merge_peripherals(pass, all);
    rc |= merge_flags(pass, all);
    return rc ? -1 : 0;
}

int sl_pipe_merge(struct sl_pass *pass)
{
    struct sl_pipe_design *design = pass->pipes;
    uint32_t total = design->variable_count, kept = 0;
    int rc = 0;
    qsort(design->variables, total, sizeof *design->variables, compare);
    for (uint32_t i = 0; i < total;) {
        struct group all = {.rows = &design->variables[i], .count = 1};
        while (i + all.count < total && !strcmp(all.rows->symbol, all.rows[all.count].symbol))
            all.count++;
        rc |= merge_group(pass, &all);
        for (uint32_t n = 1; n < all.count; n++)
            sl_pipe_variable_free(&all.rows[n]);
        design->variables[kept++] = *all.rows;
        i += all.count;
    }
    design->variable_count = kept;
    return rc;
}
