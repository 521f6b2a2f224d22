/* SPDX-License-Identifier: Apache-2.0 */
/* The passes of this folder, in the order of their run. */
#ifndef SL_KERNELS_PIPES_STAGES_H
#define SL_KERNELS_PIPES_STAGES_H

#include "ir/map.h"
#include "ir/pass.h"

int sl_pass_pipe_declare(struct sl_pass *);
int sl_pass_pipe_reach(struct sl_pass *);
int sl_pass_pipe_connect(struct sl_pass *);
int sl_pass_pipe_bounds(struct sl_pass *);
int sl_pass_pipe_resolve(struct sl_pass *);
int sl_pass_spin_yield(struct sl_pass *);
int sl_pass_memory_use(struct sl_pass *);
int sl_pass_pipe_loops(struct sl_pass *); /* loop_passes.c */
int sl_pass_pipe_tables(struct sl_pass *);
int sl_pass_pipe_expand(struct sl_pass *);

/* After the last optimisation: the contents of sl_pass.pipe_tables. */
void sl_pipe_define_tables(struct sl_pass *);

/* The undefined variables that are pipes: !sl.pipes declares them. */
void sl_pipe_find_declared(LLVMModuleRef, struct sl_map *variables);

#endif
