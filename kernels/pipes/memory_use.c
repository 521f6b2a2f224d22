/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What kernels with a clock do to the memory of their arguments, as the code has it and not as it
 * is declared (sluice/unshared.h): the device asks that before it lets them run ahead. Each access
 * is followed back to where its address is from. No shared state.
 */
#include "pipes/stages.h"

#include "ir/memory.h"
#include "items/work_item.h"
#include "pipes/pipe.h"
#include "sluice/unshared.h"
#include "llvm/intrinsics.h"

enum use { USE_READ, USE_WRITE, USE_TELL /* somebody learns the address */ };

struct search {
    struct sl_kernel_facts *facts;
    struct sl_map *looked; /* functions that were, or will be */
    struct sl_list called; /* likewise, in their order */
    bool keeps;            /* so far all accesses are to places that it has of its own */
};

/* Or several at once. */
static bool is_pointer(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

static bool is_of(LLVMValueRef value, LLVMOpcode opcode)
{
    if (LLVMIsAConstantExpr(value))
        return LLVMGetConstOpcode(value) == opcode;
    return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == opcode;
}

/* A number is an address: that many bytes from none at all. */
static bool is_number(LLVMValueRef address)
{
    return is_of(address, LLVMGetElementPtr) &&
           LLVMIsAConstantPointerNull(LLVMGetOperand(address, 0));
}

/* From which operand on, and how many of them, an address may be; 0: from none. */
static unsigned sources_of(LLVMValueRef address, unsigned *first)
{
    *first = 0;
    if (is_number(address))
        return 0;
    if (is_of(address, LLVMGetElementPtr) || is_of(address, LLVMAddrSpaceCast) ||
        is_of(address, LLVMBitCast) || is_of(address, LLVMFreeze))
        return 1;
    if (is_of(address, LLVMSelect))
        return *first = 1, 2;
    return is_of(address, LLVMPHI) ? LLVMCountIncoming(address) : 0;
}

static const struct sl_arg_facts *argument_of(const struct search *s, LLVMValueRef value,
                                              uint32_t *number)
{
    *number = 0;
    if (!LLVMIsAArgument(value) || LLVMGetParamParent(value) != s->facts->kernel)
        return NULL;
    while (LLVMGetParam(s->facts->kernel, *number) != value)
        ++*number;
    return &s->facts->args[*number];
}

/* What the device gives to each launch, and what the launch itself or an image leads to. */
static bool is_given(const struct search *s, LLVMValueRef root)
{
    enum sl_wi what;
    uint32_t number;
    unsigned dim;
    bool led = false;
    for (; is_of(root, LLVMGetElementPtr) || is_of(root, LLVMLoad); root = LLVMGetOperand(root, 0))
        led |= is_of(root, LLVMLoad);
    const struct sl_arg_facts *arg = argument_of(s, root, &number);
    return arg ? arg->kind == SL_ARG_IMAGE
               : sl_wi_parse(root, &what, &dim) && (!led || what == SL_WI_LAUNCH);
}

static bool is_own(const struct search *s, LLVMValueRef root)
{
    return LLVMIsAArgument(root) || LLVMIsAAllocaInst(root) || LLVMIsAGlobalVariable(root) ||
           LLVMIsAConstantPointerNull(root) || LLVMIsAUndefValue(root) || is_given(s, root);
}

static void end_at(struct search *s, LLVMValueRef root, enum use use)
{
    uint32_t number;
    if (argument_of(s, root, &number)) {
        if (number < 32 && use != USE_READ)
            s->facts->only_read &= ~(1U << number);
    } else if (use != USE_TELL) {
        s->keeps &= is_own(s, root);
    }
}

static void follow(struct search *s, LLVMValueRef address, enum use use)
{
    struct sl_list addresses = {0};
    struct sl_map seen = {0};
    sl_list_add(&addresses, address);
    for (size_t n = 0; n < addresses.count; n++) {
        unsigned first;
        const unsigned count = sources_of(addresses.items[n], &first);
        if (!count)
            end_at(s, addresses.items[n], use);
        for (unsigned i = first; i < first + count; i++) {
            LLVMValueRef source = LLVMGetOperand(addresses.items[n], i);
            if (sl_map_get(&seen, source))
                continue;
            sl_map_set(&seen, source, source);
            sl_list_add(&addresses, source);
        }
    }
    sl_list_finish(&addresses);
    sl_map_finish(&seen);
}

static void tell_operands(struct search *s, LLVMValueRef i)
{
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (is_pointer(LLVMGetOperand(i, (unsigned)k)))
            follow(s, LLVMGetOperand(i, (unsigned)k), USE_TELL);
}

static enum use use_by_intrinsic(LLVMValueRef call, unsigned argument)
{
    const unsigned copies = SL_INTRINSIC_COPY | SL_INTRINSIC_COPY_INLINE | SL_INTRINSIC_MOVE;
    const unsigned harmless = SL_INTRINSIC_LIFETIME | SL_INTRINSIC_DEBUG | SL_INTRINSIC_ASSUME |
                              SL_INTRINSIC_PREFETCH | SL_INTRINSIC_NOTHING;
    const bool reads = sl_llvm_is_intrinsic(call, harmless) ||
                       (sl_llvm_is_intrinsic(call, copies) && argument == 1);
    return reads ? USE_READ : USE_WRITE;
}

/* Of the library, which knows nothing but what it is given. */
static bool is_builtin(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         SL_BUILTIN_ATTRIBUTE, sizeof SL_BUILTIN_ATTRIBUTE - 1);
}

/* What it is given it may do anything to; and what it takes from elsewhere counts as well. */
static void look_at_call(struct search *s, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const bool intrinsic = sl_llvm_is_intrinsic(call, SL_INTRINSIC_ANY);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (is_pointer(LLVMGetArgOperand(call, i)))
            follow(s, LLVMGetArgOperand(call, i),
                   intrinsic ? use_by_intrinsic(call, i) : USE_WRITE);
    if (!LLVMIsAFunction(callee)) {
        s->keeps &= is_given(s, callee);
    } else if (!LLVMIsDeclaration(callee) && !is_builtin(callee) &&
               !sl_map_get(s->looked, callee)) {
        sl_map_set(s->looked, callee, callee);
        sl_list_add(&s->called, callee);
    }
}

static void look_at(struct search *s, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        follow(s, LLVMGetOperand(i, 0), USE_READ);
        break;
    case LLVMStore:
        follow(s, LLVMGetOperand(i, 1), USE_WRITE);
        if (is_pointer(LLVMGetOperand(i, 0)))
            follow(s, LLVMGetOperand(i, 0), USE_TELL);
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        follow(s, LLVMGetOperand(i, 0), USE_WRITE);
        tell_operands(s, i);
        break;
    case LLVMCall:
        look_at_call(s, i);
        break;
    case LLVMGetElementPtr:
    case LLVMAddrSpaceCast:
    case LLVMBitCast:
    case LLVMFreeze:
    case LLVMSelect:
    case LLVMPHI: /* who uses what it gives counts */
    case LLVMICmp:
        break;
    default:
        tell_operands(s, i);
    }
}

static void look_through(struct search *s, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            look_at(s, i);
}

static void look_at_kernel(struct sl_kernel_facts *facts)
{
    struct sl_map looked = {0};
    struct search s = {.facts = facts, .looked = &looked, .keeps = true};
    for (uint32_t i = 0; i < facts->arg_count && i < 32; i++)
        if (facts->args[i].kind == SL_ARG_GLOBAL || facts->args[i].kind == SL_ARG_CONSTANT)
            facts->only_read |= 1U << i;
    sl_map_set(&looked, facts->kernel, facts->kernel);
    sl_list_add(&s.called, facts->kernel);
    for (size_t n = 0; n < s.called.count; n++)
        look_through(&s, s.called.items[n]);
    if (s.keeps)
        facts->flags |= SL_KERNEL_KEEPS_TO_ARGUMENTS;
    sl_list_finish(&s.called);
    sl_map_finish(&looked);
}

/* Behind the first optimiser: variables are values. */
int sl_pass_memory_use(struct sl_pass *pass)
{
    for (uint32_t k = 0; k < pass->kernel_count && sl_pipe_is_timed(pass->module); k++)
        if (!pass->kernels[k].elsewhere && pass->kernels[k].flags & SL_KERNEL_USES_PIPES)
            look_at_kernel(&pass->kernels[k]);
    return 0;
}
