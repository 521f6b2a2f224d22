/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "fpga/clock/clock_rate.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/times.h"
#include "sluice/module.h"
#include "sluice/pipe.h"

enum { MOST = 1000000 }; /* of numbers: times by parts of a cycle stay far below 2^64 */
#define MOST_BYTES UINT64_C(1000000000000000)

struct row {
    const char *name;
    size_t length;
    uint64_t bytes; /* a second; 0: `rate` has packets */
    struct sl_clock_rate rate;
};

static const struct {
    const char *name;
    int zeros;
} units[] = {{"B/s", 0}, {"kB/s", 3}, {"MB/s", 6}, {"GB/s", 9}};

static bool read_count(const char **at, uint64_t least, uint64_t *value)
{
    char *end;
    if (!isdigit((unsigned char)**at))
        return false;
    *value = strtoull(*at, &end, 10);
    *at = end;
    return *value >= least && *value <= MOST;
}

/* Digits without their point, of which `places` stand behind it, whatever the locale; what is
 * beyond sixteen digits in front of a point is beyond MOST_BYTES too. */
static uint64_t read_digits(const char **at, int *places)
{
    uint64_t value = 0;
    bool behind = false;
    *places = 0;
    for (; isdigit((unsigned char)**at) || (!behind && **at == '.'); ++*at) {
        if (**at == '.') {
            behind = true;
        } else if (value < MOST_BYTES) {
            value = value * 10 + (uint64_t)(**at - '0');
            *places += behind;
        } else if (!behind) {
            return 0;
        }
    }
    return value;
}

static bool read_bytes(const char **at, uint64_t *bytes)
{
    int places;
    *bytes = read_digits(at, &places);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t length = strlen(units[i].name);
        if (strncmp(*at, units[i].name, length) != 0)
            continue;
        for (int zeros = units[i].zeros; zeros > places; zeros--)
            *bytes = sl_times(*bytes, 10);
        for (int zeros = units[i].zeros; zeros < places; zeros++)
            *bytes /= 10;
        *at += length;
        return *bytes >= 1 && *bytes <= MOST_BYTES;
    }
    return false;
}

/* PACKETS/CYCLES or bytes a second. */
static bool read_speed(const char **at, const char *end, struct row *row)
{
    const char *start = *at;
    if (read_count(at, 1, &row->rate.packets) && *at < end && **at == '/') {
        ++*at;
        if (isdigit((unsigned char)**at))
            return read_count(at, 1, &row->rate.cycles);
    }
    *at = start;
    return isdigit((unsigned char)*start) && read_bytes(at, &row->bytes);
}

static bool read_row(const char *at, const char *end, struct row *row)
{
    *row = (struct row){.name = at};
    const char *equals = memchr(at, '=', (size_t)(end - at));
    if (!equals || equals == at)
        return false;
    row->length = (size_t)(equals - at);
    at = equals + 1;
    if (!read_speed(&at, end, row))
        return false;
    if (at < end && *at == '+') {
        at++;
        if (!read_count(&at, 0, &row->rate.latency))
            return false;
    }
    return at == end;
}

/* The next row that is not empty; NULL: there is none. */
static const char *next_row(const char **rows, const char **end)
{
    const char *at = *rows;
    if (!at)
        return NULL;
    at += strspn(at, "; \t\n");
    *end = at + strcspn(at, "; \t\n");
    *rows = *end;
    return *end > at ? at : NULL;
}

bool sl_clock_rate_check(const char **rows, char *row, size_t size)
{
    struct row read;
    const char *at, *end;
    while ((at = next_row(rows, &end)))
        if (!read_row(at, end, &read)) {
            snprintf(row, size, "%.*s", (int)(end - at), at);
            return true;
        }
    return false;
}

static bool is_called(const struct row *row, const char *name)
{
    return name && strlen(name) == row->length && !strncmp(row->name, name, row->length);
}

static bool is_known(const struct row *row, const struct sl_module_info *info)
{
    bool known = is_called(row, "host") || is_called(row, "io") || is_called(row, "*");
    for (uint32_t i = 0; i < info->pipe_count && !known; i++)
        known = is_called(row, info->pipes[i].name) || is_called(row, info->pipes[i].io);
    return known;
}

bool sl_clock_rate_unknown(const char **rows, const struct sl_module_info *info, char *name,
                           size_t size)
{
    struct row row;
    const char *at, *end;
    while ((at = next_row(rows, &end)))
        if (read_row(at, end, &row) && !is_known(&row, info)) {
            snprintf(name, size, "%.*s", (int)row.length, row.name);
            return true;
        }
    return false;
}

static bool is_about(const struct row *row, const struct sl_pipe_ring *ring)
{
    const struct sl_pipe_info *info = ring->info;
    return (info && (is_called(row, info->name) || is_called(row, info->io))) ||
           (is_called(row, "host") && ring->flags & SL_PIPE_HOST) ||
           (is_called(row, "io") && ring->flags & SL_PIPE_IO) || is_called(row, "*");
}

static struct sl_clock_rate convert(const struct row *row, const struct sl_pipe_ring *ring,
                                    uint32_t clock_mhz)
{
    struct sl_clock_rate rate = row->rate;
    if (row->bytes) { /* in thousandths of a packet: nobody measures more exactly */
        uint64_t product = sl_times(clock_mhz * UINT64_C(1000000000), ring->packet_bytes);
        rate.packets = 1000;
        rate.cycles = product / row->bytes + (product % row->bytes >= row->bytes - row->bytes / 2);
        if (rate.cycles > (uint64_t)MOST * MOST) { /* so slow that a cycle is nothing */
            rate.packets = 1;
            rate.cycles /= 1000;
        }
        rate.cycles = rate.cycles ? rate.cycles : 1;
    }
    return rate;
}

struct sl_clock_rate sl_clock_rate_find(const char *rows, const struct sl_pipe_ring *ring,
                                        uint32_t clock_mhz)
{
    struct row row;
    const char *at, *end;
    while ((at = next_row(&rows, &end)))
        if (read_row(at, end, &row) && is_about(&row, ring) && (clock_mhz || !row.bytes))
            return convert(&row, ring, clock_mhz);
    return (struct sl_clock_rate){0};
}
