/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "fpga/profile/clock_rate.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/pipe.h"

enum { MOST = 1000000000 }; /* of numbers: times stay far below 2^64 */

struct row {
    const char *name;
    size_t length;
    double bytes; /* a second; 0: `rate` has packets */
    struct sl_clock_rate rate;
};

static const struct {
    const char *name;
    double bytes;
} units[] = {{"B/s", 1}, {"kB/s", 1e3}, {"MB/s", 1e6}, {"GB/s", 1e9}};

static bool read_count(const char **at, uint64_t least, uint64_t *value)
{
    char *end;
    if (!isdigit((unsigned char)**at))
        return false;
    *value = strtoull(*at, &end, 10);
    *at = end;
    return *value >= least && *value <= MOST;
}

/* With a point whatever the locale. */
static double read_decimal(const char **at)
{
    double value = 0, place = 1;
    for (; isdigit((unsigned char)**at); ++*at)
        value = value * 10 + (**at - '0');
    if (**at != '.')
        return value;
    for (++*at; isdigit((unsigned char)**at); ++*at)
        value += (**at - '0') * (place /= 10);
    return value;
}

static bool read_bytes(const char **at, double *bytes)
{
    *bytes = read_decimal(at);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t length = strlen(units[i].name);
        if (strncmp(*at, units[i].name, length) != 0)
            continue;
        *bytes *= units[i].bytes;
        *at += length;
        return *bytes >= 1 && *bytes <= 1e15;
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

bool sl_clock_rate_check(const char *rows, char *row, size_t size)
{
    struct row read;
    const char *at, *end;
    while ((at = next_row(&rows, &end)))
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
    if (row->bytes > 0) { /* in thousandths of a packet: nobody measures more exactly */
        double per_cycle = row->bytes / (clock_mhz * 1e6) / ring->packet_bytes;
        rate.packets = 1000;
        rate.cycles = (uint64_t)(1000 / per_cycle + 0.5);
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
        if (read_row(at, end, &row) && is_about(&row, ring) && (clock_mhz || row.bytes <= 0))
            return convert(&row, ring, clock_mhz);
    return (struct sl_clock_rate){0};
}
