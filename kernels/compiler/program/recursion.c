/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recursion, which OpenCL C forbids and regions cannot express. What is a loop, or ends while the
 * program is built, becomes that (llvm/recursion/recursion.h); the rest is refused by name. No
 * locks.
 */
#include <stdlib.h>
#include <string.h>

#include "compiler/builtins/library.h"
#include "compiler/builtins/resources.h"
#include "compiler/program/call_walk.h"
#include "compiler/stage/stage.h"
#include "ir/calls.h"
#include "ir/pass_messages.h"
#include "items/work_item.h"
#include "llvm/call_places.h"
#include "llvm/llvm_extra.h"
#include "llvm/recursion/recursion.h"

enum { MOST_CALLS = 64 }; /* of a circle, that are named */

static bool is_needed(LLVMValueRef function)
{
    return !LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                          SL_LEFT_OVER_ATTRIBUTE,
                                          sizeof SL_LEFT_OVER_ATTRIBUTE - 1);
}

/* ---- telling of it --------------------------------------------------------------------------- */

static size_t find_places(struct sl_call_walk *walk, LLVMValueRef again,
                          struct sl_call_place places[MOST_CALLS])
{
    size_t count = 0, first = walk->depth - 1;
    while (first && walk->stack[first].function != again)
        first--;
    for (size_t i = first; i < walk->depth; i++)
        count += sl_call_places(walk->stack[i].call, places + count, MOST_CALLS - count);
    return count;
}

static void add_place(struct sl_text *log, const struct sl_call_place *place)
{
    if (place->file)
        sl_text_addf(log, "%s: ", sl_source_place(place->file, place->line, place->column).text);
}

static int report(struct sl_call_walk *walk, LLVMValueRef again)
{
    struct sl_text *log = &walk->stages->result->log;
    struct sl_call_place places[MOST_CALLS];
    size_t count = find_places(walk, again, places);
    add_place(log, &places[0]);
    sl_text_addf(log, "error: recursion is not allowed in OpenCL C: %s",
                 places[0].from ? places[0].from : "?");
    for (size_t i = 0; i < count; i++)
        sl_text_addf(log, " -> %s", places[i].to ? places[i].to : "?");
    sl_text_addf(log, "\n");
    for (size_t i = 0; i < count; i++) {
        if (places[i].from && places[i].to && places[i].file) {
            add_place(log, &places[i]);
            sl_text_addf(log, "note: '%s' calls '%s'\n", places[i].from, places[i].to);
        }
        free(places[i].from);
        free(places[i].to);
    }
    return -1;
}

/* ---- the stage ------------------------------------------------------------------------------- */

static int note_only(struct sl_call_walk *walk, LLVMValueRef again)
{
    (void)walk, (void)again;
    return 1;
}

static bool is_builtin(const char *name)
{
    const char *why;
    const struct sl_library *library = sl_resources_builtins(&why);
    return sl_wi_is_builtin(name) || (library && sl_library_has(library, name));
}

/* 0: there is none left; 1: there is; -1: failed. */
static int untangle(struct sl_stages *stages)
{
    struct sl_call_walk walk = {.recursive = note_only, .is_root = is_needed};
    int rc = sl_walk_calls(&walk, stages);
    if (rc != 1)
        return rc;
    sl_untangle_recursion(stages->module, is_builtin);
    return sl_walk_calls(&walk, stages);
}

/* Only who is refused pays for line tables: the source is read again for them. */
static int find_lines(struct sl_stages *stages)
{
    if (stages->request->kind == SL_BUILD_LINK || stages->options.debug_info ||
        stages->wants_remarks)
        return 1;
    LLVMDisposeModule(stages->module);
    stages->module = NULL;
    stages->reads_again = true;
    int rc = sl_stage_frontend(stages);
    rc = rc ? rc : sl_stage_fold_twins(stages);
    rc = rc ? rc : sl_stage_function_pointers(stages);
    return rc ? rc : untangle(stages);
}

int sl_stage_recursion(struct sl_stages *stages)
{
    struct sl_call_walk walk = {.recursive = report, .is_root = is_needed};
    if (stages->request->kind == SL_BUILD_LINK)
        sl_drop_left_over(stages->module);
    int rc = untangle(stages);
    if (rc > 0)
        rc = find_lines(stages);
    if (rc > 0)
        return sl_walk_calls(&walk, stages) ? -1 : sl_stage_fail(stages, "recursion");
    if (stages->request->kind != SL_BUILD_COMPILE && !stages->options.create_library)
        sl_drop_left_over(stages->module);
    return rc;
}
