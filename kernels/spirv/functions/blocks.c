/* SPDX-License-Identifier: Apache-2.0 */
/* The blocks of a function, the edges between them, and an order in which what dominates is first.
 */
#include "spirv/functions/control_flow.h"

static bool is_label_here(const struct sl_spirv *s, uint32_t id)
{
    const struct sl_spirv_function *f = &s->function;
    uint32_t block = s->ids[id].block;
    return block && block <= f->block_count && f->blocks[block - 1].label == id;
}

static int count_blocks(struct sl_spirv *s)
{
    struct sl_spirv_function *f = &s->function;
    for (uint32_t n = f->first; n < f->end; n++)
        f->block_count += s->instructions[n].opcode == OpLabel;
    f->blocks = sl_spirv_allocate(s, f->block_count + 1, sizeof *f->blocks);
    f->order = sl_spirv_allocate(s, f->block_count + 1, sizeof *f->order);
    return f->blocks && f->order ? 0 : -1;
}

static void cut_blocks(struct sl_spirv *s)
{
    struct sl_spirv_function *f = &s->function;
    uint32_t count = 0;
    for (uint32_t n = f->first; n < f->end; n++) {
        const struct sl_spirv_instruction *i = &s->instructions[n];
        if (i->opcode == OpLabel) {
            f->blocks[count] = (struct sl_spirv_block){.label = i->result, .first = n + 1};
            s->ids[i->result].block = ++count;
        }
        if (count)
            f->blocks[count - 1].end = n + 1;
    }
}

/* Labels of a terminator, one by one; 0: no more. */
static uint32_t target_at(struct sl_spirv *s, const struct sl_spirv_instruction *i, unsigned k)
{
    switch (i->opcode) {
    case OpBranch:
        return k ? 0 : i->operands[0];
    case OpBranchConditional:
        return k < 2 ? i->operands[1 + k] : 0;
    case OpSwitch: {
        const struct sl_spirv_type *type = sl_spirv_type_of(s, i->operands[0]);
        unsigned step = type && type->bits > 32 ? 3 : 2, at = k ? k * step + 1 : 1;
        return at < i->operand_count ? i->operands[at] : 0;
    }
    }
    return 0;
}

static const struct sl_spirv_instruction *terminator_of(struct sl_spirv *s,
                                                        const struct sl_spirv_block *block)
{
    const struct sl_spirv_instruction *i = &s->instructions[block->end - 1];
    while (i > s->instructions + block->first &&
           !(i->opcode >= OpBranch && i->opcode <= OpUnreachable))
        i--; /* lines and the like stand behind */
    return i;
}

static int find_targets(struct sl_spirv *s, struct sl_spirv_block *block)
{
    const struct sl_spirv_instruction *i = terminator_of(s, block);
    uint32_t target;
    while ((target = target_at(s, i, block->next_count)) != 0) {
        if (!is_label_here(s, target))
            return sl_spirv_fail(s, i, "id %u is no label of this function", target);
        block->next_count++;
    }
    block->next = sl_spirv_allocate(s, block->next_count + 1, sizeof *block->next);
    for (uint32_t k = 0; block->next && k < block->next_count; k++)
        block->next[k] = s->ids[target_at(s, i, k)].block - 1;
    return block->next ? 0 : -1;
}

/* Depth first, the last to be left is the first in order; `rest` counts edges that wait. */
static int order_blocks(struct sl_spirv *s)
{
    struct sl_spirv_function *f = &s->function;
    uint32_t *stack = sl_spirv_allocate(s, f->block_count + 1, sizeof *stack);
    uint32_t *seen = sl_spirv_allocate(s, f->block_count + 1, sizeof *seen);
    uint32_t depth = 0, left = f->block_count;
    if (!stack || !seen)
        return -1;
    stack[depth++] = 0;
    f->blocks[0].reached = true;
    while (depth) {
        struct sl_spirv_block *block = &f->blocks[stack[depth - 1]];
        if (seen[stack[depth - 1]] == block->next_count) {
            f->order[--left] = stack[--depth];
            continue;
        }
        uint32_t next = block->next[seen[stack[depth - 1]]++];
        if (!f->blocks[next].reached) {
            f->blocks[next].reached = true;
            stack[depth++] = next;
        }
    }
    f->order += left;
    f->order_count = f->block_count - left;
    return 0;
}

static int find_predecessors(struct sl_spirv *s)
{
    struct sl_spirv_function *f = &s->function;
    for (uint32_t o = 0; o < f->order_count; o++)
        for (uint32_t k = 0; k < f->blocks[f->order[o]].next_count; k++)
            f->blocks[f->blocks[f->order[o]].next[k]].before_count++;
    for (uint32_t o = 0; o < f->order_count; o++) {
        struct sl_spirv_block *block = &f->blocks[f->order[o]];
        block->before = sl_spirv_allocate(s, block->before_count + 1, sizeof *block->before);
        if (!block->before)
            return -1;
        block->before_count = 0;
    }
    for (uint32_t o = 0; o < f->order_count; o++)
        for (uint32_t k = 0; k < f->blocks[f->order[o]].next_count; k++) {
            struct sl_spirv_block *next = &f->blocks[f->blocks[f->order[o]].next[k]];
            next->before[next->before_count++] = f->order[o];
        }
    return 0;
}

int sl_spirv_find_blocks(struct sl_spirv *s)
{
    struct sl_spirv_function *f = &s->function;
    if (count_blocks(s))
        return -1;
    cut_blocks(s);
    for (uint32_t b = 0; b < f->block_count; b++)
        if (find_targets(s, &f->blocks[b]))
            return -1;
    return order_blocks(s) || find_predecessors(s) ? -1 : 0;
}
