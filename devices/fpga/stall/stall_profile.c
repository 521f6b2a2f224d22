/* SPDX-License-Identifier: Apache-2.0 */
/* What profiles learn of a stall. On the watch's thread, with the rows' clusters claimed. */
#include "fpga/cluster/design_data.h"
#include "fpga/cluster/fiber.h"
#include "fpga/profile/profile.h"
#include "fpga/stall/stall.h"

static struct sl_profile *profile_of(const struct sl_stall_row *row)
{
    return row->told && row->design ? row->design->profile : NULL;
}

/* A program has many rows, and is told once. */
static bool is_first(const struct sl_stall_rows *rows, uint32_t at)
{
    for (uint32_t i = 0; i < at; i++)
        if (profile_of(&rows->at[i]) == profile_of(&rows->at[at]))
            return false;
    return profile_of(&rows->at[at]) != NULL;
}

void sl_stall_profile(const struct sl_stall_rows *rows, const char *text, const char *json)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        struct sl_stall_row *row = &rows->at[i];
        if (profile_of(row) && row->fiber && row->fiber->ring)
            sl_profile_waiting(row->fiber, rows->now_ns);
        if (is_first(rows, i))
            sl_profile_note_stall(profile_of(row), text, json, rows->ends);
    }
    for (uint32_t i = 0; i < rows->count; i++)
        if (profile_of(&rows->at[i]) && rows->at[i].fiber)
            sl_profile_note_still(profile_of(&rows->at[i]), rows->at[i].fiber);
}

void sl_stall_write_profiles(const struct sl_stall_rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++)
        if (is_first(rows, i))
            (void)sl_profile_write(profile_of(&rows->at[i])); /* which says why not */
}

static bool is_used_in(const struct sl_design *design, const struct sl_pipe_info *pipe,
                       const struct sl_cluster *cluster)
{
    return (pipe->reader >= 0 && design->kernels[pipe->reader].cluster == cluster) ||
           (pipe->writer >= 0 && design->kernels[pipe->writer].cluster == cluster);
}

void sl_stall_profile_silence(const struct sl_design *design, const struct sl_cluster *cluster,
                              const char *text, const char *json)
{
    if (!design->profile)
        return;
    sl_profile_note_stall(design->profile, text, json, false);
    for (uint32_t p = 0; p < design->info->pipe_count; p++)
        if (is_used_in(design, &design->info->pipes[p], cluster))
            sl_profile_note_silent(design->profile, p);
    for (uint32_t i = 0; i < design->info->kernel_count; i++)
        if (design->kernels[i].cluster == cluster)
            sl_profile_note_unending(design->profile, i);
}

void sl_stall_write_profile(const struct sl_design *design)
{
    if (design->profile)
        (void)sl_profile_write(design->profile);
}
