/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Members of JSON that may come from anywhere: what is missing, or is something else than it should
 * be, is 0 or empty. No state; values are borrowed.
 */
#ifndef SL_KERNELS_REPORT_JSON_ROW_H
#define SL_KERNELS_REPORT_JSON_ROW_H

#include <jansson.h>
#include <stdint.h>

#include "report/input/design.h"

uint64_t sl_json_count(const json_t *value); /* a number below 0: 0 */
uint64_t sl_json_count_at(const json_t *row, size_t at);
uint64_t sl_json_count_of(const json_t *object, const char *key);
uint32_t sl_json_small_of(const json_t *object, const char *key); /* at most UINT32_MAX */
char *sl_json_text_of(struct sl_report_design *, const json_t *object, const char *key); /* owned */
/* A copy of a profile without what its clock kept of each cycle, which is most of it; owned by the
 * caller. NULL: no memory. */
char *sl_json_without_events(const char *profile, size_t *bytes);

#endif
