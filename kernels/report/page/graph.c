/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The design as a graph, laid out by Graphviz. Its library keeps global state: one graph
 * at a time. Labels and tooltips are ours; Graphviz escapes them for SVG.
 */
#include "report/advice.h"
#include "report/page/page.h"

#include <graphviz/cgraph.h>
#include <graphviz/gvc.h>
#include <stdlib.h>
#include <string.h>

#include "report/page/text.h"

/* Beyond that many pipes labels only hide the lines. */
enum { MOST_LABELS = 80 };

struct drawing {
    const struct sl_report_design *design;
    Agraph_t *graph;
    Agnode_t **kernels; /* owned; one per kernel */
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

/* The same for texts with line breaks, which the caller writes as "\n" and joins itself. */
static void set_lines(void *object, const char *name, const char *first, const char *second)
{
    char *safe = NULL;
    if (asprintf(&safe, "%s\\n%s", first, second) < 0)
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

static void draw_kernel(struct drawing *d, size_t k)
{
    const struct sl_report_kernel *kernel = &d->design->kernels[k];
    char id[32], second[96], wait[SL_SHORT_TEXT];
    snprintf(id, sizeof id, "k%zu", k);
    bool most = kernel == sl_advice_busiest(d->design);
    Agnode_t *n = node(d, id,
                       most              ? "kernel most"
                       : kernel->autorun ? "kernel autorun"
                                         : "kernel",
                       "box");
    int used = snprintf(second, sizeof second, "line %u%s", kernel->line,
                        kernel->autorun ? ", autorun" : "");
    if (d->design->clock == SL_DESIGN_TIMED && kernel->runs)
        snprintf(second + used, sizeof second - (size_t)used, ", waits %llu of %llu cycles",
                 (unsigned long long)kernel->late, (unsigned long long)kernel->busy);
    else if (d->design->profiled && kernel->run_ns + kernel->stall_ns)
        snprintf(second + used, sizeof second - (size_t)used, ", waited %s",
                 sl_report_time(wait, kernel->stall_ns));
    if (plain(kernel->name))
        set_lines(n, "label", kernel->name, second);
    else
        set(n, "label", kernel->name);
    set(n, "tooltip", kernel->name);
    d->kernels[k] = n;
}

/* Where a pipe ends outside the kernels. */
static Agnode_t *outside(struct drawing *d, size_t p, bool writes)
{
    const struct sl_design_pipe *pipe = &d->design->pipes[p];
    char id[48];
    snprintf(id, sizeof id, "%s%zu", writes ? "from" : "to", p);
    bool argument = !strcmp(pipe->kind, "argument");
    const char *class = *pipe->io ? "io" : *pipe->host ? "host" : argument ? "other" : "nobody";
    Agnode_t *n = node(d, id, class, *pipe->io ? "cds" : *pipe->host ? "house" : "plaintext");
    set(n, "label",
        *pipe->io     ? pipe->io
        : *pipe->host ? "host"
        : argument    ? "elsewhere"
                      : "nothing");
    return n;
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

static const char *colour(const struct sl_report_design *design, const struct sl_design_pipe *pipe)
{
    uint64_t waits = pipe->full_ns > pipe->empty_ns ? pipe->full_ns : pipe->empty_ns;
    double share = design->time_ns ? (double)waits / (double)design->time_ns : 0;
    if (design->clock == SL_DESIGN_TIMED)
        return colour_by_clock(design, pipe);
    if (!design->profiled)
        return "#44546a";
    return share > 0.5 ? "#c0392b" : share > 0.1 ? "#d68910" : "#2e7d32";
}

/* Lines grow with the logarithm of what flowed. */
static double width(const struct sl_design_pipe *pipe)
{
    double result = 1;
    for (uint64_t packets = pipe->packets; packets >= 10; packets /= 10)
        result += 0.45;
    return result;
}

static void label_pipe(struct drawing *d, Agedge_t *edge, const struct sl_design_pipe *pipe)
{
    char second[128], tip[512], packets[SL_SHORT_TEXT], full[SL_SHORT_TEXT], empty[SL_SHORT_TEXT];
    bool profiled = d->design->profiled;
    if (profiled)
        snprintf(second, sizeof second, "%s packets, fill %.1f of %u",
                 sl_report_count(packets, (double)pipe->packets), pipe->mean_fill, pipe->depth);
    else
        snprintf(second, sizeof second, "%.60s, depth %u", pipe->type, pipe->depth);
    bool labelled = d->design->pipe_count <= MOST_LABELS;
    if (labelled && plain(pipe->name) && plain(second))
        set_lines(edge, "label", pipe->name, second);
    else if (labelled)
        set(edge, "label", pipe->name);
    int used = snprintf(tip, sizeof tip, "%s %.80s %.120s, %u bytes, depth %u, line %u", pipe->kind,
                        pipe->type, pipe->name, pipe->packet_bytes, pipe->depth, pipe->line);
    bool room = used > 0 && (size_t)used < sizeof tip;
    if (d->design->clock == SL_DESIGN_TIMED && room)
        snprintf(tip + used, sizeof tip - (size_t)used, "; full %llu, empty %llu cycles",
                 (unsigned long long)pipe->full_cycles, (unsigned long long)pipe->empty_cycles);
    else if (profiled && room)
        snprintf(tip + used, sizeof tip - (size_t)used, "; full %s, empty %s, at most %llu",
                 sl_report_time(full, pipe->full_ns), sl_report_time(empty, pipe->empty_ns),
                 (unsigned long long)pipe->high_water);
    set(edge, "tooltip", tip);
    set(edge, "labeltooltip", tip);
}

static void draw_pipe(struct drawing *d, size_t p)
{
    const struct sl_design_pipe *pipe = &d->design->pipes[p];
    char number[32];
    if (pipe->writer < 0 && pipe->reader < 0)
        return;
    Agnode_t *from = pipe->writer >= 0 ? d->kernels[pipe->writer] : outside(d, p, true);
    Agnode_t *to = pipe->reader >= 0 ? d->kernels[pipe->reader] : outside(d, p, false);
    snprintf(number, sizeof number, "p%zu", p);
    Agedge_t *edge = agedge(d->graph, from, to, number, 1);
    label_pipe(d, edge, pipe);
    set(edge, "color", colour(d->design, pipe));
    if (pipe->other_writers || pipe->other_readers)
        set(edge, "style", "dashed");
    snprintf(number, sizeof number, "%.2f", width(pipe));
    set(edge, "penwidth", number);
}

/* Exact layouts take minutes from some hundreds of nodes on. */
static void set_effort(struct drawing *d)
{
    size_t size = d->design->kernel_count + d->design->pipe_count;
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

/* What comes before <svg> is for stand-alone files. */
static int render(GVC_t *gvc, Agraph_t *graph, FILE *out)
{
    char *text = NULL;
    unsigned bytes = 0;
    if (gvLayout(gvc, graph, "dot"))
        return -1;
    int rc = gvRenderData(gvc, graph, "svg", &text, &bytes);
    const char *start = rc || !text ? NULL : strstr(text, "<svg");
    if (start)
        fputs(start, out);
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
    d.kernels = calloc(design->kernel_count + 1, sizeof *d.kernels);
    d.graph = agopen((char *)"design", Agdirected, NULL);
    if (gvc && d.kernels && d.graph) {
        set_defaults(d.graph);
        set_effort(&d);
        for (size_t k = 0; k < design->kernel_count; k++)
            draw_kernel(&d, k);
        for (size_t p = 0; p < design->pipe_count; p++)
            draw_pipe(&d, p);
        rc = render(gvc, d.graph, out);
    }
    if (d.graph)
        agclose(d.graph);
    free(d.kernels);
    return rc;
}
