/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_sluice_native_command where memory runs out: each of the driver's first allocations fails in a
 * process of its own (SLUICE_FAIL_ALLOC). Whatever the call answers, the completion that its
 * function has retained is an event that ended, and what it enqueued has run.
 */
#include "cl_help.h"

#include <CL/cl_ext_sluice.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ALLOCATIONS = 160, FILLS = 23 };
/* How a process ends: it was not there yet, all went well, it went wrong, memory was out when the
 * function had been called. */
enum { EARLY = 10, WELL, WRONG_ANSWER, BEHIND };

#ifdef __SANITIZE_THREAD__
enum { STEP = 20, ROUNDS = 1 }; /* a process costs more there */
#else
enum { STEP = 1, ROUNDS = 5 };
#endif

struct job {
    cl_mem buffer;
    cl_event completion, fills[FILLS];
    int enqueued, destroyed;
};

static cl_int CL_CALLBACK fills(const sluice_interop_handle *handle, void *data)
{
    struct job *job = data;
    cl_int rc = CL_SUCCESS;
    for (; job->enqueued < FILLS && !rc; job->enqueued += !rc)
        rc = clEnqueueFillBuffer(handle->queue, job->buffer, &job->enqueued, sizeof(cl_int),
                                 (size_t)job->enqueued * sizeof(cl_int), sizeof(cl_int), 0, NULL,
                                 &job->fills[job->enqueued]);
    clRetainEvent(handle->completion);
    job->completion = handle->completion;
    return rc;
}

static void CL_CALLBACK count_end(void *data)
{
    struct job *job = data;
    job->destroyed++;
}

/* The status that the completion ends with; 1: it is none. */
static cl_int ending(cl_event completion)
{
    cl_int status = 1;
    cl_command_type type = 0;
    clGetEventInfo(completion, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL);
    clWaitForEvents(1, &completion);
    clGetEventInfo(completion, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    return type == CL_COMMAND_NATIVE_COMMAND_SLUICE ? status : 1;
}

static int wrong(const char *what)
{
    fprintf(stderr, "with SLUICE_FAIL_ALLOC=%s: %s\n", getenv("SLUICE_FAIL_ALLOC"), what);
    return WRONG_ANSWER;
}

static int try_it(cl_command_queue queue, struct job *job)
{
    clEnqueueNativeCommandSLUICE_fn enqueue_native;
    cl_int words[FILLS];
    void *found =
        clGetExtensionFunctionAddressForPlatform(cl.platform, "clEnqueueNativeCommandSLUICE");
    if (!found)
        return EARLY;
    memcpy(&enqueue_native, &found, sizeof found);
    cl_int rc = enqueue_native(queue, fills, count_end, job, 0, NULL, NULL, 0, NULL, NULL);
    if (!job->completion)
        return rc == CL_OUT_OF_HOST_MEMORY && !job->destroyed ? EARLY : wrong("not called");
    cl_int status = ending(job->completion);
    if (job->destroyed != 1)
        return wrong("the destructor came not once");
    if (rc && (rc != CL_OUT_OF_HOST_MEMORY || status != rc))
        return wrong("the completion does not end with what the call answered");
    if (!rc && status != (job->enqueued < FILLS ? CL_OUT_OF_HOST_MEMORY : CL_COMPLETE))
        return wrong("the completion does not end with what the function answered");
    if (clReleaseEvent(job->completion) || clReleaseEvent(job->completion) != CL_INVALID_EVENT)
        return wrong("its references are not ours alone");
    if (job->enqueued)
        clWaitForEvents((cl_uint)job->enqueued, job->fills);
    if (clEnqueueReadBuffer(queue, job->buffer, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL) ||
        clFinish(queue))
        return job->enqueued < FILLS || rc ? WELL : EARLY; /* that was out of memory */
    for (int i = 0; i < job->enqueued; i++)
        if (words[i] != i)
            return wrong("what was enqueued has not run");
    return rc ? BEHIND : WELL;
}

/* In a process of its own. */
static void job(void)
{
    cl_int rc;
    struct job j = {0};
    if (!getenv("SLUICE_FAIL_ALLOC"))
        check_skip("a part of the other case");
    cl_command_queue queue =
        clCreateCommandQueue(cl.context, cl.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &rc);
    j.buffer = rc ? NULL : clCreateBuffer(cl.context, 0, FILLS * sizeof(cl_int), NULL, &rc);
    _exit(j.buffer ? try_it(queue, &j) : EARLY);
}

static int status_of_job(int failing)
{
    char number[16];
    int status = 0;
    snprintf(number, sizeof number, "%d", failing);
    setenv("SLUICE_FAIL_ALLOC", number, 1);
    int quiet = open("/dev/null", O_WRONLY | O_CLOEXEC);
    pid_t child = vfork();
    if (!child) {
        dup2(quiet, STDOUT_FILENO);
        execl("/proc/self/exe", "api_native_memory", "job", (char *)NULL);
        _exit(EARLY);
    }
    unsetenv("SLUICE_FAIL_ALLOC");
    close(quiet);
    REQUIRE(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void each_allocation_fails(void)
{
    int behind = 0, well = 0;
    if (getenv("SLUICE_FAIL_ALLOC"))
        return;
    /* Which allocation is behind the function depends on what other threads do meanwhile. */
    for (int round = 0; round < ROUNDS && !behind; round++)
        for (int failing = 1; failing <= ALLOCATIONS; failing += STEP) {
            int status = status_of_job(failing);
            CHECK(status >= 0 && status != WRONG_ANSWER);
            behind += status == BEHIND;
            well += status == WELL;
        }
    CHECK(well > 0);
    CHECK(STEP > 1 || behind > 0); /* else nothing was tried: there are more of them than that */
}

static const struct test_case cases[] = {CASE(job), CASE(each_allocation_fails)};
TEST_MAIN("native_memory", cases)
