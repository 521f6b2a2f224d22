/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the platform asks of the layers above it and cannot include: one table, filled in by
 * driver/hooks.c, the one file that knows all layers. Constant; never NULL.
 */
#ifndef SL_DRIVER_PLATFORM_HOOKS_H
#define SL_DRIVER_PLATFORM_HOOKS_H

#include "sluice/device.h"

struct sl_hooks {
    const struct sl_host_ops *host; /* the functions the driver gives to devices */
    /* The first context is there: starts in the background what serves all of them. Returns at
     * once. */
    void (*contexts_begin)(void);
    /* The last one is gone: ends it, and no thread of it is left. */
    void (*contexts_end)(void);
};
extern const struct sl_hooks sl_hooks;

#endif
