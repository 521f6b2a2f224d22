/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the tables of a loaded module (sluice/module.h) may be followed: every pointer, count and
 * number that driver and devices use. What its code does is not looked at. No state; any thread. */
#ifndef SL_DEVICES_MODULE_CHECK_H
#define SL_DEVICES_MODULE_CHECK_H

#include "common/elf_image.h"
#include "sluice/module.h"

/* NULL, or what is wrong. */
const char *sl_module_faults(const struct sl_module_info *, const struct sl_elf_image *);

#endif
