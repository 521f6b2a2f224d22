/* SPDX-License-Identifier: Apache-2.0 */
/* I/O pipes between processes: those that share a ring in memory (shm:KEY), of which one is killed,
 * late, slow or of another shape. What goes through is checked packet by packet. */
#include "io_jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LATE_MS = 300 };

static char key[64], ring_file[128];

/* Of this case alone; nothing of it is there before or after. */
static void make_key(void)
{
    static int number;
    if (!is_sluice())
        check_skip("a setting of Sluice");
    snprintf(key, sizeof key, "test-%d.%d", (int)getpid(), ++number);
    snprintf(ring_file, sizeof ring_file, "/dev/shm/sluice-ring.%u.%s", (unsigned)geteuid(), key);
    snprintf(io_rows, sizeof io_rows, "SLUICE_FPGA_IO=left=shm:%s;right=shm:%s", key, key);
}

static void nothing_is_left(void)
{
    if (access("/dev/shm", R_OK))
        return;
    for (int i = 0; i < 500 && !access(ring_file, F_OK); i++)
        usleep(2000);
    CHECK(access(ring_file, F_OK));
}

static void go_through(const char *reader, const char *first, const char *second, const char *third)
{
    make_key();
    for (int writer_first = 0; writer_first < 2; writer_first++) {
        struct peer one = START(writer_first ? "job_send" : reader, first, second, third);
        await(&one, "built");
        struct peer other = START(writer_first ? reader : "job_send", first, second, third);
        ends_well(&one);
        ends_well(&other);
        nothing_is_left();
    }
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void words_go_through(void)
{
    go_through("job_get", "DEPTH=7", NULL, NULL);
}

static void one_at_a_time(void)
{
    go_through("job_get", "DEPTH=1", "N=300", NULL);
}

static void large_rings_in_batches(void)
{
    go_through("job_get", "DEPTH=5000", "N=1000003", NULL);
}

/* Larger than what a register holds, and of a size that no line is a multiple of. */
static void large_packets_in_batches(void)
{
    go_through("job_get", "DEPTH=5000", "N=500009", "THREE=1");
    go_through("job_get", "DEPTH=5000", "N=500009", "SEVEN=1");
    go_through("job_get", "DEPTH=40", "N=100003", "THREE=1");
}

static void odd_packets(void)
{
    go_through("job_get", "DEPTH=13", "THREE=1", NULL);
}

static void who_polls_gets_all(void)
{
    go_through("job_poll", "DEPTH=5", NULL, NULL);
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
    char killed[64];
    snprintf(killed, sizeof killed, "the process that wrote (%d) was killed", (int)writer.pid);
    peer_kill(&writer);
    writer = START("job_send", "DEPTH=100", "FIRST=130", "N=40");
    ends_well(&writer);
    ends_well(&reader);
    says(&reader, killed);
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

/* Each says the same of both, although the first one that does leaves. */
static void stalled_processes_end(void)
{
    enum { COUNT = 2 };
    struct peer peers[COUNT];
    char setting[COUNT][256], before[64];
    make_key();
    for (int i = 0; i < COUNT; i++) {
        snprintf(setting[i], sizeof setting[i], "SLUICE_FPGA_IO=left=shm:%s.%d;right=shm:%s.%d",
                 key, i, key, 1 - i);
        peers[i] = START("job_knot", setting[i], "SLUICE_FPGA_STALL_MS=100",
                         "SLUICE_FPGA_ON_STALL=error", "ENDS=1");
    }
    for (int i = 0; i < COUNT; i++)
        ends_well(&peers[i]);
    for (int i = 0; i < COUNT; i++) {
        snprintf(before, sizeof before, ", for second of process %d", (int)peers[1 - i].pid);
        says(&peers[i], before);
        says(&peers[i], "cycle over processes: process ");
    }
}

static const struct test_case cases[] = {
    CASE(words_go_through),
    CASE(one_at_a_time),
    CASE(large_rings_in_batches),
    CASE(large_packets_in_batches),
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
    CASE(stalled_processes_end),
};
JOBS_MAIN("io_shm", cases, io_jobs)
