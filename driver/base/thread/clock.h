/* SPDX-License-Identifier: Apache-2.0 */
/* The clock of everything that is measured here: CLOCK_MONOTONIC, the device's as well.
 * Thread-safe. */
#ifndef SL_DRIVER_BASE_CLOCK_H
#define SL_DRIVER_BASE_CLOCK_H

#include <stdint.h>

uint64_t sl_now_ns(void);

#endif
