/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that have pipes: loading and unloading. */
#ifndef SL_FPGA_DESIGN_H
#define SL_FPGA_DESIGN_H

#include "fpga/cluster/design_data.h"

struct sl_fiber;

/* NULL result in *out: a program without pipes. Takes the code over when it succeeds. */
int sl_design_create(struct sl_machine *, struct sl_code *, struct sl_design **);
/* Starts the autorun kernels. */
int sl_design_start(struct sl_design *);
/* Is that kernel one that the design starts? */
bool sl_design_runs_by_itself(const struct sl_design *, uint32_t row);
/* A fiber of such a kernel, which counts as alive and is to be posted or begun; or an error. */
int sl_design_autorun(struct sl_design *, uint32_t row, struct sl_fiber **);
/* Discards what is left of it; returns at once, from whichever thread. */
void sl_design_unload(struct sl_design *);

/* What is wrong with what it was loaded into: I/O pipes that nothing is bound to. A text from
 * malloc. NULL: a program without pipes. */
int sl_design_load_warnings(const struct sl_design *, char **text);

/* A transfer of the host waits at one of its pipes. */
bool sl_design_is_awaited(const struct sl_design *);
/* A kernel of it is launched, which keeps it loaded: files of I/O pipes that are opened late are
 * opened. */
void sl_design_use_io(struct sl_design *);
/* The cluster of the kernel at the inner end of a pipe; the shared one if there is none. */
struct sl_cluster *sl_design_cluster_of(const struct sl_design *, uint32_t pipe);

#endif
