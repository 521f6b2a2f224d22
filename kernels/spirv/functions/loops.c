/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops: where each begins, and what OpLoopMerge, or OpLoopControlINTEL before a jump, asks for,
 * become LLVM's notes on the jumps that go back, and nodes of !sl.loops as clang's side makes them
 * of pragmas (dialect/describe.cpp). Wishes only: what nobody here knows is left out.
 */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "spirv/functions/control_flow.h"
#include "spirv/module/debug_lines.h"

struct wish {
    uint32_t literals[32]; /* behind the mask; of each bit the first one */
    uint32_t mask;
};

static LLVMMetadataRef number_of(struct sl_spirv *s, uint32_t number)
{
    return LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(s->context), number, 0));
}

static LLVMMetadataRef text_of(struct sl_spirv *s, const char *text)
{
    return LLVMMDStringInContext2(s->context, text, strlen(text));
}

/* ---- what is asked for ----------------------------------------------------------------------- */

/* Literals behind a mask stand in the order of its bits. */
static struct wish read_wish(const struct sl_spirv_instruction *i)
{
    const uint32_t skipped = i->opcode == OpLoopMerge ? 2 : 0;
    struct wish wish = {.mask = i->operand_count > skipped ? i->operands[skipped] : 0};
    uint32_t at = skipped + 1;
    for (uint32_t n = 0; n < 32 && at < i->operand_count; n++) {
        const uint32_t bit = UINT32_C(1) << n, literal = i->operands[at];
        if (!(wish.mask & bit))
            continue;
        wish.literals[n] = literal;
        switch (bit) {
        case LoopControlUnrollMask:
        case LoopControlDontUnrollMask:
        case LoopControlDependencyInfiniteMask:
        case LoopControlNoFusionINTELMask:
            wish.literals[n] = 0;
            break;
        case LoopControlDependencyArrayINTELMask: /* pairs */
            at += literal < i->operand_count ? 1 + 2 * literal : i->operand_count;
            break;
        case LoopControlLoopCountINTELMask: /* three numbers of two words */
            at += 6;
            break;
        default:
            at++;
        }
    }
    return wish;
}

static uint32_t literal_of(const struct wish *wish, uint32_t bit)
{
    return wish->literals[__builtin_ctz(bit)];
}

static bool is_wish(const struct sl_spirv_instruction *i)
{
    return i->opcode == OpLoopMerge || i->opcode == OpLoopControlINTEL;
}

/* Nothing is asked for where the block has no such instruction. */
static struct wish wish_of(const struct sl_spirv *s, const struct sl_spirv_block *block)
{
    for (uint32_t n = block->first; n < block->end; n++)
        if (is_wish(&s->instructions[n]))
            return read_wish(&s->instructions[n]);
    return (struct wish){0};
}

/* ---- for LLVM -------------------------------------------------------------------------------- */

static LLVMMetadataRef note(struct sl_spirv *s, const char *name, const uint32_t *number)
{
    LLVMMetadataRef parts[2] = {text_of(s, name)};
    if (number)
        parts[1] = number_of(s, *number);
    return LLVMMDNodeInContext2(s->context, parts, number ? 2 : 1);
}

/* A loop's notes name themselves first, so that no two loops share them. */
static LLVMMetadataRef notes_of(struct sl_spirv *s, const struct wish *wish, LLVMMetadataRef place)
{
    LLVMMetadataRef parts[5] = {LLVMTemporaryMDNode(s->context, NULL, 0)};
    LLVMMetadataRef temporary = parts[0];
    unsigned filled = 1;
    if (place)
        parts[filled++] = place;
    if (wish->mask & LoopControlUnrollMask)
        parts[filled++] = note(s, "llvm.loop.unroll.enable", NULL);
    if (wish->mask & LoopControlDontUnrollMask)
        parts[filled++] = note(s, "llvm.loop.unroll.disable", NULL);
    if (wish->mask & LoopControlPartialCountMask) {
        uint32_t times = literal_of(wish, LoopControlPartialCountMask);
        parts[filled++] = note(s, "llvm.loop.unroll.count", &times);
    }
    LLVMMetadataRef node = LLVMMDNodeInContext2(s->context, parts, filled);
    LLVMMetadataReplaceAllUsesWith(temporary, node);
    return node;
}

/* ---- for the schedule ------------------------------------------------------------------------ */

static void describe(struct sl_spirv *s, const char *name, uint32_t number, LLVMMetadataRef place)
{
    unsigned length = 0;
    LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(place));
    const char *path = file ? LLVMDIFileGetFilename(file, &length) : "";
    LLVMMetadataRef parts[] = {text_of(s, name), number_of(s, number),
                               number_of(s, LLVMDILocationGetLine(place)),
                               number_of(s, LLVMDILocationGetColumn(place)),
                               LLVMMDStringInContext2(s->context, path, length)};
    LLVMAddNamedMetadataOperand(
        s->module, "sl.loops",
        LLVMMetadataAsValue(s->context, LLVMMDNodeInContext2(s->context, parts, 5)));
}

static void describe_all(struct sl_spirv *s, const struct wish *wish, LLVMMetadataRef place)
{
    static const struct {
        uint32_t bit;
        const char *pragma;
    } rows[] = {
        {LoopControlDependencyInfiniteMask, "ivdep"},
        {LoopControlInitiationIntervalINTELMask, "ii"},
        {LoopControlMaxConcurrencyINTELMask, "max_concurrency"},
        {LoopControlLoopCoalesceINTELMask, "loop_coalesce"},
        {LoopControlSpeculatedIterationsINTELMask, "speculated_iterations"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        if (wish->mask & rows[r].bit)
            describe(s, rows[r].pragma, literal_of(wish, rows[r].bit), place);
    if (wish->mask & LoopControlPipelineEnableINTELMask &&
        !literal_of(wish, LoopControlPipelineEnableINTELMask))
        describe(s, "disable_loop_pipelining", 0, place);
}

/* ---- all loops ------------------------------------------------------------------------------- */

/* Edges back come from blocks that stand later in the order. */
static bool goes_back(const struct sl_spirv_block *head, uint32_t k, const struct sl_spirv *s,
                      const uint32_t *place)
{
    const struct sl_spirv_block *blocks = s->function.blocks;
    return blocks[head->before[k]].out && place[head->before[k]] >= place[head - blocks];
}

static bool begins_loop(const struct sl_spirv *s, const struct sl_spirv_block *block,
                        const uint32_t *place)
{
    bool begins = false;
    for (uint32_t k = 0; k < block->before_count; k++)
        begins |= goes_back(block, k, s, place);
    return begins;
}

static void annotate(struct sl_spirv *s, const struct sl_spirv_block *head, const uint32_t *place,
                     LLVMMetadataRef notes)
{
    unsigned kind = LLVMGetMDKindIDInContext(s->context, "llvm.loop", 9);
    for (uint32_t k = 0; k < head->before_count; k++)
        if (goes_back(head, k, s, place))
            LLVMSetMetadata(LLVMGetBasicBlockTerminator(s->function.blocks[head->before[k]].out),
                            kind, LLVMMetadataAsValue(s->context, notes));
}

int sl_spirv_note_loops(struct sl_spirv *s)
{
    const struct sl_spirv_function *f = &s->function;
    uint32_t *place = sl_spirv_allocate(s, f->block_count + 1, sizeof *place);
    if (!place)
        return -1;
    for (uint32_t o = 0; o < f->order_count; o++)
        place[f->order[o]] = o;
    for (uint32_t o = 0; o < f->order_count; o++) {
        const struct sl_spirv_block *block = &f->blocks[f->order[o]];
        if (!begins_loop(s, block, place))
            continue;
        const struct wish wish = wish_of(s, block);
        LLVMMetadataRef line = sl_spirv_loop_line(s, block);
        if (line || wish.mask)
            annotate(s, block, place, notes_of(s, &wish, line));
        if (line)
            describe_all(s, &wish, line);
    }
    return 0;
}
