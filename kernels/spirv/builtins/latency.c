/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Latency controls: decorations of a pipe where an instruction uses it. An anchor must be one place
 * of the whole program, so each is noted (llvm/latency.h) until all modules are linked, and with
 * the instruction's call, for the schedule.
 */
#include "spirv/builtins/latency.h"

#include "spirv/builtins/pipe_storage.h"
#include "spirv/grammar/numbers.h"
#include "llvm/latency.h"

static int check_control(const struct sl_builtin *op, const struct sl_latency_control *c)
{
    if (c->has_constraint && (uint32_t)c->type > SL_LATENCY_MIN)
        return sl_spirv_fail(op->spirv, op->instruction,
                             "control type %u of a latency is not exact (1), max (2) or min (3)",
                             (uint32_t)c->type);
    if (c->has_constraint && c->has_anchor && c->anchor == c->from)
        return sl_spirv_fail(op->spirv, op->instruction,
                             "latency anchor %d is constrained by itself", c->anchor);
    return 0;
}

/* False: the pipe has none. */
static bool read_control(struct sl_spirv *s, uint32_t pipe, struct sl_latency_control *out)
{
    const uint32_t *anchor = sl_spirv_literals(s, pipe, DecorationLatencyControlLabelINTEL, 1);
    const uint32_t *constraint =
        sl_spirv_literals(s, pipe, DecorationLatencyControlConstraintINTEL, 3);
    *out = (struct sl_latency_control){
        .file = "",
        .has_anchor = anchor != NULL,
        .anchor = anchor ? (int32_t)anchor[0] : 0,
        .has_constraint = constraint != NULL,
        .from = constraint ? (int32_t)constraint[0] : 0,
        .type = constraint ? (enum sl_latency_type)constraint[1] : SL_LATENCY_NONE,
        .cycles = constraint ? (int32_t)constraint[2] : 0,
    };
    return anchor || constraint;
}

int sl_spirv_keep_latency(const struct sl_builtin *op, bool writes, const char *pipe)
{
    struct sl_latency_control control;
    if (!read_control(op->spirv, op->instruction->result, &control))
        return 0;
    if (check_control(op, &control))
        return -1;
    control.writes = writes;
    control.pipe = pipe;
    sl_latency_note(sl_spirv_module(op->spirv), &control);
    return 0;
}

void sl_spirv_mark_latency(const struct sl_builtin *op, uint32_t pipe, const char *name,
                           bool writes, LLVMValueRef call)
{
    struct sl_latency_control control;
    if (!read_control(op->spirv, pipe, &control))
        return;
    control.writes = writes;
    control.pipe = name;
    sl_latency_mark(call, &control);
}
