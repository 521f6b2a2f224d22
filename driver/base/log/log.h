/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logging. Silent by default; SLUICE_LOG=topic:level,... (or just a level for all topics) writes to
 * stderr or SLUICE_LOG_FILE. Any thread; one line per call, never torn.
 */
#ifndef SL_DRIVER_BASE_LOG_H
#define SL_DRIVER_BASE_LOG_H

#include <stdbool.h>

#include "sluice/device.h" /* enum sl_log_level */

/* Topics in use, for a table. Devices of others may have more. */
#define SL_LOG_TOPICS                                                                              \
    "api", "build", "cache", "cmd", "cpu", "device", "fpga", "io", "setting", "vectorize"

/* The topic of warnings about values of variables. They, and those of SL_LOG_IO, are written unless
 * SLUICE_LOG gives it, or all topics, a level that is too low. */
#define SL_LOG_SETTING "setting"

bool sl_log_enabled(int level, const char *topic);
bool sl_log_spec_valid(const char *spec); /* of SLUICE_LOG */
void sl_log(int level, const char *topic, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Lines that a person should see without having asked: at error level, also when SLUICE_LOG is not
 * set or names other topics only; not when it is `off`. */
void sl_log_always(const char *topic, const char *text);

/* SLUICE_TRACE: a bit mask; lines go to stderr or SLUICE_TRACE_FILE. */
enum sl_trace_bit {
    SL_TRACE_DISCOVERY = 1,
    SL_TRACE_API = 2,
    SL_TRACE_SCHEDULER = 4,
    SL_TRACE_COMPILER = 8,
};
bool sl_trace_enabled(int bit);
void sl_trace(int bit, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
