/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of cl_khr_unified_svm of the platform under test, and short forms for what its
 * tests do. Helpers end the case when they fail. */
#ifndef SLUICE_TEST_UNIFIED_SVM_HELP_H
#define SLUICE_TEST_UNIFIED_SVM_HELP_H

#include "cl_help.h"

#include <CL/cl_ext_sluice.h>

struct usvm_calls {
    clSVMAllocWithPropertiesKHR_sluice_t *alloc;
    clSVMFreeWithPropertiesKHR_sluice_t *free;
    clGetSVMPointerInfoKHR_sluice_t *info;
    clGetSVMSuggestedTypeIndexKHR_sluice_t *suggest;
};

extern struct usvm_calls usvm;
/* 0: the device does not have the extension, and all are NULL. */
int usvm_find(void);
/* Leaves a case that does not apply to the device. */
void usvm_need(void);

enum { USVM_MOST_TYPES = 32 };
/* The device's types; how many. */
size_t usvm_types(cl_svm_capabilities_khr types[USVM_MOST_TYPES]);
/* What is suggested for these capabilities; leaves the case if there is none. */
cl_uint usvm_type(cl_svm_capabilities_khr capabilities);
/* For the device under test where the type asks for one. */
void *usvm_alloc(cl_uint type, size_t size);
void usvm_release(void *pointer);
#endif
