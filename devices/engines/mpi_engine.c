/* SPDX-License-Identifier: Apache-2.0 */
/*
 * I/O pipes between the ranks of an MPI job: mpi:RANK[,TAG]. The tags are the highest 1024, which
 * applications seldom have: TAG 0 is the highest one. A pipe is told by the two ranks, the
 * direction and the tag.
 *
 * A message is some bytes of the stream. It is sent synchronously, a few at a time: what no receive
 * waits for stays with the sender, and a reader whose pipe is full receives no more. All calls are
 * made with `lock` held, and none after MPI was finalized, which may be the application's doing: it
 * hears of that by an attribute of MPI_COMM_SELF. Words (engine.h) have the 2048 tags below those,
 * one for each direction: one is under way at a time, each is as long as the longest.
 */
#include <mpi.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fpga/stream/engine.h"

enum { MESSAGE = 64 << 10, MESSAGES = 4, TAGS = 1024 };

struct message {
    MPI_Request request;
    bool pending;        /* is under way */
    size_t bytes, taken; /* received and not handed on yet: bytes - taken */
    char *at;            /* owned */
};

struct sl_engine_end {
    int rank, tag;
    bool input;
    struct message messages[MESSAGES];
    struct message told, heard; /* words */
    char word[SL_ENGINE_WORD];  /* the last one that was heard */
    size_t word_bytes;
    unsigned next; /* the oldest one */
    unsigned idle; /* looks in vain */
    struct sl_engine_end *next_end, *previous_end;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sl_engine_end *ends;
static bool over, ours; /* MPI is finalized or about to be; by us */
static int tag_bound;
static void (*flush_pipes)(void);

/* ---- MPI's life ------------------------------------------------------------------------------ */

/* What cannot be called back may still move, and keeps its memory. */
static void forget_message_locked(struct message *m)
{
    if (!m->pending)
        return;
    MPI_Cancel(&m->request);
    MPI_Request_free(&m->request);
    m->pending = false;
    m->at = NULL;
}

static void forget_locked(struct sl_engine_end *end)
{
    for (int i = 0; i < MESSAGES; i++)
        forget_message_locked(&end->messages[i]);
    forget_message_locked(&end->told);
    forget_message_locked(&end->heard);
}

/* It has arrived. */
static bool is_done_locked(bool input, struct message *m)
{
    int done = 0, bytes;
    MPI_Status status;
    if (!m->pending)
        return true;
    MPI_Test(&m->request, &done, &status);
    m->pending = !done;
    if (done && input) {
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        m->bytes = (size_t)bytes;
    }
    return done;
}

static uint64_t undelivered_locked(struct sl_engine_end *end)
{
    uint64_t bytes = 0;
    for (int i = 0; i < MESSAGES && !end->input && !over; i++)
        bytes += is_done_locked(false, &end->messages[i]) ? 0 : end->messages[i].bytes;
    return bytes;
}

static bool all_delivered(void)
{
    uint64_t bytes = 0;
    pthread_mutex_lock(&lock);
    for (struct sl_engine_end *end = ends; end; end = end->next_end)
        bytes += undelivered_locked(end);
    pthread_mutex_unlock(&lock);
    return !bytes;
}

/* What is under way has a fifth of a second. */
static void stop(void)
{
    enum { TURNS = 200 };
    const struct timespec moment = {.tv_nsec = 1000000};
    for (int i = 0; i < TURNS && !all_delivered(); i++)
        nanosleep(&moment, NULL);
    pthread_mutex_lock(&lock);
    for (struct sl_engine_end *end = over ? NULL : ends; end; end = end->next_end)
        forget_locked(end);
    over = true;
    pthread_mutex_unlock(&lock);
}

/* The application finalizes MPI. */
static int finalizing(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm;
    (void)key;
    (void)value;
    (void)extra;
    stop();
    return MPI_SUCCESS;
}

/* A process that failed does not wait for the others: mpirun ends them. */
static void leave(int status, void *unused)
{
    int done = 0;
    (void)unused;
    MPI_Finalized(&done);
    if (done || !ours)
        return;
    flush_pipes();
    stop();
    if (!status)
        MPI_Finalize();
}

static const char *begin(void)
{
    int there = 0, done = 0, level = MPI_THREAD_SINGLE, flag = 0, key, *bound;
    MPI_Initialized(&there);
    MPI_Finalized(&done);
    if (done)
        return "MPI is finalized already";
    ours = !there;
    if (ours && MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level))
        return "MPI cannot be initialized";
    if (!ours)
        MPI_Query_thread(&level);
    if (level < MPI_THREAD_MULTIPLE)
        return ours ? "this MPI has no MPI_THREAD_MULTIPLE"
                    : "the application has initialized MPI without MPI_THREAD_MULTIPLE (Open MPI: "
                      "OMPI_MPI_THREAD_LEVEL=3 gives it that)";
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &flag);
    tag_bound = flag ? *bound : 32767;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, finalizing, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    if (ours)
        on_exit(leave, NULL);
    return NULL;
}

/* ---- ends ------------------------------------------------------------------------------------ */

static const char *read_target(struct sl_engine_end *end, const char *target)
{
    char *at;
    int size, self;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &self);
    long rank = strtol(target, &at, 10), tag = 0;
    if (at == target || (*at && *at != ','))
        return "mpi wants RANK[,TAG]";
    if (*at)
        tag = strtol(at + 1, &at, 10);
    if (*at || tag < 0 || tag >= TAGS)
        return "a tag is a number from 0 to 1023";
    if (rank < 0 || rank >= size)
        return "the job has no such rank";
    end->rank = (int)rank;
    end->tag = tag_bound - (int)tag;
    return NULL;
}

static void receive_locked(struct sl_engine_end *end, struct message *m)
{
    MPI_Irecv(m->at, MESSAGE, MPI_BYTE, end->rank, end->tag, MPI_COMM_WORLD, &m->request);
    m->pending = true;
    m->bytes = m->taken = 0;
}

/* Of the words from an input, or to it. */
static int word_tag(const struct sl_engine_end *end, bool from_input)
{
    return end->tag - TAGS - (tag_bound - end->tag) - from_input;
}

static void listen_locked(struct sl_engine_end *end)
{
    MPI_Irecv(end->heard.at, SL_ENGINE_WORD, MPI_BYTE, end->rank, word_tag(end, !end->input),
              MPI_COMM_WORLD, &end->heard.request);
    end->heard.pending = true;
}

static void free_end(struct sl_engine_end *end)
{
    for (int i = 0; i < MESSAGES; i++)
        free(end->messages[i].at);
    free(end->told.at);
    free(end->heard.at);
    free(end);
}

static void close_end(struct sl_engine_end *end)
{
    pthread_mutex_lock(&lock);
    if (!over)
        forget_locked(end);
    *(end->previous_end ? &end->previous_end->next_end : &ends) = end->next_end;
    if (end->next_end)
        end->next_end->previous_end = end->previous_end;
    pthread_mutex_unlock(&lock);
    free_end(end);
}

static struct sl_engine_end *open_end(const struct sl_engine_pipe *pipe, char *why,
                                      size_t why_bytes)
{
    struct sl_engine_end *end = calloc(1, sizeof *end);
    bool room = end != NULL;
    for (int i = 0; room && i < MESSAGES; i++)
        room = (end->messages[i].at = malloc(MESSAGE)) != NULL;
    room = room && (end->told.at = malloc(SL_ENGINE_WORD)) != NULL &&
           (end->heard.at = malloc(SL_ENGINE_WORD)) != NULL;
    pthread_mutex_lock(&lock);
    const char *fault = !room  ? "no memory"
                        : over ? "MPI is finalized"
                               : read_target(end, pipe->target);
    if (!fault) {
        end->input = pipe->input;
        end->next_end = ends;
        if (ends)
            ends->previous_end = end;
        ends = end;
        for (int i = 0; end->input && i < MESSAGES; i++)
            receive_locked(end, &end->messages[i]);
        listen_locked(end);
    }
    pthread_mutex_unlock(&lock);
    if (!fault)
        return end;
    snprintf(why, why_bytes, "%s", fault);
    if (end)
        free_end(end);
    return NULL;
}

/* ---- moving ---------------------------------------------------------------------------------- */

static ptrdiff_t write_locked(struct sl_engine_end *end, const void *from, size_t bytes)
{
    struct message *m = &end->messages[end->next];
    if (!is_done_locked(false, m))
        return SL_ENGINE_LATER;
    size_t now = bytes < MESSAGE ? bytes : MESSAGE;
    memcpy(m->at, from, now);
    MPI_Issend(m->at, (int)now, MPI_BYTE, end->rank, end->tag, MPI_COMM_WORLD, &m->request);
    m->pending = true;
    m->bytes = now;
    end->next = (end->next + 1) % MESSAGES;
    return (ptrdiff_t)now;
}

static ptrdiff_t read_locked(struct sl_engine_end *end, void *to, size_t bytes)
{
    struct message *m = &end->messages[end->next];
    if (!is_done_locked(true, m))
        return SL_ENGINE_LATER;
    size_t left = m->bytes - m->taken, now = bytes < left ? bytes : left;
    memcpy(to, m->at + m->taken, now);
    m->taken += now;
    if (m->taken == m->bytes) {
        receive_locked(end, m);
        end->next = (end->next + 1) % MESSAGES;
    }
    return (ptrdiff_t)now;
}

static ptrdiff_t write_end(struct sl_engine_end *end, const void *from, size_t bytes)
{
    pthread_mutex_lock(&lock);
    ptrdiff_t moved = over ? SL_ENGINE_ENDED : write_locked(end, from, bytes);
    pthread_mutex_unlock(&lock);
    end->idle = moved > 0 ? 0 : end->idle;
    return moved;
}

static ptrdiff_t read_end(struct sl_engine_end *end, void *to, size_t bytes)
{
    pthread_mutex_lock(&lock);
    ptrdiff_t moved = over ? SL_ENGINE_ENDED : read_locked(end, to, bytes);
    pthread_mutex_unlock(&lock);
    end->idle = moved > 0 ? 0 : end->idle;
    return moved;
}

static uint64_t undelivered(struct sl_engine_end *end)
{
    pthread_mutex_lock(&lock);
    uint64_t bytes = undelivered_locked(end);
    pthread_mutex_unlock(&lock);
    return bytes;
}

/* MPI tells nobody when something comes: it is asked, less and less often. */
static bool wait_end(struct sl_engine_end *end, int stop_fd, int ms)
{
    enum { EAGER = 64, LONGEST_US = 500 };
    struct pollfd stop_now = {.fd = stop_fd, .events = POLLIN};
    (void)ms; /* it comes back sooner */
    unsigned idle = end->idle++;
    if (idle < EAGER) {
        sched_yield();
    } else {
        unsigned us = 10 * (idle - EAGER + 1);
        const struct timespec moment = {.tv_nsec = 1000L * (us < LONGEST_US ? us : LONGEST_US)};
        nanosleep(&moment, NULL);
    }
    return idle % EAGER || poll(&stop_now, 1, 0) <= 0;
}

/* Of a job all are there. */
static bool has_peer(struct sl_engine_end *end)
{
    (void)end;
    return true;
}

static void tell(struct sl_engine_end *end, const void *word, size_t bytes)
{
    pthread_mutex_lock(&lock);
    if (!over && bytes <= SL_ENGINE_WORD && is_done_locked(false, &end->told)) {
        memcpy(end->told.at, word, bytes);
        /* synchronously: one at most waits there, however long that rank computes */
        MPI_Issend(end->told.at, (int)bytes, MPI_BYTE, end->rank, word_tag(end, end->input),
                   MPI_COMM_WORLD, &end->told.request);
        end->told.pending = true;
    }
    pthread_mutex_unlock(&lock);
}

static size_t hear(struct sl_engine_end *end, void *word, size_t bytes)
{
    pthread_mutex_lock(&lock);
    while (!over && is_done_locked(true, &end->heard)) {
        end->word_bytes = end->heard.bytes;
        memcpy(end->word, end->heard.at, end->word_bytes);
        listen_locked(end);
    }
    bytes = end->word_bytes < bytes ? end->word_bytes : bytes;
    memcpy(word, end->word, bytes);
    pthread_mutex_unlock(&lock);
    return bytes;
}

static void name_self(char *name, size_t bytes)
{
    int rank = 0;
    pthread_mutex_lock(&lock);
    if (!over)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_mutex_unlock(&lock);
    snprintf(name, bytes, "rank %d", rank);
}

static const struct sl_engine engine = {
    .abi = SL_ENGINE_ABI,
    .open = open_end,
    .close = close_end,
    .write = write_end,
    .read = read_end,
    .wait = wait_end,
    .has_peer = has_peer,
    .undelivered = undelivered,
    .tell = tell,
    .hear = hear,
    .name_self = name_self,
};

__attribute__((visibility("default"))) sl_engine_entry sluice_io_engine;
const struct sl_engine *sluice_io_engine(void (*flush)(void), char *why, size_t why_bytes)
{
    flush_pipes = flush;
    const char *fault = begin();
    if (fault)
        snprintf(why, why_bytes, "%s", fault);
    return fault ? NULL : &engine;
}
