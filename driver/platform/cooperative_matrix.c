/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. The tables are constants: no lock. */
#include "platform/cooperative_matrix.h"

#include <CL/cl_ext_sluice.h>
#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "platform/device.h"
#include "sluice/base/cooperative_matrix.h"

#define NEEDED (SL_FEATURE_IL | SL_FEATURE_SUB_GROUPS | SL_FEATURE_FP16 | SL_FEATURE_FP64)

static bool has_extension(const void *device)
{
    return (sl_device_features(device) & NEEDED) == NEEDED;
}

void sl_cooperative_matrix_alignment(const void *device, struct sl_answer *answer)
{
    if (has_extension(device))
        SL_ANSWER(answer, cl_uint, 1);
    else
        answer->rc = CL_INVALID_VALUE;
}

struct question {
    const void *input;
    size_t bytes;
};

static cl_device_cooperative_matrix_variant_khr variant_at(size_t index)
{
    const struct sl_cooperative_variant v = sl_cooperative_variant_at(index);
    return (cl_device_cooperative_matrix_variant_khr){
        .m_size = v.m,
        .n_size = v.n,
        .k_size = v.k,
        .a_type = v.a,
        .b_type = v.b,
        .c_type = v.c,
        .result_type = v.result,
        .saturating_accumulation = v.saturates,
    };
}

/* Kernels with matrices have sub-groups of the size that these are for, unless they say another. */
static void variants(const void *question, struct sl_answer *answer)
{
    (void)question;
    const size_t count = sl_cooperative_variant_count();
    cl_device_cooperative_matrix_variant_khr *out = answer->out;
    answer->need = count * sizeof *out;
    if (!out)
        return;
    if (answer->cap < answer->need) {
        answer->rc = CL_INVALID_VALUE;
        return;
    }
    for (size_t i = 0; i < count; i++)
        out[i] = variant_at(i);
}

static void variants_of_size(const void *object, struct sl_answer *answer)
{
    const struct question *q = object;
    cl_uint size;
    if (!q->input || q->bytes != sizeof size) {
        answer->rc = CL_INVALID_VALUE;
        return;
    }
    memcpy(&size, q->input, sizeof size);
    if (size == SL_COOPERATIVE_SUB_GROUP)
        variants(object, answer);
    else
        sl_answer_bytes(answer, NULL, 0);
}

static const struct sl_info_row rows[] = {
    SL_CALL(CL_DEVICE_COOPERATIVE_MATRIX_DEFAULT_SUB_GROUP_VARIANTS_KHR, variants),
    SL_CALL(CL_DEVICE_COOPERATIVE_MATRIX_SUB_GROUP_VARIANTS_KHR, variants_of_size),
};

cl_int CL_API_CALL sl_clGetDeviceCooperativeMatrixInfoKHR(
    cl_device_id device, cl_device_cooperative_matrix_info_khr param_name, size_t input_value_size,
    const void *input_value, size_t param_value_size, void *param_value,
    size_t *param_value_size_ret)
{
    const struct question q = {.input = input_value, .bytes = input_value_size};
    if (!sl_valid(device, &sl_device_type))
        return sl_refuse(CL_INVALID_DEVICE, "not a valid device");
    if (!has_extension(device))
        return sl_refuse(CL_INVALID_OPERATION, "the device has no cl_khr_cooperative_matrix");
    return sl_info(rows, SL_LEN(rows), &q, param_name, param_value_size, param_value,
                   param_value_size_ret);
}
