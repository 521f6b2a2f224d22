/* SPDX-License-Identifier: Apache-2.0 */
/* Queries of cl_khr_cooperative_matrix (sluice/base/cooperative_matrix.h). Any thread, no lock. */
#ifndef SL_DRIVER_PLATFORM_COOPERATIVE_MATRIX_H
#define SL_DRIVER_PLATFORM_COOPERATIVE_MATRIX_H

#include <CL/cl.h>

#include "base/query/info.h"

/* Bytes, of a device (struct _cl_device_id): pointers and strides may be any of whole components.
 */
void sl_cooperative_matrix_alignment(const void *device, struct sl_answer *);

#endif
