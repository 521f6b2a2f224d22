/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pipes of SYCL have the names that a compiler of C++ makes for the linker, some of 150 letters.
 * Whoever reads of them finds the pipe as the program writes it: `pipe<Numbers,float,8>`, its first
 * three arguments; and a kernel by the class that names it. No shared state.
 */
#ifndef SLUICE_BASE_READABLE_H
#define SLUICE_BASE_READABLE_H

#include <stddef.h>

#include "sluice/base/linkage.h"

SL_BEGIN_C

/* `__cxa_demangle`, of the run-time of C++ (Itanium C++ ABI, 3.4), which not every process has. */
typedef char *sl_demangle(const char *name, char *room, size_t *room_bytes, int *status);

/* A copy of the text, which need not end with a 0, with such names in place of the others, and a 0
 * behind it; owned by the caller. NULL: no memory. `out_bytes` may be NULL. */
char *sl_readable_names(sl_demangle *, const char *text, size_t bytes, size_t *out_bytes);

SL_END_C

#endif
