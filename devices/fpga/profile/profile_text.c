/* SPDX-License-Identifier: Apache-2.0 */
/* A profile as JSON; docs/dataflow.md describes it. The profile's lock is held for its timeline. */
#include <stdio.h>
#include <stdlib.h>

#include "common/base/text.h"
#include "common/base/values.h"
#include "common/runtime/hosted.h"
#include "fpga/clock/clock.h"
#include "fpga/cluster/design_data.h"
#include "fpga/cluster/machine.h"
#include "fpga/profile/profile_data.h"
#include "fpga/profile/trace.h"
#include "sluice/base/json.h"
#include "sluice/base/wait.h"

static unsigned long long get(const sl_count *count)
{
    return atomic_load_explicit(count, memory_order_relaxed);
}

static unsigned long long tally(const sl_tally *tally)
{
    return sl_tally_get(tally);
}

static const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

/* Kernels' rows tell no file: that of the first site in it. */
static const char *file_of(const struct sl_module_info *info, uint32_t kernel)
{
    for (uint32_t i = 0; i < info->site_count; i++) {
        if (info->sites[i].kernel == kernel)
            return text_or_empty(info->sites[i].file);
    }
    return "";
}

static void print_kernels(FILE *out, const struct sl_profile *profile)
{
    const struct sl_design *design = profile->design;
    for (uint32_t i = 0; i < sl_shown_kernels(design->info); i++) {
        const struct sl_kernel_info *kernel = &design->info->kernels[i];
        const struct sl_profile_kernel *row = &profile->kernels[i];
        fprintf(out, "%s{\"name\":", i ? "," : "");
        sl_json_string(out, kernel->name);
        fprintf(out, ",\"file\":");
        sl_json_string(out, file_of(design->info, design->kernels[i].first));
        fprintf(out,
                ",\"line\":%u,\"autorun\":%s,\"unit\":[%u,%u,%u],\"launches\":%llu,"
                "\"ended\":%llu,\"run_ns\":%llu,\"stall_ns\":%llu}",
                kernel->line, kernel->flags & SL_KERNEL_AUTORUN ? "true" : "false",
                kernel->compute_unit[0], kernel->compute_unit[1], kernel->compute_unit[2],
                get(&row->launches), get(&row->ended), tally(&row->run_ns), tally(&row->stall_ns));
    }
}

/* Thousandths as whole numbers: %f writes what the application's locale has for a point. */
static void print_counts(FILE *out, const struct sl_profile_pipe *row)
{
    uint64_t moved[2], sum = 0;
    for (int op = 0; op < 2; op++) {
        moved[op] = sl_tally_get(&row->moved[op]);
        sum += sl_tally_get(&row->fill[op]);
    }
    uint64_t samples = moved[0] + moved[1], read = moved[SL_PIPE_READ],
             written = moved[SL_PIPE_WRITE];
    unsigned long long fill = samples ? (sum * 1000 + samples / 2) / samples : 0;
    fprintf(out,
            ",\"writer\":%d,\"reader\":%d,\"packets\":%llu,\"mean_fill\":%llu.%03llu,"
            "\"high_water\":%llu,\"full_ns\":%llu,\"empty_ns\":%llu,\"full_held_ns\":%llu,"
            "\"empty_held_ns\":%llu}",
            row->writer, row->reader, (unsigned long long)(read > written ? read : written),
            fill / 1000, fill % 1000, get(&row->high_water), tally(&row->stalled_ns[SL_PIPE_WRITE]),
            tally(&row->stalled_ns[SL_PIPE_READ]), tally(&row->held_ns[SL_PIPE_WRITE]),
            tally(&row->held_ns[SL_PIPE_READ]));
}

static const char *host_of(uint32_t flags, const struct sl_profile_pipe *row)
{
    if (!(flags & SL_PIPE_HOST))
        return "";
    if (flags & (SL_PIPE_HOST_READS | SL_PIPE_HOST_WRITES))
        return flags & SL_PIPE_HOST_READS ? "reads" : "writes";
    return atomic_load_explicit(&row->writer, memory_order_relaxed) >= 0 ? "reads" : "writes";
}

static void print_pipe(FILE *out, const struct sl_pipe_info *pipe,
                       const struct sl_profile_pipe *row)
{
    fprintf(out, "{\"name\":");
    sl_json_string(out, pipe->name);
    fprintf(out, ",\"type\":");
    sl_json_string(out, text_or_empty(pipe->type_name));
    fprintf(out,
            ",\"kind\":\"%s\",\"packet_bytes\":%u,\"declared_depth\":%u,\"depth\":%u,\"file\":",
            pipe->flags & SL_PIPE_CHANNEL ? "channel" : "pipe", pipe->packet_bytes,
            pipe->declared_depth, pipe->depth);
    sl_json_string(out, text_or_empty(pipe->file));
    fprintf(out, ",\"line\":%u,\"host\":\"%s\",\"io\":", pipe->line, host_of(pipe->flags, row));
    sl_json_string(out, text_or_empty(pipe->io));
    print_counts(out, row);
}

/* As the kernel declares it that used it first. */
static void print_argument(FILE *out, const struct sl_module_info *info,
                           const struct sl_profile_pipe *row)
{
    const struct sl_kernel_info *kernel = &info->kernels[row->site->kernel];
    static const struct sl_arg_info none = {0};
    const int32_t index = row->site->arg_index;
    const struct sl_arg_info *arg = index < 0 ? &none : &kernel->args[index];
    fprintf(out, "{\"name\":");
    sl_json_string(out, text_or_empty(row->site->pipe));
    fprintf(out, ",\"type\":");
    sl_json_string(out, text_or_empty(arg->type_name));
    fprintf(out,
            ",\"kind\":\"argument\",\"packet_bytes\":%u,\"declared_depth\":%u,"
            "\"depth\":%u,\"file\":",
            row->packet_bytes, arg->pipe ? arg->pipe->depth : 0, row->depth);
    sl_json_string(out, text_or_empty(row->site->file));
    fprintf(out, ",\"line\":%u,\"host\":\"%s\",\"io\":\"\"", kernel->line,
            host_of(row->flags, row));
    print_counts(out, row);
}

static void print_pipes(FILE *out, const struct sl_profile *profile)
{
    const struct sl_module_info *info = profile->design->info;
    for (uint32_t i = 0; i < info->pipe_count + SL_PROFILE_ARGUMENTS; i++) {
        const struct sl_profile_pipe *row = &profile->pipes[i];
        if (i >= info->pipe_count && !atomic_load_explicit(&row->ring, memory_order_acquire))
            break;
        fprintf(out, "%s", i ? "," : "");
        if (i < info->pipe_count)
            print_pipe(out, &info->pipes[i], row);
        else
            print_argument(out, info, row);
    }
}

static void print_sites(FILE *out, const struct sl_profile *profile)
{
    const struct sl_module_info *info = profile->design->info;
    for (uint32_t i = 0; i < info->site_count; i++) {
        const struct sl_pipe_site *site = &info->sites[i];
        fprintf(out, "%s{\"kernel\":%u,\"pipe\":%d,\"name\":", i ? "," : "", site->kernel,
                site->pipe_index);
        sl_json_string(out, text_or_empty(site->pipe));
        fprintf(out, ",\"op\":\"%s\",\"blocking\":%s,\"file\":",
                site->op == SL_PIPE_WRITE ? "write" : "read", site->blocking ? "true" : "false");
        sl_json_string(out, text_or_empty(site->file));
        fprintf(out, ",\"line\":%u,\"column\":%u,\"stalls\":%llu,\"stall_ns\":%llu}", site->line,
                site->column, tally(&profile->sites[i].stalls), tally(&profile->sites[i].stall_ns));
    }
}

static void print_timeline(FILE *out, struct sl_profile *profile)
{
    static const char *const states[] = {"run", "full", "empty"};
    pthread_mutex_lock(&profile->lock);
    uint64_t start_ns = profile->start_ns;
    for (uint32_t i = 0; i < profile->span_count; i++) {
        const struct sl_profile_span *span = &profile->spans[i];
        fprintf(out,
                "%s{\"kernel\":%u,\"start_ns\":%llu,\"end_ns\":%llu,\"state\":\"%s\",\"pipe\":%d}",
                i ? "," : "", span->kernel, (unsigned long long)(span->start_ns - start_ns),
                (unsigned long long)(span->end_ns - start_ns), states[span->state], span->pipe);
    }
    pthread_mutex_unlock(&profile->lock);
}

static void print_stalls(FILE *out, struct sl_profile *profile)
{
    pthread_mutex_lock(&profile->lock);
    for (uint32_t i = 0; i < profile->stall_count; i++) {
        const struct sl_profile_stall *stall = &profile->stalls[i];
        fprintf(out, "%s{\"ends\":%s,\"lasts\":%s,%s", i ? ",\n" : ",\n\"stalls\":[",
                stall->ends ? "true" : "false",
                sl_profile_stall_lasts(profile, stall) ? "true" : "false", stall->json);
    }
    fputs(profile->stall_count ? "]" : "", out);
    pthread_mutex_unlock(&profile->lock);
}

/* A stall was reported and lasts, and launches have not ended, or were ended by it. */
static bool is_stopped(struct sl_profile *profile)
{
    const struct sl_module_info *info = profile->design->info;
    bool unfinished = false, stalled = false;
    pthread_mutex_lock(&profile->lock);
    for (uint32_t i = 0; i < profile->stall_count; i++)
        stalled |= sl_profile_stall_lasts(profile, &profile->stalls[i]);
    pthread_mutex_unlock(&profile->lock);
    for (uint32_t i = 0; i < info->kernel_count && stalled && !unfinished; i++)
        unfinished = !(info->kernels[i].flags & SL_KERNEL_AUTORUN) &&
                     get(&profile->kernels[i].ended) < get(&profile->kernels[i].launches);
    return unfinished;
}

static void print_all(FILE *out, struct sl_profile *profile)
{
    const struct sl_module_info *info = profile->design->info;
    fprintf(out, "{\"sluice_profile\":1,\"program\":");
    sl_json_string(out, info->pipe_count ? text_or_empty(info->pipes[0].file) : "");
    fprintf(out, ",\"device\":");
    sl_json_string(out, text_or_empty(profile->design->machine->hosted->base.caps.name));
    const uint64_t now = sl_clock_ns();
    fprintf(out, ",\"time_ns\":%llu,\"busy_ns\":%llu,\n\"kernels\":[",
            (unsigned long long)(now - profile->start_ns),
            (unsigned long long)sl_busy_ns(&profile->busy, now));
    print_kernels(out, profile);
    fprintf(out, "],\n\"pipes\":[");
    print_pipes(out, profile);
    fprintf(out, "],\n\"sites\":[");
    print_sites(out, profile);
    fprintf(out, "],\n\"timeline\":[");
    print_timeline(out, profile);
    fprintf(out, "]");
    print_stalls(out, profile);
    if (info->timing)
        fprintf(out, ",\n\"schedule\":%s", info->timing);
    if (profile->clock) {
        fprintf(out, ",\n\"clock\":");
        sl_clock_print(profile->clock, is_stopped(profile), out);
    }
    if (profile->trace) {
        fprintf(out, ",\n\"trace\":");
        sl_trace_print(profile->trace, out);
    }
    fprintf(out, "}\n");
}

int sl_profile_text(struct sl_profile *profile, char **text)
{
    char *made = NULL;
    size_t bytes;
    FILE *out = open_memstream(&made, &bytes);
    if (!out)
        return SL_OUT_OF_HOST_MEMORY;
    print_all(out, profile);
    int rc = sl_text_close(out, &made);
    if (!rc)
        *text = made;
    return rc;
}
