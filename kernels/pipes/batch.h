/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Second versions of loops that move packets: between batch.c, which finds and judges loops,
 * batch_copy.c, which makes the version, and batch_ends.c, its way in and out.
 *
 * With a clock a batch may go beyond the depth of its pipes: the device finds out later in which
 * cycles its packets moved, and lets the kernel do nothing else before it knows that they could.
 */
#ifndef SL_KERNELS_PIPES_BATCH_H
#define SL_KERNELS_PIPES_BATCH_H

#include "ir/map.h"
#include "pipes/expand.h"
#include "sluice/module.h"

enum {
    SL_BATCH_LEAST = 8,       /* packets worth the way in and out */
    SL_BATCH_LEAST_TIMED = 3, /* where each costs a call otherwise */
    SL_BATCH_FEW_TIMED = 16,  /* rounds; for fewer it is asked whether there could be more */
    SL_BATCH_MOST_ENDS = SL_PIPE_MOST_MOVES,
};

struct sl_batch_mark {
    LLVMValueRef call;
    uint32_t before; /* so many steps stand in front of it */
    bool varies;     /* what it says is not the same in each round */
};

struct sl_batch_step { /* an operation in a round */
    LLVMValueRef call;
    uint32_t part;
};

struct sl_batch_part {
    LLVMValueRef call; /* the first of them */
    struct sl_kept_pipe_end *end;
    const struct sl_pipe_place *place;
    uint32_t each;             /* packets in a round */
    LLVMValueRef slots, start; /* address; number of the first slot of this batch */
    LLVMValueRef mask;         /* of several in a round: their numbers go on round the ring's end */
    LLVMValueRef at;           /* variable: number of the next slot */
};

struct sl_batch {
    struct sl_pipe_expander *x;
    LLVMBasicBlockRef check; /* the header: its phis stay, and ask whether there is enough */
    LLVMBasicBlockRef latch; /* in the copy's source; goes to `check` */
    struct sl_list body;     /* blocks of a round, without `check` */
    struct sl_batch_part parts[SL_BATCH_MOST_ENDS];
    uint32_t part_count;
    struct sl_batch_step steps[SL_PIPE_MOST_STEPS]; /* in the order of the program */
    uint32_t step_count;
    struct sl_map copies; /* block -> its copy; value -> the copy's */
    LLVMValueRef count;   /* rounds of the batch */
    LLVMValueRef last;    /* with a counter: these are all that are left */
    LLVMValueRef counter,
        end;                 /* the loop ends when this phi of `check`, plus 1, is that; or NULL */
    LLVMBasicBlockRef again; /* the copy's latch */
    /* What each round tells its clock of loops: one of its own, and of those inside. */
    struct sl_batch_mark marks[SL_PIPE_MOST_TOLD];
    uint32_t mark_count, varied;
    LLVMValueRef trips, trip; /* variables: what those that vary say, and where the next one goes */
    LLVMValueRef told, order; /* constant: marks, steps; NULL: there are none, or so far */
    LLVMValueRef sites;       /* constant, of steps; NULL where `order` is */
    LLVMValueRef rounds;      /* variable: struct sl_pipe_rounds; NULL so far */
    bool cheap;               /* see is_cheap() */
    bool straight;            /* each round passes all of the body */
    bool seen;                /* others may see what it does besides moving packets */
    bool shares;              /* if they have the memory of the kernel's arguments */
    LLVMMetadataRef domain;   /* of the scopes of its pipes' slots */
};

/* ---- batch.c --------------------------------------------------------------------------------- */

/* Of the operation that moves a packet; NULL: the instruction is no such one. */
const struct sl_pipe_place *sl_batch_place(const struct sl_pipe_expander *, LLVMValueRef);
/* It tells the clock of a loop. */
bool sl_batch_is_mark(LLVMValueRef);
/* The only successor when the branch asks whether an operation failed; else NULL. */
LLVMBasicBlockRef sl_batch_success(const struct sl_pipe_expander *, LLVMValueRef branch);
bool sl_batch_is_usual(const struct sl_pipe_expander *, LLVMBasicBlockRef from,
                       LLVMBasicBlockRef to);
bool sl_batch_has(const struct sl_batch *, LLVMBasicBlockRef);

/* What others may see of an instruction, beside packets and marks. */
enum sl_batch_sight {
    SL_BATCH_UNSEEN,
    SL_BATCH_SHARED, /* if they have the memory of the kernel's arguments */
    SL_BATCH_SEEN    /* or it cannot be in a batch at all */
};
enum sl_batch_sight sl_batch_sight_of(LLVMValueRef);

/* ---- batch_copy.c ---------------------------------------------------------------------------- */

/* `number`: of the loop, in its function. */
void sl_batch_add_version(struct sl_batch *, size_t number);

/* ---- batch_ends.c ---------------------------------------------------------------------------- */

/* How many rounds are there for sure, at the end of `check`. */
void sl_batch_emit_question(struct sl_batch *, LLVMBasicBlockRef enough);
/* A batch does not go round the end of a ring, nor on when the loop is through. */
void sl_batch_emit_begin(struct sl_batch *, LLVMBasicBlockRef begin);
/* At the builder's position, which is then in another block. `whole`: no round was left early. */
void sl_batch_emit_end(struct sl_batch *, bool whole);
/* timed.c: at the builder's position, in the copy. What the mark says is kept for the end. */
void sl_batch_keep_trips(const struct sl_batch *, LLVMValueRef mark);
/* timed.c: the clock hears of so many whole rounds. */
void sl_batch_emit_rounds(struct sl_batch *, LLVMValueRef rounds);
/* timed.c: others may run first, so that there is more for `most` rounds. All that is known of ends
 * of pipes is read anew. */
void sl_batch_emit_await(struct sl_batch *, LLVMValueRef most);
/* Between the kernel's packet and the next slot. */
void sl_batch_move_packet(const struct sl_batch *, const struct sl_batch_step *);

#endif
