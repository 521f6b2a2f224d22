/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Latency controls: decorations of a pipe where an instruction uses it. They change nothing here,
 * but an anchor must be one place of the whole program, so each is kept as a node of
 * !sl.latency until all modules are linked (compiler/program/latency.c):
 *
 *     !{!"pipe", i32 writes, i32 has anchor, i32 anchor,
 *                    i32 has constraint, i32 its anchor, i32 its type, i32 cycles}
 */
#include "spirv/builtins/latency.h"

#include <string.h>

#include "spirv/builtins/pipe_storage.h"
#include "spirv/grammar/numbers.h"

enum { TYPE_MIN = 3 }; /* the last one of: none, exact, max, min */

static int check_constraint(const struct sl_builtin *op, const uint32_t *anchor,
                            const uint32_t *constraint)
{
    if (constraint[1] > TYPE_MIN)
        return sl_spirv_fail(op->spirv, op->instruction,
                             "control type %u of a latency is not exact (1), max (2) or min (3)",
                             constraint[1]);
    if (anchor && anchor[0] == constraint[0])
        return sl_spirv_fail(op->spirv, op->instruction,
                             "latency anchor %u is constrained by itself", anchor[0]);
    return 0;
}

static void add_node(struct sl_spirv *s, const char *pipe, const uint32_t words[7])
{
    LLVMContextRef context = sl_spirv_context(s);
    LLVMTypeRef word = LLVMInt32TypeInContext(context);
    LLVMMetadataRef operands[8] = {LLVMMDStringInContext2(context, pipe, strlen(pipe))};
    for (unsigned i = 0; i < 7; i++)
        operands[i + 1] = LLVMValueAsMetadata(LLVMConstInt(word, words[i], 0));
    LLVMAddNamedMetadataOperand(
        sl_spirv_module(s), "sl.latency",
        LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, operands, 8)));
}

int sl_spirv_keep_latency(const struct sl_builtin *op, bool writes, const char *pipe)
{
    struct sl_spirv *s = op->spirv;
    uint32_t id = op->instruction->result;
    const uint32_t *anchor = sl_spirv_literals(s, id, DecorationLatencyControlLabelINTEL, 1);
    const uint32_t *constraint =
        sl_spirv_literals(s, id, DecorationLatencyControlConstraintINTEL, 3);
    if (constraint && check_constraint(op, anchor, constraint))
        return -1;
    if (!anchor && !constraint)
        return 0;
    const uint32_t words[7] = {writes,
                               anchor != NULL,
                               anchor ? anchor[0] : 0,
                               constraint != NULL,
                               constraint ? constraint[0] : 0,
                               constraint ? constraint[1] : 0,
                               constraint ? constraint[2] : 0};
    add_node(s, pipe, words);
    return 0;
}
