/* SPDX-License-Identifier: Apache-2.0 */
/* Programs from objects and binaries; recorded commands that are changed; shared memory. */
#include "shortage_life.h"

#include <stddef.h>
#include <string.h>

enum { COUNT = 333, MOST_BYTES = 1 << 20 };

static cl_int back[COUNT];

static bool run_to(const struct client *client, cl_kernel kernel, cl_mem buffer)
{
    const size_t global = COUNT;
    cl_event events[2] = {NULL};
    bool all = TRY(clEnqueueNDRangeKernel(client->queue, kernel, 1, NULL, &global, NULL, 0, NULL,
                                          &events[0])) &&
               TRY(clEnqueueReadBuffer(client->queue, buffer, CL_TRUE, 0, sizeof back, back, 0,
                                       NULL, &events[1]));
    return life_ended(events, 2) && all;
}

/* ---- binaries -------------------------------------------------------------------------------- */

static cl_int helped(int i)
{
    return i * 5 + 11;
}

static cl_program linked(const struct client *client)
{
    static const char *const texts[] = {"int helper(int i) { return i * 5 + 11; }\n",
                                        "int helper(int i);\nkernel void fill(global int *a)\n"
                                        "{ int i = get_global_id(0); a[i] = helper(i); }\n"};
    cl_program parts[2] = {NULL}, whole = NULL;
    void *made_of;
    cl_int rc;
    bool all = true;
    for (int i = 0; i < 2 && all; i++) {
        parts[i] = MAKE(
            clCreateProgramWithSource(client->context, 1, (const char **)&texts[i], NULL, &rc));
        rc = parts[i]
                 ? clCompileProgram(parts[i], 1, &client->device, "", 0, NULL, NULL, NULL, NULL)
                 : CL_OUT_OF_HOST_MEMORY;
        all = rc != CL_COMPILE_PROGRAM_FAILURE || exhaust_judge_whole() ? TRY(rc) : false;
    }
    if (all) {
        whole = clLinkProgram(client->context, 1, &client->device, "", 2, parts, NULL, NULL, &rc);
        if (rc != CL_LINK_PROGRAM_FAILURE || exhaust_judge_whole())
            all = TRY(rc);
        else
            all = false;
    }
    for (int i = 0; i < 2; i++)
        life_drop(parts[i], NULL, NULL, NULL);
    if (whole && !all) {
        life_drop(whole, NULL, NULL, NULL);
        return NULL;
    }
    return whole;
}

static cl_program again(const struct client *client, cl_program program)
{
    static unsigned char binary[MOST_BYTES];
    unsigned char *to = binary;
    const unsigned char *from = binary;
    size_t bytes = 0;
    void *made_of;
    cl_int rc;
    if (!TRY(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL)) ||
        bytes > MOST_BYTES ||
        !TRY(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof to, &to, NULL)))
        return NULL;
    cl_program copy = MAKE(
        clCreateProgramWithBinary(client->context, 1, &client->device, &bytes, &from, NULL, &rc));
    if (!copy || life_build_program(client, copy, ""))
        return copy;
    SURE(clReleaseProgram(copy));
    return NULL;
}

void life_of_binaries(const struct client *client)
{
    cl_program first = linked(client), copy = first ? again(client, first) : NULL;
    cl_kernel kernel = life_kernel(copy, "fill");
    cl_mem buffer = life_buffer(client, CL_MEM_WRITE_ONLY, sizeof back, NULL);
    memset(back, 0, sizeof back);
    if (kernel && buffer && TRY(clSetKernelArg(kernel, 0, sizeof buffer, &buffer)) &&
        run_to(client, kernel, buffer))
        life_compare("a binary", back, COUNT, helped);
    life_drop(first, kernel, buffer, NULL);
    life_drop(copy, NULL, NULL, NULL);
}

/* ---- recordings ------------------------------------------------------------------------------ */

static struct {
    clCreateCommandBufferKHR_sluice_t *create;
    clFinalizeCommandBufferKHR_sluice_t *finalize;
    clReleaseCommandBufferKHR_sluice_t *release;
    clEnqueueCommandBufferKHR_sluice_t *enqueue;
    clCommandFillBufferKHR_sluice_t *fill;
    clCommandNDRangeKernelKHR_sluice_t *launch;
    clUpdateMutableCommandsKHR_sluice_t *update;
} cb;

static void find_recording(const struct client *client)
{
    life_find(client, "clCreateCommandBufferKHR", &cb.create);
    life_find(client, "clFinalizeCommandBufferKHR", &cb.finalize);
    life_find(client, "clReleaseCommandBufferKHR", &cb.release);
    life_find(client, "clEnqueueCommandBufferKHR", &cb.enqueue);
    life_find(client, "clCommandFillBufferKHR", &cb.fill);
    life_find(client, "clCommandNDRangeKernelKHR", &cb.launch);
    life_find(client, "clUpdateMutableCommandsKHR", &cb.update);
}

static cl_int summand; /* of the kernel that was recorded last */

static cl_int replayed(int i)
{
    return (9 + i) * 2 + summand;
}

static void replay(const struct client *client, cl_command_buffer_khr buffer, cl_mem memory)
{
    cl_event events[2] = {NULL};
    memset(back, 0, sizeof back);
    bool all = TRY(cb.enqueue(0, NULL, buffer, 0, NULL, &events[0])) &&
               TRY(clEnqueueReadBuffer(client->queue, memory, CL_TRUE, 0, sizeof back, back, 0,
                                       NULL, &events[1]));
    if (life_ended(events, 2) && all)
        life_compare("a replay", back, COUNT, replayed);
}

static void record(const struct client *client, cl_command_buffer_khr buffer, cl_kernel kernel,
                   cl_mem memory)
{
    const cl_command_buffer_update_type_khr type = CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_SLUICE;
    const cl_int nine = 9;
    const size_t global = COUNT;
    const cl_mutable_dispatch_arg_khr arg = {1, sizeof summand, &summand};
    cl_mutable_dispatch_config_sluice config = {.num_args = 1, .arg_list = &arg};
    const void *configs[] = {&config};
    cl_sync_point_khr point = 0;
    summand = 3;
    if (!TRY(cb.fill(buffer, NULL, NULL, memory, &nine, sizeof nine, 0, sizeof back, 0, NULL,
                     &point, NULL)) ||
        !TRY(clSetKernelArg(kernel, 0, sizeof memory, &memory)) ||
        !TRY(clSetKernelArg(kernel, 1, sizeof summand, &summand)) ||
        !TRY(cb.launch(buffer, NULL, NULL, kernel, 1, NULL, &global, NULL, 1, &point, NULL,
                       &config.command)) ||
        !TRY(cb.finalize(buffer)))
        return;
    replay(client, buffer, memory);
    replay(client, buffer, memory);
    summand = 50;
    if (TRY(cb.update(buffer, 1, &type, configs)))
        replay(client, buffer, memory);
    else
        summand = 3;
    replay(client, buffer, memory);
}

void life_of_recordings(const struct client *client)
{
    static const cl_command_buffer_properties_khr list[] = {CL_COMMAND_BUFFER_FLAGS_KHR,
                                                            CL_COMMAND_BUFFER_MUTABLE_KHR, 0};
    static const char source[] = "kernel void twice(global int *a, int b)\n"
                                 "{ int i = get_global_id(0); a[i] = (a[i] + i) * 2 + b; }\n";
    cl_command_queue queue = client->queue;
    void *made_of;
    cl_int rc;
    find_recording(client);
    cl_program program = life_build(client, source, "");
    cl_kernel kernel = life_kernel(program, "twice");
    cl_mem memory = life_buffer(client, CL_MEM_READ_WRITE, sizeof back, NULL);
    cl_command_buffer_khr buffer = MAKE(cb.create(1, &queue, list, &rc));
    if (buffer) {
        if (kernel && memory)
            record(client, buffer, kernel, memory);
        SURE(cb.release(buffer));
    }
    life_drop(program, kernel, memory, NULL);
}

/* ---- shared virtual and unified memory ------------------------------------------------------- */

static cl_int added(int i)
{
    return i * 2 + 77;
}

static const char pointers_source[] =
    "struct box { global int *a; int by; };\n"
    "kernel void add(global struct box *box, global int *to)\n"
    "{ int i = get_global_id(0); to[i] = box->a[i] + box->by; }\n";

struct box {
    cl_int *a, by;
};

static void shared_virtual(const struct client *client, cl_kernel kernel)
{
    const size_t global = COUNT;
    cl_event events[1] = {NULL};
    const cl_svm_mem_flags fine = CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER;
    struct box *box = clSVMAlloc(client->context, fine, sizeof *box, 0);
    cl_int *from = clSVMAlloc(client->context, fine, sizeof back, 64);
    cl_int *to = clSVMAlloc(client->context, fine, sizeof back, 0);
    if (!box || !from || !to) {
        exhaust_judge("clSVMAlloc", CL_OUT_OF_HOST_MEMORY);
    } else {
        *box = (struct box){from, 77};
        for (int i = 0; i < COUNT; i++)
            from[i] = i * 2;
        if (TRY(clSetKernelArgSVMPointer(kernel, 0, box)) &&
            TRY(clSetKernelArgSVMPointer(kernel, 1, to)) &&
            TRY(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof from, &from)) &&
            TRY(clEnqueueNDRangeKernel(client->queue, kernel, 1, NULL, &global, NULL, 0, NULL,
                                       events)) &&
            life_ended(events, 1))
            life_compare("shared virtual memory", to, COUNT, added);
    }
    clSVMFree(client->context, box);
    clSVMFree(client->context, from);
    clSVMFree(client->context, to);
}

struct unified {
    clHostMemAllocINTEL_fn host;
    clDeviceMemAllocINTEL_fn device;
    clSharedMemAllocINTEL_fn shared;
    clMemBlockingFreeINTEL_fn release;
    clSetKernelArgMemPointerINTEL_fn set;
    clEnqueueMemcpyINTEL_fn copy;
};

static void use_unified(const struct client *client, const struct unified *usm, cl_kernel kernel,
                        struct box *box, cl_int *from, cl_int *to)
{
    const size_t global = COUNT;
    cl_event events[3] = {NULL};
    static cl_int numbers[COUNT];
    for (int i = 0; i < COUNT; i++)
        numbers[i] = i * 2;
    *box = (struct box){from, 77};
    bool all =
        TRY(usm->copy(client->queue, CL_FALSE, from, numbers, sizeof numbers, 0, NULL,
                      &events[0])) &&
        TRY(usm->set(kernel, 0, box)) && TRY(usm->set(kernel, 1, to)) &&
        TRY(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof from, &from)) &&
        TRY(clEnqueueNDRangeKernel(client->queue, kernel, 1, NULL, &global, NULL, 0, NULL,
                                   &events[1])) &&
        TRY(usm->copy(client->queue, CL_TRUE, back, to, sizeof back, 0, NULL, &events[2]));
    if (life_ended(events, 3) && all)
        life_compare("unified shared memory", back, COUNT, added);
}

static void unified(const struct client *client, cl_kernel kernel)
{
    struct unified usm;
    void *made_of;
    cl_int rc;
    life_find(client, "clHostMemAllocINTEL", &usm.host);
    life_find(client, "clDeviceMemAllocINTEL", &usm.device);
    life_find(client, "clSharedMemAllocINTEL", &usm.shared);
    life_find(client, "clMemBlockingFreeINTEL", &usm.release);
    life_find(client, "clSetKernelArgMemPointerINTEL", &usm.set);
    life_find(client, "clEnqueueMemcpyINTEL", &usm.copy);
    void *box = MAKE(usm.host(client->context, NULL, sizeof(struct box), 0, &rc));
    void *from = MAKE(usm.device(client->context, client->device, NULL, sizeof back, 0, &rc));
    void *to = MAKE(usm.shared(client->context, client->device, NULL, sizeof back, 0, &rc));
    if (box && from && to)
        use_unified(client, &usm, kernel, box, from, to);
    SURE(usm.release(client->context, box));
    SURE(usm.release(client->context, from));
    SURE(usm.release(client->context, to));
}

void life_of_pointers(const struct client *client)
{
    cl_program program = life_build(client, pointers_source, "");
    cl_kernel kernel = life_kernel(program, "add");
    if (kernel) {
        shared_virtual(client, kernel);
        unified(client, kernel);
    }
    life_drop(program, kernel, NULL, NULL);
}
