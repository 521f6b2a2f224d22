/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nothing on the device can move although the host waits: found out, explained, reported. Of the
 * watch's thread.
 */
#ifndef SL_FPGA_STALL_H
#define SL_FPGA_STALL_H

#include <stdbool.h>
#include <stdint.h>

struct sl_machine;

struct sl_stall {
    uint32_t activity; /* of the machine when the look began */
    uint32_t told;     /* what it was at the last report */
    bool any_told;
};

/* It may be so: work of kernels with pipes is parked and the host waits. */
bool sl_stall_possible(struct sl_machine *, const struct sl_stall *);
void sl_stall_begin(struct sl_machine *, struct sl_stall *);
/* Some time later. True: look again after as long; false: told, or not so. */
bool sl_stall_check(struct sl_machine *, struct sl_stall *);

#endif
