/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Notes behind the errors of a source that was given to the wrong device, or built as the wrong
 * version of OpenCL C: its errors speak of names that this compilation does not know, and do not
 * say where they are known. No locks.
 */
#ifndef SL_KERNELS_HINTS_H
#define SL_KERNELS_HINTS_H

#include "compiler/stage/stage.h"

/* After clang has refused the source; adds to the build log. */
void sl_hint_after_errors(struct sl_stages *);

#endif
