/* SPDX-License-Identifier: Apache-2.0 */
/* Which units share what, on machines that hwloc makes up. */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/domains.h"

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

static bool find(const char *machine, uint32_t units)
{
    sl_domains_finish(&domains);
    setenv("HWLOC_SYNTHETIC", machine, 1);
    bool found = sl_domains_find(&domains, allowed, units);
    unsetenv("HWLOC_SYNTHETIC");
    return found;
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

static int has_hwloc(void **state)
{
    (void)state;
    void *library = dlopen("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL);
    if (library)
        dlclose(library);
    else
        fprintf(stderr, "no libhwloc.so.15: nothing to test\n");
    return library ? 0 : -1;
}

static void every_level(void **state)
{
    (void)state;
    allow("1111111111111111");
    assert_true(find("node:2 l3:2 l2:2 l1d:1 core:1 pu:2", 16));
    assert_string_equal(shape(SL_DOMAIN_NUMA), "aaaaaaaabbbbbbbb");
    assert_string_equal(shape(SL_DOMAIN_L4), "");
    assert_string_equal(shape(SL_DOMAIN_L3), "aaaabbbbccccdddd");
    assert_string_equal(shape(SL_DOMAIN_L2), "aabbccddeeffgghh");
    assert_string_equal(shape(SL_DOMAIN_L1), "aabbccddeeffgghh");
}

static void fourth_level(void **state)
{
    (void)state;
    allow("111111");
    assert_true(find("node:1 l4:3 l3:1 core:2 pu:1", 6));
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
    assert_true(find("node:1 l2:4 core:1 pu:2(indexes=0,4,1,5,2,6,3,7)", 8));
    assert_string_equal(shape(SL_DOMAIN_L2), "abcdabcd");
    assert_int_equal(domains.cpu_of[5], 5);
}

static void some_cpus(void **state)
{
    (void)state;
    allow("0110100000011");
    assert_true(find("node:4 core:4 pu:1", 5));
    assert_string_equal(shape(SL_DOMAIN_NUMA), "aabcd");
    assert_int_equal(domains.cpu_of[2], 4);
    assert_int_equal(domains.cpu_of[4], 12);
}

static void fewer_threads(void **state)
{
    (void)state;
    allow("1111");
    assert_false(find("node:2 core:2 pu:1", 3));
    assert_false(find("node:2 core:2 pu:1", 5));
    assert_int_equal(domains.units, 0);
    assert_null(domains.base.of[SL_DOMAIN_NUMA]);
    /* more than hwloc knows of: each of its levels leaves units out */
    allow("111111");
    assert_true(find("node:2 core:2 pu:1", 6));
    assert_string_equal(shape(SL_DOMAIN_NUMA), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level),     cmocka_unit_test(fourth_level),
        cmocka_unit_test(numbers_of_cpus), cmocka_unit_test(some_cpus),
        cmocka_unit_test(fewer_threads),
    };
    if (has_hwloc(NULL))
        return 77;
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    sl_domains_finish(&domains);
    return rc;
}
