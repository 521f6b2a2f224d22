/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `sum[i] += x[k]` in a loop is a sum in a register, if no other argument leads to `sum`. Buffers
 * hardly ever overlap, but only the launch knows (sl_launch.apart): the kernel gets a second form.
 * No shared state.
 */
#include "llvm/loops/memory/memory_sums.h"

#include "groups/stages.h"
#include "ir/compile_effort.h"
#include "ir/pass_messages.h"
#include "items/work_item.h"
#include "passes/stages.h"
#include "vector/analysis/target.h"

#define MOST_OF_LOOP 512 /* instructions */

/* What is stored behind a loop, and asked for then. */
static const char forward[] = "early-cse<memssa>,gvn<no-pre;no-load-pre>,dse";

static bool is_local(LLVMValueRef object)
{
    enum sl_wi what;
    unsigned dim;
    return sl_wi_parse(object, &what, &dim) && what == SL_WI_LOCAL_BASE;
}

static int keep_sums(struct sl_pass *pass, uint32_t k)
{
    struct sl_kernel_facts *facts = &pass->kernels[k];
    uint32_t arguments;
    if (!sl_llvm_find_memory_sums(facts->kernel, MOST_OF_LOOP, is_local, &arguments) ||
        !sl_pass_step(pass, "memory_sums", facts))
        return 0;
    if (arguments) {
        facts = sl_add_form(pass, facts, "apart");
        struct sl_kernel_facts *form = &pass->kernels[pass->kernel_count - 1];
        facts->apart = arguments;
        form->is_apart = true;
        sl_llvm_keep_memory_sums(form->kernel, MOST_OF_LOOP, is_local, arguments);
        if (sl_pass_run_llvm(pass, form->kernel, forward))
            return -1;
        sl_pass_remark(pass, facts, NULL,
                       "where arguments' memory does not overlap, sums in memory are registers");
    }
    bool any = sl_llvm_keep_memory_sums(facts->kernel, MOST_OF_LOOP, is_local, 0);
    return any ? sl_pass_run_llvm(pass, facts->kernel, forward) : 0;
}

int sl_pass_memory_sums(struct sl_pass *pass)
{
    const uint32_t count = pass->kernel_count;
    for (uint32_t k = 0; k < count; k++) {
        const struct sl_kernel_facts *facts = &pass->kernels[k];
        if (!facts->elsewhere && sl_vector_target(pass) && sl_pass_has(pass, SL_PASS_OPTIMIZE) &&
            !sl_is_too_large(facts->kernel) && keep_sums(pass, k))
            return -1;
    }
    return 0;
}
