/* SPDX-License-Identifier: Apache-2.0 */
/* The words for what limits a loop. No shared state. */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "timing/declared_pipe.h"
#include "timing/loop.h"

/* ---- names ----------------------------------------------------------------------------------- */

static uint64_t bytes_of(LLVMValueRef variable, LLVMTypeRef type)
{
    LLVMModuleRef module = LLVMGetGlobalParent(variable);
    return LLVMABISizeOfType(LLVMGetModuleDataLayout(module), type);
}

/* The last dimension is the front end's own: one packet. */
static void print_indices(LLVMValueRef variable, uint64_t offset, FILE *out)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(variable);
    while (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
        LLVMTypeRef element = LLVMGetElementType(type);
        uint64_t bytes = bytes_of(variable, element);
        if (LLVMGetTypeKind(element) != LLVMArrayTypeKind || !bytes)
            return;
        fprintf(out, "[%llu]", (unsigned long long)(offset / bytes));
        offset %= bytes;
        type = element;
    }
}

void sl_pipe_end_name(const struct sl_pipe_end *end, FILE *out)
{
    size_t length;
    const char *name = LLVMGetValueName2(end->pipe, &length);
    const char *declared =
        LLVMIsAArgument(end->pipe) ? sl_pipe_argument_text(end->pipe, "sl-pipe-name") : NULL;
    fputs(declared ? declared : length ? name : "a pipe", out);
    if (LLVMIsAGlobalVariable(end->pipe) && end->offset >= 0)
        print_indices(end->pipe, (uint64_t)end->offset, out);
}

/* ---- a recurrence ---------------------------------------------------------------------------- */

enum { MOST_PARTS = 4 };

static void print_operation(const struct sl_loop_timing *t, const struct sl_loop_body *body,
                            uint32_t i, FILE *out)
{
    unsigned line = LLVMGetDebugLocLine(body->operations[i]);
    if (t->kinds[i] == SL_OPERATOR_NONE)
        fputs("operation", out);
    fputs(sl_operator_words(t->kinds[i]), out);
    if (body->ends[i].pipe) {
        fputs(body->ends[i].write ? " to " : " of ", out);
        sl_pipe_end_name(&body->ends[i], out);
    }
    if (line)
        fprintf(out, " at line %u", line);
}

/* The operation of the latency constraint that the dependence is one of. */
static uint32_t constrained(const struct sl_loop_timing *t, const struct sl_loop_dependence *d)
{
    uint32_t i = 0;
    while (i + 1 < t->bound_count &&
           !(t->bounds[i].operation == d->from && t->bounds[i].anchor == d->to) &&
           !(t->bounds[i].operation == d->to && t->bounds[i].anchor == d->from))
        i++;
    return t->bounds[i].operation;
}

/* Those that take time, in the order of the recurrence. */
static void print_recurrence(const struct sl_loop_timing *t, const struct sl_loop_body *body,
                             FILE *out)
{
    const struct sl_loop_schedule *s = &t->schedule;
    uint32_t parts = 0, more = 0;
    for (uint32_t n = 0; n < s->recurrence_count; n++) {
        const struct sl_loop_dependence *d = &t->dependences[s->recurrence[n]];
        bool bound = s->recurrence[n] >= body->edge_count;
        if (d->latency <= 0 && !bound)
            continue;
        if (parts == MOST_PARTS) {
            more++;
            continue;
        }
        fputs(parts++ ? ", " : "", out);
        if (bound)
            fputs("latency constraint of ", out);
        print_operation(t, body, bound ? constrained(t, d) : d->from, out);
    }
    if (more)
        fprintf(out, " and %u more", more);
    fprintf(out, ", distance %u", s->recurrence_distance);
}

/* ---- all limits ------------------------------------------------------------------------------ */

static void print_resource(const struct sl_loop_timing *t, FILE *out)
{
    uint32_t r = t->schedule.resource;
    size_t length;
    if (!t->memories[r]) {
        fprintf(out, "%u bytes of global memory, %u a cycle", t->uses[r], t->ports[r]);
        return;
    }
    const char *name = LLVMGetValueName2(t->memories[r], &length);
    fprintf(out, "%u accesses to %s, %u port%s", t->uses[r], length ? name : "an array",
            t->ports[r], t->ports[r] == 1 ? "" : "s");
}

static void print_exit(const struct sl_loop_timing *t, const struct sl_loop_body *body, FILE *out)
{
    uint32_t i = t->last_exit;
    fprintf(out, " %u, ", t->speculated);
    print_operation(t, body, i, out);
    fprintf(out, " is known in cycle %u", t->schedule.start[i] + t->operations[i].latency);
}

void sl_loop_explain(const struct sl_loop_timing *t, const struct sl_loop_body *body, FILE *out)
{
    fprintf(out, "II %u", t->interval);
    if (t->pragma) {
        fprintf(out, ": #pragma %s", t->pragma);
        if (!strcmp(t->pragma, "speculated_iterations"))
            print_exit(t, body, out);
    } else if (!strcmp(t->limit, "recurrence")) {
        fputs(": ", out);
        print_recurrence(t, body, out);
    } else if (!strcmp(t->limit, "resource")) {
        fputs(": ", out);
        print_resource(t, out);
    } else if (!strcmp(t->limit, "order")) {
        fprintf(out, ": accesses find no place in %u cycles", t->interval - 1);
    } else if (!strcmp(t->limit, "table")) {
        fputs(": by the table of operators", out);
    }
    if (body->items)
        fputs("; iterations are work-items", out);
    if (body->kept_rolled)
        fputs("; it moves packets, so it is not unrolled", out);
    if (t->lanes > 1)
        fprintf(out, "; %u work-items side by side", t->lanes);
    if (t->interleaved)
        fprintf(out, "; work-items take turns, %u cycles an iteration", t->schedule.depth);
    if (t->merged)
        fprintf(out, "; %u loops as one", t->merged + 1);
    if (t->speculated)
        fprintf(out, "; %u speculated iteration%s at its end", t->speculated,
                t->speculated == 1 ? "" : "s");
}
