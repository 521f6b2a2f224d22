/* SPDX-License-Identifier: Apache-2.0 */
/* cl_sluice_program_pipe: what a program says about its pipes, and maps of the host's. What the
 * calls answer to wrong arguments is tested in api/. */
#include "flow.h"
#include "reference.h"

#include <CL/cl_ext_sluice.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

static clGetProgramPipeInfoSLUICE_fn pipe_info;
static clMapProgramPipeSLUICE_fn map_pipe;
static clUnmapProgramPipeSLUICE_fn unmap_pipe;
static clEnqueueReadHostPipeINTEL_fn enqueue_read;
static clEnqueueWriteHostPipeINTEL_fn enqueue_write;

static void find(void *to, const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(cl.platform, name);
    REQUIRE(found);
    memcpy(to, &found, sizeof found);
}

static void find_all(void)
{
    REQUIRE(has_extension("cl_sluice_program_pipe"));
    find(&pipe_info, "clGetProgramPipeInfoSLUICE");
    find(&map_pipe, "clMapProgramPipeSLUICE");
    find(&unmap_pipe, "clUnmapProgramPipeSLUICE");
    find(&enqueue_read, "clEnqueueReadHostPipeINTEL");
    find(&enqueue_write, "clEnqueueWriteHostPipeINTEL");
}

static const char source[] = CHANNELS HOST_PIPES
    "struct s { uint a; uchar b[8]; } __attribute__((packed));\n"
    "channel uint in __attribute__((depth(61))) __attribute__((intel_host_accessible));\n"
    "channel uint out __attribute__((depth(61))) __attribute__((intel_host_accessible));\n"
    "channel float4 inner[2][3];\n"
    "channel struct s files __attribute__((depth(7))) __attribute__((io(\"nic\")));\n"
    "kernel void k(uint n) {\n"
    "    for (uint i = 0; i < n; i++)\n"
    "        write_channel_intel(out, read_channel_intel(in) + 7);\n"
    "}\n"
    "kernel void f(void) { float4 v = read_channel_intel(files).a; "
    "write_channel_intel(inner[1][2], v); }\n"
    "kernel void g(void) { read_channel_intel(inner[1][2]); }\n";

/* ---- queries --------------------------------------------------------------------------------- */

static cl_uint number(cl_program program, const char *pipe, cl_program_pipe_info_sluice what)
{
    cl_uint value = 12345;
    CHECK_OK(pipe_info(program, cl.device, pipe, what, sizeof value, &value, NULL));
    return value;
}

static void expect_text(cl_program program, const char *pipe, cl_program_pipe_info_sluice what,
                        const char *want)
{
    char text[64] = "?";
    size_t size = 0;
    CHECK_OK(pipe_info(program, cl.device, pipe, what, sizeof text, text, &size));
    if (strcmp(text, want) != 0)
        check_fail(__FILE__, __LINE__, "%s of %x: \"%s\", not \"%s\"", pipe, what, text, want);
    CHECK_EQ(size, strlen(want) + 1);
}

static cl_mem_flags access_of(cl_program program, const char *pipe)
{
    cl_mem_flags flags = 12345;
    CHECK_OK(pipe_info(program, cl.device, pipe, CL_PROGRAM_PIPE_HOST_ACCESS_SLUICE, sizeof flags,
                       &flags, NULL));
    return flags;
}

static void queries(void)
{
    find_all();
    cl_program program = built(source, "-emulator-channel-depth-model=strict");
    CHECK_EQ(number(program, "in", CL_PROGRAM_PIPE_PACKET_SIZE_SLUICE), 4);
    CHECK_EQ(number(program, "in", CL_PROGRAM_PIPE_PACKET_ALIGNMENT_SLUICE), 4);
    CHECK_EQ(number(program, "in", CL_PROGRAM_PIPE_DECLARED_CAPACITY_SLUICE), 61);
    CHECK_EQ(number(program, "in", CL_PROGRAM_PIPE_CAPACITY_SLUICE), 61);
    CHECK_EQ(number(program, "inner[1][2]", CL_PROGRAM_PIPE_PACKET_SIZE_SLUICE), 16);
    CHECK_EQ(number(program, "inner[1][2]", CL_PROGRAM_PIPE_PACKET_ALIGNMENT_SLUICE), 16);
    CHECK_EQ(number(program, "inner[1][2]", CL_PROGRAM_PIPE_DECLARED_CAPACITY_SLUICE), 0);
    CHECK_EQ(number(program, "inner[1][2]", CL_PROGRAM_PIPE_CAPACITY_SLUICE), 1);
    CHECK_EQ(number(program, "files", CL_PROGRAM_PIPE_PACKET_SIZE_SLUICE), 12);
    CHECK_EQ(number(program, "files", CL_PROGRAM_PIPE_PACKET_ALIGNMENT_SLUICE), 1);
    expect_text(program, "in", CL_PROGRAM_PIPE_TYPE_SLUICE, "uint");
    expect_text(program, "inner[0][1]", CL_PROGRAM_PIPE_TYPE_SLUICE, "float4");
    expect_text(program, "files", CL_PROGRAM_PIPE_IO_SLUICE, "nic");
    expect_text(program, "in", CL_PROGRAM_PIPE_IO_SLUICE, "");
    CHECK_EQ(access_of(program, "in"), CL_MEM_HOST_WRITE_ONLY);
    CHECK_EQ(access_of(program, "out"), CL_MEM_HOST_READ_ONLY);
    CHECK_EQ(access_of(program, "files"), CL_MEM_HOST_NO_ACCESS);
    RELEASE_PROGRAM(program);
}

/* Who is joined to whom (P-2): kernel to kernel, to itself, to the host and to a peripheral; a
 * unit is named as reports name it. */
static void ends(void)
{
    static const char design[] = CHANNELS HOST_PIPES
        "channel int in __attribute__((intel_host_accessible));\n"
        "channel int self __attribute__((depth(4))), between, each[2], shared[3];\n"
        "channel int net __attribute__((io(\"nic\")));\n"
        "kernel void zeta(void) { int v = read_channel_intel(in); write_channel_intel(self, v);\n"
        "    v = read_channel_intel(self); write_channel_intel(between, v); }\n"
        "kernel void alpha(void) { write_channel_intel(net, read_channel_intel(between)); }\n"
        "__attribute__((autorun)) __attribute__((num_compute_units(2)))\n"
        "__attribute__((max_global_work_dim(0)))\n"
        "kernel void unit(void) { while (1) read_channel_intel(each[get_compute_id(0)]); }\n"
        "kernel void feed(int n) { write_channel_intel(each[0], n);\n"
        "    write_channel_intel(each[1], n); write_channel_intel(shared[n], n); }\n"
        "kernel void food(int n) { write_channel_intel(shared[n], n); }\n"
        "kernel void eat(void) { for (int i = 0; i < 3; i++) read_channel_intel(shared[i]); }\n";
    static const char *const rows[][3] = {/* pipe, writers, readers */
                                          {"in", "", "zeta"},
                                          {"self", "zeta", "zeta"},
                                          {"between", "zeta", "alpha"},
                                          {"net", "alpha", ""},
                                          {"shared[1]", "feed;food", "eat"},
                                          {"each[0]", "feed", "unit"},
                                          {"each[1]", "feed", "unit.1"}};
    find_all();
    cl_program program = built(design, "");
    for (size_t i = 0; i < LEN(rows); i++) {
        expect_text(program, rows[i][0], CL_PROGRAM_PIPE_WRITERS_SLUICE, rows[i][1]);
        expect_text(program, rows[i][0], CL_PROGRAM_PIPE_READERS_SLUICE, rows[i][2]);
    }
    RELEASE_PROGRAM(program);
}

/* ---- maps ------------------------------------------------------------------------------------ */

static cl_uint *map_some(cl_program program, const char *pipe, cl_map_flags flags, size_t want,
                         size_t *got)
{
    cl_int rc = 12345;
    size_t bytes = 12345;
    cl_uint *at = map_pipe(program, cl.device, pipe, flags, want * 4, &bytes, &rc);
    CHECK_EQ(rc, at ? CL_SUCCESS : CL_OUT_OF_RESOURCES);
    *got = bytes / 4;
    CHECK(at ? bytes != 0 && (!want || bytes <= want * 4) : bytes == 0);
    return at;
}

static void give(cl_program program, const char *pipe, cl_uint *at, size_t count)
{
    size_t done = 12345;
    CHECK_OK(unmap_pipe(program, cl.device, pipe, at, count * 4, &done));
    CHECK_EQ(done, count * 4);
}

static void *send_mapped(void *data)
{
    cl_program program = data;
    for (cl_uint i = 0; i < 30000;) {
        size_t got, want = (i * 7 + 3) % 40 + 1;
        if (want > 30000 - i)
            want = 30000 - i;
        cl_uint *at = map_some(program, "in", CL_MAP_WRITE, want, &got);
        for (size_t k = 0; k < got; k++)
            at[k] = i++;
        if (got > 1)
            give(program, "in", at, got / 2);
        if (got)
            give(program, "in", at, got - got / 2);
        else
            sched_yield();
    }
    return NULL;
}

static void through_maps(void)
{
    find_all();
    cl_uint count = 30000, wrong = 0;
    struct flow *flow = flow_open(source, "");
    ARG(flow_add(flow, "k"), 0, count);
    pthread_t thread;
    flow_start(flow);
    REQUIRE(!pthread_create(&thread, NULL, send_mapped, flow->program));
    for (cl_uint i = 0; i < count;) {
        size_t got;
        cl_uint *at = map_some(flow->program, "out", CL_MAP_READ, i % 3 ? i % 50 + 1 : 0, &got);
        for (size_t k = 0; k < got; k++)
            wrong += at[k] != i++ + 7;
        if (got)
            give(flow->program, "out", at, got);
        else
            sched_yield();
    }
    CHECK_EQ(wrong, 0);
    pthread_join(thread, NULL);
    flow_finish(flow);
    flow_close(flow);
}

/* All 61 places are mapped, in two regions; the second comes back first, and a packet waits. */
static void transfers_queue_behind(void)
{
    find_all();
    cl_program program = built(source, "-emulator-channel-depth-model=strict");
    size_t first, second, none;
    cl_uint value = 61, count = 62, wrong = 0;
    cl_uint *a = map_some(program, "in", CL_MAP_WRITE, 21, &first);
    cl_uint *b = map_some(program, "in", CL_MAP_WRITE, 0, &second);
    CHECK_EQ(first + second, 61);
    CHECK(!map_some(program, "in", CL_MAP_WRITE, 1, &none));
    for (cl_uint i = 0; i < 61; i++)
        (i < 21 ? a : b - 21)[i] = i;
    cl_event waits;
    cl_command_queue queue = new_queue(0);
    CHECK_OK(enqueue_write(queue, program, "in", CL_FALSE, &value, 4, 0, NULL, &waits));
    CHECK_EQ(clWaitForEvents(1, &waits), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(event_status(waits), CL_PIPE_FULL);
    RELEASE_EVENT(waits);
    struct flow *flow = flow_of(program);
    ARG(flow_add(flow, "k"), 0, count);
    give(program, "in", b, second);
    flow_start(flow);
    give(program, "in", a, first);
    CHECK_OK(enqueue_write(queue, program, "in", CL_TRUE, &value, 4, 0, NULL, NULL));
    for (cl_uint i = 0; i < count; i++) {
        CHECK_OK(enqueue_read(queue, program, "out", CL_TRUE, &value, 4, 0, NULL, NULL));
        wrong += value != i + 7;
    }
    CHECK_EQ(wrong, 0);
    flow_finish(flow);
    flow_close(flow);
    RELEASE_QUEUE(queue);
}

struct late {
    cl_program program;
    cl_command_queue queue;
    cl_uint value;
    cl_int rc;
};

static void *write_late(void *data)
{
    struct late *late = data;
    late->rc =
        enqueue_write(late->queue, late->program, "in", CL_TRUE, &late->value, 4, 0, NULL, NULL);
    return NULL;
}

/* A region comes back while a transfer of another thread waits behind it. */
static void unmapped_under_a_waiting_transfer(void)
{
    find_all();
    for (int turn = 0; turn < 20; turn++) {
        struct flow *flow = flow_open(source, "-emulator-channel-depth-model=strict");
        struct late late = {flow->program, new_queue(0), 61, 12345};
        cl_uint count = 62, wrong = 0;
        size_t got, rest = 0;
        cl_uint *a = map_some(flow->program, "in", CL_MAP_WRITE, 0, &got), *b = NULL;
        if (got < 61)
            b = map_some(flow->program, "in", CL_MAP_WRITE, 0, &rest);
        CHECK_EQ(got + rest, 61);
        for (cl_uint i = 0; i < 61; i++)
            *(i < got ? &a[i] : &b[i - got]) = i;
        pthread_t thread;
        ARG(flow_add(flow, "k"), 0, count);
        flow_start(flow);
        REQUIRE(!pthread_create(&thread, NULL, write_late, &late));
        for (int i = 0; i < turn * 3; i++)
            sched_yield();
        for (size_t i = 0; i < got; i++)
            give(flow->program, "in", a, 1);
        if (rest)
            give(flow->program, "in", b, rest);
        for (cl_uint i = 0; i < count; i++) {
            cl_uint value = 12345;
            CHECK_OK(
                enqueue_read(cl.queue, flow->program, "out", CL_TRUE, &value, 4, 0, NULL, NULL));
            wrong += value != i + 7;
        }
        pthread_join(thread, NULL);
        CHECK_OK(late.rc);
        CHECK_EQ(wrong, 0);
        flow_finish(flow);
        flow_close(flow);
        RELEASE_QUEUE(late.queue);
    }
}

static const struct test_case cases[] = {
    CASE(queries),
    CASE(ends),
    CASE(through_maps),
    CASE(transfers_queue_behind),
    CASE(unmapped_under_a_waiting_transfer),
};
TEST_MAIN("program_pipe", cases)
