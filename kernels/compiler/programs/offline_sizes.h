/* SPDX-License-Identifier: Apache-2.0 */
/* What sluicec says of kernels that no launch can run; a build by the driver says it, too. */
#ifndef SL_KERNELS_COMPILER_PROGRAMS_OFFLINE_SIZES_H
#define SL_KERNELS_COMPILER_PROGRAMS_OFFLINE_SIZES_H

#include <stdbool.h>

#include "compiler/request/text.h"

/* Warns on standard error of each kernel in the program `binary` whose required work-group is
 * larger than the device takes. What is no program has none. No shared state. */
void sl_offline_warn_of_sizes(const struct sl_text *binary, bool fpga);

#endif
