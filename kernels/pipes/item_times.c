/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each work-item of a kernel takes by the schedule, counted by itself: how often it enters
 * which loop and goes round it follows from variables like the program's own, so that all that is
 * done to a kernel is done to it as well, and where LLVM can tell how often a loop goes round
 * nothing is counted at all. When an item is through it leaves the sums (sl_kernel_info.times) for
 * who runs the group. No shared state.
 */
#include <stdlib.h>
#include <string.h>

#include "ir/calls.h"
#include "ir/memory.h"
#include "pipes/mark_order.h"
#include "pipes/pipe.h"
#include "pipes/resolve.h"
#include "sluice/module.h"

enum { MOST_LOOPS = 32, OF_ITEM = 2, OF_LOOP = 2 };

struct row {
    uint64_t line, column, interval, drain, slot;
    LLVMValueRef entries, full, iterations; /* variables; full: entries with any iterations */
    LLVMValueRef inside;                    /* 1 and the iterations so far; 0: not in it */
};

struct counter {
    struct sl_emit e;
    struct sl_pass *pass;
    LLVMValueRef kernel;
    uint64_t depth, apart;
    struct row rows[MOST_LOOPS];
    uint32_t count;
};

static bool read_number(const char **text, uint64_t *number)
{
    char *end;
    *number = strtoull(*text, &end, 10);
    const bool any = end != *text;
    *text = end;
    return any;
}

static bool read_rows(struct counter *c)
{
    unsigned length;
    LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
        c->kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, SL_PIPE_ITEMS_ATTRIBUTE,
        (unsigned)strlen(SL_PIPE_ITEMS_ATTRIBUTE));
    const char *text = attribute ? LLVMGetStringAttributeValue(attribute, &length) : "";
    bool good = read_number(&text, &c->depth) && read_number(&text, &c->apart);
    while (good && *text) {
        struct row row = {0};
        good = c->count < MOST_LOOPS && read_number(&text, &row.line) &&
               read_number(&text, &row.column) && read_number(&text, &row.interval) &&
               read_number(&text, &row.drain) && read_number(&text, &row.slot);
        if (good)
            c->rows[c->count++] = row;
    }
    return good;
}

/* ---- variables ------------------------------------------------------------------------------- */

static LLVMValueRef variable(struct counter *c, const char *name)
{
    LLVMValueRef v = sl_emit_entry_alloca(&c->e, c->kernel, c->e.i64, 8, name);
    sl_emit_at_entry(&c->e, c->kernel);
    LLVMBuildStore(c->e.builder, sl_emit_i64(&c->e, 0), v);
    return v;
}

static void make_variables(struct counter *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        struct row *row = &c->rows[i];
        row->entries = variable(c, "entries");
        row->full = variable(c, "full");
        row->iterations = variable(c, "iterations");
        row->inside = variable(c, "inside");
    }
}

static LLVMValueRef load(struct counter *c, LLVMValueRef variable)
{
    return LLVMBuildLoad2(c->e.builder, c->e.i64, variable, "");
}

static void add(struct counter *c, LLVMValueRef variable, LLVMValueRef more)
{
    LLVMBuildStore(c->e.builder, LLVMBuildNUWAdd(c->e.builder, load(c, variable), more, ""),
                   variable);
}

static LLVMValueRef is_more(struct counter *c, LLVMValueRef value, uint64_t than)
{
    return LLVMBuildICmp(c->e.builder, LLVMIntUGT, value, sl_emit_i64(&c->e, than), "");
}

/* ---- marks ----------------------------------------------------------------------------------- */

/* It was left with so many iterations and 1; 0: the item was not in it. */
static void leave(struct counter *c, struct row *row, LLVMValueRef count)
{
    LLVMBuilderRef b = c->e.builder;
    LLVMValueRef was = is_more(c, count, 0), zero = sl_emit_i64(&c->e, 0);
    add(c, row->entries, LLVMBuildZExt(b, was, c->e.i64, ""));
    add(c, row->full, LLVMBuildZExt(b, is_more(c, count, 1), c->e.i64, ""));
    LLVMValueRef iterations = LLVMBuildSub(b, count, sl_emit_i64(&c->e, 1), "");
    add(c, row->iterations, LLVMBuildSelect(b, was, iterations, zero, ""));
}

/* As the clock of a run does with a mark (devices/fpga/clock/clock_loops.c). */
static void count_mark(struct counter *c, struct row *row, LLVMValueRef mark)
{
    LLVMValueRef one = sl_emit_i64(&c->e, 1), zero = sl_emit_i64(&c->e, 0);
    switch ((enum sl_loop_mark)LLVMConstIntGetZExtValue(LLVMGetArgOperand(mark, 0))) {
    case SL_LOOP_BEGINS:
        leave(c, row, load(c, row->inside));
        LLVMBuildStore(c->e.builder, one, row->inside);
        break;
    case SL_LOOP_ITERATES:
        add(c, row->inside, one);
        break;
    case SL_LOOP_ENDS:
        leave(c, row, load(c, row->inside));
        LLVMBuildStore(c->e.builder, zero, row->inside);
        break;
    case SL_LOOP_IS_THROUGH:
        leave(c, row, LLVMGetArgOperand(mark, 3));
        break;
    case SL_LOOP_IS_ITEM:
        break;
    }
}

static bool is_at(LLVMValueRef mark, const struct row *row)
{
    return LLVMConstIntGetZExtValue(LLVMGetArgOperand(mark, 1)) == row->line &&
           LLVMConstIntGetZExtValue(LLVMGetArgOperand(mark, 2)) == row->column;
}

/* The rows of a loop's place, of which that is the first: `rows` of each of `marks` there. Copies
 * of a loop have one place: those that the schedule has no row for, as they go round once, would
 * count for another loop. Where they come one behind the other that tells them apart, else only
 * where the item is (clock_loops.c). False: it is so. */
static bool place_marks(struct counter *c, struct row *first, const struct sl_list *marks,
                        struct row **rows)
{
    struct row *at[MOST_LOOPS];
    uint32_t loops = 0, count = 0, ways = 0;
    LLVMValueRef *here = sl_ir_alloc(marks->count + 1, sizeof *here);
    uint32_t *which = sl_ir_alloc(marks->count + 1, sizeof *which);
    for (struct row *row = first; row < c->rows + c->count; row++)
        if (row->line == first->line && row->column == first->column)
            at[loops++] = row;
    for (size_t i = 0; i < marks->count; i++)
        if (is_at(marks->items[i], first)) {
            ways += sl_pipe_is_way_in(marks->items[i]);
            here[count++] = marks->items[i];
        }
    const bool known =
        (loops == 1 && ways < 2) || sl_pipe_order_marks(c->kernel, here, count, loops, which);
    for (size_t i = 0, k = 0; i < marks->count && known; i++)
        if (is_at(marks->items[i], first))
            rows[i] = at[which[k++]];
    free(here);
    free(which);
    return known;
}

/* Marks without a row are of loops that vanished in those around them. */
static bool find_rows(struct counter *c, const struct sl_list *marks, struct row **rows)
{
    bool known = true;
    for (uint32_t i = 0; i < c->count && known; i++) {
        uint32_t k = 0;
        while (c->rows[k].line != c->rows[i].line || c->rows[k].column != c->rows[i].column)
            k++;
        known = k < i || place_marks(c, &c->rows[i], marks, rows);
    }
    return known;
}

/* ---- the end of an item ---------------------------------------------------------------------- */

static LLVMValueRef times(struct counter *c, LLVMValueRef value, uint64_t by)
{
    return LLVMBuildMul(c->e.builder, value, sl_emit_i64(&c->e, by), "");
}

static LLVMValueRef greater(struct counter *c, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef is = LLVMBuildICmp(c->e.builder, LLVMIntUGT, a, b, "");
    return LLVMBuildSelect(c->e.builder, is, a, b, "");
}

/* Row-major, as get_local_linear_id(). */
static LLVMValueRef item_number(struct counter *c)
{
    LLVMValueRef number = NULL;
    for (unsigned d = 3; d-- > 0;) {
        LLVMValueRef id = sl_wi_emit(&c->e, c->pass->module, SL_WI_LOCAL_ID, d);
        if (!number) {
            number = id;
            continue;
        }
        LLVMValueRef size = sl_wi_emit(&c->e, c->pass->module, SL_WI_LOCAL_SIZE, d);
        number = sl_emit_add_exact(&c->e, sl_emit_mul_exact(&c->e, number, size, ""), id, "");
    }
    return number;
}

static LLVMValueRef enqueued_items(struct counter *c)
{
    LLVMValueRef items = sl_emit_i64(&c->e, 1);
    for (unsigned d = 0; d < 3; d++)
        items = sl_emit_mul_exact(
            &c->e, items, sl_wi_emit(&c->e, c->pass->module, SL_WI_ENQUEUED_LOCAL_SIZE, d), "");
    return items;
}

/* At the builder's position, which words are known at. */
static void leave_words(struct counter *c, LLVMValueRef base)
{
    LLVMBuilderRef b = c->e.builder;
    LLVMValueRef words[OF_ITEM + OF_LOOP * MOST_LOOPS];
    LLVMValueRef through = sl_emit_i64(&c->e, c->depth), apart = sl_emit_i64(&c->e, c->apart);
    uint32_t count = OF_ITEM;
    for (uint32_t i = 0; i < c->count; i++) {
        const struct row *row = &c->rows[i];
        LLVMValueRef iterations = words[count + 1] = load(c, row->iterations);
        words[count] = load(c, row->entries);
        count += OF_LOOP;
        if (!row->drain)
            continue;
        LLVMValueRef steady = times(c, iterations, row->interval),
                     rest = times(c, load(c, row->full), row->drain - row->interval);
        through = LLVMBuildAdd(b, through, LLVMBuildAdd(b, steady, rest, ""), "");
        apart = greater(c, apart, times(c, iterations, row->slot));
    }
    words[0] = greater(c, through, sl_emit_i64(&c->e, 1));
    words[1] = apart;
    LLVMValueRef items = enqueued_items(c), at = item_number(c);
    for (uint32_t w = 0; w < count; w++) {
        LLVMValueRef offset = LLVMBuildMul(b, at, sl_emit_i64(&c->e, sizeof(uint64_t)), "");
        LLVMBuildStore(b, words[w], sl_emit_byte_offset(&c->e, base, offset, ""));
        at = sl_emit_add_exact(&c->e, at, items, "");
    }
}

/* All ways out of the kernel lead there. */
static LLVMBasicBlockRef common_end(struct counter *c)
{
    LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(c->e.context, c->kernel, "through");
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(c->kernel); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
        if (!last || !LLVMIsAReturnInst(last))
            continue;
        LLVMPositionBuilderBefore(c->e.builder, last);
        LLVMBuildBr(c->e.builder, end);
        LLVMInstructionEraseFromParent(last);
    }
    return end;
}

static void leave_times(struct counter *c)
{
    LLVMBuilderRef b = c->e.builder;
    LLVMBasicBlockRef end = common_end(c);
    LLVMBasicBlockRef wanted = LLVMAppendBasicBlockInContext(c->e.context, c->kernel, "times"),
                      out = LLVMAppendBasicBlockInContext(c->e.context, c->kernel, "out");
    LLVMPositionBuilderAtEnd(b, end);
    LLVMValueRef base = sl_wi_emit(&c->e, c->pass->module, SL_WI_TIMES, 0);
    LLVMBuildCondBr(b, LLVMBuildIsNotNull(b, base, ""), wanted, out);
    LLVMPositionBuilderAtEnd(b, wanted);
    leave_words(c, base);
    LLVMBuildBr(b, out);
    LLVMPositionBuilderAtEnd(b, out);
    LLVMBuildRetVoid(b);
}

/* ---- the order of items ---------------------------------------------------------------------- */

static bool is_of_group(const char *callee)
{
    return strstr(callee, "get_local_") || strstr(callee, "get_enqueued_local_") ||
           strstr(callee, "get_group_id") || strstr(callee, "get_num_groups");
}

static bool is_used_in(LLVMValueRef value, LLVMValueRef kernel)
{
    bool used = false;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use && !used; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        used = LLVMIsAInstruction(user)
                   ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == kernel
                   : LLVMIsAConstant(user) && is_used_in(user, kernel);
    }
    return used;
}

static bool has_local_memory(const struct sl_pass *pass, const struct sl_kernel_facts *facts)
{
    enum { LOCAL = 3 };
    bool has = false;
    for (uint32_t i = 0; i < facts->arg_count; i++)
        has |= facts->args[i].kind == SL_ARG_LOCAL;
    for (LLVMValueRef g = LLVMGetFirstGlobal(pass->module); g && !has; g = LLVMGetNextGlobal(g))
        has = LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == LOCAL && is_used_in(g, facts->kernel);
    return has;
}

/* Clang leaves variables in memory, also those that nobody reads. */
static bool is_read(LLVMValueRef variable)
{
    bool read = !LLVMIsAAllocaInst(variable);
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use && !read; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        read = LLVMIsALoadInst(user)
                   ? LLVMGetFirstUse(user) != NULL
                   : !LLVMIsAStoreInst(user) || LLVMGetOperand(user, 0) == variable;
    }
    return read;
}

/* What only goes to where nobody looks has gone when kernels with a clock run item by item. */
static bool is_needed(LLVMValueRef value)
{
    bool needed = false;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use && !needed; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user))
            needed = is_read(LLVMGetOperand(user, 1));
        else
            needed = !LLVMIsACastInst(user) || is_needed(user);
    }
    return needed;
}

/* As groups of a row are merged where a kernel with a clock runs item by item. */
static bool come_by_rows(const struct sl_pass *pass, const struct sl_kernel_facts *facts)
{
    struct sl_list calls = {0};
    bool asks = false;
    sl_find_calls(facts->kernel, is_of_group, &calls);
    for (size_t i = 0; i < calls.count; i++)
        asks |= is_needed(calls.items[i]);
    sl_list_finish(&calls);
    return !asks && !has_local_memory(pass, facts);
}

static void count_marks(struct counter *c, const struct sl_list *marks, struct row **rows)
{
    make_variables(c);
    for (size_t i = 0; i < marks->count; i++) {
        LLVMPositionBuilderBefore(c->e.builder, marks->items[i]);
        if (rows[i])
            count_mark(c, rows[i], marks->items[i]);
    }
}

bool sl_pipe_count_items(struct sl_pass *pass, struct sl_kernel_facts *facts,
                         const struct sl_list *marks)
{
    struct counter c = {.pass = pass, .kernel = facts->kernel};
    struct row **rows = sl_ir_alloc(marks->count + 1, sizeof(struct row *));
    const bool known = read_rows(&c) && find_rows(&c, marks, rows);
    if (known) {
        sl_emit_init(&c.e, pass->context);
        count_marks(&c, marks, rows);
        if (come_by_rows(pass, facts))
            facts->flags |= SL_KERNEL_TIMED_BY_ROWS;
        leave_times(&c);
        facts->times = OF_ITEM + OF_LOOP * c.count;
        sl_emit_finish(&c.e);
    }
    free(rows);
    return known;
}
