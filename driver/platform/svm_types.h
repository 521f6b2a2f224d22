/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The types of shared virtual memory (cl_khr_unified_svm), by index: the same for the platform and
 * its devices, where a device has all of them or none (SL_FEATURE_SVM). All of it is the host's
 * memory; a type is what the application was promised. Constant data; any thread.
 */
#ifndef SL_DRIVER_PLATFORM_SVM_TYPES_H
#define SL_DRIVER_PLATFORM_SVM_TYPES_H

#include <CL/cl_ext_sluice.h>

#include "base/query/info.h"

enum sl_svm_type {
    SL_SVM_COARSE, /* clSVMAlloc's; the second one with CL_MEM_SVM_FINE_GRAIN_BUFFER */
    SL_SVM_FINE,
    SL_SVM_DEVICE,
    SL_SVM_HOST,
    SL_SVM_SHARED,
    SL_SVM_SYSTEM,
    SL_SVM_TYPES
};

/* What memory of a type can, on any device that has it. */
cl_svm_capabilities_khr sl_svm_type(cl_uint type);
/* The same for one device; 0: it has no such memory. */
cl_svm_capabilities_khr sl_svm_type_on(cl_device_id, cl_uint type);

/* CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR: empty where no device has any. */
void sl_svm_types_of_platform(const void *platform, struct sl_answer *);
/* CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR: as many as the platform's; CL_INVALID_VALUE: none. */
void sl_svm_types_of_device(const void *device, struct sl_answer *);
/* CL_DEVICE_SVM_CONCURRENT_ACCESS_ATOM_SIZE_KHR */
void sl_svm_atom(const void *device, struct sl_answer *);

#endif
