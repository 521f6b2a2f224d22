/* SPDX-License-Identifier: Apache-2.0 */
/* cl_intel_unified_shared_memory: allocations in usm.c, commands in enqueue_usm.c. A device offers
 * all of it or none (SL_FEATURE_SVM): host, device and shared memory are one. Any thread. */
#ifndef SL_DRIVER_MEMORY_USM_H
#define SL_DRIVER_MEMORY_USM_H

#include "platform/capabilities.h"

#include <CL/cl_ext.h>

struct sl_allocation;
/* clMemBlockingFreeINTEL: gives the allocation back that begins there, after `await` has come back.
 * CL_INVALID_CONTEXT, CL_INVALID_VALUE; CL_OUT_OF_RESOURCES in the child of a fork. */
cl_int sl_usm_free_after(cl_context, void *,
                         void (*await)(cl_context, const struct sl_allocation *));

#endif
