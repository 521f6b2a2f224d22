/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The decision whether something on the device stands still for good. The watch claims clusters:
 * those that rest at once, those that run when their thread has heard that it looks
 * (machine->looking). Of a claimed cluster no fiber runs, and the watch may look at all of them. A
 * cluster whose kernel computes hears nothing; what it would do is not known.
 */
#include "fpga/stall/stall.h"

#include <stdlib.h>

#include "common/runtime/hosted.h"
#include "fpga/cluster/machine.h"
#include "fpga/host_pipe/host_pipe.h"
#include "fpga/launch/design.h"
#include "fpga/stall/stall_busy.h"
#include "fpga/stall/stall_claims.h"
#include "fpga/stall/stall_end.h"
#include "fpga/stall/stall_rows.h"
#include "fpga/stall/stall_watching.h"
#include "sluice/base/wait.h"

static uint32_t activity(struct sl_machine *machine)
{
    return atomic_load_explicit(&machine->activity, memory_order_seq_cst);
}

/* It runs, or a message about it has not been read. */
static bool is_launched(struct sl_cluster *cluster)
{
    return sl_cluster_launched(cluster) ||
           atomic_load_explicit(&cluster->inbox, memory_order_relaxed);
}

/* Launches of kernels with pipes, transfers of the host that wait for one, pipes that it asks. */
static bool anything_waits(struct sl_machine *machine)
{
    pthread_mutex_lock(&machine->lock);
    bool any = machine->asked != NULL;
    for (struct sl_cluster *at = machine->clusters; at && !any; at = at->next_cluster)
        any = is_launched(at);
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

/* What the rows hold, in `works`, which has room for all. */
static struct sl_stuck stuck_of(const struct sl_machine *machine, const struct sl_stall_rows *rows,
                                struct sl_work **works)
{
    enum { LASTING = 16 };
    struct sl_stuck stuck = {
        .works = works, .helps = helps, .data = rows, .lasting_ns = LASTING * machine->stall_ns};
    for (uint32_t i = 0; i < rows->count; i++) {
        struct sl_work *work = rows->at[i].hope != SL_HOPE_MOVES ? work_of(&rows->at[i]) : NULL;
        if (work)
            works[stuck.count++] = work;
    }
    return stuck;
}

/* Somebody may launch what is missing, or serve a pipe. */
static enum sl_outlook ask_outlook(struct sl_machine *machine, const struct sl_stall_rows *rows)
{
    const struct sl_host_ops *host = machine->host;
    if (!host->outlook)
        return SL_OUTLOOK_NOBODY;
    struct sl_work **works = calloc(rows->count + 1, sizeof *works);
    if (!works)
        return SL_OUTLOOK_EXPECTED;
    const struct sl_stuck stuck = stuck_of(machine, rows, works);
    enum sl_outlook outlook = host->outlook(&machine->hosted->base, &stuck);
    free(works);
    return outlook;
}

static void note_behind(void *data, const struct sl_behind *behind)
{
    struct sl_stall_rows *rows = data;
    int32_t first = -1;
    for (uint32_t i = 0; i < rows->count && first < 0; i++)
        if (rows->at[i].fiber && work_of(&rows->at[i]) == behind->first)
            first = (int32_t)i;
    for (uint32_t i = 0; first >= 0 && i < rows->count; i++) {
        struct sl_stall_row *row = &rows->at[i];
        if (row->behind >= 0 || !sl_stall_helps_row(row, behind->work))
            continue;
        row->behind = first;
        row->in_order = behind->in_order;
    }
}

/* Of the rows to be told: why nobody is at the other end. Where there is no memory the report does
 * not say it. */
static void ask_behind(struct sl_machine *machine, struct sl_stall_rows *rows)
{
    const struct sl_host_ops *host = machine->host;
    if (host->size <= offsetof(struct sl_host_ops, behind) || !host->behind)
        return;
    struct sl_work **works = calloc(rows->count + 1, sizeof *works);
    if (!works)
        return;
    const struct sl_stuck stuck = stuck_of(machine, rows, works);
    host->behind(&machine->hosted->base, &stuck, note_behind, rows);
    free(works);
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
    bool expected;          /* something moves, or is known to come */
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

static bool anything_moves(struct sl_machine *machine, const struct sl_stall_claims *claims,
                           const struct sl_stall_rows *rows)
{
    bool moves = others_run(machine);
    for (uint32_t i = 0; i < claims->count; i++)
        moves |= !claims->at[i].known && (is_launched(claims->at[i].cluster) ||
                                          claims->at[i].cluster->parts); /* they are on their way */
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
static int survey(struct sl_machine *machine, const struct sl_stall_claims *claims,
                  const struct sl_stall *stall, struct sl_stall_rows *rows, struct verdict *verdict)
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
    verdict->expected = moves || rows->outlook == SL_OUTLOOK_EXPECTED;
    /* A user event that is set by now, or work that has ended, needs a moment to start what
     * waited for it. */
    verdict->lost = lacking_for(rows) >= SL_STALL_LOOKS * patience(rows->outlook) &&
                    stall->look - stall->expected >= SL_STALL_LOOKS;
    verdict->again = moves || rows->hopes_peer || rows->hopes_process || (!verdict->all && host) ||
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

static int judge(struct sl_machine *machine, const struct sl_stall_claims *claims,
                 const struct sl_stall *stall, struct sl_stall_rows *rows, struct verdict *verdict)
{
    bool news = false;
    int rc = survey(machine, claims, stall, rows, verdict);
    if (rc)
        return rc;
    choose(rows, verdict, &news);
    verdict->again |= !verdict->awaited;
    if (news) {
        sl_stall_find_cycle(rows);
        ask_behind(machine, rows);
        if (sl_stall_text(rows, verdict->all, &verdict->text, &verdict->json)) {
            verdict->text = verdict->json = NULL;
            verdict->again = true;
            forget_told(rows);
        }
    }
    if (machine->on_stall == SL_STALL_ERROR) {
        verdict->again |= sl_stall_doom(rows);
        verdict->again |= !sl_stall_end_launches(claims);
    }
    return 0;
}

static void tell(struct sl_machine *machine, const struct sl_stall_rows *rows,
                 struct verdict *verdict)
{
    const struct sl_host_ops *host = machine->host;
    if (verdict->waiting)
        host->log(SL_LOG_INFO, machine->topic,
                  "%u kernels wait for the host or an I/O pipe, %u for other kernels",
                  verdict->waiting, verdict->dead);
    if (verdict->text && machine->profile)
        sl_stall_profile(rows, verdict->text, verdict->json);
    if (verdict->text && host->stalled)
        host->stalled(&machine->hosted->base, verdict->text, verdict->json);
    if (verdict->text && machine->profile)
        sl_stall_write_profiles(rows);
    free(verdict->text);
    free(verdict->json);
}

/* False: no memory. Reports before launches end: who waits for them wants to know why. */
static bool look_at(struct sl_machine *machine, struct sl_stall_claims *claims,
                    const struct sl_stall_awaited *designs, const struct sl_stall *stall,
                    struct verdict *verdict)
{
    const uint64_t ns_per_ms = 1000000;
    struct sl_stall_rows rows = {.cycle = -1,
                                 .stall_ms = machine->stall_ns / ns_per_ms,
                                 .now_ns = sl_clock_ns(),
                                 .peer_times = patience(SL_OUTLOOK_QUIET),
                                 .ends = machine->on_stall == SL_STALL_ERROR};
    verdict->awaited = is_awaited(machine, stall);
    sl_stall_claim(machine, claims);
    if (verdict->awaited)
        sl_stall_look_at_busy(machine, claims, stall);
    bool sure = sl_stall_collect(claims, designs, stall, &rows);
    if (sure)
        sl_stall_join(machine, &rows);
    sure = sure && !sl_stall_link(&rows) && !judge(machine, claims, stall, &rows, verdict);
    if (sure) {
        tell(machine, &rows, verdict);
        if (verdict->awaited)
            sl_stall_look_at_watching(machine, &rows);
        sl_stall_forget_polls(&rows);
    }
    sl_stall_release(machine, claims);
    if (sure && machine->on_stall == SL_STALL_ERROR)
        sl_stall_end_transfers(&rows);
    free(rows.at);
    free(rows.hops);
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
    struct sl_stall_claims claims = {0};
    struct sl_stall_awaited designs = {0};
    struct verdict verdict = {0};
    if (!sl_stall_possible(machine, stall))
        return false;
    uint32_t now = activity(machine);
    stall->look++;
    note_asks(machine, stall);
    bool sure = sl_stall_list_designs(machine, &designs) &&
                sl_stall_list_asked(machine, &designs) &&
                sl_stall_list_clusters(machine, &claims) &&
                look_at(machine, &claims, &designs, stall, &verdict);
    sl_stall_let_go(&designs);
    stall->activity = now;
    stall->settled = sure && !verdict.again;
    stall->expected = verdict.expected ? stall->look : stall->expected;
    return !stall->settled;
}
