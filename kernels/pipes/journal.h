/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops around loops that move packets, or that move them in some rounds only: no batches
 * (batch.h), but nobody sees anything of them but packets either. With a clock each of their events
 * - a packet, behind marks of loops or not - is a word that is noted, instead of a call that has to
 * wait until the clock has caught up; the device reads them later (ahead/ahead_journal.c). Where
 * such a loop is left the kernel waits for that.
 */
#ifndef SL_KERNELS_PIPES_JOURNAL_H
#define SL_KERNELS_PIPES_JOURNAL_H

#include "ir/control_flow/cfg.h"
#include "pipes/expand.h"

/* Before the function is changed: `cfg` is as it stands. `has_batch`: the loop of that header, with
 * all that is in it, is one. Ways out of the loops become blocks of their own. */
void sl_journal_find(struct sl_pipe_expander *, const struct sl_cfg *,
                     bool (*has_batch)(const void *, LLVMBasicBlockRef header), const void *);
/* It is part of such a loop. */
bool sl_journal_has_block(const struct sl_pipe_expander *, LLVMBasicBlockRef);
/* Marks that are noted by themselves, and the ways out; before all other code is made. */
void sl_journal_expand(struct sl_pipe_expander *);
/* The mark is noted, and may be gone. */
bool sl_journal_has_mark(const struct sl_pipe_expander *, LLVMValueRef call);
/* The operation is noted. */
bool sl_journal_has(const struct sl_pipe_expander *, LLVMValueRef call);
/* It is part of such a loop, at an element that only the run knows: the runtime notes it. */
bool sl_journal_leaves(const struct sl_pipe_expander *, LLVMValueRef call);
/* At the builder's position, at a block's end, the operation has been done: where it is noted, and
 * where there is no room for that and all was told. Blocks without an end. */
void sl_journal_emit_moved(struct sl_pipe_expander *, LLVMValueRef call, LLVMValueRef ring,
                           uint32_t place, LLVMBasicBlockRef ends[2]);
/* Likewise before the runtime does it: marks in front of it are noted, or told. The builder is
 * behind that. */
void sl_journal_emit_marks(struct sl_pipe_expander *, LLVMValueRef call);
/* At the builder's position, which is then in another block: so many rounds of a loop, each of them
 * one mark, then one packet, are noted. The builder is where they are many, or there is no room for
 * that: there they are to be told, and the end of it has to lead to the result. NULL: they are to
 * be told anyway. */
LLVMBasicBlockRef sl_journal_emit_rounds(struct sl_pipe_expander *, LLVMBasicBlockRef header,
                                         const struct sl_kept_pipe_end *, uint32_t place,
                                         LLVMValueRef told, LLVMValueRef rounds);
/* The operation is expanded. */
void sl_journal_drop_marks(struct sl_pipe_expander *, LLVMValueRef call);
void sl_journal_finish(struct sl_pipe_expander *);

#endif
