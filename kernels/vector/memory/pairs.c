/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Four or eight words per item between memory's order and the lanes', where a shuffle takes any
 * elements of two registers: the even and the odd ones of two neighbours, and of these again, until
 * a register has one word of each item; back, the words of two registers by turns. Each step has a
 * shuffle for each register, so four words take eight where LLVM makes twelve of the one shuffle
 * that says the same, and eight take 24 for 56. No shared state.
 */
#include "vector/memory/pairs.h"

#include "vector/analysis/facts.h"
#include "vector/operations/builtin.h"
#include "vector/vector.h"

enum { MOST_WIDTH = 16, MOST_COUNT = 8 };

static uint32_t bits_of(LLVMTypeRef element)
{
    switch (LLVMGetTypeKind(element)) {
    case LLVMFloatTypeKind:
        return 32;
    case LLVMDoubleTypeKind:
        return 64;
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(element);
    default:
        return 0;
    }
}

/* Elements of a register. */
static uint32_t width_of(const struct sl_vector_facts *v, LLVMTypeRef element)
{
    return v->target->register_bits / bits_of(element);
}

bool sl_vector_has_pairs(const struct sl_vector_facts *v, LLVMTypeRef element, uint32_t count)
{
    const uint32_t bits = bits_of(element);
    return v->target->mask_registers && v->target->register_bits == 512 &&
           (bits == 32 || bits == 64) && v->lanes % width_of(v, element) == 0 &&
           (count == 4 || count == 8);
}

static LLVMValueRef pick(struct sl_vector *v, LLVMValueRef a, LLVMValueRef b, const uint8_t *order,
                         uint32_t width)
{
    LLVMValueRef numbers[MOST_WIDTH];
    for (uint32_t n = 0; n < width; n++)
        numbers[n] = sl_emit_i32(&v->g->e, order[n]);
    return LLVMBuildShuffleVector(v->g->e.builder, a, b, LLVMConstVector(numbers, width), "");
}

/* The elements of both from `first` on, each second one. */
static LLVMValueRef every_second(struct sl_vector *v, LLVMValueRef a, LLVMValueRef b,
                                 uint32_t first, uint32_t width)
{
    uint8_t order[MOST_WIDTH];
    for (uint32_t n = 0; n < width; n++)
        order[n] = (uint8_t)(first + 2 * n);
    return pick(v, a, b, order, width);
}

/* Of a and b by turns, one half of each. */
static LLVMValueRef by_turns(struct sl_vector *v, LLVMValueRef a, LLVMValueRef b, uint32_t half,
                             uint32_t width)
{
    uint8_t order[MOST_WIDTH];
    for (uint32_t n = 0; n < width; n++)
        order[n] = (uint8_t)(n % 2 * width + half * width / 2 + n / 2);
    return pick(v, a, b, order, width);
}

void sl_vector_load_pairs(struct sl_vector *v, LLVMValueRef all, uint32_t count,
                          LLVMValueRef *parts)
{
    const uint32_t width = width_of(&v->facts, LLVMGetElementType(LLVMTypeOf(all)));
    LLVMValueRef registers[MOST_COUNT][64 / (MOST_WIDTH / 2)];
    for (uint32_t item = 0; item < v->facts.lanes; item += width) {
        LLVMValueRef row[MOST_COUNT], next[MOST_COUNT];
        for (uint32_t j = 0; j < count; j++)
            row[j] = sl_vector_elements(v, all, item * count + j * width, width);
        /* Those with the same word of an item stay neighbours: all with the even ones, then all
         * with the odd ones, in each part of the row that has been divided so far. */
        for (uint32_t size = count; size > 1; size /= 2) {
            for (uint32_t j = 0; j < count; j++) {
                uint32_t within = j % size, from = j - within + within % (size / 2) * 2;
                next[j] = every_second(v, row[from], row[from + 1], within >= size / 2, width);
            }
            for (uint32_t j = 0; j < count; j++)
                row[j] = next[j];
        }
        for (uint32_t j = 0; j < count; j++) {
            uint32_t word = 0; /* the bits of j from the other end */
            for (uint32_t bit = 1; bit < count; bit *= 2)
                word = word * 2 + (j & bit ? 1 : 0);
            registers[word][item / width] = row[j];
        }
    }
    for (uint32_t k = 0; k < count; k++)
        parts[k] = sl_vector_joined(v, registers[k], v->facts.lanes);
}

LLVMValueRef sl_vector_store_pairs(struct sl_vector *v, LLVMValueRef *parts, uint32_t count)
{
    const uint32_t width = width_of(&v->facts, LLVMGetElementType(LLVMTypeOf(parts[0])));
    LLVMValueRef registers[64 / (MOST_WIDTH / 2) * MOST_COUNT];
    for (uint32_t item = 0; item < v->facts.lanes; item += width) {
        LLVMValueRef row[MOST_COUNT], next[MOST_COUNT];
        for (uint32_t k = 0; k < count; k++)
            row[k] = sl_vector_elements(v, parts[k], item, width);
        /* Words that lie half of the item apart first: each step doubles how many of an item lie
         * side by side. */
        for (uint32_t step = 1; step < count; step *= 2) {
            for (uint32_t j = 0; j < count; j++) {
                uint32_t pair = j / 2;
                next[j] = by_turns(v, row[pair], row[pair + count / 2], j % 2, width);
            }
            for (uint32_t j = 0; j < count; j++)
                row[j] = next[j];
        }
        for (uint32_t j = 0; j < count; j++)
            registers[item / width * count + j] = row[j];
    }
    return sl_vector_joined(v, registers, v->facts.lanes * count);
}
