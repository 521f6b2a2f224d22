/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that others write, cut and replace while they are read or written (the option follow).
 * No state: each descriptor belongs to who opened it.
 */
#ifndef SL_DEVICES_FPGA_IO_FOLLOW_H
#define SL_DEVICES_FPGA_IO_FOLLOW_H

#include <stdbool.h>

/* A descriptor that becomes readable when the file changes, or a file comes into being in its
 * folder; there need be no file yet. -1 where none can be had, so that nobody relies on it alone.
 */
int sl_io_follow_watch(const char *path);
/* What the watch has to tell is taken note of. */
void sl_io_follow_seen(int watch);

/* `path` still leads to the file behind `fd`. */
bool sl_io_follow_is_there(int fd, const char *path);
/* The file behind `fd` has become shorter than what was read of it: it begins anew. */
bool sl_io_follow_rewind(int fd);

#endif
