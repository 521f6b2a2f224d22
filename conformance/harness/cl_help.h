/* SPDX-License-Identifier: Apache-2.0 */
/* The device under test and short forms for what nearly every test does. Helpers end the case when
 * they fail: what they do is a precondition, not what is tested. */
#ifndef SLUICE_TEST_CL_HELP_H
#define SLUICE_TEST_CL_HELP_H

#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include "check.h"

struct test_env {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue; /* in order, profiling */
};
/* SLUICE_TEST_DEVICE: cpu, fpga or the number of a device, anything else is an error; default: the
 * first CPU device of the platform "Sluice", or else the first device there is. */
extern struct test_env cl;

cl_context new_context(void);
cl_command_queue new_queue(cl_command_queue_properties properties);
cl_mem new_buffer(cl_mem_flags flags, size_t size, void *host);
cl_program new_program(const char *source);
/* Builds; prints the log and ends the case when that fails. */
cl_program built(const char *source, const char *options);
/* A kernel that alone holds its program. */
cl_kernel new_kernel(const char *source, const char *name, const char *options);
cl_kernel kernel_of(cl_program program, const char *name);
/* owned by the caller, freed with free() */
char *build_log(cl_program program);
int has_extension(const char *name);
/* major * 100 + minor * 10 */
int device_version(void);
int is_sluice(void);

void set_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value);
#define ARG(kernel, index, value) set_arg(kernel, index, sizeof(value), &(value))
/* local 0: NULL. Runs and waits. */
void run_1d(cl_kernel kernel, size_t global, size_t local);
void run_nd(cl_kernel kernel, cl_uint dims, const size_t *offset, const size_t *global,
            const size_t *local);
void read_back(cl_mem buffer, size_t size, void *to);
cl_int event_status(cl_event event);
size_t device_size(cl_device_info name);
cl_uint device_uint(cl_device_info name);
double now_seconds(void);

#define RELEASE_MEM(x) CHECK_OK(clReleaseMemObject(x))
#define RELEASE_KERNEL(x) CHECK_OK(clReleaseKernel(x))
#define RELEASE_PROGRAM(x) CHECK_OK(clReleaseProgram(x))
#define RELEASE_QUEUE(x) CHECK_OK(clReleaseCommandQueue(x))
#define RELEASE_CONTEXT(x) CHECK_OK(clReleaseContext(x))
#define RELEASE_EVENT(x) CHECK_OK(clReleaseEvent(x))
#endif
