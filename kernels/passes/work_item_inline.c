/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every function that needs to know its work-item (ids, barriers, printf, traps, local variables of
 * a called kernel) is inlined into the kernels, and so is one with variables too large for a stack:
 * a kernel's own can live elsewhere. Calls of what nobody defines are refused by name.
 * No shared state.
 */
#include "items/group_frame.h"
#include "items/work_item.h"
#include "passes/stages.h"

#include "builtins/archive.h"
#include "groups/stages.h"
#include "ir/calls.h"
#include "ir/map.h"
#include "ir/memory.h"
#include "items/sub_group_op.h"
#include "items/trap.h"
#include "vector/analysis/image_call.h"
#include "vector/analysis/target.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void drop_attribute(LLVMValueRef f, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMRemoveEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind);
}

/* Builtins for rare arguments (builtins/rare.h, remainder_functions.h). */
static bool stays_a_call(LLVMValueRef f)
{
    static const char name[] = "vector-function-abi-variant";
    return LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, name, sizeof name - 1) ||
           sl_archive_is_named(LLVMGetValueName(f), "sl_cold_");
}

/* Builtins that the vector form knows by name (builtins/lane.h, vector/analysis/image_call.h). */
static bool is_lanewise(LLVMValueRef f)
{
    return sl_archive_is_named(LLVMGetValueName(f), "sl_lane_") || sl_image_has_lanes(f);
}

/* Which sl_pass_sub_groups looks for. */
static bool is_operation(const struct sl_pass *pass, LLVMValueRef f)
{
    return sl_sub_groups_may_go_in_step(pass) && sl_sub_group_function(f, NULL);
}

/* optnone would keep our own pipelines out as well. */
static void allow_passes(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !stays_a_call(f)) {
            drop_attribute(f, "optnone");
            drop_attribute(f, "noinline");
        }
}

static LLVMValueRef caller(LLVMValueRef call)
{
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
}

static void add(LLVMValueRef f, struct sl_map *known, struct sl_list *needing)
{
    if (sl_map_get(known, f))
        return;
    sl_map_set(known, f, f);
    sl_list_add(needing, f);
}

/* Adds the functions that call `callee` to `needing`. */
static void add_callers(LLVMValueRef callee, struct sl_map *known, struct sl_list *needing)
{
    for (LLVMUseRef use = LLVMGetFirstUse(callee); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user))
            add(caller(user), known, needing);
    }
}

static bool asks_for_item(LLVMValueRef function)
{
    return sl_wi_is_builtin(LLVMGetValueName(function)) || sl_is_trap(function);
}

static void find_needing(LLVMModuleRef module, bool large_too, struct sl_list *needing)
{
    struct sl_map known = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (LLVMIsDeclaration(f) && asks_for_item(f))
            add_callers(f, &known, needing);
        else if (large_too && !sl_is_kernel(f) && sl_own_stack(f) > SL_LARGE_VARIABLE)
            add(f, &known, needing);
    for (size_t i = 0; i < needing->count; i++)
        add_callers(needing->items[i], &known, needing);
    sl_map_finish(&known);
}

/* "_Z3fooi" reads "foo"; other names stay. */
static void plain_name(const char *mangled, const char **name, int *length)
{
    *name = mangled;
    *length = strlen(mangled);
    if (strncmp(mangled, "_Z", 2) != 0 || !isdigit((unsigned char)mangled[2]))
        return;
    char *text;
    unsigned long n = strtoul(mangled + 2, &text, 10);
    if (n <= strlen(text)) {
        *name = text;
        *length = (int)n;
    }
}

static int refuse_undefined(struct sl_pass *pass, LLVMValueRef callee, LLVMValueRef from)
{
    const char *a, *b;
    int a_length, b_length;
    plain_name(LLVMGetValueName(callee), &a, &a_length);
    plain_name(LLVMGetValueName(from), &b, &b_length);
    return sl_pass_refuse(pass, "undefined function '%.*s' called from '%.*s'", a_length, a,
                          b_length, b);
}

struct walk {
    struct sl_map seen;
    struct sl_list functions; /* reachable from kernels */
};

static int check_call(struct sl_pass *pass, struct walk *walk, LLVMValueRef from,
                      LLVMValueRef callee)
{
    if (!LLVMIsAFunction(callee) || LLVMGetIntrinsicID(callee))
        return 0;
    if (LLVMIsDeclaration(callee)) {
        bool known = sl_has_ready_code(callee) || sl_wi_is_builtin(LLVMGetValueName(callee));
        return known ? 0 : refuse_undefined(pass, callee, from);
    }
    if (!sl_map_get(&walk->seen, callee)) {
        sl_map_set(&walk->seen, callee, callee);
        sl_list_add(&walk->functions, callee);
    }
    return 0;
}

static int check_function(struct sl_pass *pass, struct walk *walk, LLVMValueRef f)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && check_call(pass, walk, f, LLVMGetCalledValue(i)))
                return -1;
    return 0;
}

static int check_undefined(struct sl_pass *pass)
{
    struct walk walk = {0};
    int rc = 0;
    for (uint32_t k = 0; k < pass->kernel_count; k++)
        sl_list_add(&walk.functions, pass->kernels[k].kernel);
    for (size_t i = 0; i < walk.functions.count && rc == 0; i++)
        rc = check_function(pass, &walk, walk.functions.items[i]);
    sl_list_finish(&walk.functions);
    sl_map_finish(&walk.seen);
    return rc;
}

static int refuse_calls(struct sl_pass *pass, LLVMValueRef f)
{
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use))
        if (LLVMIsACallInst(LLVMGetUser(use)))
            return sl_pass_refuse(pass, "recursion is not supported: function '%s'",
                                  LLVMGetValueName(f));
    return 0;
}

/* A function that still asks for its work-item calls itself: nothing else survives the inliner. */
static int check_recursion(struct sl_pass *pass)
{
    struct sl_list needing = {0};
    int rc = 0;
    find_needing(pass->module, false, &needing);
    for (size_t i = 0; i < needing.count && rc == 0; i++)
        if (!is_operation(pass, needing.items[i]))
            rc = refuse_calls(pass, needing.items[i]);
    sl_list_finish(&needing);
    return rc;
}
/* What no kernel calls, at last; its calls of placeholders must not stay behind. */
static void drop_unused(LLVMModuleRef module)
{
    for (bool changed = true; changed;) {
        changed = false;
        LLVMValueRef next;
        for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
            next = LLVMGetNextFunction(f);
            if (LLVMGetFirstUse(f) || sl_is_kernel(f) || LLVMIsDeclaration(f))
                continue;
            LLVMDeleteFunction(f);
            changed = true;
        }
    }
}

/* ---- how large that makes kernels ------------------------------------------------------------ */

#define MOST_INSTRUCTIONS 1000000u

struct growth {
    struct sl_map known;  /* function -> index in sizes + 1 */
    uint64_t *sizes;      /* with all that is put into it; 0: not known yet */
    unsigned always_kind; /* the attribute's */
};

static bool is_put_in(const struct growth *g, LLVMValueRef callee)
{
    return LLVMIsAFunction(callee) && !LLVMIsDeclaration(callee) &&
           LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, g->always_kind);
}

/* A function in the middle of it counts as one: recursion is refused by name, but only later. */
static uint64_t grown_size(const struct growth *g, LLVMValueRef f)
{
    uint64_t *size = &g->sizes[(uintptr_t)sl_map_get(&g->known, f) - 1], sum = 1;
    if (*size)
        return *size;
    *size = 1;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            sum++;
            if (LLVMIsACallInst(i) && is_put_in(g, LLVMGetCalledValue(i)))
                sum += grown_size(g, LLVMGetCalledValue(i));
            if (sum > MOST_INSTRUCTIONS)
                sum = MOST_INSTRUCTIONS + 1;
        }
    return *size = sum;
}

/* Two calls of the next function in each double the code with every level. */
static int check_growth(struct sl_pass *pass)
{
    struct growth g = {.always_kind = LLVMGetEnumAttributeKindForName("alwaysinline", 12)};
    uintptr_t count = 0;
    int rc = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(pass->module); f; f = LLVMGetNextFunction(f))
        sl_map_set(&g.known, f, (void *)++count);
    g.sizes = sl_ir_alloc((uint32_t)count, sizeof *g.sizes);
    for (uint32_t k = 0; k < pass->kernel_count && !rc; k++)
        if (grown_size(&g, pass->kernels[k].kernel) > MOST_INSTRUCTIONS)
            rc = sl_pass_refuse(pass,
                                "%s: too large with the functions that must be inlined into it: "
                                "more than %u instructions",
                                pass->kernels[k].name, MOST_INSTRUCTIONS);
    free(g.sizes);
    sl_map_finish(&g.known);
    return rc;
}

/* ---- functions that vectors of items should see the inside of -------------------------------- */

/* Instructions as clang makes them, in a kernel with all of these. */
#define ENOUGH_INLINED 20000u

/* The most instructions of a function: the rounds of a hash, written out, are thousands. */
static const uint64_t most_of_function[] = {ENOUGH_INLINED, 4000, 1000};

static bool has_at_most(LLVMValueRef f, uint64_t most)
{
    uint64_t count = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (++count > most)
                return false;
    return true;
}

static void mark_small(struct sl_pass *pass, struct sl_list *marked, const struct growth *g,
                       uint64_t most)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(pass->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || sl_is_kernel(f) || stays_a_call(f) || is_lanewise(f) ||
            sl_sub_group_function(f, NULL) || !has_at_most(f, most) ||
            LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, g->always_kind))
            continue;
        sl_list_add(marked, f);
        sl_emit_add_enum_attribute(f, LLVMAttributeFunctionIndex, "alwaysinline", 0);
    }
}

/* Whether no kernel grows too large with those of at most so many instructions; else it marks none.
 */
static bool inline_up_to(struct sl_pass *pass, struct growth *g, uint32_t functions, uint64_t most)
{
    struct sl_list marked = {0};
    bool fits = true;
    mark_small(pass, &marked, g, most);
    g->sizes = sl_ir_alloc(functions, sizeof *g->sizes);
    for (uint32_t k = 0; k < pass->kernel_count && fits; k++)
        fits = grown_size(g, pass->kernels[k].kernel) <= ENOUGH_INLINED;
    for (size_t i = 0; i < marked.count && !fits; i++)
        drop_attribute(marked.items[i], "alwaysinline");
    free(g->sizes);
    sl_list_finish(&marked);
    return fits;
}

/* A call is made for one item after the other: what is called often must not be a call. */
static void inline_small(struct sl_pass *pass)
{
    struct growth g = {.always_kind = LLVMGetEnumAttributeKindForName("alwaysinline", 12)};
    uintptr_t count = 0;
    bool fits = false;
    if (!sl_pass_has(pass, SL_PASS_OPTIMIZE) || !sl_vector_target(pass))
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(pass->module); f; f = LLVMGetNextFunction(f))
        sl_map_set(&g.known, f, (void *)++count);
    for (size_t i = 0; i < sizeof most_of_function / sizeof *most_of_function && !fits; i++)
        fits = inline_up_to(pass, &g, (uint32_t)count, most_of_function[i]);
    sl_map_finish(&g.known);
}

int sl_pass_work_item_inline(struct sl_pass *pass)
{
    allow_passes(pass->module);
    if (check_undefined(pass))
        return -1;
    struct sl_list needing = {0};
    find_needing(pass->module, true, &needing);
    for (size_t i = 0; i < needing.count; i++)
        if (is_operation(pass, needing.items[i])) {
            drop_attribute(needing.items[i], "alwaysinline");
        } else if (!sl_is_kernel(needing.items[i])) {
            LLVMSetLinkage(needing.items[i], LLVMInternalLinkage);
            sl_emit_add_enum_attribute(needing.items[i], LLVMAttributeFunctionIndex, "alwaysinline",
                                       0);
        }
    sl_list_finish(&needing);
    inline_small(pass);
    if (check_growth(pass) || sl_pass_run_llvm_on_module(pass, "always-inline"))
        return -1;
    drop_unused(pass->module);
    return check_recursion(pass);
}
