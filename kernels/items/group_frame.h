/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The work-group function under construction: "NAME.groups", with the kernel's parameters followed
 * by the launch and the group. It walks the work-groups, in each the regions, in each the items.
 * The frame is made by groups/group_function.c; loops over items are emitted here.
 */
#ifndef SL_KERNELS_ITEMS_GROUP_FRAME_H
#define SL_KERNELS_ITEMS_GROUP_FRAME_H

#include "ir/memory.h"
#include "items/barrier_split.h"
#include "items/work_item.h"

/* Bytes; a larger variable is too much for a thread's stack and lives in the context. */
#define SL_LARGE_VARIABLE 4096

struct sl_region_entry {
    LLVMBasicBlockRef begin; /* in the group function; NULL: nothing leads here so far */
    bool done;
};

/* Items of a chunk that came by a split point that compacts, side by side in the chunk's slots. */
struct sl_compacted {
    LLVMValueRef count;   /* variable, i32: how many so far */
    LLVMValueRef offsets; /* array of i32: where in the chunk they were */
    LLVMValueRef first;   /* i64: global id of the chunk's first item in dimension 0 */
};

struct sl_item {
    LLVMValueRef index, at; /* linear number in the group, position in the chunk */
    LLVMValueRef mask;      /* lanes: which of the items from this one on there are */
};

/* Emits the code of one item at the builder's position, leaves it where the next item follows. */
typedef void (*sl_item_body_fn)(const struct sl_item *, void *data);

struct sl_group_function;
typedef void (*sl_items_fn)(struct sl_group_function *, sl_item_body_fn, void *data);

struct sl_group_function {
    struct sl_pass *pass;
    struct sl_kernel_facts *facts;
    struct sl_split split;
    struct sl_emit e;
    LLVMValueRef function;
    LLVMValueRef launch, group, context;
    struct sl_sub_groups *sub_groups; /* owned; NULL: they do nothing together (sub_group.h) */
    sl_items_fn each_item;            /* takes the part of sl_items_emit; NULL: nobody does */
    struct sl_vector_guard *leave;    /* owned; items beyond it are in no region; NULL: all are */
    bool single;                      /* one work-item, always */
    uint32_t region, jammed; /* whose loops are emitted, and of how many rows; for remarks */
    uint32_t lanes;          /* items that regions in vector form take at once; or 1 */
    bool nameless;           /* flat, and no item asks for an id */
    bool flat;               /* items of all groups of a row in one loop */
    bool undivided;          /* where the builder is, no row crosses a multiple of 2^31 */
    uint32_t reqd[3];        /* reqd_work_group_size; zeros: none */
    LLVMValueRef places[SL_WI_COUNT][3]; /* what placeholders stand for at the builder's position */
    LLVMValueRef size[3];                /* items of this group */
    LLVMValueRef base[3];                /* global id of its first item */
    LLVMValueRef items;                  /* product of size[] */
    LLVMValueRef within;                 /* i1: so for all rows of this group; NULL: nobody asks */
    LLVMValueRef *home;  /* per slot that crosses barriers: variable, or the first item's place */
    LLVMValueRef *chunk; /* per scalar slot, while a chunk passes inner splits: the same */
    uint32_t chunk_size; /* items; 0: there are no inner splits, or none that pay */
    struct sl_compacted compacted;
    uint64_t slots_begin;   /* in the context, bytes */
    uint64_t slot_gap;      /* bytes between slots */
    uint64_t stack;         /* bytes of variables on it so far */
    struct sl_map fixed;    /* kernel's alloca -> this function's, for those that are no slots */
    struct sl_list in_step; /* struct sl_rows_in_step; owned */
    struct sl_region_entry *regions; /* [0] entry, [1 + i] behind barrier i */
    LLVMBasicBlockRef group_end;
};

struct sl_loop {
    LLVMBasicBlockRef head;
    LLVMValueRef counter;
};

/* The loops around the innermost one: rows of the group, and chunks of a row if wanted. */
struct sl_rows {
    bool asks_for_row;    /* the kernel wants to know where it is in dimensions 1 and 2 */
    bool narrow;          /* it computes with a part of the bits of its id in dimension 0 */
    bool divided;         /* so its rows are divided into segments */
    struct sl_loop outer; /* dimension 2, or all rows; if divided, each in segments */
    struct sl_loop y;     /* if asked for */
    struct sl_loop chunk;
    uint32_t chunk_size; /* 0: the whole row at once */
    LLVMValueRef outer_end;
    LLVMValueRef segment,
        segment_count;            /* first local id, how many; 0 and the row if not divided */
    LLVMValueRef start, count;    /* items of the innermost loop: first local id, how many */
    LLVMValueRef first;           /* global id that belongs to `start` */
    LLVMValueRef low, high, last; /* narrow: low half of the first and last id, common high half */
    LLVMValueRef row;             /* linear number of the row's first item */
    bool is_remainder;  /* the few items that filled no vector: not worth LLVM's vectoriser */
    bool once;          /* of those that are there, one vector has all, or there is one: no loop */
    LLVMValueRef ahead; /* i1: all vectors were computed with an earlier row's; NULL: none ever */
    LLVMValueRef done;  /* rows that were, from this one on, with all of their items; NULL: one */
};

/* Code of one row that is to become that of several ones (unroll_and_jam.c). */
struct sl_rows_in_step {
    LLVMValueRef y;                /* number of the row, the first one's */
    LLVMValueRef begins;           /* i1, an instruction: it is the first one of so many */
    LLVMValueRef go;               /* i1, an instruction: it runs */
    bool always;                   /* so it does unless it cannot be copied */
    LLVMBasicBlockRef first, last; /* where it begins; last of its blocks in the function's order */
    uint32_t count;
};

/* item_loops.c: all from the builder's position on, which they leave behind what they emit. */
/* Are rows in segments, unless the group says that none need be (`undivided`)? */
bool sl_rows_may_be_divided(struct sl_group_function *);
/* Rows of a size that is known, in whole vectors, have code of their own where they are not divided
 * (groups/region.c). i1: those of this group are not; NULL: its rows are not of that kind. */
LLVMValueRef sl_rows_within_segment(struct sl_group_function *);
void sl_rows_open(struct sl_group_function *, struct sl_rows *, uint32_t chunk_size);
void sl_rows_close(struct sl_group_function *, struct sl_rows *);
/* From here on it is about row `y` of dimension 1. */
void sl_rows_place(struct sl_group_function *, struct sl_rows *, LLVMValueRef y);
void sl_items_emit(struct sl_group_function *, const struct sl_rows *, sl_item_body_fn, void *data);
/* The same for `lanes` items at once. */
void sl_lanes_emit(struct sl_group_function *, const struct sl_rows *, uint32_t lanes,
                   sl_item_body_fn, void *data);
/* How many of a row fill vectors; these, if there are any; and rows of the others, if any. */
LLVMValueRef sl_rows_in_vectors(struct sl_group_function *, const struct sl_rows *, uint32_t lanes);
void sl_lanes_emit_full(struct sl_group_function *, const struct sl_rows *, LLVMValueRef count,
                        uint32_t lanes, sl_item_body_fn, void *data);
void sl_rows_remaining(struct sl_group_function *, const struct sl_rows *, LLVMValueRef done,
                       struct sl_rows *remaining);
/* Only so many of each row, at least one. */
void sl_rows_first(struct sl_group_function *, const struct sl_rows *rows, LLVMValueRef count,
                   struct sl_rows *first);
/* The loop that this branch closes is left as it is by LLVM's vectoriser and unroller. */
void sl_loop_is_done(struct sl_group_function *, LLVMValueRef branch);
/* Behind "no" of this branch is code that is right for any row: several go there together. */
void sl_rows_may_go_second_way(struct sl_group_function *, LLVMValueRef branch);
bool sl_rows_may_go_together(LLVMContextRef, LLVMValueRef branch);
unsigned sl_second_way_kind(LLVMContextRef); /* of their metadata */

#endif
