/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code for the operations of one work-group function. What it knows of an end of a pipe, index and
 * limit, lies in variables of the function, that is in registers: another kernel gets to run only
 * inside of calls of the runtime, and behind each of those everything is read anew.
 */
#ifndef SL_KERNELS_PIPES_EXPAND_H
#define SL_KERNELS_PIPES_EXPAND_H

#include "ir/memory.h"
#include "pipes/pipe.h"

struct sl_kept_pipe_end {
    int64_t ring; /* of the module; -1: an argument's */
    int32_t argument;
    enum sl_pipe_op direction;
    LLVMValueRef address;      /* of the ring */
    LLVMValueRef index, limit; /* variables; NULL: not kept */
    LLVMValueRef slots, mask;  /* slots: NULL of a ring of the module that is not movable */
    bool movable;
};

struct sl_journal;

struct sl_pipe_expander {
    struct sl_pass *pass;
    struct sl_emit e;
    LLVMValueRef function, launch;
    struct sl_list calls; /* operations, in the function */
    struct sl_list yields, marks;
    struct sl_kept_pipe_end *ends; /* owned */
    uint32_t end_count;
    LLVMValueRef packet; /* variable: what the runtime reads or fills; NULL: none needed so far */
    LLVMMetadataRef unlikely;   /* weights of a branch */
    struct sl_journal *journal; /* owned; NULL: no loops are noted, see journal.h */
    bool timed;                 /* the kernel's clock hears of each packet: timed.c */
};

/* cache.c: finds the ends that can be kept, and loads them where the function begins. */
void sl_pipe_keep_ends(struct sl_pipe_expander *);
struct sl_kept_pipe_end *sl_pipe_kept_end(struct sl_pipe_expander *, LLVMValueRef call);
/* autorun.c: the function of an autorun kernel starts again by itself, until it gets through
 * without an operation. */
void sl_pipe_repeat(struct sl_pipe_expander *);
/* At the builder's position: reads all of them anew. */
void sl_pipe_reload(struct sl_pipe_expander *);
/* batch.c: second versions of loops, for when many packets are there. Are there any? */
bool sl_pipe_batch(struct sl_pipe_expander *);
/* At the builder's position: between the kernel's packet and a slot of the ring; the end's index
 * for all to see; a look whether another thread waits for that, after which the position is in
 * another block. */
void sl_pipe_move_packet(struct sl_pipe_expander *, const struct sl_pipe_place *,
                         LLVMValueRef packet, LLVMValueRef slot);
void sl_pipe_publish(struct sl_pipe_expander *, LLVMValueRef ring, const struct sl_pipe_place *,
                     LLVMValueRef index);
void sl_pipe_tell(struct sl_pipe_expander *, LLVMValueRef ring);
LLVMValueRef sl_pipe_call_runtime(struct sl_pipe_expander *, size_t offset, LLVMTypeRef result,
                                  LLVMValueRef *args, unsigned count);
/* Of place `number`. */
LLVMValueRef sl_pipe_site_address(struct sl_pipe_expander *, uint32_t number);
/* timed.c: all at the builder's position, but for the mark, which the call is replaced by. */
/* `noted`: by the runtime, see journal.h. */
void sl_pipe_emit_moved(struct sl_pipe_expander *, LLVMValueRef ring, uint32_t place, bool noted);
void sl_pipe_expand_mark(struct sl_pipe_expander *, LLVMValueRef call);
LLVMValueRef sl_pipe_field(const struct sl_emit *, LLVMValueRef ring, size_t offset);

/* Of the end's own index and limit in a ring. */
static inline size_t sl_pipe_index_offset(enum sl_pipe_op direction)
{
    return direction == SL_PIPE_READ ? offsetof(struct sl_pipe_ring, head)
                                     : offsetof(struct sl_pipe_ring, tail);
}

static inline size_t sl_pipe_limit_offset(enum sl_pipe_op direction)
{
    return direction == SL_PIPE_READ ? offsetof(struct sl_pipe_ring, read_limit)
                                     : offsetof(struct sl_pipe_ring, write_limit);
}

#endif
