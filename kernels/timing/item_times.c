/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "timing/item_times.h"

#include "timing/rounds.h"
#include "timing/text.h"

typedef unsigned long long number;

struct times {
    const struct sl_item_facts *facts;
    const struct sl_schedule_kernel *schedule;
    struct sl_item_visits visits;
    /* Of one group by itself: base + each * steps, a step being an item, or lanes of them. */
    uint64_t base, each;
    uint64_t steps, cycles;       /* of a group; 0: its size is not known */
    struct sl_item_period period; /* of a unit */
};

static void add_up(struct times *t)
{
    for (uint32_t i = 0; i < t->visits.count; i++) {
        const struct sl_item_visit *v = &t->visits.rows[i];
        t->each += v->apart;
        t->base += v->through > v->apart ? v->through - v->apart : 0;
    }
}

/* False: far too many. */
static bool add_visits(struct times *t)
{
    enum { MOST_BITS = 60 };
    bool good = true;
    for (uint32_t i = 0; i < t->visits.count && good; i++) {
        uint64_t cycles;
        good = !__builtin_mul_overflow(t->steps - 1, t->visits.rows[i].apart, &cycles) &&
               !__builtin_add_overflow(cycles, t->visits.rows[i].through, &cycles) &&
               !__builtin_add_overflow(cycles, t->cycles, &t->cycles) && !(t->cycles >> MOST_BITS);
    }
    return good;
}

static void find_times(struct times *t)
{
    add_up(t);
    if (!t->facts->size)
        return;
    t->steps = (t->facts->size + t->facts->lanes - 1) / t->facts->lanes;
    if (!add_visits(t)) {
        t->visits.doubt = SL_ITEMS_TANGLED;
        return;
    }
    t->period =
        sl_rounds_period(&t->visits, t->steps, t->cycles, t->facts->groups ? t->facts->copies : 0);
}

/* ---- words ----------------------------------------------------------------------------------- */

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void print_doubt(const struct sl_item_visits *v, FILE *out)
{
    static const char *const words[] = {
        [SL_ITEMS_TRIPS] = "nobody knows before it runs how often the loop goes round",
        [SL_ITEMS_SOME] = "some work-items may pass by what happens",
        [SL_ITEMS_PIPES] = "operations on pipes do not wait, or do not always happen",
        [SL_ITEMS_TANGLED] = "its loops have no order, or too much happens",
    };
    fprintf(out, "what a group takes is not known: %s", words[v->doubt]);
    if (v->line)
        fprintf(out, " at line %u", v->line);
}

/* "work-items behind line 7 are 16 cycles apart (the loop at line 9)" */
static void print_region(const struct times *t, uint32_t visit, FILE *out)
{
    const struct sl_item_visit *v = &t->visits.rows[visit];
    const struct sl_schedule_region *region =
        v->region < t->schedule->region_count ? &t->schedule->regions[v->region] : NULL;
    fputs("work-items", out);
    if (t->facts->groups && region && region->column)
        fprintf(out, " behind the barrier at line %u", region->line);
    else if (t->facts->groups)
        fputs(region ? " in front of all barriers" : " behind a barrier", out);
    fprintf(out, " are %llu cycle%s apart", (number)v->apart, plural(v->apart));
    if (v->loop_line)
        fprintf(out, " (the loop at line %u)", v->loop_line);
    else if (region && region->apart > 1 && v->apart == region->apart)
        fputs(" (ports of memory)", out);
}

static void print_limit(const struct times *t, FILE *out)
{
    if (t->period.limit == UINT32_MAX && t->facts->copies == 1)
        fputs("it has local memory for one group (local.copies)", out);
    else if (t->period.limit == UINT32_MAX)
        fprintf(out, "%u groups are on their way at once (local.copies)", t->facts->copies);
    else
        print_region(t, t->period.limit, out);
}

static void print_size(const struct times *t, FILE *out)
{
    if (t->facts->size)
        fprintf(out, "%s%llu work-item%s", t->facts->most ? "at most " : "", (number)t->facts->size,
                plural(t->facts->size));
    else
        fputs("n work-items", out);
    if (t->facts->lanes > 1)
        fprintf(out, ", %u side by side,", t->facts->lanes);
}

static void print_sum(const struct times *t, FILE *out)
{
    fprintf(out, "%llu + %llu ", (number)t->base, (number)t->each);
    if (t->facts->lanes > 1)
        fprintf(out, "n / %u cycles", t->facts->lanes);
    else
        fputs("n cycles", out);
}

static void print_group(const struct times *t, FILE *out)
{
    fputs("a group of ", out);
    print_size(t, out);
    fputs(" takes ", out);
    if (!t->cycles) {
        print_sum(t, out);
        return;
    }
    fprintf(out, "%llu cycle%s, and with many", (number)t->cycles, plural(t->cycles));
    if (t->facts->units > 1)
        fprintf(out, " in each of %u compute units", t->facts->units);
    if (t->period.groups == 1)
        fprintf(out, " one ends every %llu: ", (number)t->period.cycles);
    else
        fprintf(out, " %llu end every %llu: ", (number)t->period.groups, (number)t->period.cycles);
    print_limit(t, out);
}

static void print_free(const struct times *t, FILE *out)
{
    fputs("n work-items", out);
    if (t->facts->lanes > 1)
        fprintf(out, ", %u side by side,", t->facts->lanes);
    if (t->facts->units > 1) /* groups go to them by turns */
        fprintf(out, " in each of %u compute units", t->facts->units);
    fputs(" take ", out);
    print_sum(t, out);
    fputs(": ", out);
    print_region(t, 0, out);
}

static void print_why(const void *data, FILE *out)
{
    const struct times *t = data;
    if (t->visits.doubt || !t->visits.count)
        print_doubt(&t->visits, out);
    else if (t->facts->groups)
        print_group(t, out);
    else
        print_free(t, out);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void print_regions(const struct sl_schedule_kernel *kernel, FILE *out)
{
    fputs(",\"regions\":[", out);
    for (uint32_t i = 0; i < kernel->region_count; i++)
        fprintf(out, "%s{\"line\":%u,\"column\":%u,\"depth\":%u,\"apart\":%u}", i ? "," : "",
                kernel->regions[i].line, kernel->regions[i].column, kernel->regions[i].depth,
                kernel->regions[i].apart);
    putc(']', out);
}

enum { MOST_VISITS = 64 };

/* What comes again and again is cut. */
static void print_visits(const struct times *t, FILE *out)
{
    fputs(",\"visits\":[", out);
    for (uint32_t i = 0; i < t->visits.count && i < MOST_VISITS; i++) {
        const struct sl_item_visit *v = &t->visits.rows[i];
        fprintf(out, "%s{\"region\":%d,\"cycles\":%llu,\"apart\":%llu}", i ? "," : "",
                v->region == UINT32_MAX ? -1 : (int)v->region, (number)v->through,
                (number)v->apart);
    }
    putc(']', out);
}

/* They are all there, with numbers that a clock reads. */
static bool are_whole(const struct sl_item_visits *v)
{
    bool whole = !v->doubt && v->count && v->count <= MOST_VISITS;
    for (uint32_t i = 0; whole && i < v->count; i++)
        whole = v->rows[i].through < UINT32_MAX && v->rows[i].apart < UINT32_MAX;
    return whole;
}

static void print_times(const struct times *t, FILE *out)
{
    print_visits(t, out);
    fprintf(out, ",\"base\":%llu,\"each\":%llu", (number)t->base, (number)t->each);
    if (t->cycles && t->facts->groups)
        fprintf(out, ",\"group\":{\"items\":%llu,\"cycles\":%llu,\"period\":%llu,\"groups\":%llu}",
                (number)t->facts->size, (number)t->cycles, (number)t->period.cycles,
                (number)t->period.groups);
}

bool sl_item_times_print(const struct sl_item_facts *facts, const struct sl_network_kernel *kernel,
                         const struct sl_schedule_rows *rows, FILE *out)
{
    const struct sl_schedule_kernel *schedule = &rows->kernels[rows->kernel_count - 1];
    struct times t = {.facts = facts, .schedule = schedule, .visits.doubt = SL_ITEMS_TANGLED};
    if (kernel && !sl_rounds_visits(&t.visits, kernel, rows) && !t.visits.doubt)
        find_times(&t);
    fprintf(out, ",\"items\":{\"line\":%u,\"groups\":%s", schedule->items_line,
            facts->groups ? "true" : "false");
    if (facts->groups)
        fprintf(out, ",\"copies\":%u", facts->copies);
    if (facts->lanes > 1)
        fprintf(out, ",\"lanes\":%u", facts->lanes);
    if (facts->units > 1)
        fprintf(out, ",\"units\":%u", facts->units);
    print_regions(schedule, out);
    if (!t.visits.doubt)
        print_times(&t, out);
    fputs(",\"why\":", out);
    sl_timing_made(out, print_why, &t);
    putc('}', out);
    const bool whole = are_whole(&t.visits);
    sl_rounds_visits_finish(&t.visits);
    return whole;
}
