/* SPDX-License-Identifier: Apache-2.0 */
/* What must be refused by name before the work-group passes: functions that nobody defined. Only
 * who is refused pays for line tables: the source is read again for them. No locks. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/program/call_walk.h"
#include "ir/map.h"
#include "ir/pass_messages.h"
#include "items/work_item.h"
#include "passes/passes.h"
#include "pipes/stages.h"
#include "llvm/llvm_extra.h"

static char *readable(LLVMValueRef function)
{
    size_t bytes;
    return sl_readable_name(LLVMGetValueName2(function, &bytes));
}

static bool is_initializer(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         SL_INITIALIZER_ATTRIBUTE,
                                         sizeof SL_INITIALIZER_ATTRIBUTE - 1);
}

/* ---- places ---------------------------------------------------------------------------------- */

struct place { /* in front of a message; "": nobody knows */
    char text[SL_SOURCE_PLACE_BYTES + 2];
};

/* In that function of the source, or in a kernel's body, which clang makes a function of its own.
 */
static bool is_in(LLVMValueRef user, const char *caller)
{
    static const char body[] = "__clang_ocl_kern_imp_";
    size_t bytes;
    const char *name =
        LLVMGetValueName2(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)), &bytes);
    return !strcmp(name, caller) ||
           (!strncmp(name, body, sizeof body - 1) && !strcmp(name + sizeof body - 1, caller));
}

/* The first use, by `caller` unless that is NULL; also where calls have no lines in the module
 * itself. */
static struct place place_of(const struct sl_stages *stages, LLVMValueRef used, const char *caller)
{
    size_t bytes;
    struct place place = {""};
    unsigned least = UINT_MAX;
    const char *name = LLVMGetValueName2(used, &bytes);
    LLVMValueRef found = stages->lines ? LLVMGetNamedFunction(stages->lines, name) : used;
    if (stages->lines && !found)
        found = LLVMGetNamedGlobal(stages->lines, name);
    for (LLVMUseRef use = found ? LLVMGetFirstUse(found) : NULL; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        const unsigned line = LLVMIsAInstruction(user) ? LLVMGetDebugLocLine(user) : 0;
        if (!line || line >= least || (caller && !is_in(user, caller)))
            continue;
        least = line;
        snprintf(place.text, sizeof place.text, "%s: ", sl_source_place_of(user).text);
    }
    return place;
}

/* Objects that are linked have the lines that they were compiled with (-g). */
static void read_lines(struct sl_stages *stages)
{
    LLVMModuleRef module = stages->module;
    if (stages->request->kind == SL_BUILD_LINK || stages->request->kind == SL_BUILD_FINISH ||
        stages->options.debug_info || stages->wants_remarks || stages->reads_again)
        return;
    stages->module = NULL;
    stages->reads_again = true;
    if (!sl_stage_frontend(stages))
        stages->lines = stages->module;
    stages->module = module;
}

/* Once, of the objects that are linked and have no lines: their sources are not there to be read
 * again. */
static void say_how_to_get_lines(struct sl_stages *stages, const struct place *place)
{
    static const char note[] = "note: objects that are compiled with -g have the lines of it\n";
    struct sl_text *log = &stages->result->log;
    if (stages->request->kind == SL_BUILD_LINK && !*place->text &&
        !(log->data && memmem(log->data, log->bytes, note, sizeof note - 1)))
        sl_text_add(log, note, sizeof note - 1);
}

/* ---- functions ------------------------------------------------------------------------------- */

/* The walk starts at kernels, so the bottom of its stack is one. */
static int report_undefined(struct sl_call_walk *walk, LLVMValueRef caller, LLVMValueRef callee)
{
    size_t bytes;
    if (sl_has_ready_code(callee) || sl_wi_is_builtin(LLVMGetValueName2(callee, &bytes)))
        return 0;
    LLVMValueRef kernel = walk->stack[0].function;
    read_lines(walk->stages);
    const struct place at = place_of(walk->stages, callee, LLVMGetValueName2(caller, &bytes));
    char *name = readable(callee), *from = readable(caller), *root = readable(kernel);
    if (name && is_initializer(kernel))
        sl_stage_fail_at(walk->stages, at.text,
                         "undefined function '%s' called from an initializer at program scope",
                         name);
    else if (name && from && root && caller == kernel)
        sl_stage_fail_at(walk->stages, at.text, "undefined function '%s' called from kernel '%s'",
                         name, root);
    else if (name && from && root)
        sl_stage_fail_at(walk->stages, at.text,
                         "undefined function '%s' called from function '%s' of kernel '%s'", name,
                         from, root);
    say_how_to_get_lines(walk->stages, &at);
    free(name);
    free(from);
    free(root);
    walk->stages->incomplete = true; /* go on: all of them shall be named */
    return 0;
}

static int check_variables(struct sl_stages *stages)
{
    struct sl_map pipes = {0};
    int rc = 0;
    sl_pipe_find_declared(stages->module, &pipes);
    for (LLVMValueRef g = LLVMGetFirstGlobal(stages->module); g; g = LLVMGetNextGlobal(g)) {
        size_t bytes;
        if (!LLVMIsDeclaration(g) || !LLVMGetFirstUse(g) || sl_map_get(&pipes, g))
            continue;
        read_lines(stages);
        const struct place at = place_of(stages, g, NULL);
        rc = sl_stage_fail_at(stages, at.text, "undefined variable '%s'",
                              LLVMGetValueName2(g, &bytes));
        say_how_to_get_lines(stages, &at);
    }
    sl_map_finish(&pipes);
    return rc;
}

int sl_stage_check_complete(struct sl_stages *stages)
{
    struct sl_call_walk walk = {.undefined = report_undefined, .is_root = sl_is_marked_kernel};
    int rc = sl_walk_calls(&walk, stages);
    const bool variables = check_variables(stages) != 0;
    if (stages->lines)
        LLVMDisposeModule(stages->lines);
    stages->lines = NULL;
    if (variables || stages->incomplete)
        return -1;
    return rc;
}
