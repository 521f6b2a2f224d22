/* SPDX-License-Identifier: Apache-2.0 */
/* When nothing can move: the report's text and JSON, what ends, and when there is no report. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "common/code.h"
#include "flow.h"
#include "fpga/fpga.h"

#define SITE(name, what, at)                                                                       \
    {                                                                                              \
        .pipe = name, .file = "flow.cl", .op = what, .blocking = 1, .line = at, .column = 5        \
    }

static const struct sl_pipe_site put_there = SITE("there", SL_PIPE_WRITE, 3);
static const struct sl_pipe_site get_there = SITE("there", SL_PIPE_READ, 11);
static const struct sl_pipe_site put_back = SITE("back", SL_PIPE_WRITE, 12);
static const struct sl_pipe_site get_back = SITE("back", SL_PIPE_READ, 4);

static const struct sl_pipe_site try_there = {
    .pipe = "there", .file = "flow.cl", .op = SL_PIPE_READ, .line = 21, .column = 5};

static struct sl_device *device;
static struct sl_lane *lane;

struct rings {
    struct sl_pipe_ring *there, *back;
};

/* Fills `there` before it reads the answer. */
static void ask(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    const struct rings *rings = *(struct rings *const *)args;
    (void)group;
    for (int i = 0; i < 10; i++)
        flow_write_int(launch, rings->there, &put_there, i);
    flow_read_int(launch, rings->back, &get_back);
}

static void answer(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    const struct rings *rings = *(struct rings *const *)args;
    (void)group;
    for (;;) {
        int32_t value = flow_read_int(launch, rings->there, &get_there);
        flow_write_int(launch, rings->back, &put_back, value);
    }
}

static void feed(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    const struct rings *rings = *(struct rings *const *)args;
    (void)group;
    flow_write_int(launch, rings->there, &put_there, 1);
}

/* Needs one packet. */
static void listen(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    const struct rings *rings = *(struct rings *const *)args;
    (void)group;
    flow_read_int(launch, rings->there, &get_there);
}

/* Nobody reads it. */
static void wait_back(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    const struct rings *rings = *(struct rings *const *)args;
    (void)group;
    flow_write_int(launch, rings->back, &put_back, 1);
    flow_write_int(launch, rings->back, &put_back, 2);
}

/* Asks for ever. */
static void try_listen(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    const struct rings *rings = *(struct rings *const *)args;
    int32_t value;
    (void)group;
    while (flow_read(launch, rings->there, &try_there, &value, sizeof value))
        ;
}

static struct flow *leftover; /* its fiber is gone for certain once the device has stopped */
static struct sl_pipe_ring *idle_ring;

static void try_idle(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    int32_t value;
    (void)args;
    (void)group;
    while (flow_read(launch, idle_ring, &try_there, &value, sizeof value))
        ;
}

struct design {
    struct flow *flow;
    struct rings rings, *args;
    struct fake_work works[2];
};

/* `third`: a kernel more, which no pipe names; or NULL. */
static void design_make(struct design *design, sl_group_fn a, sl_group_fn b, uint32_t flags,
                        sl_group_fn third)
{
    memset(design, 0, sizeof *design);
    design->flow = flow_create();
    flow_kernel(design->flow, "ask", a, 0);
    flow_kernel(design->flow, "answer", b, 0);
    if (third)
        flow_kernel(design->flow, "third", third, 0);
    uint32_t there = flow_pipe(design->flow, "there", 4, 2, flags, 1, flags ? -1 : 0);
    uint32_t back = flow_pipe(design->flow, "back", 4, 1, 0, 0, 1);
    design->rings = (struct rings){flow_ring(design->flow, there), flow_ring(design->flow, back)};
    design->args = &design->rings;
    design->flow->pipes[there].io = flags & SL_PIPE_IO ? "left" : NULL;
    flow_load(design->flow, device);
    for (uint32_t i = 0; i < 2; i++)
        flow_work(&design->works[i], design->flow, i, &design->args, 1, 1);
}

static void design_init(struct design *design, sl_group_fn a, sl_group_fn b, uint32_t flags)
{
    design_make(design, a, b, flags, NULL);
}

static void design_finish(struct design *design)
{
    device->ops->code_unload(design->flow->code);
    flow_destroy(design->flow);
}

static void submit(struct design *design, uint32_t kernel)
{
    device->ops->submit(lane, &design->works[kernel].work);
}

static void expect_end(struct design *design, uint32_t kernel, int status)
{
    fake_sleep_until(&design->works[kernel].finished, 1);
    assert_int_equal(design->works[kernel].status, status);
}

static void pause_ms(long ms)
{
    const struct timespec moment = {.tv_nsec = ms * 1000000};
    nanosleep(&moment, NULL);
}

/* ---- reports ------------------------------------------------------------------------------- */

static const char cycle_text[] =
    "nothing on the device can move: 2 kernels wait for pipes\n"
    "  answer waits to write back (full: 1 of 1) at flow.cl:12:5, for ask\n"
    "  ask waits to write there (full: 2 of 2) at flow.cl:3:5, for answer\n"
    "  cycle: answer -> ask -> answer";

static const char cycle_json[] =
    "{\"stall\":{\"all\":true,\"kernels\":["
    "{\"kernel\":\"answer\",\"autorun\":false,\"op\":\"write\",\"pipe\":\"back\","
    "\"state\":\"full\",\"packets\":1,\"depth\":1,\"file\":\"flow.cl\",\"line\":12,\"column\":5,"
    "\"outside\":false,\"waits_for\":\"ask\",\"not_running\":null},"
    "{\"kernel\":\"ask\",\"autorun\":false,\"op\":\"write\",\"pipe\":\"there\","
    "\"state\":\"full\",\"packets\":2,\"depth\":2,\"file\":\"flow.cl\",\"line\":3,\"column\":5,"
    "\"outside\":false,\"waits_for\":\"answer\",\"not_running\":null}],"
    "\"cycle\":[\"answer\",\"ask\"]}}";

static void test_cycle(void **state)
{
    struct design design;
    (void)state;
    int before = atomic_load(&fake_stalls);
    design_init(&design, ask, answer, 0);
    submit(&design, 0);
    submit(&design, 1);
    device->ops->host_waits(device, 1);
    fake_sleep_until(&fake_stalls, before + 1);
    assert_string_equal(fake_stall_text, cycle_text);
    assert_string_equal(fake_stall_json, cycle_json);
    expect_end(&design, 0, SL_STALLED);
    expect_end(&design, 1, SL_STALLED);
    device->ops->host_waits(device, -1);
    design_finish(&design);
}

static void test_alone(void **state)
{
    struct design design;
    (void)state;
    int before = atomic_load(&fake_stalls);
    design_init(&design, ask, answer, 0);
    submit(&design, 0);
    device->ops->host_waits(device, 1);
    fake_sleep_until(&fake_stalls, before + 1);
    assert_string_equal(fake_stall_text,
                        "nothing on the device can move: 1 kernel waits for pipes\n"
                        "  ask waits to write there (full: 2 of 2) at flow.cl:3:5, for answer, "
                        "which reads it and is not running");
    expect_end(&design, 0, SL_STALLED);
    device->ops->host_waits(device, -1);
    design_finish(&design);
}

/* An autorun kernel elsewhere whose data has ended polls on. */
static void test_beside_poller(void **state)
{
    struct flow *flow = flow_create();
    struct design design;
    (void)state;
    int before = atomic_load(&fake_stalls);
    flow_kernel(flow, "taker", try_idle, SL_KERNEL_AUTORUN);
    idle_ring = flow_ring(flow, flow_pipe(flow, "idle", 4, 2, 0, 0, -1));
    flow_load(flow, device);
    design_init(&design, ask, answer, 0);
    submit(&design, 0);
    submit(&design, 1);
    device->ops->host_waits(device, 1);
    fake_sleep_until(&fake_stalls, before + 1);
    assert_non_null(strstr(fake_stall_text, "2 kernels wait for pipes"));
    assert_non_null(strstr(fake_stall_text, "autorun kernel taker polls in vain to read idle"));
    assert_non_null(strstr(fake_stall_text, "\n  cycle: "));
    expect_end(&design, 0, SL_STALLED);
    expect_end(&design, 1, SL_STALLED);
    device->ops->host_waits(device, -1);
    design_finish(&design);
    device->ops->code_unload(flow->code);
    leftover = flow;
}

/* Launches that poll are reported like those that wait, but not ended at once: they may get on. */
static void test_poller(void **state)
{
    struct design design;
    (void)state;
    int before = atomic_load(&fake_stalls);
    design_init(&design, feed, try_listen, 0);
    submit(&design, 1);
    device->ops->host_waits(device, 1);
    fake_sleep_until(&fake_stalls, before + 1);
    assert_string_equal(fake_stall_text,
                        "nothing on the device can move: 1 kernel waits for pipes\n"
                        "  answer polls in vain to read there (empty: 0 of 2) at flow.cl:21:5, "
                        "for ask, which writes it and is not running");
    pause_ms(50);
    submit(&design, 0);
    expect_end(&design, 0, 0);
    expect_end(&design, 1, 0);
    device->ops->host_waits(device, -1);
    design_finish(&design);
}

/* Nothing has moved for twenty times as long: it is not working either. */
static void test_poller_for_ever(void **state)
{
    struct design design;
    (void)state;
    int before = atomic_load(&fake_stalls);
    design_init(&design, feed, try_listen, 0);
    submit(&design, 1);
    device->ops->host_waits(device, 1);
    expect_end(&design, 1, SL_STALLED);
    assert_int_equal(atomic_load(&fake_stalls), before + 1);
    device->ops->host_waits(device, -1);
    design_finish(&design);
}

/* ---- a part of the device ------------------------------------------------------------------- */

static atomic_bool let_go;

/* Watches memory, as compiled code does: others get to run. */
static void spin_memory(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    (void)args;
    (void)group;
    while (!atomic_load(&let_go))
        launch->runtime->yield(launch);
}

/* Never gives its thread away. */
static void compute(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    (void)args;
    (void)launch;
    (void)group;
    while (!atomic_load(&let_go))
        ;
}

/* Asks `back` for ever, which nobody writes who is not stuck. */
static void try_back(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    const struct rings *rings = *(struct rings *const *)args;
    int32_t value;
    (void)group;
    while (flow_read(launch, rings->back, &try_there, &value, sizeof value))
        ;
}

/* A cycle of two beside a third kernel, in the same cluster. */
static void expect_part(sl_group_fn third)
{
    struct design design;
    struct fake_work beside;
    int before = atomic_load(&fake_stalls);
    atomic_store(&let_go, false);
    design_make(&design, ask, answer, 0, third);
    flow_work(&beside, design.flow, 2, &design.args, 1, 1);
    submit(&design, 0);
    submit(&design, 1);
    device->ops->submit(lane, &beside.work);
    device->ops->host_waits(device, 1);
    fake_sleep_until(&fake_stalls, before + 1);
    assert_non_null(strstr(fake_stall_text, "not everything on the device can move: 2 kernels"));
    assert_non_null(strstr(fake_stall_text, "\n  cycle: "));
    assert_null(strstr(fake_stall_text, "third"));
    assert_non_null(strstr(fake_stall_json, "\"all\":false"));
    expect_end(&design, 0, SL_STALLED);
    expect_end(&design, 1, SL_STALLED);
    assert_int_equal(atomic_load(&beside.finished), 0);
    atomic_store(&let_go, true);
    fake_sleep_until(&beside.finished, 1);
    assert_int_equal(beside.status, 0);
    device->ops->host_waits(device, -1);
    design_finish(&design);
}

static void test_beside_spinner(void **state)
{
    (void)state;
    expect_part(spin_memory);
}

/* In a cluster of its own: nobody can look at one whose kernel computes. */
static void test_beside_computation(void **state)
{
    struct design design, other;
    (void)state;
    int before = atomic_load(&fake_stalls);
    atomic_store(&let_go, false);
    design_init(&design, ask, answer, 0);
    design_init(&other, compute, answer, 0);
    submit(&other, 0);
    submit(&design, 0);
    submit(&design, 1);
    device->ops->host_waits(device, 1);
    fake_sleep_until(&fake_stalls, before + 1);
    assert_non_null(strstr(fake_stall_text, "not everything on the device can move: 2 kernels"));
    expect_end(&design, 0, SL_STALLED);
    expect_end(&design, 1, SL_STALLED);
    atomic_store(&let_go, true);
    expect_end(&other, 0, 0);
    device->ops->host_waits(device, -1);
    design_finish(&design);
    design_finish(&other);
}

/* While something moves a kernel that is missing may yet be launched. */
static void test_missing_beside_spinner(void **state)
{
    struct design design;
    struct fake_work beside;
    (void)state;
    int before = atomic_load(&fake_stalls);
    atomic_store(&let_go, false);
    design_make(&design, feed, listen, 0, spin_memory);
    flow_work(&beside, design.flow, 2, &design.args, 1, 1);
    submit(&design, 1);
    device->ops->submit(lane, &beside.work);
    device->ops->host_waits(device, 1);
    pause_ms(200);
    assert_int_equal(atomic_load(&fake_stalls), before);
    atomic_store(&let_go, true);
    fake_sleep_until(&beside.finished, 1);
    expect_end(&design, 1, SL_STALLED);
    assert_int_equal(atomic_load(&fake_stalls), before + 1);
    device->ops->host_waits(device, -1);
    design_finish(&design);
}

/* A launch that polls ends beside a dead design, so that who waits for all of them goes on; be it
 * of the same design or of another. */
static void test_poller_beside(void **state)
{
    struct design design, other;
    struct fake_work beside;
    (void)state;
    design_make(&design, ask, answer, 0, try_back);
    design_init(&other, feed, try_listen, 0);
    flow_work(&beside, design.flow, 2, &design.args, 1, 1);
    submit(&design, 0);
    device->ops->submit(lane, &beside.work);
    submit(&other, 1);
    device->ops->host_waits(device, 1);
    expect_end(&design, 0, SL_STALLED);
    fake_sleep_until(&beside.finished, 1);
    assert_int_equal(beside.status, SL_STALLED);
    expect_end(&other, 1, SL_STALLED);
    device->ops->host_waits(device, -1);
    design_finish(&design);
    design_finish(&other);
}

/* ---- transfers of the host ------------------------------------------------------------------- */

static void transfer(struct fake_work *work, struct design *design, int32_t *packet)
{
    struct sl_pipe *pipe = device->ops->code_pipe(design->flow->code, 0);
    *work = (struct fake_work){
        .work = {.kind = SL_WORK_PIPE,
                 .u.pipe = {.pipe = pipe, .packet = packet, .write = true, .blocking = true}}};
    device->ops->submit(lane, &work->work);
}

/* Two packets fit; for the third a kernel would have to run. */
static void test_transfer(void **state)
{
    struct design design;
    struct fake_work works[3];
    int32_t packet = 5;
    (void)state;
    int before = atomic_load(&fake_stalls);
    design_init(&design, feed, listen, SL_PIPE_HOST | SL_PIPE_HOST_WRITES);
    device->ops->host_waits(device, 1);
    for (int i = 0; i < 3; i++)
        transfer(&works[i], &design, &packet);
    fake_sleep_until(&fake_stalls, before + 1);
    assert_string_equal(fake_stall_text,
                        "nothing on the device can move: the host waits for a pipe\n"
                        "  the host waits to write there (full: 2 of 2) of flow.cl:1, for answer, "
                        "which reads it and is not running");
    assert_non_null(strstr(fake_stall_json, "{\"kernel\":null,"));
    fake_sleep_until(&works[2].finished, 1);
    assert_int_equal(works[0].status, 0);
    assert_int_equal(works[2].status, SL_STALLED);
    submit(&design, 1); /* the pipe still works */
    expect_end(&design, 1, 0);
    device->ops->host_waits(device, -1);
    design_finish(&design);
}

/* The kernel that would take it is part of the stall. */
static void test_transfer_to_stuck(void **state)
{
    struct design design;
    struct fake_work work;
    int32_t packet = 5;
    (void)state;
    int before = atomic_load(&fake_stalls);
    design_init(&design, feed, wait_back, SL_PIPE_HOST | SL_PIPE_HOST_WRITES);
    submit(&design, 1);
    device->ops->host_waits(device, 1);
    for (int i = 0; i < 2; i++) {
        transfer(&work, &design, &packet);
        fake_sleep_until(&work.finished, 1);
    }
    transfer(&work, &design, &packet);
    fake_sleep_until(&work.finished, 1);
    assert_int_equal(work.status, SL_STALLED);
    assert_int_equal(atomic_load(&fake_stalls), before + 1);
    assert_non_null(strstr(fake_stall_text, "1 kernel waits for pipes, and the host does"));
    assert_non_null(strstr(fake_stall_text, "(full: 2 of 2) of flow.cl:1, for answer"));
    expect_end(&design, 1, SL_STALLED);
    device->ops->host_waits(device, -1);
    design_finish(&design);
}

/* ---- I/O that has ended ---------------------------------------------------------------------- */

static void test_ended_input(void **state)
{
    struct design design;
    (void)state;
    int before = atomic_load(&fake_stalls);
    design_init(&design, feed, listen, SL_PIPE_IO);
    submit(&design, 1);
    device->ops->host_waits(device, 1);
    fake_sleep_until(&fake_stalls, before + 1);
    assert_string_equal(fake_stall_text,
                        "nothing on the device can move: 1 kernel waits for pipes\n"
                        "  answer waits to read there (empty: 0 of 2) at flow.cl:11:5, and nothing "
                        "comes from outside any more");
    expect_end(&design, 1, SL_STALLED);
    device->ops->host_waits(device, -1);
    design_finish(&design);
}

/* ---- no reports ---------------------------------------------------------------------------- */

/* Polls its host pipe: the host is thought of as about to act. */
static void test_polls_host(void **state)
{
    struct design design;
    int32_t packet = 5;
    (void)state;
    int before = atomic_load(&fake_stalls);
    design_init(&design, listen, try_listen, SL_PIPE_HOST | SL_PIPE_HOST_WRITES);
    submit(&design, 1);
    device->ops->host_waits(device, 1);
    pause_ms(200);
    assert_int_equal(atomic_load(&fake_stalls), before);
    struct sl_pipe *pipe = device->ops->code_pipe(design.flow->code, 0);
    assert_int_equal(device->ops->pipe_write(pipe, &packet), 0);
    expect_end(&design, 1, 0);
    device->ops->host_waits(device, -1);
    design_finish(&design);
}

/* One report; the design goes on when the missing kernel comes after all. */
static void test_once(void **state)
{
    struct design design;
    (void)state;
    int before = atomic_load(&fake_stalls);
    design_init(&design, feed, listen, 0);
    submit(&design, 1);
    device->ops->host_waits(device, 1);
    fake_sleep_until(&fake_stalls, before + 1);
    pause_ms(150);
    assert_int_equal(atomic_load(&fake_stalls), before + 1);
    assert_int_equal(atomic_load(&design.works[1].finished), 0);
    submit(&design, 0);
    expect_end(&design, 0, 0);
    expect_end(&design, 1, 0);
    device->ops->host_waits(device, -1);
    design_finish(&design);
}

static void test_told_to_wait(void **state)
{
    struct design design;
    (void)state;
    int before = atomic_load(&fake_stalls);
    design_init(&design, feed, listen, 0);
    submit(&design, 1);
    device->ops->host_waits(device, 1);
    pause_ms(150);
    assert_int_equal(atomic_load(&fake_stalls), before);
    submit(&design, 0);
    expect_end(&design, 1, 0);
    expect_end(&design, 0, 0);
    device->ops->host_waits(device, -1);
    design_finish(&design);
}

static void test_nobody_waits(void **state)
{
    struct design design;
    (void)state;
    int before = atomic_load(&fake_stalls);
    design_init(&design, listen, listen, 0);
    submit(&design, 1);
    pause_ms(150);
    assert_int_equal(atomic_load(&fake_stalls), before);
    device->ops->host_waits(device, 1);
    fake_sleep_until(&fake_stalls, before + 1);
    expect_end(&design, 1, SL_STALLED);
    device->ops->host_waits(device, -1);
    design_finish(&design);
}

static void test_waits_for_host(void **state)
{
    struct design design;
    int32_t packet = 5;
    (void)state;
    int before = atomic_load(&fake_stalls);
    design_init(&design, listen, listen, SL_PIPE_HOST | SL_PIPE_HOST_WRITES);
    submit(&design, 1);
    device->ops->host_waits(device, 1);
    pause_ms(200);
    assert_int_equal(atomic_load(&fake_stalls), before);
    struct sl_pipe *pipe = device->ops->code_pipe(design.flow->code, 0);
    assert_int_equal(device->ops->pipe_write(pipe, &packet), 0);
    expect_end(&design, 1, 0);
    device->ops->host_waits(device, -1);
    design_finish(&design);
}

static int open_after(const char *stall_ms, const char *on_stall)
{
    fake_set("SLUICE_FPGA_STALL_MS", stall_ms);
    fake_set("SLUICE_FPGA_ON_STALL", on_stall);
    device = fake_open(sl_fpga_plugin);
    lane = fake_lane(device, true);
    return 0;
}

static int open_device(void **state)
{
    return open_after("30", *state);
}

static int open_impatient(void **state)
{
    return open_after("0", *state);
}

static int close_device(void **state)
{
    (void)state;
    device->ops->lane_destroy(lane);
    fake_close(device);
    if (leftover)
        flow_destroy(leftover);
    leftover = NULL;
    return 0;
}

#define WITH(test, mode)                                                                           \
    cmocka_unit_test_prestate_setup_teardown(test, open_device, close_device,                      \
                                             (void *)(uintptr_t)mode)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH(test_cycle, "error"),
        WITH(test_alone, "error"),
        WITH(test_nobody_waits, "error"),
        WITH(test_waits_for_host, "error"),
        WITH(test_beside_poller, "error"),
        WITH(test_poller, "error"),
        WITH(test_poller_for_ever, "error"),
        WITH(test_beside_spinner, "error"),
        WITH(test_beside_computation, "error"),
        WITH(test_missing_beside_spinner, "error"),
        WITH(test_poller_beside, "error"),
        WITH(test_transfer, "error"),
        WITH(test_transfer_to_stuck, "error"),
        WITH(test_ended_input, "error"),
        WITH(test_polls_host, "error"),
        WITH(test_once, "report"),
        WITH(test_told_to_wait, "wait"),
        cmocka_unit_test_prestate_setup_teardown(test_alone, open_impatient, close_device,
                                                 (void *)(uintptr_t) "error"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
