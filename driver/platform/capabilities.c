/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "platform/capabilities.h"

#include "platform/device.h"

cl_device_svm_capabilities sl_svm_capabilities(cl_device_id device)
{
    const cl_device_svm_capabilities all = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER |
                                           CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                                           CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS;
    return sl_device_feature(device, SL_FEATURE_SVM) ? all : 0;
}

cl_device_unified_shared_memory_capabilities_intel sl_usm_capabilities(cl_device_id device)
{
    const cl_device_unified_shared_memory_capabilities_intel all =
        CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |
        CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL |
        CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;
    return sl_svm_capabilities(device) ? all : 0;
}

cl_device_command_buffer_capabilities_khr sl_command_buffer_capabilities(cl_device_id device)
{
    cl_device_command_buffer_capabilities_khr all =
        CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR |
        CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR |
        CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR;
    if (sl_device_feature(device, SL_FEATURE_DEVICE_ENQUEUE))
        all |= CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR;
    return all;
}

void sl_external_memory_types(uint32_t features, struct sl_answer *answer)
{
    const cl_external_memory_handle_type_khr fd = CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR;
    sl_answer_bytes(answer, &fd, features & SL_EXTERNAL_MEMORY ? sizeof fd : 0);
}

bool sl_syncs_natively(cl_device_id a, cl_device_id b)
{
    return sl_device_feature(a, SL_FEATURE_SVM) && sl_device_feature(b, SL_FEATURE_SVM);
}

void sl_semaphore_types(const void *object, struct sl_answer *answer)
{
    (void)object;
    SL_ANSWER(answer, cl_semaphore_type_khr, CL_SEMAPHORE_TYPE_BINARY_KHR);
}
