/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_sluice_native_command: asynchronous work that a function of the application submits, as one
 * command with the dependencies and the event of a command. Part of CL/cl_ext_sluice.h.
 *
 * clEnqueueNativeCommandSLUICE calls `function` once, on the calling thread, before it returns, and
 * whether or not the wait list has completed. What the function enqueues to handle->queue is the
 * command's: each of it waits for all that the command waits for, and the command's event completes
 * when all of it has. In an in-order queue it runs in order, else as its own wait lists say. A
 * native command may be enqueued to handle->queue too. The queue can be used by any thread while
 * the function runs, and takes no more commands when it has returned.
 *
 * Work that OpenCL does not know is told of by `completion`: a function that returns
 * SLUICE_NATIVE_PENDING leaves the command unfinished until clCompleteNativeCommandSLUICE is called
 * with it, once, by any thread, possibly before the function has returned. An error that is given
 * before then fails the command also if the function returns CL_SUCCESS.
 *
 * The function must not wait. Where it would wait for its own queue it gets CL_INVALID_OPERATION:
 * clFinish and blocking commands, in other threads too while it runs, for it may wait for these;
 * clWaitForEvents and blocking commands of other queues with an event of the queue, which others
 * may call; and where its work would wait for the command that it is part of: `completion` in a
 * wait list, of whatever queue. A function that releases its queue may go on using it; one that
 * retains it has a queue that takes no more commands (CL_INVALID_COMMAND_QUEUE) when the function
 * has returned.
 *
 * `destructor` (may be NULL) is called once with user_data, on the same thread, when the function
 * has returned or it is clear that it will not be called; not if the call itself fails before
 * that. Behind the function the call fails where memory is out, or where the function that it is in
 * has returned meanwhile (CL_INVALID_COMMAND_QUEUE); the destructor has been called then. If an
 * event of the wait list has failed when the command is enqueued, the function is not called.
 *
 * The event: of type CL_COMMAND_NATIVE_COMMAND_SLUICE. It fails with what the function returned, if
 * that is negative, or with the status given for `completion`, when all that was enqueued has
 * ended; with CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if an event of the wait list, or any of
 * what was enqueued, failed. CL_PROFILING_COMMAND_START is the start of what started first, _END
 * the end of what ended last.
 *
 * What the function gives to another queue than its own is a command of that queue: it waits for
 * nothing that this command waits for, and the event does not wait for it.
 *
 * It is no node of a graph: clCreateCommandBufferKHR on handle->queue is CL_INVALID_OPERATION, and
 * no call records a native command. A command buffer that is replayed by the queue is work as any.
 *
 * Memory objects: buffers that the work uses, with one of CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY and
 * CL_MEM_READ_WRITE for each. handle->mem_ptrs has their addresses in the same order; the command
 * holds them until it ends, and the array lives until the function returns.
 *
 * CL_INVALID_COMMAND_QUEUE; CL_INVALID_VALUE: no function, lists that do not agree with their
 * count, other access flags; CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT; CL_INVALID_EVENT_WAIT_LIST;
 * CL_OUT_OF_RESOURCES: a buffer without an address; CL_OUT_OF_HOST_MEMORY. Where memory runs out
 * behind the function, what it has enqueued runs, and a `completion` that it has retained is an
 * event that failed with that.
 */
#ifndef OPENCL_CL_EXT_SLUICE_NATIVE_COMMAND_H_
#define OPENCL_CL_EXT_SLUICE_NATIVE_COMMAND_H_

#include <CL/cl.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define cl_sluice_native_command 1
#define CL_COMMAND_NATIVE_COMMAND_SLUICE 0x534C0020
#define SLUICE_NATIVE_PENDING 1

typedef struct {
    size_t size; /* of this struct, as the driver knows it */
    cl_command_queue queue;
    cl_device_id device;
    cl_context context;
    cl_uint num_mem;
    void *const *mem_ptrs;
    cl_event completion; /* only for clCompleteNativeCommandSLUICE */
} sluice_interop_handle;

typedef cl_int(CL_CALLBACK *sluice_native_fn)(const sluice_interop_handle *handle, void *user_data);

typedef cl_int(CL_API_CALL *clEnqueueNativeCommandSLUICE_fn)(
    cl_command_queue command_queue, sluice_native_fn function,
    void(CL_CALLBACK *destructor)(void *user_data), void *user_data, cl_uint num_mem_objects,
    const cl_mem *mem_list, const cl_mem_flags *access_list, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event);
/* The status is CL_COMPLETE or negative. CL_INVALID_EVENT: not a native command; CL_INVALID_VALUE:
 * a positive status; CL_INVALID_OPERATION: it was completed before, or does not wait for this. */
typedef cl_int(CL_API_CALL *clCompleteNativeCommandSLUICE_fn)(cl_event completion, cl_int status);

#ifndef CL_NO_EXTENSION_PROTOTYPES
extern CL_API_ENTRY cl_int CL_API_CALL clEnqueueNativeCommandSLUICE(
    cl_command_queue command_queue, sluice_native_fn function,
    void(CL_CALLBACK *destructor)(void *user_data), void *user_data, cl_uint num_mem_objects,
    const cl_mem *mem_list, const cl_mem_flags *access_list, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event);
extern CL_API_ENTRY cl_int CL_API_CALL clCompleteNativeCommandSLUICE(cl_event completion,
                                                                     cl_int status);
#endif

#ifdef __cplusplus
}
#endif

#endif
