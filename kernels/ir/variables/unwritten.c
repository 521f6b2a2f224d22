/* SPDX-License-Identifier: Apache-2.0 */
/* What happens to which variable is noted per instruction; then two rows of bits go forwards
 * through the blocks: what some way has written, and what all ways have. No shared state. */
#include "ir/variables/unwritten.h"

#include <stdlib.h>
#include <string.h>

#include "ir/bits.h"
#include "ir/control_flow/cfg.h"
#include "ir/memory.h"
#include "llvm/intrinsics.h"

enum what { READS, WRITES, FORGETS };

struct event {
    enum what what;
    uint32_t variable;
    struct event *next; /* of the same instruction */
};

struct search {
    struct sl_cfg cfg;
    struct sl_list variables;
    struct sl_list all;     /* events, owned */
    struct sl_map events;   /* instruction -> its first event */
    struct sl_list touched; /* instructions with events, block after block */
    size_t *touched_end;    /* owned; per block */
    size_t words;
    uint64_t *some, *every; /* owned; a row per block, at its end */
    sl_unwritten_fn found;
    void *data;
};

/* ---- what happens to variables --------------------------------------------------------------- */

static void note(struct search *s, LLVMValueRef instruction, enum what what, uint32_t variable)
{
    struct event *event = sl_ir_alloc(1, sizeof *event);
    *event = (struct event){what, variable, sl_map_get(&s->events, instruction)};
    sl_map_set(&s->events, instruction, event);
    sl_list_add(&s->all, event);
}

static bool is_copy(LLVMValueRef call)
{
    return sl_llvm_is_intrinsic(call,
                                SL_INTRINSIC_COPY | SL_INTRINSIC_COPY_INLINE | SL_INTRINSIC_MOVE);
}

static void note_call(struct search *s, LLVMValueRef call, LLVMValueRef pointer, uint32_t variable)
{
    if (sl_llvm_is_intrinsic(call, SL_INTRINSIC_LIFETIME))
        note(s, call, FORGETS, variable);
    else if (is_copy(call) && LLVMGetArgOperand(call, 0) != pointer)
        note(s, call, READS, variable);
    else
        note(s, call, WRITES, variable);
}

/* `sure`: the pointer is of this variable and no other. */
static void note_use(struct search *s, LLVMValueRef user, LLVMValueRef pointer, uint32_t variable,
                     bool sure)
{
    if (LLVMIsALoadInst(user)) {
        if (sure)
            note(s, user, READS, variable);
    } else if (LLVMIsACallInst(user)) {
        note_call(s, user, pointer, variable);
    } else if (!LLVMIsAICmpInst(user)) {
        note(s, user, WRITES, variable);
    }
}

static bool passes_on(LLVMValueRef user)
{
    return LLVMIsAGetElementPtrInst(user) || LLVMIsAAddrSpaceCastInst(user) ||
           LLVMIsABitCastInst(user);
}

static bool chooses(LLVMValueRef user)
{
    return LLVMIsAPHINode(user) || LLVMIsASelectInst(user);
}

static void note_variable(struct search *s, uint32_t number)
{
    struct sl_list pointers = {0};
    struct sl_map seen = {0}, unsure = {0};
    sl_list_add(&pointers, s->variables.items[number]);
    for (size_t p = 0; p < pointers.count; p++) {
        LLVMValueRef pointer = pointers.items[p];
        bool sure = !sl_map_get(&unsure, pointer);
        for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (!passes_on(user) && !chooses(user)) {
                note_use(s, user, pointer, number, sure);
            } else if (!sl_map_get(&seen, user)) {
                sl_map_set(&seen, user, user);
                sl_map_set(&unsure, user, sure && !chooses(user) ? NULL : user);
                sl_list_add(&pointers, user);
            }
        }
    }
    sl_list_finish(&pointers);
    sl_map_finish(&seen);
    sl_map_finish(&unsure);
}

static void note_variables(struct search *s)
{
    for (uint32_t b = 0; b < s->cfg.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(s->cfg.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i))
            if (LLVMIsAAllocaInst(i))
                sl_list_add(&s->variables, i);
    for (uint32_t v = 0; v < s->variables.count; v++)
        note_variable(s, v);
}

static void list_touched(struct search *s)
{
    s->touched_end = sl_ir_alloc(s->cfg.count, sizeof *s->touched_end);
    for (uint32_t b = 0; b < s->cfg.count; b++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(s->cfg.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i))
            if (sl_map_get(&s->events, i))
                sl_list_add(&s->touched, i);
        s->touched_end[b] = s->touched.count;
    }
}

/* ---- the ways -------------------------------------------------------------------------------- */

static void drop(uint64_t *row, size_t bit)
{
    row[bit / 64] &= ~(UINT64_C(1) << bit % 64);
}

static void tell(struct search *s, const struct event *event, LLVMValueRef load,
                 const uint64_t *some, const uint64_t *every)
{
    if (sl_bits_has(every, event->variable))
        return;
    const struct sl_unwritten row = {.variable = s->variables.items[event->variable],
                                     .load = load,
                                     .always = !sl_bits_has(some, event->variable)};
    s->found(s->data, &row);
}

/* Past one instruction, which reads before it writes. */
static void step(struct search *s, LLVMValueRef i, uint64_t *some, uint64_t *every, bool telling)
{
    const struct event *first = sl_map_get(&s->events, i);
    for (const struct event *e = first; e && telling; e = e->next)
        if (e->what == READS)
            tell(s, e, i, some, every);
    for (const struct event *e = first; e; e = e->next) {
        if (e->what == WRITES) {
            sl_bits_add(some, e->variable);
            sl_bits_add(every, e->variable);
        } else if (e->what == FORGETS) {
            drop(some, e->variable);
            drop(every, e->variable);
        }
    }
}

static void enter(const struct search *s, uint32_t block, uint64_t *some, uint64_t *every)
{
    const struct sl_block *b = &s->cfg.blocks[block];
    memset(some, 0, s->words * sizeof *some);
    memset(every, block ? 0xff : 0, s->words * sizeof *every);
    for (uint32_t p = 0; p < b->pred_count; p++)
        for (size_t w = 0; w < s->words; w++) {
            some[w] |= s->some[b->pred[p] * s->words + w];
            every[w] &= s->every[b->pred[p] * s->words + w];
        }
}

static void pass_block(struct search *s, uint32_t block, uint64_t *some, uint64_t *every,
                       bool telling)
{
    enter(s, block, some, every);
    for (size_t i = block ? s->touched_end[block - 1] : 0; i < s->touched_end[block]; i++)
        step(s, s->touched.items[i], some, every, telling);
}

static void flow(struct search *s, uint64_t *some, uint64_t *every)
{
    size_t bytes = s->words * sizeof *some;
    memset(s->every, 0xff, s->cfg.count * bytes);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < s->cfg.count; b++) {
            uint64_t *to = s->some + b * s->words, *to_every = s->every + b * s->words;
            pass_block(s, b, some, every, false);
            changed |= memcmp(to, some, bytes) || memcmp(to_every, every, bytes);
            memcpy(to, some, bytes);
            memcpy(to_every, every, bytes);
        }
    }
    for (uint32_t b = 0; b < s->cfg.count; b++)
        pass_block(s, b, some, every, true);
}

void sl_find_unwritten(LLVMValueRef function, sl_unwritten_fn found, void *data)
{
    struct search s = {.found = found, .data = data};
    sl_cfg_init(&s.cfg, function);
    note_variables(&s);
    if (s.variables.count) {
        list_touched(&s);
        s.words = sl_bits_words(s.variables.count);
        s.some = sl_ir_alloc(s.cfg.count * s.words, sizeof *s.some);
        s.every = sl_ir_alloc(s.cfg.count * s.words, sizeof *s.every);
        uint64_t *now = sl_ir_alloc(2 * s.words, sizeof *now);
        flow(&s, now, now + s.words);
        free(now);
    }
    for (size_t e = 0; e < s.all.count; e++)
        free(s.all.items[e]);
    sl_list_finish(&s.all);
    sl_list_finish(&s.variables);
    sl_map_finish(&s.events);
    sl_cfg_finish(&s.cfg);
    sl_list_finish(&s.touched);
    free(s.touched_end);
    free(s.some);
    free(s.every);
}
