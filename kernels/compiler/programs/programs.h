/* SPDX-License-Identifier: Apache-2.0 */
/* The two programs that are one file, since most of it is LLVM: which one runs says its name. */
#ifndef SL_KERNELS_PROGRAMS_H
#define SL_KERNELS_PROGRAMS_H

/* What the driver starts. */
int sl_server_main(int argc, char **argv);

/* sluicec */
#define SL_OFFLINE_NAME "sluicec"
int sl_offline_main(int argc, char **argv);

#endif
