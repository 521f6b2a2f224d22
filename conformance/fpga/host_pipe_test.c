/* SPDX-License-Identifier: Apache-2.0 */
/* Data between host threads and kernels: packets, mappings, program-scope pipes by symbol. What the
 * calls answer to wrong arguments is tested in api/. The threads share nothing but the pipes. */
#include "flow.h"
#include "reference.h"

#include <CL/cl_ext_sluice.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

enum { DEPTH = 61, PACKETS = 60000 };

static clReadPipeIntelFPGA_fn read_packet;
static clWritePipeIntelFPGA_fn write_packet;
static clMapHostPipeIntelFPGA_fn map_pipe;
static clUnmapHostPipeIntelFPGA_fn unmap_pipe;
static clEnqueueReadHostPipeINTEL_fn enqueue_read;
static clEnqueueWriteHostPipeINTEL_fn enqueue_write;

static void find(void *to, const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(cl.platform, name);
    if (!found)
        check_fail(__FILE__, __LINE__, "no %s", name);
    REQUIRE(found);
    memcpy(to, &found, sizeof found);
}

static void find_all(void)
{
    find(&read_packet, "clReadPipeIntelFPGA");
    find(&write_packet, "clWritePipeIntelFPGA");
    find(&map_pipe, "clMapHostPipeIntelFPGA");
    find(&unmap_pipe, "clUnmapHostPipeIntelFPGA");
    find(&enqueue_read, "clEnqueueReadHostPipeINTEL");
    find(&enqueue_write, "clEnqueueWriteHostPipeINTEL");
}

/* ---- a kernel between two host pipes --------------------------------------------------------- */

static const char copier[] = HOST_PIPES
    "kernel void k(uint n, read_only pipe uint __attribute__((intel_host_accessible)) a,\n"
    "              write_only pipe uint __attribute__((intel_host_accessible)) b) {\n"
    "    for (uint i = 0; i < n; i++) {\n"
    "        uint v; while (read_pipe(a, &v)) ; v += 7; while (write_pipe(b, &v)) ;\n"
    "    }\n"
    "}\n";
static const char waiter[] = HOST_PIPES
    "kernel void k(uint n,\n"
    "    read_only pipe uint __attribute__((blocking)) __attribute__((intel_host_accessible)) a,\n"
    "    write_only pipe uint __attribute__((blocking)) __attribute__((intel_host_accessible)) b) "
    "{\n"
    "    for (uint i = 0; i < n; i++) { uint v; read_pipe(a, &v); v += 7; write_pipe(b, &v); }\n"
    "}\n";

struct loop {
    struct flow *flow;
    cl_mem in, out;
    cl_uint count;
};

static struct loop open_loop(const char *source, cl_uint count)
{
    cl_int rc;
    struct loop loop = {.count = count};
    find_all();
    loop.flow = flow_open(source, "");
    loop.in = clCreatePipe(cl.context, CL_MEM_HOST_WRITE_ONLY, 4, DEPTH, NULL, &rc);
    REQUIRE_OK(rc);
    loop.out = clCreatePipe(cl.context, CL_MEM_HOST_READ_ONLY, 4, DEPTH, NULL, &rc);
    REQUIRE_OK(rc);
    cl_kernel kernel = flow_add(loop.flow, "k");
    ARG(kernel, 0, count);
    ARG(kernel, 1, loop.in);
    ARG(kernel, 2, loop.out);
    return loop;
}

static void close_loop(struct loop *loop)
{
    flow_close(loop->flow);
    RELEASE_MEM(loop->in);
    RELEASE_MEM(loop->out);
}

static void *send_packets(void *data)
{
    struct loop *loop = data;
    for (cl_uint i = 0; i < loop->count; i++) {
        cl_int rc;
        while ((rc = write_packet(loop->in, &i)) == CL_PIPE_FULL)
            sched_yield();
        if (!CHECK_OK(rc))
            break;
    }
    return NULL;
}

static void receive_packets(struct loop *loop)
{
    for (cl_uint i = 0; i < loop->count; i++) {
        cl_uint got;
        cl_int rc;
        while ((rc = read_packet(loop->out, &got)) == CL_PIPE_EMPTY)
            sched_yield();
        if (!CHECK_OK(rc) || !CHECK_EQ(got, i + 7))
            break;
    }
}

/* A thread that maps whatever there is room for, fills it and gives it back in pieces. */
static void *send_mapped(void *data)
{
    struct loop *loop = data;
    unsigned state = 12345;
    for (cl_uint i = 0; i < loop->count;) {
        size_t got = 0, done;
        cl_int rc;
        state = state * 1664525u + 1013904223u;
        size_t want = (state >> 16) % 40 + 1;
        if (want > loop->count - i)
            want = loop->count - i;
        cl_uint *at = map_pipe(loop->in, 0, want * 4, &got, &rc);
        if (!at) {
            sched_yield();
            continue;
        }
        for (size_t k = 0; k < got / 4; k++)
            at[k] = i++;
        size_t first = got / 8 * 4;
        if (first)
            CHECK_OK(unmap_pipe(loop->in, at, first, &done));
        CHECK_OK(unmap_pipe(loop->in, at, got - first, &done));
        CHECK_EQ(done, got - first);
    }
    return NULL;
}

static void receive_mapped(struct loop *loop)
{
    for (cl_uint i = 0; i < loop->count;) {
        size_t got = 0, done;
        cl_int rc;
        const cl_uint *at = map_pipe(loop->out, 0, (random_below(50) + 1) * 4, &got, &rc);
        if (!at) {
            sched_yield();
            continue;
        }
        for (size_t k = 0; k < got / 4; k++, i++)
            if (at[k] != i + 7)
                REQUIRE(CHECK_EQ(at[k], i + 7));
        CHECK_OK(unmap_pipe(loop->out, (void *)(uintptr_t)at, got, &done));
    }
}

static void two_threads(const char *source, void *(*send)(void *), void (*receive)(struct loop *))
{
    struct loop loop = open_loop(source, is_sluice() ? PACKETS : 5000);
    pthread_t thread;
    flow_start(loop.flow);
    REQUIRE(!pthread_create(&thread, NULL, send, &loop));
    receive(&loop);
    REQUIRE(!pthread_join(thread, NULL));
    flow_finish(loop.flow);
    close_loop(&loop);
}

static void packets_polling_kernel(void)
{
    two_threads(copier, send_packets, receive_packets);
}

static void packets_waiting_kernel(void)
{
    two_threads(waiter, send_packets, receive_packets);
}

static void mapped_polling_kernel(void)
{
    two_threads(copier, send_mapped, receive_mapped);
}

static void mapped_waiting_kernel(void)
{
    two_threads(waiter, send_mapped, receive_mapped);
}

static void mapped_to_packets(void)
{
    two_threads(waiter, send_mapped, receive_packets);
    two_threads(waiter, send_packets, receive_mapped);
}

/* One thread: as much as fits before the kernel starts; the rest stays for the next launch. */
static void before_between_and_after_launches(void)
{
    struct loop loop = open_loop(waiter, 10);
    for (cl_uint i = 0; i < 30; i++)
        CHECK_OK(write_packet(loop.in, &i));
    for (cl_uint turn = 0; turn < 3; turn++) {
        flow_run(loop.flow);
        for (cl_uint i = 0; i < 10; i++) {
            cl_uint got = 0;
            CHECK_OK(read_packet(loop.out, &got));
            CHECK_EQ(got, turn * 10 + i + 7);
        }
        cl_uint none = 5;
        FAILS(CL_PIPE_EMPTY, read_packet(loop.out, &none));
        CHECK_EQ(none, 5);
    }
    close_loop(&loop);
}

/* The kernel sleeps between packets that come one by one. */
static void round_trips(void)
{
    struct loop loop = open_loop(waiter, 3000);
    flow_start(loop.flow);
    for (cl_uint i = 0; i < loop.count; i++) {
        cl_uint got = 0;
        while (write_packet(loop.in, &i))
            sched_yield();
        while (read_packet(loop.out, &got))
            sched_yield();
        if (!CHECK_EQ(got, i + 7))
            break;
    }
    flow_finish(loop.flow);
    close_loop(&loop);
}

/* ---- by symbol ------------------------------------------------------------------------------- */

static const char symbols[] = CHANNELS HOST_PIPES
    "channel uint hin __attribute__((depth(16))) __attribute__((intel_host_accessible));\n"
    "channel uint hout __attribute__((depth(16))) __attribute__((intel_host_accessible));\n"
    "kernel void k(uint n) {\n"
    "    for (uint i = 0; i < n; i++) write_channel_intel(hout, read_channel_intel(hin) + 1);\n"
    "}\n";

static void need_symbols(void)
{
    if (!is_sluice())
        check_skip("symbols of OpenCL C sources are Sluice's");
    find_all();
}

/* Written before any kernel object exists. */
static void symbol_before_launch(void)
{
    need_symbols();
    cl_program program = built(symbols, "");
    cl_uint one = 1, got = 0, n = 1;
    REQUIRE_OK(enqueue_write(cl.queue, program, "hin", CL_TRUE, &one, 4, 0, NULL, NULL));
    cl_kernel kernel = kernel_of(program, "k");
    ARG(kernel, 0, n);
    run_1d(kernel, 1, 1);
    REQUIRE_OK(enqueue_read(cl.queue, program, "hout", CL_TRUE, &got, 4, 0, NULL, NULL));
    CHECK_EQ(got, 2);
    RELEASE_KERNEL(kernel);
    RELEASE_PROGRAM(program);
}

struct sender {
    cl_program program;
    cl_uint count;
};

static void *send_by_symbol(void *data)
{
    struct sender *sender = data;
    cl_command_queue queue = new_queue(0);
    for (cl_uint i = 0; i < sender->count; i++)
        if (!CHECK_OK(enqueue_write(queue, sender->program, "hin", CL_TRUE, &i, 4, 0, NULL, NULL)))
            break;
    RELEASE_QUEUE(queue);
    return NULL;
}

static void symbol_threads(void)
{
    need_symbols();
    struct flow *flow = flow_open(symbols, "");
    struct sender sender = {flow->program, 10000};
    pthread_t thread;
    cl_kernel kernel = flow_add(flow, "k");
    ARG(kernel, 0, sender.count);
    flow_start(flow);
    REQUIRE(!pthread_create(&thread, NULL, send_by_symbol, &sender));
    for (cl_uint i = 0; i < sender.count; i++) {
        cl_uint got = 0;
        if (!CHECK_OK(
                enqueue_read(cl.queue, flow->program, "hout", CL_TRUE, &got, 4, 0, NULL, NULL)) ||
            !CHECK_EQ(got, i + 1))
            break;
    }
    REQUIRE(!pthread_join(thread, NULL));
    flow_finish(flow);
    flow_close(flow);
}

/* Blocking commands that wait in an in-order queue keep their order; what may not wait and would
 * have to fails where everyone can see it. */
static void symbol_events(void)
{
    need_symbols();
    struct flow *flow = flow_open(symbols, "");
    cl_uint got = 77, value[40], full = 0, n = 16;
    cl_event events[40], event;
    REQUIRE_OK(enqueue_read(cl.queue, flow->program, "hout", CL_FALSE, &got, 4, 0, NULL, &event));
    FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
    CHECK(event_status(event) < 0);
    CHECK_EQ(got, 77);
    RELEASE_EVENT(event);
    for (cl_uint i = 0; i < 40; i++) {
        value[i] = i;
        REQUIRE_OK(enqueue_write(cl.queue, flow->program, "hin", CL_FALSE, &value[i], 4, 0, NULL,
                                 &events[i]));
    }
    clFinish(cl.queue);
    for (cl_uint i = 0; i < 40; i++) {
        full += event_status(events[i]) < 0;
        CHECK_EQ(event_status(events[i]) < 0, i >= 16);
        RELEASE_EVENT(events[i]);
    }
    CHECK_EQ(full, 24);
    cl_kernel kernel = flow_add(flow, "k");
    ARG(kernel, 0, n);
    flow_run(flow);
    for (cl_uint i = 0; i < 16; i++) {
        REQUIRE_OK(enqueue_read(cl.queue, flow->program, "hout", CL_TRUE, &got, 4, 0, NULL, NULL));
        CHECK_EQ(got, i + 1);
    }
    flow_close(flow);
}

static const struct test_case cases[] = {
    CASE(packets_polling_kernel),
    CASE(packets_waiting_kernel),
    CASE(mapped_polling_kernel),
    CASE(mapped_waiting_kernel),
    CASE(mapped_to_packets),
    CASE(before_between_and_after_launches),
    CASE(round_trips),
    CASE(symbol_before_launch),
    CASE(symbol_threads),
    CASE(symbol_events),
};
TEST_MAIN("host_pipe", cases)
