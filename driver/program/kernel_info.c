/* SPDX-License-Identifier: Apache-2.0 */
/* clGetKernelInfo, clGetKernelArgInfo, clGetKernelWorkGroupInfo. Facts are constant; only the sum
 * of local arguments is read under the kernel's lock. */
#include "base/api.h"
#include "base/log/error.h"
#include "base/query/info.h"
#include "platform/context.h"
#include "platform/device.h"
#include "program/args.h"
#include "program/kernel.h"
#include "sluice/unshared.h"

/* ---- clGetKernelInfo ------------------------------------------------------------------------- */

static void name(const void *object, struct sl_answer *answer)
{
    sl_answer_string(answer, ((const struct _cl_kernel *)object)->info->name);
}

static void arg_count(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_uint, ((const struct _cl_kernel *)object)->info->arg_count);
}

static void refs(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_uint, sl_api_refs(object));
}

static void context(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_context, ((const struct _cl_kernel *)object)->program->context);
}

static void attributes(const void *object, struct sl_answer *answer)
{
    sl_answer_string(answer, ((const struct _cl_kernel *)object)->info->attributes);
}

static const struct sl_info_row kernel_rows[] = {
    SL_CALL(CL_KERNEL_FUNCTION_NAME, name),
    SL_CALL(CL_KERNEL_NUM_ARGS, arg_count),
    SL_CALL(CL_KERNEL_REFERENCE_COUNT, refs),
    SL_CALL(CL_KERNEL_CONTEXT, context),
    SL_VALUE(CL_KERNEL_PROGRAM, struct _cl_kernel, program),
    SL_CALL(CL_KERNEL_ATTRIBUTES, attributes),
};

cl_int sl_clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name, size_t param_value_size,
                          void *param_value, size_t *param_value_size_ret)
{
    if (!sl_valid(kernel, &sl_kernel_type))
        return sl_refuse(CL_INVALID_KERNEL, "not a kernel");
    return sl_info(kernel_rows, SL_LEN(kernel_rows), kernel, param_name, param_value_size,
                   param_value, param_value_size_ret);
}

/* ---- clGetKernelArgInfo ---------------------------------------------------------------------- */

static void address(const void *object, struct sl_answer *answer)
{
    const struct sl_arg_info *arg = object;
    SL_ANSWER(answer, cl_kernel_arg_address_qualifier,
              CL_KERNEL_ARG_ADDRESS_GLOBAL + (cl_uint)arg->address);
}

static void access_qualifier(const void *object, struct sl_answer *answer)
{
    const struct sl_arg_info *arg = object;
    SL_ANSWER(answer, cl_kernel_arg_access_qualifier,
              CL_KERNEL_ARG_ACCESS_READ_ONLY + (cl_uint)arg->access);
}

static void type_qualifier(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_kernel_arg_type_qualifier,
              ((const struct sl_arg_info *)object)->qualifiers & SL_ARG_DECLARED);
}

static const struct sl_info_row arg_rows[] = {
    SL_CALL(CL_KERNEL_ARG_ADDRESS_QUALIFIER, address),
    SL_CALL(CL_KERNEL_ARG_ACCESS_QUALIFIER, access_qualifier),
    SL_STRING(CL_KERNEL_ARG_TYPE_NAME, struct sl_arg_info, type_name),
    SL_CALL(CL_KERNEL_ARG_TYPE_QUALIFIER, type_qualifier),
    SL_STRING(CL_KERNEL_ARG_NAME, struct sl_arg_info, name),
};

cl_int sl_clGetKernelArgInfo(cl_kernel kernel, cl_uint arg_index, cl_kernel_arg_info param_name,
                             size_t param_value_size, void *param_value,
                             size_t *param_value_size_ret)
{
    if (!sl_valid(kernel, &sl_kernel_type))
        return sl_refuse(CL_INVALID_KERNEL, "not a kernel");
    if (arg_index >= kernel->info->arg_count)
        return sl_refuse(CL_INVALID_ARG_INDEX, "argument %u of %u", arg_index,
                         kernel->info->arg_count);
    if (!(kernel->info->flags & SL_KERNEL_HAS_ARG_INFO))
        return sl_refuse(CL_KERNEL_ARG_INFO_NOT_AVAILABLE, "built without argument information");
    return sl_info(arg_rows, SL_LEN(arg_rows), &kernel->info->args[arg_index], param_name,
                   param_value_size, param_value, param_value_size_ret);
}

/* ---- clGetKernelWorkGroupInfo ---------------------------------------------------------------- */

struct on_device {
    cl_kernel kernel;
    const struct sl_kernel_device *on;
};

static void group_size(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, size_t, sl_kernel_group_limit(((const struct on_device *)object)->on));
}

static void required_size(const void *object, struct sl_answer *answer)
{
    const uint32_t *size = ((const struct on_device *)object)->on->info->reqd_size;
    size_t wide[3] = {size[0], size[1], size[2]};
    sl_answer_bytes(answer, wide, sizeof wide);
}

static void local_memory(const void *object, struct sl_answer *answer)
{
    const struct on_device *at = object;
    cl_ulong bytes = at->on->info->local_bytes;
    pthread_mutex_lock(&at->kernel->lock);
    for (uint32_t i = 0; i < at->kernel->info->arg_count; i++)
        if (at->kernel->args[i].local_bytes) /* laid out as a launch does */
            bytes = sl_align_local(bytes) + at->kernel->args[i].local_bytes;
    pthread_mutex_unlock(&at->kernel->lock);
    SL_ANSWER(answer, cl_ulong, bytes);
}

static void size_multiple(const void *object, struct sl_answer *answer)
{
    const struct sl_kernel_device *on = ((const struct on_device *)object)->on;
    size_t multiple = sl_caps(on->device)->preferred_group_multiple;
    size_t limit = sl_kernel_group_limit(on);
    SL_ANSWER(answer, size_t, multiple &&multiple <= limit ? multiple : 1);
}

static void private_memory(const void *object, struct sl_answer *answer)
{
    SL_ANSWER(answer, cl_ulong, ((const struct on_device *)object)->on->info->private_bytes);
}

/* Only for custom devices and built-in kernels, of which there are none. */
static void global_size(const void *object, struct sl_answer *answer)
{
    (void)object;
    answer->rc = CL_INVALID_VALUE;
}

static const struct sl_info_row group_rows[] = {
    SL_CALL(CL_KERNEL_WORK_GROUP_SIZE, group_size),
    SL_CALL(CL_KERNEL_COMPILE_WORK_GROUP_SIZE, required_size),
    SL_CALL(CL_KERNEL_LOCAL_MEM_SIZE, local_memory),
    SL_CALL(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, size_multiple),
    SL_CALL(CL_KERNEL_PRIVATE_MEM_SIZE, private_memory),
    SL_CALL(CL_KERNEL_GLOBAL_WORK_SIZE, global_size),
    SL_CONST(CL_KERNEL_SPILL_MEM_SIZE_INTEL, cl_ulong, 0), /* counted as private memory */
};

cl_int sl_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                   cl_kernel_work_group_info param_name, size_t param_value_size,
                                   void *param_value, size_t *param_value_size_ret)
{
    if (!sl_valid(kernel, &sl_kernel_type))
        return sl_refuse(CL_INVALID_KERNEL, "not a kernel");
    const struct on_device at = {.kernel = kernel, .on = sl_kernel_on_or_only(kernel, device)};
    if (!at.on)
        return sl_refuse(CL_INVALID_DEVICE, "the kernel is not built for the device");
    return sl_info(group_rows, SL_LEN(group_rows), &at, param_name, param_value_size, param_value,
                   param_value_size_ret);
}
