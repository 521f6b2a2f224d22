/* SPDX-License-Identifier: Apache-2.0 */
/* What each kernel did when, by this machine or in cycles: a row per kernel, bars for running and
 * waiting. No shared state. */
#include "report/page/page.h"

#include "report/page/text.h"

enum { ROW = 18, LEFT = 170, WIDTH = 1000, TOP = 36, MOST_ROWS = 200, FILL_ROW = 30 };

static const char *const state_names[] = {"run", "full", "empty", "unknown"};

struct view {
    const struct sl_report_design *design;
    const struct sl_design_span *spans;
    size_t count;
    bool cycles; /* else nanoseconds */
    const char *id;
    FILE *out;
    uint64_t end;
    uint64_t
        begin; /* what the axis counts from: a host does other things before its first launch */
};

static const char *time_of(const struct view *v, char text[SL_SHORT_TEXT], uint64_t time)
{
    if (!v->cycles)
        return sl_report_time(text, time);
    snprintf(text, SL_SHORT_TEXT, "%llu cycle%s", (unsigned long long)time, time == 1 ? "" : "s");
    return text;
}

static uint64_t end_of(const struct view *v)
{
    uint64_t end = 1;
    for (size_t i = 0; i < v->count; i++)
        if (v->spans[i].end_ns > end)
            end = v->spans[i].end_ns;
    return end;
}

static uint64_t begin_of(const struct view *v)
{
    uint64_t first = v->cycles ? 0 : UINT64_MAX;
    for (size_t i = 0; i < v->count; i++)
        if (v->spans[i].start_ns < first)
            first = v->spans[i].start_ns;
    return first;
}

/* Within the bars, which are a picture in the picture: scripts show a part of it. */
static double x_of(const struct view *v, uint64_t time)
{
    return (double)time / (double)v->end * WIDTH;
}

static void begin(const struct view *v, size_t height)
{
    fprintf(v->out,
            "<svg id=\"%s\" class=\"timeline\" viewBox=\"0 0 %d %zu\" width=\"100%%\" "
            "data-unit=\"%s\" data-end=\"%llu\" data-mhz=\"%.9g\">\n",
            v->id, LEFT + WIDTH + 30, TOP + height + 8, v->cycles ? "cycles" : "ns",
            (unsigned long long)v->end, v->cycles ? (double)v->design->clock_mhz : 0.0);
}

static void begin_bars(const struct view *v, size_t height)
{
    fprintf(v->out,
            "<svg class=\"bars\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%zu\" "
            "viewBox=\"0 0 %d %zu\" preserveAspectRatio=\"none\">\n",
            LEFT, TOP, WIDTH, height, WIDTH, height);
}

/* Cycles are told as time, too. */
static void draw_axis(const struct view *v, size_t height)
{
    enum { TICKS = 5 };
    char text[SL_SHORT_TEXT];
    for (unsigned tick = 0; tick <= TICKS; tick++) {
        uint64_t time = v->end * tick / TICKS;
        double x = LEFT + x_of(v, time);
        const char *anchor = tick == TICKS ? "end" : "middle";
        fprintf(v->out,
                "<line class=\"tick\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%zu\"/>"
                "<text class=\"tick\" data-tick=\"%u\" x=\"%.1f\" y=\"12\" "
                "text-anchor=\"%s\">%s</text>\n",
                x, x, TOP - 4, TOP + height, tick, x, anchor, time_of(v, text, time));
        if (v->cycles && v->design->clock_mhz)
            fprintf(v->out,
                    "<text class=\"tick\" data-tick=\"%u\" data-time x=\"%.1f\" y=\"26\" "
                    "text-anchor=\"%s\">%s</text>\n",
                    tick, x, anchor,
                    sl_report_time(text, (uint64_t)((double)time * 1000 / v->design->clock_mhz)));
    }
}

static void draw_names(const struct view *v, size_t rows)
{
    for (size_t k = 0; k < rows; k++) {
        fprintf(v->out, "<text x=\"%d\" y=\"%zu\" text-anchor=\"end\">", LEFT - 8,
                TOP + k * ROW + 12);
        sl_report_escaped(v->out, v->design->kernels[k].name);
        fputs("</text>\n", v->out);
    }
}

/* Lines around bars make short ones seen however much of the run is shown; an empty one has none.
 */
static const double LEAST = 0.001;

static void draw_span(const struct view *v, const struct sl_design_span *span)
{
    char text[SL_SHORT_TEXT];
    double x = x_of(v, span->start_ns - v->begin);
    double width = x_of(v, span->end_ns - v->begin) - x;
    fprintf(v->out, "<rect class=\"%s\" x=\"%.3f\" y=\"%d\" width=\"%.3f\" height=\"%d\"><title>",
            state_names[span->state], x, (int)span->kernel * ROW + 2, width < LEAST ? LEAST : width,
            ROW - 4);
    sl_report_escaped(v->out, v->design->kernels[span->kernel].name);
    fprintf(v->out, ": %s for %s</title></rect>\n", state_names[span->state],
            time_of(v, text, span->end_ns - span->start_ns));
}

static void draw(struct view *v)
{
    size_t kernels = v->design->kernel_count, rows = kernels < MOST_ROWS ? kernels : MOST_ROWS;
    if (!v->count)
        return;
    v->begin = begin_of(v);
    v->end = end_of(v) - v->begin;
    begin(v, rows * ROW);
    draw_axis(v, rows * ROW);
    draw_names(v, rows);
    begin_bars(v, rows * ROW);
    for (size_t i = 0; i < v->count; i++)
        if (v->spans[i].kernel < rows)
            draw_span(v, &v->spans[i]);
    fputs("</svg>\n</svg>\n", v->out);
}

/* ---- fills ----------------------------------------------------------------------------------- */

/* The depth, or what is in it at most. */
static uint32_t most_in(const struct view *v, const struct sl_design_fill *fill)
{
    uint32_t depth = v->design->pipes[fill->pipe].depth, most = depth + !depth;
    for (uint32_t i = 0; i < fill->count; i++)
        most = fill->most[i] > most ? fill->most[i] : most;
    return most;
}

static void name_fill(const struct view *v, const struct sl_design_fill *fill, size_t row)
{
    int bottom = TOP + (int)row * FILL_ROW + FILL_ROW - 4;
    fprintf(v->out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", LEFT - 8, bottom - 6);
    sl_report_escaped(v->out, v->design->pipes[fill->pipe].name);
    fprintf(v->out, " (%u)</text>\n", most_in(v, fill));
}

/* Of the parts from one to another. */
static uint32_t extreme(const struct sl_design_fill *fill, uint32_t from, uint32_t to, bool most)
{
    const uint32_t *values = most ? fill->most : fill->least;
    uint32_t found = values[from];
    for (uint32_t i = from; i < to; i++)
        if (most ? values[i] > found : values[i] < found)
            found = values[i];
    return found;
}

/* As many parts as a column of the picture has. */
static uint32_t parts_of_column(const struct sl_design_fill *fill)
{
    enum { COLUMNS = WIDTH / 2 };
    return fill->count / COLUMNS + (fill->count % COLUMNS > 0);
}

/* From empty, below, to the least or the most of each column. */
static void draw_level(const struct view *v, const struct sl_design_fill *fill, size_t row,
                       bool most, const char *class)
{
    int bottom = (int)row * FILL_ROW + FILL_ROW - 4;
    uint32_t top = most_in(v, fill), step = parts_of_column(fill);
    fprintf(v->out, "<path class=\"%s\" d=\"M0 %d", class, bottom);
    for (uint32_t i = 0; i < fill->count; i += step) {
        uint32_t next = fill->count - i < step ? fill->count : i + step;
        uint64_t end = next * fill->width < v->end ? next * fill->width : v->end;
        fprintf(v->out, "V%.1f H%.3f",
                bottom - (double)extreme(fill, i, next, most) / top * (FILL_ROW - 8), x_of(v, end));
    }
    fprintf(v->out, "V%dZ\"><title>", bottom);
    sl_report_escaped(v->out, v->design->pipes[fill->pipe].name);
    fprintf(v->out, ": packets in it, of %u</title></path>\n", top);
}

/* For scripts, which draw a part of the run: "3 0-4*7", a value or from least to most, of so many
 * parts. */
static void give_levels(const struct view *v, const struct sl_design_fill *fill, size_t row)
{
    const char *space = "";
    fprintf(v->out,
            "<g class=\"level\" data-width=\"%llu\" data-top=\"%u\" data-bottom=\"%d\" "
            "data-high=\"%d\" data-levels=\"",
            (unsigned long long)fill->width, most_in(v, fill), (int)row * FILL_ROW + FILL_ROW - 4,
            FILL_ROW - 8);
    for (uint32_t i = 0, next; i < fill->count; i = next) {
        for (next = i + 1; next < fill->count && fill->least[next] == fill->least[i] &&
                           fill->most[next] == fill->most[i];)
            next++;
        fprintf(v->out, "%s%u", space, fill->least[i]);
        if (fill->most[i] != fill->least[i])
            fprintf(v->out, "-%u", fill->most[i]);
        if (next - i > 1)
            fprintf(v->out, "*%u", next - i);
        space = " ";
    }
    fputs("\">\n", v->out);
}

static void draw_fill(const struct view *v, const struct sl_design_fill *fill, size_t row)
{
    bool exact = parts_of_column(fill) <= 1;
    for (uint32_t i = 0; i < fill->count && exact; i++)
        exact = fill->least[i] == fill->most[i];
    if (!exact) {
        give_levels(v, fill, row);
        draw_level(v, fill, row, true, "fill most");
    }
    draw_level(v, fill, row, false, "fill");
    fputs(exact ? "" : "</g>\n", v->out);
}

void sl_report_fills(const struct sl_report_design *design, FILE *out)
{
    struct view view = {design, NULL, 0, true, "fills", out, design->cycles, 0};
    size_t height = design->fill_count * FILL_ROW;
    begin(&view, height);
    draw_axis(&view, height);
    for (size_t i = 0; i < design->fill_count; i++)
        name_fill(&view, &design->fills[i], i);
    begin_bars(&view, height);
    for (size_t i = 0; i < design->fill_count; i++)
        draw_fill(&view, &design->fills[i], i);
    fputs("</svg>\n</svg>\n", out);
}

void sl_report_timeline(const struct sl_report_design *design, FILE *out)
{
    struct view view = {design, design->spans, design->span_count, false, "timeline", out, 0, 0};
    draw(&view);
}

void sl_report_cycle_timeline(const struct sl_report_design *design, FILE *out)
{
    struct view view = {
        design, design->cycle_spans, design->cycle_span_count, true, "cycles", out, 0, 0};
    draw(&view);
}
