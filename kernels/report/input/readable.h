/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pipes of SYCL have the names that a compiler of C++ makes for the linker, some of 150 letters.
 * Whoever reads of them finds the pipe as the program writes it: `pipe<Numbers,float,8>`, its first
 * three arguments; and a kernel by the class that names it. No shared state.
 */
#ifndef SL_KERNELS_REPORT_READABLE_H
#define SL_KERNELS_REPORT_READABLE_H

#include <stddef.h>

/* A copy of the text, which need not end with a 0, with such names in place of the others, and a 0
 * behind it; owned by the caller. NULL: no memory. `out_bytes` may be NULL. */
char *sl_readable_names(const char *text, size_t bytes, size_t *out_bytes);

#endif
