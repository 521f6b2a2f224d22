/* SPDX-License-Identifier: Apache-2.0 */
/* A design from the tables of a module, and its end. No shared state. */
#include "report/input/design.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/input/demangle.h"
#include "report/input/design_loops.h"
#include "report/input/design_stalls.h"
#include "sluice/base/file.h"
#include "sluice/base/utf8.h"
#include "sluice/module.h"

/* Of control characters only the two that pages may have. */
static size_t character(const char *at)
{
    bool plain = (unsigned char)*at >= ' ' && *at != 0x7f;
    return plain || *at == '\t' || *at == '\n' ? sl_utf8_bytes(at) : 0;
}

char *sl_design_copy(struct sl_report_design *design, const char *text)
{
    char *copy = strdup(text ? text : "");
    for (char *at = copy; at && *at;) {
        size_t bytes = character(at);
        if (!bytes)
            *at = '?';
        at += bytes ? bytes : 1;
    }
    design->short_of_memory |= !copy;
    return copy;
}

int sl_design_whole(const struct sl_report_design *design, char *why, size_t size)
{
    if (!design->short_of_memory)
        return 0;
    snprintf(why, size, "out of memory");
    return -1;
}

static const char *kind_of(uint32_t flags)
{
    if (flags & SL_PIPE_ARGUMENT)
        return "argument";
    return flags & SL_PIPE_CHANNEL ? "channel" : "pipe";
}

static const char *host_of(uint32_t flags, int32_t reader, int32_t writer)
{
    if (!(flags & SL_PIPE_HOST))
        return "";
    if (writer >= 0)
        return "reads";
    return reader >= 0 ? "writes" : "yes";
}

static struct sl_report_kernel kernel_of(struct sl_report_design *d,
                                         const struct sl_kernel_info *row, const char *file)
{
    struct sl_report_kernel kernel = {
        .name = sl_design_copy(d, row->name),
        .file = sl_design_copy(d, file),
        .line = row->line,
        .autorun = row->flags & SL_KERNEL_AUTORUN,
    };
    memcpy(kernel.unit, row->compute_unit, sizeof kernel.unit);
    return kernel;
}

/* -1 for none, and for a row that is not shown. */
static int32_t shown(const struct sl_report_design *d, int32_t kernel)
{
    return kernel >= 0 && (size_t)kernel < d->kernel_count ? kernel : -1;
}

static char *readable(struct sl_report_design *d, const char *name)
{
    char *text = name ? sl_readable_names(__cxa_demangle, name, strlen(name), NULL) : NULL;
    char *copy = sl_design_copy(d, text);
    d->short_of_memory |= name && !text;
    free(text);
    return copy;
}

static struct sl_design_pipe pipe_of(struct sl_report_design *d, const struct sl_pipe_info *row)
{
    return (struct sl_design_pipe){
        .name = readable(d, row->name),
        .type = sl_design_copy(d, row->type_name),
        .kind = sl_design_copy(d, kind_of(row->flags)),
        .host = sl_design_copy(d, host_of(row->flags, row->reader, row->writer)),
        .io = sl_design_copy(d, row->io),
        .file = sl_design_copy(d, row->file),
        .line = row->line,
        .packet_bytes = row->packet_bytes,
        .declared_depth = row->declared_depth,
        .depth = row->depth,
        .writer = shown(d, row->writer),
        .reader = shown(d, row->reader),
    };
}

void sl_design_site_name(const struct sl_report_design *d, struct sl_design_site *site)
{
    bool known = site->pipe >= 0 && (size_t)site->pipe < d->pipe_count && site->name &&
                 *site->name && d->pipes[site->pipe].name;
    site->of_array = known && strcmp(site->name, d->pipes[site->pipe].name) != 0;
}

static int32_t site_of_argument(const struct sl_module_info *info, uint32_t kernel, uint32_t arg)
{
    for (uint32_t i = 0; i < info->site_count; i++)
        if (info->sites[i].kernel == kernel && info->sites[i].arg_index == (int32_t)arg)
            return (int32_t)i;
    return -1;
}

/* Its other end is the host's, or what the host gives to another kernel as well. */
static struct sl_design_pipe argument_of(struct sl_report_design *d,
                                         const struct sl_module_info *info, uint32_t kernel,
                                         uint32_t arg)
{
    const struct sl_arg_info *row = &info->kernels[kernel].args[arg];
    int32_t site = site_of_argument(info, kernel, arg);
    bool write =
        site < 0 ? row->access == SL_ACCESS_WRITE_ONLY : info->sites[site].op == SL_PIPE_WRITE;
    const int32_t writer = write ? (int32_t)kernel : -1, reader = write ? -1 : (int32_t)kernel;
    return (struct sl_design_pipe){
        .name = sl_design_copy(d, site < 0 ? row->name : info->sites[site].pipe),
        .type = sl_design_copy(d, row->type_name),
        .kind = sl_design_copy(d, kind_of(SL_PIPE_ARGUMENT)),
        .host = sl_design_copy(d, host_of(row->pipe->flags, reader, writer)),
        .io = sl_design_copy(d, row->pipe->io),
        .file = sl_design_copy(d, d->kernels[kernel].file),
        .line = info->kernels[kernel].line,
        .packet_bytes = row->pipe->packet_bytes,
        .declared_depth = row->pipe->depth,
        .depth = row->pipe->depth,
        .writer = writer,
        .reader = reader,
    };
}

static bool is_pipe_argument(const struct sl_arg_info *arg)
{
    return arg->kind == SL_ARG_PIPE && arg->pipe;
}

static uint32_t count_arguments(const struct sl_module_info *info)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < sl_shown_kernels(info); k++)
        for (uint32_t i = 0; i < info->kernels[k].arg_count; i++)
            count += is_pipe_argument(&info->kernels[k].args[i]);
    return count;
}

static void add_arguments(struct sl_report_design *d, const struct sl_module_info *info)
{
    for (uint32_t k = 0; k < sl_shown_kernels(info); k++)
        for (uint32_t i = 0; i < info->kernels[k].arg_count; i++)
            if (is_pipe_argument(&info->kernels[k].args[i]))
                d->pipes[d->pipe_count++] = argument_of(d, info, k, i);
}

/* Of an argument, the row that add_arguments() has made; they are in their order. */
static int32_t pipe_of_site(const struct sl_module_info *info, const struct sl_pipe_site *site)
{
    uint32_t row = info->pipe_count;
    if (site->arg_index < 0 || site->kernel >= sl_shown_kernels(info))
        return site->pipe_index;
    for (uint32_t k = 0; k <= site->kernel; k++)
        for (uint32_t i = 0; i < info->kernels[k].arg_count; i++) {
            if (k == site->kernel && i == (uint32_t)site->arg_index)
                return is_pipe_argument(&info->kernels[k].args[i]) ? (int32_t)row : -1;
            row += is_pipe_argument(&info->kernels[k].args[i]);
        }
    return -1;
}

static struct sl_design_site site_of(struct sl_report_design *d, const struct sl_module_info *info,
                                     const struct sl_pipe_site *row)
{
    struct sl_design_site site = {
        .file = sl_design_copy(d, row->file),
        .name = readable(d, row->pipe),
        .kernel = row->kernel,
        .line = row->line,
        .column = row->column,
        .pipe = pipe_of_site(info, row),
        .write = row->op == SL_PIPE_WRITE,
        .blocking = row->blocking,
    };
    sl_design_site_name(d, &site);
    return site;
}

/* "a, b"; NULL: the end is for one kernel. */
static char *others_of(struct sl_report_design *d, const struct sl_module_info *info, uint32_t pipe,
                       unsigned op)
{
    char *text = NULL;
    for (uint64_t i = 0; i < info->user_count; i++) {
        const struct sl_pipe_user *user = &info->users[i];
        char *longer = NULL;
        if (user->pipe != pipe || user->op != op)
            continue;
        if (asprintf(&longer, "%s%s%s", text ? text : "", text ? ", " : "",
                     info->kernels[user->kernel].name) < 0)
            longer = NULL;
        d->short_of_memory |= !longer;
        free(text);
        text = longer;
    }
    return text;
}

static void add_pipe(struct sl_report_design *d, const struct sl_module_info *info, uint32_t row)
{
    struct sl_design_pipe *pipe = &d->pipes[d->pipe_count++];
    *pipe = pipe_of(d, &info->pipes[row]);
    if (pipe->writer >= 0)
        pipe->other_writers = others_of(d, info, row, SL_PIPE_WRITE);
    if (pipe->reader >= 0)
        pipe->other_readers = others_of(d, info, row, SL_PIPE_READ);
}

/* Of a program without pipes, whose kernels do not say where they are. */
static void name_files(struct sl_report_design *d, const char *title)
{
    const char *file = d->loop_count                     ? d->loops[0].file
                       : title && sl_names_source(title) ? title
                                                         : "";
    for (size_t k = 0; k < d->kernel_count; k++) {
        if (*d->kernels[k].file)
            continue;
        free(d->kernels[k].file);
        d->kernels[k].file = sl_design_copy(d, file);
    }
}

int sl_design_from_module(struct sl_report_design *design, const struct sl_module_info *info,
                          const char *title, char *why, size_t size)
{
    design->title = sl_design_copy(design, title);
    design->kernels = calloc((size_t)info->kernel_count + 1, sizeof *design->kernels);
    design->pipes =
        calloc((size_t)info->pipe_count + count_arguments(info) + 1, sizeof *design->pipes);
    design->sites = calloc((size_t)info->site_count + 1, sizeof *design->sites);
    design->short_of_memory |= !design->kernels || !design->pipes || !design->sites;
    if (design->short_of_memory)
        return sl_design_whole(design, why, size);
    for (uint32_t i = 0; i < sl_shown_kernels(info); i++)
        design->kernels[design->kernel_count++] =
            kernel_of(design, &info->kernels[i], info->site_count ? info->sites[0].file : "");
    for (uint32_t i = 0; i < info->pipe_count; i++)
        add_pipe(design, info, i);
    add_arguments(design, info);
    for (uint32_t i = 0; i < info->site_count; i++)
        if (info->sites[i].kernel < design->kernel_count)
            design->sites[design->site_count++] = site_of(design, info, &info->sites[i]);
    char *timing = readable(design, info->timing);
    sl_design_loops_from_text(design, timing);
    free(timing);
    name_files(design, title);
    return sl_design_whole(design, why, size);
}

void sl_design_finish(struct sl_report_design *design)
{
    for (size_t i = 0; i < design->kernel_count; i++) {
        free(design->kernels[i].name);
        free(design->kernels[i].file);
    }
    for (size_t i = 0; i < design->pipe_count; i++) {
        struct sl_design_pipe *pipe = &design->pipes[i];
        char *texts[] = {pipe->name, pipe->type, pipe->kind,          pipe->host,
                         pipe->io,   pipe->file, pipe->other_writers, pipe->other_readers};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            free(texts[k]);
    }
    for (size_t i = 0; i < design->site_count; i++) {
        free(design->sites[i].file);
        free(design->sites[i].name);
    }
    sl_design_loops_finish(design);
    free(design->title);
    free(design->kernels);
    free(design->pipes);
    free(design->sites);
    free(design->spans);
    free(design->cycle_spans);
    for (size_t i = 0; i < design->fill_count; i++) {
        free(design->fills[i].least);
        free(design->fills[i].most);
    }
    free(design->fills);
    sl_design_stalls_finish(design);
    free(design->doubts);
    *design = (struct sl_report_design){0};
}
