/* SPDX-License-Identifier: Apache-2.0 */
/* I/O pipes between processes by UCX (ucx:HOST:PORT), of which one is killed, late, slow, of
 * another shape or not there. What goes through is checked packet by packet. */
#include "io_jobs.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LATE_MS = 300, WRITER_LISTENS = 0, READER_LISTENS = 1 };

#define FEW_BUFFERS                                                                                \
    "UCX_POSIX_RX_BUFS_GROW=40", "UCX_SYSV_RX_BUFS_GROW=40", "UCX_POSIX_RX_MAX_BUFS=100",          \
        "UCX_SYSV_RX_MAX_BUFS=100"

#ifdef __SANITIZE_ADDRESS__
/* Of a process that exits without a release UCX's memory goes with it, and that of a kernel which
 * only its own stack knows. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libucs\nleak:libuct\nleak:libucp\nleak:sl_arena_reserve\n";
}
#endif
#ifdef __SANITIZE_THREAD__
/* Such a process has threads to its end, UCX's own among them. */
__attribute__((visibility("default"))) const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
    return "report_thread_leaks=0";
}
__attribute__((visibility("default"))) const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void)
{
    return "race:libucs.so\n";
}
#endif
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { TELL_US = 3000000, LEAVE_MS = 1000 };
#else
enum { TELL_US = 500000, LEAVE_MS = 300 };
#endif

/* Of packets: words, or whole pages, which may be in memory that both ends have. */
static const char of_words[] = "PAGES=0", of_pages[] = "PAGES=1";

static unsigned port;

/* A socket at a port that nobody else has; it stays so for a while when it is closed. */
static int take_port(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    REQUIRE(fd >= 0 && !bind(fd, (struct sockaddr *)&at, bytes));
    REQUIRE(!getsockname(fd, (struct sockaddr *)&at, &bytes));
    port = ntohs(at.sin_port);
    return fd;
}

static void make_rows(int reader_listens)
{
    want_engine("ucx");
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    setenv("UCX_MEM_EVENTS", "n", 1); /* it would write over what the sanitizer has in place */
#endif
    close(take_port());
    snprintf(io_rows, sizeof io_rows, "SLUICE_FPGA_IO=left=ucx::%u%s;right=ucx:%s:%u%s", port,
             reader_listens ? ",listen" : "", reader_listens ? "localhost" : "127.0.0.1", port,
             reader_listens ? "" : ",listen");
}

static void is_silent(const struct peer *peer, const char *words)
{
    if (strstr(peer->said, words))
        check_fail(__FILE__, __LINE__, "\"%s\" in:\n%s", words, peer->said);
}

/* Each of them first, each of them the one that is connected to. */
static void go_through(const char *reader, const char *first, const char *second)
{
    for (int way = 0; way < 4; way++) {
        int writer_first = way / 2;
        make_rows(way % 2);
        struct peer one = START(writer_first ? "job_send" : reader, first, second);
        await(&one, "built");
        struct peer other = START(writer_first ? reader : "job_send", first, second);
        ends_well(&one);
        ends_well(&other);
        is_silent(&one, "delivered");
        is_silent(&other, "delivered");
    }
}

static void words_go_through(void)
{
    go_through("job_get", "DEPTH=7", NULL);
}

static void one_at_a_time(void)
{
    go_through("job_get", "DEPTH=1", "N=301");
}

static void large_pipes_in_batches(void)
{
    go_through("job_get", "DEPTH=5000", "N=1000003");
}

/* Not many: where other programs use the processors, both sides lose their turn each few packets.
 */
static void odd_packets(void)
{
    go_through("job_get", "DEPTH=13", "THREE=1");
    go_through("job_poll", "N=2003", "SEVEN=1");
}

static void large_packets(void)
{
    for (int way = 0; way < 2; way++) {
        make_rows(way);
        struct peer reader = START("job_get", "DEPTH=3", "N=101", "LARGE=1");
        struct peer writer = START("job_send", "DEPTH=3", "N=101", "LARGE=1");
        ends_well(&writer);
        ends_well(&reader);
    }
}

/* A reader whose ring is not as large has its own all the same. */
static void whole_pages(void)
{
    go_through("job_get", "DEPTH=5", of_pages);
    go_through("job_get", "DEPTH=1", of_pages);
    go_through("job_poll", "DEPTH=40", of_pages);
    for (int way = 0; way < 2; way++) {
        make_rows(way);
        struct peer reader = START("job_get", way ? "DEPTH=3" : "DEPTH=300", of_pages);
        struct peer writer = START("job_send", way ? "DEPTH=300" : "DEPTH=3", of_pages);
        ends_well(&writer);
        ends_well(&reader);
    }
}

static void one_process_with_both(void)
{
    for (int way = 0; way < 2; way++) {
        make_rows(way);
        struct peer both = START("job_both", "N=2000");
        ends_well(&both);
    }
}

/* What one of them had not read, the next one does. */
static void check_late_and_slow_readers(const char *kind)
{
    for (int way = 0; way < 2; way++) {
        make_rows(way);
        struct peer writer = START("job_send", kind, "N=500", "STAY=1");
        await(&writer, "built");
        usleep(LATE_MS * 1000);
        struct peer reader = START("job_get", kind, "N=250", "WAIT_MS=300");
        ends_well(&reader);
        reader = START("job_get", kind, "FIRST=250", "N=249");
        ends_well(&reader);
        reader = START("job_get", kind, "FIRST=499", "N=1");
        ends_well(&reader);
        peer_kill(&writer);
    }
}

/* A writer that would take the memory from under its reader cannot: what it does not know of. */
static void check_memory_stays(const char *kind)
{
    make_rows(READER_LISTENS);
    struct peer reader = START("job_get", kind, "DEPTH=100", "N=130", "THEN=300");
    await(&reader, "built");
    struct peer writer = START("job_send", kind, "DEPTH=100", "N=130", "THEN=300", "SHRINKS=1");
    ends_well(&writer);
    ends_well(&reader);
}

static void memory_stays(void)
{
    check_memory_stays(of_words);
    check_memory_stays(of_pages);
}

static void late_and_slow_readers(void)
{
    check_late_and_slow_readers(of_words);
}

static void late_and_slow_readers_of_pages(void)
{
    check_late_and_slow_readers(of_pages);
}

/* UCX's shared memory drops what comes when it has no buffer left: a reader that sleeps may not
 * keep any of them. */
static void buffers_are_few(void)
{
    for (int way = 0; way < 2; way++) {
        make_rows(way);
        struct peer writer = START("job_send", "DEPTH=100", "N=400003", "STAY=1", FEW_BUFFERS);
        await(&writer, "built");
        struct peer reader = START("job_get", "DEPTH=100", "N=400003", "WAIT_MS=300", FEW_BUFFERS);
        ends_well(&reader);
        peer_kill(&writer);
    }
}

static void check_writers_follow_each_other(const char *kind)
{
    char linger[32];
    snprintf(linger, sizeof linger, "LINGER_MS=%d", LEAVE_MS);
    for (int way = 0; way < 2; way++) {
        make_rows(way);
        struct peer reader = START("job_get", kind, "DEPTH=100", "N=130", "THEN=40");
        await(&reader, "built");
        struct peer writer = START("job_send", kind, "DEPTH=100", "N=90", linger);
        ends_well(&writer);
        is_silent(&writer, "delivered");
        writer = START("job_send", kind, "DEPTH=100", "FIRST=90", "N=40", "STAY=1");
        await(&reader, "more"); /* all has arrived */
        peer_kill(&writer);
        writer = START("job_send", kind, "DEPTH=100", "FIRST=130", "N=40", linger);
        ends_well(&writer);
        is_silent(&writer, "delivered");
        ends_well(&reader);
    }
}

static void writers_follow_each_other(void)
{
    check_writers_follow_each_other(of_words);
}

static void writers_follow_each_other_of_pages(void)
{
    check_writers_follow_each_other(of_pages);
}

static void check_killed_readers_are_followed(const char *kind)
{
    for (int way = 0; way < 2; way++) {
        make_rows(way);
        struct peer writer = START("job_send", kind, "DEPTH=100", "N=170", "STAY=1");
        await(&writer, "built");
        struct peer reader = START("job_get", kind, "DEPTH=100", "N=50", "STAY=1");
        await(&reader, "done");
        usleep(TELL_US); /* and has told so */
        peer_kill(&reader);
        reader = START("job_get", kind, "DEPTH=100", "FIRST=50", "N=120");
        ends_well(&reader);
        peer_kill(&writer);
    }
}

static void killed_readers_are_followed(void)
{
    check_killed_readers_are_followed(of_words);
}

static void killed_readers_are_followed_of_pages(void)
{
    check_killed_readers_are_followed(of_pages);
}

static unsigned jumps_of(struct peer *reader, unsigned *count, unsigned *begin)
{
    char line[128] = "";
    unsigned jumps = ~0u;
    while (sscanf(line, "%u jumps in %u packets from %u", &jumps, count, begin) != 3)
        peer_await(reader, line, sizeof line);
    return jumps;
}

/* In the middle of a stream: the next reader has all that follows, the one before had the rest. */
static void check_readers_are_killed_at_work(const char *kind, const char *many, unsigned last)
{
    for (int way = 0; way < 2; way++) {
        unsigned count = 0, begin = 0;
        make_rows(way);
        struct peer writer = START("job_send", kind, "DEPTH=1000", many);
        await(&writer, "built");
        struct peer reader = START("job_follow", kind, "DEPTH=1000", many);
        await(&reader, "built");
        usleep(20000);
        peer_kill(&reader);
        reader = START("job_follow", kind, "DEPTH=1000", many);
        CHECK_EQ(jumps_of(&reader, &count, &begin), 0);
        CHECK_EQ(begin + count, last);
        ends_well(&reader);
        ends_well(&writer);
    }
}

static void readers_are_killed_at_work(void)
{
    check_readers_are_killed_at_work(of_words, "N=30000003", 30000003);
}

static void readers_are_killed_at_work_of_pages(void)
{
    check_readers_are_killed_at_work(of_pages, "N=150003", 150003);
}

/* What has arrived is there, without a half of a packet, and then that of the next one. */
static void check_writers_are_killed_at_work(const char *kind, const char *many)
{
    for (int way = 0; way < 2; way++) {
        unsigned count = 0, begin = 0;
        make_rows(way);
        struct peer reader = START("job_follow", kind, "DEPTH=1000", "FIRST=500000000", "N=501");
        await(&reader, "built");
        struct peer writer = START("job_send", kind, "DEPTH=1000", many);
        await(&writer, "built");
        usleep(500000);
        peer_kill(&writer);
        writer = START("job_send", kind, "DEPTH=1000", "FIRST=500000000", "N=501");
        CHECK_EQ(jumps_of(&reader, &count, &begin), 1);
        CHECK(begin == 0 && count > 501);
        ends_well(&writer);
        ends_well(&reader);
    }
}

static void writers_are_killed_at_work(void)
{
    check_writers_are_killed_at_work(of_words, "N=400000000");
}

static void writers_are_killed_at_work_of_pages(void)
{
    check_writers_are_killed_at_work(of_pages, "N=400000000");
}

/* What a reader has just taken in is there, too, when its writer ends: of pipes of one packet that
 * is all. */
static void many_writers_are_killed_at_work(void)
{
    enum { WRITERS = 24, APART = 20000000 };
    for (int way = 0; way < 2; way++) {
        unsigned count = 0, begin = 0;
        make_rows(way);
        struct peer reader = START("job_follow", of_pages, "DEPTH=1", "FIRST=500000000", "N=501");
        await(&reader, "built");
        for (int i = 0; i < WRITERS; i++) {
            char first[32];
            snprintf(first, sizeof first, "FIRST=%d", i * APART);
            struct peer writer = START("job_send", of_pages, "DEPTH=1", first, "N=19000000");
            await(&writer, "built");
            usleep((useconds_t)(20000 + i * 5000));
            peer_kill(&writer);
        }
        struct peer writer = START("job_send", of_pages, "DEPTH=1", "FIRST=500000000", "N=501");
        CHECK(jumps_of(&reader, &count, &begin) <= WRITERS);
        CHECK(count > 501);
        ends_well(&writer);
        ends_well(&reader);
    }
}

static void other_shapes_are_refused(void)
{
    make_rows(READER_LISTENS);
    struct peer first = START("job_builds", "STAY=1", "FROM=1");
    await(&first, "built");
    struct peer second = START("job_fails", "THREE=1");
    ends_well(&second);
    says(&second, "the peer has packets of 4 bytes, this pipe of 16");
    /* who listens goes on */
    second = START("job_send", "N=5");
    ends_well(&second);
    is_silent(&second, "delivered");
    peer_kill(&first);
}

static void same_ends_are_refused(void)
{
    make_rows(WRITER_LISTENS);
    struct peer first = START("job_builds", "STAY=1");
    await(&first, "built");
    snprintf(io_rows, sizeof io_rows, "SLUICE_FPGA_IO=right=ucx::%u", port);
    struct peer second = START("job_fails", "N=2000");
    ends_well(&second);
    says(&second, "the peer writes it as well");
    peer_kill(&first);
    make_rows(READER_LISTENS);
    first = START("job_builds", "STAY=1", "FROM=1");
    await(&first, "built");
    snprintf(io_rows, sizeof io_rows, "SLUICE_FPGA_IO=left=ucx::%u", port);
    second = START("job_fails", "FROM=1");
    ends_well(&second);
    says(&second, "the peer reads it as well");
    peer_kill(&first);
}

static void ports_in_use_are_named(void)
{
    make_rows(WRITER_LISTENS);
    struct peer first = START("job_builds", "STAY=1");
    await(&first, "built");
    struct peer second = START("job_fails", "N=5");
    ends_well(&second);
    says(&second, "nobody can connect: the address is in use (EADDRINUSE)");
    peer_kill(&first);
    struct peer third = START("job_both", "N=2000");
    ends_well(&third);
}

/* Connections of who listened before, in good order or killed, do not keep the port. */
static void ports_are_free_again(void)
{
    for (int way = 0; way < 2; way++) {
        make_rows(way);
        for (int again = 0; again < 3; again++) {
            struct peer listener = START(way ? "job_get" : "job_send", "N=5", "STAY=1");
            await(&listener, "built");
            struct peer other = START(way ? "job_send" : "job_get", "N=5");
            ends_well(&other);
            is_silent(&listener, "nobody can connect");
            peer_kill(&listener);
        }
        for (int again = 0; again < 2; again++) {
            struct peer listener = START(way ? "job_get" : "job_send", "N=50");
            await(&listener, "built");
            struct peer other = START(way ? "job_send" : "job_get", "N=50");
            ends_well(&other);
            ends_well(&listener);
            is_silent(&listener, "nobody can connect");
        }
    }
}

/* Whoever is not there, or is somebody else, is waited for, and the report names him. */
static void who_is_missing_is_named(void)
{
    static const char *const jobs[] = {"job_send", "job_builds"};
    char peer[64];
    for (int way = 0; way < 2; way++) {
        make_rows(way);
        struct peer alone = START(jobs[0], "SLUICE_FPGA_STALL_MS=20");
        snprintf(peer, sizeof peer, "for a peer at right=ucx:%s:%u",
                 way ? "localhost" : "127.0.0.1", port);
        peer_listen(&alone, peer);
        peer_kill(&alone);
        says(&alone, peer);
        if (way)
            says(&alone, "nobody is there, it is tried again");
    }
    make_rows(READER_LISTENS);
    snprintf(io_rows, sizeof io_rows, "SLUICE_FPGA_IO=right=ucx:nowhere.invalid:%u", port);
    struct peer lost = START("job_send", "N=5");
    ends_well(&lost);
    says(&lost, "5 packets were not delivered");
}

static void strangers_are_no_peers(void)
{
    want_engine("ucx");
    int fd = take_port();
    REQUIRE(!listen(fd, 8));
    snprintf(io_rows, sizeof io_rows, "SLUICE_FPGA_IO=right=ucx::%u", port);
    struct peer writer = START("job_send", "N=5", "DEPTH=2");
    await(&writer, "built");
    for (int i = 0; i < 3; i++) {
        int peer = accept(fd, NULL, NULL);
        REQUIRE(peer >= 0);
        CHECK_EQ(write(peer, "HTTP/1.0 400 Bad Request\r\n\r\n", 28), 28);
        close(peer);
    }
    close(fd);
    peer_listen(&writer, "nobody is there, it is tried again");
    peer_kill(&writer);
    says(&writer, "nobody is there, it is tried again");
}

static void lost_packets_are_counted(void)
{
    static const char *const jobs[] = {"job_send", "job_exits"};
    for (size_t i = 0; i < 2 * LEN(jobs); i++) {
        make_rows(i / 2);
        struct peer writer = START(jobs[i % 2], "N=5");
        ends_well(&writer);
        says(&writer, "5 packets were not delivered: ");
    }
}

/* A pipe of seven packets is all that the reader has, and it reads nothing. */
static void check_packets_on_the_way_are_counted(const char *kind)
{
    static const char *const jobs[] = {"job_send", "job_exits"};
    for (size_t i = 0; i < 2 * LEN(jobs); i++) {
        make_rows(i / 2);
        struct peer reader = START("job_builds", kind, "STAY=1", "FROM=1");
        await(&reader, "built");
        struct peer writer = START(jobs[i % 2], kind, "N=20");
        ends_well(&writer);
        says(&writer, "13 packets were not delivered: nobody took them");
        peer_kill(&reader);
    }
}

static void packets_on_the_way_are_counted(void)
{
    check_packets_on_the_way_are_counted(of_words);
}

static void packets_on_the_way_are_counted_of_pages(void)
{
    check_packets_on_the_way_are_counted(of_pages);
}

/* The writer has gone before the reader begins. */
static void check_what_has_a_reader_is_delivered(const char *kind)
{
    static const char *const jobs[] = {"job_send", "job_exits"};
    for (size_t i = 0; i < 2 * LEN(jobs); i++) {
        make_rows(i / 2);
        struct peer reader = START("job_get", kind, "N=5", "WAIT_MS=500");
        await(&reader, "built");
        struct peer writer = START(jobs[i % 2], kind, "N=5");
        ends_well(&writer);
        is_silent(&writer, "not delivered");
        ends_well(&reader);
    }
}

static void what_has_a_reader_is_delivered(void)
{
    check_what_has_a_reader_is_delivered(of_words);
}

static void what_has_a_reader_is_delivered_of_pages(void)
{
    check_what_has_a_reader_is_delivered(of_pages);
}

/* Each of three waits for the one before; all of them find that out. */
static void processes_in_a_circle(void)
{
    enum { COUNT = 3 };
    struct peer peers[COUNT];
    unsigned ports[COUNT];
    for (int i = 0; i < COUNT; i++) {
        make_rows(0);
        ports[i] = port;
    }
    for (int i = 0; i < COUNT; i++) {
        snprintf(io_rows, sizeof io_rows, "SLUICE_FPGA_IO=left=ucx::%u,listen;right=ucx::%u",
                 ports[i], ports[(i + 1) % COUNT]);
        peers[i] = START("job_knot", "SLUICE_FPGA_STALL_MS=100");
    }
    for (int i = 0; i < COUNT; i++)
        peer_listen(&peers[i], "cycle over processes: process ");
    for (int i = 0; i < COUNT; i++)
        peer_kill(&peers[i]);
    for (int i = 0; i < COUNT; i++) {
        char before[64];
        snprintf(before, sizeof before, ", for second of process %d of ",
                 (int)peers[(i + COUNT - 1) % COUNT].pid);
        says(&peers[i], before);
        says(&peers[i], "cycle over processes: process ");
    }
}

/* Each says the same of both, although the first one that does leaves. */
static void stalled_processes_end(void)
{
    enum { COUNT = 2 };
    struct peer peers[COUNT];
    unsigned ports[COUNT];
    char before[64];
    for (int i = 0; i < COUNT; i++) {
        make_rows(0);
        ports[i] = port;
    }
    for (int i = 0; i < COUNT; i++) {
        snprintf(io_rows, sizeof io_rows, "SLUICE_FPGA_IO=left=ucx::%u,listen;right=ucx::%u",
                 ports[i], ports[1 - i]);
        peers[i] =
            START("job_knot", "SLUICE_FPGA_STALL_MS=100", "SLUICE_FPGA_ON_STALL=error", "ENDS=1");
    }
    for (int i = 0; i < COUNT; i++)
        ends_well(&peers[i]);
    for (int i = 0; i < COUNT; i++) {
        snprintf(before, sizeof before, ", for second of process %d of ", (int)peers[1 - i].pid);
        says(&peers[i], before);
        says(&peers[i], "cycle over processes: process ");
    }
}

static void children_do_not_matter(void)
{
    make_rows(READER_LISTENS);
    struct peer reader = START("job_get", "N=2000");
    await(&reader, "built");
    struct peer writer = START("job_forks", "N=2000");
    ends_well(&writer);
    ends_well(&reader);
}

static const struct test_case cases[] = {
    CASE(words_go_through),
    CASE(one_at_a_time),
    CASE(large_pipes_in_batches),
    CASE(odd_packets),
    CASE(large_packets),
    CASE(whole_pages),
    CASE(one_process_with_both),
    CASE(memory_stays),
    CASE(late_and_slow_readers),
    CASE(late_and_slow_readers_of_pages),
    CASE(buffers_are_few),
    CASE(writers_follow_each_other),
    CASE(writers_follow_each_other_of_pages),
    CASE(killed_readers_are_followed),
    CASE(killed_readers_are_followed_of_pages),
    CASE(readers_are_killed_at_work),
    CASE(readers_are_killed_at_work_of_pages),
    CASE(writers_are_killed_at_work),
    CASE(writers_are_killed_at_work_of_pages),
    CASE(many_writers_are_killed_at_work),
    CASE(other_shapes_are_refused),
    CASE(same_ends_are_refused),
    CASE(ports_in_use_are_named),
    CASE(ports_are_free_again),
    CASE(who_is_missing_is_named),
    CASE(strangers_are_no_peers),
    CASE(lost_packets_are_counted),
    CASE(packets_on_the_way_are_counted),
    CASE(packets_on_the_way_are_counted_of_pages),
    CASE(what_has_a_reader_is_delivered),
    CASE(what_has_a_reader_is_delivered_of_pages),
    CASE(processes_in_a_circle),
    CASE(stalled_processes_end),
    CASE(children_do_not_matter),
};
JOBS_MAIN("io_ucx", cases, io_jobs)
