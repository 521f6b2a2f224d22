/* SPDX-License-Identifier: Apache-2.0 */
/* The passes of this folder, in the order of their run, and what other passes ask of them. */
#ifndef SL_KERNELS_GROUPS_STAGES_H
#define SL_KERNELS_GROUPS_STAGES_H

#include "ir/pass.h"

int sl_pass_matrix_sub_groups(struct sl_pass *);
int sl_pass_sub_groups(struct sl_pass *); /* sub_group_queries.c */
int sl_pass_argument_copy(struct sl_pass *);
int sl_pass_whole_groups(struct sl_pass *);
int sl_pass_atomic_sums(struct sl_pass *);
int sl_pass_loop_split(struct sl_pass *);
int sl_pass_branch_split(struct sl_pass *);
int sl_pass_compaction_split(struct sl_pass *);
int sl_pass_work_group_regions(struct sl_pass *);
int sl_pass_join_forms(struct sl_pass *); /* interchange_forms.c */

/* interchange_forms.c: one more kernel for the passes to come, like this one, whose name ends with
 * that; where this one is now. And a form that turned out to be of no use. */
struct sl_kernel_facts *sl_add_form(struct sl_pass *, struct sl_kernel_facts *, const char *name);
void sl_drop_form(struct sl_pass *, uint32_t number);
/* sub_group_forms.c: may kernels get forms whose sub-groups go in step? */
bool sl_sub_groups_may_go_in_step(const struct sl_pass *);
/* Forms whose sub-groups should go in step, and cannot. */
int sl_pass_drop_forms(struct sl_pass *);
/* interchange.c */
void sl_interchange_dimensions(struct sl_pass *, struct sl_kernel_facts *);

#endif
