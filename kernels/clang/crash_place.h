/* SPDX-License-Identifier: Apache-2.0 */
/* Where clang or LLVM is while it compiles, for the message about a crash. */
#ifndef SL_KERNELS_CLANG_CRASH_PLACE_H
#define SL_KERNELS_CLANG_CRASH_PLACE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The innermost thing that they noted on this thread, as one line; "" when there is none. Allocates
 * nothing itself. */
void sl_crash_place(char *text, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
