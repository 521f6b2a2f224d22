/* SPDX-License-Identifier: Apache-2.0 */
/* See the header: kernels, their loops, and the text about them. */
#include "timing/timing.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/calls.h"
#include "timing/classify.h"
#include "timing/deadlock.h"
#include "timing/loop.h"

struct merged {
    uint64_t outer, inner; /* places, line << 32 | column */
};

struct writer {
    const struct sl_operator_table *table;
    const struct sl_timing_source *source;
    struct sl_loop_pragmas pragmas;
    FILE *out;
    FILE *broken;          /* what keeps latency constraints from holding, a line each */
    char *warning;         /* owned; of kernels that wait for each other, or NULL */
    struct merged *merged; /* owned; loops that are one with one further out */
    uint32_t merged_count;
    bool no_memory;
};

/* ---- texts ----------------------------------------------------------------------------------- */

static void print_text(FILE *out, const char *text)
{
    putc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if (*c < ' ')
            fprintf(out, "\\u%04x", *c);
        else
            putc(*c, out);
    putc('"', out);
}

/* The line of the source without the space around it, as far as it is plain. */
static void print_line(FILE *out, const struct sl_timing_source *source, uint32_t number)
{
    enum { LONGEST = 80 };
    const char *at = source->text, *end = at + source->bytes, *next;
    char line[LONGEST + 1];
    size_t count = 0;
    for (uint32_t n = 1; n < number && at; n++)
        at = (next = memchr(at, '\n', (size_t)(end - at))) ? next + 1 : NULL;
    while (at && at < end && (*at == ' ' || *at == '\t'))
        at++;
    for (; at && at < end && *at && *at != '\n' && count < LONGEST; at++)
        line[count++] = (char)(*at == '\t' ? ' ' : *at >= ' ' && *at <= '~' ? *at : '?');
    while (count && strchr(" ?{", line[count - 1]))
        count--;
    line[count] = '\0';
    print_text(out, line);
}

/* What `print` writes, as a text. */
static void print_made(FILE *out, void (*print)(const void *, FILE *), const void *data)
{
    char *text = NULL;
    size_t bytes;
    FILE *memory = open_memstream(&text, &bytes);
    if (memory) {
        print(data, memory);
        fclose(memory);
    }
    print_text(out, text ? text : "");
    free(text);
}

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

/* Of copies of a loop one is enough. */
static void note_merged(void *data, uint64_t outer, uint64_t inner)
{
    struct writer *w = data;
    for (uint32_t i = 0; i < w->merged_count; i++)
        if (w->merged[i].outer == outer && w->merged[i].inner == inner)
            return;
    struct merged *grown = realloc(w->merged, (w->merged_count + (size_t)1) * sizeof *grown);
    w->no_memory |= !grown;
    if (!grown)
        return;
    w->merged = grown;
    grown[w->merged_count++] = (struct merged){outer, inner};
}

/* Loops inside of that one which are one with it. */
static uint32_t count_merged(const struct writer *w, uint32_t line, uint32_t column)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->merged_count; i++)
        count += w->merged[i].outer == ((uint64_t)line << 32 | column);
    return count;
}

static void print_merged(struct writer *w, const struct sl_loop_body *body)
{
    const char *comma = "";
    fputs(",\"merged\":[", w->out);
    for (uint32_t i = 0; i < w->merged_count; i++) {
        uint64_t inner = w->merged[i].inner;
        if (w->merged[i].outer != ((uint64_t)body->line << 32 | body->column))
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

/* Its cycle in the iteration, or in its stretch where iterations do not overlap. */
static void print_cycle(struct writer *w, const struct sl_loop_timing *t, uint32_t operation,
                        const uint32_t *stretch, uint32_t count)
{
    uint32_t least = stretch ? UINT32_MAX : 0;
    for (uint32_t i = 0; stretch && i < count; i++)
        if (stretch[i] == stretch[operation] && t->schedule.start[i] < least)
            least = t->schedule.start[i];
    fprintf(w->out, ",\"cycle\":%u", t->schedule.start[operation] - least);
    if (stretch)
        fprintf(w->out, ",\"stretch\":%u", stretch[operation]);
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
        print_made(w->out, print_end, &body->ends[i]);
        fprintf(w->out, ",\"op\":\"%s\",\"blocking\":%s,\"line\":%u,\"column\":%u",
                body->ends[i].write ? "write" : "read",
                sl_waits(sl_callee_name(at)) ? "true" : "false", LLVMGetDebugLocLine(at),
                LLVMGetDebugLocColumn(at));
        if (t)
            print_cycle(w, t, i, stretch, body->operation_count);
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
    print_made(w->out, print_reason, &reason);
    if (body->items)
        fputs(",\"items\":true", w->out);
    if (t->merged)
        print_merged(w, body);
    if (t->speculated)
        fprintf(w->out, ",\"speculated\":%u", t->speculated);
}

static void take_loop(void *data, uint32_t number, const struct sl_loop_body *body)
{
    struct writer *w = data;
    struct sl_loop_wishes wishes = sl_loop_wishes_at(&w->pragmas, body->line, body->column);
    struct sl_loop_timing timing = {0};
    fprintf(w->out, "%s{\"file\":", number ? "," : "");
    print_text(w->out, body->file);
    fprintf(w->out, ",\"line\":%u,\"column\":%u,\"parent\":%d,\"nesting\":%u,\"trips\":%llu",
            body->line, body->column, body->parent, body->nesting, (unsigned long long)body->trips);
    if (w->source->text && body->line && !strcmp(body->file, w->source->name)) {
        fputs(",\"text\":", w->out);
        print_line(w->out, w->source, body->line);
    }
    bool asks = body->innermost || sl_latency_most_bounds(body) > 0;
    bool timed = asks && !sl_loop_time(&timing, body, w->table, &wishes, w->broken);
    timing.merged = body->innermost ? count_merged(w, body->line, body->column) : 0;
    if (timed && body->innermost)
        print_schedule(w, body, &timing);
    else
        fprintf(w->out, ",\"pipelined\":false,\"why\":\"%s\"",
                body->innermost ? "no schedule was found" : "iterations run the loops inside");
    print_pipes(w, body, timed ? &timing : NULL);
    putc('}', w->out);
    sl_loop_finish(&timing);
}

/* The loops are over. Code that runs once has a schedule if constraints ask for one. */
static void take_rest(void *data, const struct sl_loop_body *body)
{
    struct writer *w = data;
    const struct sl_loop_wishes none = {0};
    struct sl_loop_timing timing = {0};
    putc(']', w->out);
    if (sl_latency_most_bounds(body) && !sl_loop_time(&timing, body, w->table, &none, w->broken))
        print_pipes(w, body, &timing);
    sl_loop_finish(&timing);
}

static bool forgets_memory(void *data, const char *file, uint32_t line, uint32_t column)
{
    struct writer *w = data;
    bool forgets = sl_loop_wishes_at(&w->pragmas, line, column).ivdep;
    (void)file;
    for (uint32_t i = 0; i < w->merged_count; i++) {
        uint64_t inner = w->merged[i].inner;
        if (w->merged[i].outer == ((uint64_t)line << 32 | column))
            forgets &=
                sl_loop_wishes_at(&w->pragmas, (uint32_t)(inner >> 32), (uint32_t)inner).ivdep;
    }
    return forgets;
}

static bool has(const char *name, const char *const *words)
{
    while (*words && !strstr(name, *words))
        words++;
    return *words;
}

/* Work-items that know which they are, and wait for no others: they follow each other through the
 * circuit. */
static bool are_iterations(void *data, LLVMValueRef function)
{
    static const char *const asks[] = {"get_global_id",       "get_local_id",
                                       "get_group_id",        "get_global_linear_id",
                                       "get_local_linear_id", NULL};
    static const char *const waits[] = {"barrier", "work_group_", "sub_group_", "wait_group_",
                                        NULL};
    bool any = false;
    (void)data;
    if (!LLVMGetSubprogram(function))
        return false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            const char *name = LLVMIsACallInst(i) ? sl_callee_name(i) : "";
            if (has(name, waits))
                return false;
            any |= has(name, asks);
        }
    return any;
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
        .forgets_memory = forgets_memory,
    };
    const char *comma = "";
    size_t length;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !sl_is_kernel(f))
            continue;
        fprintf(w->out, "%s{\"name\":", comma);
        print_text(w->out, LLVMGetValueName2(f, &length));
        fputs(",\"loops\":[", w->out);
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
    char *why = sl_llvm_simplify_loops(module, NULL, sl_is_packet_operation);
    if (why)
        return why;
    w->warning = sl_deadlock_warning(module); /* of loops that run a number of times */
    why = sl_llvm_coalesce_loops(module, NULL, &nests);
    return why || !w->no_memory ? why : strdup("out of memory");
}

static char *describe(struct writer *w, LLVMModuleRef module)
{
    char *broken = NULL;
    size_t bytes;
    char *why = prepare_loops(w, module);
    if (why) {
        char *line = no_schedule(why);
        free(why);
        return line;
    }
    w->broken = open_memstream(&broken, &bytes);
    if (!w->broken)
        return no_schedule("out of memory");
    fprintf(w->out, "{\"sluice_timing\":1,\"clock_mhz\":%u,\"global_bytes\":%u,\"kernels\":[",
            w->table->clock_mhz, w->table->global_bytes);
    print_kernels(w, module);
    fputs("]}", w->out);
    return taken(w->broken, &broken);
}

char *sl_timing_describe(LLVMModuleRef original, const struct sl_operator_table *table,
                         const struct sl_timing_source *source, char **error, char **warning)
{
    char *text = NULL;
    size_t bytes;
    *warning = NULL;
    struct writer w = {.table = table, .source = source, .out = open_memstream(&text, &bytes)};
    LLVMModuleRef module = LLVMCloneModule(original);
    *error = w.out && !sl_loop_pragmas_read(&w.pragmas, module) ? describe(&w, module)
                                                                : no_schedule("out of memory");
    if (!*error)
        *warning = w.warning;
    else
        free(w.warning);
    free(w.merged);
    bool failed = w.out && (ferror(w.out) | fclose(w.out));
    LLVMDisposeModule(module);
    sl_loop_pragmas_finish(&w.pragmas);
    if (!*error && !failed)
        return text;
    free(text);
    if (!*error)
        *error = no_schedule("out of memory");
    return NULL;
}
