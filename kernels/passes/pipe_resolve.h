/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of pipe_resolve.c that are files of their own. */
#ifndef SL_KERNELS_PIPE_RESOLVE_H
#define SL_KERNELS_PIPE_RESOLVE_H

#include "passes/pipe_trace.h"
#include "passes/work_item.h"

/* pipe_collective.c: the opaque call that one item makes for its whole group, before `call`; the
 * result is every item's. */
LLVMValueRef sl_pipe_emit_collective(struct sl_pass *, const struct sl_emit *, uint32_t kernel,
                                     LLVMValueRef call, LLVMValueRef *operands, unsigned count,
                                     const struct sl_pipe_operation *);

#endif
