/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What must be refused by name before the work-group passes: recursion, which OpenCL C forbids and
 * regions cannot express, and functions that nobody defined. No locks.
 */
#include <stdlib.h>
#include <string.h>

#include "../ir/map.h"
#include "../passes/passes.h"
#include "../passes/work_item.h"
#include "shim/llvm_extra.h"
#include "stage.h"

static char *readable(LLVMValueRef function)
{
    size_t bytes;
    return sl_readable_name(LLVMGetValueName2(function, &bytes));
}

static bool is_kernel(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         SL_KERNEL_ATTRIBUTE, sizeof SL_KERNEL_ATTRIBUTE - 1);
}

static bool is_initializer(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         SL_INITIALIZER_ATTRIBUTE,
                                         sizeof SL_INITIALIZER_ATTRIBUTE - 1);
}

/* ---- walking the calls --------------------------------------------------------------------------
 */

enum color { UNSEEN, OPEN, DONE };

struct frame { /* a function whose calls are being walked */
    LLVMValueRef function, at;
};

struct walk {
    struct sl_stages *stages;
    /* Told of every call of an open function and of every undefined one; non-zero ends the walk. */
    int (*recursive)(struct walk *, LLVMValueRef caller, LLVMValueRef callee);
    int (*undefined)(struct walk *, LLVMValueRef caller, LLVMValueRef callee);
    LLVMValueRef *functions; /* sorted by address */
    unsigned char *colors;   /* enum color, beside functions */
    struct frame *stack;
    size_t count, depth;
};

static int by_address(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    return (x > y) - (x < y);
}

static unsigned char *color_of(struct walk *walk, LLVMValueRef function)
{
    LLVMValueRef *found =
        bsearch(&function, walk->functions, walk->count, sizeof *walk->functions, by_address);
    return &walk->colors[found - walk->functions];
}

static LLVMValueRef next_instruction(LLVMValueRef i)
{
    LLVMValueRef next = LLVMGetNextInstruction(i);
    LLVMBasicBlockRef block = LLVMGetInstructionParent(i);
    while (!next && (block = LLVMGetNextBasicBlock(block)))
        next = LLVMGetFirstInstruction(block);
    return next;
}

static void open_function(struct walk *walk, LLVMValueRef function)
{
    LLVMBasicBlockRef entry = LLVMGetFirstBasicBlock(function);
    *color_of(walk, function) = OPEN;
    walk->stack[walk->depth++] = (struct frame){function, LLVMGetFirstInstruction(entry)};
}

static int walk_call(struct walk *walk, LLVMValueRef caller, LLVMValueRef callee)
{
    unsigned char *color = color_of(walk, callee);
    if (LLVMIsDeclaration(callee)) {
        if (!walk->undefined || *color == DONE || LLVMGetIntrinsicID(callee))
            return 0;
        *color = DONE;
        return walk->undefined(walk, caller, callee);
    }
    if (*color == OPEN)
        return walk->recursive ? walk->recursive(walk, caller, callee) : 0;
    if (*color == UNSEEN)
        open_function(walk, callee);
    return 0;
}

/* Depth first with an own stack: call chains may be longer than ours. */
static int walk_from(struct walk *walk, LLVMValueRef root)
{
    int rc = 0;
    open_function(walk, root);
    while (!rc && walk->depth) {
        struct frame *top = &walk->stack[walk->depth - 1];
        LLVMValueRef at = top->at;
        if (!at) {
            *color_of(walk, top->function) = DONE;
            walk->depth--;
            continue;
        }
        top->at = next_instruction(at);
        LLVMValueRef callee = LLVMGetInstructionOpcode(at) == LLVMCall
                                  ? LLVMIsAFunction(LLVMGetCalledValue(at))
                                  : NULL;
        if (callee)
            rc = walk_call(walk, top->function, callee);
    }
    return rc;
}

static int init_walk(struct walk *walk, struct sl_stages *stages)
{
    LLVMValueRef f;
    walk->stages = stages;
    for (f = LLVMGetFirstFunction(stages->module); f; f = LLVMGetNextFunction(f))
        walk->count++;
    walk->functions = calloc(walk->count + 1, sizeof *walk->functions);
    walk->colors = calloc(walk->count + 1, 1);
    walk->stack = calloc(walk->count + 1, sizeof *walk->stack);
    if (!walk->functions || !walk->colors || !walk->stack)
        return sl_stage_fail(stages, "out of memory");
    size_t i = 0;
    for (f = LLVMGetFirstFunction(stages->module); f; f = LLVMGetNextFunction(f))
        walk->functions[i++] = f;
    qsort(walk->functions, walk->count, sizeof *walk->functions, by_address);
    return 0;
}

static void finish_walk(struct walk *walk)
{
    free(walk->functions);
    free(walk->colors);
    free(walk->stack);
}

/* ---- recursion ----------------------------------------------------------------------------------
 */

static int report_cycle(struct walk *walk, LLVMValueRef caller, LLVMValueRef again)
{
    struct sl_text *log = &walk->stages->result->log;
    size_t first = walk->depth;
    (void)caller;
    while (first > 1 && walk->stack[first - 1].function != again)
        first--;
    sl_text_addf(log, "error: recursion is not allowed in OpenCL C: ");
    for (size_t i = first - 1; i < walk->depth; i++) {
        char *name = readable(walk->stack[i].function);
        sl_text_addf(log, "'%s' calls ", name ? name : "?");
        free(name);
    }
    char *name = readable(again);
    sl_text_addf(log, "'%s'\n", name ? name : "?");
    free(name);
    return -1;
}

int sl_stage_check_source(struct sl_stages *stages)
{
    struct walk walk = {.recursive = report_cycle};
    int rc = init_walk(&walk, stages);
    for (size_t i = 0; !rc && i < walk.count; i++)
        if (walk.colors[i] == UNSEEN && !LLVMIsDeclaration(walk.functions[i]))
            rc = walk_from(&walk, walk.functions[i]);
    finish_walk(&walk);
    return rc;
}

/* ---- undefined functions ------------------------------------------------------------------------
 */

/* The walk starts at kernels, so the bottom of its stack is one. */
static int report_undefined(struct walk *walk, LLVMValueRef caller, LLVMValueRef callee)
{
    size_t bytes;
    if (sl_has_ready_code(callee) || sl_wi_is_builtin(LLVMGetValueName2(callee, &bytes)))
        return 0;
    LLVMValueRef kernel = walk->stack[0].function;
    char *name = readable(callee), *from = readable(caller), *root = readable(kernel);
    if (name && is_initializer(kernel))
        sl_stage_fail(walk->stages,
                      "undefined function '%s' called from an initializer at program scope", name);
    else if (name && from && root && caller == kernel)
        sl_stage_fail(walk->stages, "undefined function '%s' called from kernel '%s'", name, root);
    else if (name && from && root)
        sl_stage_fail(walk->stages,
                      "undefined function '%s' called from function '%s' of kernel '%s'", name,
                      from, root);
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
        if (LLVMIsDeclaration(g) && LLVMGetFirstUse(g) && !sl_map_get(&pipes, g))
            rc = sl_stage_fail(stages, "undefined variable '%s'", LLVMGetValueName2(g, &bytes));
    }
    sl_map_finish(&pipes);
    return rc;
}

int sl_stage_check_complete(struct sl_stages *stages)
{
    struct walk walk = {.undefined = report_undefined};
    int rc = init_walk(&walk, stages);
    for (size_t i = 0; !rc && i < walk.count; i++)
        if (walk.colors[i] == UNSEEN && !LLVMIsDeclaration(walk.functions[i]) &&
            is_kernel(walk.functions[i]))
            rc = walk_from(&walk, walk.functions[i]);
    finish_walk(&walk);
    if (check_variables(stages) || stages->incomplete)
        return -1;
    return rc;
}
