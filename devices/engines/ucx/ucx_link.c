/* SPDX-License-Identifier: Apache-2.0 */
/* The connection of an end: made, made again, and left. */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fpga/stream/io_error.h"
#include "fpga/stream/io_lookup.h"
#include "sluice/base/wait.h"
#include "ucx/ucx_end.h"

enum {
    PART_MS = 100,
    READER_PART_MS = 1000,
    CHUNK = 256 << 10,
    TURNS = 64,
    NAME_MS = 1000,
    PROMPT_MS = 100
};
static const uint64_t ns_per_ms = 1000000;

static void say_trouble(struct sl_engine_end *end, const char *what)
{
    snprintf(end->trouble, sizeof end->trouble, "%s", what);
}

/* ---- leaving --------------------------------------------------------------------------------- */

static void close_endpoint(struct sl_engine_end *end)
{
    const ucp_request_param_t param = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS,
                                       .flags = UCP_EP_CLOSE_FLAG_FORCE};
    uint64_t last = sl_clock_ns() + PART_MS * ns_per_ms;
    ucs_status_ptr_t request = ucp_ep_close_nbx(end->ep, &param);
    end->ep = NULL;
    if (!UCS_PTR_IS_PTR(request))
        return;
    while (ucp_request_check_status(request) == UCS_INPROGRESS && sl_clock_ns() < last)
        ucp_worker_progress(end->worker);
    ucp_request_free(request);
}

/* What the peer had and its kernels have not read comes back. */
void ucx_disconnect(struct sl_engine_end *end)
{
    if (!end->ep)
        return;
    end->spoilt &= !end->heard_bye;
    ucx_drop_rest(end);
    ucx_stop_sharing(end);
    close_endpoint(end);
    if (end->input) {
        end->gone |= end->joined;
        end->handed = end->arrived = ucx_whole(end, end->handed);
    } else {
        end->arrived = end->used;
        end->sent = end->first;
    }
    end->broken = end->joined = end->said_bye = end->heard_bye = false;
    end->head_bytes = end->news_bytes = 0;
    end->retry_ns = sl_clock_ns() + UCX_RETRY_MS * ns_per_ms;
}

/* What its kernels have read a reader says here for the last time: a writer that hears only that
 * the connection has ended would count it as lost. */
void ucx_part(struct sl_engine_end *end)
{
    uint64_t last = sl_clock_ns() + (end->input ? READER_PART_MS : PART_MS) * ns_per_ms;
    if (end->over || !end->ep || !end->joined || end->broken)
        return;
    if (!end->said_bye)
        ucx_say(end, UCX_BYE);
    while (!end->broken && !(end->heard_bye && !end->sends) && sl_clock_ns() < last) {
        if (!ucp_worker_progress(end->worker))
            sched_yield();
        else if (end->input)
            ucx_collect(end);
    }
}

/* ---- coming ---------------------------------------------------------------------------------- */

static void failed(void *data, ucp_ep_h ep, ucs_status_t status)
{
    struct sl_engine_end *end = data;
    if (ep != end->ep)
        return;
    if (!end->joined && !end->trouble[0])
        say_trouble(end, ucs_status_string(status));
    end->broken = true;
    end->spoilt = end->joined || status == UCS_ERR_CONNECTION_RESET;
}

static void create_endpoint(struct sl_engine_end *end, ucp_ep_params_t *params)
{
    params->field_mask |= UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE | UCP_EP_PARAM_FIELD_ERR_HANDLER;
    params->err_mode = UCP_ERR_HANDLING_MODE_PEER;
    params->err_handler.cb = failed;
    params->err_handler.arg = end;
    ucs_status_t status = ucp_ep_create(end->worker, params, &end->ep);
    if (status) {
        end->ep = NULL;
        end->retry_ns = sl_clock_ns() + UCX_RETRY_MS * ns_per_ms;
        say_trouble(end, ucs_status_string(status));
        return;
    }
    end->hurry = 0;
    ucx_say(end, UCX_HELLO);
}

/* Numbers, or a name that is looked up meanwhile. Hosts may have several addresses. */
static void connect_next(struct sl_engine_end *end)
{
    char text[96];
    struct sl_io_place places[SL_IO_PLACES];
    int count = sl_io_lookup(end->target, -1, PROMPT_MS, places);
    end->retry_ns = sl_clock_ns() + UCX_RETRY_MS * ns_per_ms;
    if (count <= 0) {
        if (count == SL_IO_LOOKUP_FAILED)
            say_trouble(end, sl_io_error_text(errno, text, sizeof text));
        return;
    }
    const struct sl_io_place *place = &places[end->retry_place++ % (unsigned)count];
    end->trouble[0] = 0;
    create_endpoint(end, &(ucp_ep_params_t){
                             .field_mask = UCP_EP_PARAM_FIELD_FLAGS | UCP_EP_PARAM_FIELD_SOCK_ADDR,
                             .flags = UCP_EP_PARAMS_FLAGS_CLIENT_SERVER,
                             .sockaddr = {(const struct sockaddr *)&place->address, place->bytes},
                         });
}

static void let_in(struct sl_engine_end *end)
{
    ucp_conn_request_h request = end->waiting[0];
    end->waiting_count--;
    memmove(end->waiting, end->waiting + 1, end->waiting_count * sizeof *end->waiting);
    create_endpoint(end, &(ucp_ep_params_t){.field_mask = UCP_EP_PARAM_FIELD_CONN_REQUEST,
                                            .conn_request = request});
}

static void knocked(ucp_conn_request_h request, void *data)
{
    struct sl_engine_end *end = data;
    if (end->waiting_count < UCX_MOST_WAITING)
        end->waiting[end->waiting_count++] = request;
    else
        ucp_listener_reject(end->listener, request);
}

/* Nobody listens there: connections of one who was killed keep the port for a minute. */
static bool gets_free(const struct sl_io_place *place)
{
    int on = 1, fd = socket(place->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool fine = fd >= 0 && !setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) &&
                !bind(fd, (const struct sockaddr *)&place->address, place->bytes) && !listen(fd, 1);
    if (fd >= 0)
        close(fd);
    return fine;
}

bool ucx_listen(struct sl_engine_end *end)
{
    char text[96];
    struct sl_io_place places[SL_IO_PLACES];
    int count = sl_io_lookup(end->target, -1, NAME_MS, places);
    if (count <= 0) {
        say_trouble(end, sl_io_error_text(count ? errno : SL_IO_NO_ANSWER, text, sizeof text));
        return false;
    }
    const ucp_listener_params_t params = {
        .field_mask = UCP_LISTENER_PARAM_FIELD_SOCK_ADDR | UCP_LISTENER_PARAM_FIELD_CONN_HANDLER,
        .sockaddr = {(const struct sockaddr *)&places[0].address, places[0].bytes},
        .conn_handler = {.cb = knocked, .arg = end},
    };
    ucs_status_t status = ucp_listener_create(end->worker, &params, &end->listener);
    end->trouble[0] = 0;
    end->retry_ns = sl_clock_ns() + UCX_RETRY_MS * ns_per_ms;
    if (status == UCS_ERR_BUSY && gets_free(&places[0])) {
        say_trouble(end, "the port of one who listened before gets free within a minute, or at "
                         "once with UCX_TCP_CM_REUSEADDR=y");
        return true;
    }
    if (status)
        snprintf(end->trouble, sizeof end->trouble, "nobody can connect: %s",
                 status == UCS_ERR_BUSY ? "the address is in use (EADDRINUSE)"
                                        : ucs_status_string(status));
    return !status;
}

/* ---- both ways ------------------------------------------------------------------------------- */

static void sent(void *request, ucs_status_t status, void *data)
{
    struct sl_engine_end *end = data;
    (void)status;
    end->sends--;
    ucp_request_free(request);
}

static void stream(struct sl_engine_end *end, const void *at, size_t bytes)
{
    const ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
        .cb.send = sent,
        .user_data = end,
    };
    ucx_note_send(end, ucp_stream_send_nbx(end->ep, at, bytes, &param));
}

bool ucx_push(struct sl_engine_end *end)
{
    bool any = false;
    ucx_offer_kept(end);
    if (end->sharing == UCX_OFFERED)
        return false;
    if (end->head_bytes < sizeof end->start) {
        stream(end, &end->start, sizeof end->start);
        end->head_bytes = sizeof end->start;
    }
    if (end->sharing == UCX_SHARED && end->sent < end->written) {
        ucx_show(end);
        return true;
    }
    while (!end->broken && end->sent < end->written) {
        size_t at = end->sent % end->window, bytes = end->written - end->sent;
        bytes = bytes < end->window - at ? bytes : end->window - at;
        bytes = bytes < CHUNK ? bytes : CHUNK;
        stream(end, end->kept + at, bytes);
        end->sent += bytes;
        any = true;
    }
    return any;
}

/* A writer that goes has counted what it leaves; what its death leaves is still handed on. */
static bool is_finished(const struct sl_engine_end *end)
{
    return end->heard_bye ||
           (end->broken && end->rest.first == end->rest.last && !ucx_has_shared(end));
}

/* By shared memory whoever is killed in the middle of a word leaves the place for it in the peer's
 * memory, and nothing behind it would ever be heard. */
static void renew(struct sl_engine_end *end)
{
    for (unsigned i = 0; i < end->waiting_count; i++)
        ucp_listener_reject(end->listener, end->waiting[i]);
    end->waiting_count = 0;
    if (end->listener)
        ucp_listener_destroy(end->listener);
    end->listener = NULL;
    end->spoilt = false;
    const char *fault = ucx_new_worker(end);
    if (!fault)
        fault = ucx_hear(end);
    if (fault)
        say_trouble(end, fault);
    end->refused |= fault || (end->listen && !ucx_listen(end));
}

static bool hear_peer(struct sl_engine_end *end)
{
    bool any = false;
    for (int i = 0; end->worker && i < TURNS && ucp_worker_progress(end->worker); i++) {
        any = true;
        if (end->input)
            ucx_collect(end);
        if (end->input && end->into_bytes == 0 && ucx_is_full(end))
            break;
    }
    return any;
}

static void find_peer(struct sl_engine_end *end)
{
    if (end->listen && end->waiting_count)
        let_in(end);
    else if (!end->listen && sl_clock_ns() >= end->retry_ns)
        connect_next(end);
    else if (end->listen && !end->listener && sl_clock_ns() >= end->retry_ns)
        end->refused = !ucx_listen(end);
}

bool ucx_pump(struct sl_engine_end *end)
{
    bool any = hear_peer(end);
    if (end->joined && !end->broken)
        ucx_answer_offer(end);
    if (end->ep && is_finished(end)) {
        if (end->input && end->heard_bye)
            end->arrived = end->handed;
        if (end->heard_bye)
            ucx_part(end);
        ucx_disconnect(end);
        any = true;
    }
    if (!end->ep && !end->refused && end->spoilt)
        renew(end);
    if (!end->ep && !end->refused)
        find_peer(end);
    if (!end->input && end->joined && !end->broken)
        any |= ucx_push(end);
    return any;
}
