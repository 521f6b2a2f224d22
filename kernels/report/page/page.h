/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The report page: one self-contained HTML file with the design drawn as a graph, tables of
 * kernels, pipes and call sites, and for a profiled run its flow, stalls and timeline. All of it
 * shows without scripts, in a mail as in a browser; page.js makes it easier to find things.
 */
#ifndef SL_KERNELS_REPORT_PAGE_H
#define SL_KERNELS_REPORT_PAGE_H

#include <stdio.h>

#include "report/input/design.h"

/* 0, or -1 when there is no graph in it: it could not be laid out, or not in so many seconds (0: as
 * many as it takes, by this process). Of very large designs none is tried, which is no failure.
 * Write errors are the stream's. */
int sl_report_page(const struct sl_report_design *, FILE *, unsigned seconds);

/* graph.c: the graph alone as an <svg> element; 0 or -1. */
int sl_report_graph(const struct sl_report_design *, FILE *);
/* timed_graph.c: the same by a child; nothing is written when that takes longer or fails. */
int sl_report_timed_graph(const struct sl_report_design *, FILE *, unsigned seconds);
/* timeline.c: an <svg> element, of this machine's time or of the design's cycles; nothing without
 * spans. */
void sl_report_timeline(const struct sl_report_design *, FILE *);
void sl_report_cycle_timeline(const struct sl_report_design *, FILE *);
/* What is in pipes in the course of the cycles. */
void sl_report_fills(const struct sl_report_design *, FILE *);

#endif
