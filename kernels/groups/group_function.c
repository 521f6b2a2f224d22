/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frame of the work-group function: sizes and ids, the walk over groups. A local size that
 * reqd_work_group_size names is a constant from here on. No shared state.
 */
#include "groups/group_function.h"
#include "groups/atomic_sums.h"
#include "groups/sub_group.h"

#include "ir/variables/promote.h"
#include "vector/analysis/guard.h"
#include "vector/analysis/target.h"
#include "vector/control_flow/region.h"
#include "llvm/llvm_extra.h"
#include "llvm/loops/item_order.h"
#include "llvm/pass_support.h"
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the kernel needs to know ----------------------------------------------------------- */

bool sl_read_required_size(LLVMContextRef context, LLVMValueRef kernel, uint32_t size[3])
{
    bool found = false;
    unsigned kind =
        LLVMGetMDKindIDInContext(context, "reqd_work_group_size", strlen("reqd_work_group_size"));
    size_t count;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(kernel, &count);
    for (size_t i = 0; i < count; i++) {
        LLVMValueRef node =
            LLVMMetadataAsValue(context, LLVMValueMetadataEntriesGetMetadata(all, i));
        LLVMValueRef sizes[3];
        if (LLVMValueMetadataEntriesGetKind(all, i) != kind || LLVMGetMDNodeNumOperands(node) != 3)
            continue;
        LLVMGetMDNodeOperands(node, sizes);
        for (unsigned d = 0; d < 3; d++)
            size[d] = (uint32_t)LLVMConstIntGetZExtValue(sizes[d]);
        found = true;
    }
    LLVMDisposeValueMetadataEntries(all);
    return found;
}

/* The driver refuses other ranges for such a task; autorun kernels are not enqueued at all. */
static bool is_single(const struct sl_group_function *g)
{
    return g->facts->flags & SL_KERNEL_SINGLE_TASK ||
           (g->facts->flags & SL_KERNEL_AUTORUN && !g->reqd[0]);
}

static bool asks_for_ids(LLVMValueRef kernel)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(kernel);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
        enum sl_wi what;
        unsigned dim;
        if (sl_wi_parse(i, &what, &dim) && (what == SL_WI_GLOBAL_ID || what == SL_WI_GLOBAL_LOW))
            return true;
    }
    return false;
}

bool sl_has_local_argument(const struct sl_kernel_facts *facts)
{
    for (uint32_t i = 0; i < facts->arg_count; i++)
        if (facts->args[i].kind == SL_ARG_LOCAL)
            return true;
    return false;
}

/* Items that fill a vector of 32-bit elements; devices divide flat rows at multiples. */
static uint32_t vector_items(struct sl_pass *pass)
{
    const struct sl_vector_target *target = sl_vector_target(pass);
    return !sl_pass_has(pass, SL_PASS_OPTIMIZE)    ? 1
           : target && target->register_bits > 256 ? 16
                                                   : 8;
}

static void set_flags(struct sl_group_function *g)
{
    struct sl_kernel_facts *facts = g->facts;
    bool barrier = false;
    for (uint32_t b = 0; b < g->split.barrier_count; b++)
        barrier |= !g->split.barriers[b].inner;
    facts->vector_width = vector_items(g->pass);
    if (facts->lanes > facts->vector_width)
        facts->vector_width = facts->lanes;
    if (barrier)
        facts->flags |= SL_KERNEL_USES_BARRIER;
    g->flat = !barrier && !facts->in_step && !facts->local_bytes && !sl_has_local_argument(facts) &&
              sl_only_global_places(g->split.kernel);
    g->nameless = g->flat && facts->flags & SL_KERNEL_USES_PIPES && !asks_for_ids(g->split.kernel);
    /* Pipes tell in which order items run: the groups of a row may be merged, but not split. */
    if (g->flat && !(facts->flags & SL_KERNEL_USES_PIPES))
        facts->flags |= SL_KERNEL_FLAT;
    if (g->flat && !facts->is_form) {
        facts->whole_groups = false;
        facts->flags &= ~(uint32_t)SL_KERNEL_WHOLE_GROUPS;
    }
}

/* ---- the function ---------------------------------------------------------------------------- */

static void copy_attributes(struct sl_group_function *g, LLVMAttributeIndex from, bool by_value)
{
    static const char *const useful[] = {"noalias", "align",    "nonnull",
                                         "noundef", "readonly", "dereferenceable"};
    for (size_t i = 0; i < sizeof useful / sizeof *useful; i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(useful[i], strlen(useful[i]));
        LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(g->facts->kernel, from, kind);
        if (attribute && !by_value)
            LLVMAddAttributeAtIndex(g->function, from, attribute);
    }
}

/* What the compiler said of the kernel's target, floating point and unwinding. */
void sl_copy_function_attributes(LLVMValueRef from, LLVMValueRef to)
{
    unsigned count = LLVMGetAttributeCountAtIndex(from, LLVMAttributeFunctionIndex);
    unsigned unwind = LLVMGetEnumAttributeKindForName("uwtable", strlen("uwtable"));
    LLVMAttributeRef *all = sl_ir_alloc(count, sizeof(*all));
    LLVMGetAttributesAtIndex(from, LLVMAttributeFunctionIndex, all);
    for (unsigned i = 0; i < count; i++) {
        unsigned length;
        bool text = LLVMIsStringAttribute(all[i]);
        if (text ? strcmp(LLVMGetStringAttributeKind(all[i], &length), SL_KERNEL_ATTRIBUTE) != 0
                 : LLVMGetEnumAttributeKind(all[i]) == unwind)
            LLVMAddAttributeAtIndex(to, LLVMAttributeFunctionIndex, all[i]);
    }
    free(all);
}

static void create_function(struct sl_group_function *g)
{
    LLVMValueRef kernel = g->facts->kernel;
    unsigned count = LLVMCountParams(kernel);
    LLVMTypeRef *types = sl_ir_alloc(count + 2, sizeof(*types));
    LLVMGetParamTypes(LLVMGlobalGetValueType(kernel), types);
    types[count] = types[count + 1] = g->e.ptr;
    char name[256];
    snprintf(name, sizeof name, "%s%.240s.groups", sl_name_guard(g->facts->name), g->facts->name);
    g->function = LLVMAddFunction(g->pass->module, name,
                                  LLVMFunctionType(g->e.none, types, count + 2, false));
    free(types);
    LLVMSetLinkage(g->function, LLVMInternalLinkage);
    sl_emit_add_enum_attribute(g->function, LLVMAttributeFunctionIndex, "nounwind", 0);
    sl_copy_function_attributes(kernel, g->function);
    if (sl_pass_has(g->pass, SL_PASS_OPTIMIZE) ||
        sl_pass_has(g->pass, SL_PASS_QUICK)) /* at once: nobody need optimise it by itself */
        sl_emit_add_enum_attribute(g->function, LLVMAttributeFunctionIndex, "alwaysinline", 0);
    for (unsigned p = 0; p < count; p++)
        copy_attributes(g, p + 1, g->facts->args[p].kind == SL_ARG_VALUE);
    g->launch = LLVMGetParam(g->function, count);
    g->group = LLVMGetParam(g->function, count + 1);
    sl_emit_add_enum_attribute(g->function, count + 1, "noalias", 0);
    sl_emit_add_enum_attribute(g->function, count + 2, "noalias", 0);
}

static LLVMValueRef launch_field(struct sl_group_function *g, size_t offset, unsigned dim)
{
    return sl_emit_load_field(&g->e, g->e.i64, g->launch, offset + dim * sizeof(size_t), "");
}

/* One item, nothing to ask the launch for: the loops around it fold away. */
static void place_single(struct sl_group_function *g)
{
    LLVMValueRef(*p)[3] = g->places, zero = sl_emit_i64(&g->e, 0), one = sl_emit_i64(&g->e, 1);
    for (unsigned d = 0; d < 3; d++) {
        p[SL_WI_GLOBAL_OFFSET][d] = p[SL_WI_GROUP_ID][d] = zero;
        p[SL_WI_GLOBAL_SIZE][d] = p[SL_WI_NUM_GROUPS][d] = one;
        p[SL_WI_ENQUEUED_LOCAL_SIZE][d] = one;
    }
}

static void load_ranges(struct sl_group_function *g)
{
    LLVMValueRef(*p)[3] = g->places;
    for (unsigned d = 0; d < 3; d++) {
        p[SL_WI_GLOBAL_SIZE][d] = launch_field(g, offsetof(struct sl_launch, global_size), d);
        p[SL_WI_GLOBAL_OFFSET][d] = launch_field(g, offsetof(struct sl_launch, global_offset), d);
        p[SL_WI_NUM_GROUPS][d] = launch_field(g, offsetof(struct sl_launch, group_count), d);
        p[SL_WI_ENQUEUED_LOCAL_SIZE][d] =
            g->reqd[d] ? sl_emit_i64(&g->e, g->reqd[d])
                       : launch_field(g, offsetof(struct sl_launch, local_size), d);
        p[SL_WI_GROUP_ID][d] = sl_emit_load_field(
            &g->e, g->e.i64, g->group, offsetof(struct sl_group, id) + d * sizeof(size_t), "");
    }
}

static void load_launch(struct sl_group_function *g)
{
    LLVMValueRef(*p)[3] = g->places;
    LLVMValueRef work_dim =
        sl_emit_load_field(&g->e, g->e.i16, g->launch, offsetof(struct sl_launch, work_dim), "");
    p[SL_WI_WORK_DIM][0] = LLVMBuildZExt(g->e.builder, work_dim, g->e.i32, "");
    p[SL_WI_LAUNCH][0] = g->launch;
    if (g->single)
        place_single(g);
    else
        load_ranges(g);
    p[SL_WI_LOCAL_BASE][0] =
        sl_emit_load_field(&g->e, g->e.ptr, g->group, offsetof(struct sl_group, local), "local");
    p[SL_WI_TIMES][0] =
        sl_emit_load_field(&g->e, g->e.ptr, g->group, offsetof(struct sl_group, times), "times");
    g->context = sl_emit_load_field(&g->e, g->e.ptr, g->group, offsetof(struct sl_group, context),
                                    "context");
    sl_place_memory(g);
    sl_sums_open(g);
}

/* The code of a flat kernel runs any launch, whatever was meant to have whole groups only. */
static bool may_be_cut(const struct sl_group_function *g)
{
    return !sl_pass_has(g->pass, SL_PASS_UNIFORM_GROUPS) && !g->single &&
           (g->flat || !g->facts->whole_groups);
}

/* Items of the group (or of all groups of the row) in dimension `d`, and its first global id.
 * `size`: how many they are, if that is known. */
static void place_group(struct sl_group_function *g, unsigned d, LLVMValueRef groups,
                        LLVMValueRef size)
{
    struct sl_emit *e = &g->e;
    LLVMValueRef full = g->places[SL_WI_ENQUEUED_LOCAL_SIZE][d];
    LLVMValueRef first = sl_emit_mul_exact(e, g->places[SL_WI_GROUP_ID][d], full, "");
    if (groups)
        full = sl_emit_mul_exact(e, full, groups, "");
    if (size) {
        full = size;
    } else if (may_be_cut(g)) {
        LLVMValueRef left = LLVMBuildNUWSub(e->builder, g->places[SL_WI_GLOBAL_SIZE][d], first, "");
        full = sl_emit_min(e, full, left, "");
    }
    g->size[d] = full;
    g->places[SL_WI_LOCAL_SIZE][d] = full;
    g->base[d] = sl_emit_add_exact(e, first, g->places[SL_WI_GLOBAL_OFFSET][d], "");
}

/* ---- the walk -------------------------------------------------------------------------------- */

static void emit_regions(struct sl_group_function *g)
{
    uint32_t count = g->split.barrier_count + 1;
    g->regions = sl_ir_alloc(count, sizeof *g->regions);
    LLVMBuildBr(g->e.builder, sl_region_begin(g, 0));
    for (bool more = true; more;) {
        more = false;
        for (uint32_t r = 0; r < count; r++)
            if (g->regions[r].begin && !g->regions[r].done) {
                g->regions[r].done = more = true;
                sl_region_emit(g, r);
            }
    }
    free(g->regions);
}

/* Items that do not ask who they are run in one loop: less code, and less time to make it. */
static void merge_rows(struct sl_group_function *g)
{
    for (unsigned d = 1; d < 3; d++) {
        g->size[0] = sl_emit_mul_exact(&g->e, g->size[0], g->size[d], "");
        g->size[d] = sl_emit_i64(&g->e, 1);
    }
    g->base[0] = sl_emit_i64(&g->e, 0);
}

static void emit_group(struct sl_group_function *g, LLVMValueRef groups, LLVMValueRef size)
{
    for (unsigned d = 0; d < 3; d++)
        place_group(g, d, d == 0 ? groups : NULL, d == 0 ? size : NULL);
    if (g->nameless)
        merge_rows(g);
    g->items = sl_emit_mul_exact(&g->e, g->size[0], g->size[1], "");
    g->items = sl_emit_mul_exact(&g->e, g->items, g->size[2], "items");
    sl_group_place_slots(g);
    g->within = sl_rows_within_segment(g);
    if (g->sub_groups)
        sl_sub_groups_emit(g);
    else
        emit_regions(g);
    LLVMPositionBuilderAtEnd(g->e.builder, g->group_end);
}

/* Groups from `start` to `end`, of `size` items in dimension 0 if that is known. */
static void emit_equal_groups(struct sl_group_function *g, LLVMValueRef start, LLVMValueRef end,
                              LLVMValueRef size)
{
    LLVMBuilderRef b = g->e.builder;
    LLVMBasicBlockRef from = LLVMGetInsertBlock(b);
    LLVMBasicBlockRef head = LLVMAppendBasicBlockInContext(g->e.context, g->function, "group");
    LLVMBasicBlockRef exit = LLVMAppendBasicBlockInContext(g->e.context, g->function, "exit");
    LLVMBuildBr(b, head);
    LLVMPositionBuilderAtEnd(b, head);
    LLVMValueRef id = LLVMBuildPhi(b, g->e.i64, "group.x");
    LLVMAddIncoming(id, &start, &from, 1);
    g->places[SL_WI_GROUP_ID][0] = id;
    emit_group(g, NULL, size);
    LLVMValueRef next = sl_emit_add_exact(&g->e, id, sl_emit_i64(&g->e, 1), "");
    LLVMBasicBlockRef last = LLVMGetInsertBlock(b);
    LLVMAddIncoming(id, &next, &last, 1);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, next, end, ""), head, exit);
    LLVMPositionBuilderAtEnd(b, exit);
}

/* Items of the row from group `id` on. */
static LLVMValueRef items_from(struct sl_group_function *g, LLVMValueRef id)
{
    LLVMValueRef full = g->places[SL_WI_ENQUEUED_LOCAL_SIZE][0];
    LLVMValueRef first = sl_emit_mul_exact(&g->e, id, full, "");
    return LLVMBuildNUWSub(g->e.builder, g->places[SL_WI_GLOBAL_SIZE][0], first, "");
}

/*
 * Only the last group of a row may have fewer items than the others. It is a second turn of a loop
 * around the one over groups, which so has groups of one size: what depends on that is computed in
 * front of it, as where all groups are whole.
 */
static void emit_cut_groups(struct sl_group_function *g, LLVMValueRef start, LLVMValueRef end)
{
    LLVMBuilderRef b = g->e.builder;
    LLVMValueRef full = g->places[SL_WI_ENQUEUED_LOCAL_SIZE][0];
    LLVMValueRef last = LLVMBuildNUWSub(b, end, sl_emit_i64(&g->e, 1), "");
    LLVMValueRef is_cut = LLVMBuildICmp(b, LLVMIntULT, items_from(g, last), full, "");
    LLVMValueRef whole = LLVMBuildSelect(b, is_cut, last, end, "whole");
    LLVMBasicBlockRef from = LLVMGetInsertBlock(b);
    LLVMBasicBlockRef head = LLVMAppendBasicBlockInContext(g->e.context, g->function, "equal");
    LLVMBasicBlockRef exit = LLVMAppendBasicBlockInContext(g->e.context, g->function, "row.end");
    LLVMBuildBr(b, head);
    LLVMPositionBuilderAtEnd(b, head);
    LLVMValueRef first = LLVMBuildPhi(b, g->e.i64, "first");
    LLVMAddIncoming(first, &start, &from, 1);
    LLVMValueRef are_whole = LLVMBuildICmp(b, LLVMIntNE, first, whole, "");
    LLVMValueRef stop = LLVMBuildSelect(b, are_whole, whole, end, "stop");
    LLVMValueRef size = LLVMBuildSelect(b, are_whole, full, items_from(g, first), "size");
    emit_equal_groups(g, first, stop, size);
    LLVMBasicBlockRef back = LLVMGetInsertBlock(b);
    LLVMAddIncoming(first, &stop, &back, 1);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, stop, end, ""), head, exit);
    LLVMPositionBuilderAtEnd(b, exit);
}

static void emit_groups(struct sl_group_function *g, LLVMValueRef count)
{
    LLVMValueRef start = g->places[SL_WI_GROUP_ID][0];
    LLVMValueRef end = sl_emit_add_exact(&g->e, start, count, "");
    if (may_be_cut(g))
        emit_cut_groups(g, start, end);
    else
        emit_equal_groups(g, start, end, NULL);
}

static void emit_body(struct sl_group_function *g)
{
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(g->e.context, g->function, "entry");
    g->group_end = LLVMAppendBasicBlockInContext(g->e.context, g->function, "group.end");
    g->home = sl_ir_alloc(g->split.slot_count, sizeof(*g->home));
    g->chunk = sl_ir_alloc(g->split.slot_count, sizeof(*g->chunk));
    LLVMPositionBuilderAtEnd(g->e.builder, entry);
    load_launch(g);
    sl_group_place_variables(g);
    sl_group_place_chunk_slots(g);
    LLVMValueRef count =
        sl_emit_load_field(&g->e, g->e.i64, g->group, offsetof(struct sl_group, count), "groups");
    if (g->single)
        emit_group(g, NULL, NULL);
    else if (g->flat)
        emit_group(g, count, NULL);
    else
        emit_groups(g, count);
    sl_sums_close(g);
    LLVMBuildRetVoid(g->e.builder);
    free(g->home);
    free(g->chunk);
    sl_map_finish(&g->fixed);
}

/* An empty kernel measures what a launch costs: no loops around nothing, for LLVM to find out. */
static bool does_nothing(LLVMValueRef kernel)
{
    return LLVMIsAReturnInst(LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel)));
}

static void emit_nothing(struct sl_group_function *g)
{
    LLVMPositionBuilderAtEnd(g->e.builder,
                             LLVMAppendBasicBlockInContext(g->e.context, g->function, "entry"));
    LLVMBuildRetVoid(g->e.builder);
}

static void retire_kernel(struct sl_group_function *g)
{
    LLVMMetadataRef program = sl_llvm_delete_body(g->facts->kernel);
    if (program)
        LLVMSetSubprogram(g->function, program);
}

#define MANY_BLOCKS 500 /* LLVM's mem2reg takes the square of the time from here on */

/* Variables become values; then rows in step can be told apart. */
static int finish(struct sl_group_function *g)
{
    if (LLVMCountBasicBlocks(g->function) > MANY_BLOCKS) {
        sl_llvm_remove_unreachable_blocks(g->function);
        sl_promote(g->function);
    }
    if (!g->in_step.count)
        return sl_pass_run_llvm(g->pass, g->function, "mem2reg,simplifycfg,early-cse");
    int rc = sl_pass_run_llvm(g->pass, g->function, "mem2reg");
    if (!rc)
        sl_rows_copy(g);
    bool always = false;
    for (size_t k = 0; k < g->in_step.count; k++) {
        always |= ((struct sl_rows_in_step *)g->in_step.items[k])->always;
        free(g->in_step.items[k]);
    }
    sl_list_finish(&g->in_step);
    if (rc)
        return rc;
    return sl_pass_run_llvm(g->pass, g->function,
                            always ? "sccp,simplifycfg,early-cse" : "simplifycfg,early-cse");
}

/* All of its code has to have vector form. */
static bool goes_in_step(struct sl_group_function *g)
{
    for (uint32_t r = 0; r <= g->split.barrier_count; r++) {
        struct sl_vector_region *region = sl_vector_region_plan(g, r);
        if (!region)
            return false;
        sl_vector_region_free(region);
    }
    return true;
}

static void give_up(struct sl_group_function *g)
{
    sl_split_finish(&g->split);
    sl_emit_finish(&g->e);
}

int sl_group_function_build(struct sl_pass *pass, struct sl_kernel_facts *facts)
{
    struct sl_group_function g = {.pass = pass, .facts = facts};
    bool empty = does_nothing(facts->kernel); /* cutting adds barriers to any kernel */
    if (sl_split_init(&g.split, pass, facts->kernel))
        return -1;
    sl_emit_init(&g.e, pass->context);
    sl_read_required_size(g.e.context, g.facts->kernel, g.reqd);
    g.single = !g.split.apart && is_single(&g);
    g.lanes = g.single ? 1 : facts->lanes;
    set_flags(&g);
    if (facts->in_step && !goes_in_step(&g)) {
        facts->lanes = 1;
        give_up(&g);
        return 0;
    }
    if (!g.single && !facts->in_step)
        g.leave = sl_vector_take_leave(&g.split);
    create_function(&g);
    if (empty)
        emit_nothing(&g);
    else
        emit_body(&g);
    facts->body = g.function;
    facts->run = sl_kernel_entry(&g);
    sl_split_finish(&g.split);
    free(g.sub_groups);
    free(g.leave);
    retire_kernel(&g);
    sl_emit_finish(&g.e);
    int rc = finish(&g);
    if (!rc && sl_pass_has(pass, SL_PASS_OPTIMIZE) && facts->loop_passes &&
        sl_llvm_keep_item_order(g.function))
        sl_pass_remark(pass, facts, NULL, "an item's accesses stay in their order");
    return rc;
}
