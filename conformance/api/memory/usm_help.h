/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of cl_intel_unified_shared_memory of the platform under test, and short forms for
 * what its tests do. One thread unless it says otherwise; helpers end the case when they fail. */
#ifndef SLUICE_TEST_USM_HELP_H
#define SLUICE_TEST_USM_HELP_H

#include "cl_help.h"

#include <CL/cl_ext.h>

struct usm_calls {
    clHostMemAllocINTEL_fn alloc_host;
    clDeviceMemAllocINTEL_fn alloc_device;
    clSharedMemAllocINTEL_fn alloc_shared;
    clMemFreeINTEL_fn free;
    clMemBlockingFreeINTEL_fn blocking_free;
    clGetMemAllocInfoINTEL_fn info;
    clSetKernelArgMemPointerINTEL_fn set_arg;
    clEnqueueMemFillINTEL_fn fill;
    clEnqueueMemsetINTEL_fn set;
    clEnqueueMemcpyINTEL_fn copy;
    clEnqueueMigrateMemINTEL_fn migrate;
    clEnqueueMemAdviseINTEL_fn advise;
};

extern struct usm_calls usm;
/* 0: the device does not have the extension, and all are NULL. */
int usm_find(void);
/* Leaves a case that does not apply to the device. */
void usm_need(void);

cl_device_unified_shared_memory_capabilities_intel usm_capabilities(cl_device_info name);

/* Kinds of allocations: host, device, shared. Any thread. */
enum { USM_KINDS = 3 };
void *usm_alloc_in(cl_context context, cl_device_id device, int kind, size_t size, cl_int *rc);
void *usm_alloc(int kind, size_t size);
void usm_release(void *pointer);
void usm_copy(void *to, const void *from, size_t size); /* and waits */

/* What the application knows of an allocation, and what the library says. */
struct usm_facts {
    cl_unified_shared_memory_type_intel type;
    void *base;
    size_t size;
    cl_device_id device;
    cl_mem_alloc_flags_intel flags;
};
extern const struct usm_facts usm_unknown; /* of all that is no allocation */
void usm_check_facts(cl_context context, const void *at, const struct usm_facts *want);
void usm_ask(cl_context context, const void *at, cl_mem_info_intel name, size_t want, void *to);

/* Waits for the command, which is of that type and goes well. */
void usm_check_ended(cl_event event, cl_command_type want);
cl_event usm_gate(void); /* a user event */
#endif
