/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of modules that are read and not loaded: the same as those of the loaded module, the same
 * verdict on damaged ones as the driver's, and nothing of a file runs. Modules are those of
 * loader_test.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/kernel/loader.h"
#include "fake_host.h"
#include "sluice/base/module_check.h"

struct file {
    unsigned char bytes[1 << 16];
    size_t count;
};

static void read_file(const char *variable, struct file *into)
{
    const char *path = getenv(variable);
    FILE *file = fopen(path ? path : "", "re");
    assert_non_null(file);
    into->count = fread(into->bytes, 1, sizeof into->bytes, file);
    assert_in_range(into->count, 1000, sizeof into->bytes - 1);
    fclose(file);
}

static void reads_what_is_loaded(void **state)
{
    (void)state;
    static struct file good;
    struct sl_module_tables tables;
    struct sl_loaded loaded;
    read_file("LOADER_MODULE", &good);
    assert_null(sl_module_open(&tables, good.bytes, good.count));
    assert_int_equal(sl_loader_open(&loaded, good.bytes, good.count, "x", NULL, &fake_host), 0);
    memset(&good, 0, sizeof good); /* the tables stand on their own */
    const struct sl_module_info *a = tables.info, *b = loaded.info;
    assert_int_equal(a->kernel_count, b->kernel_count);
    for (uint32_t i = 0; i < a->kernel_count; i++) {
        assert_string_equal(a->kernels[i].name, b->kernels[i].name);
        assert_int_equal(a->kernels[i].flags, b->kernels[i].flags);
        assert_int_equal(a->kernels[i].arg_count, b->kernels[i].arg_count);
    }
    assert_int_equal(a->global_count, 1);
    assert_string_equal(a->globals[0].name, "calls");
    assert_int_equal(a->globals[0].size, sizeof(uint64_t));
    const char *memory = tables.memory, *code = (const char *)(uintptr_t)a->kernels[0].run;
    assert_true(code > memory && code < memory + tables.bytes);
    sl_loader_close(&loaded);
    sl_module_close(&tables);
    sl_module_close(&tables);
    assert_null(tables.info);
}

/* The mapping that an address lies in, as the system names its rights. */
static void rights_of(const void *at, char rights[8])
{
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "re");
    assert_non_null(maps);
    strcpy(rights, "none");
    while (fgets(line, sizeof line, maps)) {
        unsigned long from, to;
        char found[8];
        if (sscanf(line, "%lx-%lx %4s", &from, &to, found) == 3 && (uintptr_t)at >= from &&
            (uintptr_t)at < to)
            strcpy(rights, found);
    }
    fclose(maps);
}

static void code_cannot_run(void **state)
{
    (void)state;
    static struct file good;
    struct sl_module_tables tables;
    char rights[8];
    read_file("LOADER_MODULE", &good);
    assert_null(sl_module_open(&tables, good.bytes, good.count));
    rights_of((const void *)(uintptr_t)tables.info->kernels[0].run, rights);
    assert_string_equal(rights, "rw-p");
    sl_module_close(&tables);
}

static void refuses(void **state)
{
    (void)state;
    static const char *const variables[] = {"LOADER_OTHER_ABI", "LOADER_ARGUMENT",
                                            "LOADER_CONSTRUCTOR"};
    static struct file file;
    struct sl_module_tables tables;
    struct sl_loaded loaded;
    for (size_t i = 0; i < 3; i++) {
        read_file(variables[i], &file);
        const char *why = sl_module_open(&tables, file.bytes, file.count);
        assert_non_null(why);
        assert_true(strlen(why) > 5);
        assert_null(tables.memory);
        assert_int_equal(sl_loader_open(&loaded, file.bytes, file.count, "x", NULL, &fake_host),
                         -42);
    }
    assert_non_null(sl_module_open(&tables, "", 0));
    read_file("LOADER_MODULE", &file);
    for (size_t bytes = 0; bytes < 4096; bytes += 13)
        assert_non_null(sl_module_open(&tables, file.bytes, bytes));
}

static uint64_t draw(uint64_t *state, uint64_t below)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (z ^ z >> 31) % below;
}

static void damage(struct file *file, uint64_t *random)
{
    static const uint64_t values[] = {0, 1, 8, UINT32_MAX, UINT64_MAX, (uint64_t)1 << 40};
    for (uint64_t changes = 1 + draw(random, 3); changes; changes--) {
        size_t at = draw(random, file->count - 8) & ~(size_t)3;
        uint64_t value = draw(random, 2) ? values[draw(random, 6)] : draw(random, file->count);
        memcpy(file->bytes + at, &value, draw(random, 2) ? 4 : 8);
    }
}

/* What one of the two takes the other takes: one list of checks. */
static void agrees_with_the_driver(void **state)
{
    (void)state;
    enum { ROUNDS = 4000 };
    static struct file good, bad;
    const char *seed = getenv("SLUICE_TEST_SEED");
    uint64_t random = seed ? strtoull(seed, NULL, 0) : 30;
    unsigned taken = 0;
    read_file("LOADER_MODULE", &good);
    for (unsigned i = 0; i < ROUNDS; i++) {
        struct sl_module_tables tables;
        struct sl_loaded loaded;
        bad = good;
        damage(&bad, &random);
        const char *why = sl_module_open(&tables, bad.bytes, bad.count);
        int rc = sl_loader_open(&loaded, bad.bytes, bad.count, "x", NULL, &fake_host);
        /* the linker also fails where memory is short, as for variables of 2^40 bytes */
        if (!why != !rc && (why || rc != -5))
            fail_msg("round %u: %s, the driver %d", i, why ? why : "taken", rc);
        taken += !rc;
        if (!rc)
            sl_loader_close(&loaded);
        sl_module_close(&tables);
    }
    assert_in_range(taken, ROUNDS / 20, ROUNDS - ROUNDS / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_is_loaded),
        cmocka_unit_test(code_cannot_run),
        cmocka_unit_test(refuses),
        cmocka_unit_test(agrees_with_the_driver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
