/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What launches took, for a log of topic `vectorize` at level debug: cycles per work-item, beside
 * which the compiler's remarks say what it expected. Any thread; no lock.
 */
#ifndef SL_DEVICES_MEASURE_H
#define SL_DEVICES_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/base/linkage.h"
#include "sluice/device.h"

SL_BEGIN_C

bool sl_measure_wanted(const struct sl_host_ops *);
/* Processor time of the calling thread. */
uint64_t sl_measure_ns(void);
/* Says so, of a launch whose threads took `busy_ns` together. */
void sl_measure_tell(const struct sl_host_ops *, const char *kernel, uint64_t items,
                     uint64_t busy_ns);

SL_END_C

#endif
