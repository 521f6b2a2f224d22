/* SPDX-License-Identifier: Apache-2.0 */
/* A flag of variables at program scope beside those of sluice/module.h, in modules with a schedule:
 * what the clock of a design has to know of them. */
#ifndef SLUICE_OWN_VARIABLES_H
#define SLUICE_OWN_VARIABLES_H

/* Of sl_global_info.flags, apart from enum sl_global_flags. */
enum {
    SL_GLOBAL_ONE_KERNEL = 1 << 5, /* no more than one names it, and nobody learns its address */
};

#endif
