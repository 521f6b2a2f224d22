/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From OpenCL C 2.0 on, and in SPIR-V, the last groups of a launch may have fewer items than the
 * others. Hardly any launch of a kernel that requires a size has such groups, and where none has,
 * the size is a constant: loops over items need no rest, and short loops over them none at all. So
 * where groups are run one by one the kernel has code for such launches, as it has in OpenCL C 1.2,
 * and a second form that runs any launch; a build may leave that out (SL_PASS_USUAL_ONLY). No
 * shared state.
 */
#include "groups/group_function.h"
#include "groups/stages.h"
#include "items/work_item.h"
#include <string.h>

/* A kernel this long gains little, and takes long to compile twice. */
#define MOST_TWICE 1000

/* Otherwise the code has one loop over all items of a row of groups. */
static bool runs_group_by_group(const struct sl_kernel_facts *facts)
{
    if (facts->in_step || facts->local_bytes || sl_has_local_argument(facts) ||
        !sl_only_global_places(facts->kernel))
        return true;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(facts->kernel); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (sl_wi_is_barrier(i))
                return true;
    return false;
}

static bool is_short(LLVMValueRef kernel)
{
    unsigned count = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            count++;
    return count <= MOST_TWICE;
}

static bool has_other_form(const struct sl_pass *pass, uint32_t kernel)
{
    for (uint32_t k = kernel + 1; k < pass->kernel_count; k++)
        if (pass->kernels[k].is_form && pass->kernels[k].form_of == kernel)
            return true;
    return false;
}

static bool may_require(struct sl_pass *pass, uint32_t kernel, uint32_t size[3])
{
    const uint32_t others = SL_KERNEL_USES_PIPES | SL_KERNEL_AUTORUN | SL_KERNEL_SINGLE_TASK |
                            SL_KERNEL_INITIALIZES | SL_KERNEL_BLOCK;
    struct sl_kernel_facts *facts = &pass->kernels[kernel];
    bool again = !sl_pass_has(pass, SL_PASS_USUAL_ONLY);
    return !facts->is_form && !(facts->flags & others) &&
           sl_read_required_size(pass->context, facts->kernel, size) && size[0] && size[1] &&
           size[2] && runs_group_by_group(facts) &&
           !(again && (has_other_form(pass, kernel) || !is_short(facts->kernel))) &&
           sl_pass_step(pass, "whole groups", facts);
}

/* Where all groups are whole anyway. */
static void keep_size(struct sl_pass *pass, struct sl_kernel_facts *facts)
{
    uint32_t size[3] = {0};
    if (sl_read_required_size(pass->context, facts->kernel, size) && runs_group_by_group(facts))
        memcpy(facts->required, size, sizeof size);
}

int sl_pass_whole_groups(struct sl_pass *pass)
{
    uint32_t count = pass->kernel_count;
    if (sl_pass_has(pass, SL_PASS_QUICK) || !sl_pass_has(pass, SL_PASS_OPTIMIZE))
        return 0;
    for (uint32_t k = 0; k < count && sl_pass_has(pass, SL_PASS_UNIFORM_GROUPS); k++)
        keep_size(pass, &pass->kernels[k]);
    if (sl_pass_has(pass, SL_PASS_UNIFORM_GROUPS))
        return 0;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t size[3] = {0};
        if (!may_require(pass, k, size))
            continue;
        struct sl_kernel_facts *form = &pass->kernels[k];
        if (sl_pass_has(pass, SL_PASS_USUAL_ONLY)) {
            form->flags |= SL_KERNEL_WHOLE_GROUPS;
        } else {
            sl_add_form(pass, form, "whole");
            form = &pass->kernels[pass->kernel_count - 1];
        }
        form->whole_groups = true;
        memcpy(form->required, size, sizeof size);
    }
    return 0;
}
