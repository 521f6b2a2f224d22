/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kinds of instructions that give values or act in memory, each a file. 1: translated; 0: not
 * one of these; -1: failed.
 */
#ifndef SL_KERNELS_SPIRV_INSTRUCTION_H
#define SL_KERNELS_SPIRV_INSTRUCTION_H

#include "spirv/module/translate.h"

int sl_spirv_arithmetic(struct sl_spirv *, const struct sl_spirv_instruction *);
int sl_spirv_comparison(struct sl_spirv *, const struct sl_spirv_instruction *);
int sl_spirv_composite(struct sl_spirv *, const struct sl_spirv_instruction *);
int sl_spirv_memory(struct sl_spirv *, const struct sl_spirv_instruction *);
int sl_spirv_access_chain(struct sl_spirv *, const struct sl_spirv_instruction *);
int sl_spirv_pointer(struct sl_spirv *, const struct sl_spirv_instruction *);
int sl_spirv_call(struct sl_spirv *, const struct sl_spirv_instruction *);
int sl_spirv_call_pointer(struct sl_spirv *, const struct sl_spirv_instruction *);

/* instruction.c: whichever of them it is, the builtin functions' included. 0, or -1: failed. */
int sl_spirv_translate(struct sl_spirv *, const struct sl_spirv_instruction *);

#endif
