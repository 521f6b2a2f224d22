/* SPDX-License-Identifier: Apache-2.0 */
#include "barrier_help.h"

#include "reference.h"

void run(const char *source, size_t global, size_t local, const cl_int *in, cl_int *out, cl_int n)
{
    cl_kernel kernel = new_kernel(source, "k", NULL);
    cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, global * sizeof *in, (void *)(size_t)in);
    cl_mem b = new_buffer(CL_MEM_COPY_HOST_PTR, global * sizeof *out, out);
    ARG(kernel, 0, a);
    ARG(kernel, 1, b);
    CHECK_OK(clSetKernelArg(kernel, 2, (local + 1) * sizeof(cl_int), NULL));
    ARG(kernel, 3, n);
    run_1d(kernel, global, local);
    read_back(b, global * sizeof *out, out);
    RELEASE_MEM(a);
    RELEASE_MEM(b);
    RELEASE_KERNEL(kernel);
}

void fill(cl_int in[MOST])
{
    for (size_t i = 0; i < MOST; i++)
        in[i] = (cl_int)random_below(1000);
}
