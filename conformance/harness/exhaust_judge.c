/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "exhaust_judge.h"

#include <stdarg.h>
#include <stdio.h>

#include <CL/cl_ext_sluice.h>

static bool whole, good;

void exhaust_judge_begin(bool nothing_fails)
{
    whole = nothing_fails;
    good = true;
}

bool exhaust_judge_whole(void)
{
    return whole;
}

bool exhaust_judge_good(void)
{
    return good;
}

void exhaust_judge_blame(const char *fmt, ...)
{
    va_list list;
    va_start(list, fmt);
    vfprintf(stderr, fmt, list);
    va_end(list);
    fputc('\n', stderr);
    good = false;
}

static bool is_shortage(cl_int rc)
{
    switch (rc) {
    case CL_OUT_OF_HOST_MEMORY:
    case CL_OUT_OF_RESOURCES:
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_MAP_FAILURE:
    case CL_DEVICE_NOT_AVAILABLE: /* its threads could not be started */
    case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST:
    case CL_DEVICE_STALLED_SLUICE: /* a kernel at the other end could not start */
        return true;
    default:
        return false;
    }
}

bool exhaust_judge(const char *call, cl_int rc)
{
    if (rc && (whole || !is_shortage(rc)))
        exhaust_judge_blame("%.60s answers %d", call, rc);
    return !rc;
}

void *exhaust_made(const char *call, void *object, cl_int rc)
{
    if (!exhaust_judge(call, rc) == !object)
        return object;
    exhaust_judge_blame("%.60s gives %p with %d", call, object, rc);
    return NULL;
}
