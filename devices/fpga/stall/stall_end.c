/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "fpga/stall/stall_end.h"

#include <stdlib.h>

#include "common/base/values.h"
#include "fpga/cluster/design_data.h"
#include "fpga/host_pipe/host_pipe.h"

struct ending {
    struct sl_news news;
};

static void take_ending(struct sl_cluster *cluster, struct sl_news *news)
{
    for (struct sl_fiber *fiber = cluster->fibers, *next; fiber; fiber = next) {
        next = fiber->next_fiber;
        if (fiber->doomed)
            sl_cluster_discard(fiber, SL_STALLED);
    }
    free((struct ending *)news);
}

static bool has_doomed(const struct sl_stall_claim *claim)
{
    const struct sl_fiber *fiber = claim->known ? claim->cluster->fibers : NULL;
    while (fiber && !fiber->doomed)
        fiber = fiber->next_fiber;
    return fiber != NULL;
}

static bool any_parked(const struct sl_stall_rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct sl_stall_row *row = &rows->at[i];
        if (row->told && !row->asked && (!row->fiber || (row->fiber->work && row->fiber->ring)))
            return true;
    }
    return false;
}

/* It has asked in vain for long enough: a launch that waited beside it was ended, or nothing has
 * moved for so long that it cannot be working. */
static bool is_lost(const struct sl_fiber *fiber)
{
    enum { BESIDE = 2, ALONE = 20 };
    uint32_t times = fiber->seen.warned ? BESIDE : ALONE;
    return fiber->seen.still >= times * SL_STALL_LOOKS;
}

/* Who waits for it afterwards is told why it is not there. */
static void note_ended(const struct sl_fiber *fiber)
{
    struct sl_design *design = fiber->design;
    struct sl_design_kernel *kernel = &design->kernels[fiber->kernel - design->info->kernels];
    atomic_store_explicit(&kernel->was_ended, true, memory_order_relaxed);
}

/* What is told is part of a cycle over processes. */
static bool leads_far(const struct sl_stall_rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++)
        if (rows->at[i].told && rows->at[i].hop_count)
            return true;
    return false;
}

/* The others of that cycle find it as long as this one stands where it does; it ends even if one of
 * them has left meanwhile. */
static bool has_waited_for_others(struct sl_fiber *fiber)
{
    enum { LOOKS = 3 * SL_STALL_LOOKS };
    return fiber->seen.far > LOOKS || ++fiber->seen.far > LOOKS;
}

bool sl_stall_doom(const struct sl_stall_rows *rows)
{
    bool parked = any_parked(rows), far = leads_far(rows), again = false;
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct sl_stall_row *row = &rows->at[i];
        struct sl_fiber *fiber = row->fiber;
        if (!fiber || !fiber->work || (row->hope != SL_HOPE_NONE && !fiber->seen.far))
            continue;
        if (fiber->seen.far || (far && row->told && fiber->ring)) {
            fiber->doomed = has_waited_for_others(fiber);
            again |= !fiber->doomed;
        } else {
            fiber->seen.warned |= row->told && parked && !fiber->ring;
            bool meant = row->told || fiber->seen.warned;
            fiber->doomed = meant && (fiber->ring || is_lost(fiber));
            again |= meant && !fiber->doomed;
        }
        if (fiber->doomed && fiber->design)
            note_ended(fiber);
    }
    return again;
}

bool sl_stall_end_launches(const struct sl_stall_claims *claims)
{
    bool sure = true;
    for (uint32_t i = 0; i < claims->count; i++) {
        if (!has_doomed(&claims->at[i]))
            continue;
        struct ending *ending = malloc(sizeof *ending);
        sure &= ending != NULL;
        if (!ending)
            continue;
        ending->news.take = take_ending;
        sl_cluster_post(claims->at[i].cluster, &ending->news);
    }
    return sure;
}

void sl_stall_end_transfers(const struct sl_stall_rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        if (rows->at[i].transfer && !rows->at[i].asked && rows->at[i].told)
            sl_pipe_fail(rows->at[i].transfer, SL_STALLED);
    }
}
