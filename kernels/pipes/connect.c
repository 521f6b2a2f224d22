/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who is joined to whom, by what element_reach.c found. The extension texts allow one kernel to
 * read a pipe and one to write it; the host is one of the two where it has an end. Two kernels that
 * have an end for sure are refused; of an end that two may have, by indices that nobody can tell
 * before they run, the build warns, and the kernels ask when they come there
 * (sl_runtime.pipe_claim). Warns of ends that nobody has as well, and numbers the sets of kernels
 * that pipes join. No shared state.
 */
#include "pipes/pipe.h"

#include "ir/bits.h"
#include "ir/memory.h"
#include "pipes/stages.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const does[] = {"read", "write"}; /* by enum sl_pipe_op */
static const char *const done[] = {"read", "written"};

/* Two kernels, the first units of theirs, that may have the same end of some elements. */
struct contest {
    uint32_t first, second; /* uses */
    uint32_t ring, count;   /* of them, the first one, and how many there are */
};

struct connector {
    struct sl_pass *pass;
    struct sl_pipe_design *design;
    struct contest *contests; /* owned */
    uint32_t contest_count;
    int32_t *last; /* owned; per ring and direction: the kernel that was looked at last */
};

/* ---- elements -------------------------------------------------------------------------------- */

/* The first element from `from` on that the use may reach; the number of all: none. */
static uint32_t next_element(const struct sl_pipe_design *design, const struct sl_pipe_place *use,
                             uint32_t from)
{
    uint32_t count = design->variables[use->variable].count;
    if (!use->elements)
        return use->element >= 0 && from <= (uint32_t)use->element ? (uint32_t)use->element : count;
    while (from < count && !sl_bits_has(use->elements, from))
        from++;
    return from;
}

static bool has_end(const struct sl_pipe_place *use)
{
    return use->operation->form != SL_PIPE_FORM_FILL &&
           use->operation->form != SL_PIPE_FORM_CAPACITY;
}

/* ---- messages -------------------------------------------------------------------------------- */

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

static struct sl_source_place place_of(const struct sl_pipe_place *use)
{
    return sl_source_place(use->file, use->line, use->column);
}

static void tell_more(char *text, size_t size, uint32_t count)
{
    *text = '\0';
    if (count > 1)
        snprintf(text, size, " (and %u more of the array)", count - 1);
}

/* "channel 'c' is read by two kernels: by 'b' here, and by 'a' at x.cl:1:2"; malloc'ed. */
static char *tell_both(struct connector *c, uint32_t ring, uint32_t count, const char *verb,
                       const struct sl_pipe_place *a, const struct sl_pipe_place *b)
{
    const struct sl_kernel_facts *x = &c->pass->kernels[a->kernel];
    const struct sl_kernel_facts *y = &c->pass->kernels[b->kernel];
    bool units = x->first_unit == y->first_unit;
    char *name = name_of_ring(c->design, ring), *text, more[48];
    tell_more(more, sizeof more, count);
    if (asprintf(&text, "%s '%s'%s %s %s by two %s: by '%s' here, and by '%s' at %s",
                 kind_of(&c->design->variables[a->variable]), name, more, verb,
                 done[a->operation->direction], units ? "compute units of one kernel" : "kernels",
                 y->name, x->name, place_of(a).text) < 0)
        abort();
    free(name);
    return text;
}

static int refuse_both(struct connector *c, uint32_t ring, const struct sl_pipe_place *a,
                       const struct sl_pipe_place *b)
{
    const struct sl_kernel_facts *kernels = c->pass->kernels;
    bool units = kernels[a->kernel].first_unit == kernels[b->kernel].first_unit;
    char *text = tell_both(c, ring, 1, "is", a, b);
    sl_pass_refuse_at(c->pass, place_of(b).text, "%s%s", text,
                      units ? "; an index made of get_compute_id() gives each its own" : "");
    free(text);
    return -1;
}

static int refuse_host(struct connector *c, uint32_t ring, const struct sl_pipe_place *a,
                       const struct sl_pipe_place *b)
{
    char *name = name_of_ring(c->design, ring);
    const struct sl_pipe_variable *v = &c->design->variables[a->variable];
    const char *may = a->sure && b->sure ? "" : "may ";
    const char *s = a->sure && b->sure ? "s" : "";
    sl_pass_refuse_at(c->pass, place_of(b).text,
                      "one end of %s '%s' is %s's, but kernel '%s' %s%s%s it here and "
                      "kernel '%s' %s%s%s it at %s",
                      kind_of(v), name, v->flags & SL_PIPE_HOST ? "the host" : "an I/O peripheral",
                      c->pass->kernels[b->kernel].name, may, does[b->operation->direction], s,
                      c->pass->kernels[a->kernel].name, may, does[a->operation->direction], s,
                      place_of(a).text);
    free(name);
    return -1;
}

static void warn_of_contests(struct connector *c)
{
    for (uint32_t i = 0; i < c->contest_count; i++) {
        const struct contest *contest = &c->contests[i];
        const struct sl_pipe_place *b = &c->design->uses[contest->second];
        char *text = tell_both(c, contest->ring, contest->count, "may be",
                               &c->design->uses[contest->first], b);
        sl_pass_warn(c->pass, "%s: warning: %s; whichever comes second ends with an error",
                     place_of(b).text, text);
        free(text);
    }
}

/* ---- ends ------------------------------------------------------------------------------------ */

static uint32_t first_unit_of(const struct connector *c, uint32_t use)
{
    return c->pass->kernels[c->design->uses[use].kernel].first_unit;
}

static bool is_same_contest(const struct connector *c, const struct contest *contest,
                            uint32_t first, uint32_t second)
{
    const struct sl_pipe_place *uses = c->design->uses;
    return first_unit_of(c, contest->first) == first_unit_of(c, first) &&
           first_unit_of(c, contest->second) == first_unit_of(c, second) &&
           uses[contest->second].variable == uses[second].variable &&
           uses[contest->second].operation->direction == uses[second].operation->direction;
}

static void note_contest(struct connector *c, uint32_t ring, uint32_t first, uint32_t second)
{
    uint32_t count = c->contest_count;
    for (uint32_t i = count; i-- > 0;)
        if (is_same_contest(c, &c->contests[i], first, second)) {
            c->contests[i].count += ring > c->contests[i].ring;
            return;
        }
    c->contests = sl_ir_resize(c->contests, count + 1, sizeof *c->contests);
    c->contests[c->contest_count++] = (struct contest){first, second, ring, 1};
}

static void add_other(struct connector *c, uint32_t ring, uint32_t number)
{
    struct sl_pipe_design *design = c->design;
    const struct sl_pipe_place *use = &design->uses[number];
    uint32_t count = design->other_count, direction = use->operation->direction;
    if ((count & (count - 1)) == 0)
        design->others =
            sl_ir_resize(design->others, count ? 2 * count : 1, sizeof *design->others);
    design->others[design->other_count++] = (struct sl_pipe_user){ring, use->kernel, direction};
    design->ends[ring].contested[direction] = true;
    design->variables[use->variable].contested[direction] = true;
    note_contest(c, ring, (uint32_t)design->ends[ring].use[direction], number);
}

/* Kernels come one after the other. */
static int add_end(struct connector *c, uint32_t ring, uint32_t number)
{
    const struct sl_pipe_place *use = &c->design->uses[number];
    enum sl_pipe_op direction = use->operation->direction;
    struct sl_pipe_ends *ends = &c->design->ends[ring];
    int32_t now = ends->kernel[direction], *last = &c->last[2 * ring + direction];
    if (now < 0) {
        ends->kernel[direction] = (int32_t)use->kernel;
        ends->use[direction] = (int32_t)number;
    } else if (now != (int32_t)use->kernel) {
        const struct sl_pipe_place *first = &c->design->uses[ends->use[direction]];
        if (first->sure && use->sure)
            return refuse_both(c, ring, first, use);
        if (*last != (int32_t)use->kernel)
            add_other(c, ring, number);
        *last = (int32_t)use->kernel;
    }
    struct sl_pipe_variable *v = &c->design->variables[use->variable];
    if (ends->kernel[!direction] < 0)
        return 0;
    if (v->flags & SL_PIPE_HOST_IF_FREE)
        v->flags &= ~(uint32_t)(SL_PIPE_HOST | SL_PIPE_HOST_IF_FREE);
    if (v->flags & SL_PIPE_FOREIGN)
        return refuse_host(c, ring, &c->design->uses[ends->use[!direction]], use);
    return 0;
}

static int add_ends(struct connector *c, bool sure)
{
    struct sl_pipe_design *design = c->design;
    for (uint32_t u = 0; u < design->use_count; u++) {
        const struct sl_pipe_place *use = &design->uses[u];
        const struct sl_pipe_variable *v = &design->variables[use->variable];
        if (!has_end(use) || use->sure != sure)
            continue;
        for (uint32_t e = next_element(design, use, 0); e < v->count;
             e = next_element(design, use, e + 1))
            if (add_end(c, v->first_ring + e, u))
                return -1;
    }
    return 0;
}

/* Who has an end for sure is the first to have it. */
static int find_ends(struct connector *c)
{
    uint32_t count = c->design->ring_count;
    c->design->ends = sl_ir_alloc(count, sizeof *c->design->ends);
    c->last = sl_ir_alloc(2 * (size_t)count, sizeof *c->last);
    memset(c->last, 0xff, 2 * (size_t)count * sizeof *c->last);
    for (uint32_t r = 0; r < count; r++)
        c->design->ends[r] = (struct sl_pipe_ends){{-1, -1}, {-1, -1}, {false, false}};
    if (add_ends(c, true) || add_ends(c, false))
        return -1;
    for (uint32_t i = 0; i < c->design->variable_count; i++)
        c->design->variables[i].flags &= ~(uint32_t)SL_PIPE_HOST_IF_FREE;
    return 0;
}

/* ---- ends that nobody has -------------------------------------------------------------------- */

/* Of an array, one line tells of all elements that lack the same end. */
static void warn_of_missing(struct connector *c, const struct sl_pipe_variable *v, unsigned lacks)
{
    uint32_t count = 0, first = 0;
    for (uint32_t i = 0; i < v->count; i++) {
        const struct sl_pipe_ends *ends = &c->design->ends[v->first_ring + i];
        if (ends->kernel[lacks] >= 0 || ends->kernel[!lacks] < 0)
            continue;
        if (!count++)
            first = i;
    }
    if (!count)
        return;
    char *name = sl_pipe_element_name(v, first), more[48];
    const struct sl_pipe_ends *ends = &c->design->ends[v->first_ring + first];
    bool sure = c->design->uses[ends->use[!lacks]].sure;
    tell_more(more, sizeof more, count);
    sl_pass_warn(c->pass, "%s:%u: warning: %s '%s'%s is never %s; kernel '%s' %s%s%s it", v->file,
                 v->line, kind_of(v), name, more, done[lacks],
                 c->pass->kernels[ends->kernel[!lacks]].name, sure ? "" : "may ", does[!lacks],
                 sure ? "s" : "");
    free(name);
}

static void warn(struct connector *c)
{
    warn_of_contests(c);
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
    for (uint32_t u = 0; u < c->design->use_count; u++) {
        const struct sl_pipe_place *use = &c->design->uses[u];
        const struct sl_pipe_variable *v = &c->design->variables[use->variable];
        for (uint32_t e = next_element(c->design, use, 0); e < v->count;
             e = next_element(c->design, use, e + 1)) {
            uint32_t r = v->first_ring + e;
            if (first[r] >= 0)
                join(pass, (uint32_t)first[r], use->kernel);
            first[r] = use->kernel;
        }
    }
    for (uint32_t k = 0; k < pass->kernel_count; k++)
        pass->kernels[k].component = root_of(pass, k);
    free(first);
}

static int by_ring(const void *a, const void *b)
{
    const struct sl_pipe_user *x = a, *y = b;
    int order = (x->pipe > y->pipe) - (x->pipe < y->pipe);
    return order ? order : (x->kernel > y->kernel) - (x->kernel < y->kernel);
}

int sl_pass_pipe_connect(struct sl_pass *pass)
{
    struct connector c = {.pass = pass, .design = pass->pipes};
    int rc = find_ends(&c);
    if (!rc) {
        warn(&c);
        find_components(&c);
        if (c.design->other_count)
            qsort(c.design->others, c.design->other_count, sizeof *c.design->others, by_ring);
    }
    free(c.contests);
    free(c.last);
    return rc;
}
