/* SPDX-License-Identifier: Apache-2.0 */
/* Small client programs that live on when a call fails: what each computes is compared with plain C
 * if all calls that it took went well. One thread; callbacks only count. */
#ifndef SLUICE_TEST_SHORTAGE_LIFE_H
#define SLUICE_TEST_SHORTAGE_LIFE_H

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS

#include "exhaust_judge.h"

#include <CL/cl_ext_sluice.h>

struct client {
    const char *device_name;
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue, loose; /* in order with times; out of order; may be NULL */
};

/* The programs. Each gives back all that it made. */
void life_of_buffers(const struct client *client);
void life_of_images(const struct client *client);
void life_of_channels(const struct client *client);
void life_of_pipes(const struct client *client);
void life_of_pointers(const struct client *client);
void life_of_binaries(const struct client *client);
void life_of_recordings(const struct client *client);
void life_of_parts(const struct client *client);

/* Builds; NULL when that fails for a reason that may be, which is a shortage. */
cl_program life_build(const struct client *client, const char *source, const char *options);
bool life_build_program(const struct client *client, cl_program program, const char *options);
cl_kernel life_kernel(cl_program program, const char *name);
cl_mem life_buffer(const struct client *client, cl_mem_flags flags, size_t bytes, void *host);
/* The function of that name, which the platform has. */
void life_find(const struct client *client, const char *name, void *to);
/* Waits for all that were enqueued and releases their events; true if each command ran well. */
bool life_ended(cl_event *events, int count);
/* Releases what there is. */
void life_drop(cl_program program, cl_kernel kernel, cl_mem a, cl_mem b);
/* Blames the first number that is not `want(i)`. */
void life_compare(const char *what, const cl_int *got, int count, cl_int (*want)(int));
#endif
