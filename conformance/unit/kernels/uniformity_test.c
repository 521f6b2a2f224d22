/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is the same for all items of a group: functions written by hand, with the kernels' own
 * answers about single instructions; and random functions, run item by item: what is called uniform
 * has taken the same values in all of them. One thread.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <llvm-c/IRReader.h>

#include "ir/control_flow/uniformity.h"
#include "items/work_item.h"

/* ---- by hand --------------------------------------------------------------------------------- */

static LLVMContextRef context;
static LLVMModuleRef module;
static struct sl_cfg cfg;
static struct sl_uniformity uniformity;

static void analyse(sl_source_fn varies, sl_source_fn meets)
{
    sl_cfg_init(&cfg, LLVMGetNamedFunction(module, "k"));
    sl_uniformity_init(&uniformity, &cfg, varies, meets);
}

static void read_text(const char *body)
{
    char text[8192], *error = NULL;
    int n = snprintf(text, sizeof text,
                     "declare i64 @sl.wi.6.0()\ndeclare i64 @sl.wi.6.1()\n"
                     "declare i64 @sl.wi.8.0()\ndeclare void @sl.barrier()\n"
                     "declare void @sl.meet()\ndeclare i64 @other(i64)\n"
                     "declare i64 @llvm.smax.i64(i64, i64)\n"
                     "define void @k(ptr %%p, i64 %%n) {\n"
                     "entry:\n %%x = call i64 @sl.wi.6.0()\n %%y = call i64 @sl.wi.6.1()\n"
                     " %%group = call i64 @sl.wi.8.0()\n"
                     " %%cx = icmp ult i64 %%x, %%n\n %%cn = icmp ult i64 %%group, %%n\n%s}\n"
                     "!0 = !{}\n",
                     body);
    assert_in_range(n, 1, sizeof text - 1);
    context = LLVMContextCreate();
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
    if (LLVMParseIRInContext(context, buffer, &module, &error))
        fail_msg("%s\n%s", error, text);
}

static void open(const char *body)
{
    read_text(body);
    analyse(sl_varies_in_group, sl_wi_is_barrier);
}

static void again(sl_source_fn varies, sl_source_fn meets)
{
    sl_uniformity_finish(&uniformity);
    sl_cfg_finish(&cfg);
    analyse(varies, meets);
}

static void close(void)
{
    sl_uniformity_finish(&uniformity);
    sl_cfg_finish(&cfg);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
}

static bool is_uniform(const char *name)
{
    for (uint32_t b = 0; b < cfg.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(cfg.blocks[b].ref); i;
             i = LLVMGetNextInstruction(i))
            if (!strcmp(LLVMGetValueName(i), name))
                return sl_is_uniform(&uniformity, i);
    fail_msg("no value %s", name);
    return false;
}

static uint32_t block_named(const char *name)
{
    for (uint32_t b = 0; b < cfg.count; b++)
        if (!strcmp(LLVMGetBasicBlockName(cfg.blocks[b].ref), name))
            return b;
    fail_msg("no block %s", name);
    return 0;
}

static bool may_be_passed_by(const char *block)
{
    return uniformity.varying_control[block_named(block)];
}

static bool parts(const char *block)
{
    return sl_parts_items(&uniformity, cfg.blocks[block_named(block)].ref);
}

static void ids_vary_in_their_dimensions(void **unused)
{
    (void)unused;
    open(" ret void\n");
    assert_false(is_uniform("x"));
    assert_false(is_uniform("y"));
    assert_true(is_uniform("group"));
    assert_false(is_uniform("cx"));
    assert_true(is_uniform("cn"));
    again(sl_varies_in_row, sl_wi_is_barrier);
    assert_false(is_uniform("x"));
    assert_true(is_uniform("y"));
    close();
}

/* Another item may have written in between, unless the memory is constant. */
static void loads_vary_unless_memory_is_constant(void **unused)
{
    (void)unused;
    open(" %q = getelementptr i64, ptr %p, i64 %x\n"
         " %plain = load i64, ptr %p\n"
         " %constant = load i64, ptr %p, !invariant.load !0\n"
         " %elsewhere = load i64, ptr %q, !invariant.load !0\n"
         " %volatile = load volatile i64, ptr %p, !invariant.load !0\n"
         " ret void\n");
    assert_false(is_uniform("plain"));
    assert_true(is_uniform("constant"));
    assert_false(is_uniform("elsewhere"));
    assert_false(is_uniform("volatile"));
    close();
}

static void calls_vary_unless_they_compute_from_what_they_are_given(void **unused)
{
    (void)unused;
    open(" %larger = call i64 @llvm.smax.i64(i64 %group, i64 %n)\n"
         " %larger.x = call i64 @llvm.smax.i64(i64 %x, i64 %n)\n"
         " %other = call i64 @other(i64 %n)\n"
         " ret void\n");
    assert_true(is_uniform("larger"));
    assert_false(is_uniform("larger.x"));
    assert_false(is_uniform("other"));
    close();
}

static void each_item_has_its_own(void **unused)
{
    (void)unused;
    open(" %array = alloca [4 x i64]\n"
         " %place = getelementptr i64, ptr %array, i64 %n\n"
         " %before = atomicrmw add ptr %p, i64 1 seq_cst\n"
         " %pair = cmpxchg ptr %p, i64 0, i64 1 seq_cst seq_cst\n"
         " %was = extractvalue { i64, i1 } %pair, 0\n"
         " %frozen = freeze i64 %n\n"
         " ret void\n");
    assert_false(is_uniform("array"));
    assert_false(is_uniform("place"));
    assert_false(is_uniform("before"));
    assert_false(is_uniform("was"));
    assert_false(is_uniform("frozen"));
    close();
}

static void phis_vary_where_items_meet_that_parted(void **unused)
{
    (void)unused;
    open(" br i1 %cx, label %one, label %two\n"
         "one:\n %a = add i64 %n, 1\n br label %join\n"
         "two:\n br label %join\n"
         "join:\n %r = phi i64 [ 1, %one ], [ 2, %two ]\n %b = add i64 %n, 2\n"
         " br i1 %cn, label %three, label %end\n"
         "three:\n %c = add i64 %n, 3\n br label %end\n"
         "end:\n %s = phi i64 [ 1, %join ], [ %c, %three ]\n ret void\n");
    assert_true(parts("entry"));
    assert_false(parts("join"));
    assert_true(may_be_passed_by("one"));
    assert_false(is_uniform("a"));
    assert_false(is_uniform("r"));
    assert_false(may_be_passed_by("join"));
    assert_true(is_uniform("b"));
    assert_false(may_be_passed_by("three"));
    assert_true(is_uniform("c"));
    assert_true(is_uniform("s"));
    close();
}

static void a_loop_that_items_leave_one_by_one_counts_for_each(void **unused)
{
    (void)unused;
    open(" br label %loop\n"
         "loop:\n %i = phi i64 [ 0, %entry ], [ %i1, %loop ]\n %i1 = add i64 %i, 1\n"
         " %more = icmp ult i64 %i1, %n\n br i1 %more, label %loop, label %between\n"
         "between:\n %out = phi i64 [ %i1, %loop ]\n br label %each\n"
         "each:\n %j = phi i64 [ 0, %between ], [ %j1, %each ]\n %j1 = add i64 %j, 1\n"
         " %go = icmp ult i64 %j1, %x\n br i1 %go, label %each, label %end\n"
         "end:\n %last = phi i64 [ %j1, %each ]\n %d = add i64 %out, 1\n ret void\n");
    assert_true(is_uniform("i"));
    assert_true(is_uniform("out"));
    assert_false(parts("loop"));
    assert_true(parts("each"));
    assert_true(may_be_passed_by("each"));
    assert_false(is_uniform("j"));
    assert_false(is_uniform("last"));
    assert_true(is_uniform("d"));
    close();
}

/* Both ways lead to barriers: all items go one of them. */
static void barriers_on_both_ways_decide(void **unused)
{
    (void)unused;
    open(" br i1 %cx, label %one, label %two\n"
         "one:\n %a = add i64 %n, 1\n call void @sl.barrier()\n br label %join\n"
         "two:\n call void @sl.barrier()\n br label %join\n"
         "join:\n %r = phi i64 [ %a, %one ], [ 2, %two ]\n ret void\n");
    assert_false(is_uniform("cx"));
    assert_false(parts("entry"));
    assert_true(is_uniform("a"));
    assert_true(is_uniform("r"));
    again(sl_varies_in_group, NULL); /* as where sub-groups go their own ways */
    assert_true(parts("entry"));
    assert_false(is_uniform("a"));
    assert_false(is_uniform("r"));
    close();
}

/* One that returns before is tolerated; those that come to the barrier are all together there. */
static void a_barrier_on_one_way_decides_where_it_is(void **unused)
{
    (void)unused;
    open(" br i1 %cx, label %go, label %end\n"
         "go:\n %a = add i64 %n, 1\n call void @sl.barrier()\n %b = add i64 %a, 1\n"
         " br i1 %cx, label %one, label %two\n"
         "one:\n br label %two\n"
         "two:\n %r = phi i64 [ %a, %go ], [ 2, %one ]\n br label %end\n"
         "end:\n %s = phi i64 [ 0, %entry ], [ %b, %two ]\n ret void\n");
    assert_true(parts("entry"));
    assert_false(may_be_passed_by("go"));
    assert_true(is_uniform("a"));
    assert_true(is_uniform("b"));
    assert_true(parts("go"));
    assert_false(is_uniform("r"));
    assert_false(is_uniform("s"));
    close();
}

/* None of the items need come to a barrier here. */
static void barriers_that_may_be_passed_by_decide_nothing(void **unused)
{
    (void)unused;
    open(" br i1 %cx, label %one, label %two\n"
         "one:\n br i1 %cn, label %three, label %join\n"
         "two:\n br i1 %cn, label %four, label %join\n"
         "three:\n call void @sl.barrier()\n br label %join\n"
         "four:\n call void @sl.barrier()\n br label %join\n"
         "join:\n %r = phi i64 [ 1, %one ], [ 2, %two ], [ 3, %three ], [ 4, %four ]\n"
         " ret void\n");
    assert_true(parts("entry"));
    assert_true(may_be_passed_by("one"));
    assert_false(is_uniform("r"));
    close();
}

static void what_is_made_later_is_not_known(void **unused)
{
    (void)unused;
    open(" %a = add i64 %n, 1\n ret void\n");
    LLVMBasicBlockRef entry = cfg.blocks[0].ref;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(entry));
    LLVMValueRef n = LLVMGetParam(LLVMGetNamedFunction(module, "k"), 1);
    assert_false(sl_is_uniform(&uniformity, LLVMBuildMul(builder, n, n, "later")));
    assert_true(sl_is_uniform(&uniformity, n));
    assert_true(is_uniform("a"));
    LLVMDisposeBuilder(builder);
    close();
}

/* ---- random functions ------------------------------------------------------------------------ */

enum { MOST = 9, VARIABLES = 3, ITEMS = 4, MOST_STEPS = 96, FUNCTIONS = 20000 };
enum kind { FROM_TWO, FROM_ID, FROM_ARGUMENT };

/* Each block has a phi for each variable, and gives each a new value. */
struct block {
    LLVMBasicBlockRef ref;
    LLVMValueRef phi[VARIABLES], made[VARIABLES];
    enum kind kind[VARIABLES];
    uint32_t from[VARIABLES][2];
    uint32_t succ[2], succ_count, asks; /* which variable */
    bool barrier;
};

struct function {
    struct block blocks[MOST];
    uint32_t count;
    LLVMValueRef argument;
};

struct trace { /* of one item */
    uint32_t steps, block[MOST_STEPS], phi[MOST_STEPS][VARIABLES], made[MOST_STEPS][VARIABLES];
    bool ended;
};

static uint32_t state = 1;

static uint32_t below(uint32_t limit)
{
    state = state * 1664525 + 1013904223;
    return (state >> 8) % limit;
}

static void draw(struct function *f)
{
    f->count = 3 + below(MOST - 2);
    for (uint32_t b = 0; b < f->count; b++) {
        struct block *block = &f->blocks[b];
        block->succ_count = b + 1 == f->count ? 0 : 1 + (below(3) > 0);
        for (uint32_t s = 0; s < 2 && block->succ_count; s++)
            block->succ[s] = below(4) ? b + 1 + below(f->count - b - 1) : 1 + below(f->count - 1);
        block->asks = below(VARIABLES);
        block->barrier = below(4) == 0;
        for (uint32_t k = 0; k < VARIABLES; k++) {
            block->kind[k] = below(12) ? FROM_TWO : below(3) ? FROM_ARGUMENT : FROM_ID;
            block->from[k][0] = below(VARIABLES);
            block->from[k][1] = below(3) ? k : below(VARIABLES);
        }
    }
}

static LLVMValueRef before(const struct block *block, uint32_t variable, LLVMTypeRef type)
{
    return block->phi[variable] ? block->phi[variable] : LLVMConstInt(type, variable, false);
}

static void write_block(struct function *f, struct block *block, LLVMBuilderRef b,
                        const struct sl_emit *e)
{
    LLVMTypeRef type = e->i64;
    LLVMPositionBuilderAtEnd(b, block->ref);
    for (uint32_t k = 0; k < VARIABLES && block != f->blocks; k++)
        block->phi[k] = LLVMBuildPhi(b, type, "");
    if (block->barrier)
        sl_wi_emit_barrier(e, module);
    for (uint32_t k = 0; k < VARIABLES; k++) {
        LLVMValueRef made = f->argument;
        if (block->kind[k] == FROM_ID)
            made = sl_wi_emit(e, module, SL_WI_LOCAL_ID, 0);
        if (block->kind[k] == FROM_TWO)
            made = LLVMBuildAdd(b, before(block, block->from[k][0], type),
                                before(block, block->from[k][1], type), "");
        block->made[k] = LLVMBuildAdd(b, made, LLVMConstInt(type, k, false), "");
    }
    if (!block->succ_count) {
        LLVMBuildRetVoid(b);
        return;
    }
    LLVMBasicBlockRef to[2] = {f->blocks[block->succ[0]].ref, f->blocks[block->succ[1]].ref};
    LLVMValueRef on = LLVMBuildTrunc(b, block->made[block->asks], e->i1, "");
    if (block->succ_count == 2)
        LLVMBuildCondBr(b, on, to[0], to[1]);
    else
        LLVMBuildBr(b, to[0]);
}

static void write_function(struct function *f)
{
    struct sl_emit e;
    context = LLVMContextCreate();
    module = LLVMModuleCreateWithNameInContext("test", context);
    sl_emit_init(&e, context);
    LLVMValueRef k = LLVMAddFunction(module, "k", LLVMFunctionType(e.none, &e.i64, 1, false));
    f->argument = LLVMGetParam(k, 0);
    for (uint32_t b = 0; b < f->count; b++)
        f->blocks[b].ref = LLVMAppendBasicBlockInContext(context, k, "");
    for (uint32_t b = 0; b < f->count; b++)
        write_block(f, &f->blocks[b], e.builder, &e);
    for (uint32_t b = 0; b < f->count; b++)
        for (uint32_t s = 0; s < f->blocks[b].succ_count; s++)
            for (uint32_t v = 0; v < VARIABLES; v++)
                LLVMAddIncoming(f->blocks[f->blocks[b].succ[s]].phi[v], &f->blocks[b].made[v],
                                &f->blocks[b].ref, 1);
    sl_emit_finish(&e);
}

static void run(const struct function *f, uint32_t item, uint32_t argument, struct trace *t)
{
    uint32_t now[VARIABLES] = {0, 1, 2}, b = 0;
    for (t->steps = 0; t->steps < MOST_STEPS; t->steps++) {
        const struct block *block = &f->blocks[b];
        uint32_t next[VARIABLES];
        t->block[t->steps] = b;
        for (uint32_t k = 0; k < VARIABLES; k++) {
            uint32_t two = now[block->from[k][0]] + now[block->from[k][1]];
            uint32_t made = block->kind[k] == FROM_TWO  ? two
                            : block->kind[k] == FROM_ID ? item
                                                        : argument;
            next[k] = made + k;
        }
        memcpy(t->phi[t->steps], now, sizeof now);
        memcpy(t->made[t->steps], next, sizeof next);
        memcpy(now, next, sizeof now);
        if (!block->succ_count)
            break;
        b = block->succ[block->succ_count == 2 && !(now[block->asks] & 1)];
    }
    t->ended = t->steps < MOST_STEPS;
    t->steps += t->ended;
}

/* The next time from this step on that the item runs the block, or one with a barrier. */
static uint32_t find_step(const struct function *f, const struct trace *t, uint32_t from,
                          uint32_t block)
{
    while (from < t->steps &&
           (block < f->count ? t->block[from] != block : !f->blocks[t->block[from]].barrier))
        from++;
    return from;
}

/* Do all items end, and come to the same barriers? */
static bool is_legal(const struct function *f, const struct trace *items)
{
    for (uint32_t i = 0; i < ITEMS; i++) {
        if (!items[i].ended)
            return false;
        uint32_t a = find_step(f, &items[0], 0, MOST), b = find_step(f, &items[i], 0, MOST);
        while (a < items[0].steps && b < items[i].steps && items[0].block[a] == items[i].block[b]) {
            a = find_step(f, &items[0], a + 1, MOST);
            b = find_step(f, &items[i], b + 1, MOST);
        }
        if (a < items[0].steps || b < items[i].steps)
            return false;
    }
    return true;
}

/* Where an item goes from this step. */
static uint32_t next_block(const struct trace *t, uint32_t step)
{
    return step + 1 < t->steps ? t->block[step + 1] : MOST;
}

static void compare(const struct function *f, const struct trace *one, const struct trace *other,
                    uint32_t b)
{
    const struct block *block = &f->blocks[b];
    uint32_t number = sl_cfg_number(&cfg, block->ref);
    if (number == SL_NO_BLOCK)
        return;
    uint32_t i = find_step(f, one, 0, b), j = find_step(f, other, 0, b);
    while (i < one->steps && j < other->steps) {
        for (uint32_t k = 0; k < VARIABLES; k++) {
            if (block->phi[k] && sl_is_uniform(&uniformity, block->phi[k]))
                assert_int_equal(one->phi[i][k], other->phi[j][k]);
            if (sl_is_uniform(&uniformity, block->made[k]))
                assert_int_equal(one->made[i][k], other->made[j][k]);
        }
        if (!sl_parts_items(&uniformity, block->ref) && !uniformity.varying_control[number])
            assert_int_equal(next_block(one, i), next_block(other, j));
        i = find_step(f, one, i + 1, b);
        j = find_step(f, other, j + 1, b);
    }
    if (!uniformity.varying_control[number])
        assert_true(i >= one->steps && j >= other->steps);
}

/* *legal, *uniform: so many runs of which something could be learnt, and values of those. */
static void try_function(struct function *f, uint32_t *legal, uint32_t *uniform)
{
    write_function(f);
    analyse(sl_varies_in_group, sl_wi_is_barrier);
    for (uint32_t argument = 0; argument < 2; argument++) {
        struct trace items[ITEMS];
        for (uint32_t i = 0; i < ITEMS; i++)
            run(f, i, argument, &items[i]);
        if (!is_legal(f, items))
            continue;
        ++*legal;
        for (uint32_t b = 0; b < f->count; b++) {
            *uniform += b && sl_cfg_number(&cfg, f->blocks[b].ref) != SL_NO_BLOCK &&
                        sl_is_uniform(&uniformity, f->blocks[b].phi[0]);
            for (uint32_t i = 1; i < ITEMS; i++)
                compare(f, &items[0], &items[i], b);
        }
    }
    close();
}

static void what_is_called_uniform_is_the_same_in_all_items(void **unused)
{
    (void)unused;
    uint32_t legal = 0, uniform = 0;
    for (uint32_t n = 0; n < FUNCTIONS; n++) {
        struct function f = {0};
        draw(&f);
        try_function(&f, &legal, &uniform);
    }
    assert_true(legal > FUNCTIONS / 4);
    assert_true(uniform > FUNCTIONS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_vary_in_their_dimensions),
        cmocka_unit_test(loads_vary_unless_memory_is_constant),
        cmocka_unit_test(calls_vary_unless_they_compute_from_what_they_are_given),
        cmocka_unit_test(each_item_has_its_own),
        cmocka_unit_test(phis_vary_where_items_meet_that_parted),
        cmocka_unit_test(a_loop_that_items_leave_one_by_one_counts_for_each),
        cmocka_unit_test(barriers_on_both_ways_decide),
        cmocka_unit_test(a_barrier_on_one_way_decides_where_it_is),
        cmocka_unit_test(barriers_that_may_be_passed_by_decide_nothing),
        cmocka_unit_test(what_is_made_later_is_not_known),
        cmocka_unit_test(what_is_called_uniform_is_the_same_in_all_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
