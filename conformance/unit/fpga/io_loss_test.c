/* SPDX-License-Identifier: Apache-2.0 */
/* I/O pipes that lose packets: what cannot be written is an error of the launch, and all is
 * counted. */
#include "io_bed.h"

#include <malloc.h>
#include <string.h>
#include <unistd.h>

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

/* Many outputs that are stuck share the time they are given. */
static void test_many_lost(void **state)
{
    enum { OUTPUTS = 9, TIME_MS = 190 }; /* so many that sharing shows on a busy machine, too */
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
    fake_log_has("");
    uint64_t start = now_ms();
    device->ops->code_unload(flow->code);
    assert_in_range(now_ms() - start, 150, TIME_MS * (OUTPUTS - 1));
    assert_int_equal(fake_log_count("3 packets were not delivered"), OUTPUTS);
    close_device();
    flow_destroy(flow);
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

/* ---- what cannot be written ------------------------------------------------------------------ */

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

/* ---- programs that go ------------------------------------------------------------------------ */

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lost),
        cmocka_unit_test(test_many_lost),
        cmocka_unit_test(test_unbound_output),
        cmocka_unit_test(test_output_to_pipe),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_impossible_files),
        cmocka_unit_test(test_contested_output),
        cmocka_unit_test(test_released_when_told),
        cmocka_unit_test(test_released_while_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
