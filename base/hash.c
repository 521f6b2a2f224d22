/* SPDX-License-Identifier: Apache-2.0 */
/* XXH3 128, inlined from the system's header so that no library is needed. No state, no lock. */
#include "sluice/base/hash.h"

#include <assert.h>
#include <stdio.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static_assert(sizeof(XXH3_state_t) <= sizeof(struct sl_hasher), "the hasher holds xxhash's state");
static_assert(_Alignof(XXH3_state_t) <= _Alignof(struct sl_hasher), "xxhash's state is aligned");

static struct sl_hash from_xxh(XXH128_hash_t hash)
{
    return (struct sl_hash){hash.low64, hash.high64};
}

static XXH3_state_t *state_of(struct sl_hasher *hasher)
{
    return (XXH3_state_t *)(void *)hasher->state;
}

struct sl_hash sl_hash_bytes(const void *data, size_t bytes)
{
    return from_xxh(XXH3_128bits(data, bytes));
}

void sl_hash_text(struct sl_hash hash, char text[SL_HASH_DIGITS + 1])
{
    snprintf(text, SL_HASH_DIGITS + 1, "%016llx%016llx", (unsigned long long)hash.high,
             (unsigned long long)hash.low);
}

void sl_hasher_init(struct sl_hasher *hasher)
{
    XXH3_INITSTATE(state_of(hasher));
    XXH3_128bits_reset(state_of(hasher));
}

void sl_hasher_add(struct sl_hasher *hasher, const void *data, size_t bytes)
{
    if (bytes)
        XXH3_128bits_update(state_of(hasher), data, bytes);
}

void sl_hasher_add_field(struct sl_hasher *hasher, const void *data, size_t bytes)
{
    uint64_t length = data ? bytes : 0;
    sl_hasher_add(hasher, &length, sizeof length);
    sl_hasher_add(hasher, data, (size_t)length);
}

struct sl_hash sl_hasher_finish(struct sl_hasher *hasher)
{
    return from_xxh(XXH3_128bits_digest(state_of(hasher)));
}

int sl_hash_fd(int fd, struct sl_hash *out)
{
    struct sl_hasher hasher;
    unsigned char chunk[32768];
    off_t at = 0;
    sl_hasher_init(&hasher);
    for (;;) {
        ssize_t got = pread(fd, chunk, sizeof chunk, at);
        if (got < 0)
            return -1;
        if (!got)
            break;
        sl_hasher_add(&hasher, chunk, (size_t)got);
        at += got;
    }
    *out = sl_hasher_finish(&hasher);
    return 0;
}
