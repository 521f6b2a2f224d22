/* SPDX-License-Identifier: Apache-2.0 */
/* Pipes at program scope. */
#ifndef SL_KERNELS_SPIRV_PIPE_STORAGE_H
#define SL_KERNELS_SPIRV_PIPE_STORAGE_H

#include "spirv/builtins/builtin.h"

/* 1: the id is a pipe at program scope, by which passes know it is in `out`; 0: it is another. */
int sl_pipe_storage(const struct sl_builtin *, uint32_t pipe, LLVMValueRef *out);

#endif
