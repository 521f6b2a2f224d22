/* SPDX-License-Identifier: Apache-2.0 */
#include "native_command_help.h"

clEnqueueNativeCommandSLUICE_fn enqueue_native;
clCompleteNativeCommandSLUICE_fn complete_native;

const char affine_source[] = "kernel void affine(global int *x, int factor, int add)\n"
                             "{ size_t i = get_global_id(0); x[i] = x[i] * factor + add; }\n";

void find_functions(void)
{
    enqueue_native = (clEnqueueNativeCommandSLUICE_fn)clGetExtensionFunctionAddressForPlatform(
        cl.platform, "clEnqueueNativeCommandSLUICE");
    complete_native = (clCompleteNativeCommandSLUICE_fn)clGetExtensionFunctionAddressForPlatform(
        cl.platform, "clCompleteNativeCommandSLUICE");
    REQUIRE(enqueue_native && complete_native);
}

void CL_CALLBACK destroy(void *data)
{
    ((struct work *)data)->destroyed++;
}

void enqueue_steps(struct work *work, cl_command_queue queue)
{
    const size_t global = COUNT;
    const cl_int factor = 3;
    for (cl_int i = 0; i < work->steps; i++) {
        ARG(work->kernel, 1, factor);
        ARG(work->kernel, 2, i);
        cl_bool first = !i && work->gate;
        cl_bool last = i + 1 == work->steps;
        CHECK_OK(clEnqueueNDRangeKernel(queue, work->kernel, 1, NULL, &global, NULL, first,
                                        first ? &work->gate : NULL,
                                        last                ? &work->child
                                        : !i && !work->head ? &work->head
                                                            : NULL));
    }
}

cl_int CL_CALLBACK run(const sluice_interop_handle *handle, void *data)
{
    struct work *work = data;
    CHECK(work->destroyed <= work->calls); /* N-14: what it refers to is there */
    work->calls++;
    work->caller = pthread_self();
    work->seen = *handle;
    work->address = handle->num_mem ? handle->mem_ptrs[0] : NULL;
    enqueue_steps(work, handle->queue);
    return work->answer;
}

struct work new_work(int steps)
{
    struct work work = {.steps = steps};
    find_functions();
    cl_int first[COUNT];
    for (int i = 0; i < COUNT; i++)
        first[i] = i - 500;
    work.kernel = new_kernel(affine_source, "affine", NULL);
    work.buffer = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof first, first);
    ARG(work.kernel, 0, work.buffer);
    return work;
}

void end_work(struct work *work)
{
    if (work->child)
        RELEASE_EVENT(work->child);
    if (work->head)
        RELEASE_EVENT(work->head);
    RELEASE_MEM(work->buffer);
    RELEASE_KERNEL(work->kernel);
}

void check_values(const struct work *work, int steps)
{
    cl_int back[COUNT];
    read_back(work->buffer, sizeof back, back);
    for (int i = 0; i < COUNT; i++) {
        cl_int want = i - 500;
        for (int s = 0; s < steps; s++)
            want = want * 3 + s;
        REQUIRE(back[i] == want);
    }
}

cl_int submit(cl_command_queue queue, struct work *work, const cl_event *after, cl_event *event)
{
    return enqueue_native(queue, run, destroy, work, 0, NULL, NULL, after ? 1 : 0, after, event);
}

cl_event user_event(void)
{
    cl_int rc;
    cl_event event = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    return event;
}
