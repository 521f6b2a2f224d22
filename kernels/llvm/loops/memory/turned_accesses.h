/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles that are turned round on their way into memory or out of it. Stateless. */
#ifndef SL_KERNELS_LLVM_TURNED_ACCESSES_H
#define SL_KERNELS_LLVM_TURNED_ACCESSES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Items next to each other that store one below the other, as in `tile[lx][ly] = a`, scatter: one
 * element for each lane. Where rows of items go in step, the next row's elements are beside the
 * ones of this row: scatters to places that are neighbours lane by lane become stores of 16 bytes
 * for each lane, of vectors turned round in registers; gathers likewise, if they are wanted
 * (`gathers`: the machine's own are slow). Accesses of one row that lie side by side, as members
 * of a record do, go together as well. Of four rows of 32 bits or two of 64, whose lanes all
 * take part and lie in distances that are known, with no other access in between.
 */
void sl_llvm_turn_accesses(LLVMValueRef function, bool gathers);

#ifdef __cplusplus
}
#endif
#endif
