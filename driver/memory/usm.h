/* SPDX-License-Identifier: Apache-2.0 */
/* cl_intel_unified_shared_memory: allocations in usm.c, commands in enqueue_usm.c. A device offers
 * all of it or none (SL_FEATURE_SVM): host, device and shared memory are one. Any thread. */
#ifndef SL_DRIVER_MEMORY_USM_H
#define SL_DRIVER_MEMORY_USM_H

#include "platform/capabilities.h"

#include <CL/cl_ext.h>

#endif
