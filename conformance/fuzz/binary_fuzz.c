/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Program binaries with a right checksum and anything else: they are refused, or all questions
 * about them and their kernels are answered. Code is made nothing but returns: an autorun kernel,
 * forged or not, runs once it is loaded, and nobody can tell what damaged code would do. The first
 * byte chooses the device. Seeds are executables of both, and for the compiler process an object
 * and a library. One thread; no lock.
 */
#include "fuzz.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/api.h"
#include "base/object/object.h"
#include "sluice/base/hash.h"
#include "sluice/module.h"

static const char *const sources[2] = {
    "typedef struct { int a; float4 b; } S;\n"
    "constant int table[9] = {1, 2, 3};\n"
    "global int kept = 5;\n"
    "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void dst(global uint *o,\n"
    "    constant float *f, local float *l, S s, read_only image2d_t im, sampler_t sm)\n"
    "{\n"
    "    l[0] = f[0] + s.b.x + read_imagef(im, sm, (int2)(0)).x;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    o[get_global_id(0)] = (uint)l[0] + table[s.a] + kept++;\n"
    "    printf(\"%u %s\\n\", o[0], \"text\");\n"
    "}\n"
    "kernel void twice(global int *a) { a[get_global_id(0)] *= 2; }\n",
    "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
    "#pragma OPENCL EXTENSION cl_intel_fpga_host_pipe : enable\n"
    "channel uint c __attribute__((depth(4)));\n"
    "channel float4 grid[2][3] __attribute__((depth(3)));\n"
    "channel int there __attribute__((depth(5))) __attribute__((intel_host_accessible));\n"
    "kernel void src(uint n) { for (uint i = 0; i < n; i++) write_channel_intel(c, i); }\n"
    "kernel void dst(global uint *o) { o[0] = read_channel_intel(c); }\n"
    "kernel void in(int n) { write_channel_intel(grid[n % 2][1], (float4)(n)); }\n"
    "kernel void host(global int *o) { o[0] = read_channel_intel(there); }\n"
    "kernel void arguments(read_only pipe int p, write_only pipe int q\n"
    "                      __attribute__((depth(7))) __attribute__((blocking)))\n"
    "{ int v; if (!read_pipe(p, &v)) write_pipe(q, &v); }\n",
};
static struct bench {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
} benches[2];

static struct seed {
    uint8_t *data; /* owned: the byte that chooses, then a good binary */
    size_t bytes;
} seeds[4];
static uint32_t seed_count;

static int add_seed(uint32_t which, cl_program program)
{
    struct seed *seed = &seeds[seed_count];
    size_t bytes = 0;
    if (sl_clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL))
        return 1;
    seed->bytes = bytes + 1;
    seed->data = malloc(seed->bytes);
    unsigned char *to = seed->data + 1;
    if (!seed->data || sl_clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof to, &to, NULL))
        return 1;
    seed->data[0] = (uint8_t)which;
    seed_count++;
    return 0;
}

static int add_parts(struct bench *b)
{
    const char *source = "int twice(int a) { return 2 * a; }\n"
                         "kernel void k(global int *a) { a[get_global_id(0)] = twice(*a); }\n";
    cl_int rc;
    cl_program object = sl_clCreateProgramWithSource(b->context, 1, &source, NULL, &rc);
    if (sl_clCompileProgram(object, 0, NULL, "", 0, NULL, NULL, NULL, NULL) || add_seed(0, object))
        return 1;
    cl_program library =
        sl_clLinkProgram(b->context, 0, NULL, "-create-library", 1, &object, NULL, NULL, &rc);
    if (!library || add_seed(0, library))
        return 1;
    sl_clReleaseProgram(object);
    return sl_clReleaseProgram(library);
}

static int open_bench(uint32_t which, cl_platform_id platform)
{
    struct bench *b = &benches[which];
    cl_device_type type = which ? CL_DEVICE_TYPE_ACCELERATOR : CL_DEVICE_TYPE_CPU;
    const char *source = sources[which];
    cl_int rc;
    if (sl_clGetDeviceIDs(platform, type, 1, &b->device, NULL))
        return 1;
    b->context = sl_clCreateContext(NULL, 1, &b->device, NULL, NULL, &rc);
    b->queue = sl_clCreateCommandQueueWithProperties(b->context, b->device, NULL, &rc);
    cl_program program = sl_clCreateProgramWithSource(b->context, 1, &source, NULL, &rc);
    if (sl_clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL) &&
        sl_clBuildProgram(program, 0, NULL, "", NULL, NULL))
        return 77; /* no compiler */
    if (add_seed(which, program))
        return 1;
    return sl_clReleaseProgram(program);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    cl_platform_id platform;
    cl_uint count;
    (void)argc, (void)argv;
    setenv("SLUICE_LOG_FILE", "/dev/null", 0);
    if (sl_clGetPlatformIDs(1, &platform, &count))
        return 1;
    for (uint32_t i = 0; i < 2; i++) {
        int rc = open_bench(i, platform);
        if (rc)
            return rc;
    }
    return add_parts(&benches[0]);
}

size_t fuzz_seed(uint32_t which, const uint8_t **data)
{
    if (which >= seed_count)
        return 0;
    *data = seeds[which].data;
    return seeds[which].bytes;
}

static void ask_kernel(struct bench *b, cl_kernel kernel)
{
    static char answer[4096];
    cl_uint count = 0;
    sl_clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
    for (cl_uint key = CL_KERNEL_FUNCTION_NAME; key <= CL_KERNEL_ATTRIBUTES; key++)
        sl_clGetKernelInfo(kernel, key, sizeof answer, answer, NULL);
    for (cl_uint key = CL_KERNEL_WORK_GROUP_SIZE; key <= CL_KERNEL_GLOBAL_WORK_SIZE; key++)
        sl_clGetKernelWorkGroupInfo(kernel, b->device, key, sizeof answer, answer, NULL);
    for (cl_uint i = 0; i < count && i < 64; i++) {
        for (cl_uint key = CL_KERNEL_ARG_ADDRESS_QUALIFIER; key <= CL_KERNEL_ARG_NAME; key++)
            sl_clGetKernelArgInfo(kernel, i, key, sizeof answer, answer, NULL);
        for (size_t size = 1; size <= 256; size *= 2) {
            sl_clSetKernelArg(kernel, i, size, NULL);
            memset(answer, 0, size); /* NULL handles, numbers that are 0 */
            sl_clSetKernelArg(kernel, i, size, answer);
        }
    }
    cl_int rc;
    cl_kernel copy = sl_clCloneKernel(kernel, &rc);
    if (copy)
        sl_clReleaseKernel(copy);
}

static void ask(struct bench *b, cl_program program)
{
    static char answer[1 << 16];
    cl_kernel kernels[64];
    cl_uint count = 0;
    cl_int word = 0;
    for (cl_uint key = CL_PROGRAM_NUM_KERNELS; key <= CL_PROGRAM_KERNEL_NAMES; key++)
        sl_clGetProgramInfo(program, key, sizeof answer, answer, NULL);
    for (cl_uint key = CL_PROGRAM_BUILD_STATUS; key <= CL_PROGRAM_BINARY_TYPE; key++)
        sl_clGetProgramBuildInfo(program, b->device, key, sizeof answer, answer, NULL);
    sl_clEnqueueReadHostPipeINTEL(b->queue, program, "there", CL_FALSE, &word, 4, 0, NULL, NULL);
    sl_clEnqueueWriteHostPipeINTEL(b->queue, program, "there", CL_FALSE, &word, 4, 0, NULL, NULL);
    if (sl_clCreateKernelsInProgram(program, 64, kernels, &count))
        return;
    for (cl_uint i = 0; i < count; i++) {
        ask_kernel(b, kernels[i]);
        sl_clReleaseKernel(kernels[i]);
    }
}

static void fill_with_returns(uint8_t *elf, size_t bytes)
{
    enum { RETURN = 0xc3 };
    Elf64_Ehdr head;
    Elf64_Phdr p;
    if (bytes < sizeof head)
        return;
    memcpy(&head, elf, sizeof head);
    if (head.e_phoff > bytes || head.e_phnum > (bytes - head.e_phoff) / sizeof p)
        return;
    for (size_t i = 0, end = head.e_phoff + head.e_phnum * sizeof p; i < head.e_phnum; i++) {
        memcpy(&p, elf + head.e_phoff + i * sizeof p, sizeof p);
        if (!(p.p_flags & PF_X) || p.p_offset > bytes || p.p_filesz > bytes - p.p_offset)
            continue;
        size_t from = p.p_offset < end ? end : p.p_offset, to = p.p_offset + p.p_filesz;
        if (from < to)
            memset(elf + from, RETURN, to - from);
    }
}

static void disarm(uint8_t *container, size_t bytes)
{
    struct sl_binary_header header;
    if (bytes < sizeof header)
        return;
    memcpy(&header, container, sizeof header);
    if (header.payload_bytes <= bytes - sizeof header)
        fill_with_returns(container + bytes - SL_BINARY_PAD(header.payload_bytes),
                          header.payload_bytes);
}

/* The checksum is made right, so that the rest is looked at. */
static void sum(uint8_t *container, size_t bytes)
{
    const size_t after = offsetof(struct sl_binary_header, checksum) + 16;
    struct sl_binary_header header;
    if (bytes < sizeof header)
        return;
    struct sl_hash hash = sl_hash_bytes(container + after, bytes - after);
    memcpy(container + offsetof(struct sl_binary_header, checksum), &hash.low, sizeof hash.low);
    memcpy(container + offsetof(struct sl_binary_header, checksum) + 8, &hash.high,
           sizeof hash.high);
}

static void refuse(const char *what, cl_int rc)
{
    fprintf(stderr, "%s: %d\n", what, rc);
    abort();
}

/* Binaries get no other codes, and a reason with each that the application can ask for. */
static void check_build(struct bench *b, cl_program program, cl_int rc)
{
    static char log[1 << 16];
    cl_build_status status = CL_BUILD_NONE;
    size_t bytes = 0;
    sl_clGetProgramBuildInfo(program, b->device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status,
                             NULL);
    if (status != (rc ? CL_BUILD_ERROR : CL_BUILD_SUCCESS))
        refuse("the status of a build", status);
    if (rc && rc != CL_BUILD_PROGRAM_FAILURE && rc != CL_INVALID_BINARY &&
        rc != CL_OUT_OF_RESOURCES && rc != CL_OUT_OF_HOST_MEMORY)
        refuse("the code of a build", rc);
    if (sl_clGetProgramBuildInfo(program, b->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, &bytes))
        return; /* a long one */
    if (rc && !log[0])
        refuse("a build fails without a log", rc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct bench *b = &benches[bytes ? data[0] & 1 : 0];
    if (bytes < 2)
        return 0;
    size_t size = bytes - 1;
    unsigned char *copy = malloc(size); /* of that size, so that a read behind it shows */
    if (!copy)
        return 0;
    memcpy(copy, data + 1, size);
    disarm(copy, size);
    sum(copy, size);
    const unsigned char *at = copy;
    cl_int rc, status;
    cl_program program =
        sl_clCreateProgramWithBinary(b->context, 1, &b->device, &size, &at, &status, &rc);
    free(copy);
    if (rc != status || !program != (rc != CL_SUCCESS) || (rc && rc != CL_INVALID_BINARY))
        refuse("the code of a binary", rc);
    if (program) {
        rc = sl_clBuildProgram(program, 0, NULL, "", NULL, NULL);
        check_build(b, program, rc);
        if (!rc)
            ask(b, program);
    }
    if (program)
        sl_clReleaseProgram(program);
    sl_clFinish(b->queue);
    return 0;
}
