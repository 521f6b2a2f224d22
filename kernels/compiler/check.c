/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What must be refused by name before or after the work-group passes: recursion, which OpenCL C
 * forbids and regions cannot express, and functions that nobody defined. No locks.
 */
#include <stdlib.h>
#include <string.h>

#include "shim/llvm_extra.h"
#include "stage.h"

static char *readable(LLVMValueRef function)
{
    size_t bytes;
    return sl_readable_name(LLVMGetValueName2(function, &bytes));
}

static LLVMValueRef callee(LLVMValueRef instruction)
{
    if (LLVMGetInstructionOpcode(instruction) != LLVMCall)
        return NULL;
    return LLVMIsAFunction(LLVMGetCalledValue(instruction));
}

/* ---- recursion ---------------------------------------------------------------------------------
 */

enum color { UNSEEN, OPEN, DONE };

struct frame { /* a function whose calls are being walked */
    LLVMValueRef function, at;
};

struct walk {
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

static int report_cycle(struct sl_stages *stages, const struct walk *walk, LLVMValueRef again)
{
    struct sl_text *log = &stages->result->log;
    size_t first = walk->depth;
    while (first > 0 && walk->stack[first - 1].function != again)
        first--;
    sl_text_addf(log, "error: recursion is not allowed in OpenCL C: ");
    for (size_t i = first ? first - 1 : 0; i < walk->depth; i++) {
        char *name = readable(walk->stack[i].function);
        sl_text_addf(log, "'%s' calls ", name ? name : "?");
        free(name);
    }
    char *name = readable(again);
    sl_text_addf(log, "'%s'\n", name ? name : "?");
    free(name);
    return -1;
}

/* Depth first with an own stack: call chains may be longer than ours. */
static int walk_from(struct sl_stages *stages, struct walk *walk, LLVMValueRef root)
{
    open_function(walk, root);
    while (walk->depth) {
        struct frame *top = &walk->stack[walk->depth - 1];
        if (!top->at) {
            *color_of(walk, top->function) = DONE;
            walk->depth--;
            continue;
        }
        LLVMValueRef called = callee(top->at);
        top->at = next_instruction(top->at);
        if (!called || LLVMIsDeclaration(called))
            continue;
        if (*color_of(walk, called) == OPEN)
            return report_cycle(stages, walk, called);
        if (*color_of(walk, called) == UNSEEN)
            open_function(walk, called);
    }
    return 0;
}

static size_t list_functions(LLVMModuleRef module, LLVMValueRef *list)
{
    size_t count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        if (list)
            list[count] = f;
        count++;
    }
    return count;
}

int sl_stage_check_source(struct sl_stages *stages)
{
    size_t count = list_functions(stages->module, NULL);
    struct walk walk = {
        .functions = calloc(count + 1, sizeof *walk.functions),
        .colors = calloc(count + 1, 1),
        .stack = calloc(count + 1, sizeof *walk.stack),
        .count = count,
    };
    int rc = 0;
    if (!walk.functions || !walk.colors || !walk.stack) {
        rc = sl_stage_fail(stages, "out of memory");
    } else {
        list_functions(stages->module, walk.functions);
        qsort(walk.functions, count, sizeof *walk.functions, by_address);
        for (size_t i = 0; !rc && i < count; i++)
            if (walk.colors[i] == UNSEEN)
                rc = walk_from(stages, &walk, walk.functions[i]);
    }
    free(walk.functions);
    free(walk.colors);
    free(walk.stack);
    return rc;
}

/* ---- undefined functions ------------------------------------------------------------------------
 */

static LLVMValueRef any_caller(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAInstruction(user))
            return LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
    }
    return NULL;
}

static void report_undefined(struct sl_stages *stages, LLVMValueRef function)
{
    LLVMValueRef caller = any_caller(function);
    char *name = readable(function), *from = caller ? readable(caller) : NULL;
    const char *what = caller && LLVMGetStringAttributeAtIndex(
                                     caller, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                     SL_KERNEL_ATTRIBUTE, strlen(SL_KERNEL_ATTRIBUTE))
                           ? "kernel"
                           : "function";
    if (from)
        sl_text_addf(&stages->result->log, "error: undefined function '%s' called from %s '%s'\n",
                     name ? name : "?", what, from);
    else
        sl_text_addf(&stages->result->log, "error: undefined function '%s'\n", name ? name : "?");
    free(name);
    free(from);
}

int sl_stage_check_complete(struct sl_stages *stages)
{
    int rc = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(stages->module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) || LLVMGetIntrinsicID(f) || !LLVMGetFirstUse(f))
            continue;
        report_undefined(stages, f);
        rc = -1;
    }
    return rc;
}
