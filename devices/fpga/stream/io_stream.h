/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The outside end of an I/O pipe as a stream of bytes: opened, connected and connected again as its
 * binding says. A stream belongs to one thread; `stop` is a descriptor that becomes readable when
 * the thread has to leave whatever it waits for.
 */
#ifndef SL_DEVICES_FPGA_IO_STREAM_H
#define SL_DEVICES_FPGA_IO_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fpga/stream/io_binding.h"

struct sl_engine;
struct sl_engine_end;

struct sl_io_stream {
    const struct sl_io_binding *binding; /* borrowed */
    bool input;                          /* kernels read what comes from outside */
    int stop;                            /* borrowed */
    int fd, listener;                    /* owned; -1 */
    int watch;                           /* owned; -1: of a file that is followed */
    bool fd_shared;                      /* pipe: another owns the descriptor */
    bool ended;                          /* input: there will never be more */
    bool replaced;        /* input: the name means another file; `fd` is read to its end before */
    uint64_t connections; /* made so far */
    int error;            /* errno of what went wrong last, 0 */
    size_t done;          /* output: written of the bytes that were interrupted */
    uint64_t sent, taken; /* output: bytes sent over this connection; of them known to be taken */
    bool alone;           /* output: nobody is there, which was told */
    bool told;            /* by an engine: that it waits */
    /* Told, on the stream's thread; NULL: nobody. It is going to wait for something outside, and
     * `error` says why if that is no peer's doing. */
    void (*waits)(void *data);
    /* A connection has ended, of whose bytes at least `least` and at most `most` were not taken. */
    void (*lost)(void *data, uint64_t least, uint64_t most);
    /* Output: nobody is there to take anything, or there is again. */
    void (*peer)(void *data, bool there);
    /* Of a shared descriptor, asked: somebody reads at its other side. */
    bool (*is_read)(void *data);
    /* Instead of engine->wait, which it may call; NULL: nobody. False: stop. What is read or
     * written may have changed hands meanwhile. */
    bool (*rests)(void *data);
    /* Input: bytes of the pipe that no kernel has read yet; NULL: nobody knows. */
    uint64_t (*unread)(void *data);
    char trouble[200];                /* what a library says of SL_IO_NO_ENGINE */
    const struct sl_engine *engine;   /* of rows that want one (io_engine.h); NULL */
    struct sl_engine_end *engine_end; /* owned */
    void *data;
};

enum sl_io_result {
    SL_IO_STOPPED = -1, /* the stop descriptor is readable */
    SL_IO_ENDED = 0,    /* input: no more for ever; output: cannot be written */
    SL_IO_SOME = 1,
    SL_IO_WAITED = 2, /* output that `rests`: it may have changed hands, and is to be looked at */
};

/* Waits for nothing. `pair_end` is this end of an OS pipe, for bindings to another I/O pipe; else
 * -1. */
void sl_io_stream_init(struct sl_io_stream *, const struct sl_io_binding *, bool input, int stop,
                       int pair_end);
void sl_io_stream_finish(struct sl_io_stream *);

/* Opens the port or the socket file of a stream that waits for peers, who can connect from then on.
 * What fails is in `error`; where a name that is looked up is not known within a second that goes
 * on with the first that wants to read or write, who tells also what fails. */
void sl_io_stream_listen(struct sl_io_stream *);

/*
 * At least one byte, at most `bytes`, in *got; none if it has waited (`rests`). When a connection
 * ended and another began, *fresh is set: what was read before belongs to nothing that follows.
 */
enum sl_io_result sl_io_stream_read(struct sl_io_stream *, void *to, size_t bytes, size_t *got,
                                    bool *fresh);
/* All of `bytes`, a whole number of packets; a packet that a broken connection cut in two is sent
 * again, whole, to the next. After SL_IO_STOPPED the call is repeated with the same bytes: it goes
 * on where it was. */
enum sl_io_result sl_io_stream_write(struct sl_io_stream *, const void *from, size_t bytes,
                                     size_t packet_bytes);

/* Output is complete: a file is closed, errors that only show then are in `error`. Whether the peer
 * has gone is looked at once more. A named pipe is left to its readers. Waits for one if there is
 * none; the bytes that are lost if it is closed without. */
size_t sl_io_stream_leave(struct sl_io_stream *);

#endif
