/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recursion that is a loop, or that ends where the program is built: both go before anybody asks
 * for calls in a circle. Stateless; a module belongs to one thread.
 */
#ifndef SL_KERNELS_RECURSION_H
#define SL_KERNELS_RECURSION_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* On a function that other objects may call, all of whose calls in this one need it no longer. */
#define SL_LEFT_OVER_ATTRIBUTE "sl-left-over"

/*
 * For a module with functions that call themselves, directly or by way of others. A call whose
 * value is returned, as it is or after one more sum or product of integers, becomes a jump;
 * functions that call each other are put into one of them for that; a function whose calls start
 * from constants has a version for each of those it gets to. `is_builtin` tells which undefined
 * functions keep no address that they are given. Kernels that call themselves stay as they are, and
 * so does what is neither of both.
 */
void sl_untangle_recursion(LLVMModuleRef module, bool (*is_builtin)(const char *name));

/* Functions with SL_LEFT_OVER_ATTRIBUTE lose it if any other one calls them, else they go. */
void sl_drop_left_over(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif
#endif
