/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nothing on the device can move although the host waits: found out, explained, reported. On the
 * watch's thread.
 */
#ifndef SL_FPGA_STALL_H
#define SL_FPGA_STALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sl_fiber;
struct sl_machine;

struct sl_stall {
    uint32_t activity;  /* of the machine when the look began */
    uint32_t told;      /* what it was at the last report */
    uint64_t signature; /* of what stood still then */
    bool any_told;
};

/* It may be so: launches of kernels with pipes are parked and the host waits. */
bool sl_stall_possible(struct sl_machine *, const struct sl_stall *);
void sl_stall_begin(struct sl_machine *, struct sl_stall *);
/* Some time later. True: look again after as long; false: told, or not so. */
bool sl_stall_check(struct sl_machine *, struct sl_stall *);

/* ---- what a report is made of -------------------------------------------------------------- */

struct sl_stall_row {
    struct sl_fiber *fiber;
    int32_t next; /* row of a kernel instance it waits for, -1: there is none */
    bool outside; /* it waits for the host or I/O, itself or by way of others */
    bool in_cycle;
};

struct sl_stall_rows {
    struct sl_stall_row *at; /* owned; fibers that wait or poll in vain */
    uint32_t count, capacity;
    int32_t cycle; /* a row of one, -1: none found */
};

/* Finds who waits for whom. Nothing may run meanwhile. 0 or an error. */
int sl_stall_link(struct sl_stall_rows *);
/* stall_text.c: the report, in memory from malloc; 0 or an error. */
int sl_stall_text(const struct sl_stall_rows *, char **text, char **json);

#endif
