/* SPDX-License-Identifier: Apache-2.0 */
/* Names of hosts whose look-up takes long, or for ever: nobody waits for it who has something else
 * to do. The C library's getaddrinfo is replaced for names that end in .test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "common/base/values.h"
#include "flow.h"
#include "fpga/fpga.h"
#include "fpga/stream/io_error.h"
#include "fpga/stream/io_lookup.h"
#include "fpga/stream/io_stream.h"

enum { PACKETS = 3, DEPTH = 8, MOST_LOOKUPS = 16 };

/* ---- a resolver that answers when it is told to ---------------------------------------------- */

static atomic_int asked, answered;
static atomic_int busy; /* so many questions are answered that there is no answer now */
static sem_t answers;
static int told; /* how often */

int __real_getaddrinfo(const char *, const char *, const struct addrinfo *, struct addrinfo **);
int __wrap_getaddrinfo(const char *, const char *, const struct addrinfo *, struct addrinfo **);

int __wrap_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                       struct addrinfo **found)
{
    size_t length = node ? strlen(node) : 0;
    bool slow = length > 5 && !strcmp(node + length - 5, ".test");
    if (!slow || hints->ai_flags & AI_NUMERICHOST)
        return __real_getaddrinfo(node, service, hints, found);
    if (atomic_load(&busy)) {
        atomic_fetch_sub(&busy, 1);
        return EAI_AGAIN;
    }
    atomic_fetch_add(&asked, 1);
    while (sem_wait(&answers)) /* EINTR */
        ;
    int rc = __real_getaddrinfo("127.0.0.1", service, hints, found);
    atomic_fetch_add(&answered, 1);
    return rc;
}

static void begin(void)
{
    atomic_store(&asked, 0);
    atomic_store(&answered, 0);
    told = 0;
}

/* What has been asked by now gets its answer, which may be waited for no more and asked again. */
static void answer(void)
{
    for (; told < atomic_load(&asked); told++)
        sem_post(&answers);
}

/* All that was asked is answered, and the threads are on their way out. */
static void answer_all(void)
{
    answer();
    fake_sleep_until(&answered, atomic_load(&asked));
    usleep(20000);
}

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* ---- the call -------------------------------------------------------------------------------- */

static void expect_v4(const struct sl_io_place *place, in_addr_t address, unsigned port)
{
    const struct sockaddr_in *inet = (const struct sockaddr_in *)&place->address;
    assert_int_equal(inet->sin_family, AF_INET);
    assert_int_equal(ntohl(inet->sin_addr.s_addr), address);
    assert_int_equal(ntohs(inet->sin_port), port);
    assert_int_equal(place->bytes, sizeof *inet);
}

static void test_numbers(void **state)
{
    struct sl_io_place places[SL_IO_PLACES];
    (void)state;
    begin();
    int stop = eventfd(0, EFD_CLOEXEC);
    assert_int_equal(sl_io_lookup("10.1.2.3:80", stop, 0, places), 1);
    expect_v4(places, 0x0a010203, 80);
    assert_in_range(sl_io_lookup(":65535", stop, 0, places), 1, 2);
    expect_v4(places, INADDR_LOOPBACK, 65535);
    assert_int_equal(sl_io_lookup("[::1]:9", stop, 0, places), 1);
    assert_int_equal(places[0].address.ss_family, AF_INET6);
    assert_int_equal(atomic_load(&asked), 0);
    close(stop);
}

static void test_stopped(void **state)
{
    struct sl_io_place places[SL_IO_PLACES];
    const uint64_t one = 1;
    (void)state;
    begin();
    int stop = eventfd(0, EFD_CLOEXEC);
    assert_int_equal(sl_io_lookup("stopped.test:80", stop, 30, places), SL_IO_LOOKUP_LATE);
    assert_int_equal(write(stop, &one, sizeof one), sizeof one);
    assert_int_equal(sl_io_lookup("stopped.test:80", stop, -1, places), SL_IO_LOOKUP_STOPPED);
    fake_sleep_until(&asked, 1); /* one look-up for both */
    answer_all();
    assert_int_equal(atomic_load(&asked), 1);
    close(stop);
}

static void *answer_later(void *data)
{
    (void)data;
    usleep(50000);
    sem_post(&answers);
    return NULL;
}

static void test_answered(void **state)
{
    struct sl_io_place places[SL_IO_PLACES];
    pthread_t thread;
    (void)state;
    begin();
    int stop = eventfd(0, EFD_CLOEXEC);
    assert_int_equal(pthread_create(&thread, NULL, answer_later, NULL), 0);
    assert_int_equal(sl_io_lookup("late.test:81", stop, -1, places), 1);
    expect_v4(places, INADDR_LOOPBACK, 81);
    pthread_join(thread, NULL);
    assert_int_equal(sl_io_lookup("127.0.0.1:no-such-service", stop, -1, places),
                     SL_IO_LOOKUP_FAILED);
    assert_int_equal(errno, SL_IO_UNKNOWN_NAME);
    atomic_store(&busy, 1);
    assert_int_equal(sl_io_lookup("busy.test:81", stop, -1, places), SL_IO_LOOKUP_FAILED);
    assert_int_equal(errno, SL_IO_NO_ANSWER);
    assert_int_equal(atomic_load(&busy), 0);
    close(stop);
}

/* Threads that nobody can stop are not started without end. */
static void test_limit(void **state)
{
    struct sl_io_place places[SL_IO_PLACES];
    char target[32];
    (void)state;
    begin();
    int stop = eventfd(0, EFD_CLOEXEC);
    for (int i = 0; i <= MOST_LOOKUPS; i++) {
        snprintf(target, sizeof target, "n%d.test:80", i);
        int count = sl_io_lookup(target, stop, 0, places);
        assert_int_equal(count, i < MOST_LOOKUPS ? SL_IO_LOOKUP_LATE : SL_IO_LOOKUP_FAILED);
    }
    assert_int_equal(errno, EAGAIN);
    fake_sleep_until(&asked, MOST_LOOKUPS);
    answer_all();
    assert_int_equal(sl_io_lookup(target, stop, 0, places), SL_IO_LOOKUP_LATE);
    fake_sleep_until(&asked, MOST_LOOKUPS + 1);
    answer_all();
    close(stop);
}

/* ---- programs -------------------------------------------------------------------------------- */

static const struct sl_pipe_site writes = {.pipe = "out", .op = SL_PIPE_WRITE, .blocking = 1};

static struct sl_device *device;
static struct sl_work_queue *work_queue;
static struct sl_pipe_ring *out;

static void send_few(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    (void)args;
    (void)group;
    for (int i = 0; i < PACKETS; i++) {
        flow_write_int(launch, out, &writes, 100 + i);
        flow_attend(launch, out);
    }
}

static struct flow *load(const char *row)
{
    fake_log_has("");
    fake_set("SLUICE_FPGA_IO", row);
    device = fake_open(sl_fpga_plugin);
    work_queue = fake_work_queue(device, true);
    struct flow *flow = flow_create();
    flow_kernel(flow, "sender", send_few, 0);
    flow->pipes[flow_pipe(flow, "out", 4, DEPTH, SL_PIPE_IO, -1, 0)].io = "b";
    out = flow_ring(flow, 0);
    flow_load(flow, device);
    return flow;
}

static void launch(struct flow *flow)
{
    struct fake_work work;
    const void *no_args = NULL;
    flow_work(&work, flow, 0, &no_args, 1, 1);
    device->ops->submit(work_queue, &work.work);
    fake_sleep_until(&work.finished, 1);
    assert_int_equal(work.status, 0);
}

static void unload(struct flow *flow)
{
    device->ops->code_unload(flow->code);
    device->ops->work_queue_destroy(work_queue);
    fake_close(device);
    flow_destroy(flow);
}

/* A launch, and the release of its program, do not wait for who knows the name. */
static void test_released(void **state)
{
    enum { SAID_US = 1200000, LAST_WRITES_MS = 200, SPARE_MS = 800 };
    (void)state;
    begin();
    struct flow *flow = load("b=tcp:released.test:80");
    launch(flow);
    usleep(SAID_US);
    assert_true(fake_log_has("nobody is there, it is tried again: whoever knows the host's name "
                             "has not answered yet"));
    uint64_t start = now_ms();
    device->ops->code_unload(flow->code);
    assert_true(now_ms() - start < LAST_WRITES_MS + SPARE_MS);
    assert_true(fake_log_has("3 packets were not delivered: whoever knows the host's name has not "
                             "answered yet"));
    device->ops->work_queue_destroy(work_queue);
    fake_close(device);
    answer_all();
    flow_destroy(flow);
}

static int listen_somewhere(unsigned *port)
{
    struct sockaddr_in inet = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof inet;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    assert_int_equal(bind(fd, (struct sockaddr *)&inet, bytes), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&inet, &bytes), 0);
    *port = ntohs(inet.sin_port);
    return fd;
}

static void expect_packets(int fd)
{
    int32_t got[PACKETS] = {0};
    assert_int_equal(recv(fd, got, sizeof got, MSG_WAITALL), sizeof got);
    for (int i = 0; i < PACKETS; i++)
        assert_int_equal(got[i], 100 + i);
    close(fd);
}

static void test_connects_late(void **state)
{
    char row[64];
    unsigned port;
    (void)state;
    begin();
    int listener = listen_somewhere(&port);
    assert_int_equal(listen(listener, 1), 0);
    snprintf(row, sizeof row, "b=tcp:connects.test:%u", port);
    struct flow *flow = load(row);
    launch(flow);
    fake_sleep_until(&asked, 1);
    answer_all();
    struct pollfd client = {.fd = listener, .events = POLLIN};
    while (!poll(&client, 1, 10))
        answer();
    expect_packets(accept4(listener, NULL, NULL, SOCK_CLOEXEC));
    unload(flow);
    close(listener);
}

/* Until somebody listens at the port. */
static int connect_patiently(unsigned port)
{
    const struct sockaddr_in inet = {.sin_family = AF_INET,
                                     .sin_port = htons((uint16_t)port),
                                     .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), rc = -1;
    for (int i = 0; rc && i < 500; i++) {
        usleep(10000);
        answer();
        rc = connect(fd, (const struct sockaddr *)&inet, sizeof inet);
    }
    assert_int_equal(rc, 0);
    return fd;
}

/* The build waits a second and not for ever; who listens does so as soon as the name is known. */
static void test_listens_late(void **state)
{
    enum { BUILD_MS = 1000, SPARE_MS = 1500 };
    char row[64];
    unsigned port;
    (void)state;
    begin();
    close(listen_somewhere(&port));
    snprintf(row, sizeof row, "b=tcp:listens.test:%u,listen", port);
    uint64_t start = now_ms();
    struct flow *flow = load(row);
    assert_in_range(now_ms() - start, BUILD_MS, BUILD_MS + SPARE_MS);
    assert_true(fake_log_has("nobody can connect: whoever knows the host's name"));
    launch(flow);
    answer_all();
    expect_packets(connect_patiently(port));
    unload(flow);
}

/* Whoever knows names is not to be reached at first: that is no name that nobody knows. */
static void test_listens_again(void **state)
{
    char row[64];
    unsigned port;
    (void)state;
    begin();
    close(listen_somewhere(&port));
    snprintf(row, sizeof row, "b=tcp:again.test:%u,listen", port);
    atomic_store(&busy, 2);
    struct flow *flow = load(row);
    assert_true(fake_log_has("nobody can connect: whoever knows the host's name"));
    launch(flow);
    fake_sleep_until(&asked, 1);
    answer_all();
    expect_packets(connect_patiently(port));
    unload(flow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),      cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_answered),     cmocka_unit_test(test_limit),
        cmocka_unit_test(test_released),     cmocka_unit_test(test_connects_late),
        cmocka_unit_test(test_listens_late), cmocka_unit_test(test_listens_again),
    };
    sem_init(&answers, 0, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
