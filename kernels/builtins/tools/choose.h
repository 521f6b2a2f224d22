/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which builtins have machine code of their own: those for rare arguments, which kernels only ever
 * call (rare.h); and for kernels that take their builtins as calls, each overloadable one that has
 * SL_CODE_LEAST instructions or more with all it takes, unless it asks for what only a kernel
 * knows. Its arguments are of no half, no more than four elements and 16 bytes. With these, what
 * they call in turn.
 */
#ifndef SL_BUILTINS_CHOOSE_H
#define SL_BUILTINS_CHOOSE_H

#include <stdbool.h>
#include <stdint.h>

#include "../../compiler/builtins/library.h"

#define SL_CODE_LEAST 16

struct sl_choice;

/* NULL: no memory. */
struct sl_choice *sl_choose(const struct sl_library *, enum sl_library_form);
/* The next function that has code, counting `at` up from 0; NULL: no more. */
const char *sl_choice_next(const struct sl_choice *, uint32_t *at);
/* Is it called there rather than taken into its callers? */
bool sl_choice_is_called(const struct sl_choice *, const char *name);
/* The bitcode of a function for this level, as a module. NULL: none. */
LLVMModuleRef sl_choice_read(const struct sl_choice *, const char *name, LLVMContextRef);

#endif
