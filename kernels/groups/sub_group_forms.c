/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A second form of kernels whose sub-groups do things together that a vector can do at once: in it
 * the items of a sub-group are the lanes of a vector, and go in step. The first form, where items
 * wait for each other (sub_group.c), is for the launches whose sub-groups are no parts of rows, and
 * for kernels whose control flow has no vector form: those lose the second form when that turns out
 * (vector_choice, work_group_regions). A build may leave the first form out (SL_PASS_USUAL_ONLY),
 * and fails when a kernel would lose the second: it is started over. No shared state.
 */
#include "groups/sub_group.h"

#include "groups/stages.h"
#include "ir/calls.h"
#include "ir/memory.h"
#include "items/sub_group_op.h"
#include "vector/analysis/target.h"
#include <string.h>

static bool is_wait(const char *callee)
{
    return !strcmp(callee, SL_SUB_GROUP_MEET) || !strcmp(callee, SL_SUB_GROUP_STOP) ||
           !strcmp(callee, SL_SUB_GROUP_MEMORY);
}

static void find_operations(LLVMValueRef kernel, struct sl_list *calls)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && sl_sub_group_function(LLVMGetCalledValue(i), NULL))
                sl_list_add(calls, i);
}

static bool may_go_in_step(struct sl_pass *pass, struct sl_kernel_facts *facts)
{
    const uint32_t others = SL_KERNEL_USES_PIPES | SL_KERNEL_AUTORUN | SL_KERNEL_SINGLE_TASK;
    struct sl_list waits = {0}, operations = {0};
    uint32_t required, size = sl_sub_group_size(facts->kernel, &required);
    sl_find_calls(facts->kernel, is_wait, &waits);
    find_operations(facts->kernel, &operations);
    bool suit = true;
    for (size_t i = 0; i < operations.count; i++)
        suit &= sl_sub_group_op_suits(LLVMGetCalledValue(operations.items[i]), size);
    bool may = suit && operations.count && !waits.count && !(facts->flags & others) &&
               size >= SL_SMALLEST_SUB_GROUP && size <= SL_LARGEST_SUB_GROUP &&
               !(size & (size - 1));
    sl_list_finish(&waits);
    sl_list_finish(&operations);
    return may && sl_pass_step(pass, "sub-groups in step", facts);
}

/* A row of a matrix is what all items have of it. */
static bool multiplies_matrices(LLVMValueRef kernel)
{
    struct sl_list operations = {0};
    struct sl_sub_group_op op;
    bool any = false;
    find_operations(kernel, &operations);
    for (size_t i = 0; i < operations.count; i++)
        any |= sl_sub_group_function(LLVMGetCalledValue(operations.items[i]), &op) &&
               op.kind == SL_SUB_GROUP_MATRIX;
    sl_list_finish(&operations);
    return any;
}

static void make_operations(struct sl_pass *pass, LLVMValueRef kernel)
{
    struct sl_list calls = {0};
    struct sl_emit e;
    sl_emit_init(&e, pass->context);
    find_operations(kernel, &calls);
    for (size_t i = 0; i < calls.count; i++)
        sl_sub_group_replace(&e, pass->module, calls.items[i]);
    sl_list_finish(&calls);
    sl_emit_finish(&e);
}

/* The functions become part of all kernels that still call them. */
static int inline_functions(struct sl_pass *pass)
{
    bool any = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(pass->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !sl_sub_group_function(f, NULL))
            continue;
        LLVMSetLinkage(f, LLVMInternalLinkage);
        sl_emit_add_enum_attribute(f, LLVMAttributeFunctionIndex, "alwaysinline", 0);
        any = true;
    }
    if (any && sl_pass_run_llvm_on_module(pass, "always-inline"))
        return -1;
    LLVMValueRef next;
    for (LLVMValueRef f = LLVMGetFirstFunction(pass->module); f && any; f = next) {
        next = LLVMGetNextFunction(f);
        if (!LLVMIsDeclaration(f) && !LLVMGetFirstUse(f) && sl_sub_group_function(f, NULL))
            LLVMDeleteFunction(f);
    }
    return 0;
}

bool sl_sub_groups_may_go_in_step(const struct sl_pass *pass)
{
    return sl_pass_has(pass, SL_PASS_OPTIMIZE) && !sl_pass_has(pass, SL_PASS_QUICK) &&
           pass->pipe_kind != SL_PIPES_DATAFLOW && sl_vector_target(pass);
}

int sl_sub_groups_add_forms(struct sl_pass *pass)
{
    uint32_t count = pass->kernel_count;
    for (uint32_t k = 0; k < count && sl_sub_groups_may_go_in_step(pass); k++) {
        if (!may_go_in_step(pass, &pass->kernels[k]))
            continue;
        struct sl_kernel_facts *form = &pass->kernels[k];
        bool whole = multiplies_matrices(form->kernel);
        if (sl_pass_has(pass, SL_PASS_USUAL_ONLY)) {
            form->flags |= SL_KERNEL_IN_STEP | (whole ? SL_KERNEL_WHOLE_SUB_GROUPS : 0);
        } else {
            sl_add_form(pass, form, "in_step");
            form = &pass->kernels[pass->kernel_count - 1];
        }
        form->in_step = true;
        form->whole_sub_groups = whole;
        make_operations(pass, form->kernel);
    }
    return inline_functions(pass);
}
