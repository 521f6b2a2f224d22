/* SPDX-License-Identifier: Apache-2.0 */
/* See cache_key.h. No state. */
#include "program/cache/cache_key.h"

#include <string.h>

#include "base/config/config.h"
#include "platform/compiler_path.h"
#include "program/cache/cache.h"
#include "program/cache/cache_guard.h"
#include "program/module.h"

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

bool sl_build_is_cacheable(const struct sl_build_task *task)
{
    return task->key_known && sl_cache_enabled() && !sl_config(SL_CONFIG_DUMP);
}

static bool program_varies(const struct _cl_program *program)
{
    return program->source && sl_guard_varies(program->source, program->source_bytes);
}

bool sl_build_may_be_kept(const struct sl_build_task *task, char **dependencies, size_t *bytes)
{
    const struct sl_build_job *job = task->job;
    bool varies = program_varies(job->program);
    for (cl_uint i = 0; i < job->header_count; i++)
        varies |= program_varies(job->headers[i].program);
    for (uint32_t i = 0; i < job->options.count; i++)
        varies |= sl_guard_varies(job->options.tokens[i], strlen(job->options.tokens[i]));
    return !varies &&
           sl_guard_dependencies(dependencies, bytes, job->options.tokens, job->options.count);
}
