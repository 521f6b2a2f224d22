/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. No locks: a build's state belongs to its thread. */
#include "compiler/codegen/pipelines.h"

#include <string.h>

#include "ir/emit.h"
#include "items/group_frame.h"
#include "llvm/loops/memory/narrow_indices.h"
#include "llvm/loops/memory/turned_accesses.h"
#include "llvm/loops/rounds/blend_chains.h"
#include "llvm/straight_vectors.h"

/*
 * LLVM's O2 pipeline takes twice as long: it cleans up after itself for code of any origin. What
 * comes here was simplified before the item loops were built around it, except for functions that
 * do not ask for their work-item; these are simplified on the way into their callers.
 */
static const char optimized[] =
    "cgscc(inline,function<eager-inv>("
    "sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,"
    "loop-mssa(loop-rotate,licm<allowspeculation>),simplifycfg,"
    "loop(indvars,loop-deletion,loop-unroll-full),"
    "sroa<modify-cfg>,gvn,bdce,dse,simplifycfg<sink-common-insts;hoist-common-insts>)),"
    "globaldce";
/* What follows. */
#define LOOPS                                                                                      \
    "loop-vectorize,instcombine<no-verify-fixpoint>,"                                              \
    "simplifycfg<forward-switch-cond;switch-range-to-icmp;switch-to-lookup;no-keep-loops;"         \
    "hoist-common-insts;sink-common-insts>"
#define STRAIGHT "slp-vectorizer"
#define REST                                                                                       \
    "vector-combine,loop-unroll<O2>,early-cse,loop-mssa(licm),instcombine<no-verify-fixpoint>"
static const char vectorized[] = "function<eager-inv>(" LOOPS "," STRAIGHT "," REST "),constmerge";

/* What is in vectors of items, or moves packets, has no loops for LLVM to vectorise or to unroll */
#define PLAIN(questions)                                                                           \
    "cgscc(inline,function<eager-inv>("                                                            \
    "sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,"              \
    "loop-mssa(licm<allowspeculation>)," questions "simplifycfg,gvn,dse,"                          \
    "simplifycfg<sink-common-insts;hoist-common-insts>)),"                                         \
    "globaldce,"                                                                                   \
    "function<eager-inv>("                                                                         \
    "instcombine<no-verify-fixpoint>,"                                                             \
    "simplifycfg<forward-switch-cond;switch-range-to-icmp;switch-to-lookup;no-keep-loops;"         \
    "hoist-common-insts;sink-common-insts>,"                                                       \
    "vector-combine,early-cse,loop-mssa(licm)),"                                                   \
    "constmerge"
static const char plain[] = PLAIN("");
/* Accesses that each ask whether the same index wraps around: whoever knows goes on without. */
static const char asking[] = PLAIN("jump-threading,");
/* A thread's own sums: where all items add the same, the loop over them is a product. */
static const char adding[] = PLAIN("loop(indvars,loop-deletion),");

/* Each pass here makes the code generator's work less by more than it takes itself. */
static const char quick[] = "always-inline,globaldce,function(sroa,early-cse,simplifycfg)";

/* A kernel has the last of these that it has a reason for. */
enum way { PLAIN_WAY, ADDING, ASKING, OPTIMIZED, WAYS };
static const char *const pipelines[WAYS] = {
    [PLAIN_WAY] = plain,
    [ADDING] = adding,
    [ASKING] = asking,
    [OPTIMIZED] = optimized,
};

#define MOST_QUESTIONS 256 /* what they guard is copied */

static bool asks_twice(LLVMValueRef f)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(f));
    unsigned questions = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        questions += end && sl_rows_may_go_together(context, end);
    }
    return questions > 1 && questions <= MOST_QUESTIONS;
}

/* ---- whose code is whose --------------------------------------------------------------------- */

/* Calls fn for `run`, and for the forms that it calls, which may be two once more. */
static void each_function(LLVMValueRef run, void (*fn)(LLVMValueRef, void *), void *data)
{
    fn(run, data);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(run); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef to = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
            if (to && to != run && !LLVMIsDeclaration(to) &&
                LLVMGlobalGetValueType(to) == LLVMGlobalGetValueType(run))
                each_function(to, fn, data);
        }
}

static bool has_code(const struct sl_kernel_facts *kernel)
{
    return kernel->run && !LLVMIsDeclaration(kernel->run);
}

/* An attribute that functions of kernels have while LLVM runs: the digit of their enum way. */
static const char way_mark[] = "sl-way";

static enum way way_of(LLVMValueRef f) /* WAYS: of no kernel */
{
    LLVMAttributeRef mark =
        LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, way_mark, sizeof way_mark - 1);
    unsigned bytes;
    return mark ? (enum way)(*LLVMGetStringAttributeValue(mark, &bytes) - '0') : WAYS;
}

static void mark(LLVMValueRef f, const char *name, const char *value)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(f));
    LLVMAttributeRef attribute = LLVMCreateStringAttribute(context, name, (unsigned)strlen(name),
                                                           value, (unsigned)strlen(value));
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, attribute);
}

static bool unmark(LLVMValueRef f, const char *name)
{
    unsigned bytes = (unsigned)strlen(name);
    if (!LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, name, bytes))
        return false;
    LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, name, bytes);
    return true;
}

static void raise_way(LLVMValueRef f, void *way)
{
    if (*(enum way *)way < ASKING && asks_twice(f))
        *(enum way *)way = ASKING;
}

static void note_way(LLVMValueRef f, void *way)
{
    const char digit[] = {(char)('0' + *(enum way *)way), '\0'};
    enum way known = way_of(f);
    if (known == WAYS || known < *(enum way *)way)
        mark(f, way_mark, digit);
}

/* Functions of no kernel become part of those that call them. */
static enum way least_way(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (way_of(f) == WAYS && asks_twice(f))
            return ASKING;
    return PLAIN_WAY;
}

static void choose_ways(struct sl_stages *stages)
{
    enum way none = PLAIN_WAY;
    for (uint32_t k = 0; k < stages->pass.kernel_count; k++)
        if (has_code(&stages->pass.kernels[k]))
            each_function(stages->pass.kernels[k].run, note_way, &none);
    const enum way least = least_way(stages->module);
    for (uint32_t k = 0; k < stages->pass.kernel_count; k++) {
        const struct sl_kernel_facts *kernel = &stages->pass.kernels[k];
        enum way way = kernel->loop_passes ? OPTIMIZED : kernel->sum_bits ? ADDING : PLAIN_WAY;
        if (!has_code(kernel))
            continue;
        way = way > least ? way : least;
        each_function(kernel->run, raise_way, &way);
        each_function(kernel->run, note_way, &way);
    }
}

/* ---- one after the other --------------------------------------------------------------------- */

static const char waits_mark[] = "sl-waits", calls_mark[] = "sl-waits-noinline";

static unsigned kind_of(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

/* LLVM's passes leave out what has the attribute `optnone`. The marks say what to take back. */
static void hide(LLVMValueRef f, const char *hidden, const char *not_inlined)
{
    LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    if (LLVMGetEnumAttributeAtIndex(f, at, kind_of("optnone")))
        return;
    if (!LLVMGetEnumAttributeAtIndex(f, at, kind_of("noinline")))
        mark(f, not_inlined, "");
    mark(f, hidden, "");
    sl_emit_add_enum_attribute(f, at, "noinline", 0);
    sl_emit_add_enum_attribute(f, at, "optnone", 0);
}

static void show_all(LLVMModuleRef module, const char *hidden, const char *not_inlined)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
        if (unmark(f, hidden))
            LLVMRemoveEnumAttributeAtIndex(f, at, kind_of("optnone"));
        if (unmark(f, not_inlined))
            LLVMRemoveEnumAttributeAtIndex(f, at, kind_of("noinline"));
    }
}

static void hide_others(LLVMModuleRef module, enum way way)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        enum way of = way_of(f);
        if (!LLVMIsDeclaration(f) && of != way && of != WAYS)
            hide(f, waits_mark, calls_mark);
    }
}

static const char long_mark[] = "sl-long", long_calls_mark[] = "sl-long-noinline";

/* The same where some are too long for what takes straight code together. */
static int vectorize_others_straight(struct sl_stages *stages)
{
    if (sl_stage_run_llvm(stages, "function<eager-inv>(" LOOPS ")"))
        return -1;
    for (LLVMValueRef f = LLVMGetFirstFunction(stages->module); f; f = LLVMGetNextFunction(f))
        if (sl_llvm_is_long(f))
            hide(f, long_mark, long_calls_mark);
    int rc = sl_stage_run_llvm(stages, "function(" STRAIGHT ")");
    show_all(stages->module, long_mark, long_calls_mark);
    return rc ? rc : sl_stage_run_llvm(stages, "function<eager-inv>(" REST "),constmerge");
}

static int vectorize(struct sl_stages *stages)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(stages->module); f; f = LLVMGetNextFunction(f))
        if (sl_llvm_is_long(f))
            return vectorize_others_straight(stages);
    return sl_stage_run_llvm(stages, vectorized);
}

static int run_way(struct sl_stages *stages, enum way way)
{
    if (sl_stage_run_llvm(stages, pipelines[way]))
        return -1;
    if (way != OPTIMIZED)
        return 0;
    sl_llvm_leave_narrow_indices(stages->module);
    sl_llvm_leave_blend_chains(stages->module);
    return vectorize(stages);
}

static int run_ways(struct sl_stages *stages)
{
    bool present[WAYS + 1] = {false};
    unsigned count = 0;
    int rc = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(stages->module); f; f = LLVMGetNextFunction(f))
        present[way_of(f)] = true;
    for (enum way w = PLAIN_WAY; w < WAYS; w++)
        count += present[w];
    if (!count)
        return run_way(stages, least_way(stages->module));
    for (enum way w = WAYS; w-- > PLAIN_WAY && !rc;) {
        if (!present[w])
            continue;
        if (count > 1)
            hide_others(stages->module, w);
        rc = run_way(stages, w);
        show_all(stages->module, waits_mark, calls_mark);
    }
    return rc;
}

static void turn_accesses(struct sl_stages *stages)
{
    if (!sl_pass_step(&stages->pass, "turned accesses", NULL))
        return;
    const bool gathers = !sl_pass_has(&stages->pass, SL_PASS_FAST_GATHERS);
    for (LLVMValueRef f = LLVMGetFirstFunction(stages->module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            sl_llvm_turn_accesses(f, gathers);
}

int sl_stage_run_pipelines(struct sl_stages *stages)
{
    if (stages->quick)
        return sl_stage_run_llvm(stages, quick);
    if (!stages->options.optimize || !sl_pass_step(&stages->pass, "LLVM's optimiser", NULL))
        return sl_stage_run_llvm(stages, "always-inline,globaldce");
    if (sl_stage_run_llvm(stages, "always-inline"))
        return -1;
    choose_ways(stages);
    int rc = run_ways(stages);
    if (!rc)
        turn_accesses(stages);
    for (LLVMValueRef f = LLVMGetFirstFunction(stages->module); f; f = LLVMGetNextFunction(f))
        unmark(f, way_mark);
    return rc;
}
