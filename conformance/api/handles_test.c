/* SPDX-License-Identifier: Apache-2.0 */
/* Handles that are no objects: memory that looks like one to the loader, and NULL. */
#include "cl_help.h"

#include <string.h>

/* The loader reads the dispatch table in the first word; the rest is the application's rubbish. */
static void *forged(unsigned char fill)
{
    static _Alignas(64) unsigned char block[4096];
    memset(block, fill, sizeof block);
    memcpy(block, cl.context, sizeof(void *));
    return block;
}

static void forged_handles(void)
{
    if (!is_sluice())
        check_skip("other libraries do not promise it");
    char value[64];
    for (int round = 0; round < 2; round++) {
        void *fake = forged(round ? 0xff : 0);
        FAILS(CL_INVALID_PLATFORM,
              clGetPlatformInfo(fake, CL_PLATFORM_NAME, sizeof value, value, NULL));
        FAILS(CL_INVALID_DEVICE, clGetDeviceInfo(fake, CL_DEVICE_NAME, sizeof value, value, NULL));
        FAILS(CL_INVALID_CONTEXT, clRetainContext(fake));
        FAILS(CL_INVALID_COMMAND_QUEUE, clFinish(fake));
        FAILS(CL_INVALID_MEM_OBJECT, clReleaseMemObject(fake));
        FAILS(CL_INVALID_PROGRAM, clBuildProgram(fake, 0, NULL, NULL, NULL, NULL));
        FAILS(CL_INVALID_KERNEL, clReleaseKernel(fake));
        FAILS(CL_INVALID_EVENT, clReleaseEvent(fake));
        FAILS(CL_INVALID_SAMPLER, clReleaseSampler(fake));
    }
}

static void null_handles(void)
{
    char value[64];
    FAILS(CL_INVALID_DEVICE, clGetDeviceInfo(NULL, CL_DEVICE_NAME, sizeof value, value, NULL));
    FAILS(CL_INVALID_CONTEXT, clRetainContext(NULL));
    FAILS(CL_INVALID_CONTEXT, clReleaseContext(NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE, clFlush(NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE, clFinish(NULL));
    FAILS(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue(NULL));
    FAILS(CL_INVALID_MEM_OBJECT, clReleaseMemObject(NULL));
    FAILS(CL_INVALID_PROGRAM, clReleaseProgram(NULL));
    FAILS(CL_INVALID_KERNEL, clReleaseKernel(NULL));
    FAILS(CL_INVALID_EVENT, clReleaseEvent(NULL));
    FAILS(CL_INVALID_SAMPLER, clReleaseSampler(NULL));
}

static const struct test_case cases[] = {CASE(forged_handles), CASE(null_handles)};
TEST_MAIN("handles", cases)
