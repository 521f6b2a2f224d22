/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel that computes much, and whose dimensions change places (interchange.c), is slow where a
 * launch has few items along the one that becomes the first. So it keeps a second form with the
 * dimensions as they are written: a kernel of its own from where the first one is interchanged
 * until both are group functions, then the other way of the entry, which asks the launch
 * (sl_launch.form). Kernels whose sub-groups go in step in some launches have two forms as well
 * (sub_group_forms.c), and those that have their required size in most (whole_groups.c). No shared
 * state.
 */
#include "groups/stages.h"

#include "ir/emit.h"
#include "ir/memory.h"
#include "llvm/pass_support.h"
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sl_kernel_facts *sl_add_form(struct sl_pass *pass, struct sl_kernel_facts *facts,
                                    const char *name)
{
    uint32_t of = (uint32_t)(facts - pass->kernels);
    pass->kernels = sl_ir_resize(pass->kernels, pass->kernel_count + 1, sizeof *pass->kernels);
    facts = &pass->kernels[of];
    struct sl_kernel_facts *form = &pass->kernels[pass->kernel_count++];
    *form = *facts;
    if (asprintf(&form->name, "%s.%s", facts->name, name) < 0)
        abort();
    form->source = strdup(facts->source);
    form->work_rule = NULL; /* the kernel has it */
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
    facts->apart |= form->apart;
}

static void free_form(struct sl_kernel_facts *form)
{
    free(form->name);
    free(form->source);
    free(form->work_rule);
    free(form->args);
}

void sl_drop_form(struct sl_pass *pass, uint32_t number)
{
    struct sl_kernel_facts *form = &pass->kernels[number];
    LLVMDeleteFunction(form->kernel);
    free_form(form);
    memmove(form, form + 1, (pass->kernel_count - number - 1) * sizeof *form);
    pass->kernel_count--;
    for (uint32_t k = number; k < pass->kernel_count; k++)
        pass->kernels[k].form_of -= pass->kernels[k].form_of > number;
}

/* And what is a form of it (memory_sums.c). */
static void drop_with_own_forms(struct sl_pass *pass, uint32_t number)
{
    for (uint32_t k = pass->kernel_count; --k > number;)
        if (pass->kernels[k].is_form && pass->kernels[k].form_of == number)
            sl_drop_form(pass, k);
    sl_drop_form(pass, number);
}

int sl_pass_drop_forms(struct sl_pass *pass)
{
    for (uint32_t k = pass->kernel_count; k-- > 0;) {
        struct sl_kernel_facts *facts = &pass->kernels[k];
        if (!facts->in_step || facts->elsewhere || facts->lanes > 1)
            continue;
        if (!facts->is_form) {
            pass->flags |= SL_PASS_NEEDS_ALL_FORMS;
            return -1;
        }
        drop_with_own_forms(pass, k);
    }
    return 0;
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

/* A word of the launch: dimensions have changed places, or memory may overlap. */
static LLVMValueRef is_zero(const struct sl_emit *e, LLVMValueRef launch, size_t offset)
{
    LLVMValueRef word = sl_emit_load_field(e, e->i8, launch, offset, "");
    return LLVMBuildICmp(e->builder, LLVMIntEQ, word, LLVMConstInt(e->i8, 0, false), "");
}

static LLVMValueRef size_field(const struct sl_emit *e, LLVMValueRef launch, size_t offset,
                               unsigned dim)
{
    return sl_emit_load_field(e, e->i64, launch, offset + dim * sizeof(size_t), "");
}

/* sl_launch_goes_in_step, in code: in that form a sub-group is so many neighbours of a row, or what
 * is left of the row. So rows are whole sub-groups, or the group is one row; and loops over rows
 * make one piece of each (items/item_loops.c). */
static LLVMValueRef has_sub_groups_apart(const struct sl_emit *e, LLVMValueRef launch,
                                         const struct sl_kernel_facts *form)
{
    const size_t local = offsetof(struct sl_launch, local_size);
    LLVMBuilderRef b = e->builder;
    LLVMValueRef width = size_field(e, launch, local, 0), one = sl_emit_i64(e, 1);
    LLVMValueRef all = size_field(e, launch, offsetof(struct sl_launch, global_size), 0);
    LLVMValueRef offset = size_field(e, launch, offsetof(struct sl_launch, global_offset), 0);
    LLVMValueRef rows =
        LLVMBuildMul(b, size_field(e, launch, local, 1), size_field(e, launch, local, 2), "rows");
    LLVMValueRef ends = LLVMBuildOr(b, width, all, "");
    if (form->whole_sub_groups)
        ends = LLVMBuildOr(b, ends, offset, "");
    LLVMValueRef over = LLVMBuildAnd(b, ends, sl_emit_i64(e, form->sub_group_size - 1), "over");
    LLVMValueRef parted = LLVMBuildICmp(b, LLVMIntNE, over, sl_emit_i64(e, 0), "");
    if (!form->whole_sub_groups)
        parted = LLVMBuildAnd(b, LLVMBuildICmp(b, LLVMIntNE, rows, one, ""), parted, "");
    LLVMValueRef most = sl_emit_i64(e, UINT64_C(1) << 30);
    LLVMValueRef far = LLVMBuildICmp(b, LLVMIntUGT, LLVMBuildOr(b, offset, all, ""), most, "");
    return LLVMBuildOr(b, parted, far, "");
}

/* sl_launch_has_whole_groups, in code. */
static LLVMValueRef has_cut_groups(const struct sl_emit *e, LLVMValueRef launch,
                                   const uint32_t required[3])
{
    LLVMValueRef over = sl_emit_i64(e, 0);
    for (unsigned d = 0; d < 3; d++) {
        LLVMValueRef all = size_field(e, launch, offsetof(struct sl_launch, global_size), d);
        LLVMValueRef rest = LLVMBuildURem(e->builder, all, sl_emit_i64(e, required[d]), "");
        over = LLVMBuildOr(e->builder, over, rest, "cut");
    }
    return LLVMBuildICmp(e->builder, LLVMIntNE, over, sl_emit_i64(e, 0), "");
}

static LLVMValueRef needs_first(const struct sl_emit *e, LLVMValueRef launch,
                                const struct sl_kernel_facts *form)
{
    return form->is_apart       ? is_zero(e, launch, offsetof(struct sl_launch, apart))
           : form->whole_groups ? has_cut_groups(e, launch, form->required)
           : form->in_step      ? has_sub_groups_apart(e, launch, form)
                                : is_zero(e, launch, offsetof(struct sl_launch, form));
}

static void join(struct sl_pass *pass, struct sl_kernel_facts *facts,
                 const struct sl_kernel_facts *form)
{
    struct sl_emit e;
    if (!form->is_apart && form->whole_groups && form->flags & SL_KERNEL_FLAT)
        return; /* groups do not matter to it */
    sl_emit_init(&e, pass->context);
    LLVMValueRef entry = LLVMAddFunction(pass->module, "", LLVMGlobalGetValueType(facts->run));
    LLVMSetLinkage(entry, LLVMInternalLinkage);
    sl_emit_add_enum_attribute(entry, LLVMAttributeFunctionIndex, "nounwind", 0);
    LLVMBasicBlockRef start = LLVMAppendBasicBlockInContext(e.context, entry, "entry");
    LLVMBasicBlockRef first = add_way(&e, entry, facts->run);
    LLVMBasicBlockRef second = add_way(&e, entry, form->run);
    LLVMPositionBuilderAtEnd(e.builder, start);
    LLVMValueRef launch = LLVMGetParam(entry, 1);
    LLVMBuildCondBr(e.builder, needs_first(&e, launch, form), first, second);
    facts->other_form = form->run;
    if (form->is_apart) {
        facts->main_form = facts->run;
    } else if (form->whole_groups) {
        facts->flags &= ~(uint32_t)SL_KERNEL_FLAT;
        facts->main_form = form->run;
        facts->other_form = facts->run;
    } else if (!form->in_step) {
        facts->main_form = facts->run;
        facts->flags |= SL_KERNEL_BOTH_FORMS;
    }
    facts->run = entry;
    join_facts(facts, form);
    sl_emit_finish(&e);
}

int sl_pass_join_forms(struct sl_pass *pass)
{
    while (pass->kernel_count && pass->kernels[pass->kernel_count - 1].is_form) {
        struct sl_kernel_facts *form = &pass->kernels[--pass->kernel_count];
        if (!form->elsewhere)
            join(pass, &pass->kernels[form->form_of], form);
        free_form(form);
    }
    return 0;
}
