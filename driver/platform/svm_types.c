/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "platform/svm_types.h"

#include "platform/capabilities.h"
#include "platform/platform.h"

#define ATOMICS                                                                                    \
    (CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR | CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR |        \
     CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR)

/* What a type has to have and, beyond that, what tells none from another: kernels reach all of it,
 * and all devices do. */
static const cl_svm_capabilities_khr types[SL_SVM_TYPES] = {
    [SL_SVM_COARSE] =
        CL_SVM_TYPE_MACRO_COARSE_GRAIN_BUFFER_KHR | CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR,
    [SL_SVM_FINE] =
        CL_SVM_TYPE_MACRO_FINE_GRAIN_BUFFER_KHR | ATOMICS | CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR,
    [SL_SVM_DEVICE] = CL_SVM_TYPE_MACRO_DEVICE_KHR | ATOMICS | CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR,
    [SL_SVM_HOST] = CL_SVM_TYPE_MACRO_HOST_KHR | ATOMICS,
    [SL_SVM_SHARED] = CL_SVM_TYPE_MACRO_SINGLE_DEVICE_SHARED_KHR | ATOMICS |
                      CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR |
                      CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR,
    [SL_SVM_SYSTEM] = CL_SVM_TYPE_MACRO_SYSTEM_KHR,
};

cl_svm_capabilities_khr sl_svm_type(cl_uint type)
{
    return type < SL_SVM_TYPES ? types[type] : 0;
}

cl_svm_capabilities_khr sl_svm_type_on(cl_device_id device, cl_uint type)
{
    return sl_svm_capabilities(device) ? sl_svm_type(type) : 0;
}

/* ---- queries --------------------------------------------------------------------------------- */

static bool any_has(const struct _cl_platform_id *platform)
{
    for (cl_uint i = 0; i < platform->device_count; i++)
        if (sl_svm_capabilities(platform->devices[i]))
            return true;
    return false;
}

void sl_svm_types_of_platform(const void *platform, struct sl_answer *answer)
{
    sl_answer_bytes(answer, types, any_has(platform) ? sizeof types : 0);
}

static cl_device_id of(const void *device)
{
    return (cl_device_id)(uintptr_t)device;
}

void sl_svm_types_of_device(const void *device, struct sl_answer *answer)
{
    if (sl_svm_capabilities(of(device)))
        sl_answer_bytes(answer, types, sizeof types);
    else
        answer->rc = CL_INVALID_VALUE;
}

/* The host and devices may write neighbouring bytes at the same time. */
void sl_svm_atom(const void *device, struct sl_answer *answer)
{
    SL_ANSWER(answer, size_t, sl_svm_capabilities(of(device)) ? 1 : 0);
}
