/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The design as a graph, laid out by Graphviz. Its library keeps global state: one graph
 * at a time. Labels and tooltips are ours; Graphviz escapes them for SVG.
 */
#include "report/critical.h"
#include "report/page/page.h"

#include <graphviz/cgraph.h>
#include <graphviz/gvc.h>
#include <stdlib.h>
#include <string.h>

#include "report/groups.h"
#include "report/page/text.h"
#include "report/page/units.h"

/* Beyond that many lines labels only hide them. */
enum { MOST_LABELS = 80 };

struct drawing {
    const struct sl_report_design *design;
    struct sl_design_groups groups;
    Agraph_t *graph;
    Agnode_t **kernels;            /* owned; one per group of kernels */
    unsigned loops;                /* edges from a node to itself */
    struct sl_critical_wait *ring; /* owned */
    size_t ring_count;
};

/* Graphviz reads backslashes in labels as its own escapes. */
static void set(void *object, const char *name, const char *value)
{
    char *safe = malloc(2 * strlen(value) + 1), *at = safe;
    if (!safe)
        return;
    for (; *value; value++) {
        if (*value == '\\')
            *at++ = '\\';
        *at++ = *value == '\n' ? ' ' : *value;
    }
    *at = 0;
    agsafeset(object, (char *)name, safe, "");
    free(safe);
}

/* The same for texts with line breaks, which the caller writes as "\n" and joins itself; or as
 * "\l", and then all lines begin at the left. */
static void set_lines(void *object, const char *name, const char *first, const char *second)
{
    char *safe = NULL;
    bool left = strstr(second, "\\l") != NULL;
    if (asprintf(&safe, "%s%s%s", first, left ? "\\l" : "\\n", second) < 0)
        return;
    agsafeset(object, (char *)name, safe, "");
    free(safe);
}

static Agnode_t *node(struct drawing *d, const char *id, const char *class, const char *shape)
{
    Agnode_t *n = agnode(d->graph, (char *)id, 1);
    set(n, "class", class);
    set(n, "shape", shape);
    return n;
}

static bool plain(const char *text)
{
    return !strpbrk(text, "\\\n");
}

static bool is_in_ring(const struct drawing *d, const uint32_t *of_kernel, const uint32_t *of_pipe,
                       size_t g)
{
    for (size_t i = 0; i < d->ring_count; i++)
        if ((of_kernel && of_kernel[d->ring[i].kernel] == g) ||
            (of_pipe && of_pipe[d->ring[i].pipe] == g))
            return true;
    return false;
}

static bool has_most(const struct drawing *d, size_t g)
{
    if (d->ring_count)
        return false;
    const struct sl_report_kernel *most = sl_advice_busiest(d->design);
    return most && d->groups.of_kernel[most - d->design->kernels] == g;
}

static bool is_still(const struct drawing *d, size_t g)
{
    bool still = false;
    for (size_t k = 0; k < d->design->kernel_count && !still; k++)
        still = d->groups.of_kernel[k] == g && d->design->kernels[k].still;
    return still;
}

static void kernel_waits(const struct drawing *d, const struct sl_report_kernel *kernel, char *text,
                         size_t size)
{
    char wait[SL_SHORT_TEXT];
    if (kernel->still)
        snprintf(text, size, ", stands still");
    else if (d->design->clock == SL_DESIGN_TIMED && kernel->runs)
        snprintf(text, size, ", waits %llu of %llu cycles", (unsigned long long)kernel->late,
                 (unsigned long long)kernel->busy);
    else if (d->design->profiled && kernel->run_ns + kernel->stall_ns)
        snprintf(text, size, ", waited %s", sl_report_time(wait, kernel->stall_ns));
}

/* The nest of its loops: place, II, and how often each has run. */
static void kernel_loops(const struct drawing *d, const struct sl_report_kernel *kernel, char *text,
                         size_t size)
{
    enum { MOST_LOOPS = 8 };
    size_t used = strlen(text);
    unsigned shown = 0;
    for (size_t i = 0; i < d->design->loop_count && used + 1 < size; i++) {
        const struct sl_design_loop *loop = &d->design->loops[i];
        bool ran = d->design->clock == SL_DESIGN_TIMED;
        uint64_t times = ran ? loop->iterations : loop->trips;
        char count[SL_SHORT_TEXT], interval[32] = "", often[64] = "";
        if (strcmp(loop->kernel, kernel->name) != 0)
            continue;
        if (shown++ == MOST_LOOPS) {
            snprintf(text + used, size - used, "...\\l");
            return;
        }
        if (loop->pipelined)
            snprintf(interval, sizeof interval, ", II %u", loop->interval);
        if (times == 1)
            snprintf(often, sizeof often, ", once");
        else if (times)
            snprintf(often, sizeof often, ", %s times", sl_report_count(count, (double)times));
        char name[32] = "work-items";
        if (!loop->items)
            snprintf(name, sizeof name, "loop %u", loop->line);
        int more = snprintf(text + used, size - used, "%*s%s%s%s\\l",
                            4 * (int)(loop->nesting - !!loop->nesting), "", name, interval, often);
        used += more > 0 ? (size_t)more : 0;
    }
}

/* The node of a group leads to its units on the page. */
static void name_group(struct drawing *d, Agnode_t *n, size_t g, const char *second)
{
    const struct sl_design_group *group = &d->groups.kernels[g];
    char *name = sl_units_name(d->design, group), units[SL_UNITS_TEXT], link[32];
    snprintf(link, sizeof link, "#units%zu", g);
    set(n, "href", link);
    set(n, "tooltip", sl_units_words(d->design, &d->groups, g, units));
    if (name && plain(name))
        set_lines(n, "label", name, second);
    else if (name)
        set(n, "label", name);
    free(name);
}

static void draw_kernel(struct drawing *d, size_t g)
{
    const struct sl_design_group *group = &d->groups.kernels[g];
    const struct sl_report_kernel *kernel = &d->design->kernels[group->first];
    char id[32], second[1024], waits[96] = "";
    snprintf(id, sizeof id, "k%zu", g);
    Agnode_t *n = node(d, id,
                       is_in_ring(d, d->groups.of_kernel, NULL, g) ? "kernel ring"
                       : has_most(d, g)                            ? "kernel most"
                       : is_still(d, g)                            ? "kernel still"
                       : kernel->autorun                           ? "kernel autorun"
                                                                   : "kernel",
                       "box");
    d->kernels[g] = n;
    if (group->count > 1)
        sl_units_waits(d->design, &d->groups, g, waits, sizeof waits);
    else
        kernel_waits(d, kernel, waits, sizeof waits);
    snprintf(second, sizeof second, "line %u%s%s", kernel->line, kernel->autorun ? ", autorun" : "",
             waits);
    size_t length = strlen(second);
    snprintf(second + length, sizeof second - length, "\\l");
    kernel_loops(d, kernel, second, sizeof second);
    if (!second[length + 2])
        second[length] = '\0';
    if (group->count > 1) {
        name_group(d, n, g, second);
        return;
    }
    if (plain(kernel->name))
        set_lines(n, "label", kernel->name, second);
    else
        set(n, "label", kernel->name);
    set(n, "tooltip", kernel->name);
}

/* Where a pipe ends outside the kernels. */
static Agnode_t *outside(struct drawing *d, size_t g, bool writes)
{
    const struct sl_design_group *group = &d->groups.pipes[g];
    const struct sl_design_pipe *pipe = &d->design->pipes[group->first];
    char id[48], label[SL_UNITS_TEXT];
    snprintf(id, sizeof id, "%s%zu", writes ? "from" : "to", g);
    bool argument = !strcmp(pipe->kind, "argument");
    const char *class = *pipe->io ? "io" : *pipe->host ? "host" : argument ? "other" : "nobody";
    Agnode_t *n = node(d, id, class, *pipe->io ? "cds" : *pipe->host ? "house" : "plaintext");
    const char *who = *pipe->io     ? pipe->io
                      : *pipe->host ? "host"
                      : argument    ? "elsewhere"
                                    : "nothing";
    if (group->count > 1 && !*pipe->io) {
        snprintf(label, sizeof label, "%s × %u", who, group->count);
        who = label;
    }
    set(n, "label", who);
    return n;
}

/* Lines grow with the logarithm of what flowed. */
static double width(const struct sl_design_pipe *pipe)
{
    double result = 1;
    for (uint64_t packets = pipe->packets; packets >= 10; packets /= 10)
        result += 0.45;
    return result;
}

/* "depth 16", "depth 2 to 16" */
static const char *depth_text(const struct drawing *d, size_t g, char out[SL_SHORT_TEXT])
{
    const struct sl_design_group *group = &d->groups.pipes[g];
    uint32_t least = d->design->pipes[group->first].depth, most = least;
    for (size_t p = group->count > 1 ? 0 : d->design->pipe_count; p < d->design->pipe_count; p++) {
        uint32_t depth = d->design->pipes[p].depth;
        if (d->groups.of_pipe[p] != g)
            continue;
        least = depth < least ? depth : least;
        most = depth > most ? depth : most;
    }
    if (least == most)
        snprintf(out, SL_SHORT_TEXT, "depth %u", least);
    else
        snprintf(out, SL_SHORT_TEXT, "depth %u to %u", least, most);
    return out;
}

static void tell_pipe(struct drawing *d, Agedge_t *edge, size_t g,
                      const struct sl_design_pipe *pipe)
{
    char tip[512], depth[SL_SHORT_TEXT], full[SL_SHORT_TEXT], empty[SL_SHORT_TEXT];
    const char *most = d->groups.pipes[g].count > 1 ? " at most of one" : "";
    int used =
        snprintf(tip, sizeof tip, "%s %.80s %.120s, %u bytes, %s, line %u", pipe->kind, pipe->type,
                 pipe->name, pipe->packet_bytes, depth_text(d, g, depth), pipe->line);
    bool room = used > 0 && (size_t)used < sizeof tip;
    if (d->design->clock == SL_DESIGN_TIMED && room)
        snprintf(tip + used, sizeof tip - (size_t)used, "; full %llu, empty %llu cycles%s",
                 (unsigned long long)pipe->full_cycles, (unsigned long long)pipe->empty_cycles,
                 most);
    else if (d->design->profiled && room)
        snprintf(tip + used, sizeof tip - (size_t)used, "; full %s, empty %s%s, at most %llu",
                 sl_report_time(full, pipe->full_ns), sl_report_time(empty, pipe->empty_ns), most,
                 (unsigned long long)pipe->high_water);
    set(edge, "tooltip", tip);
    set(edge, "labeltooltip", tip);
}

static void label_pipe(struct drawing *d, Agedge_t *edge, size_t g,
                       const struct sl_design_pipe *pipe)
{
    char second[128], packets[SL_SHORT_TEXT], depth[SL_SHORT_TEXT];
    if (d->groups.pipe_count > MOST_LABELS)
        return;
    if (d->design->clock == SL_DESIGN_TIMED) /* how full it was here is not how full it would be */
        snprintf(second, sizeof second, "%s packets, %s",
                 sl_report_count(packets, (double)pipe->packets), depth_text(d, g, depth));
    else if (d->design->profiled)
        snprintf(second, sizeof second, "%s packets, fill %.1f of %s",
                 sl_report_count(packets, (double)pipe->packets), pipe->mean_fill,
                 depth_text(d, g, depth) + strlen("depth "));
    else
        snprintf(second, sizeof second, "%.60s%s%s", pipe->type, *pipe->type ? ", " : "",
                 depth_text(d, g, depth));
    if (plain(pipe->name) && plain(second))
        set_lines(edge, "label", pipe->name, second);
    else
        set(edge, "label", pipe->name);
}

static Agnode_t *end_of(struct drawing *d, size_t g, int32_t kernel, bool writes)
{
    return kernel >= 0 ? d->kernels[d->groups.of_kernel[kernel]] : outside(d, g, writes);
}

static void draw_pipe(struct drawing *d, size_t g)
{
    struct sl_design_pipe pipe = sl_units_pipe(d->design, &d->groups, g);
    char number[32];
    if ((pipe.writer >= 0 || pipe.reader >= 0) && pipe.name) {
        Agnode_t *from = end_of(d, g, pipe.writer, true), *to = end_of(d, g, pipe.reader, false);
        snprintf(number, sizeof number, "p%zu", g);
        Agedge_t *edge = agedge(d->graph, from, to, number, 1);
        set(edge, "id", number); /* what rows of tables call it */
        if (from == to) {        /* on one side the label of one is written over the other */
            const char *side = d->loops++ % 2 ? "s" : "n";
            set(edge, "tailport", side);
            set(edge, "headport", side);
        }
        label_pipe(d, edge, g, &pipe);
        tell_pipe(d, edge, g, &pipe);
        bool ring = is_in_ring(d, NULL, d->groups.of_pipe, g);
        set(edge, "color", ring ? "#7b1fa2" : sl_units_colour(d->design, &pipe));
        if (pipe.other_writers || pipe.other_readers)
            set(edge, "style", "dashed");
        snprintf(number, sizeof number, "%.2f", width(&pipe) + (pipe.still ? 1.5 : 0));
        set(edge, "penwidth", number);
    }
    free(pipe.name);
}

/* Exact layouts take minutes from some hundreds of nodes on. */
static void set_effort(struct drawing *d)
{
    size_t size = d->groups.kernel_count + d->groups.pipe_count;
    set(d->graph, "rankdir", "LR");
    set(d->graph, "bgcolor", "transparent");
    set(d->graph, "nodesep", "0.35");
    set(d->graph, "ranksep", "0.7");
    if (size > 200) {
        set(d->graph, "splines", "line");
        set(d->graph, "nslimit", "1");
        set(d->graph, "nslimit1", "1");
        set(d->graph, "mclimit", "0.3");
    }
}

static void set_defaults(Agraph_t *graph)
{
    agattr(graph, AGNODE, (char *)"fontname", (char *)"sans-serif");
    agattr(graph, AGNODE, (char *)"fontsize", (char *)"11");
    agattr(graph, AGEDGE, (char *)"fontname", (char *)"sans-serif");
    agattr(graph, AGEDGE, (char *)"fontsize", (char *)"9");
    agattr(graph, AGEDGE, (char *)"arrowsize", (char *)"0.7");
}

/* Of a page whose window is narrower it shrinks, but not until nobody can read it: then it scrolls.
 */
static void print_svg(const char *svg, FILE *out)
{
    const double pixels_per_point = 4.0 / 3, least = 0.75;
    double width = 0;
    if (sscanf(svg, "<svg width=\"%lfpt\"", &width) == 1)
        fprintf(out, "<svg style=\"min-width:%.0fpx\"%s", width * pixels_per_point * least,
                svg + strlen("<svg"));
    else
        fputs(svg, out);
}

/* A chain, so wide that nobody could read it when all of it is shown. Of thousands of kernels
 * nobody wants to wait for two layouts. */
static bool is_ribbon(Agraph_t *graph)
{
    enum { MOST_KERNELS = 200 };
    const double widest = 1600, flattest = 6; /* points */
    const boxf box = GD_bb(graph);
    const double width = box.UR.x - box.LL.x, height = box.UR.y - box.LL.y;
    return agnnodes(graph) <= MOST_KERNELS && width > widest && width > flattest * height;
}

/* From left to right, but chains from top to bottom: pages scroll that way. What comes before <svg>
 * is for stand-alone files. */
static int render(GVC_t *gvc, Agraph_t *graph, FILE *out)
{
    char *text = NULL;
    unsigned bytes = 0;
    int wrong = gvLayout(gvc, graph, "dot");
    if (!wrong && is_ribbon(graph)) {
        gvFreeLayout(gvc, graph);
        agattr(graph, AGRAPH, (char *)"rankdir", (char *)"TB");
        agattr(graph, AGRAPH, (char *)"ranksep", (char *)"0.45");
        wrong = gvLayout(gvc, graph, "dot");
    }
    if (wrong)
        return -1;
    int rc = gvRenderData(gvc, graph, "svg", &text, &bytes);
    const char *start = rc || !text ? NULL : strstr(text, "<svg");
    if (start)
        print_svg(start, out);
    gvFreeRenderData(text);
    gvFreeLayout(gvc, graph);
    return start ? 0 : -1;
}

int sl_report_graph(const struct sl_report_design *design, FILE *out)
{
    int rc = -1;
    static GVC_t *gvc; /* for good: its plug-ins keep pointers into it */
    gvc = gvc ? gvc : gvContext();
    struct drawing d = {.design = design};
    bool grouped = !sl_design_groups_make(&d.groups, design);
    d.ring = sl_critical_cycle(design, &d.ring_count);
    d.kernels = calloc(d.groups.kernel_count + 1, sizeof *d.kernels);
    d.graph = agopen((char *)"design", Agdirected, NULL);
    if (gvc && grouped && d.kernels && d.graph) {
        set_defaults(d.graph);
        set_effort(&d);
        for (size_t g = 0; g < d.groups.kernel_count; g++)
            draw_kernel(&d, g);
        for (size_t g = 0; g < d.groups.pipe_count; g++)
            draw_pipe(&d, g);
        rc = render(gvc, d.graph, out);
    }
    if (d.graph)
        agclose(d.graph);
    free(d.kernels);
    free(d.ring);
    sl_design_groups_finish(&d.groups);
    return rc;
}
