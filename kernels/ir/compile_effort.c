/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions so large that LLVM's optimiser would take minutes for them are left as they are: what a
 * program gains by that is a build in seconds. No shared state.
 */
#include "ir/compile_effort.h"

#include "ir/emit.h"
#include "ir/map.h"
#include "llvm/llvm_extra.h"
#include "llvm/loops/rounds/lane_rounds.h"
#include "llvm/loops/rounds/unroll_limit.h"
#include <string.h>

#define MOST_EFFORT 100000u
#define PER_BLOCK 15u /* dominators and their like cost more than instructions */

#define MOST_LOOPS 1000u /* 15 seconds: several of LLVM's passes over loops are quadratic */

/* Branches back, as the blocks stand. */
static uint32_t count_loops(LLVMValueRef f)
{
    struct sl_map seen = {0};
    uint32_t count = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        sl_map_set(&seen, b, b);
        for (unsigned s = 0; end && s < LLVMGetNumSuccessors(end); s++)
            count += sl_map_get(&seen, LLVMGetSuccessor(end, s)) != NULL;
    }
    sl_map_finish(&seen);
    return count;
}

bool sl_is_too_large(LLVMValueRef f)
{
    uint64_t effort = 0;
    if (LLVMCountBasicBlocks(f) > MOST_LOOPS && count_loops(f) > MOST_LOOPS)
        return true;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        effort += PER_BLOCK;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            effort++;
        if (effort > MOST_EFFORT)
            return true;
    }
    return false;
}

/*
 * Shift registers as circuits have them: a thousand moves that are one move of memory here. As a
 * thousand values LLVM's search for alike ones takes minutes.
 */
#define MOST_UNROLLED 2048u /* instructions */
#define MOST_ROUNDS 128u

/*
 * Nests of short loops, of which all together would make a kernel of tens of thousands of
 * instructions: no cache holds its code, nor registers its values, and it runs slower than its
 * loops would. Items of a sub-group that go in step are vectors, and gain by arrays whose elements
 * are known. Where they have that form the other one is for launches of odd sizes; each place where
 * its items wait is a loop and many blocks, so that unrolling gains nothing and costs seconds.
 */
static const struct {
    uint32_t in_all, of_nest; /* instructions: from when on, and what may become of one nest */
} in_step = {30000, 2048}, beside_it = {8000, 256};

/* A loop around a barrier is regions, one behind the other, that all items go through: what a round
 * costs beyond its work is little, and each copy of it is several loops. */
#define MOST_AROUND_BARRIERS 768u

/* What divides takes longer in each round than all that copies could save. */
#define MOST_OF_DIVISIONS 64u

/* Sums of so many rows fill the machine in each of so many rounds; with half as many straight code
 * takes a sixteenth less. */
#define FEWEST_ROWS 16u
#define FEWEST_ROUNDS 8u

/* A vector of 32 bits each on machines that have stores under masks. */
#define FEWEST_LANES 8u

struct teller {
    struct sl_pass *pass;
    const struct sl_kernel_facts *kernel;
};

static void tell(void *data, LLVMValueRef branch, uint32_t rounds)
{
    const struct teller *to = data;
    sl_pass_remark(to->pass, to->kernel, branch, "a loop of %u rounds is not unrolled", rounds);
}

static bool has_form_in_step(const struct sl_pass *pass, const struct sl_kernel_facts *kernel)
{
    for (uint32_t k = 0; k < pass->kernel_count && !kernel->in_step; k++)
        if (pass->kernels[k].in_step && pass->kernels[k].is_form &&
            &pass->kernels[pass->kernels[k].form_of] == kernel)
            return true;
    return false;
}

void sl_limit_unrolling(struct sl_pass *pass, const struct sl_kernel_facts *kernel,
                        bool (*is_barrier)(LLVMValueRef))
{
    struct teller to = {pass, kernel};
    if (kernel->in_step)
        sl_llvm_limit_unrolled_nests(kernel->kernel, in_step.in_all, in_step.of_nest, tell, &to);
    else if (has_form_in_step(pass, kernel))
        sl_llvm_limit_unrolled_nests(kernel->kernel, beside_it.in_all, beside_it.of_nest, tell,
                                     &to);
    sl_llvm_limit_unrolling_around(kernel->kernel, is_barrier, MOST_AROUND_BARRIERS, tell, &to);
    sl_llvm_limit_unrolling(kernel->kernel, MOST_UNROLLED, MOST_ROUNDS, tell, &to);
}

void sl_limit_unrolling_of_divisions(struct sl_pass *pass, const struct sl_kernel_facts *kernel)
{
    struct teller to = {pass, kernel};
    sl_llvm_limit_unrolling_of_divisions(kernel->kernel, MOST_OF_DIVISIONS, tell, &to);
}

void sl_keep_sum_loops(struct sl_pass *pass, const struct sl_kernel_facts *kernel)
{
    struct teller to = {pass, kernel};
    if (kernel->required[0] > 1 && kernel->required[1] && kernel->required[1] % FEWEST_ROWS == 0)
        sl_llvm_keep_sum_loops(kernel->kernel, FEWEST_ROUNDS, tell, &to);
}

void sl_keep_lane_rounds(struct sl_pass *pass, const struct sl_kernel_facts *kernel)
{
    struct teller to = {pass, kernel};
    sl_llvm_keep_lane_rounds(kernel->kernel, FEWEST_LANES, tell, &to);
}

void sl_spare_large_functions(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (!sl_is_too_large(f))
            continue;
        unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
        LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind);
        sl_emit_add_enum_attribute(f, LLVMAttributeFunctionIndex, "noinline", 0);
        sl_emit_add_enum_attribute(f, LLVMAttributeFunctionIndex, "optnone", 0);
        LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                LLVMCreateStringAttribute(LLVMGetModuleContext(module),
                                                          SL_LARGE_ATTRIBUTE,
                                                          strlen(SL_LARGE_ATTRIBUTE), "", 0));
    }
}
