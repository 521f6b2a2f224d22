/* SPDX-License-Identifier: Apache-2.0 */
#include "cxx_help.h"

#include <stdlib.h>
#include <string.h>

#define LEN(array) (sizeof(array) / sizeof *(array))

const char *const cxx_versions[CXX_VERSIONS] = {
    "-cl-std=CLC++", "-cl-std=CLC++1.0", "-cl-std=CLC++2021", "-cl-std=CLC++2021 -cl-opt-disable"};

/* Sizes that no vector divides, and shapes of groups. */
static const struct {
    size_t items, group;
} shapes[] = {{1, 1}, {7, 7}, {99, 33}, {130, 13}, {257, 0}};
enum { MOST = 257 };

void cxx_need(void)
{
    if (!has_extension("cl_ext_cxx_for_opencl"))
        check_skip("no C++ for OpenCL");
}

int cxx_has_feature(const char *name)
{
    cl_name_version features[64];
    size_t size = 0;
    if (clGetDeviceInfo(cl.device, CL_DEVICE_OPENCL_C_FEATURES, sizeof features, features, &size))
        return 0;
    for (size_t i = 0; i < size / sizeof *features; i++)
        if (!strcmp(features[i].name, name))
            return 1;
    return 0;
}

const char *cxx_with_globals(void)
{
    cxx_need();
    return cxx_has_feature("__opencl_c_program_scope_global_variables") ? "-cl-std=CLC++2021"
                                                                        : "-cl-std=CLC++1.0";
}

static cl_int input(size_t i)
{
    return (cl_int)(i * 2654435761u >> 7) % 10007 - 5003;
}

void cxx_compare(cl_kernel kernel, cxx_item_fn want)
{
    cl_int in[MOST], out[MOST];
    for (size_t i = 0; i < MOST; i++)
        in[i] = input(i);
    for (size_t s = 0; s < LEN(shapes); s++) {
        cl_mem a = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof in, in);
        cl_mem b = new_buffer(0, sizeof out, NULL);
        ARG(kernel, 0, a);
        ARG(kernel, 1, b);
        run_1d(kernel, shapes[s].items, shapes[s].group);
        read_back(b, shapes[s].items * sizeof *out, out);
        for (size_t i = 0; i < shapes[s].items; i++)
            if (out[i] != want(in, i, shapes[s].items)) {
                check_fail(__FILE__, __LINE__, "item %zu of %zu: %d, not %d", i, shapes[s].items,
                           out[i], want(in, i, shapes[s].items));
                break;
            }
        RELEASE_MEM(a);
        RELEASE_MEM(b);
    }
}

void cxx_compare_source(const char *source, cxx_item_fn want)
{
    cxx_need();
    for (size_t v = 0; v < CXX_VERSIONS; v++) {
        cl_kernel kernel = new_kernel(source, "k", cxx_versions[v]);
        cxx_compare(kernel, want);
        RELEASE_KERNEL(kernel);
    }
}

cl_program cxx_compiled(const char *source, const char *options, cl_program header,
                        const char *name)
{
    cl_program program = new_program(source);
    cl_int rc = clCompileProgram(program, 1, &cl.device, options, header ? 1 : 0,
                                 header ? &header : NULL, header ? &name : NULL, NULL, NULL);
    if (rc) {
        char *log = build_log(program);
        check_fail(__FILE__, __LINE__, "%s\n%s", code_name(rc), log);
        free(log);
        check_abandon();
    }
    return program;
}

cl_program cxx_linked(cl_uint count, const cl_program *parts)
{
    cl_int rc;
    cl_program program =
        clLinkProgram(cl.context, 1, &cl.device, "", count, parts, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    return program;
}

cl_program cxx_from_binary(cl_program program)
{
    size_t bytes = 0;
    cl_int rc, status;
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    unsigned char *binary = malloc(bytes);
    REQUIRE(binary);
    CHECK_OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    cl_program again = clCreateProgramWithBinary(cl.context, 1, &cl.device, &bytes,
                                                 (const unsigned char **)&binary, &status, &rc);
    REQUIRE_OK(rc);
    free(binary);
    return again;
}

void cxx_ints_of(cl_program program, const char *name, cl_int *out, size_t count)
{
    cl_kernel kernel = kernel_of(program, name);
    cl_mem mem = new_buffer(0, count * sizeof *out, NULL);
    ARG(kernel, 0, mem);
    run_1d(kernel, 1, 1);
    read_back(mem, count * sizeof *out, out);
    RELEASE_MEM(mem);
    RELEASE_KERNEL(kernel);
}
