/* SPDX-License-Identifier: Apache-2.0 */
/* Chunked messages on a stream socket. No locks: one thread reads and writes the socket. */
#include "compiler/request/message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sluice/base/io.h"

#define LARGEST_MESSAGE ((uint64_t)1 << 31)

/* ---- requests -------------------------------------------------------------------------------- */

/* 1: all read; 0: end of file before the first byte; -1: anything else. */
static int read_all(int fd, void *out, size_t bytes)
{
    char *at = out;
    while (bytes > 0) {
        ssize_t got = read(fd, at, bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0 && at == (char *)out ? 0 : -1;
        at += got;
        bytes -= (size_t)got;
    }
    return 1;
}

static const char *keep(struct sl_message *message, const char *text, size_t bytes)
{
    size_t before = message->texts.count;
    sl_strings_add(&message->texts, text, bytes);
    return message->texts.count > before ? message->texts.items[before] : NULL;
}

static void take_text(struct sl_message *message, uint32_t tag, const char *text, size_t bytes)
{
    struct sl_build_request *request = &message->request;
    switch (tag) {
    case SL_CHUNK_OPTION:
        sl_strings_add(&message->options, text, bytes);
        break;
    case SL_CHUNK_SETTING:
        sl_strings_add(&message->settings, text, bytes);
        break;
    case SL_CHUNK_SOURCE:
        request->source = (struct sl_blob){text, bytes};
        break;
    case SL_CHUNK_CPU:
        request->cpu = keep(message, text, bytes);
        break;
    case SL_CHUNK_CPU_FEATURES:
        request->cpu_features = keep(message, text, bytes);
        break;
    case SL_CHUNK_TARGET:
        request->target = keep(message, text, bytes);
        break;
    case SL_CHUNK_EXTENSIONS:
        request->extensions = keep(message, text, bytes);
        break;
    case SL_CHUNK_KERNEL:
        request->kernel = keep(message, text, bytes);
        break;
    case SL_CHUNK_FORMS:
        request->all_forms = bytes == 3 && !memcmp(text, "all", 3);
        break;
    }
}

/* A text belongs to the last name; a name without text is an empty header. */
static void take_file(struct sl_message *message, uint32_t tag, const char *text, size_t bytes)
{
    struct sl_build_request *request = &message->request;
    switch (tag) {
    case SL_CHUNK_HEADER_NAME:
        message->headers[request->header_count].text = (struct sl_blob){"", 0};
        message->headers[request->header_count++].name = keep(message, text, bytes);
        break;
    case SL_CHUNK_HEADER_TEXT:
        if (request->header_count)
            message->headers[request->header_count - 1].text = (struct sl_blob){text, bytes};
        break;
    case SL_CHUNK_INPUT:
        message->inputs[request->input_count++] = (struct sl_blob){text, bytes};
        break;
    }
}

/* The values stay where they are, in the body. */
static int take_constants(struct sl_message *message, const char *data, size_t bytes)
{
    size_t count = bytes / sizeof(struct sl_spec_constant);
    struct sl_spirv_specialization *rows = calloc(count + 1, sizeof *rows);
    free(message->specializations);
    message->specializations = rows;
    message->request.specializations = rows;
    message->request.specialization_count = rows ? count : 0;
    for (size_t i = 0; rows && i < count; i++) {
        const char *at = data + i * sizeof(struct sl_spec_constant);
        struct sl_spec_constant one;
        memcpy(&one, at, sizeof one);
        if (one.bytes > sizeof one.value)
            return -1;
        rows[i] = (struct sl_spirv_specialization){
            one.id, at + offsetof(struct sl_spec_constant, value), one.bytes};
    }
    return rows ? 0 : -1;
}

static int parse(struct sl_message *message)
{
    uint64_t at = 0, end = message->header.bytes;
    while (at < end) {
        struct sl_chunk chunk;
        if (end - at < sizeof chunk)
            return -1;
        memcpy(&chunk, message->body + at, sizeof chunk);
        at += sizeof chunk;
        if (chunk.bytes > end - at)
            return -1;
        take_text(message, chunk.tag, message->body + at, chunk.bytes);
        take_file(message, chunk.tag, message->body + at, chunk.bytes);
        if (chunk.tag == SL_CHUNK_CONSTANTS &&
            take_constants(message, message->body + at, chunk.bytes))
            return -1;
        uint64_t padded = (chunk.bytes + 7) & ~(uint64_t)7;
        at += padded < end - at ? padded : end - at;
    }
    struct sl_build_request *request = &message->request;
    request->kind = (enum sl_build_kind)message->header.kind;
    request->options = (const char *const *)message->options.items;
    request->option_count = message->options.count;
    request->settings = (const char *const *)message->settings.items;
    request->setting_count = message->settings.count;
    request->headers = message->headers;
    request->inputs = message->inputs;
    return message->options.failed || message->settings.failed || message->texts.failed ? -1 : 0;
}

int sl_message_receive(int fd, struct sl_message *message)
{
    *message = (struct sl_message){0};
    int got = read_all(fd, &message->header, sizeof message->header);
    if (got <= 0)
        return got;
    if (message->header.magic != SL_MESSAGE_MAGIC || message->header.abi != SL_BUILD_ABI ||
        message->header.bytes > LARGEST_MESSAGE)
        return -1;
    size_t most = message->header.bytes / sizeof(struct sl_chunk) + 1;
    message->body = malloc(message->header.bytes + 1);
    message->headers = calloc(most, sizeof *message->headers);
    message->inputs = calloc(most, sizeof *message->inputs);
    if (!message->body || !message->headers || !message->inputs)
        return -1;
    if (message->header.bytes && read_all(fd, message->body, message->header.bytes) <= 0)
        return -1;
    return parse(message) ? -1 : 1;
}

void sl_message_finish(struct sl_message *message)
{
    free(message->body);
    free(message->headers);
    free(message->inputs);
    free(message->specializations);
    sl_strings_finish(&message->options);
    sl_strings_finish(&message->settings);
    sl_strings_finish(&message->texts);
    *message = (struct sl_message){0};
}

/* ---- replies --------------------------------------------------------------------------------- */

static void add_chunk(struct sl_text *out, uint32_t tag, const void *data, size_t bytes)
{
    static const char zeros[8];
    struct sl_chunk chunk = {.tag = tag, .bytes = bytes};
    if (!bytes)
        return;
    sl_text_add(out, &chunk, sizeof chunk);
    sl_text_add(out, data, bytes);
    sl_text_add(out, zeros, (8 - bytes % 8) % 8);
}

int sl_message_reply(int fd, const struct sl_message *message, int status,
                     const struct sl_build_result *result, const char *version)
{
    struct sl_message_header header = {
        .magic = SL_MESSAGE_MAGIC,
        .abi = SL_BUILD_ABI,
        .status = status,
        .serial = message->header.serial,
    };
    struct sl_text out = {0};
    sl_text_add(&out, &header, sizeof header);
    add_chunk(&out, SL_CHUNK_LOG, result->log.data, result->log.bytes);
    if (!status)
        add_chunk(&out, SL_CHUNK_BINARY, result->binary.data, result->binary.bytes);
    for (size_t i = 0; i < result->dependencies.count; i++)
        add_chunk(&out, SL_CHUNK_DEPENDENCY, result->dependencies.items[i],
                  strlen(result->dependencies.items[i]));
    if (version)
        add_chunk(&out, SL_CHUNK_COMPILER, version, strlen(version));
    add_chunk(&out, SL_CHUNK_TIMES, result->times.data, result->times.bytes);
    add_chunk(&out, SL_CHUNK_REMARKS, result->remarks.data, result->remarks.bytes);
    int rc = -1;
    if (!out.failed) {
        header.bytes = out.bytes - sizeof header;
        memcpy(out.data, &header, sizeof header);
        rc = sl_write_all(fd, out.data, out.bytes) ? 0 : -1;
    }
    sl_text_finish(&out);
    return rc;
}

void sl_message_last_words(int fd, const struct sl_message *message, int status,
                           const struct sl_text *log, struct sl_blob line)
{
    static const char zeros[8];
    struct sl_chunk chunk = {.tag = SL_CHUNK_LOG, .bytes = log->bytes + line.bytes};
    size_t padding = (8 - chunk.bytes % 8) % 8;
    struct sl_message_header header = {
        .magic = SL_MESSAGE_MAGIC,
        .abi = SL_BUILD_ABI,
        .status = status,
        .serial = message->header.serial,
        .bytes = sizeof chunk + chunk.bytes + padding,
    };
    bool sent = sl_write_all(fd, &header, sizeof header) &&
                sl_write_all(fd, &chunk, sizeof chunk) && sl_write_all(fd, log->data, log->bytes) &&
                sl_write_all(fd, line.data, line.bytes);
    if (sent)
        (void)sl_write_all(fd, zeros, padding);
}
