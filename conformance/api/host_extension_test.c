/* SPDX-License-Identifier: Apache-2.0 */
/* Extensions of the host's side: addresses of buffers, objects that nothing writes to, queues with
 * priorities. */
#include "cl_help.h"

#include <CL/cl_ext_sluice.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void need(const char *extension)
{
    if (!has_extension(extension))
        check_skip(extension);
}

/* ---- cl_ext_buffer_device_address ------------------------------------------------------------ */

static clSetKernelArgDevicePointerEXT_sluice_t *set_pointer;

static void find_set_pointer(void)
{
    need("cl_ext_buffer_device_address");
    void *found =
        clGetExtensionFunctionAddressForPlatform(cl.platform, "clSetKernelArgDevicePointerEXT");
    REQUIRE(found);
    memcpy(&set_pointer, &found, sizeof found);
}

static cl_mem addressed(cl_mem_flags flags, size_t size, void *host, cl_ulong *address)
{
    const cl_mem_properties list[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
    size_t bytes = 0;
    cl_int rc;
    cl_mem mem = clCreateBufferWithProperties(cl.context, list, flags, size, host, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(
        clGetMemObjectInfo(mem, CL_MEM_DEVICE_ADDRESS_EXT, sizeof *address, address, &bytes));
    CHECK_EQ(bytes, sizeof *address); /* one device, one address */
    CHECK(*address);
    return mem;
}

/* A chain of buffers: the kernel is told where the first one is, and each holds the next address.
 */
static void addresses(void)
{
    static const char source[] = "struct node { global struct node *next; int value[3]; };\n"
                                 "kernel void k(global const struct node *at, global int *out)\n"
                                 "{\n"
                                 "    int i = get_global_id(0), sum = 0;\n"
                                 "    for (; at; at = at->next) sum = sum * 10 + at->value[i];\n"
                                 "    out[i] = sum;\n"
                                 "}\n";
    struct node {
        cl_ulong next;
        cl_int value[3];
    } node;
    enum { NODES = 5 };
    cl_mem nodes[NODES];
    cl_ulong at[NODES], next = 0, to;
    cl_int got[7] = {0};
    find_set_pointer();
    for (int i = NODES - 1; i >= 0; i--) {
        node = (struct node){next, {i, i + 1, i + 2}};
        nodes[i] = addressed(CL_MEM_COPY_HOST_PTR, sizeof node, &node, &at[i]);
        next = at[i];
    }
    cl_mem out = addressed(0, sizeof got, NULL, &to);
    cl_kernel kernel = new_kernel(source, "k", NULL);
    CHECK_OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, sizeof at, at));
    CHECK_OK(set_pointer(kernel, 0, at[0]));
    CHECK_OK(set_pointer(kernel, 1, to + 4 * sizeof(cl_int))); /* anywhere in a buffer */
    run_1d(kernel, 3, 1);
    read_back(out, sizeof got, got);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(got[4 + i], 1234 + 11111 * i);
    CHECK_OK(set_pointer(kernel, 0, at[3])); /* the value is what counts, not the buffer */
    CHECK_OK(set_pointer(kernel, 1, to));
    run_1d(kernel, 3, 1);
    read_back(out, sizeof got, got);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(got[i], 34 + 11 * i);
    CHECK_OK(set_pointer(kernel, 0, 0)); /* no node at all */
    run_1d(kernel, 3, 1);
    read_back(out, sizeof got, got);
    CHECK_EQ(got[0], 0);
    CHECK_OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, 0, NULL));
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(out);
    for (int i = 0; i < NODES; i++)
        RELEASE_MEM(nodes[i]);
}

/* Fixed for the buffer's life, and what lies there is what the host reads; a part is inside. */
static void addresses_stay(void)
{
    cl_ulong at, again, inside;
    cl_int fill = 77, got[4096];
    size_t align = device_uint(CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
    const cl_buffer_region region = {align, 64};
    cl_int rc;
    find_set_pointer();
    cl_mem mem = addressed(0, sizeof got, NULL, &at);
    CHECK_OK(clEnqueueFillBuffer(cl.queue, mem, &fill, sizeof fill, 0, sizeof got, 0, NULL, NULL));
    read_back(mem, sizeof got, got);
    CHECK_EQ(got[4095], 77);
    CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_DEVICE_ADDRESS_EXT, sizeof again, &again, NULL));
    CHECK_EQ(at, again);
    cl_mem part = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &rc);
    REQUIRE_OK(rc);
    cl_kernel kernel =
        new_kernel("kernel void k(global int *a, global int *b) { b[1] = a[0] + 1; }", "k", NULL);
    ARG(kernel, 0, part); /* both ways to say where: as a buffer and as a number */
    inside = at + align;
    CHECK_OK(set_pointer(kernel, 1, inside));
    run_1d(kernel, 1, 1);
    read_back(part, 2 * sizeof *got, got);
    CHECK_EQ(got[1], 78);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(part);
    RELEASE_MEM(mem);
}

static void address_errors(void)
{
    const cl_mem_properties off[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_FALSE, 0};
    const cl_mem_properties wrong[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, 2, 0};
    const cl_mem_properties twice[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE,
                                       CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
    cl_ulong at;
    cl_int rc;
    find_set_pointer();
    cl_mem plain = new_buffer(0, 64, NULL);
    cl_mem none = clCreateBufferWithProperties(cl.context, off, 0, 64, NULL, &rc);
    REQUIRE_OK(rc);
    FAILS(CL_INVALID_OPERATION,
          clGetMemObjectInfo(plain, CL_MEM_DEVICE_ADDRESS_EXT, sizeof at, &at, NULL));
    FAILS(CL_INVALID_OPERATION,
          clGetMemObjectInfo(none, CL_MEM_DEVICE_ADDRESS_EXT, sizeof at, &at, NULL));
    CREATE_FAILS(CL_INVALID_PROPERTY,
                 clCreateBufferWithProperties(cl.context, wrong, 0, 64, NULL, ERR));
    CREATE_FAILS(CL_INVALID_PROPERTY,
                 clCreateBufferWithProperties(cl.context, twice, 0, 64, NULL, ERR));
    cl_mem mem = addressed(0, 64, NULL, &at);
    FAILS(CL_INVALID_VALUE, clGetMemObjectInfo(mem, CL_MEM_DEVICE_ADDRESS_EXT, 4, &at, NULL));
    cl_kernel kernel = new_kernel(
        "kernel void k(global int *a, constant int *b, local int *c, int d) { a[0] = d; }", "k",
        NULL);
    CHECK_OK(set_pointer(kernel, 0, at));
    for (cl_uint i = 1; i < 5; i++)
        FAILS(CL_INVALID_ARG_INDEX, set_pointer(kernel, i, at));
    FAILS(CL_INVALID_KERNEL, set_pointer(NULL, 0, at));
    FAILS(CL_INVALID_VALUE,
          clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, 7, &at));
    FAILS(CL_INVALID_VALUE,
          clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, 8, NULL));
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
    RELEASE_MEM(none);
    RELEASE_MEM(plain);
}

/* ---- cl_ext_immutable_memory_objects --------------------------------------------------------- */

enum { CELLS = 64 };
static const cl_image_format plain_format = {CL_R, CL_UNSIGNED_INT8};

static void fill_cells(cl_int cells[CELLS])
{
    for (int i = 0; i < CELLS; i++)
        cells[i] = i * 5 + 1;
}

static cl_mem immutable_buffer(cl_mem_flags flags, cl_int cells[CELLS])
{
    cl_int rc;
    fill_cells(cells);
    cl_mem mem =
        clCreateBuffer(cl.context, CL_MEM_IMMUTABLE_EXT | flags, CELLS * sizeof *cells, cells, &rc);
    REQUIRE_OK(rc);
    return mem;
}

static void immutable_creation(void)
{
    cl_int cells[CELLS] = {0};
    cl_mem_flags flags = 0;
    need("cl_ext_immutable_memory_objects");
    const cl_mem_flags im = CL_MEM_IMMUTABLE_EXT, copy = CL_MEM_COPY_HOST_PTR;
    const cl_mem_flags bad[] = {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_HOST_WRITE_ONLY};
    for (size_t i = 0; i < LEN(bad); i++)
        CREATE_FAILS(CL_INVALID_VALUE,
                     clCreateBuffer(cl.context, im | copy | bad[i], sizeof cells, cells, ERR));
    CREATE_FAILS(CL_INVALID_VALUE, clCreateBuffer(cl.context, im, sizeof cells, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE,
                 clCreateBuffer(cl.context, im | CL_MEM_ALLOC_HOST_PTR, sizeof cells, NULL, ERR));
    CREATE_FAILS(CL_INVALID_HOST_PTR,
                 clCreateBuffer(cl.context, im | copy, sizeof cells, NULL, ERR));
    const cl_mem_flags good[] = {copy,
                                 CL_MEM_USE_HOST_PTR,
                                 copy | CL_MEM_READ_ONLY,
                                 copy | CL_MEM_ALLOC_HOST_PTR,
                                 copy | CL_MEM_HOST_READ_ONLY,
                                 CL_MEM_USE_HOST_PTR | CL_MEM_HOST_NO_ACCESS};
    for (size_t i = 0; i < LEN(good); i++) {
        cl_mem mem = immutable_buffer(good[i], cells);
        CHECK_OK(clGetMemObjectInfo(mem, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
        CHECK_EQ(flags, im | good[i]);
        RELEASE_MEM(mem);
    }
    cl_device_svm_capabilities svm = 0;
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
    if (svm)
        CHECK(!clSVMAlloc(cl.context, im, 64, 0));
}

/* A part of one is one, whatever its flags say. */
static void immutable_parts(void)
{
    const cl_buffer_region region = {0, 64};
    const cl_mem_flags bad[] = {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_HOST_WRITE_ONLY};
    cl_int cells[CELLS], value = 9;
    cl_mem_flags flags = 0;
    cl_int rc;
    need("cl_ext_immutable_memory_objects");
    cl_mem mem = immutable_buffer(CL_MEM_COPY_HOST_PTR, cells);
    for (size_t i = 0; i < LEN(bad); i++)
        CREATE_FAILS(CL_INVALID_VALUE,
                     clCreateSubBuffer(mem, bad[i], CL_BUFFER_CREATE_TYPE_REGION, &region, ERR));
    const cl_mem_flags good[] = {0, CL_MEM_READ_ONLY, CL_MEM_IMMUTABLE_EXT};
    for (size_t i = 0; i < LEN(good); i++) {
        cl_mem part = clCreateSubBuffer(mem, good[i], CL_BUFFER_CREATE_TYPE_REGION, &region, &rc);
        REQUIRE_OK(rc);
        CHECK_OK(clGetMemObjectInfo(part, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
        CHECK(flags & CL_MEM_IMMUTABLE_EXT);
        FAILS(CL_INVALID_OPERATION,
              clEnqueueWriteBuffer(cl.queue, part, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
        RELEASE_MEM(part);
    }
    RELEASE_MEM(mem);
}

/* Nothing but reading, with every command that names a buffer. */
static void immutable_buffers(void)
{
    const size_t origin[3] = {0}, region[3] = {8, 1, 1};
    cl_int cells[CELLS], got[CELLS] = {0}, value = 9;
    need("cl_ext_immutable_memory_objects");
    cl_mem mem = immutable_buffer(CL_MEM_COPY_HOST_PTR, cells), other = new_buffer(0, 256, NULL);
    FAILS(CL_INVALID_OPERATION,
          clEnqueueWriteBuffer(cl.queue, mem, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION, clEnqueueWriteBufferRect(cl.queue, mem, CL_TRUE, origin, origin,
                                                         region, 0, 0, 0, 0, got, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION, clEnqueueCopyBuffer(cl.queue, other, mem, 0, 0, 16, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION, clEnqueueCopyBufferRect(cl.queue, other, mem, origin, origin,
                                                        region, 0, 0, 0, 0, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          clEnqueueFillBuffer(cl.queue, mem, &value, 4, 0, 16, 0, NULL, NULL));
    CREATE_FAILS(CL_INVALID_OPERATION, clEnqueueMapBuffer(cl.queue, mem, CL_TRUE, CL_MAP_WRITE, 0,
                                                          16, 0, NULL, NULL, ERR));
    CREATE_FAILS(CL_INVALID_OPERATION,
                 clEnqueueMapBuffer(cl.queue, mem, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, 16,
                                    0, NULL, NULL, ERR));
    CHECK_OK(clEnqueueCopyBuffer(cl.queue, mem, other, 0, 0, 256, 0, NULL, NULL));
    read_back(other, sizeof got, got);
    CHECK(!memcmp(got, cells, sizeof got));
    cl_int rc;
    void *map =
        clEnqueueMapBuffer(cl.queue, mem, CL_TRUE, CL_MAP_READ, 0, sizeof got, 0, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    CHECK(!memcmp(map, cells, sizeof got));
    CHECK_OK(clEnqueueUnmapMemObject(cl.queue, mem, map, 0, NULL, NULL));
    cl_kernel kernel =
        new_kernel("kernel void k(global const int *a, constant int *b, global int *c)\n"
                   "{ int i = get_global_id(0); c[i] = a[i] * 2 + b[63 - i]; }",
                   "k", NULL);
    ARG(kernel, 0, mem);
    ARG(kernel, 1, mem);
    ARG(kernel, 2, other);
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 2, sizeof mem, &mem));
    run_1d(kernel, CELLS, 0);
    read_back(other, sizeof got, got);
    for (int i = 0; i < CELLS; i++)
        CHECK_EQ(got[i], cells[i] * 2 + cells[63 - i]);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(other);
    RELEASE_MEM(mem);
}

static cl_mem immutable_image(cl_uchar pixels[CELLS])
{
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
    cl_int rc;
    for (int i = 0; i < CELLS; i++)
        pixels[i] = (cl_uchar)(i * 3 + 2);
    CREATE_FAILS(CL_INVALID_VALUE,
                 clCreateImage(cl.context, CL_MEM_IMMUTABLE_EXT, &plain_format, &desc, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE,
                 clCreateImage(cl.context,
                               CL_MEM_IMMUTABLE_EXT | CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                               &plain_format, &desc, pixels, ERR));
    cl_mem image = clCreateImage(cl.context, CL_MEM_IMMUTABLE_EXT | CL_MEM_COPY_HOST_PTR,
                                 &plain_format, &desc, pixels, &rc);
    REQUIRE_OK(rc);
    return image;
}

static void immutable_images(void)
{
    const size_t origin[3] = {0}, region[3] = {8, 8, 1};
    const cl_uint color[4] = {1, 2, 3, 4};
    cl_uchar pixels[CELLS], got[CELLS] = {0};
    size_t pitch;
    cl_int rc;
    need("cl_ext_immutable_memory_objects");
    if (!device_uint(CL_DEVICE_IMAGE_SUPPORT))
        check_skip("no images");
    cl_mem image = immutable_image(pixels), buffer = new_buffer(0, CELLS, NULL);
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
    cl_mem plain = clCreateImage(cl.context, 0, &plain_format, &desc, NULL, &rc);
    REQUIRE_OK(rc);
    FAILS(CL_INVALID_OPERATION, clEnqueueWriteImage(cl.queue, image, CL_TRUE, origin, region, 0, 0,
                                                    pixels, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          clEnqueueCopyImage(cl.queue, plain, image, origin, origin, region, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          clEnqueueCopyBufferToImage(cl.queue, buffer, image, 0, origin, region, 0, NULL, NULL));
    FAILS(CL_INVALID_OPERATION,
          clEnqueueFillImage(cl.queue, image, color, origin, region, 0, NULL, NULL));
    CREATE_FAILS(CL_INVALID_OPERATION,
                 clEnqueueMapImage(cl.queue, image, CL_TRUE, CL_MAP_WRITE, origin, region, &pitch,
                                   NULL, 0, NULL, NULL, ERR));
    CREATE_FAILS(CL_INVALID_OPERATION,
                 clEnqueueMapImage(cl.queue, image, CL_TRUE, CL_MAP_WRITE, origin, region, NULL,
                                   NULL, 0, NULL, NULL, ERR));
    CHECK_OK(clEnqueueCopyImageToBuffer(cl.queue, image, buffer, origin, region, 0, 0, NULL, NULL));
    read_back(buffer, sizeof got, got);
    CHECK(!memcmp(got, pixels, sizeof got));
    CHECK_OK(clEnqueueCopyImage(cl.queue, image, plain, origin, origin, region, 0, NULL, NULL));
    cl_kernel kernel = new_kernel("kernel void k(read_only image2d_t a, write_only image2d_t b)\n"
                                  "{ int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
                                  "  write_imageui(b, at.yx, read_imageui(a, at)); }",
                                  "k", NULL);
    const size_t global[2] = {8, 8};
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 1, sizeof image, &image));
    ARG(kernel, 0, image);
    ARG(kernel, 1, plain);
    run_nd(kernel, 2, NULL, global, NULL);
    CHECK_OK(
        clEnqueueReadImage(cl.queue, plain, CL_TRUE, origin, region, 0, 0, got, 0, NULL, NULL));
    for (int i = 0; i < CELLS; i++)
        CHECK_EQ(got[i], pixels[i % 8 * 8 + i / 8]);
    RELEASE_KERNEL(kernel);
    kernel = new_kernel("kernel void k(read_write image2d_t a)\n"
                        "{ int2 at = (int2)(0); write_imageui(a, at, read_imageui(a, at)); }",
                        "k", "-cl-std=CL3.0");
    FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 0, sizeof image, &image));
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(plain);
    RELEASE_MEM(buffer);
    RELEASE_MEM(image);
}

/* Over a buffer that is immutable an image has to say that it is so. */
static void immutable_views(void)
{
    cl_int cells[CELLS];
    cl_uint count = 0;
    cl_int rc;
    need("cl_ext_immutable_memory_objects");
    if (!device_uint(CL_DEVICE_IMAGE_SUPPORT))
        check_skip("no images");
    cl_mem mem = immutable_buffer(CL_MEM_COPY_HOST_PTR, cells);
    const cl_image_desc line = {
        .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = CELLS, .mem_object = mem};
    CREATE_FAILS(CL_INVALID_VALUE, clCreateImage(cl.context, 0, &plain_format, &line, NULL, ERR));
    CREATE_FAILS(CL_INVALID_VALUE,
                 clCreateImage(cl.context, CL_MEM_READ_ONLY, &plain_format, &line, NULL, ERR));
    cl_mem image = clCreateImage(cl.context, CL_MEM_IMMUTABLE_EXT, &plain_format, &line, NULL, &rc);
    REQUIRE_OK(rc);
    const cl_uint color[4] = {0};
    const size_t origin[3] = {0}, region[3] = {8, 1, 1};
    FAILS(CL_INVALID_OPERATION,
          clEnqueueFillImage(cl.queue, image, color, origin, region, 0, NULL, NULL));
    CHECK_OK(clGetSupportedImageFormats(cl.context, CL_MEM_IMMUTABLE_EXT, CL_MEM_OBJECT_IMAGE2D, 0,
                                        NULL, &count));
    CHECK(count);
    RELEASE_MEM(image);
    RELEASE_MEM(mem);
}

/* ---- cl_khr_priority_hints ------------------------------------------------------------------- */

static cl_command_queue queue_of(cl_queue_properties priority, cl_command_queue_properties bits)
{
    const cl_queue_properties list[] = {CL_QUEUE_PRIORITY_KHR, priority, CL_QUEUE_PROPERTIES, bits,
                                        0};
    cl_queue_properties got[5] = {0};
    cl_int rc;
    cl_command_queue queue = clCreateCommandQueueWithProperties(cl.context, cl.device, list, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof got, got, NULL));
    CHECK(!memcmp(got, list, sizeof list));
    return queue;
}

static void priority_errors(void)
{
    const cl_queue_properties bad[][5] = {
        {CL_QUEUE_PRIORITY_KHR, 0, 0},
        {CL_QUEUE_PRIORITY_KHR, 3, 0},
        {CL_QUEUE_PRIORITY_KHR, 8, 0},
        {CL_QUEUE_PRIORITY_KHR, 1, CL_QUEUE_PRIORITY_KHR, 1, 0},
        {CL_QUEUE_PRIORITY_KHR, (cl_queue_properties)1 << 40 | 1, 0},
    };
    const cl_queue_properties on_device[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
        CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_LOW_KHR, 0};
    need("cl_khr_priority_hints");
    for (size_t i = 0; i < LEN(bad); i++)
        CREATE_FAILS(CL_INVALID_VALUE,
                     clCreateCommandQueueWithProperties(cl.context, cl.device, bad[i], ERR));
    CREATE_FAILS(CL_INVALID_QUEUE_PROPERTIES,
                 clCreateCommandQueueWithProperties(cl.context, cl.device, on_device, ERR));
}

static const char order_source[] =
    "kernel void k(volatile global int *counter, global int *order, int me, int turns)\n"
    "{\n"
    "    float x = me;\n"
    "    for (int i = 0; i < turns; i++) x = native_sin(x) + 0.5f;\n"
    "    order[me] = atomic_inc(counter) + (x > 3);\n"
    "}\n";

enum { RACERS = 60 };

static void enqueue_racers(cl_command_queue queue, cl_kernel kernel, int first, cl_event gate)
{
    const size_t one = 1;
    for (int i = first; i < first + RACERS; i++) {
        ARG(kernel, 2, i);
        REQUIRE_OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 1, &gate, NULL));
    }
    REQUIRE_OK(clFlush(queue));
}

/* No thread of ours waits for one of the queues: it would run that one's work first. */
static void wait_for_counter(cl_mem counter, int want)
{
    const struct timespec pause = {0, 2000000};
    cl_int done = 0;
    for (int tries = 0; done < want && tries < 10000; tries++) {
        nanosleep(&pause, NULL);
        read_back(counter, sizeof done, &done);
    }
    CHECK_EQ(done, want);
}

struct race {
    cl_command_queue low, high;
    cl_kernel kernel;
    cl_mem counter, places;
};

/* Work of both comes at once: did that of the high one begin first, although it was enqueued last?
 */
static bool high_is_first(const struct race *race)
{
    cl_int order[2 * RACERS], zero = 0, rc;
    long sums[2] = {0, 0};
    cl_event gate = clCreateUserEvent(cl.context, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clEnqueueWriteBuffer(cl.queue, race->counter, CL_TRUE, 0, sizeof zero, &zero, 0,
                                    NULL, NULL));
    enqueue_racers(race->low, race->kernel, 0, gate);
    enqueue_racers(race->high, race->kernel, RACERS, gate);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    wait_for_counter(race->counter, 2 * RACERS);
    CHECK_OK(clFinish(race->low));
    CHECK_OK(clFinish(race->high));
    read_back(race->places, sizeof order, order);
    for (int i = 0; i < 2 * RACERS; i++)
        sums[i / RACERS] += order[i];
    CHECK_EQ(sums[0] + sums[1], (long)RACERS * (2 * RACERS - 1));
    RELEASE_EVENT(gate);
    return sums[1] < sums[0];
}

/* On a busy machine the low one's work may be done before this thread has handed over the other's:
 * that does not happen each time. */
static void priorities(void)
{
    enum { RACES = 6 };
    cl_int turns = 20000;
    need("cl_khr_priority_hints");
    const cl_command_queue_properties free = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    const struct race race = {
        .low = queue_of(CL_QUEUE_PRIORITY_LOW_KHR, free),
        .high = queue_of(CL_QUEUE_PRIORITY_HIGH_KHR, free),
        .kernel = new_kernel(order_source, "k", NULL),
        .counter = new_buffer(0, sizeof(cl_int), NULL),
        .places = new_buffer(0, 2 * RACERS * sizeof(cl_int), NULL),
    };
    RELEASE_QUEUE(queue_of(CL_QUEUE_PRIORITY_MED_KHR, 0));
    ARG(race.kernel, 0, race.counter);
    ARG(race.kernel, 1, race.places);
    ARG(race.kernel, 3, turns);
    bool first = high_is_first(&race);
    for (int i = 1; i < RACES && is_sluice() && !first; i++)
        first = high_is_first(&race);
    if (is_sluice()) /* elsewhere a hint may be worth nothing */
        CHECK(first);
    RELEASE_QUEUE(race.low);
    RELEASE_QUEUE(race.high);
    RELEASE_KERNEL(race.kernel);
    RELEASE_MEM(race.counter);
    RELEASE_MEM(race.places);
}

static const struct test_case cases[] = {
    CASE(addresses),          CASE(addresses_stay),  CASE(address_errors),
    CASE(immutable_creation), CASE(immutable_parts), CASE(immutable_buffers),
    CASE(immutable_images),   CASE(immutable_views), CASE(priority_errors),
    CASE(priorities),
};
TEST_MAIN("api_host_extension", cases)
