/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between the streams of I/O pipes and libraries that move bytes to other processes, which are
 * loaded when a row of SLUICE_FPGA_IO names one: libsluice-io-NAME.so, beside libsluice.so or in
 * the folder sluice there. An end belongs to one thread at a time; while that waits in `wait`, or
 * for what `idle` says, another one may read or write.
 */
#ifndef SL_DEVICES_FPGA_ENGINE_H
#define SL_DEVICES_FPGA_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SL_ENGINE_ABI = 4, SL_ENGINE_WORD = 4096 };

enum {
    SL_ENGINE_LATER = 0,  /* nothing can move now: wait */
    SL_ENGINE_GONE = -1,  /* the peer has gone, another one may come */
    SL_ENGINE_ENDED = -2, /* nothing will ever move again */
};

struct sl_engine_end;

struct sl_engine_pipe {
    const char *target;
    bool input, listen;
    uint32_t packet_bytes;
    uint64_t depth; /* packets */
    /* Where the ring of the pipe has its packets, whole pages: number n is at n % slot_count. The
     * end may have other memory there, with the same packets in it, and leaves that behind when it
     * is closed. NULL: this is none of its business. */
    void *slots;
    uint64_t slot_count;
};

/* What may be NULL is not for everybody to have. */
struct sl_engine {
    uint32_t abi;
    /* One end of the pipe, the reader's if it is an input; waits for nobody. NULL: `why` tells. */
    struct sl_engine_end *(*open)(const struct sl_engine_pipe *, char *why, size_t why_bytes);
    void (*close)(struct sl_engine_end *);
    /* How many of the bytes, at least one, or one of the above. What was written and could not be
     * delivered is told by `undelivered`. */
    ptrdiff_t (*write)(struct sl_engine_end *, const void *from, size_t bytes);
    ptrdiff_t (*read)(struct sl_engine_end *, void *to, size_t bytes);
    /* Until something may move, `stop` is readable (false) or so many milliseconds are over (-1:
     * never). */
    bool (*wait)(struct sl_engine_end *, int stop, int ms);
    bool (*has_peer)(struct sl_engine_end *);        /* as far as that is known */
    uint64_t (*undelivered)(struct sl_engine_end *); /* bytes written that no peer has taken yet */
    /* Input: of the bytes that were read so many are in the pipe, and no kernel has read them. May
     * be NULL. */
    void (*unread)(struct sl_engine_end *, uint64_t bytes);
    /* Nothing is read or written for a while: a descriptor that is readable when this wants to be
     * called again, which it does as well when *ms are over (-1: never). May be NULL. */
    int (*idle)(struct sl_engine_end *, int *ms);
    /* What was written goes on only if this is called again: `write`, `wait` or `idle`. May be
     * NULL: nobody but the thread of the end is to use it. */
    bool (*busy)(struct sl_engine_end *);
    /* Output: nothing more is written. What `undelivered` would say, for good. May be NULL. */
    uint64_t (*part)(struct sl_engine_end *);
    /* Why nobody is there, if more is known than that. May be NULL. */
    bool (*trouble)(struct sl_engine_end *, char *text, size_t bytes);
    /* Words for whoever is at the other end, beside the packets, of at most SL_ENGINE_WORD bytes:
     * the last one counts, one may get lost. Of any one thread at a time. All may be NULL. */
    void (*tell)(struct sl_engine_end *, const void *word, size_t bytes);
    size_t (*hear)(struct sl_engine_end *, void *word, size_t bytes); /* how many; 0: none */
    void (*name_self)(char *name, size_t bytes); /* as others know this process */
};

/* The one symbol of such a library. `flush` writes what I/O pipes of the process still have; before
 * the library takes down what it moves bytes by, as the process exits, it calls that. NULL: `why`.
 */
typedef const struct sl_engine *sl_engine_entry(void (*flush)(void), char *why, size_t why_bytes);
#define SL_ENGINE_SYMBOL "sluice_io_engine"

/* Loads it, once; any thread. NULL: `why` tells. */
const struct sl_engine *sl_engine_load(const char *name, void (*flush)(void), char *why,
                                       size_t why_bytes);

#endif
