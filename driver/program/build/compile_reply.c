/* SPDX-License-Identifier: Apache-2.0 */
/* See compile_reply.h. No lock. */
#include "program/build/compile_reply.h"

#include <stdio.h>
#include <string.h>

#include "base/log/error.h"
#include "base/log/log.h"
#include "base/object/alloc.h"
#include "program/build/cacheable.h"
#include "program/cache/cache.h"

struct answer {               /* what a reply's chunks say */
    char *log, *dependencies; /* owned */
    size_t log_bytes, dependencies_bytes;
    const unsigned char *container; /* in the reply */
    size_t container_bytes;
    bool complete; /* false: memory was out */
};

static void log_times(const char *text, size_t bytes)
{
    sl_log(SL_LOG_DEBUG, "build", "compiler times:\n%.*s", (int)bytes, text);
}

static void log_remarks(const char *text, size_t bytes)
{
    for (const char *end; bytes && (end = memchr(text, '\n', bytes)); text = end + 1) {
        sl_log(SL_LOG_DEBUG, "vectorize", "%.*s", (int)(end - text), text);
        bytes -= (size_t)(end - text) + 1;
    }
}

static void read_chunk(struct answer *answer, const struct sl_reply_chunk *chunk)
{
    switch (chunk->tag) {
    case SL_CHUNK_LOG:
        answer->complete &=
            sl_build_append_text(&answer->log, &answer->log_bytes, chunk->data, chunk->bytes, 0);
        break;
    case SL_CHUNK_DEPENDENCY:
        answer->complete &= sl_build_append_text(&answer->dependencies, &answer->dependencies_bytes,
                                                 chunk->data, chunk->bytes, '\n');
        break;
    case SL_CHUNK_BINARY:
        answer->container = chunk->data;
        answer->container_bytes = chunk->bytes;
        break;
    case SL_CHUNK_TIMES:
        log_times((const char *)chunk->data, chunk->bytes);
        break;
    case SL_CHUNK_REMARKS:
        log_remarks((const char *)chunk->data, chunk->bytes);
        break;
    default:
        break;
    }
}

static struct answer read_reply(const struct sl_reply *reply)
{
    struct answer answer = {.complete = true};
    struct sl_reply_chunk chunk;
    size_t at = 0;
    while (sl_reply_next(reply, &at, &chunk))
        read_chunk(&answer, &chunk);
    return answer;
}

/* The reply's status is success. */
static cl_int take_container(struct sl_build_task *task, struct answer *answer)
{
    if (!answer->container) {
        sl_build_fail(task->result, "the compiler sent no code");
        return CL_BUILD_PROGRAM_FAILURE;
    }
    cl_int rc = sl_build_task_accept_copy(task, answer->container, answer->container_bytes);
    task->kept = !rc && sl_build_is_cacheable(task) &&
                 sl_build_may_be_kept(task, &answer->dependencies, &answer->dependencies_bytes);
    if (task->kept)
        sl_cache_store(task->key, answer->dependencies, answer->dependencies_bytes,
                       answer->container, answer->container_bytes);
    return rc;
}

cl_int sl_compile_reply_take(struct sl_build_task *task, const struct sl_reply *reply)
{
    char why[128];
    struct answer answer = read_reply(reply);
    cl_int rc = answer.complete ? reply->status : CL_OUT_OF_HOST_MEMORY;
    task->result->log = answer.log;
    if (!rc) {
        rc = take_container(task, &answer);
    } else {
        snprintf(why, sizeof why, "the compiler failed without a message (%s)", sl_error_name(rc));
        sl_build_fail(task->result, answer.log_bytes ? "" : why);
    }
    sl_free(answer.dependencies);
    return rc;
}
