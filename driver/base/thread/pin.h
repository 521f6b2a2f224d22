/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Once there were threads the library stays mapped until the process ends: a thread that has just
 * done its last work may still be on its way out when the application unloads its OpenCL loader.
 */
#ifndef SL_DRIVER_BASE_PIN_H
#define SL_DRIVER_BASE_PIN_H

#include <stdbool.h>

void sl_pin_library(void); /* before the first thread starts; later calls do nothing */
bool sl_pinned(void);

#endif
