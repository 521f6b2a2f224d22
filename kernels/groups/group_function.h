/* SPDX-License-Identifier: Apache-2.0 */
/* Making the work-group function of a kernel around the frame (items/group_frame.h). */
#ifndef SL_KERNELS_GROUPS_GROUP_FUNCTION_H
#define SL_KERNELS_GROUPS_GROUP_FUNCTION_H

#include "items/group_frame.h"

/* group_function.c */
int sl_group_function_build(struct sl_pass *, struct sl_kernel_facts *);
bool sl_has_local_argument(const struct sl_kernel_facts *);
/* reqd_work_group_size; false: there is none, and `size` is as it was. */
bool sl_read_required_size(LLVMContextRef, LLVMValueRef kernel, uint32_t size[3]);
void sl_copy_function_attributes(LLVMValueRef from, LLVMValueRef to);
/* group_memory.c: where items have their private memory. Fixed variables and the context's layout,
 * in front of all groups; slots of chunks, the same; slots of this group, whose size is known. */
void sl_group_place_variables(struct sl_group_function *);
void sl_group_place_chunk_slots(struct sl_group_function *);
void sl_group_place_slots(struct sl_group_function *);
/* memory_places.c: where local and private memory are, for those who ask. */
void sl_place_memory(struct sl_group_function *);
/* unroll_and_jam.c: all of g->in_step, once variables are values. */
void sl_rows_copy(struct sl_group_function *);
/* region.c: emits region `number` at its begin block and notes which regions it leads to. */
void sl_region_emit(struct sl_group_function *, uint32_t number);
LLVMBasicBlockRef sl_region_begin(struct sl_group_function *, uint32_t number);
/* kernel_entry.c: the sl_group_fn around it. */
LLVMValueRef sl_kernel_entry(struct sl_group_function *);
/* Goes before a function's name when that and a suffix would be a name of LLVM's own. */
const char *sl_name_guard(const char *kernel);

#endif
