/* SPDX-License-Identifier: Apache-2.0 */
/* Packets in pipes on average, of kernels ahead of their clock: many moves at once as one by one,
 * also where launches that were ended have left more, or less, than a pipe can have. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "fpga/ahead/ahead_data.h"

static struct sl_clock_ring ring_of(uint64_t written, uint64_t read, uint32_t depth)
{
    struct sl_clock_ring ring = {.depth = depth};
    ring.count[SL_PIPE_WRITE] = written;
    ring.count[SL_PIPE_READ] = read;
    return ring;
}

/* Back from what is there behind all of them. */
static struct tally one_by_one(const struct sl_clock_ring *ring, unsigned op, uint64_t rounds)
{
    struct tally sum = {0};
    int64_t fill = (int64_t)fill_of(ring);
    for (uint64_t i = 0; i < rounds; i++) {
        const int64_t least = fill < 0 ? 0 : fill;
        const uint64_t now = (uint64_t)least < ring->depth ? (uint64_t)least : ring->depth;
        tally(&sum, 1, now, now);
        fill += op == SL_PIPE_WRITE ? -1 : 1;
    }
    return sum;
}

static void test_many(void **state)
{
    (void)state;
    static const uint32_t depths[] = {1, 3, 8};
    for (size_t d = 0; d < sizeof depths / sizeof *depths; d++)
        for (uint64_t written = 0; written < 12; written++)
            for (uint64_t rounds = 1; rounds < 20; rounds++)
                for (unsigned op = 0; op < 2; op++) {
                    const struct sl_clock_ring ring = ring_of(written, 2, depths[d]);
                    const struct tally wanted = one_by_one(&ring, op, rounds);
                    struct tally sum = {0};
                    tally_many(&sum, &ring, op, rounds);
                    assert_int_equal(sum.packets, wanted.packets);
                    assert_int_equal(sum.fill, wanted.fill);
                    assert_int_equal(sum.most, wanted.most);
                    assert_true(sum.fill <= sum.packets * sum.most);
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
