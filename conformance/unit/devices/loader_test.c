/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loading of modules, with a shared object made at build time: LOADER_MODULE, and LOADER_OTHER_ABI
 * which says it is of another version, and LOADER_ARGUMENT whose initializers want an argument.
 */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/kernel/loader.h"
#include "cpu/cpu.h"
#include "fake_host.h"

struct file {
    unsigned char bytes[1 << 20];
    size_t count;
};

static struct file good, other, argument;

static void read_file(const char *variable, struct file *into)
{
    const char *path = getenv(variable);
    FILE *file = fopen(path ? path : "", "re");
    assert_non_null(file);
    into->count = fread(into->bytes, 1, sizeof into->bytes, file);
    assert_in_range(into->count, 1000, sizeof into->bytes - 1);
    fclose(file);
}

static int set_up(void **state)
{
    (void)state;
    read_file("LOADER_MODULE", &good);
    read_file("LOADER_OTHER_ABI", &other);
    read_file("LOADER_ARGUMENT", &argument);
    return 0;
}

static int open_descriptors(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static uint64_t call(const struct sl_loaded *loaded, size_t groups)
{
    struct sl_group group = {.count = groups};
    loaded->info->kernels[0].run(NULL, NULL, &group);
    return *(const uint64_t *)loaded->info->globals[0].address;
}

static void loads_and_unloads(void **state)
{
    (void)state;
    int before = open_descriptors();
    for (int i = 0; i < 50; i++) {
        struct sl_loaded loaded;
        assert_int_equal(sl_loader_open(&loaded, good.bytes, good.count, "bump", NULL, &fake_host),
                         0);
        assert_string_equal(loaded.info->kernels[0].name, "bump");
        assert_int_equal(call(&loaded, 3), 3);
        sl_loader_close(&loaded);
        sl_loader_close(&loaded);
    }
    assert_int_equal(open_descriptors(), before);
}

/* Equal files are still modules of their own: each has its variables. */
static void modules_are_separate(rlim_t descriptors)
{
    enum { COUNT = 300 };
    static struct sl_loaded loaded[COUNT];
    struct rlimit limit, low;
    getrlimit(RLIMIT_NOFILE, &limit);
    low = limit;
    low.rlim_cur = descriptors;
    if (low.rlim_cur > limit.rlim_max)
        low.rlim_cur = limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
    for (size_t i = 0; i < COUNT; i++) {
        int rc = sl_loader_open(&loaded[i], good.bytes, good.count, "bump", NULL, &fake_host);
        assert_int_equal(rc, 0);
    }
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(call(&loaded[i], i + 1), i + 1);
    for (size_t i = 0; i < COUNT; i++)
        sl_loader_close(&loaded[i]);
    setrlimit(RLIMIT_NOFILE, &limit);
}

static void many_modules(void **state)
{
    (void)state;
    modules_are_separate(4096);
}

static void many_modules_few_descriptors(void **state)
{
    (void)state;
    modules_are_separate(40);
}

/* No file can be opened: the modules are placed in memory without the dynamic linker. */
static void many_modules_no_descriptors(void **state)
{
    (void)state;
    modules_are_separate(3);
}

static void refuses_what_is_no_module(void **state)
{
    (void)state;
    int before = open_descriptors(), lines = atomic_load(&fake_log_lines);
    struct sl_loaded loaded;
    assert_int_equal(sl_loader_open(&loaded, "\177ELFgarbage", 11, "x", NULL, &fake_host), -42);
    assert_int_equal(sl_loader_open(&loaded, "", 0, "x", NULL, &fake_host), -42);
    assert_int_equal(sl_loader_open(&loaded, good.bytes, 200, "x", NULL, &fake_host), -42);
    assert_int_equal(sl_loader_open(&loaded, other.bytes, other.count, "x", NULL, &fake_host), -42);
    assert_int_equal(sl_loader_open(&loaded, argument.bytes, argument.count, "x", NULL, &fake_host),
                     -42);
    assert_int_equal(atomic_load(&fake_log_lines), lines + 5);
    assert_int_equal(open_descriptors(), before);
}

static void keeps_a_file_on_request(void **state)
{
    (void)state;
    char folder[] = "/tmp/sluice-loader-XXXXXX", path[512] = "";
    assert_non_null(mkdtemp(folder));
    struct sl_loaded loaded;
    assert_int_equal(sl_loader_open(&loaded, good.bytes, good.count, "bump", folder, &fake_host),
                     0);
    assert_int_equal(call(&loaded, 2), 2);
    sl_loader_close(&loaded);
    DIR *entries = opendir(folder);
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (entry->d_name[0] != '.')
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    }
    closedir(entries);
    assert_non_null(strstr(path, "/bump."));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    /* the folder is gone: the module loads all the same */
    assert_int_equal(sl_loader_open(&loaded, good.bytes, good.count, "bump", folder, &fake_host),
                     0);
    sl_loader_close(&loaded);
}

static void standard_streams_may_be_closed(void **state)
{
    (void)state;
    int before = dup(STDIN_FILENO);
    struct sl_loaded loaded;
    close(STDIN_FILENO);
    int rc = sl_loader_open(&loaded, good.bytes, good.count, "bump", NULL, &fake_host);
    bool free_still = fcntl(STDIN_FILENO, F_GETFD) < 0;
    if (before >= 0)
        dup2(before, STDIN_FILENO);
    close(before);
    assert_int_equal(rc, 0);
    assert_true(free_still);
    sl_loader_close(&loaded);
}

static void runs_on_the_device(void **state)
{
    (void)state;
    struct sl_device *device = fake_open(sl_cpu_plugin);
    struct sl_work_queue *work_queue = fake_work_queue(device, false);
    struct sl_code *code;
    const struct sl_module_info *info;
    assert_int_equal(device->ops->code_load(device, good.bytes, good.count, "bump", &code, &info),
                     0);
    struct fake_work fake = {.work = {.kind = SL_WORK_KERNEL}};
    fake.work.u.kernel =
        (struct sl_launch_args){.code = code, .work_dim = 1, .global_size = {7}, .local_size = {1}};
    device->ops->submit(work_queue, &fake.work);
    fake_wait(work_queue, &fake, 1);
    assert_int_equal(fake.status, 0);
    assert_int_equal(*(uint64_t *)info->globals[0].address, 107);
    device->ops->work_queue_destroy(work_queue);
    device->ops->code_unload(code);
    device->ops->code_unload(NULL);
    fake_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_and_unloads),
        cmocka_unit_test(many_modules),
        cmocka_unit_test(many_modules_few_descriptors),
        cmocka_unit_test(many_modules_no_descriptors),
        cmocka_unit_test(refuses_what_is_no_module),
        cmocka_unit_test(keeps_a_file_on_request),
        cmocka_unit_test(standard_streams_may_be_closed),
        cmocka_unit_test(runs_on_the_device),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
