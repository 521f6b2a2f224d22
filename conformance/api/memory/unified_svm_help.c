/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. One thread; no lock. */
#include "unified_svm_help.h"

#include <string.h>

struct usvm_calls usvm;

int usvm_find(void)
{
    static const char *const names[] = {"clSVMAllocWithPropertiesKHR", "clSVMFreeWithPropertiesKHR",
                                        "clGetSVMPointerInfoKHR", "clGetSVMSuggestedTypeIndexKHR"};
    usvm = (struct usvm_calls){0};
    if (!has_extension("cl_khr_unified_svm"))
        return 0;
    _Static_assert(sizeof usvm == sizeof names, "one name for each function, in order");
    for (size_t i = 0; i < LEN(names); i++) {
        void *found = clGetExtensionFunctionAddressForPlatform(cl.platform, names[i]);
        REQUIRE(found);
        memcpy((char *)&usvm + i * sizeof found, &found, sizeof found);
    }
    return 1;
}

void usvm_need(void)
{
    if (!usvm_find())
        check_skip("the device has no cl_khr_unified_svm");
}

size_t usvm_types(cl_svm_capabilities_khr types[USVM_MOST_TYPES])
{
    size_t bytes = 0;
    REQUIRE_OK(clGetDeviceInfo(cl.device, CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR,
                               USVM_MOST_TYPES * sizeof *types, types, &bytes));
    return bytes / sizeof *types;
}

cl_uint usvm_type(cl_svm_capabilities_khr capabilities)
{
    cl_uint type = 12345;
    REQUIRE_OK(usvm.suggest(cl.context, capabilities, 0, NULL, 0, &type));
    if (type == CL_UINT_MAX)
        check_skip("no such type of memory");
    return type;
}

void *usvm_alloc(cl_uint type, size_t size)
{
    cl_svm_capabilities_khr types[USVM_MOST_TYPES];
    REQUIRE(type < usvm_types(types));
    const cl_svm_alloc_properties_khr ours[] = {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
                                                (cl_svm_alloc_properties_khr)cl.device, 0};
    cl_int rc = 12345;
    void *at = usvm.alloc(cl.context,
                          types[type] & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR ? NULL : ours,
                          type, size, &rc);
    REQUIRE_OK(rc);
    REQUIRE(at);
    return at;
}

void usvm_release(void *pointer)
{
    CHECK_OK(usvm.free(cl.context, NULL, 0, pointer));
}
