/* SPDX-License-Identifier: Apache-2.0 */
/* See module_check.h. No state, no lock. */
#include "sluice/base/module_check.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

/* Far above what any kernel needs, low enough for 32-bit sums. */
enum { MOST_ARGUMENTS = 65536, MOST_BLOCK = 1 << 24 };

struct check {
    const struct sl_module_info *info;
    const struct sl_elf_image *image;
};

static bool has_text(const struct check *c, const char *text)
{
    return sl_elf_image_has_text(c->image, text);
}

static bool has_text_or_none(const struct check *c, const char *text)
{
    return !text || has_text(c, text);
}

static bool is_aligned(const void *at)
{
    return (uintptr_t)at % _Alignof(uint64_t) == 0;
}

static bool has_table(const struct check *c, const void *at, uint64_t count, size_t row_bytes)
{
    return !count || (is_aligned(at) && sl_elf_image_has_in_file(c->image, at, count * row_bytes));
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* In the block lie values, or words: addresses, handles, offsets. */
static uint64_t bytes_in_block(const struct sl_arg_info *arg)
{
    return arg->kind == SL_ARG_VALUE ? arg->size : sizeof(uint64_t);
}

static bool check_pipe_argument(const struct check *c, const struct sl_pipe_arg *pipe)
{
    return !pipe || (is_aligned(pipe) && sl_elf_image_has(c->image, pipe, sizeof *pipe) &&
                     has_text_or_none(c, pipe->io));
}

static bool check_argument(const struct check *c, const struct sl_kernel_info *kernel,
                           const struct sl_arg_info *arg)
{
    uint64_t bytes = bytes_in_block(arg);
    return has_text(c, arg->name) && has_text(c, arg->type_name) && arg->kind <= SL_ARG_QUEUE &&
           arg->address <= SL_ADDRESS_PRIVATE && arg->access <= SL_ACCESS_NONE &&
           arg->offset <= kernel->args_bytes && bytes <= kernel->args_bytes - arg->offset &&
           check_pipe_argument(c, arg->pipe);
}

/* All or none: local sizes are divided by. */
static bool is_size(const uint32_t size[3])
{
    return !size[0] == !size[1] && !size[0] == !size[2];
}

static const char *check_kernel(const struct check *c, const struct sl_kernel_info *kernel)
{
    if (!has_text(c, kernel->name) || !has_text(c, kernel->attributes) ||
        !has_text(c, kernel->vec_type_hint))
        return "a kernel has no name";
    if (!sl_elf_image_has_code(c->image, (const void *)(uintptr_t)kernel->run))
        return "a kernel has no code";
    if (kernel->arg_count > MOST_ARGUMENTS || kernel->args_bytes > MOST_BLOCK ||
        !has_table(c, kernel->args, kernel->arg_count, sizeof *kernel->args))
        return "a kernel has no arguments";
    for (uint32_t i = 0; i < kernel->arg_count; i++) {
        if (!check_argument(c, kernel, &kernel->args[i]))
            return "an argument cannot be";
    }
    if (!is_size(kernel->reqd_size) || !is_size(kernel->hint_size) || !is_size(kernel->max_size) ||
        kernel->work_dim_limit > 4 || kernel->component >= c->info->kernel_count)
        return "a kernel's numbers cannot be";
    if (!has_text_or_none(c, kernel->work_rule))
        return "a kernel's work is elsewhere";
    if (kernel->flags & SL_KERNEL_AUTORUN && kernel->arg_count)
        return "an autorun kernel has arguments";
    if (kernel->flags & SL_KERNEL_INITIALIZES &&
        (kernel->arg_count || kernel->flags & SL_KERNEL_HAS_COMPANY))
        return "the initializers cannot run on their own";
    return NULL;
}

static const char *check_kernels(const struct check *c)
{
    const struct sl_module_info *info = c->info;
    const char *why = NULL;
    if (!has_table(c, info->kernels, info->kernel_count, sizeof *info->kernels))
        return "the kernels are elsewhere";
    for (uint32_t i = 0; i < info->kernel_count && !why; i++)
        why = check_kernel(c, &info->kernels[i]);
    for (uint32_t i = 1; i < info->kernel_count && !why; i++) {
        if (strcmp(info->kernels[i - 1].name, info->kernels[i].name) > 0)
            why = "the kernels are not sorted";
    }
    return why;
}

/* ---- variables ------------------------------------------------------------------------------- */

/* The host may write what is not const. */
static bool has_variable(const struct check *c, const struct sl_global_info *global)
{
    return global->flags & SL_GLOBAL_CONSTANT
               ? sl_elf_image_has(c->image, global->address, global->size)
               : sl_elf_image_has_writable(c->image, global->address, global->size);
}

static const char *check_globals(const struct check *c)
{
    const struct sl_module_info *info = c->info;
    if (!has_table(c, info->globals, info->global_count, sizeof *info->globals))
        return "the variables are elsewhere";
    for (uint32_t i = 0; i < info->global_count; i++) {
        const struct sl_global_info *global = &info->globals[i];
        if (!has_text(c, global->name) || !has_variable(c, global))
            return "a variable is elsewhere";
        if (global->flags & SL_GLOBAL_FUNCTION && global->size != sizeof(uint64_t))
            return "a function's number has another size";
    }
    return NULL;
}

/* ---- pipes ----------------------------------------------------------------------------------- */

/* As new: nothing in it, nothing of a device's. */
static bool check_ring(const struct check *c, const struct sl_pipe_info *pipe)
{
    const struct sl_pipe_ring *ring = pipe->ring;
    struct sl_pipe_ring wanted;
    uint64_t slots = ring->mask + 1, bytes;
    memset(&wanted, 0, sizeof wanted);
    wanted.write_limit = wanted.depth = pipe->depth;
    wanted.slots = ring->slots;
    wanted.mask = ring->mask;
    wanted.packet_bytes = pipe->packet_bytes;
    wanted.flags = pipe->flags;
    wanted.info = pipe;
    return !memcmp(ring, &wanted, sizeof wanted) && slots && !(slots & ring->mask) &&
           slots >= ring->depth && !__builtin_mul_overflow(slots, ring->packet_bytes, &bytes) &&
           sl_elf_image_has_writable(c->image, ring->slots, bytes);
}

static bool is_row(int32_t row, uint32_t count)
{
    return row >= -1 && row < (int64_t)count;
}

static const char *check_pipe(const struct check *c, uint32_t row)
{
    const struct sl_module_info *info = c->info;
    const struct sl_pipe_info *pipe = &info->pipes[row];
    if (!has_text(c, pipe->name) || !has_text(c, pipe->type_name) ||
        !has_text_or_none(c, pipe->file) || !has_text_or_none(c, pipe->io) ||
        (pipe->flags & SL_PIPE_IO && !pipe->io))
        return "a pipe has no name";
    if (!pipe->packet_bytes || !pipe->depth || pipe->flags & SL_PIPE_ARGUMENT ||
        !is_row(pipe->reader, info->kernel_count) || !is_row(pipe->writer, info->kernel_count))
        return "a pipe's numbers cannot be";
    if (pipe->ring != &info->rings[row] || !check_ring(c, pipe))
        return "a pipe has no room";
    return NULL;
}

static const char *check_pipes(const struct check *c)
{
    const struct sl_module_info *info = c->info;
    const char *why = NULL;
    if (!info->pipe_count)
        return NULL;
    if (!has_table(c, info->pipes, info->pipe_count, sizeof *info->pipes) ||
        (uintptr_t)info->rings % _Alignof(struct sl_pipe_ring) ||
        !sl_elf_image_has_writable(c->image, info->rings,
                                   (uint64_t)info->pipe_count * sizeof *info->rings))
        return "the pipes are elsewhere";
    for (uint32_t i = 0; i < info->pipe_count && !why; i++)
        why = check_pipe(c, i);
    return why;
}

/* Those who may have an end that several kernels may have. */
static const char *check_users(const struct check *c)
{
    const struct sl_module_info *info = c->info;
    if (info->user_count > UINT32_MAX ||
        !has_table(c, info->users, (uint32_t)info->user_count, sizeof *info->users))
        return "the users of pipes are elsewhere";
    for (uint64_t i = 0; i < info->user_count; i++) {
        const struct sl_pipe_user *user = &info->users[i];
        if (user->pipe >= info->pipe_count || user->kernel >= info->kernel_count ||
            user->op > SL_PIPE_WRITE)
            return "a user of a pipe cannot be";
    }
    return NULL;
}

static const char *check_sites(const struct check *c)
{
    const struct sl_module_info *info = c->info;
    if (!has_table(c, info->sites, info->site_count, sizeof *info->sites))
        return "the places are elsewhere";
    for (uint32_t i = 0; i < info->site_count; i++) {
        const struct sl_pipe_site *site = &info->sites[i];
        if (!has_text_or_none(c, site->pipe) || !has_text_or_none(c, site->file) ||
            site->kernel >= info->kernel_count || !is_row(site->pipe_index, info->pipe_count) ||
            !is_row(site->arg_index, info->kernels[site->kernel].arg_count) ||
            site->op > SL_PIPE_WRITE)
            return "a place cannot be";
    }
    return NULL;
}

static const char *check_tables(const struct sl_module_info *info, const struct sl_elf_image *image)
{
    const struct check c = {info, image};
    const char *why = check_kernels(&c);
    if (!why)
        why = check_globals(&c);
    if (!why)
        why = check_pipes(&c);
    if (!why)
        why = check_users(&c);
    if (!why && !has_text_or_none(&c, info->timing))
        why = "the schedule is elsewhere";
    return why ? why : check_sites(&c);
}

const char *sl_module_find(const struct sl_elf_image *image, const struct sl_module_info **out)
{
    const struct sl_module_info *info = (const void *)(image->base + image->symbol.start);
    if ((uintptr_t)info % _Alignof(struct sl_module_info) ||
        !sl_elf_image_has_in_file(image, info, sizeof *info))
        return "the module table is elsewhere";
    if (info->abi != SL_MODULE_ABI || info->size < sizeof *info)
        return "not of this version";
    *out = info;
    return check_tables(info, image);
}

const char *sl_module_open(struct sl_module_tables *tables, const void *elf, size_t bytes)
{
    struct sl_elf_image image;
    const struct sl_module_info *info = NULL;
    *tables = (struct sl_module_tables){0};
    const char *why = sl_elf_image_read(&image, elf, bytes, SL_MODULE_SYMBOL);
    if (why)
        return why;
    tables->bytes = sl_elf_image_bytes(&image);
    tables->memory = mmap(NULL, tables->bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (tables->memory == MAP_FAILED) {
        *tables = (struct sl_module_tables){0};
        return "memory is short";
    }
    sl_elf_image_place(&image, elf, tables->memory);
    why = sl_module_find(&image, &info);
    if (why)
        sl_module_close(tables);
    else
        tables->info = info;
    return why;
}

void sl_module_close(struct sl_module_tables *tables)
{
    if (tables->memory)
        munmap(tables->memory, tables->bytes);
    *tables = (struct sl_module_tables){0};
}
