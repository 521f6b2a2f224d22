/* SPDX-License-Identifier: Apache-2.0 */
/* One line for each traced API call; used by the generated wrappers. Any thread. */
#ifndef SL_ICD_TRACING_H
#define SL_ICD_TRACING_H

#include <CL/cl.h>

#include "commands/queue/command.h"

/* `start_ns` is sl_now_ns() before the call; fmt and what follows are the arguments. */
void sl_traced_code(const char *name, uint64_t start_ns, cl_int result, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void sl_traced_handle(const char *name, uint64_t start_ns, const void *result, cl_int code,
                      const char *fmt, ...) __attribute__((format(printf, 5, 6)));
void sl_traced_void(const char *name, uint64_t start_ns, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
