#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""straight_vectors_test.py SLUICEC: LLVM makes vectors of straight code, within what a build can take.

A kernel computes neighbours in steps that are unrolled. However many neighbours there are, vectors have 32 lanes at
most; with so many steps that the function has more than 8000 instructions there are none.
A short kernel beside it has vectors all the same.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

STEP = """  if (n > %d)
  #pragma unroll
  for (int j = 0; j < %d; j++)
    o[i + j + %d] = (a[i + j + %d] + %d) ^ a[i + j + %d];
"""
KERNEL = """__attribute__((max_global_work_dim(0)))
kernel void k(global uint *restrict o, global const uint *restrict a, int n)
{
  for (int i = 0; i < n; i += 1 << 16) {
%s  }
}
"""
SHORT = """__attribute__((max_global_work_dim(0)))
kernel void s(global uint *restrict o, global const uint *restrict a, int n)
{
%s}
"""
BYTES = """__attribute__((max_global_work_dim(0)))
kernel void k(global uchar *restrict o, global const uchar *restrict a, int n)
{
  for (int i = 0; i < n; i += 64) {
    #pragma unroll
    for (int j = 0; j < 64; j++)
      o[i + j] = (a[i + j] ^ 0x5a) + a[i + j];
  }
}
"""


def build(sluicec, text):
    """The optimised IR."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "k.cl")
        with open(source, "w", encoding="ascii") as file:
            file.write(text)
        dump = os.path.join(folder, "stages")
        subprocess.run([sluicec, "--device=fpga", "--target=avx512", source, "-o", os.path.join(folder, "k.slb")], check=True,
                       env=dict(os.environ, SLUICE_DUMP=dump), timeout=200)
        stage, = glob.glob(dump + "/*-optimize.ll")
        with open(stage, encoding="utf-8", errors="replace") as file:
            return file.read()


def steps(lanes, count):
    at = [2 * lanes * s for s in range(count)]
    return "".join(STEP % (s, lanes, s, s, s % 251 + 1, s + lanes) for s in at)


def widest(code, bits):
    """The lanes of the widest vector of such numbers that is added."""
    return max([int(lanes) for lanes in re.findall(r"= (?:xor|add) <(\d+) x i%d>" % bits, code)], default=1)


def function(code, name):
    return re.search(r"^define [^\n]*@%s\(.*?^}" % name, code, re.M | re.S).group(0)


def main():
    sluicec, wrong = sys.argv[1], []

    def check(what, got, expected):
        print("%s: %d lanes" % (what, got))
        if got != expected:
            wrong.append("%s has vectors of %d lanes instead of %d" % (what, got, expected))

    check("a short function", widest(build(sluicec, KERNEL % steps(16, 8)), 32), 16)
    check("64 bytes beside each other", widest(build(sluicec, BYTES), 8), 32)
    both = build(sluicec, KERNEL % steps(16, 80) + SHORT % steps(16, 4).replace("i + ", ""))
    check("a long function", widest(function(both, "k"), 32), 1)
    check("a short function beside it", widest(function(both, "s"), 32), 16)
    if re.search(r"optnone|sl-long", both):
        wrong.append("an attribute of the way there is left")
    print("\n".join(wrong))
    return len(wrong)


if __name__ == "__main__":
    sys.exit(main())
