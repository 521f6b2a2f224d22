/* SPDX-License-Identifier: Apache-2.0 */
/* Every SLUICE_* variable: name, default, one line of help, from the one list in config.def. */
#ifndef SL_DRIVER_BASE_CONFIG_H
#define SL_DRIVER_BASE_CONFIG_H

#include <stdbool.h>

enum sl_config_key {
#define SL_CONFIG(id, name, fallback, help) SL_CONFIG_##id,
#include "base/config/config.def"
#undef SL_CONFIG
    SL_CONFIG_COUNT
};

/* The value in the environment, else the default; NULL when both are absent. Read at each call;
 * ignored (default) for set-uid processes. */
const char *sl_config(enum sl_config_key);
const char *sl_config_name(enum sl_config_key);
const char *sl_config_by_name(const char *name); /* NULL also for unknown names */
bool sl_config_bool(
    enum sl_config_key); /* "0", "no", "off", "false", "": false; no such word: the default */
long sl_config_long(enum sl_config_key, long low,
                    long high); /* clamped; the default when no number */

#endif
