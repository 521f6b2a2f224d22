/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Per variable: the blocks in which its old value is wanted are found backwards from the loads;
 * those of them that have several predecessors get a phi, and phis that have only one value vanish
 * again. No shared state.
 */
#include "ir/variables/promote.h"

#include <stdbool.h>
#include <stdlib.h>

#include "ir/control_flow/cfg.h"
#include "ir/map.h"
#include "ir/memory.h"

struct promotion {
    struct sl_cfg cfg;
    struct sl_map order; /* instruction -> 1 + its number */
    LLVMBuilderRef builder;
    /* per block, of the variable at hand where `stamp` says so */
    uint32_t *stamp, *wanted_stamp, now;
    LLVMValueRef *out, *in; /* behind its last store; before its first instruction */
    uint32_t *wanted;       /* blocks in which the old value is */
    uint32_t wanted_count;
    LLVMTypeRef type;
    struct sl_list users, phis;
    struct sl_map values; /* load -> what it loads */
    struct sl_map is_phi; /* phis that this variable got */
};

/* ---- which variables ------------------------------------------------------------------------- */

static bool is_plain(LLVMValueRef user, LLVMValueRef variable, LLVMTypeRef type)
{
    if (LLVMIsALoadInst(user))
        return LLVMTypeOf(user) == type && !LLVMGetVolatile(user) &&
               LLVMGetOrdering(user) == LLVMAtomicOrderingNotAtomic;
    return LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != variable &&
           LLVMTypeOf(LLVMGetOperand(user, 0)) == type && !LLVMGetVolatile(user) &&
           LLVMGetOrdering(user) == LLVMAtomicOrderingNotAtomic;
}

static bool can_promote(LLVMValueRef variable)
{
    LLVMTypeRef type = LLVMGetAllocatedType(variable);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use))
        if (!is_plain(LLVMGetUser(use), variable, type))
            return false;
    return true;
}

/* ---- one variable ---------------------------------------------------------------------------- */

static uint32_t block_of(const struct promotion *p, LLVMValueRef i)
{
    return sl_cfg_number(&p->cfg, LLVMGetInstructionParent(i));
}

static uintptr_t order_of(const struct promotion *p, LLVMValueRef i)
{
    return (uintptr_t)sl_map_get(&p->order, i);
}

struct user {
    uintptr_t order;
    LLVMValueRef i;
};

static int by_order(const void *a, const void *b)
{
    const struct user *x = a, *y = b;
    return x->order < y->order ? -1 : x->order > y->order;
}

static void want(struct promotion *p, uint32_t block)
{
    if (p->wanted_stamp[block] == p->now)
        return;
    p->wanted_stamp[block] = p->now;
    p->wanted[p->wanted_count++] = block;
}

/* Within blocks: what loads load, and what the last store leaves. A load before all stores: NULL.
 */
static void look_at_users(struct promotion *p, LLVMValueRef variable)
{
    struct user *users = NULL;
    size_t count = 0, room = 0;
    p->users.count = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        if (count == room)
            users = sl_ir_resize(users, room = room ? 2 * room : 8, sizeof *users);
        LLVMValueRef i = LLVMGetUser(use);
        users[count++] = (struct user){order_of(p, i), i};
    }
    if (count)
        qsort(users, count, sizeof *users, by_order);
    for (size_t k = 0; k < count; k++) {
        LLVMValueRef i = users[k].i;
        uint32_t block = block_of(p, i);
        sl_list_add(&p->users, i);
        if (block == SL_NO_BLOCK)
            continue;
        if (LLVMIsAStoreInst(i)) {
            p->stamp[block] = p->now;
            p->out[block] = LLVMGetOperand(i, 0);
        } else if (p->stamp[block] == p->now) {
            sl_map_set(&p->values, i, p->out[block]);
        } else {
            want(p, block);
        }
    }
    free(users);
}

static void find_wanted(struct promotion *p)
{
    for (uint32_t k = 0; k < p->wanted_count; k++) {
        const struct sl_block *block = &p->cfg.blocks[p->wanted[k]];
        for (uint32_t e = 0; e < block->pred_count; e++)
            if (p->stamp[block->pred[e]] != p->now)
                want(p, block->pred[e]);
    }
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static LLVMValueRef value_behind(const struct promotion *p, uint32_t block)
{
    return p->stamp[block] == p->now ? p->out[block] : p->in[block];
}

/* In reverse post-order a single predecessor comes first. */
static void give_values(struct promotion *p)
{
    qsort(p->wanted, p->wanted_count, sizeof *p->wanted, by_number);
    for (uint32_t k = 0; k < p->wanted_count; k++) {
        uint32_t number = p->wanted[k];
        const struct sl_block *block = &p->cfg.blocks[number];
        if (block->pred_count == 1) {
            p->in[number] = value_behind(p, block->pred[0]);
        } else if (!block->pred_count) {
            p->in[number] = LLVMGetUndef(p->type);
        } else {
            LLVMPositionBuilderBefore(p->builder, LLVMGetFirstInstruction(block->ref));
            p->in[number] = LLVMBuildPhi(p->builder, p->type, "");
            sl_list_add(&p->phis, p->in[number]);
            sl_map_set(&p->is_phi, p->in[number], block->ref);
        }
    }
    for (uint32_t k = 0; k < p->wanted_count; k++) {
        const struct sl_block *block = &p->cfg.blocks[p->wanted[k]];
        for (uint32_t e = 0; block->pred_count > 1 && e < block->pred_count; e++) {
            LLVMValueRef value = value_behind(p, block->pred[e]);
            LLVMBasicBlockRef from = p->cfg.blocks[block->pred[e]].ref;
            LLVMAddIncoming(p->in[p->wanted[k]], &value, &from, 1);
        }
    }
}

static LLVMValueRef loaded(struct promotion *p, LLVMValueRef load)
{
    LLVMValueRef value = load;
    while (LLVMIsALoadInst(value)) {
        LLVMValueRef next = sl_map_get(&p->values, value);
        if (!next)
            break;
        value = next;
    }
    return value;
}

static void drop_users(struct promotion *p)
{
    for (size_t k = 0; k < p->users.count; k++) {
        LLVMValueRef i = p->users.items[k];
        uint32_t block = block_of(p, i);
        if (!LLVMIsALoadInst(i))
            continue;
        if (block == SL_NO_BLOCK)
            sl_map_set(&p->values, i, LLVMGetUndef(p->type));
        else if (!sl_map_get(&p->values, i))
            sl_map_set(&p->values, i, p->in[block]);
    }
    for (size_t k = 0; k < p->users.count; k++) {
        LLVMValueRef i = p->users.items[k];
        if (LLVMIsALoadInst(i))
            LLVMReplaceAllUsesWith(i, loaded(p, i));
    }
    for (size_t k = 0; k < p->users.count; k++)
        LLVMInstructionEraseFromParent(p->users.items[k]);
}

/* The only value that is not the phi itself; NULL: there are several. */
static LLVMValueRef only_value(LLVMValueRef phi)
{
    LLVMValueRef only = NULL;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, k);
        if (value == phi || value == only)
            continue;
        if (only)
            return NULL;
        only = value;
    }
    return only ? only : LLVMGetUndef(LLVMTypeOf(phi));
}

static void drop_phis(struct promotion *p)
{
    for (size_t k = 0; k < p->phis.count; k++) {
        LLVMValueRef phi = p->phis.items[k];
        LLVMValueRef only = sl_map_get(&p->is_phi, phi) ? only_value(phi) : NULL;
        if (!only)
            continue;
        sl_map_set(&p->is_phi, phi, NULL);
        for (LLVMUseRef use = LLVMGetFirstUse(phi); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (user != phi && sl_map_get(&p->is_phi, user))
                sl_list_add(&p->phis, user);
        }
        LLVMReplaceAllUsesWith(phi, only);
        LLVMInstructionEraseFromParent(phi);
    }
}

static void promote(struct promotion *p, LLVMValueRef variable)
{
    p->now++;
    p->wanted_count = 0;
    p->phis.count = 0;
    p->type = LLVMGetAllocatedType(variable);
    look_at_users(p, variable);
    find_wanted(p);
    give_values(p);
    drop_users(p);
    drop_phis(p);
    sl_map_finish(&p->values);
    sl_map_finish(&p->is_phi);
    p->values = p->is_phi = (struct sl_map){0};
    LLVMInstructionEraseFromParent(variable);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void number_instructions(struct promotion *p, LLVMValueRef function)
{
    uintptr_t number = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
                sl_map_set(&p->order, i, (void *)++number);
}

void sl_promote(LLVMValueRef function)
{
    struct promotion p = {0};
    sl_cfg_init(&p.cfg, function);
    number_instructions(&p, function);
    p.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
    p.stamp = sl_ir_alloc(p.cfg.count, sizeof *p.stamp);
    p.wanted_stamp = sl_ir_alloc(p.cfg.count, sizeof *p.wanted_stamp);
    p.wanted = sl_ir_alloc(p.cfg.count, sizeof *p.wanted);
    p.out = sl_ir_alloc(p.cfg.count, sizeof(*p.out));
    p.in = sl_ir_alloc(p.cfg.count, sizeof(*p.in));
    LLVMValueRef next;
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)); i; i = next) {
        next = LLVMGetNextInstruction(i);
        while (next && LLVMIsAAllocaInst(i) && !LLVMIsAAllocaInst(next))
            next = LLVMGetNextInstruction(next); /* what stays where it is when variables go */
        if (LLVMIsAAllocaInst(i) && can_promote(i))
            promote(&p, i);
    }
    LLVMDisposeBuilder(p.builder);
    sl_cfg_finish(&p.cfg);
    sl_map_finish(&p.order);
    sl_list_finish(&p.users);
    sl_list_finish(&p.phis);
    free(p.stamp);
    free(p.wanted_stamp);
    free(p.wanted);
    free(p.out);
    free(p.in);
}
