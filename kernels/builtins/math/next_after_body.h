/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of next_after.cl.
 */
#define SL_NEXT_AFTER(T, WHOLE, AS_T, AS_WHOLE, LEAST)                                             \
    SL_PURE T nextafter(T x, T y)                                                                  \
    {                                                                                              \
        WHOLE away = (x < y) == (x > 0);                                                           \
        T next = AS_T(AS_WHOLE(x) + (away ? (WHOLE)1 : (WHOLE) - 1));                              \
        next = x == 0 ? copysign((T)LEAST, y) : next;                                              \
        next = x == y ? y : next;                                                                  \
        return isnan(x) || isnan(y) ? x + y : next;                                                \
    }
SL_NEXT_AFTER(FLOATN, INTN, AS_FLOATN, AS_INTN, 0x1p-149f)
SL_NEXT_AFTER(DOUBLEN, LONGN, AS_DOUBLEN, AS_LONGN, 0x1p-1074)
#undef SL_NEXT_AFTER
