/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel that computes much, and whose dimensions change places (interchange.c), is slow where a
 * launch has few items along the one that becomes the first. So it keeps a second form with the
 * dimensions as they are written: a kernel of its own from where the first one is interchanged
 * until both are group functions, then the other way of the entry, which asks the launch
 * (sl_launch.form). No shared state.
 */
#include "groups/stages.h"

#include "ir/emit.h"
#include "ir/memory.h"
#include "llvm/pass_support.h"
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sl_kernel_facts *sl_add_form(struct sl_pass *pass, struct sl_kernel_facts *facts)
{
    uint32_t of = (uint32_t)(facts - pass->kernels);
    pass->kernels = sl_ir_resize(pass->kernels, pass->kernel_count + 1, sizeof *pass->kernels);
    facts = &pass->kernels[of];
    struct sl_kernel_facts *form = &pass->kernels[pass->kernel_count++];
    *form = *facts;
    if (asprintf(&form->name, "%s.as_written", facts->name) < 0)
        abort();
    form->source = strdup(facts->source);
    form->args = sl_ir_alloc(facts->arg_count, sizeof *form->args);
    memcpy(form->args, facts->args, facts->arg_count * sizeof *form->args);
    form->kernel = sl_llvm_clone_function(facts->kernel, form->name);
    form->is_form = true;
    form->form_of = of;
    return facts;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* A thread's memory must do for either. */
static void join_facts(struct sl_kernel_facts *facts, const struct sl_kernel_facts *form)
{
    facts->context_per_item = larger(facts->context_per_item, form->context_per_item);
    facts->context_fixed = larger(facts->context_fixed, form->context_fixed);
    facts->private_bytes = larger(facts->private_bytes, form->private_bytes);
    facts->stack_bytes = larger(facts->stack_bytes, form->stack_bytes);
    facts->loop_passes |= form->loop_passes;
    facts->flags |= SL_KERNEL_BOTH_FORMS;
}

static LLVMBasicBlockRef add_way(const struct sl_emit *e, LLVMValueRef entry, LLVMValueRef to)
{
    LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(e->context, entry, "");
    LLVMValueRef args[3];
    LLVMGetParams(entry, args);
    LLVMPositionBuilderAtEnd(e->builder, block);
    LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(to), to, args, 3, "");
    LLVMBuildRetVoid(e->builder);
    sl_emit_add_enum_attribute(to, LLVMAttributeFunctionIndex, "noinline", 0);
    return block;
}

static void join(struct sl_pass *pass, struct sl_kernel_facts *facts,
                 const struct sl_kernel_facts *form)
{
    struct sl_emit e;
    sl_emit_init(&e, pass->context);
    LLVMValueRef entry = LLVMAddFunction(pass->module, "", LLVMGlobalGetValueType(facts->run));
    LLVMSetLinkage(entry, LLVMInternalLinkage);
    sl_emit_add_enum_attribute(entry, LLVMAttributeFunctionIndex, "nounwind", 0);
    LLVMBasicBlockRef start = LLVMAppendBasicBlockInContext(e.context, entry, "entry");
    LLVMBasicBlockRef interchanged = add_way(&e, entry, facts->run);
    LLVMBasicBlockRef written = add_way(&e, entry, form->run);
    LLVMPositionBuilderAtEnd(e.builder, start);
    LLVMValueRef which = sl_emit_load_field(&e, e.i16, LLVMGetParam(entry, 1),
                                            offsetof(struct sl_launch, form), "form");
    LLVMValueRef zero = LLVMConstInt(e.i16, 0, false);
    LLVMBuildCondBr(e.builder, LLVMBuildICmp(e.builder, LLVMIntEQ, which, zero, ""), interchanged,
                    written);
    facts->interchanged = facts->run;
    facts->run = entry;
    join_facts(facts, form);
    sl_emit_finish(&e);
}

int sl_pass_join_forms(struct sl_pass *pass)
{
    while (pass->kernel_count && pass->kernels[pass->kernel_count - 1].is_form) {
        struct sl_kernel_facts *form = &pass->kernels[--pass->kernel_count];
        join(pass, &pass->kernels[form->form_of], form);
        free(form->name);
        free(form->source);
        free(form->args);
    }
    return 0;
}
