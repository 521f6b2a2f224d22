/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Until when the host may know what has ended, for devices that keep a trace of a design
 * (commands/queue/command_heard.h). Off, unless SLUICE_FPGA_TRACE is set. Any thread.
 */
#ifndef SL_DRIVER_BASE_HEARD_H
#define SL_DRIVER_BASE_HEARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

extern atomic_bool sl_hears; /* it is on, or nobody has read the setting so far */
bool sl_heard_is_wanted(void);
void sl_heard_raise(_Atomic uint64_t *time, uint64_t to);
uint64_t sl_heard_ns(void);
void sl_heard_note(void);

/* A call has told the application that something has ended, or may tell it what ended before. */
static inline void sl_heard_now(void)
{
    if (atomic_load_explicit(&sl_hears, memory_order_relaxed))
        sl_heard_note();
}

#endif
