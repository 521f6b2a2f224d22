/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "fpga/stall/stall_rows.h"

#include <stdlib.h>

#include "fpga/cluster/machine.h"
#include "fpga/cluster/reach.h"
#include "fpga/cluster/ring_state.h"
#include "fpga/host_pipe/host_pipe.h"
#include "fpga/launch/design.h"

static bool add_row(struct sl_stall_rows *rows, const struct sl_stall_row *row)
{
    if (rows->count == rows->capacity) {
        uint32_t capacity = rows->capacity ? 2 * rows->capacity : 64;
        struct sl_stall_row *at = realloc(rows->at, capacity * sizeof *at);
        if (!at)
            return false;
        rows->at = at;
        rows->capacity = capacity;
    }
    rows->at[rows->count++] = *row;
    return true;
}

/* Notes where the fiber is; true if it has been there for long enough. Looks in which it had not
 * asked again, or its cluster did not hear, do not count: it may have had no processor. */
static bool is_still(struct sl_fiber *fiber, uint32_t episode)
{
    struct sl_pipe_ring *ring = sl_fiber_stuck_at(fiber);
    uint64_t sum = sl_reach_progress(fiber);
    bool wakes =
        fiber->ring && sl_ring_is_outside(ring) && sl_ring_available(ring, fiber->site->op);
    bool moved = wakes || fiber->seen.progress != sum || (fiber->ring && fiber->seen.ring != ring);
    if (moved || fiber->seen.episode != episode)
        fiber->seen.still = fiber->seen.watching = 0;
    else if (ring)
        fiber->seen.still++;
    fiber->seen.watching += fiber->watches;
    fiber->watches = false;
    if (moved) {
        fiber->seen.told = fiber->seen.noted = fiber->seen.warned = false;
        fiber->seen.far = 0;
    }
    fiber->seen.episode = episode;
    fiber->seen.progress = sum;
    fiber->seen.ring = fiber->ring;
    return ring && fiber->seen.still >= SL_STALL_LOOKS;
}

static bool add_fiber(struct sl_stall_rows *rows, struct sl_fiber *fiber, uint32_t episode)
{
    struct sl_stall_row row = {
        .fiber = fiber, .design = fiber->design, .hope = SL_HOPE_MOVES, .next = -1};
    bool still = is_still(fiber, episode);
    row.still = fiber->seen.still;
    if (still) {
        row.ring = sl_fiber_stuck_at(fiber);
        row.op = fiber->site->op;
        row.hope = SL_HOPE_NONE;
    }
    return add_row(rows, &row);
}

/* Messages under way may change everything: a kernel that is about to start. Of a cluster that is
 * divided all parts are known or none. */
static void find_known(struct sl_stall_claims *claims)
{
    for (uint32_t i = 0; i < claims->count; i++) {
        struct sl_stall_claim *claim = &claims->at[i];
        claim->known =
            claim->claimed && !atomic_load_explicit(&claim->cluster->inbox, memory_order_seq_cst);
    }
    for (uint32_t i = 0; i < claims->count; i++) {
        const struct sl_cluster *home = claims->at[i].cluster->home;
        for (uint32_t k = 0; claims->at[i].known && k < claims->count; k++)
            claims->at[i].known = claims->at[k].known || claims->at[k].cluster->home != home;
    }
}

static bool add_fibers(struct sl_stall_rows *rows, struct sl_stall_claim *claim, uint32_t episode)
{
    const struct sl_cluster *cluster = claim->cluster;
    bool room = true;
    for (struct sl_fiber *at = claim->known ? cluster->fibers : NULL; room && at;
         at = at->next_fiber)
        room = add_fiber(rows, at, episode);
    return room;
}

static bool is_known(const struct sl_stall_claims *claims, const struct sl_cluster *cluster)
{
    uint32_t i = 0;
    while (i < claims->count && claims->at[i].cluster != cluster)
        i++;
    return i < claims->count && claims->at[i].known;
}

static bool add_transfers(struct sl_stall_rows *rows, const struct sl_stall_claims *claims,
                          struct sl_design *design, uint32_t look)
{
    bool room = true;
    for (uint32_t i = 0; room && i < design->info->pipe_count; i++) {
        struct sl_stall_row row = {.transfer = design->pipes[i], .design = design, .next = -1};
        if (!row.transfer || !sl_pipe_is_awaited(row.transfer))
            continue;
        unsigned still = sl_pipe_look(row.transfer, look, &row.op);
        row.ring = design->info->pipes[i].ring;
        row.still = still;
        if (still < SL_STALL_LOOKS || !is_known(claims, sl_design_cluster_of(design, i)))
            row.hope = SL_HOPE_MOVES;
        room = add_row(rows, &row);
    }
    return room;
}

static const struct sl_design *design_of_locked(struct sl_machine *machine, struct sl_pipe *pipe)
{
    unsigned op;
    const struct sl_pipe_info *info = sl_pipe_asked_ring(pipe, &op)->info;
    const struct sl_design *at = info ? machine->designs : NULL;
    while (at && !(info >= at->info->pipes && info < at->info->pipes + at->info->pipe_count))
        at = at->next_design;
    return at;
}

bool sl_stall_list_asked(struct sl_machine *machine, struct sl_stall_awaited *list)
{
    uint32_t count = 0;
    pthread_mutex_lock(&machine->lock);
    for (struct sl_pipe *at = NULL; (at = sl_pipe_next_asked_locked(machine, at));)
        count++;
    list->asked = calloc(count + 1, sizeof *list->asked);
    list->designs = calloc(count + 1, sizeof *list->designs);
    bool room = list->asked && list->designs;
    struct sl_pipe *at = room ? sl_pipe_next_asked_locked(machine, NULL) : NULL;
    while (at) {
        struct sl_pipe *next = sl_pipe_next_asked_locked(machine, at);
        if (sl_pipe_hold_asked_locked(at)) {
            list->designs[list->asked_count] = design_of_locked(machine, at);
            list->asked[list->asked_count++] = at;
        }
        at = next;
    }
    pthread_mutex_unlock(&machine->lock);
    return room;
}

bool sl_stall_list_designs(struct sl_machine *machine, struct sl_stall_awaited *list)
{
    uint32_t count = 0;
    pthread_mutex_lock(&machine->lock);
    for (struct sl_design *at = machine->designs; at; at = at->next_design)
        count += sl_design_is_awaited(at);
    list->at = calloc(count + 1, sizeof(struct sl_design *));
    for (struct sl_design *at = machine->designs; list->at && at && list->count < count;
         at = at->next_design) {
        if (sl_design_is_awaited(at) && sl_design_hold_alive(at))
            list->at[list->count++] = at;
    }
    pthread_mutex_unlock(&machine->lock);
    return list->at != NULL;
}

void sl_stall_let_go(struct sl_stall_awaited *list)
{
    for (uint32_t i = 0; i < list->asked_count; i++)
        sl_pipe_drop_asked(list->asked[i]);
    for (uint32_t i = 0; i < list->count; i++)
        sl_design_drop(list->at[i]);
    free(list->asked);
    free(list->designs);
    free(list->at);
}

static bool add_asked(struct sl_stall_rows *rows, const struct sl_stall_claims *claims,
                      const struct sl_stall_awaited *list, uint32_t look)
{
    bool room = true;
    for (uint32_t i = 0; room && i < list->asked_count; i++) {
        struct sl_stall_row row = {
            .transfer = list->asked[i], .asked = true, .design = list->designs[i], .next = -1};
        if (sl_pipe_is_awaited(row.transfer)) /* it is a row already */
            continue;
        row.ring = sl_pipe_asked_ring(row.transfer, &row.op);
        row.still = sl_pipe_look_asked(row.transfer, look);
        if (row.still < SL_STALL_LOOKS || !is_known(claims, sl_pipe_cluster(row.transfer)))
            row.hope = SL_HOPE_MOVES;
        room = add_row(rows, &row);
    }
    return room;
}

bool sl_stall_collect(struct sl_stall_claims *claims, const struct sl_stall_awaited *designs,
                      const struct sl_stall *stall, struct sl_stall_rows *rows)
{
    bool room = true;
    find_known(claims);
    for (uint32_t i = 0; room && i < claims->count; i++)
        room = add_fibers(rows, &claims->at[i], stall->episode);
    for (uint32_t i = 0; room && i < designs->count; i++)
        room = add_transfers(rows, claims, designs->at[i], stall->look);
    return room && add_asked(rows, claims, designs, stall->look);
}

void sl_stall_forget_polls(const struct sl_stall_rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        if (rows->at[i].fiber)
            rows->at[i].fiber->polled = NULL;
    }
}
