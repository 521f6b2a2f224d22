/* SPDX-License-Identifier: Apache-2.0 */
/* See io_bed.h. */
#include "io_bed.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

const struct sl_pipe_site writes = {.pipe = "out", .op = SL_PIPE_WRITE, .blocking = 1};
static const struct sl_pipe_site reads = {.pipe = "in", .op = SL_PIPE_READ, .blocking = 1};

char folder[] = "/tmp/sluice-io-XXXXXX";
char from_path[64], to_path[64];
struct sl_device *device;
struct sl_work_queue *work_queue;

void change(unsigned char packet[PACKET])
{
    for (int i = 0; i < PACKET; i++)
        packet[i] = (unsigned char)(packet[i] * 3 + i);
}

void relay(const void *args, const struct sl_launch *launch, struct sl_group *group)
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

unsigned char byte_at(size_t i)
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

void check_output(unsigned rounds)
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

void open_device(const char *setting)
{
    fake_set("SLUICE_FPGA_IO", setting);
    device = fake_open(sl_fpga_plugin);
    work_queue = fake_work_queue(device, true);
}

void close_device(void)
{
    device->ops->work_queue_destroy(work_queue);
    fake_close(device);
    fake_set("SLUICE_FPGA_IO", NULL);
}

struct flow *relay_between(const char *in, const char *out, uint32_t depth, struct job *job)
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

uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

int send_more(struct sending *s, int64_t count)
{
    s->job.count = count;
    flow_work(&s->work, s->flow, 0, &s->arg, 1, 1);
    device->ops->submit(work_queue, &s->work.work);
    fake_sleep_until(&s->work.finished, 1);
    return s->work.status;
}

void begin_sending(struct sending *s, const char *row, uint32_t depth)
{
    char setting[256];
    fake_log_has("");
    snprintf(setting, sizeof setting, "a=file:%s,loop;%s", from_path, row);
    open_device(setting);
    s->flow = relay_between("a", "b", depth, &s->job);
    s->arg = &s->job;
}

void end_sending(struct sending *s)
{
    device->ops->code_unload(s->flow->code);
    close_device();
    flow_destroy(s->flow);
}

int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(from_path, sizeof from_path, "%s/from", folder);
    snprintf(to_path, sizeof to_path, "%s/to", folder);
    make_input();
    return 0;
}

int tear_down(void **state)
{
    (void)state;
    unlink(from_path);
    unlink(to_path);
    return rmdir(folder);
}
