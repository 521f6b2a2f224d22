/* SPDX-License-Identifier: Apache-2.0 */
/* Which units share what, on machines that are made up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "common/machine/domains.h"
#include "fake_sys.h"

enum { MOST_WORDS = SL_CPU_SET_BYTES / sizeof(cpu_set_t) };

static struct sl_machine_domains domains;
static cpu_set_t allowed[MOST_WORDS];

static void allow(const char *cpus)
{
    CPU_ZERO_S(SL_CPU_SET_BYTES, allowed);
    for (uint32_t cpu = 0; cpus[cpu]; cpu++)
        if (cpus[cpu] == '1')
            CPU_SET_S(cpu, SL_CPU_SET_BYTES, allowed);
}

static const char *root;

static bool find(uint32_t units)
{
    sl_domains_finish(&domains);
    return sl_domains_find(&domains, allowed, units, root);
}

/* The units' numbers as letters in the order in which they turn up, e.g. "aabb". */
static const char *shape(enum sl_domain domain)
{
    static char text[64];
    const uint32_t *number = domains.base.of[domain];
    uint32_t i;
    if (!number)
        return "";
    for (i = 0; i < domains.units; i++) {
        uint32_t same = 0;
        char next = 'a';
        while (number[same] != number[i])
            same++;
        for (uint32_t j = 0; j < i; j++)
            next = text[j] >= next ? (char)(text[j] + 1) : next;
        text[i] = same < i ? text[same] : next;
    }
    text[i] = '\0';
    return text;
}

static void every_level(void **state)
{
    (void)state;
    allow("1111111111111111");
    root = fake_sys_new();
    fake_sys_share("node", "0-7 8-15");
    fake_sys_share("1", "0-1 2-3 4-5 6-7 8-9 10-11 12-13 14-15");
    fake_sys_share("2", "0-1 2-3 4-5 6-7 8-9 10-11 12-13 14-15");
    fake_sys_share("3", "0-3 4-7 8-11 12-15");
    assert_true(find(16));
    assert_string_equal(shape(SL_DOMAIN_NUMA), "aaaaaaaabbbbbbbb");
    assert_string_equal(shape(SL_DOMAIN_L4), "");
    assert_string_equal(shape(SL_DOMAIN_L3), "aaaabbbbccccdddd");
    assert_string_equal(shape(SL_DOMAIN_L2), "aabbccddeeffgghh");
    assert_string_equal(shape(SL_DOMAIN_L1), "aabbccddeeffgghh");
}

/* And nothing is said of memories. */
static void fourth_level(void **state)
{
    (void)state;
    allow("111111");
    root = fake_sys_new();
    fake_sys_share("3", "0-1 2-3 4-5");
    fake_sys_share("4", "0-1 2-3 4-5");
    assert_true(find(6));
    assert_string_equal(shape(SL_DOMAIN_NUMA), "aaaaaa");
    assert_string_equal(shape(SL_DOMAIN_L4), "aabbcc");
    assert_string_equal(shape(SL_DOMAIN_L3), "aabbcc");
    assert_string_equal(shape(SL_DOMAIN_L2), "");
}

/* Siblings far apart, as many machines count them. */
static void numbers_of_cpus(void **state)
{
    (void)state;
    allow("11111111");
    root = fake_sys_new();
    fake_sys_share("2", "0,4 1,5 2,6 3,7");
    assert_true(find(8));
    assert_string_equal(shape(SL_DOMAIN_L2), "abcdabcd");
    assert_int_equal(domains.cpu_of[5], 5);
}

static void some_cpus(void **state)
{
    (void)state;
    allow("0110100000011");
    root = fake_sys_new();
    fake_sys_share("node", "0-3 4-7 8-11 12-15");
    assert_true(find(5));
    assert_string_equal(shape(SL_DOMAIN_NUMA), "aabcd");
    assert_int_equal(domains.cpu_of[2], 4);
    assert_int_equal(domains.cpu_of[4], 12);
}

/* Some of them have no processors, or those of another one. */
static void odd_memories(void **state)
{
    (void)state;
    allow("1111");
    root = fake_sys_new();
    fake_sys_share("node", "0-1 0-1 2-3");
    fake_sys_put("/sys/devices/system/node/node3/cpulist", "");
    fake_sys_put("/sys/devices/system/node/online", "0-3");
    assert_true(find(4));
    assert_string_equal(shape(SL_DOMAIN_NUMA), "aabb");
}

static void fewer_threads(void **state)
{
    (void)state;
    allow("1111");
    root = fake_sys_new();
    fake_sys_share("node", "0-1 2-3");
    fake_sys_share("3", "0-1 2-3");
    assert_false(find(3));
    assert_false(find(5));
    assert_int_equal(domains.units, 0);
    assert_null(domains.base.of[SL_DOMAIN_NUMA]);
    /* more than are told of: each level leaves units out */
    allow("111111");
    assert_true(find(6));
    assert_string_equal(shape(SL_DOMAIN_NUMA), "");
    assert_string_equal(shape(SL_DOMAIN_L3), "");
}

/* Not known for now is not the same as not there. */
static void no_descriptors(void **state)
{
    (void)state;
    struct rlimit before, none;
    allow("1111");
    root = fake_sys_new();
    fake_sys_share("3", "0-1 2-3");
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = (struct rlimit){0, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    bool found = find(4);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_false(found);
    assert_int_equal(domains.units, 0);
    assert_true(find(4));
    assert_string_equal(shape(SL_DOMAIN_L3), "aabb");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level),     cmocka_unit_test(fourth_level),
        cmocka_unit_test(numbers_of_cpus), cmocka_unit_test(some_cpus),
        cmocka_unit_test(odd_memories),    cmocka_unit_test(fewer_threads),
        cmocka_unit_test(no_descriptors),
    };
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    sl_domains_finish(&domains);
    fake_sys_drop();
    return rc;
}
