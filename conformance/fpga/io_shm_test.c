/* SPDX-License-Identifier: Apache-2.0 */
/* I/O pipes between processes: those that share a ring in memory (shm:KEY), of which one is killed,
 * late, slow or of another shape; and those by a library (mpi:), where it is. What goes
 * through is checked packet by packet. */
#include "child.h"
#include "flow.h"
#include "peers.h"
#include "runner.h"

#include <CL/cl_ext_sluice.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 2000, LATE_MS = 300 };

static char key[64], ring_file[128], rows[200];

/* Of this case alone; nothing of it is there before or after. */
static void make_key(void)
{
    static int number;
    if (!is_sluice())
        check_skip("a setting of Sluice");
    snprintf(key, sizeof key, "test-%d.%d", (int)getpid(), ++number);
    snprintf(ring_file, sizeof ring_file, "/dev/shm/sluice-ring.%u.%s", (unsigned)geteuid(), key);
    snprintf(rows, sizeof rows, "SLUICE_FPGA_IO=left=shm:%s;right=shm:%s", key, key);
}

static void nothing_is_left(void)
{
    if (access("/dev/shm", R_OK))
        return;
    for (int i = 0; i < 500 && !access(ring_file, F_OK); i++)
        usleep(2000);
    CHECK(access(ring_file, F_OK));
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static const char source[] = CHANNELS
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
    "#if defined(GET) || defined(POLL)\n"
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

#define OF_INT " -DT=uint -DMAKE(i)=((i)*7+3) -DSAME(v,i)=((v)==(i)*7+3)"
#define OF_THREE                                                                                   \
    " -DT=uint3 -DMAKE(i)=(uint3)(i,(i)*7,~(i)) -DSAME(v,i)=(v.x==(i)&&v.y==(i)*7&&v.z==~(i))"

static cl_uint number(const char *name, cl_uint otherwise)
{
    const char *text = getenv(name);
    return text ? (cl_uint)strtoul(text, NULL, 10) : otherwise;
}

static struct flow *open_end(const char *side)
{
    char options[256];
    snprintf(options, sizeof options, "%s -DDEPTH=%u%s", side, number("DEPTH", 7),
             number("THREE", 0) ? OF_THREE : OF_INT);
    return flow_open(source, options);
}

static cl_kernel add(struct flow *flow, const char *name, cl_mem out)
{
    cl_uint first = number("FIRST", 0), n = number("N", COUNT);
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
    if (number("STAY", 0))
        pause();
}

static void run_end(const char *side, const char *name, int reads)
{
    REQUIRE(!env_open());
    struct flow *flow = open_end(side);
    cl_mem out = new_uints(2);
    add(flow, name, out);
    say("built");
    usleep(number("WAIT_MS", 0) * 1000);
    flow_run(flow);
    cl_uint *got = take_uints(out, 2);
    if (reads) {
        CHECK_EQ(got[0], 0);
        CHECK_EQ(got[1], number("N", COUNT));
    }
    free(got);
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
    CHECK_EQ(got[1], number("N", COUNT));
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
    struct flow *flow = open_end("-DSEND");
    cl_mem out = new_uints(2);
    add(flow, "send", out);
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
    flow_finish(flow); /* never */
}

/* ---- starting them --------------------------------------------------------------------------- */

static struct peer start_with(const char *job, const char *const *more)
{
    const char *env[16] = {rows, "SLUICE_LOG", "SLUICE_FPGA_ON_STALL=report"};
    for (size_t i = 0; more[i]; i++)
        env[3 + i] = more[i];
    return peer_start(job, env);
}

#define START(job, ...) start_with(job, (const char *const[]){__VA_ARGS__, NULL})

static void ends_well(struct peer *peer)
{
    int status = peer_end(peer, 60);
    if (!CHECK_EQ(status, 0))
        fprintf(stderr, "%s", peer->said);
}

static void says(const struct peer *peer, const char *words)
{
    if (!strstr(peer->said, words))
        check_fail(__FILE__, __LINE__, "no \"%s\" in:\n%s", words, peer->said);
}

static void await(struct peer *peer, const char *want)
{
    char line[64] = "";
    while (strcmp(line, want))
        peer_await(peer, line, sizeof line);
}

static void go_through(const char *reader, const char *first, const char *second)
{
    make_key();
    for (int writer_first = 0; writer_first < 2; writer_first++) {
        struct peer one = START(writer_first ? "job_send" : reader, first, second);
        await(&one, "built");
        struct peer other = START(writer_first ? reader : "job_send", first, second);
        ends_well(&one);
        ends_well(&other);
        nothing_is_left();
    }
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void words_go_through(void)
{
    go_through("job_get", "DEPTH=7", NULL);
}

static void one_at_a_time(void)
{
    go_through("job_get", "DEPTH=1", "N=300");
}

static void large_rings_in_batches(void)
{
    go_through("job_get", "DEPTH=5000", "N=1000003");
}

static void odd_packets(void)
{
    go_through("job_get", "DEPTH=13", "THREE=1");
}

static void who_polls_gets_all(void)
{
    go_through("job_poll", "DEPTH=5", NULL);
}

static void one_process_with_both(void)
{
    make_key();
    struct peer both = START("job_both", "N=2000");
    ends_well(&both);
    nothing_is_left();
}

/* So many packets are in both processes together, and what was there when the reader came. */
static void capacity_is_the_depth(void)
{
    make_key();
    struct peer writer = START("job_offer", "N=100", "STAY=1");
    await(&writer, "done");
    struct peer reader = START("job_get", "N=7");
    ends_well(&reader);
    peer_kill(&writer);
    unlink(ring_file); /* of who was killed, and left it last */
}

static void late_and_slow_peers(void)
{
    make_key();
    struct peer writer = START("job_send", "N=500");
    await(&writer, "built");
    usleep(LATE_MS * 1000);
    struct peer reader = START("job_get", "N=250");
    ends_well(&reader);
    reader = START("job_get", "FIRST=250", "N=250");
    ends_well(&reader);
    ends_well(&writer);
    nothing_is_left();
}

static void refuses(const char *job, const char *env, const char *other, const char *words)
{
    make_key();
    struct peer first = START("job_builds", "STAY=1", "FROM=1");
    await(&first, "built");
    struct peer second = START(job, env, other);
    ends_well(&second);
    says(&second, words);
    peer_kill(&first);
    /* and the ring that was left is no obstacle */
    struct peer both = START("job_both", "N=2000");
    ends_well(&both);
    nothing_is_left();
}

static void other_shapes_are_refused(void)
{
    refuses("job_fails", "DEPTH=8", NULL, "has a capacity of 7 packets there, this pipe of 8");
    refuses("job_fails", "DEPTH=9", NULL, "has a capacity of 7 packets there, this pipe of 9");
    refuses("job_fails", "THREE=1", NULL, "has packets of 4 bytes there, this pipe of 16");
}

static void same_ends_are_refused(void)
{
    make_key();
    struct peer first = START("job_builds", "STAY=1");
    await(&first, "built");
    struct peer second = START("job_fails", "N=2000");
    ends_well(&second);
    says(&second, "pipe to, writes it already");
    peer_kill(&first);
    unlink(ring_file);
}

/* What it had written is there, and its successor goes on. */
static void killed_writers_lose_nothing(void)
{
    make_key();
    struct peer reader = START("job_get", "DEPTH=100", "N=170");
    await(&reader, "built");
    struct peer writer = START("job_send", "DEPTH=100", "N=90");
    await(&writer, "done");
    ends_well(&writer);
    writer = START("job_send", "DEPTH=100", "FIRST=90", "N=40", "STAY=1");
    await(&writer, "done");
    peer_kill(&writer);
    writer = START("job_send", "DEPTH=100", "FIRST=130", "N=40");
    ends_well(&writer);
    ends_well(&reader);
    says(&reader, "was killed");
    nothing_is_left();
}

static void killed_readers_are_followed(void)
{
    make_key();
    struct peer writer = START("job_send", "DEPTH=100", "N=170");
    await(&writer, "built");
    struct peer reader = START("job_get", "DEPTH=100", "N=50", "STAY=1");
    await(&reader, "done");
    peer_kill(&reader);
    reader = START("job_get", "DEPTH=100", "FIRST=50", "N=120");
    ends_well(&reader);
    ends_well(&writer);
    says(&writer, "was killed");
    nothing_is_left();
}

static void rings_of_the_dead_are_dropped(void)
{
    make_key();
    struct peer writer = START("job_send", "N=5", "STAY=1");
    await(&writer, "done");
    peer_kill(&writer);
    CHECK(access("/dev/shm", R_OK) || !access(ring_file, F_OK));
    struct peer both = START("job_both", "N=2000");
    ends_well(&both);
    says(&both, "5 packets of processes that were killed are dropped");
    nothing_is_left();
}

static void lost_packets_are_counted(void)
{
    static const char *const jobs[] = {"job_send", "job_exits"};
    for (size_t i = 0; i < LEN(jobs); i++) {
        make_key();
        struct peer writer = START(jobs[i], "N=5");
        ends_well(&writer);
        says(&writer, "5 packets were not delivered: nobody took them");
        nothing_is_left();
    }
}

/* The writer has gone before the reader begins. */
static void what_has_a_reader_is_delivered(void)
{
    make_key();
    struct peer reader = START("job_get", "N=5", "WAIT_MS=500");
    await(&reader, "built");
    struct peer writer = START("job_exits", "N=5");
    ends_well(&writer);
    CHECK(!strstr(writer.said, "not delivered"));
    ends_well(&reader);
    nothing_is_left();
}

static void children_do_not_matter(void)
{
    make_key();
    struct peer reader = START("job_get", "N=2000");
    await(&reader, "built");
    struct peer writer = START("job_forks", "N=2000");
    ends_well(&writer);
    ends_well(&reader);
    nothing_is_left();
}

static void who_is_missing_is_named(void)
{
    static const char *const jobs[] = {"job_send", "job_get"};
    for (size_t i = 0; i < LEN(jobs); i++) {
        make_key();
        struct peer alone = START(jobs[i], "SLUICE_FPGA_STALL_MS=20");
        usleep(1500000);
        peer_kill(&alone);
        says(&alone, "for a peer at ");
        says(&alone, key);
        says(&alone, i ? "get waits to read from" : "send waits to write to");
        unlink(ring_file);
    }
}

/* A ring of processes, each of which waits for the one before; all of them find that out. */
static void processes_in_a_circle(void)
{
    enum { MOST = 3 };
    for (int count = 2; count <= MOST; count++) {
        struct peer peers[MOST];
        char setting[MOST][256];
        make_key();
        for (int i = 0; i < count; i++) {
            snprintf(setting[i], sizeof setting[i], "SLUICE_FPGA_IO=left=shm:%s.%d;right=shm:%s.%d",
                     key, i, key, (i + 1) % count);
            peers[i] = START("job_knot", setting[i], "SLUICE_FPGA_STALL_MS=100");
        }
        usleep(6000000);
        for (int i = 0; i < count; i++) {
            char before[64];
            int other = (i + count - 1) % count;
            peer_kill(&peers[i]);
            snprintf(before, sizeof before, ", for second of process %d", (int)peers[other].pid);
            says(&peers[i], before);
            says(&peers[i], "cycle over processes: process ");
            snprintf(ring_file, sizeof ring_file, "/dev/shm/sluice-ring.%u.%s.%d",
                     (unsigned)geteuid(), key, i);
            unlink(ring_file);
        }
    }
}

/* ---- by libraries ---------------------------------------------------------------------------- */

static void want_engine(const char *name)
{
    char path[4200];
    make_key();
    snprintf(path, sizeof path, "%s", driver_library());
    char *end = strrchr(path, '/');
    snprintf(end, sizeof path - (size_t)(end - path), "/sluice/libsluice-io-%s.so", name);
    if (access(path, R_OK))
        check_skip("the library is not built");
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

static void run_ranks(const char *n, const char *depth)
{
    static const char *const wrap[] = {
        "mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2", NULL};
    const char *env[] = {"SLUICE_FPGA_IO=left=mpi:0,5;right=mpi:1,5",
                         n,
                         depth,
                         "SLUICE_LOG",
                         "SLUICE_FPGA_ON_STALL=report",
                         NULL};
    want_engine("mpi");
    child_ends(&(struct child_plan){.job = "job_rank", .env = env, .wrap = wrap}, 0);
}

static void mpi_ranks(void)
{
    run_ranks("N=2000", "THREE=1");
    run_ranks("N=1000003", "DEPTH=5000");
}

static void refuses_row(const char *row, const char *words)
{
    snprintf(rows, sizeof rows, "SLUICE_FPGA_IO=right=%s", row);
    struct peer writer = START("job_fails", "N=5");
    ends_well(&writer);
    says(&writer, words);
}

static void mpi_targets_are_checked(void)
{
    want_engine("mpi");
    refuses_row("mpi:7", "the job has no such rank");
    refuses_row("mpi:x", "mpi wants RANK[,TAG]");
    refuses_row("mpi:0,1024", "a tag is a number from 0 to 1023");
}

static int without_libraries(void)
{
    char path[4200];
    snprintf(path, sizeof path, "%s", driver_library());
    strcpy(strrchr(path, '/'), "/sluice");
    return own_mounts() && hide_folder(path, "mode=755");
}

static void missing_libraries_are_named(void)
{
    want_engine("mpi");
    const char *env[] = {"SLUICE_FPGA_IO=right=mpi:0", "SLUICE_LOG", NULL};
    struct child child = child_run(
        &(struct child_plan){.job = "job_fails", .env = env, .prepare = without_libraries});
    if (child.status == CHILD_SKIP)
        check_skip("no mounts of one's own here");
    CHECK_EQ(child.status, 0);
    CHECK(strstr(child.err, "the library for mpi cannot be loaded"));
    CHECK(strstr(child.err, "libsluice-io-mpi.so"));
    child_finish(&child);
}

static const struct test_case cases[] = {
    CASE(words_go_through),
    CASE(one_at_a_time),
    CASE(large_rings_in_batches),
    CASE(odd_packets),
    CASE(who_polls_gets_all),
    CASE(one_process_with_both),
    CASE(capacity_is_the_depth),
    CASE(late_and_slow_peers),
    CASE(other_shapes_are_refused),
    CASE(same_ends_are_refused),
    CASE(killed_writers_lose_nothing),
    CASE(killed_readers_are_followed),
    CASE(rings_of_the_dead_are_dropped),
    CASE(lost_packets_are_counted),
    CASE(what_has_a_reader_is_delivered),
    CASE(children_do_not_matter),
    CASE(who_is_missing_is_named),
    CASE(processes_in_a_circle),
    CASE(mpi_ranks),
    CASE(mpi_targets_are_checked),
    CASE(missing_libraries_are_named),
};
static const struct test_case jobs[] = {CASE(job_send),   CASE(job_get),   CASE(job_poll),
                                        CASE(job_both),   CASE(job_offer), CASE(job_fails),
                                        CASE(job_builds), CASE(job_exits), CASE(job_forks),
                                        CASE(job_rank),   CASE(job_knot)};
JOBS_MAIN("io_shm", cases, jobs)
