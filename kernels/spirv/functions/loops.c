/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops: what OpLoopMerge, or OpLoopControlINTEL before a jump, asks for becomes LLVM's notes on
 * the jumps that go back. Wishes only: what nobody here knows is left out.
 */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "spirv/functions/control_flow.h"

static LLVMMetadataRef note(struct sl_spirv *s, const char *name, const uint32_t *number)
{
    LLVMMetadataRef parts[2] = {LLVMMDStringInContext2(s->context, name, strlen(name))};
    if (number)
        parts[1] =
            LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(s->context), *number, 0));
    return LLVMMDNodeInContext2(s->context, parts, number ? 2 : 1);
}

/* The literals behind a mask stand in the order of its bits. */
static uint32_t literal_of(const uint32_t *control, uint32_t count, uint32_t bit)
{
    uint32_t at = 1;
    for (uint32_t lower = LoopControlDependencyLengthMask; lower < bit; lower <<= 1)
        at += (control[0] & lower) != 0;
    return at < count ? control[at] : 0;
}

/* A loop's notes name themselves first, so that no two loops share them. */
static LLVMMetadataRef notes_of(struct sl_spirv *s, const uint32_t *control, uint32_t count)
{
    LLVMMetadataRef parts[4] = {LLVMTemporaryMDNode(s->context, NULL, 0)};
    LLVMMetadataRef temporary = parts[0];
    unsigned filled = 1;
    uint32_t mask = count ? control[0] : 0;
    if (mask & LoopControlUnrollMask)
        parts[filled++] = note(s, "llvm.loop.unroll.enable", NULL);
    if (mask & LoopControlDontUnrollMask)
        parts[filled++] = note(s, "llvm.loop.unroll.disable", NULL);
    if (mask & LoopControlPartialCountMask) {
        uint32_t times = literal_of(control, count, LoopControlPartialCountMask);
        parts[filled++] = note(s, "llvm.loop.unroll.count", &times);
    }
    LLVMMetadataRef node = LLVMMDNodeInContext2(s->context, parts, filled);
    LLVMMetadataReplaceAllUsesWith(temporary, node);
    return node;
}

static bool is_wish(const struct sl_spirv_instruction *i, const uint32_t **control, uint32_t *count)
{
    uint32_t skipped = i->opcode == OpLoopMerge ? 2 : 0;
    if (i->opcode != OpLoopMerge && i->opcode != OpLoopControlINTEL)
        return false;
    *control = i->operands + skipped;
    *count = i->operand_count > skipped ? i->operand_count - skipped : 0;
    return *count && **control & (LoopControlUnrollMask | LoopControlDontUnrollMask |
                                  LoopControlPartialCountMask);
}

/* Edges back come from blocks that stand later in the order. */
static void annotate(struct sl_spirv *s, const struct sl_spirv_block *head, const uint32_t *place,
                     LLVMMetadataRef notes)
{
    struct sl_spirv_function *f = &s->function;
    unsigned kind = LLVMGetMDKindIDInContext(s->context, "llvm.loop", 9);
    for (uint32_t k = 0; k < head->before_count; k++)
        if (place[head->before[k]] >= place[head - f->blocks])
            LLVMSetMetadata(LLVMGetBasicBlockTerminator(f->blocks[head->before[k]].out), kind,
                            LLVMMetadataAsValue(s->context, notes));
}

int sl_spirv_note_loops(struct sl_spirv *s)
{
    struct sl_spirv_function *f = &s->function;
    uint32_t *place = sl_spirv_allocate(s, f->block_count + 1, sizeof *place);
    const uint32_t *control;
    uint32_t count;
    if (!place)
        return -1;
    for (uint32_t o = 0; o < f->order_count; o++)
        place[f->order[o]] = o;
    for (uint32_t o = 0; o < f->order_count; o++) {
        const struct sl_spirv_block *block = &f->blocks[f->order[o]];
        for (uint32_t n = block->first; n < block->end; n++)
            if (is_wish(&s->instructions[n], &control, &count))
                annotate(s, block, place, notes_of(s, control, count));
    }
    return 0;
}
