/* SPDX-License-Identifier: Apache-2.0 */
/* Which loops LLVM's loop-idiom pass may take for something that has a name. */
#ifndef SL_KERNELS_LLVM_LOOP_IDIOMS_H
#define SL_KERNELS_LLVM_LOOP_IDIOMS_H

#ifdef __cplusplus
extern "C" {
#endif

/* For the whole process, once, before any pass runs: loops that count bits become instructions.
 * Those that fill or copy memory stay loops, of which an item's accesses can be told apart and
 * become vectors of items, and none becomes a call of the C library or a table. */
void sl_llvm_limit_idioms(void);

#ifdef __cplusplus
}
#endif

#endif
