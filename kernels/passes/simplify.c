/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private variables become values and loops get their usual form, with what the vectoriser wants to
 * know kept in sight of LLVM's passes. No shared state.
 */
#include "passes/stages.h"

#include <math.h>

#include "groups/stages.h"
#include "ir/compile_effort.h"
#include "ir/variables/shift_register.h"
#include "items/work_item.h"
#include "pipes/pipe.h"
#include "vector/analysis/target.h"
#include "llvm/component_stores.h"
#include "llvm/intrinsics.h"
#include "llvm/loops/counts/plain_count.h"
#include "llvm/loops/memory/array_loops.h"
#include "llvm/loops/rounds/border_rounds.h"
#include "llvm/loops/rounds/counted_products.h"
#include "llvm/loops/rounds/extremes.h"
#include "llvm/loops/rounds/neighbour_sums.h"
#include "llvm/loops/rounds/split_sums.h"
#include "llvm/loops/rounds/unroll_limit.h"
#include "llvm/loops/rounds/unswitch.h"
#include "llvm/pass_support.h"

#define FAR 65536      /* from an id, as something that is added to it */
#define DEEPEST_USER 3 /* operations that have no sign themselves */

enum { WITH_SIGN = 1, WITHOUT_SIGN = 2 };

static unsigned signs_of(LLVMValueRef number, unsigned depth);

static unsigned sign_of_call(LLVMValueRef call)
{
    if (!sl_llvm_is_min_or_max(call))
        return 0;
    return sl_llvm_intrinsic(call)->flags & SL_INTRINSIC_SIGNED ? WITH_SIGN : WITHOUT_SIGN;
}

static unsigned sign_of_compare(LLVMValueRef compare)
{
    LLVMIntPredicate p = LLVMGetICmpPredicate(compare);
    return p == LLVMIntEQ || p == LLVMIntNE ? 0 : p >= LLVMIntSGT ? WITH_SIGN : WITHOUT_SIGN;
}

static unsigned sign_of_user(LLVMValueRef user, unsigned depth)
{
    switch (LLVMIsAInstruction(user) ? LLVMGetInstructionOpcode(user) : LLVMZExt) {
    case LLVMSExt:
    case LLVMSIToFP:
    case LLVMSDiv:
    case LLVMSRem:
    case LLVMAShr:
        return WITH_SIGN;
    case LLVMZExt:
    case LLVMUIToFP:
    case LLVMUDiv:
    case LLVMURem:
    case LLVMLShr:
        return WITHOUT_SIGN;
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        return LLVMGetNSW(user) ? WITH_SIGN : WITHOUT_SIGN;
    case LLVMICmp:
        return sign_of_compare(user);
    case LLVMCall:
        return sign_of_call(user);
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMPHI:
    case LLVMSelect:
        return depth ? signs_of(user, depth - 1) : WITHOUT_SIGN;
    default:
        return 0;
    }
}

/* What those who use the number take it for; in sums that may wrap, without a sign. */
static unsigned signs_of(LLVMValueRef number, unsigned depth)
{
    unsigned signs = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(number); u && signs < WITHOUT_SIGN; u = LLVMGetNextUse(u))
        signs |= sign_of_user(LLVMGetUser(u), depth);
    return signs;
}

/* `get_global_id(0) + 4` as an int: what becomes of ids that no int holds is ours to say (C
 * 6.3.1.3), and without wrapping these count up too. Not so as a uint, and who asks for no sign may
 * mean one. */
static LLVMValueRef without_offset(LLVMValueRef sum, int64_t *offset)
{
    LLVMOpcode op = LLVMIsABinaryOperator(sum) ? LLVMGetInstructionOpcode(sum) : LLVMCall;
    if ((op != LLVMAdd && op != LLVMSub) || !LLVMIsAConstantInt(LLVMGetOperand(sum, 1)))
        return sum;
    *offset = LLVMConstIntGetSExtValue(LLVMGetOperand(sum, 1));
    if (*offset > FAR || *offset < -FAR)
        return sum;
    if (op == LLVMSub)
        *offset = -*offset;
    return LLVMGetOperand(sum, 0);
}

/* Most kernels keep their ids in an int or uint. As a value of its own the low half is known to
 * count up without wrapping (item_loops.c), which LLVM's passes would hide in shifts and masks. */
static void name_low_halves(struct sl_pass *pass, LLVMValueRef kernel)
{
    struct sl_emit e;
    sl_emit_init(&e, pass->context);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            enum sl_wi what;
            unsigned dim;
            int64_t offset = 0;
            if (!LLVMIsATruncInst(i) || LLVMTypeOf(i) != e.i32)
                continue;
            LLVMValueRef id = without_offset(LLVMGetOperand(i, 0), &offset);
            if (!sl_wi_parse(id, &what, &dim) || dim ||
                (what != SL_WI_GLOBAL_ID && what != SL_WI_LOCAL_ID) ||
                (offset && signs_of(i, DEEPEST_USER) != WITH_SIGN))
                continue;
            LLVMPositionBuilderBefore(e.builder, i);
            what = what == SL_WI_GLOBAL_ID ? SL_WI_GLOBAL_LOW : SL_WI_LOCAL_LOW;
            LLVMValueRef low = sl_wi_emit(&e, pass->module, what, 0);
            if (offset) {
                low = LLVMBuildAdd(e.builder, low, LLVMConstInt(e.i32, (uint64_t)offset, true), "");
                LLVMSetNSW(low, true);
            }
            LLVMReplaceAllUsesWith(i, low);
            LLVMInstructionEraseFromParent(i);
        }
    sl_emit_finish(&e);
}

/* The int in `(long << 32) + (offset << 32) >> by`, by at most 32: it was cut, and perhaps
 * multiplied by a size. */
static LLVMValueRef find_shortened_long(const struct sl_emit *e, LLVMValueRef i, uint64_t *by,
                                        int64_t *offset)
{
    LLVMValueRef up = LLVMIsABinaryOperator(i) ? LLVMGetOperand(i, 0) : NULL;
    *offset = 0;
    if (!up || LLVMGetInstructionOpcode(i) != LLVMAShr || LLVMTypeOf(i) != e->i64 ||
        !LLVMIsABinaryOperator(up) || !LLVMIsAConstantInt(LLVMGetOperand(i, 1)))
        return NULL;
    if (LLVMGetInstructionOpcode(up) == LLVMAdd && LLVMIsAConstantInt(LLVMGetOperand(up, 1)) &&
        LLVMIsABinaryOperator(LLVMGetOperand(up, 0))) {
        *offset = LLVMConstIntGetSExtValue(LLVMGetOperand(up, 1));
        if (*offset & UINT32_MAX)
            return NULL;
        *offset /= INT64_C(1) << 32;
        up = LLVMGetOperand(up, 0);
    }
    if (LLVMGetInstructionOpcode(up) != LLVMShl || LLVMGetOperand(up, 1) != sl_emit_i64(e, 32))
        return NULL;
    *by = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1));
    return *by <= 32 ? LLVMGetOperand(up, 0) : NULL;
}

/* A long cut to an int, as in `int i = get_global_id(0) + width * get_global_id(1)`, is two shifts
 * to LLVM; as an int it is known to count up from item to item (speculative_stride.c). */
static void name_shortened_longs(struct sl_pass *pass, LLVMValueRef kernel)
{
    struct sl_emit e;
    uint64_t by;
    int64_t offset;
    sl_emit_init(&e, pass->context);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            LLVMValueRef now = find_shortened_long(&e, i, &by, &offset),
                         up = now ? LLVMGetOperand(i, 0) : NULL;
            if (!now)
                continue;
            LLVMPositionBuilderBefore(e.builder, i);
            if (offset)
                now = LLVMBuildAdd(e.builder, now, LLVMConstInt(e.i64, (uint64_t)offset, true), "");
            now = LLVMBuildSExt(e.builder, LLVMBuildTrunc(e.builder, now, e.i32, ""), e.i64, "");
            if (by < 32)
                now = LLVMBuildShl(e.builder, now, sl_emit_i64(&e, 32 - by), "");
            LLVMReplaceAllUsesWith(i, now);
            LLVMInstructionEraseFromParent(i);
            if (!LLVMGetFirstUse(up))
                LLVMInstructionEraseFromParent(up);
        }
    sl_emit_finish(&e);
}

/* The id in `id + offset & mask`, of a mask that an int holds. */
static LLVMValueRef find_masked_id(const struct sl_emit *e, LLVMValueRef i, int64_t *offset,
                                   enum sl_wi *what)
{
    unsigned dim;
    *offset = 0;
    if (!LLVMIsABinaryOperator(i) || LLVMGetInstructionOpcode(i) != LLVMAnd ||
        LLVMTypeOf(i) != e->i64 || !LLVMIsAConstantInt(LLVMGetOperand(i, 1)) ||
        LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1)) > INT32_MAX)
        return NULL;
    LLVMValueRef id = without_offset(LLVMGetOperand(i, 0), offset);
    return *offset && sl_wi_parse(id, what, &dim) && !dim &&
                   (*what == SL_WI_GLOBAL_ID || *what == SL_WI_LOCAL_ID)
               ? id
               : NULL;
}

/* What is left of an id as a long by a small mask, as LLVM writes `(int)get_local_id(0) + 1 & 63`,
 * is an int: half as many registers. */
static void narrow_masked_ids(struct sl_pass *pass, LLVMValueRef kernel)
{
    struct sl_emit e;
    enum sl_wi what;
    int64_t offset;
    sl_emit_init(&e, pass->context);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            LLVMValueRef id = find_masked_id(&e, i, &offset, &what);
            if (!id)
                continue;
            uint64_t mask = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1));
            LLVMPositionBuilderBefore(e.builder, i);
            what = what == SL_WI_GLOBAL_ID ? SL_WI_GLOBAL_LOW : SL_WI_LOCAL_LOW;
            LLVMValueRef low = sl_wi_emit(&e, pass->module, what, 0);
            bool local = what == SL_WI_LOCAL_LOW; /* far from what an int holds */
            low = LLVMBuildAdd(e.builder, low, LLVMConstInt(e.i32, (uint64_t)offset, true), "");
            if (local && LLVMIsAInstruction(low))
                LLVMSetNSW(low, true);
            low = LLVMBuildAnd(e.builder, low, LLVMConstInt(e.i32, mask, false), "");
            LLVMReplaceAllUsesWith(i, LLVMBuildZExt(e.builder, low, e.i64, ""));
            LLVMInstructionEraseFromParent(i);
        }
    sl_emit_finish(&e);
}

/* Ids, sizes and arguments are what they are; "freeze" would hide from barrier_split.h that they
 * are cheap to have again. */
static void drop_freezes(LLVMValueRef kernel)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            LLVMValueRef of = LLVMIsAFreezeInst(i) ? LLVMGetOperand(i, 0) : NULL;
            enum sl_wi what;
            unsigned dim;
            if (!of || (!LLVMIsAArgument(of) && !sl_wi_parse(of, &what, &dim)))
                continue;
            LLVMReplaceAllUsesWith(i, of);
            LLVMInstructionEraseFromParent(i);
        }
}

/* The id in `assume(id < constant)`. */
static bool is_bound_of_id(LLVMValueRef i)
{
    LLVMValueRef compare =
        sl_llvm_is_intrinsic(i, SL_INTRINSIC_ASSUME) ? LLVMGetOperand(i, 0) : NULL;
    enum sl_wi what;
    unsigned dim;
    return compare && LLVMIsAICmpInst(compare) && LLVMIsAConstantInt(LLVMGetOperand(compare, 1)) &&
           sl_wi_parse(LLVMGetOperand(compare, 0), &what, &dim);
}

/* DPC++ says of each id and size that an int holds it. LLVM's passes have used that by now; to ours
 * it is one more thing that an item does, where they look for what all do alike. */
static void drop_bounds_of_ids(LLVMValueRef kernel)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!is_bound_of_id(i))
                continue;
            LLVMValueRef compare = LLVMGetOperand(i, 0);
            LLVMInstructionEraseFromParent(i);
            if (!LLVMGetFirstUse(compare))
                LLVMInstructionEraseFromParent(compare);
        }
}

/* LLVM unrolls no loop that calls a function of one use: it expects that to be put there soon. Here
 * it stays a call, and the loop must not depend on who else calls it. */
static void hold_calls(struct sl_pass *pass, LLVMValueRef kernel, bool hold)
{
    static const char name[] = "sl-held";
    LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned kind = LLVMGetEnumAttributeKindForName("noinline", 8);
    LLVMAttributeRef attributes[] = {
        LLVMCreateEnumAttribute(pass->context, kind, 0),
        LLVMCreateStringAttribute(pass->context, name, sizeof name - 1, "", 0)};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsACallInst(i) || !LLVMIsAFunction(LLVMGetCalledValue(i)))
                continue;
            bool held = LLVMGetCallSiteStringAttribute(i, at, name, sizeof name - 1);
            if (hold && !LLVMGetCallSiteEnumAttribute(i, at, kind)) {
                LLVMAddCallSiteAttribute(i, at, attributes[0]);
                LLVMAddCallSiteAttribute(i, at, attributes[1]);
            } else if (!hold && held) {
                LLVMRemoveCallSiteEnumAttribute(i, at, kind);
                LLVMRemoveCallSiteStringAttribute(i, at, name, sizeof name - 1);
            }
        }
}

/* Of two constants; false: the number's type does not hold it. */
static bool exact_product(LLVMValueRef fma_call, double *product)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(fma_call));
    LLVMValueRef factor[2] = {LLVMGetOperand(fma_call, 0), LLVMGetOperand(fma_call, 1)};
    LLVMBool lost;
    if ((kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind) ||
        !LLVMIsAConstantFP(factor[0]) || !LLVMIsAConstantFP(factor[1]))
        return false;
    double a = LLVMConstRealGetDouble(factor[0], &lost),
           b = LLVMConstRealGetDouble(factor[1], &lost);
    *product = a * b;
    bool held = kind == LLVMFloatTypeKind ? (double)(float)*product == *product
                                          : fabs(*product) > 1e-200 && fma(a, b, -*product) == 0;
    return held && *product != 0;
}

/* `fma(2, 0.25f, x)` of an unrolled loop: a product that is exact is only added. */
static void add_exact_products(struct sl_pass *pass, LLVMValueRef kernel)
{
    struct sl_emit e;
    sl_emit_init(&e, pass->context);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            double product;
            next = LLVMGetNextInstruction(i);
            if (!sl_llvm_is_intrinsic(i, SL_INTRINSIC_FMA) || !exact_product(i, &product))
                continue;
            LLVMPositionBuilderBefore(e.builder, i);
            LLVMValueRef sum = LLVMBuildFAdd(e.builder, LLVMGetOperand(i, 2),
                                             LLVMConstReal(LLVMTypeOf(i), product), "");
            LLVMReplaceAllUsesWith(i, sum);
            LLVMInstructionEraseFromParent(i);
        }
    sl_emit_finish(&e);
}

/* A round needs as many registers for what it adds. */
static void split_sums(struct sl_pass *pass, const struct sl_kernel_facts *kernel)
{
    const uint32_t registers = sl_vector_target(pass)->registers;
    if (sl_llvm_split_sums(kernel->kernel, registers, registers / 2))
        sl_pass_remark(pass, kernel, NULL, "a loop with more sums than registers is several");
}

static bool is_for_one_item(const struct sl_kernel_facts *kernel)
{
    return kernel->task || kernel->flags & SL_KERNEL_SINGLE_TASK ||
           sl_items_do_the_same(kernel->kernel);
}

/* What items of one row differ by. */
static bool tells_lanes_apart(LLVMValueRef value)
{
    enum sl_wi what;
    unsigned dim;
    return sl_wi_parse(value, &what, &dim) && sl_wi_is_item(what) && !dim;
}

/* With few registers a vector of an item's own sums is worth more than one of other items' for each
 * of them: those would be gathered, and most kept in memory. */
static int join_neighbour_sums(struct sl_pass *pass, const struct sl_kernel_facts *kernel)
{
    const struct sl_vector_target *target = sl_vector_target(pass);
    if (!target || target->mask_registers || sl_pipe_is_timed(pass->module) ||
        is_for_one_item(kernel))
        return 0;
    uint32_t count =
        sl_llvm_join_neighbour_sums(kernel->kernel, target->register_bits / 8, tells_lanes_apart);
    if (count)
        sl_pass_remark(pass, kernel, NULL, "an item's sums side by side are %u vectors", count);
    return count ? sl_pass_run_llvm(pass, kernel->kernel, "early-cse,dce") : 0;
}

/* Each of many items would have the room that its window goes through. */
static int slide_shift_registers(struct sl_pass *pass, const struct sl_kernel_facts *kernel)
{
    if (!is_for_one_item(kernel) || !sl_slide_shift_registers(pass, kernel))
        return 0;
    return sl_pass_run_llvm(pass, kernel->kernel, "sroa<modify-cfg>,early-cse<memssa>");
}

static bool is_kernel(const struct sl_pass *pass, LLVMValueRef function)
{
    for (uint32_t k = 0; k < pass->kernel_count; k++)
        if (pass->kernels[k].kernel == function)
            return true;
    return false;
}

/* Of kernels once their variables are values. */
static void store_components_of_callees(struct sl_pass *pass)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(pass->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !is_kernel(pass, f))
            sl_llvm_store_components(f);
}

/* Of many items neighbours go in step, and a border is one of theirs (inner_part.h). In front of
 * indvars, which shows that indices between the borders are next to each other. */
static int split_border_rounds(struct sl_pass *pass, const struct sl_kernel_facts *kernel)
{
    if (!sl_vector_target(pass) || !is_for_one_item(kernel))
        return 0;
    if (sl_pass_run_llvm(pass, kernel->kernel, "loop(loop-rotate)"))
        return -1;
    if (!sl_llvm_split_border_rounds(kernel->kernel))
        return 0;
    sl_pass_remark(pass, kernel, NULL, "rounds at the ends of a loop are apart from it");
    return sl_pass_run_llvm(pass, kernel->kernel, "instsimplify,simplifycfg,dce");
}

/* Of many items lanes are items. Behind loop-rotate, which the function above has run. */
static void keep_lane_rounds(struct sl_pass *pass, const struct sl_kernel_facts *kernel)
{
    const struct sl_vector_target *target = sl_vector_target(pass);
    if (target && target->masked_words && is_for_one_item(kernel))
        sl_keep_lane_rounds(pass, kernel);
}

/* What a round has stored and the next one loads. */
static int carry_stored_extremes(struct sl_pass *pass, const struct sl_kernel_facts *kernel)
{
    if (!sl_vector_target(pass) || !is_for_one_item(kernel) ||
        !sl_llvm_stores_extremes(kernel->kernel))
        return 0;
    return sl_pass_run_llvm(pass, kernel->kernel, "loop-simplify,lcssa,loop-load-elim,dce");
}

#define MOST_COUNTING 768   /* instructions of a loop that is unrolled for its counter's sake */
#define MOST_OF_ARRAYS 8192 /* of all that are so that arrays become values */
#define MOST_APART 2048     /* the same in kernels without barriers */

/* One item's loops, and those of a design, are as many as the program has. */
static bool unroll_array_loops(const struct sl_pass *pass, LLVMValueRef kernel)
{
    bool apart = pass->pipe_kind != SL_PIPES_DATAFLOW && !sl_items_do_the_same(kernel);
    return sl_vector_target(pass) &&
           sl_llvm_unroll_array_loops(kernel, MOST_OF_ARRAYS, apart ? MOST_APART : 0,
                                      pass->pipe_kind == SL_PIPES_DATAFLOW);
}

/* Private variables become values, so that few of them live across barriers, and code is small
 * before it is copied. */
int sl_pass_simplify(struct sl_pass *pass)
{
    const char *values = "sroa<modify-cfg>";
    const char *sums =
        "early-cse<memssa>,jump-threading,simplifycfg,instcombine<no-verify-fixpoint>";
    const char *bounds = "correlated-propagation";
    const char *parts = "instcombine<no-verify-fixpoint>,correlated-propagation";
    const char *loops =
        "loop(loop-rotate,loop-idiom,indvars,loop-deletion,loop-unroll-full),"
        "sroa<modify-cfg>,early-cse,reassociate,instcombine<no-verify-fixpoint>,early-cse,"
        "simplifycfg,dce";
    /* What both ways of a branch begin with is in front of it: items that part there would look
     * twice. Runs with a clock count what each way does. */
    const char *ways = "simplifycfg<hoist-common-insts>,dce";
    /* Rounds that followed from a loop around them are known once that is gone. */
    const char *inner_loops =
        "loop(indvars,loop-deletion,loop-unroll-full),loop(indvars,loop-unroll-full),"
        "sroa<modify-cfg>,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,dce";
    store_components_of_callees(pass);
    for (uint32_t k = 0; k < pass->kernel_count; k++) {
        LLVMValueRef kernel = pass->kernels[k].kernel;
        if (pass->kernels[k].elsewhere)
            continue;
        bool full = sl_pass_has(pass, SL_PASS_OPTIMIZE) && !sl_is_too_large(kernel) &&
                    sl_pass_step(pass, "simplify", &pass->kernels[k]);
        if (sl_pass_run_llvm(pass, kernel, full ? values : "mem2reg"))
            return -1;
        sl_llvm_store_components(kernel);
        if (!full)
            continue;
        sl_interchange_dimensions(pass, &pass->kernels[k]);
        name_shortened_longs(pass, kernel); /* of SPIR-V, which LLVM has seen before */
        narrow_masked_ids(pass, kernel);
        name_low_halves(pass, kernel);
        sl_bound_local_ids(pass, kernel);
        if (sl_pass_run_llvm(pass, kernel, sums))
            return -1;
        /* Bounds of parts make a clamp and a conversion one operation. */
        bool joined = sl_join_packed_parts(kernel);
        if ((joined || sl_has_clamp_at_zero(kernel)) &&
            sl_pass_run_llvm(pass, kernel, joined ? parts : bounds))
            return -1;
        if (sl_name_opposites(pass, kernel) &&
            sl_pass_run_llvm(pass, kernel, "instcombine<no-verify-fixpoint>,early-cse"))
            return -1;
        if (sl_vector_target(pass) && !sl_pipe_is_timed(pass->module) &&
            !is_for_one_item(&pass->kernels[k]))
            sl_put_rounds_in_step(pass, &pass->kernels[k]);
        sl_widen_index_sums(pass, &pass->kernels[k]);
        sl_llvm_say_by_round(kernel); /* also of SPIR-V */
        sl_llvm_say_wrapping_by_round(kernel);
        if (slide_shift_registers(pass, &pass->kernels[k]))
            return -1;
        sl_limit_unrolling(pass, &pass->kernels[k], sl_wi_is_barrier);
        sl_pipe_unroll_packet_loops(pass, &pass->kernels[k]);
        if (sl_vector_target(pass)) {
            sl_limit_unrolling_of_divisions(pass, &pass->kernels[k]);
            sl_keep_sum_loops(pass, &pass->kernels[k]);
            sl_llvm_unroll_counting(kernel, MOST_COUNTING);
        }
        bool arrays = unroll_array_loops(pass, kernel);
        if (sl_vector_target(pass) && sl_llvm_unswitch_loops(kernel, pass->machine))
            sl_pass_remark(pass, &pass->kernels[k], NULL, "a loop for each way of a decision");
        if (split_border_rounds(pass, &pass->kernels[k]))
            return -1;
        keep_lane_rounds(pass, &pass->kernels[k]);
        hold_calls(pass, kernel, true);
        if (sl_pass_run_llvm(pass, kernel, loops) ||
            (arrays && sl_pass_run_llvm(pass, kernel, inner_loops)))
            return -1;
        if (!sl_pipe_is_timed(pass->module) && sl_pass_run_llvm(pass, kernel, ways))
            return -1;
        hold_calls(pass, kernel, false);
        if (pass->kernels[k].whole_sub_groups && sl_part_matrix_rows(pass, kernel))
            return -1;
        add_exact_products(pass, kernel);
        if (carry_stored_extremes(pass, &pass->kernels[k]))
            return -1;
        sl_llvm_compare_carried_last(kernel);
        if (sl_vector_target(pass)) {
            sl_llvm_add_up_products(kernel);
            if (join_neighbour_sums(pass, &pass->kernels[k]))
                return -1;
            split_sums(pass, &pass->kernels[k]);
        }
        name_shortened_longs(pass, kernel);
        sl_forget_local_bounds(pass, kernel);
        drop_freezes(kernel);
        drop_bounds_of_ids(kernel);
        if (sl_settle_switches(kernel))
            sl_llvm_remove_unreachable_blocks(kernel);
    }
    return 0;
}
