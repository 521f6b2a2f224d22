/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of the FPGA emulator that mean nothing: told, once, and as if not set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/values.h"
#include "fake_host.h"
#include "fpga/cluster/machine.h"
#include "fpga/fpga.h"

static void with(const char *name, const char *value, const char *warning)
{
    int before = atomic_load(&fake_log_lines);
    fake_set(name, value);
    struct sl_device *device = fake_open(sl_fpga_plugin);
    assert_int_equal(device->caps.type, SL_TYPE_ACCELERATOR);
    assert_int_equal(sl_fpga_machine(device)->seed, 0);
    assert_int_equal(sl_fpga_machine(device)->stall_ns, 500000000);
    assert_int_equal(sl_fpga_machine(device)->on_stall, SL_STALL_REPORT);
    fake_close(device);
    fake_set(name, NULL);
    assert_int_equal(atomic_load(&fake_log_lines), before + (warning != NULL));
    if (warning)
        assert_true(fake_log_has(warning));
}

static void test_warnings(void **state)
{
    (void)state;
    with("SLUICE_FPGA_TYPE", "tpu", "SLUICE_FPGA_TYPE=tpu is not accelerator, cpu or gpu: ignored");
    with("SLUICE_FPGA_TYPE", "GPU", "SLUICE_FPGA_TYPE=GPU");
    with("SLUICE_FPGA_SEED", "one", "SLUICE_FPGA_SEED=one is no number");
    with("SLUICE_FPGA_SEED", "-1", "SLUICE_FPGA_SEED=-1");
    with("SLUICE_FPGA_SEED", " -1", "SLUICE_FPGA_SEED= -1");
    with("SLUICE_FPGA_SEED", "99999999999999999999", "SLUICE_FPGA_SEED=9999");
    with("SLUICE_FPGA_STALL_MS", "5s", "SLUICE_FPGA_STALL_MS=5s");
    with("SLUICE_FPGA_STALL_MS", "4294967296", "is no number from 0 to 4294967295");
    with("SLUICE_FPGA_ON_STALL", "abort", "is not report, error or wait");
    with("SLUICE_FPGA_DEPTH", "deep", "is not strict, default, ignore-depth or ignoredepth");
    with("CL_CONFIG_CHANNEL_DEPTH_EMULATION_MODE", "1", "CL_CONFIG_CHANNEL_DEPTH_EMULATION_MODE=1");
    with("SLUICE_FPGA_HOST_PTR", "keep", "is not use or copy");
    with("SLUICE_FPGA_IO", "nothing", "SLUICE_FPGA_IO: ");
    with("SLUICE_FPGA_TRACE", "2", "is not 0, no, off, false, 1, yes, on or true");
    with("SLUICE_FPGA_TRACE", "yes", "without SLUICE_FPGA_PROFILE");
}

static void test_silence(void **state)
{
    (void)state;
    with("SLUICE_FPGA_TYPE", "", NULL);
    with("SLUICE_FPGA_TYPE", "accelerator", NULL);
    with("SLUICE_FPGA_SEED", "0x0", NULL);
    with("SLUICE_FPGA_STALL_MS", "500", NULL);
    with("SLUICE_FPGA_ON_STALL", "report", NULL);
    with("SLUICE_FPGA_DEPTH", "ignore-depth", NULL);
    with("SLUICE_FPGA_TRACE", "off", NULL);
}

static void test_flags(void **state)
{
    static const struct {
        const char *value;
        bool on;
    } rows[] = {{"1", true}, {"yes", true}, {"on", true}, {"0", false}, {"no", false}, {"", false}};
    (void)state;
    fake_set("SLUICE_FPGA_PROFILE", "/dev/null");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fake_set("SLUICE_FPGA_TRACE", rows[i].value);
        struct sl_device *device = fake_open(sl_fpga_plugin);
        assert_int_equal(sl_fpga_machine(device)->trace, rows[i].on);
        fake_close(device);
    }
    fake_set("SLUICE_FPGA_TRACE", NULL);
    fake_set("SLUICE_FPGA_PROFILE", NULL);
}

static unsigned devices_with(const char *name, const char *value)
{
    struct sl_device_list list = {.capacity = 16};
    fake_set(name, value);
    assert_int_equal(sl_fpga_plugin(&fake_host, &list), 0);
    for (uint32_t i = 0; i < list.count; i++)
        list.devices[i]->ops->close(list.devices[i]);
    return list.count;
}

/* Hosts of the vendors' emulators ask for devices by variables of their own. */
static void test_devices(void **state)
{
    (void)state;
    assert_int_equal(devices_with("CL_CONTEXT_EMULATOR_DEVICE_ALTERA", "3"), 3);
    assert_int_equal(devices_with("CL_CONTEXT_EMULATOR_DEVICE_INTELFPGA", "2"), 2);
    assert_int_equal(devices_with("CL_CONFIG_CPU_EMULATE_DEVICES", "4"), 4);
    assert_int_equal(devices_with("SLUICE_FPGA_DEVICES", "8"), 8);
    assert_int_equal(devices_with("SLUICE_FPGA_DEVICES", "9"), 4);
    assert_int_equal(devices_with("SLUICE_FPGA_DEVICES", "many"), 4);
    assert_int_equal(devices_with("SLUICE_FPGA_DEVICES", NULL), 4);
    assert_int_equal(devices_with("CL_CONFIG_CPU_EMULATE_DEVICES", NULL), 2);
    assert_int_equal(devices_with("CL_CONTEXT_EMULATOR_DEVICE_INTELFPGA", NULL), 3);
    assert_int_equal(devices_with("CL_CONTEXT_EMULATOR_DEVICE_ALTERA", NULL), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_silence),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
