/* SPDX-License-Identifier: Apache-2.0 */
/* Which thread goes where, on machines that are made up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/machine/place.h"
#include "fake_sys.h"

enum { MOST_WORDS = SL_CPU_SET_BYTES / sizeof(cpu_set_t) };

static struct sl_places places;
static cpu_set_t allowed[MOST_WORDS];

static void allow(uint32_t first, uint32_t last)
{
    CPU_ZERO_S(SL_CPU_SET_BYTES, allowed);
    for (uint32_t cpu = first; cpu <= last; cpu++)
        CPU_SET_S(cpu, SL_CPU_SET_BYTES, allowed);
}

/* What such a machine's CPUs share; NULL: it does not say. */
struct machine {
    const char *nodes, *caches, *cores;
};

static void find(const struct machine *machine, enum sl_placing placing, uint32_t online,
                 uint32_t threads)
{
    struct sl_place_limits limits = {allowed, online, threads};
    const char *root = fake_sys_new();
    if (machine->nodes)
        fake_sys_share("node", machine->nodes);
    if (machine->caches)
        fake_sys_share("3", machine->caches);
    if (machine->cores)
        fake_sys_share("core", machine->cores);
    sl_places_finish(&places);
    sl_places_find(&places, placing, &limits, root);
    fake_sys_drop();
}

static cpu_set_t *set_of(uint32_t thread)
{
    return (cpu_set_t *)(void *)(places.set + (size_t)places.set_of[thread] * SL_CPU_SET_BYTES);
}

static bool covers(uint32_t thread, uint32_t first, uint32_t last)
{
    bool all = CPU_COUNT_S(SL_CPU_SET_BYTES, set_of(thread)) == (int)(last - first + 1);
    for (uint32_t cpu = first; cpu <= last; cpu++)
        all = all && CPU_ISSET_S(cpu, SL_CPU_SET_BYTES, set_of(thread));
    return all;
}

static void free_places(void **state)
{
    (void)state;
    sl_places_finish(&places);
}

static const struct machine two_nodes = {"0-3 4-7", "0-3 4-7", "0 1 2 3 4 5 6 7"};
static const struct machine four_caches = {"0-15", "0-3 4-7 8-11 12-15", NULL};
static const struct machine one_domain = {"0-7", "0-3,4,5-7", "0-1 2-3 4-5 6-7"};

static void memories_share_the_threads(void **state)
{
    (void)state;
    allow(0, 7);
    find(&two_nodes, SL_PLACING_AUTO, 8, 8);
    assert_int_equal(places.count, 2);
    assert_int_equal(places.threads, 8);
    for (uint32_t i = 0; i < 8; i++)
        assert_true(i % 2 ? covers(i, 4, 7) : covers(i, 0, 3));
    allow(0, 5);
    find(&(struct machine){"0-2 3-5", NULL, NULL}, SL_PLACING_AUTO, 6, 6); /* no cache is told of */
    assert_int_equal(places.count, 2);
    assert_true(covers(0, 0, 2) && covers(1, 3, 5));
    free_places(state);
}

static void caches_share_the_threads(void **state)
{
    (void)state;
    allow(0, 15);
    find(&four_caches, SL_PLACING_AUTO, 16, 16);
    assert_int_equal(places.count, 4);
    for (uint32_t i = 0; i < 16; i++)
        assert_true(covers(i, i % 4 * 4, i % 4 * 4 + 3));
    free_places(state);
}

static void one_domain_stays_free(void **state)
{
    (void)state;
    allow(0, 7);
    find(&one_domain, SL_PLACING_AUTO, 8, 8);
    assert_int_equal(places.threads, 0);
    sl_places_bind(&places, 3); /* does nothing */
}

static void restricted_stays_free(void **state)
{
    (void)state;
    allow(0, 5);
    find(&two_nodes, SL_PLACING_AUTO, 8, 6); /* taskset, or a control group's cpuset */
    assert_int_equal(places.threads, 0);
    allow(0, 7);
    find(&two_nodes, SL_PLACING_AUTO, 8, 4); /* a quota, or SLUICE_NUM_THREADS */
    assert_int_equal(places.threads, 0);
    find(&two_nodes, SL_PLACING_FREE, 8, 8);
    assert_int_equal(places.threads, 0);
}

static void cores_before_siblings(void **state)
{
    (void)state;
    static const uint32_t order[] = {0, 2, 4, 6, 1, 3, 5, 7};
    allow(0, 7);
    find(&one_domain, SL_PLACING_CORES, 8, 8);
    assert_int_equal(places.threads, 8);
    for (uint32_t i = 0; i < 8; i++)
        assert_true(covers(i, order[i], order[i]));
    find(&one_domain, SL_PLACING_CORES, 8, 3);
    assert_int_equal(places.threads, 3);
    assert_true(covers(2, 4, 4));
    allow(3, 5);
    find(&one_domain, SL_PLACING_CORES, 8, 3);
    assert_int_equal(places.threads, 3);
    assert_true(covers(0, 3, 3) && covers(1, 4, 4) && covers(2, 5, 5));
    free_places(state);
}

/* Siblings far apart; and nothing said of cores. */
static void other_numbers(void **state)
{
    (void)state;
    allow(0, 3);
    find(&(struct machine){NULL, NULL, "0,1 2,3"}, SL_PLACING_CORES, 4, 4);
    assert_int_equal(places.threads, 4);
    assert_true(covers(0, 0, 0) && covers(1, 2, 2) && covers(2, 1, 1) && covers(3, 3, 3));
    find(&(struct machine){NULL, NULL, "0,2 1,3"}, SL_PLACING_CORES, 4, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(covers(i, i, i));
    find(&(struct machine){NULL, NULL, NULL}, SL_PLACING_CORES, 4, 4);
    assert_int_equal(places.threads, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(covers(i, i, i));
    find(&(struct machine){NULL, NULL, NULL}, SL_PLACING_AUTO, 4, 4);
    assert_int_equal(places.threads, 0);
    free_places(state);
}

/* On the real machine, whatever it is. */
static void binds(void **state)
{
    (void)state;
    cpu_set_t before, now;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    uint32_t cpus = (uint32_t)CPU_COUNT(&before);
    sl_places_find_here(&places, SL_PLACING_CORES, cpus);
    assert_int_equal(places.threads, cpus);
    for (uint32_t i = 0; i < cpus + 2; i++) { /* more threads than places begin anew */
        sl_places_bind(&places, i);
        assert_int_equal(sched_getaffinity(0, sizeof now, &now), 0);
        assert_int_equal(CPU_COUNT(&now), 1);
        assert_true(CPU_EQUAL_S(sizeof now, &now, set_of(i % cpus)));
    }
    sched_setaffinity(0, sizeof before, &before);
    free_places(state);
}

static void settings(void **state)
{
    (void)state;
    assert_int_equal(sl_placing_from(NULL), SL_PLACING_AUTO);
    assert_int_equal(sl_placing_from(""), SL_PLACING_AUTO);
    assert_int_equal(sl_placing_from("auto"), SL_PLACING_AUTO);
    assert_int_equal(sl_placing_from("0"), SL_PLACING_FREE);
    assert_int_equal(sl_placing_from("off"), SL_PLACING_FREE);
    assert_int_equal(sl_placing_from("1"), SL_PLACING_CORES);
    assert_int_equal(sl_placing_from("On"), SL_PLACING_CORES);
    assert_int_equal(sl_placing_from("sometimes"), SL_PLACING_AUTO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings),
        cmocka_unit_test(memories_share_the_threads),
        cmocka_unit_test(caches_share_the_threads),
        cmocka_unit_test(one_domain_stays_free),
        cmocka_unit_test(restricted_stays_free),
        cmocka_unit_test(cores_before_siblings),
        cmocka_unit_test(other_numbers),
        cmocka_unit_test(binds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
