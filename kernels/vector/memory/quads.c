/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vectors of four, eight or sixteen words per item between memory's order and the lanes', for
 * machines with registers of eight words whose shuffles mostly stay within a half. A quad is four
 * words of an item, half a register. Eight items are regrouped so that a register holds the quads
 * of items j and j + 4; the rest are transpositions of four by four in both halves. Of the one
 * shuffle that says the same LLVM makes three times as many instructions. No shared state.
 */
#include "vector/memory/quads.h"

#include "vector/analysis/facts.h"
#include "vector/operations/builtin.h"
#include "vector/vector.h"

enum { WIDTH = 8, WIDEST = 16, QUAD = 4, ROWS = 4 /* registers that are transposed together */ };

bool sl_vector_has_quads(const struct sl_vector_facts *v, LLVMTypeRef element, uint32_t count)
{
    LLVMTypeKind kind = LLVMGetTypeKind(element);
    bool is_word = kind == LLVMFloatTypeKind ||
                   (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) == 32);
    return v->target->register_bits == 32 * WIDTH && is_word && v->lanes % WIDTH == 0 &&
           (count == QUAD || count == 2 * QUAD || count == 4 * QUAD);
}

/* A register of so many words: element n is that of `order` in a's and b's. */
static LLVMValueRef pick(struct sl_vector *v, LLVMValueRef a, LLVMValueRef b, const uint8_t *order,
                         uint32_t width)
{
    LLVMValueRef numbers[WIDEST];
    for (uint32_t n = 0; n < width; n++)
        numbers[n] = sl_emit_i32(&v->g->e, order[n]);
    return LLVMBuildShuffleVector(v->g->e.builder, a, b, LLVMConstVector(numbers, width), "");
}

/* A half of each. */
static LLVMValueRef halves(struct sl_vector *v, LLVMValueRef a, uint32_t half_a, LLVMValueRef b,
                           uint32_t half_b)
{
    uint8_t order[WIDTH];
    for (uint32_t n = 0; n < QUAD; n++) {
        order[n] = (uint8_t)(half_a * QUAD + n);
        order[QUAD + n] = (uint8_t)(WIDTH + half_b * QUAD + n);
    }
    return pick(v, a, b, order, WIDTH);
}

/* In each quad these elements of a's (0 to 3) and b's (4 to 7). */
static LLVMValueRef pick_quads(struct sl_vector *v, LLVMValueRef a, LLVMValueRef b,
                               const uint8_t quad[QUAD], uint32_t width)
{
    uint8_t order[WIDEST];
    for (uint32_t n = 0; n < width; n++) {
        uint8_t of = quad[n % QUAD];
        order[n] = (uint8_t)(n / QUAD * QUAD + (of < QUAD ? of : width + of - QUAD));
    }
    return pick(v, a, b, order, width);
}

/* Four by four in all quads; its own inverse. */
static void transpose(struct sl_vector *v, LLVMValueRef r[ROWS], uint32_t width)
{
    static const uint8_t low[] = {0, 4, 1, 5}, high[] = {2, 6, 3, 7};
    static const uint8_t even[] = {0, 1, 4, 5}, odd[] = {2, 3, 6, 7};
    LLVMValueRef first = pick_quads(v, r[0], r[1], low, width);
    LLVMValueRef second = pick_quads(v, r[2], r[3], low, width);
    LLVMValueRef third = pick_quads(v, r[0], r[1], high, width);
    LLVMValueRef fourth = pick_quads(v, r[2], r[3], high, width);
    r[0] = pick_quads(v, first, second, even, width);
    r[1] = pick_quads(v, first, second, odd, width);
    r[2] = pick_quads(v, third, fourth, even, width);
    r[3] = pick_quads(v, third, fourth, odd, width);
}

void sl_vector_transpose_quads(struct sl_vector *v, const LLVMValueRef *items,
                               LLVMValueRef parts[QUAD])
{
    LLVMValueRef registers[QUAD][64 / QUAD], row[ROWS], quads[WIDEST / QUAD];
    uint32_t width = v->facts.target->register_bits / 32;
    width = width < v->facts.lanes ? width : v->facts.lanes;
    for (uint32_t item = 0; item < v->facts.lanes; item += width) {
        for (uint32_t j = 0; j < ROWS; j++) {
            for (uint32_t q = 0; q < width / QUAD; q++)
                quads[q] = items[item + q * ROWS + j];
            row[j] = sl_vector_joined(v, quads, width);
        }
        transpose(v, row, width);
        for (uint32_t k = 0; k < QUAD; k++)
            registers[k][item / width] = row[k];
    }
    for (uint32_t k = 0; k < QUAD; k++)
        parts[k] = sl_vector_joined(v, registers[k], v->facts.lanes);
}

void sl_vector_load_quads(struct sl_vector *v, LLVMValueRef all, uint32_t count,
                          LLVMValueRef *parts)
{
    LLVMValueRef registers[SL_VECTOR_MOST_PARTS][64 / WIDTH], row[ROWS];
    for (uint32_t item = 0; item < v->facts.lanes; item += WIDTH)
        for (uint32_t q = 0; q < count; q += QUAD) {
            for (uint32_t j = 0; j < ROWS; j++) {
                uint32_t a = ((item + j) * count + q) / QUAD, b = a + ROWS * count / QUAD;
                row[j] = halves(v, sl_vector_elements(v, all, a / 2 * WIDTH, WIDTH), a % 2,
                                sl_vector_elements(v, all, b / 2 * WIDTH, WIDTH), b % 2);
            }
            transpose(v, row, WIDTH);
            for (uint32_t k = 0; k < QUAD; k++)
                registers[q + k][item / WIDTH] = row[k];
        }
    for (uint32_t k = 0; k < count; k++)
        parts[k] = sl_vector_joined(v, registers[k], v->facts.lanes);
}

/* LLVM would merge what crosses the halves with what does not, and take both apart badly. */
static void keep_apart(struct sl_vector *v, LLVMValueRef row[ROWS])
{
    for (uint32_t j = 0; j < ROWS; j++)
        row[j] = LLVMBuildFreeze(v->g->e.builder, row[j], "");
}

LLVMValueRef sl_vector_store_quads(struct sl_vector *v, LLVMValueRef *parts, uint32_t count)
{
    LLVMValueRef registers[64 * SL_VECTOR_MOST_PARTS / WIDTH];
    uint32_t made = 0;
    for (uint32_t item = 0; item < v->facts.lanes; item += WIDTH) {
        LLVMValueRef row[SL_VECTOR_MOST_PARTS / QUAD][ROWS];
        for (uint32_t q = 0; q < count / QUAD; q++) {
            for (uint32_t k = 0; k < QUAD; k++)
                row[q][k] = sl_vector_elements(v, parts[q * QUAD + k], item, WIDTH);
            transpose(v, row[q], WIDTH);
            keep_apart(v, row[q]);
        }
        for (uint32_t n = 0; n < WIDTH * count / QUAD; n += 2) {
            uint32_t each = count / QUAD, a = n / each, b = (n + 1) / each;
            registers[made++] = halves(v, row[n % each][a % ROWS], a / ROWS,
                                       row[(n + 1) % each][b % ROWS], b / ROWS);
        }
    }
    return sl_vector_joined(v, registers, v->facts.lanes * count);
}
