/* SPDX-License-Identifier: Apache-2.0 */
/* How far a name that somebody wrote is from one that there is. No state. */
#ifndef SLUICE_BASE_NEAR_NAME_H
#define SLUICE_BASE_NEAR_NAME_H

#include <stddef.h>

#include "sluice/base/linkage.h"

SL_BEGIN_C

enum { SL_NEAR_NAME_LONGEST = 40, SL_NEAR_NAME_SLIPS = 2 };

/* Letters that are missing, too many, others, or in each other's place; a word between `_` that is
 * missing counts as one: SLUICE_PROFILE is near SLUICE_FPGA_PROFILE. More than
 * SL_NEAR_NAME_SLIPS: not near. */
size_t sl_near_name(const char *name, size_t length, const char *known);

SL_END_C

#endif
