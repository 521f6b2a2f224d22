/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compiler process: one request in, one reply out. Helpers are pooled, one request each at a
 * time; concurrent requests get further helpers up to about the number of cores, then they queue.
 * At most two of them stay when there is nothing to do.
 * Any thread.
 */
#ifndef SL_DRIVER_PROGRAM_COMPILER_COMPILER_H
#define SL_DRIVER_PROGRAM_COMPILER_COMPILER_H

#include <CL/cl.h>
#include <stdbool.h>

#include "program/compiler/wire_format.h"

/* The first context: starts a helper in the background and returns at once. */
void sl_compiler_prestart(void);
/* The last context is gone: idle helpers end, no thread of ours is left. */
void sl_compiler_shutdown(void);
/* clUnloadPlatformCompiler: idle helpers end. */
void sl_compiler_unload(void);

/* Requests are under way. */
bool sl_compiler_busy(void);

#define SL_COMPILER_WHY 512
/*
 * Sends a request (begun, not ended) and waits for its reply, which may carry an error status.
 * Else CL_COMPILER_NOT_AVAILABLE, CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES (no descriptor or
 * process is left to start one with) or CL_BUILD_PROGRAM_FAILURE (the helper died, was silent too
 * long or talked nonsense) with a sentence for the build log in `why`.
 */
cl_int sl_compiler_run(struct sl_request *request, struct sl_reply *out, char why[SL_COMPILER_WHY])
    __attribute__((warn_unused_result));

#endif
