/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs with pipes. Written while created, read-only afterwards; counts are atomic. Fibers are
 * discarded by the threads that run their clusters, which are told by messages.
 */
#include "fpga/launch/design.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "common/base/values.h"
#include "fpga/clock/clock_rate.h"
#include "fpga/cluster/cluster.h"
#include "fpga/cluster/machine.h"
#include "fpga/cluster/parts.h"
#include "fpga/host_pipe/host_pipe.h"
#include "fpga/io/io_pipe.h"
#include "fpga/io/io_shared.h"
#include "fpga/launch/launch.h"
#include "fpga/profile/profile.h"
#include "fpga/ring/ring.h"
#include "sluice/base/near_name.h"

/* To each cluster with autorun kernels: they are to end. */
struct farewell {
    struct sl_news news;
    struct sl_design *design; /* held */
};

/* A row that is mistyped would look like a rate that was tried. */
static void warn_of_rates(const struct sl_design *design, FILE *out)
{
    enum { MOST_TOLD = 8 };
    const char *rows = design->machine->host->config("SLUICE_FPGA_RATES");
    char name[256];
    size_t unknown = 0;
    while (design->profile && design->info->timing && rows &&
           sl_clock_rate_unknown(&rows, design->info, name, sizeof name))
        if (unknown++ < MOST_TOLD)
            fprintf(out,
                    "warning: SLUICE_FPGA_RATES: the program has no pipe or I/O peripheral '%s'\n",
                    name);
    if (unknown > MOST_TOLD)
        fprintf(out, "warning: SLUICE_FPGA_RATES: %zu rows more are ignored\n",
                unknown - MOST_TOLD);
}

/* Is an I/O pipe of the program called so? If not, one that nearly is: `near`, or NULL. */
static bool has_io_pipe(const struct sl_module_info *info, const char *name, const char **near)
{
    size_t fewest = SL_NEAR_NAME_SLIPS + 1;
    bool found = false;
    *near = NULL;
    for (uint32_t i = 0; i < info->pipe_count && !found; i++) {
        const char *io = info->pipes[i].flags & SL_PIPE_IO ? info->pipes[i].io : NULL;
        size_t slips = io ? sl_near_name(name, strlen(name), io) : fewest;
        found = io && !strcmp(name, io);
        *near = slips < fewest ? io : *near;
        fewest = slips < fewest ? slips : fewest;
    }
    return found;
}

/* An I/O pipe that kernels use is bound to nothing: rows that name none may have been for it. */
static bool lacks_a_row(const struct sl_design *design)
{
    bool lacks = false;
    for (uint32_t i = 0; i < design->info->pipe_count && !lacks; i++) {
        const struct sl_pipe_info *pipe = &design->info->pipes[i];
        lacks = pipe->flags & SL_PIPE_IO && (pipe->reader >= 0 || pipe->writer >= 0) &&
                !sl_io_is_bound(&design->bindings, pipe->io);
    }
    return lacks;
}

/* Rows of the setting that no I/O pipe of a program with such pipes has. Hosts seldom print the log
 * of a build that succeeds; but a setting may have rows for other programs as well. */
static void warn_of_rows(const struct sl_design *design, FILE *out)
{
    enum { MOST_TOLD = 8 };
    size_t unused = 0;
    const bool aloud = lacks_a_row(design);
    for (size_t i = 0; i < design->bindings.count; i++) {
        const char *name = design->bindings.rows[i].name, *near;
        if (has_io_pipe(design->info, name, &near) || unused++ >= MOST_TOLD)
            continue;
        char text[512];
        snprintf(text, sizeof text, "the program has no I/O pipe \"%.160s\"%s%.160s%s", name,
                 near ? ": did you mean \"" : "", near ? near : "", near ? "\"?" : "");
        fprintf(out, "warning: SLUICE_FPGA_IO: %s\n", text);
        if (aloud)
            sl_io_say_once(design->machine->io, text);
    }
    if (unused > MOST_TOLD)
        fprintf(out, "warning: SLUICE_FPGA_IO: %zu rows more are not used\n", unused - MOST_TOLD);
}

int sl_design_load_warnings(const struct sl_design *design, char **text)
{
    size_t bytes;
    *text = NULL;
    FILE *out = open_memstream(text, &bytes);
    if (!out)
        return SL_OUT_OF_HOST_MEMORY;
    bool told = false;
    for (uint32_t i = 0; design && i < design->info->pipe_count; i++) {
        const struct sl_pipe_info *pipe = &design->info->pipes[i];
        if (pipe->flags & SL_PIPE_IO && !told && *design->bindings.fault)
            fprintf(out, "warning: SLUICE_FPGA_IO: %s\n", design->bindings.fault);
        told |= pipe->flags & SL_PIPE_IO;
        bool used = pipe->reader >= 0 || pipe->writer >= 0;
        if (pipe->flags & SL_PIPE_IO && used && !sl_io_is_bound(&design->bindings, pipe->io))
            fprintf(out,
                    "%s:%u: warning: I/O pipe '%s' ends at \"%s\", which SLUICE_FPGA_IO does not "
                    "bind to anything: %s\n",
                    pipe->file, pipe->line, pipe->name, pipe->io,
                    pipe->reader >= 0 ? "nothing will come" : "nothing will leave");
    }
    if (told)
        warn_of_rows(design, out);
    if (design)
        warn_of_rates(design, out);
    return sl_text_close(out, text);
}

static void join_list(struct sl_design *design)
{
    struct sl_machine *machine = design->machine;
    pthread_mutex_lock(&machine->lock);
    design->next_design = machine->designs;
    if (machine->designs)
        machine->designs->prev_design = design;
    machine->designs = design;
    pthread_mutex_unlock(&machine->lock);
}

static void leave_list(struct sl_design *design)
{
    struct sl_machine *machine = design->machine;
    pthread_mutex_lock(&machine->lock);
    if (design->prev_design)
        design->prev_design->next_design = design->next_design;
    else if (machine->designs == design)
        machine->designs = design->next_design;
    if (design->next_design)
        design->next_design->prev_design = design->prev_design;
    pthread_mutex_unlock(&machine->lock);
}

bool sl_design_is_awaited(const struct sl_design *design)
{
    bool any = false;
    for (uint32_t i = 0; i < design->info->pipe_count && !any; i++)
        any = design->pipes[i] && sl_pipe_is_awaited(design->pipes[i]);
    return any;
}

/* Fibers may be left, which the watch looks at. */
static struct sl_io_end **take_ends(struct sl_design *design)
{
    pthread_mutex_lock(&design->machine->ends_lock);
    struct sl_io_end **ends = design->ends;
    design->ends = NULL;
    pthread_mutex_unlock(&design->machine->ends_lock);
    return ends;
}

/* Threads of I/O pipes; what kernels have written leaves before. */
static void close_ends(struct sl_design *design)
{
    struct sl_io_end **ends = take_ends(design);
    uint32_t count = ends ? design->info->pipe_count : 0;
    for (uint32_t i = 0; i < count; i++)
        sl_io_stop(ends[i]); /* all have the same time */
    for (uint32_t i = 0; i < count; i++)
        sl_io_detach(ends[i]);
    free(ends);
}

void sl_design_use_io(struct sl_design *design)
{
    uint32_t count = design->ends ? design->info->pipe_count : 0;
    if (count && !atomic_exchange_explicit(&design->io_used, true, memory_order_relaxed))
        for (uint32_t i = 0; i < count; i++)
            sl_io_use(design->ends[i]);
}

static void destroy(struct sl_design *design)
{
    const struct sl_module_info *info = design->info;
    leave_list(design);
    sl_profile_destroy(design->profile);
    close_ends(design);
    sl_io_bindings_finish(&design->bindings); /* news of ends may have asked for them until now */
    for (uint32_t i = 0; i < info->pipe_count; i++) {
        if (design->pipes)
            sl_pipe_destroy(design->pipes[i]);
        sl_ring_finish(info->pipes[i].ring);
    }
    for (uint32_t i = 0; i < info->kernel_count; i++)
        free(design->kernels[i].rings);
    for (uint32_t i = 0; design->parts && i < design->cluster_count; i++)
        sl_parts_destroy(design->parts[i]);
    for (uint32_t i = 0; design->clusters && i < design->cluster_count; i++)
        sl_cluster_drop(design->clusters[i]);
    free(design->parts);
    free(design->clusters);
    free(design->pipes);
    sl_code_destroy(design->code);
    free(design);
}

/* ---- creation -------------------------------------------------------------------------------- */

static bool has_pipes(const struct sl_module_info *info)
{
    bool any = info->pipe_count != 0;
    for (uint32_t i = 0; i < info->kernel_count; i++)
        any |= (info->kernels[i].flags & SL_KERNEL_USES_PIPES) != 0;
    return any;
}

/* The row of compute unit 0: of "k.1" it is "k". */
static uint32_t first_unit(const struct sl_module_info *info, uint32_t row)
{
    const struct sl_kernel_info *kernels = info->kernels;
    const char *name = kernels[row].name, *dot = strrchr(name, '.');
    if (!(kernels[row].flags & SL_KERNEL_COPY) || !dot)
        return row;
    size_t length = (size_t)(dot - name);
    for (uint32_t i = 0; i < info->kernel_count; i++) {
        if (!strncmp(kernels[i].name, name, length) && !kernels[i].name[length])
            return i;
    }
    return row;
}

/* Kernels with pipe arguments may meet any other such kernel of the device. */
static bool is_shared(const struct sl_module_info *info, uint32_t component)
{
    for (uint32_t i = 0; i < info->kernel_count; i++) {
        if (info->kernels[i].component == component && info->kernels[i].flags & SL_KERNEL_PIPE_ARGS)
            return true;
    }
    return false;
}

static int find_cluster(struct sl_design *design, uint32_t row)
{
    const struct sl_kernel_info *kernel = &design->info->kernels[row];
    struct sl_design_kernel *out = &design->kernels[row];
    uint32_t component = kernel->component;
    out->first = first_unit(design->info, row);
    if (!(kernel->flags & SL_KERNEL_USES_PIPES))
        return 0;
    if (is_shared(design->info, component)) {
        out->cluster = design->machine->shared;
        return 0;
    }
    int rc = 0;
    if (!design->clusters[component])
        rc = sl_cluster_create(design->machine, component + 1, &design->clusters[component]);
    out->cluster = design->clusters[component];
    return rc;
}

static bool reaches(const struct sl_module_info *info, uint32_t pipe, uint32_t kernel)
{
    return sl_module_may_use(info, pipe, kernel, SL_PIPE_READ) ||
           sl_module_may_use(info, pipe, kernel, SL_PIPE_WRITE);
}

static int find_rings(struct sl_design *design, uint32_t row)
{
    const struct sl_module_info *info = design->info;
    struct sl_design_kernel *out = &design->kernels[row];
    uint32_t count = 0;
    for (uint32_t i = 0; i < info->pipe_count; i++)
        count += reaches(info, i, row);
    if (!count)
        return 0;
    out->rings = calloc(count, sizeof(struct sl_pipe_ring *));
    if (!out->rings)
        return SL_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < info->pipe_count; i++) {
        if (reaches(info, i, row))
            out->rings[out->ring_count++] = info->pipes[i].ring;
    }
    return 0;
}

struct sl_cluster *sl_design_cluster_of(const struct sl_design *design, uint32_t row)
{
    const struct sl_pipe_info *pipe = &design->info->pipes[row];
    int32_t kernel = pipe->reader >= 0 ? pipe->reader : pipe->writer;
    struct sl_cluster *cluster = kernel >= 0 ? design->kernels[kernel].cluster : NULL;
    return cluster ? cluster : design->machine->shared;
}

static bool has_io(const struct sl_module_info *info)
{
    bool any = false;
    for (uint32_t i = 0; i < info->pipe_count && !any; i++)
        any = info->pipes[i].flags & SL_PIPE_IO;
    return any;
}

static int open_pipe(struct sl_design *design, uint32_t row)
{
    const struct sl_pipe_info *pipe = &design->info->pipes[row];
    struct sl_cluster *cluster = sl_design_cluster_of(design, row);
    sl_ring_init(pipe->ring, cluster);
    if (!(pipe->flags & SL_PIPE_FOREIGN))
        return 0;
    int rc = sl_pipe_around(design->machine, cluster, pipe->ring, &design->pipes[row]);
    if (!rc && pipe->flags & SL_PIPE_HOST && !has_io(design->info)) /* whose threads visit nobody */
        sl_pipe_allow_visits(design->pipes[row]);
    if (!rc && pipe->flags & SL_PIPE_IO && (pipe->reader >= 0 || pipe->writer >= 0))
        rc = sl_io_attach(design->machine->io, &design->bindings, design, design->pipes[row], pipe,
                          &design->ends[row]);
    return rc;
}

/* All rows before the first pipe is opened, which keeps a pointer to its own. */
static void bind_io(struct sl_design *design)
{
    const struct sl_module_info *info = design->info;
    sl_io_read(design->machine->io, &design->bindings);
    for (uint32_t i = 0; i < info->pipe_count; i++)
        if (info->pipes[i].flags & SL_PIPE_IO)
            sl_io_bindings_cover(&design->bindings, info->pipes[i].io);
}

static int fill(struct sl_design *design)
{
    const struct sl_module_info *info = design->info;
    int rc = 0;
    for (uint32_t i = 0; !rc && i < info->kernel_count; i++) {
        rc = find_cluster(design, i);
        if (!rc)
            rc = find_rings(design, i);
    }
    for (uint32_t i = 0; !rc && i < info->kernel_count; i++)
        if (design->clusters[i])
            design->parts[i] = sl_parts_create(design, i);
    if (has_io(info))
        bind_io(design);
    if (!rc && design->bindings.starved)
        rc = SL_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; !rc && i < info->pipe_count; i++)
        rc = open_pipe(design, i);
    return rc;
}

/* Once, as programs with pipes may come as well. */
static void tell_unprofiled(struct sl_machine *machine)
{
    static atomic_bool told;
    if (!atomic_exchange(&told, true))
        machine->host->log(SL_LOG_WARN, "setting",
                           "SLUICE_FPGA_PROFILE: a program without pipes that was built without "
                           "-sluice-timing has no profile");
}

int sl_design_create(struct sl_machine *machine, struct sl_code *code, struct sl_design **out)
{
    const struct sl_module_info *info = code->info;
    *out = NULL;
    if (!has_pipes(info) && !(machine->profile && info->timing)) { /* a clock needs no pipes */
        if (machine->profile)
            tell_unprofiled(machine);
        return 0;
    }
    int rc = sl_machine_start(machine);
    if (rc)
        return rc;
    struct sl_design *design =
        calloc(1, sizeof *design + info->kernel_count * sizeof design->kernels[0]);
    if (!design)
        return SL_OUT_OF_HOST_MEMORY;
    design->destroy = destroy;
    design->machine = machine;
    design->info = info;
    if (info->pipe_count) /* before one is moved */
        design->memory = (struct sl_pipe_memory){info->rings, info->rings[0].slots};
    design->cluster_count = info->kernel_count;
    atomic_init(&design->refs, 1);
    design->clusters = calloc(info->kernel_count + 1, sizeof(struct sl_cluster *));
    design->parts = calloc(info->kernel_count + 1, sizeof(struct sl_parts *));
    design->pipes = calloc(info->pipe_count + 1, sizeof(struct sl_pipe *));
    if (has_io(info))
        design->ends = calloc(info->pipe_count + 1, sizeof(struct sl_io_end *));
    bool room =
        design->clusters && design->parts && design->pipes && (design->ends || !has_io(info));
    rc = room ? fill(design) : SL_OUT_OF_HOST_MEMORY;
    if (rc) {
        sl_design_drop(design);
        return rc;
    }
    design->code = code;
    if (machine->profile)
        design->profile =
            sl_profile_create(design, machine->host->config("SLUICE_FPGA_PROFILE"), machine->trace);
    join_list(design);
    *out = design;
    return 0;
}

/* ---- autorun kernels ------------------------------------------------------------------------- */

static void size_launch(const struct sl_kernel_info *kernel, struct sl_launch_args *args)
{
    args->work_dim = 3;
    args->local_bytes = kernel->local_bytes;
    for (int i = 0; i < 3; i++) {
        args->local_size[i] = kernel->reqd_size[0] ? kernel->reqd_size[i] : 1;
        args->global_size[i] = args->local_size[i];
    }
}

bool sl_design_runs_by_itself(const struct sl_design *design, uint32_t row)
{
    const uint32_t wanted = SL_KERNEL_AUTORUN | SL_KERNEL_USES_PIPES;
    return (design->info->kernels[row].flags & wanted) == wanted;
}

int sl_design_autorun(struct sl_design *design, uint32_t row, struct sl_fiber **out)
{
    const struct sl_kernel_info *kernel = &design->info->kernels[row];
    struct sl_launch_args args = {.code = design->code, .kernel_index = row};
    size_launch(kernel, &args);
    int rc = sl_fiber_get(&design->machine->fibers, kernel, &args, out);
    if (rc)
        return rc;
    (*out)->design = design;
    sl_design_hold(design);
    atomic_fetch_add_explicit(&design->autorun_fibers, 1, memory_order_relaxed);
    return 0;
}

int sl_design_start(struct sl_design *design)
{
    int rc = 0;
    for (uint32_t i = 0; !rc && i < design->info->kernel_count; i++) {
        struct sl_fiber *fiber;
        if (!sl_design_runs_by_itself(design, i))
            continue;
        rc = sl_design_autorun(design, i, &fiber);
        if (!rc)
            sl_launch_post(design->kernels[i].cluster, fiber);
    }
    return rc;
}

static void tell(struct sl_design *design, struct sl_cluster *cluster);

static void take_farewell(struct sl_cluster *cluster, struct sl_news *news)
{
    struct farewell *farewell = (struct farewell *)news;
    struct sl_design *design = farewell->design;
    for (struct sl_fiber *fiber = cluster->fibers, *next; fiber; fiber = next) {
        next = fiber->next_fiber;
        if (fiber->design == design)
            sl_cluster_discard(fiber, SL_OUT_OF_RESOURCES);
    }
    struct sl_cluster *part; /* what was sent there has come there before */
    for (uint32_t i = 0; cluster->parts && (part = sl_parts_below(cluster, i)); i++)
        tell(design, part);
    free(farewell);
    sl_design_drop(design);
}

static void tell(struct sl_design *design, struct sl_cluster *cluster)
{
    struct farewell *farewell = malloc(sizeof *farewell);
    if (!farewell) /* its fibers stay, and the code with them */
        return;
    *farewell = (struct farewell){.news.take = take_farewell, .design = design};
    sl_design_hold(design);
    sl_cluster_post(cluster, &farewell->news);
}

void sl_design_unload(struct sl_design *design)
{
    close_ends(design);
    atomic_store_explicit(&design->leaving, true, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst); /* see reset.c */
    if (atomic_load_explicit(&design->autorun_fibers, memory_order_acquire)) {
        for (uint32_t i = 0; i < design->cluster_count; i++) {
            if (design->clusters[i])
                tell(design, design->clusters[i]);
        }
        tell(design, design->machine->shared);
    }
    sl_design_drop(design);
}
