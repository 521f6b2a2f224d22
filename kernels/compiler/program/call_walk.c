/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "compiler/program/call_walk.h"

#include <stdlib.h>

#include "llvm/llvm_extra.h"

enum color { UNSEEN, OPEN, DONE };

static int by_address(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    return (x > y) - (x < y);
}

static unsigned char *color_of(struct sl_call_walk *walk, LLVMValueRef function)
{
    LLVMValueRef *found =
        bsearch(&function, walk->functions, walk->count, sizeof *walk->functions, by_address);
    return &walk->colors[found - walk->functions];
}

bool sl_is_marked_kernel(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         SL_KERNEL_ATTRIBUTE, sizeof SL_KERNEL_ATTRIBUTE - 1);
}

static LLVMValueRef next_instruction(LLVMValueRef i)
{
    LLVMValueRef next = LLVMGetNextInstruction(i);
    LLVMBasicBlockRef block = LLVMGetInstructionParent(i);
    while (!next && (block = LLVMGetNextBasicBlock(block)))
        next = LLVMGetFirstInstruction(block);
    return next;
}

static void open_function(struct sl_call_walk *walk, LLVMValueRef function)
{
    LLVMBasicBlockRef entry = LLVMGetFirstBasicBlock(function);
    *color_of(walk, function) = OPEN;
    walk->stack[walk->depth++] =
        (struct sl_walk_frame){.function = function, .at = LLVMGetFirstInstruction(entry)};
}

static int walk_call(struct sl_call_walk *walk, LLVMValueRef caller, LLVMValueRef callee)
{
    unsigned char *color = color_of(walk, callee);
    if (LLVMIsDeclaration(callee)) {
        if (!walk->undefined || *color == DONE || LLVMGetIntrinsicID(callee))
            return 0;
        *color = DONE;
        return walk->undefined(walk, caller, callee);
    }
    if (*color == OPEN)
        return walk->recursive ? walk->recursive(walk, callee) : 0;
    if (*color == UNSEEN)
        open_function(walk, callee);
    return 0;
}

/* Depth first with an own stack: call chains may be longer than ours. */
static int walk_from(struct sl_call_walk *walk, LLVMValueRef root)
{
    int rc = 0;
    open_function(walk, root);
    while (!rc && walk->depth) {
        struct sl_walk_frame *top = &walk->stack[walk->depth - 1];
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
        if (!callee)
            continue;
        top->call = at;
        rc = walk_call(walk, top->function, callee);
    }
    return rc;
}

static int init_walk(struct sl_call_walk *walk, struct sl_stages *stages)
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

static void finish_walk(struct sl_call_walk *walk)
{
    free(walk->functions);
    free(walk->colors);
    free(walk->stack);
    walk->count = walk->depth = 0;
}

static int walk_from_all(struct sl_call_walk *walk, bool kernels)
{
    int rc = 0;
    LLVMValueRef f = LLVMGetFirstFunction(walk->stages->module);
    for (; !rc && f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && sl_is_marked_kernel(f) == kernels && walk->is_root(f) &&
            *color_of(walk, f) == UNSEEN)
            rc = walk_from(walk, f);
    return rc;
}

int sl_walk_calls(struct sl_call_walk *walk, struct sl_stages *stages)
{
    int rc = init_walk(walk, stages);
    rc = rc ? rc : walk_from_all(walk, true);
    rc = rc ? rc : walk_from_all(walk, false);
    finish_walk(walk);
    return rc;
}
