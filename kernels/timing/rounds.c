/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "timing/rounds.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_OPERATIONS = 20000, MOST_STEPS = 200000 };
#define MOST_CYCLES ((uint64_t)1 << 60) /* sums of what is less cannot wrap */

struct frame { /* a loop that has a row; of the kernel itself: -1 */
    int32_t row, last;
    const struct sl_schedule_loop *loop;
    uint64_t began, iterations;
    uint32_t next; /* step: the one behind the last operation */
};

struct walk {
    const struct sl_network_kernel *kernel;
    const struct sl_schedule_kernel *schedule;
    const struct sl_schedule_rows *rows;
    struct sl_steady_operation *operations; /* owned */
    uint32_t count, room, steps;
    uint64_t at;     /* nominal: where what is in no pipelined loop goes on */
    uint64_t *taken; /* owned; of each row: cycles that work-items take from others; or NULL */
    bool irregular;  /* or far too much of it */
    bool no_memory;
    /* Of who asks for these; or NULL: */
    struct sl_item_visits *visits;
    uint32_t region; /* that the item is in */
    uint64_t items;  /* of a group, whose operations are wanted, from this cycle on; or 0 */
    uint64_t group_at;
    struct sl_steady_operation *group; /* owned */
    uint32_t group_count, group_room;
    bool *visited; /* owned; regions, and behind them what is none of them */
};

static void doubt(struct walk *w, enum sl_item_doubt what, uint32_t line)
{
    if (!w->visits || w->visits->doubt)
        return;
    w->visits->doubt = what;
    w->visits->line = line;
}

/* ---- operations ------------------------------------------------------------------------------ */

static uint32_t find_step(const struct sl_schedule_step *steps, uint32_t count, uint32_t from,
                          const struct sl_network_item *item)
{
    while (from < count && (steps[from].line != item->line || steps[from].column != item->column ||
                            steps[from].write != item->of.end.write))
        from++;
    return from;
}

static uint64_t in_stretch(struct walk *w, struct frame *f, const struct sl_network_item *item)
{
    const struct sl_schedule_step *steps = f->loop ? f->loop->steps : w->schedule->steps;
    uint32_t count = f->loop ? f->loop->step_count : w->schedule->step_count;
    uint32_t step = find_step(steps, count, f->next, item);
    bool again = step == count;
    if (again)
        step = find_step(steps, count, 0, item);
    if (step == count || !steps[step].stretch)
        return w->at++;
    if (again || !f->next || steps[f->next - 1].stretch != steps[step].stretch) {
        f->began = w->at;
        for (uint32_t i = 0; i < count; i++)
            if (steps[i].stretch == steps[step].stretch && w->at <= f->began + steps[i].cycle)
                w->at = f->began + steps[i].cycle + 1;
    }
    f->next = step + 1;
    return f->began + steps[step].cycle;
}

static uint64_t nominal_of(struct walk *w, struct frame *f, const struct sl_network_item *item)
{
    if (!f->loop || !f->loop->pipelined)
        return in_stretch(w, f, item);
    uint32_t step = find_step(f->loop->steps, f->loop->step_count, f->next, item);
    if (step == f->loop->step_count)
        step = find_step(f->loop->steps, f->loop->step_count, 0, item);
    if (step == f->loop->step_count)
        return f->began;
    f->next = step + 1;
    return f->began + f->loop->steps[step].cycle;
}

static void append(struct walk *w, struct sl_steady_operation **list, uint32_t *count,
                   uint32_t *room, const struct sl_steady_operation *operation)
{
    w->irregular |= *count == MOST_OPERATIONS;
    if (w->irregular)
        return;
    if (*count == *room) {
        uint32_t more = *room ? 2 * *room : 16;
        void *grown = realloc(*list, more * sizeof **list);
        w->no_memory |= !grown;
        w->irregular |= !grown;
        if (!grown)
            return;
        *list = grown;
        *room = more;
    }
    (*list)[(*count)++] = *operation;
}

static void take(struct walk *w, struct frame *f, uint32_t i)
{
    const struct sl_network_item *item = &w->kernel->items[i];
    const struct sl_steady_operation operation = {item->pipe, item->of.end.write,
                                                  nominal_of(w, f, item), i};
    append(w, &w->operations, &w->count, &w->room, &operation);
}

/* ---- loops ----------------------------------------------------------------------------------- */

static uint32_t end_of(const struct sl_network_kernel *k, uint32_t loop)
{
    uint32_t depth = 0;
    do
        depth += k->items[loop].of.kind == SL_FLOW_LOOP          ? 1u
                 : k->items[loop].of.kind == SL_FLOW_END_OF_LOOP ? (uint32_t)-1
                                                                 : 0u;
    while (depth && ++loop < k->count);
    return loop;
}

static bool has_operation(const struct sl_network_kernel *k, uint32_t from, uint32_t to)
{
    while (from < to && k->items[from].of.kind != SL_FLOW_OPERATION)
        from++;
    return from < to;
}

/* In the loop from..to. */
static bool has_meeting(const struct sl_network_kernel *k, uint32_t from, uint32_t to)
{
    uint32_t i = 0;
    while (i < k->meeting_count && k->meetings[i].before <= from)
        i++;
    return i < k->meeting_count && k->meetings[i].before <= to;
}

/* Copies of one follow each other. */
static int32_t find_row(const struct walk *w, const struct frame *around,
                        const struct sl_network_item *item)
{
    uint32_t count = w->schedule->loop_count;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t row = (uint32_t)(around->last + 1) + n;
        row = row < count ? row : row - count;
        const struct sl_schedule_loop *loop = &w->schedule->loops[row];
        if (loop->parent == around->row && !loop->items && loop->line == item->line &&
            loop->column == item->column)
            return (int32_t)row;
    }
    return -1;
}

static bool is_merged(const struct walk *w, const struct frame *around,
                      const struct sl_network_item *item)
{
    const struct sl_schedule_loop *loop = around->loop;
    for (uint32_t i = 0; loop && loop->pipelined && i < w->rows->merged_count; i++)
        if (w->rows->merged[i].outer == ((uint64_t)loop->line << 32 | loop->column) &&
            w->rows->merged[i].inner == ((uint64_t)item->line << 32 | item->column))
            return true;
    return false;
}

static void iterate(struct walk *w, struct frame *f)
{
    f->began = f->iterations ? f->began + f->loop->interval : w->at;
    f->iterations++;
    f->next = 0;
}

static void walk_items(struct walk *w, struct frame *f, uint32_t from, uint32_t to);
static void end_visit(struct walk *);

static uint32_t find_region(const struct sl_schedule_kernel *schedule, uint32_t line,
                            uint32_t column)
{
    for (uint32_t i = 0; i < schedule->region_count; i++)
        if (schedule->regions[i].line == line && schedule->regions[i].column == column)
            return i;
    return UINT32_MAX;
}

/* Its iterations are those of the loop around it. */
static void walk_part(struct walk *w, struct frame *around, uint32_t loop, uint32_t end,
                      uint64_t trips)
{
    bool merged = is_merged(w, around, &w->kernel->items[loop]);
    for (uint64_t n = 0; n < trips && !w->irregular; n++) {
        if (merged && n)
            iterate(w, around);
        walk_items(w, around, loop + 1, end);
    }
}

/* a * b, or too much. */
static uint64_t product(struct walk *w, uint64_t a, uint64_t b)
{
    uint64_t all;
    const bool much = __builtin_mul_overflow(a, b, &all) || all > MOST_CYCLES;
    w->irregular |= much;
    return much ? 0 : all;
}

static void take_slots(struct walk *w, const struct frame *f, uint64_t iterations)
{
    if (w->taken && f->loop->pipelined)
        w->taken[f->row] += product(w, iterations, f->loop->slot);
}

static void walk_row(struct walk *w, struct frame *f, uint32_t loop, uint32_t end, uint64_t trips)
{
    bool pipelined = f->loop->pipelined;
    if (pipelined && end == loop + 1 && !has_meeting(w->kernel, loop, end)) {
        w->at += product(w, trips - 1, f->loop->interval) + f->loop->drain;
        w->irregular |= w->at > MOST_CYCLES;
        take_slots(w, f, trips);
        return;
    }
    for (uint64_t n = 0; n < trips && !w->irregular; n++) {
        f->next = 0;
        if (pipelined)
            iterate(w, f);
        walk_items(w, f, loop + 1, end);
    }
    take_slots(w, f, f->iterations);
    if (pipelined)
        w->at = f->began + f->loop->drain;
}

static void walk_loop(struct walk *w, struct frame *around, uint32_t loop, uint32_t end)
{
    const struct sl_network_item *item = &w->kernel->items[loop];
    uint64_t trips = item->of.trips;
    if (!trips || !item->of.always)
        doubt(w, trips ? SL_ITEMS_SOME : SL_ITEMS_TRIPS, item->line);
    if (!has_operation(w->kernel, loop, end) && (!item->of.always || !trips))
        return; /* nobody knows how long it takes: no time at least */
    w->irregular |= !trips;
    struct frame f = {.row = find_row(w, around, item), .last = -1};
    if (f.row < 0) {
        walk_part(w, around, loop, end, trips);
        return;
    }
    around->last = f.row;
    f.loop = &w->schedule->loops[f.row];
    walk_row(w, &f, loop, end, trips);
}

/* Meetings in front of an item, or of the end of a loop. Round a loop they come again. */
static void meet(struct walk *w, uint32_t before)
{
    const struct sl_network_kernel *k = w->kernel;
    if (!w->visits)
        return;
    for (uint32_t i = 0; i < k->meeting_count; i++) {
        if (k->meetings[i].before != before)
            continue;
        if (!k->meetings[i].always)
            doubt(w, SL_ITEMS_SOME, k->meetings[i].line);
        w->irregular |= ++w->steps > MOST_STEPS;
        end_visit(w);
        w->region = find_region(w->schedule, k->meetings[i].line, k->meetings[i].column);
    }
}

static void walk_items(struct walk *w, struct frame *f, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i <= to && !w->irregular; i++) {
        meet(w, i);
        if (i == to)
            break;
        w->irregular |= ++w->steps > MOST_STEPS;
        if (w->kernel->items[i].of.kind == SL_FLOW_OPERATION) {
            take(w, f, i);
        } else if (w->kernel->items[i].of.kind == SL_FLOW_LOOP) {
            uint32_t end = end_of(w->kernel, i);
            walk_loop(w, f, i, end);
            i = end;
        }
    }
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* The last loop outside of all others with operations; false: there is none, or something happens
 * behind it. */
static bool find_loop(const struct sl_network_kernel *k, uint32_t *loop)
{
    bool found = false;
    for (uint32_t i = 0; i < k->count; i++) {
        bool is_loop = k->items[i].of.kind == SL_FLOW_LOOP;
        uint32_t end = is_loop ? end_of(k, i) : i;
        if (!is_loop)
            found = false;
        else if (has_operation(k, i, end)) {
            *loop = i;
            found = true;
        }
        i = end;
    }
    return found;
}

/* What was walked through happened before the first round. */
static int keep_before(struct walk *w, struct sl_rounds *rounds)
{
    rounds->before = calloc(w->count + (size_t)1, sizeof *rounds->before);
    for (uint32_t i = 0; rounds->before && i < w->count; i++)
        rounds->before[rounds->before_count++] = w->operations[i].item;
    w->count = 0;
    w->at = 0;
    return rounds->before ? 0 : -1;
}

static void go_round(struct walk *w, struct frame *f, uint32_t from, uint32_t to,
                     struct sl_rounds *rounds)
{
    rounds->pipelined = f->loop && f->loop->pipelined;
    if (rounds->pipelined)
        iterate(w, f);
    walk_items(w, f, from, to);
    rounds->length = rounds->pipelined ? f->began + f->loop->interval : w->at;
}

/* Of the kernel's loop, behind what comes in front of it. */
static int find_in_loop(struct walk *w, uint32_t loop, struct sl_rounds *rounds)
{
    struct frame outside = {.row = -1, .last = -1};
    struct frame f = {.last = -1};
    walk_items(w, &outside, 0, loop);
    if (keep_before(w, rounds))
        return -1;
    f.row = find_row(w, &outside, &w->kernel->items[loop]);
    w->irregular |= f.row < 0;
    if (w->irregular)
        return 0;
    f.loop = &w->schedule->loops[f.row];
    rounds->line = f.loop->line;
    go_round(w, &f, loop + 1, end_of(w->kernel, loop), rounds);
    return 0;
}

/* Work-items, or a kernel that is started again when it ends. */
static void find_around(struct walk *w, struct sl_rounds *rounds)
{
    struct frame f = {.row = -1, .last = -1};
    bool items = w->schedule->loop_count == 1 && w->schedule->loops[0].items;
    if (items) {
        f = (struct frame){.row = 0, .last = -1, .loop = &w->schedule->loops[0]};
        rounds->line = f.loop->line;
    }
    go_round(w, &f, 0, w->kernel->count, rounds);
}

/* So many cycles after a work-item the next one finds everything free: see clock_items.c. 0: no
 * memory. */
static uint64_t items_apart(const struct walk *w)
{
    uint64_t apart = 1;
    uint32_t pipes = 0;
    for (uint32_t i = 0; i < w->schedule->loop_count; i++)
        apart = w->taken[i] > apart ? w->taken[i] : apart;
    for (uint32_t i = 0; i < w->count; i++)
        pipes = w->operations[i].pipe >= pipes ? w->operations[i].pipe + 1 : pipes;
    uint64_t *first = calloc(2 * (size_t)pipes, sizeof *first); /* by end; and one more */
    for (uint32_t i = 0; first && i < w->count; i++) {
        const struct sl_steady_operation *o = &w->operations[i];
        uint64_t *of = &first[2 * (size_t)o->pipe + o->write];
        *of = *of ? *of : o->nominal + 1;
        apart = o->nominal + 2 > *of + apart ? o->nominal + 2 - *of : apart;
    }
    free(first);
    return first ? apart : 0;
}

/* The loop that items keep that long from each other; 0: none does. */
static uint32_t busiest_loop(const struct walk *w, uint64_t cycles)
{
    uint32_t i = 0;
    while (i < w->schedule->loop_count && w->taken[i] != cycles)
        i++;
    return cycles > 1 && i < w->schedule->loop_count ? w->schedule->loops[i].line : 0;
}

/* Of all items of a group in a region, of which none comes to an end of a pipe that others have
 * used in another one: these might wait for each other's groups. */
static void add_visit(struct walk *w, uint64_t apart, uint64_t through)
{
    const uint32_t before = w->group_count;
    for (uint32_t i = 0; i < before && !w->irregular; i++)
        for (uint32_t o = 0; o < w->count; o++)
            w->irregular |= w->operations[o].pipe == w->group[i].pipe &&
                            w->operations[o].write == w->group[i].write;
    for (uint64_t n = 0; n < w->items && w->count && !w->irregular; n++)
        for (uint32_t o = 0; o < w->count; o++) {
            struct sl_steady_operation operation = w->operations[o];
            operation.nominal += w->group_at + n * apart;
            append(w, &w->group, &w->group_count, &w->group_room, &operation);
        }
    w->group_at += product(w, w->items - 1, apart) + through;
    w->irregular |= w->group_at > MOST_CYCLES;
}

static void end_visit(struct walk *w)
{
    static const struct sl_schedule_region none = {0};
    struct sl_item_visits *v = w->visits;
    const bool known = w->region < w->schedule->region_count;
    const struct sl_schedule_region *region = known ? &w->schedule->regions[w->region] : &none;
    const uint64_t apart = items_apart(w), through = w->at + region->depth;
    w->no_memory |= !apart;
    if (v->count == v->room) {
        uint32_t more = v->room ? 2 * v->room : 8;
        void *grown = realloc(v->rows, more * sizeof *v->rows);
        w->no_memory |= !grown;
        if (grown) {
            v->rows = grown;
            v->room = more;
        }
    }
    w->irregular |= w->no_memory;
    if (w->no_memory)
        return;
    v->rows[v->count++] = (struct sl_item_visit){
        .region = w->region,
        .first = !w->visited[known ? w->region : w->schedule->region_count],
        .through = through ? through : 1,
        .apart = apart > region->apart ? apart : region->apart,
        .loop_line = apart > region->apart ? busiest_loop(w, apart) : 0,
    };
    w->visited[known ? w->region : w->schedule->region_count] = true;
    if (w->items)
        add_visit(w, v->rows[v->count - 1].apart, v->rows[v->count - 1].through);
    memset(w->taken, 0, w->schedule->loop_count * sizeof *w->taken);
    w->count = 0;
    w->at = 0;
}

static int walk_visits(struct walk *w)
{
    const struct sl_network_kernel *kernel = w->kernel;
    struct frame outside = {.row = -1, .last = -1};
    w->taken = calloc(w->schedule->loop_count + (size_t)1, sizeof *w->taken);
    w->visited = calloc(w->schedule->region_count + (size_t)1, sizeof *w->visited);
    w->no_memory = w->irregular = !w->taken || !w->visited;
    w->region = find_region(w->schedule, w->schedule->items_line, 0);
    if (!w->irregular)
        walk_items(w, &outside, 0, kernel->count);
    if (!w->irregular)
        end_visit(w);
    if (w->irregular)
        doubt(w, SL_ITEMS_TANGLED, 0);
    free(w->taken);
    free(w->visited);
    w->taken = NULL;
    w->visited = NULL;
    return w->no_memory ? -1 : 0;
}

int sl_rounds_visits(struct sl_item_visits *visits, const struct sl_network_kernel *kernel,
                     const struct sl_schedule_rows *rows)
{
    struct walk w = {.kernel = kernel,
                     .rows = rows,
                     .schedule = sl_schedule_find(rows, kernel->name),
                     .visits = visits};
    *visits = (struct sl_item_visits){0};
    if (!w.schedule || !kernel->ordered)
        doubt(&w, SL_ITEMS_TANGLED, 0);
    else if (has_operation(kernel, 0, kernel->count) && !kernel->regular)
        doubt(&w, SL_ITEMS_PIPES, 0);
    if (visits->doubt)
        return 0;
    int rc = walk_visits(&w);
    free(w.operations);
    return rc;
}

void sl_rounds_visits_finish(struct sl_item_visits *visits)
{
    free(visits->rows);
}

/* From the first visit to one to its region, until its last item is in that for the last time, and
 * leaves it to the next group. */
static uint64_t occupied(const struct sl_item_visits *v, uint32_t first, uint64_t steps)
{
    uint64_t at = 0, until = 0;
    for (uint32_t i = first; i < v->count; i++) {
        if (v->rows[i].region == v->rows[first].region)
            until = at + steps * v->rows[i].apart;
        at += (steps - 1) * v->rows[i].apart + v->rows[i].through;
    }
    return until;
}

struct sl_item_period sl_rounds_period(const struct sl_item_visits *visits, uint64_t steps,
                                       uint64_t alone, uint32_t copies)
{
    struct sl_item_period period = {.groups = 1};
    uint64_t all;
    for (uint32_t i = 0; i < visits->count; i++) {
        const uint64_t cycles = visits->rows[i].first ? occupied(visits, i, steps) : 0;
        if (cycles <= period.cycles)
            continue;
        period.cycles = cycles;
        period.limit = i;
    }
    if (copies && !__builtin_mul_overflow(period.cycles, copies, &all) && alone > all)
        period = (struct sl_item_period){alone, copies, UINT32_MAX};
    return period;
}

/* Rounds are groups, if it is known how many items these have. */
static int find_groups(struct walk *w, struct sl_rounds *rounds)
{
    struct sl_item_visits visits = {0};
    w->visits = &visits;
    w->items = w->schedule->group_items;
    int rc = walk_visits(w);
    struct sl_item_period period = {.groups = 1};
    w->irregular |= visits.doubt != SL_ITEMS_KNOWN;
    if (!w->irregular)
        period = sl_rounds_period(&visits, w->items, w->group_at, w->schedule->copies);
    rounds->line = w->schedule->items_line;
    rounds->pipelined = rounds->groups = true;
    rounds->length = w->group_count ? period.cycles / period.groups : 0;
    free(w->operations);
    w->operations = w->group;
    w->count = w->group_count;
    sl_rounds_visits_finish(&visits);
    return rc;
}

/* Work-items on their way at the same time, of a kernel with loops. */
static int find_items(struct walk *w, struct sl_rounds *rounds)
{
    w->taken = calloc(w->schedule->loop_count + (size_t)1, sizeof *w->taken);
    if (!w->taken)
        return -1;
    find_around(w, rounds);
    rounds->line = w->schedule->items_line;
    rounds->pipelined = true;
    rounds->length = w->count ? items_apart(w) : 0;
    free(w->taken);
    return 0;
}

int sl_rounds_find(struct sl_rounds *rounds, const struct sl_network_kernel *kernel,
                   const struct sl_schedule_rows *rows)
{
    struct walk w = {
        .kernel = kernel, .rows = rows, .schedule = sl_schedule_find(rows, kernel->name)};
    uint32_t loop = 0;
    int rc = 0;
    *rounds = (struct sl_rounds){0};
    if (!kernel->regular || !w.schedule)
        return 0;
    bool items = w.schedule->loop_count == 1 && w.schedule->loops[0].items;
    bool in_loop =
        find_loop(kernel, &loop) && (!kernel->autorun || !kernel->items[loop].of.trips) && !items;
    bool overlap = w.schedule->items_line && !w.schedule->groups;
    bool meet = w.schedule->items_line && w.schedule->groups && w.schedule->group_items;
    if (kernel->asks_item && !items && !overlap && !meet)
        return 0;
    if (meet)
        rc = find_groups(&w, rounds);
    else if (overlap)
        rc = find_items(&w, rounds);
    else if (in_loop)
        rc = find_in_loop(&w, loop, rounds);
    else if (items || kernel->autorun)
        find_around(&w, rounds);
    if (!rc && !w.irregular && rounds->length) {
        rounds->operations = w.operations;
        rounds->count = w.count;
    } else {
        free(w.operations);
    }
    return rc || w.no_memory ? -1 : 0;
}

void sl_rounds_finish(struct sl_rounds *rounds)
{
    free(rounds->operations);
    free(rounds->before);
}
