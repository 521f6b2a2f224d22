/* SPDX-License-Identifier: Apache-2.0 */
/* See cacheable.h. No state. */
#include "program/build/cacheable.h"

#include <string.h>

#include "base/config/config.h"
#include "program/cache/cache.h"
#include "program/cache/cache_guard.h"

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
