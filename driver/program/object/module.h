/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Containers (sluice/module.h): what may be believed of bytes that came from an application, a file
 * or the compiler's socket. Nothing of a container is used before sl_module_check has passed it.
 */
#ifndef SL_DRIVER_PROGRAM_OBJECT_MODULE_H
#define SL_DRIVER_PROGRAM_OBJECT_MODULE_H

#include <CL/cl.h>
#include <stddef.h>

#include "sluice/base/container.h"

/*
 * 0, or CL_INVALID_BINARY with *why a static text. `bytes` need no alignment. `target` NULL accepts
 * every target. `out` is written only on success.
 */
cl_int sl_module_check(const void *bytes, size_t size, const char *target,
                       struct sl_module_view *out, const char **why)
    __attribute__((warn_unused_result));

/* The type of program a container makes. */
cl_program_binary_type sl_module_type(const struct sl_module_view *);

#endif
