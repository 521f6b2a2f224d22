/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Body of cbrt_float_fma.cl. A third of a number's bits off a constant is its inverse cube root
 * but for 3.5 %; of 12 bits of that the square is exact. y = |x| * root^2 is the cube root but for
 * (1 - e)^(-2/3), where e = 1 - y * root, up to 0.104. An error of y goes into e too: a third of it
 * is left.
 */
SL_PURE FLOATN cbrt(FLOATN x)
{
    FLOATN a = fabs(x);
    INTN tiny = a < 0x1p-126f;
    FLOATN m = tiny ? a * 0x1p24f : a;
    INTN first = TO_INTN(0x1.5287cp+30f - TO_FLOATN(AS_INTN(m)) * 0x1.555556p-2f);
    FLOATN root = AS_FLOATN(first & (int)0xfffff000);
    FLOATN y = m * (root * root);
    FLOATN e = 1.0f - y * root;
    FLOATN p = 0x1.9ebeap-2f * e + 0x1.b70be4p-2f;
    p = p * e + 0x1.cf8396p-2f;
    p = p * e + 0x1.f9a72p-2f;
    p = p * e + 0x1.1c71c8p-1f;
    p = p * e + 0x1.555556p-1f;
    y = y * e * p + y;
    y = y * (tiny ? (FLOATN)0x1p-8f : (FLOATN)1.0f);
    return a < INFINITY ? copysign(y, x) : x;
}
