/* SPDX-License-Identifier: Apache-2.0 */
/* Strings in JSON. No state. */
#ifndef SL_BASE_JSON_H
#define SL_BASE_JSON_H

#include <stddef.h>
#include <stdio.h>

#include "sluice/base/linkage.h"

SL_BEGIN_C

/* With its quotes; "null" for NULL. Bytes that are no UTF-8 become question marks. */
void sl_json_string(FILE *out, const char *text);
/* The same without quotes and with a NUL; what does not fit into `room` bytes (>= 1) is cut. */
void sl_json_escape(char *out, size_t room, const char *text);

SL_END_C

#endif
