/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and fills of devices/common against byte-by-byte references, with random rectangles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/memory/copy.h"
#include "common/memory/memory.h"
#include "cpu/cpu.h"
#include "fake_host.h"

static uint32_t seed = 12345;

static uint32_t draw(uint32_t below)
{
    seed = seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)seed * below >> 32);
}

enum { ROOM = 1 << 16 };

struct box {
    size_t region[3], dst_pitch[2], src_pitch[2];
};

/* Fits into ROOM; often without gaps, so that merging rows is exercised. */
static struct box draw_box(size_t granule)
{
    struct box box = {.region = {granule * (1 + draw(40)), 1 + draw(6), 1 + draw(5)}};
    box.dst_pitch[0] = box.region[0] + (draw(2) ? draw(3) * granule : 0);
    box.src_pitch[0] = box.region[0] + (draw(2) ? draw(30) : 0);
    box.dst_pitch[1] = box.dst_pitch[0] * (box.region[1] + (draw(2) ? draw(3) : 0));
    box.src_pitch[1] = box.src_pitch[0] * box.region[1] + (draw(2) ? draw(50) : 0);
    return box;
}

/* Units in any order and grouping must add up to the whole. */
static void run_in_parts(const struct sl_transfer *t)
{
    uint64_t half = t->units / 2;
    while (half < t->units) {
        uint64_t count = 1 + draw(3);
        if (count > t->units - half)
            count = t->units - half;
        sl_transfer_run(t, half, count);
        half += count;
    }
    sl_transfer_run(t, 0, t->units / 2);
}

static void random_copies(void **state)
{
    (void)state;
    unsigned char *src = malloc(ROOM), *dst = malloc(ROOM), *want = malloc(ROOM);
    for (int turn = 0; turn < 2000; turn++) {
        struct box b = draw_box(1 + draw(8));
        for (int i = 0; i < ROOM; i++) {
            src[i] = (unsigned char)draw(256);
            dst[i] = want[i] = 0xee;
        }
        for (size_t z = 0; z < b.region[2]; z++)
            for (size_t y = 0; y < b.region[1]; y++)
                for (size_t x = 0; x < b.region[0]; x++)
                    want[z * b.dst_pitch[1] + y * b.dst_pitch[0] + x] =
                        src[z * b.src_pitch[1] + y * b.src_pitch[0] + x];
        const struct sl_copy copy = {.dst = {.offset = (uintptr_t)dst},
                                     .src = {.offset = (uintptr_t)src},
                                     .region = {b.region[0], b.region[1], b.region[2]},
                                     .dst_pitch = {b.dst_pitch[0], b.dst_pitch[1]},
                                     .src_pitch = {b.src_pitch[0], b.src_pitch[1]}};
        struct sl_transfer t;
        sl_transfer_copy(&t, &copy, turn & 1 ? 0 : UINT64_MAX);
        run_in_parts(&t);
        assert_memory_equal(dst, want, ROOM);
        turn += turn > 100 ? 10 : 0;
    }
    free(src);
    free(dst);
    free(want);
}

static void random_fills(void **state)
{
    (void)state;
    static const uint32_t patterns[] = {1, 2, 3, 4, 6, 8, 12, 16, 32, 64, 128};
    unsigned char *dst = malloc(ROOM), *want = malloc(ROOM);
    for (size_t turn = 0; turn < 330; turn++) {
        struct sl_fill fill = {.dst = {.offset = (uintptr_t)dst},
                               .pattern_bytes = patterns[turn % 11]};
        struct box b = draw_box(fill.pattern_bytes);
        if (b.dst_pitch[1] * b.region[2] > ROOM)
            continue;
        memcpy(fill.region, b.region, sizeof b.region);
        memcpy(fill.dst_pitch, b.dst_pitch, sizeof b.dst_pitch);
        for (uint32_t i = 0; i < fill.pattern_bytes; i++)
            fill.pattern[i] = (unsigned char)draw(256);
        memset(dst, 0xee, ROOM);
        memset(want, 0xee, ROOM);
        for (size_t z = 0; z < b.region[2]; z++)
            for (size_t y = 0; y < b.region[1]; y++)
                for (size_t x = 0; x < b.region[0]; x++)
                    want[z * b.dst_pitch[1] + y * b.dst_pitch[0] + x] =
                        fill.pattern[x % fill.pattern_bytes];
        struct sl_transfer t;
        sl_transfer_fill(&t, &fill, turn & 1 ? 0 : UINT64_MAX);
        run_in_parts(&t);
        assert_memory_equal(dst, want, ROOM);
    }
    free(dst);
    free(want);
}

/* Longer than a block, at odd addresses, ordinary and past the caches. */
static void long_rows(void **state)
{
    (void)state;
    const size_t room = (size_t)3 << 20;
    unsigned char *src = malloc(room), *dst = malloc(room);
    for (size_t i = 0; i < room; i++)
        src[i] = (unsigned char)(i * 7 + (i >> 12));
    for (uint32_t pattern = 0; pattern <= 48; pattern += 12) {
        for (size_t shift = 0; shift < 130; shift += 13) {
            size_t bytes = pattern ? (room - 300) / pattern * pattern : room - 300 - shift;
            struct sl_transfer t;
            struct sl_fill fill = {.dst = {.offset = (uintptr_t)dst + shift},
                                   .region = {bytes, 1, 1},
                                   .pattern_bytes = pattern};
            const struct sl_copy copy = {
                .dst = fill.dst, .src = {.offset = (uintptr_t)src + 3}, .region = {bytes, 1, 1}};
            memcpy(fill.pattern, src + 3, sizeof fill.pattern);
            memset(dst, 0, room);
            if (pattern)
                sl_transfer_fill(&t, &fill, shift & 1 ? 0 : UINT64_MAX);
            else
                sl_transfer_copy(&t, &copy, shift & 1 ? 0 : UINT64_MAX);
            assert_int_equal(t.stream, shift & 1);
            run_in_parts(&t);
            for (size_t i = 0; i < bytes; i++) {
                if (dst[shift + i] != src[3 + (pattern ? i % pattern : i)])
                    fail_msg("pattern %u, shift %zu, byte %zu", pattern, shift, i);
            }
            assert_int_equal(dst[shift + bytes], 0);
            assert_true(!shift || dst[shift - 1] == 0);
        }
    }
    free(src);
    free(dst);
}

static size_t resident_bytes(void)
{
    FILE *file = fopen("/proc/self/statm", "re");
    unsigned long pages = 0;
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%*u %lu", &pages), 1);
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void device_memory(void **state)
{
    (void)state;
    struct sl_device *device = fake_open(sl_cpu_plugin);
    const struct sl_device_ops *ops = device->ops;
    static const size_t sizes[] = {1, 127, 4096, 100000, 4 << 20, (4 << 20) + 1, 64 << 20};
    struct sl_memory *memory;
    size_t before = resident_bytes();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct sl_memory_desc desc = {.size_bytes = sizes[i], .align_bytes = 128};
        assert_int_equal(ops->memory_create(device, &desc, &memory), 0);
        unsigned char *at = ops->memory_host(memory);
        assert_int_equal((uintptr_t)at % 128, 0);
        memset(at, 1, sizes[i]);
        ops->memory_destroy(memory);
    }
    assert_true(resident_bytes() < before + (8 << 20));
    char own[16];
    const struct sl_memory_desc adopted = {.size_bytes = sizeof own, .host_ptr = own};
    assert_int_equal(ops->memory_create(device, &adopted, &memory), 0);
    assert_ptr_equal(ops->memory_host(memory), own);
    ops->memory_destroy(memory);
    const struct sl_memory_desc absurd = {.size_bytes = SIZE_MAX - 100};
    assert_int_equal(ops->memory_create(device, &absurd, &memory), -4);
    ops->memory_destroy(NULL);
    fake_close(device);
}

/* Through the device: large enough to be shared by its threads. */
static void copies_on_a_work_queue(void **state)
{
    (void)state;
    struct sl_device *device = fake_open(sl_cpu_plugin);
    struct sl_work_queue *work_queue = fake_work_queue(device, false);
    const size_t bytes = (size_t)40 << 20;
    const struct sl_memory_desc desc = {.size_bytes = bytes};
    struct sl_memory *memory;
    assert_int_equal(device->ops->memory_create(device, &desc, &memory), 0);
    uint32_t *words = malloc(bytes), *at = device->ops->memory_host(memory);
    for (size_t i = 0; i < bytes / 4; i++)
        words[i] = (uint32_t)i;
    struct fake_work write = {.work = {.kind = SL_WORK_COPY}};
    write.work.u.copy = (struct sl_copy){
        .dst = {.memory = memory}, .src = {.offset = (uintptr_t)words}, .region = {bytes, 1, 1}};
    device->ops->submit(work_queue, &write.work);
    fake_wait(work_queue, &write, 1);
    assert_memory_equal(at, words, bytes);
    struct fake_work fill = {.work = {.kind = SL_WORK_FILL}};
    fill.work.u.fill = (struct sl_fill){.dst = {.memory = memory, .offset = 4},
                                        .region = {bytes - 8, 1, 1},
                                        .pattern_bytes = 4,
                                        .pattern = {1, 2, 3, 4}};
    device->ops->submit(work_queue, &fill.work);
    fake_wait(work_queue, &fill, 1);
    assert_int_equal(at[0], 0);
    for (size_t i = 1; i < bytes / 4 - 1; i++) {
        if (at[i] != 0x04030201)
            fail_msg("word %zu is %x", i, at[i]);
    }
    assert_int_equal(at[bytes / 4 - 1], bytes / 4 - 1);
    free(words);
    device->ops->memory_destroy(memory);
    device->ops->work_queue_destroy(work_queue);
    fake_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_copies),
        cmocka_unit_test(random_fills),
        cmocka_unit_test(long_rows),
        cmocka_unit_test(device_memory),
        cmocka_unit_test(copies_on_a_work_queue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
