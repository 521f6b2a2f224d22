/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "shortage_life.h"

#include <stdio.h>
#include <string.h>

void life_find(const struct client *client, const char *name, void *to)
{
    void *found = clGetExtensionFunctionAddressForPlatform(client->platform, name);
    if (!found)
        exhaust_judge_blame("no %s", name);
    memcpy(to, &found, sizeof found);
}

static bool names_shortage(const char *log)
{
    static const char *const words[] = {"memory", "process", "Too many open files",
                                        "Resource temporarily unavailable"};
    bool any = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        any |= strstr(log, words[i]) != NULL;
    return any;
}

/* Where the compiler was short of something the log says so. */
bool life_build_program(const struct client *client, cl_program program, const char *options)
{
    static char log[4096];
    cl_int rc = clBuildProgram(program, 1, &client->device, options, NULL, NULL);
    *log = 0;
    if (!rc)
        return true;
    cl_int told = clGetProgramBuildInfo(program, client->device, CL_PROGRAM_BUILD_LOG,
                                        sizeof log - 1, log, NULL);
    if (exhaust_judge_whole())
        fprintf(stderr, "%s\n", log);
    if (rc != CL_BUILD_PROGRAM_FAILURE || exhaust_judge_whole())
        return exhaust_judge("clBuildProgram", rc);
    if (!told && !names_shortage(log))
        exhaust_judge_blame("a build failed with the log \"%.1000s\"", log);
    return false;
}

cl_program life_build(const struct client *client, const char *source, const char *options)
{
    void *made_of;
    cl_int rc;
    cl_program program = MAKE(clCreateProgramWithSource(client->context, 1, &source, NULL, &rc));
    if (!program || life_build_program(client, program, options))
        return program;
    SURE(clReleaseProgram(program));
    return NULL;
}

cl_kernel life_kernel(cl_program program, const char *name)
{
    void *made_of;
    cl_int rc;
    return program ? MAKE(clCreateKernel(program, name, &rc)) : NULL;
}

cl_mem life_buffer(const struct client *client, cl_mem_flags flags, size_t bytes, void *host)
{
    void *made_of;
    cl_int rc;
    return MAKE(clCreateBuffer(client->context, flags, bytes, host, &rc));
}

bool life_ended(cl_event *events, int count)
{
    bool all = true;
    for (int i = 0; i < count; i++) {
        cl_int status = CL_QUEUED;
        if (!events[i]) {
            all = false;
            continue;
        }
        all = TRY(clWaitForEvents(1, &events[i])) && all;
        SURE(clGetEventInfo(events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                            NULL));
        all = exhaust_judge("a command", status < 0 ? status : CL_SUCCESS) && all;
        SURE(clReleaseEvent(events[i]));
        events[i] = NULL;
    }
    return all;
}

void life_drop(cl_program program, cl_kernel kernel, cl_mem a, cl_mem b)
{
    if (a)
        SURE(clReleaseMemObject(a));
    if (b)
        SURE(clReleaseMemObject(b));
    if (kernel)
        SURE(clReleaseKernel(kernel));
    if (program)
        SURE(clReleaseProgram(program));
}

void life_compare(const char *what, const cl_int *got, int count, cl_int (*want)(int))
{
    for (int i = 0; i < count; i++) {
        if (got[i] == want(i))
            continue;
        exhaust_judge_blame("%s: number %d is %d, not %d", what, i, got[i], want(i));
        return;
    }
}
