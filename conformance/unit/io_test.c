/* SPDX-License-Identifier: Apache-2.0 */
/* I/O pipes of programs made by hand: files to kernels to files, programs joined by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

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
static struct sl_lane *lane;

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
static void poll(const void *args, const struct sl_launch *launch, struct sl_group *group)
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
    lane = fake_lane(device, true);
}

static void close_device(void)
{
    device->ops->lane_destroy(lane);
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
    device->ops->submit(lane, &work.work);
    fake_wait(lane, &work, 1);
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
    device->ops->submit(lane, &work.work);
    fake_wait(lane, &work, 1);
    usleep(20000);
    flow->kernels[0].run = poll;
    job.count = 100;
    flow_work(&work, flow, 0, &arg, 1, 1);
    device->ops->submit(lane, &work.work);
    fake_wait(lane, &work, 1);
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
        device->ops->submit(lane, &work[i].work);
    }
    fake_wait(lane, work, 2);
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
    device->ops->submit(lane, &work.work);
    fake_wait(lane, &work, 1);
    int before = fake_log_lines;
    device->ops->code_unload(flow->code);
    assert_true(fake_log_lines > before);
    close_device();
    flow_destroy(flow);
}

/* Unbound, or badly bound: told once, and the program loads. */
static void test_unbound(void **state)
{
    (void)state;
    struct job job;
    int before = fake_log_lines;
    open_device("x=nothing");
    assert_true(fake_log_lines > before);
    before = fake_log_lines;
    struct flow *flow = relay_between("a", "b", 4, &job);
    assert_int_equal(fake_log_lines, before + 2);
    device->ops->code_unload(flow->code);
    close_device();
    flow_destroy(flow);
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
        cmocka_unit_test(test_files),           cmocka_unit_test(test_end_of_file),
        cmocka_unit_test(test_joined_programs), cmocka_unit_test(test_lost),
        cmocka_unit_test(test_unbound),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
