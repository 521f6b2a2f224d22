/* SPDX-License-Identifier: Apache-2.0 */
/* Which pipe an operand is. */
#ifndef SL_KERNELS_PIPES_TRACE_H
#define SL_KERNELS_PIPES_TRACE_H

#include "pipes/pipe.h"

struct sl_pipe_origin {
    LLVMValueRef root;   /* a global variable or a parameter; NULL: not a single one */
    LLVMValueRef offset; /* in bytes, i64 */
};

/* May emit code that computes the offset. */
struct sl_pipe_origin sl_pipe_trace(const struct sl_emit *, LLVMValueRef operand);

#endif
