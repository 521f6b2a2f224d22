/* SPDX-License-Identifier: Apache-2.0 */
/* Latency controls of pipes. */
#ifndef SL_KERNELS_SPIRV_LATENCY_H
#define SL_KERNELS_SPIRV_LATENCY_H

#include "spirv/builtins/builtin.h"

/* Of the instruction that makes a pipe out of its storage: its anchor and constraint go to the
 * module's !sl.latency. -1: they cannot be meant so. */
int sl_spirv_keep_latency(const struct sl_builtin *, bool writes, const char *pipe);

/* The same of the instruction that uses the pipe, which was kept: goes to its call. */
void sl_spirv_mark_latency(const struct sl_builtin *, uint32_t pipe, const char *name, bool writes,
                           LLVMValueRef call);

#endif
