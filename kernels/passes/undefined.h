/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A check of the passes themselves, for tests and debug builds: none may make an undefined value
 * out of a defined one, which no verifier sees, for the code that uses it is well formed and then
 * simply vanishes. Two kinds of variables tell for sure:
 *
 * - Those that passes make (sl_emit_entry_alloca): no load of one may come before all stores to it.
 * - Those of the program, as long as each load has a store on every way there: then some way must
 *   have one afterwards, too. Of what a program reads uninitialised itself nothing is said.
 */
#ifndef SL_KERNELS_UNDEFINED_H
#define SL_KERNELS_UNDEFINED_H

#include "ir/memory.h"
#include "ir/pass.h"

/* Zero-initialised is empty; one per run of the passes. */
struct sl_undefined {
    struct sl_pass *pass;
    bool *excused; /* owned; by number of variable: the program may read it uninitialised */
    uint32_t count;
};

/* Numbers the variables of the module as it is, which are the program's. */
void sl_undefined_begin(struct sl_undefined *, struct sl_pass *);
/* Behind each pass, for the functions (LLVMValueRef, with bodies) that it has changed or made: 0,
 * or -1 with an internal error that names the stage and the variable. */
int sl_undefined_check(struct sl_undefined *, const struct sl_list *functions, const char *stage);
void sl_undefined_finish(struct sl_undefined *);

#endif
