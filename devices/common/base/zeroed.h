/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that reads as zeros until somebody writes it, as programs expect of what is new. */
#ifndef SL_DEVICES_ZEROED_H
#define SL_DEVICES_ZEROED_H

#include <stddef.h>

#include "sluice/base/linkage.h"

SL_BEGIN_C

/* `align`: a power of two. *owned is what free() gets. NULL: no memory. Any thread. */
void *sl_zeroed_alloc(size_t align, size_t bytes, void **owned);

SL_END_C

#endif
