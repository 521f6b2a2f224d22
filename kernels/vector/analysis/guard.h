/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guards: conditions on the id that become the ends of a row (range restriction, index-set
 * splitting). Found here, computed by control_flow/guard_count.c. Read-only; what is found is the
 * caller's.
 */
#ifndef SL_KERNELS_VECTOR_ANALYSIS_GUARD_H
#define SL_KERNELS_VECTOR_ANALYSIS_GUARD_H

#include "vector/analysis/facts.h"

/* Only some of a row's items, the first ones or a single one, do anything in the region. */
#define SL_VECTOR_MOST_LIMITS 8
/* Which items run. The last two are the only condition there is, and of a part that more items run.
 */
enum sl_vector_limit_kind {
    SL_LIMIT_IF, /* no id: all or none, by a bit */
    SL_LIMIT_UNLESS,
    SL_LIMIT_BELOW, /* the limit */
    SL_LIMIT_UP_TO,
    SL_LIMIT_FROM,
    SL_LIMIT_ABOVE,
    SL_LIMIT_ONLY, /* the one whose id it is */
    SL_LIMIT_NOT,  /* those before that one or those behind it, whichever are more */
};

struct sl_vector_limit {
    enum sl_vector_limit_kind kind;
    LLVMValueRef id, limit;
    bool sign; /* numbers that are compared have one */
};

/* Items in front of the first that runs do not. */
static inline bool sl_limit_begins_late(const struct sl_vector_limit *l)
{
    return l->kind == SL_LIMIT_FROM || l->kind == SL_LIMIT_ABOVE;
}

struct sl_vector_guard {
    LLVMValueRef condition; /* of the branch at the region's beginning */
    bool runs_if;           /* what it is for items that run */
    struct sl_vector_limit limits[SL_VECTOR_MOST_LIMITS];
    uint32_t limit_count;
    bool partly;           /* not all items that run need meet them: a run of them is enough */
    bool begins_late;      /* some of them do */
    LLVMBasicBlockRef end; /* where the region ends, in either case; NULL: return */
};

/* Does the first item that runs lie anywhere in the row? */
static inline bool sl_guard_begins_late(const struct sl_vector_guard *guard)
{
    return guard->begins_late || guard->limits[0].kind == SL_LIMIT_ONLY;
}

bool sl_vector_find_guard(const struct sl_vector_facts *, struct sl_vector_guard *);
/* The same where items that do not run do what all of them do alike: they set variables that are
 * one for the group, and the region ends here or there. One item tells that, whether it runs or
 * not. */
bool sl_vector_find_turns(const struct sl_vector_facts *, struct sl_vector_guard *);
/* A kernel with barriers whose items beyond a limit return before they do anything: the branch
 * vanishes, and what it said is returned, to be freed. NULL: there is no such branch. */
struct sl_vector_guard *sl_vector_take_leave(struct sl_split *);
/* The items that run are those that take one way at a branch, wherever in the region; the others
 * take the other one. */
bool sl_vector_find_split(const struct sl_vector_facts *, struct sl_vector_guard *);
/* Limits of items that take the same way at the end of a block, the one that more are thought to
 * take; they need not be all that do. False: the branch asks for something else. */
bool sl_vector_find_side(const struct sl_vector_facts *, uint32_t block, struct sl_vector_guard *);
/* Limits of items whose number the instruction of the block, an `and` with a mask of 31 bits or
 * more, leaves as it is: what SPIR-V makes of ids added as size_t and used as uint. */
bool sl_vector_find_within(const struct sl_vector_facts *, uint32_t block, LLVMValueRef,
                           struct sl_vector_guard *);
/* NULL: the pointer is none to a variable that lives across regions. */
const struct sl_slot *sl_guard_slot_of(const struct sl_split *, LLVMValueRef pointer);
/* What the value is in front of the region; NULL: it is made in the region by other means. */
LLVMValueRef sl_guard_in_front(const struct sl_vector_facts *, LLVMValueRef value);

#endif
