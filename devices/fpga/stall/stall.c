/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The decision whether something on the device stands still for good. The watch claims clusters:
 * those that rest at once, those that run when their thread has heard that it looks
 * (machine->looking). Of a claimed cluster no fiber runs, and the watch may look at all of them. A
 * cluster whose kernel computes hears nothing; what it would do is not known.
 */
#include "fpga/stall/stall.h"

#include <stdlib.h>
#include <time.h>

#include "common/base/values.h"
#include "common/runtime/hosted.h"
#include "fpga/cluster/machine.h"
#include "fpga/cluster/reach.h"
#include "fpga/cluster/ring_state.h"
#include "fpga/host_pipe/host_pipe.h"
#include "fpga/launch/design.h"
#include "sluice/base/count.h"
#include "sluice/base/wait.h"

static uint32_t activity(struct sl_machine *machine)
{
    return atomic_load_explicit(&machine->activity, memory_order_seq_cst);
}

/* Launches of kernels with pipes, transfers of the host that wait for one, pipes that it asks. */
static bool anything_waits(struct sl_machine *machine)
{
    pthread_mutex_lock(&machine->lock);
    bool any = machine->asked != NULL;
    for (struct sl_cluster *at = machine->clusters; at && !any; at = at->next_cluster)
        any = sl_cluster_launched(at) != 0;
    for (struct sl_design *at = machine->designs; at && !any; at = at->next_design)
        any = sl_design_is_awaited(at);
    pthread_mutex_unlock(&machine->lock);
    return any;
}

static bool host_waits(struct sl_machine *machine)
{
    return atomic_load_explicit(&machine->host_waits, memory_order_seq_cst) > 0;
}

static uint32_t asks(struct sl_machine *machine)
{
    return atomic_load_explicit(&machine->asks, memory_order_relaxed);
}

bool sl_stall_possible(struct sl_machine *machine, const struct sl_stall *stall)
{
    return machine->on_stall != SL_STALL_WAIT &&
           (host_waits(machine) || stall->asked || stall->asks != asks(machine)) &&
           !(stall->settled && stall->activity == activity(machine)) && anything_waits(machine);
}

void sl_stall_begin(struct sl_machine *machine, struct sl_stall *stall)
{
    stall->look++; /* so that the next number does not follow the last one */
    stall->episode++;
    stall->roused = false;
    stall->asked = stall->asks != asks(machine);
    stall->asks = asks(machine);
}

/* A thread sleeps until the device has done something, or asks for it again and again. One that has
 * asked once or twice goes on with other things. */
static bool is_awaited(struct sl_machine *machine, const struct sl_stall *stall)
{
    enum { OFTEN = 4 };
    return host_waits(machine) || __builtin_popcount(stall->asked) >= OFTEN;
}

/* Ordinary work may be what moves things next. */
static bool others_run(struct sl_machine *machine)
{
    return atomic_load_explicit(&machine->guests, memory_order_relaxed) ||
           sl_pool_busy(machine->hosted->sched.pool);
}

/* ---- clusters -------------------------------------------------------------------------------- */

struct claim {
    struct sl_cluster *cluster;  /* held */
    enum sl_cluster_state state; /* before */
    uint32_t poked;
    bool claimed;
    bool known; /* all of its fibers are rows */
};

struct claims {
    struct claim *at; /* owned */
    uint32_t count;
};

static bool list_clusters(struct sl_machine *machine, struct claims *claims)
{
    uint32_t count = 0;
    pthread_mutex_lock(&machine->lock);
    for (struct sl_cluster *at = machine->clusters; at; at = at->next_cluster)
        count++;
    claims->at = calloc(count, sizeof *claims->at);
    for (struct sl_cluster *at = machine->clusters; claims->at && at; at = at->next_cluster) {
        if (sl_add_unless_zero(&at->refs)) /* else it is about to leave the list */
            claims->at[claims->count++] = (struct claim){.cluster = at};
    }
    pthread_mutex_unlock(&machine->lock);
    return claims->at != NULL;
}

static bool claim_one(struct claim *claim)
{
    static const enum sl_cluster_state states[] = {SL_CLUSTER_IDLE, SL_CLUSTER_NAPPING};
    claim->poked = atomic_load_explicit(&claim->cluster->poked, memory_order_seq_cst);
    for (int i = 0; i < 2 && !claim->claimed; i++) {
        claim->state = states[i];
        claim->claimed = sl_cluster_claim(claim->cluster, states[i]);
    }
    return claim->claimed;
}

/* Those that run come within a moment or not at all; they must not be kept waiting for each other
 * for long. A cluster that comes has no word to say so, which would cost each of its rounds. */
static void claim_soon(struct sl_machine *machine, struct claims *claims)
{
    enum { TRIES = 20 };
    const struct timespec moment = {.tv_nsec = 100000};
    bool all = false;
    atomic_fetch_add_explicit(&machine->looking, 1, memory_order_seq_cst);
    for (int turn = 0; turn < TRIES && !all; turn++) {
        if (turn)
            nanosleep(&moment, NULL);
        all = true;
        for (uint32_t i = 0; i < claims->count; i++)
            all &= claims->at[i].claimed || claim_one(&claims->at[i]);
    }
}

static void release(struct sl_machine *machine, struct claims *claims)
{
    for (uint32_t i = 0; i < claims->count; i++) {
        if (claims->at[i].claimed)
            sl_cluster_release(claims->at[i].cluster, claims->at[i].state, claims->at[i].poked);
    }
    atomic_fetch_add_explicit(&machine->looking, 1, memory_order_seq_cst);
    sl_futex_wake(&machine->looking, INT32_MAX);
    for (uint32_t i = 0; i < claims->count; i++)
        sl_cluster_drop(claims->at[i].cluster);
    free(claims->at);
}

/* ---- rows ------------------------------------------------------------------------------------ */

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
        fiber->ring && sl_ring_is_foreign(ring) && sl_ring_available(ring, fiber->site->op);
    bool moved = wakes || fiber->seen.progress != sum || (fiber->ring && fiber->seen.ring != ring);
    if (moved || fiber->seen.episode != episode)
        fiber->seen.still = 0;
    else if (ring)
        fiber->seen.still++;
    if (moved)
        fiber->seen.told = fiber->seen.noted = fiber->seen.warned = false;
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

/* Messages under way may change everything: a kernel that is about to start. */
static bool add_fibers(struct sl_stall_rows *rows, struct claim *claim, uint32_t episode)
{
    const struct sl_cluster *cluster = claim->cluster;
    claim->known = claim->claimed && !atomic_load_explicit(&cluster->inbox, memory_order_seq_cst);
    bool room = true;
    for (struct sl_fiber *at = claim->known ? cluster->fibers : NULL; room && at;
         at = at->next_fiber)
        room = add_fiber(rows, at, episode);
    return room;
}

static bool is_known(const struct claims *claims, const struct sl_cluster *cluster)
{
    uint32_t i = 0;
    while (i < claims->count && claims->at[i].cluster != cluster)
        i++;
    return i < claims->count && claims->at[i].known;
}

static bool add_transfers(struct sl_stall_rows *rows, const struct claims *claims,
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

/* Designs the host waits for, and pipes that it asks in vain; held until the rows are gone. */
struct awaited {
    struct sl_design **at; /* owned */
    uint32_t count;
    struct sl_pipe **asked;           /* owned */
    const struct sl_design **designs; /* owned: of these; NULL: of a pipe object */
    uint32_t asked_count;
};

static const struct sl_design *design_of_locked(struct sl_machine *machine, struct sl_pipe *pipe)
{
    unsigned op;
    const struct sl_pipe_info *info = sl_pipe_asked_ring(pipe, &op)->info;
    const struct sl_design *at = info ? machine->designs : NULL;
    while (at && !(info >= at->info->pipes && info < at->info->pipes + at->info->pipe_count))
        at = at->next_design;
    return at;
}

static bool list_asked(struct sl_machine *machine, struct awaited *list)
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

static bool list_designs(struct sl_machine *machine, struct awaited *list)
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

static void let_go(struct awaited *list)
{
    for (uint32_t i = 0; i < list->asked_count; i++)
        sl_pipe_drop_asked(list->asked[i]);
    for (uint32_t i = 0; i < list->count; i++)
        sl_design_drop(list->at[i]);
    free(list->asked);
    free(list->designs);
    free(list->at);
}

static bool add_asked(struct sl_stall_rows *rows, const struct claims *claims,
                      const struct awaited *list, uint32_t look)
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

static bool collect(struct claims *claims, const struct awaited *designs,
                    const struct sl_stall *stall, struct sl_stall_rows *rows)
{
    bool room = true;
    for (uint32_t i = 0; room && i < claims->count; i++)
        room = add_fibers(rows, &claims->at[i], stall->episode);
    for (uint32_t i = 0; room && i < designs->count; i++)
        room = add_transfers(rows, claims, designs->at[i], stall->look);
    return room && add_asked(rows, claims, designs, stall->look);
}

/* Who asks in vain has to ask again before the next look. */
static void forget_polls(const struct sl_stall_rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        if (rows->at[i].fiber)
            rows->at[i].fiber->polled = NULL;
    }
}

/* ---- ending launches ------------------------------------------------------------------------- */

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

static bool has_doomed(const struct claim *claim)
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

/* Who waits for what never comes ends. Who only asks for it may do real work between two questions,
 * and is given more time. True: there are such, look again. */
static bool doom(const struct sl_stall_rows *rows)
{
    bool parked = any_parked(rows), again = false;
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct sl_stall_row *row = &rows->at[i];
        struct sl_fiber *fiber = row->fiber;
        if (!fiber || !fiber->work || row->hope != SL_HOPE_NONE)
            continue;
        fiber->seen.warned |= row->told && parked && !fiber->ring;
        bool meant = row->told || fiber->seen.warned;
        fiber->doomed = meant && (fiber->ring || is_lost(fiber));
        again |= meant && !fiber->doomed;
    }
    return again;
}

/* The cluster's own thread ends them, once it is released. Clusters without any hear nothing: the
 * device may be about to stop, and nobody would take the message. False: no memory for some. */
static bool end_launches(const struct claims *claims)
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

static void end_transfers(const struct sl_stall_rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        if (rows->at[i].transfer && !rows->at[i].asked && rows->at[i].told)
            sl_pipe_fail(rows->at[i].transfer, SL_STALLED);
    }
}

/* ---- who might act --------------------------------------------------------------------------- */

/* The host waits for rows like this one. */
static bool matters(const struct sl_stall_row *row)
{
    return !row->fiber || row->fiber->work;
}

static struct sl_work *work_of(const struct sl_stall_row *row)
{
    if (row->fiber)
        return row->fiber->work;
    return row->asked ? NULL : sl_pipe_first(row->transfer);
}

static bool helps(const void *data, const struct sl_work *work)
{
    return sl_stall_helps(data, work);
}

/* Somebody may launch what is missing, or serve a pipe. */
static enum sl_outlook ask_outlook(struct sl_machine *machine, const struct sl_stall_rows *rows)
{
    enum { LASTING = 16 };
    const struct sl_host_ops *host = machine->host;
    if (!host->outlook)
        return SL_OUTLOOK_NOBODY;
    struct sl_work **works = calloc(rows->count + 1, sizeof *works);
    if (!works)
        return SL_OUTLOOK_EXPECTED;
    struct sl_stuck stuck = {
        .works = works, .helps = helps, .data = rows, .lasting_ns = LASTING * machine->stall_ns};
    for (uint32_t i = 0; i < rows->count; i++) {
        struct sl_work *work = rows->at[i].hope != SL_HOPE_MOVES ? work_of(&rows->at[i]) : NULL;
        if (work)
            works[stuck.count++] = work;
    }
    enum sl_outlook outlook = host->outlook(&machine->hosted->base, &stuck);
    free(works);
    return outlook;
}

/* How many times the stall time those who lack something are given. */
static uint32_t patience(enum sl_outlook outlook)
{
    static const uint32_t times[] = {[SL_OUTLOOK_NOBODY] = 1,
                                     [SL_OUTLOOK_ASKING] = 4,
                                     [SL_OUTLOOK_QUIET] = 10,
                                     [SL_OUTLOOK_BUSY] = 40,
                                     [SL_OUTLOOK_EXPECTED] = UINT32_MAX / SL_STALL_LOOKS};
    return times[outlook];
}

/* ---- the verdict ----------------------------------------------------------------------------- */

struct verdict {
    bool awaited;           /* the host waits */
    bool all;               /* nothing else moves */
    bool again;             /* another look may find more */
    bool lost;              /* those who lack something have waited for it for long enough */
    uint32_t waiting, dead; /* launches that wait for the outside, if that is news; without hope */
    char *text, *json;      /* owned; NULL: nothing to be told */
};

static bool *told_of(const struct sl_stall_row *row)
{
    return row->fiber ? &row->fiber->seen.told : sl_pipe_told(row->transfer);
}

/* There was no memory to say it with. */
static void forget_told(const struct sl_stall_rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        if (rows->at[i].told && matters(&rows->at[i]))
            *told_of(&rows->at[i]) = false;
    }
}

static bool anything_moves(struct sl_machine *machine, const struct claims *claims,
                           const struct sl_stall_rows *rows)
{
    bool moves = others_run(machine);
    for (uint32_t i = 0; i < claims->count; i++)
        moves |= !claims->at[i].known && sl_cluster_launched(claims->at[i].cluster);
    for (uint32_t i = 0; i < rows->count; i++)
        moves |= matters(&rows->at[i]) && rows->at[i].hope == SL_HOPE_MOVES;
    return moves;
}

static bool any_hopes(const struct sl_stall_rows *rows)
{
    bool any = false;
    for (uint32_t i = 0; i < rows->count && !any; i++)
        any = matters(&rows->at[i]) && rows->at[i].hope == SL_HOPE_OUTSIDE;
    return any;
}

/* Looks for which all that lack something have stood still; 0: none does. */
static uint32_t lacking_for(const struct sl_stall_rows *rows)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct sl_stall_row *row = &rows->at[i];
        if (matters(row) && row->hope == SL_HOPE_NONE && row->lacks && row->still < least)
            least = row->still;
    }
    return least == UINT32_MAX ? 0 : least;
}

/* Whoever could launch what is missing, or be at the other end of a pipe, is the host. 0 or an
 * error. */
static int survey(struct sl_machine *machine, const struct claims *claims,
                  struct sl_stall_rows *rows, struct verdict *verdict)
{
    int rc = 0;
    bool moves = anything_moves(machine, claims, rows), hopes = any_hopes(rows);
    bool host = hopes && !rows->hopes_io, lacks = lacking_for(rows) != 0;
    if (!moves && (host || (lacks && !hopes)))
        rows->outlook = ask_outlook(machine, rows);
    if (!moves && host && machine->host->outlook && rows->outlook <= SL_OUTLOOK_ASKING) {
        rows->host_idle = true;
        rc = sl_stall_link(rows);
        hopes = any_hopes(rows);
    }
    verdict->all = !moves && !hopes;
    verdict->lost = lacking_for(rows) >= SL_STALL_LOOKS * patience(rows->outlook);
    verdict->again = moves || rows->hopes_peer || (!verdict->all && host) ||
                     (lacking_for(rows) && !verdict->lost);
    return rc;
}

static bool lacks_peer(const struct sl_stall_row *row)
{
    uint64_t since;
    return row->fiber && row->ring->flags & SL_PIPE_IO && row->ring->owner &&
           !sl_pipe_is_at_end(row->ring->owner) && sl_pipe_lacked_peer(row->ring->owner, &since);
}

/* How long those who are told were waited for. */
static void note_times(struct sl_stall_rows *rows, bool lacking, bool peers)
{
    rows->times = lacking ? patience(rows->outlook) : 1;
    rows->peers = peers && rows->times <= rows->peer_times;
    if (rows->peers)
        rows->times = rows->peer_times;
}

/* What the host has not sent yet may be sent later, and who is missing launched: as long as
 * anything moves only those who could not use that are dead. */
static void choose(struct sl_stall_rows *rows, struct verdict *verdict, bool *news)
{
    bool lost = verdict->all && verdict->lost, lacking = false, peers = false;
    for (uint32_t i = 0; i < rows->count; i++) {
        struct sl_stall_row *row = &rows->at[i];
        row->told = verdict->awaited && row->hope == SL_HOPE_NONE && (lost || !row->lacks);
        if (!matters(row))
            continue;
        verdict->dead += row->told;
        lacking |= row->told && row->lacks;
        peers |= row->told && lacks_peer(row);
        if (row->told && !*told_of(row))
            *news = *told_of(row) = true;
        if (row->hope == SL_HOPE_OUTSIDE && row->fiber && !row->fiber->seen.noted) {
            row->fiber->seen.noted = true;
            verdict->waiting++;
        }
    }
    note_times(rows, lacking, peers);
}

static int judge(struct sl_machine *machine, const struct claims *claims,
                 struct sl_stall_rows *rows, struct verdict *verdict)
{
    bool news = false;
    int rc = survey(machine, claims, rows, verdict);
    if (rc)
        return rc;
    choose(rows, verdict, &news);
    verdict->again |= !verdict->awaited;
    if (news) {
        sl_stall_find_cycle(rows);
        if (sl_stall_text(rows, verdict->all, &verdict->text, &verdict->json)) {
            verdict->text = verdict->json = NULL;
            verdict->again = true;
            forget_told(rows);
        }
    }
    if (machine->on_stall == SL_STALL_ERROR) {
        verdict->again |= doom(rows);
        verdict->again |= !end_launches(claims);
    }
    return 0;
}

static void tell(struct sl_machine *machine, struct verdict *verdict)
{
    const struct sl_host_ops *host = machine->host;
    if (verdict->waiting)
        host->log(SL_LOG_INFO, machine->topic,
                  "%u kernels wait for the host or an I/O pipe, %u for other kernels",
                  verdict->waiting, verdict->dead);
    if (verdict->text && host->stalled)
        host->stalled(&machine->hosted->base, verdict->text, verdict->json);
    free(verdict->text);
    free(verdict->json);
}

/* False: no memory. Reports before launches end: who waits for them wants to know why. */
static bool look_at(struct sl_machine *machine, struct claims *claims,
                    const struct awaited *designs, const struct sl_stall *stall,
                    struct verdict *verdict)
{
    const uint64_t ns_per_ms = 1000000;
    struct sl_stall_rows rows = {.cycle = -1,
                                 .stall_ms = machine->stall_ns / ns_per_ms,
                                 .now_ns = sl_clock_ns(),
                                 .peer_times = patience(SL_OUTLOOK_QUIET),
                                 .ends = machine->on_stall == SL_STALL_ERROR};
    verdict->awaited = is_awaited(machine, stall);
    claim_soon(machine, claims);
    bool sure = collect(claims, designs, stall, &rows) && !sl_stall_link(&rows) &&
                !judge(machine, claims, &rows, verdict);
    if (sure) {
        tell(machine, verdict);
        forget_polls(&rows);
    }
    release(machine, claims);
    if (sure && machine->on_stall == SL_STALL_ERROR)
        end_transfers(&rows);
    free(rows.at);
    return sure;
}

/* Who waits may have left something in another queue that nobody has flushed. */
static void note_asks(struct sl_machine *machine, struct sl_stall *stall)
{
    uint32_t now = asks(machine);
    stall->asked = stall->asked << 1 | (now != stall->asks);
    stall->asks = now;
    if (!stall->roused && machine->host->rouse)
        machine->host->rouse(&machine->hosted->base);
    stall->roused = true;
}

bool sl_stall_look(struct sl_machine *machine, struct sl_stall *stall)
{
    struct claims claims = {0};
    struct awaited designs = {0};
    struct verdict verdict = {0};
    if (!sl_stall_possible(machine, stall))
        return false;
    uint32_t now = activity(machine);
    stall->look++;
    note_asks(machine, stall);
    bool sure = list_designs(machine, &designs) && list_asked(machine, &designs) &&
                list_clusters(machine, &claims) &&
                look_at(machine, &claims, &designs, stall, &verdict);
    let_go(&designs);
    stall->activity = now;
    stall->settled = sure && !verdict.again;
    return !stall->settled;
}
