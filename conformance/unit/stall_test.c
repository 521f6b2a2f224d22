/* SPDX-License-Identifier: Apache-2.0 */
/* When nothing can move: the report's text and JSON, what ends, and when there is no report. */
#include "stall_bed.h"

static struct sl_pipe_ring *idle_ring;

static void try_idle(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    int32_t value;
    (void)args;
    (void)group;
    while (flow_read(launch, idle_ring, &try_there, &value, sizeof value))
        ;
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
    design_init(&design, ask, answer, 0);
    submit_both(&design);
    host_waits_until_stall(&design);
    assert_string_equal(fake_stall_text, cycle_text);
    assert_string_equal(fake_stall_json, cycle_json);
    expect_both_end(&design, SL_STALLED);
    host_done(&design);
}

static void test_alone(void **state)
{
    struct design design;
    (void)state;
    design_init(&design, ask, answer, 0);
    submit(&design, 0);
    host_waits_until_stall(&design);
    assert_string_equal(fake_stall_text,
                        "nothing on the device can move: 1 kernel waits for pipes\n"
                        "  ask waits to write there (full: 2 of 2) at flow.cl:3:5, for answer, "
                        "which reads it and is not running");
    expect_end(&design, 0, SL_STALLED);
    host_done(&design);
}

/* An autorun kernel elsewhere whose data has ended polls on. */
static void test_beside_poller(void **state)
{
    struct flow *flow = flow_create();
    struct design design;
    (void)state;
    flow_kernel(flow, "taker", try_idle, SL_KERNEL_AUTORUN);
    idle_ring = flow_ring(flow, flow_pipe(flow, "idle", 4, 2, 0, 0, -1));
    flow_load(flow, device);
    design_init(&design, ask, answer, 0);
    submit_both(&design);
    host_waits_until_stall(&design);
    assert_non_null(strstr(fake_stall_text, "2 kernels wait for pipes"));
    /* if it had the processor since the look before */
    assert_true(!strstr(fake_stall_text, "taker") ||
                strstr(fake_stall_text, "autorun kernel taker polls in vain to read idle"));
    assert_non_null(strstr(fake_stall_text, "\n  cycle: "));
    expect_both_end(&design, SL_STALLED);
    host_done(&design);
    device->ops->code_unload(flow->code);
    leave_over(flow);
}

/* Launches that poll are reported like those that wait, but not ended at once: they may get on. */
static void test_poller(void **state)
{
    struct design design;
    (void)state;
    design_init(&design, feed, try_listen, 0);
    submit(&design, 1);
    host_waits_until_stall(&design);
    assert_string_equal(fake_stall_text,
                        "nothing on the device can move: 1 kernel waits for pipes\n"
                        "  answer polls in vain to read there (empty: 0 of 2) at flow.cl:21:5, "
                        "for ask, which writes it and is not running");
    pause_ms(50);
    submit(&design, 0);
    expect_end(&design, 0, 0);
    expect_end(&design, 1, 0);
    host_done(&design);
}

/* Nothing has moved for twenty times as long: it is not working either. */
static void test_poller_for_ever(void **state)
{
    struct design design;
    (void)state;
    design_init(&design, feed, try_listen, 0);
    submit(&design, 1);
    host_waits();
    expect_end(&design, 1, SL_STALLED);
    expect_stalls(&design, 1);
    host_done(&design);
}

/* ---- no reports ---------------------------------------------------------------------------- */

/* Polls its host pipe: the host is thought of as about to act. */
static void test_polls_host(void **state)
{
    struct design design;
    int32_t packet = 5;
    (void)state;
    design_init(&design, listen, try_listen, SL_PIPE_HOST | SL_PIPE_HOST_WRITES);
    submit(&design, 1);
    host_waits();
    pause_ms(200);
    expect_stalls(&design, 0);
    struct sl_pipe *pipe = device->ops->code_pipe(design.flow->code, 0);
    assert_int_equal(device->ops->pipe_write(pipe, &packet), 0);
    expect_end(&design, 1, 0);
    host_done(&design);
}

/* One report; the design goes on when the missing kernel comes after all. */
static void test_once(void **state)
{
    struct design design;
    (void)state;
    design_init(&design, feed, listen, 0);
    submit(&design, 1);
    host_waits_until_stall(&design);
    pause_ms(150);
    expect_stalls(&design, 1);
    assert_int_equal(atomic_load(&design.works[1].finished), 0);
    submit(&design, 0);
    expect_end(&design, 0, 0);
    expect_end(&design, 1, 0);
    host_done(&design);
}

static void test_told_to_wait(void **state)
{
    struct design design;
    (void)state;
    design_init(&design, feed, listen, 0);
    submit(&design, 1);
    host_waits();
    pause_ms(150);
    expect_stalls(&design, 0);
    submit(&design, 0);
    expect_end(&design, 1, 0);
    expect_end(&design, 0, 0);
    host_done(&design);
}

static void test_nobody_waits(void **state)
{
    struct design design;
    (void)state;
    design_init(&design, listen, listen, 0);
    submit(&design, 1);
    pause_ms(150);
    expect_stalls(&design, 0);
    host_waits_until_stall(&design);
    expect_end(&design, 1, SL_STALLED);
    host_done(&design);
}

static void test_waits_for_host(void **state)
{
    struct design design;
    int32_t packet = 5;
    (void)state;
    design_init(&design, listen, listen, SL_PIPE_HOST | SL_PIPE_HOST_WRITES);
    submit(&design, 1);
    host_waits();
    pause_ms(200);
    expect_stalls(&design, 0);
    struct sl_pipe *pipe = device->ops->code_pipe(design.flow->code, 0);
    assert_int_equal(device->ops->pipe_write(pipe, &packet), 0);
    expect_end(&design, 1, 0);
    host_done(&design);
}

static int open_impatient(void **state)
{
    return open_after("0", *state);
}

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
        WITH(test_polls_host, "error"),
        WITH(test_once, "report"),
        WITH(test_told_to_wait, "wait"),
        cmocka_unit_test_prestate_setup_teardown(test_alone, open_impatient, close_device,
                                                 (void *)(uintptr_t) "error"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
