/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What kernels ask about their sub-group becomes arithmetic on the item's linear id, and the places
 * where items of a sub-group wait become split points. All of it was inlined before, so only
 * kernels ask. No shared state.
 */
#include "groups/sub_group.h"

#include "groups/stages.h"
#include "ir/calls.h"
#include "ir/memory.h"
#include <string.h>

enum question { SIZE, LARGEST, COUNT, FULL_COUNT, NUMBER, PLACE, MEMORY, MEET, STOP };

static const struct row {
    const char *name;
    enum question question;
} rows[] = {
    {"_Z18get_sub_group_sizev", SIZE},  {"_Z22get_max_sub_group_sizev", LARGEST},
    {"_Z18get_num_sub_groupsv", COUNT}, {"_Z27get_enqueued_num_sub_groupsv", FULL_COUNT},
    {"_Z16get_sub_group_idv", NUMBER},  {"_Z22get_sub_group_local_idv", PLACE},
    {SL_SUB_GROUP_MEMORY, MEMORY},      {SL_SUB_GROUP_MEET, MEET},
    {SL_SUB_GROUP_STOP, STOP},
};

static const struct row *lookup(const char *name)
{
    return sl_find_row(rows, sizeof rows / sizeof *rows, sizeof *rows, name);
}

bool sl_asks_for_sub_group(const char *callee)
{
    return lookup(callee);
}

struct lowering {
    struct sl_pass *pass;
    struct sl_emit e;
    uint32_t size;
    bool in_step;
};

/* 32 bits: the items of one group are few. */
static LLVMValueRef number(struct lowering *l, enum sl_wi what, unsigned dim)
{
    LLVMValueRef value = sl_wi_emit(&l->e, l->pass->module, what, dim);
    return LLVMBuildTrunc(l->e.builder, value, l->e.i32, "");
}

static LLVMValueRef items(struct lowering *l, enum sl_wi size)
{
    LLVMValueRef product = number(l, size, 0);
    for (unsigned d = 1; d < 3; d++)
        product = sl_emit_mul_exact(&l->e, product, number(l, size, d), "");
    return product;
}

static LLVMValueRef linear_id(struct lowering *l)
{
    LLVMValueRef id = number(l, SL_WI_LOCAL_ID, 2);
    for (unsigned d = 2; d-- > 0;) {
        id = sl_emit_mul_exact(&l->e, id, number(l, SL_WI_LOCAL_SIZE, d), "");
        id = sl_emit_add_exact(&l->e, id, number(l, SL_WI_LOCAL_ID, d), "");
    }
    return id;
}

static LLVMValueRef count(struct lowering *l, enum sl_wi size)
{
    LLVMValueRef more =
        sl_emit_add_exact(&l->e, items(l, size), sl_emit_i32(&l->e, l->size - 1), "");
    return LLVMBuildUDiv(l->e.builder, more, sl_emit_i32(&l->e, l->size), "");
}

/* The last one of a group may be smaller. */
static LLVMValueRef size_here(struct lowering *l)
{
    LLVMBuilderRef b = l->e.builder;
    LLVMValueRef full = sl_emit_i32(&l->e, l->size), id = linear_id(l);
    LLVMValueRef first = LLVMBuildSub(b, id, LLVMBuildURem(b, id, full, ""), "");
    return sl_emit_min(&l->e, LLVMBuildNUWSub(b, items(l, SL_WI_LOCAL_SIZE), first, ""), full, "");
}

/* Where sub-groups are vectors. SL_WI_COUNT: it is as everywhere. */
static enum sl_wi of_vector(enum question question)
{
    return question == SIZE     ? SL_WI_SUB_GROUP_ITEMS
           : question == NUMBER ? SL_WI_SUB_GROUP_ID
           : question == PLACE  ? SL_WI_SUB_GROUP_LANE
                                : SL_WI_COUNT;
}

static LLVMValueRef lower(struct lowering *l, enum question question)
{
    LLVMBuilderRef b = l->e.builder;
    enum sl_wi in_step = l->in_step ? of_vector(question) : SL_WI_COUNT;
    if (in_step != SL_WI_COUNT)
        return sl_wi_emit(&l->e, l->pass->module, in_step, 0);
    switch (question) {
    case SIZE:
        return size_here(l);
    case LARGEST:
        return sl_emit_i32(&l->e, l->size);
    case COUNT:
        return count(l, SL_WI_LOCAL_SIZE);
    case FULL_COUNT:
        return count(l, SL_WI_ENQUEUED_LOCAL_SIZE);
    case NUMBER:
        return LLVMBuildUDiv(b, linear_id(l), sl_emit_i32(&l->e, l->size), "");
    case PLACE:
        return LLVMBuildURem(b, linear_id(l), sl_emit_i32(&l->e, l->size), "");
    case MEMORY:
        return sl_wi_emit(&l->e, l->pass->module, SL_WI_SUB_GROUP, 0);
    case MEET:
        sl_wi_emit_split(&l->e, l->pass->module, SL_BARRIER_MEET);
        break;
    case STOP:
        sl_wi_emit_split(&l->e, l->pass->module, SL_BARRIER_STOP);
        break;
    }
    return NULL;
}

static void lower_kernel(struct lowering *l, LLVMValueRef kernel)
{
    struct sl_list calls = {0};
    sl_find_calls(kernel, sl_asks_for_sub_group, &calls);
    for (size_t i = 0; i < calls.count; i++) {
        LLVMPositionBuilderBefore(l->e.builder, calls.items[i]);
        LLVMValueRef value = lower(l, lookup(sl_callee_name(calls.items[i]))->question);
        if (value)
            LLVMReplaceAllUsesWith(calls.items[i], value);
        LLVMInstructionEraseFromParent(calls.items[i]);
    }
    sl_list_finish(&calls);
}

int sl_pass_sub_groups(struct sl_pass *pass)
{
    struct lowering l = {.pass = pass};
    int rc = sl_sub_groups_add_forms(pass);
    sl_emit_init(&l.e, pass->context);
    for (uint32_t k = 0; k < pass->kernel_count && !rc; k++) {
        struct sl_kernel_facts *facts = &pass->kernels[k];
        l.in_step = facts->in_step;
        l.size = sl_sub_group_size(facts->kernel, &facts->reqd_sub_group_size);
        if (l.size < SL_SMALLEST_SUB_GROUP || l.size > SL_LARGEST_SUB_GROUP ||
            l.size & (l.size - 1))
            rc = sl_pass_refuse(pass, "kernel '%s': there are no sub-groups of %u items",
                                facts->name, l.size);
        else
            lower_kernel(&l, facts->kernel);
        facts->sub_group_size = l.size;
        facts->sub_group_stops = !rc && sl_has_sub_group_stops(facts->kernel);
    }
    sl_emit_finish(&l.e);
    return rc;
}
