/* SPDX-License-Identifier: Apache-2.0 */
/* Branches so many on one value that LLVM's passes take minutes over them. Stateless; a module
 * belongs to one thread. */
#ifndef SL_KERNELS_LLVM_CROWDED_CONDITIONS_H
#define SL_KERNELS_LLVM_CROWDED_CONDITIONS_H

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Whenever LLVM asks what is known of a value it looks at each branch on it in the function: with
 * four hundred, as a sub-group's turns have them, most of a build went there. The conditions of
 * such branches become results of a function that nobody knows. True: there are some, and
 * sl_llvm_show_conditions has to follow before anybody else sees the module.
 */
LLVMBool sl_llvm_hide_conditions(LLVMValueRef function);

/* Makes them plain conditions again, in the whole module. */
void sl_llvm_show_conditions(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif

#endif
