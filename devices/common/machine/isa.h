/* SPDX-License-Identifier: Apache-2.0 */
/* How code is compiled for this machine: the instruction-set level and what follows from it. */
#ifndef SL_DEVICES_ISA_H
#define SL_DEVICES_ISA_H

#include "sluice/base/linkage.h"
#include "sluice/device.h"

SL_BEGIN_C

/* Sets target, cpu, cpu_features and vector widths. `wanted` is SLUICE_CPU or NULL; a level the
 * machine does not have is not given. */
void sl_isa_caps(struct sl_device_caps *, const char *wanted);
/* What the level, if one is named, is not; NULL: nothing wrong with it. */
const char *sl_isa_complaint(const char *wanted);
/* The processor's own name; writes at most cap bytes. */
void sl_isa_processor_name(char *out, size_t cap);

SL_END_C

#endif
