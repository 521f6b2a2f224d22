/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the tables of a module (sluice/module.h) may be followed: every pointer, count and number
 * that driver, devices and tools use. What its code does is not looked at. No state; any thread. */
#ifndef SL_BASE_MODULE_CHECK_H
#define SL_BASE_MODULE_CHECK_H

#include "sluice/base/elf_image.h"
#include "sluice/base/linkage.h"
#include "sluice/module.h"

SL_BEGIN_C

/* The tables of an image that is loaded or placed (`base` is set): NULL, or what is wrong. */
const char *sl_module_find(const struct sl_elf_image *, const struct sl_module_info **);

/* Tables that were read out of a file, with none of its code where it could run. */
struct sl_module_tables {
    const struct sl_module_info *info; /* lies in `memory` */
    void *memory;                      /* owned */
    size_t bytes;
};

/* NULL, or what is wrong; then there is nothing to close. `elf` is not needed any more. */
const char *sl_module_open(struct sl_module_tables *, const void *elf, size_t bytes)
    __attribute__((warn_unused_result));
void sl_module_close(struct sl_module_tables *);

SL_END_C

#endif
