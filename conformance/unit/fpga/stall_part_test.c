/* SPDX-License-Identifier: Apache-2.0 */
/* Stalls that are not the whole device's: beside kernels that run on or ask in vain, of transfers
 * of the host, at I/O that has ended. */
#include <stdatomic.h>

#include "stall_bed.h"

/* ---- a part of the device -------------------------------------------------------------------- */

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
    atomic_store(&let_go, false);
    design_make(&design, ask, answer, 0, third);
    flow_work(&beside, design.flow, 2, &design.args, 1, 1);
    submit_both(&design);
    device->ops->submit(work_queue, &beside.work);
    host_waits_until_stall(&design);
    assert_non_null(strstr(fake_stall_text, "not everything on the device can move: 2 kernels"));
    assert_non_null(strstr(fake_stall_text, "\n  cycle: "));
    assert_null(strstr(fake_stall_text, "third"));
    assert_non_null(strstr(fake_stall_json, "\"all\":false"));
    expect_both_end(&design, SL_STALLED);
    assert_int_equal(atomic_load(&beside.finished), 0);
    atomic_store(&let_go, true);
    fake_sleep_until(&beside.finished, 1);
    assert_int_equal(beside.status, 0);
    host_done(&design);
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
    atomic_store(&let_go, false);
    design_init(&design, ask, answer, 0);
    design_init(&other, compute, answer, 0);
    submit(&other, 0);
    submit_both(&design);
    host_waits_until_stall(&design);
    assert_non_null(strstr(fake_stall_text, "not everything on the device can move: 2 kernels"));
    expect_both_end(&design, SL_STALLED);
    atomic_store(&let_go, true);
    expect_end(&other, 0, 0);
    host_done(&design);
    design_finish(&other);
}

/* While something moves a kernel that is missing may yet be launched. */
static void test_missing_beside_spinner(void **state)
{
    struct design design;
    struct fake_work beside;
    (void)state;
    atomic_store(&let_go, false);
    design_make(&design, feed, listen, 0, spin_memory);
    flow_work(&beside, design.flow, 2, &design.args, 1, 1);
    submit(&design, 1);
    device->ops->submit(work_queue, &beside.work);
    host_waits();
    pause_ms(200);
    expect_stalls(&design, 0);
    atomic_store(&let_go, true);
    fake_sleep_until(&beside.finished, 1);
    expect_end(&design, 1, SL_STALLED);
    expect_stalls(&design, 1);
    host_done(&design);
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
    device->ops->submit(work_queue, &beside.work);
    submit(&other, 1);
    host_waits();
    expect_end(&design, 0, SL_STALLED);
    fake_sleep_until(&beside.finished, 1);
    assert_int_equal(beside.status, SL_STALLED);
    expect_end(&other, 1, SL_STALLED);
    host_done(&design);
    design_finish(&other);
}

/* ---- transfers of the host ------------------------------------------------------------------- */

static void transfer(struct fake_work *work, struct design *design, int32_t *packet)
{
    struct sl_pipe *pipe = device->ops->code_pipe(design->flow->code, 0);
    *work = (struct fake_work){
        .work = {.kind = SL_WORK_PIPE,
                 .u.pipe = {.pipe = pipe, .packet = packet, .write = true, .blocking = true}}};
    device->ops->submit(work_queue, &work->work);
}

/* Two packets fit; for the third a kernel would have to run. */
static void test_transfer(void **state)
{
    struct design design;
    struct fake_work works[3];
    int32_t packet = 5;
    (void)state;
    design_init(&design, feed, listen, SL_PIPE_HOST | SL_PIPE_HOST_WRITES);
    host_waits();
    for (int i = 0; i < 3; i++)
        transfer(&works[i], &design, &packet);
    await_stall(&design);
    assert_string_equal(fake_stall_text,
                        "nothing on the device can move: the host waits for a pipe\n"
                        "  the host waits to write there (full: 2 of 2) of flow.cl:1, for answer, "
                        "which reads it and is not running" STILL_30);
    assert_non_null(strstr(fake_stall_json, "{\"kernel\":null,"));
    fake_sleep_until(&works[2].finished, 1);
    assert_int_equal(works[0].status, 0);
    assert_int_equal(works[2].status, SL_STALLED);
    submit(&design, 1); /* the pipe still works */
    expect_end(&design, 1, 0);
    host_done(&design);
}

/* The kernel that would take it is part of the stall. */
static void test_transfer_to_stuck(void **state)
{
    struct design design;
    struct fake_work work;
    int32_t packet = 5;
    (void)state;
    design_init(&design, feed, wait_back, SL_PIPE_HOST | SL_PIPE_HOST_WRITES);
    submit(&design, 1);
    host_waits();
    for (int i = 0; i < 2; i++) {
        transfer(&work, &design, &packet);
        fake_sleep_until(&work.finished, 1);
    }
    transfer(&work, &design, &packet);
    fake_sleep_until(&work.finished, 1);
    assert_int_equal(work.status, SL_STALLED);
    expect_stalls(&design, 1);
    assert_non_null(strstr(fake_stall_text, "1 kernel waits for pipes, and the host does"));
    assert_non_null(strstr(fake_stall_text, "(full: 2 of 2) of flow.cl:1, for answer"));
    expect_end(&design, 1, SL_STALLED);
    host_done(&design);
}

/* ---- I/O that has ended ---------------------------------------------------------------------- */

static void test_ended_input(void **state)
{
    struct design design;
    (void)state;
    design_init(&design, feed, listen, SL_PIPE_IO);
    submit(&design, 1);
    host_waits_until_stall(&design);
    assert_string_equal(fake_stall_text,
                        "nothing on the device can move: 1 kernel waits for pipes\n"
                        "  answer waits to read there (empty: 0 of 2) at flow.cl:11:5, whose end "
                        "\"left\" is bound to nothing (SLUICE_FPGA_IO)" STILL_30);
    expect_end(&design, 1, SL_STALLED);
    host_done(&design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH(test_beside_spinner, "error"),
        WITH(test_beside_computation, "error"),
        WITH(test_missing_beside_spinner, "error"),
        WITH(test_poller_beside, "error"),
        WITH(test_transfer, "error"),
        WITH(test_transfer_to_stuck, "error"),
        WITH(test_ended_input, "error"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
