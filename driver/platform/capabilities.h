/* SPDX-License-Identifier: Apache-2.0 */
/* What devices can do with memory and with recorded commands, by their features. Read-only;
 * thread-safe. */
#ifndef SL_DRIVER_PLATFORM_CAPABILITIES_H
#define SL_DRIVER_PLATFORM_CAPABILITIES_H

#include <stdbool.h>

#include "base/api.h"
#include "base/query/info.h"

/* 0 for a device without shared virtual memory. */
cl_device_svm_capabilities sl_svm_capabilities(cl_device_id);
/* For each kind of allocation, and for what malloc gives; 0: none. */
cl_device_unified_shared_memory_capabilities_intel sl_usm_capabilities(cl_device_id);
/* CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR */
cl_device_command_buffer_capabilities_khr sl_command_buffer_capabilities(cl_device_id);

/* The thread of a device that ends a command starts the next one of the other device, whose memory
 * is the same: those of the process. */
bool sl_syncs_natively(cl_device_id, cl_device_id);

/* CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR, of every device */
#define SL_MUTABLE_FIELDS                                                                          \
    ((cl_mutable_dispatch_fields_khr)(CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR |                      \
                                      CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR |                        \
                                      CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR |                         \
                                      CL_MUTABLE_DISPATCH_ARGUMENTS_KHR |                          \
                                      CL_MUTABLE_DISPATCH_EXEC_INFO_KHR))

/* Devices with it import memory of others: they work in the host's, where it is mapped. */
#define SL_EXTERNAL_MEMORY SL_FEATURE_SVM
/* CL_*_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR of devices that have these features in common. */
void sl_external_memory_types(uint32_t features, struct sl_answer *);

/* CL_PLATFORM_SEMAPHORE_TYPES_KHR, CL_DEVICE_SEMAPHORE_TYPES_KHR */
void sl_semaphore_types(const void *object, struct sl_answer *);

#endif
