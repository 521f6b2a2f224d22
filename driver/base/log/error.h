/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one idiom for errors. A function that can fail returns cl_int: 0 or a negative code; results
 * leave through out-parameters written only on success. Whoever first knows the reason says it:
 *
 *     if (!size)
 *         return sl_refuse(CL_INVALID_BUFFER_SIZE, "size is 0");
 *
 * logs one line at debug (topic "api") with the function's name and returns the code. The first
 * reason in an API call that fails also goes to the context's callback (failed_call.h).
 */
#ifndef SL_DRIVER_BASE_ERROR_H
#define SL_DRIVER_BASE_ERROR_H

#include <CL/cl.h>

#include "base/log/failed_call.h"

#define sl_refuse(code, ...) sl_refuse_at((code), __func__, __VA_ARGS__)
cl_int sl_refuse_at(cl_int code, const char *function, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The same where the context's callback is told in another way, or what failed is a command: only
 * logged. */
#define sl_refuse_known(...) (sl_report_known(), sl_refuse(__VA_ARGS__))

/* "CL_INVALID_VALUE" for a code, "CL_?" for one we do not know. */
const char *sl_error_name(cl_int code);

#endif
