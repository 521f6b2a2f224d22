/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pool of compiler processes and the conversation with one. `pool.lock` guards the slots'
 * states and the starter thread; a slot that is STARTING or BUSY belongs to one thread, which uses
 * its process without the lock. After fork the child forgets the parent's helpers.
 */
#include "program/compiler/compiler.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/config/config.h"
#include "base/log/error.h"
#include "base/log/log.h"
#include "base/log/timeline.h"
#include "base/object/alloc.h"
#include "base/thread/clock.h"
#include "platform/compiler_path.h"
#include "program/compiler/spawn.h"
#include "sluice/base/stack.h"
#include "sluice/base/thread.h"

#define MAX_HELPERS 64
#define MAX_REPLY_BYTES ((uint64_t)1 << 31)
#define STALE_NS 1000000000ull /* a helper that dies sooner may have been dead before we asked */
#define PATIENCE_MS 500
#define MAX_IDLE 2 /* each holds some tens of megabytes that the next builds may never need */

enum slot_state { SLOT_FREE, SLOT_STARTING, SLOT_BUSY, SLOT_IDLE };

struct helper {
    enum slot_state state;
    int socket;  /* -1: none */
    int peer;    /* the helper's own end while it is being started; -1: it has it */
    int life[2]; /* likewise: its end and ours of the pipe that ends with us */
    struct sl_process process;
    uint64_t serial; /* of the last request; hello is 1 */
    bool used;       /* was idle before: its death may have gone unnoticed */
};

#define NO_HELPER                                                                                  \
    {.state = SLOT_FREE, .socket = -1, .peer = -1, .life = {-1, -1}, .process = {.pidfd = -1}}

static struct {
    pthread_mutex_t lock;
    pthread_cond_t change; /* a slot's state changed */
    struct helper slots[MAX_HELPERS];
    struct sl_thread starter;
    bool starter_lives; /* started and not joined */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .change = PTHREAD_COND_INITIALIZER,
          .slots = {[0 ... MAX_HELPERS - 1] = NO_HELPER}};

static atomic_uint requests; /* under way */

static int helper_limit(void)
{
    cpu_set_t set;
    int cores = sched_getaffinity(0, sizeof set, &set) ? 2 : CPU_COUNT(&set);
    return cores < 2 ? 2 : cores > MAX_HELPERS ? MAX_HELPERS : cores;
}

/* ---- one helper ------------------------------------------------------------------------------ */

static void set_state(struct helper *helper, enum slot_state state)
{
    pthread_mutex_lock(&pool.lock);
    helper->state = state;
    pthread_cond_broadcast(&pool.change);
    pthread_mutex_unlock(&pool.lock);
}

/* What the environment says about helpers, read on the application's thread. */
struct recipe {
    char path[PATH_MAX]; /* "" when there is no compiler */
    char **env;          /* owned */
    unsigned long memory_mb;
    bool keep_stderr;
};

static void recipe_init(struct recipe *recipe)
{
    sl_compiler_path(recipe->path, sizeof recipe->path);
    recipe->env = NULL;
    recipe->memory_mb = (unsigned long)sl_config_long(SL_CONFIG_COMPILE_MEMORY_MB, 0, 1L << 30);
    recipe->keep_stderr = sl_config(SL_CONFIG_LOG) != NULL;
}

static void close_end(int *end)
{
    int fd = *end;
    *end = -1; /* before its number may be another's */
    if (fd >= 0)
        close(fd);
}

/* 0 or an errno. From here on a child of fork closes its copies. */
static int open_ends(struct helper *helper)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return errno;
    helper->socket = ends[0];
    helper->peer = ends[1];
    if (!pipe2(ends, O_CLOEXEC)) {
        helper->life[0] = ends[0];
        helper->life[1] = ends[1];
        return 0;
    }
    int error = errno;
    close_end(&helper->socket);
    close_end(&helper->peer);
    return error;
}

/* 0 or an errno; the slot is the caller's. */
static int helper_start(struct helper *helper, const struct recipe *recipe)
{
    uint64_t start = sl_now_ns();
    int error = open_ends(helper);
    if (error)
        return error;
    struct sl_spawn spawn = {.path = recipe->path,
                             .env = recipe->env,
                             .peer = helper->peer,
                             .life = helper->life[0],
                             .memory_mb = recipe->memory_mb,
                             .keep_stderr = recipe->keep_stderr};
    error = sl_spawn(&spawn, &helper->process);
    close_end(&helper->peer);
    close_end(&helper->life[0]);
    if (error) {
        close_end(&helper->socket);
        close_end(&helper->life[1]);
        sl_log(SL_LOG_WARN, "build", "cannot start %s: %s", recipe->path, strerror(error));
        return error;
    }
    helper->serial = 0;
    helper->used = false;
    sl_timeline_span("build", "start compiler", start, sl_now_ns(), NULL);
    sl_trace(SL_TRACE_COMPILER, "compiler: started %s as process %d", recipe->path,
             (int)helper->process.pid);
    return 0;
}

/* The same on the application's thread, with a copy of the environment as it is now. */
static int helper_start_here(struct helper *helper, struct recipe *recipe)
{
    recipe->env = sl_spawn_environment();
    int error = recipe->env ? helper_start(helper, recipe) : ENOMEM;
    sl_free(recipe->env);
    recipe->env = NULL;
    return error;
}

/* The slot is the caller's and stays so. */
static void helper_end(struct helper *helper, bool kill)
{
    sl_trace(SL_TRACE_COMPILER, "compiler: %s process %d", kill ? "stopping" : "releasing",
             (int)helper->process.pid);
    if (kill)
        sl_process_kill(&helper->process);
    close_end(&helper->socket);
    close_end(&helper->life[1]);
    sl_process_finish(&helper->process, PATIENCE_MS);
}

static bool helper_alive(const struct helper *helper)
{
    char byte;
    ssize_t got = recv(helper->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

/* ---- the conversation ------------------------------------------------------------------------ */

enum outcome { DONE, GONE, SILENT, NONSENSE, NO_MEMORY };

struct talk {
    int socket;
    uint64_t deadline;
    bool answered; /* something of the reply has arrived */
};

/* Waits for `events`; false at the deadline. */
static bool ready(const struct talk *talk, short events)
{
    for (;;) {
        uint64_t now = sl_now_ns();
        if (now >= talk->deadline)
            return false;
        uint64_t left_ms = (talk->deadline - now) / 1000000 + 1;
        struct pollfd fd = {.fd = talk->socket, .events = events};
        int got = poll(&fd, 1, left_ms > INT_MAX ? INT_MAX : (int)left_ms);
        if (got > 0)
            return true;
        if (got < 0 && errno != EINTR)
            return true; /* the transfer will report what is wrong */
    }
}

static enum outcome send_all(struct talk *talk, const unsigned char *bytes, size_t size)
{
    while (size) {
        ssize_t sent = send(talk->socket, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && errno != EAGAIN)
            return GONE;
        if (sent < 0 && !ready(talk, POLLOUT))
            return SILENT;
        if (sent > 0) {
            bytes += sent;
            size -= (size_t)sent;
        }
    }
    return DONE;
}

static enum outcome receive_all(struct talk *talk, void *out, size_t size)
{
    unsigned char *at = out;
    while (size) {
        ssize_t got = recv(talk->socket, at, size, MSG_DONTWAIT);
        if (got < 0 && errno == EINTR)
            continue;
        if (!got || (got < 0 && errno != EAGAIN))
            return GONE;
        if (got < 0 && !ready(talk, POLLIN))
            return SILENT;
        if (got > 0) {
            at += got;
            size -= (size_t)got;
        }
    }
    return DONE;
}

/* One whole message, whatever its serial. */
static enum outcome receive_message(struct talk *talk, struct sl_message_header *head,
                                    struct sl_reply *out)
{
    enum outcome outcome = receive_all(talk, head, sizeof *head);
    if (outcome != DONE)
        return outcome;
    if (head->magic != SL_MESSAGE_MAGIC || head->abi != SL_BUILD_ABI || head->kind ||
        head->bytes > MAX_REPLY_BYTES || head->status > 0)
        return NONSENSE;
    struct sl_reply reply = {.status = head->status, .bytes = (size_t)head->bytes};
    reply.chunks = sl_alloc(reply.bytes + 1);
    if (!reply.chunks)
        return NO_MEMORY;
    outcome = receive_all(talk, reply.chunks, reply.bytes);
    if (outcome == DONE && !sl_reply_check(&reply))
        outcome = NONSENSE;
    if (outcome == DONE)
        *out = reply;
    else
        sl_reply_finish(&reply);
    return outcome;
}

/* The reply to `serial`; the earlier answer to a hello is passed over. */
static enum outcome receive_reply(struct talk *talk, uint64_t serial, struct sl_reply *out)
{
    for (;;) {
        struct sl_message_header head;
        struct sl_reply reply;
        enum outcome outcome = receive_message(talk, &head, &reply);
        if (outcome != DONE)
            return outcome;
        if (head.serial == serial) {
            *out = reply;
            return DONE;
        }
        sl_reply_finish(&reply);
        if (head.serial > serial)
            return NONSENSE;
    }
}

static enum outcome converse(struct helper *helper, struct sl_request *request, long seconds,
                             struct sl_reply *out)
{
    struct talk talk = {.socket = helper->socket,
                        .deadline =
                            seconds ? sl_now_ns() + (uint64_t)seconds * 1000000000u : UINT64_MAX};
    if (!sl_request_end(request, ++helper->serial))
        return NO_MEMORY;
    enum outcome outcome = send_all(&talk, request->bytes, request->size);
    if (outcome == DONE)
        outcome = receive_reply(&talk, helper->serial, out);
    return outcome;
}

static void say_hello(struct helper *helper)
{
    struct sl_request hello = {0};
    struct talk talk = {.socket = helper->socket}; /* deadline 0: never waits */
    sl_request_begin(&hello, SL_BUILD_HELLO);
    if (sl_request_end(&hello, ++helper->serial))
        (void)send_all(&talk, hello.bytes,
                       hello.size); /* a dead helper is noticed at its first use */
    sl_request_finish(&hello);
}

/* ---- the pool -------------------------------------------------------------------------------- */

/* A child of fork shares its parent's sockets: closing them leaves the parent's helpers alone. */
static void forget_in_child(void)
{
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.change, NULL);
    for (int i = 0; i < MAX_HELPERS; i++) {
        struct helper *helper = &pool.slots[i];
        close_end(&helper->socket);
        close_end(&helper->peer); /* or the parent would never see its helper's end */
        close_end(&helper->life[0]);
        close_end(&helper->life[1]);
        close_end(&helper->process.pidfd);
        *helper = (struct helper)NO_HELPER;
    }
    pool.starter_lives = false;
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, forget_in_child);
}

static pthread_once_t forks_watched = PTHREAD_ONCE_INIT;

static struct helper *find_locked(enum slot_state state, int limit)
{
    for (int i = 0; i < limit; i++)
        if (pool.slots[i].state == state)
            return &pool.slots[i];
    return NULL;
}

/* A helper of the caller's own, started if need be; 0 or an errno. */
static int acquire(struct recipe *recipe, struct helper **out)
{
    struct helper *helper;
    int limit = helper_limit();
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        helper = find_locked(SLOT_IDLE, MAX_HELPERS);
        if (helper) {
            helper->state = SLOT_BUSY;
            if (helper_alive(helper))
                break;
            pthread_mutex_unlock(&pool.lock);
            helper_end(helper, false);
            pthread_mutex_lock(&pool.lock);
            helper->state = SLOT_FREE;
            continue;
        }
        bool one_is_coming = find_locked(SLOT_STARTING, limit) != NULL;
        helper = one_is_coming ? NULL : find_locked(SLOT_FREE, limit);
        if (helper) {
            helper->state = SLOT_STARTING;
            break;
        }
        pthread_cond_wait(&pool.change, &pool.lock);
    }
    bool start = helper->state == SLOT_STARTING;
    pthread_mutex_unlock(&pool.lock);
    int error = start ? helper_start_here(helper, recipe) : 0;
    if (start)
        set_state(helper, error ? SLOT_FREE : SLOT_BUSY);
    *out = helper;
    return error;
}

static int count_locked(enum slot_state state)
{
    int count = 0;
    for (int i = 0; i < MAX_HELPERS; i++)
        count += pool.slots[i].state == state;
    return count;
}

/* The helper's request is over: it waits for the next one, unless enough others do. */
static void retire(struct helper *helper)
{
    pthread_mutex_lock(&pool.lock);
    bool enough = count_locked(SLOT_IDLE) >= MAX_IDLE;
    if (!enough)
        helper->state = SLOT_IDLE;
    pthread_cond_broadcast(&pool.change);
    pthread_mutex_unlock(&pool.lock);
    if (!enough)
        return;
    helper_end(helper, false);
    set_state(helper, SLOT_FREE);
}

static struct recipe background; /* belongs to the starter while it lives */

static void *start_in_background(void *data)
{
    struct helper *helper = data;
    int error = helper_start(helper, &background);
    sl_free(background.env);
    if (!error)
        say_hello(helper);
    helper->used = true;
    set_state(helper, error ? SLOT_FREE : SLOT_IDLE);
    return NULL;
}

/* The pool's lock is held, which also guards `background` while there is no starter. */
static void start_locked(struct helper *helper)
{
    recipe_init(&background);
    if (!*background.path)
        return;
    background.env = sl_spawn_environment();
    if (!background.env)
        return;
    helper->state = SLOT_STARTING;
    pool.starter = (struct sl_thread){
        .name = SL_THREAD_PREFIX "start", .run = start_in_background, .data = helper};
    pool.starter_lives = !sl_thread_start(&pool.starter);
    if (pool.starter_lives)
        return;
    helper->state = SLOT_FREE;
    sl_free(background.env);
}

static void prestart(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&pool.lock);
    if (!pool.starter_lives && !find_locked(SLOT_IDLE, MAX_HELPERS) &&
        !find_locked(SLOT_BUSY, MAX_HELPERS) && pool.slots[0].state == SLOT_FREE)
        start_locked(&pool.slots[0]);
    pthread_mutex_unlock(&pool.lock);
}

void sl_compiler_prestart(void)
{
    pthread_once(&forks_watched, watch_forks);
    if (sl_on_stack(prestart, NULL))
        sl_log(SL_LOG_INFO, "build", "the compiler is not started yet: memory is short");
}

void sl_compiler_unload(void)
{
    struct helper *helper;
    pthread_mutex_lock(&pool.lock);
    while ((helper = find_locked(SLOT_IDLE, MAX_HELPERS))) {
        helper->state = SLOT_BUSY;
        pthread_mutex_unlock(&pool.lock);
        helper_end(helper, false);
        pthread_mutex_lock(&pool.lock);
        helper->state = SLOT_FREE;
        pthread_cond_broadcast(&pool.change);
    }
    pthread_mutex_unlock(&pool.lock);
}

void sl_compiler_shutdown(void)
{
    pthread_mutex_lock(&pool.lock);
    bool join = pool.starter_lives;
    pthread_t starter = pool.starter.id;
    pool.starter_lives = false;
    pthread_mutex_unlock(&pool.lock);
    if (join)
        pthread_join(starter, NULL);
    sl_compiler_unload();
}

/* ---- requests -------------------------------------------------------------------------------- */

/* What a process that cannot be started means: only a file that is no compiler is for good. */
static cl_int start_failure(int error)
{
    switch (error) {
    case ENOMEM:
        return CL_OUT_OF_HOST_MEMORY;
    case EMFILE:
    case ENFILE:
    case EAGAIN: /* too many processes */
        return CL_OUT_OF_RESOURCES;
    default:
        return CL_COMPILER_NOT_AVAILABLE;
    }
}

static cl_int explain(enum outcome outcome, const char *path, long seconds, char *why)
{
    switch (outcome) {
    case DONE:
        return CL_SUCCESS;
    case NO_MEMORY:
        snprintf(why, SL_COMPILER_WHY, "out of memory while talking to the compiler");
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "%s", why);
    case GONE:
        snprintf(why, SL_COMPILER_WHY,
                 "the compiler process ended while it compiled this program: it crashed, was "
                 "killed, or reached its memory limit (SLUICE_COMPILE_MEMORY_MB=%ld)",
                 sl_config_long(SL_CONFIG_COMPILE_MEMORY_MB, 0, 1L << 30));
        break;
    case SILENT:
        snprintf(why, SL_COMPILER_WHY,
                 "the compiler did not finish this program within the time limit of %ld s "
                 "(SLUICE_COMPILE_TIMEOUT) and was stopped",
                 seconds);
        break;
    case NONSENSE:
        snprintf(why, SL_COMPILER_WHY,
                 "the compiler process gave an unreadable answer and was stopped: %.300s", path);
        break;
    }
    return sl_refuse(CL_BUILD_PROGRAM_FAILURE, "%s", why);
}

static void trace_request(const struct helper *helper, const struct sl_request *request,
                          enum outcome outcome, uint64_t start)
{
    static const char *const names[] = {"answered", "ended", "silent", "unreadable", "no memory"};
    sl_trace(SL_TRACE_COMPILER, "compiler: process %d request %llu of %zu bytes: %s after %llu us",
             (int)helper->process.pid, (unsigned long long)helper->serial, request->size,
             names[outcome], (unsigned long long)(sl_now_ns() - start) / 1000);
}

/* One attempt; *again if the helper may have been dead before it was asked. */
static enum outcome attempt(struct helper *helper, struct sl_request *request, long seconds,
                            struct sl_reply *out, bool *again)
{
    uint64_t start = sl_now_ns();
    enum outcome outcome = converse(helper, request, seconds, out);
    trace_request(helper, request, outcome, start);
    *again = outcome == GONE && helper->used && sl_now_ns() - start < STALE_NS;
    helper->used = true;
    if (outcome == DONE) {
        retire(helper);
    } else {
        helper_end(helper, true);
        set_state(helper, SLOT_FREE);
    }
    return outcome;
}

/* An application may have shut itself off from its files since it started one. */
static bool one_runs(void)
{
    pthread_mutex_lock(&pool.lock);
    bool runs = find_locked(SLOT_IDLE, MAX_HELPERS) || find_locked(SLOT_BUSY, MAX_HELPERS);
    pthread_mutex_unlock(&pool.lock);
    return runs;
}

bool sl_compiler_busy(void)
{
    return atomic_load_explicit(&requests, memory_order_relaxed) != 0;
}

cl_int sl_compiler_run(struct sl_request *request, struct sl_reply *out, char why[SL_COMPILER_WHY])
{
    struct recipe recipe;
    struct helper *helper;
    enum outcome outcome;
    bool again = false;
    int tries = 0;
    long seconds = sl_config_long(SL_CONFIG_COMPILE_TIMEOUT, 0, 1L << 30);
    pthread_once(&forks_watched, watch_forks);
    recipe_init(&recipe);
    if (!*recipe.path && !one_runs()) {
        snprintf(why, SL_COMPILER_WHY, "there is no compiler: SLUICE_COMPILER is %.300s",
                 sl_config(SL_CONFIG_COMPILER) ? sl_config(SL_CONFIG_COMPILER) : "not set");
        return sl_refuse(CL_COMPILER_NOT_AVAILABLE, "%s", why);
    }
    do {
        int error = acquire(&recipe, &helper);
        if (error) {
            snprintf(why, SL_COMPILER_WHY, "the compiler %.300s cannot be started: %s", recipe.path,
                     strerror(error));
            return sl_refuse(start_failure(error), "%s", why);
        }
        atomic_fetch_add_explicit(&requests, 1, memory_order_relaxed);
        outcome = attempt(helper, request, seconds, out, &again);
        atomic_fetch_sub_explicit(&requests, 1, memory_order_relaxed);
    } while (again && !tries++);
    return explain(outcome, recipe.path, seconds, why);
}
