/* SPDX-License-Identifier: Apache-2.0 */
/* Cores and memory under affinity, control groups and SLUICE_NUM_THREADS; facts of both devices. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/machine/topology.h"
#include "cpu/cpu.h"
#include "fake_host.h"
#include "fpga/fpga.h"

static char root[64];

static int set_up(void **state)
{
    (void)state;
    snprintf(root, sizeof root, "/tmp/sluice-topology-XXXXXX");
    return mkdtemp(root) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command);
}

static void put(const char *path, const char *text)
{
    char full[256];
    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = 0;
        mkdir(full, 0700);
    }
    FILE *file = fopen(full, "we");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static struct sl_topology look(const char *num_threads)
{
    struct sl_topology topology;
    sl_topology_read(&topology, num_threads, root);
    return topology;
}

static uint32_t at_most(uint32_t limit)
{
    cpu_set_t set;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    uint32_t cpus = (uint32_t)CPU_COUNT(&set);
    return cpus < limit ? cpus : limit;
}

static void without_limits(void **state)
{
    (void)state;
    struct sl_topology t = look(NULL);
    assert_int_equal(t.units, at_most(UINT32_MAX));
    assert_true(t.memory_bytes >= 64 << 20);
    assert_true(t.l2_bytes >= 64 << 10 && t.last_cache_bytes >= t.l2_bytes);
    assert_true(t.cacheline_bytes >= 16);
    assert_int_equal(t.clock_mhz, 1000); /* nothing known */
}

/* The kernel's figure, which is this machine's, not the C library's, which may be a whole
 * package's. */
static void last_cache(void **state)
{
    (void)state;
    put("/sys/devices/system/cpu/cpu0/cache/index3/size", "7424K\n");
    assert_int_equal(look(NULL).last_cache_bytes, 7424 << 10);
    put("/sys/devices/system/cpu/cpu0/cache/index3/size", "12M\n");
    assert_int_equal(look(NULL).last_cache_bytes, 12 << 20);
    put("/sys/devices/system/cpu/cpu0/cache/index3/size", "none\n");
    assert_true(look(NULL).last_cache_bytes >= look(NULL).l2_bytes);
}

static void number_of_threads(void **state)
{
    (void)state;
    assert_int_equal(look("1").units, 1);
    assert_int_equal(look("2").units, at_most(2));
    assert_int_equal(look("100000").units, at_most(UINT32_MAX));
    assert_int_equal(look("0").units, at_most(UINT32_MAX));
    assert_int_equal(look("-3").units, at_most(UINT32_MAX));
    assert_int_equal(look("many").units, at_most(UINT32_MAX));
    assert_int_equal(look("").units, at_most(UINT32_MAX));
    assert_int_equal(look("1 or so").units, at_most(UINT32_MAX));
}

static int lines_of_opening(const char *num_threads)
{
    int before = atomic_load(&fake_log_lines);
    fake_set("SLUICE_NUM_THREADS", num_threads);
    struct sl_device *cpu = fake_open(sl_cpu_plugin), *fpga = fake_open(sl_fpga_plugin);
    fake_set("SLUICE_NUM_THREADS", NULL);
    assert_int_equal(cpu->caps.compute_units, fpga->caps.compute_units);
    fake_close(cpu);
    fake_close(fpga);
    return atomic_load(&fake_log_lines) - before;
}

static void wrong_number_of_threads_is_told_once(void **state)
{
    (void)state;
    assert_int_equal(lines_of_opening("1"), 0);
    assert_int_equal(lines_of_opening(""), 0);
    assert_int_equal(lines_of_opening("-3"), 1);
    assert_int_equal(lines_of_opening("many"), 0);
}

static void affinity(void **state)
{
    (void)state;
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE && !CPU_COUNT(&one); cpu++) {
        if (CPU_ISSET(cpu, &before))
            CPU_SET(cpu, &one);
    }
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    uint32_t units = look(NULL).units;
    sched_setaffinity(0, sizeof before, &before);
    assert_int_equal(units, 1);
}

static void cgroup_version_2(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "0::/user/job\n");
    put("/sys/fs/cgroup/user/job/cpu.max", "max 100000\n");
    put("/sys/fs/cgroup/user/job/memory.max", "max\n");
    assert_int_equal(look(NULL).units, at_most(UINT32_MAX));
    put("/sys/fs/cgroup/user/cpu.max", "50000 100000\n");
    put("/sys/fs/cgroup/user/memory.max", "33554432\n");
    assert_int_equal(look(NULL).units, 1);
    assert_int_equal(look(NULL).memory_bytes, 32 << 20);
    put("/sys/fs/cgroup/user/cpu.max", "150000 100000\n");
    assert_int_equal(look(NULL).units, at_most(2));
    put("/sys/fs/cgroup/user/job/memory.max", "16777216\n");
    assert_int_equal(look(NULL).memory_bytes, 16 << 20);
}

static void cgroup_version_2_in_a_container(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "0::/\n");
    put("/sys/fs/cgroup/cpu.max", "100000 100000\n");
    assert_int_equal(look(NULL).units, 1);
}

static void cgroup_version_1(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "5:cpuset:/\n4:memory:/job\n3:cpuacct,cpu:/job\n");
    put("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "-1\n");
    put("/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
    put("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n");
    assert_int_equal(look(NULL).units, at_most(UINT32_MAX));
    uint64_t all = look(NULL).memory_bytes;
    put("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "10000\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "67108864\n");
    assert_int_equal(look(NULL).units, 1);
    assert_true(all > 64 << 20);
    assert_int_equal(look(NULL).memory_bytes, 64 << 20);
}

static void broken_files(void **state)
{
    (void)state;
    put("/proc/self/cgroup", "nonsense\n0:\n:::\n0::/job");
    put("/sys/fs/cgroup/job/cpu.max", "x y\n");
    put("/sys/fs/cgroup/job/memory.max", "");
    put("/proc/cpuinfo", "processor\t: 0\ncpu MHz\t\t: 2345.678\n");
    assert_int_equal(look(NULL).units, at_most(UINT32_MAX));
    assert_int_equal(look(NULL).clock_mhz, 2345);
    put("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "3500000\n");
    assert_int_equal(look(NULL).clock_mhz, 3500);
}

/* What the specification asks of a device of the full profile (4.2, table 5). */
static void check_facts(const struct sl_device_caps *caps)
{
    assert_true(caps->compute_units >= 1);
    assert_true(caps->max_work_group_size >= caps->preferred_group_multiple);
    assert_true(caps->max_alloc_bytes >= caps->global_mem_bytes / 4);
    assert_true(caps->max_alloc_bytes <= caps->global_mem_bytes);
    assert_true(caps->max_constant_bytes >= 64 << 10);
    assert_true(caps->local_mem_bytes >= 32 << 10);
    assert_true(caps->max_parameter_bytes >= 1024);
    assert_true(caps->print_buffer_bytes >= 1 << 20);
    assert_true(caps->mem_base_align_bits >= 1024);
    assert_int_equal(caps->double_fp_config, 63);
    assert_int_equal(caps->single_fp_config & 6, 6);
    assert_true(strlen(caps->name) > 0 && strlen(caps->name) < 64);
    assert_true(strlen(caps->target) < 64);
    assert_true(caps->vendor_id > 0xffff);
    bool dataflow = caps->short_name && !strcmp(caps->short_name, "fpga");
    assert_true(caps->features & SL_FEATURE_PIPES);
    assert_int_equal(!!(caps->features & SL_FEATURE_DATAFLOW), dataflow);
    /* what a full profile device with images has at least */
    assert_true(caps->features & SL_FEATURE_IMAGES);
    assert_true(caps->image2d_max[0] >= 8192 && caps->image2d_max[1] >= 8192);
    assert_true(caps->image3d_max[0] >= 2048 && caps->image3d_max[1] >= 2048);
    assert_true(caps->image3d_max[2] >= 2048 && caps->image_max_array >= 2048);
    assert_true(caps->image_max_buffer >= 65536 && caps->max_samplers >= 16);
    assert_true(caps->max_read_images >= 128 && caps->max_write_images >= 8);
}

static void device_facts(void **state)
{
    (void)state;
    struct sl_device *cpu = fake_open(sl_cpu_plugin), *fpga = fake_open(sl_fpga_plugin);
    check_facts(&cpu->caps);
    check_facts(&fpga->caps);
    assert_int_equal(cpu->caps.type, 2);
    assert_int_equal(cpu->caps.vendor_id, 0x10FA5);
    assert_int_equal(fpga->caps.type, 8);
    assert_string_equal(fpga->caps.name, "Sluice FPGA emulator");
    fake_close(cpu);
    fake_close(fpga);
}

static void settings_of_devices(void **state)
{
    (void)state;
    fake_set("SLUICE_CPU", "sse4.2");
    fake_set("SLUICE_FPGA_TYPE", "gpu");
    fake_set("SLUICE_CPU_TYPE", "accelerator");
    fake_set("SLUICE_VENDOR_ID", "0x8086");
    struct sl_device *cpu = fake_open(sl_cpu_plugin), *fpga = fake_open(sl_fpga_plugin);
    assert_int_equal(fpga->caps.type, 4);
    assert_int_equal(cpu->caps.type, 8);
    assert_int_equal(cpu->caps.vendor_id, 0x8086);
    assert_int_equal(fpga->caps.vendor_id, 0x8086);
#if defined(__x86_64__)
    assert_string_equal(cpu->caps.target, "x86_64:sse4.2");
    assert_string_equal(cpu->caps.cpu, "x86-64-v2");
    assert_int_equal(cpu->caps.native_width[SL_WIDTH_FLOAT], 4);
#endif
    fake_close(cpu);
    fake_close(fpga);
    fake_set("SLUICE_CPU", "no such level");
    fake_set("SLUICE_CPU_TYPE", "tpu");
    fake_set("SLUICE_VENDOR_ID", "Intel");
    cpu = fake_open(sl_cpu_plugin);
    assert_non_null(cpu->caps.target);
    assert_int_equal(cpu->caps.type, 2);
    assert_true(fake_log_has("SLUICE_CPU_TYPE=tpu is not accelerator, cpu or gpu: ignored"));
    fake_close(cpu);
    fake_set("SLUICE_CPU", NULL);
    fake_set("SLUICE_CPU_TYPE", NULL);
    fake_set("SLUICE_VENDOR_ID", NULL);
    fake_set("SLUICE_FPGA_TYPE", NULL);
}

#define ROOT(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ROOT(without_limits),
        ROOT(last_cache),
        ROOT(number_of_threads),
        ROOT(wrong_number_of_threads_is_told_once),
        ROOT(affinity),

        ROOT(cgroup_version_2),
        ROOT(cgroup_version_2_in_a_container),
        ROOT(cgroup_version_1),
        ROOT(broken_files),
        cmocka_unit_test(device_facts),
        cmocka_unit_test(settings_of_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
