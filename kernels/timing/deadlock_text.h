/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of kernels that wait for each other: lines of the build log, and rows of JSON. No
 * shared state. */
#ifndef SL_KERNELS_TIMING_DEADLOCK_TEXT_H
#define SL_KERNELS_TIMING_DEADLOCK_TEXT_H

#include <stdio.h>

#include "timing/flow.h"
#include "timing/follow.h"

struct sl_deadlock_group { /* kernels that pipes join, with numbers of their own */
    const struct sl_network *network;
    uint32_t *kernels, *pipes; /* of the network */
    uint32_t **items;          /* of each step of each kernel, its item */
    struct sl_flow_result result;
};

struct sl_deadlock_printer {
    FILE *warnings, *json;
    char *warnings_text, *json_text;
    size_t warnings_bytes, json_bytes;
    char **places; /* owned, as each of them: what was warned of, once each */
    uint32_t place_count;
    const char *comma;
};

/* -1: no memory; to be ended in any case. */
int sl_deadlock_printer_begin(struct sl_deadlock_printer *);
void sl_deadlock_print(struct sl_deadlock_printer *, const struct sl_deadlock_group *);
/* Owned by the caller. */
void sl_deadlock_printer_end(struct sl_deadlock_printer *, char **warnings, char **json);

#endif
