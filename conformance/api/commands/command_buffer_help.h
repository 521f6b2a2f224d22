/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of cl_khr_command_buffer and its layer for updates, of the platform under test, and
 * short forms for what their tests do. Helpers end the case when they fail. */
#ifndef SLUICE_TEST_COMMAND_BUFFER_HELP_H
#define SLUICE_TEST_COMMAND_BUFFER_HELP_H

#include "cl_help.h"

#include <CL/cl_ext_sluice.h>

#define CB_FUNCTIONS(F)                                                                            \
    F(clCreateCommandBufferKHR, create)                                                            \
    F(clFinalizeCommandBufferKHR, finalize)                                                        \
    F(clRetainCommandBufferKHR, retain)                                                            \
    F(clReleaseCommandBufferKHR, release)                                                          \
    F(clEnqueueCommandBufferKHR, enqueue)                                                          \
    F(clGetCommandBufferInfoKHR, info)                                                             \
    F(clCommandBarrierWithWaitListKHR, barrier)                                                    \
    F(clCommandCopyBufferKHR, copy)                                                                \
    F(clCommandCopyBufferRectKHR, copy_rect)                                                       \
    F(clCommandCopyBufferToImageKHR, to_image)                                                     \
    F(clCommandCopyImageKHR, copy_image)                                                           \
    F(clCommandCopyImageToBufferKHR, to_buffer)                                                    \
    F(clCommandFillBufferKHR, fill)                                                                \
    F(clCommandFillImageKHR, fill_image)                                                           \
    F(clCommandNDRangeKernelKHR, launch)                                                           \
    F(clCommandSVMMemcpyKHR, copy_svm)                                                             \
    F(clCommandSVMMemFillKHR, fill_svm)                                                            \
    F(clRemapCommandBufferKHR, remap)                                                              \
    F(clUpdateMutableCommandsKHR, update)                                                          \
    F(clGetMutableCommandInfoKHR, command_info)

struct cb_calls {
#define CB_MEMBER(function, name) function##_sluice_t *name;
    CB_FUNCTIONS(CB_MEMBER)
#undef CB_MEMBER
};
extern struct cb_calls cb;
/* 0: the device does not have both extensions as they are today, and all are NULL. Without
 * cl_khr_command_buffer_multi_device `remap` may be. */
int cb_find(void);
/* Leaves a case that does not apply to the device. */
void cb_need(void);

cl_command_buffer_khr cb_new(cl_command_queue queue, cl_command_buffer_flags_khr flags);
/* One dimension, no local size; the sync-point. */
cl_sync_point_khr cb_launch(cl_command_buffer_khr buffer, cl_kernel kernel, size_t global,
                            cl_uint count, const cl_sync_point_khr *points);
/* Of a command whose arguments and sizes may change. */
cl_mutable_command_khr cb_mutable(cl_command_buffer_khr buffer, cl_kernel kernel, size_t global);
void cb_finalize(cl_command_buffer_khr buffer);
/* On its own queue; waits. */
void cb_run(cl_command_buffer_khr buffer);
void cb_release(cl_command_buffer_khr buffer);
cl_command_buffer_state_khr cb_state(cl_command_buffer_khr buffer);
/* The kernel that most tests replay, and how many numbers differ from those that should be there.
 */
enum { CB_COUNT = 1003 };
#define CB_AXPB                                                                                    \
    "kernel void axpb(global uint *x, uint a, uint b) {\n"                                         \
    "    size_t i = get_global_id(0); x[i] = x[i] * a + b; }\n"
cl_kernel cb_axpb(cl_program program, cl_mem x, cl_uint a, cl_uint b);
size_t cb_differences(cl_mem buffer, const cl_uint want[CB_COUNT]);
cl_int cb_update(cl_command_buffer_khr buffer, const cl_mutable_dispatch_config_sluice *config);
#endif
