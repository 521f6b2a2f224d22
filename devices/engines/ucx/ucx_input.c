/* SPDX-License-Identifier: Apache-2.0 */
/* What a reader has received. */
#include <stdlib.h>
#include <string.h>

#include "ucx/ucx_end.h"

enum { LEAST_ROOM = 64 << 10, MUCH = 256 << 10 };

static bool make_room(struct ucx_rest *rest, size_t bytes)
{
    size_t held = rest->last - rest->first, capacity = rest->capacity;
    if (rest->first) {
        memmove(rest->at, rest->at + rest->first, held);
        rest->first = 0;
        rest->last = held;
    }
    if (held + bytes <= capacity)
        return true;
    for (capacity = capacity ? capacity : LEAST_ROOM; capacity < held + bytes;)
        capacity *= 2;
    char *at = realloc(rest->at, capacity);
    if (!at)
        return false;
    rest->at = at;
    rest->capacity = capacity;
    return true;
}

static bool keep(struct ucx_rest *rest, const char *at, size_t bytes)
{
    if (rest->first == rest->last)
        rest->first = rest->last = 0;
    if (rest->capacity - rest->last < bytes && !make_room(rest, bytes))
        return false;
    memcpy(rest->at + rest->last, at, bytes);
    rest->last += bytes;
    return true;
}

static bool is_empty(const struct ucx_rest *rest)
{
    return rest->first == rest->last;
}

/* In order: nothing goes by what is kept. */
static bool put(struct sl_engine_end *end, const char *at, size_t bytes)
{
    bool straight = end->joined && end->head_bytes == sizeof end->head && is_empty(&end->rest);
    size_t now = !straight ? 0 : bytes < end->into_bytes ? bytes : end->into_bytes;
    if (now) {
        memcpy(end->into, at, now);
        end->into += now;
        end->into_bytes -= now;
        ucx_hand(end, now);
    }
    return now == bytes || keep(&end->rest, at + now, bytes - now);
}

bool ucx_collect(struct sl_engine_end *end)
{
    size_t bytes;
    bool any = false;
    while (end->ep && !end->broken) {
        ucs_status_ptr_t at = ucp_stream_recv_data_nb(end->ep, &bytes);
        if (!UCS_PTR_IS_PTR(at))
            break;
        any = true;
        if (!put(end, (const char *)at, bytes)) {
            strcpy(end->trouble, "no memory");
            end->broken = true;
        }
        ucp_stream_data_release(end->ep, at);
    }
    return any;
}

static size_t take(struct ucx_rest *rest, char *to, size_t bytes)
{
    size_t held = rest->last - rest->first;
    bytes = bytes < held ? bytes : held;
    if (bytes)
        memcpy(to, rest->at + rest->first, bytes);
    rest->first += bytes;
    return bytes;
}

size_t ucx_take(struct sl_engine_end *end, char *to, size_t bytes)
{
    size_t now = take(&end->rest, to, bytes);
    ucx_hand(end, now);
    return now;
}

bool ucx_has_begun(struct sl_engine_end *end)
{
    if (end->head_bytes == sizeof end->head)
        return true;
    end->head_bytes +=
        take(&end->rest, (char *)end->head + end->head_bytes, sizeof end->head - end->head_bytes);
    if (end->head_bytes < sizeof end->head)
        return false;
    memcpy(&end->began, end->head, sizeof end->began);
    end->handed = end->arrived = end->began;
    end->used = end->used > end->arrived || end->used == 0 ? end->arrived : end->used;
    end->told_arrived = end->arrived;
    end->told_used = end->used;
    return true;
}

bool ucx_is_full(const struct sl_engine_end *end)
{
    return end->rest.last - end->rest.first >= MUCH;
}

void ucx_drop_rest(struct sl_engine_end *end)
{
    end->rest.first = end->rest.last = 0;
}
