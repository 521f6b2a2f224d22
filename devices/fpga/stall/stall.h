/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Something on the device cannot move although the host waits: found out, explained, reported. On
 * the watch's thread.
 */
#ifndef SL_FPGA_STALL_H
#define SL_FPGA_STALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/device.h"

struct sl_cluster;
struct sl_design;
struct sl_fiber;
struct sl_machine;
struct sl_pipe;
struct sl_pipe_ring;
struct sl_shm_hop;

struct sl_stall {
    uint32_t look;     /* number of the last one */
    uint32_t episode;  /* of the host's waiting; from 1 */
    bool settled;      /* another look could find nothing else until there is activity */
    uint32_t activity; /* of the machine at the last look */
    uint32_t asks;     /* of the host at the last look */
    uint32_t asked;    /* looks before which it had asked: bit 0 is the last one */
    bool roused;       /* what was held back has been started */
    uint32_t expected; /* the last look at which something moved, or was known to come */
};

/* Looks are the stall time divided by that apart. What has not moved for as many is still. */
enum { SL_STALL_LOOKS = 2 };
/* So many times the stall time a kernel computes or polls memory before that is told. */
enum { SL_STALL_LONG = 20 };

/* It may be so: there are launches of kernels with pipes, or transfers, and the host waits. */
bool sl_stall_possible(struct sl_machine *, const struct sl_stall *);
/* The host waits, or asks, since now: what was seen before does not count. */
void sl_stall_begin(struct sl_machine *, struct sl_stall *);
/* Reports what is still and without hope. True: look again. */
bool sl_stall_look(struct sl_machine *, struct sl_stall *);

/* The thread of a machine's watch (cluster/watch.h), which is the only one that looks. */
void *sl_watch_main(void *watch);

/* ---- what a report is made of ---------------------------------------------------------------- */

enum sl_hope {
    SL_HOPE_NONE,
    SL_HOPE_OUTSIDE, /* it waits for the host or I/O, itself or by way of others */
    SL_HOPE_MOVES,   /* it moves, or waits for one that does */
};

/* A kernel instance, a transfer of the host, or a pipe that the host asks in vain. */
struct sl_stall_row {
    struct sl_fiber *fiber;         /* NULL: the host */
    struct sl_pipe *transfer;       /* NULL: a kernel */
    bool asked;                     /* transfer is a pipe that is asked in vain */
    const struct sl_design *design; /* NULL in unit tests of the parts */
    struct sl_pipe_ring *ring;      /* where it waits or polls in vain; NULL: neither */
    unsigned op;                    /* enum sl_pipe_op, there */
    enum sl_hope hope;
    bool lacks; /* a kernel that is not running could help, or the host */
    bool told;  /* part of the report */
    bool in_cycle;
    int32_t next;       /* row of a kernel instance it waits for, -1: there is none */
    int32_t behind;     /* row whose end a launch waits for that could help this one, -1: none */
    bool in_order;      /* because both are in one in-order queue */
    uint32_t hop_count; /* a cycle over other processes leads back to it; 0: none is known */
    const struct sl_shm_hop *hops; /* in sl_stall_rows.hops: of that */
    uint32_t still;                /* looks */
};

struct sl_stall_rows {
    struct sl_stall_row *at; /* owned */
    struct sl_shm_hop *hops; /* owned; NULL: there are none */
    uint32_t count, capacity;
    int32_t cycle;             /* a row of one, -1: none found */
    bool hopes_host, hopes_io; /* a row waits for the host's end of a pipe; for I/O */
    bool hopes_peer;           /* for I/O where nobody is, which it does for a while */
    bool hopes_process;        /* for another process that may tell where it waits */
    uint32_t peer_times;       /* the stall time, until it does not any more: given */
    uint64_t now_ns;           /* given */
    bool host_idle;            /* no thread of the application could act: given */
    /* for the text */
    enum sl_outlook outlook; /* NOBODY where it was of no importance */
    bool peers;              /* `times` is what peers were given */
    uint32_t times;          /* the stall time, until it was said */
    uint64_t stall_ms;
    bool ends; /* the launches end */
};

/* Of kernels at rings that processes share, and at pipes by libraries: tells other processes where
 * they wait, and finds those that wait for themselves by way of others. Before rows are linked. */
void sl_stall_join(struct sl_machine *, struct sl_stall_rows *);
/* The row of a kernel instance at the other end of the pipe where that row waits; -1. */
int32_t sl_stall_peer_of(const struct sl_stall_rows *, uint32_t row);
/* The kernel may do such operations on the ring. */
bool sl_stall_uses(const struct sl_fiber *, const struct sl_pipe_ring *, unsigned op);
/* Finds who waits for whom: fills in hope, lacks and next. Nothing may run meanwhile. 0 or an
 * error. */
int sl_stall_link(struct sl_stall_rows *);
/* The work, were it started, could move a row that stands still. */
bool sl_stall_helps(const struct sl_stall_rows *, const struct sl_work *);
/* The same of one row. */
bool sl_stall_helps_row(const struct sl_stall_row *, const struct sl_work *);
/* A cycle of the rows to be told. */
void sl_stall_find_cycle(struct sl_stall_rows *);
/* The rows to be told, in memory from malloc; `all`: nothing else moves. Names of C++ are written
 * in the words as the program has them where the process can read them. 0 or an error. */
int sl_stall_text(const struct sl_stall_rows *, bool all, char **text, char **json);
/* Such names in the text; it stays as it is where nobody can read them. */
void sl_stall_name(char **text);
/* Profiles of the programs whose rows are told: count what those still wait for, and keep the
 * report; are written as things stand, since who finds that nothing moves may end the process. */
void sl_stall_profile(const struct sl_stall_rows *, const char *text, const char *json);
void sl_stall_write_profiles(const struct sl_stall_rows *);
/* The same of a program with kernels in a cluster where one computes, which goes on meanwhile: what
 * others there wait for is not counted. Not profiled: no-ops. */
void sl_stall_profile_silence(const struct sl_design *, const struct sl_cluster *, const char *text,
                              const char *json);
void sl_stall_write_profile(const struct sl_design *);

#endif
