/* SPDX-License-Identifier: Apache-2.0 */
#include "sub_group_help.h"

#include <stdint.h>

const char *const options[OPTIONS] = {"-cl-std=CL3.0", "-cl-std=CL3.0 -cl-fast-relaxed-math",
                                      "-cl-std=CL3.0 -cl-opt-disable"};

const size_t group_sizes[GROUP_SIZES] = {1, 7, 32, 33, 64, 99};

void need(const char *extension)
{
    if (device_version() < 300 || !device_uint(CL_DEVICE_MAX_NUM_SUB_GROUPS))
        check_skip("no sub-groups");
    if (extension && !has_extension(extension))
        check_skip(extension);
}

struct part part_of(size_t item, size_t group, size_t size)
{
    size_t start = item / group * group, first = start + (item - start) / size * size;
    size_t end = start + group;
    return (struct part){first, first + size < end ? size : end - first};
}

size_t largest_size(cl_kernel kernel, size_t group)
{
    size_t size = 0;
    REQUIRE_OK(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                       sizeof group, &group, sizeof size, &size, NULL));
    REQUIRE(size && size <= MOST_SIZE);
    return size;
}

void run_three(cl_kernel kernel, const cl_long *x, size_t group, size_t per_item, cl_long *out)
{
    size_t items = 3 * group;
    cl_mem in = new_buffer(CL_MEM_COPY_HOST_PTR, items * sizeof *x, (void *)(uintptr_t)x);
    cl_mem result = new_buffer(0, items * per_item * sizeof *out, NULL);
    ARG(kernel, 0, in);
    ARG(kernel, 1, result);
    run_1d(kernel, items, group);
    read_back(result, items * per_item * sizeof *out, out);
    RELEASE_MEM(in);
    RELEASE_MEM(result);
}

cl_long inputs[MOST_ITEMS], outputs[MOST_ITEMS * 16];

void fill_inputs(void)
{
    for (int i = 0; i < MOST_ITEMS; i++)
        inputs[i] = (i * 37 + 11) % 23 + 1;
}
