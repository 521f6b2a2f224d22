/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. A module may come from anywhere: every number is checked before it is used. */
#include "fpga/clock/clock_schedule.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 16, LONGEST = 256, MOST_COMPARED = 1000 };

struct reader {
    const char *at;
    bool wrong;
};

/* ---- JSON ------------------------------------------------------------------------------------ */

static bool accept(struct reader *r, char c)
{
    r->at += strspn(r->at, " \t\r\n");
    if (r->wrong || *r->at != c)
        return false;
    r->at++;
    return true;
}

static void expect(struct reader *r, char c)
{
    if (!accept(r, c))
        r->wrong = true;
}

/* Cut to `size`; escapes as they stand. */
static void read_string(struct reader *r, char *to, size_t size)
{
    size_t count = 0;
    expect(r, '"');
    while (!r->wrong && *r->at && *r->at != '"') {
        bool escape = *r->at == '\\' && r->at[1];
        for (int i = 0; i < (escape ? 2 : 1); i++) {
            if (count + 1 < size)
                to[count++] = *r->at;
            r->at++;
        }
    }
    expect(r, '"');
    to[count] = '\0';
}

static int64_t read_number(struct reader *r)
{
    bool negative = accept(r, '-');
    int64_t value = 0;
    r->at += strspn(r->at, " \t\r\n");
    r->wrong |= *r->at < '0' || *r->at > '9';
    for (; !r->wrong && *r->at >= '0' && *r->at <= '9'; r->at++)
        value = value > UINT32_MAX ? value : value * 10 + (*r->at - '0');
    return negative ? -value : value;
}

static uint32_t read_count(struct reader *r)
{
    int64_t value = read_number(r);
    r->wrong |= value < 0 || value > UINT32_MAX;
    return r->wrong ? 0 : (uint32_t)value;
}

static bool read_bool(struct reader *r)
{
    bool value = accept(r, 't');
    r->wrong |= strncmp(r->at, value ? "rue" : "false", value ? 3 : 5) != 0;
    r->at += r->wrong ? 0 : value ? 3 : 5;
    return value;
}

static void skip(struct reader *r, int depth)
{
    char text[LONGEST];
    if (accept(r, '{') || accept(r, '[')) {
        char close = r->at[-1] == '{' ? '}' : ']';
        r->wrong |= depth > DEEPEST;
        for (bool any = false; !r->wrong && !accept(r, close); any = true) {
            if (any)
                expect(r, ',');
            if (close == '}') {
                read_string(r, text, sizeof text);
                expect(r, ':');
            }
            skip(r, depth + 1);
        }
    } else if (*r->at == '"') {
        read_string(r, text, sizeof text);
    } else if (*r->at == 't' || *r->at == 'f') {
        read_bool(r);
    } else {
        read_number(r);
    }
}

/* Goes on to the next member of an object, or behind its end. */
static bool next_member(struct reader *r, bool *any, char *key, size_t size)
{
    if (r->wrong || accept(r, '}'))
        return false;
    if (*any)
        expect(r, ',');
    *any = true;
    read_string(r, key, size);
    expect(r, ':');
    return !r->wrong;
}

/* ---- rows ------------------------------------------------------------------------------------ */

typedef void (*read_row_fn)(struct reader *, void *row);

/* An array of objects; its rows, owned by the caller. */
static void *read_rows(struct reader *r, size_t bytes, uint32_t *count, read_row_fn read)
{
    char *rows = NULL;
    uint32_t room = 0;
    expect(r, '[');
    while (!r->wrong && !accept(r, ']')) {
        if (*count)
            expect(r, ',');
        if (*count == room) {
            uint32_t more = room ? 2 * room : 8;
            char *grown = realloc(rows, more * bytes);
            r->wrong |= !grown;
            if (!grown)
                break;
            rows = grown;
            room = more;
        }
        memset(rows + *count * bytes, 0, bytes);
        read(r, rows + *count * bytes);
        ++*count;
    }
    return rows;
}

static void read_step(struct reader *r, void *row)
{
    struct sl_clock_step *step = row;
    char key[LONGEST], text[LONGEST];
    expect(r, '{');
    for (bool any = false; next_member(r, &any, key, sizeof key);)
        if (!strcmp(key, "line")) {
            step->line = read_count(r);
        } else if (!strcmp(key, "column")) {
            step->column = read_count(r);
        } else if (!strcmp(key, "cycle")) {
            r->wrong |= (step->cycle = read_count(r)) == UINT32_MAX; /* one more is to fit */
        } else if (!strcmp(key, "stretch")) {
            step->stretch = read_count(r);
        } else if (!strcmp(key, "op")) {
            read_string(r, text, sizeof text);
            step->write = !strcmp(text, "write");
        } else {
            skip(r, 0);
        }
}

static void read_place(struct reader *r, void *row)
{
    struct sl_clock_place *place = row;
    char key[LONGEST];
    expect(r, '{');
    for (bool any = false; next_member(r, &any, key, sizeof key);)
        if (!strcmp(key, "line"))
            place->line = read_count(r);
        else if (!strcmp(key, "column"))
            place->column = read_count(r);
        else
            skip(r, 0);
}

/* Not more than what anybody would build: each needs memory. */
static uint32_t read_copies(struct reader *r)
{
    enum { MOST_COPIES = 4096 };
    uint32_t copies = read_count(r);
    r->wrong |= !copies;
    return r->wrong ? 1 : copies < MOST_COPIES ? copies : MOST_COPIES;
}

static void read_around(struct reader *r, void *row)
{
    struct sl_clock_around *around = row;
    char key[LONGEST];
    expect(r, '{');
    for (bool any = false; next_member(r, &any, key, sizeof key);)
        if (!strcmp(key, "line"))
            around->line = read_count(r);
        else if (!strcmp(key, "column"))
            around->column = read_count(r);
        else if (!strcmp(key, "iteration"))
            around->iteration = read_count(r);
        else if (!strcmp(key, "of"))
            around->of = read_count(r);
        else
            skip(r, 0);
}

bool sl_clock_are_alike(const struct sl_clock_step *steps, uint32_t count, uint32_t from)
{
    for (uint32_t i = from ? from : 1; i < count; i++)
        for (uint32_t k = 0; k < (from ? from : i); k++)
            if (steps[i].line == steps[k].line && steps[i].column == steps[k].column &&
                steps[i].write == steps[k].write && steps[i].cycle != steps[k].cycle)
                return true;
    return false;
}

static void read_loop(struct reader *r, void *row)
{
    struct sl_clock_loop *loop = row;
    char key[LONGEST];
    loop->parent = -1;
    expect(r, '{');
    for (bool any = false; next_member(r, &any, key, sizeof key);)
        if (!strcmp(key, "line"))
            loop->line = read_count(r);
        else if (!strcmp(key, "column"))
            loop->column = read_count(r);
        else if (!strcmp(key, "parent"))
            loop->parent = (int32_t)read_number(r);
        else if (!strcmp(key, "pipelined"))
            loop->pipelined = read_bool(r);
        else if (!strcmp(key, "trips"))
            loop->trips = (uint64_t)read_number(r);
        else if (!strcmp(key, "ii"))
            loop->interval = read_count(r);
        else if (!strcmp(key, "depth"))
            loop->depth = read_count(r);
        else if (!strcmp(key, "merged") && !loop->merged)
            loop->merged = read_rows(r, sizeof *loop->merged, &loop->merged_count, read_place);
        else if (!strcmp(key, "interleaved"))
            loop->interleaved = read_bool(r);
        else if (!strcmp(key, "copy") && !loop->around)
            loop->around = read_rows(r, sizeof *loop->around, &loop->around_count, read_around);
        else if (!strcmp(key, "copied"))
            loop->copied = read_bool(r);
        else if (!strcmp(key, "meets"))
            loop->meets = read_bool(r);
        else if (!strcmp(key, "speculated"))
            loop->speculated = read_count(r);
        else if (!strcmp(key, "items"))
            loop->items = read_bool(r);
        else if (!strcmp(key, "lanes"))
            loop->lanes = read_count(r);
        else if (!strcmp(key, "units"))
            loop->units = read_copies(r);
        else if (!strcmp(key, "pipes") && !loop->steps)
            loop->steps = read_rows(r, sizeof *loop->steps, &loop->step_count, read_step);
        else
            skip(r, 0);
    for (uint32_t i = 0; i < loop->step_count; i++)
        if (loop->depth <= loop->steps[i].cycle)
            loop->depth = loop->steps[i].cycle + 1;
    loop->alike = sl_clock_are_alike(loop->steps, loop->step_count, 0);
    loop->slot = loop->interval;
    if (loop->interleaved)
        loop->interval = loop->depth;
    loop->drain = loop->depth + (uint64_t)loop->speculated * loop->interval;
}

static void read_region(struct reader *r, void *row)
{
    struct sl_clock_region *region = row;
    char key[LONGEST];
    expect(r, '{');
    for (bool any = false; next_member(r, &any, key, sizeof key);)
        if (!strcmp(key, "line"))
            region->line = read_count(r);
        else if (!strcmp(key, "column"))
            region->column = read_count(r);
        else if (!strcmp(key, "depth"))
            region->depth = read_count(r);
        else if (!strcmp(key, "apart"))
            region->apart = read_count(r);
        else
            skip(r, 0);
}

/* What is more than any counter here holds is not used. */
static void read_visit(struct reader *r, void *row)
{
    struct sl_clock_visit *visit = row;
    char key[LONGEST];
    expect(r, '{');
    for (bool any = false; next_member(r, &any, key, sizeof key);)
        if (!strcmp(key, "region"))
            visit->region = (uint32_t)read_number(r);
        else if (!strcmp(key, "cycles"))
            visit->through = (uint32_t)read_number(r);
        else if (!strcmp(key, "apart"))
            visit->apart = (uint32_t)read_number(r);
        else
            skip(r, 0);
    visit->through += !visit->through;
    visit->apart += !visit->apart;
}

static void read_items(struct reader *r, struct sl_clock_kernel *kernel)
{
    char key[LONGEST];
    kernel->items = true;
    expect(r, '{');
    for (bool any = false; next_member(r, &any, key, sizeof key);)
        if (!strcmp(key, "groups"))
            kernel->groups = read_bool(r);
        else if (!strcmp(key, "copies"))
            kernel->copies = read_copies(r);
        else if (!strcmp(key, "lanes"))
            kernel->lanes = read_copies(r);
        else if (!strcmp(key, "units"))
            kernel->units = read_copies(r);
        else if (!strcmp(key, "regions") && !kernel->regions)
            kernel->regions =
                read_rows(r, sizeof *kernel->regions, &kernel->region_count, read_region);
        else if (!strcmp(key, "visits") && !kernel->visits)
            kernel->visits = read_rows(r, sizeof *kernel->visits, &kernel->visit_count, read_visit);
        else
            skip(r, 0);
    for (uint32_t i = 0; i < kernel->visit_count; i++)
        if (kernel->visits[i].region > kernel->region_count)
            kernel->visits[i].region = kernel->region_count;
}

/* Loops are inside of those around them that have marks. */
static void check_parents(struct reader *r, struct sl_clock_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->loop_count; i++) {
        struct sl_clock_loop *loop = &kernel->loops[i];
        r->wrong |= loop->parent < -1 || loop->parent >= (int32_t)i;
        if (r->wrong)
            return;
        const struct sl_clock_loop *around =
            loop->parent >= 0 ? &kernel->loops[loop->parent] : NULL;
        loop->times = around ? around->times * around->trips : 1;
        if (loop->parent >= 0 && kernel->loops[loop->parent].meets)
            loop->parent = kernel->loops[loop->parent].parent;
    }
}

static bool is_alone(const struct sl_clock_kernel *kernel, const struct sl_clock_loop *loop)
{
    bool alone = !loop->around_count;
    for (uint32_t i = 0; i < kernel->loop_count; i++) {
        const struct sl_clock_loop *other = &kernel->loops[i];
        alone &= other == loop || other->parent != loop->parent || other->line != loop->line ||
                 other->column != loop->column;
    }
    return alone;
}

static void read_kernel(struct reader *r, void *row)
{
    struct sl_clock_kernel *kernel = row;
    char key[LONGEST], name[LONGEST];
    kernel->copies = kernel->lanes = kernel->units = 1;
    expect(r, '{');
    for (bool any = false; next_member(r, &any, key, sizeof key);)
        if (!strcmp(key, "name") && !kernel->name) {
            read_string(r, name, sizeof name);
            kernel->name = strdup(name);
        } else if (!strcmp(key, "loops") && !kernel->loops) {
            kernel->loops = read_rows(r, sizeof *kernel->loops, &kernel->loop_count, read_loop);
        } else if (!strcmp(key, "items")) {
            read_items(r, kernel);
        } else if (!strcmp(key, "pipes") && !kernel->steps) {
            kernel->steps = read_rows(r, sizeof *kernel->steps, &kernel->step_count, read_step);
        } else {
            skip(r, 0);
        }
    r->wrong |= !kernel->name;
    check_parents(r, kernel);
    for (uint32_t i = 0; i < kernel->loop_count && kernel->loop_count <= MOST_COMPARED; i++)
        kernel->loops[i].alone = is_alone(kernel, &kernel->loops[i]);
}

int sl_clock_schedule_read(struct sl_clock_schedule *schedule, const char *text)
{
    struct reader r = {.at = text};
    char key[LONGEST];
    *schedule = (struct sl_clock_schedule){0};
    expect(&r, '{');
    for (bool any = false; next_member(&r, &any, key, sizeof key);)
        if (!strcmp(key, "kernels") && !schedule->kernels)
            schedule->kernels =
                read_rows(&r, sizeof *schedule->kernels, &schedule->kernel_count, read_kernel);
        else if (!strcmp(key, "clock_mhz"))
            schedule->clock_mhz = read_count(&r);
        else
            skip(&r, 0);
    return r.wrong ? -1 : 0;
}

void sl_clock_schedule_finish(struct sl_clock_schedule *schedule)
{
    for (uint32_t k = 0; k < schedule->kernel_count; k++) {
        struct sl_clock_kernel *kernel = &schedule->kernels[k];
        for (uint32_t l = 0; l < kernel->loop_count; l++) {
            free(kernel->loops[l].around);
            free(kernel->loops[l].steps);
            free(kernel->loops[l].merged);
        }
        free(kernel->loops);
        free(kernel->steps);
        free(kernel->regions);
        free(kernel->visits);
        free(kernel->name);
    }
    free(schedule->kernels);
    *schedule = (struct sl_clock_schedule){0};
}

const struct sl_clock_kernel *sl_clock_schedule_find(const struct sl_clock_schedule *schedule,
                                                     const char *kernel)
{
    for (uint32_t k = 0; k < schedule->kernel_count; k++)
        if (!strcmp(schedule->kernels[k].name, kernel))
            return &schedule->kernels[k];
    return NULL;
}
