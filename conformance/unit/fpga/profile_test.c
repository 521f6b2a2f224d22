/* SPDX-License-Identifier: Apache-2.0 */
/* The pipe profile: what is counted, the JSON, the file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/runtime/code.h"
#include "flow.h"
#include "fpga/fpga.h"

enum { COUNT = 20, DEPTH = 3 };

static const struct sl_pipe_site sites[] = {
    {.pipe = "c",
     .file = "flow.cl",
     .kernel = 0,
     .line = 3,
     .column = 5,
     .op = SL_PIPE_WRITE,
     .blocking = 1,
     .pipe_index = 0,
     .arg_index = -1},
    {.pipe = "c",
     .file = "flow.cl",
     .kernel = 1,
     .line = 8,
     .column = 7,
     .op = SL_PIPE_READ,
     .blocking = 1,
     .pipe_index = 0,
     .arg_index = -1},
};

static struct sl_device *device;
static struct sl_work_queue *work_queue;
static char path[64];
static struct flow *left; /* its autorun kernel may still be on its way out */

static void writer(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct sl_pipe_ring *ring = *(struct sl_pipe_ring *const *)args;
    (void)group;
    for (int i = 0; i < COUNT; i++)
        flow_write_int(launch, ring, &sites[0], i);
}

static void reader(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    struct sl_pipe_ring *ring = *(struct sl_pipe_ring *const *)args;
    (void)group;
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(flow_read_int(launch, ring, &sites[1]), i);
}

static void expect(const char *text, const char *wanted)
{
    if (text && !strstr(text, wanted))
        fail_msg("%s\nis not in\n%s", wanted, text);
}

/* The number behind the first `key` after `from`. */
static double number_of(const char *text, const char *from, const char *key)
{
    const char *at = strstr(text, from);
    at = at ? strstr(at, key) : NULL;
    assert_non_null(at);
    return strtod(at + strlen(key), NULL);
}

static void check(const char *text)
{
    expect(text,
           "{\"sluice_profile\":1,\"program\":\"flow.cl\",\"device\":\"Sluice FPGA emulator\"");
    expect(text, "{\"name\":\"w\",\"file\":\"flow.cl\",\"line\":0,\"autorun\":false,"
                 "\"unit\":[0,0,0],\"launches\":1,");
    expect(text, "{\"name\":\"c\",\"type\":\"packet\",\"kind\":\"channel\",\"packet_bytes\":4,"
                 "\"declared_depth\":3,\"depth\":3,\"file\":\"flow.cl\",\"line\":1,\"host\":\"\","
                 "\"io\":\"\",\"writer\":0,\"reader\":1,\"packets\":20,");
    expect(text, "{\"kernel\":0,\"pipe\":0,\"name\":\"c\",\"op\":\"write\",\"blocking\":true,"
                 "\"file\":\"flow.cl\",\"line\":3,\"column\":5,\"stalls\":");
    expect(text, "\"state\":\"run\"");
    assert_int_equal((int)number_of(text, "\"pipes\"", "\"high_water\":"), DEPTH);
    double mean = number_of(text, "\"pipes\"", "\"mean_fill\":");
    assert_true(mean > 0 && mean <= DEPTH);
    assert_true(number_of(text, "\"sites\"", "\"stalls\":") > 0);
    assert_true(number_of(text, "\"pipes\"", "\"full_ns\":") > 0);
    assert_true(number_of(text, "\"name\":\"w\"", "\"run_ns\":") > 0);
}

static void check_file(void)
{
    static char text[1 << 20];
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    text[fread(text, 1, sizeof text - 1, in)] = 0;
    fclose(in);
    check(text);
}

static void test_profile(void **state)
{
    struct flow *flow = flow_create();
    struct fake_work works[2];
    char *text;
    (void)state;
    flow_kernel(flow, "w", writer, 0);
    flow_kernel(flow, "r", reader, 0);
    flow_pipe(flow, "c", 4, DEPTH, SL_PIPE_CHANNEL, 1, 0);
    flow->info.sites = sites;
    flow->info.site_count = 2;
    flow_load(flow, device);
    struct sl_pipe_ring *ring = flow_ring(flow, 0), **args = &ring;
    assert_int_equal(ring->write_limit, ring->tail); /* no write passes uncounted */
    for (uint32_t i = 0; i < 2; i++) {
        flow_work(&works[i], flow, i, args, 1, 1);
        device->ops->submit(work_queue, &works[i].work);
    }
    for (uint32_t i = 0; i < 2; i++)
        fake_sleep_until(&works[i].finished, 1);
    assert_int_equal(device->ops->code_report(flow->code, SL_REPORT_PIPE_PROFILE, &text), 0);
    check(text);
    free(text);
    device->ops->code_unload(flow->code);
    check_file();
    flow_destroy(flow);
}

static struct sl_pipe_ring *idle_ring;

static void take(const void *args, const struct sl_launch *launch, struct sl_group *group)
{
    int32_t packet;
    (void)args;
    (void)group;
    flow_read(launch, idle_ring, &sites[1], &packet, sizeof packet);
}

/* An autorun kernel that waits for a host with nothing to do does not wait in the time of launches.
 */
static void test_busy(void **state)
{
    enum { IDLE_US = 60000, IDLE_NS = IDLE_US * 1000 };
    struct flow *flow = flow_create();
    struct fake_work work;
    char *text;
    (void)state;
    flow_kernel(flow, "w", writer, 0);
    flow_kernel(flow, "r", take, SL_KERNEL_AUTORUN);
    idle_ring = flow_ring(flow, flow_pipe(flow, "c", 4, DEPTH, SL_PIPE_CHANNEL, 1, 0));
    flow->info.sites = sites;
    flow->info.site_count = 2;
    struct sl_pipe_ring **args = &idle_ring;
    flow_load(flow, device);
    usleep(IDLE_US);
    flow_work(&work, flow, 0, args, 1, 1);
    device->ops->submit(work_queue, &work.work);
    fake_sleep_until(&work.finished, 1);
    usleep(IDLE_US);
    assert_int_equal(device->ops->code_report(flow->code, SL_REPORT_PIPE_PROFILE, &text), 0);
    const double busy = number_of(text, "sluice_profile", "\"busy_ns\":");
    assert_true(busy > 0);
    assert_true(number_of(text, "sluice_profile", "\"time_ns\":") - busy >= 2.0 * IDLE_NS);
    const double empty = number_of(text, "\"pipes\"", "\"empty_ns\":");
    const double held = number_of(text, "\"pipes\"", "\"empty_held_ns\":");
    assert_true(held <= busy);
    assert_true(empty - held >= 0.9 * IDLE_NS);
    free(text);
    device->ops->code_unload(flow->code);
    left = flow;
}

static int open_device(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "profile_test.%d.json", (int)getpid());
    fake_set("SLUICE_FPGA_PROFILE", path);
    device = fake_open(sl_fpga_plugin);
    work_queue = fake_work_queue(device, true);
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    device->ops->work_queue_destroy(work_queue);
    fake_close(device);
    if (left)
        flow_destroy(left);
    left = NULL;
    fake_set("SLUICE_FPGA_PROFILE", NULL);
    unlink(path);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_profile, open_device, close_device),
        cmocka_unit_test_setup_teardown(test_busy, open_device, close_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
