/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of resolve.c that are files of their own. */
#ifndef SL_KERNELS_PIPES_RESOLVE_H
#define SL_KERNELS_PIPES_RESOLVE_H

#include "ir/memory.h"
#include "items/work_item.h"
#include "pipes/trace.h"

/* The operation where the builder is: an opaque call, which keeps what is the place's, or where
 * pipes are shared a call of the runtime. There is room for one more operand. */
LLVMValueRef sl_pipe_emit_operation(struct sl_pass *, const struct sl_emit *,
                                    const struct sl_pipe_place *, LLVMValueRef *operands,
                                    unsigned count);
/* shared.c: that call, and that of the query for the packets in a pipe. */
LLVMValueRef sl_pipe_emit_shared(struct sl_pass *, const struct sl_emit *,
                                 const struct sl_pipe_place *, LLVMValueRef *operands);
/* collective.c: what one item does for its whole group, before `call`; the result is every
 * item's. */
LLVMValueRef sl_pipe_emit_collective(struct sl_pass *, const struct sl_emit *, LLVMValueRef call,
                                     const struct sl_pipe_place *, LLVMValueRef *operands,
                                     unsigned count);

/* item_times.c: the kernel's marks become counters, and its items leave their times. False: it has
 * no such attribute, and its marks stay. */
bool sl_pipe_count_items(struct sl_pass *, struct sl_kernel_facts *, const struct sl_list *marks);

#endif
