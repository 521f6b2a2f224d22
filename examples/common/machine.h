/* SPDX-License-Identifier: Apache-2.0 */
/* What the dataflow examples share: the device, a program, kernels that run at once, a clock. An
 * OpenCL error ends the program with a message and exit status 1. */
#ifndef SLUICE_EXAMPLE_MACHINE_H
#define SLUICE_EXAMPLE_MACHINE_H

#include <CL/cl.h>
#include <stddef.h>

struct machine {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_program program;
};

void check(cl_int rc, const char *what);
void *must(void *memory);

/* The first FPGA-like device of a platform with `wanted` in its name; builds `source` for it. */
void open_machine(struct machine *m, const char *wanted, const char *source, const char *options);
void close_machine(struct machine *m);

/* Each kernel gets an in-order queue of its own: kernels that feed each other must run at once. */
struct stage {
    cl_kernel kernel;
    cl_command_queue queue;
};
struct stage open_stage(const struct machine *m, const char *kernel);
void set_argument(struct stage *stage, cl_uint index, size_t size, const void *value);
#define ARGUMENT(stage, index, value) set_argument(stage, index, sizeof(value), &(value))
void start_stage(struct stage *stage);
void finish_stage(struct stage *stage);
void close_stage(struct stage *stage);

/* The address of an extension function, by way of memcpy into a pointer of its type. */
void find_function(const struct machine *m, const char *name, void *to);
double seconds(void);
#endif
