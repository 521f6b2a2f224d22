/* SPDX-License-Identifier: Apache-2.0 */
/* The device's variables (SLUICE_FPGA_*, SLUICE_CPU_TYPE, ...), read when it is opened: what cannot
 * be meant is a warning in the log, and counts as not set. No state, no lock. */
#ifndef SL_SETTING_H
#define SL_SETTING_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/base/linkage.h"
#include "sluice/device.h"

SL_BEGIN_C

struct sl_setting {
    const struct sl_host_ops *host;
    const char *topic;
};

/* One of CL_DEVICE_TYPE_*: what the variable says, else `own`. Some programs look at one type only.
 */
uint64_t sl_setting_type(const struct sl_setting *, const char *name, uint64_t own);
/* Which of `words` (NULL-terminated) it is; 0, the first, also when it is not set. */
int sl_setting_word(const struct sl_setting *, const char *name, const char *const *words);
/* 1, yes, on or true; or 0, no, off or false, also when it is not set. */
bool sl_setting_flag(const struct sl_setting *, const char *name);
/* At most `most`. */
uint64_t sl_setting_number(const struct sl_setting *, const char *name, uint64_t fallback,
                           uint64_t most);

SL_END_C

#endif
