/* SPDX-License-Identifier: Apache-2.0 */
/* See host_end.h. The program's lock guards who has claimed an end. */
#include "program/object/host_end.h"

#include <stdlib.h>
#include <string.h>

#include "base/log/error.h"
#include "base/object/alloc.h"
#include "platform/context.h"

struct sl_host_ends {
    uint32_t count;
    struct sl_host_end at[];
};

void sl_host_ends_destroy(struct sl_host_ends *ends)
{
    for (uint32_t i = 0; ends && i < ends->count; i++)
        sl_pipe_regions_finish(&ends->at[i].regions);
    sl_free(ends);
}

static bool is_host_pipe(const struct sl_pipe_info *info)
{
    return info->flags & SL_PIPE_HOST;
}

static int by_name(const void *a, const void *b)
{
    const struct sl_host_end *left = a, *right = b;
    return strcmp(left->info->name, right->info->name);
}

static enum sl_host_direction direction_of(const struct sl_pipe_info *info)
{
    if (info->flags & SL_PIPE_HOST_READS || info->writer >= 0)
        return SL_HOST_READS;
    if (info->flags & SL_PIPE_HOST_WRITES || info->reader >= 0)
        return SL_HOST_WRITES;
    return SL_HOST_UNKNOWN;
}

static struct sl_host_ends *make_ends(const struct sl_code_ref *code)
{
    const struct sl_module_info *module = code->info;
    uint32_t count = 0;
    for (uint32_t i = 0; i < module->pipe_count; i++)
        count += is_host_pipe(&module->pipes[i]);
    struct sl_host_ends *ends = sl_zalloc(sizeof *ends + count * sizeof *ends->at);
    if (!ends)
        return NULL;
    for (uint32_t i = 0; i < module->pipe_count; i++) {
        const struct sl_pipe_info *info = &module->pipes[i];
        if (!is_host_pipe(info))
            continue;
        struct sl_host_end *end = &ends->at[ends->count++];
        end->info = info;
        end->device = code->device;
        end->pipe = code->device->ops->code_pipe(code->code, i);
        atomic_init(&end->direction, direction_of(info));
        end->open = direction_of(info) == SL_HOST_UNKNOWN;
    }
    qsort(ends->at, ends->count, sizeof *ends->at, by_name);
    return ends;
}

static struct sl_host_ends *ends_of(struct sl_code_ref *code)
{
    struct sl_host_ends *ends = atomic_load_explicit(&code->ends, memory_order_acquire);
    if (ends)
        return ends;
    struct sl_host_ends *made = make_ends(code), *other = NULL;
    if (!made)
        return NULL;
    if (atomic_compare_exchange_strong_explicit(&code->ends, &other, made, memory_order_acq_rel,
                                                memory_order_acquire))
        return made;
    sl_host_ends_destroy(made); /* another thread was faster */
    return other;
}

static int by_symbol(const void *symbol, const void *end)
{
    return strcmp(symbol, ((const struct sl_host_end *)end)->info->name);
}

static struct sl_host_end *find_end(struct sl_host_ends *ends, const char *symbol)
{
    return ends ? bsearch(symbol, ends->at, ends->count, sizeof *ends->at, by_symbol) : NULL;
}

static bool is_declared(const struct sl_module_info *module, const char *symbol)
{
    for (uint32_t i = 0; i < module->pipe_count; i++)
        if (!strcmp(module->pipes[i].name, symbol))
            return true;
    return false;
}

cl_int sl_host_end_find(struct sl_code_ref *code, const char *symbol, struct sl_host_end **out)
{
    struct sl_host_ends *ends = ends_of(code);
    if (!ends)
        return sl_refuse(CL_OUT_OF_HOST_MEMORY, "no memory for the host's pipes");
    struct sl_host_end *end = find_end(ends, symbol);
    if (!end && is_declared(code->info, symbol))
        return sl_refuse(CL_INVALID_OPERATION, "%s is not intel_host_accessible", symbol);
    if (!end)
        return sl_refuse(CL_INVALID_VALUE, "the program has no pipe %s", symbol);
    if (!end->pipe)
        return sl_refuse(CL_INVALID_OPERATION, "the device has no host's end of %s", symbol);
    *out = end;
    return CL_SUCCESS;
}

/* ---- one device and one direction for each pipe ---------------------------------------------- */

static bool used_elsewhere_locked(cl_program program, const struct sl_code_ref *code,
                                  const char *symbol)
{
    for (cl_uint i = 0; i < program->device_count; i++) {
        struct sl_code_ref *other = program->builds[i].code;
        if (!other || other->device == code->device)
            continue;
        const struct sl_host_end *end =
            find_end(atomic_load_explicit(&other->ends, memory_order_acquire), symbol);
        if (end && end->claims)
            return true;
    }
    return false;
}

static cl_int refuse_device(cl_program program, const char *symbol)
{
    sl_context_notify(program->context, "host pipe %s was used on another device", symbol);
    return sl_refuse_known(CL_INVALID_OPERATION, "%s was used on another device", symbol);
}

static enum sl_host_direction direction_now(struct sl_host_end *end)
{
    return (enum sl_host_direction)atomic_load_explicit(&end->direction, memory_order_relaxed);
}

/* An end with one possible user cannot be anybody else's. */
static bool is_contested(const struct sl_host_end *end, const struct _cl_program *program)
{
    return end->open || program->device_count > 1;
}

cl_int sl_host_end_claim(struct sl_host_end *end, bool write, cl_program program,
                         const struct sl_code_ref *code)
{
    enum sl_host_direction wanted = write ? SL_HOST_WRITES : SL_HOST_READS;
    bool contested = is_contested(end, program), elsewhere = false;
    if (contested)
        pthread_mutex_lock(&program->lock);
    enum sl_host_direction known = direction_now(end);
    bool other_way = known != wanted && known != SL_HOST_UNKNOWN;
    if (!other_way && contested)
        elsewhere = used_elsewhere_locked(program, code, end->info->name);
    if (!other_way && contested && !elsewhere) {
        end->claims++;
        atomic_store_explicit(&end->direction, wanted, memory_order_relaxed);
    }
    if (contested)
        pthread_mutex_unlock(&program->lock);
    if (other_way)
        return sl_refuse(CL_INVALID_OPERATION, "the host %s %s", write ? "reads" : "writes",
                         end->info->name);
    return elsewhere ? refuse_device(program, end->info->name) : CL_SUCCESS;
}

static void unclaim_locked(struct sl_host_end *end)
{
    if (!--end->claims && end->open)
        atomic_store_explicit(&end->direction, SL_HOST_UNKNOWN, memory_order_relaxed);
}

void sl_host_end_unclaim(struct sl_host_end *end, cl_program program)
{
    if (!is_contested(end, program))
        return;
    pthread_mutex_lock(&program->lock);
    unclaim_locked(end);
    pthread_mutex_unlock(&program->lock);
}

static bool has_other_side(const struct sl_module_info *module, const struct sl_host_end *end,
                           uint32_t kernel)
{
    uint32_t row = (uint32_t)(end->info - module->pipes);
    return sl_module_may_use(module, row, kernel, SL_PIPE_READ) ||
           sl_module_may_use(module, row, kernel, SL_PIPE_WRITE);
}

/* The first that another device uses, or NULL. */
static const char *taken_locked(struct sl_host_ends *ends, uint32_t kernel, cl_program program,
                                const struct sl_code_ref *code)
{
    for (uint32_t i = 0; i < ends->count; i++) {
        const char *name = ends->at[i].info->name;
        if (has_other_side(code->info, &ends->at[i], kernel) &&
            used_elsewhere_locked(program, code, name))
            return name;
    }
    return NULL;
}

/* All of them or none. */
static cl_int claim_all(cl_program program, struct sl_code_ref *code, uint32_t kernel, bool mark)
{
    struct sl_host_ends *ends = program->device_count > 1 ? ends_of(code) : NULL;
    if (!ends)
        return CL_SUCCESS;
    pthread_mutex_lock(&program->lock);
    const char *taken = taken_locked(ends, kernel, program, code);
    for (uint32_t i = 0; mark && !taken && i < ends->count; i++)
        ends->at[i].claims += has_other_side(code->info, &ends->at[i], kernel);
    pthread_mutex_unlock(&program->lock);
    return taken ? refuse_device(program, taken) : CL_SUCCESS;
}

cl_int sl_host_ends_check(cl_program program, struct sl_code_ref *code, uint32_t kernel)
{
    return claim_all(program, code, kernel, false);
}

cl_int sl_host_ends_claim(cl_program program, struct sl_code_ref *code, uint32_t kernel)
{
    return claim_all(program, code, kernel, true);
}

void sl_host_ends_unclaim(cl_program program, struct sl_code_ref *code, uint32_t kernel)
{
    struct sl_host_ends *ends = program->device_count > 1 ? ends_of(code) : NULL;
    if (!ends)
        return;
    pthread_mutex_lock(&program->lock);
    for (uint32_t i = 0; i < ends->count; i++) {
        if (has_other_side(code->info, &ends->at[i], kernel))
            unclaim_locked(&ends->at[i]);
    }
    pthread_mutex_unlock(&program->lock);
}
