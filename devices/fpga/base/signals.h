/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a handler of the application could run at all. While one of its threads is on a kernel's
 * stack handlers must not: some look at the stack they run on (garbage collectors scan it). To
 * block them costs two system calls, several times what a short visit takes otherwise, and is in
 * vain in a process that catches nothing.
 */
#ifndef SL_FPGA_SIGNALS_H
#define SL_FPGA_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

/* Of the whole process. Asks the system now and then, when calls come often enough to be worth it,
 * and says true where it does not know. Any thread. */
bool sl_signals_caught(uint64_t now_ns);

#endif
