/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of memory that another core wrote or read last, asked for before they are needed. */
#ifndef SL_FPGA_FETCH_H
#define SL_FPGA_FETCH_H

#include <stdbool.h>

enum { SL_LINE = 64 };

/* `write`: to own it, which a processor that cannot be asked for that ignores. */
static inline void sl_fetch_line(const void *at, bool write)
{
#if defined(__x86_64__)
    if (write) {
        __asm__ volatile("prefetchw (%0)" : : "r"(at));
        return;
    }
#endif
    if (write)
        __builtin_prefetch(at, 1, 3);
    else
        __builtin_prefetch(at, 0, 3);
}

#endif
