/* SPDX-License-Identifier: Apache-2.0 */
/* The protocol of sluice/build.h as the compiler process sees it: requests in, replies out. */
#ifndef SL_KERNELS_MESSAGE_H
#define SL_KERNELS_MESSAGE_H

#include "compiler/build.h"

struct sl_message { /* one request; owns all that `request` points to */
    struct sl_message_header header;
    struct sl_build_request request;
    char *body;                          /* owned */
    struct sl_strings options, settings; /* owned */
    struct sl_strings texts;             /* owned: what else must end in NUL */
    struct sl_header *headers;           /* owned array, as `inputs` */
    struct sl_blob *inputs;
    struct sl_spirv_specialization *specializations; /* owned array */
};

/* 1: a request; 0: end of file; -1: the peer speaks something else, or is gone. */
int sl_message_receive(int fd, struct sl_message *);
void sl_message_finish(struct sl_message *);

/* `version` NULL: none. 0 or -1. */
int sl_message_reply(int fd, const struct sl_message *, int status, const struct sl_build_result *,
                     const char *version);

/* A failure with `log` and then `line` as its log, from a signal handler: allocates nothing. */
void sl_message_last_words(int fd, const struct sl_message *, int status, const struct sl_text *log,
                           struct sl_blob line);

#endif
