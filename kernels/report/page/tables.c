/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a page: what is alone, and below it, to be opened, what is drawn as one. No shared
 * state. */
#include "report/page/tables.h"

#include <stdlib.h>

#include "report/page/text.h"
#include "report/page/units.h"

/* A column of a table about rows of one kind. */
struct column {
    const char *title;
    bool number;
    enum { ALWAYS, PROFILED, OF_MACHINE, TIMED, BOUNDED } when; /* profiled: with a clock, or not */
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
    if (d->kernels[i].runs && !d->kernels[i].still)
        number(out, d->kernels[i].end);
}
static void kernel_busy(FILE *out, const struct sl_report_design *d, size_t i)
{
    if (!d->kernels[i].still) /* what it has waited has no end */
        number(out, d->kernels[i].busy);
}
static void kernel_late(FILE *out, const struct sl_report_design *d, size_t i)
{
    uint64_t busy = d->kernels[i].busy, late = d->kernels[i].late;
    if (d->kernels[i].still) {
        const struct sl_design_wait *wait = sl_design_wait_of(d, i);
        fputs("stands still", out);
        if (wait) {
            fprintf(out, " since %llu: ", (unsigned long long)d->kernels[i].end);
            sl_report_escaped(out, wait->pipe);
            fputs(wait->write ? " full" : " empty", out);
        }
        return;
    }
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

/* Each packet takes so many cycles of the run. */
static void pipe_rate(FILE *out, const struct sl_report_design *d, size_t i)
{
    if (d->pipes[i].packets)
        fprintf(out, "%.2f", (double)d->cycles / (double)d->pipes[i].packets);
}

static void pipe_best(FILE *out, const struct sl_report_design *d, size_t i)
{
    if (d->pipes[i].best_cycles > 0)
        fprintf(out, "%.2f", d->pipes[i].best_cycles);
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
    {"cycles a packet", true, TIMED, pipe_rate},
    {"at best", true, BOUNDED, pipe_best},
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
    bool known = site->pipe >= 0 && (size_t)site->pipe < d->pipe_count;
    fputs(site->of_array ? "an element of " : known ? "" : "pipe argument ", out);
    sl_report_escaped(out, known && !site->of_array ? d->pipes[site->pipe].name : site->name);
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
        fputs("&nbsp;&nbsp;", out);
    place(out, d->loops[i].file, d->loops[i].line);
}
static void loop_text(FILE *out, const struct sl_report_design *d, size_t i)
{
    fputs("<code>", out);
    sl_report_escaped(out, d->loops[i].text);
    fputs("</code>", out);
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
    if (d->loops[i].units > 1)
        fprintf(out, "; of %u compute units the counts of <i>%s</i>, which has most",
                d->loops[i].units, d->loops[i].unit);
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
    if (d->loops[i].pipelined && !d->stopped) /* else the last iterations have only begun */
        number(out, d->loops[i].cycles);
}

static const struct column loop_columns[] = {
    {"kernel", false, ALWAYS, loop_kernel},       {"loop", false, ALWAYS, loop_place},
    {"source", false, ALWAYS, loop_text},         {"II", true, ALWAYS, loop_interval},
    {"depth", true, ALWAYS, loop_depth},          {"trips", true, ALWAYS, loop_trips},
    {"what limits it", false, ALWAYS, loop_why},  {"entered", true, TIMED, loop_entries},
    {"iterations", true, TIMED, loop_iterations}, {"cycles", true, TIMED, loop_cycles},
};

static void region_kernel(FILE *out, const struct sl_report_design *d, size_t i)
{
    sl_report_escaped(out, d->regions[i].kernel);
}
static void region_place(FILE *out, const struct sl_report_design *d, size_t i)
{
    fprintf(out, d->regions[i].first ? "from its begin, line %u" : "behind the barrier at line %u",
            d->regions[i].line);
}
static void region_apart(FILE *out, const struct sl_report_design *d, size_t i)
{
    fprintf(out, "%u", d->regions[i].apart);
}
static void region_depth(FILE *out, const struct sl_report_design *d, size_t i)
{
    fprintf(out, "%u", d->regions[i].depth);
}
static void region_visits(FILE *out, const struct sl_report_design *d, size_t i)
{
    number(out, d->regions[i].visits);
}
static void region_cycles(FILE *out, const struct sl_report_design *d, size_t i)
{
    number(out, d->regions[i].cycles);
}
static void region_share(FILE *out, const struct sl_report_design *d, size_t i)
{
    const struct sl_design_region *of = &d->regions[i];
    fprintf(out, "%.1f %%", 100 * (double)of->cycles / (double)of->group_cycles);
}
static void region_groups(FILE *out, const struct sl_report_design *d, size_t i)
{
    fprintf(out, "%u", d->regions[i].groups);
}

static const struct column region_columns[] = {
    {"kernel", false, ALWAYS, region_kernel},
    {"region", false, ALWAYS, region_place},
    {"items apart (II)", true, ALWAYS, region_apart},
    {"depth without loops", true, ALWAYS, region_depth},
    {"visits of a group", true, ALWAYS, region_visits},
    {"cycles of a group", true, ALWAYS, region_cycles},
    {"share of them", true, ALWAYS, region_share},
    {"groups at once", true, ALWAYS, region_groups},
};

static bool is_shown(const struct column *column, const struct sl_report_design *d)
{
    bool timed = d->clock == SL_DESIGN_TIMED;
    switch (column->when) {
    case PROFILED:
        return d->profiled;
    case OF_MACHINE:
        return d->profiled && !timed;
    case BOUNDED:
        return d->bound_count > 0;
    case TIMED:
        return timed;
    default:
        return true;
    }
}

static void mark_kernel(FILE *out, const struct sl_design_groups *groups,
                        const struct sl_report_design *d, size_t row)
{
    (void)d;
    fprintf(out, " data-k=\"%u\"", groups->of_kernel[row]);
}
static void mark_pipe(FILE *out, const struct sl_design_groups *groups,
                      const struct sl_report_design *d, size_t row)
{
    (void)d;
    fprintf(out, " data-p=\"%u\"", groups->of_pipe[row]);
}
static void mark_site(FILE *out, const struct sl_design_groups *groups,
                      const struct sl_report_design *d, size_t row)
{
    const struct sl_design_site *site = &d->sites[row];
    mark_kernel(out, groups, d, site->kernel);
    if (site->pipe >= 0 && (size_t)site->pipe < d->pipe_count)
        mark_pipe(out, groups, d, (size_t)site->pipe);
}
/* By the name of its kernel, which is in its first cell. */
static void mark_loop(FILE *out, const struct sl_design_groups *groups,
                      const struct sl_report_design *d, size_t row)
{
    (void)groups;
    (void)d;
    (void)row;
    fputs(" data-loop", out);
}

enum { MOST_ROWS = 4000 }; /* nobody reads on, and browsers take long */

struct table {
    /* For scripts: attributes of a row that tell the nodes and edges of the graph it speaks of. */
    void (*mark)(FILE *, const struct sl_design_groups *, const struct sl_report_design *,
                 size_t row);
    const struct sl_design_groups *all_groups;
    const struct column *columns;
    size_t column_count, rows;
    const uint32_t *of;                   /* the group of each row */
    const struct sl_design_group *groups; /* owned by the groups of the page */
    size_t written;                       /* rows */
};

/* No group: the rows that are alone. */
enum { ALONE = -1 };

static bool is_row_of(const struct table *t, size_t row, int64_t group)
{
    return group == ALONE ? t->groups[t->of[row]].count == 1 : t->of[row] == group;
}

static void head_row(FILE *out, const struct sl_report_design *d, const struct table *t)
{
    fputs("<table>\n<tr>", out);
    for (size_t c = 0; c < t->column_count; c++)
        if (is_shown(&t->columns[c], d))
            fprintf(out, "<th%s>%s</th>", t->columns[c].number ? " class=\"n\"" : "",
                    t->columns[c].title);
    fputs("</tr>\n", out);
}

static void data_row(FILE *out, const struct sl_report_design *d, const struct table *t, size_t row)
{
    fputs("<tr", out);
    t->mark(out, t->all_groups, d, row);
    fputs(">", out);
    for (size_t c = 0; c < t->column_count; c++) {
        if (!is_shown(&t->columns[c], d))
            continue;
        fputs(t->columns[c].number ? "<td class=\"n\">" : "<td>", out);
        t->columns[c].cell(out, d, row);
        fputs("</td>", out);
    }
    fputs("</tr>\n", out);
}

static void left_out(FILE *out, size_t count)
{
    if (count)
        fprintf(out, "<p class=\"sub\">and %zu more</p>\n", count);
}

/* Of what could not have a row any more; counted. */
static bool is_full(const struct table *t, size_t *count)
{
    bool full = t->written == MOST_ROWS;
    *count += full;
    return full;
}

static void table(FILE *out, const struct sl_report_design *d, struct table *t, const char *title,
                  int64_t group)
{
    size_t missing = 0, shown = 0;
    for (size_t row = 0; row < t->rows; row++) {
        if (!is_row_of(t, row, group))
            continue;
        if (is_full(t, &missing))
            continue;
        if (!shown++) {
            fputs(title, out);
            head_row(out, d, t);
        }
        data_row(out, d, t, row);
        t->written++;
    }
    if (shown)
        fputs("</table>\n", out);
    left_out(out, missing);
}

/* ---- what is drawn as one -------------------------------------------------------------------- */

static void units(FILE *out, const struct sl_report_design *d,
                  const struct sl_design_groups *groups, size_t g, struct table *kernels,
                  struct table *sites)
{
    char words[SL_UNITS_TEXT], waits[SL_UNITS_TEXT];
    const char *name = d->kernels[groups->kernels[g].first].name;
    sl_units_waits(d, groups, g, waits, sizeof waits);
    fputs("<details class=\"units\"><summary>", out);
    char *title = sl_units_name(d, &groups->kernels[g]);
    sl_report_escaped(out, title ? title : name);
    free(title);
    fprintf(out, " (%s%s)</summary>\n<div id=\"units%zu\">\n", sl_units_words(d, groups, g, words),
            waits, g);
    sl_report_grid(d, groups, g, out);
    table(out, d, kernels, "", (int64_t)g);
    table(out, d, sites, "<h3>Call sites</h3>\n", (int64_t)g);
    fputs("</div>\n</details>\n", out);
}

static void array(FILE *out, const struct sl_report_design *d,
                  const struct sl_design_groups *groups, size_t g, struct table *pipes)
{
    struct sl_design_pipe sum = sl_units_pipe(d, groups, g);
    fputs("<details><summary>", out);
    sl_report_escaped(out, sum.name ? sum.name : "");
    fputs("</summary>\n", out);
    table(out, d, pipes, "", (int64_t)g);
    fputs("</details>\n", out);
    free(sum.name);
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

void sl_report_tables(const struct sl_report_design *d, const struct sl_design_groups *groups,
                      FILE *out)
{
    uint32_t *of_site = calloc(d->site_count + 1, sizeof *of_site),
             *of_none = calloc(d->loop_count + d->region_count + 1, sizeof *of_none);
    static const struct sl_design_group alone = {0, 1};
    if (!of_site || !of_none) {
        fputs("<p>There are no tables: out of memory.</p>\n", out);
        free(of_site);
        free(of_none);
        return;
    }
    for (size_t i = 0; i < d->site_count; i++)
        of_site[i] = groups->of_kernel[d->sites[i].kernel];
    struct table kernels = {.mark = mark_kernel,
                            .all_groups = groups,
                            .columns = kernel_columns,
                            .column_count = COUNT(kernel_columns),
                            .rows = d->kernel_count,
                            .of = groups->of_kernel,
                            .groups = groups->kernels};
    struct table pipes = {.mark = mark_pipe,
                          .all_groups = groups,
                          .columns = pipe_columns,
                          .column_count = COUNT(pipe_columns),
                          .rows = d->pipe_count,
                          .of = groups->of_pipe,
                          .groups = groups->pipes};
    struct table loops = {.mark = mark_loop,
                          .all_groups = groups,
                          .columns = loop_columns,
                          .column_count = COUNT(loop_columns),
                          .rows = d->loop_count,
                          .of = of_none,
                          .groups = &alone};
    struct table regions = {.mark = mark_loop,
                            .all_groups = groups,
                            .columns = region_columns,
                            .column_count = COUNT(region_columns),
                            .rows = d->region_count,
                            .of = of_none,
                            .groups = &alone};
    struct table sites = {.mark = mark_site,
                          .all_groups = groups,
                          .columns = site_columns,
                          .column_count = COUNT(site_columns),
                          .rows = d->site_count,
                          .of = of_site,
                          .groups = groups->kernels};
    fputs(d->kernel_count ? "<h2 class=\"tables\">Kernels</h2>\n" : "", out);
    table(out, d, &kernels, "", ALONE);
    size_t folded = 0;
    for (size_t g = 0; g < groups->kernel_count; g++)
        if (groups->kernels[g].count > 1 && !is_full(&kernels, &folded))
            units(out, d, groups, g, &kernels, &sites);
    left_out(out, folded);
    fputs(d->pipe_count ? "<h2>Pipes</h2>\n" : "", out);
    table(out, d, &pipes, "", ALONE);
    folded = 0;
    for (size_t g = 0; g < groups->pipe_count; g++)
        if (groups->pipes[g].count > 1 && !is_full(&pipes, &folded))
            array(out, d, groups, g, &pipes);
    left_out(out, folded);
    table(out, d, &loops, "<h2>Loops</h2>\n", ALONE);
    table(out, d, &regions, "<h2>Regions between barriers</h2>\n", ALONE);
    table(out, d, &sites, "<h2>Call sites</h2>\n", ALONE);
    free(of_site);
    free(of_none);
}
