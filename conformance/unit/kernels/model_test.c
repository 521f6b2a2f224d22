/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model of processors on mixes of instructions whose time follows from a few numbers: chains,
 * units, how many begin at once, how many are under way, loops in loops, words on the stack; and
 * the rows of machines, built in and read.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/predict.h"

enum { ADDER, MULTIPLIER, LOADER, DIVIDER, UNITS, PLACES = 40 };

static const struct sl_mc_processor processor = {
    .name = "test",
    .unit_count = UNITS,
    .units = {"Port0", "Port1", "Port2", SL_MC_DIVIDER},
    .width = 4,
    .window = 64,
};

static const struct sl_model_machine machine = {.name = "test", .window = 64, .loads = "Port2"};

static struct sl_mc_instruction operation(const char *name, uint64_t units, uint16_t to,
                                          uint16_t from, uint16_t latency)
{
    return (struct sl_mc_instruction){.name = name,
                                      .bits = 512,
                                      .steps = 1,
                                      .use_count = units ? 1 : 0,
                                      .read_count = 1,
                                      .write_count = 1,
                                      .uses = {{units, 1}},
                                      .reads = {{from, 0}},
                                      .writes = {{to, latency}}};
}

static struct sl_mc_instruction add(uint16_t to, uint16_t from)
{
    return operation("ADD", 1 << ADDER, to, from, 4);
}

static struct sl_mc_instruction either(uint16_t to, uint16_t from)
{
    return operation("XOR", 1 << ADDER | 1 << MULTIPLIER, to, from, 1);
}

/* A loop of one block that goes on for ever. */
static struct sl_model_prediction predict(const struct sl_mc_instruction *code, uint32_t count,
                                          const struct sl_model_machine *on,
                                          const struct sl_model_rows *own)
{
    const struct sl_mc_block block = {.count = count, .loop = 1, .ways = {0}, .way_count = 1};
    const struct sl_mc_loop loop = {.items = 16};
    const struct sl_mc_function f = {.name = "f",
                                     .processor = &processor,
                                     .instructions = code,
                                     .blocks = &block,
                                     .loops = &loop,
                                     .instruction_count = count,
                                     .block_count = 1,
                                     .loop_count = 1,
                                     .place_count = PLACES};
    return sl_model_predict(&f, on, own, 1);
}

static void assert_near(double value, double wanted)
{
    if (value < wanted * 0.95 || value > wanted * 1.05)
        fail_msg("%f is not %f", value, wanted);
}

static void test_chain(void **state)
{
    (void)state;
    const struct sl_mc_instruction code[] = {add(0, 0), add(0, 0), add(0, 0)};
    struct sl_model_prediction p = predict(code, 3, &machine, NULL);
    assert_near(p.cycles, 12);
    assert_near(p.least, 3);
    assert_int_equal(p.bound, SL_MODEL_WAITING);
}

static void test_unit(void **state)
{
    (void)state;
    struct sl_mc_instruction code[12];
    for (uint16_t k = 0; k < 12; k++)
        code[k] = add(k, k);
    struct sl_model_prediction p = predict(code, 12, &machine, NULL);
    assert_near(p.cycles, 12);
    assert_int_equal(p.bound, SL_MODEL_UNITS);
    assert_string_equal(p.unit, "Port0");
}

/* Half of them go to one unit, half to the other. */
static void test_two_units(void **state)
{
    (void)state;
    struct sl_mc_instruction code[12];
    for (uint16_t k = 0; k < 12; k++)
        code[k] = either(k, k);
    assert_near(predict(code, 12, &machine, NULL).cycles, 6);
}

static void test_width(void **state)
{
    (void)state;
    struct sl_mc_instruction code[12];
    for (uint16_t k = 0; k < 12; k++)
        code[k] = operation("NOP", 0, k, k, 1);
    struct sl_model_prediction p = predict(code, 12, &machine, NULL);
    assert_near(p.cycles, 3);
    assert_int_equal(p.bound, SL_MODEL_WIDTH);
}

/* Two chains of 40 that do not depend on the round before: one after the other but for what the
 * window sees of the next round. */
static void test_window(void **state)
{
    (void)state;
    struct sl_mc_instruction code[41];
    struct sl_model_machine narrow = machine, wide = machine;
    narrow.window = 8;
    wide.window = 400;
    code[0] = operation("LOAD", 1 << LOADER, 1, 0, 4);
    for (uint16_t k = 1; k < 41; k++)
        code[k] = add(1, 1);
    double alone = predict(code, 41, &narrow, NULL).cycles;
    double together = predict(code, 41, &wide, NULL).cycles;
    assert_true(alone > 120 && alone <= 168);
    assert_near(together, 40);
    wide.waiting = 8;
    assert_true(predict(code, 41, &wide, NULL).cycles > 120);
}

/* Only instructions of some units wait in the place that has little room. */
static void test_crowd(void **state)
{
    (void)state;
    struct sl_mc_instruction code[41];
    struct sl_model_machine narrow = machine;
    narrow.window = 400;
    narrow.waiting = 8;
    code[0] = operation("LOAD", 1 << LOADER, 1, 0, 4);
    for (uint16_t k = 1; k < 41; k++)
        code[k] = add(1, 1);
    narrow.crowd = "Port2";
    assert_near(predict(code, 41, &narrow, NULL).cycles, 40);
    narrow.crowd = "Port0 Port2";
    assert_true(predict(code, 41, &narrow, NULL).cycles > 120);
}

/* The branch back takes a cycle of the unit that the loop has most to do for. */
static void test_turn(void **state)
{
    (void)state;
    struct sl_mc_instruction code[4];
    struct sl_model_machine slow = machine;
    for (uint16_t k = 0; k < 4; k++)
        code[k] = operation("LOAD", 1 << LOADER, k, 30, 5);
    assert_near(predict(code, 4, &slow, NULL).cycles, 4);
    slow.turn = "Port2";
    assert_near(predict(code, 4, &slow, NULL).cycles, 5);
    slow.turn = "Port1";
    assert_near(predict(code, 4, &slow, NULL).cycles, 4);
}

/* A value that is stored and loaded again in each round. */
static void test_stack(void **state)
{
    (void)state;
    struct sl_model_machine slow = machine;
    struct sl_mc_instruction code[] = {operation("LOAD", 1 << LOADER, 1, 30, 5), add(1, 1),
                                       operation("STORE", 1 << LOADER, 30, 1, 1)};
    code[0].loads = code[2].stores = true;
    slow.forward = 3;
    assert_near(predict(code, 3, &slow, NULL).cycles, 5 + 4 + 3);
}

/* What an operand is needed for late does not wait for it at once. */
static void test_late_operand(void **state)
{
    (void)state;
    struct sl_mc_instruction code[] = {operation("FMA", 1 << ADDER, 1, 1, 4)};
    code[0].reads[0].advance = 2;
    assert_near(predict(code, 1, &machine, NULL).cycles, 2);
}

static void test_idioms_and_moves(void **state)
{
    (void)state;
    struct sl_mc_instruction code[] = {add(1, 1), operation("MOVE", 1 << ADDER, 2, 1, 1),
                                       operation("ZERO", 1 << ADDER, 1, 2, 1)};
    code[1].is_move = true;
    code[2].is_idiom = true;
    assert_near(predict(code, 3, &machine, NULL).cycles, 1);
}

/* An inner loop of ten rounds: blocks 0 (header), 1 (inner), 2 (back). */
static void test_inner_loop(void **state)
{
    (void)state;
    const struct sl_mc_instruction code[] = {add(1, 1), add(1, 1), add(1, 1)};
    const struct sl_mc_block blocks[] = {
        {.first = 0, .count = 1, .loop = 1, .ways = {1}, .way_count = 1},
        {.first = 1, .count = 1, .loop = 2, .ways = {1, 2}, .way_count = 2},
        {.first = 2, .count = 1, .loop = 1, .ways = {0, 3}, .way_count = 2},
        {.first = 3}};
    struct sl_mc_loop loops[] = {{.header = 0, .items = 16},
                                 {.header = 1, .parent = 1, .rounds = 10}};
    const struct sl_mc_function f = {.name = "f",
                                     .processor = &processor,
                                     .instructions = code,
                                     .blocks = blocks,
                                     .loops = loops,
                                     .instruction_count = 3,
                                     .block_count = 4,
                                     .loop_count = 2,
                                     .place_count = PLACES};
    struct sl_model_prediction p = sl_model_predict(&f, &machine, NULL, 1);
    assert_near(p.cycles, 4 * 12);
    assert_false(p.guessed);
    loops[1].rounds = 0;
    p = sl_model_predict(&f, &machine, NULL, 1);
    assert_near(p.cycles, 4 * (2 + SL_MODEL_ROUNDS));
    assert_true(p.guessed);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void test_rows_read(void **state)
{
    (void)state;
    static struct sl_model_rows rows;
    assert_int_equal(sl_model_rows_read(&rows, "# measured\n\nADD 512 7 2.00\nMUL 0 0 0.5 # x\n"),
                     0);
    assert_int_equal(rows.count, 2);
    assert_int_equal(rows.rows[0].latency, 7);
    assert_int_equal(rows.rows[0].each, 200);
    assert_int_equal(rows.rows[1].each, 50);
    const struct sl_mc_instruction code[] = {add(0, 0)};
    assert_near(predict(code, 1, &machine, &rows).cycles, 7);
    struct sl_mc_instruction many[8];
    for (uint16_t k = 0; k < 8; k++)
        many[k] = add(k, k);
    assert_near(predict(many, 8, &machine, &rows).cycles, 16);
    assert_int_equal(sl_model_rows_read(&rows, "ADD 512 7 2.00\nADD 512 7\n"), 2);
    assert_int_equal(sl_model_rows_read(&rows, "ADD 512 -7 2.00\n"), 1);
    assert_int_equal(sl_model_rows_read(&rows, ""), 0);
    assert_int_equal(rows.count, 0);
}

static void test_no_rows(void **state)
{
    (void)state;
    static struct sl_model_rows rows;
    static const char *const wrong[] = {
        "ADD 512 nan 2.00\n", "ADD 512 7 nan\n",   "ADD 512 inf 2.00\n",
        "ADD 512 7 1e9\n",    "ADD -1 7 2.00\n",   "ADD 1e9 7 2.00\n",
        "ADD 512 7 2.00 7\n", "ADD 512 7 2.00x\n", "ADD 99999999999 7 2.00\n"};
    static char longest[2 * 65536 + 64];
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_int_equal(sl_model_rows_read(&rows, wrong[k]), 1);
        assert_int_equal(rows.count, 0);
    }
    /* A long remark is one; a long row is not cut. */
    memset(longest, ' ', sizeof longest - 1);
    memcpy(longest, "ADD 512 7 2.00", 14);
    strcpy(longest + sizeof longest - 8, "x");
    assert_int_equal(sl_model_rows_read(&rows, longest), 1);
    longest[14] = '#';
    assert_int_equal(sl_model_rows_read(&rows, longest), 0);
    assert_int_equal(rows.count, 1);
}

static void test_machines(void **state)
{
    (void)state;
    struct sl_mc_instruction divide = operation("VDIVPSZrr", 1 << ADDER, 0, 0, 99);
    assert_non_null(sl_model_host());
    assert_null(sl_model_machine("none"));
    for (size_t k = 0; sl_model_machine_at(k); k++) {
        const struct sl_model_machine *m = sl_model_machine_at(k);
        assert_ptr_equal(sl_model_machine(m->name), m);
        assert_ptr_equal(sl_model_machine(m->model), m);
        assert_true(m->window >= 200 && m->window < 1000 && m->waiting <= m->window);
    }
    const struct sl_model_row *row =
        sl_model_row(sl_model_machine("granite-rapids"), NULL, &divide);
    assert_non_null(row);
    assert_int_equal(row->latency, 17);
    divide.bits = 64;
    assert_null(sl_model_row(sl_model_machine("granite-rapids"), NULL, &divide));
    divide.bits = 512;
    assert_null(sl_model_row(sl_model_machine("zen4"), NULL, &divide));
}

/* Comparisons have the units of additions, not those of products: eight of each take as long as
 * sixteen, or as eight. */
static void test_zen3(void **state)
{
    (void)state;
    static const struct sl_mc_processor four = {
        .unit_count = 4, .units = {"FP0", "FP1", "FP2", "FP3"}, .width = 6, .window = 256};
    const struct sl_mc_block block = {.count = 16, .loop = 1, .ways = {0}, .way_count = 1};
    const struct sl_mc_loop loop = {.items = 8};
    struct sl_mc_instruction code[16];
    const struct sl_mc_function f = {.processor = &four,
                                     .instructions = code,
                                     .blocks = &block,
                                     .loops = &loop,
                                     .instruction_count = 16,
                                     .block_count = 1,
                                     .loop_count = 1,
                                     .place_count = PLACES};
    const uint64_t products = 3, additions = 12;
    for (uint16_t k = 0; k < 16; k++) {
        code[k] =
            operation(k % 2 ? "VMAXPSYrr" : "VADDPSYrr", k % 2 ? products : additions, k, k, 1);
        code[k].bits = 256;
    }
    const struct sl_model_machine *zen3 = sl_model_machine("zen3");
    assert_near(sl_model_predict(&f, zen3, NULL, 1).cycles, 8);
    for (uint16_t k = 0; k < 16; k += 2)
        code[k] = operation("VMULPSYrr", products, k, k, 1);
    assert_near(sl_model_predict(&f, zen3, NULL, 1).cycles, 4);
}

/* The divider is taken; its port is free again after a cycle. */
static void test_division(void **state)
{
    (void)state;
    const struct sl_model_machine *m = sl_model_machine("granite-rapids");
    struct sl_mc_instruction code[10];
    code[0] = operation("VDIVPSZrr", 1 << ADDER, 0, 1, 99);
    for (uint16_t k = 1; k < 10; k++)
        code[k] = add((uint16_t)(k + 2), (uint16_t)(k + 2));
    assert_near(predict(code, 10, m, NULL).cycles, 10);
    code[0] = operation("VDIVPSZrr", 1 << ADDER, 0, 0, 99);
    assert_near(predict(code, 10, m, NULL).cycles, 17);
}

/* More begin in a cycle than LLVM says, and additions get each other's results a cycle earlier than
 * products do. */
static void test_zen5(void **state)
{
    (void)state;
    const struct sl_model_machine *zen5 = sl_model_machine("zen5");
    struct sl_mc_instruction code[16];
    for (uint16_t k = 0; k < 16; k++)
        code[k] = operation("NOP", 0, k, k, 1);
    assert_near(predict(code, 16, zen5, NULL).cycles, 2);
    code[0] = operation("VADDPSZrr", 1 << ADDER, 0, 0, 4);
    code[1] = code[0];
    assert_near(predict(code, 2, zen5, NULL).cycles, 4);
    code[1] = operation("VMULPSZrr", 1 << MULTIPLIER, 0, 0, 3);
    assert_near(predict(code, 2, zen5, NULL).cycles, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain),        cmocka_unit_test(test_unit),
        cmocka_unit_test(test_two_units),    cmocka_unit_test(test_width),
        cmocka_unit_test(test_window),       cmocka_unit_test(test_stack),
        cmocka_unit_test(test_late_operand), cmocka_unit_test(test_idioms_and_moves),
        cmocka_unit_test(test_inner_loop),   cmocka_unit_test(test_rows_read),
        cmocka_unit_test(test_no_rows),      cmocka_unit_test(test_machines),
        cmocka_unit_test(test_division),     cmocka_unit_test(test_crowd),
        cmocka_unit_test(test_turn),         cmocka_unit_test(test_zen3),
        cmocka_unit_test(test_zen5),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
