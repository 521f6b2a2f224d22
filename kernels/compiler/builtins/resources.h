/* SPDX-License-Identifier: Apache-2.0 */
/* The files that the compiler needs beside itself: builtins.slb, code_LEVEL.slb and the kernel
 * runtime. */
#ifndef SL_KERNELS_RESOURCES_H
#define SL_KERNELS_RESOURCES_H

#include "compiler/builtins/library.h"

/* Opened once per process. NULL: it cannot be read, and `*why` is a sentence for the build's log,
 * the process's own. */
const struct sl_library *sl_resources_builtins(const char **why);
/* Machine code of builtins (ready_code.h) for sl_level_at(level); NULL: none. */
const struct sl_library *sl_resources_code(unsigned level);
/* Path of the object archive with what code generation calls, libsluice_kernel_runtime.a. NULL:
 * there is none in `*places`, a list of folders for the build's log, the process's own. */
const char *sl_resources_runtime(const char **places);

#endif
