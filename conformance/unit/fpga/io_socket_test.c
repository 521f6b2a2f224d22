/* SPDX-License-Identifier: Apache-2.0 */
/* I/O pipes and sockets: peers that come, that are not there, and that close. */
#include "io_bed.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

struct peer {
    union {
        struct sockaddr any;
        struct sockaddr_un local;
        struct sockaddr_in inet;
    } address;
    socklen_t bytes;
    char row[128]; /* of the setting */
};

static void make_peer(struct peer *peer, bool tcp)
{
    *peer = (struct peer){.bytes = sizeof peer->address.local};
    if (!tcp) {
        peer->address.local.sun_family = AF_UNIX;
        snprintf(peer->address.local.sun_path, sizeof peer->address.local.sun_path, "%s", to_path);
        snprintf(peer->row, sizeof peer->row, "b=unix:%s,listen", to_path);
        return;
    }
    peer->bytes = sizeof peer->address.inet;
    peer->address.inet.sin_family = AF_INET;
    peer->address.inet.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    assert_int_equal(bind(fd, &peer->address.any, peer->bytes), 0);
    assert_int_equal(getsockname(fd, &peer->address.any, &peer->bytes), 0);
    close(fd); /* free again, and nobody gets it by chance so soon */
    snprintf(peer->row, sizeof peer->row, "b=tcp:127.0.0.1:%d,listen",
             ntohs(peer->address.inet.sin_port));
}

static int connect_peer(const struct peer *peer)
{
    int fd = socket(peer->address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(fd, &peer->address.any, peer->bytes)) {
        close(fd);
        return -1;
    }
    return fd;
}

/* ---- peers that come ------------------------------------------------------------------------- */

static void listens(bool tcp)
{
    enum { SENT = 7 };
    char setting[256];
    unsigned char got[SENT * PACKET], wanted[SENT * PACKET];
    struct peer peer;
    struct job job, *arg = &job;
    struct fake_work work;
    unlink(to_path);
    make_peer(&peer, tcp);
    snprintf(setting, sizeof setting, "a=file:%s;%s", from_path, peer.row);
    open_device(setting);
    assert_int_equal(connect_peer(&peer), -1);
    struct flow *flow = relay_between("a", "b", 4, &job);
    int fd = connect_peer(&peer); /* nothing has been launched */
    assert_true(fd >= 0);
    job.count = SENT;
    flow_work(&work, flow, 0, &arg, 1, 1);
    device->ops->submit(work_queue, &work.work);
    fake_wait(work_queue, &work, 1);
    assert_int_equal(recv(fd, got, sizeof got, MSG_WAITALL), sizeof got);
    for (size_t i = 0; i < sizeof wanted; i++)
        wanted[i] = byte_at(i);
    for (size_t i = 0; i < SENT; i++)
        change(wanted + i * PACKET);
    assert_memory_equal(got, wanted, sizeof got);
    device->ops->code_unload(flow->code);
    close(fd);
    assert_int_equal(connect_peer(&peer), -1);
    close_device();
    flow_destroy(flow);
}

static void test_outputs_listen_from_the_start(void **state)
{
    (void)state;
    listens(false);
    listens(true);
}

/* Nothing waits for a peer that is not there; it is said once that it is not. */
static void test_nobody_listens(void **state)
{
    struct sending s;
    (void)state;
    begin_sending(&s, "b=tcp:127.0.0.1:1", 64);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(send_more(&s, 5), 0);
        usleep(60000);
        assert_int_equal(fake_log_has("nobody is there, it is tried again: Connection refused "
                                      "(ECONNREFUSED)"),
                         i == 0);
    }
    end_sending(&s);
    assert_true(fake_log_has("15 packets were not delivered: Connection refused"));
}

static void test_unknown_service(void **state)
{
    struct sending s;
    (void)state;
    begin_sending(&s, "b=tcp:127.0.0.1:no-such-service", 16);
    assert_int_equal(send_more(&s, 3), 0);
    end_sending(&s);
    assert_true(fake_log_has("3 packets were not delivered: no host or service of this name"));
}

/* ---- peers that close ------------------------------------------------------------------------ */

enum { TAKEN = 4, SENT = 9 };

/* Takes some packets of `fd` and closes it. */
static void take_and_close(int fd, int packets)
{
    unsigned char got[SENT * PACKET];
    const size_t bytes = (size_t)packets * PACKET;
    assert_int_equal(recv(fd, got, bytes, MSG_WAITALL), bytes);
    close(fd);
    usleep(20000);
}

/* How many packets the log says are lost: at least and at most. */
static void count_lost(unsigned *least, unsigned *most)
{
    char text[4096];
    *least = *most = 0;
    fake_log_take(text, sizeof text);
    for (char *at = text; (at = strstr(at, "\"): "));) {
        unsigned a = 0, b = 0;
        at += 4;
        if (sscanf(at, "at least %u and at most %u packets that were sent", &a, &b) != 2)
            b = sscanf(at, "%u packets", &a) == 1 ? a : 0;
        *least += a;
        *most += b;
    }
}

/* It has taken all that was sent. What is sent after that is counted, exactly: what the system took
 * before it knew, and what waits for another peer. */
static void closes_between(bool tcp)
{
    struct peer peer;
    struct sending s;
    unsigned least, most;
    unlink(to_path);
    make_peer(&peer, tcp);
    begin_sending(&s, peer.row, 64);
    int fd = connect_peer(&peer);
    assert_int_equal(send_more(&s, SENT), 0);
    take_and_close(fd, SENT);
    for (int i = 2; i < 5; i++) {
        assert_int_equal(send_more(&s, i), 0);
        usleep(20000);
    }
    end_sending(&s);
    count_lost(&least, &most);
    assert_int_equal(least, 9);
    assert_int_equal(most, 9);
}

/* It has left some. How many nobody knows; that there are some is said, whether more is sent or
 * not.
 */
static void closes_early(bool tcp, int more)
{
    struct peer peer;
    struct sending s;
    unsigned least, most, lost = (unsigned)(SENT - TAKEN + more);
    unlink(to_path);
    make_peer(&peer, tcp);
    begin_sending(&s, peer.row, 64);
    int fd = connect_peer(&peer);
    assert_int_equal(send_more(&s, SENT), 0);
    take_and_close(fd, TAKEN);
    if (more)
        assert_int_equal(send_more(&s, more), 0);
    end_sending(&s);
    count_lost(&least, &most);
    assert_in_range(lost, least, most);
    assert_in_range(least, 1 + more, lost);
    assert_in_range(most, lost, SENT + more);
}

static void test_peer_closes(void **state)
{
    (void)state;
    for (int tcp = 0; tcp < 2; tcp++) {
        closes_between(tcp);
        closes_early(tcp, 0);
        closes_early(tcp, 3);
    }
    unlink(to_path);
}

/* One that goes on reading when the program has gone loses nothing. */
static void test_peer_reads_late(void **state)
{
    (void)state;
    for (int tcp = 0; tcp < 2; tcp++) {
        struct peer peer;
        struct sending s;
        unlink(to_path);
        make_peer(&peer, tcp);
        begin_sending(&s, peer.row, 64);
        int fd = connect_peer(&peer);
        assert_int_equal(send_more(&s, SENT), 0);
        end_sending(&s);
        take_and_close(fd, SENT);
        assert_false(fake_log_has("packets"));
    }
    unlink(to_path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outputs_listen_from_the_start),
        cmocka_unit_test(test_nobody_listens),
        cmocka_unit_test(test_unknown_service),
        cmocka_unit_test(test_peer_closes),
        cmocka_unit_test(test_peer_reads_late),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
