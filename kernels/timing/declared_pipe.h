/* SPDX-License-Identifier: Apache-2.0 */
/* What the source declares of a pipe, before any of our passes has looked at it. Stateless. */
#ifndef SL_KERNELS_TIMING_DECLARED_PIPE_H
#define SL_KERNELS_TIMING_DECLARED_PIPE_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

struct sl_pipe_declaration { /* of a channel or a pipe at file scope */
    uint32_t depth;          /* 0: none */
    uint32_t flags;          /* enum sl_pipe_flags */
    bool outside;            /* an end is the host's or an I/O peripheral's */
};

bool sl_pipe_declaration_find(LLVMValueRef variable, struct sl_pipe_declaration *);
/* Of a kernel's argument: the text of "sl-pipe-...", or NULL. */
const char *sl_pipe_argument_text(LLVMValueRef argument, const char *attribute);

#endif
