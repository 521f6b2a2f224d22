/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "io_jobs.h"

#include <CL/cl_ext_sluice.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

char io_rows[400];

/* ---- jobs ------------------------------------------------------------------------------------ */

static const char source[] = CHANNELS
    "typedef struct { uchar at[7]; } seven;\n"
    "seven make_seven(uint i) {\n"
    "    seven s; for (int k = 0; k < 7; k++) s.at[k] = (i >> 4 * k) * 13 + k;\n"
    "    return s;\n"
    "}\n"
    "bool is_seven(seven s, uint i) {\n"
    "    seven t = make_seven(i); bool same = true;\n"
    "    for (int k = 0; k < 7; k++) same &= s.at[k] == t.at[k];\n"
    "    return same;\n"
    "}\n"
    "typedef struct { uint at[70001]; } large;\n"
    "large make_large(uint i) {\n"
    "    large l; for (uint k = 0; k < 70001; k++) l.at[k] = i * 7 + k * (i + 1);\n"
    "    return l;\n"
    "}\n"
    "bool is_large(large l, uint i) {\n"
    "    uint wrong = 0;\n"
    "    for (uint k = 0; k < 70001; k++) wrong += l.at[k] != i * 7 + k * (i + 1);\n"
    "    return !wrong;\n"
    "}\n"
    "typedef struct { uint at[2048]; } pages;\n"
    "pages make_pages(uint i) {\n"
    "    pages p; for (uint k = 0; k < 2048; k++) p.at[k] = i * 7 + k * (i + 1);\n"
    "    return p;\n"
    "}\n"
    "bool is_pages(pages p, uint i) {\n"
    "    uint wrong = 0;\n"
    "    for (uint k = 0; k < 2048; k++) wrong += p.at[k] != i * 7 + k * (i + 1);\n"
    "    return !wrong;\n"
    "}\n"
    "uint index_of_pages(pages p) {\n"
    "    uint i = p.at[0] / 7;\n"
    "    return is_pages(p, i) ? i : ~0u;\n"
    "}\n"
    "#if defined(SEND) || defined(OFFER)\n"
    "channel T to __attribute__((depth(DEPTH))) __attribute__((io(\"right\")));\n"
    "#endif\n"
    "#ifdef SEND\n"
    "kernel void send(global uint *o, uint first, uint n) {\n"
    "    for (uint i = 0; i < n; i++) write_channel_intel(to, MAKE(first + i));\n"
    "}\n"
    "#endif\n"
    "#ifdef OFFER\n"
    "kernel void offer(global uint *o, uint first, uint n) {\n"
    "    uint taken = 0;\n"
    "    for (uint i = 0; i < n; i++) taken += write_channel_nb_intel(to, MAKE(first + taken));\n"
    "    o[0] = taken;\n"
    "}\n"
    "#endif\n"
    "#if defined(GET) || defined(POLL) || defined(FOLLOW)\n"
    "channel T from __attribute__((depth(DEPTH))) __attribute__((io(\"left\")));\n"
    "#endif\n"
    "#ifdef GET\n"
    "kernel void get(global uint *o, uint first, uint n) {\n"
    "    uint wrong = 0;\n"
    "    for (uint i = 0; i < n; i++) {\n"
    "        T v = read_channel_intel(from); wrong += !SAME(v, first + i);\n"
    "    }\n"
    "    o[0] = wrong; o[1] = n;\n"
    "}\n"
    "#endif\n"
    "#ifdef FOLLOW\n"
    "kernel void follow(global uint *o, uint first, uint n) {\n"
    "    uint last, count = 0, jumps = 0, begin = 0;\n"
    "    for (uint v; last != first + n - 1 || !count; last = v, count++) {\n"
    "        T got = read_channel_intel(from); v = INDEX(got);\n"
    "        if (!count) begin = v;\n"
    "        else if (v != last + 1) jumps++;\n"
    "    }\n"
    "    o[0] = jumps; o[1] = count; o[2] = begin;\n"
    "}\n"
    "#endif\n"
    "#ifdef POLL\n"
    "kernel void poll(global uint *o, uint first, uint n) {\n"
    "    uint wrong = 0, got = 0;\n"
    "    while (got < n) {\n"
    "        bool ok; T v = read_channel_nb_intel(from, &ok);\n"
    "        if (ok) { wrong += !SAME(v, first + got); got++; }\n"
    "    }\n"
    "    o[0] = wrong; o[1] = got;\n"
    "}\n"
    "#endif\n";

#define OF_INT " -DT=uint -DMAKE(i)=((i)*7+3) -DSAME(v,i)=((v)==(i)*7+3) -DINDEX(v)=(((v)-3)/7)"
#define OF_THREE                                                                                   \
    " -DT=uint3 -DMAKE(i)=(uint3)(i,(i)*7,~(i)) -DSAME(v,i)=(v.x==(i)&&v.y==(i)*7&&v.z==~(i))"

#define OF_LARGE " -DT=large -DMAKE(i)=make_large(i) -DSAME(v,i)=is_large(v,i)"
#define OF_PAGES                                                                                   \
    " -DT=pages -DMAKE(i)=make_pages(i) -DSAME(v,i)=is_pages(v,i) -DINDEX(v)=index_of_pages(v)"
#define OF_SEVEN " -DT=seven -DMAKE(i)=make_seven(i) -DSAME(v,i)=is_seven(v,i)"

static cl_uint number(const char *name, cl_uint otherwise)
{
    const char *text = getenv(name);
    return text ? (cl_uint)strtoul(text, NULL, 10) : otherwise;
}

static struct flow *open_end(const char *side)
{
    char options[256];
    snprintf(options, sizeof options, "%s -DDEPTH=%u%s", side, number("DEPTH", 7),
             number("THREE", 0)   ? OF_THREE
             : number("SEVEN", 0) ? OF_SEVEN
             : number("LARGE", 0) ? OF_LARGE
             : number("PAGES", 0) ? OF_PAGES
                                  : OF_INT);
    return flow_open(source, options);
}

static cl_kernel add(struct flow *flow, const char *name, cl_mem out)
{
    cl_uint first = number("FIRST", 0), n = number("N", IO_COUNT);
    cl_kernel kernel = flow_add(flow, name);
    ARG(kernel, 0, out);
    ARG(kernel, 1, first);
    ARG(kernel, 2, n);
    return kernel;
}

static void say(const char *what)
{
    printf("%s\n", what);
    fflush(stdout);
}

/* Until it is killed if that is wanted. */
static void linger(void)
{
    usleep(number("LINGER_MS", 0) * 1000);
    if (number("STAY", 0))
        pause();
}

static void run_once(struct flow *flow, cl_mem out, cl_uint n, int reads)
{
    flow_run(flow);
    cl_uint *got = take_uints(out, 2);
    if (reads) {
        CHECK_EQ(got[0], 0);
        CHECK_EQ(got[1], n);
    }
    free(got);
}

/* All that this process shares with the other one, by the name that it has here. */
static void shrink_memory(void)
{
    unsigned found = 0;
    for (int fd = 3; fd < 1024; fd++) {
        char path[64], name[64] = "";
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        if (readlink(path, name, sizeof name - 1) < 0 || !strstr(name, "memfd:sluice-ucx"))
            continue;
        found++;
        CHECK(ftruncate(fd, 0) < 0);
    }
    CHECK(found);
}

static void run_end(const char *side, const char *name, int reads)
{
    REQUIRE(!env_open());
    struct flow *flow = open_end(side);
    cl_mem out = new_uints(2);
    cl_kernel kernel = add(flow, name, out);
    cl_uint n = number("N", IO_COUNT), first = number("FIRST", 0) + n, then = number("THEN", 0);
    say("built");
    usleep(number("WAIT_MS", 0) * 1000);
    run_once(flow, out, n, reads);
    if (number("SHRINKS", 0))
        shrink_memory();
    if (then) {
        say("more");
        ARG(kernel, 1, first);
        ARG(kernel, 2, then);
        run_once(flow, out, then, reads);
    }
    say("done");
    linger();
    flow_close(flow);
    RELEASE_MEM(out);
    env_close(1);
}

static void job_send(void)
{
    run_end("-DSEND", "send", 0);
}

static void job_get(void)
{
    run_end("-DGET", "get", 1);
}

static void job_poll(void)
{
    run_end("-DPOLL", "poll", 1);
}

/* To the last packet, of whoever sends: how many were not the one behind the one before. */
static void job_follow(void)
{
    REQUIRE(!env_open());
    struct flow *flow = open_end("-DFOLLOW");
    cl_mem out = new_uints(3);
    add(flow, "follow", out);
    say("built");
    flow_run(flow);
    cl_uint *got = take_uints(out, 3);
    printf("%u jumps in %u packets from %u on\n", got[0], got[1], got[2]);
    fflush(stdout);
    free(got);
    flow_close(flow);
    RELEASE_MEM(out);
    env_close(1);
}

/* Both ends in one process. */
static void job_both(void)
{
    REQUIRE(!env_open());
    struct flow *flow = open_end("-DSEND -DGET");
    cl_mem out = new_uints(2), none = new_uints(2);
    add(flow, "get", out);
    add(flow, "send", none);
    flow_run(flow);
    cl_uint *got = take_uints(out, 2);
    CHECK_EQ(got[0], 0);
    CHECK_EQ(got[1], number("N", IO_COUNT));
    free(got);
    flow_close(flow);
    RELEASE_MEM(out);
    RELEASE_MEM(none);
    env_close(1);
}

/* Of more than there is room for. */
static void job_offer(void)
{
    REQUIRE(!env_open());
    struct flow *flow = open_end("-DOFFER");
    cl_mem out = new_uints(2);
    add(flow, "offer", out);
    flow_run(flow);
    cl_uint *got = take_uints(out, 2);
    CHECK_EQ(got[0], number("DEPTH", 7));
    free(got);
    say("done");
    linger();
    flow_close(flow);
    RELEASE_MEM(out);
    env_close(1);
}

static void job_fails(void)
{
    REQUIRE(!env_open());
    const cl_uint reads = number("FROM", 0);
    struct flow *flow = open_end(reads ? "-DGET" : "-DSEND");
    cl_mem out = new_uints(2);
    add(flow, reads ? "get" : "send", out);
    flow_start(flow);
    CHECK_EQ(clWaitForEvents(1, &flow->kernels[0].event),
             CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK_EQ(event_status(flow->kernels[0].event), CL_IO_FAILED_SLUICE);
    flow_close(flow);
    RELEASE_MEM(out);
    env_close(1);
}

/* The ring is joined, nothing is launched. */
static void job_builds(void)
{
    REQUIRE(!env_open());
    struct flow *flow = open_end(number("FROM", 0) ? "-DGET" : "-DSEND");
    say("built");
    linger();
    flow_close(flow);
    env_close(1);
}

/* Leaves without releasing anything. */
static void job_exits(void)
{
    REQUIRE(!env_open());
    struct flow *flow = open_end("-DSEND");
    add(flow, "send", new_uints(2));
    flow_run(flow);
    exit(0);
}

/* A child that knows nothing of it comes and goes while packets go through. */
static void job_forks(void)
{
    REQUIRE(!env_open());
    struct flow *flow = open_end("-DSEND");
    cl_mem out = new_uints(2);
    add(flow, "send", out);
    flow_start(flow);
    for (int i = 0; i < 5; i++) {
        pid_t child = fork();
        if (!child)
            exit(0);
        usleep(5000);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    flow_finish(flow);
    flow_close(flow);
    RELEASE_MEM(out);
    env_close(1);
}

/* Reads before it writes, as its neighbours do. */
static void job_knot(void)
{
    static const char knot[] =
        CHANNELS "channel uint from __attribute__((depth(4))) __attribute__((io(\"left\")));\n"
                 "channel uint to __attribute__((depth(4))) __attribute__((io(\"right\")));\n"
                 "channel uint inner __attribute__((depth(4)));\n"
                 "kernel void first(global uint *o, uint n) {\n"
                 "    write_channel_intel(inner, read_channel_intel(from));\n"
                 "}\n"
                 "kernel void second(global uint *o, uint n) {\n"
                 "    write_channel_intel(to, read_channel_intel(inner));\n"
                 "}\n";
    REQUIRE(!env_open());
    struct flow *flow = flow_open(knot, "");
    cl_mem out = new_uints(1);
    static const char *const names[] = {"first", "second"};
    for (int i = 0; i < 2; i++) {
        cl_kernel kernel = flow_add(flow, names[i]);
        cl_uint n = 1;
        ARG(kernel, 0, out);
        ARG(kernel, 1, n);
    }
    flow_start(flow);
    if (!number("ENDS", 0))
        flow_finish(flow); /* never */
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(clWaitForEvents(1, &flow->kernels[i].event),
                 CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        CHECK_EQ(event_status(flow->kernels[i].event), CL_DEVICE_STALLED_SLUICE);
    }
    flow_close(flow);
    RELEASE_MEM(out);
    env_close(1);
}

/* A rank of a job in which each waits for the one before. */
static void job_circle(void)
{
    char setting[128];
    const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *size = getenv("OMPI_COMM_WORLD_SIZE");
    REQUIRE(rank && size);
    int self = atoi(rank), all = atoi(size);
    snprintf(setting, sizeof setting, "left=mpi:%d,9;right=mpi:%d,9", (self + all - 1) % all,
             (self + 1) % all);
    setenv("SLUICE_FPGA_IO", setting, 1);
    job_knot();
}

/* A job of two ranks, of which the first one sends. */
static void job_rank(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    REQUIRE(rank);
    if (atoi(rank) == 0)
        job_send();
    else
        job_get();
}

const struct test_case io_jobs[IO_JOBS] = {
    CASE(job_send),  CASE(job_get),    CASE(job_poll),  CASE(job_both),  CASE(job_offer),
    CASE(job_fails), CASE(job_builds), CASE(job_exits), CASE(job_forks), CASE(job_rank),
    CASE(job_knot),  CASE(job_follow), CASE(job_circle)};

/* ---- starting them --------------------------------------------------------------------------- */

struct peer start_with(const char *job, const char *const *more)
{
    const char *env[16] = {io_rows, "SLUICE_LOG", "SLUICE_FPGA_ON_STALL=report"};
    for (size_t i = 0; more[i]; i++)
        env[3 + i] = more[i];
    return peer_start(job, env);
}

void ends_well(struct peer *peer)
{
    int status = peer_end(peer, 60);
    if (!CHECK_EQ(status, 0))
        fprintf(stderr, "%s", peer->said);
}

void says(const struct peer *peer, const char *words)
{
    if (!strstr(peer->said, words))
        check_fail(__FILE__, __LINE__, "no \"%s\" in:\n%s", words, peer->said);
}

void await(struct peer *peer, const char *want)
{
    char line[64] = "";
    while (strcmp(line, want))
        peer_await(peer, line, sizeof line);
}

void want_engine(const char *name)
{
    char path[4200];
    if (!is_sluice())
        check_skip("a setting of Sluice");
    snprintf(path, sizeof path, "%s", driver_library());
    char *end = strrchr(path, '/');
    snprintf(end, sizeof path - (size_t)(end - path), "/sluice/libsluice-io-%s.so", name);
    if (access(path, R_OK))
        check_skip("the library is not built");
}
