/* SPDX-License-Identifier: Apache-2.0 */
/* Says why a call is refused: to the log, and to the report of the call. No state, no lock. */
#include "base/log/error.h"

#include <CL/cl_ext_sluice.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/log/log.h"

static const struct {
    cl_int code;
    const char *name;
} names[] = {
#define NAME(code) {code, #code}
    NAME(CL_SUCCESS),
    NAME(CL_DEVICE_NOT_FOUND),
    NAME(CL_DEVICE_NOT_AVAILABLE),
    NAME(CL_COMPILER_NOT_AVAILABLE),
    NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE),
    NAME(CL_OUT_OF_RESOURCES),
    NAME(CL_OUT_OF_HOST_MEMORY),
    NAME(CL_PROFILING_INFO_NOT_AVAILABLE),
    NAME(CL_MEM_COPY_OVERLAP),
    NAME(CL_IMAGE_FORMAT_MISMATCH),
    NAME(CL_IMAGE_FORMAT_NOT_SUPPORTED),
    NAME(CL_BUILD_PROGRAM_FAILURE),
    NAME(CL_MAP_FAILURE),
    NAME(CL_MISALIGNED_SUB_BUFFER_OFFSET),
    NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    NAME(CL_COMPILE_PROGRAM_FAILURE),
    NAME(CL_LINKER_NOT_AVAILABLE),
    NAME(CL_LINK_PROGRAM_FAILURE),
    NAME(CL_DEVICE_PARTITION_FAILED),
    NAME(CL_KERNEL_ARG_INFO_NOT_AVAILABLE),
    NAME(CL_INVALID_VALUE),
    NAME(CL_INVALID_DEVICE_TYPE),
    NAME(CL_INVALID_PLATFORM),
    NAME(CL_INVALID_DEVICE),
    NAME(CL_INVALID_CONTEXT),
    NAME(CL_INVALID_QUEUE_PROPERTIES),
    NAME(CL_INVALID_COMMAND_QUEUE),
    NAME(CL_INVALID_HOST_PTR),
    NAME(CL_INVALID_MEM_OBJECT),
    NAME(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR),
    NAME(CL_INVALID_IMAGE_SIZE),
    NAME(CL_INVALID_SAMPLER),
    NAME(CL_INVALID_BINARY),
    NAME(CL_INVALID_BUILD_OPTIONS),
    NAME(CL_INVALID_PROGRAM),
    NAME(CL_INVALID_PROGRAM_EXECUTABLE),
    NAME(CL_INVALID_KERNEL_NAME),
    NAME(CL_INVALID_KERNEL_DEFINITION),
    NAME(CL_INVALID_KERNEL),
    NAME(CL_INVALID_ARG_INDEX),
    NAME(CL_INVALID_ARG_VALUE),
    NAME(CL_INVALID_ARG_SIZE),
    NAME(CL_INVALID_KERNEL_ARGS),
    NAME(CL_INVALID_WORK_DIMENSION),
    NAME(CL_INVALID_WORK_GROUP_SIZE),
    NAME(CL_INVALID_WORK_ITEM_SIZE),
    NAME(CL_INVALID_GLOBAL_OFFSET),
    NAME(CL_INVALID_EVENT_WAIT_LIST),
    NAME(CL_INVALID_EVENT),
    NAME(CL_INVALID_OPERATION),
    NAME(CL_INVALID_GL_OBJECT),
    NAME(CL_INVALID_BUFFER_SIZE),
    NAME(CL_INVALID_MIP_LEVEL),
    NAME(CL_INVALID_GLOBAL_WORK_SIZE),
    NAME(CL_INVALID_PROPERTY),
    NAME(CL_INVALID_IMAGE_DESCRIPTOR),
    NAME(CL_INVALID_COMPILER_OPTIONS),
    NAME(CL_INVALID_LINKER_OPTIONS),
    NAME(CL_INVALID_DEVICE_PARTITION_COUNT),
    NAME(CL_INVALID_PIPE_SIZE),
    NAME(CL_INVALID_DEVICE_QUEUE),
    NAME(CL_INVALID_SPEC_ID),
    NAME(CL_MAX_SIZE_RESTRICTION_EXCEEDED),
    NAME(CL_INVALID_COMMAND_BUFFER_KHR),
    NAME(CL_INVALID_SEMAPHORE_KHR),
    NAME(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR),
    NAME(CL_INCOMPATIBLE_COMMAND_QUEUE_KHR),
    NAME(CL_INVALID_MUTABLE_COMMAND_KHR),
    NAME(CL_PIPE_FULL),
    NAME(CL_PIPE_EMPTY),
    NAME(CL_DEVICE_STALLED_SLUICE),
    NAME(CL_IO_FAILED_SLUICE),
    NAME(CL_PLATFORM_NOT_FOUND_KHR),
#undef NAME
};

const char *sl_error_name(cl_int code)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].code == code)
            return names[i].name;
    return "CL_?";
}

cl_int sl_refuse_at(cl_int code, const char *function, const char *fmt, ...)
{
    struct sl_report *report = sl_report_waiting();
    bool logged = sl_log_enabled(SL_LOG_DEBUG, "api");
    if (!report && !logged)
        return code;
    char why[SL_REPORT_WHY];
    va_list args;
    va_start(args, fmt);
    vsnprintf(why, sizeof why, fmt, args);
    va_end(args);
    if (report)
        sl_report_hear(report, code, why);
    if (logged)
        sl_log(SL_LOG_DEBUG, "api", "%s: %s (%d): %s", function, sl_error_name(code), code, why);
    return code;
}
