/* SPDX-License-Identifier: Apache-2.0 */
/* When nothing can move: the report's text and JSON, what ends, and when there is no report. */
#include <dlfcn.h>

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

/* ---- reports --------------------------------------------------------------------------------- */

static const char cycle_text[] =
    "nothing on the device can move: 2 kernels wait for pipes\n"
    "  answer waits to write back (full: 1 of 1) at flow.cl:12:5, for ask\n"
    "  ask waits to write there (full: 2 of 2) at flow.cl:3:5, for answer\n"
    "  cycle: answer -> ask -> answer" STILL_30;

static const char cycle_json[] =
    "{\"stall\":{\"all\":true,\"still_ms\":30,\"kernels\":["
    "{\"kernel\":\"answer\",\"autorun\":false,\"op\":\"write\",\"pipe\":\"back\","
    "\"state\":\"full\",\"packets\":1,\"depth\":1,\"file\":\"flow.cl\",\"line\":12,\"column\":5,"
    "\"outside\":false,\"waits_for\":\"ask\",\"not_running\":null,\"peer\":null},"
    "{\"kernel\":\"ask\",\"autorun\":false,\"op\":\"write\",\"pipe\":\"there\","
    "\"state\":\"full\",\"packets\":2,\"depth\":2,\"file\":\"flow.cl\",\"line\":3,\"column\":5,"
    "\"outside\":false,\"waits_for\":\"answer\",\"not_running\":null,\"peer\":null}],"
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
    const char *text = "nothing on the device can move: 1 kernel waits for pipes\n"
                       "  ask waits to write there (full: 2 of 2) at flow.cl:3:5, for answer, "
                       "which reads it and is not running\n  nothing there has moved for ";
    assert_int_equal(strncmp(fake_stall_text, text, strlen(text)), 0);
    expect_end(&design, 0, SL_STALLED);
    host_done(&design);
}

/* Names that a compiler of SYCL makes, in a process that has the run-time of C++ and in one that
 * has not. The JSON keeps them: who reads it looks for the pipe by its name. */
#define UNWRITTEN " at flow.cl:11:5, which no running kernel writes" STILL_30
static void test_names(void **state)
{
    static const char pipe[] = "_ZN4sycl3_V13ext5intel4pipeI7NumbersfLi8EE9m_StorageE";
    static const char raw[] = "nothing on the device can move: 1 kernel waits for pipes\n"
                              "  _ZTS5Stage waits to read _ZN4sycl3_V13ext5intel4pipeI7Numbersf"
                              "Li8EE9m_StorageE (empty: 0 of 8)" UNWRITTEN;
    static const char named[] =
        "nothing on the device can move: 1 kernel waits for pipes\n"
        "  Stage waits to read pipe<Numbers,float,8> (empty: 0 of 8)" UNWRITTEN;
    (void)state;
    /* A sanitizer brings it. */
    void *there = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
    for (int loaded = there != NULL; loaded < 2; loaded++) {
        void *library = loaded ? dlopen("libstdc++.so.6", RTLD_LAZY) : NULL;
        assert_true(!loaded || library);
        struct design design = {.flow = flow_create(), .stalls_before = atomic_load(&fake_stalls)};
        flow_kernel(design.flow, "_ZTS5Stage", listen, 0);
        design.rings.there = flow_ring(design.flow, flow_pipe(design.flow, pipe, 4, 8, 0, 0, -1));
        design.args = &design.rings;
        flow_load(design.flow, device);
        flow_work(&design.works[0], design.flow, 0, &design.args, 1, 1);
        submit(&design, 0);
        host_waits_until_stall(&design);
        assert_string_equal(fake_stall_text, loaded ? named : raw);
        assert_non_null(strstr(fake_stall_json, "{\"kernel\":\"_ZTS5Stage\","));
        expect_end(&design, 0, SL_STALLED);
        host_done(&design);
        if (library)
            dlclose(library);
    }
    if (there)
        dlclose(there);
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
                        "for ask, which writes it and is not running" STILL_30);
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

/* ---- no reports ------------------------------------------------------------------------------ */

/* Polls its host pipe: the host is thought of as about to act. */
static void test_polls_host(void **state)
{
    struct design design;
    int32_t packet = 5;
    (void)state;
    atomic_store(&fake_outlook, SL_OUTLOOK_QUIET);
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
    atomic_store(&fake_outlook, SL_OUTLOOK_QUIET);
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

/* ---- who may still act ----------------------------------------------------------------------- */

/* No thread of the application could: who waits for the host waits in vain. */
static void test_waits_for_idle_host(void **state)
{
    struct design design;
    (void)state;
    design_init(&design, listen, listen, SL_PIPE_HOST | SL_PIPE_HOST_WRITES);
    submit(&design, 1);
    host_waits_until_stall(&design);
    assert_string_equal(fake_stall_text,
                        "nothing on the device can move: 1 kernel waits for pipes\n"
                        "  answer waits to read there (empty: 0 of 2) at flow.cl:11:5, for the "
                        "host, which waits as well" STILL_30);
    assert_int_equal(atomic_load(&fake_stuck), 1);
    expect_end(&design, 1, SL_STALLED);
    host_done(&design);
}

/* Who may be launched by others has more time, the more likely that is. */
static void expect_patience(enum sl_outlook outlook, long least_ms, const char *why)
{
    struct design design;
    atomic_store(&fake_outlook, outlook);
    design_init(&design, ask, answer, 0);
    submit(&design, 0);
    host_waits();
    pause_ms(least_ms);
    expect_stalls(&design, 0);
    await_stall(&design);
    assert_non_null(strstr(fake_stall_text, why));
    expect_end(&design, 0, SL_STALLED);
    host_done(&design);
}

static void test_patience(void **state)
{
    (void)state;
    expect_patience(SL_OUTLOOK_ASKING, 60,
                    "for 120 ms: 4 times SLUICE_FPGA_STALL_MS=30, as the host asks");
    expect_patience(SL_OUTLOOK_QUIET, 200,
                    "for 300 ms: 10 times SLUICE_FPGA_STALL_MS=30, as other threads");
    expect_patience(SL_OUTLOOK_BUSY, 800,
                    "for 1200 ms: 40 times SLUICE_FPGA_STALL_MS=30, as other threads");
}

/* A cycle cannot be helped by anybody. */
static void test_cycle_is_sure(void **state)
{
    struct design design;
    (void)state;
    atomic_store(&fake_outlook, SL_OUTLOOK_EXPECTED);
    design_init(&design, ask, answer, 0);
    submit_both(&design);
    host_waits_until_stall(&design);
    assert_string_equal(fake_stall_text, cycle_text);
    expect_both_end(&design, SL_STALLED);
    host_done(&design);
}

/* What would help is known; what comes then is told. */
static void test_expected(void **state)
{
    struct design design;
    (void)state;
    design_init(&design, feed, listen, 0);
    atomic_store(&fake_outlook, SL_OUTLOOK_EXPECTED);
    atomic_store(&fake_candidate, &design.works[0].work);
    submit(&design, 1);
    host_waits();
    pause_ms(500);
    expect_stalls(&design, 0);
    assert_true(atomic_load(&fake_helps));
    assert_int_equal(atomic_load(&fake_stuck), 1);
    atomic_store(&fake_candidate, &design.works[1].work); /* another one that reads */
    pause_ms(100);
    assert_false(atomic_load(&fake_helps));
    atomic_store(&fake_outlooks, 0);
    atomic_store(&fake_outlook, SL_OUTLOOK_NOBODY);
    await_stall(&design);
    assert_true(atomic_load(&fake_outlooks) >= 2); /* what came had a moment to start it */
    expect_end(&design, 1, SL_STALLED);
    host_done(&design);
}

/* ---- who asks instead of waiting ------------------------------------------------------------- */

static void ask_for_ms(long ms)
{
    for (long i = 0; i < ms; i += 5) {
        device->ops->host_waits(device, 0);
        pause_ms(5);
    }
}

static void test_asks(void **state)
{
    struct design design;
    (void)state;
    atomic_store(&fake_outlook, SL_OUTLOOK_ASKING);
    design_init(&design, ask, answer, 0);
    submit(&design, 0);
    for (int i = 0; i < 200 && !atomic_load(&design.works[0].finished); i++)
        ask_for_ms(10);
    expect_end(&design, 0, SL_STALLED);
    expect_stalls(&design, 1);
    design_finish(&design);
}

/* Who asks once goes on with other things. */
static void test_asks_once(void **state)
{
    struct design design;
    (void)state;
    design_init(&design, feed, listen, 0);
    submit(&design, 1);
    for (int i = 0; i < 3; i++)
        device->ops->host_waits(device, 0);
    pause_ms(700);
    expect_stalls(&design, 0);
    submit(&design, 0);
    expect_end(&design, 1, 0);
    expect_end(&design, 0, 0);
    design_finish(&design);
}

/* The host asks for a packet that no kernel is going to write. */
static void test_asks_pipe(void **state)
{
    struct design design;
    int32_t packet;
    (void)state;
    atomic_store(&fake_outlook, SL_OUTLOOK_ASKING);
    design_init(&design, feed, listen, SL_PIPE_HOST | SL_PIPE_HOST_READS);
    struct sl_pipe *pipe = device->ops->code_pipe(design.flow->code, 0);
    for (int i = 0; i < 400 && atomic_load(&fake_stalls) == design.stalls_before; i++) {
        for (int n = 0; n < 64; n++)
            assert_int_equal(device->ops->pipe_read(pipe, &packet), SL_PIPE_WOULD_WAIT);
        ask_for_ms(5);
    }
    expect_stalls(&design, 1);
    assert_non_null(strstr(fake_stall_text, "the host asks in vain to read there (empty: 0 of 2) "
                                            "of flow.cl:1, for ask, which writes it and is not "
                                            "running"));
    submit(&design, 0); /* the pipe still works */
    expect_end(&design, 0, 0);
    assert_int_equal(device->ops->pipe_read(pipe, &packet), 0);
    design_finish(&design);
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
        WITH(test_names, "error"),
        WITH(test_poller_for_ever, "error"),
        WITH(test_polls_host, "error"),
        WITH(test_waits_for_idle_host, "error"),
        WITH(test_patience, "error"),
        WITH(test_cycle_is_sure, "error"),
        WITH(test_expected, "error"),
        WITH(test_asks, "error"),
        WITH(test_asks_once, "error"),
        WITH(test_asks_pipe, "report"),
        WITH(test_once, "report"),
        WITH(test_told_to_wait, "wait"),
        cmocka_unit_test_prestate_setup_teardown(test_alone, open_impatient, close_device,
                                                 (void *)(uintptr_t)"error"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
