/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Latency controls of a whole program (spirv/builtins/latency.c writes down what its modules say):
 * an anchor is one place. Copies that an optimiser made of one operation say all the same of the
 * same pipe, and are one. The machine has no latencies to control, so nothing else comes of them.
 */
#include "compiler/stage/stage.h"

#include <stdlib.h>
#include <string.h>

enum { WRITES, HAS_ANCHOR, ANCHOR, HAS_CONSTRAINT, FROM, TYPE, CYCLES, WORDS };

struct control {
    const char *pipe; /* the module's */
    uint32_t words[WORDS];
};

static bool read_control(LLVMValueRef node, struct control *out)
{
    LLVMValueRef operands[1 + WORDS];
    unsigned length;
    if (LLVMGetMDNodeNumOperands(node) != 1 + WORDS)
        return false;
    LLVMGetMDNodeOperands(node, operands);
    out->pipe = LLVMGetMDString(operands[0], &length);
    for (unsigned i = 0; i < WORDS; i++)
        out->words[i] = (uint32_t)LLVMConstIntGetZExtValue(operands[1 + i]);
    return out->pipe != NULL;
}

/* Anchors first, by their numbers. */
static int by_anchor(const void *left, const void *right)
{
    const struct control *a = left, *b = right;
    if (a->words[HAS_ANCHOR] != b->words[HAS_ANCHOR])
        return a->words[HAS_ANCHOR] ? -1 : 1;
    return (a->words[ANCHOR] > b->words[ANCHOR]) - (a->words[ANCHOR] < b->words[ANCHOR]);
}

static int check_unique(struct sl_stages *stages, const struct control *all, size_t count)
{
    for (size_t i = 1; i < count && all[i].words[HAS_ANCHOR]; i++) {
        const struct control *one = &all[i - 1], *two = &all[i];
        bool same_pipe = !strcmp(one->pipe, two->pipe);
        if (one->words[ANCHOR] != two->words[ANCHOR] ||
            (same_pipe && !memcmp(one->words, two->words, sizeof one->words)))
            continue;
        return sl_stage_fail(stages,
                             "latency anchor %u is at two places, an operation of pipe '%s' and "
                             "one of pipe '%s'",
                             one->words[ANCHOR], one->pipe, two->pipe);
    }
    return 0;
}

static void warn_dangling(struct sl_stages *stages, const struct control *all, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct control wanted = {.words = {[HAS_ANCHOR] = 1, [ANCHOR] = all[i].words[FROM]}};
        if (all[i].words[HAS_CONSTRAINT] && !bsearch(&wanted, all, count, sizeof *all, by_anchor))
            sl_text_addf(&stages->result->log,
                         "warning: a latency constraint of pipe '%s' is from anchor %u, which no "
                         "operation has\n",
                         all[i].pipe, all[i].words[FROM]);
    }
}

int sl_stage_latency(struct sl_stages *stages)
{
    unsigned count = LLVMGetNamedMetadataNumOperands(stages->module, "sl.latency"), known = 0;
    if (!count)
        return 0;
    LLVMValueRef *nodes = malloc(count * sizeof *nodes);
    struct control *all = malloc(count * sizeof *all);
    int rc = nodes && all ? 0 : sl_stage_fail(stages, "out of memory");
    if (!rc) {
        LLVMGetNamedMetadataOperands(stages->module, "sl.latency", nodes);
        for (unsigned i = 0; i < count; i++)
            known += read_control(nodes[i], &all[known]);
        qsort(all, known, sizeof *all, by_anchor);
        rc = check_unique(stages, all, known);
    }
    bool whole = stages->request->kind != SL_BUILD_COMPILE && !stages->options.create_library;
    if (!rc && whole)
        warn_dangling(stages, all, known);
    free(nodes);
    free(all);
    return rc;
}
