/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Latency controls of a whole program: an anchor is one place. Copies that an optimiser made of one
 * operation say all the same of the same pipe, and are one. Whether constraints hold is asked of
 * the schedule (timing/latency.c), if there is one.
 */
#include "compiler/stage/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "llvm/latency.h"
#include "llvm/loops/counts/loop_graph.h"

enum { PLACE_BYTES = 512 };

/* Anchors first, by their numbers. */
static int by_anchor(const void *left, const void *right)
{
    const struct sl_latency_control *a = left, *b = right;
    if (a->has_anchor != b->has_anchor)
        return a->has_anchor ? -1 : 1;
    return (a->anchor > b->anchor) - (a->anchor < b->anchor);
}

/* And those with one number in the order of the source. */
static int in_order(const void *left, const void *right)
{
    const struct sl_latency_control *a = left, *b = right;
    int anchors = by_anchor(left, right);
    if (anchors || a->line != b->line)
        return anchors ? anchors : (a->line > b->line) - (a->line < b->line);
    return (a->column > b->column) - (a->column < b->column);
}

/* "a.cl:6:9: " */
static const char *place_of(const struct sl_latency_control *c, char *out, size_t bytes)
{
    *out = '\0';
    if (c->line)
        snprintf(out, bytes, "%s:%u:%u: ", c->file, c->line, c->column);
    return out;
}

/* " at a.cl:6:9" */
static const char *other_place_of(const struct sl_latency_control *c, char *out, size_t bytes)
{
    *out = '\0';
    if (c->line)
        snprintf(out, bytes, " at %s:%u:%u", c->file, c->line, c->column);
    return out;
}

static const char *operation_of(const struct sl_latency_control *c)
{
    return c->writes ? "write to" : "read of";
}

static bool same_place(const struct sl_latency_control *a, const struct sl_latency_control *b)
{
    return a->line == b->line && a->column == b->column && !strcmp(a->file, b->file) &&
           !strcmp(a->pipe, b->pipe) && a->writes == b->writes &&
           a->has_constraint == b->has_constraint && a->from == b->from && a->type == b->type &&
           a->cycles == b->cycles;
}

static int check_unique(struct sl_stages *stages, const struct sl_latency_control *all,
                        size_t count)
{
    char place[PLACE_BYTES], other[PLACE_BYTES];
    for (size_t i = 1; i < count && all[i].has_anchor; i++) {
        const struct sl_latency_control *one = &all[i - 1], *two = &all[i];
        if (one->anchor != two->anchor || same_place(one, two))
            continue;
        return sl_stage_fail_at(stages, place_of(two, place, sizeof place),
                                "latency anchor %d is at two places: the %s '%s' here and the %s "
                                "'%s'%s",
                                one->anchor, operation_of(two), two->pipe, operation_of(one),
                                one->pipe, other_place_of(one, other, sizeof other));
    }
    return 0;
}

static void warn_dangling(struct sl_stages *stages, const struct sl_latency_control *all,
                          size_t count)
{
    char place[PLACE_BYTES];
    for (size_t i = 0; i < count; i++) {
        struct sl_latency_control wanted = {.has_anchor = true, .anchor = all[i].from};
        if (all[i].has_constraint && !bsearch(&wanted, all, count, sizeof *all, by_anchor))
            sl_text_addf(&stages->result->log,
                         "%swarning: a latency constraint of pipe '%s' is from anchor %d, which no "
                         "operation has\n",
                         place_of(&all[i], place, sizeof place), all[i].pipe, all[i].from);
    }
}

/* ---- wrappers -------------------------------------------------------------------------------- */

/* Compilers of SYCL hand the controls, behind pipe and packet, to a function of this name that does
 * nothing with them: the anchor (-1: none), the anchor it counts from, type and cycles. */
static const char *const wrappers[] = {
    "__latency_control_nb_read_wrapper", "__latency_control_bl_read_wrapper",
    "__latency_control_nb_write_wrapper", "__latency_control_bl_write_wrapper"};
enum { CONTROLS = 4, WRAPPER_OPERANDS = 2 + CONTROLS };

static bool is_wrapper(LLVMValueRef function, bool *writes)
{
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++)
        if (strstr(name, wrappers[i])) {
            *writes = i >= 2;
            return LLVMCountParams(function) == WRAPPER_OPERANDS;
        }
    return false;
}

/* What was last stored where the value is loaded from, in the same block: code that nobody has
 * optimised keeps constants in variables. */
static LLVMValueRef stored(LLVMValueRef value)
{
    if (!LLVMIsALoadInst(value))
        return value;
    LLVMValueRef variable = sl_llvm_object_of(LLVMGetOperand(value, 0));
    for (LLVMValueRef i = LLVMGetPreviousInstruction(value); LLVMIsAAllocaInst(variable) && i;
         i = LLVMGetPreviousInstruction(i))
        if (LLVMIsAStoreInst(i) && sl_llvm_object_of(LLVMGetOperand(i, 1)) == variable)
            return LLVMGetOperand(i, 0);
    return value;
}

static bool read_controls(LLVMValueRef call, int32_t out[CONTROLS])
{
    for (unsigned i = 0; i < CONTROLS; i++) {
        LLVMValueRef value = stored(LLVMGetOperand(call, 2 + i));
        if (!LLVMIsAConstantInt(value))
            return false;
        out[i] = (int32_t)LLVMConstIntGetSExtValue(value);
    }
    return out[2] >= SL_LATENCY_NONE && out[2] <= SL_LATENCY_MIN;
}

static void note_call(LLVMModuleRef module, LLVMValueRef call, const char *name, bool writes)
{
    struct sl_latency_control known;
    int32_t numbers[CONTROLS];
    unsigned length;
    if (sl_latency_of(call, &known) || !read_controls(call, numbers))
        return;
    const char *file = LLVMGetDebugLocFilename(call, &length);
    const struct sl_latency_control control = {
        .pipe = name,
        .file = file ? file : "",
        .line = LLVMGetDebugLocLine(call),
        .column = LLVMGetDebugLocColumn(call),
        .writes = writes,
        .has_anchor = numbers[0] >= 0,
        .anchor = numbers[0],
        .has_constraint = numbers[2] != SL_LATENCY_NONE,
        .from = numbers[1],
        .type = (enum sl_latency_type)numbers[2],
        .cycles = numbers[3],
    };
    if (!control.has_anchor && !control.has_constraint)
        return;
    sl_latency_note(module, &control);
    sl_latency_mark(call, &control);
}

static void note_wrappers(LLVMModuleRef module)
{
    size_t length;
    bool writes;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (!is_wrapper(f, &writes))
            continue;
        for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef call = LLVMGetUser(use);
            if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == f)
                note_call(module, call, LLVMGetValueName2(f, &length), writes);
        }
    }
}

/* ---- the program ----------------------------------------------------------------------------- */

int sl_stage_latency(struct sl_stages *stages)
{
    note_wrappers(stages->module);
    unsigned count = LLVMGetNamedMetadataNumOperands(stages->module, SL_LATENCY_NODE), known = 0;
    if (!count)
        return 0;
    LLVMValueRef *nodes = malloc(count * sizeof *nodes);
    struct sl_latency_control *all = malloc(count * sizeof *all);
    int rc = nodes && all ? 0 : sl_stage_fail(stages, "out of memory");
    if (!rc) {
        LLVMGetNamedMetadataOperands(stages->module, SL_LATENCY_NODE, nodes);
        for (unsigned i = 0; i < count; i++)
            known += sl_latency_read(nodes[i], &all[known]);
        qsort(all, known, sizeof *all, in_order);
        rc = check_unique(stages, all, known);
    }
    bool whole = stages->request->kind != SL_BUILD_COMPILE && !stages->options.create_library;
    if (!rc && whole)
        warn_dangling(stages, all, known);
    free(nodes);
    free(all);
    return rc;
}
