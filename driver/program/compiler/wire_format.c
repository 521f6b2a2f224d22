/* SPDX-License-Identifier: Apache-2.0 */
/* Request and reply bytes. No state, no lock. */
#include "program/compiler/wire_format.h"

#include <string.h>

#include "base/object/alloc.h"

static size_t padded(size_t bytes)
{
    return (bytes + 7) & ~(size_t)7;
}

/* Room for `bytes` more, zeroed; NULL when memory is out. */
static unsigned char *grow(struct sl_request *message, size_t bytes)
{
    if (message->failed)
        return NULL;
    if (bytes > message->capacity - message->size) {
        size_t capacity = (message->size + bytes) * 2;
        unsigned char *moved = sl_realloc(message->bytes, capacity);
        if (!moved) {
            message->failed = true;
            return NULL;
        }
        message->bytes = moved;
        message->capacity = capacity;
    }
    unsigned char *at = message->bytes + message->size;
    memset(at, 0, bytes);
    message->size += bytes;
    return at;
}

void sl_request_begin(struct sl_request *message, enum sl_build_kind kind)
{
    struct sl_message_header head = {.magic = SL_MESSAGE_MAGIC, .abi = SL_BUILD_ABI, .kind = kind};
    unsigned char *at = grow(message, sizeof head);
    if (at)
        memcpy(at, &head, sizeof head);
}

void sl_request_add(struct sl_request *message, enum sl_chunk_tag tag, const void *data,
                    size_t bytes)
{
    struct sl_chunk chunk = {.tag = tag, .bytes = bytes};
    unsigned char *at = grow(message, sizeof chunk + padded(bytes));
    if (!at)
        return;
    memcpy(at, &chunk, sizeof chunk);
    if (bytes)
        memcpy(at + sizeof chunk, data, bytes);
}

void sl_request_add_text(struct sl_request *message, enum sl_chunk_tag tag, const char *text)
{
    sl_request_add(message, tag, text, strlen(text));
}

bool sl_request_end(struct sl_request *message, uint64_t serial)
{
    struct sl_message_header head;
    if (message->failed)
        return false;
    memcpy(&head, message->bytes, sizeof head);
    head.serial = serial;
    head.bytes = message->size - sizeof head;
    memcpy(message->bytes, &head, sizeof head);
    return true;
}

void sl_request_finish(struct sl_request *message)
{
    sl_free(message->bytes);
    *message = (struct sl_request){0};
}

bool sl_reply_next(const struct sl_reply *reply, size_t *at, struct sl_reply_chunk *out)
{
    struct sl_chunk chunk;
    if (reply->bytes - *at < sizeof chunk)
        return false;
    memcpy(&chunk, reply->chunks + *at, sizeof chunk);
    size_t left = reply->bytes - *at - sizeof chunk;
    if (chunk.bytes > left || padded((size_t)chunk.bytes) > left)
        return false;
    *out =
        (struct sl_reply_chunk){chunk.tag, reply->chunks + *at + sizeof chunk, (size_t)chunk.bytes};
    *at += sizeof chunk + padded((size_t)chunk.bytes);
    return true;
}

bool sl_reply_check(const struct sl_reply *reply)
{
    struct sl_reply_chunk chunk;
    size_t at = 0;
    while (sl_reply_next(reply, &at, &chunk))
        ;
    return at == reply->bytes;
}

void sl_reply_finish(struct sl_reply *reply)
{
    sl_free(reply->chunks);
    *reply = (struct sl_reply){0};
}
