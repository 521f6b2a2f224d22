/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A region: the blocks from a split point (or the kernel's entry) to the next split points, copied
 * into one loop over items. With chunks, inner splits divide; without, only barriers do.
 */
#ifndef SL_KERNELS_ITEMS_REGION_COPY_H
#define SL_KERNELS_ITEMS_REGION_COPY_H

#include "ir/memory.h"
#include "items/group_frame.h"

/* An end that items of a region can come to; all items of a loop come to the same. */
struct sl_way {
    int32_t next; /* 1 + number of the split point, or -1: return */
};

struct sl_region {
    struct sl_group_function *g;
    uint32_t number; /* 0 entry, 1 + split point */
    bool chunked;
    LLVMValueRef *before; /* per uniform slot: its value before the loop; owned by the caller */
    LLVMValueRef decided; /* the kernel's, an i1: it is `holds` for the items of all rows that are
                             emitted; NULL: none */
    bool holds;
    /* results, valid behind the loop */
    LLVMValueRef next;   /* which way, as sl_way.next */
    struct sl_way *ways; /* owned */
    uint32_t way_count;
    LLVMValueRef *after;      /* owned; per uniform slot written: its value, else NULL */
    struct region_copy *copy; /* while it is emitted */
};

LLVMBasicBlockRef sl_region_start(const struct sl_split *, uint32_t number);
bool sl_slot_is_live(const struct sl_split *, uint32_t slot, uint32_t number);
/* Which slots these blocks write, and which they need to have: arrays, what they name, and where
 * some region compacts its items all of them. */
void sl_slots_used(const struct sl_split *, const struct sl_list *blocks, bool *written,
                   bool *used);
/* Its items are those of a chunk that came by the split point. */
bool sl_region_is_compacted(const struct sl_split *, uint32_t number);
/* Do inner splits divide what lies between here and the next barriers? */
bool sl_region_has_inner_splits(const struct sl_split *, uint32_t number);

/* Blocks reached without passing a barrier, nor an inner split if those divide; in reverse
 * post-order. Returns whether an inner split was met. */
bool sl_region_blocks(const struct sl_split *, uint32_t number, bool inner_divide,
                      struct sl_list *);

void sl_region_emit_copy(struct sl_region *, const struct sl_rows *);
void sl_region_finish(struct sl_region *);

#endif
