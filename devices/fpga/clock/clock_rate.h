/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast the outside is at its end of a pipe, as SLUICE_FPGA_RATES says (docs/timing.md): rows
 * NAME=PACKETS/CYCLES, or NAME=NUMBER and a unit of bytes a second, and behind that +LATENCY. A
 * pure function of its text.
 */
#ifndef SL_FPGA_CLOCK_RATE_H
#define SL_FPGA_CLOCK_RATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sl_module_info;
struct sl_pipe_ring;

/* Cycles are exact numbers, of which the outside moves one in `packets` parts of `cycles`. */
struct sl_clock_rate {
    uint64_t packets, cycles; /* so many in so many; no packets: as fast as anybody asks */
    uint64_t latency;         /* cycles before the first */
};

/* What the rows say about a pipe: by its name, or that of its I/O peripheral; by "host" or "io"; by
 * "*". The first that fits. All zero: none does, or there are no rows. `clock_mhz`: what bytes a
 * second are converted with. */
struct sl_clock_rate sl_clock_rate_find(const char *rows, const struct sl_pipe_ring *,
                                        uint32_t clock_mhz);
/* From *rows on, the next row that cannot be meant: it is copied to `row`, and *rows stands behind
 * it; false: there is none. */
bool sl_clock_rate_check(const char **rows, char *row, size_t size);
/* From *rows on, the next row about a pipe, or an I/O peripheral, that the program does not have:
 * its name is copied to `name`, and *rows stands behind it; false: there is none. */
bool sl_clock_rate_unknown(const char **rows, const struct sl_module_info *, char *name,
                           size_t size);

#endif
