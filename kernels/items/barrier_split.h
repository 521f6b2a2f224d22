/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel prepared for being split at its barriers. The entry block holds only allocas,
 * placeholder calls and values cheap enough to compute anew in every region ("prologue"); each
 * barrier is alone in its block with a branch to the block where its region begins.
 */
#ifndef SL_KERNELS_ITEMS_BARRIER_SPLIT_H
#define SL_KERNELS_ITEMS_BARRIER_SPLIT_H

#include "ir/control_flow/cfg.h"
#include "ir/control_flow/liveness.h"
#include "ir/control_flow/uniformity.h"
#include "ir/pass.h"
#include "items/work_item.h"

struct sl_barrier {
    LLVMBasicBlockRef block, next; /* next: the region behind the barrier begins here */
    enum sl_barrier_kind kind;     /* of those that are no split */
    bool inner;                    /* a split of loop_split.c: only the items of a chunk meet */
    bool compacts; /* inner, and of compaction_split.c: only those of them that come by go on behind
                      it */
};

/* A value that lives across barriers, kept in a variable; or a private array that does. */
struct sl_slot {
    LLVMValueRef variable; /* alloca in the kernel */
    LLVMTypeRef type;      /* of what it holds */
    uint64_t size;         /* of one item's; a multiple of align */
    uint32_t align;
    uint64_t offset; /* of the first item's, per item: times the number of items */
    bool uniform;    /* one for all items, in a variable of the group function */
    bool inner;      /* crosses inner splits only: needed for the items of a chunk */
    bool array;      /* used by address */
    size_t live[2];  /* numbers in sl_liveness.values; of scalars only. If they differ: a phi, and
                        what a loop brings it, which are never needed at once */
};

struct sl_split {
    LLVMValueRef kernel;
    LLVMBasicBlockRef first;     /* the block behind the prologue: the entry region begins here */
    struct sl_barrier *barriers; /* owned */
    uint32_t barrier_count;
    bool compacts; /* one of them does */
    bool apart; /* sub-groups go their own ways: nothing is the same for all items of the group */
    struct sl_cfg cfg;
    struct sl_liveness live;
    struct sl_uniformity uniform; /* within the group; of no instruction if items go their own ways
                                     or are compacted, nor if there is no barrier */
    struct sl_slot *slots;        /* owned */
    uint32_t slot_count;
    uint64_t per_item_inner; /* bytes of slots that one item of a chunk has */
    uint64_t per_item;       /* bytes of context of one item */
    uint32_t align;          /* the strictest alignment in it */
};

int sl_split_init(struct sl_split *, struct sl_pass *, LLVMValueRef kernel);
void sl_split_finish(struct sl_split *);

/* The barrier whose block this is, or -1. */
int sl_split_barrier_at(const struct sl_split *, LLVMBasicBlockRef);

/* Does a region end at this split point, which may be -1? At inner splits only chunks' regions do.
 */
static inline bool sl_split_ends_region(const struct sl_split *split, int split_point, bool chunked)
{
    return split_point >= 0 && (chunked || !split->barriers[split_point].inner ||
                                split->barriers[split_point].compacts);
}

/* A split point that compacts items begins here. */
bool sl_split_compacts_at(const struct sl_split *, LLVMBasicBlockRef);

/* One more barrier or split in the kernel gets a block of its own; the cfg goes stale. */
void sl_split_isolate(struct sl_split *, LLVMValueRef split_point);

/* Steps of sl_split_init: code_growth.c, rematerialise.c, context_slots.c, shared_slots.c. */
void sl_split_limit_growth(struct sl_split *, struct sl_pass *);
void sl_split_fill_prologue(struct sl_split *);
void sl_split_find_slots(struct sl_split *, struct sl_pass *);
/* A phi and the value that a loop brings it may have one slot: `with` gets the other's number for
 * both, `brought` the value's bit. For all others that are kept `with` is their own number. */
void sl_split_find_pairs(const struct sl_split *, const uint64_t *kept, size_t *with,
                         uint64_t *brought);
/* Once all that is kept goes through slots: shared ones are written on the ways to the phi that
 * bring something else, not on those on which it is there already. */
void sl_split_store_pairs(const struct sl_split *, LLVMBuilderRef);

#endif
