/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vectors of four, eight or sixteen words per item between memory's order and the lanes', for
 * machines with registers of eight words whose shuffles mostly stay within a half. A quad is four
 * words of an item, half a register. Eight items are regrouped so that a register holds the quads
 * of items j and j + 4; the rest are transpositions of four by four in both halves. Of the one
 * shuffle that says the same LLVM makes three times as many instructions. No shared state.
 */
#include "vector/vector.h"

enum { WIDTH = 8, QUAD = 4, ROWS = 4 /* registers of two items each */ };

bool sl_vector_has_quads(const struct sl_vector *v, LLVMTypeRef element, uint32_t count)
{
    LLVMTypeKind kind = LLVMGetTypeKind(element);
    bool is_word = kind == LLVMFloatTypeKind ||
                   (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) == 32);
    return v->target->register_bits == 32 * WIDTH && is_word && v->lanes % WIDTH == 0 &&
           (count == QUAD || count == 2 * QUAD || count == 4 * QUAD);
}

/* A register: element n is that of `order` in a's and b's. */
static LLVMValueRef pick(struct sl_vector *v, LLVMValueRef a, LLVMValueRef b,
                         const uint8_t order[WIDTH])
{
    LLVMValueRef numbers[WIDTH];
    for (uint32_t n = 0; n < WIDTH; n++)
        numbers[n] = sl_emit_i32(&v->g->e, order[n]);
    return LLVMBuildShuffleVector(v->g->e.builder, a, b, LLVMConstVector(numbers, WIDTH), "");
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
    return pick(v, a, b, order);
}

/* Four by four in both halves; its own inverse. */
static void transpose(struct sl_vector *v, LLVMValueRef r[ROWS])
{
    static const uint8_t low[] = {0, 8, 1, 9, 4, 12, 5, 13}, high[] = {2, 10, 3, 11, 6, 14, 7, 15};
    static const uint8_t even[] = {0, 1, 8, 9, 4, 5, 12, 13}, odd[] = {2, 3, 10, 11, 6, 7, 14, 15};
    LLVMValueRef first = pick(v, r[0], r[1], low), third = pick(v, r[0], r[1], high);
    LLVMValueRef second = pick(v, r[2], r[3], low), fourth = pick(v, r[2], r[3], high);
    r[0] = pick(v, first, second, even);
    r[1] = pick(v, first, second, odd);
    r[2] = pick(v, third, fourth, even);
    r[3] = pick(v, third, fourth, odd);
}

void sl_vector_load_quads(struct sl_vector *v, LLVMValueRef all, uint32_t count,
                          LLVMValueRef *parts)
{
    LLVMValueRef registers[SL_VECTOR_MOST_PARTS][64 / WIDTH], row[ROWS];
    for (uint32_t item = 0; item < v->lanes; item += WIDTH)
        for (uint32_t q = 0; q < count; q += QUAD) {
            for (uint32_t j = 0; j < ROWS; j++) {
                uint32_t a = ((item + j) * count + q) / QUAD, b = a + ROWS * count / QUAD;
                row[j] = halves(v, sl_vector_elements(v, all, a / 2 * WIDTH, WIDTH), a % 2,
                                sl_vector_elements(v, all, b / 2 * WIDTH, WIDTH), b % 2);
            }
            transpose(v, row);
            for (uint32_t k = 0; k < QUAD; k++)
                registers[q + k][item / WIDTH] = row[k];
        }
    for (uint32_t k = 0; k < count; k++)
        parts[k] = sl_vector_joined(v, registers[k], v->lanes);
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
    for (uint32_t item = 0; item < v->lanes; item += WIDTH) {
        LLVMValueRef row[SL_VECTOR_MOST_PARTS / QUAD][ROWS];
        for (uint32_t q = 0; q < count / QUAD; q++) {
            for (uint32_t k = 0; k < QUAD; k++)
                row[q][k] = sl_vector_elements(v, parts[q * QUAD + k], item, WIDTH);
            transpose(v, row[q]);
            keep_apart(v, row[q]);
        }
        for (uint32_t n = 0; n < WIDTH * count / QUAD; n += 2) {
            uint32_t each = count / QUAD, a = n / each, b = (n + 1) / each;
            registers[made++] = halves(v, row[n % each][a % ROWS], a / ROWS,
                                       row[(n + 1) % each][b % ROWS], b / ROWS);
        }
    }
    return sl_vector_joined(v, registers, v->lanes * count);
}
