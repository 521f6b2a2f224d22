/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SLUICE_TIMELINE=file.json: what happened when, in the trace-event format that trace viewers open.
 * The file is valid JSON after every span, so a process may end without saying so. Any thread.
 */
#ifndef SL_DRIVER_BASE_TIMELINE_H
#define SL_DRIVER_BASE_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

bool sl_timeline_enabled(void); /* one load when off */
/* Times in nanoseconds of sl_now_ns()'s clock. category: "command", "build", ...; args_json: the
 * text of a JSON object, or NULL. The row is the calling thread. No-op when off. */
void sl_timeline_span(const char *category, const char *name, uint64_t start_ns, uint64_t end_ns,
                      const char *args_json);

#endif
