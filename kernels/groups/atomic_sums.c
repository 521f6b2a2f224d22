/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the sums of atomic_sums.h and makes calls of them. No shared state. */
#include "groups/atomic_sums.h"

#include "groups/stages.h"

#include "ir/compile_effort.h"
#include "ir/memory.h"
#include "llvm/intrinsics.h"
#include "llvm/llvm_extra.h"
#include <stdlib.h>
#include <string.h>

struct search {
    struct sl_pass *pass;
    struct sl_kernel_facts *facts;
    struct sl_cfg cfg;
    struct sl_list sums;
    LLVMTypeRef type; /* of all sums */
    bool *later;      /* per block: runs behind a sum */
};

/* ---- what an address belongs to -------------------------------------------------------------- */

/* Its row, if `value` is an argument that is no struct handed over in memory. */
static const struct sl_arg_facts *argument(const struct search *s, LLVMValueRef value,
                                           uint32_t *index)
{
    for (uint32_t k = 0; LLVMIsAArgument(value) && k < s->facts->arg_count; k++)
        if (LLVMGetParam(s->facts->kernel, k) == value)
            return (*index = k, &s->facts->args[k]);
    return NULL;
}

static bool is_restrict(const struct search *s, uint32_t index)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("noalias", strlen("noalias"));
    return LLVMGetEnumAttributeAtIndex(s->facts->kernel, index + 1, kind);
}

static bool is_sum(const struct search *s, LLVMValueRef i)
{
    uint32_t index;
    if (!LLVMIsAAtomicRMWInst(i) || LLVMGetFirstUse(i) || LLVMIsAtomicSingleThread(i) ||
        LLVMGetOrdering(i) != LLVMAtomicOrderingMonotonic)
        return false;
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(i);
    if ((op != LLVMAtomicRMWBinOpAdd && op != LLVMAtomicRMWBinOpSub) ||
        (LLVMGetIntTypeWidth(type) != 32 && LLVMGetIntTypeWidth(type) != 64))
        return false;
    const struct sl_arg_facts *arg = argument(s, sl_address_base(LLVMGetOperand(i, 0)), &index);
    return arg && arg->kind == SL_ARG_GLOBAL && (!s->type || s->type == type);
}

static bool may_be_a_sum(const struct search *s, LLVMValueRef pointer)
{
    LLVMValueRef base = sl_address_base(pointer);
    uint32_t index, other;
    enum sl_wi what;
    unsigned dim;
    if (LLVMIsAAllocaInst(base) || (sl_wi_parse(base, &what, &dim) && what == SL_WI_LOCAL_BASE) ||
        (LLVMIsAGlobalVariable(base) && LLVMIsGlobalConstant(base)))
        return false;
    const struct sl_arg_facts *arg = argument(s, base, &index);
    if (!arg)
        return true;
    if (arg->kind == SL_ARG_LOCAL || arg->kind == SL_ARG_CONSTANT || arg->kind == SL_ARG_VALUE)
        return false;
    bool apart = is_restrict(s, index), all_apart = true;
    for (size_t k = 0; k < s->sums.count; k++) {
        LLVMValueRef sum = sl_address_base(LLVMGetOperand(s->sums.items[k], 0));
        if (sum == base)
            return true;
        all_apart &= argument(s, sum, &other) && is_restrict(s, other);
    }
    return !apart && !all_apart;
}

/* ---- what one instruction may do ------------------------------------------------------------- */

static bool touches_nothing(LLVMValueRef call)
{
    enum sl_wi what;
    unsigned dim;
    const unsigned idle =
        SL_INTRINSIC_LIFETIME | SL_INTRINSIC_DEBUG | SL_INTRINSIC_ASSUME | SL_INTRINSIC_ALIAS_SCOPE;
    if (sl_wi_parse(call, &what, &dim) || sl_llvm_is_intrinsic(call, idle))
        return true;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", strlen("memory"));
    LLVMAttributeRef memory =
        LLVMIsAFunction(callee)
            ? LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind)
            : NULL;
    return memory && LLVMGetEnumAttributeValue(memory) == 0;
}

static bool tells_of_a_sum(const struct search *s, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
    case LLVMStore:
        return LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic ||
               may_be_a_sum(s, LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0));
    case LLVMAtomicRMW:
        return !is_sum(s, i) && !LLVMIsAtomicSingleThread(i);
    case LLVMAtomicCmpXchg:
        return !LLVMIsAtomicSingleThread(i);
    case LLVMCall:
        return !touches_nothing(i);
    case LLVMFence:
    case LLVMInvoke:
    case LLVMVAArg:
        return true;
    default:
        return false;
    }
}

/* ---- what runs before ------------------------------------------------------------------------ */

#define MOST_CALLS 4 /* inside each other, that are looked into */

static bool function_may_wait(const struct search *s, LLVMValueRef function, unsigned depth);

/* Items may look at memory again and again until a sum has reached what they wait for, or until
 * the host, which sees it, answers: those of earlier items are with the thread as long as it runs
 * them. */
static bool may_wait(const struct search *s, LLVMValueRef i, unsigned depth)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic) &&
               !LLVMIsAtomicSingleThread(i) && may_be_a_sum(s, LLVMGetOperand(i, 0));
    case LLVMAtomicRMW:
        return !is_sum(s, i) && !LLVMIsAtomicSingleThread(i);
    case LLVMAtomicCmpXchg:
        return !LLVMIsAtomicSingleThread(i);
    case LLVMCall:
        return !touches_nothing(i) && !sl_wi_is_barrier(i) &&
               function_may_wait(s, LLVMGetCalledValue(i), depth);
    default:
        return LLVMIsAInvokeInst(i);
    }
}

static bool function_may_wait(const struct search *s, LLVMValueRef function, unsigned depth)
{
    if (!LLVMIsAFunction(function) || depth == MOST_CALLS)
        return true;
    if (LLVMIsDeclaration(function))
        return !sl_llvm_is_intrinsic(function, SL_INTRINSIC_ANY);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (may_wait(s, i, depth + 1))
                return true;
    return false;
}

/* ---- what runs behind ------------------------------------------------------------------------ */

static void reach(struct search *s, uint32_t block)
{
    const struct sl_block *b = &s->cfg.blocks[block];
    for (uint32_t k = 0; k < b->succ_count; k++)
        if (!s->later[b->succ[k]]) {
            s->later[b->succ[k]] = true;
            reach(s, b->succ[k]);
        }
}

/* Behind a sum that includes all of the block if one leads here. */
static bool is_block_silent(const struct search *s, uint32_t block)
{
    bool behind = s->later[block];
    LLVMValueRef i = LLVMGetFirstInstruction(s->cfg.blocks[block].ref);
    for (; i; i = LLVMGetNextInstruction(i)) {
        if (behind ? tells_of_a_sum(s, i) : may_wait(s, i, 0))
            return false;
        behind |= is_sum(s, i);
    }
    return true;
}

static bool are_all_silent(struct search *s)
{
    s->later = sl_ir_alloc(s->cfg.count, sizeof(*s->later));
    for (size_t k = 0; k < s->sums.count; k++)
        reach(s, sl_cfg_number(&s->cfg, LLVMGetInstructionParent(s->sums.items[k])));
    bool silent = true;
    for (uint32_t b = 0; silent && b < s->cfg.count; b++)
        silent = is_block_silent(s, b);
    free(s->later);
    return silent;
}

/* ---- the calls ------------------------------------------------------------------------------- */

LLVMValueRef sl_sum_function(const struct sl_emit *e, LLVMModuleRef module, LLVMTypeRef type)
{
    const char *name = LLVMGetIntTypeWidth(type) == 32 ? SL_SUM_PREFIX "i32" : SL_SUM_PREFIX "i64";
    LLVMTypeRef params[] = {e->ptr, e->ptr, type};
    LLVMValueRef f = LLVMGetNamedFunction(module, name);
    if (f)
        return f;
    f = LLVMAddFunction(module, name, LLVMFunctionType(e->none, params, 3, false));
    sl_emit_add_enum_attribute(f, LLVMAttributeFunctionIndex, "nounwind", 0);
    sl_emit_add_enum_attribute(f, LLVMAttributeFunctionIndex, "willreturn", 0);
    return f;
}

/* All sums are few, and of one argument. */
static void find_few(struct search *s)
{
    uint32_t first = 0, index = 0, most = 0;
    argument(s, sl_address_base(LLVMGetOperand(s->sums.items[0], 0)), &first);
    for (size_t k = 0; k < s->sums.count; k++) {
        LLVMValueRef pointer = LLVMGetOperand(s->sums.items[k], 0);
        uint32_t entries = sl_sum_entries(s->pass->module, pointer, s->type);
        argument(s, sl_address_base(pointer), &index);
        if (!entries || index != first)
            return;
        most = entries > most ? entries : most;
    }
    s->facts->sum_entries = most;
    s->facts->sum_argument = first;
}

static void replace(struct search *s, const struct sl_emit *e, LLVMValueRef table, LLVMValueRef i)
{
    LLVMValueRef pointer = LLVMGetOperand(i, 0), value = LLVMGetOperand(i, 1);
    LLVMPositionBuilderBefore(e->builder, i);
    if (LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpSub)
        value = LLVMBuildNeg(e->builder, value, "");
    if (s->facts->sum_entries) { /* nobody else has the table */
        LLVMValueRef add =
            LLVMBuildAtomicRMW(e->builder, LLVMAtomicRMWBinOpAdd, sl_sum_place(e, pointer, table),
                               value, LLVMAtomicOrderingMonotonic, true);
        LLVMSetAlignment(add, LLVMGetIntTypeWidth(s->type) / 8);
    } else {
        LLVMValueRef args[] = {table, pointer, value};
        LLVMValueRef f = sl_sum_function(e, s->pass->module, s->type);
        LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(f), f, args, 3, "");
    }
    LLVMInstructionEraseFromParent(i);
}

static void replace_all(struct search *s)
{
    struct sl_emit e;
    sl_emit_init(&e, s->pass->context);
    find_few(s);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(s->facts->kernel);
    LLVMPositionBuilderBefore(e.builder, LLVMGetFirstInstruction(entry));
    LLVMValueRef table = sl_wi_emit(&e, s->pass->module, SL_WI_SUMS, 0);
    for (size_t k = 0; k < s->sums.count; k++)
        replace(s, &e, table, s->sums.items[k]);
    s->facts->sum_bits = LLVMGetIntTypeWidth(s->type);
    sl_emit_finish(&e);
}

static void find_sums(struct search *s)
{
    for (uint32_t b = 0; b < s->cfg.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(s->cfg.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i))
            if (is_sum(s, i)) {
                s->type = LLVMTypeOf(i);
                sl_list_add(&s->sums, i);
            }
}

static void do_kernel(struct sl_pass *pass, struct sl_kernel_facts *facts)
{
    struct search s = {.pass = pass, .facts = facts};
    sl_cfg_init(&s.cfg, facts->kernel);
    find_sums(&s);
    if (s.sums.count && are_all_silent(&s) && sl_pass_step(pass, "sums", facts)) {
        sl_pass_remark(pass, facts, s.sums.items[0], "atomics are summed up by each thread");
        replace_all(&s);
    }
    sl_list_finish(&s.sums);
    sl_cfg_finish(&s.cfg);
}

int sl_pass_atomic_sums(struct sl_pass *pass)
{
    for (uint32_t k = 0; sl_pass_has(pass, SL_PASS_OPTIMIZE) && k < pass->kernel_count; k++) {
        struct sl_kernel_facts *facts = &pass->kernels[k];
        if (!facts->elsewhere && !(facts->flags & SL_KERNEL_USES_PIPES) &&
            !sl_is_too_large(facts->kernel))
            do_kernel(pass, facts);
    }
    return 0;
}
