/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Declarations of extensions' functions, which clang has only in a header that takes longer to read
 * than most kernels to compile, or not at all. A source that may name them gets those it may name.
 */
#ifndef SL_KERNELS_COMPILER_DECLARATIONS_H
#define SL_KERNELS_COMPILER_DECLARATIONS_H

#include "compiler/request/options.h"
#include "sluice/build.h"
#include "clang/frontend.h"

#define SL_MOST_DECLARATIONS 8 /* headers */

/* Puts headers behind the `count` that are there, with room for SL_MOST_DECLARATIONS more, and what
 * clang needs to read them into args. Returns how many there are then. */
size_t sl_declarations_add(const struct sl_build_request *, struct sl_frontend_file *headers,
                           size_t count, struct sl_strings *args);

#endif
