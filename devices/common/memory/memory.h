/* SPDX-License-Identifier: Apache-2.0 */
/* Device memory that is ordinary host memory: the memory_* calls of a device without its own. */
#ifndef SL_DEVICES_MEMORY_H
#define SL_DEVICES_MEMORY_H

#include "sluice/base/linkage.h"
#include "sluice/device.h"

SL_BEGIN_C

int sl_host_memory_create(struct sl_device *, const struct sl_memory_desc *, struct sl_memory **);
void sl_host_memory_destroy(struct sl_memory *);
void *sl_host_memory_host(struct sl_memory *);
/* No other one is the same memory: neither the application's nor imported. */
bool sl_host_memory_is_own(const struct sl_memory *);

/* The address a place of a copy or fill stands for. */
unsigned char *sl_place_address(struct sl_place);

SL_END_C

#endif
