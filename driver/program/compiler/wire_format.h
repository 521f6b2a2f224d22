/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of sluice/build.h: writing requests, reading replies. No state. */
#ifndef SL_DRIVER_PROGRAM_COMPILER_WIRE_FORMAT_H
#define SL_DRIVER_PROGRAM_COMPILER_WIRE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/build.h"

struct sl_request {       /* a request while it is written; zero-initialised is empty */
    unsigned char *bytes; /* owned */
    size_t size, capacity;
    bool failed; /* memory was out: the message is not complete */
};
void sl_request_begin(struct sl_request *, enum sl_build_kind);
void sl_request_add(struct sl_request *, enum sl_chunk_tag, const void *data, size_t bytes);
void sl_request_add_text(struct sl_request *, enum sl_chunk_tag, const char *text);
/* Completes the header; false if memory was out. */
bool sl_request_end(struct sl_request *, uint64_t serial);
void sl_request_finish(struct sl_request *);

struct sl_reply { /* chunks checked by sl_reply_check */
    int32_t status;
    unsigned char *chunks; /* owned */
    size_t bytes;
};
/* True if the chunks follow the rules to the last byte. */
bool sl_reply_check(const struct sl_reply *);
struct sl_reply_chunk {
    uint32_t tag;
    const unsigned char *data; /* 8-aligned */
    size_t bytes;
};
/* The chunk at *at, which moves on; false at the end. */
bool sl_reply_next(const struct sl_reply *, size_t *at, struct sl_reply_chunk *out);
void sl_reply_finish(struct sl_reply *);

#endif
