/* SPDX-License-Identifier: Apache-2.0 */
/* I/O pipes of programs made by hand: files to kernels to files, programs joined by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "flow.h"
#include "fpga/fpga.h"

/* No power of two, so that packets and stretches of a ring never meet. */
enum { PACKET = 5, FILE_PACKETS = 20011, CUT = 3 };

static const struct sl_pipe_site writes = {.pipe = "out", .op = SL_PIPE_WRITE, .blocking = 1};
static const struct sl_pipe_site reads = {.pipe = "in", .op = SL_PIPE_READ, .blocking = 1};
static const struct sl_pipe_site tries = {.pipe = "in", .op = SL_PIPE_READ};

static char folder[] = "/tmp/sluice-io-XXXXXX";
static char from_path[64], to_path[64];
static struct sl_device *device;
static struct sl_work_queue *work_queue;

struct job {
    struct sl_pipe_ring *in, *out;
    int64_t count, errors;
};

static void change(unsigned char packet[PACKET])
{
    for (int i = 0; i < PACKET; i++)
        packet[i] = (unsigned char)(packet[i] * 3 + i);
}

static void relay(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct job *job = *(struct job *const *)args;
    unsigned char packet[PACKET];
    (void)group;
    for (int64_t i = 0; i < job->count; i++) {
        flow_read(launch, job->in, &reads, packet, PACKET);
        flow_attend(launch, job->in);
        change(packet);
        flow_write(launch, job->out, &writes, packet, PACKET);
        flow_attend(launch, job->out);
    }
}

/* Nothing may come any more. */
static void ask(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct job *job = *(struct job *const *)args;
    unsigned char packet[PACKET];
    (void)group;
    for (int64_t i = 0; i < job->count; i++)
        job->errors += flow_read(launch, job->in, &tries, packet, PACKET) == 0;
}

static unsigned char byte_at(size_t i)
{
    return (unsigned char)(i * 7 + i / 251);
}

static void make_input(void)
{
    FILE *file = fopen(from_path, "we");
    assert_non_null(file);
    for (size_t i = 0; i < FILE_PACKETS * PACKET + CUT; i++)
        putc(byte_at(i), file);
    assert_int_equal(fclose(file), 0);
}

static void check_output(unsigned rounds)
{
    FILE *file = fopen(to_path, "re");
    assert_non_null(file);
    for (size_t i = 0; i < FILE_PACKETS; i++) {
        unsigned char wanted[PACKET], got[PACKET];
        for (size_t k = 0; k < PACKET; k++)
            wanted[k] = byte_at(i * PACKET + k);
        for (unsigned round = 0; round < rounds; round++)
            change(wanted);
        assert_int_equal(fread(got, 1, PACKET, file), PACKET);
        assert_memory_equal(got, wanted, PACKET);
    }
    assert_int_equal(getc(file), EOF);
    fclose(file);
}

static void open_device(const char *setting)
{
    fake_set("SLUICE_FPGA_IO", setting);
    device = fake_open(sl_fpga_plugin);
    work_queue = fake_work_queue(device, true);
}

static void close_device(void)
{
    device->ops->work_queue_destroy(work_queue);
    fake_close(device);
    fake_set("SLUICE_FPGA_IO", NULL);
}

static struct flow *relay_between(const char *in, const char *out, uint32_t depth, struct job *job)
{
    struct flow *flow = flow_create();
    uint32_t kernel = flow_kernel(flow, "relay", relay, 0);
    uint32_t from = flow_pipe(flow, "in", PACKET, depth, SL_PIPE_IO, (int32_t)kernel, -1);
    uint32_t to = flow_pipe(flow, "out", PACKET, depth, SL_PIPE_IO, -1, (int32_t)kernel);
    flow->pipes[from].io = in;
    flow->pipes[to].io = out;
    *job = (struct job){flow_ring(flow, from), flow_ring(flow, to), FILE_PACKETS, 0};
    flow_load(flow, device);
    return flow;
}

static void files_at_depth(uint32_t depth)
{
    char setting[256];
    struct job job, *arg = &job;
    struct fake_work work;
    snprintf(setting, sizeof setting, "eth0=file:%s;eth1=file:%s", from_path, to_path);
    open_device(setting);
    struct flow *flow = relay_between("eth0", "eth1", depth, &job);
    flow_work(&work, flow, 0, &arg, 1, 1);
    device->ops->submit(work_queue, &work.work);
    fake_wait(work_queue, &work, 1);
    assert_int_equal(work.status, 0);
    device->ops->code_unload(flow->code); /* what the kernel wrote is in the file now */
    check_output(1);
    close_device();
    flow_destroy(flow);
}

static void test_files(void **state)
{
    static const uint32_t depths[] = {1, 3, 64, 1000};
    (void)state;
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
        files_at_depth(depths[i]);
}

/* After the last whole packet nothing comes: not the cut one, not the file again. */
static void test_end_of_file(void **state)
{
    (void)state;
    char setting[256];
    struct job job, *arg = &job;
    struct fake_work work;
    snprintf(setting, sizeof setting, "eth0=file:%s;eth1=null:", from_path);
    open_device(setting);
    struct flow *flow = relay_between("eth0", "eth1", 16, &job);
    flow->kernels[0].run = relay;
    flow_work(&work, flow, 0, &arg, 1, 1);
    device->ops->submit(work_queue, &work.work);
    fake_wait(work_queue, &work, 1);
    usleep(20000);
    flow->kernels[0].run = ask;
    job.count = 100;
    flow_work(&work, flow, 0, &arg, 1, 1);
    device->ops->submit(work_queue, &work.work);
    fake_wait(work_queue, &work, 1);
    assert_int_equal(job.errors, 0);
    device->ops->code_unload(flow->code);
    close_device();
    flow_destroy(flow);
}

/* Two programs: what the first writes to "link" is what the second reads as "back". */
static void test_joined_programs(void **state)
{
    (void)state;
    char setting[256];
    struct job first, second, *args[] = {&first, &second};
    struct fake_work work[2];
    snprintf(setting, sizeof setting, "a=file:%s;b=file:%s;back=pipe:link", from_path, to_path);
    open_device(setting);
    struct flow *flows[] = {relay_between("a", "link", 8, &first),
                            relay_between("back", "b", 8, &second)};
    for (int i = 0; i < 2; i++) {
        flow_work(&work[i], flows[i], 0, &args[i], 1, 1);
        device->ops->submit(work_queue, &work[i].work);
    }
    fake_wait(work_queue, work, 2);
    for (int i = 0; i < 2; i++)
        device->ops->code_unload(flows[i]->code);
    check_output(2);
    close_device();
    for (int i = 0; i < 2; i++)
        flow_destroy(flows[i]);
}

/* Nobody takes what is written: unloading does not wait for ever, and says what is lost. */
static void test_lost(void **state)
{
    (void)state;
    char setting[256];
    struct job job, *arg = &job;
    struct fake_work work;
    snprintf(setting, sizeof setting, "a=file:%s;b=tcp:127.0.0.1:1", from_path);
    open_device(setting);
    struct flow *flow = relay_between("a", "b", 4, &job);
    job.count = 3;
    flow_work(&work, flow, 0, &arg, 1, 1);
    device->ops->submit(work_queue, &work.work);
    fake_wait(work_queue, &work, 1);
    device->ops->code_unload(flow->code);
    assert_true(fake_log_has("3 packets were not delivered"));
    close_device();
    flow_destroy(flow);
}

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Many outputs that are stuck share the time they are given. */
static void test_many_lost(void **state)
{
    enum { OUTPUTS = 5 };
    char setting[256];
    struct job jobs[OUTPUTS], *args[OUTPUTS];
    struct fake_work works[OUTPUTS];
    (void)state;
    snprintf(setting, sizeof setting, "a=file:%s;b=tcp:127.0.0.1:1", from_path);
    open_device(setting);
    struct flow *flow = flow_create();
    for (uint32_t i = 0; i < OUTPUTS; i++) {
        flow_kernel(flow, "relay", relay, 0);
        uint32_t from = flow_pipe(flow, "in", PACKET, 4, SL_PIPE_IO, (int32_t)i, -1);
        uint32_t to = flow_pipe(flow, "out", PACKET, 4, SL_PIPE_IO, -1, (int32_t)i);
        flow->pipes[from].io = "a";
        flow->pipes[to].io = "b";
        jobs[i] = (struct job){flow_ring(flow, from), flow_ring(flow, to), 3, 0};
        args[i] = &jobs[i];
    }
    flow_load(flow, device);
    for (uint32_t i = 0; i < OUTPUTS; i++) {
        flow_work(&works[i], flow, i, &args[i], 1, 1);
        device->ops->submit(work_queue, &works[i].work);
    }
    fake_wait(work_queue, works, OUTPUTS);
    int before = fake_log_lines;
    uint64_t start = now_ms();
    device->ops->code_unload(flow->code);
    assert_in_range(now_ms() - start, 150, 190 + 200);
    assert_int_equal(fake_log_lines, before + OUTPUTS);
    close_device();
    flow_destroy(flow);
}

/* ---- named pipes ----------------------------------------------------------------------------- */

/* A reader that comes while the program is being released. */
struct late_reader {
    unsigned delay_us;
    unsigned char got[FILE_PACKETS * PACKET + 1];
    size_t count;
};

static void *read_late(void *data)
{
    struct late_reader *reader = data;
    usleep(reader->delay_us);
    int fd = open(to_path, O_RDONLY | O_CLOEXEC);
    ssize_t count = 1;
    while (fd >= 0 && count > 0 && reader->count < sizeof reader->got) {
        count = read(fd, reader->got + reader->count, sizeof reader->got - reader->count);
        reader->count += count > 0 ? (size_t)count : 0;
    }
    close(fd);
    return NULL;
}

/* Fills a named pipe with `count` packets and lets go of the program. */
static void leave_in_fifo(int64_t count, uint32_t depth)
{
    char setting[256];
    struct job job, *arg = &job;
    struct fake_work work;
    snprintf(setting, sizeof setting, "a=file:%s;b=fifo:%s", from_path, to_path);
    open_device(setting);
    struct flow *flow = relay_between("a", "b", depth, &job);
    job.count = count;
    flow_work(&work, flow, 0, &arg, 1, 1);
    device->ops->submit(work_queue, &work.work);
    fake_wait(work_queue, &work, 1);
    device->ops->code_unload(flow->code);
    close_device();
    flow_destroy(flow);
}

static void test_fifo_without_reader(void **state)
{
    (void)state;
    unlink(to_path);
    assert_int_equal(mkfifo(to_path, 0600), 0);
    leave_in_fifo(1000, 16);
    assert_true(fake_log_has("1000 packets were not delivered"));
    leave_in_fifo(FILE_PACKETS, 32768); /* more than a named pipe holds */
    assert_true(fake_log_has("20011 packets were not delivered"));
}

/* All arrives, once, although the writing was interrupted in the middle. */
static void test_fifo_with_late_reader(void **state)
{
    static struct late_reader reader;
    pthread_t thread;
    (void)state;
    for (int round = 0; round < 4; round++) {
        reader = (struct late_reader){.delay_us = 40000};
        unlink(to_path);
        assert_int_equal(mkfifo(to_path, 0600), 0);
        assert_int_equal(pthread_create(&thread, NULL, read_late, &reader), 0);
        leave_in_fifo(round % 2 ? FILE_PACKETS : 1000, 32768);
        assert_int_equal(pthread_join(thread, NULL), 0);
        size_t packets = round % 2 ? FILE_PACKETS : 1000;
        assert_int_equal(reader.count, packets * PACKET);
        for (size_t i = 0; i < packets; i++) {
            unsigned char wanted[PACKET];
            for (size_t k = 0; k < PACKET; k++)
                wanted[k] = byte_at(i * PACKET + k);
            change(wanted);
            assert_memory_equal(reader.got + i * PACKET, wanted, PACKET);
        }
        assert_false(fake_log_has("not delivered"));
    }
    unlink(to_path);
}

static struct sl_pipe_ring *endless;

static void send_for_ever(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    const unsigned char packet[PACKET] = {1, 2, 3, 4, 5};
    (void)args;
    (void)group;
    flow_write(launch, endless, &writes, packet, PACKET);
    flow_attend(launch, endless);
}

/* Reads so much while the program is being released, and the rest when it is. */
struct slow_reader {
    int fd;
    size_t bytes, count;
    atomic_bool released;
};

static void *read_slowly(void *data)
{
    static char sink[65536];
    struct slow_reader *reader = data;
    usleep(50000);
    while (reader->count < reader->bytes && !atomic_load(&reader->released)) {
        (void)poll(&(struct pollfd){.fd = reader->fd, .events = POLLIN}, 1, 1);
        size_t left = reader->bytes - reader->count;
        ssize_t got = read(reader->fd, sink, left < sizeof sink ? left : sizeof sink);
        reader->count += got > 0 ? (size_t)got : 0;
    }
    while (!atomic_load(&reader->released))
        usleep(1000);
    for (ssize_t got; (got = read(reader->fd, sink, sizeof sink)) > 0;)
        reader->count += (size_t)got;
    return NULL;
}

/* What there will be in the end when the kernel has filled the named pipe and its own. */
static uint64_t written_so_far(uint32_t depth)
{
    uint64_t head = 0, tail = 0;
    for (int i = 0; i < 5000 && tail - head < depth; i++) {
        usleep(20000);
        head = __atomic_load_n(&endless->head, __ATOMIC_ACQUIRE);
        tail = __atomic_load_n(&endless->tail, __ATOMIC_ACQUIRE);
    }
    assert_int_equal(tail - head, depth);
    return tail;
}

/* An autorun kernel goes on writing while its program is released, and the reader stops before all
 * has left. What had been written by then has arrived or is counted. */
static void test_autorun_and_slow_reader(void **state)
{
    enum { DEPTH = 100000, LEFT = 20000 };
    struct slow_reader reader = {.fd = -1};
    char setting[128], text[4096];
    pthread_t thread;
    (void)state;
    unlink(to_path);
    assert_int_equal(mkfifo(to_path, 0600), 0);
    reader.fd = open(to_path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    assert_true(reader.fd >= 0);
    snprintf(setting, sizeof setting, "b=fifo:%s", to_path);
    fake_log_has("");
    open_device(setting);
    struct flow *flow = flow_create();
    flow_kernel(flow, "sender", send_for_ever, SL_KERNEL_AUTORUN);
    flow->pipes[flow_pipe(flow, "out", PACKET, DEPTH, SL_PIPE_IO, -1, 0)].io = "b";
    endless = flow_ring(flow, 0);
    flow_load(flow, device);
    uint64_t packets = written_so_far(DEPTH), lost = 0;
    reader.bytes = packets * PACKET - LEFT;
    assert_int_equal(pthread_create(&thread, NULL, read_slowly, &reader), 0);
    device->ops->code_unload(flow->code);
    atomic_store(&reader.released, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    close_device();
    fake_log_take(text, sizeof text);
    const char *said = strstr(text, "\"): ");
    if (said)
        lost = strtoull(said + 4, NULL, 10);
    assert_in_range(lost, 0, DEPTH);
    assert_true(reader.count / PACKET + lost >= packets);
    close(reader.fd);
    flow_destroy(flow);
    unlink(to_path);
}

/* ---- sockets that wait for peers ------------------------------------------------------------- */

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

/* A program has what the setting was when it was loaded, not when the device was opened. */
static void test_each_program_reads_the_setting(void **state)
{
    (void)state;
    char setting[256];
    struct job job, *arg = &job;
    struct fake_work work;
    open_device("a=null:;b=null:");
    for (int round = 0; round < 2; round++) {
        unlink(to_path);
        snprintf(setting, sizeof setting, "%s=file:%s;%s=file:%s", round ? "b" : "a", from_path,
                 round ? "a" : "b", to_path);
        fake_set("SLUICE_FPGA_IO", setting);
        struct flow *flow = relay_between(round ? "b" : "a", round ? "a" : "b", 64, &job);
        fake_set("SLUICE_FPGA_IO", "a=null:;b=null:");
        flow_work(&work, flow, 0, &arg, 1, 1);
        device->ops->submit(work_queue, &work.work);
        fake_wait(work_queue, &work, 1);
        device->ops->code_unload(flow->code);
        check_output(1);
        flow_destroy(flow);
    }
    close_device();
}

/* Unbound, or badly bound: told once, and the program loads. */
static void test_unbound(void **state)
{
    (void)state;
    struct job job;
    int before = fake_log_lines;
    open_device("x=nothing");
    assert_int_equal(fake_log_lines, before + 1);
    before = fake_log_lines;
    struct flow *flow = relay_between("a", "b", 4, &job);
    assert_int_equal(fake_log_lines, before + 2);
    device->ops->code_unload(flow->code);
    close_device();
    flow_destroy(flow);
}

/* ---- what cannot be written ------------------------------------------------------------------ */

/* One launch that sends `count` packets to `row`; its status. The program is loaded still. */
struct sending {
    struct flow *flow;
    struct job job, *arg;
    struct fake_work work;
};

static int send_more(struct sending *s, int64_t count)
{
    s->job.count = count;
    flow_work(&s->work, s->flow, 0, &s->arg, 1, 1);
    device->ops->submit(work_queue, &s->work.work);
    fake_sleep_until(&s->work.finished, 1);
    return s->work.status;
}

static void begin_sending(struct sending *s, const char *row, uint32_t depth)
{
    char setting[256];
    fake_log_has("");
    snprintf(setting, sizeof setting, "a=file:%s,loop;%s", from_path, row);
    open_device(setting);
    s->flow = relay_between("a", "b", depth, &s->job);
    s->arg = &s->job;
}

static void end_sending(struct sending *s)
{
    device->ops->code_unload(s->flow->code);
    close_device();
    flow_destroy(s->flow);
}

/* Fewer packets than the pipe holds, and more: the launch fails either way, and the next one that
 * writes. */
static void test_full_disk(void **state)
{
    static const int64_t counts[] = {3, 1000};
    struct sending s;
    (void)state;
    for (int i = 0; i < 2; i++) {
        begin_sending(&s, "b=file:/dev/full", 16);
        assert_int_equal(send_more(&s, counts[i]), SL_IO_FAILED);
        assert_true(fake_log_has("I/O pipe out (\"b=file:/dev/full\"): cannot be written: "
                                 "No space left on device (ENOSPC)"));
        assert_int_equal(send_more(&s, 0), 0);
        assert_int_equal(send_more(&s, 5), SL_IO_FAILED);
        end_sending(&s);
        assert_true(fake_log_has(i ? "16 packets were not delivered: No space"
                                   : "8 packets were not delivered: No space"));
    }
}

static void test_impossible_files(void **state)
{
    char folder_row[128], missing[128];
    struct {
        const char *row, *said, *failed;
    } cases[] = {
        {folder_row, "it is a folder", "Is a directory (EISDIR)"},
        {missing, "No such file or directory (ENOENT)", "No such file or directory (ENOENT)"},
    };
    (void)state;
    snprintf(folder_row, sizeof folder_row, "b=file:%s", folder);
    snprintf(missing, sizeof missing, "b=file:%s/none/x", folder);
    for (size_t i = 0; i < 2; i++) {
        struct sending s;
        begin_sending(&s, cases[i].row, 16);
        assert_true(fake_log_has(cases[i].said));
        assert_int_equal(send_more(&s, 3), SL_IO_FAILED);
        assert_true(fake_log_has(cases[i].failed));
        end_sending(&s);
        assert_true(fake_log_has("3 packets were not delivered"));
    }
}

static void send_claimed(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    const struct job *job = *(struct job *const *)args;
    const unsigned char packet[PACKET] = {0};
    (void)group;
    launch->runtime->pipe_claim(launch, job->out, &writes);
    for (int64_t i = 0; i < job->count; i++) {
        flow_write(launch, job->out, &writes, packet, PACKET);
        flow_attend(launch, job->out);
    }
}

/* Two kernels may write; the error is that of the one which came first, not of the first row. */
static void test_contested_output(void **state)
{
    struct fake_work work;
    struct job job = {.count = 3}, *arg = &job;
    (void)state;
    open_device("b=file:/dev/full");
    struct flow *flow = flow_create();
    flow->info.sites = &writes;
    flow_kernel(flow, "first", send_claimed, 0);
    flow_kernel(flow, "second", send_claimed, 0);
    uint32_t flags = SL_PIPE_IO | SL_PIPE_CONTESTED << SL_PIPE_WRITE;
    flow->pipes[flow_pipe(flow, "out", PACKET, 16, flags, -1, 0)].io = "b";
    job.out = flow_ring(flow, 0);
    flow_load(flow, device);
    for (int i = 0; i < 2; i++) {
        flow_work(&work, flow, 1, &arg, 1, 1);
        device->ops->submit(work_queue, &work.work);
        fake_sleep_until(&work.finished, 1);
        assert_int_equal(work.status, SL_IO_FAILED);
    }
    device->ops->code_unload(flow->code);
    close_device();
    flow_destroy(flow);
}

static void unload_work(struct fake_work *work)
{
    device->ops->code_unload(work->data);
}

/* The program goes as soon as its launch, which waits for room, is told that it has failed. */
static void test_released_when_told(void **state)
{
    struct sending s;
    (void)state;
    mallopt(M_PERTURB, 0x5a); /* nobody finds what was there in memory that was let go */
    begin_sending(&s, "b=file:/dev/full", 16);
    s.job.count = 1000;
    flow_work(&s.work, s.flow, 0, &s.arg, 1, 1);
    s.work.then = unload_work;
    s.work.data = s.flow->code;
    device->ops->submit(work_queue, &s.work.work);
    fake_sleep_until(&s.work.finished, 1);
    assert_int_equal(s.work.status, SL_IO_FAILED);
    close_device();
    flow_destroy(s.flow);
    mallopt(M_PERTURB, 0);
}

static atomic_bool let_go;

static void keep_thread(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    (void)args;
    (void)launch;
    (void)group;
    while (!atomic_load(&let_go))
        usleep(1000);
}

/* The pipe is full, so that its end asks again and again for writers to be told; the thread of the
 * kernels is busy, and the program goes while it is asked. */
static void test_released_while_refused(void **state)
{
    enum { DEPTH = 16, ASKED_WITHIN_US = 400000 };
    struct sending s;
    struct fake_work busy;
    (void)state;
    mallopt(M_PERTURB, 0x5a);
    begin_sending(&s, "b=file:/dev/full", DEPTH);
    device->ops->code_unload(s.flow->code);
    s.flow->kernels[0].flags |= SL_KERNEL_PIPE_ARGS; /* so that programs share the thread */
    flow_load(s.flow, device);
    struct flow *other = flow_create();
    flow_kernel(other, "busy", keep_thread, SL_KERNEL_PIPE_ARGS);
    flow_load(other, device);
    assert_int_equal(send_more(&s, DEPTH), SL_IO_FAILED);
    atomic_store(&let_go, false);
    flow_work(&busy, other, 0, &s.arg, 1, 1);
    device->ops->submit(work_queue, &busy.work);
    fake_sleep_until(&busy.started, 1);
    usleep(ASKED_WITHIN_US);
    device->ops->code_unload(s.flow->code);
    atomic_store(&let_go, true);
    fake_sleep_until(&busy.finished, 1);
    assert_int_equal(busy.status, 0);
    device->ops->code_unload(other->code);
    close_device();
    flow_destroy(other);
    flow_destroy(s.flow);
    mallopt(M_PERTURB, 0);
}

/* What a launch has written is in the file when it has ended. */
static void test_written_when_ended(void **state)
{
    char row[128];
    struct stat status;
    struct sending s;
    (void)state;
    unlink(to_path);
    snprintf(row, sizeof row, "b=file:%s", to_path);
    begin_sending(&s, row, 8192);
    for (int64_t n = 1; n < 40; n += 3) {
        off_t before = n > 1 ? status.st_size : 0;
        assert_int_equal(send_more(&s, n * 100 + n), 0);
        assert_int_equal(stat(to_path, &status), 0);
        assert_int_equal(status.st_size - before, (n * 100 + n) * PACKET);
    }
    end_sending(&s);
    assert_false(fake_log_has("not delivered"));
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

static void test_unbound_output(void **state)
{
    struct sending s;
    (void)state;
    begin_sending(&s, "c=null:", 16);
    assert_int_equal(send_more(&s, 7), 0);
    end_sending(&s);
    assert_true(fake_log_has("I/O pipe out (\"b\"): 7 packets were not delivered: the name is not "
                             "bound"));
}

/* Packets of an output do not go where a row for inputs points. */
static void test_output_to_pipe(void **state)
{
    struct sending s;
    (void)state;
    begin_sending(&s, "b=pipe:a", 16);
    assert_true(fake_log_has("\"b=pipe:a\": pipe is for what kernels read, and they write to 'b'"));
    assert_int_equal(send_more(&s, 7), 0);
    end_sending(&s);
    assert_true(fake_log_has("7 packets were not delivered"));
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

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(from_path, sizeof from_path, "%s/from", folder);
    snprintf(to_path, sizeof to_path, "%s/to", folder);
    make_input();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(from_path);
    unlink(to_path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_end_of_file),
        cmocka_unit_test(test_joined_programs),
        cmocka_unit_test(test_lost),
        cmocka_unit_test(test_unbound),
        cmocka_unit_test(test_outputs_listen_from_the_start),
        cmocka_unit_test(test_each_program_reads_the_setting),
        cmocka_unit_test(test_many_lost),
        cmocka_unit_test(test_fifo_without_reader),
        cmocka_unit_test(test_fifo_with_late_reader),
        cmocka_unit_test(test_autorun_and_slow_reader),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_impossible_files),
        cmocka_unit_test(test_contested_output),
        cmocka_unit_test(test_released_when_told),
        cmocka_unit_test(test_released_while_refused),
        cmocka_unit_test(test_written_when_ended),
        cmocka_unit_test(test_nobody_listens),
        cmocka_unit_test(test_unbound_output),
        cmocka_unit_test(test_output_to_pipe),
        cmocka_unit_test(test_unknown_service),
        cmocka_unit_test(test_peer_closes),
        cmocka_unit_test(test_peer_reads_late),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
