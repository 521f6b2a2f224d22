/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of OpenCL C by name, for who says what a misspelt one may have meant: clang finds
 * them when they are called and has no list. Constant data, no locks.
 */
#ifndef SL_KERNELS_CLANG_BUILTIN_NAMES_H
#define SL_KERNELS_CLANG_BUILTIN_NAMES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In the order of the alphabet, each once; of all versions and Khronos's extensions. */
extern const char *const sl_builtin_names[];
extern const size_t sl_builtin_name_count;

#ifdef __cplusplus
}
#endif

#endif
