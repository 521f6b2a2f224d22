/* SPDX-License-Identifier: Apache-2.0 */
/* What each kernel did when: a row per kernel, bars for running and waiting. No shared state. */
#include "page.h"

#include "text.h"

enum { ROW = 18, LEFT = 170, WIDTH = 1000, TOP = 22, MOST_ROWS = 200 };

static const char *const state_names[] = {"run", "full", "empty"};

static uint64_t end_of(const struct sl_report_design *design)
{
    uint64_t end = 1;
    for (size_t i = 0; i < design->span_count; i++)
        if (design->spans[i].end_ns > end)
            end = design->spans[i].end_ns;
    return end;
}

static double x_of(uint64_t ns, uint64_t end)
{
    return LEFT + (double)ns / (double)end * WIDTH;
}

static void draw_axis(FILE *out, uint64_t end, size_t rows)
{
    char text[SL_SHORT_TEXT];
    for (unsigned tick = 0; tick <= 5; tick++) {
        uint64_t ns = end / 5 * tick;
        fprintf(out,
                "<line class=\"tick\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%zu\"/>"
                "<text class=\"tick\" x=\"%.1f\" y=\"12\" text-anchor=\"middle\">%s</text>\n",
                x_of(ns, end), x_of(ns, end), TOP - 4, TOP + rows * ROW, x_of(ns, end),
                sl_report_time(text, ns));
    }
}

static void draw_names(FILE *out, const struct sl_report_design *design, size_t rows)
{
    for (size_t k = 0; k < rows; k++) {
        fprintf(out, "<text x=\"%d\" y=\"%zu\" text-anchor=\"end\">", LEFT - 8, TOP + k * ROW + 12);
        sl_report_escaped(out, design->kernels[k].name);
        fputs("</text>\n", out);
    }
}

static void draw_span(FILE *out, const struct sl_report_design *design,
                      const struct sl_design_span *span, uint64_t end)
{
    char text[SL_SHORT_TEXT];
    double x = x_of(span->start_ns, end), width = x_of(span->end_ns, end) - x;
    fprintf(out, "<rect class=\"%s\" x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\"><title>",
            state_names[span->state], x, TOP + (int)span->kernel * ROW + 2,
            width < 0.3 ? 0.3 : width, ROW - 4);
    sl_report_escaped(out, design->kernels[span->kernel].name);
    fprintf(out, ": %s for %s</title></rect>\n", state_names[span->state],
            sl_report_time(text, span->end_ns - span->start_ns));
}

void sl_report_timeline(const struct sl_report_design *design, FILE *out)
{
    size_t rows = design->kernel_count < MOST_ROWS ? design->kernel_count : MOST_ROWS;
    uint64_t end = end_of(design);
    if (!design->span_count)
        return;
    fprintf(out, "<svg id=\"timeline\" viewBox=\"0 0 %d %zu\" width=\"100%%\">\n",
            LEFT + WIDTH + 30, TOP + rows * ROW + 8);
    draw_axis(out, end, rows);
    draw_names(out, design, rows);
    for (size_t i = 0; i < design->span_count; i++)
        if (design->spans[i].kernel < rows)
            draw_span(out, design, &design->spans[i], end);
    fputs("</svg>\n", out);
}
