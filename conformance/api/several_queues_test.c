/* SPDX-License-Identifier: Apache-2.0 */
/* Command-buffers over several queues and devices, and copies of them for other queues
 * (cl_khr_command_buffer_multi_device), against plain C. What is refused is in errors_record.def.
 */
#include "command_buffer_help.h"
#include "reference.h"

#include <string.h>

enum { MOST = 4 };

/* Queues of one context that are used together. */
static struct bed {
    cl_context context;
    cl_uint count;
    cl_command_queue queues[MOST];
    cl_program program; /* for all of their devices */
} two;

static void need(void)
{
    cb_need();
    if (!has_extension("cl_khr_command_buffer_multi_device"))
        check_skip("command-buffers have one queue");
}

static void open_bed(const cl_device_id *devices, cl_uint count, unsigned out_of_order)
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

static void close_bed(void)
{
    RELEASE_PROGRAM(two.program);
    for (cl_uint i = 0; i < two.count; i++)
        RELEASE_QUEUE(two.queues[i]);
    RELEASE_CONTEXT(two.context);
}

/* Runs the case on queues of this device, of this and another one, and of two parts of this one. */
static void on_all(void (*run)(void), unsigned out_of_order)
{
    const cl_device_partition_property parts_of_one[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_id list[16], parts[64];
    cl_uint count = 0, part_count = 0;
    REQUIRE_OK(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, LEN(list), list, &count));
    open_bed((cl_device_id[]){cl.device, cl.device}, 2, out_of_order);
    run();
    close_bed();
    for (cl_uint i = 0; i < count && i < LEN(list); i++)
        if (list[i] != cl.device) {
            open_bed((cl_device_id[]){cl.device, list[i], cl.device}, 3, out_of_order);
            run();
            close_bed();
        }
    if (clCreateSubDevices(cl.device, parts_of_one, LEN(parts), parts, &part_count))
        return;
    if (part_count > 1) {
        open_bed((cl_device_id[]){parts[0], parts[1]}, 2, out_of_order);
        run();
        close_bed();
    }
    for (cl_uint i = 0; i < part_count; i++)
        CHECK_OK(clReleaseDevice(parts[i]));
}

static void on_all_in_each_order(void (*run)(void))
{
    for (unsigned out_of_order = 0; out_of_order < 8; out_of_order += 1 + out_of_order / 4)
        on_all(run, out_of_order);
}

static cl_command_buffer_khr new_commands(cl_command_buffer_flags_khr flags)
{
    const cl_command_buffer_properties_khr list[] = {CL_COMMAND_BUFFER_FLAGS_KHR, flags, 0};
    cl_int rc = 12345;
    cl_command_buffer_khr buffer = cb.create(two.count, two.queues, flags ? list : NULL, &rc);
    REQUIRE_OK(rc);
    REQUIRE(buffer);
    return buffer;
}

static cl_mem numbers(const cl_uint *from)
{
    cl_int rc;
    cl_mem mem = clCreateBuffer(two.context, CL_MEM_COPY_HOST_PTR, CB_COUNT * sizeof *from,
                                (void *)(size_t)from, &rc);
    REQUIRE_OK(rc);
    return mem;
}

static void check_numbers(cl_mem mem, const cl_uint *want)
{
    static cl_uint back[CB_COUNT];
    size_t wrong = 0;
    CHECK_OK(clEnqueueReadBuffer(two.queues[0], mem, CL_TRUE, 0, sizeof back, back, 0, NULL, NULL));
    for (size_t i = 0; i < CB_COUNT; i++)
        wrong += back[i] != want[i];
    CHECK_EQ(wrong, 0);
}

static void run(cl_command_buffer_khr buffer)
{
    cl_event event = NULL;
    REQUIRE_OK(cb.enqueue(0, NULL, buffer, 0, NULL, &event));
    REQUIRE_OK(clWaitForEvents(1, &event));
    CHECK_EQ(event_status(event), CL_COMPLETE);
    RELEASE_EVENT(event);
}

/* ---- what there is --------------------------------------------------------------------------- */

static void reported(void)
{
    need();
    cl_platform_command_buffer_capabilities_khr all = 0;
    cl_device_command_buffer_capabilities_khr can = 0;
    cl_uint count = 99, device_count = 0;
    cl_device_id devices[16], list[16];
    size_t bytes = 0;
    CHECK_OK(clGetPlatformInfo(cl.platform, CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR, sizeof all,
                               &all, NULL));
    if (is_sluice())
        CHECK_EQ(all, CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR |
                          CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR |
                          CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR);
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, sizeof can, &can,
                             NULL));
    CHECK(can & CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR);
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR, sizeof count,
                             &count, NULL));
    CHECK_OK(clGetDeviceInfo(cl.device, CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR, sizeof devices,
                             devices, &bytes));
    CHECK_EQ(bytes, count * sizeof *devices);
    REQUIRE_OK(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, LEN(list), list, &device_count));
    if (is_sluice())
        CHECK_EQ(count, device_count);
    for (cl_uint i = 0; i < count && i < device_count; i++)
        CHECK(devices[i] == list[i]);
    static cl_name_version rows[256];
    size_t found = 0;
    CHECK_OK(
        clGetDeviceInfo(cl.device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof rows, rows, &bytes));
    for (size_t i = 0; i < bytes / sizeof *rows; i++)
        found += !strcmp(rows[i].name, "cl_khr_command_buffer_multi_device") &&
                 rows[i].version == CL_MAKE_VERSION(0, 9, 2);
    CHECK_EQ(found, 1);
}

static void check_queues(void)
{
    cl_command_buffer_khr buffer = new_commands(CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR);
    cl_command_queue got[MOST] = {0};
    cl_uint count = 0;
    size_t bytes = 0;
    CHECK_OK(cb.info(buffer, CL_COMMAND_BUFFER_NUM_QUEUES_KHR, sizeof count, &count, NULL));
    CHECK_EQ(count, two.count);
    CHECK_OK(cb.info(buffer, CL_COMMAND_BUFFER_QUEUES_KHR, sizeof got, got, &bytes));
    CHECK_EQ(bytes, two.count * sizeof *got);
    CHECK(!memcmp(got, two.queues, two.count * sizeof *got));
    FAILS(CL_INVALID_VALUE, cb.info(buffer, CL_COMMAND_BUFFER_QUEUES_KHR, sizeof *got, got, NULL));
    cb_finalize(buffer);
    run(buffer); /* of no commands */
    cb_release(buffer);
}

static void queues(void)
{
    need();
    on_all(check_queues, 0);
}

/* ---- order ----------------------------------------------------------------------------------- */

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

static void record_graph(cl_command_buffer_khr buffer)
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

static void expect_graph(void)
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

static void open_graph(void)
{
    for (size_t i = 0; i < PLACES; i++) {
        random_fill(graph.want[i], sizeof graph.want[i]);
        graph.places[i] = numbers(graph.want[i]);
    }
}

static void close_graph(void)
{
    for (size_t i = 0; i < PLACES; i++) {
        check_numbers(graph.places[i], graph.want[i]);
        RELEASE_MEM(graph.places[i]);
    }
}

static void check_graph(void)
{
    cl_command_buffer_khr buffer = new_commands(0);
    open_graph();
    record_graph(buffer);
    cb_finalize(buffer);
    for (int i = 0; i < 5; i++) {
        run(buffer);
        expect_graph();
    }
    close_graph();
    cb_release(buffer);
}

static void graphs(void)
{
    need();
    on_all_in_each_order(check_graph);
}

/* In order, a queue's commands follow each other without a word; a barrier does that out of order.
 */
static void check_lanes(void)
{
    static cl_uint want[MOST][CB_COUNT];
    const size_t global = CB_COUNT;
    cl_mem mems[MOST];
    cl_command_buffer_khr buffer = new_commands(0);
    cl_kernel kernel = kernel_of(two.program, "axpb");
    for (cl_uint q = 0; q < two.count; q++) {
        random_fill(want[q], sizeof want[q]);
        mems[q] = numbers(want[q]);
    }
    for (cl_uint i = 0; i < 24; i++)
        for (cl_uint q = 0; q < two.count; q++) {
            const cl_uint a = 2 * i + 3, b = i + q;
            ARG(kernel, 0, mems[q]);
            ARG(kernel, 1, a);
            ARG(kernel, 2, b);
            REQUIRE_OK(cb.launch(buffer, two.queues[q], NULL, kernel, 1, NULL, &global, NULL, 0,
                                 NULL, NULL, NULL));
            REQUIRE_OK(cb.barrier(buffer, two.queues[q], NULL, 0, NULL, NULL, NULL));
            for (size_t k = 0; k < CB_COUNT; k++)
                want[q][k] = want[q][k] * a + b;
        }
    cb_finalize(buffer);
    run(buffer);
    for (cl_uint q = 0; q < two.count; q++) {
        check_numbers(mems[q], want[q]);
        RELEASE_MEM(mems[q]);
    }
    RELEASE_KERNEL(kernel);
    cb_release(buffer);
}

static void lanes(void)
{
    need();
    on_all_in_each_order(check_lanes);
}

/* ---- among the commands of its queues -------------------------------------------------------- */

static cl_event new_gate(void)
{
    cl_int rc;
    cl_event gate = clCreateUserEvent(two.context, &rc);
    REQUIRE_OK(rc);
    return gate;
}

/* x = x * 3 + 1 on the last queue, for as many as `x` has. */
static cl_command_buffer_khr triple_on_last(cl_mem x)
{
    cl_command_buffer_khr buffer = new_commands(0);
    cl_kernel kernel = cb_axpb(two.program, x, 3, 1);
    const size_t global = CB_COUNT;
    REQUIRE_OK(cb.launch(buffer, two.queues[two.count - 1], NULL, kernel, 1, NULL, &global, NULL, 0,
                         NULL, NULL, NULL));
    RELEASE_KERNEL(kernel);
    cb_finalize(buffer);
    return buffer;
}

/* What is in each queue in front of it comes first, and finishing any of them finishes it. */
static void check_neighbours(void)
{
    static cl_uint want[CB_COUNT];
    cl_mem x = numbers(want);
    cl_command_buffer_khr buffer = triple_on_last(x);
    const cl_command_queue last = two.queues[two.count - 1];
    cl_event gate = new_gate(), event;
    const cl_uint seven = 7;
    CHECK_OK(clEnqueueFillBuffer(last, x, &seven, sizeof seven, 0, sizeof want, 1, &gate, NULL));
    CHECK_OK(cb.enqueue(0, NULL, buffer, 0, NULL, &event));
    CHECK_OK(cb.enqueue(0, NULL, buffer, 0, NULL, NULL));
    CHECK(event_status(event) > CL_COMPLETE);
    CHECK_OK(clSetUserEventStatus(gate, CL_COMPLETE));
    CHECK_OK(clFinish(last));
    CHECK_EQ(event_status(event), CL_COMPLETE);
    for (size_t i = 0; i < CB_COUNT; i++)
        want[i] = (7 * 3 + 1) * 3 + 1;
    check_numbers(x, want);
    RELEASE_EVENT(event);
    RELEASE_EVENT(gate);
    cb_release(buffer);
    RELEASE_MEM(x);
}

static void neighbours(void)
{
    need();
    on_all(check_neighbours, 0);
}

/* Its failure is its event's; what is behind it on its queues goes on. */
static void check_failure(void)
{
    static cl_uint want[CB_COUNT];
    random_fill(want, sizeof want);
    cl_mem x = numbers(want);
    cl_command_buffer_khr buffer = triple_on_last(x);
    cl_event gate = new_gate(), event, behind;
    CHECK_OK(cb.enqueue(0, NULL, buffer, 1, &gate, &event));
    CHECK_OK(clEnqueueMarkerWithWaitList(two.queues[two.count - 1], 0, NULL, &behind));
    CHECK_OK(clSetUserEventStatus(gate, -5));
    CHECK_OK(clFinish(two.queues[two.count - 1]));
    CHECK(event_status(event) < 0);
    CHECK_EQ(event_status(behind), CL_COMPLETE);
    check_numbers(x, want);
    RELEASE_EVENT(gate);
    RELEASE_EVENT(event);
    RELEASE_EVENT(behind);
    cb_release(buffer);
    RELEASE_MEM(x);
}

static void failures(void)
{
    need();
    on_all(check_failure, 0);
}

/* Other queues of the same devices, which may be released at once; and many enqueues at a time. */
static void check_substitutes(void)
{
    static cl_uint want[CB_COUNT];
    random_fill(want, sizeof want);
    cl_mem x = numbers(want);
    cl_command_buffer_khr buffer = triple_on_last(x);
    cl_event event = NULL;
    for (int round = 0; round < 20; round++) {
        cl_command_queue others[MOST];
        for (cl_uint i = 0; i < two.count; i++) {
            cl_device_id device;
            cl_int rc;
            REQUIRE_OK(clGetCommandQueueInfo(two.queues[i], CL_QUEUE_DEVICE, sizeof device, &device,
                                             NULL));
            others[i] = clCreateCommandQueue(
                two.context, device, round & 1 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &rc);
            REQUIRE_OK(rc);
        }
        cl_event before = event;
        CHECK_OK(
            cb.enqueue(two.count, others, buffer, before != NULL, before ? &before : NULL, &event));
        if (before)
            RELEASE_EVENT(before);
        for (cl_uint i = 0; i < two.count; i++)
            RELEASE_QUEUE(others[i]);
        for (size_t i = 0; i < CB_COUNT; i++)
            want[i] = want[i] * 3 + 1;
    }
    CHECK_OK(clWaitForEvents(1, &event));
    check_numbers(x, want);
    RELEASE_EVENT(event);
    cb_release(buffer);
    RELEASE_MEM(x);
}

static void substitutes(void)
{
    need();
    on_all(check_substitutes, 0);
}

/* A command of any queue can be updated, and says which one that is. */
static void check_updates(void)
{
    static cl_uint want[CB_COUNT];
    random_fill(want, sizeof want);
    cl_mem x = numbers(want);
    cl_kernel kernel = cb_axpb(two.program, x, 5, 9);
    cl_command_buffer_khr buffer = new_commands(CL_COMMAND_BUFFER_MUTABLE_KHR);
    cl_mutable_command_khr handle = NULL;
    cl_command_queue got = NULL;
    const size_t global = CB_COUNT;
    const cl_uint b = 1234567;
    REQUIRE_OK(cb.launch(buffer, two.queues[1], NULL, kernel, 1, NULL, &global, NULL, 0, NULL, NULL,
                         &handle));
    CHECK_OK(cb.command_info(handle, CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, sizeof got, &got, NULL));
    CHECK(got == two.queues[1]);
    cb_finalize(buffer);
    run(buffer);
    const cl_mutable_dispatch_arg_khr arg = {2, sizeof b, &b};
    const cl_mutable_dispatch_config_sluice config = {
        .command = handle, .num_args = 1, .arg_list = &arg};
    CHECK_OK(cb_update(buffer, &config));
    run(buffer);
    for (size_t i = 0; i < CB_COUNT; i++)
        want[i] = (want[i] * 5 + 9) * 5 + b;
    check_numbers(x, want);
    cb_release(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(x);
}

static void updates(void)
{
    need();
    on_all(check_updates, 0);
}

/* ---- copies for other queues ----------------------------------------------------------------- */

static cl_command_buffer_khr remapped(cl_command_buffer_khr buffer, cl_bool automatic,
                                      cl_uint count, const cl_command_queue *queues)
{
    cl_int rc = 12345;
    cl_command_buffer_khr copy = cb.remap(buffer, automatic, count, queues, 0, NULL, NULL, &rc);
    REQUIRE_OK(rc);
    REQUIRE(copy && copy != buffer);
    CHECK_EQ(cb_state(copy), cb_state(buffer));
    return copy;
}

/* The same graph with the queues turned around, on one of them, and from there on all again. */
static void check_remaps(void)
{
    cl_command_buffer_khr buffer = new_commands(0), copies[4];
    cl_command_queue turned[MOST], one[MOST];
    for (cl_uint i = 0; i < two.count; i++) {
        turned[i] = two.queues[two.count - 1 - i];
        one[i] = two.queues[1];
    }
    open_graph();
    record_graph(buffer);
    cb_finalize(buffer);
    copies[0] = remapped(buffer, CL_FALSE, two.count, turned);
    copies[1] = remapped(buffer, CL_TRUE, 1, &two.queues[1]);
    copies[2] = remapped(copies[1], CL_TRUE, two.count, two.queues);
    copies[3] = remapped(buffer, CL_FALSE, two.count, one);
    cb_release(buffer); /* what was copied needs it no more */
    for (size_t i = 0; i < LEN(copies); i++) {
        run(copies[i]);
        expect_graph();
        run(copies[i]);
        expect_graph();
    }
    for (size_t i = 0; i < LEN(copies); i++)
        cb_release(copies[i]);
    close_graph();
}

static void remaps(void)
{
    need();
    on_all_in_each_order(check_remaps);
}

/* Commands of every kind that has no image. */
static void check_kinds(void)
{
    static cl_uint want[CB_COUNT], from[CB_COUNT];
    const size_t bytes = sizeof want, origin[3] = {4, 0, 0}, region[3] = {40, 3, 1},
                 target[3] = {8, 1, 0};
    cl_ulong svm = 0;
    random_fill(want, sizeof want);
    random_fill(from, sizeof from);
    cl_mem x = numbers(want), y = numbers(from);
    cl_command_buffer_khr buffer = new_commands(0);
    const cl_uint pattern[4] = {1, 2, 3, 4};
    REQUIRE_OK(cb.copy_rect(buffer, two.queues[0], NULL, y, x, origin, target, region, 100, 0, 60,
                            0, 0, NULL, NULL, NULL));
    REQUIRE_OK(cb.barrier(buffer, two.queues[0], NULL, 0, NULL, NULL, NULL));
    REQUIRE_OK(cb.fill(buffer, two.queues[0], NULL, x, pattern, sizeof pattern, 512,
                       4 * sizeof pattern, 0, NULL, NULL, NULL));
    REQUIRE_OK(cb.copy(buffer, two.queues[0], NULL, y, x, 8, 1024, 77, 0, NULL, NULL, NULL));
    clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL);
    cl_uint *a = svm ? clSVMAlloc(two.context, CL_MEM_SVM_FINE_GRAIN_BUFFER, bytes, 0) : NULL,
            *b = svm ? clSVMAlloc(two.context, CL_MEM_SVM_FINE_GRAIN_BUFFER, bytes, 0) : NULL;
    if (a && b) {
        REQUIRE_OK(cb.fill_svm(buffer, two.queues[0], NULL, a, pattern, sizeof pattern,
                               8 * sizeof pattern, 0, NULL, NULL, NULL));
        REQUIRE_OK(cb.barrier(buffer, two.queues[0], NULL, 0, NULL, NULL, NULL));
        REQUIRE_OK(cb.copy_svm(buffer, two.queues[0], NULL, b, a, 8 * sizeof pattern, 0, NULL, NULL,
                               NULL));
        memset(a, 0, bytes);
        memset(b, 0, bytes);
    }
    cb_finalize(buffer);
    cl_command_buffer_khr copy = remapped(buffer, CL_TRUE, 1, &two.queues[1]);
    cb_release(buffer);
    run(copy);
    for (size_t row = 0; row < 3; row++)
        memcpy((char *)want + 8 + (row + 1) * 60, (char *)from + 4 + row * 100, 40);
    for (size_t i = 0; i < 16; i++)
        want[128 + i] = pattern[i % 4];
    memcpy((char *)want + 1024, (char *)from + 8, 77);
    check_numbers(x, want);
    for (size_t i = 0; a && b && i < 32; i++)
        CHECK_EQ(b[i], pattern[i % 4]);
    clSVMFree(two.context, a);
    clSVMFree(two.context, b);
    cb_release(copy);
    RELEASE_MEM(x);
    RELEASE_MEM(y);
}

static void kinds(void)
{
    need();
    on_all(check_kinds, 0);
}

/* A copy of what is still recorded is recorded further, and neither knows of the other. */
static void check_recording(void)
{
    static cl_uint want[CB_COUNT];
    random_fill(want, sizeof want);
    cl_mem x = numbers(want);
    cl_kernel kernel = cb_axpb(two.program, x, 3, 1);
    const size_t global = CB_COUNT;
    const cl_command_queue turned[] = {two.queues[1], two.queues[0], two.queues[0]};
    cl_command_buffer_khr buffer = new_commands(0);
    cl_sync_point_khr point = 0, next = 0;
    REQUIRE_OK(cb.launch(buffer, two.queues[0], NULL, kernel, 1, NULL, &global, NULL, 0, NULL,
                         &point, NULL));
    cl_command_buffer_khr copy = remapped(buffer, CL_FALSE, two.count, turned);
    CHECK_EQ(cb_state(copy), CL_COMMAND_BUFFER_STATE_RECORDING_KHR);
    REQUIRE_OK(
        cb.launch(copy, turned[1], NULL, kernel, 1, NULL, &global, NULL, 1, &point, &next, NULL));
    CHECK_EQ(next, point + 1);
    cb_finalize(copy);
    cb_finalize(buffer);
    run(copy);
    run(buffer);
    for (size_t i = 0; i < CB_COUNT; i++)
        want[i] = ((want[i] * 3 + 1) * 3 + 1) * 3 + 1;
    check_numbers(x, want);
    cb_release(copy);
    cb_release(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(x);
}

static void recordings(void)
{
    need();
    on_all(check_recording, 0);
}

/* Handles of the copy, with what was updated before; updates of one are not the other's. */
static void check_handles(void)
{
    static cl_uint want[CB_COUNT];
    random_fill(want, sizeof want);
    cl_mem x = numbers(want);
    cl_kernel kernel = cb_axpb(two.program, x, 3, 1);
    const size_t global = CB_COUNT;
    cl_command_buffer_khr buffer = new_commands(CL_COMMAND_BUFFER_MUTABLE_KHR), owner = NULL;
    cl_mutable_command_khr handle = NULL, made[2] = {0};
    cl_command_queue queue = NULL;
    const cl_uint seven = 7, eleven = 11;
    REQUIRE_OK(cb.launch(buffer, two.queues[0], NULL, kernel, 1, NULL, &global, NULL, 0, NULL, NULL,
                         &handle));
    cb_finalize(buffer);
    cl_mutable_dispatch_arg_khr arg = {1, sizeof seven, &seven};
    cl_mutable_dispatch_config_sluice config = {.command = handle, .num_args = 1, .arg_list = &arg};
    CHECK_OK(cb_update(buffer, &config));
    const cl_mutable_command_khr asked[] = {handle, handle};
    cl_int rc = 12345;
    cl_command_buffer_khr copy = cb.remap(buffer, CL_TRUE, 1, &two.queues[1], 2, asked, made, &rc);
    REQUIRE_OK(rc);
    CHECK(made[0] && made[0] == made[1] && made[0] != handle);
    CHECK_OK(cb.command_info(made[0], CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR, sizeof owner, &owner,
                             NULL));
    CHECK_OK(
        cb.command_info(made[0], CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, sizeof queue, &queue, NULL));
    CHECK(owner == copy && queue == two.queues[1]);
    run(copy);
    arg.arg_value = &eleven;
    config.command = made[0];
    CHECK_OK(cb_update(copy, &config));
    run(copy);
    run(buffer);
    for (size_t i = 0; i < CB_COUNT; i++)
        want[i] = ((want[i] * 7 + 1) * 11 + 1) * 7 + 1;
    check_numbers(x, want);
    cb_release(copy);
    FAILS(
        CL_INVALID_MUTABLE_COMMAND_KHR,
        cb.command_info(made[0], CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, sizeof queue, &queue, NULL));
    cb_release(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(x);
}

static void handles(void)
{
    need();
    on_all(check_handles, 0);
}

/* A kernel that one device does not have stays where it is, or nothing is made. */
static void one_device_only(void)
{
    need();
    cl_device_id list[16];
    cl_uint count = 0, other = 0;
    REQUIRE_OK(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, LEN(list), list, &count));
    while (other < count && list[other] == cl.device)
        other++;
    if (other == count)
        check_skip("there is no other device");
    static cl_uint want[CB_COUNT];
    random_fill(want, sizeof want);
    open_bed((cl_device_id[]){cl.device, list[other]}, 2, 0);
    const char *source = CB_AXPB;
    cl_int rc;
    cl_program program = clCreateProgramWithSource(two.context, 1, &source, NULL, &rc);
    REQUIRE_OK(rc);
    REQUIRE_OK(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
    cl_mem x = numbers(want);
    cl_kernel kernel = cb_axpb(program, x, 3, 1);
    const size_t global = CB_COUNT;
    const cl_command_queue turned[] = {two.queues[1], two.queues[0]};
    cl_command_buffer_khr buffer = new_commands(0);
    REQUIRE_OK(cb.launch(buffer, two.queues[0], NULL, kernel, 1, NULL, &global, NULL, 0, NULL, NULL,
                         NULL));
    cb_finalize(buffer);
    CREATE_FAILS(CL_INVALID_PROGRAM_EXECUTABLE,
                 cb.remap(buffer, CL_FALSE, 2, turned, 0, NULL, NULL, &check_err));
    CREATE_FAILS(CL_INVALID_PROGRAM_EXECUTABLE,
                 cb.remap(buffer, CL_TRUE, 1, turned, 0, NULL, NULL, &check_err));
    cl_command_buffer_khr copy = remapped(buffer, CL_TRUE, 2, turned);
    run(copy);
    for (size_t i = 0; i < CB_COUNT; i++)
        want[i] = want[i] * 3 + 1;
    check_numbers(x, want);
    cb_release(copy);
    cb_release(buffer);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
    RELEASE_MEM(x);
    close_bed();
}

static const struct test_case cases[] = {
    CASE(reported),   CASE(queues),      CASE(graphs),          CASE(lanes),  CASE(neighbours),
    CASE(failures),   CASE(substitutes), CASE(updates),         CASE(remaps), CASE(kinds),
    CASE(recordings), CASE(handles),     CASE(one_device_only),
};
TEST_MAIN("several_queues", cases)
