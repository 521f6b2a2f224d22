/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a device, by number and by what they share: a context, a queue and a kernel of theirs.
 */
#include "shortage_life.h"

#include <stddef.h>
#include <string.h>

enum { COUNT = 333, MOST_PARTS = 64 };

static cl_int back[COUNT];

static cl_int squared(int i)
{
    return i * i - 40;
}

static void run_on(const struct client *part)
{
    const size_t global = COUNT;
    cl_event events[2] = {NULL};
    cl_program program = life_build(
        part, "kernel void square(global int *a) { int i = get_global_id(0); a[i] = i * i - 40; }",
        "");
    cl_kernel kernel = life_kernel(program, "square");
    cl_mem buffer = life_buffer(part, CL_MEM_WRITE_ONLY, sizeof back, NULL);
    memset(back, 0, sizeof back);
    bool all = kernel && buffer && TRY(clSetKernelArg(kernel, 0, sizeof buffer, &buffer)) &&
               TRY(clEnqueueNDRangeKernel(part->queue, kernel, 1, NULL, &global, NULL, 0, NULL,
                                          &events[0])) &&
               TRY(clEnqueueReadBuffer(part->queue, buffer, CL_TRUE, 0, sizeof back, back, 0, NULL,
                                       &events[1]));
    if (life_ended(events, 2) && all)
        life_compare("a part of the device", back, COUNT, squared);
    life_drop(program, kernel, buffer, NULL);
}

static void use_parts(const struct client *client, const cl_device_id *parts, cl_uint count)
{
    struct client part = {.device_name = client->device_name, .platform = client->platform};
    void *made_of;
    cl_int rc;
    part.device = parts[count - 1];
    part.context = MAKE(clCreateContext(NULL, count, parts, NULL, NULL, &rc));
    if (!part.context)
        return;
    part.queue = MAKE(clCreateCommandQueueWithProperties(part.context, part.device, NULL, &rc));
    if (part.queue) {
        run_on(&part);
        SURE(clReleaseCommandQueue(part.queue));
    }
    SURE(clReleaseContext(part.context));
}

static void divide(const struct client *client, const cl_device_partition_property *how)
{
    cl_device_id parts[MOST_PARTS];
    cl_uint count = 0;
    if (!TRY(clCreateSubDevices(client->device, how, MOST_PARTS, parts, &count)))
        return;
    use_parts(client, parts, count);
    for (cl_uint i = 0; i < count; i++)
        SURE(clReleaseDevice(parts[i]));
}

void life_of_parts(const struct client *client)
{
    cl_uint units = 0;
    cl_device_affinity_domain domains = 0;
    const cl_device_partition_property equal[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0},
                                       affine[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                   CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0};
    TRY(clGetDeviceInfo(client->device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, sizeof units, &units,
                        NULL));
    TRY(clGetDeviceInfo(client->device, CL_DEVICE_PARTITION_AFFINITY_DOMAIN, sizeof domains,
                        &domains, NULL));
    if (units > 1 && units <= MOST_PARTS)
        divide(client, equal);
    if (domains)
        divide(client, affine);
}
