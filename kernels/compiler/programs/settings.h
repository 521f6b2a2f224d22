/* SPDX-License-Identifier: Apache-2.0 */
/* What sluicec takes from its environment. No state. */
#ifndef SL_KERNELS_OFFLINE_SETTINGS_H
#define SL_KERNELS_OFFLINE_SETTINGS_H

#include "compiler/request/text.h"

/* Adds "NAME=VALUE" of each; names that are nearly one of them, and values that cannot be meant,
 * are told on standard error by the program `called`. */
void sl_offline_settings(struct sl_strings *, const char *called);

#endif
