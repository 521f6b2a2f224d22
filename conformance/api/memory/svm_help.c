/* SPDX-License-Identifier: Apache-2.0 */
#include "svm_help.h"

#include <string.h>

cl_device_svm_capabilities svm_capabilities(void)
{
    cl_device_svm_capabilities svm = 0;
    REQUIRE_OK(clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
    return svm;
}

void svm_need(cl_device_svm_capabilities wanted)
{
    if ((svm_capabilities() & wanted) != wanted)
        check_skip("the device has no such shared virtual memory");
}

void *svm_alloc(cl_svm_mem_flags flags, size_t size)
{
    void *pointer = clSVMAlloc(cl.context, flags, size, 0);
    REQUIRE(pointer);
    return pointer;
}

void svm_release(void *pointer)
{
    clSVMFree(cl.context, pointer);
}

void svm_map(void *pointer, cl_map_flags flags, size_t size)
{
    CHECK_OK(clEnqueueSVMMap(cl.queue, CL_TRUE, flags, pointer, size, 0, NULL, NULL));
}

void svm_unmap(void *pointer)
{
    CHECK_OK(clEnqueueSVMUnmap(cl.queue, pointer, 0, NULL, NULL));
}

void svm_write(void *to, const void *from, size_t size)
{
    svm_map(to, CL_MAP_WRITE_INVALIDATE_REGION, size);
    memcpy(to, from, size);
    svm_unmap(to);
}

void svm_check_ended(cl_event event, cl_command_type want)
{
    cl_command_type type = 0;
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, want);
    CHECK_OK(clWaitForEvents(1, &event));
    CHECK_EQ(event_status(event), CL_COMPLETE);
    RELEASE_EVENT(event);
}

cl_event svm_gate(void)
{
    cl_int rc;
    cl_event gate = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    return gate;
}
