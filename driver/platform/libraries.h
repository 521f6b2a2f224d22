/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device libraries: where they are looked for, which are opened, and until when. Under the
 * platform's lock. A process with more rights than whoever started it has none.
 */
#ifndef SL_DRIVER_PLATFORM_LIBRARIES_H
#define SL_DRIVER_PLATFORM_LIBRARIES_H

#include "sluice/device.h"

struct sl_device_library; /* open for as long as somebody holds it */

/* `path` is valid during the call only. */
typedef void sl_device_library_fn(struct sl_device_library *, sl_device_plugin_fn, const char *path,
                                  void *data);

/* Opens the device libraries of SLUICE_PLUGIN_PATH, of the list in SLUICE_PLUGIN_CONFIG and of the
 * folder sluice/devices beside the driver, each file once, and calls `found` with each. Those that
 * nobody has held when that returns are closed again. */
void sl_libraries_search(sl_device_library_fn *found, void *data);

/* One for each device; NULL is nothing. The last release closes the library. */
void sl_device_library_hold(struct sl_device_library *);
void sl_device_library_release(struct sl_device_library *);

/* After all devices were closed: closes what is still open. */
void sl_libraries_close(void);

/* Says that something of a library is not used, and why: on stderr even if nobody has asked for a
 * log, once in the life of the driver. */
void sl_library_refuse(const char *path, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
