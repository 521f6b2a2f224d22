/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much stack a kernel takes: the variables of its functions along the deepest path of calls.
 * Also refuses the kernel whose private memory no machine of ours can place. No shared state.
 */
#include "passes/stages.h"

#include "ir/map.h"
#include "ir/memory.h"
#include "llvm/matrix_product.h"
#include <llvm-c/Target.h>

#define LARGEST ((uint64_t)1 << 30)
#define MOST_QUICK ((uint64_t)1 << 20) /* quick code has more on the stack than this says */

struct needs {
    struct sl_map known; /* function -> its need + DONE; or IN_WORK */
    struct sl_list path; /* an own stack: chains of calls may be longer than ours */
};
enum { IN_WORK = 1, DONE = 2 };

static uint64_t add(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t variable_bytes(LLVMTargetDataRef layout, LLVMValueRef variable)
{
    LLVMValueRef count = LLVMGetOperand(variable, 0);
    uint64_t bytes = LLVMABISizeOfType(layout, LLVMGetAllocatedType(variable)), all;
    uint64_t times = LLVMIsAConstantInt(count) ? LLVMConstIntGetZExtValue(count) : 1;
    return __builtin_mul_overflow(bytes, times, &all) ? UINT64_MAX : all;
}

uint64_t sl_own_stack(LLVMValueRef f)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(f));
    struct sl_matrix_product product;
    uint64_t sum = 0;
    bool multiplies = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsAAllocaInst(i))
                sum = add(sum, variable_bytes(layout, i));
            multiplies = multiplies || sl_matrix_is_postponed(i, &product);
        }
    return multiplies ? add(sum, SL_MATRIX_STACK) : sum;
}

static uint64_t known_need(const struct needs *n, LLVMValueRef f)
{
    uintptr_t stored = (uintptr_t)sl_map_get(&n->known, f);
    return stored >= DONE ? stored - DONE : 0;
}

static void visit_call(struct needs *n, LLVMValueRef callee, uint64_t *deepest)
{
    if (!LLVMIsAFunction(callee) || LLVMIsDeclaration(callee))
        return;
    if (!sl_map_get(&n->known, callee))
        sl_list_add(&n->path, callee);
    else if (known_need(n, callee) > *deepest)
        *deepest = known_need(n, callee);
}

/* Of what `f` calls; what is not known yet is put on the path instead. */
static uint64_t deepest_callee(struct needs *n, LLVMValueRef f)
{
    uint64_t deepest = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i))
                visit_call(n, LLVMGetCalledValue(i), &deepest);
    return deepest;
}

static uint64_t need_of(struct needs *n, LLVMValueRef root)
{
    sl_list_add(&n->path, root);
    while (n->path.count) {
        LLVMValueRef f = n->path.items[n->path.count - 1];
        size_t before = n->path.count;
        if ((uintptr_t)sl_map_get(&n->known, f) >= DONE) {
            n->path.count--;
            continue;
        }
        sl_map_set(&n->known, f, (void *)(uintptr_t)IN_WORK);
        uint64_t need = add(sl_own_stack(f), deepest_callee(n, f));
        if (n->path.count > before)
            continue;
        if (need > LARGEST)
            need = LARGEST + 1;
        sl_map_set(&n->known, f, (void *)(uintptr_t)(need + DONE));
        n->path.count--;
    }
    return known_need(n, root);
}

/* The body's own variables are among private_bytes already. */
static uint64_t helpers_of(struct needs *n, LLVMValueRef run)
{
    uint64_t most = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(run); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef body = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
            uint64_t helpers = body && !LLVMIsDeclaration(body) ? deepest_callee(n, body) : 0;
            most = helpers > most ? helpers : most;
        }
    return most;
}

static int measure(struct sl_pass *pass, struct needs *n, struct sl_kernel_facts *facts)
{
    facts->stack_bytes = need_of(n, facts->run);
    if (facts->stack_bytes > MOST_QUICK)
        facts->flags &= ~(uint32_t)SL_KERNEL_QUICK;
    facts->private_bytes = add(facts->private_bytes, helpers_of(n, facts->run));
    uint64_t context = add(facts->context_fixed, facts->context_per_item);
    uint64_t most = facts->private_bytes > context ? facts->private_bytes : context;
    if (facts->stack_bytes > most)
        most = facts->stack_bytes;
    if (most <= LARGEST)
        return 0;
    return sl_pass_refuse(pass,
                          "kernel '%s': its private variables, with those of the functions it "
                          "calls, take at least %llu bytes; the limit is %llu",
                          facts->name, (unsigned long long)most, (unsigned long long)LARGEST);
}

int sl_pass_stack_need(struct sl_pass *pass)
{
    struct needs needs = {0};
    int rc = 0;
    for (uint32_t k = 0; k < pass->kernel_count && !rc; k++)
        rc = pass->kernels[k].elsewhere ? 0 : measure(pass, &needs, &pass->kernels[k]);
    sl_list_finish(&needs.path);
    sl_map_finish(&needs.known);
    return rc;
}
