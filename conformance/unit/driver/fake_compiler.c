/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A compiler process that misbehaves on demand: the first word of the source says how. Anything
 * else is "compiled" into an object whose payload is the source. SLUICE_TEST_COUNT names a file
 * that gets one byte per request. Of a SPIR-V module the log says what came with it.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "container.h"
#include "program/compiler/wire_format.h"
#include "sluice/base/spirv.h"

struct request {
    struct sl_message_header head;
    struct sl_reply chunks; /* the same layout in both directions */
    char source[4096], target[64];
    char module[512]; /* what came of a module; "": it was text */
};

static bool read_all(void *out, size_t bytes)
{
    return !bytes || recv(SL_BUILD_FD, out, bytes, MSG_WAITALL) == (ssize_t)bytes;
}

static void copy_text(char *out, size_t room, const struct sl_reply_chunk *chunk)
{
    snprintf(out, room, "%.*s", (int)chunk->bytes, (const char *)chunk->data);
}

static void note_constants(struct request *request, const struct sl_reply_chunk *chunk)
{
    struct sl_spec_constant one;
    for (size_t at = 0; at + sizeof one <= chunk->bytes; at += sizeof one) {
        size_t said = strlen(request->module);
        memcpy(&one, chunk->data + at, sizeof one);
        snprintf(request->module + said, sizeof request->module - said, " %u:%u=%llx", one.id,
                 one.bytes, (unsigned long long)one.value);
    }
}

static bool read_request(struct request *request)
{
    struct sl_reply_chunk chunk;
    size_t at = 0;
    memset(request, 0, sizeof *request);
    if (!read_all(&request->head, sizeof request->head))
        return false;
    request->chunks.bytes = request->head.bytes;
    request->chunks.chunks = malloc(request->head.bytes + 1);
    if (!read_all(request->chunks.chunks, request->head.bytes))
        return false;
    while (sl_reply_next(&request->chunks, &at, &chunk)) {
        if (chunk.tag == SL_CHUNK_SOURCE)
            copy_text(request->source, sizeof request->source, &chunk);
        if (chunk.tag == SL_CHUNK_SOURCE && sl_spirv_begins(chunk.data, chunk.bytes))
            snprintf(request->module, sizeof request->module, "SPIR-V of %zu bytes:", chunk.bytes);
        if (chunk.tag == SL_CHUNK_CONSTANTS)
            note_constants(request, &chunk);
        if (chunk.tag == SL_CHUNK_TARGET)
            copy_text(request->target, sizeof request->target, &chunk);
    }
    return true;
}

static void send_reply(struct sl_request *reply, const struct request *request, int32_t status)
{
    struct sl_message_header head;
    sl_request_end(reply, request->head.serial);
    memcpy(&head, reply->bytes, sizeof head);
    head.kind = 0;
    head.status = status;
    memcpy(reply->bytes, &head, sizeof head);
    for (size_t sent = 0; sent < reply->size;) {
        ssize_t part = write(SL_BUILD_FD, reply->bytes + sent, reply->size - sent);
        if (part <= 0)
            _exit(1);
        sent += (size_t)part;
    }
    sl_request_finish(reply);
}

static void answer(const struct request *request, int32_t status, const char *log)
{
    struct sl_request reply = {0};
    sl_request_begin(&reply, 0);
    sl_request_add_text(&reply, SL_CHUNK_LOG, log);
    if (!status) {
        struct container_text text = {.target = request->target[0] ? request->target : "test",
                                      .log = log,
                                      .payload = request->source,
                                      .payload_bytes = strlen(request->source),
                                      .kind = SL_BINARY_OBJECT};
        size_t bytes;
        unsigned char *container = container_make(&text, &bytes);
        sl_request_add(&reply, SL_CHUNK_BINARY, container, bytes);
        free(container);
    }
    send_reply(&reply, request, status);
}

/* What a process finds when it starts: one line each, for the test to look at. */
static void answer_surroundings(const struct request *request)
{
    char log[2048];
    struct rlimit space, core;
    struct sigaction action;
    sigset_t mask;
    int open_fds = 0, caught = 0, blocked = 0;
    for (int fd = 0; fd < 1024; fd++)
        open_fds += fcntl(fd, F_GETFD) >= 0;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    for (int number = 1; number < 32; number++) {
        caught += !sigaction(number, NULL, &action) && action.sa_handler != SIG_DFL;
        blocked += sigismember(&mask, number) == 1;
    }
    getrlimit(RLIMIT_AS, &space);
    getrlimit(RLIMIT_CORE, &core);
    snprintf(log, sizeof log,
             "fds=%d caught=%d blocked=%d preload=%d libpath=%d as_mb=%lu core=%lu session=%d",
             open_fds, caught, blocked, getenv("LD_PRELOAD") != NULL,
             getenv("LD_LIBRARY_PATH") != NULL, (unsigned long)(space.rlim_cur >> 20),
             (unsigned long)core.rlim_cur, getsid(0) == getpid());
    answer(request, 0, log);
}

static void count_request(void)
{
    const char *path = getenv("SLUICE_TEST_COUNT");
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
    if (fd >= 0 && write(fd, "x", 1) == 1)
        close(fd);
}

static void nap(long ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static void eat_memory(const struct request *request)
{
    size_t total = 0;
    while (total < (size_t)1 << 34 && malloc((size_t)64 << 20))
        total += (size_t)64 << 20;
    answer(request, -11, total < (size_t)1 << 34 ? "memory limit reached" : "no limit");
}

static void compile(const struct request *request)
{
    char log[64];
    if (!strncmp(request->source, "crash", 5))
        abort();
    else if (!strncmp(request->source, "hang", 4))
        pause();
    else if (!strncmp(request->source, "garbage", 7))
        (void)!write(SL_BUILD_FD, "this is not a reply, it is only a long enough text", 50);
    else if (!strncmp(request->source, "half", 4)) {
        (void)!write(SL_BUILD_FD, &request->head, 12);
        _exit(0);
    } else if (!strncmp(request->source, "around", 6))
        answer_surroundings(request);
    else if (!strncmp(request->source, "memory", 6))
        eat_memory(request);
    else if (!strncmp(request->source, "error", 5))
        answer(request, -11, "1:1: error: as you wish");
    else if (!strncmp(request->source, "silent", 6))
        answer(request, -11, "");
    else if (*request->module)
        answer(request, 0, request->module);
    else {
        if (!strncmp(request->source, "slow", 4))
            nap(300);
        snprintf(log, sizeof log, "pid %d", (int)getpid());
        answer(request, 0, log);
        if (!strncmp(request->source, "leave", 5))
            _exit(0);
    }
}

int main(void)
{
    struct request request;
    while (read_request(&request)) {
        if (request.head.kind == SL_BUILD_HELLO) {
            struct sl_request reply = {0};
            sl_request_begin(&reply, 0);
            sl_request_add_text(&reply, SL_CHUNK_COMPILER, "fake 1");
            send_reply(&reply, &request, 0);
        } else {
            count_request();
            compile(&request);
        }
        sl_reply_finish(&request.chunks);
    }
    return 0;
}
