/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The convert_* builtins, generated on demand: five thousand overloads from one description.
 * No state; thread-safe per LLVM context.
 */
#ifndef SL_KERNELS_COMPILER_CONVERT_H
#define SL_KERNELS_COMPILER_CONVERT_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Is `name` the mangled name of a convert_* builtin? */
bool sl_is_conversion(const char *name);

/* Defines it in `module`; false if sl_is_conversion says no. The module may already declare it. */
bool sl_define_conversion(LLVMModuleRef module, const char *name);

#endif
