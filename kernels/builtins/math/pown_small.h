/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole powers of up to 15 by products: each rounds once, 15 units in the last place of 16 at most.
 * Part of the bodies of the powers: T is the type, WIDEN makes masks for it of masks of INTN, LEAST
 * is the smallest normal number. SL_POWN is pown; sl_pown_of_any takes other exponents, and
 * inverses that are not normal numbers, or of such, whose power may have overflowed or been
 * flushed. A bit of the exponent is shifted to where a mask comes from, so that the product has it
 * and needs no selection.
 */
#define SL_POWN_BIT(WIDEN, K) WIDEN((count << (31 - K)) < 0)
#define SL_POWN(T, WHOLE, WIDEN, ONE, LEAST)                                                       \
    SL_PURE T pown(T x, INTN n)                                                                    \
    {                                                                                              \
        INTN count = AS_INTN(abs(n));                                                              \
        T square = x * x;                                                                          \
        T power = SL_POWN_BIT(WIDEN, 0) ? x : (T)ONE;                                              \
        power = SL_POWN_BIT(WIDEN, 1) ? power * square : power;                                    \
        square = square * square;                                                                  \
        power = SL_POWN_BIT(WIDEN, 2) ? power * square : power;                                    \
        square = square * square;                                                                  \
        power = SL_POWN_BIT(WIDEN, 3) ? power * square : power;                                    \
        WHOLE other = WIDEN((count & ~15) != 0);                                                   \
        WHOLE inverse = WIDEN(n < 0);                                                              \
        if (sl_any(inverse)) {                                                                     \
            T value = ONE / power;                                                                 \
            WHOLE normal = fabs(value) >= LEAST && fabs(power) >= LEAST;                           \
            other = other || (inverse && !normal);                                                 \
            power = inverse ? value : power;                                                       \
        }                                                                                          \
        if (sl_any(other))                                                                         \
            power = other ? sl_pown_of_any(x, n) : power;                                          \
        return power;                                                                              \
    }
