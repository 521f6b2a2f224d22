/* SPDX-License-Identifier: Apache-2.0 */
/* Stalls that were reported, for the profile: a run that stood still is no measure of the design,
 * and whoever reads of it should know. The profile's lock guards them. */
#include <stdio.h>
#include <stdlib.h>

#include "common/base/text.h"
#include "fpga/cluster/fiber.h"
#include "fpga/profile/profile_data.h"
#include "sluice/base/json.h"

/* Beyond that nobody reads on. */
enum { MOST_STALLS = 16 };

/* `json` is an object with one member, "stall". */
static char *row_of(const char *text, const char *json)
{
    char *made = NULL;
    size_t bytes;
    FILE *out = open_memstream(&made, &bytes);
    if (!out)
        return NULL;
    fputs("\"text\":", out);
    sl_json_string(out, text);
    fprintf(out, ",%s", json + 1);
    return sl_text_close(out, &made) ? NULL : made;
}

void sl_profile_note_stall(struct sl_profile *profile, const char *text, const char *json,
                           bool ends)
{
    pthread_mutex_lock(&profile->lock);
    struct sl_profile_stall *more =
        profile->stall_count < MOST_STALLS
            ? realloc(profile->stalls, (profile->stall_count + 1) * sizeof *more)
            : NULL;
    profile->stalls = more ? more : profile->stalls;
    char *row = more ? row_of(text, json) : NULL;
    if (row)
        more[profile->stall_count++] = (struct sl_profile_stall){.json = row, .ends = ends};
    pthread_mutex_unlock(&profile->lock);
}

static uint64_t moved_at(const struct sl_profile *profile, int32_t pipe, unsigned op)
{
    return pipe < 0 ? atomic_load_explicit(&profile->kernels[op].ended, memory_order_relaxed)
                    : sl_tally_get(&profile->pipes[pipe].moved[op]);
}

/* The profile's lock is held. */
static void add_still(struct sl_profile *profile, int32_t pipe, unsigned op, bool silent)
{
    struct sl_profile_stall *stall =
        profile->stall_count ? &profile->stalls[profile->stall_count - 1] : NULL;
    struct sl_profile_still *more =
        stall ? realloc(stall->still, (stall->count + 1) * sizeof *more) : NULL;
    if (!more)
        return;
    stall->silent = silent;
    stall->still = more;
    more[stall->count++] = (struct sl_profile_still){pipe, op, moved_at(profile, pipe, op)};
}

void sl_profile_note_still(struct sl_profile *profile, const struct sl_fiber *fiber)
{
    struct sl_pipe_ring *ring = sl_fiber_stuck_at(fiber);
    int32_t pipe = ring ? sl_profile_pipe_row(profile, ring, fiber->site) : -1;
    if (pipe < 0)
        return;
    pthread_mutex_lock(&profile->lock);
    add_still(profile, pipe, fiber->site->op, false);
    pthread_mutex_unlock(&profile->lock);
}

void sl_profile_note_silent(struct sl_profile *profile, uint32_t pipe)
{
    pthread_mutex_lock(&profile->lock);
    for (unsigned op = 0; op < 2; op++)
        add_still(profile, (int32_t)pipe, op, true);
    pthread_mutex_unlock(&profile->lock);
}

void sl_profile_note_unending(struct sl_profile *profile, uint32_t kernel)
{
    pthread_mutex_lock(&profile->lock);
    add_still(profile, -1, kernel, true);
    pthread_mutex_unlock(&profile->lock);
}

bool sl_profile_stall_lasts(const struct sl_profile *profile, const struct sl_profile_stall *stall)
{
    uint32_t moved = 0;
    for (uint32_t i = 0; i < stall->count; i++) {
        const struct sl_profile_still *at = &stall->still[i];
        moved += moved_at(profile, at->pipe, at->op) != at->moved;
    }
    /* of whom nothing is known has not gone on */
    return stall->ends || !stall->count || (stall->silent ? !moved : moved < stall->count);
}

void sl_profile_forget_stalls(struct sl_profile *profile)
{
    for (uint32_t i = 0; i < profile->stall_count; i++) {
        free(profile->stalls[i].json);
        free(profile->stalls[i].still);
    }
    free(profile->stalls);
    profile->stalls = NULL;
    profile->stall_count = 0;
}
