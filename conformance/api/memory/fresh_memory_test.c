/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What nobody has written yet is zero: of buffers, images, shared virtual and unified shared
 * memory, and of packets that are reserved and given on as they are. The specification promises
 * nothing, but programs count on it, and others' data are nobody's business. Before each allocation
 * blocks of its size are filled and given back, so that there is memory to be used again.
 */
#include "usm_help.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 4, MOST = 6 << 20, ROUNDS = 3 };

static const size_t sizes[] = {1,       17,    100,         640,        4096,    5000,
                               65535,   65536, 131072 + 24, 200 * 1000, 1 << 20, (3 << 20) + 5,
                               4 << 20, MOST};

static void leave_dirt(size_t size)
{
    unsigned char *blocks[BLOCKS];
    cl_mem mems[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = malloc(size + 200);
        REQUIRE(blocks[i]);
        memset(blocks[i], 0xa5, size + 200);
    }
    for (int i = 0; i < BLOCKS; i++)
        mems[i] = new_buffer(CL_MEM_COPY_HOST_PTR, size, blocks[i]);
    for (int i = 0; i < BLOCKS; i++) {
        free(blocks[i]);
        RELEASE_MEM(mems[i]);
    }
}

static void check_zeros(const char *what, size_t size, const unsigned char *bytes)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i]) {
            check_fail(__FILE__, __LINE__, "%s of %zu bytes: byte %zu is %#x", what, size, i,
                       bytes[i]);
            return;
        }
}

static unsigned char bytes[MOST];

static void buffers(void)
{
    for (size_t i = 0; i < LEN(sizes) * ROUNDS; i++) {
        const size_t size = sizes[i % LEN(sizes)];
        leave_dirt(size);
        cl_mem mem = new_buffer(i & 1 ? CL_MEM_ALLOC_HOST_PTR : 0, size, NULL);
        memset(bytes, 1, size);
        read_back(mem, size, bytes);
        check_zeros("buffer", size, bytes);
        RELEASE_MEM(mem);
    }
}

static void buffers_in_kernels(void)
{
    cl_kernel kernel = new_kernel("kernel void k(global const uint *in, global uint *out) {"
                                  " atomic_or(out, in[get_global_id(0)]); }",
                                  "k", "");
    for (size_t i = 0; i < LEN(sizes); i++) {
        const size_t items = sizes[i] / 4;
        cl_uint any = 0;
        if (!items)
            continue;
        leave_dirt(sizes[i]);
        cl_mem in = new_buffer(CL_MEM_READ_ONLY, sizes[i], NULL), out = new_buffer(0, 4, NULL);
        ARG(kernel, 0, in);
        ARG(kernel, 1, out);
        run_1d(kernel, items, 0);
        read_back(out, 4, &any);
        CHECK_EQ(any, 0);
        RELEASE_MEM(in);
        RELEASE_MEM(out);
    }
    RELEASE_KERNEL(kernel);
}

/* The rest of memory that was copied from elsewhere is none of that either. */
static void images(void)
{
    static const size_t widths[] = {3, 33, 129, 400};
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    if (!device_uint(CL_DEVICE_IMAGE_SUPPORT))
        check_skip("no images");
    for (size_t i = 0; i < LEN(widths) * ROUNDS; i++) {
        const size_t width = widths[i % LEN(widths)], size = width * width * 4;
        const cl_image_desc desc = {
            .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = width};
        const size_t origin[3] = {0}, region[3] = {width, width, 1};
        cl_int rc;
        leave_dirt(size);
        cl_mem image = clCreateImage(cl.context, 0, &format, &desc, NULL, &rc);
        REQUIRE_OK(rc);
        memset(bytes, 1, size);
        CHECK_OK(clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, region, 0, 0, bytes, 0, NULL,
                                    NULL));
        check_zeros("image", size, bytes);
        RELEASE_MEM(image);
    }
}

static void shared_memory(void)
{
    cl_device_svm_capabilities svm = 0;
    REQUIRE_OK(clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
    if (!svm)
        check_skip("no shared virtual memory");
    for (size_t i = 0; i < LEN(sizes) * ROUNDS; i++) {
        const size_t size = sizes[i % LEN(sizes)];
        leave_dirt(size);
        void *pointer = clSVMAlloc(cl.context, 0, size, i & 1 ? 64 : 0);
        REQUIRE(pointer);
        CHECK_OK(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_READ, pointer, size, 0, NULL, NULL));
        check_zeros("shared virtual memory", size, pointer);
        CHECK_OK(clEnqueueSVMUnmap(cl.queue, pointer, 0, NULL, NULL));
        CHECK_OK(clFinish(cl.queue));
        clSVMFree(cl.context, pointer);
    }
}

static void unified_memory(void)
{
    usm_need();
    for (size_t i = 0; i < LEN(sizes) * USM_KINDS; i++) {
        const size_t size = sizes[i % LEN(sizes)];
        leave_dirt(size);
        void *pointer = usm_alloc((int)(i / LEN(sizes)), size);
        memset(bytes, 1, size);
        usm_copy(bytes, pointer, size);
        check_zeros("unified shared memory", size, bytes);
        usm_release(pointer);
    }
}

static void packets(void)
{
    enum { PACKETS = 24, ROOM = 40 };
    typedef cl_uint packet[4];
    cl_bool has_pipes = CL_FALSE;
    packet got[PACKETS];
    if (clGetDeviceInfo(cl.device, CL_DEVICE_PIPE_SUPPORT, sizeof has_pipes, &has_pipes, NULL) ||
        !has_pipes)
        check_skip("no pipes");
    cl_program program =
        built("kernel void w(write_only pipe uint4 p) {"
              " reserve_id_t r = reserve_write_pipe(p, 24); commit_write_pipe(p, r); }\n"
              "kernel void r(read_only pipe uint4 p, global uint4 *out) {"
              " for (int i = 0; i < 24; i++) { out[i] = 1; while (read_pipe(p, out + i)); } }",
              "-cl-std=CL3.0");
    cl_kernel writer = kernel_of(program, "w"), reader = kernel_of(program, "r");
    cl_int rc;
    leave_dirt(64 * sizeof(packet));
    cl_mem pipe = clCreatePipe(cl.context, 0, sizeof(packet), ROOM, NULL, &rc);
    REQUIRE_OK(rc);
    cl_mem out = new_buffer(0, sizeof got, NULL);
    ARG(writer, 0, pipe);
    ARG(reader, 0, pipe);
    ARG(reader, 1, out);
    run_1d(writer, 1, 1);
    run_1d(reader, 1, 1);
    read_back(out, sizeof got, got);
    check_zeros("packets", sizeof got, (const unsigned char *)got);
    RELEASE_MEM(pipe);
    RELEASE_MEM(out);
    RELEASE_KERNEL(writer);
    RELEASE_KERNEL(reader);
    RELEASE_PROGRAM(program);
}

static const struct test_case cases[] = {
    CASE(buffers),       CASE(buffers_in_kernels), CASE(images),
    CASE(shared_memory), CASE(unified_memory),     CASE(packets),
};
TEST_MAIN("fresh_memory", cases)
