/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "timing/schedule_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for one more row; NULL: no memory. */
static void *one_more(struct sl_schedule_rows *s, void *rows, uint32_t count, size_t bytes)
{
    bool full = !(count & (count + 1)) || !rows;
    void *grown = full ? realloc(rows, (2 * (size_t)count + 1) * bytes) : rows;
    s->no_memory |= !grown;
    return grown;
}

static struct sl_schedule_kernel *last_kernel(struct sl_schedule_rows *s)
{
    return s->no_memory || !s->kernel_count ? NULL : &s->kernels[s->kernel_count - 1];
}

void sl_schedule_add_kernel(struct sl_schedule_rows *s, const char *name)
{
    void *rows = one_more(s, s->kernels, s->kernel_count, sizeof *s->kernels);
    char *copy = strdup(name);
    s->no_memory |= !copy;
    if (rows)
        s->kernels = rows;
    if (s->no_memory)
        free(copy);
    else
        s->kernels[s->kernel_count++] = (struct sl_schedule_kernel){.name = copy};
}

uint32_t sl_schedule_cycle(const struct sl_loop_timing *t, uint32_t operation,
                           const uint32_t *stretch, uint32_t count)
{
    uint32_t least = stretch ? UINT32_MAX : 0;
    for (uint32_t i = 0; stretch && i < count; i++)
        if (stretch[i] == stretch[operation] && t->schedule.start[i] < least)
            least = t->schedule.start[i];
    return t->schedule.start[operation] - least;
}

static struct sl_schedule_step *make_steps(struct sl_schedule_rows *s,
                                           const struct sl_loop_body *body,
                                           const struct sl_loop_timing *t, uint32_t *count)
{
    struct sl_schedule_step *steps = calloc(body->operation_count + (size_t)1, sizeof *steps);
    uint32_t *stretch = t && !body->innermost ? sl_latency_stretches(body) : NULL;
    s->no_memory |= !steps;
    for (uint32_t i = 0; steps && i < body->operation_count; i++)
        if (body->ends[i].pipe)
            steps[(*count)++] = (struct sl_schedule_step){
                .line = LLVMGetDebugLocLine(body->operations[i]),
                .column = LLVMGetDebugLocColumn(body->operations[i]),
                .cycle = t ? sl_schedule_cycle(t, i, stretch, body->operation_count) : 0,
                .stretch = stretch ? stretch[i] : 0,
                .write = body->ends[i].write,
            };
    free(stretch);
    return steps;
}

static struct sl_loop_around *take_around(struct sl_schedule_rows *s,
                                          const struct sl_loop_body *body)
{
    struct sl_loop_around *around =
        body->around_count ? calloc(body->around_count, sizeof *around) : NULL;
    if (around)
        memcpy(around, body->around, body->around_count * sizeof *around);
    s->no_memory |= body->around_count && !around;
    return around;
}

static uint64_t drain_of(const struct sl_loop_timing *t)
{
    return t->schedule.depth + (uint64_t)t->speculated * t->interval;
}

void sl_schedule_add_loop(struct sl_schedule_rows *s, const struct sl_loop_body *body,
                          const struct sl_loop_timing *t)
{
    struct sl_schedule_kernel *kernel = last_kernel(s);
    void *rows =
        kernel ? one_more(s, kernel->loops, kernel->loop_count, sizeof *kernel->loops) : NULL;
    if (!rows)
        return;
    bool pipelined = t && body->innermost;
    kernel->loops = rows;
    struct sl_schedule_loop *loop = &kernel->loops[kernel->loop_count++];
    *loop = (struct sl_schedule_loop){
        .line = body->line,
        .column = body->column,
        .parent = body->parent,
        .unrolled = body->unrolled,
        .pipelined = pipelined,
        .items = body->items,
        .interval = !pipelined       ? 0
                    : t->interleaved ? t->schedule.depth
                                     : t->interval,
        .slot = pipelined ? t->interval : 0,
        .drain = pipelined ? drain_of(t) : 0,
    };
    loop->steps = make_steps(s, body, t, &loop->step_count);
    loop->copies = body->copies;
    loop->in_turn = body->in_turn;
    loop->around = take_around(s, body);
    loop->around_count = loop->around ? body->around_count : 0;
}

void sl_schedule_add_rest(struct sl_schedule_rows *s, const struct sl_loop_body *body,
                          const struct sl_loop_timing *t)
{
    struct sl_schedule_kernel *kernel = last_kernel(s);
    if (kernel)
        kernel->steps = make_steps(s, body, t, &kernel->step_count);
}

void sl_schedule_add_merged(struct sl_schedule_rows *s, uint64_t outer, uint64_t inner)
{
    for (uint32_t i = 0; i < s->merged_count; i++)
        if (s->merged[i].outer == outer && s->merged[i].inner == inner)
            return;
    void *rows = one_more(s, s->merged, s->merged_count, sizeof *s->merged);
    if (!rows)
        return;
    s->merged = rows;
    s->merged[s->merged_count++] = (struct sl_schedule_merged){outer, inner};
}

void sl_schedule_add_items(struct sl_schedule_rows *s, uint32_t line, bool groups,
                           uint64_t group_items, uint32_t copies)
{
    struct sl_schedule_kernel *kernel = last_kernel(s);
    if (!kernel)
        return;
    kernel->items_line = line;
    kernel->groups = groups;
    kernel->group_items = group_items;
    kernel->copies = copies;
}

void sl_schedule_add_follow(struct sl_schedule_rows *s)
{
    struct sl_schedule_kernel *kernel = last_kernel(s);
    if (kernel)
        kernel->follow = true;
}

void sl_schedule_add_counted(struct sl_schedule_rows *s)
{
    struct sl_schedule_kernel *kernel = last_kernel(s);
    if (kernel)
        kernel->counted = true;
}

static bool are_at_one_place(const struct sl_schedule_loop *a, const struct sl_schedule_loop *b)
{
    return a->line == b->line && a->column == b->column;
}

static bool take_as_long(const struct sl_schedule_loop *a, const struct sl_schedule_loop *b)
{
    bool same = a->pipelined == b->pipelined && a->interval == b->interval && a->slot == b->slot &&
                a->drain == b->drain && a->step_count == b->step_count;
    for (uint32_t i = 0; same && i < a->step_count; i++)
        same = a->steps[i].cycle == b->steps[i].cycle && a->steps[i].stretch == b->steps[i].stretch;
    return same;
}

bool sl_schedule_is_told_apart(const struct sl_schedule_kernel *kernel, uint32_t loop)
{
    const struct sl_schedule_loop *row = &kernel->loops[loop];
    uint32_t count = 0;
    bool same = true;
    for (uint32_t i = 0; i < kernel->loop_count && row->around_count; i++)
        if (are_at_one_place(row, &kernel->loops[i])) {
            count++;
            same &= take_as_long(row, &kernel->loops[i]);
        }
    const bool matters = !same || kernel->items_line; /* work-items wait for their loops */
    return row->around_count && (count < row->copies || (matters && !row->in_turn));
}

/* By their places, or by the order in which an item enters them. */
static bool are_apart(const struct sl_schedule_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->loop_count; i++)
        if (sl_schedule_is_told_apart(kernel, i))
            return false;
    for (uint32_t i = 0; i < kernel->loop_count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (are_at_one_place(&kernel->loops[i], &kernel->loops[k]) &&
                (kernel->loops[i].parent >= 0 || kernel->loops[k].parent >= 0))
                return false;
    return true;
}

static bool are_nested(const struct sl_schedule_kernel *kernel)
{
    uint32_t i = 0;
    while (i < kernel->loop_count && kernel->loops[i].parent < 0)
        i++;
    return i < kernel->loop_count;
}

void sl_schedule_add_telling(struct sl_schedule_rows *s, bool beside)
{
    enum { MOST_LOOPS = 32 };
    struct sl_schedule_kernel *kernel = last_kernel(s);
    if (kernel)
        kernel->tells = kernel->loop_count <= MOST_LOOPS && are_apart(kernel) &&
                        !(beside && are_nested(kernel));
}

char *sl_schedule_item_text(const struct sl_schedule_kernel *kernel)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        return NULL;
    fprintf(out, "%u %u", kernel->region_count ? kernel->regions[0].depth : 0,
            kernel->region_count && kernel->regions[0].apart ? kernel->regions[0].apart : 1);
    for (uint32_t i = 0; i < kernel->loop_count; i++) {
        const struct sl_schedule_loop *loop = &kernel->loops[i];
        fprintf(out, " %u %u %u %llu %u", loop->line, loop->column, loop->interval,
                (unsigned long long)loop->drain, loop->slot);
    }
    return fclose(out) ? (free(text), NULL) : text;
}

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

void sl_schedule_add_region(struct sl_schedule_rows *s, const struct sl_schedule_region *region)
{
    struct sl_schedule_kernel *kernel = last_kernel(s);
    uint32_t i = 0;
    while (kernel && i < kernel->region_count &&
           (kernel->regions[i].line != region->line || kernel->regions[i].column != region->column))
        i++;
    if (kernel && i < kernel->region_count) {
        struct sl_schedule_region *row = &kernel->regions[i];
        row->depth = greater(row->depth, region->depth);
        row->apart = greater(row->apart, region->apart);
        return;
    }
    void *rows = kernel ? one_more(s, kernel->regions, i, sizeof *kernel->regions) : NULL;
    if (!rows)
        return;
    kernel->regions = rows;
    kernel->regions[kernel->region_count++] = *region;
}

const struct sl_schedule_kernel *sl_schedule_find(const struct sl_schedule_rows *s,
                                                  const char *kernel)
{
    for (uint32_t k = 0; k < s->kernel_count; k++)
        if (!strcmp(s->kernels[k].name, kernel))
            return &s->kernels[k];
    return NULL;
}

static size_t room_for(const struct sl_schedule_kernel *kernel)
{
    size_t most = 1;
    for (uint32_t i = 0; i < kernel->loop_count; i++)
        most += 1 + kernel->loops[i].around_count;
    return most;
}

uint64_t *sl_schedule_places(const struct sl_schedule_rows *s, size_t *count)
{
    size_t most = s->merged_count + (size_t)1;
    for (uint32_t k = 0; k < s->kernel_count; k++)
        most += room_for(&s->kernels[k]);
    uint64_t *places = calloc(most, sizeof *places);
    *count = 0;
    for (uint32_t k = 0; places && k < s->kernel_count; k++)
        if (s->kernels[k].items_line)
            places[(*count)++] = (uint64_t)s->kernels[k].items_line << 32;
    for (uint32_t k = 0; places && k < s->kernel_count; k++)
        for (uint32_t i = 0; i < s->kernels[k].loop_count; i++) {
            const struct sl_schedule_loop *loop = &s->kernels[k].loops[i];
            places[(*count)++] = (uint64_t)loop->line << 32 | loop->column;
            if (sl_schedule_is_told_apart(&s->kernels[k], i))
                for (uint32_t a = 0; a < loop->around_count; a++)
                    places[(*count)++] =
                        (uint64_t)loop->around[a].line << 32 | loop->around[a].column;
        }
    for (uint32_t i = 0; places && i < s->merged_count; i++)
        places[(*count)++] = s->merged[i].inner;
    return places;
}

uint32_t sl_schedule_unrolled(const struct sl_schedule_rows *s, uint64_t place)
{
    uint32_t most = 1;
    for (uint32_t k = 0; k < s->kernel_count; k++)
        for (uint32_t i = 0; i < s->kernels[k].loop_count; i++) {
            const struct sl_schedule_loop *loop = &s->kernels[k].loops[i];
            if (loop->pipelined && ((uint64_t)loop->line << 32 | loop->column) == place &&
                loop->unrolled > most)
                most = loop->unrolled;
        }
    return most;
}

bool sl_schedule_is_alone(const struct sl_schedule_rows *s, uint64_t place)
{
    uint32_t most = 0;
    for (uint32_t k = 0; k < s->kernel_count && most < 2; k++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < s->kernels[k].loop_count; i++) {
            const struct sl_schedule_loop *loop = &s->kernels[k].loops[i];
            if (((uint64_t)loop->line << 32 | loop->column) == place)
                count += 1 + sl_schedule_is_told_apart(&s->kernels[k], i);
        }
        most = count > most ? count : most;
    }
    return most < 2;
}

void sl_schedule_finish(struct sl_schedule_rows *s)
{
    for (uint32_t k = 0; k < s->kernel_count; k++) {
        struct sl_schedule_kernel *kernel = &s->kernels[k];
        for (uint32_t i = 0; i < kernel->loop_count; i++) {
            free(kernel->loops[i].steps);
            free(kernel->loops[i].around);
        }
        free(kernel->loops);
        free(kernel->steps);
        free(kernel->regions);
        free(kernel->name);
    }
    free(s->kernels);
    free(s->merged);
}
