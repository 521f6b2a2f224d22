/* SPDX-License-Identifier: Apache-2.0 */
/* What is at the other side of a stream: waiting for it, finding it, opening and connecting. Of the
 * stream's thread. */
#ifndef SL_DEVICES_FPGA_IO_OPEN_H
#define SL_DEVICES_FPGA_IO_OPEN_H

#include "fpga/stream/io_stream.h"

enum { SL_IO_RETRY_MS = 50 }; /* between two attempts to reach a peer that is not there */

bool sl_io_is_socket(const struct sl_io_stream *);
/* Of a descriptor; -1: only for the time. 1: ready, 0: time is up, -1: stop. */
int sl_io_wait_for(const struct sl_io_stream *, int fd, short events, int timeout_ms);
/* Whether somebody is there to take output, if that is news. */
void sl_io_note_peer(struct sl_io_stream *, bool there);
/* Tries until there is something to read from or write to, if that is not open. */
enum sl_io_result sl_io_open(struct sl_io_stream *);

#endif
