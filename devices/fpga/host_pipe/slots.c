/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of rings. No state, no lock. */
#include "fpga/host_pipe/slots.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/base/values.h"
#include "common/base/zeroed.h"

enum { PAGE = 4096 };

static uint64_t power_of_two(uint64_t least)
{
    uint64_t power = 1;
    while (power < least)
        power *= 2;
    return power;
}

/* The count from which that many packets fill whole pages. */
static uint64_t page_packets(uint32_t packet_bytes)
{
    uint64_t low_bit = packet_bytes & -packet_bytes;
    return low_bit >= PAGE ? 1 : PAGE / low_bit;
}

static bool map_twice(struct sl_slots *slots)
{
    size_t bytes = slots->bytes;
    int fd = memfd_create("sluice-pipe", MFD_CLOEXEC);
    if (fd < 0)
        return false;
    unsigned char *at = MAP_FAILED;
    if (!ftruncate(fd, (off_t)bytes))
        at = mmap(NULL, 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (int i = 0; at != MAP_FAILED && i < 2; i++) {
        if (mmap(at + (size_t)i * bytes, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
                 0) == MAP_FAILED) {
            munmap(at, 2 * bytes);
            at = MAP_FAILED;
        }
    }
    close(fd);
    if (at == MAP_FAILED)
        return false;
    slots->at = at;
    slots->twice = true;
    return true;
}

int sl_slots_init(struct sl_slots *slots, uint32_t packet_bytes, uint32_t depth, bool twice)
{
    uint64_t count = power_of_two(depth);
    *slots = (struct sl_slots){0};
    if (twice) {
        uint64_t pages = page_packets(packet_bytes);
        slots->count = count > pages ? count : pages;
        slots->bytes = slots->count * packet_bytes;
        if (map_twice(slots))
            return 0;
    }
    slots->count = count;
    if (__builtin_mul_overflow(count, packet_bytes, &slots->bytes) || slots->bytes > SIZE_MAX - 64)
        return SL_OUT_OF_RESOURCES;
    slots->at = sl_zeroed_alloc(64, slots->bytes, &slots->owned);
    return slots->at ? 0 : SL_OUT_OF_RESOURCES;
}

int sl_slots_map(struct sl_slots *slots, uint32_t packet_bytes, uint64_t count)
{
    size_t bytes = count * packet_bytes;
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *slots = (struct sl_slots){0};
    if (at == MAP_FAILED)
        return SL_OUT_OF_RESOURCES;
    *slots = (struct sl_slots){.at = at, .count = count, .bytes = bytes, .pages = true};
    return 0;
}

void sl_slots_finish(struct sl_slots *slots)
{
    if (slots->twice)
        munmap(slots->at, 2 * slots->bytes);
    else if (slots->pages)
        munmap(slots->at, slots->bytes);
    else
        free(slots->owned);
    memset(slots, 0, sizeof *slots);
}
