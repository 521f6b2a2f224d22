/* SPDX-License-Identifier: Apache-2.0 */
/* Words between the two ends of a connection. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/base/wait.h"
#include "ucx/ucx_end.h"

enum { WORD_ID = 36 };
static const uint32_t word_magic = 0x7a636c73; /* the version is in it */

struct message {
    struct sl_engine_end *end;
    struct ucx_word word;
    char news[]; /* behind the word */
};

/* ---- saying ---------------------------------------------------------------------------------- */

static void sent(void *request, ucs_status_t status, void *data)
{
    struct sl_engine_end *end = data;
    (void)status; /* a connection that ends is told by its handler */
    end->sends--;
    ucp_request_free(request);
}

void ucx_note_send(struct sl_engine_end *end, ucs_status_ptr_t answer)
{
    end->sends += UCS_PTR_IS_PTR(answer);
    end->broken |= UCS_PTR_IS_ERR(answer);
}

static void message_sent(void *request, ucs_status_t status, void *data)
{
    struct message *message = data;
    sent(request, status, message->end);
    free(message);
}

static void send_message(struct sl_engine_end *end, enum ucx_word_kind kind, const void *news,
                         size_t bytes)
{
    struct message *message = malloc(sizeof *message + bytes);
    if (!message || !end->ep || end->broken) {
        free(message);
        return;
    }
    message->end = end;
    message->word = (struct ucx_word){
        .magic = word_magic,
        .kind = kind,
        .packet_bytes = (uint32_t)end->packet_bytes,
        .input = end->input,
        .self = end->self,
        .peer = end->input ? end->writer : 0,
        .arrived = end->arrived,
        .used = end->used,
    };
    if (bytes)
        memcpy(message->news, news, bytes);
    const ucp_request_param_t param = {
        .op_attr_mask =
            UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FIELD_FLAGS,
        .flags = UCP_AM_SEND_FLAG_REPLY | UCP_AM_SEND_FLAG_EAGER,
        .cb.send = message_sent,
        .user_data = message,
    };
    ucs_status_ptr_t answer = ucp_am_send_nbx(end->ep, WORD_ID, NULL, 0, &message->word,
                                              sizeof message->word + bytes, &param);
    ucx_note_send(end, answer);
    if (!UCS_PTR_IS_PTR(answer))
        free(message);
}

void ucx_say(struct sl_engine_end *end, enum ucx_word_kind kind)
{
    send_message(end, kind, NULL, 0);
    if (kind == UCX_BYE)
        end->said_bye = true;
}

void ucx_say_offer(struct sl_engine_end *end, const void *offer, size_t bytes)
{
    send_message(end, UCX_OFFER, offer, bytes);
}

void ucx_say_news(struct sl_engine_end *end, const void *news, size_t bytes)
{
    if (end->joined && bytes <= UCX_NEWS)
        send_message(end, UCX_NEWS_OF, news, bytes);
}

void ucx_tell_taken(struct sl_engine_end *end, bool all)
{
    const uint64_t much = end->window / 8;
    uint64_t arrived = end->arrived - end->told_arrived, used = end->used - end->told_used;
    if (!end->joined || (all ? !arrived && !used : arrived < much && used < much))
        return;
    ucx_say(end, UCX_TAKEN);
    end->told_ns = sl_clock_ns();
    end->told_arrived = end->arrived;
    end->told_used = end->used;
}

/* ---- hearing --------------------------------------------------------------------------------- */

/* Positions of a reader; what cannot be does not count. */
static void note_taken(struct sl_engine_end *end, const struct ucx_word *word)
{
    if (end->input || word->arrived > end->sent || word->arrived < end->arrived ||
        word->used > word->arrived || word->used < end->used)
        return;
    end->arrived = word->arrived;
    end->used = word->used;
    uint64_t whole = ucx_whole(end, word->used);
    end->first = whole > end->first ? whole : end->first;
}

/* Who connects is told that it is the wrong one; who listens waits for another. */
static void turn_away(struct sl_engine_end *end)
{
    end->refused = !end->listen;
    end->broken = true;
}

/* A reader that has read our packets before goes on where it was. */
static void join(struct sl_engine_end *end, const struct ucx_word *word)
{
    if (word->input == end->input || word->packet_bytes != end->packet_bytes) {
        if (word->input == end->input)
            snprintf(end->trouble, sizeof end->trouble, "the peer %s it as well",
                     end->input ? "reads" : "writes");
        else
            snprintf(end->trouble, sizeof end->trouble,
                     "the peer has packets of %u bytes, this pipe of %zu", word->packet_bytes,
                     end->packet_bytes);
        turn_away(end);
        return;
    }
    end->joined = true;
    end->trouble[0] = 0;
    if (end->input) {
        if (end->writer != word->self)
            end->began = end->handed = end->arrived = end->used = 0;
        end->writer = word->self;
        end->told_arrived = end->arrived;
        end->told_used = end->used;
        return;
    }
    uint64_t at = ucx_whole(end, word->arrived);
    bool knows = word->peer == end->self && at >= end->first && at <= end->written;
    end->start = end->sent = end->arrived = knows ? at : end->first;
    end->used = knows && word->used >= end->first && word->used <= at ? word->used : end->first;
}

/* It is opened when no word is being heard. */
static void keep_offer(struct sl_engine_end *end, const char *at, size_t bytes)
{
    if (!end->input || end->sharing != UCX_APART || bytes > sizeof end->offer)
        bytes = 0; /* which is refused */
    memcpy(end->offer, at, bytes);
    end->offer_bytes = bytes;
    end->offered = true;
}

static void begin_sharing(struct sl_engine_end *end, bool shared)
{
    end->sharing = shared ? UCX_SHARED : UCX_APART;
    if (shared)
        ucx_show(end);
}

static ucs_status_t heard(void *data, const void *header, size_t header_bytes, void *at,
                          size_t bytes, const ucp_am_recv_param_t *param)
{
    struct sl_engine_end *end = data;
    struct ucx_word word;
    (void)header;
    if (header_bytes || bytes < sizeof word || param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV ||
        param->reply_ep != end->ep || end->broken)
        return UCS_OK;
    memcpy(&word, at, sizeof word);
    if (word.magic != word_magic)
        return UCS_OK;
    if (word.kind == UCX_HELLO && !end->joined)
        join(end, &word);
    if (!end->joined)
        return UCS_OK;
    if (word.kind == UCX_OFFER)
        keep_offer(end, (const char *)at + sizeof word, bytes - sizeof word);
    if (!end->input && end->sharing == UCX_OFFERED &&
        (word.kind == UCX_SHARE || word.kind == UCX_STREAM))
        begin_sharing(end, word.kind == UCX_SHARE);
    if (word.kind == UCX_TAKEN || word.kind == UCX_BYE)
        note_taken(end, &word);
    end->heard_bye |= word.kind == UCX_BYE;
    if (word.kind == UCX_NEWS_OF && bytes - sizeof word <= sizeof end->news) {
        end->news_bytes = bytes - sizeof word;
        memcpy(end->news, (const char *)at + sizeof word, end->news_bytes);
    }
    return UCS_OK;
}

const char *ucx_hear(struct sl_engine_end *end)
{
    const ucp_am_handler_param_t param = {
        .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS |
                      UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG,
        .id = WORD_ID,
        .flags = UCP_AM_FLAG_WHOLE_MSG,
        .cb = heard,
        .arg = end,
    };
    ucs_status_t status = ucp_worker_set_am_recv_handler(end->worker, &param);
    return status ? ucs_status_string(status) : NULL;
}
