/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sub-groups: 4 to 64 neighbours in the linear order of a group's items. A kernel whose sub-groups
 * do something together is made in a form of its own (sub_group.c); others only ask for numbers.
 */
#ifndef SL_KERNELS_GROUPS_SUB_GROUP_H
#define SL_KERNELS_GROUPS_SUB_GROUP_H

#include "groups/group_function.h"

/* Without intel_reqd_sub_group_size. */
#define SL_SUB_GROUP_SIZE 32
#define SL_SMALLEST_SUB_GROUP 4
#define SL_LARGEST_SUB_GROUP 64

/* void f(): items that come here wait until all others of the sub-group have come to this place too
 * (meet), or to any place where they wait (stop). Who goes on together is what they then read. */
#define SL_SUB_GROUP_MEET "__sl_sub_group_meet"
#define SL_SUB_GROUP_STOP "__sl_sub_group_stop"
/* private ulong *f(): memory that the items of a sub-group share while they go on together: first a
 * bit for each of them, from SL_SUB_GROUP_VALUES on room for 16 * 8 bytes of each and once more. */
#define SL_SUB_GROUP_MEMORY "__sl_sub_group_memory"
#define SL_SUB_GROUP_VALUES 128
#define SL_SUB_GROUP_ALIGN 128 /* of the memory: that of a double16 */

/* The size, and the one that the kernel asks for: 0 if it does not. */
uint32_t sl_sub_group_size(LLVMValueRef kernel, uint32_t *required);
/* Do its items wait for others of their sub-group? */
bool sl_has_sub_group_stops(LLVMValueRef kernel);

/* sub_group_forms.c: the functions that such kernels call were left as calls for this
 * (passes/work_item_inline.c): a second form of each kernel that may go in step, and then they
 * become part of the others. */
int sl_sub_groups_add_forms(struct sl_pass *);

/* Room in the context for what the form needs. */
void sl_sub_groups_reserve(struct sl_group_function *);
/* The regions of a group and the walk through them. */
void sl_sub_groups_emit(struct sl_group_function *);
/* Takes the part of sl_items_emit. */
void sl_sub_group_items(struct sl_group_function *, sl_item_body_fn, void *data);

#endif
