/* SPDX-License-Identifier: Apache-2.0 */
/* cl_khr_command_buffer: what replays compute, against plain C; life and queries. */
#include "command_buffer_help.h"
#include "reference.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = CB_COUNT };

static const char source[] = CB_AXPB
    "kernel void mix_in(global uint *to, global const uint *a, global const uint *b, uint k) {\n"
    "    size_t i = get_global_id(0); to[i] = a[i] * 3u + b[i] + k; }\n";

static uint32_t want[COUNT], back[COUNT];

/* ---- values ---------------------------------------------------------------------------------- */

/* Each kernel needs what the one before has made. The arguments are those of the recording. */
static void chain(void)
{
    cb_need();
    enum { LONG = 300, ROUNDS = 5 };
    cl_program program = built(source, NULL);
    random_fill(want, sizeof want);
    cl_mem x = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof want, want);
    cl_kernel kernel = cb_axpb(program, x, 0, 0);
    cl_command_buffer_khr buffer = cb_new(cl.queue, 0);
    for (cl_uint k = 0; k < LONG; k++) {
        const cl_uint a = 2 * k + 3;
        ARG(kernel, 1, a);
        ARG(kernel, 2, k);
        cb_launch(buffer, kernel, COUNT - k % 7, 0, NULL);
    }
    const cl_uint other = 77;
    ARG(kernel, 1, other);
    cb_finalize(buffer);
    for (int round = 0; round < ROUNDS; round++) {
        CHECK_OK(cb.enqueue(0, NULL, buffer, 0, NULL, NULL));
        for (cl_uint k = 0; k < LONG; k++)
            for (size_t i = 0; i < COUNT - k % 7; i++)
                want[i] = want[i] * (2 * k + 3) + k;
        if (round % 2)
            CHECK_EQ(cb_differences(x, want), 0);
    }
    CHECK_EQ(cb_differences(x, want), 0);
    cb_release(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    RELEASE_MEM(x);
}

/* A random graph: places that are read and written, and for each command sync-points of all that it
 * has to come behind; sometimes a barrier instead. */
enum { PLACES = 9, NODES = 120 };
struct place {
    uint32_t values[COUNT];
    cl_mem mem;
    cl_sync_point_khr writer, readers[NODES];
    cl_uint reader_count;
};

static void record_node(cl_command_buffer_khr buffer, cl_kernel kernel, struct place *places,
                        uint32_t steps[4], size_t size)
{
    struct place *to = &places[steps[0]], *a = &places[steps[1]], *b = &places[steps[2]];
    cl_sync_point_khr points[NODES * 2 + 4], point = 0;
    cl_uint count = 0;
    for (cl_uint i = 0; i < to->reader_count; i++)
        points[count++] = to->readers[i];
    if (to->writer)
        points[count++] = to->writer;
    if (a->writer)
        points[count++] = a->writer;
    if (b->writer)
        points[count++] = b->writer;
    ARG(kernel, 0, to->mem);
    ARG(kernel, 1, a->mem);
    ARG(kernel, 2, b->mem);
    ARG(kernel, 3, steps[3]);
    REQUIRE_OK(cb.launch(buffer, NULL, NULL, kernel, 1, NULL, &size, NULL, count,
                         count ? points : NULL, &point, NULL));
    to->reader_count = 0;
    to->writer = point;
    a->readers[a->reader_count++] = b->readers[b->reader_count++] = point;
}

static void forget_points(struct place *places)
{
    for (int i = 0; i < PLACES; i++) {
        places[i].writer = 0;
        places[i].reader_count = 0;
    }
}

static void graph_on(cl_command_queue queue)
{
    cl_program program = built(source, NULL);
    cl_kernel kernel = kernel_of(program, "mix_in");
    struct place *places = calloc(PLACES, sizeof *places);
    REQUIRE(places);
    for (int i = 0; i < PLACES; i++) {
        random_fill(places[i].values, sizeof places[i].values);
        places[i].mem = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof want, places[i].values);
    }
    uint32_t steps[NODES][4];
    cl_command_buffer_khr buffer = cb_new(queue, 0);
    for (int n = 0; n < NODES; n++) {
        for (int i = 0; i < 3; i++)
            steps[n][i] = (uint32_t)random_below(PLACES);
        steps[n][3] = (uint32_t)random_bits();
        if (!random_below(11)) {
            REQUIRE_OK(cb.barrier(buffer, NULL, NULL, 0, NULL, NULL, NULL));
            forget_points(places);
        }
        record_node(buffer, kernel, places, steps[n], COUNT);
    }
    cb_finalize(buffer);
    for (int round = 0; round < 6; round++) {
        cb_run(buffer);
        for (int n = 0; n < NODES; n++)
            for (size_t i = 0; i < COUNT; i++)
                places[steps[n][0]].values[i] = places[steps[n][1]].values[i] * 3u +
                                                places[steps[n][2]].values[i] + steps[n][3];
    }
    for (int i = 0; i < PLACES; i++) {
        memcpy(want, places[i].values, sizeof want);
        CHECK_EQ(cb_differences(places[i].mem, want), 0);
        RELEASE_MEM(places[i].mem);
    }
    cb_release(buffer);
    free(places);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
}

static void graphs(void)
{
    cb_need();
    cl_command_queue loose = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (int i = 0; i < 4; i++) {
        graph_on(loose);
        graph_on(cl.queue);
    }
    RELEASE_QUEUE(loose);
}

/* Behind a barrier with a list nothing starts before those of the list have ended. */
static void barriers(void)
{
    cb_need();
    cl_command_queue loose = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_program program = built(source, NULL);
    random_fill(want, sizeof want);
    cl_mem x = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof want, want);
    cl_kernel add = cb_axpb(program, x, 1, 5), multiply = cb_axpb(program, x, 3, 1);
    cl_command_buffer_khr buffer = cb_new(loose, 0);
    cl_sync_point_khr point = cb_launch(buffer, add, COUNT, 0, NULL);
    REQUIRE_OK(cb.barrier(buffer, NULL, NULL, 1, &point, NULL, NULL));
    cb_launch(buffer, multiply, COUNT, 0, NULL);
    REQUIRE_OK(cb.barrier(buffer, NULL, NULL, 0, NULL, &point, NULL));
    REQUIRE_OK(cb.barrier(buffer, NULL, NULL, 0, NULL, NULL, NULL));
    cb_launch(buffer, add, COUNT, 1, &point);
    cb_finalize(buffer);
    for (int round = 0; round < 50; round++) {
        cb_run(buffer);
        for (size_t i = 0; i < COUNT; i++)
            want[i] = (want[i] + 5) * 3 + 1 + 5;
    }
    CHECK_EQ(cb_differences(x, want), 0);
    cb_release(buffer);
    RELEASE_KERNEL(add);
    RELEASE_KERNEL(multiply);
    RELEASE_PROGRAM(program);
    RELEASE_MEM(x);
    RELEASE_QUEUE(loose);
}

/* Copies of all sizes, rectangles, fills; a region of nothing. */
static void copies(void)
{
    cb_need();
    enum { BYTES = 300007 };
    static const size_t sizes[] = {1, 7, 1000, 65537, 200001};
    unsigned char *a = malloc(BYTES), *b = malloc(BYTES), *got = malloc(BYTES);
    REQUIRE(a && b && got);
    random_fill(a, BYTES);
    random_fill(b, BYTES);
    cl_mem from = new_buffer(CL_MEM_COPY_HOST_PTR, BYTES, a);
    cl_mem to = new_buffer(CL_MEM_COPY_HOST_PTR, BYTES, b);
    const cl_uint pattern[4] = {0x12345678, 0x9abcdef0, 17, 0};
    const size_t src[3] = {3, 2, 1}, dst[3] = {5, 1, 0}, region[3] = {11, 7, 3};
    cl_command_buffer_khr buffer = cb_new(cl.queue, 0);
    for (size_t s = 0; s < LEN(sizes); s++)
        REQUIRE_OK(
            cb.copy(buffer, NULL, NULL, from, to, 13 + s, 29 * s, sizes[s], 0, NULL, NULL, NULL));
    REQUIRE_OK(cb.copy_rect(buffer, NULL, NULL, from, to, src, dst, region, 31, 403, 23, 299, 0,
                            NULL, NULL, NULL));
    REQUIRE_OK(cb.fill(buffer, NULL, NULL, to, pattern, sizeof pattern, 240000, 16 * 999, 0, NULL,
                       NULL, NULL));
    cb_finalize(buffer);
    for (int round = 0; round < 3; round++) {
        REQUIRE_OK(clEnqueueWriteBuffer(cl.queue, from, CL_TRUE, 0, BYTES, a, 0, NULL, NULL));
        cb_run(buffer);
        for (size_t s = 0; s < LEN(sizes); s++)
            memcpy(b + 29 * s, a + 13 + s, sizes[s]);
        for (size_t z = 0; z < region[2]; z++)
            for (size_t y = 0; y < region[1]; y++)
                memcpy(b + (dst[2] + z) * 299 + (dst[1] + y) * 23 + dst[0],
                       a + (src[2] + z) * 403 + (src[1] + y) * 31 + src[0], region[0]);
        for (size_t i = 0; i < 999; i++)
            memcpy(b + 240000 + i * sizeof pattern, pattern, sizeof pattern);
        read_back(to, BYTES, got);
        CHECK(!memcmp(got, b, BYTES));
        random_fill(a, BYTES);
    }
    cb_release(buffer);
    RELEASE_MEM(from);
    RELEASE_MEM(to);
    free(a);
    free(b);
    free(got);
}

static void images(void)
{
    cb_need();
    cl_bool any = CL_FALSE;
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_IMAGE_SUPPORT, sizeof any, &any, NULL));
    if (!any)
        check_skip("the device has no images");
    enum { W = 19, H = 11 };
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = W, .image_height = H};
    uint32_t first[H][W], second[H][W], got[H][W];
    random_fill(first, sizeof first);
    memset(second, 0, sizeof second);
    cl_int rc, rc2;
    cl_mem a = clCreateImage(cl.context, 0, &format, &desc, NULL, &rc);
    cl_mem b = clCreateImage(cl.context, 0, &format, &desc, NULL, &rc2);
    REQUIRE_OK(rc);
    REQUIRE_OK(rc2);
    cl_mem linear = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof first, first);
    cl_mem out = new_buffer(0, sizeof second, NULL);
    const size_t none[3] = {0}, all[3] = {W, H, 1}, at[3] = {4, 3, 0}, part[3] = {7, 5, 1};
    const cl_uint color[4] = {1, 2, 3, 255};
    cl_command_buffer_khr buffer = cb_new(cl.queue, 0);
    REQUIRE_OK(cb.to_image(buffer, NULL, NULL, linear, a, 0, none, all, 0, NULL, NULL, NULL));
    REQUIRE_OK(cb.fill_image(buffer, NULL, NULL, b, color, none, all, 0, NULL, NULL, NULL));
    REQUIRE_OK(cb.copy_image(buffer, NULL, NULL, a, b, at, none, part, 0, NULL, NULL, NULL));
    REQUIRE_OK(cb.to_buffer(buffer, NULL, NULL, b, out, none, all, 0, 0, NULL, NULL, NULL));
    cb_finalize(buffer);
    for (int round = 0; round < 2; round++) {
        random_fill(first, sizeof first);
        CHECK_OK(clEnqueueWriteBuffer(cl.queue, linear, CL_FALSE, 0, sizeof first, first, 0, NULL,
                                      NULL));
        cb_run(buffer);
        for (size_t y = 0; y < H; y++)
            for (size_t x = 0; x < W; x++)
                second[y][x] =
                    y < part[1] && x < part[0] ? first[y + at[1]][x + at[0]] : 0xff030201;
        read_back(out, sizeof got, got);
        CHECK(!memcmp(got, second, sizeof got));
    }
    cb_release(buffer);
    RELEASE_MEM(a);
    RELEASE_MEM(b);
    RELEASE_MEM(linear);
    RELEASE_MEM(out);
}

/* By address: memory of the library, and where the device takes it the application's own. */
static void shared_memory(void)
{
    cb_need();
    cl_device_svm_capabilities svm = 0;
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
    if (!(svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER))
        check_skip("the device has no shared virtual memory");
    uint32_t *a = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, sizeof want, 0);
    uint32_t *b = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, sizeof want, 0);
    REQUIRE(a && b);
    cl_kernel kernel = new_kernel(source, "axpb", NULL);
    const cl_uint factor = 3, summand = 4, pattern = 5;
    CHECK_OK(clSetKernelArgSVMPointer(kernel, 0, a));
    ARG(kernel, 1, factor);
    ARG(kernel, 2, summand);
    cl_command_buffer_khr buffer = cb_new(cl.queue, 0);
    REQUIRE_OK(cb.fill_svm(buffer, NULL, NULL, a, &pattern, sizeof pattern, sizeof want, 0, NULL,
                           NULL, NULL));
    cb_launch(buffer, kernel, COUNT, 0, NULL);
    REQUIRE_OK(cb.copy_svm(buffer, NULL, NULL, b + 1, a, sizeof want - 8, 0, NULL, NULL, NULL));
    cb_finalize(buffer);
    for (int round = 0; round < 2; round++) {
        const uint32_t mark = 0xabcdef;
        CHECK_OK(clEnqueueSVMMemFill(cl.queue, b, &mark, sizeof mark, sizeof want, 0, NULL, NULL));
        cb_run(buffer);
        CHECK_OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, back, b, sizeof want, 0, NULL, NULL));
        size_t wrong = 0;
        for (size_t i = 0; i < COUNT; i++)
            wrong += back[i] != (i && i < COUNT - 1 ? 19 : mark);
        CHECK_EQ(wrong, 0);
    }
    cb_release(buffer);
    RELEASE_KERNEL(kernel);
    clSVMFree(cl.context, a);
    clSVMFree(cl.context, b);
}

/* ---- kernels with more to them --------------------------------------------------------------- */

/* A pipe argument: a replay sends, and what it sent the same replay receives: afterwards, or where
 * kernels that pipes join run together, meanwhile. */
static void pipes(void)
{
    cb_need();
    enum { PACKETS = 5000, DEPTH = 64 };
    static cl_int out[PACKETS];
    static const char text[] =
        "kernel void send(write_only pipe int p, int n) {\n"
        "    for (int i = 0; i < n; i++) { int v = i * 3 + 1; while (write_pipe(p, &v)) ; } }\n"
        "kernel void receive(read_only pipe int p, int n, global int *o) {\n"
        "    for (int i = 0; i < n; i++) { int v = -1; while (read_pipe(p, &v)) ; o[i] += v; } }\n";
    const int fpga = has_extension("cl_intel_channels");
    cl_bool any = CL_FALSE;
    if (!fpga && clGetDeviceInfo(cl.device, CL_DEVICE_PIPE_SUPPORT, sizeof any, &any, NULL))
        any = CL_FALSE;
    if (!fpga && !any)
        check_skip("the device has no pipes");
    cl_int rc, n = fpga ? PACKETS : DEPTH;
    memset(out, 0, sizeof out);
    cl_program program = built(text, fpga ? "" : "-cl-std=CL3.0");
    cl_kernel send = kernel_of(program, "send"), receive = kernel_of(program, "receive");
    cl_mem pipe = clCreatePipe(cl.context, 0, sizeof(cl_int), DEPTH, NULL, &rc);
    REQUIRE_OK(rc);
    cl_mem to = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof out, out);
    ARG(send, 0, pipe);
    ARG(send, 1, n);
    ARG(receive, 0, pipe);
    ARG(receive, 1, n);
    ARG(receive, 2, to);
    cl_command_queue queue = new_queue(fpga ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
    cl_command_buffer_khr buffer = cb_new(queue, 0);
    cb_launch(buffer, send, 1, 0, NULL);
    cb_launch(buffer, receive, 1, 0, NULL);
    cb_finalize(buffer);
    for (int round = 1; round < 4; round++) {
        cb_run(buffer);
        read_back(to, sizeof out, out);
        for (int i = 0; i < n; i++)
            REQUIRE(out[i] == round * (i * 3 + 1));
    }
    cb_release(buffer);
    RELEASE_QUEUE(queue);
    RELEASE_MEM(pipe);
    RELEASE_MEM(to);
    RELEASE_KERNEL(send);
    RELEASE_KERNEL(receive);
    RELEASE_PROGRAM(program);
}

/* A command ends with all that its kernel has enqueued, and only then the next one starts. */
static void children(void)
{
    cb_need();
    static const char text[] =
        "kernel void parent(global uint *x, uint n) {\n"
        "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(n),\n"
        "                   ^{ x[get_global_id(0)] += 5; }); }\n"
        "kernel void triple(global uint *x) { x[get_global_id(0)] *= 3; }\n";
    cl_device_command_buffer_capabilities_khr can = 0;
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, sizeof can, &can,
                             NULL));
    if (!(can & CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR))
        check_skip("kernels enqueue no kernels");
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES,
                                        CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT |
                                            CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                        0};
    cl_int rc;
    cl_command_queue on_device =
        clCreateCommandQueueWithProperties(cl.context, cl.device, list, &rc);
    REQUIRE_OK(rc);
    const cl_uint n = COUNT;
    memset(want, 0, sizeof want);
    cl_mem x = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof want, want);
    cl_program program = built(text, "-cl-std=CL3.0");
    cl_kernel parent = kernel_of(program, "parent"), triple = kernel_of(program, "triple");
    ARG(parent, 0, x);
    ARG(parent, 1, n);
    ARG(triple, 0, x);
    cl_command_buffer_khr buffer = cb_new(cl.queue, 0);
    for (int i = 0; i < 3; i++) {
        cb_launch(buffer, parent, 1, 0, NULL);
        cb_launch(buffer, triple, COUNT, 0, NULL);
    }
    cb_finalize(buffer);
    for (int round = 0; round < 5; round++) {
        cb_run(buffer);
        for (size_t i = 0; i < COUNT; i++)
            want[i] = (((want[i] + 5) * 3 + 5) * 3 + 5) * 3;
    }
    CHECK_EQ(cb_differences(x, want), 0);
    cb_release(buffer);
    RELEASE_KERNEL(parent);
    RELEASE_KERNEL(triple);
    RELEASE_PROGRAM(program);
    RELEASE_MEM(x);
    RELEASE_QUEUE(on_device);
}

/* ---- life ------------------------------------------------------------------------------------ */

/* The application let go of it; a query brings it back. */
static void use_again(cl_command_buffer_khr buffer, cl_command_queue queue)
{
    cl_command_queue got = NULL;
    cl_uint refs = 99;
    CHECK_OK(cb.info(buffer, CL_COMMAND_BUFFER_QUEUES_KHR, sizeof got, &got, NULL));
    REQUIRE(got == queue);
    CHECK_OK(clFinish(got));
    for (int i = 0; i < 2; i++) {
        CHECK_OK(clRetainCommandQueue(got));
        CHECK_OK(clGetCommandQueueInfo(got, CL_QUEUE_REFERENCE_COUNT, sizeof refs, &refs, NULL));
        CHECK_EQ(refs, 1);
        CHECK_OK(clEnqueueMarkerWithWaitList(got, 0, NULL, NULL));
        CHECK_OK(clReleaseCommandQueue(got));
        CHECK_OK(cb.info(buffer, CL_COMMAND_BUFFER_QUEUES_KHR, sizeof got, &got, NULL));
    }
}

/* It keeps what it uses, and is kept by what is running. */
static void releases(void)
{
    cb_need();
    cl_int rc;
    cl_command_queue queue = new_queue(0);
    cl_program program = built(source, NULL);
    cl_uint zero = 0;
    cl_mem x = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof zero, &zero);
    cl_mem y = new_buffer(CL_MEM_COPY_HOST_PTR, sizeof zero, &zero);
    cl_kernel kernel = cb_axpb(program, x, 1, 1);
    cl_command_buffer_khr buffer = cb_new(queue, 0);
    cb_launch(buffer, kernel, 1, 0, NULL);
    REQUIRE_OK(cb.copy(buffer, NULL, NULL, x, y, 0, 0, sizeof zero, 0, NULL, NULL, NULL));
    cb_finalize(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    RELEASE_QUEUE(queue);
    use_again(buffer, queue);
    cb_run(buffer);
    cl_event gate = clCreateUserEvent(cl.context, &rc), event;
    REQUIRE_OK(rc);
    CHECK_OK(cb.enqueue(1, &cl.queue, buffer, 1, &gate, &event));
    CHECK_OK(cb.retain(buffer));
    cb_release(buffer);
    cb_release(buffer);
    RELEASE_MEM(x);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clWaitForEvents(1, &event));
    cl_uint got = 0;
    read_back(y, sizeof got, &got);
    CHECK_EQ(got, 2);
    RELEASE_EVENT(gate);
    RELEASE_EVENT(event);
    RELEASE_MEM(y);
}

static void queries(void)
{
    cb_need();
    const cl_command_buffer_properties_khr list[] = {
        CL_COMMAND_BUFFER_FLAGS_KHR,
        CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR, 0};
    cl_command_buffer_properties_khr got[4] = {0};
    cl_int rc;
    cl_uint number = 0;
    size_t size = 0;
    void *handle = NULL;
    cl_command_buffer_khr buffer = cb.create(1, &cl.queue, list, &rc);
    REQUIRE_OK(rc);
    CHECK_OK(cb.info(buffer, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, sizeof got, got, &size));
    CHECK_EQ(size, sizeof list);
    CHECK(!memcmp(got, list, sizeof list));
    CHECK_OK(cb.info(buffer, CL_COMMAND_BUFFER_NUM_QUEUES_KHR, sizeof number, &number, NULL));
    CHECK_EQ(number, 1);
    CHECK_OK(cb.info(buffer, CL_COMMAND_BUFFER_QUEUES_KHR, sizeof handle, &handle, NULL));
    CHECK(handle == (void *)cl.queue);
    CHECK_OK(cb.info(buffer, CL_COMMAND_BUFFER_CONTEXT_KHR, sizeof handle, &handle, NULL));
    CHECK(handle == (void *)cl.context);
    CHECK_OK(cb.retain(buffer));
    CHECK_OK(cb.info(buffer, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, sizeof number, &number, NULL));
    CHECK_EQ(number, 2);
    cb_release(buffer);
    CHECK_EQ(cb_state(buffer), CL_COMMAND_BUFFER_STATE_RECORDING_KHR);
    cb_finalize(buffer);
    CHECK_EQ(cb_state(buffer), CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
    cb_run(buffer); /* there is nothing in it */
    cb_release(buffer);
    buffer = cb_new(cl.queue, 0);
    CHECK_OK(cb.info(buffer, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, 0, NULL, &size));
    CHECK_EQ(size, 0);
    cb_release(buffer);
}

static const struct test_case cases[] = {
    CASE(chain),         CASE(graphs), CASE(barriers), CASE(copies),   CASE(images),
    CASE(shared_memory), CASE(pipes),  CASE(children), CASE(releases), CASE(queries),
};
TEST_MAIN("command_buffer", cases)
