/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a caller of an entry point can be: it has next to no stack, or floating-point exceptions
 * that trap and another rounding. A second build of the library (CMakeLists.txt) has the same entry
 * points behind sl_probe(), so that every suite shows what is wrong.
 *
 * SLUICE_PROBE=stack:BYTES  the call runs on a painted stack; one that used more of it ends the
 *                           process, naming the entry point. SLUICE_PROBE_LOG=1: stderr has what
 * each has used at the end of the process. SLUICE_PROBE=floats       every floating-point exception
 * traps, rounding is upward, and both must be so afterwards.
 */
#ifndef SLUICE_PROBE_H
#define SLUICE_PROBE_H

void sl_probe(const char *name, void (*call)(void *), void *args);

#endif
