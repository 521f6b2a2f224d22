/* SPDX-License-Identifier: Apache-2.0 */
/*
 * aocl library: libraries for aoc -l. Of a component in RTL only the C model counts, which its
 * description names for emulation.
 */
#ifndef SL_KERNELS_AOC_LIBRARY_H
#define SL_KERNELS_AOC_LIBRARY_H

/* The words behind "library", NULL behind the last: hdl-comp-pkg FILE.xml, ocl-comp-pkg FILE.cl or
 * create [-name NAME] FILE.aoco..., each with -o. 0, or 1 after saying why not. */
int sl_aoc_library(char **args);

#endif
