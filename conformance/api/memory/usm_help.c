/* SPDX-License-Identifier: Apache-2.0 */
/* See usm_help.h. No lock. */
#include "usm_help.h"

#include <string.h>

struct usm_calls usm;

int usm_find(void)
{
    static const char *const names[] = {
        "clHostMemAllocINTEL",           "clDeviceMemAllocINTEL",
        "clSharedMemAllocINTEL",         "clMemFreeINTEL",
        "clMemBlockingFreeINTEL",        "clGetMemAllocInfoINTEL",
        "clSetKernelArgMemPointerINTEL", "clEnqueueMemFillINTEL",
        "clEnqueueMemsetINTEL",          "clEnqueueMemcpyINTEL",
        "clEnqueueMigrateMemINTEL",      "clEnqueueMemAdviseINTEL",
    };
    usm = (struct usm_calls){0};
    if (!has_extension("cl_intel_unified_shared_memory"))
        return 0;
    _Static_assert(sizeof usm == sizeof names, "one name for each function, in order");
    for (size_t i = 0; i < LEN(names); i++) {
        void *found = clGetExtensionFunctionAddressForPlatform(cl.platform, names[i]);
        REQUIRE(found);
        memcpy((char *)&usm + i * sizeof found, &found, sizeof found);
    }
    return 1;
}

void usm_need(void)
{
    if (!usm_find())
        check_skip("the device has no unified shared memory");
}

cl_device_unified_shared_memory_capabilities_intel usm_capabilities(cl_device_info name)
{
    cl_device_unified_shared_memory_capabilities_intel value = ~(cl_bitfield)0;
    size_t size = 0;
    CHECK_OK(clGetDeviceInfo(cl.device, name, sizeof value, &value, &size));
    CHECK_EQ(size, sizeof value);
    return value;
}

/* 0: host, 1: device, 2: shared. */
void *usm_alloc_in(cl_context context, cl_device_id device, int kind, size_t size, cl_int *rc)
{
    return kind == 0   ? usm.alloc_host(context, NULL, size, 0, rc)
           : kind == 1 ? usm.alloc_device(context, device, NULL, size, 0, rc)
                       : usm.alloc_shared(context, device, NULL, size, 0, rc);
}

void *usm_alloc(int kind, size_t size)
{
    cl_int rc = 12345;
    void *pointer = usm_alloc_in(cl.context, cl.device, kind, size, &rc);
    REQUIRE_OK(rc);
    REQUIRE(pointer);
    return pointer;
}

void usm_release(void *pointer)
{
    CHECK_OK(usm.free(cl.context, pointer));
}

void usm_copy(void *to, const void *from, size_t size)
{
    CHECK_OK(usm.copy(cl.queue, CL_TRUE, to, from, size, 0, NULL, NULL));
}

void usm_check_ended(cl_event event, cl_command_type want)
{
    cl_command_type type = 0;
    CHECK_OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    CHECK_EQ(type, want);
    CHECK_OK(clWaitForEvents(1, &event));
    CHECK_EQ(event_status(event), CL_COMPLETE);
    RELEASE_EVENT(event);
}

cl_event usm_gate(void)
{
    cl_int rc;
    cl_event gate = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    return gate;
}

void usm_ask(cl_context context, const void *at, cl_mem_info_intel name, size_t want, void *to)
{
    size_t size = 99;
    CHECK_OK(usm.info(context, at, name, want, to, &size));
    CHECK_EQ(size, want);
    size = 99;
    CHECK_OK(usm.info(context, at, name, 0, NULL, &size));
    CHECK_EQ(size, want);
}

void usm_check_facts(cl_context context, const void *at, const struct usm_facts *want)
{
    struct usm_facts got;
    memset(&got, 0x5a, sizeof got);
    usm_ask(context, at, CL_MEM_ALLOC_TYPE_INTEL, sizeof got.type, &got.type);
    usm_ask(context, at, CL_MEM_ALLOC_BASE_PTR_INTEL, sizeof got.base, &got.base);
    usm_ask(context, at, CL_MEM_ALLOC_SIZE_INTEL, sizeof got.size, &got.size);
    usm_ask(context, at, CL_MEM_ALLOC_DEVICE_INTEL, sizeof(cl_device_id), &got.device);
    usm_ask(context, at, CL_MEM_ALLOC_FLAGS_INTEL, sizeof got.flags, &got.flags);
    CHECK_EQ(got.type, want->type);
    CHECK(got.base == want->base);
    CHECK_EQ(got.size, want->size);
    CHECK(got.device == want->device);
    CHECK_EQ(got.flags, want->flags);
}

const struct usm_facts usm_unknown = {.type = CL_MEM_TYPE_UNKNOWN_INTEL};
