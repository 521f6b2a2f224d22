/* SPDX-License-Identifier: Apache-2.0 */
/* The page around graph and timeline: warnings and tables. No shared state. */
#include "report/page/page.h"

#include <stdlib.h>

#include "report/advice.h"

#include "report/critical.h"
#include "report/groups.h"
#include "report/page/tables.h"
#include "report/page/text.h"
#include "report_page_js.h"

static const char head[] = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                           "<meta name=\"viewport\" content=\"width=device-width\">\n<title>";
static const char style[] =
    "</title>\n<style>\n"
    "html{overflow-y:scroll}body{font:14px/1.45 sans-serif;margin:24px auto;padding:0 "
    "24px;max-width:1400px;color:#1f2933;"
    "background:#fff}\n"
    ".tools.search{margin:16px 0 0}h1{font-size:22px;margin:0 0 4px}h2{font-size:16px;margin:28px "
    "0 8px}"
    "p.sub{color:#52606d;margin:0 0 12px}\n"
    ".graph{overflow:auto;max-height:80vh;border:1px solid "
    "#d5dbe1;border-radius:6px;padding:12px}\n"
    ".fit svg{max-width:100%;height:auto}\n"
    ".kernel polygon{fill:#e8f0fb;stroke:#3b6ea8}.autorun polygon{fill:#eaf6ec;stroke:#3c8a4b}\n"
    ".most polygon{fill:#fdeceb;stroke:#c0392b;stroke-width:2.5}\n"
    ".still polygon{fill:#fdeceb;stroke:#e00000}\n"
    ".ring polygon{fill:#f3e8f9;stroke:#7b1fa2;stroke-width:2.5}\n"
    ".host polygon{fill:#fdf3dc;stroke:#b7862b}.io polygon{fill:#f3e8f9;stroke:#8447a8}\n"
    ".nobody text{fill:#c0392b}\n"
    "ul.warn{background:#fff6e5;border:1px solid #e7c37a;border-radius:6px;padding:10px 10px 10px "
    "28px;margin:0 0 16px}\n"
    ".stall{background:#fdeceb;border:1px solid #e00000;border-radius:6px;padding:10px 14px;"
    "margin:0 0 16px}.stall p{margin:0 0 4px;font-weight:600}.stall pre{margin:0;"
    "white-space:pre-wrap;overflow-wrap:anywhere}\n"
    "table{border-collapse:collapse}th,td{padding:3px 12px 3px 0;text-align:left;border-bottom:1px "
    "solid #e4e9ee}th{color:#52606d;font-weight:600}td.n,th.n{text-align:right}\n"
    ".timeline text{font-size:11px;fill:#1f2933}.timeline .tick{stroke:#d5dbe1}"
    ".timeline text.tick{stroke:none;fill:#52606d}\n"
    ".clock{background:#eef4fb;border:1px solid #b9cfe8;border-radius:6px;padding:10px 14px;"
    "margin:0 0 16px}.clock p{margin:0 0 4px}.clock p.long{font-size:17px;font-weight:600}"
    ".clock ul{margin:6px 0 0;padding:0 0 0 18px}.clock p.doubt{color:#8a5a00}.clock "
    "p.best{white-space:pre-line}\n"
    ".run{fill:#5b9a68;stroke:#5b9a68}.full{fill:#c0392b;stroke:#c0392b}"
    ".empty{fill:#e0a33a;stroke:#e0a33a}.unknown{fill:#c5ced6;stroke:#c5ced6}"
    ".bars rect{stroke-width:.3;vector-effect:non-scaling-stroke}"
    ".fill{fill:#9dbde0;stroke:#3b6ea8;stroke-width:.6}code{font-size:12px;"
    "color:#52606d}\n"
    "details{margin:6px 0}summary{cursor:pointer}.units>div{overflow:auto}"
    ".grid{margin:10px 0}.grid text{font-size:11px;text-anchor:middle;fill:#1f2933}"
    ".unit rect{fill:#e8f0fb;stroke:#3b6ea8}.works rect{fill:#eaf6ec}.waits rect{fill:#fdf3dc}"
    ".idle rect{fill:#fdeceb}.wire line{stroke-width:1.5}.grid marker path{fill:#44546a}\n"
    ".key span{display:inline-block;width:12px;height:12px;margin:0 4px 0 14px;"
    "vertical-align:-1px}.key{color:#52606d}\n"
    ".tools{color:#52606d;margin:0 0 6px}.tools>*{margin-right:8px}.tools .at{display:inline-block;"
    "min-width:220px;color:#1f2933}\n"
    "svg.picked .node:not(.lit),svg.picked .edge:not(.lit){opacity:.18}tr.lit{background:#fff4c7}\n"
    "th.sort{cursor:pointer}th[aria-sort=ascending]:after{content:' \\25B2'}"
    "th[aria-sort=descending]:after{content:' \\25BC'}"
    ".fill.most{fill:#dbe8f5}"
    ".bars .fill{vector-effect:non-scaling-stroke}.chosen{fill:#1f2933;opacity:.25;"
    "pointer-events:none}\n"
    "</style>\n</head>\n<body>\n";

static void summary(FILE *out, const struct sl_report_design *d)
{
    char text[SL_SHORT_TEXT];
    fprintf(out, "<p class=\"sub\">%zu kernel%s, %zu pipe%s", d->kernel_count,
            d->kernel_count == 1 ? "" : "s", d->pipe_count, d->pipe_count == 1 ? "" : "s");
    if (d->profiled)
        fprintf(out, "; profiled for %s", sl_report_time(text, d->time_ns));
    if (d->profiled && d->busy_ns < d->time_ns)
        fprintf(out, ", with launches for %s of it", sl_report_time(text, d->busy_ns));
    fputs("</p>\n", out);
}

/* Beyond that nobody reads on. */
enum { MOST_WARNINGS = 200 };

static void warnings(FILE *out, const struct sl_report_design *d)
{
    size_t count;
    char **texts = sl_design_warnings(d, &count);
    if (count)
        fputs("<ul class=\"warn\">\n", out);
    for (size_t i = 0; i < count && i < MOST_WARNINGS; i++) {
        fputs("<li>", out);
        sl_report_escaped(out, texts[i]);
        fputs("</li>\n", out);
    }
    if (count > MOST_WARNINGS)
        fprintf(out, "<li>and %zu more</li>\n", count - MOST_WARNINGS);
    if (count)
        fputs("</ul>\n", out);
    sl_design_warnings_finish(texts, count);
}

static void said(FILE *out, const struct sl_report_design *d)
{
    if (d->said_count)
        fputs("<ul class=\"warn said\">\n", out);
    for (size_t i = 0; i < d->said_count && i < MOST_WARNINGS; i++) {
        fputs("<li>", out);
        sl_report_escaped(out, d->said[i]);
        fputs("</li>\n", out);
    }
    if (d->said_count)
        fputs("</ul>\n", out);
}

static void stalls(FILE *out, const struct sl_report_design *d)
{
    if (!d->stall_count)
        return;
    fputs(d->stopped ? "<div class=\"stall\">\n<p>The run stood still and did not end.</p>\n"
                     : "<div class=\"stall\">\n<p>The run stood still for a while.</p>\n",
          out);
    for (size_t i = 0; i < d->stall_count; i++) {
        fputs("<pre>", out);
        sl_report_escaped(out, d->stalls[i]);
        fputs("</pre>\n", out);
    }
    fputs("</div>\n", out);
}

/* ---- the clock ------------------------------------------------------------------------------- */

static void tell_item(void *data, const char *text)
{
    fputs("<li>", data);
    sl_report_escaped(data, text);
    fputs("</li>\n", data);
}

/* What advice.c writes, as a paragraph. */
static void say(FILE *out, const char *class, const struct sl_report_design *d,
                void (*print)(const struct sl_report_design *, FILE *))
{
    char *text = NULL;
    size_t bytes;
    FILE *memory = open_memstream(&text, &bytes);
    if (memory) {
        print(d, memory);
        if (!fclose(memory) && *text) {
            fprintf(out, "<p class=\"%s\">", class);
            sl_report_escaped(out, text);
            fputs("</p>\n", out);
        }
    }
    free(text);
}

static void print_ring(const struct sl_report_design *d, FILE *out)
{
    (void)sl_advice_ring(d, out);
}

static void print_unclocked(const struct sl_report_design *d, FILE *out)
{
    (void)sl_advice_unclocked(d, out);
}

static void print_stopped(const struct sl_report_design *d, FILE *out)
{
    (void)sl_advice_stopped(d, out);
}

static void print_doubts(const struct sl_report_design *d, FILE *out)
{
    if (d->doubts && *d->doubts)
        fprintf(out, "Not exact: %s", d->doubts);
}

static void clock_in_words(FILE *out, const struct sl_report_design *d)
{
    if (d->clock != SL_DESIGN_TIMED) {
        if (d->bound_count || d->group_count) {
            fputs("<div class=\"clock\">\n", out);
            say(out, "best", d, sl_advice_best);
            say(out, "best", d, sl_advice_groups);
            fputs("</div>\n", out);
        }
        return;
    }
    fputs("<div class=\"clock\">\n", out);
    say(out, "long", d, sl_advice_length);
    say(out, "doubt", d, print_unclocked);
    say(out, "doubt", d, print_stopped);
    say(out, "ring", d, print_ring);
    say(out, "most", d, sl_advice_most);
    say(out, "best", d, sl_advice_best);
    say(out, "best", d, sl_advice_groups);
    say(out, "memory", d, sl_advice_memory);
    say(out, "doubt", d, print_doubts);
    fputs("<ul>\n", out);
    sl_advice_give(d, tell_item, out);
    fputs("</ul>\n</div>\n", out);
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct key {
    const char *colour, *text;
};
static const struct key graph_key[] = {
    {"#2e7d32", "flows"},
    {"#d68910", "an end waits more than 10 % of the time of launches"},
    {"#c0392b", "more than 50 %"},
};
static const struct key clock_key[] = {
    {"#2e7d32", "flows"},
    {"#d68910", "the reader waits more than 10 % of the run"},
    {"#c0392b", "the writer does"},
    {"#fdeceb;outline:2px solid #c0392b", "has most to do"},
};
static const struct key ring_key[] = {
    {"#7b1fa2", "the ring that limits it"},
    {"#d68910", "the reader waits more than 10 % of the run"},
    {"#c0392b", "the writer does"},
    {"#2e7d32", "flows"},
};
static const struct key still_key[] = {
    {"#e00000", "stood still: somebody waits for it"},
    {"#44546a", "nobody waits for it"},
};
static const struct key timeline_key[] = {
    {"#5b9a68", "running"},
    {"#c0392b", "waits, pipe full"},
    {"#e0a33a", "waits, pipe empty"},
    {"#c5ced6", "not kept: too much had happened"},
};
static const struct key span_key[] = {
    {"#5b9a68", "running or waiting: SLUICE_FPGA_TRACE=1 tells them apart"},
    {"#c0392b", "stands still, pipe full"},
    {"#e0a33a", "stands still, pipe empty"},
};

/* Nobody is told of what is not there. */
static size_t timeline_keys(const struct sl_report_design *d)
{
    size_t count = sizeof timeline_key / sizeof *timeline_key;
    for (size_t i = 0; i < d->cycle_span_count; i++)
        if (d->cycle_spans[i].state == SL_DESIGN_UNKNOWN)
            return count;
    return count - 1;
}

static void key(FILE *out, const struct key *rows, size_t count)
{
    fputs("<p class=\"key\">", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "<span style=\"background:%s\"></span>%s", rows[i].colour, rows[i].text);
    fputs("</p>\n", out);
}

/* Beyond that many rows it is folded. */
enum { MOST_OPEN_ROWS = 40 };

static void timeline(FILE *out, const struct sl_report_design *d, const char *title,
                     void (*draw_spans)(const struct sl_report_design *, FILE *))
{
    fprintf(out, "<h2>%s</h2>\n<details%s><summary>of %zu kernels</summary>\n", title,
            d->kernel_count > MOST_OPEN_ROWS ? "" : " open", d->kernel_count);
    if (draw_spans == sl_report_cycle_timeline && !d->waits_kept)
        key(out, span_key, d->stopped ? COUNT(span_key) : 1);
    else
        key(out, timeline_key, timeline_keys(d));
    draw_spans(d, out);
    fputs("</details>\n", out);
}

static void fills(FILE *out, const struct sl_report_design *d)
{
    fprintf(out, "<h2>Fill</h2>\n<details%s><summary>packets in %zu pipe%s</summary>\n",
            d->fill_count > MOST_OPEN_ROWS ? "" : " open", d->fill_count,
            d->fill_count == 1 ? "" : "s");
    sl_report_fills(d, out);
    fputs("</details>\n", out);
}

/* Larger designs scroll instead of shrinking until nothing can be read. Graphviz has no picture of
 * very large ones in any time that somebody waits. */
enum { MOST_TO_FIT = 400, MOST_TO_DRAW = 4000 };

static int draw(FILE *out, const struct sl_report_design *d, const struct sl_design_groups *groups,
                unsigned seconds)
{
    if (groups->kernel_count + groups->pipe_count > MOST_TO_DRAW) {
        fputs("<p>There is no graph of so many kernels and pipes.</p>\n", out);
        return 0;
    }
    int rc = seconds ? sl_report_timed_graph(d, out, seconds) : sl_report_graph(d, out);
    if (rc)
        fputs("<p>There is no graph: Graphviz could not lay this design out in time.</p>\n", out);
    return rc;
}

int sl_report_page(const struct sl_report_design *d, FILE *out, unsigned seconds)
{
    struct sl_design_groups groups;
    if (sl_design_groups_make(&groups, d)) {
        sl_design_groups_finish(&groups);
        return -1;
    }
    fputs(head, out);
    sl_report_escaped(out, d->title);
    fputs(style, out);
    fputs("<h1>", out);
    sl_report_escaped(out, d->title);
    fputs("</h1>\n", out);
    summary(out, d);
    said(out, d);
    stalls(out, d);
    clock_in_words(out, d);
    warnings(out, d);
    fprintf(out, "<div class=\"graph%s\">\n", groups.kernel_count <= MOST_TO_FIT ? " fit" : "");
    int rc = draw(out, d, &groups, seconds);
    fputs("</div>\n", out);
    size_t ring;
    free(sl_critical_cycle(d, &ring));
    if (d->stopped)
        key(out, still_key, COUNT(still_key));
    else if (ring)
        key(out, ring_key, COUNT(ring_key));
    else if (d->clock == SL_DESIGN_TIMED)
        key(out, clock_key, COUNT(clock_key));
    else if (d->profiled)
        key(out, graph_key, COUNT(graph_key));
    if (d->cycle_span_count)
        timeline(out, d, "Cycles", sl_report_cycle_timeline);
    if (d->fill_count)
        fills(out, d);
    if (d->span_count && d->clock != SL_DESIGN_TIMED)
        timeline(out, d, "Timeline", sl_report_timeline);
    sl_report_tables(d, &groups, out);
    sl_design_groups_finish(&groups);
    fprintf(out, "<script>\n%s</script>\n</body>\n</html>\n", page_js);
    return rc;
}
