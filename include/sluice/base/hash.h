/* SPDX-License-Identifier: Apache-2.0 */
/*
 * XXH3 128: the hash of containers, cache keys and dependencies. Not cryptographic: it finds
 * damage and change, not malice. Any thread; a hasher belongs to one thread at a time.
 */
#ifndef SL_BASE_HASH_H
#define SL_BASE_HASH_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/base/linkage.h"

SL_BEGIN_C

struct sl_hash {
    uint64_t low, high;
};
#define SL_HASH_DIGITS 32 /* of the text form, without NUL */

struct sl_hasher {
    alignas(64) unsigned char state[640]; /* hash.c asserts that its state fits */
};

struct sl_hash sl_hash_bytes(const void *, size_t bytes);
void sl_hash_text(struct sl_hash, char text[SL_HASH_DIGITS + 1]);
static inline bool sl_hash_equal(struct sl_hash a, struct sl_hash b)
{
    return a.low == b.low && a.high == b.high;
}

void sl_hasher_init(struct sl_hasher *);
void sl_hasher_add(struct sl_hasher *, const void *, size_t bytes);
/* With its length in front, so that ("ab","c") and ("a","bc") differ. NULL is an empty field. */
void sl_hasher_add_field(struct sl_hasher *, const void *, size_t bytes);
struct sl_hash sl_hasher_finish(struct sl_hasher *);
/* All of an open file from its start; 0, or -1 when it cannot be read. */
int sl_hash_fd(int fd, struct sl_hash *out) __attribute__((warn_unused_result));

SL_END_C

#endif
