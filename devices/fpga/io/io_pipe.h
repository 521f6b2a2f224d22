/* SPDX-License-Identifier: Apache-2.0 */
/*
 * I/O pipes: a thread per pipe moves packets between its ring and the stream that SLUICE_FPGA_IO
 * binds its name to. The thread is the foreign end of the pipe and uses it as a host would.
 *
 * Input: packets are taken as they arrive, up to what the pipe has room for; the rest waits
 * outside. Bytes of a packet that its connection did not finish are dropped and logged. When there
 * will never be more the pipe stays empty. Output: written at once; what does not fit waits in the
 * pipe. A launch ends when what it has written has left the pipe, or waits for a peer; what cannot
 * be written is its error. When the program goes, or the process exits, what is still in the pipe
 * is written, and a named pipe without a reader waits for one, for a fifth of a second at most;
 * what is lost then is counted. What is wrong is said by default, once.
 */
#ifndef SL_DEVICES_FPGA_IO_H
#define SL_DEVICES_FPGA_IO_H

#include <stdbool.h>
#include <stddef.h>

#include "sluice/device.h"

struct sl_io;          /* what the programs of a device have in common */
struct sl_io_bindings; /* of one program */
struct sl_io_end;      /* one pipe's */
struct sl_design;

/* Joins the pipe to what its name is bound to and starts the thread; where peers are waited for,
 * they can connect when this returns. Where the name is not bound nothing ever comes or goes, and
 * *out is NULL unless there may be packets to count. The bindings outlive the end, the design too.
 */
int sl_io_attach(struct sl_io *, const struct sl_io_bindings *, struct sl_design *,
                 struct sl_pipe *, const struct sl_pipe_info *, struct sl_io_end **out);
/* A kernel of the program is launched: files that are opened late are opened now.
 * NULL is a no-op. */
void sl_io_use(struct sl_io_end *);
/* The thread is to end: output has a fifth of a second from now. NULL is a no-op. */
void sl_io_stop(struct sl_io_end *);
void sl_io_detach(struct sl_io_end *); /* stops it and waits for that; NULL is a no-op */

/* ---- words for the other end, beside the packets --------------------------------------------- */

/* They are carried; of the watch, while it has the kernel's cluster. */
bool sl_io_has_words(const struct sl_io_end *);
bool sl_io_is_input(const struct sl_io_end *);
void sl_io_tell(struct sl_io_end *, const void *word, size_t bytes);
/* The last one of whoever is there now, 0: there is none. */
size_t sl_io_hear(struct sl_io_end *, void *word, size_t bytes);
/* As others know this process. */
void sl_io_name_self(struct sl_io_end *, char *name, size_t bytes);

/* ---- launches that have written (io_debt.c) -------------------------------------------------- */

struct sl_fiber;
struct sl_io_debt;

/* A launch whose kernel has returned, on the thread of its cluster: what it has written has to
 * leave first. NULL: it has written to no I/O pipe, or no memory was left, and the caller reports
 * it. */
struct sl_io_debt *sl_io_debt_make(const struct sl_fiber *);
/* The fiber is put back: the launch is reported now, or when its packets have left. */
void sl_io_debt_leave(struct sl_io_debt *);

#endif
