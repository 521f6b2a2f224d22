/* SPDX-License-Identifier: Apache-2.0 */
/* The page around graph and timeline: warnings and tables. No shared state. */
#include "report/page/page.h"

#include <stdlib.h>

#include "report/advice.h"

#include "report/page/text.h"

static const char head[] = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                           "<meta name=\"viewport\" content=\"width=device-width\">\n<title>";
static const char style[] =
    "</title>\n<style>\n"
    "body{font:14px/1.45 sans-serif;margin:24px auto;padding:0 24px;max-width:1400px;color:#1f2933;"
    "background:#fff}\n"
    "h1{font-size:22px;margin:0 0 4px}h2{font-size:16px;margin:28px 0 8px}"
    "p.sub{color:#52606d;margin:0 0 12px}\n"
    ".graph{overflow:auto;max-height:80vh;border:1px solid "
    "#d5dbe1;border-radius:6px;padding:12px}\n"
    ".fit svg{max-width:100%;height:auto}\n"
    ".kernel polygon{fill:#e8f0fb;stroke:#3b6ea8}.autorun polygon{fill:#eaf6ec;stroke:#3c8a4b}\n"
    ".most polygon{fill:#fdeceb;stroke:#c0392b;stroke-width:2.5}\n"
    ".host polygon{fill:#fdf3dc;stroke:#b7862b}.io polygon{fill:#f3e8f9;stroke:#8447a8}\n"
    ".nobody text{fill:#c0392b}\n"
    "ul.warn{background:#fff6e5;border:1px solid #e7c37a;border-radius:6px;padding:10px 10px 10px "
    "28px;margin:0 0 16px}\n"
    "table{border-collapse:collapse}th,td{padding:3px 12px 3px 0;text-align:left;border-bottom:1px "
    "solid #e4e9ee}th{color:#52606d;font-weight:600}td.n,th.n{text-align:right}\n"
    ".timeline text{font-size:11px;fill:#1f2933}.timeline .tick{stroke:#d5dbe1}"
    ".timeline text.tick{stroke:none;fill:#52606d}\n"
    ".clock{background:#eef4fb;border:1px solid #b9cfe8;border-radius:6px;padding:10px 14px;"
    "margin:0 0 16px}.clock p{margin:0 0 4px}.clock p.long{font-size:17px;font-weight:600}"
    ".clock ul{margin:6px 0 0;padding:0 0 0 18px}.clock p.doubt{color:#8a5a00}\n"
    ".run{fill:#5b9a68}.full{fill:#c0392b}.empty{fill:#e0a33a}\n"
    ".key span{display:inline-block;width:12px;height:12px;margin:0 4px 0 14px;"
    "vertical-align:-1px}.key{color:#52606d}\n"
    "</style>\n</head>\n<body>\n";

/* A column of a table about rows of one kind. */
struct column {
    const char *title;
    bool number;
    enum { ALWAYS, PROFILED, OF_MACHINE, TIMED } when; /* profiled: with a clock, or without */
    void (*cell)(FILE *, const struct sl_report_design *, size_t row);
};

static void cell_time(FILE *out, uint64_t ns)
{
    char text[SL_SHORT_TEXT];
    fputs(ns ? sl_report_time(text, ns) : "", out);
}

static void place(FILE *out, const char *file, uint32_t line)
{
    sl_report_escaped(out, file);
    if (line)
        fprintf(out, "%s%u", *file ? ":" : "", line);
}

static const char *kernel_name(const struct sl_report_design *d, int32_t k)
{
    return k >= 0 && (size_t)k < d->kernel_count ? d->kernels[k].name : "";
}

static void kernel_name_cell(FILE *out, const struct sl_report_design *d, size_t i)
{
    sl_report_escaped(out, d->kernels[i].name);
}
static void kernel_kind(FILE *out, const struct sl_report_design *d, size_t i)
{
    const struct sl_report_kernel *kernel = &d->kernels[i];
    if (kernel->autorun)
        fprintf(out, "autorun, unit %u,%u,%u", kernel->unit[0], kernel->unit[1], kernel->unit[2]);
    else
        fputs("launched", out);
}
static void kernel_place(FILE *out, const struct sl_report_design *d, size_t i)
{
    place(out, d->kernels[i].file, d->kernels[i].line);
}
static void kernel_launches(FILE *out, const struct sl_report_design *d, size_t i)
{
    fprintf(out, "%llu", (unsigned long long)d->kernels[i].launches);
}
static void kernel_run(FILE *out, const struct sl_report_design *d, size_t i)
{
    cell_time(out, d->kernels[i].run_ns);
}
static void kernel_stall(FILE *out, const struct sl_report_design *d, size_t i)
{
    cell_time(out, d->kernels[i].stall_ns);
}

static void number(FILE *out, uint64_t value)
{
    fprintf(out, "%llu", (unsigned long long)value);
}
static void kernel_runs(FILE *out, const struct sl_report_design *d, size_t i)
{
    number(out, d->kernels[i].runs);
}
static void kernel_begin(FILE *out, const struct sl_report_design *d, size_t i)
{
    if (d->kernels[i].runs)
        number(out, d->kernels[i].begin);
}
static void kernel_end(FILE *out, const struct sl_report_design *d, size_t i)
{
    if (d->kernels[i].runs)
        number(out, d->kernels[i].end);
}
static void kernel_busy(FILE *out, const struct sl_report_design *d, size_t i)
{
    number(out, d->kernels[i].busy);
}
static void kernel_late(FILE *out, const struct sl_report_design *d, size_t i)
{
    uint64_t busy = d->kernels[i].busy, late = d->kernels[i].late;
    number(out, late);
    if (busy && late)
        fprintf(out, " (%.0f %%)", 100.0 * (double)late / (double)busy);
}

static const struct column kernel_columns[] = {
    {"kernel", false, ALWAYS, kernel_name_cell},
    {"kind", false, ALWAYS, kernel_kind},
    {"source", false, ALWAYS, kernel_place},
    {"launches", true, PROFILED, kernel_launches},
    {"running", true, OF_MACHINE, kernel_run},
    {"waiting", true, OF_MACHINE, kernel_stall},
    {"runs", true, TIMED, kernel_runs},
    {"begin", true, TIMED, kernel_begin},
    {"end", true, TIMED, kernel_end},
    {"cycles", true, TIMED, kernel_busy},
    {"waits", true, TIMED, kernel_late},
};

static void pipe_name(FILE *out, const struct sl_report_design *d, size_t i)
{
    sl_report_escaped(out, d->pipes[i].name);
}
static void pipe_kind(FILE *out, const struct sl_report_design *d, size_t i)
{
    sl_report_escaped(out, d->pipes[i].kind);
}
static void pipe_type(FILE *out, const struct sl_report_design *d, size_t i)
{
    sl_report_escaped(out, d->pipes[i].type);
    fprintf(out, " (%u B)", d->pipes[i].packet_bytes);
}
static void pipe_depth(FILE *out, const struct sl_report_design *d, size_t i)
{
    fprintf(out, "%u", d->pipes[i].depth);
    if (!d->pipes[i].declared_depth)
        fputs(" (not declared)", out);
    else if (d->pipes[i].declared_depth != d->pipes[i].depth)
        fprintf(out, " (declared %u)", d->pipes[i].declared_depth);
}
static void pipe_end(FILE *out, const struct sl_report_design *d, size_t i, bool writer)
{
    const struct sl_design_pipe *pipe = &d->pipes[i];
    int32_t kernel = writer ? pipe->writer : pipe->reader;
    const char *others = writer ? pipe->other_writers : pipe->other_readers;
    if (kernel >= 0) {
        fputs(others ? "one of " : "", out);
        sl_report_escaped(out, kernel_name(d, kernel));
        fputs(others ? ", " : "", out);
        sl_report_escaped(out, others ? others : "");
    } else if (*pipe->io)
        sl_report_escaped(out, pipe->io);
    else
        fputs(*pipe->host ? "host" : "-", out);
}
static void pipe_writer(FILE *out, const struct sl_report_design *d, size_t i)
{
    pipe_end(out, d, i, true);
}
static void pipe_reader(FILE *out, const struct sl_report_design *d, size_t i)
{
    pipe_end(out, d, i, false);
}
static void pipe_place(FILE *out, const struct sl_report_design *d, size_t i)
{
    place(out, d->pipes[i].file, d->pipes[i].line);
}
static void pipe_packets(FILE *out, const struct sl_report_design *d, size_t i)
{
    fprintf(out, "%llu", (unsigned long long)d->pipes[i].packets);
}
static void pipe_fill(FILE *out, const struct sl_report_design *d, size_t i)
{
    fprintf(out, "%.1f / %llu", d->pipes[i].mean_fill, (unsigned long long)d->pipes[i].high_water);
}
static void pipe_full(FILE *out, const struct sl_report_design *d, size_t i)
{
    cell_time(out, d->pipes[i].full_ns);
}
static void pipe_empty(FILE *out, const struct sl_report_design *d, size_t i)
{
    cell_time(out, d->pipes[i].empty_ns);
}

static void pipe_full_cycles(FILE *out, const struct sl_report_design *d, size_t i)
{
    number(out, d->pipes[i].full_cycles);
}
static void pipe_empty_cycles(FILE *out, const struct sl_report_design *d, size_t i)
{
    number(out, d->pipes[i].empty_cycles);
}

static const struct column pipe_columns[] = {
    {"pipe", false, ALWAYS, pipe_name},
    {"kind", false, ALWAYS, pipe_kind},
    {"packet", false, ALWAYS, pipe_type},
    {"depth", true, ALWAYS, pipe_depth},
    {"writer", false, ALWAYS, pipe_writer},
    {"reader", false, ALWAYS, pipe_reader},
    {"source", false, ALWAYS, pipe_place},
    {"packets", true, PROFILED, pipe_packets},
    {"fill mean / high", true, OF_MACHINE, pipe_fill},
    {"stalled on full", true, OF_MACHINE, pipe_full},
    {"stalled on empty", true, OF_MACHINE, pipe_empty},
    {"writer waits (full)", true, TIMED, pipe_full_cycles},
    {"reader waits (empty)", true, TIMED, pipe_empty_cycles},
};

static void site_kernel(FILE *out, const struct sl_report_design *d, size_t i)
{
    sl_report_escaped(out, kernel_name(d, (int32_t)d->sites[i].kernel));
}
static void site_what(FILE *out, const struct sl_report_design *d, size_t i)
{
    const struct sl_design_site *site = &d->sites[i];
    fprintf(out, "%s%s ", site->write ? "writes" : "reads", site->blocking ? "" : ", not waiting,");
    sl_report_escaped(out, site->pipe >= 0 && (size_t)site->pipe < d->pipe_count
                               ? d->pipes[site->pipe].name
                               : "a pipe argument");
}
static void site_place(FILE *out, const struct sl_report_design *d, size_t i)
{
    place(out, d->sites[i].file, d->sites[i].line);
    fprintf(out, ":%u", d->sites[i].column);
}
static void site_stalls(FILE *out, const struct sl_report_design *d, size_t i)
{
    fprintf(out, "%llu", (unsigned long long)d->sites[i].stalls);
}
static void site_time(FILE *out, const struct sl_report_design *d, size_t i)
{
    cell_time(out, d->sites[i].stall_ns);
}

static void site_cycles(FILE *out, const struct sl_report_design *d, size_t i)
{
    number(out, d->sites[i].wait_cycles);
}

static const struct column site_columns[] = {
    {"kernel", false, ALWAYS, site_kernel},   {"operation", false, ALWAYS, site_what},
    {"source", false, ALWAYS, site_place},    {"stalls", true, OF_MACHINE, site_stalls},
    {"stalled", true, OF_MACHINE, site_time}, {"cycles waited", true, TIMED, site_cycles},
};

static void loop_kernel(FILE *out, const struct sl_report_design *d, size_t i)
{
    sl_report_escaped(out, d->loops[i].kernel);
}
static void loop_place(FILE *out, const struct sl_report_design *d, size_t i)
{
    for (uint32_t n = 1; n < d->loops[i].nesting; n++)
        fputs("&ensp;", out);
    place(out, d->loops[i].file, d->loops[i].line);
}
static void loop_interval(FILE *out, const struct sl_report_design *d, size_t i)
{
    if (d->loops[i].pipelined)
        fprintf(out, "%u", d->loops[i].interval);
}
static void loop_depth(FILE *out, const struct sl_report_design *d, size_t i)
{
    if (d->loops[i].pipelined)
        fprintf(out, "%u", d->loops[i].depth);
}
static void loop_trips(FILE *out, const struct sl_report_design *d, size_t i)
{
    if (d->loops[i].trips)
        fprintf(out, "%llu", (unsigned long long)d->loops[i].trips);
}
static void loop_why(FILE *out, const struct sl_report_design *d, size_t i)
{
    sl_report_escaped(out, d->loops[i].why);
}

static void loop_entries(FILE *out, const struct sl_report_design *d, size_t i)
{
    number(out, d->loops[i].entries);
}
static void loop_iterations(FILE *out, const struct sl_report_design *d, size_t i)
{
    number(out, d->loops[i].iterations);
}
static void loop_cycles(FILE *out, const struct sl_report_design *d, size_t i)
{
    if (d->loops[i].pipelined)
        number(out, d->loops[i].cycles);
}

static const struct column loop_columns[] = {
    {"kernel", false, ALWAYS, loop_kernel}, {"loop", false, ALWAYS, loop_place},
    {"II", true, ALWAYS, loop_interval},    {"depth", true, ALWAYS, loop_depth},
    {"trips", true, ALWAYS, loop_trips},    {"what limits it", false, ALWAYS, loop_why},
    {"entered", true, TIMED, loop_entries}, {"iterations", true, TIMED, loop_iterations},
    {"cycles", true, TIMED, loop_cycles},
};

static bool is_shown(const struct column *column, const struct sl_report_design *d)
{
    bool timed = d->clock == SL_DESIGN_TIMED;
    switch (column->when) {
    case PROFILED:
        return d->profiled;
    case OF_MACHINE:
        return d->profiled && !timed;
    case TIMED:
        return timed;
    default:
        return true;
    }
}

/* Beyond that nobody reads on, and browsers take long. */
enum { MOST_ROWS = 4000, MOST_WARNINGS = 200 };

static void table(FILE *out, const struct sl_report_design *d, const char *title, size_t rows,
                  const struct column *columns, size_t column_count)
{
    size_t shown = rows < MOST_ROWS ? rows : MOST_ROWS;
    if (!rows)
        return;
    fprintf(out, "<h2>%s</h2>\n<table>\n<tr>", title);
    for (size_t c = 0; c < column_count; c++)
        if (is_shown(&columns[c], d))
            fprintf(out, "<th%s>%s</th>", columns[c].number ? " class=\"n\"" : "",
                    columns[c].title);
    fputs("</tr>\n", out);
    for (size_t row = 0; row < shown; row++) {
        fputs("<tr>", out);
        for (size_t c = 0; c < column_count; c++) {
            if (!is_shown(&columns[c], d))
                continue;
            fputs(columns[c].number ? "<td class=\"n\">" : "<td>", out);
            columns[c].cell(out, d, row);
            fputs("</td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</table>\n", out);
    if (rows > shown)
        fprintf(out, "<p class=\"sub\">and %zu more</p>\n", rows - shown);
}

static void summary(FILE *out, const struct sl_report_design *d)
{
    char text[SL_SHORT_TEXT];
    fprintf(out, "<p class=\"sub\">%zu kernel%s, %zu pipe%s", d->kernel_count,
            d->kernel_count == 1 ? "" : "s", d->pipe_count, d->pipe_count == 1 ? "" : "s");
    if (d->profiled)
        fprintf(out, "; profiled for %s", sl_report_time(text, d->time_ns));
    fputs("</p>\n", out);
}

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

static void print_doubts(const struct sl_report_design *d, FILE *out)
{
    if (d->doubts && *d->doubts)
        fprintf(out, "Not exact: %s", d->doubts);
}

static void clock_in_words(FILE *out, const struct sl_report_design *d)
{
    if (d->clock != SL_DESIGN_TIMED)
        return;
    fputs("<div class=\"clock\">\n", out);
    say(out, "long", d, sl_advice_length);
    say(out, "most", d, sl_advice_most);
    say(out, "memory", d, sl_advice_memory);
    say(out, "doubt", d, print_doubts);
    fputs("<ul>\n", out);
    sl_advice_give(d, tell_item, out);
    fputs("</ul>\n</div>\n", out);
}

struct key {
    const char *colour, *text;
};
static const struct key graph_key[] = {
    {"#2e7d32", "flows"},
    {"#d68910", "an end waits more than 10 % of the run"},
    {"#c0392b", "more than 50 %"},
};
static const struct key clock_key[] = {
    {"#2e7d32", "flows"},
    {"#d68910", "the reader waits more than 10 % of the run"},
    {"#c0392b", "the writer does"},
    {"#fdeceb;outline:2px solid #c0392b", "has most to do"},
};
static const struct key timeline_key[] = {
    {"#5b9a68", "running"},
    {"#c0392b", "waits, pipe full"},
    {"#e0a33a", "waits, pipe empty"},
};

static void key(FILE *out, const struct key *rows, size_t count)
{
    fputs("<p class=\"key\">", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "<span style=\"background:%s\"></span>%s", rows[i].colour, rows[i].text);
    fputs("</p>\n", out);
}

/* Larger designs scroll instead of shrinking until nothing can be read. Graphviz has no picture of
 * very large ones in any time that somebody waits. */
enum { MOST_TO_FIT = 400, MOST_TO_DRAW = 4000 };

static int draw(FILE *out, const struct sl_report_design *d, unsigned seconds)
{
    if (d->kernel_count + d->pipe_count > MOST_TO_DRAW) {
        fputs("<p>There is no graph of so many kernels and pipes.</p>\n", out);
        return 0;
    }
    int rc = seconds ? sl_report_timed_graph(d, out, seconds) : sl_report_graph(d, out);
    if (rc)
        fputs("<p>There is no graph: Graphviz could not lay this design out in time.</p>\n", out);
    return rc;
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

int sl_report_page(const struct sl_report_design *d, FILE *out, unsigned seconds)
{
    fputs(head, out);
    sl_report_escaped(out, d->title);
    fputs(style, out);
    fputs("<h1>", out);
    sl_report_escaped(out, d->title);
    fputs("</h1>\n", out);
    summary(out, d);
    clock_in_words(out, d);
    warnings(out, d);
    fprintf(out, "<div class=\"graph%s\">\n", d->kernel_count <= MOST_TO_FIT ? " fit" : "");
    int rc = draw(out, d, seconds);
    fputs("</div>\n", out);
    if (d->clock == SL_DESIGN_TIMED)
        key(out, clock_key, COUNT(clock_key));
    else if (d->profiled)
        key(out, graph_key, COUNT(graph_key));
    if (d->cycle_span_count) {
        fputs("<h2>Cycles</h2>\n", out);
        key(out, timeline_key, COUNT(timeline_key));
        sl_report_cycle_timeline(d, out);
    }
    if (d->span_count && d->clock != SL_DESIGN_TIMED) {
        fputs("<h2>Timeline</h2>\n", out);
        key(out, timeline_key, COUNT(timeline_key));
        sl_report_timeline(d, out);
    }
    table(out, d, "Kernels", d->kernel_count, kernel_columns, COUNT(kernel_columns));
    table(out, d, "Pipes", d->pipe_count, pipe_columns, COUNT(pipe_columns));
    table(out, d, "Loops", d->loop_count, loop_columns, COUNT(loop_columns));
    table(out, d, "Call sites", d->site_count, site_columns, COUNT(site_columns));
    fputs("</body>\n</html>\n", out);
    return rc;
}
