/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See the header. A loop is entered at one mark, or told of by one at each of its ends, of which an
 * item comes to one: these are on one level. Those that it may come to behind them are on the next.
 */
#include "pipes/mark_order.h"

#include <stdlib.h>
#include <string.h>

#include "ir/control_flow/cfg.h"
#include "ir/memory.h"
#include "sluice/module.h"

enum { MOST_WAYS = 64 };

struct way { /* into a loop */
    LLVMValueRef mark;
    uint32_t block, level;
    bool *behind; /* of each block: it can be come to from here */
};

struct order {
    struct sl_cfg cfg;
    struct way ways[MOST_WAYS];
    uint32_t count, levels;
    uint32_t *stack;
};

bool sl_pipe_is_way_in(LLVMValueRef mark)
{
    const uint64_t what = LLVMConstIntGetZExtValue(LLVMGetArgOperand(mark, 0));
    return what == SL_LOOP_BEGINS || what == SL_LOOP_IS_THROUGH;
}

static uint32_t block_of(const struct order *o, LLVMValueRef mark)
{
    return sl_cfg_number(&o->cfg, LLVMGetInstructionParent(mark));
}

/* In one block. */
static bool is_before(LLVMValueRef a, LLVMValueRef b)
{
    while (a && a != b)
        a = LLVMGetNextInstruction(a);
    return a != NULL;
}

/* From those on the stack, and past none of which `stops` is true. */
static void follow(const struct order *o, uint32_t depth, bool *seen, const bool *stops)
{
    while (depth) {
        const struct sl_block *block = &o->cfg.blocks[o->stack[--depth]];
        for (uint32_t s = 0; s < block->succ_count; s++) {
            const uint32_t to = block->succ[s];
            if (!seen[to] && !(stops && stops[to]))
                o->stack[depth++] = to;
            seen[to] = true;
        }
    }
}

static bool comes_to(const struct way *way, uint32_t block, LLVMValueRef mark)
{
    return way->behind[block] ||
           (way->block == block && way->mark != mark && is_before(way->mark, mark));
}

/* In reverse post-order what only comes behind another block has a greater number. */
static int compare(const void *a, const void *b)
{
    const struct way *left = a, *right = b;
    if (left->block != right->block)
        return left->block < right->block ? -1 : 1;
    return left->mark == right->mark ? 0 : is_before(left->mark, right->mark) ? -1 : 1;
}

/* False: too many, or an item may come to one again. */
static bool find_ways(struct order *o, const LLVMValueRef *marks, uint32_t count)
{
    bool good = true;
    for (uint32_t i = 0; i < count && good; i++) {
        const uint32_t block = block_of(o, marks[i]);
        if (!sl_pipe_is_way_in(marks[i]) || block == SL_NO_BLOCK)
            continue;
        good = o->count < MOST_WAYS;
        if (!good)
            break;
        struct way *way = &o->ways[o->count++];
        *way = (struct way){marks[i], block, 0, sl_ir_alloc(o->cfg.count, sizeof(bool))};
        o->stack[0] = block;
        follow(o, 1, way->behind, NULL);
        good = !way->behind[block];
    }
    qsort(o->ways, o->count, sizeof *o->ways, compare);
    return good;
}

static void find_levels(struct order *o)
{
    for (uint32_t i = 0; i < o->count; i++) {
        struct way *way = &o->ways[i];
        for (uint32_t k = 0; k < i; k++)
            if (comes_to(&o->ways[k], way->block, way->mark) && way->level <= o->ways[k].level)
                way->level = o->ways[k].level + 1;
        o->levels = way->level >= o->levels ? way->level + 1 : o->levels;
    }
}

/* No way from the kernel's begin leads past this level to the next one. */
static bool is_cut(const struct order *o, uint32_t level)
{
    bool *stops = sl_ir_alloc(o->cfg.count, sizeof *stops),
         *seen = sl_ir_alloc(o->cfg.count, sizeof *seen), cut = true;
    for (uint32_t i = 0; i < o->count; i++)
        stops[o->ways[i].block] |= o->ways[i].level == level;
    seen[0] = true;
    o->stack[0] = 0;
    follow(o, stops[0] ? 0 : 1, seen, stops);
    for (uint32_t i = 0; i < o->count; i++)
        cut &= o->ways[i].level != level + 1 || !seen[o->ways[i].block] || stops[o->ways[i].block];
    free(stops);
    free(seen);
    return cut;
}

/* The last loop that an item has come to there; false: none. */
static bool find_loop(const struct order *o, LLVMValueRef mark, uint32_t *which)
{
    const uint32_t block = block_of(o, mark);
    bool any = false;
    for (uint32_t i = 0; i < o->count && block != SL_NO_BLOCK; i++) {
        const struct way *way = &o->ways[i];
        if (way->mark != mark && !comes_to(way, block, mark))
            continue;
        *which = !any || way->level > *which ? way->level : *which;
        any = true;
    }
    return any || block == SL_NO_BLOCK;
}

static bool find_order(struct order *o, const LLVMValueRef *marks, uint32_t count, uint32_t loops,
                       uint32_t *which)
{
    if (!find_ways(o, marks, count))
        return false;
    find_levels(o);
    bool good = o->levels == loops;
    for (uint32_t level = 0; good && level + 1 < loops; level++)
        good = is_cut(o, level);
    for (uint32_t i = 0; i < count && good; i++)
        good = find_loop(o, marks[i], &which[i]);
    return good;
}

bool sl_pipe_order_marks(LLVMValueRef kernel, const LLVMValueRef *marks, uint32_t count,
                         uint32_t loops, uint32_t *which)
{
    struct order o = {0};
    sl_cfg_init(&o.cfg, kernel);
    o.stack = sl_ir_alloc(o.cfg.count + 1, sizeof *o.stack);
    memset(which, 0, count * sizeof *which);
    const bool good = find_order(&o, marks, count, loops, which);
    for (uint32_t i = 0; i < o.count; i++)
        free(o.ways[i].behind);
    free(o.stack);
    sl_cfg_finish(&o.cfg);
    return good;
}
