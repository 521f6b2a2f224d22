/* SPDX-License-Identifier: Apache-2.0 */
/* See request_key.h. No state. */
#include "program/compiler/request_key.h"

#include "platform/compiler_path.h"
#include "program/cache/cache.h"
#include "sluice/base/container.h"
#include "sluice/build.h"

bool sl_build_key(const struct sl_request *request, struct sl_hash *key)
{
    static const uint32_t formats[] = {SL_BUILD_ABI, SL_MODULE_ABI, SL_BINARY_VERSION,
                                       SL_CACHE_VERSION};
    struct sl_hash compiler;
    struct sl_hasher hasher;
    if (request->failed || !sl_compiler_identity(&compiler))
        return false;
    sl_hasher_init(&hasher);
    sl_hasher_add(&hasher, formats, sizeof formats);
    sl_hasher_add(&hasher, &compiler, sizeof compiler);
    sl_hasher_add(&hasher, request->bytes, request->size);
    *key = sl_hasher_finish(&hasher);
    return true;
}
