/* SPDX-License-Identifier: Apache-2.0 */
/*
 * I/O pipes over UCX: ucx:HOST:PORT connects, with listen it waits for peers, one after the other.
 * UCX chooses what the bytes go through: shared memory, TCP, RDMA. The stream of one direction has
 * another in the opposite one, by which the reader tells how many bytes it has taken so far: so the
 * writer knows what is lost when the connection is, and leaves only when all is taken.
 *
 * An end has a worker of its own. Nothing is asked of it while the reader's pipe is full: what
 * cannot be taken stays with the sender.
 */
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucp/api/ucp.h>

#include "fpga/stream/engine.h"

enum { RETRY_MS = 50 };

struct sl_engine_end {
    ucp_worker_h worker;
    ucp_listener_h listener;   /* NULL: it connects */
    ucp_conn_request_h caller; /* who waits to be taken; NULL */
    ucp_ep_h peer;             /* NULL: there is none */
    bool input, failed;        /* the connection has */
    int wake;                  /* borrowed: readable when the worker has something to do */
    char *host, *port;         /* owned */
    struct timespec next_try;
    /* output */
    void *sending;          /* a request, NULL: none */
    uint64_t sent, taken;   /* over this connection; of these, as the reader tells */
    uint64_t lost;          /* of the last one */
    unsigned char count[8]; /* the number that is arriving */
    unsigned count_bytes;
    /* input */
    char *data; /* UCX's: what has come, to be given back */
    size_t data_bytes, data_used;
    void *telling; /* a request */
    uint64_t told, got, telling_count;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the next */
static ucp_context_h context;

/* ---- connections ----------------------------------------------------------------------------- */

static void on_error(void *data, ucp_ep_h peer, ucs_status_t status)
{
    struct sl_engine_end *end = data;
    (void)status;
    if (peer == end->peer)
        end->failed = true;
}

static void on_call(ucp_conn_request_h caller, void *data)
{
    struct sl_engine_end *end = data;
    if (end->caller)
        ucp_listener_reject(end->listener, caller);
    else
        end->caller = caller;
}

static struct addrinfo *look_up(const struct sl_engine_end *end)
{
    struct addrinfo how = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    return getaddrinfo(*end->host ? end->host : "127.0.0.1", end->port, &how, &found) ? NULL
                                                                                      : found;
}

static bool is_time(struct sl_engine_end *end)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec < end->next_try.tv_sec ||
        (now.tv_sec == end->next_try.tv_sec && now.tv_nsec < end->next_try.tv_nsec))
        return false;
    now.tv_nsec += RETRY_MS * 1000000L;
    end->next_try =
        (struct timespec){now.tv_sec + now.tv_nsec / 1000000000, now.tv_nsec % 1000000000};
    return true;
}

static void begin(struct sl_engine_end *end, ucp_ep_params_t *params)
{
    params->field_mask |= UCP_EP_PARAM_FIELD_ERR_HANDLER | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE;
    params->err_mode = UCP_ERR_HANDLING_MODE_PEER;
    params->err_handler = (ucp_err_handler_t){.cb = on_error, .arg = end};
    end->failed = false;
    if (ucp_ep_create(end->worker, params, &end->peer) != UCS_OK)
        end->peer = NULL;
    end->sent = end->taken = end->got = end->told = 0;
    end->count_bytes = 0;
}

static void connect_to(struct sl_engine_end *end)
{
    struct addrinfo *place = is_time(end) ? look_up(end) : NULL;
    if (!place)
        return;
    ucp_ep_params_t params = {
        .field_mask = UCP_EP_PARAM_FIELD_FLAGS | UCP_EP_PARAM_FIELD_SOCK_ADDR,
        .flags = UCP_EP_PARAMS_FLAGS_CLIENT_SERVER,
        .sockaddr = {.addr = place->ai_addr, .addrlen = place->ai_addrlen},
    };
    begin(end, &params);
    freeaddrinfo(place);
}

/* True: there is a connection, or one that is being made. */
static bool find_peer(struct sl_engine_end *end)
{
    if (!end->peer && end->caller) {
        ucp_ep_params_t params = {.field_mask = UCP_EP_PARAM_FIELD_CONN_REQUEST,
                                  .conn_request = end->caller};
        end->caller = NULL;
        begin(end, &params);
    } else if (!end->peer && !end->listener) {
        connect_to(end);
    }
    return end->peer != NULL;
}

static void settle(struct sl_engine_end *end, void *request)
{
    while (UCS_PTR_IS_PTR(request) && ucp_request_check_status(request) == UCS_INPROGRESS)
        ucp_worker_progress(end->worker);
    if (UCS_PTR_IS_PTR(request))
        ucp_request_free(request);
}

static void hang_up(struct sl_engine_end *end)
{
    static const ucp_request_param_t by_force = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS,
                                                 .flags = UCP_EP_CLOSE_FLAG_FORCE};
    if (end->data)
        ucp_stream_data_release(end->peer, end->data);
    end->data = NULL;
    if (end->peer)
        settle(end, ucp_ep_close_nbx(end->peer, &by_force));
    settle(end, end->sending);
    settle(end, end->telling);
    end->sending = end->telling = NULL;
    end->peer = NULL;
    end->lost = end->sent - end->taken;
    end->sent = end->taken = 0;
    end->failed = false;
}

/* ---- the writer ------------------------------------------------------------------------------ */

/* The reader's numbers, of which only the last one counts. */
static void hear(struct sl_engine_end *end)
{
    size_t bytes;
    void *data;
    while (end->peer && !end->failed && (data = ucp_stream_recv_data_nb(end->peer, &bytes)) &&
           !UCS_PTR_IS_ERR(data)) {
        for (size_t i = 0; i < bytes; i++) {
            end->count[end->count_bytes++] = ((unsigned char *)data)[i];
            if (end->count_bytes < sizeof end->count)
                continue;
            memcpy(&end->taken, end->count, sizeof end->taken);
            end->count_bytes = 0;
        }
        ucp_stream_data_release(end->peer, data);
    }
}

/* The connection has ended; so many bytes are given again, and are not lost. */
static ptrdiff_t give_up(struct sl_engine_end *end, uint64_t again)
{
    hang_up(end);
    end->lost -= end->lost < again ? end->lost : again;
    return SL_ENGINE_GONE;
}

/* The same bytes are given again until they have left. */
static ptrdiff_t write_end(struct sl_engine_end *end, const void *from, size_t bytes)
{
    static const ucp_request_param_t plain = {0};
    ucp_worker_progress(end->worker);
    hear(end);
    if (end->failed)
        return give_up(end, end->sending ? bytes : 0);
    if (!find_peer(end))
        return SL_ENGINE_LATER;
    if (!end->sending) {
        end->sending = ucp_stream_send_nbx(end->peer, from, bytes, &plain);
        end->sent += bytes;
    }
    if (UCS_PTR_IS_PTR(end->sending)) {
        ucs_status_t status = ucp_request_check_status(end->sending);
        if (status == UCS_INPROGRESS)
            return SL_ENGINE_LATER;
        ucp_request_free(end->sending);
        end->failed |= status != UCS_OK;
    } else {
        end->failed |= UCS_PTR_IS_ERR(end->sending);
    }
    end->sending = NULL;
    return end->failed ? give_up(end, bytes) : (ptrdiff_t)bytes;
}

static uint64_t undelivered(struct sl_engine_end *end)
{
    ucp_worker_progress(end->worker);
    hear(end);
    uint64_t lost = end->lost;
    end->lost = 0;
    return lost + end->sent - end->taken;
}

/* ---- the reader ------------------------------------------------------------------------------ */

static void tell(struct sl_engine_end *end)
{
    static const ucp_request_param_t plain = {0};
    if (UCS_PTR_IS_PTR(end->telling)) {
        if (ucp_request_check_status(end->telling) == UCS_INPROGRESS)
            return;
        ucp_request_free(end->telling);
        end->telling = NULL;
    }
    if (end->told == end->got || !end->peer || end->failed)
        return;
    end->telling_count = end->told = end->got;
    end->telling =
        ucp_stream_send_nbx(end->peer, &end->telling_count, sizeof end->telling_count, &plain);
    if (!UCS_PTR_IS_PTR(end->telling))
        end->telling = NULL;
}

static ptrdiff_t read_end(struct sl_engine_end *end, void *to, size_t bytes)
{
    if (!end->data) {
        ucp_worker_progress(end->worker);
        tell(end);
        void *data = find_peer(end) ? ucp_stream_recv_data_nb(end->peer, &end->data_bytes) : NULL;
        end->failed |= UCS_PTR_IS_ERR(data);
        end->data = UCS_PTR_IS_ERR(data) ? NULL : data;
        end->data_used = 0;
    }
    if (!end->data && end->failed) {
        hang_up(end);
        return SL_ENGINE_GONE;
    }
    if (!end->data)
        return SL_ENGINE_LATER;
    size_t left = end->data_bytes - end->data_used, now = bytes < left ? bytes : left;
    memcpy(to, end->data + end->data_used, now);
    end->data_used += now;
    end->got += now;
    if (end->data_used == end->data_bytes) {
        ucp_stream_data_release(end->peer, end->data);
        end->data = NULL;
    }
    return (ptrdiff_t)now;
}

/* ---- both ------------------------------------------------------------------------------------ */

static bool wait_end(struct sl_engine_end *end, int stop, int ms)
{
    enum { EAGER = 200 };
    struct pollfd fds[] = {{.fd = stop, .events = POLLIN}, {.fd = end->wake, .events = POLLIN}};
    for (int i = 0; i < EAGER; i++)
        if (ucp_worker_progress(end->worker))
            return poll(fds, 1, 0) <= 0;
    tell(end);
    if (ucp_worker_arm(end->worker) != UCS_OK)
        return poll(fds, 1, 0) <= 0;
    if (!end->peer && (ms < 0 || ms > RETRY_MS))
        ms = RETRY_MS;
    while (poll(fds, 2, ms) < 0 && errno == EINTR)
        ;
    return !fds[0].revents;
}

static bool has_peer(struct sl_engine_end *end)
{
    return end->peer && !end->failed && (end->taken || end->listener);
}

static const char *make_context(void)
{
    ucp_params_t params = {
        .field_mask = UCP_PARAM_FIELD_FEATURES,
        .features = UCP_FEATURE_STREAM | UCP_FEATURE_WAKEUP,
    };
    ucp_config_t *config;
    if (context)
        return NULL;
    ucs_status_t status = ucp_config_read(NULL, NULL, &config);
    if (status == UCS_OK) {
        status = ucp_init(&params, config, &context);
        ucp_config_release(config);
    }
    return status == UCS_OK ? NULL : ucs_status_string(status);
}

static const char *make_worker(struct sl_engine_end *end)
{
    ucp_worker_params_t params = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                  .thread_mode = UCS_THREAD_MODE_SERIALIZED};
    ucs_status_t status = ucp_worker_create(context, &params, &end->worker);
    if (status == UCS_OK)
        status = ucp_worker_get_efd(end->worker, &end->wake);
    return status == UCS_OK ? NULL : ucs_status_string(status);
}

static const char *make_listener(struct sl_engine_end *end)
{
    struct addrinfo *place = look_up(end);
    if (!place)
        return "no host or service of this name is known";
    ucp_listener_params_t params = {
        .field_mask = UCP_LISTENER_PARAM_FIELD_SOCK_ADDR | UCP_LISTENER_PARAM_FIELD_CONN_HANDLER,
        .sockaddr = {.addr = place->ai_addr, .addrlen = place->ai_addrlen},
        .conn_handler = {.cb = on_call, .arg = end},
    };
    ucs_status_t status = ucp_listener_create(end->worker, &params, &end->listener);
    freeaddrinfo(place);
    return status == UCS_OK ? NULL : ucs_status_string(status);
}

static void close_end(struct sl_engine_end *end)
{
    tell(end);
    if (end->worker && (end->peer || end->sending || end->telling))
        hang_up(end);
    if (end->listener)
        ucp_listener_destroy(end->listener);
    if (end->worker)
        ucp_worker_destroy(end->worker);
    free(end->host);
    free(end->port);
    free(end);
}

/* HOST:PORT, [HOST]:PORT; the binding has a colon. */
static void read_target(struct sl_engine_end *end, const char *target)
{
    const char *colon = strrchr(target, ':');
    size_t bytes = (size_t)(colon - target);
    bool brackets = bytes > 1 && *target == '[' && target[bytes - 1] == ']';
    end->host = strndup(target + brackets, bytes - 2u * brackets);
    end->port = strdup(colon + 1);
}

static struct sl_engine_end *open_end(const char *target, bool input, bool listen, char *why,
                                      size_t why_bytes)
{
    struct sl_engine_end *end = calloc(1, sizeof *end);
    if (end)
        read_target(end, target);
    bool room = end && end->host && end->port;
    pthread_mutex_lock(&lock);
    const char *fault = room ? make_context() : "no memory";
    pthread_mutex_unlock(&lock);
    if (!fault)
        fault = make_worker(end);
    if (!fault && listen)
        fault = make_listener(end);
    if (!fault) {
        end->input = input;
        return end;
    }
    snprintf(why, why_bytes, "UCX: %s", fault);
    if (end)
        close_end(end);
    return NULL;
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
};

__attribute__((visibility("default"))) sl_engine_entry sluice_io_engine;
const struct sl_engine *sluice_io_engine(void (*flush)(void), char *why, size_t why_bytes)
{
    (void)flush;
    (void)why;
    (void)why_bytes;
    return &engine;
}
