/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No shared state. */
#include "model/pipeline.h"

#include <stdlib.h>
#include <string.h>

/* A unit's cycles ahead of the oldest instruction that are remembered; nothing waits that long. */
#define AHEAD 4096
#define MOST_WINDOW 1024
#define LOOK 96 /* cycles ahead that tell how busy a unit is */

struct sl_model_pipeline {
    const struct sl_mc_processor *processor;
    uint32_t width, window, waiting;
    uint64_t crowd;  /* units; those that need others wait elsewhere, where there is room */
    uint64_t turn;   /* units */
    uint64_t *known; /* places: when their values are there */
    bool *early;     /* places: those in a hurry get it a cycle before that */
    uint64_t *taken; /* [unit][cycle % AHEAD]: cycle + 1 if the unit is taken in it */
    uint64_t used[SL_MC_UNITS];
    uint64_t left[MOST_WINDOW]; /* rings: when micro-operation n left, and began */
    uint64_t begins[MOST_WINDOW];
    uint64_t entered, entries; /* the cycle in which instructions enter, and steps so far in it */
    uint64_t count;            /* micro-operations that took a place in the window */
    uint64_t steps, now;
};

static bool ends_with(const char *text, const char *end, size_t length)
{
    size_t all = strlen(text);
    return all >= length && !strncmp(text + all - length, end, length);
}

static uint64_t units_named(const struct sl_mc_processor *processor, const char *ends)
{
    uint64_t found = 0;
    for (const char *at = ends; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        for (uint32_t u = 0; u < processor->unit_count; u++)
            if (ends_with(processor->units[u], at, length))
                found |= UINT64_C(1) << u;
        at += length;
    }
    return found;
}

struct sl_model_pipeline *sl_model_pipeline_open(const struct sl_mc_processor *processor,
                                                 const struct sl_model_machine *machine,
                                                 uint32_t places)
{
    struct sl_model_pipeline *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->processor = processor;
    p->width = machine->width ? machine->width : processor->width ? processor->width : 4;
    p->window = machine->window ? machine->window : processor->window;
    p->window = p->window && p->window < MOST_WINDOW ? p->window : MOST_WINDOW - 1;
    p->waiting = machine->waiting ? machine->waiting : p->window;
    p->crowd = machine->crowd ? units_named(processor, machine->crowd) : UINT64_MAX;
    p->turn = machine->turn ? units_named(processor, machine->turn) : 0;
    p->known = calloc(places ? places : 1, sizeof *p->known);
    p->early = calloc(places ? places : 1, sizeof *p->early);
    p->taken = calloc((size_t)SL_MC_UNITS * AHEAD, sizeof *p->taken);
    if (p->known && p->early && p->taken)
        return p;
    sl_model_pipeline_close(p);
    return NULL;
}

void sl_model_pipeline_close(struct sl_model_pipeline *p)
{
    if (!p)
        return;
    free(p->known);
    free(p->early);
    free(p->taken);
    free(p);
}

/* ---- units ----------------------------------------------------------------------------------- */

static bool is_free(const struct sl_model_pipeline *p, uint32_t unit, uint64_t at, uint32_t cycles)
{
    for (uint64_t t = at; t < at + cycles; t++)
        if (p->taken[(size_t)unit * AHEAD + t % AHEAD] == t + 1)
            return false;
    return true;
}

static void take(struct sl_model_pipeline *p, uint32_t unit, uint64_t at, uint32_t cycles)
{
    for (uint64_t t = at; t < at + cycles; t++)
        p->taken[(size_t)unit * AHEAD + t % AHEAD] = t + 1;
    p->used[unit] += cycles;
}

/* An instruction is bound to a unit when it enters: to that which has least to do so far, be its
 * own turn before or behind that. */
static int least_busy(const struct sl_model_pipeline *p, uint64_t units)
{
    int best = -1;
    uint64_t least = UINT64_MAX;
    for (uint64_t left = units; left; left &= left - 1) {
        uint32_t u = (uint32_t)__builtin_ctzll(left);
        uint64_t ahead = 0;
        for (uint64_t t = p->entered; t < p->entered + LOOK; t++)
            ahead += p->taken[(size_t)u * AHEAD + t % AHEAD] == t + 1;
        if (ahead < least || (ahead == least && p->used[u] < p->used[best])) {
            least = ahead;
            best = (int)u;
        }
    }
    return best;
}

/* From when on the unit is free; it is taken. */
static uint64_t take_one(struct sl_model_pipeline *p, const struct sl_mc_use *use, uint64_t from)
{
    int unit = least_busy(p, use->units);
    for (uint64_t at = from; unit >= 0 && at < from + AHEAD / 2; at++)
        if (is_free(p, (uint32_t)unit, at, use->cycles)) {
            take(p, (uint32_t)unit, at, use->cycles);
            return at;
        }
    return from;
}

/* ---- instructions ---------------------------------------------------------------------------- */

static bool is_crowded(const struct sl_model_pipeline *p, const struct sl_mc_instruction *i)
{
    bool is = !~p->crowd;
    for (unsigned k = 0; k < i->use_count; k++)
        is |= (i->uses[k].units & p->crowd) != 0;
    return is;
}

/* Is there room for one more that waits? Those before it that have not begun wait too. */
static uint64_t when_fewer_wait(const struct sl_model_pipeline *p, uint64_t at)
{
    for (;; at++) {
        uint32_t wait = 0;
        uint64_t soonest = UINT64_MAX;
        for (uint64_t n = p->count > p->window ? p->count - p->window : 0; n < p->count; n++) {
            uint64_t begins = p->begins[n % MOST_WINDOW];
            wait += begins > at;
            soonest = begins > at && begins < soonest ? begins : soonest;
        }
        if (wait < p->waiting)
            return at;
        at = soonest - 1;
    }
}

static void enter(struct sl_model_pipeline *p, uint64_t at, uint32_t steps)
{
    if (at > p->entered) {
        p->entered = at;
        p->entries = 0;
    }
    p->entries += steps;
    while (p->entries > p->width) {
        p->entries -= p->width;
        p->entered++;
    }
}

/* When all that it needs is free, be it not at once. */
static uint64_t take_units(struct sl_model_pipeline *p, const struct sl_mc_instruction *i,
                           uint64_t from)
{
    uint64_t last = from;
    for (unsigned k = 0; k < i->use_count; k++) {
        uint64_t one = take_one(p, &i->uses[k], from);
        last = one > last ? one : last;
    }
    return last;
}

static uint64_t when_ready(const struct sl_model_pipeline *p, const struct sl_model_step *step,
                           uint64_t from)
{
    const struct sl_mc_instruction *i = &step->is;
    uint64_t ready = from;
    for (unsigned k = 0; k < i->read_count; k++) {
        uint64_t known = p->known[i->reads[k].place];
        int64_t wanted = (int64_t)known - i->reads[k].advance;
        wanted -= step->quick && p->early[i->reads[k].place];
        ready = wanted > (int64_t)ready ? (uint64_t)wanted : ready;
    }
    return ready;
}

void sl_model_pipeline_run(struct sl_model_pipeline *p, const struct sl_model_step *step)
{
    const struct sl_mc_instruction *i = &step->is;
    uint32_t steps = i->steps > step->fuses ? i->steps - step->fuses : 0;
    uint64_t at = p->entered;
    if (p->count >= p->window) {
        uint64_t room = p->left[(p->count - p->window) % MOST_WINDOW];
        at = room > at ? room : at;
    }
    bool crowded = is_crowded(p, i);
    if (crowded && p->waiting < p->window)
        at = when_fewer_wait(p, at);
    enter(p, at, steps);
    uint64_t begins = when_ready(p, step, p->entered + 1), done = begins;
    begins = take_units(p, i, begins);
    for (unsigned k = 0; k < i->write_count; k++) {
        uint64_t known = begins + i->writes[k].latency;
        p->known[i->writes[k].place] = known;
        p->early[i->writes[k].place] = step->quick;
        done = known > done ? known : done;
    }
    uint64_t before = p->count ? p->left[(p->count - 1) % MOST_WINDOW] : 0;
    for (uint32_t k = 0; k < (steps ? steps : 1); k++, p->count++) {
        p->left[p->count % MOST_WINDOW] = done > before ? done : before;
        p->begins[p->count % MOST_WINDOW] = crowded ? begins : 0;
    }
    p->steps += steps;
    p->now = done > p->now ? done : p->now;
}

void sl_model_pipeline_turn(struct sl_model_pipeline *p)
{
    for (uint64_t left = p->turn; left; left &= left - 1) {
        const struct sl_mc_use one = {left & -left, 1};
        take_one(p, &one, p->entered + 1);
    }
}

uint64_t sl_model_pipeline_now(const struct sl_model_pipeline *p)
{
    return p->now;
}

uint64_t sl_model_pipeline_taken(const struct sl_model_pipeline *p, uint32_t unit)
{
    return p->used[unit];
}

uint64_t sl_model_pipeline_begun(const struct sl_model_pipeline *p)
{
    return p->steps;
}

/* ---- what a machine makes of LLVM's instructions --------------------------------------------- */

static uint32_t count_units(uint64_t units)
{
    return (uint32_t)__builtin_popcountll(units);
}

/* One of the units for so long that all of them together begin one in `each` hundredths. */
static void set_units(struct sl_mc_instruction *i, uint64_t units, uint32_t each)
{
    uint32_t cycles = (each * count_units(units) + 50) / 100;
    i->uses[0] = (struct sl_mc_use){units, (uint16_t)(cycles ? cycles : 1)};
    i->use_count = 1;
}

/* A load that it contains needs its unit too; LLVM's entry for that stays. */
static void apply(struct sl_mc_instruction *i, const struct sl_model_row *row,
                  const struct sl_mc_processor *processor, uint64_t loads)
{
    bool gathers = i->loads && strstr(i->name, "GATHER");
    struct sl_mc_use load = {0}, busiest = {0};
    for (unsigned k = 0; k < i->use_count; k++)
        if (i->loads && !gathers && !(i->uses[k].units & ~loads))
            load = i->uses[k];
        else if (i->uses[k].cycles > busiest.cycles)
            busiest = i->uses[k];
    bool divides = row->units && !strcmp(row->units, SL_MC_DIVIDER);
    uint64_t units = row->units ? units_named(processor, row->units) : busiest.units;
    if (divides && i->use_count < SL_MC_MOST_USES) {
        struct sl_mc_use first = i->uses[0]; /* what LLVM says of ports holds besides */
        uint32_t count = i->use_count;
        set_units(i, units, row->each);
        i->uses[count] = first;
        i->use_count = (uint8_t)(count + 1);
    } else if (row->each && units) {
        set_units(i, units, row->each);
        if (load.cycles)
            i->uses[i->use_count++] = load;
    }
    int advance = 0;
    for (unsigned k = 0; k < i->read_count && !gathers; k++)
        advance = i->reads[k].advance > advance ? i->reads[k].advance : advance;
    for (unsigned k = 0; k < i->write_count && row->latency; k++)
        i->writes[k].latency = (uint16_t)(row->latency + (uint32_t)advance);
    if (row->steps)
        i->steps = (uint8_t)(row->steps > 255 ? 255 : row->steps);
}

static void scale_wide(struct sl_mc_instruction *i, uint32_t percent)
{
    for (unsigned k = 0; k < i->use_count; k++) {
        uint32_t cycles = (i->uses[k].cycles * percent + 99) / 100;
        i->uses[k].cycles = (uint16_t)(cycles ? cycles : 1);
    }
}

void sl_model_prepare(struct sl_model_step *to, const struct sl_mc_instruction *from,
                      const struct sl_mc_processor *processor,
                      const struct sl_model_machine *machine, const struct sl_model_rows *own)
{
    struct sl_mc_instruction *i = &to->is;
    *to = (struct sl_model_step){.is = *from};
    const struct sl_model_row *row = sl_model_row(machine, own, from);
    if (machine->wide && from->bits == 512)
        scale_wide(i, machine->wide);
    if (row)
        apply(i, row, processor, units_named(processor, machine->loads));
    if (from->is_idiom || (from->is_move && !from->loads && !from->stores)) {
        i->use_count = 0;
        if (from->is_idiom)
            i->read_count = 0;
        for (unsigned k = 0; k < i->write_count; k++)
            i->writes[k].latency = 0;
    }
    to->quick = machine->quick && sl_model_named(machine->quick, i->name);
    bool alone = i->steps < 2 || strstr(i->name, "GATHER") || strstr(i->name, "SCATTER");
    if (machine->fuses && (i->loads || i->stores) && !alone)
        to->fuses = 1;
    for (unsigned k = 0; k < i->write_count && i->stores && machine->forward; k++)
        i->writes[k].latency = (uint16_t)machine->forward;
}
