/* SPDX-License-Identifier: Apache-2.0 */
/* The device's SLUICE_FPGA_* variables, read when it is opened: what cannot be meant is a warning
 * in the log, and counts as not set. No state, no lock. */
#ifndef SL_FPGA_SETTING_H
#define SL_FPGA_SETTING_H

#include <stdint.h>

#include "sluice/device.h"

struct sl_setting {
    const struct sl_host_ops *host;
    const char *topic;
};

/* Which of `words` (NULL-terminated) it is; 0, the first, also when it is not set. */
int sl_setting_word(const struct sl_setting *, const char *name, const char *const *words);
/* At most `most`. */
uint64_t sl_setting_number(const struct sl_setting *, const char *name, uint64_t fallback,
                           uint64_t most);

#endif
