/* SPDX-License-Identifier: Apache-2.0 */
/* A context that listens for stall reports. One context at a time; any thread may ask. */
#ifndef SLUICE_TEST_WATCHED_H
#define SLUICE_TEST_WATCHED_H

#include "flow.h"

/* The device under test in a context with that callback, or with one that takes reports. */
void open_heard(void(CL_CALLBACK *hears)(const char *, const void *, size_t, void *));
void open_watched(void);
int report_count(void);
/* One report comes, has every word (NULL-terminated) and well-formed JSON. */
void check_report(const char *const *words);
int report_has(const char *word);

/* Launches of kernels with arguments (global uint *o, uint n). */
cl_kernel add(struct flow *flow, const char *name, cl_mem out, cl_uint n);
/* All must come back, each with an error. */
void ends_with_errors(struct flow *flow);
void ends_with_error(cl_event event);

/* Runs the job in a process of its own with SLUICE_FPGA_ON_STALL=`on_stall` ("": not set), a short
 * stall time and one more setting, or NULL. */
void stall_job(const char *job, const char *on_stall, const char *more);
#endif
