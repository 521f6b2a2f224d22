/* SPDX-License-Identifier: Apache-2.0 */
/* clGetKernelSubGroupInfo: sub-groups are rows of a kernel's own number of items in the linear
 * order of a work-group. Kernels do not change after creation; no lock. */
#include <string.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/query/info.h"
#include "platform/device.h"
#include "program/kernel.h"

struct question {
    const struct sl_kernel_device *on;
    const size_t *input; /* NULL: none */
    size_t numbers;      /* at input */
};

static const struct question *of(const void *object)
{
    return object;
}

static size_t size_of(const struct question *q)
{
    return q->on->info->sub_group_size ? q->on->info->sub_group_size : 1;
}

static size_t count_of(const struct question *q, size_t items)
{
    return (items + size_of(q) - 1) / size_of(q);
}

/* A local size: 1 to 3 numbers. 0: it is none, and the answer says so. */
static size_t local_items(const struct question *q, struct sl_answer *answer)
{
    size_t items = q->input && q->numbers >= 1 && q->numbers <= 3;
    for (size_t i = 0; items && i < q->numbers; i++)
        if (__builtin_mul_overflow(items, q->input[i], &items))
            items = 0;
    if (!items)
        answer->rc = CL_INVALID_VALUE;
    return items;
}

static void largest_size(const void *object, struct sl_answer *answer)
{
    if (local_items(of(object), answer))
        SL_ANSWER(answer, size_t, size_of(of(object)));
}

static void count_for_range(const void *object, struct sl_answer *answer)
{
    size_t items = local_items(of(object), answer);
    if (items)
        SL_ANSWER(answer, size_t, count_of(of(object), items));
}

/* Zeros where no work-group has that many. */
static void size_for_count(const void *object, struct sl_answer *answer)
{
    const struct question *q = of(object);
    const uint32_t *required = q->on->info->reqd_size;
    size_t dims = answer->out ? answer->cap / sizeof(size_t) : 1, local[3] = {0}, items;
    if (!q->input || q->numbers != 1 || dims < 1 || dims > 3) {
        answer->rc = CL_INVALID_VALUE;
        return;
    }
    if (required[0]) {
        items = (size_t)required[0] * required[1] * required[2];
        bool fits = count_of(q, items) == q->input[0] && (dims > 2 || required[2] == 1) &&
                    (dims > 1 || required[1] == 1);
        for (size_t d = 0; fits && d < dims; d++)
            local[d] = required[d];
    } else if (q->input[0] && !__builtin_mul_overflow(q->input[0], size_of(q), &items) &&
               items <= sl_kernel_group_limit(q->on)) {
        local[0] = items;
        local[1] = local[2] = 1;
    }
    sl_answer_bytes(answer, local, dims * sizeof *local);
}

static void most_groups(const void *object, struct sl_answer *answer)
{
    const struct question *q = of(object);
    SL_ANSWER(answer, size_t, count_of(q, sl_kernel_group_limit(q->on)));
}

static void compiled_size(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, size_t, of(object)->on->info->reqd_sub_group_size);
}

static const struct sl_info_row rows[] = {
    SL_CALL(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, largest_size),
    SL_CALL(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, count_for_range),
    SL_CALL(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, size_for_count),
    SL_CALL(CL_KERNEL_MAX_NUM_SUB_GROUPS, most_groups),
    /* No attribute of OpenCL C asks for a number of sub-groups. */
    SL_CONST(CL_KERNEL_COMPILE_NUM_SUB_GROUPS, size_t, 0),
    SL_CALL(CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, compiled_size),
};

cl_int sl_clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device,
                                  cl_kernel_sub_group_info param_name, size_t input_value_size,
                                  const void *input_value, size_t param_value_size,
                                  void *param_value, size_t *param_value_size_ret)
{
    if (!sl_valid(kernel, &sl_kernel_type))
        return sl_refuse(CL_INVALID_KERNEL, "not a kernel");
    struct question q = {.on = sl_kernel_on_or_only(kernel, device), .input = input_value};
    if (!q.on)
        return sl_refuse(CL_INVALID_DEVICE, "the kernel is not built for the device");
    if (!(sl_caps(q.on->device)->features & SL_FEATURE_SUB_GROUPS))
        return sl_refuse(CL_INVALID_OPERATION, "query 0x%x: no sub-groups", param_name);
    q.numbers = input_value_size % sizeof(size_t) ? 0 : input_value_size / sizeof(size_t);
    return sl_info(rows, SL_LEN(rows), &q, param_name, param_value_size, param_value,
                   param_value_size_ret);
}
