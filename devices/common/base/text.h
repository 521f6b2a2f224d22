/* SPDX-License-Identifier: Apache-2.0 */
/* Ends of texts that are written as files, by open_memstream(). No state. */
#ifndef SL_DEVICES_TEXT_H
#define SL_DEVICES_TEXT_H

#include <stdio.h>

#include "sluice/base/linkage.h"

SL_BEGIN_C

/* Closes `out`, which writes *text. 0, and *text belongs to the caller; SL_OUT_OF_HOST_MEMORY, and
 * *text is NULL. The C library may say that all went well and leave no text. */
int sl_text_close(FILE *out, char **text);

SL_END_C

#endif
