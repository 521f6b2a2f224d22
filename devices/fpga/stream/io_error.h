/* SPDX-License-Identifier: Apache-2.0 */
/* What went wrong outside, in words. Any thread. */
#ifndef SL_DEVICES_FPGA_IO_ERROR_H
#define SL_DEVICES_FPGA_IO_ERROR_H

#include <stddef.h>

/* In place of an errno: what a row names is no host or no service; that is not known yet, because
 * who knows names has not answered, or is not to be reached now; it is a ring that cannot be
 * joined; what moves the bytes is not there, or no more. */
enum { SL_IO_UNKNOWN_NAME = -1, SL_IO_NO_ANSWER = -2, SL_IO_NO_RING = -3, SL_IO_NO_ENGINE = -4 };

/* "No space left on device (ENOSPC)", into `text`, which is returned. */
const char *sl_io_error_text(int error, char *text, size_t bytes);

#endif
