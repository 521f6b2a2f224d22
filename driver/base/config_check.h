/* SPDX-License-Identifier: Apache-2.0 */
/* Warns in the log of variables that cannot be meant. Thread-safe. */
#ifndef SL_DRIVER_BASE_CONFIG_CHECK_H
#define SL_DRIVER_BASE_CONFIG_CHECK_H

/* Of their values. */
void sl_config_check(void);
/* Of names that nearly are those of ours (config_misspelt.c). */
void sl_config_check_names(void);

#endif
