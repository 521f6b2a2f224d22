/* SPDX-License-Identifier: Apache-2.0 */
/* Stalls that are not the whole device's: beside kernels that run on or ask in vain; of the host,
 * which waits for a kernel that nobody launched; at I/O that has ended. Each case is a process of
 * its own with a short stall time. */
#include "child.h"
#include "flow.h"
#include "runner.h"
#include "watched.h"

#include <CL/cl_ext_sluice.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char cycle[] =
    CHANNELS "channel uint ab; channel uint ba; channel uint extra;\n"
             "kernel void kernel_a(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) write_channel_intel(ab, read_channel_intel(ba));\n"
             "    write_channel_intel(extra, 1);\n"
             "}\n"
             "kernel void kernel_b(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) write_channel_intel(ba, read_channel_intel(ab));\n"
             "}\n"
             /* asks for ever for what kernel_a would send at its end */
             "kernel void polls(global uint *o, uint n) {\n"
             "    bool ok = false;\n"
             "    while (!ok) o[0] = read_channel_nb_intel(extra, &ok);\n"
             "}\n"
             "kernel void watches(global uint *o, uint n) {\n"
             "    volatile global uint *flag = o;\n"
             "    while (!*flag) ;\n"
             "}\n"
             /* the same, with a pipe */
             "channel uint own __attribute__((depth(2)));\n"
             "kernel void watches_with_pipe(global uint *o, uint n) {\n"
             "    volatile global uint *flag = o;\n"
             "    write_channel_intel(own, 1);\n"
             "    while (!*flag) ;\n"
             "    o[0] = read_channel_intel(own);\n"
             "}\n"
             "kernel void late(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) o[i] = i;\n"
             "}\n";

/* ---- beside others --------------------------------------------------------------------------- */

/* The flag is the host's memory, which kernels here see as it is. */
static void beside_watcher(const char *name)
{
    static _Alignas(64) atomic_uint flag[16];
    cl_int rc;
    open_watched();
    struct flow *flow = flow_open(cycle, "");
    cl_mem out = new_uints(1);
    cl_mem shared = clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR, sizeof flag, (void *)flag, &rc);
    REQUIRE_OK(rc);
    add(flow, "kernel_a", out, 3);
    add(flow, "kernel_b", out, 3);
    add(flow, name, shared, 3);
    flow_start(flow);
    ends_with_error(flow->kernels[0].event);
    ends_with_error(flow->kernels[1].event);
    check_report(WORDS("not everything on the device can move: 2 kernels", "kernel_a", "kernel_b",
                       "ab", "ba", "cycle"));
    CHECK(!report_has(name));
    CHECK(event_status(flow->kernels[2].event) >= 0);
    atomic_store(flag, 1);
    CHECK_OK(clWaitForEvents(1, &flow->kernels[2].event));
    flow_close(flow);
    RELEASE_MEM(shared);
    RELEASE_MEM(out);
    env_close(1);
}

static void job_watcher(void)
{
    beside_watcher("watches");
}

static void job_watcher_with_pipe(void)
{
    beside_watcher("watches_with_pipe");
}

static void job_poller(void)
{
    open_watched();
    struct flow *flow = flow_open(cycle, "");
    cl_mem out = new_uints(20);
    add(flow, "polls", out, 1);
    add(flow, "kernel_a", out, 3);
    add(flow, "kernel_b", out, 3);
    flow_start(flow);
    ends_with_errors(flow);
    CHECK(report_has("kernel_a waits to read ba"));
    flow_close(flow);
    flow_expect(cycle, "late", 20, want_same); /* the device goes on */
    RELEASE_MEM(out);
    env_close(1);
}

/* ---- who computes ---------------------------------------------------------------------------- */

/* Once its number is even `echo` goes round without a packet, for ever. */
static const char endless[] =
    CHANNELS "channel uint there __attribute__((depth(2))); channel uint back;\n"
             "__attribute__((max_global_work_dim(0))) __attribute__((autorun))\n"
             "kernel void echo(void) {\n"
             "    uint x = 1;\n"
             "    while (1)\n"
             "        for (uint i = 0; i < (x & 1); i++) {\n"
             "            x = read_channel_intel(there);\n"
             "            write_channel_intel(back, x);\n"
             "        }\n"
             "}\n"
             "kernel void ask(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) write_channel_intel(there, 2 * i + (i < 50));\n"
             "}\n"
             "kernel void hear(global uint *o, uint n) {\n"
             "    for (uint i = 0; i < n; i++) o[i] = read_channel_intel(back);\n"
             "}\n";

static void *waits_for(void *event)
{
    clWaitForEvents(1, event);
    return NULL;
}

#ifdef __SANITIZE_THREAD__
__attribute__((visibility("default"))) const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
    return "report_thread_leaks=0"; /* a job ends in the midst of it */
}
#endif

/* Nothing can end it. */
static void job_endless(void)
{
    pthread_t host;
    open_watched();
    struct flow *flow = flow_open(endless, "");
    cl_mem out = new_uints(100);
    add(flow, "ask", out, 100);
    add(flow, "hear", out, 100);
    flow_start(flow);
    REQUIRE(!pthread_create(&host, NULL, waits_for, &flow->kernels[1].event));
    check_report(
        WORDS("no packet has moved for 400 ms, since a kernel computes: ", "echo", "is not ended"));
    CHECK(event_status(flow->kernels[0].event) >= 0);
    _exit(check_take_failures() != 0);
}

/* Whoever waits for a kernel whose way to its pipe the compiler has taken for none, since a loop in
 * front of it never ends, does so in another cluster. */
static void job_apart(void)
{
    static const char apart[] =
        CHANNELS "channel uint never;\n"
                 "kernel void spin(global uint *o, uint n) {\n"
                 "    for (uint i = 1; i; i += 2) o[i % 64] += i;\n"
                 "    write_channel_intel(never, 1);\n"
                 "}\n"
                 "kernel void want(global uint *o, uint n) { o[0] = read_channel_intel(never); }\n";
    pthread_t host;
    open_watched();
    struct flow *flow = flow_open(apart, "");
    cl_mem out = new_uints(64), got = new_uints(1);
    add(flow, "want", got, 1);
    add(flow, "spin", out, 64);
    flow_start(flow);
    REQUIRE(!pthread_create(&host, NULL, waits_for, &flow->kernels[0].event));
    check_report(WORDS("no packet has moved for 400 ms, since a kernel computes: ", "spin",
                       "want waits to read never", "is not ended"));
    _exit(check_take_failures() != 0);
}

/* One that runs by itself and waits there may well have nothing to do: nobody is told. */
static void job_autorun_apart(void)
{
    static const char apart[] =
        CHANNELS "channel uint never;\n"
                 "kernel void spin(global uint *o, uint n) {\n"
                 "    for (uint i = 1; i; i += 2) o[i % 64] += i;\n"
                 "    write_channel_intel(never, 1);\n"
                 "}\n"
                 "__attribute__((max_global_work_dim(0))) __attribute__((autorun))\n"
                 "kernel void want(void) { read_channel_intel(never); }\n";
    pthread_t host;
    open_watched();
    struct flow *flow = flow_open(apart, "");
    cl_mem out = new_uints(64);
    add(flow, "spin", out, 64);
    flow_start(flow);
    REQUIRE(!pthread_create(&host, NULL, waits_for, &flow->kernels[0].event));
    usleep(1500000);
    CHECK_EQ(report_count(), 0);
    _exit(check_take_failures() != 0);
}

/* ---- who polls memory ------------------------------------------------------------------------ */

static const char flagged[] =
    CHANNELS "channel uint c;\n"
             "kernel void src(global uint *o, uint n) {\n"
             "    volatile global uint *flag = o;\n"
             "    while (!*flag) ;\n"
             "    write_channel_intel(c, *flag + n);\n"
             "}\n"
             "kernel void dst(global uint *o, uint n) { o[0] = read_channel_intel(c) + n; }\n";
static _Alignas(64) atomic_uint flag[16];

/* `seconds`: until the flag is set; 0: that it is polled is told before that. */
static void polls_flag(double seconds)
{
    cl_int rc;
    open_watched();
    struct flow *flow = flow_open(flagged, "");
    cl_mem out = new_uints(1);
    cl_mem shared = clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR, sizeof flag, (void *)flag, &rc);
    REQUIRE_OK(rc);
    add(flow, "src", shared, 20);
    add(flow, "dst", out, 3);
    flow_start(flow);
    pthread_t host;
    REQUIRE(!pthread_create(&host, NULL, waits_for, &flow->kernels[1].event));
    if (seconds > 0)
        usleep((useconds_t)(seconds * 1e6));
    else
        check_report(WORDS("no packet has moved there for 400 ms, since a kernel polls memory: src",
                           "dst waits to read c", "is not ended"));
    CHECK(event_status(flow->kernels[0].event) >= 0);
    atomic_store(flag, 100);
    REQUIRE(!pthread_join(host, NULL));
    flow_finish(flow);
    cl_uint *got = take_uints(out, 1);
    CHECK_EQ(got[0], 123);
    CHECK_EQ(report_count(), seconds > 0 ? 0 : 1);
    free(got);
    flow_close(flow);
    RELEASE_MEM(shared);
    RELEASE_MEM(out);
    env_close(1);
}

static void job_polls_memory(void)
{
    polls_flag(0);
}

static void job_polls_and_goes_on(void)
{
    polls_flag(0.5);
}

/* ---- transfers ------------------------------------------------------------------------------- */

static const char answers[] = CHANNELS HOST_PIPES
    "channel uint out __attribute__((depth(2))) __attribute__((intel_host_accessible));\n"
    "channel uint in __attribute__((depth(2))) __attribute__((intel_host_accessible));\n"
    "kernel void answer(global uint *o, uint n) {\n"
    "    for (uint i = 0; i < n; i++) write_channel_intel(out, read_channel_intel(in));\n"
    "}\n";

static void *entry(const char *name)
{
    void *found = clGetExtensionFunctionAddressForPlatform(cl.platform, name);
    REQUIRE(found);
    return found;
}

/* The blocking call ends; the pipe still works when the kernel comes. */
static void job_transfer(void)
{
    cl_uint word = 7, got = 0;
    open_watched();
    struct flow *flow = flow_open(answers, "");
    clEnqueueReadHostPipeINTEL_fn read = NULL;
    clEnqueueWriteHostPipeINTEL_fn write = NULL;
    void *found[] = {entry("clEnqueueReadHostPipeINTEL"), entry("clEnqueueWriteHostPipeINTEL")};
    memcpy(&read, &found[0], sizeof read);
    memcpy(&write, &found[1], sizeof write);
    double start = now_seconds();
    CHECK(read(cl.queue, flow->program, "out", CL_TRUE, &got, 4, 0, NULL, NULL) < 0);
    CHECK(now_seconds() - start < 5);
    check_report(WORDS("the host waits to read out (empty: 0 of 2)", ":3,",
                       "for answer, which writes it and is not running"));
    cl_mem out = new_uints(1);
    add(flow, "answer", out, 1);
    flow_start(flow);
    CHECK_OK(write(cl.queue, flow->program, "in", CL_TRUE, &word, 4, 0, NULL, NULL));
    CHECK_OK(read(cl.queue, flow->program, "out", CL_TRUE, &got, 4, 0, NULL, NULL));
    CHECK_EQ(got, word);
    flow_finish(flow);
    flow_close(flow);
    RELEASE_MEM(out);
    env_close(1);
}

/* ---- I/O ------------------------------------------------------------------------------------- */

static void job_io(void)
{
    static const char source[] =
        CHANNELS "channel uint c __attribute__((depth(4))) __attribute__((io(\"left\")));\n"
                 "kernel void dst(global uint *o, uint n) { o[0] = read_channel_intel(c); }\n";
    open_watched();
    struct flow *flow = flow_open(source, "");
    cl_mem out = new_uints(1);
    add(flow, "dst", out, 1);
    flow_start(flow);
    ends_with_errors(flow);
    if (getenv("SLUICE_FPGA_IO"))
        check_report(WORDS("dst waits to read c", "nothing comes from outside any more"));
    else
        check_report(WORDS("dst waits to read c",
                           "whose end \"left\" is bound to nothing (SLUICE_FPGA_IO)"));
    flow_close(flow);
    RELEASE_MEM(out);
    env_close(1);
}

/* ---- the cases ------------------------------------------------------------------------------- */

static void beside_a_kernel_that_spins(void)
{
    stall_job("job_watcher", "error", NULL);
    stall_job("job_watcher_with_pipe", "error", NULL);
}

static void a_poller_ends_too(void)
{
    stall_job("job_poller", "error", NULL);
}

static void a_kernel_goes_round_for_ever(void)
{
    stall_job("job_endless", "error", "SLUICE_FPGA_STALL_MS=20");
}

static void a_kernel_goes_round_for_ever_apart(void)
{
    stall_job("job_apart", "error", "SLUICE_FPGA_STALL_MS=20");
}

static void who_runs_by_itself_is_not_waiting(void)
{
    stall_job("job_autorun_apart", "error", "SLUICE_FPGA_STALL_MS=20");
}

static void a_kernel_polls_memory(void)
{
    stall_job("job_polls_memory", "error", "SLUICE_FPGA_STALL_MS=20");
}

static void a_kernel_polls_memory_and_goes_on(void)
{
    stall_job("job_polls_and_goes_on", "error", NULL);
}

static void transfer_without_kernel(void)
{
    stall_job("job_transfer", "error", NULL);
}

static void ended_input(void)
{
    stall_job("job_io", "error", "SLUICE_FPGA_IO=left=null:");
}

static void unbound_input(void)
{
    stall_job("job_io", "error", "SLUICE_FPGA_IO");
}

static const struct test_case cases[] = {
    CASE(beside_a_kernel_that_spins),
    CASE(a_poller_ends_too),
    CASE(a_kernel_goes_round_for_ever),
    CASE(a_kernel_goes_round_for_ever_apart),
    CASE(who_runs_by_itself_is_not_waiting),
    CASE(a_kernel_polls_memory),
    CASE(a_kernel_polls_memory_and_goes_on),
    CASE(transfer_without_kernel),
    CASE(ended_input),
    CASE(unbound_input),
};
static const struct test_case jobs[] = {CASE(job_watcher),      CASE(job_watcher_with_pipe),
                                        CASE(job_poller),       CASE(job_endless),
                                        CASE(job_apart),        CASE(job_autorun_apart),
                                        CASE(job_polls_memory), CASE(job_polls_and_goes_on),
                                        CASE(job_transfer),     CASE(job_io)};
JOBS_MAIN("stall_part", cases, jobs)
