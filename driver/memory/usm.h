/* SPDX-License-Identifier: Apache-2.0 */
/* cl_intel_unified_shared_memory: allocations in usm.c, commands in enqueue_usm.c. A device offers
 * all of it or none (SL_FEATURE_SVM): host, device and shared memory are one. Any thread. */
#ifndef SL_DRIVER_MEMORY_USM_H
#define SL_DRIVER_MEMORY_USM_H

#include <CL/cl_ext.h>

/* For each kind of allocation, and for what malloc gives; 0: none. */
cl_device_unified_shared_memory_capabilities_intel sl_usm_capabilities(cl_device_id);

#endif
