#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""large_calls_test.py SLUICEC: a kernel goes in vectors through a function of thousands of instructions.

The rounds of a hash, written out, are such a function; a call of it would be made for one item after the other.
"""
import re
import subprocess
import sys
import tempfile

ROUNDS = 96
ROUND = "    a += (b & c | ~b & d) + 0x9e3779b1 * w[0]; b = b + (a << 7 | a >> 25) ^ c; d = c * a;\n"
SOURCE = """
inline void mix(uint *w, uint *digest)
{
    uint a = w[0], b = w[1], c = 3, d = 4;
""" + ROUNDS * ROUND + """
    digest[0] = a;
    digest[1] = b;
}

kernel void search(global const uint *in, global uint *out, int rounds)
{
    uint key[2] = {in[get_global_id(0)], 5}, digest[2];
    uint sum = 0;
    for (int i = 0; i < rounds; i++) {
        mix(key, digest);
        sum ^= digest[0] + digest[1];
        key[0]++;
    }
    out[get_global_id(0)] = sum;
}
"""


def main():
    with tempfile.NamedTemporaryFile("w", suffix=".cl") as source:
        source.write(SOURCE)
        source.flush()
        ll = subprocess.run([sys.argv[1], "--target=avx2", "--emit=ll", "-o", "-", source.name],
                            check=True, stdout=subprocess.PIPE, text=True, timeout=60).stdout
    calls = len(re.findall(r"call [^\n]*@mix\b", ll))
    vectors = len(re.findall(r"mul <\d+ x i32>", ll))
    print("%d calls, %d products of vectors" % (calls, vectors))
    return calls != 0 or vectors < ROUNDS


if __name__ == "__main__":
    sys.exit(main())
