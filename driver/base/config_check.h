/* SPDX-License-Identifier: Apache-2.0 */
/* Warns in the log of variables whose values cannot be meant. Thread-safe. */
#ifndef SL_DRIVER_BASE_CONFIG_CHECK_H
#define SL_DRIVER_BASE_CONFIG_CHECK_H

void sl_config_check(void);

#endif
