/* SPDX-License-Identifier: Apache-2.0 */
/* See the header: kernels, their loops, and the text about them. */
#include "timing/timing.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/calls.h"
#include "ir/pass.h"
#include "timing/classify.h"
#include "timing/deadlock.h"
#include "timing/item_times.h"
#include "timing/lanes.h"
#include "timing/loop.h"
#include "timing/network.h"
#include "timing/regions.h"
#include "timing/schedule_rows.h"
#include "timing/text.h"
#include "timing/throughput.h"
#include "timing/totals.h"
#include "llvm/llvm_extra.h"

struct writer {
    const struct sl_operator_table *table;
    const struct sl_timing_source *source;
    struct sl_loop_pragmas pragmas;
    FILE *out;
    FILE *broken;   /* what keeps latency constraints from holding, a line each */
    FILE *warnings; /* of what has no effect, a line each */
    struct sl_deadlocks deadlocks;
    char *totals;                 /* owned, or NULL: warnings of what is written and read */
    struct sl_schedule_rows rows; /* what was written so far, in numbers */
    struct sl_network network;    /* as it was before loops were merged */
    /* of the kernel at hand: */
    LLVMValueRef kernel;
    enum sl_network_items items;
    uint32_t line;
    uint32_t lanes; /* work-items side by side */
    uint32_t units; /* compute units that groups are spread over */
    bool counted;   /* its work-items all do the same, as often as its rows say */
    bool has_row;   /* its work-items have one */
};

/* ---- texts ----------------------------------------------------------------------------------- */

static void print_end(const void *end, FILE *out)
{
    sl_pipe_end_name(end, out);
}

struct explained {
    const struct sl_loop_timing *timing;
    const struct sl_loop_body *body;
};

static void print_reason(const void *data, FILE *out)
{
    const struct explained *of = data;
    sl_loop_explain(of->timing, of->body, out);
}

/* ---- nests that are one loop ----------------------------------------------------------------- */

static uint32_t levels_at(void *data, uint64_t place)
{
    struct writer *w = data;
    return sl_loop_wishes_at(&w->pragmas, (uint32_t)(place >> 32), (uint32_t)place).coalesced;
}

static void note_merged(void *data, uint64_t outer, uint64_t inner)
{
    struct writer *w = data;
    sl_schedule_add_merged(&w->rows, outer, inner);
}

/* Loops inside of that one which are one with it. */
static uint32_t count_merged(const struct writer *w, uint32_t line, uint32_t column)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->rows.merged_count; i++)
        count += w->rows.merged[i].outer == ((uint64_t)line << 32 | column);
    return count;
}

static void print_merged(struct writer *w, const struct sl_loop_body *body)
{
    const char *comma = "";
    fputs(",\"merged\":[", w->out);
    for (uint32_t i = 0; i < w->rows.merged_count; i++) {
        uint64_t inner = w->rows.merged[i].inner;
        if (w->rows.merged[i].outer != ((uint64_t)body->line << 32 | body->column))
            continue;
        fprintf(w->out, "%s{\"line\":%u,\"column\":%u,\"nesting\":%u}", comma,
                (uint32_t)(inner >> 32), (uint32_t)inner, body->nesting);
        comma = ",";
    }
    putc(']', w->out);
}

/* ---- loops ----------------------------------------------------------------------------------- */

static void print_bound(struct writer *w, const struct sl_loop_timing *t,
                        const struct sl_latency_bound *b)
{
    const uint32_t *start = t->schedule.start;
    fprintf(w->out, ",\"constraint\":{\"anchor\":%d,\"type\":\"%s\",\"cycles\":%d,\"achieved\":%d}",
            b->control.from, sl_latency_word(b->control.type), b->control.cycles,
            (int)start[b->operation] - (int)start[b->anchor]);
}

static void print_pipes(struct writer *w, const struct sl_loop_body *body,
                        const struct sl_loop_timing *t)
{
    const char *comma = "";
    uint32_t *stretch = t && !body->innermost ? sl_latency_stretches(body) : NULL;
    fputs(",\"pipes\":[", w->out);
    for (uint32_t i = 0; i < body->operation_count; i++) {
        if (!body->ends[i].pipe)
            continue;
        LLVMValueRef at = body->operations[i];
        fprintf(w->out, "%s{\"pipe\":", comma);
        sl_timing_made(w->out, print_end, &body->ends[i]);
        fprintf(w->out, ",\"op\":\"%s\",\"blocking\":%s,\"line\":%u,\"column\":%u",
                body->ends[i].write ? "write" : "read",
                sl_waits(at, body->ends[i].pipe) ? "true" : "false", LLVMGetDebugLocLine(at),
                LLVMGetDebugLocColumn(at));
        if (t)
            fprintf(w->out, ",\"cycle\":%u",
                    sl_schedule_cycle(t, i, stretch, body->operation_count));
        if (stretch)
            fprintf(w->out, ",\"stretch\":%u", stretch[i]);
        for (uint32_t b = 0; t && b < t->bound_count; b++)
            if (t->bounds[b].operation == i)
                print_bound(w, t, &t->bounds[b]);
        putc('}', w->out);
        comma = ",";
    }
    putc(']', w->out);
    free(stretch);
}

static void print_schedule(struct writer *w, const struct sl_loop_body *body,
                           const struct sl_loop_timing *t)
{
    const struct explained reason = {t, body};
    fprintf(w->out,
            ",\"pipelined\":true,\"ii\":%u,\"depth\":%u,\"recurrence_ii\":%u,\"resource_ii\":%u,"
            "\"global_bytes\":%u,\"limit\":\"%s\",\"why\":",
            t->interval, t->schedule.depth, t->schedule.recurrence_interval,
            t->schedule.resource_interval, t->global_bytes, t->limit);
    sl_timing_made(w->out, print_reason, &reason);
    if (body->items)
        fputs(",\"items\":true", w->out);
    if (t->lanes > 1)
        fprintf(w->out, ",\"lanes\":%u", t->lanes);
    if (body->items && w->units > 1)
        fprintf(w->out, ",\"units\":%u", w->units);
    if (t->merged)
        print_merged(w, body);
    if (t->interleaved)
        fputs(",\"interleaved\":true", w->out);
    if (body->unrolled > 1)
        fprintf(w->out, ",\"unrolled\":%u", body->unrolled);
    if (t->speculated)
        fprintf(w->out, ",\"speculated\":%u", t->speculated);
}

static void print_around(struct writer *w, const struct sl_loop_body *body)
{
    fputs(",\"copy\":[", w->out);
    for (uint32_t i = 0; i < body->around_count; i++) {
        const struct sl_loop_around *around = &body->around[i];
        fprintf(w->out, "%s{\"line\":%u,\"column\":%u,\"iteration\":%u,\"of\":%u}", i ? "," : "",
                around->line, around->column, around->iteration, around->of);
    }
    putc(']', w->out);
}

static bool has_pipes(const struct sl_loop_body *body)
{
    uint32_t i = 0;
    while (i < body->operation_count && !body->ends[i].pipe)
        i++;
    return i < body->operation_count;
}

/* Operations on pipes keep the order of work-items; in other loops these need none. */
static bool takes_turns(const struct writer *w, const struct sl_loop_body *body)
{
    return w->items != SL_ITEMS_NONE && w->line && body->innermost && !body->items &&
           !has_pipes(body);
}

static void take_loop(void *data, uint32_t number, const struct sl_loop_body *body)
{
    struct writer *w = data;
    struct sl_loop_wishes wishes = sl_loop_wishes_at(&w->pragmas, body->line, body->column);
    wishes.lanes = w->lanes;
    struct sl_loop_timing timing = {0};
    fprintf(w->out, "%s{\"file\":", number ? "," : "");
    sl_timing_text(w->out, body->file);
    fprintf(w->out, ",\"line\":%u,\"column\":%u,\"parent\":%d,\"nesting\":%u,\"trips\":%llu",
            body->line, body->column, body->parent, body->nesting, (unsigned long long)body->trips);
    if (body->copied)
        fputs(",\"copied\":true", w->out);
    if (body->around_count)
        print_around(w, body);
    if (w->source->text && body->line && !strcmp(body->file, w->source->name)) {
        fputs(",\"text\":", w->out);
        sl_timing_line(w->out, w->source, body->line);
    }
    bool asks = body->innermost || sl_latency_most_bounds(body) > 0;
    bool timed = asks && !sl_loop_time(&timing, body, w->table, &wishes, w->broken);
    bool meets = body->meets && w->items == SL_ITEMS_GROUPS;
    if (timed && takes_turns(w, body))
        sl_loop_interleave(&timing, &wishes);
    w->counted &= body->trips > 0 && body->trips < UINT32_MAX;
    timing.merged = body->innermost ? count_merged(w, body->line, body->column) : 0;
    if (timed && body->innermost && !meets)
        print_schedule(w, body, &timing);
    else
        fprintf(w->out, ",\"pipelined\":false%s,\"why\":\"%s\"", meets ? ",\"meets\":true" : "",
                meets             ? "work-items meet in it"
                : body->innermost ? "no schedule was found"
                                  : "iterations run the loops inside");
    print_pipes(w, body, timed && !meets ? &timing : NULL);
    putc('}', w->out);
    sl_schedule_add_loop(&w->rows, body, timed && !meets ? &timing : NULL);
    sl_loop_finish(&timing);
}

/* Nobody has merged loops in the network: its items are those of the kernel all the same. */
static void print_items(struct writer *w)
{
    struct sl_item_facts facts = {.groups = w->items == SL_ITEMS_GROUPS,
                                  .copies = w->table->local_copies,
                                  .lanes = w->lanes,
                                  .units = w->units};
    uint32_t k = 0;
    facts.size = sl_group_items(w->kernel, &facts.most);
    while (k < w->network.kernel_count && w->network.kernels[k].function != w->kernel)
        k++;
    const bool known = k < w->network.kernel_count && !w->network.failed;
    if (!w->rows.no_memory)
        w->counted &=
            sl_item_times_print(&facts, known ? &w->network.kernels[k] : NULL, &w->rows, w->out);
}

/* The loops are over. Code that runs once has a schedule if constraints ask for one. */
static void take_rest(void *data, const struct sl_loop_body *body)
{
    struct writer *w = data;
    const struct sl_loop_wishes none = {0};
    struct sl_loop_timing timing = {0};
    putc(']', w->out);
    if (w->items != SL_ITEMS_NONE && w->line && !w->has_row) {
        bool most;
        const uint64_t size = sl_group_items(w->kernel, &most);
        sl_schedule_add_items(&w->rows, w->line, w->items == SL_ITEMS_GROUPS, most ? 0 : size,
                              w->table->local_copies);
        sl_regions_add(&w->rows, w->kernel, w->table, w->lanes);
        print_items(w);
        if (w->counted && !w->rows.merged_count)
            sl_schedule_add_counted(&w->rows);
        else if (w->items == SL_ITEMS_FREE && !w->rows.merged_count)
            sl_schedule_add_telling(&w->rows, w->lanes > 1);
    }
    if (sl_latency_most_bounds(body) && !sl_loop_time(&timing, body, w->table, &none, w->broken)) {
        print_pipes(w, body, &timing);
        sl_schedule_add_rest(&w->rows, body, &timing);
    }
    sl_loop_finish(&timing);
}

static bool forgets_memory(void *data, const char *file, uint32_t line, uint32_t column)
{
    struct writer *w = data;
    bool forgets = sl_loop_wishes_at(&w->pragmas, line, column).ivdep;
    (void)file;
    for (uint32_t i = 0; i < w->rows.merged_count; i++) {
        uint64_t inner = w->rows.merged[i].inner;
        if (w->rows.merged[i].outer == ((uint64_t)line << 32 | column))
            forgets &=
                sl_loop_wishes_at(&w->pragmas, (uint32_t)(inner >> 32), (uint32_t)inner).ivdep;
    }
    return forgets;
}

/* Work-items that know which they are, and wait for no others: they follow each other through the
 * circuit, and with no loops in it they are its iterations. */
static bool are_iterations(void *data, LLVMValueRef function)
{
    struct writer *w = data;
    w->has_row = LLVMGetSubprogram(function) && w->items == SL_ITEMS_FREE;
    return w->has_row;
}

/* It runs before any clock does. */
static bool is_initializer(LLVMValueRef kernel)
{
    static const char name[] = SL_INITIALIZER_ATTRIBUTE;
    return LLVMGetStringAttributeAtIndex(kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         name, sizeof name - 1);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static void print_kernels(struct writer *w, LLVMModuleRef module)
{
    const struct sl_loop_visitor visitor = {
        .data = w,
        .is_pipe_operation = sl_is_pipe_operation,
        .take = take_loop,
        .take_rest = take_rest,
        .are_iterations = are_iterations,
        .meets = sl_network_meets,
        .forgets_memory = forgets_memory,
    };
    const char *comma = "";
    size_t length;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !sl_is_kernel(f))
            continue;
        LLVMMetadataRef place = LLVMGetSubprogram(f);
        w->line = place ? LLVMDISubprogramGetLine(place) : 0;
        w->kernel = f;
        w->items = sl_network_items_of(f);
        w->has_row = false;
        w->counted = true;
        w->lanes = sl_simd_lanes(f, w->items, w->warnings);
        w->units = sl_launched_units(f);
        fprintf(w->out, "%s{\"name\":", comma);
        sl_timing_text(w->out, LLVMGetValueName2(f, &length));
        sl_schedule_add_kernel(&w->rows, LLVMGetValueName2(f, &length));
        fputs(",\"loops\":[", w->out);
        if (w->items == SL_ITEMS_NONE && !sl_network_waits_for_items(f) && !is_initializer(f))
            sl_schedule_add_follow(&w->rows);
        sl_llvm_visit_loops(f, &visitor);
        putc('}', w->out);
        comma = ",";
    }
}

static char *no_schedule(const char *why)
{
    char *line = NULL;
    return asprintf(&line, "error: no schedule: %s\n", why) < 0 ? NULL : line;
}

/* What was written, if anything was; else NULL. The stream is closed. */
static char *taken(FILE *stream, char **text)
{
    if (stream)
        fclose(stream);
    if (*text && **text)
        return *text;
    free(*text);
    return NULL;
}

/* NULL, or what LLVM says, malloc'ed. */
static char *prepare_loops(struct writer *w, LLVMModuleRef module)
{
    const struct sl_loop_coalescing nests = {w, levels_at, note_merged};
    char *why = sl_llvm_simplify_loops(module, NULL, sl_is_packet_operation, sl_is_pipe_operation);
    if (why)
        return why;
    sl_network_read_all(&w->network, module);
    sl_deadlocks_find(&w->deadlocks, &w->network, false); /* of loops that run a number of times */
    w->totals = sl_totals_warn(&w->network, w->deadlocks.stuck);
    why = sl_llvm_coalesce_loops(module, NULL, &nests);
    return why || !w->rows.no_memory ? why : strdup("out of memory");
}

/* Behind those of deadlocks, which are the writer's no longer. NULL: there are none at all. */
static char *join_warnings(struct writer *w, char *more)
{
    char *first = w->deadlocks.warnings, *both = NULL;
    w->deadlocks.warnings = NULL;
    if (asprintf(&both, "%s%s%s", first ? first : "", w->totals ? w->totals : "",
                 more ? more : "") < 0)
        both = NULL;
    free(first);
    free(more);
    if (both && *both)
        return both;
    free(both);
    return NULL;
}

static char *describe(struct writer *w, LLVMModuleRef module, char **said)
{
    char *broken = NULL, *warnings = NULL;
    size_t bytes;
    char *why = prepare_loops(w, module);
    if (why) {
        char *line = no_schedule(why);
        free(why);
        return line;
    }
    w->broken = open_memstream(&broken, &bytes);
    w->warnings = open_memstream(&warnings, &bytes);
    if (!w->broken || !w->warnings) {
        free(taken(w->broken, &broken));
        free(taken(w->warnings, &warnings));
        return no_schedule("out of memory");
    }
    fprintf(w->out, "{\"sluice_timing\":1,\"clock_mhz\":%u,\"global_bytes\":%u,\"kernels\":[",
            w->table->clock_mhz, w->table->global_bytes);
    print_kernels(w, module);
    fputs("],\"bounds\":", w->out);
    sl_throughput_print(&w->network, &w->rows, w->deadlocks.stuck, w->out);
    fprintf(w->out, ",\"deadlocks\":[%s]}", w->deadlocks.json ? w->deadlocks.json : "");
    *said = join_warnings(w, taken(w->warnings, &warnings));
    return taken(w->broken, &broken);
}

static bool take_places(struct sl_timing *timing, const struct sl_schedule_rows *rows)
{
    timing->places = sl_schedule_places(rows, &timing->place_count);
    timing->unrolled = calloc(timing->place_count + 1, sizeof *timing->unrolled);
    timing->alone = calloc(timing->place_count + 1, sizeof *timing->alone);
    const bool whole = timing->places && timing->unrolled && timing->alone;
    for (size_t i = 0; whole && i < timing->place_count; i++) {
        timing->unrolled[i] = sl_schedule_unrolled(rows, timing->places[i]);
        timing->alone[i] = sl_schedule_is_alone(rows, timing->places[i]);
    }
    return whole;
}

static bool take_name(char **names, uint32_t *count, const struct sl_schedule_kernel *kernel)
{
    names[*count] = strdup(kernel->name);
    return names[(*count)++] != NULL;
}

static bool take_text(struct sl_timing *timing, const struct sl_schedule_kernel *kernel)
{
    struct sl_timing_telling *row = &timing->telling[timing->telling_count++];
    row->kernel = strdup(kernel->name);
    row->text = sl_schedule_item_text(kernel);
    return row->kernel && row->text;
}

static bool take_names(struct sl_timing *timing, const struct sl_schedule_rows *rows)
{
    bool whole = true;
    timing->tasks = calloc(rows->kernel_count + (size_t)1, sizeof *timing->tasks);
    timing->counted = calloc(rows->kernel_count + (size_t)1, sizeof *timing->counted);
    timing->telling = calloc(rows->kernel_count + (size_t)1, sizeof *timing->telling);
    const bool room = timing->tasks && timing->counted && timing->telling;
    for (uint32_t k = 0; room && k < rows->kernel_count; k++) {
        const struct sl_schedule_kernel *kernel = &rows->kernels[k];
        if (kernel->follow && kernel->loop_count)
            whole &= take_name(timing->tasks, &timing->task_count, kernel);
        if (kernel->counted)
            whole &= take_name(timing->counted, &timing->counted_count, kernel);
        if (kernel->tells)
            whole &= take_text(timing, kernel);
    }
    return room && whole;
}

void sl_timing_describe(struct sl_timing *timing, LLVMModuleRef original,
                        const struct sl_operator_table *table,
                        const struct sl_timing_source *source)
{
    size_t bytes;
    *timing = (struct sl_timing){0};
    struct writer w = {
        .table = table, .source = source, .out = open_memstream(&timing->text, &bytes)};
    LLVMModuleRef module = LLVMCloneModule(original);
    sl_lower_target_types(module); /* SPIR-V keeps pipes in variables: those vanish */
    timing->error = w.out && !sl_loop_pragmas_read(&w.pragmas, module)
                        ? describe(&w, module, &timing->warning)
                        : no_schedule("out of memory");
    for (uint32_t k = 0; k < w.rows.kernel_count; k++)
        timing->items |= w.rows.kernels[k].items_line != 0;
    const bool taken =
        !timing->error && take_places(timing, &w.rows) && take_names(timing, &w.rows);
    bool failed = !w.out || (ferror(w.out) | fclose(w.out)) || w.rows.no_memory;
    if (!timing->error && (failed || !taken))
        timing->error = no_schedule("out of memory");
    LLVMDisposeModule(module);
    sl_loop_pragmas_finish(&w.pragmas);
    sl_schedule_finish(&w.rows);
    sl_network_finish(&w.network);
    sl_deadlocks_finish(&w.deadlocks);
    free(w.totals);
}

void sl_timing_finish(struct sl_timing *timing)
{
    free(timing->text);
    free(timing->places);
    free(timing->unrolled);
    free(timing->alone);
    for (uint32_t k = 0; k < timing->task_count; k++)
        free(timing->tasks[k]);
    for (uint32_t k = 0; k < timing->counted_count; k++)
        free(timing->counted[k]);
    for (uint32_t k = 0; k < timing->telling_count; k++) {
        free(timing->telling[k].kernel);
        free(timing->telling[k].text);
    }
    free(timing->tasks);
    free(timing->counted);
    free(timing->telling);
    free(timing->error);
    free(timing->warning);
}
