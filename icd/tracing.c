/* SPDX-License-Identifier: Apache-2.0 */
/* SLUICE_TRACE, API calls: name(arguments) = result, duration. No state, no lock. */
#include "tracing.h"
#include "base/thread/clock.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/log/error.h"
#include "base/log/log.h"

enum { ARGUMENT_BYTES = 1536 };

__attribute__((format(printf, 4, 0))) static void
say(const char *name, uint64_t start_ns, const char *result, const char *fmt, va_list args)
{
    uint64_t spent_ns = sl_now_ns() - start_ns;
    char text[ARGUMENT_BYTES];
    vsnprintf(text, sizeof text, fmt, args);
    sl_trace(SL_TRACE_API, "%s(%s)%s, %llu.%03u us", name, text, result,
             (unsigned long long)(spent_ns / 1000), (unsigned)(spent_ns % 1000));
}

void sl_traced_code(const char *name, uint64_t start_ns, cl_int result, const char *fmt, ...)
{
    char text[80];
    snprintf(text, sizeof text, " = %s (%d)", sl_error_name(result), result);
    va_list args;
    va_start(args, fmt);
    say(name, start_ns, text, fmt, args);
    va_end(args);
}

void sl_traced_handle(const char *name, uint64_t start_ns, const void *result, cl_int code,
                      const char *fmt, ...)
{
    char text[80];
    snprintf(text, sizeof text, " = %p, %s (%d)", result, sl_error_name(code), code);
    va_list args;
    va_start(args, fmt);
    say(name, start_ns, text, fmt, args);
    va_end(args);
}

void sl_traced_void(const char *name, uint64_t start_ns, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say(name, start_ns, "", fmt, args);
    va_end(args);
}
