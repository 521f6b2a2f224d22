/* SPDX-License-Identifier: Apache-2.0 */
/* Streams whose bytes a library moves (engine.h), as io_stream.h has them; of the stream's thread,
 * but for the first two. */
#ifndef SL_DEVICES_FPGA_IO_ENGINE_H
#define SL_DEVICES_FPGA_IO_ENGINE_H

#include "fpga/stream/io_stream.h"

struct sl_engine_pipe;

/* The row is served by such a library. */
bool sl_io_has_engine(const struct sl_io_binding *);
/* How many slots the ring of a pipe should have, in pages of its own, for that library to use them;
 * 0: it has no use for them. */
uint64_t sl_io_engine_slots(const struct sl_io_binding *, const struct sl_engine_pipe *);
/* Loads the library and opens the end of a pipe, before the thread begins: peers find it from then
 * on, and what the library starts it starts on the thread of the application. What the
 * binding says of it is not looked at. False: `why` tells, and the stream has ended. */
bool sl_io_engine_open(struct sl_io_stream *, const struct sl_engine_pipe *, void (*flush)(void),
                       char *why, size_t why_bytes);

enum sl_io_result sl_io_engine_read(struct sl_io_stream *, void *to, size_t bytes, size_t *got,
                                    bool *fresh);
enum sl_io_result sl_io_engine_write(struct sl_io_stream *, const void *from, size_t bytes,
                                     size_t packet_bytes);
/* Nothing is read or written for a while: a descriptor that is readable when this is to be called
 * again, or -1; the same when *ms are over, unless it is -1. */
int sl_io_engine_idle(struct sl_io_stream *, int *ms);
/* Input: nothing more is read, and kernels read no more of it. */
void sl_io_engine_end_input(struct sl_io_stream *);
/* As sl_io_stream_leave(). */
size_t sl_io_engine_leave(struct sl_io_stream *);

#endif
