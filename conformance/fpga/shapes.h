/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ways to write an index. Each row is C and OpenCL C at once: PUT(e) writes to element e of c[8];
 * the first part stays within elements 0 to 3, the second one within 4 to 7, and both can be told
 * before anything runs. i counts rounds, n is their number, which the compiler does not know. In C
 * the same text says which elements are meant, in their order.
 *
 * SHAPE(NAME, LOOP, FIRST, SECOND): LOOP is EACH_ROUND or ONCE.
 */
/* clang-format off: the texts are kernels */
SHAPE(mask, EACH_ROUND, PUT(i & 3), PUT(4 + (i & 3)))
SHAPE(mask_or, EACH_ROUND, PUT(i & 3), PUT((i & 3) | 4))
SHAPE(mask_xor, EACH_ROUND, PUT((i & 3) ^ 1), PUT((i & 3) ^ 6))
SHAPE(odd_mask, EACH_ROUND, PUT(i & 2), PUT((i & 5) | 4))
SHAPE(rest, EACH_ROUND, PUT((uint)i % 3), PUT(5 + (uint)i % 3))
SHAPE(signed_rest, EACH_ROUND, PUT(i % 4), PUT(7 - i % 4))
SHAPE(both_signs, EACH_ROUND, int d = (i & 3) - 2; PUT(d < 0 ? -d : d), int d = (i & 3) - 2;
      PUT(d < 0 ? 4 - d : 4 + d))
SHAPE(some_of_both_signs, EACH_ROUND, int d = (i & 7) - 4;
      if (d >= -1 && d != 0 && d < 3) PUT(d + 1), int d = (i & 7) - 4; if (d < 0) PUT(d + 8))
SHAPE(backwards, EACH_ROUND, PUT(-(i & 3) & 3), PUT(7 - (i * 5 & 3)))
SHAPE(bytes_of_both_signs, EACH_ROUND, char b = (char)((i & 3) * 60 - 90);
      PUT(b / 60 + 1), char b = (char)((i & 3) * 60 - 90); PUT((b < 0 ? 0 : b / 60) + 6))
SHAPE(even_and_odd, EACH_ROUND, PUT((i & 1) * 2), PUT((i & 1) * 2 + 5))
SHAPE(quotient, EACH_ROUND, PUT((i & 15) / 4), PUT((i & 15) / 4 + 4))
SHAPE(shift, EACH_ROUND, PUT((i & 15) >> 2), PUT(((i & 12) >> 2) + 4))
SHAPE(shift_left, EACH_ROUND, PUT((i & 1) << 1), PUT(4 + ((i & 1) << 1)))
SHAPE(clamped, EACH_ROUND, PUT(clamp(i - 9, 0, 3)), PUT(clamp(i, 4, 7)))
SHAPE(least, EACH_ROUND, PUT(min(i, 3)), PUT(max(min(i, 7), 4)))
SHAPE(chosen, EACH_ROUND, PUT(i < 7 ? 1 : 2), PUT(i < 7 ? 6 : 5))
SHAPE(cut_off, EACH_ROUND, PUT(i > 3 ? 3 : i), PUT(i < 4 ? 4 : i > 7 ? 7 : i))
SHAPE(guard, EACH_ROUND, if (i < 4) PUT(i), if (i >= 4 && i < 8) PUT(i))
SHAPE(early_out, EACH_ROUND, if (i > 3) break; PUT(i), if (i < 4) continue; if (i > 7) break;
      PUT(i))
SHAPE(equal, EACH_ROUND, if (i == 1 || i == 3) PUT(i), if (i == 6) PUT(i))
SHAPE(on_half, EACH_ROUND, if (!(i & 4)) PUT(i & 7), if (i & 4) PUT(i & 7))
SHAPE(on_parity, EACH_ROUND, if ((i & 1) == 0) PUT(i & 3), if ((i & 1) == 1) PUT(4 + (i & 3)))
SHAPE(not_equal, EACH_ROUND, if ((i & 7) != 4) PUT((i & 7) % 4),
      if ((i & 7) != 4) PUT((i & 7) % 4 + 4))
SHAPE(kept_question, EACH_ROUND, bool low = i >= 1 && i < 4;
      if (low) PUT(i), bool high = i >= 4 && i < 8; if (high) PUT(i))
SHAPE(
    cases, EACH_ROUND,
    switch (i) {
case 0:
case 2:
    PUT(i);
    break;
case 3:
    PUT(1);
    },
    switch (i) {
case 4:
case 7:
    PUT(i);
    break;
default:
    PUT(5);
    })
SHAPE(
    other_cases, EACH_ROUND,
    switch (i & 7) {
case 4:
case 5:
case 6:
case 7:
    break;
default:
    PUT(i & 7);
    },
    switch (i & 7) {
case 0:
case 1:
case 2:
case 3:
    break;
default:
    PUT(i & 7);
    })
SHAPE(
    state, EACH_ROUND, int s = 0; switch (i % 3) {
case 0:
    s = 2;
    break;
case 1:
    s = 3;
    } PUT(s),
                                  int s = 5;
    switch (i % 3) {
case 0:
    s = 7;
    break;
case 1:
    s = 4;
    } PUT(s))
SHAPE(bytes, EACH_ROUND, uchar b = (uchar)(i * 64); PUT(b >> 6), char b = (char)(i & 3); PUT(b + 4))
SHAPE(shorts, EACH_ROUND, short s = (short)(i & 3); PUT(s), ushort s = (ushort)(65532 + (i & 3));
      PUT((ushort)(s + 8)))
SHAPE(longs, EACH_ROUND, ulong l = i; PUT(l & 3), long l = -1 - (i & 3); PUT(l + 8))
SHAPE(table, EACH_ROUND, PUT(table[i & 3]), PUT(table[i & 3] + 4))
SHAPE(own_table, EACH_ROUND, const int t[4] = TABLE(3, 0, 2, 1);
      PUT(t[i & 3]), const int t[4] = TABLE(4, 7, 5, 6); PUT(t[i & 3]))
SHAPE(small_table, EACH_ROUND, int t[2]; t[0] = 3; t[1] = 1; PUT(t[i & 1]), int t[2]; t[0] = 4;
      t[1] = 6; PUT(t[i & 1]))
SHAPE(table_of_tables, EACH_ROUND, PUT(table[table[i & 3]]), PUT(7 - table[table[i & 3]]))
SHAPE(helper, EACH_ROUND, PUT(low_bits(i)), PUT(low_bits(i) + 4))
SHAPE(helper_by_address, EACH_ROUND, int r; split(i, &r); PUT(r), int r; split(i, &r); PUT(7 - r))
SHAPE(short_loop, ONCE, for (int k = 0; k < 4; k++) PUT(k), for (int k = 4; k < 8; k++) PUT(k))
SHAPE(downwards, ONCE, for (int k = 3; k >= 0; k--) PUT(k), for (int k = 7; k > 3; k--) PUT(k))
SHAPE(without_sign_down, ONCE, for (uint k = 3; k < 4; k--) PUT(k),
      for (uint k = 8; k-- > 4;) PUT(k))
SHAPE(steps, ONCE, for (int k = 0; k < 8; k += 2) PUT(k / 2),
      for (int k = 1; k < 8; k += 2) PUT(4 + k / 2))
SHAPE(doubled, ONCE, for (int k = 1; k < 4; k *= 2) PUT(k),
      for (int k = 4; k < 8; k = k * 2 - 1) PUT(k))
SHAPE(loop_to_range, ONCE, for (int k = 0; k < (n & 3); k++) PUT(k),
      for (int k = 4; k <= 4 + (n & 3); k++) PUT(k))
SHAPE(loop_from_range, ONCE, for (int k = n & 3; k < 4; k++) PUT(k),
      for (int k = 4 + (n & 3); k < 8; k++) PUT(k))
SHAPE(nested, ONCE, for (int a = 0; a < 2; a++) for (int b = 0; b < 2; b++) PUT(2 * a + b),
      for (int a = 2; a < 4; a++) for (int b = 0; b < 2; b++) PUT(2 * a + b))
SHAPE(triangle, ONCE, for (int a = 0; a < 4; a++) for (int b = 0; b <= a; b++) PUT(b),
      for (int a = 4; a < 8; a++) for (int b = a; b < 8; b++) PUT(b))
SHAPE(diagonal, ONCE,
      for (int a = 0; a < 4; a++) for (int b = 0; b < 4; b++) if (a == b) PUT(a + b - a),
      for (int a = 0; a < 4; a++) for (int b = 0; b < 4; b++) if (a == b) PUT(4 + a))
SHAPE(
    by_turns, ONCE, int k = 0; for (int i = 0; i < n; i++) {
        PUT(k);
        k = k == 3 ? 0 : k + 1;
    },
                               int k = 4;
    for (int i = 0; i < n; i++) {
        PUT(k);
        if (++k == 8)
            k = 4;
    })
SHAPE(
    ring_counter, ONCE, int k = 1; for (int i = 0; i < n; i++) {
        PUT(k);
        k = (k + 1) & 3;
    },
                                   int k = 0;
    for (int i = 0; i < n; i++) {
        PUT(7 - k);
        k = (k + 1) % 4;
    })
SHAPE(
    states, ONCE, int s = 0; for (int i = 0; i < n; i++) {
        PUT(s);
        switch (s) {
        case 0:
            s = 2;
            break;
        case 2:
            s = 3;
            break;
        default:
            s = 0;
        }
    },
                             int s = 4;
    for (int i = 0; i < n; i++) {
        PUT(s);
        s = s == 4 ? 7 : s == 7 ? 5 : 4;
    })
SHAPE(
    while_loop, ONCE, int k = 0; while (k < 4) {
        PUT(k);
        k++;
    },
                                 int k = 7;
    do {
        PUT(k);
        k--;
    } while (k > 3))
SHAPE(countdown, ONCE, for (int i = n; i > 0; i--) if (i <= 3) PUT(i),
      for (int i = n; i > 3; i--) if (i < 8) PUT(i))
SHAPE(vector, EACH_ROUND, PAIR p = MAKE_PAIR(i & 3, i & 1);
      PUT(p.x), PAIR p = MAKE_PAIR(i & 3, i & 1); PUT(p.y + 6))
SHAPE(structure, EACH_ROUND, struct at at; at.a = i & 3; at.b = 4 + (i & 3);
      PUT(at.a), struct at at; at.a = i & 3; at.b = 4 + (i & 3); PUT(at.b))
SHAPE(times_and_rest, ONCE,
      for (int a = 0; a < n; a++) if (a < 2) for (int b = 0; b < 2; b++) PUT(a * 2 + b),
      for (int a = 0; a < n; a++) if (a >= 2 && a < 4) for (int b = 0; b < 2; b++) PUT(a * 2 + b))
/* clang-format on */
