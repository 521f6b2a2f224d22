/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The work-group function under construction: "NAME.groups", with the kernel's parameters followed
 * by the launch and the group. It walks the work-groups, in each the regions, in each the items.
 */
#ifndef SL_KERNELS_GROUP_FUNCTION_H
#define SL_KERNELS_GROUP_FUNCTION_H

#include "passes/barrier.h"
#include "passes/work_item.h"

struct sl_region {
    LLVMBasicBlockRef begin; /* in the group function; NULL: nothing leads here so far */
    bool done;
};

struct sl_group_function {
    struct sl_pass *pass;
    struct sl_kernel_facts *facts;
    struct sl_cut cut;
    struct sl_emit e;
    LLVMValueRef function;
    LLVMValueRef launch, group, context;
    bool flat;                           /* items of all groups of a row in one loop */
    uint32_t reqd[3];                    /* reqd_work_group_size; zeros: none */
    LLVMValueRef places[SL_WI_COUNT][3]; /* what placeholders stand for at the builder's position */
    LLVMValueRef size[3];                /* items of this group */
    LLVMValueRef base[3];                /* global id of its first item */
    LLVMValueRef items;                  /* product of size[] */
    LLVMValueRef *storage;     /* per slot: variable (uniform) or address of the first item's */
    uint32_t slots_begin;      /* in the context, bytes */
    struct sl_map fixed;       /* kernel's alloca -> this function's, for those that are no slots */
    struct sl_region *regions; /* [0] entry, [1 + i] behind barrier i */
    LLVMBasicBlockRef group_end;
};

/* Emits the code of one item at the builder's position; `index` is its linear number in the group.
 * Leaves the builder where the next item follows. */
typedef void (*sl_item_body_fn)(struct sl_group_function *, LLVMValueRef index, void *data);

/* group_function.c */
int sl_group_function_build(struct sl_pass *, struct sl_kernel_facts *);
/* item_loops.c: all items of the group, from the builder's position; leaves it behind the loops. */
void sl_item_loops_emit(struct sl_group_function *, sl_item_body_fn, void *data);
/* region.c: emits region `number` at its begin block and notes which regions it leads to. */
void sl_region_emit(struct sl_group_function *, uint32_t number);
/* kernel_entry.c: the sl_group_fn around it. */
LLVMValueRef sl_kernel_entry(struct sl_group_function *);

#endif
