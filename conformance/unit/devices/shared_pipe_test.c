/* SPDX-License-Identifier: Apache-2.0 */
/* Pipes that all threads use at once: capacity, order, reservations, and many threads at both ends.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/kernel/shared_pipe.h"

#define LEN(array) (sizeof(array) / sizeof *(array))

static struct sl_device device = {.caps.max_alloc_bytes = 1 << 24};

static struct sl_pipe *new_pipe(uint32_t bytes, uint32_t packets)
{
    const struct sl_pipe_desc desc = {.packet_bytes = bytes, .max_packets = packets};
    struct sl_pipe *pipe = NULL;
    assert_int_equal(sl_shared_pipe_create(&device, &desc, &pipe), 0);
    return pipe;
}

/* ---- one thread ------------------------------------------------------------------------------ */

static void make_packet(unsigned char *packet, uint32_t bytes, uint64_t number)
{
    for (uint32_t i = 0; i < bytes; i++)
        packet[i] = (unsigned char)(number * 31 + i * 7 + 1);
}

static void holds_what_was_asked_for(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 2, 3, 4, 8, 12, 16, 24, 100, 1024, 65536};
    static const uint32_t depths[] = {1, 2, 3, 5, 8, 17};
    static unsigned char packet[65537], want[65537];
    for (size_t s = 0; s < LEN(sizes); s++)
        for (size_t d = 0; d < LEN(depths); d++) {
            uint32_t bytes = sizes[s], depth = depths[d];
            struct sl_pipe *pipe = new_pipe(bytes, depth);
            struct sl_pipe_ring *ring = sl_shared_pipe_ring(pipe);
            uint64_t in = 0, out = 0;
            assert_int_equal(ring->depth, depth);
            for (int round = 0; round < 7; round++) {
                while (in - out < depth) {
                    assert_int_equal(sl_shared_fill(ring), in - out);
                    make_packet(packet, bytes, in++);
                    assert_int_equal(sl_shared_move(ring, SL_PIPE_WRITE, packet), 0);
                }
                assert_int_equal(sl_shared_move(ring, SL_PIPE_WRITE, packet), -1);
                uint64_t stop = round % 2 ? in : out + depth / 2;
                for (; out < stop; out++) {
                    make_packet(want, bytes, out);
                    packet[bytes] = 0xa5;
                    assert_int_equal(sl_shared_move(ring, SL_PIPE_READ, packet), 0);
                    assert_memory_equal(packet, want, bytes);
                    assert_int_equal(packet[bytes], 0xa5);
                }
                if (in == out) { /* nothing is read, and nothing is touched */
                    memcpy(want, packet, bytes);
                    assert_int_equal(sl_shared_move(ring, SL_PIPE_READ, packet), -1);
                    assert_memory_equal(packet, want, bytes);
                }
            }
            sl_shared_pipe_destroy(pipe);
        }
}

static void put(struct sl_pipe_ring *ring, uint64_t id, uint32_t index, uint32_t value)
{
    assert_int_equal(sl_shared_move_at(ring, SL_PIPE_WRITE, id, index, &value), 0);
}

static uint32_t take(struct sl_pipe_ring *ring)
{
    uint32_t value = 0;
    assert_int_equal(sl_shared_move(ring, SL_PIPE_READ, &value), 0);
    return value;
}

static void reservations_keep_their_place(void **state)
{
    (void)state;
    struct sl_pipe *pipe = new_pipe(4, 7);
    struct sl_pipe_ring *ring = sl_shared_pipe_ring(pipe);
    uint32_t value = 9;
    assert_int_equal(sl_shared_reserve(ring, SL_PIPE_WRITE, 0), 0);
    assert_int_equal(sl_shared_reserve(ring, SL_PIPE_WRITE, 8), 0);
    assert_int_equal(sl_shared_reserve(ring, SL_PIPE_READ, 1), 0);
    uint64_t a = sl_shared_reserve(ring, SL_PIPE_WRITE, 3);
    uint64_t b = sl_shared_reserve(ring, SL_PIPE_WRITE, 2);
    assert_true(a && b && a != b);
    assert_int_equal(sl_shared_reserve(ring, SL_PIPE_WRITE, 3), 0); /* two are left */
    assert_int_equal(sl_shared_move(ring, SL_PIPE_WRITE, &value), 0);
    for (uint32_t i = 0; i < 2; i++)
        put(ring, b, 1 - i, 14 - i);
    assert_int_equal(sl_shared_move_at(ring, SL_PIPE_WRITE, b, 2, &value), -1);
    assert_int_equal(sl_shared_move_at(ring, SL_PIPE_WRITE, 0, 0, &value), -1);
    sl_shared_commit(ring, SL_PIPE_WRITE, b);
    assert_int_equal(sl_shared_fill(ring), 0); /* the first reservation is open */
    assert_int_equal(sl_shared_move(ring, SL_PIPE_READ, &value), -1);
    for (uint32_t i = 0; i < 3; i++)
        put(ring, a, i, 10 + i);
    sl_shared_commit(ring, SL_PIPE_WRITE, a);
    sl_shared_commit(ring, SL_PIPE_WRITE, a); /* a mistake without effect */
    sl_shared_commit(ring, SL_PIPE_WRITE, 0);
    assert_int_equal(sl_shared_fill(ring), 6);
    /* readers: the second commits first, and no room is free before the first has */
    uint64_t c = sl_shared_reserve(ring, SL_PIPE_READ, 2);
    uint64_t d = sl_shared_reserve(ring, SL_PIPE_READ, 3);
    assert_int_equal(sl_shared_reserve(ring, SL_PIPE_READ, 2), 0);
    assert_int_equal(sl_shared_fill(ring), 1);
    assert_int_equal(sl_shared_move_at(ring, SL_PIPE_READ, d, 2, &value), 0);
    assert_int_equal(value, 14);
    assert_int_equal(sl_shared_move_at(ring, SL_PIPE_READ, c, 0, &value), 0);
    assert_int_equal(value, 10);
    sl_shared_commit(ring, SL_PIPE_READ, d);
    assert_int_equal(sl_shared_move(ring, SL_PIPE_WRITE, &value), 0);
    assert_int_equal(sl_shared_move(ring, SL_PIPE_WRITE, &value), -1);
    sl_shared_commit(ring, SL_PIPE_READ, c);
    assert_true(sl_shared_reserve(ring, SL_PIPE_WRITE, 5));
    assert_int_equal(take(ring), 9);
    sl_shared_pipe_destroy(pipe);
}

/* Ids keep half of a packet's number. */
static void numbers_beyond_32_bits(void **state)
{
    (void)state;
    enum { DEPTH = 5, SLOTS = 8 };
    const uint64_t start = ((uint64_t)1 << 32) - SLOTS;
    struct sl_pipe *pipe = new_pipe(4, DEPTH);
    struct sl_pipe_ring *ring = sl_shared_pipe_ring(pipe);
    uint64_t *marks = ring->device[0];
    assert_int_equal(ring->mask, SLOTS - 1);
    ring->head = ring->tail = start;
    for (int s = 0; s < SLOTS; s++)
        marks[s] = start;
    for (uint32_t n = 0; n < 40; n += 3) {
        uint64_t id = sl_shared_reserve(ring, SL_PIPE_WRITE, 3);
        assert_true(id);
        for (uint32_t i = 0; i < 3; i++)
            put(ring, id, i, n + i);
        sl_shared_commit(ring, SL_PIPE_WRITE, id);
        id = sl_shared_reserve(ring, SL_PIPE_READ, 3);
        assert_true(id);
        for (uint32_t i = 0; i < 3; i++) {
            uint32_t value = 0;
            assert_int_equal(sl_shared_move_at(ring, SL_PIPE_READ, id, i, &value), 0);
            assert_int_equal(value, n + i);
        }
        sl_shared_commit(ring, SL_PIPE_READ, id);
    }
    sl_shared_pipe_destroy(pipe);
}

static void too_large(void **state)
{
    (void)state;
    const struct sl_pipe_desc desc = {.packet_bytes = UINT32_MAX, .max_packets = UINT32_MAX};
    const struct sl_pipe_desc host = {.packet_bytes = 4, .max_packets = 4, .host_reads = true};
    struct sl_pipe *pipe = NULL;
    assert_true(sl_shared_pipe_create(&device, &desc, &pipe) < 0);
    assert_true(sl_shared_pipe_create(&device, &host, &pipe) < 0);
    assert_null(pipe);
    sl_shared_pipe_destroy(NULL);
}

/* ---- many threads ---------------------------------------------------------------------------- */

enum { WRITERS = 3, READERS = 3, EACH = 4000, MOST_AT_ONCE = 4 };

struct packet { /* of an odd number of words */
    uint32_t writer, number, twice;
};

struct crowd {
    struct sl_pipe_ring *ring;
    uint32_t at_once; /* packets of a reservation, at most; 0: none are reserved */
    atomic_uint left, wrong;
    atomic_uchar seen[WRITERS][EACH];
};

struct member {
    struct crowd *crowd;
    uint32_t number, random;
    pthread_t thread;
};

static uint32_t draw(struct member *m, uint32_t most)
{
    m->random = m->random * 1664525 + 1013904223;
    return 1 + (m->random >> 16) % most;
}

/* Others may be what keeps the machine from those that are waited for. */
static void be_patient(unsigned *tries)
{
    if (++*tries % 256 == 0)
        sched_yield();
}

static void *write_all(void *data)
{
    struct member *m = data;
    struct crowd *crowd = m->crowd;
    unsigned tries = 0;
    for (uint32_t n = 0; n < EACH;) {
        uint32_t count = crowd->at_once ? draw(m, crowd->at_once) : 1;
        count = count < EACH - n ? count : EACH - n;
        uint64_t id = 0;
        struct packet packet = {m->number, n, 2 * n};
        if (crowd->at_once)
            while (!(id = sl_shared_reserve(crowd->ring, SL_PIPE_WRITE, count)))
                be_patient(&tries);
        else
            while (sl_shared_move(crowd->ring, SL_PIPE_WRITE, &packet))
                be_patient(&tries);
        for (uint32_t i = 0; id && i < count; i++) {
            packet = (struct packet){m->number, n + i, 2 * (n + i)};
            sl_shared_move_at(crowd->ring, SL_PIPE_WRITE, id, i, &packet);
        }
        if (id)
            sl_shared_commit(crowd->ring, SL_PIPE_WRITE, id);
        n += count;
    }
    return NULL;
}

static void note(struct crowd *crowd, const struct packet *packet, int64_t *last)
{
    bool good = packet->writer < WRITERS && packet->number < EACH &&
                packet->twice == 2 * packet->number && packet->number > last[packet->writer] &&
                !atomic_fetch_add(&crowd->seen[packet->writer][packet->number], 1);
    if (good)
        last[packet->writer] = packet->number;
    else
        atomic_fetch_add(&crowd->wrong, 1);
    atomic_fetch_sub(&crowd->left, 1);
}

static void *read_all(void *data)
{
    struct member *m = data;
    struct crowd *crowd = m->crowd;
    int64_t last[WRITERS];
    unsigned tries = 0;
    memset(last, 0xff, sizeof last);
    while (atomic_load(&crowd->left)) {
        struct packet packet;
        uint32_t count = crowd->at_once ? draw(m, crowd->at_once) : 1;
        uint64_t id = crowd->at_once ? sl_shared_reserve(crowd->ring, SL_PIPE_READ, count) : 0;
        for (uint32_t i = 0; id && i < count; i++) {
            sl_shared_move_at(crowd->ring, SL_PIPE_READ, id, i, &packet);
            note(crowd, &packet, last);
        }
        if (id)
            sl_shared_commit(crowd->ring, SL_PIPE_READ, id);
        else if (!sl_shared_move(crowd->ring, SL_PIPE_READ, &packet)) /* the rest, one by one */
            note(crowd, &packet, last);
        else
            be_patient(&tries);
        if (sl_shared_fill(crowd->ring) > crowd->ring->depth)
            atomic_fetch_add(&crowd->wrong, 1);
    }
    return NULL;
}

static void run_crowd(uint32_t depth, uint32_t at_once)
{
    static struct crowd crowd;
    struct member members[WRITERS + READERS];
    struct sl_pipe *pipe = new_pipe(sizeof(struct packet), depth);
    memset(&crowd, 0, sizeof crowd);
    crowd.ring = sl_shared_pipe_ring(pipe);
    crowd.at_once = at_once;
    crowd.left = WRITERS * EACH;
    for (uint32_t i = 0; i < LEN(members); i++) {
        members[i] = (struct member){.crowd = &crowd, .number = i, .random = 12345 * i};
        assert_int_equal(pthread_create(&members[i].thread, NULL,
                                        i < WRITERS ? write_all : read_all, &members[i]),
                         0);
    }
    for (uint32_t i = 0; i < LEN(members); i++)
        pthread_join(members[i].thread, NULL);
    assert_int_equal(crowd.wrong, 0);
    assert_int_equal(sl_shared_fill(crowd.ring), 0);
    for (int w = 0; w < WRITERS; w++)
        for (int n = 0; n < EACH; n++)
            assert_int_equal(crowd.seen[w][n], 1);
    sl_shared_pipe_destroy(pipe);
}

/* Each packet comes once, whole, and to each reader a writer's in the order they were written. */
static void crowds(void **state)
{
    (void)state;
    static const uint32_t depths[] = {1, 5, 64, 1000};
    for (size_t d = 0; d < LEN(depths); d++)
        run_crowd(depths[d], 0);
}

static void crowds_that_reserve(void **state)
{
    (void)state;
    static const uint32_t depths[] = {MOST_AT_ONCE, 7, 1000};
    for (size_t d = 0; d < LEN(depths); d++)
        run_crowd(depths[d], MOST_AT_ONCE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds_what_was_asked_for),
        cmocka_unit_test(reservations_keep_their_place),
        cmocka_unit_test(numbers_beyond_32_bits),
        cmocka_unit_test(too_large),
        cmocka_unit_test(crowds),
        cmocka_unit_test(crowds_that_reserve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
