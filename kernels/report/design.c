/* SPDX-License-Identifier: Apache-2.0 */
/* A design from the tables of a loaded module, and its end. No shared state. */
#include "design.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/module.h"

static char *copy(const char *text)
{
    return strdup(text ? text : "");
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

static struct sl_design_kernel kernel_of(const struct sl_kernel_info *row, const char *file)
{
    struct sl_design_kernel kernel = {
        .name = copy(row->name),
        .file = copy(file),
        .line = row->line,
        .autorun = row->flags & SL_KERNEL_AUTORUN,
    };
    memcpy(kernel.unit, row->compute_unit, sizeof kernel.unit);
    return kernel;
}

static struct sl_design_pipe pipe_of(const struct sl_pipe_info *row)
{
    return (struct sl_design_pipe){
        .name = copy(row->name),
        .type = copy(row->type_name),
        .kind = copy(kind_of(row->flags)),
        .host = copy(host_of(row->flags, row->reader, row->writer)),
        .io = copy(row->io),
        .file = copy(row->file),
        .line = row->line,
        .packet_bytes = row->packet_bytes,
        .declared_depth = row->declared_depth,
        .depth = row->depth,
        .writer = row->writer,
        .reader = row->reader,
    };
}

static struct sl_design_site site_of(const struct sl_pipe_site *row)
{
    return (struct sl_design_site){
        .file = copy(row->file),
        .kernel = row->kernel,
        .line = row->line,
        .column = row->column,
        .pipe = row->pipe_index,
        .write = row->op == SL_PIPE_WRITE,
        .blocking = row->blocking,
    };
}

int sl_design_from_module(struct sl_design *design, const struct sl_module_info *info,
                          const char *title, char *why, size_t size)
{
    design->title = copy(title);
    design->kernels = calloc(info->kernel_count + 1, sizeof *design->kernels);
    design->pipes = calloc(info->pipe_count + 1, sizeof *design->pipes);
    design->sites = calloc(info->site_count + 1, sizeof *design->sites);
    if (!design->title || !design->kernels || !design->pipes || !design->sites) {
        snprintf(why, size, "out of memory");
        return -1;
    }
    const char *file = info->site_count ? info->sites[0].file : "";
    for (uint32_t i = 0; i < sl_shown_kernels(info); i++)
        design->kernels[design->kernel_count++] = kernel_of(&info->kernels[i], file);
    for (uint32_t i = 0; i < info->pipe_count; i++)
        design->pipes[design->pipe_count++] = pipe_of(&info->pipes[i]);
    for (uint32_t i = 0; i < info->site_count; i++)
        design->sites[design->site_count++] = site_of(&info->sites[i]);
    return 0;
}

void sl_design_finish(struct sl_design *design)
{
    for (size_t i = 0; i < design->kernel_count; i++) {
        free(design->kernels[i].name);
        free(design->kernels[i].file);
    }
    for (size_t i = 0; i < design->pipe_count; i++) {
        struct sl_design_pipe *pipe = &design->pipes[i];
        char *texts[] = {pipe->name, pipe->type, pipe->kind, pipe->host, pipe->io, pipe->file};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            free(texts[k]);
    }
    for (size_t i = 0; i < design->site_count; i++)
        free(design->sites[i].file);
    free(design->title);
    free(design->kernels);
    free(design->pipes);
    free(design->sites);
    free(design->spans);
    *design = (struct sl_design){0};
}
