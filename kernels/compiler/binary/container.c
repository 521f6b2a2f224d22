/* SPDX-License-Identifier: Apache-2.0 */
/* The container around everything a build makes: written at its end, checked at a link. No locks.
 */
#include "compiler/binary/container.h"

#include <stddef.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "compiler/stage/stage.h"

enum { HASHED_FROM = offsetof(struct sl_binary_header, version) };

/* Tokens with white space or quotes go back into quotes, so that the text can be split again. */
static void add_option(struct sl_text *out, const char *token)
{
    if (out->bytes)
        sl_text_add(out, " ", 1);
    if (!strpbrk(token, " \t\n\"'\\")) {
        sl_text_addf(out, "%s", token);
        return;
    }
    sl_text_add(out, "\"", 1);
    for (; *token; token++) {
        if (*token == '"' || *token == '\\')
            sl_text_add(out, "\\", 1);
        sl_text_add(out, token, 1);
    }
    sl_text_add(out, "\"", 1);
}

static void add_section(struct sl_text *out, const struct sl_text *section)
{
    static const char zeros[16];
    sl_text_add(out, section->data, section->bytes);
    sl_text_add(out, zeros, SL_BINARY_PAD(out->bytes) - out->bytes);
}

static uint32_t kind_of(const struct sl_stages *stages)
{
    if (stages->request->kind == SL_BUILD_COMPILE)
        return SL_BINARY_OBJECT;
    return stages->options.create_library ? SL_BINARY_LIBRARY : SL_BINARY_EXECUTABLE;
}

struct sections {
    uint32_t kind; /* enum sl_binary_kind */
    const struct sl_text *options, *log, *payload;
};

static void fill_header(const struct sl_stages *stages, const struct sections *in,
                        struct sl_binary_header *header)
{
    memcpy(header->magic, SL_BINARY_MAGIC, sizeof header->magic);
    header->version = SL_BINARY_VERSION;
    header->header_bytes = sizeof *header;
    header->kind = in->kind;
    header->module_abi = header->kind == SL_BINARY_EXECUTABLE ? SL_MODULE_ABI : 0;
    header->options_bytes = in->options->bytes;
    header->log_bytes = in->log->bytes;
    header->payload_bytes = in->payload->bytes;
    header->total_bytes = SL_BINARY_PAD(sizeof *header) + SL_BINARY_PAD(in->options->bytes) +
                          SL_BINARY_PAD(in->log->bytes) + SL_BINARY_PAD(in->payload->bytes);
    strncpy(header->compiler, sl_compiler_version(), sizeof header->compiler - 1);
    strncpy(header->target, stages->target, sizeof header->target - 1);
}

/* Behind what the result already has. */
static int write(struct sl_stages *stages, const struct sections *in)
{
    struct sl_text *out = &stages->result->binary;
    struct sl_binary_header header = {0};
    size_t start = out->bytes;
    fill_header(stages, in, &header);
    add_section(out, &(struct sl_text){.data = (char *)&header, .bytes = sizeof header});
    add_section(out, in->options);
    add_section(out, in->log);
    add_section(out, in->payload);
    if (out->failed)
        return sl_stage_fail(stages, "out of memory");
    XXH128_hash_t hash =
        XXH3_128bits(out->data + start + HASHED_FROM, out->bytes - start - HASHED_FROM);
    memcpy(out->data + start + offsetof(struct sl_binary_header, checksum),
           (uint64_t[2]){hash.low64, hash.high64}, sizeof header.checksum);
    return 0;
}

/* The texts are those of the build that this is the rest of. */
static int write_finished(struct sl_stages *stages)
{
    const struct sl_blob *input = &stages->request->inputs[0]; /* checked when it was read */
    struct sl_binary_header header;
    memcpy(&header, input->data, sizeof header);
    char *at = (char *)input->data + SL_BINARY_PAD(sizeof header);
    struct sl_text options = {.data = at, .bytes = header.options_bytes};
    struct sl_text log = {.data = at + SL_BINARY_PAD(header.options_bytes),
                          .bytes = header.log_bytes};
    return write(stages,
                 &(struct sections){SL_BINARY_EXECUTABLE, &options, &log, &stages->payload});
}

int sl_stage_container(struct sl_stages *stages)
{
    struct sl_text options = {0};
    struct sections own = {kind_of(stages), &options, &stages->result->log, &stages->payload};
    struct sections rest = {SL_BINARY_REST, &options, &stages->result->log, &stages->rest};
    if (stages->request->kind == SL_BUILD_FINISH)
        return write_finished(stages);
    for (size_t i = 0; i < stages->request->option_count; i++)
        add_option(&options, stages->request->options[i]);
    int rc = options.failed ? sl_stage_fail(stages, "out of memory") : write(stages, &own);
    if (!rc && (stages->deferred || stages->lacks_forms))
        rc = write(stages, &rest);
    sl_text_finish(&options);
    return rc;
}

/* The three sections lie inside `total` and in order; sums cannot wrap once each is below it. */
static bool has_room(const struct sl_binary_header *h, uint64_t total)
{
    if (h->options_bytes > total || h->log_bytes > total || h->payload_bytes > total)
        return false;
    return SL_BINARY_PAD(sizeof *h) + SL_BINARY_PAD(h->options_bytes) +
               SL_BINARY_PAD(h->log_bytes) + SL_BINARY_PAD(h->payload_bytes) ==
           total;
}

const char *sl_container_payload(const struct sl_blob *container, unsigned kinds,
                                 struct sl_blob *payload)
{
    struct sl_binary_header header;
    if (container->bytes < sizeof header)
        return "not a Sluice binary";
    memcpy(&header, container->data, sizeof header);
    if (memcmp(header.magic, SL_BINARY_MAGIC, sizeof header.magic))
        return "not a Sluice binary";
    if (header.version != SL_BINARY_VERSION || header.header_bytes != sizeof header)
        return "made by another version of Sluice";
    if (header.total_bytes != container->bytes || !has_room(&header, container->bytes))
        return "truncated";
    XXH128_hash_t hash =
        XXH3_128bits(container->data + HASHED_FROM, container->bytes - HASHED_FROM);
    if (hash.low64 != header.checksum[0] || hash.high64 != header.checksum[1])
        return "damaged: its checksum is wrong";
    if (!(header.kind & kinds))
        return "neither a compiled object nor a library";
    payload->data = container->data + SL_BINARY_PAD(sizeof header) +
                    SL_BINARY_PAD(header.options_bytes) + SL_BINARY_PAD(header.log_bytes);
    payload->bytes = header.payload_bytes;
    return NULL;
}
