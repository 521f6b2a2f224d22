/* SPDX-License-Identifier: Apache-2.0 */
/* The profile of a program on an FPGA, read back while it runs. No state, no lock. */
#include <CL/cl_ext_sluice.h>
#include <stdlib.h>

#include "base/api.h"
#include "base/log/error.h"
#include "base/query/info.h"
#include "platform/device.h"
#include "program/object/program.h"

struct readback {
    bool enqueued, autorun, clear;
    bool size_only;
    struct sl_answer answer;
};

/* Some kernel of a kind that is asked for has pipes, or there is nothing to count. */
static bool has_kernels(const struct sl_module_info *info, const struct readback *wish)
{
    bool any = false;
    for (uint32_t i = 0; i < info->kernel_count && !any; i++) {
        uint32_t flags = info->kernels[i].flags;
        bool wanted = flags & SL_KERNEL_AUTORUN ? wish->autorun : wish->enqueued;
        any = wanted && flags & (SL_KERNEL_USES_PIPES | SL_KERNEL_PIPE_ARGS);
    }
    return any;
}

static cl_int report(struct sl_code_ref *code, enum sl_code_report kind, char **text)
{
    const struct sl_device_ops *ops = code->device->ops;
    return ops->code_report ? ops->code_report(code->code, kind, text) : CL_INVALID_OPERATION;
}

static cl_int answer_text(struct sl_code_ref *code, struct readback *wish)
{
    char *text = NULL;
    if (!has_kernels(code->info, wish))
        return sl_refuse(CL_PROFILING_INFO_NOT_AVAILABLE,
                         "no kernel of the kinds that are asked for has pipes");
    cl_int rc = report(code, SL_REPORT_PIPE_PROFILE, &text);
    if (rc == CL_INVALID_OPERATION)
        return sl_refuse(CL_PROFILING_INFO_NOT_AVAILABLE, "SLUICE_FPGA_PROFILE is not set");
    if (rc)
        return rc;
    sl_answer_string(&wish->answer, text);
    free(text);
    if (wish->answer.rc)
        return sl_refuse(wish->answer.rc, "the profile needs %zu bytes, not %zu", wish->answer.need,
                         wish->answer.cap);
    if (wish->size_only) /* of a text that grows */
        wish->answer.need += wish->answer.need / 4 + 4096;
    return CL_SUCCESS;
}

/* The file, and the end of what was counted. */
static cl_int read_back(struct sl_code_ref *code, const struct readback *wish)
{
    char *none = NULL;
    cl_int rc = report(code, SL_REPORT_PROFILE_FILE, &none);
    if (rc)
        return sl_refuse(rc, "the file of the profile cannot be written");
    return wish->clear ? report(code, SL_REPORT_PROFILE_CLEAR, &none) : CL_SUCCESS;
}

static cl_int get_data(cl_device_id device, cl_program program, struct readback *wish)
{
    struct sl_code_ref *code = NULL;
    cl_int rc = sl_program_code_on(program, device, &code);
    if (!rc && (wish->enqueued || wish->autorun)) {
        rc = answer_text(code, wish);
        if (!rc && !wish->size_only)
            rc = read_back(code, wish);
    }
    sl_code_drop(code);
    return rc;
}

cl_int sl_clGetProfileDataDeviceIntelFPGA(cl_device_id device, cl_program program,
                                          cl_bool read_enqueue_kernels, cl_bool read_auto_enqueued,
                                          cl_bool clear_counters_after_readback,
                                          size_t param_value_size, void *param_value,
                                          size_t *param_value_size_ret, cl_int *errcode_ret)
{
    struct readback wish = {
        .enqueued = read_enqueue_kernels,
        .autorun = read_auto_enqueued,
        .clear = clear_counters_after_readback,
        .size_only = !param_value && param_value_size_ret,
        .answer = {.cap = param_value ? param_value_size : 0, .out = param_value},
    };
    cl_int rc = get_data(device, program, &wish);
    if (!rc && param_value_size_ret)
        *param_value_size_ret = wish.answer.need;
    if (errcode_ret)
        *errcode_ret = rc;
    return rc;
}

cl_int sl_clGetProfileDataDeviceAltera(cl_device_id device, cl_program program,
                                       cl_bool read_enqueue_kernels, cl_bool read_auto_enqueued,
                                       cl_bool clear_counters_after_readback,
                                       size_t param_value_size, void *param_value,
                                       size_t *param_value_size_ret, cl_int *errcode_ret)
{
    return sl_clGetProfileDataDeviceIntelFPGA(
        device, program, read_enqueue_kernels, read_auto_enqueued, clear_counters_after_readback,
        param_value_size, param_value, param_value_size_ret, errcode_ret);
}
