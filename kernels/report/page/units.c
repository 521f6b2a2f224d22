/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "report/page/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/page/text.h"

char *sl_units_name(const struct sl_report_design *design, const struct sl_design_group *group)
{
    const char *name = design->kernels[group->first].name;
    char *text = NULL;
    int stem = (int)sl_design_kernel_stem(name);
    return asprintf(&text, "%.*s × %u", stem, name, group->count) < 0 ? NULL : text;
}

/* Of the units' numbers; false: they do not fill it. */
static bool extent_of(const struct sl_report_design *design, const struct sl_design_groups *groups,
                      size_t group, uint32_t extent[3])
{
    uint64_t places = 1;
    extent[0] = extent[1] = extent[2] = 1;
    for (size_t k = 0; k < design->kernel_count; k++)
        for (int i = 0; i < 3 && groups->of_kernel[k] == group; i++) {
            uint32_t unit = design->kernels[k].unit[i];
            if (unit >= UINT16_MAX)
                return false;
            extent[i] = unit >= extent[i] ? unit + 1 : extent[i];
        }
    for (int i = 0; i < 3; i++)
        places *= extent[i];
    return places == groups->kernels[group].count;
}

const char *sl_units_words(const struct sl_report_design *design,
                           const struct sl_design_groups *groups, size_t group,
                           char out[SL_UNITS_TEXT])
{
    uint32_t extent[3];
    int used = snprintf(out, SL_UNITS_TEXT, "%u units", groups->kernels[group].count);
    if (!extent_of(design, groups, group, extent) || extent[1] * extent[2] == 1)
        return out;
    used += snprintf(out + used, SL_UNITS_TEXT - (size_t)used, ", %u × %u", extent[0], extent[1]);
    if (extent[2] > 1)
        snprintf(out + used, SL_UNITS_TEXT - (size_t)used, " × %u", extent[2]);
    return out;
}

/* Of its time; below 0: not known. */
static double share_of(const struct sl_report_design *design, const struct sl_report_kernel *k)
{
    if (design->clock == SL_DESIGN_TIMED)
        return k->busy ? (double)k->late / (double)k->busy : -1;
    double whole = (double)k->run_ns + (double)k->stall_ns;
    return design->profiled && whole > 0 ? (double)k->stall_ns / whole : -1;
}

void sl_units_waits(const struct sl_report_design *design, const struct sl_design_groups *groups,
                    size_t group, char *out, size_t size)
{
    double least = 2, most = -1;
    for (size_t k = 0; k < design->kernel_count; k++) {
        double share = groups->of_kernel[k] == group ? share_of(design, &design->kernels[k]) : -1;
        if (share < 0)
            continue;
        least = share < least ? share : least;
        most = share > most ? share : most;
    }
    *out = 0;
    if (most >= 0)
        snprintf(out, size, ", wait %.0f to %.0f %%", 100 * least, 100 * most);
}

static void more(uint64_t *most, uint64_t value)
{
    *most = value > *most ? value : *most;
}

struct sl_design_pipe sl_units_pipe(const struct sl_report_design *design,
                                    const struct sl_design_groups *groups, size_t group)
{
    const struct sl_design_group *all = &groups->pipes[group];
    struct sl_design_pipe sum = design->pipes[all->first];
    if (all->count == 1) {
        sum.name = strdup(sum.name);
        return sum;
    }
    sum.packets = 0;
    sum.mean_fill = 0;
    for (size_t p = all->first; p < design->pipe_count; p++) {
        const struct sl_design_pipe *pipe = &design->pipes[p];
        if (groups->of_pipe[p] != group)
            continue;
        sum.packets += pipe->packets;
        sum.mean_fill += pipe->mean_fill / all->count;
        more(&sum.high_water, pipe->high_water);
        more(&sum.full_ns, pipe->full_ns);
        more(&sum.empty_ns, pipe->empty_ns);
        more(&sum.held_ns, pipe->held_ns);
        more(&sum.full_cycles, pipe->full_cycles);
        more(&sum.empty_cycles, pipe->empty_cycles);
        sum.still |= pipe->still;
        sum.other_writers = sum.other_writers ? sum.other_writers : pipe->other_writers;
        sum.other_readers = sum.other_readers ? sum.other_readers : pipe->other_readers;
    }
    int stem = (int)sl_design_pipe_stem(sum.name);
    if (asprintf(&sum.name, "%.*s × %u", stem, sum.name, all->count) < 0)
        sum.name = NULL;
    return sum;
}

/* By the clock a pipe that is empty says little: whoever has less to do than others waits. */
static const char *colour_by_clock(const struct sl_report_design *design,
                                   const struct sl_design_pipe *pipe)
{
    enum { SHARE = 10 }; /* of the run, as page.c tells */
    if (pipe->full_cycles * SHARE > design->cycles)
        return "#c0392b";
    return pipe->empty_cycles * SHARE > design->cycles ? "#d68910" : "#2e7d32";
}

const char *sl_units_colour(const struct sl_report_design *design,
                            const struct sl_design_pipe *pipe)
{
    double share = design->busy_ns ? (double)pipe->held_ns / (double)design->busy_ns : 0;
    if (pipe->still)
        return "#e00000";
    if (!design->profiled || design->stopped)
        return "#44546a";
    if (design->clock == SL_DESIGN_TIMED)
        return colour_by_clock(design, pipe);
    return share > 0.5 ? "#c0392b" : share > 0.1 ? "#d68910" : "#2e7d32";
}

/* ---- the grid -------------------------------------------------------------------------------- */

enum { MOST_CELLS = 1024, MOST_ARROWS = 4096, WIDE = 76, HIGH = 34, ACROSS = 112, DOWN = 62 };

struct grid {
    const struct sl_report_design *design;
    const struct sl_design_groups *groups;
    FILE *out;
    size_t group;
    uint32_t extent[3];
    bool filled; /* by the units' own numbers; else in the order of kernels */
    uint32_t columns, rows;
};

struct place {
    double x, y; /* of the middle */
};

static struct place place_of(const struct grid *g, size_t kernel, uint32_t number)
{
    const uint32_t *unit = g->design->kernels[kernel].unit;
    uint32_t column = number % g->columns, row = number / g->columns;
    if (g->filled) {
        column = unit[0] + unit[2] * (g->extent[0] + 1);
        row = unit[1];
    }
    return (struct place){4 + WIDE / 2.0 + column * (double)ACROSS,
                          4 + HIGH / 2.0 + row * (double)DOWN};
}

static void lay_out(struct grid *g)
{
    uint32_t count = g->groups->kernels[g->group].count;
    g->filled = extent_of(g->design, g->groups, g->group, g->extent);
    g->columns = (uint32_t)ceil(sqrt(count));
    g->rows = (count + g->columns - 1) / g->columns;
    if (g->filled) {
        g->columns = g->extent[2] * (g->extent[0] + 1) - 1;
        g->rows = g->extent[1];
    }
}

static void draw_cell(const struct grid *g, size_t kernel, struct place at)
{
    const struct sl_report_kernel *k = &g->design->kernels[kernel];
    double share = share_of(g->design, k);
    const char *class = share < 0      ? ""
                        : share <= 0.1 ? " works"
                        : share <= 0.5 ? " waits"
                                       : " idle";
    fprintf(g->out, "<g class=\"unit%s\"><title>", class);
    sl_report_escaped(g->out, k->name);
    if (share >= 0)
        fprintf(g->out, ", waits %.0f %%", 100 * share);
    fprintf(g->out, "</title><rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\"/>",
            at.x - WIDE / 2.0, at.y - HIGH / 2.0, WIDE, HIGH);
    fprintf(g->out, "<text x=\"%.0f\" y=\"%.0f\">%u, %u", at.x, at.y - (share < 0 ? -4 : 2),
            k->unit[0], k->unit[1]);
    if (g->extent[2] > 1)
        fprintf(g->out, ", %u", k->unit[2]);
    fputs("</text>", g->out);
    if (share >= 0)
        fprintf(g->out, "<text x=\"%.0f\" y=\"%.0f\">%.0f %%</text>", at.x, at.y + 12, 100 * share);
    fputs("</g>\n", g->out);
}

/* From the edge of one cell to that of the other; two that go both ways lie side by side. */
static void draw_arrow(const struct grid *g, const struct sl_design_pipe *pipe, struct place from,
                       struct place to)
{
    enum { ASIDE = 4 };
    double dx = to.x - from.x, dy = to.y - from.y, length = hypot(dx, dy);
    if (length < 1)
        return;
    double across = fabs(dx) > 0 ? WIDE / 2.0 / fabs(dx) : 1,
           down = fabs(dy) > 0 ? HIGH / 2.0 / fabs(dy) : 1, cut = across < down ? across : down;
    double aside_x = -dy / length * ASIDE, aside_y = dx / length * ASIDE;
    fprintf(g->out, "<g class=\"wire\"><title>");
    sl_report_escaped(g->out, pipe->name);
    fprintf(g->out,
            "</title><line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
            "marker-end=\"url(#tip%zu)\"/></g>\n",
            from.x + cut * dx + aside_x, from.y + cut * dy + aside_y, to.x - cut * dx + aside_x,
            to.y - cut * dy + aside_y, sl_units_colour(g->design, pipe), g->group);
}

static void draw_arrows(const struct grid *g, const struct place *places)
{
    unsigned drawn = 0;
    for (size_t p = 0; p < g->design->pipe_count && drawn < MOST_ARROWS; p++) {
        const struct sl_design_pipe *pipe = &g->design->pipes[p];
        if (pipe->writer < 0 || pipe->reader < 0 ||
            g->groups->of_kernel[pipe->writer] != g->group ||
            g->groups->of_kernel[pipe->reader] != g->group)
            continue;
        draw_arrow(g, pipe, places[pipe->writer], places[pipe->reader]);
        drawn++;
    }
}

void sl_report_grid(const struct sl_report_design *design, const struct sl_design_groups *groups,
                    size_t group, FILE *out)
{
    struct grid g = {.design = design, .groups = groups, .out = out, .group = group};
    struct place *places = calloc(design->kernel_count + 1, sizeof *places);
    if (!places || groups->kernels[group].count > MOST_CELLS) {
        free(places);
        return;
    }
    lay_out(&g);
    fprintf(out,
            "<svg class=\"grid\" width=\"%.0f\" height=\"%.0f\"><defs><marker id=\"tip%zu\" "
            "viewBox=\"0 0 6 6\" refX=\"6\" refY=\"3\" markerWidth=\"6\" markerHeight=\"6\" "
            "orient=\"auto\"><path d=\"M0,0L6,3L0,6z\"/></marker></defs>\n",
            8 + WIDE + (g.columns - 1) * (double)ACROSS, 8 + HIGH + (g.rows - 1) * (double)DOWN,
            group);
    uint32_t number = 0;
    for (size_t k = 0; k < design->kernel_count; k++)
        if (groups->of_kernel[k] == group) {
            places[k] = place_of(&g, k, number++);
            draw_cell(&g, k, places[k]);
        }
    draw_arrows(&g, places);
    fputs("</svg>\n", out);
    free(places);
}
