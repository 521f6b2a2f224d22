/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the I/O ends of pipes are joined to: SLUICE_FPGA_IO. Rows separated by ';' or newlines,
 *
 *     NAME=KIND:TARGET[,OPTION...]      # to the end of the line: a comment
 *
 * or @FILE with such rows. NAME is what __attribute__((io("NAME"))) says, or a number.
 *
 *     file:PATH            read to its end once, or written anew; options: append, loop (reading:
 *                          start again at the end), follow (reading: wait at the end for more, and
 *                          for the file; it may be replaced)
 *     fifo:PATH            a named pipe
 *     unix:PATH            a Unix stream socket; option listen: wait there instead of connecting
 *     tcp:HOST:PORT        the same for TCP; an empty HOST is this machine
 *     pipe:NAME            what the I/O pipe NAME of the same device writes
 *     shm:KEY              a ring in shared memory, which a pipe of this or another process of this
 *                          machine has under the same KEY (shm_ring.h)
 *     mpi:RANK[,TAG]       a pipe of that rank of the MPI job
 *     ucx:HOST:PORT        a pipe of another process, by UCX; option listen, as with tcp
 *     null:                nothing to read; what is written is dropped
 *
 * A row files:FOLDER binds each name that no other row does to the file of that name in FOLDER
 * (empty: the working directory) with append and follow, or to a named pipe that is there.
 *
 * Commas may be in a path, but what looks like an option at its end (letters only) is one, unless
 * there is such a file.
 */
#ifndef SL_DEVICES_FPGA_IO_BINDING_H
#define SL_DEVICES_FPGA_IO_BINDING_H

#include <stdbool.h>
#include <stddef.h>

enum sl_io_kind {
    SL_IO_FILE,
    SL_IO_FIFO,
    SL_IO_UNIX,
    SL_IO_TCP,
    SL_IO_PIPE,
    SL_IO_SHM,
    SL_IO_MPI,
    SL_IO_UCX,
    SL_IO_NULL
};

struct sl_io_binding {
    char *name, *target; /* owned */
    char *row;           /* owned: as it was written */
    enum sl_io_kind kind;
    bool append, loop, follow, listen;
    bool late; /* what kernels read is opened when the first of the program is launched */
};

struct sl_io_bindings {
    struct sl_io_binding *rows; /* owned */
    size_t count;
    char *folder;     /* owned: of the row files:; NULL: there is none */
    bool starved;     /* it could not be read for want of memory or descriptors: rows are missing */
    char fault[2048]; /* what is wrong with the setting, a line for each row; "" if nothing */
};

/* Reads the setting (NULL or empty: no rows). A fault names its row, and the others stay. */
void sl_io_bindings_read(struct sl_io_bindings *, const char *setting);
/* Binds the name by the row files: if there is one, nothing else does, and it is the plain name of
 * a file. Pointers to rows do not last. */
void sl_io_bindings_cover(struct sl_io_bindings *, const char *name);
void sl_io_bindings_finish(struct sl_io_bindings *);
/* Why nothing can come from there, or go there, as things are now: in `why`, false; else true.
 * Nothing is opened. */
bool sl_io_binding_check(const struct sl_io_binding *, bool input, char *why, size_t bytes);
/* NULL when the name is not bound. */
const struct sl_io_binding *sl_io_binding_of(const struct sl_io_bindings *, const char *name);
/* Something is joined to the name: a row binds it, or reads what it writes. */
bool sl_io_is_bound(const struct sl_io_bindings *, const char *name);
/* Some row reads what the I/O pipe `name` writes (pipe:NAME). */
bool sl_io_is_source(const struct sl_io_bindings *, const char *name);

#endif
