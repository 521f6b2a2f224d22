/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AMD's xcl_dataflow: the calls of such functions and loops become processes, where that is sound
 * (region.h); elsewhere a note says what keeps them one after the other. Runs once, before anybody
 * else looks at kernels. No locks: the module belongs to a build.
 */
#include "compiler/program/process_code.h"
#include "compiler/program/region.h"
#include "compiler/stage/stage.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/program/call_walk.h"
#include "ir/map.h"
#include "llvm/llvm_extra.h"
#include "llvm/pass_support.h"

static const LLVMAttributeIndex on_function = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;

static bool is_marked(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(function, on_function, SL_DATAFLOW_ATTRIBUTE,
                                         strlen(SL_DATAFLOW_ATTRIBUTE));
}

/* Jumps back of the function's loops that are regions, inner ones behind outer ones. */
static void find_loops(LLVMValueRef function, struct sl_list *jumps)
{
    LLVMModuleRef module = LLVMGetGlobalParent(function);
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function);
    for (; b; b = LLVMGetNextBasicBlock(b))
        if (sl_flow_region_is_loop(module, LLVMGetBasicBlockTerminator(b)))
            sl_list_add(jumps, LLVMGetBasicBlockTerminator(b));
}

static bool has_regions(LLVMValueRef function)
{
    struct sl_list jumps = {0};
    find_loops(function, &jumps);
    bool any = jumps.count || is_marked(function);
    sl_list_finish(&jumps);
    return any;
}

/* ---- functions with regions of a kernel's own ------------------------------------------------ */

/* Does the function have a region, or call one that has? */
static bool reaches_region(LLVMValueRef function)
{
    struct sl_uses uses;
    bool any = false;
    sl_uses_of(&uses, function, NULL);
    for (size_t i = 0; i < uses.functions.count && !any; i++)
        any = has_regions(uses.functions.items[i]);
    sl_uses_finish(&uses);
    return any;
}

struct owner {
    LLVMValueRef kernel;
    struct sl_map copies;     /* of functions */
    struct sl_list functions; /* the kernel and its copies */
};

static LLVMValueRef copy_for(struct owner *owner, LLVMValueRef function)
{
    LLVMValueRef copy = sl_map_get(&owner->copies, function);
    char *name;
    size_t bytes;
    if (copy)
        return copy;
    if (asprintf(&name, "%s.%s", LLVMGetValueName2(owner->kernel, &bytes),
                 LLVMGetValueName2(function, &bytes)) < 0)
        abort();
    copy = sl_llvm_clone_function(function, name);
    free(name);
    LLVMSetLinkage(copy, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(copy, LLVMGetFunctionCallConv(function));
    LLVMRemoveStringAttributeAtIndex(copy, on_function, SL_KERNEL_ATTRIBUTE,
                                     strlen(SL_KERNEL_ATTRIBUTE));
    sl_map_set(&owner->copies, function, copy);
    sl_list_add(&owner->functions, copy);
    return copy;
}

static void own_functions(struct owner *owner)
{
    sl_list_add(&owner->functions, owner->kernel);
    for (size_t n = 0; n < owner->functions.count; n++) {
        LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(owner->functions.items[n]);
        for (; b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                LLVMValueRef function = sl_called_function(i);
                if (function && reaches_region(function))
                    LLVMSetOperand(i, (unsigned)LLVMGetNumOperands(i) - 1,
                                   copy_for(owner, function));
            }
    }
}

/* ---- regions of a function ------------------------------------------------------------------- */

static void tell(struct sl_stages *stages, const struct sl_flow_region *r, LLVMValueRef kernel)
{
    unsigned length = 0;
    size_t bytes;
    const char *file = LLVMGetDebugLocFilename(r->place, &length);
    if (stages->options.quiet)
        return;
    if (file && LLVMGetDebugLocLine(r->place))
        sl_text_addf(&stages->result->log, "%.*s:%u:%u: ", (int)length, file,
                     LLVMGetDebugLocLine(r->place), LLVMGetDebugLocColumn(r->place));
    sl_text_addf(&stages->result->log,
                 "note: xcl_dataflow: the calls of '%s'%s run one after the other: %s\n",
                 LLVMGetValueName2(kernel, &bytes), r->latch ? " in the loop" : "", r->reason);
}

/* True: it is divided. */
static bool try_region(struct sl_stages *stages, LLVMValueRef kernel, LLVMValueRef function,
                       LLVMValueRef jump)
{
    struct sl_flow_region region;
    sl_flow_region_judge(&region, kernel, function, jump);
    bool good = !region.reason;
    if (good)
        sl_process_code(&region, kernel);
    else
        tell(stages, &region, kernel);
    sl_flow_region_finish(&region);
    return good;
}

/* Loops first: they are what goes round. */
static void divide(struct sl_stages *stages, LLVMValueRef kernel, LLVMValueRef function)
{
    struct sl_list jumps = {0};
    LLVMValueRef place = LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(function));
    bool any = false;
    find_loops(function, &jumps);
    for (size_t i = 0; i < jumps.count; i++)
        any |= try_region(stages, kernel, function, jumps.items[i]);
    if (is_marked(function) && !any)
        any = try_region(stages, kernel, function, NULL);
    if (any)
        sl_process_turns(function, kernel, place);
    LLVMRemoveStringAttributeAtIndex(function, on_function, SL_DATAFLOW_ATTRIBUTE,
                                     strlen(SL_DATAFLOW_ATTRIBUTE));
    sl_list_finish(&jumps);
}

/* The function of the owner's that makes the call; NULL: none of them, or it is no call. */
static LLVMValueRef caller_of(LLVMUseRef use)
{
    LLVMValueRef call = LLVMGetUser(use);
    return LLVMIsACallInst(call) ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)) : NULL;
}

static bool has(const struct sl_list *list, LLVMValueRef function)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == function)
            return true;
    return false;
}

/* Functions of the owner's, callees in front of their callers. There is no recursion. */
static void add_callees_first(const struct owner *owner, LLVMValueRef function,
                              struct sl_list *sorted)
{
    if (has(sorted, function) || !has(&owner->functions, function))
        return;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (sl_called_function(i))
                add_callees_first(owner, sl_called_function(i), sorted);
    sl_list_add(sorted, function);
}

/* How many calls of the function the kernel makes, one after the other; and `others`, how many
 * processes make, at any time. */
static size_t calls_in_order(const struct sl_list *in_order, LLVMValueRef function, size_t *others)
{
    size_t count = 0;
    *others = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        if (has(in_order, caller_of(use)))
            count++;
        else
            ++*others;
    return count;
}

/* What the kernel calls, apart from what processes call: those divide copies of their own. */
static LLVMValueRef set_apart(const struct sl_list *in_order, LLVMValueRef function)
{
    size_t bytes;
    LLVMValueRef copy = sl_llvm_clone_function(function, LLVMGetValueName2(function, &bytes));
    LLVMUseRef next;
    LLVMSetLinkage(copy, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(copy, LLVMGetFunctionCallConv(function));
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = next) {
        LLVMValueRef call = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (has(in_order, caller_of(use)))
            LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, copy);
    }
    return copy;
}

/* Callers first, so that it is known of each function who calls it when its turn comes. */
static void divide_kernel(struct sl_stages *stages, LLVMValueRef kernel)
{
    struct owner owner = {.kernel = kernel};
    struct sl_list sorted = {0}, in_order = {0}; /* what the kernel itself comes to */
    own_functions(&owner);
    add_callees_first(&owner, kernel, &sorted);
    for (size_t n = sorted.count; n-- > 0;) {
        LLVMValueRef function = sorted.items[n];
        size_t others = 0;
        if (function != kernel && !calls_in_order(&in_order, function, &others))
            continue;
        if (function != kernel && others)
            function = set_apart(&in_order, function);
        sl_list_add(&in_order, function);
        if (has_regions(function))
            divide(stages, kernel, function);
    }
    sl_list_finish(&in_order);
    sl_list_finish(&sorted);
    sl_map_finish(&owner.copies);
    sl_list_finish(&owner.functions);
}

/* ---- the program ----------------------------------------------------------------------------- */

static bool has_any(LLVMModuleRef module)
{
    bool any = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f && !any; f = LLVMGetNextFunction(f))
        any = !LLVMIsDeclaration(f) && has_regions(f);
    return any;
}

/* A kernel that others call as a function is two, so that what is its own stays so. */
static void set_calls_apart(LLVMValueRef kernel)
{
    size_t bytes;
    if (!LLVMGetFirstUse(kernel) || !reaches_region(kernel))
        return;
    LLVMValueRef copy = sl_llvm_clone_function(kernel, LLVMGetValueName2(kernel, &bytes));
    LLVMSetLinkage(copy, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(copy, LLVMGetFunctionCallConv(kernel));
    LLVMRemoveStringAttributeAtIndex(copy, on_function, SL_KERNEL_ATTRIBUTE,
                                     strlen(SL_KERNEL_ATTRIBUTE));
    LLVMUseRef next;
    for (LLVMUseRef use = LLVMGetFirstUse(kernel); use; use = next) {
        LLVMValueRef call = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (sl_called_function(call) == kernel)
            LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, copy);
    }
}

/* Processes are kernels behind those that are there, and may have regions themselves. */
int sl_stage_processes(struct sl_stages *stages)
{
    if (stages->request->kind == SL_BUILD_FINISH || !has_any(stages->module))
        return 0;
    LLVMValueRef f = LLVMGetFirstFunction(stages->module);
    for (; f; f = LLVMGetNextFunction(f))
        if (sl_is_marked_kernel(f) && !LLVMIsDeclaration(f))
            set_calls_apart(f);
    f = LLVMGetFirstFunction(stages->module);
    for (; f; f = LLVMGetNextFunction(f))
        if (sl_is_marked_kernel(f) && !LLVMIsDeclaration(f))
            divide_kernel(stages, f);
    return 0;
}
