/* SPDX-License-Identifier: Apache-2.0 */
/* What OpLine and DebugLine of NonSemantic.Shader.DebugInfo say, as clang would write it: places of
 * instructions, in build logs and reports. */
#ifndef SL_KERNELS_SPIRV_LINES_H
#define SL_KERNELS_SPIRV_LINES_H

#include "spirv/module/module.h"

/* For a module that names any line, or is to be numbered; the others get nothing. */
int sl_spirv_open_lines(struct sl_spirv *);
void sl_spirv_close_lines(struct sl_spirv *);
/* Of the function that is about to be translated, whose OpFunction has this index. */
int sl_spirv_begin_lines(struct sl_spirv *, uint32_t function);
/* A line is good until its block ends. */
void sl_spirv_forget_line(struct sl_spirv *);
/* The instruction is about to be translated. */
void sl_spirv_number_line(struct sl_spirv *, const struct sl_spirv_instruction *);
/* Where a loop begins whose first block this is; NULL: nobody knows. */
LLVMMetadataRef sl_spirv_loop_line(struct sl_spirv *, const struct sl_spirv_block *);
/* OpLine, OpNoLine and instructions of other sets than OpenCL.std within a block. */
int sl_spirv_take_line(struct sl_spirv *, const struct sl_spirv_instruction *);

#endif
