/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A store first fetches the line that it changes, and what it writes pushes something else out of
 * the caches. A launch that writes more than the caches hold gains by neither: its stores go past
 * them. Nobody knows the launch here, so that a kernel of that kind has its code twice, and asks at
 * its beginning (sl_launch.stream_kib). Of that kind is what writes vectors one behind the other
 * into a buffer that it does not read, but not rows of which only an inner part is stored so: where
 * rows are short, both kinds of stores close together take longer than either. Runs behind LLVM's
 * optimiser. No shared state.
 */
#include "passes/passes.h"
#include "passes/stages.h"

#include "ir/emit.h"
#include "ir/memory.h"
#include "items/trap.h"
#include "items/work_item.h"
#include "vector/analysis/target.h"
#include "llvm/intrinsics.h"
#include "llvm/loops/memory/steady_stores.h"
#include "llvm/pass_support.h"
#include <stddef.h>
#include <stdlib.h>

#define MOST_STORES 32        /* that a kernel is asked about */
#define MOST_STREAMS 8        /* more lines than that a core does not collect at once */
#define MOST_INSTRUCTIONS 400 /* of a kernel: what computes more does not wait for memory */
#define LEAST_BYTES 16        /* that one store should write */
#define PLACES 2              /* parameters of group functions that are no arguments */

/* A few pointers, each once. */
static bool has(const struct sl_list *list, LLVMValueRef value)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == value)
            return true;
    return false;
}

static void add(struct sl_list *list, LLVMValueRef value)
{
    if (!has(list, value))
        sl_list_add(list, value);
}

struct streaming {
    struct sl_emit e;
    LLVMValueRef f;
    LLVMValueRef launch, group; /* its last parameters */
    bool params_are_arguments;  /* else they are loaded from its first one */
    uint32_t register_bytes;
    struct sl_list read;    /* bases of loads */
    struct sl_list written; /* bases of the stores below */
    struct sl_list stores;
};

/* ---- what is known before: how much an item writes ------------------------------------------- */

static bool is_private(LLVMValueRef pointer)
{
    return LLVMIsAAllocaInst(sl_address_base(pointer));
}

int sl_pass_stored_bytes(struct sl_pass *pass)
{
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(pass->module);
    for (uint32_t k = 0; k < pass->kernel_count; k++) {
        struct sl_kernel_facts *facts = &pass->kernels[k];
        if (facts->elsewhere)
            continue;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(facts->kernel); b;
             b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (LLVMIsAStoreInst(i) && !is_private(LLVMGetOperand(i, 1)))
                    facts->stored_bytes +=
                        (uint32_t)LLVMStoreSizeOfType(data, LLVMTypeOf(LLVMGetOperand(i, 0)));
    }
    return 0;
}

/* ---- which stores ---------------------------------------------------------------------------- */

static bool is_plain_call(LLVMValueRef call)
{
    return sl_llvm_is_intrinsic(call, SL_INTRINSIC_ANY) && !sl_is_trap(call);
}

/* Does it only load, store and compute? Others may watch what it writes when. */
static bool note_instruction(struct streaming *s, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        add(&s->read, sl_address_base(LLVMGetOperand(i, 0)));
        return !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
    case LLVMStore:
        return !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
    case LLVMCall:
        return is_plain_call(i);
    case LLVMFence:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMUnreachable:
        return false;
    default:
        return true;
    }
}

/* Only then one can tell whether it is one that is written to. */
static bool is_known(LLVMValueRef base)
{
    return LLVMIsALoadInst(base) || LLVMIsAArgument(base) || LLVMIsAAllocaInst(base) ||
           LLVMIsAGlobalVariable(base);
}

static bool note_all(struct streaming *s)
{
    uint32_t count = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(s->f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (++count > MOST_INSTRUCTIONS || !note_instruction(s, i))
                return false;
    for (size_t i = 0; i < s->read.count; i++)
        if (!is_known(s->read.items[i]))
            return false;
    return true;
}

static int64_t bytes_of(const struct streaming *s, LLVMValueRef store)
{
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(LLVMGetGlobalParent(s->f));
    return (int64_t)LLVMStoreSizeOfType(data, LLVMTypeOf(LLVMGetOperand(store, 0)));
}

/* Do the stores of a loop that count from its base leave nothing out between two rounds? */
static bool leaves_no_gap(const struct streaming *s, const struct sl_steady_store *all,
                          size_t count, const struct sl_steady_store *one)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        if (all[i].header == one->header && all[i].base == one->base && all[i].step == one->step)
            bytes += bytes_of(s, all[i].store);
    return bytes == one->step;
}

/* With line numbers the group function stays one, whose parameters are the kernel's. */
static LLVMValueRef function_with_loops(LLVMValueRef run)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(run)); i;
         i = LLVMGetNextInstruction(i)) {
        LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
        if (callee && !LLVMIsDeclaration(callee) && LLVMCountParams(callee) >= PLACES &&
            LLVMGetOperand(i, LLVMCountParams(callee) - PLACES) == LLVMGetParam(run, 1))
            return callee;
    }
    return run;
}

/* The choice comes behind the first block, which is then run once more by the second form. */
static bool begins_with_store(const struct streaming *s)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(s->f)); i;
         i = LLVMGetNextInstruction(i))
        if (LLVMIsAStoreInst(i) && !is_private(LLVMGetOperand(i, 1)))
            return true;
    return false;
}

static bool is_argument(const struct streaming *s, LLVMValueRef base)
{
    if (s->params_are_arguments)
        return LLVMIsAArgument(base) && base != s->launch && base != s->group;
    return LLVMIsALoadInst(base) &&
           LLVMGetInstructionParent(base) == LLVMGetEntryBasicBlock(s->f) &&
           sl_address_base(LLVMGetOperand(base, 0)) == LLVMGetParam(s->f, 0);
}

static bool find_stores(struct streaming *s)
{
    struct sl_steady_store found[MOST_STORES];
    size_t count = sl_llvm_steady_stores(s->f, LEAST_BYTES, found, MOST_STORES);
    for (size_t i = 0; i < count; i++) {
        LLVMValueRef base = found[i].base;
        if (!is_argument(s, base) || has(&s->read, base) ||
            bytes_of(s, found[i].store) % LEAST_BYTES || !leaves_no_gap(s, found, count, &found[i]))
            continue;
        sl_list_add(&s->stores, found[i].store);
        add(&s->written, base);
    }
    return s->stores.count && s->written.count <= MOST_STREAMS;
}

/* ---- the second code ------------------------------------------------------------------------- */

static void mark(struct streaming *s, LLVMValueRef store, bool past)
{
    static const char name[] = "nontemporal";
    unsigned kind = LLVMGetMDKindIDInContext(s->e.context, name, sizeof name - 1);
    LLVMMetadataRef one = LLVMValueAsMetadata(sl_emit_i32(&s->e, 1));
    LLVMSetMetadata(
        store, kind,
        past ? LLVMMetadataAsValue(s->e.context, LLVMMDNodeInContext2(s->e.context, &one, 1))
             : NULL);
}

static bool is_marked(struct streaming *s, LLVMValueRef i)
{
    static const char name[] = "nontemporal";
    unsigned kind = LLVMGetMDKindIDInContext(s->e.context, name, sizeof name - 1);
    return LLVMIsAStoreInst(i) && LLVMGetMetadata(i, kind);
}

/* Stores past the caches write whole registers, at multiples of their size. */
static void ask_alignment(struct streaming *s, LLVMValueRef f, LLVMValueRef store)
{
    LLVMBuilderRef b = s->e.builder;
    uint32_t align = (uint32_t)bytes_of(s, store);
    align &= -align;
    align = align < s->register_bytes ? align : s->register_bytes;
    LLVMBasicBlockRef behind = sl_llvm_split_block(LLVMGetNextInstruction(store), "stored");
    LLVMBasicBlockRef asks = LLVMGetInstructionParent(store);
    LLVMBasicBlockRef past = sl_llvm_split_block(store, "past.caches");
    LLVMBasicBlockRef usual = LLVMAppendBasicBlockInContext(s->e.context, f, "usual");
    LLVMValueRef end = LLVMGetBasicBlockTerminator(asks);
    LLVMPositionBuilderBefore(b, end);
    LLVMValueRef address = LLVMBuildPtrToInt(b, LLVMGetOperand(store, 1), s->e.i64, "");
    LLVMValueRef low = LLVMBuildAnd(b, address, sl_emit_i64(&s->e, align - 1), "");
    LLVMValueRef fits = LLVMBuildICmp(b, LLVMIntEQ, low, sl_emit_i64(&s->e, 0), "aligned");
    LLVMBuildCondBr(b, fits, past, usual);
    LLVMInstructionEraseFromParent(end);
    LLVMPositionBuilderAtEnd(b, usual);
    LLVMValueRef plain = LLVMInstructionClone(store);
    LLVMInsertIntoBuilder(b, plain);
    mark(s, plain, false);
    LLVMBuildBr(b, behind);
    LLVMSetAlignment(store, align);
}

/* Who waits for the launch must see what is on its way to memory. */
static void wait_for_stores(struct streaming *s, LLVMValueRef f)
{
    static const char name[] = "llvm.x86.sse.sfence";
    unsigned id = LLVMLookupIntrinsicID(name, sizeof name - 1);
    LLVMValueRef fence = LLVMGetIntrinsicDeclaration(LLVMGetGlobalParent(f), id, NULL, 0);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (LLVMGetInstructionOpcode(end) != LLVMRet)
            continue;
        LLVMPositionBuilderBefore(s->e.builder, end);
        LLVMBuildCall2(s->e.builder, LLVMGlobalGetValueType(fence), fence, NULL, 0, "");
    }
}

static LLVMValueRef make_streaming_form(struct streaming *s)
{
    struct sl_list stores = {0};
    for (size_t i = 0; i < s->stores.count; i++)
        mark(s, s->stores.items[i], true);
    LLVMValueRef f = sl_llvm_clone_function(s->f, "past.caches");
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMSetVisibility(f, LLVMDefaultVisibility);
    for (size_t i = 0; i < s->stores.count; i++)
        mark(s, s->stores.items[i], false);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_marked(s, i))
                sl_list_add(&stores, i);
    for (size_t i = 0; i < stores.count; i++)
        ask_alignment(s, f, stores.items[i]);
    wait_for_stores(s, f);
    sl_list_finish(&stores);
    return f;
}

/* ---- which of the two ------------------------------------------------------------------------ */

/* Is it so much, and into other buffers than those that are read? */
static LLVMValueRef streams(struct streaming *s, uint32_t stored_bytes)
{
    LLVMBuilderRef b = s->e.builder;
    LLVMValueRef bytes = sl_emit_i64(&s->e, stored_bytes);
    for (size_t d = 0; d < 3; d++) {
        size_t offset = offsetof(struct sl_launch, global_size) + d * sizeof(size_t);
        LLVMValueRef size = sl_emit_load_field(&s->e, s->e.i64, s->launch, offset, "");
        bytes = LLVMBuildMul(b, bytes, size, "stored");
    }
    LLVMValueRef kib = sl_emit_load_field(&s->e, s->e.i32, s->launch,
                                          offsetof(struct sl_launch, stream_kib), "stream.kib");
    LLVMValueRef from =
        LLVMBuildShl(b, LLVMBuildZExt(b, kib, s->e.i64, ""), sl_emit_i64(&s->e, 10), "from");
    LLVMValueRef answer = LLVMBuildICmp(b, LLVMIntUGT, bytes, from, "much");
    for (size_t w = 0; w < s->written.count; w++)
        for (size_t r = 0; r < s->read.count; r++)
            if (is_argument(s, s->read.items[r])) {
                LLVMValueRef other =
                    LLVMBuildICmp(b, LLVMIntNE, s->written.items[w], s->read.items[r], "");
                answer = LLVMBuildAnd(b, answer, other, "");
            }
    return answer;
}

static void choose_form(struct streaming *s, LLVMValueRef form, uint32_t stored_bytes)
{
    LLVMBuilderRef b = s->e.builder;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(s->f));
    LLVMBasicBlockRef usual = sl_llvm_split_block(end, "usual");
    LLVMBasicBlockRef past = LLVMAppendBasicBlockInContext(s->e.context, s->f, "past.caches");
    LLVMValueRef to_usual = LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(s->f));
    LLVMPositionBuilderBefore(b, to_usual);
    LLVMBuildCondBr(b, streams(s, stored_bytes), past, usual);
    LLVMInstructionEraseFromParent(to_usual);
    LLVMPositionBuilderAtEnd(b, past);
    unsigned count = LLVMCountParams(s->f);
    LLVMValueRef *args = sl_ir_alloc(count, sizeof *args);
    LLVMGetParams(s->f, args);
    LLVMBuildCall2(b, LLVMGlobalGetValueType(form), form, args, count, "");
    LLVMBuildRetVoid(b);
    free(args);
}

static void init(struct streaming *s, LLVMValueRef run, const struct sl_vector_target *target)
{
    LLVMValueRef f = function_with_loops(run);
    unsigned count = LLVMCountParams(f);
    *s = (struct streaming){.f = f,
                            .launch = LLVMGetParam(f, count - PLACES),
                            .group = LLVMGetParam(f, count - 1),
                            .params_are_arguments = f != run,
                            .register_bytes = target->register_bits / 8};
    sl_emit_init(&s->e, LLVMGetModuleContext(LLVMGetGlobalParent(f)));
}

static void finish(struct streaming *s)
{
    sl_list_finish(&s->read);
    sl_list_finish(&s->written);
    sl_list_finish(&s->stores);
    sl_emit_finish(&s->e);
}

static void stream(struct sl_pass *pass, const struct sl_kernel_facts *facts, struct streaming *s)
{
    sl_pass_remark(pass, facts, s->stores.items[0],
                   "in launches that write a lot, stores go past the caches");
    choose_form(s, make_streaming_form(s), facts->stored_bytes);
}

void sl_stream_large_stores(struct sl_pass *pass)
{
    const uint32_t others = SL_KERNEL_USES_PIPES | SL_KERNEL_USES_BARRIER;
    const struct sl_vector_target *target = sl_vector_target(pass);
    for (uint32_t k = 0; sl_pass_has(pass, SL_PASS_OPTIMIZE) && target && k < pass->kernel_count;
         k++) {
        const struct sl_kernel_facts *facts = &pass->kernels[k];
        struct streaming s;
        if (facts->elsewhere || !facts->run || !facts->stored_bytes || facts->flags & others ||
            facts->has_inner_part)
            continue;
        init(&s, facts->main_form ? facts->main_form : facts->run, target);
        if (note_all(&s) && !begins_with_store(&s) && find_stores(&s) &&
            sl_pass_step(pass, "streaming", facts))
            stream(pass, facts, &s);
        finish(&s);
    }
}
