/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The addresses behind HOST:PORT. Numbers are understood at once. Names are looked up by the C
 * library, which nobody can stop: by a thread of its own, which is left to itself when whoever
 * wanted the answer has gone. It has its own memory, and its code stays mapped
 * (driver/base/thread/pin.h). Who asks for a name that is being looked up waits for the same
 * answer, so that no more such threads can be left than names, and only so many at all. Any thread.
 */
#ifndef SL_DEVICES_FPGA_IO_LOOKUP_H
#define SL_DEVICES_FPGA_IO_LOOKUP_H

#include <sys/socket.h>

struct sl_io_place {
    struct sockaddr_storage address;
    socklen_t bytes;
};

enum { SL_IO_PLACES = 8 };

enum {
    SL_IO_LOOKUP_LATE = 0,
    SL_IO_LOOKUP_FAILED = -1, /* errno tells why: also the rows of io_error.h */
    SL_IO_LOOKUP_STOPPED = -2,
};

/* HOST:PORT, [HOST]:PORT for addresses with colons; :PORT is this machine. How many there are, IPv4
 * first; or one of the above: it did not come within `ms` (-1: for ever), or `stop` is readable. */
int sl_io_lookup(const char *target, int stop, int ms, struct sl_io_place places[SL_IO_PLACES]);

#endif
