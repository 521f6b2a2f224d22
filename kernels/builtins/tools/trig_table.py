#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the table behind float sin, cos and tan: for each exponent of a float x the part of 2/pi
that matters for x * 2/pi modulo 4, as two doubles. The first has 29 bits, so that its product with
a float is exact; whatever would only add multiples of 4 is left out.

usage: trig_table.py OUTPUT
"""
import sys

BITS = 400


def arctan_inverse(n):
    unit = 1 << (BITS + 64)
    total = term = unit // n
    divisor, sign = 1, 1
    while term:
        term //= n * n
        divisor += 2
        sign = -sign
        total += sign * (term // divisor)
    return total


def main():
    pi = 16 * arctan_inverse(5) - 4 * arctan_inverse(239)
    two_over_pi = (1 << (2 * BITS + 65)) // pi  # scaled by 2^BITS, within an ulp or two
    high, low = [], []
    for biased in range(256):
        exponent = biased - 127
        dropped = max(exponent - 25, 0)  # leading fraction bits whose products are multiples of 4
        rest = two_over_pi & ((1 << (BITS - dropped)) - 1)
        cut = BITS - dropped - 29
        head = rest >> cut << cut
        high.append(head / 2**BITS)
        low.append((rest - head) / 2**BITS)
    high[255] = low[255] = 1.0  # infinity - infinity makes the NaN
    with open(sys.argv[1], "w") as out:
        for name, values in (("sl_two_over_pi_high", high), ("sl_two_over_pi_low", low)):
            rows = ",\n    ".join(v.hex() for v in values)
            out.write(f"constant double {name}[256] = {{\n    {rows}}};\n")


main()
