/* SPDX-License-Identifier: Apache-2.0 */
/* See demand_request.h. No lock; the cache, the flights and the compiler have their own. */
#include "program/object/demand_request.h"

#include <stdio.h>
#include <string.h>

#include "base/log/error.h"
#include "base/log/log.h"
#include "base/object/alloc.h"
#include "program/cache/cache.h"
#include "program/compiler/request_key.h"
#include "program/compiler/single_flight.h"

/* The request for an order, with so much of the rest. */
static void compose(struct sl_request *request, const struct sl_order *order, size_t rest_bytes)
{
    const struct sl_device_caps *caps = order->caps;
    sl_request_begin(request, SL_BUILD_FINISH);
    sl_request_add_text(request, SL_CHUNK_TARGET, caps->target);
    sl_request_add_text(request, SL_CHUNK_CPU, caps->cpu ? caps->cpu : "");
    sl_request_add_text(request, SL_CHUNK_CPU_FEATURES,
                        caps->cpu_features ? caps->cpu_features : "");
    sl_request_add(request, SL_CHUNK_INPUT, order->rest, rest_bytes);
    if (order->kernel)
        sl_request_add_text(request, SL_CHUNK_KERNEL, order->kernel);
    if (order->all_forms)
        sl_request_add_text(request, SL_CHUNK_FORMS, "all");
}

void sl_order_init(struct sl_order *order, const struct sl_device_caps *caps,
                   const unsigned char *rest, size_t rest_bytes, const char *kernel, bool all_forms)
{
    const size_t header_bytes = sizeof(struct sl_binary_header);
    struct sl_request heading = {0};
    *order = (struct sl_order){.caps = caps,
                               .rest = rest,
                               .rest_bytes = rest_bytes,
                               .kernel = kernel,
                               .all_forms = kernel && all_forms};
    compose(&heading, order, rest_bytes < header_bytes ? rest_bytes : header_bytes);
    order->key_known = sl_build_key(&heading, &order->key);
    sl_request_finish(&heading);
}

void sl_order_finish(struct sl_order *order)
{
    sl_free(order->container);
}

bool sl_order_find(struct sl_order *order)
{
    return order->key_known && sl_cache_enabled() &&
           sl_cache_load(order->key, &order->container, &order->bytes);
}

static cl_int take_reply(struct sl_order *order, const struct sl_reply *reply)
{
    struct sl_reply_chunk chunk;
    size_t at = 0;
    snprintf(order->why, sizeof order->why, "the compiler sent no code (%s)",
             sl_error_name(reply->status));
    while (sl_reply_next(reply, &at, &chunk)) {
        if (chunk.tag == SL_CHUNK_LOG && reply->status)
            snprintf(order->why, sizeof order->why, "%.*s",
                     (int)(chunk.bytes < sizeof order->why ? chunk.bytes : sizeof order->why - 1),
                     (const char *)chunk.data);
        if (chunk.tag == SL_CHUNK_TIMES)
            sl_log(SL_LOG_DEBUG, "build", "compiler times of %s:\n%.*s",
                   order->kernel ? order->kernel : "all kernels", (int)chunk.bytes,
                   (const char *)chunk.data);
        if (chunk.tag != SL_CHUNK_BINARY || reply->status)
            continue;
        order->container = sl_memdup(chunk.data, chunk.bytes);
        order->bytes = chunk.bytes;
        if (!order->container)
            return CL_OUT_OF_HOST_MEMORY;
    }
    return order->container ? CL_SUCCESS : CL_INVALID_PROGRAM_EXECUTABLE;
}

cl_int sl_order_make(struct sl_order *order)
{
    struct sl_reply reply;
    struct sl_request request = {0};
    compose(&request, order, order->rest_bytes);
    cl_int rc =
        request.failed ? CL_OUT_OF_HOST_MEMORY : sl_compiler_run(&request, &reply, order->why);
    sl_request_finish(&request);
    if (rc)
        return rc == CL_OUT_OF_HOST_MEMORY ? rc : CL_INVALID_PROGRAM_EXECUTABLE;
    rc = take_reply(order, &reply);
    sl_reply_finish(&reply);
    order->made = true;
    return rc;
}

cl_int sl_order_get(struct sl_order *order)
{
    order->made = false;
    bool pilot = false;
    struct sl_flight *flight = order->key_known ? sl_flight_board(order->key, &pilot) : NULL;
    if (flight && !pilot) {
        order->container = sl_flight_wait(flight, &order->bytes);
        if (order->container)
            return CL_SUCCESS;
    }
    cl_int rc = sl_order_find(order) ? CL_SUCCESS : sl_order_make(order);
    if (flight && pilot)
        sl_flight_land(flight, order->container, order->bytes);
    return rc;
}

void sl_order_store(const struct sl_order *order)
{
    if (order->made && order->key_known && sl_cache_enabled())
        sl_cache_store(order->key, "", 0, order->container, order->bytes);
}
