/* SPDX-License-Identifier: Apache-2.0 */
#include "several_queues_help.h"

#include "reference.h"

#include <string.h>

struct bed two;

void need(void)
{
    cb_need();
    if (!has_extension("cl_khr_command_buffer_multi_device"))
        check_skip("command-buffers have one queue");
}

void open_bed(const cl_device_id *devices, cl_uint count, unsigned out_of_order)
{
    cl_int rc;
    const char *source = CB_AXPB;
    cl_device_id each[MOST] = {NULL};
    cl_uint different = 0;
    for (cl_uint i = 0; i < count; i++) {
        cl_uint k = 0;
        while (k < different && each[k] != devices[i])
            k++;
        each[k] = devices[i];
        different += k == different;
    }
    two = (struct bed){.count = count};
    two.context = clCreateContext(NULL, different, each, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    for (cl_uint i = 0; i < count; i++) {
        two.queues[i] = clCreateCommandQueue(
            two.context, devices[i],
            out_of_order >> i & 1 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &rc);
        REQUIRE_OK(rc);
    }
    two.program = clCreateProgramWithSource(two.context, 1, &source, NULL, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(two.program, different, each, "", NULL, NULL));
}

void close_bed(void)
{
    RELEASE_PROGRAM(two.program);
    for (cl_uint i = 0; i < two.count; i++)
        RELEASE_QUEUE(two.queues[i]);
    RELEASE_CONTEXT(two.context);
}

/* Runs the case on queues of this device, of this and another one, and of two parts of this one. */
void on_all(void (*check)(void), unsigned out_of_order)
{
    const cl_device_partition_property parts_of_one[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_id list[16], parts[64];
    cl_uint count = 0, part_count = 0;
    REQUIRE_OK(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, LEN(list), list, &count));
    open_bed((cl_device_id[]){cl.device, cl.device}, 2, out_of_order);
    check();
    close_bed();
    for (cl_uint i = 0; i < count && i < LEN(list); i++)
        if (list[i] != cl.device) {
            open_bed((cl_device_id[]){cl.device, list[i], cl.device}, 3, out_of_order);
            check();
            close_bed();
        }
    if (clCreateSubDevices(cl.device, parts_of_one, LEN(parts), parts, &part_count))
        return;
    if (part_count > 1) {
        open_bed((cl_device_id[]){parts[0], parts[1]}, 2, out_of_order);
        check();
        close_bed();
    }
    for (cl_uint i = 0; i < part_count; i++)
        CHECK_OK(clReleaseDevice(parts[i]));
}

void on_all_in_each_order(void (*check)(void))
{
    for (unsigned out_of_order = 0; out_of_order < 8; out_of_order += 1 + out_of_order / 4)
        on_all(check, out_of_order);
}

cl_command_buffer_khr new_commands(cl_command_buffer_flags_khr flags)
{
    const cl_command_buffer_properties_khr list[] = {CL_COMMAND_BUFFER_FLAGS_KHR, flags, 0};
    cl_int rc = 12345;
    cl_command_buffer_khr buffer = cb.create(two.count, two.queues, flags ? list : NULL, &rc);
    REQUIRE_OK(rc);
    REQUIRE(buffer);
    return buffer;
}

cl_mem numbers(const cl_uint *from)
{
    cl_int rc;
    cl_mem mem = clCreateBuffer(two.context, CL_MEM_COPY_HOST_PTR, CB_COUNT * sizeof *from,
                                (void *)(size_t)from, &rc);
    REQUIRE_OK(rc);
    return mem;
}

void check_numbers(cl_mem mem, const cl_uint *want)
{
    static cl_uint back[CB_COUNT];
    size_t wrong = 0;
    CHECK_OK(clEnqueueReadBuffer(two.queues[0], mem, CL_TRUE, 0, sizeof back, back, 0, NULL, NULL));
    for (size_t i = 0; i < CB_COUNT; i++)
        wrong += back[i] != want[i];
    CHECK_EQ(wrong, 0);
}

void run(cl_command_buffer_khr buffer)
{
    cl_event event = NULL;
    REQUIRE_OK(cb.enqueue(0, NULL, buffer, 0, NULL, &event));
    REQUIRE_OK(clWaitForEvents(1, &event));
    CHECK_EQ(event_status(event), CL_COMPLETE);
    RELEASE_EVENT(event);
}

enum { PLACES = 5, COMMANDS = 60 };

/* Commands over all queues, each behind the last one that uses the same numbers. What they do
 * depends on their order: x * a + b, and copies from place to place. */
static struct graph {
    cl_uint want[PLACES][CB_COUNT];
    cl_mem places[PLACES];
    cl_sync_point_khr last[PLACES];
    struct {
        cl_uint to, from, a, b; /* from == to: axpb */
    } steps[COMMANDS];
} graph;

void record_graph(cl_command_buffer_khr buffer)
{
    cl_kernel kernel = kernel_of(two.program, "axpb");
    const size_t global = CB_COUNT, bytes = sizeof graph.want[0];
    memset(graph.last, 0, sizeof graph.last);
    for (size_t i = 0; i < COMMANDS; i++) {
        const cl_uint to = (cl_uint)random_below(PLACES), from = (cl_uint)random_below(PLACES),
                      a = (cl_uint)random_bits() | 1, b = (cl_uint)random_bits();
        const cl_command_queue queue = two.queues[random_below(two.count)];
        cl_sync_point_khr waits[2];
        cl_uint wait_count = 0;
        if (graph.last[to])
            waits[wait_count++] = graph.last[to];
        if (from != to && graph.last[from])
            waits[wait_count++] = graph.last[from];
        const cl_sync_point_khr *list = wait_count ? waits : NULL;
        graph.steps[i].to = to;
        graph.steps[i].from = from;
        graph.steps[i].a = a;
        graph.steps[i].b = b;
        if (from != to) {
            REQUIRE_OK(cb.copy(buffer, queue, NULL, graph.places[from], graph.places[to], 0, 0,
                               bytes, wait_count, list, &graph.last[to], NULL));
            graph.last[from] = graph.last[to]; /* nobody changes it before it is copied */
            continue;
        }
        ARG(kernel, 0, graph.places[to]);
        ARG(kernel, 1, a);
        ARG(kernel, 2, b);
        REQUIRE_OK(cb.launch(buffer, queue, NULL, kernel, 1, NULL, &global, NULL, wait_count, list,
                             &graph.last[to], NULL));
    }
    RELEASE_KERNEL(kernel);
}

void expect_graph(void)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        cl_uint *to = graph.want[graph.steps[i].to];
        const cl_uint *from = graph.want[graph.steps[i].from];
        if (to != from)
            memcpy(to, from, sizeof graph.want[0]);
        for (size_t k = 0; k < CB_COUNT && to == from; k++)
            to[k] = to[k] * graph.steps[i].a + graph.steps[i].b;
    }
}

void open_graph(void)
{
    for (size_t i = 0; i < PLACES; i++) {
        random_fill(graph.want[i], sizeof graph.want[i]);
        graph.places[i] = numbers(graph.want[i]);
    }
}

void close_graph(void)
{
    for (size_t i = 0; i < PLACES; i++) {
        check_numbers(graph.places[i], graph.want[i]);
        RELEASE_MEM(graph.places[i]);
    }
}
