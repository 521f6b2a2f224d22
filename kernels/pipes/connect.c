/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who is joined to whom: checks what the extension texts allow (one kernel reads a pipe, one writes
 * it; the host is one of the two where it has an end), warns of ends that nobody has, and numbers
 * the sets of kernels that program-scope pipes join. No shared state.
 */
#include "pipes/pipe.h"

#include "ir/memory.h"
#include "pipes/stages.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const does[] = {"read", "write"}; /* by enum sl_pipe_op */
static const char *const done[] = {"read", "written"};

struct reach { /* elements that an operation may reach, as rings */
    uint32_t first, count;
};

static struct reach reach_of(const struct sl_pipe_design *design, const struct sl_pipe_place *place)
{
    const struct sl_pipe_variable *v = &design->variables[place->variable];
    if (place->element >= 0)
        return (struct reach){v->first_ring + (uint32_t)place->element, 1};
    return (struct reach){v->first_ring, v->count};
}

struct connector {
    struct sl_pass *pass;
    struct sl_pipe_design *design;
    struct sl_pipe_ends *ends; /* per ring; owned */
};

/* ---- errors ---------------------------------------------------------------------------------- */

static char *name_of_ring(const struct sl_pipe_design *design, uint32_t ring)
{
    for (uint32_t i = 0; i < design->variable_count; i++) {
        const struct sl_pipe_variable *v = &design->variables[i];
        if (v->first_ring <= ring && ring - v->first_ring < v->count)
            return sl_pipe_element_name(v, ring - v->first_ring);
    }
    return strdup("");
}

static const char *kind_of(const struct sl_pipe_variable *v)
{
    return v->flags & SL_PIPE_CHANNEL ? "channel" : "pipe";
}

static const char *file_of(const struct sl_pipe_place *place)
{
    return place->file ? place->file : "";
}

static int refuse_both(struct connector *c, uint32_t ring, const struct sl_pipe_place *a,
                       const struct sl_pipe_place *b)
{
    const struct sl_kernel_facts *x = &c->pass->kernels[a->kernel];
    const struct sl_kernel_facts *y = &c->pass->kernels[b->kernel];
    enum sl_pipe_op direction = a->operation->direction;
    const char *kind = kind_of(&c->design->variables[a->variable]);
    char *name = name_of_ring(c->design, ring);
    bool units = x->first_unit == y->first_unit;
    sl_pass_refuse_at(c->pass, file_of(b), b->line, b->column,
                      "%s '%s' is %s by two %s: by '%s' here, and by '%s' at "
                      "%s:%u:%u%s",
                      kind, name, done[direction],
                      units ? "compute units of one kernel" : "kernels", y->name, x->name,
                      file_of(a), a->line, a->column,
                      units ? "; an index made of get_compute_id() gives each its own" : "");
    free(name);
    return -1;
}

static int refuse_host(struct connector *c, uint32_t ring, const struct sl_pipe_place *a,
                       const struct sl_pipe_place *b)
{
    char *name = name_of_ring(c->design, ring);
    const char *kind = kind_of(&c->design->variables[a->variable]);
    const char *other =
        c->design->variables[a->variable].flags & SL_PIPE_HOST ? "the host" : "an I/O peripheral";
    sl_pass_refuse_at(c->pass, file_of(b), b->line, b->column,
                      "one end of %s '%s' is %s's, but kernel '%s' %ss it here and "
                      "kernel '%s' %ss it at %s:%u:%u",
                      kind, name, other, c->pass->kernels[b->kernel].name,
                      does[b->operation->direction], c->pass->kernels[a->kernel].name,
                      does[a->operation->direction], file_of(a), a->line, a->column);
    free(name);
    return -1;
}

/* ---- ends ------------------------------------------------------------------------------------ */

static bool has_end(const struct sl_pipe_place *place)
{
    return place->variable >= 0 && place->operation->form != SL_PIPE_FORM_FILL &&
           place->operation->form != SL_PIPE_FORM_CAPACITY;
}

/* The kernel that has the end, and where; -1 while it has none. */
static int add_end(struct connector *c, uint32_t ring, uint32_t number, bool check)
{
    const struct sl_pipe_place *place = &c->design->places[number];
    enum sl_pipe_op direction = place->operation->direction;
    struct sl_pipe_ends *ends = &c->ends[ring];
    int32_t now = ends->kernel[direction], other = ends->kernel[!direction];
    if (now < 0) {
        ends->kernel[direction] = (int32_t)place->kernel;
        ends->place[direction] = (int32_t)number;
    } else if (check && now != (int32_t)place->kernel) {
        return refuse_both(c, ring, &c->design->places[ends->place[direction]], place);
    }
    bool foreign = c->design->variables[place->variable].flags & SL_PIPE_FOREIGN;
    if (check && foreign && other >= 0)
        return refuse_host(c, ring, &c->design->places[ends->place[!direction]], place);
    return 0;
}

static int find_ends(struct connector *c, bool check)
{
    struct sl_pipe_design *design = c->design;
    c->ends = sl_ir_alloc(design->ring_count, sizeof *c->ends);
    memset(c->ends, 0xff, design->ring_count * sizeof *c->ends);
    for (uint32_t p = 0; p < design->place_count; p++) {
        if (!has_end(&design->places[p]))
            continue;
        struct reach reach = reach_of(design, &design->places[p]);
        for (uint32_t r = 0; r < reach.count; r++)
            if (add_end(c, reach.first + r, p, check))
                return -1;
    }
    return 0;
}

struct sl_pipe_ends *sl_pipe_find_ends(const struct sl_pass *pass)
{
    struct connector c = {.design = pass->pipes};
    find_ends(&c, false);
    return c.ends;
}

/* ---- warnings -------------------------------------------------------------------------------- */

/* Of an array, one line tells of all elements that lack the same end. */
static void warn_of_missing(struct connector *c, const struct sl_pipe_variable *v, unsigned lacks)
{
    uint32_t count = 0, first = 0;
    for (uint32_t i = 0; i < v->count; i++) {
        const struct sl_pipe_ends *ends = &c->ends[v->first_ring + i];
        if (ends->kernel[lacks] >= 0 || ends->kernel[!lacks] < 0)
            continue;
        if (!count++)
            first = i;
    }
    if (!count)
        return;
    char *name = sl_pipe_element_name(v, first);
    const struct sl_pipe_ends *ends = &c->ends[v->first_ring + first];
    char more[48] = "";
    if (count > 1)
        snprintf(more, sizeof more, " (and %u more of the array)", count - 1);
    sl_pass_warn(c->pass, "%s:%u: warning: %s '%s'%s is never %s; kernel '%s' %ss it", v->file,
                 v->line, kind_of(v), name, more, done[lacks],
                 c->pass->kernels[ends->kernel[!lacks]].name, does[!lacks]);
    free(name);
}

static void warn(struct connector *c)
{
    for (uint32_t i = 0; i < c->design->variable_count; i++) {
        const struct sl_pipe_variable *v = &c->design->variables[i];
        if (v->first_ring == UINT32_MAX || v->flags & SL_PIPE_FOREIGN)
            continue;
        warn_of_missing(c, v, SL_PIPE_READ);
        warn_of_missing(c, v, SL_PIPE_WRITE);
    }
}

/* ---- components ------------------------------------------------------------------------------ */

static uint32_t root_of(const struct sl_pass *pass, uint32_t kernel)
{
    while (pass->kernels[kernel].component != kernel)
        kernel = pass->kernels[kernel].component;
    return kernel;
}

static void join(struct sl_pass *pass, uint32_t a, uint32_t b)
{
    a = root_of(pass, a);
    b = root_of(pass, b);
    if (a < b)
        pass->kernels[b].component = a;
    else
        pass->kernels[a].component = b;
}

/* Every kernel that may reach a ring belongs to it, one that only asks for its fill as well. */
static void find_components(struct connector *c)
{
    struct sl_pass *pass = c->pass;
    int64_t *first = sl_ir_alloc(c->design->ring_count, sizeof *first);
    memset(first, 0xff, c->design->ring_count * sizeof *first);
    for (uint32_t k = 0; k < pass->kernel_count; k++)
        pass->kernels[k].component = k;
    for (uint32_t p = 0; p < c->design->place_count; p++) {
        const struct sl_pipe_place *place = &c->design->places[p];
        if (place->variable < 0)
            continue;
        struct reach reach = reach_of(c->design, place);
        for (uint32_t r = reach.first; r < reach.first + reach.count; r++) {
            if (first[r] >= 0)
                join(pass, (uint32_t)first[r], place->kernel);
            first[r] = place->kernel;
        }
    }
    for (uint32_t k = 0; k < pass->kernel_count; k++)
        pass->kernels[k].component = root_of(pass, k);
    free(first);
}

int sl_pass_pipe_connect(struct sl_pass *pass)
{
    struct connector c = {.pass = pass, .design = pass->pipes};
    int rc = find_ends(&c, true);
    if (!rc) {
        warn(&c);
        find_components(&c);
    }
    free(c.ends);
    return rc;
}
