/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs where nobody is, or is not any more: a launch that has filled what there is stands still
 * like one that waits for a kernel, and ends under SLUICE_FPGA_ON_STALL=error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/base/values.h"
#include "flow.h"
#include "fpga/fpga.h"

/* More than any socket or named pipe holds. */
enum { PACKET = 1024, DEPTH = 8, PACKETS = 20000, TAKEN = 3 };

static const struct sl_pipe_site hands = {
    .pipe = "in", .file = "flow.cl", .op = SL_PIPE_WRITE, .blocking = 1, .line = 3, .column = 5};
static const struct sl_pipe_site takes = {
    .pipe = "in", .file = "flow.cl", .op = SL_PIPE_READ, .blocking = 1, .line = 7, .column = 5};
static const struct sl_pipe_site sends = {
    .pipe = "out", .file = "flow.cl", .op = SL_PIPE_WRITE, .blocking = 1, .line = 8, .column = 5};

static char folder[] = "/tmp/sluice-alone-XXXXXX";
static char path[64];
static struct sl_device *device;
static struct sl_work_queue *work_queue;

/* `source` hands packets to `sender`, which sends them. */
struct chain {
    struct flow *flow;
    struct sl_pipe_ring *in, *out;
    struct chain *arg;
    struct fake_work works[2];
    int stalls_before;
};

static void source(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    const struct chain *chain = *(struct chain *const *)args;
    (void)group;
    for (int i = 0; i < PACKETS; i++)
        flow_write_int(launch, chain->in, &hands, i);
}

static void sender(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    const struct chain *chain = *(struct chain *const *)args;
    unsigned char packet[PACKET] = {0};
    (void)group;
    for (int i = 0; i < PACKETS; i++) {
        int32_t number = flow_read_int(launch, chain->in, &takes);
        memcpy(packet, &number, sizeof number);
        flow_write(launch, chain->out, &sends, packet, PACKET);
        flow_attend(launch, chain->out);
    }
}

static void begin(struct chain *chain, const char *row, const char *on_stall)
{
    fake_set("SLUICE_FPGA_STALL_MS", "20");
    fake_set("SLUICE_FPGA_ON_STALL", on_stall);
    fake_set("SLUICE_FPGA_IO", row);
    atomic_store(&fake_outlook, SL_OUTLOOK_NOBODY);
    device = fake_open(sl_fpga_plugin);
    work_queue = fake_work_queue(device, true);
    memset(chain, 0, sizeof *chain);
    chain->stalls_before = atomic_load(&fake_stalls);
    chain->flow = flow_create();
    flow_kernel(chain->flow, "source", source, 0);
    flow_kernel(chain->flow, "sender", sender, 0);
    chain->in = flow_ring(chain->flow, flow_pipe(chain->flow, "in", 4, 2, 0, 1, 0));
    uint32_t out = flow_pipe(chain->flow, "out", PACKET, DEPTH, SL_PIPE_IO, -1, 1);
    chain->out = flow_ring(chain->flow, out);
    chain->flow->pipes[out].io = "b";
    chain->arg = chain;
    flow_load(chain->flow, device);
    for (uint32_t i = 0; i < 2; i++) {
        flow_work(&chain->works[i], chain->flow, i, &chain->arg, 1, 1);
        device->ops->submit(work_queue, &chain->works[i].work);
    }
}

/* Launches that nobody waits for are never found to stand still: the machine may take its time
 * until all is as the test wants it. */
static void wait_for_it(void)
{
    device->ops->host_waits(device, 1);
}

static void end(struct chain *chain)
{
    device->ops->host_waits(device, -1);
    device->ops->code_unload(chain->flow->code);
    device->ops->work_queue_destroy(work_queue);
    fake_close(device);
    flow_destroy(chain->flow);
    unlink(path);
}

static void expect_end(struct chain *chain, int status)
{
    for (int i = 0; i < 2; i++) {
        fake_sleep_until(&chain->works[i].finished, 1);
        assert_int_equal(chain->works[i].status, status);
    }
}

/* Both launches end, and the report names the row. */
static void expect_stall(struct chain *chain, const char *row)
{
    char reason[256];
    expect_end(chain, SL_STALLED);
    assert_int_equal(atomic_load(&fake_stalls), chain->stalls_before + 1);
    snprintf(reason, sizeof reason,
             "\n  sender waits to write out (full: 8 of 8) at flow.cl:8:5, for a peer at %s, where "
             "nobody is\n",
             row);
    if (!strstr(fake_stall_text, reason))
        fail_msg("%s", fake_stall_text);
    assert_non_null(strstr(fake_stall_text, "source waits to write in (full: 2 of 2) at "
                                            "flow.cl:3:5, for sender\n"));
    assert_non_null(strstr(fake_stall_text,
                           "nothing there has moved for 200 ms: 10 times SLUICE_FPGA_STALL_MS=20, "
                           "as a peer might have come; the launches end"));
    snprintf(reason, sizeof reason, "\"peer\":\"%s\"}", row);
    assert_non_null(strstr(fake_stall_json, reason));
}

/* ---- peers ----------------------------------------------------------------------------------- */

struct peer {
    union {
        struct sockaddr any;
        struct sockaddr_un local;
        struct sockaddr_in inet;
    } address;
    socklen_t bytes;
    int listener;
    char row[128]; /* of the setting */
};

/* Listens, or keeps a place where the device can. */
static void make_peer(struct peer *peer, bool tcp, bool device_listens)
{
    int on = 1;
    *peer = (struct peer){.bytes = tcp ? sizeof peer->address.inet : sizeof peer->address.local};
    if (tcp) {
        peer->address.inet.sin_family = AF_INET;
        peer->address.inet.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    } else {
        peer->address.local.sun_family = AF_UNIX;
        memcpy(peer->address.local.sun_path, path, sizeof path);
    }
    unlink(path);
    peer->listener = socket(peer->address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(peer->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    assert_int_equal(bind(peer->listener, &peer->address.any, peer->bytes), 0);
    assert_int_equal(getsockname(peer->listener, &peer->address.any, &peer->bytes), 0);
    if (!device_listens)
        assert_int_equal(listen(peer->listener, 1), 0); /* else it keeps the port from others */
    else if (!tcp)
        assert_int_equal(unlink(path), 0);
    if (tcp)
        snprintf(peer->row, sizeof peer->row, "b=tcp:127.0.0.1:%d%s",
                 ntohs(peer->address.inet.sin_port), device_listens ? ",listen" : "");
    else
        snprintf(peer->row, sizeof peer->row, "b=unix:%s%s", path, device_listens ? ",listen" : "");
}

static void leave(struct peer *peer)
{
    if (peer->listener >= 0)
        close(peer->listener);
    peer->listener = -1;
}

static int meet(const struct peer *peer, bool device_listens)
{
    if (!device_listens)
        return accept4(peer->listener, NULL, NULL, SOCK_CLOEXEC);
    int fd = socket(peer->address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(connect(fd, &peer->address.any, peer->bytes), 0);
    return fd;
}

/* Takes whole packets, which are numbered from `first` on. */
static void take(int fd, int first, int count)
{
    for (int i = first; i < first + count; i++) {
        unsigned char packet[PACKET];
        int32_t number;
        size_t had = 0;
        for (ssize_t got = 1; had < PACKET && got > 0; had += got > 0 ? (size_t)got : 0)
            got = read(fd, packet + had, PACKET - had);
        assert_int_equal(had, PACKET);
        memcpy(&number, packet, sizeof number);
        assert_int_equal(number, i);
    }
}

/* It takes some packets, or not even that, and goes, or never comes. */
static void leaves(bool tcp, bool device_listens, bool comes, int taken)
{
    struct chain chain;
    struct peer peer;
    make_peer(&peer, tcp, device_listens);
    if (!comes && !device_listens)
        leave(&peer);
    begin(&chain, peer.row, "error");
    if (comes) {
        int fd = meet(&peer, device_listens);
        assert_true(fd >= 0);
        take(fd, 0, taken);
        if (!device_listens)
            leave(&peer);
        close(fd);
    }
    wait_for_it();
    expect_stall(&chain, peer.row);
    end(&chain);
    leave(&peer);
}

static void test_socket(void **state)
{
    (void)state;
    for (int tcp = 0; tcp < 2; tcp++) {
        for (int device_listens = 0; device_listens < 2; device_listens++) {
            leaves(tcp, device_listens, false, 0);
            leaves(tcp, device_listens, true, 0);
            leaves(tcp, device_listens, true, TAKEN);
        }
    }
}

/* One that is there and does not take anything is waited for; what it takes later is complete. */
static void test_slow_peer(void **state)
{
    enum { LONG_US = 500000 };
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        bool tcp = kind & 1, device_listens = kind & 2;
        struct chain chain;
        struct peer peer;
        make_peer(&peer, tcp, device_listens);
        begin(&chain, peer.row, "error");
        int fd = meet(&peer, device_listens);
        take(fd, 0, TAKEN);
        wait_for_it();
        usleep(LONG_US);
        assert_int_equal(atomic_load(&chain.works[1].finished), 0);
        take(fd, TAKEN, PACKETS - TAKEN);
        expect_end(&chain, 0);
        if (atomic_load(&fake_stalls) != chain.stalls_before)
            fail_msg("%d: %s", kind, fake_stall_text);
        end(&chain);
        close(fd);
        leave(&peer);
    }
}

/* What is only reported goes on when somebody comes. */
static void test_late_peer(void **state)
{
    struct chain chain;
    struct peer peer;
    (void)state;
    make_peer(&peer, true, true);
    begin(&chain, peer.row, "report");
    wait_for_it();
    fake_sleep_until(&fake_stalls, chain.stalls_before + 1);
    int fd = meet(&peer, true);
    take(fd, 0, PACKETS);
    expect_end(&chain, 0);
    assert_int_equal(atomic_load(&fake_stalls), chain.stalls_before + 1);
    end(&chain);
    close(fd);
    leave(&peer);
}

/* ---- pipes ----------------------------------------------------------------------------------- */

/* From now on it is read as if it had been opened when somebody wrote. */
static void await_packets(int fd)
{
    struct pollfd there = {.fd = fd, .events = POLLIN};
    assert_int_equal(poll(&there, 1, 10000), 1);
    fcntl(fd, F_SETFL, 0);
}

static void test_fifo(void **state)
{
    (void)state;
    char row[128];
    snprintf(row, sizeof row, "b=fifo:%s", path);
    for (int reader = 0; reader < 2; reader++) {
        struct chain chain;
        assert_int_equal(mkfifo(path, 0600), 0);
        int fd = reader ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
        begin(&chain, row, "error");
        if (reader) {
            await_packets(fd);
            take(fd, 0, TAKEN);
            close(fd);
        }
        wait_for_it();
        expect_stall(&chain, row);
        end(&chain);
    }
}

/* It is not there at all, which may change. */
static void test_missing_fifo(void **state)
{
    (void)state;
    char row[128];
    struct chain chain;
    snprintf(row, sizeof row, "b=fifo:%s", path);
    begin(&chain, row, "error");
    wait_for_it();
    expect_stall(&chain, row);
    end(&chain);
}

static void test_slow_fifo_reader(void **state)
{
    enum { LONG_US = 500000 };
    (void)state;
    char row[128];
    struct chain chain;
    snprintf(row, sizeof row, "b=fifo:%s", path);
    assert_int_equal(mkfifo(path, 0600), 0);
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    begin(&chain, row, "error");
    await_packets(fd);
    wait_for_it();
    usleep(LONG_US);
    assert_int_equal(atomic_load(&chain.works[1].finished), 0);
    take(fd, 0, PACKETS);
    expect_end(&chain, 0);
    assert_int_equal(atomic_load(&fake_stalls), chain.stalls_before);
    end(&chain);
    close(fd);
}

static void test_fifo_read_later(void **state)
{
    (void)state;
    char row[128];
    struct chain chain;
    snprintf(row, sizeof row, "b=fifo:%s", path);
    assert_int_equal(mkfifo(path, 0600), 0);
    begin(&chain, row, "report");
    wait_for_it();
    fake_sleep_until(&fake_stalls, chain.stalls_before + 1);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    take(fd, 0, PACKETS);
    expect_end(&chain, 0);
    end(&chain);
    close(fd);
}

/* No program reads what goes to the other I/O pipe. */
static void test_pipe(void **state)
{
    struct chain chain;
    (void)state;
    begin(&chain, "back=pipe:b", "error");
    wait_for_it();
    expect_stall(&chain, "back=pipe:b");
    end(&chain);
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/to", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_socket),          cmocka_unit_test(test_slow_peer),
        cmocka_unit_test(test_late_peer),       cmocka_unit_test(test_fifo),
        cmocka_unit_test(test_missing_fifo),    cmocka_unit_test(test_slow_fifo_reader),
        cmocka_unit_test(test_fifo_read_later), cmocka_unit_test(test_pipe),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
