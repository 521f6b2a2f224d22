/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An end of an I/O pipe by UCX, for the files that make it up: ucx_engine.c (what streams call),
 * ucx_link.c (the connection), ucx_input.c (what a reader has received), ucx_memory.c and
 * ucx_shared.c (memory that both have), ucx_place.c (and their pipes as well), ucx_word.c (what the
 * two ends tell each other), ucx_process.c (UCX in this process).
 *
 * Each end has a worker, and `lock` guards all of it: the stream's thread, the watch and the exit
 * of the process use it. Packets go one way, as a UCX stream or, within one machine, by memory that
 * both ends have. Both ways go words, which are active messages: the writer hears how far the
 * reader's kernels are and keeps what they have not read, at most `window` bytes, so that it can be
 * sent to a successor of that reader. Positions are bytes of what the writer's kernels have written
 * since it was opened; each connection's stream begins with the position of what follows.
 */
#ifndef SL_DEVICES_UCX_END_H
#define SL_DEVICES_UCX_END_H

#include <pthread.h>
#include <stdatomic.h>
#include <ucp/api/ucp.h>

#include "fpga/stream/engine.h"

enum { UCX_MOST_OFFER = 512, UCX_MOST_WAITING = 8, UCX_NEWS = SL_ENGINE_WORD, UCX_RETRY_MS = 50 };

enum ucx_word_kind {
    UCX_HELLO = 1,
    UCX_TAKEN,
    UCX_BYE,
    UCX_NEWS_OF,
    UCX_OFFER,  /* a writer's: its memory, which the reader answers: */
    UCX_SHARE,  /* a reader's: it reads that, */
    UCX_STREAM, /* or it cannot */
    UCX_MORE,   /* a writer's: there is something in it */
};

/* Memory that processes of this machine share; zeroed: none. */
struct ucx_memory {
    void *at;
    size_t bytes;
    int fd; /* a maker's */
    bool made;
};

/* Where another process finds it. */
struct ucx_place {
    int64_t process, fd;
    uint64_t device, inode;
};

enum ucx_sharing { UCX_APART, UCX_OFFERED, UCX_SHARED };

struct ucx_word {
    uint32_t magic, kind;
    uint32_t packet_bytes, input; /* hello */
    uint64_t self, peer;          /* hello: who it is; a reader's: whose packets it read last */
    uint64_t arrived, used;       /* of a reader: in its pipe; read by its kernels */
};

/* Bytes of the stream that came when nobody had room for them, from `first` to `last`. UCX's own
 * buffers are few, and by shared memory what arrives without one is lost: none of them is kept. */
struct ucx_rest {
    char *at; /* owned */
    size_t first, last, capacity;
};

struct sl_engine_end {
    pthread_mutex_t lock;
    struct sl_engine_end *next, *previous; /* ucx_process.c */
    ucp_worker_h worker;
    int wakeup; /* readable when there is something to do: UCX's, of whichever worker it is */
    char *target;
    bool input, listen;
    bool over;     /* the process exits: UCX may be gone */
    bool refused;  /* for ever: `trouble` says why */
    uint64_t self; /* no other end has it */
    size_t packet_bytes;
    atomic_uint idle;  /* looks in vain */
    char trouble[200]; /* "": there is none */

    ucp_listener_h listener;
    ucp_conn_request_h waiting[UCX_MOST_WAITING]; /* peers that are not let in yet */
    unsigned waiting_count;
    uint64_t retry_ns; /* when to connect again */
    unsigned retry_place;
    ucp_ep_h ep; /* NULL: no connection */
    bool broken; /* it has ended */
    bool spoilt; /* the worker: a peer that was killed may have left half of something there */
    bool joined; /* the peer has said who it is */
    bool said_bye, heard_bye;
    unsigned sends; /* under way */
    unsigned hurry; /* looks for what the two ends first say to each other */

    uint64_t arrived, used; /* of packets at the reader: in its pipe; read by its kernels */
    enum ucx_sharing sharing;
    struct ucx_memory memory; /* a writer's own, or a reader's: its writer's */
    struct ucx_board *board;  /* which begins it; NULL: there is none */
    /* The pipe's ring, of `slot_bytes`; NULL: it is not for us. In place: it is a writer's `kept`,
     * which both have at two addresses, and `kept` begins at `shift` there. */
    char *slots;
    size_t slot_bytes, shift;
    bool in_place, copies; /* copies: this connection has no place there */
    char *kept; /* a writer's: a ring of `window` bytes from `first` to `written`; a reader's: its
                   writer's, while that is shared */
    size_t window;
    /* writer */
    ucp_mem_h page; /* owned: by which a reader finds out whether it can share; NULL */
    uint64_t page_at;
    uint64_t first, sent, written;
    size_t spare;   /* of `kept`, where the kernel may write meanwhile */
    uint64_t start; /* of this connection, as it is sent */
    unsigned blind; /* writes since it last asked what has come */
    /* reader */
    size_t own_window;
    uint64_t turn;              /* of the writer's connections, this one */
    char offer[UCX_MOST_OFFER]; /* which is to be answered, if there is one */
    size_t offer_bytes;
    bool offered; /* of this connection: a writer's has been made, a reader's is to be answered */
    char *into;   /* where what arrives is wanted, if it is, and how much of it */
    size_t into_bytes;
    struct ucx_rest rest;
    uint64_t drain_ns; /* when to hear the peer again, though there is no room */
    uint64_t writer;   /* whose packets they are */
    uint64_t handed;   /* to the stream */
    uint64_t held;     /* of that, in the pipe at most */
    uint64_t began, told_arrived, told_used, told_ns;
    unsigned char head[sizeof(uint64_t)]; /* of the stream: where it begins */
    size_t head_bytes;
    bool gone; /* to be told */

    char news[UCX_NEWS]; /* of the peer, the last */
    size_t news_bytes;
};

/* ---- ucx_process.c --------------------------------------------------------------------------- */

/* UCX, begun with the first end; any thread. NULL: `why`. */
const char *ucx_begin(void (*flush)(void));
/* In place of the one before, if there is one, which has no connection and no listener. */
const char *ucx_new_worker(struct sl_engine_end *);
ucp_context_h ucx_context(void); /* once it has begun */
void ucx_enlist(struct sl_engine_end *);
void ucx_delist(struct sl_engine_end *);

/* ---- ucx_link.c, the lock being held --------------------------------------------------------- */

/* False: `trouble`. */
bool ucx_listen(struct sl_engine_end *);
/* Does what there is to do: connects, hears, sends. True: something happened. */
bool ucx_pump(struct sl_engine_end *);
/* Sends what is written, of a writer that has joined. */
bool ucx_push(struct sl_engine_end *);
/* Says goodbye and waits a moment for the answer. */
void ucx_part(struct sl_engine_end *);
void ucx_disconnect(struct sl_engine_end *);

/* ---- ucx_input.c, the lock being held -------------------------------------------------------- */

/* What has come: into the room that there is, the rest is kept. True: something has. */
bool ucx_collect(struct sl_engine_end *);
/* Of the rest, at most so many bytes. */
size_t ucx_take(struct sl_engine_end *, char *to, size_t bytes);
/* The stream's beginning has come, which says where it is. */
bool ucx_has_begun(struct sl_engine_end *);
/* So much is kept that more can wait with the peer. */
bool ucx_is_full(const struct sl_engine_end *);
void ucx_drop_rest(struct sl_engine_end *);

/* So much more has been handed to the stream. At once: the connection may end before the stream
 * hears of it. */
static inline void ucx_hand(struct sl_engine_end *end, uint64_t bytes)
{
    end->handed += bytes;
    end->held += bytes;
}

/* ---- ucx_shared.c, the lock being held ------------------------------------------------------- */

/* A writer's memory, once there is `self`, of which its kernel wants so much at a time. False:
 * there is none. */
bool ucx_make_kept(struct sl_engine_end *, size_t spare);
void ucx_free_kept(struct sl_engine_end *);
/* Of a connection that has joined: offers it, once. */
void ucx_offer_kept(struct sl_engine_end *);
/* What is written is the reader's, who shares it. */
void ucx_show(struct sl_engine_end *);
/* A reader's: what it was offered, if it was. */
void ucx_answer_offer(struct sl_engine_end *);
/* Of a stream that has begun. */
size_t ucx_read_shared(struct sl_engine_end *, char *to, size_t bytes);
bool ucx_has_shared(const struct sl_engine_end *); /* a reader's: there is something */
/* A reader's: from here on it hears of more. False: there is some already. */
bool ucx_may_sleep(struct sl_engine_end *);
/* The connection ends. */
void ucx_stop_sharing(struct sl_engine_end *);

/* ---- ucx_memory.c ---------------------------------------------------------------------------- */

/* Whole pages of zeros that never become fewer. */
bool ucx_make_memory(struct ucx_memory *, size_t bytes);
struct ucx_place ucx_place_of(const struct ucx_memory *); /* that was made here */
/* What another process has made, which may lie. False: there is nothing like that, of that size. */
bool ucx_open_memory(struct ucx_memory *, const struct ucx_place *, size_t bytes);
void ucx_free_memory(struct ucx_memory *); /* zeroed: no-op */

/* ---- ucx_place.c, the lock being held -------------------------------------------------------- */

/* A writer's: what it keeps is in place. False: it is where it was, or `refused`. */
bool ucx_place_kept(struct sl_engine_end *, size_t spare);
/* A reader's, which shares: what follows is where it is wanted. */
bool ucx_is_in_place(struct sl_engine_end *, const char *to);
/* A reader's: what is in the pipe is its own again. Not in place: no-op. */
void ucx_leave_place(struct sl_engine_end *);

/* ---- ucx_word.c, the lock being held --------------------------------------------------------- */

const char *ucx_hear(struct sl_engine_end *); /* words arrive from now on; NULL or why not */
void ucx_say(struct sl_engine_end *, enum ucx_word_kind);
void ucx_say_offer(struct sl_engine_end *, const void *, size_t bytes);
void ucx_say_news(struct sl_engine_end *, const void *, size_t bytes);
/* What the reader has taken, if it is much, or `all` of it. */
void ucx_tell_taken(struct sl_engine_end *, bool all);
/* A send has begun: what UCX has answered. */
void ucx_note_send(struct sl_engine_end *, ucs_status_ptr_t);

static inline uint64_t ucx_whole(const struct sl_engine_end *end, uint64_t bytes)
{
    return bytes - bytes % end->packet_bytes;
}

#endif
