/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clSetKernelExecInfo. A device with shared memory reaches all of it anyway; what kernels use
 * without an argument is only kept for clMemBlockingFreeINTEL (users.h), under the kernel's lock.
 * Spec 5.9.2, cl_intel_unified_shared_memory.
 */
#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/object/alloc.h"
#include "base/query/info.h"
#include "memory/svm.h"
#include "memory/svm_allocation.h"
#include "program/kernel.h"

static cl_int set_pointers(cl_kernel kernel, const void *value, size_t size)
{
    void **copy = size ? sl_memdup(value, size) : NULL;
    if (size && !copy)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for %zu bytes of pointers", size);
    pthread_mutex_lock(&kernel->lock);
    void **before = kernel->pointers;
    kernel->pointers = copy;
    kernel->pointers_bytes = size;
    pthread_mutex_unlock(&kernel->lock);
    sl_free(before);
    return CL_SUCCESS;
}

static void set_indirect(cl_kernel kernel, unsigned bit, bool on)
{
    pthread_mutex_lock(&kernel->lock);
    kernel->indirect = on ? kernel->indirect | bit : kernel->indirect & ~bit;
    pthread_mutex_unlock(&kernel->lock);
}

static const struct row {
    cl_kernel_exec_info name;
    bool pointers; /* void *[]; else a cl_bool */
    cl_unified_shared_memory_type_intel reaches;
} rows[] = {
    {CL_KERNEL_EXEC_INFO_SVM_PTRS, true, 0},
    {CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, false, 0},
    {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, false, CL_MEM_TYPE_HOST_INTEL},
    {CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, false, CL_MEM_TYPE_DEVICE_INTEL},
    {CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, false, CL_MEM_TYPE_SHARED_INTEL},
    {CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, true, 0},
    {CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, true, 0},
    {CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, false, 0},
};

static cl_int check(const struct row *row, size_t size, const void *value)
{
    if (row->pointers && !value && !size)
        return CL_SUCCESS; /* takes back what was set before */
    if (!value || !size)
        return sl_refuse(CL_INVALID_VALUE, "no value");
    if (row->pointers && size % sizeof(void *))
        return sl_refuse(CL_INVALID_VALUE, "%zu bytes are no array of pointers", size);
    if (!row->pointers && size != sizeof(cl_bool))
        return sl_refuse(CL_INVALID_VALUE, "%zu bytes are no cl_bool", size);
    return CL_SUCCESS;
}

cl_int sl_clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name,
                              size_t param_value_size, const void *param_value)
{
    if (!sl_valid(kernel, &sl_kernel_type))
        return sl_refuse(CL_INVALID_KERNEL, "not a kernel");
    const struct row *row = rows;
    while (row < rows + SL_LEN(rows) && row->name != param_name)
        row++;
    if (row == rows + SL_LEN(rows))
        return sl_refuse(CL_INVALID_VALUE, "unknown name 0x%x", param_name);
    if (!sl_svm_context_capabilities(kernel->program->context))
        return sl_refuse(CL_INVALID_OPERATION, "no device has shared memory");
    cl_int rc = check(row, param_value_size, param_value);
    if (!rc && row->reaches) {
        cl_bool on;
        memcpy(&on, param_value, sizeof on);
        set_indirect(kernel, sl_indirect_bit(row->reaches), on);
    } else if (!rc && row->name == CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL) {
        rc = set_pointers(kernel, param_value, param_value_size);
    }
    return rc;
}
