/* SPDX-License-Identifier: Apache-2.0 */
/* What keeps calls of a dataflow region in sequence because nobody can tell which memory, or which
 * pipe, they use. */
#ifndef SL_COMPILER_PROGRAM_DOUBTS_H
#define SL_COMPILER_PROGRAM_DOUBTS_H

#include <stdbool.h>

#include "ir/emit.h"

/* In words, and the first instruction of the function that is the reason; NULL: there is none.
 * `own`: the function has the region itself, so that each place it points to has to be known. */
const char *sl_flow_doubt(LLVMValueRef function, bool own, LLVMValueRef *at);

#endif
