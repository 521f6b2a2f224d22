/* SPDX-License-Identifier: Apache-2.0 */
/* I/O pipes and files: what is read and written, named pipes, rows of the setting. */
#include "io_bed.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct sl_pipe_site tries = {.pipe = "in", .op = SL_PIPE_READ};

/* Nothing may come any more. */
static void ask(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct job *job = *(struct job *const *)args;
    unsigned char packet[PACKET];
    (void)group;
    for (int64_t i = 0; i < job->count; i++)
        job->errors += flow_read(launch, job->in, &tries, packet, PACKET) == 0;
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

/* ---- rows of the setting --------------------------------------------------------------------- */

/* A program has what the setting was when it was loaded, not when the device was opened. */
static void test_each_program_reads_the_setting(void **state)
{
    (void)state;
    char setting[256];
    struct job job, *arg = &job;
    struct fake_work work;
    struct flow *flows[2]; /* threads may look at them until they have ended */
    open_device("a=null:;b=null:");
    for (int round = 0; round < 2; round++) {
        unlink(to_path);
        snprintf(setting, sizeof setting, "%s=file:%s;%s=file:%s", round ? "b" : "a", from_path,
                 round ? "a" : "b", to_path);
        fake_set("SLUICE_FPGA_IO", setting);
        struct flow *flow = relay_between(round ? "b" : "a", round ? "a" : "b", 64, &job);
        flows[round] = flow;
        fake_set("SLUICE_FPGA_IO", "a=null:;b=null:");
        flow_work(&work, flow, 0, &arg, 1, 1);
        device->ops->submit(work_queue, &work.work);
        fake_wait(work_queue, &work, 1);
        device->ops->code_unload(flow->code);
        check_output(1);
    }
    close_device();
    flow_destroy(flows[0]);
    flow_destroy(flows[1]);
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

/* An option that says nothing of this direction is named, and the row holds. */
static void test_options_of_the_other_direction(void **state)
{
    char row[256], said[512];
    struct sending s;
    (void)state;
    unlink(to_path);
    snprintf(row, sizeof row, "b=file:%s,loop", to_path);
    begin_sending(&s, row, 16);
    snprintf(said, sizeof said,
             "\"%s\": loop is for what kernels read, and they write 'b': ignored", row);
    assert_true(fake_log_has(said));
    assert_int_equal(send_more(&s, 7), 0);
    end_sending(&s);
    assert_false(fake_log_has("not delivered"));
    snprintf(row, sizeof row, "a=file:%s,append;b=null:", from_path);
    open_device(row);
    s.flow = relay_between("a", "b", 16, &s.job);
    s.arg = &s.job;
    snprintf(said, sizeof said,
             "\"a=file:%s,append\": append is for what kernels write, and they read 'a': ignored",
             from_path);
    assert_true(fake_log_has(said));
    assert_int_equal(send_more(&s, 7), 0);
    end_sending(&s);
    snprintf(row, sizeof row, "a=file:%s,append,follow;b=file:%s,append,follow", from_path,
             to_path);
    open_device(row);
    s.flow = relay_between("a", "b", 16, &s.job);
    end_sending(&s);
    assert_false(fake_log_has("ignored"));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_end_of_file),
        cmocka_unit_test(test_joined_programs),
        cmocka_unit_test(test_written_when_ended),
        cmocka_unit_test(test_each_program_reads_the_setting),
        cmocka_unit_test(test_unbound),
        cmocka_unit_test(test_options_of_the_other_direction),
        cmocka_unit_test(test_fifo_without_reader),
        cmocka_unit_test(test_fifo_with_late_reader),
        cmocka_unit_test(test_autorun_and_slow_reader),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
