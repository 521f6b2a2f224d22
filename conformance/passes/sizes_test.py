#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sizes_test.py SLUICEC: generated kernels of 10 to 10 000 branches or barriers.

The passes' CPU time for ten times as many must not be much more than ten times as long; before what this
holds it was ninety. Kernels too large for the vector form are built all the same, and soon.
"""
import re
import subprocess
import sys

BEGIN = "kernel void k(global int *a, int u) { int i = get_global_id(0); int x = a[i];\n"


def branches(n):
    """Each item takes its own way."""
    return "".join("if (x & %d) x = x * %d + a[i + %d]; else a[i + %d] = x;\n" %
                   (1 << (j % 20), j | 1, j % 7, j % 5) for j in range(n))


def barriers(n):
    return "".join("x = x * %d + a[i + %d]; a[i] = x; barrier(CLK_GLOBAL_MEM_FENCE);\n" % (j | 1, j % 7)
                   for j in range(n))


def straight(n):
    return "".join("x = x * %d + a[i + %d]; a[i + %d] = x ^ %d;\n" % (j | 1, j % 7, j % 5, j)
                   for j in range(n))


def shifts(n):
    """A register as long as a line of an image, as designs for FPGAs have it."""
    return ("int r[%d];\n#pragma unroll\nfor (int j = 0; j < %d; j++) r[j] = 0;\n"
            "for (int t = 0; t < u; t++) {\n"
            "#pragma unroll\nfor (int j = 0; j < %d; j++) r[j] = r[j + 4];\n"
            "#pragma unroll\nfor (int j = 0; j < 4; j++) { r[%d + j] = a[4 * t + j];\n"
            "a[4 * t + j] = r[j] + r[%d + j] + r[%d + j]; } }\n" % (n + 4, n + 4, n, n, n // 2, n // 2 + 1))


def turns(n):
    """Of a sub-group: each asks the same numbers whether all of its items are there."""
    return "".join("x = x * %d + sub_group_reduce_add(x) + a[i + %d];\n" % (j | 1, j % 7) for j in range(n))


def comparisons(n):
    """All of one value."""
    return "".join("if (u > %d) x = x * %d + a[i + (u & %d)]; else a[i + %d] = x;\n" %
                   (3 * j, j | 1, j % 7 + 1, j % 5) for j in range(n))


def loops(n):
    """In regions of their own, with steps of their own, each item as often as it will."""
    return "local int t[64]; int l = get_local_id(0);\n" + "".join(
        "for (int j = 0; j < (x & 15); j++) { x = x * %d + a[i * u + j * %d]; if (x & %d) a[i * %d + j * u] = x; }\n"
        "t[l] = x; barrier(CLK_LOCAL_MEM_FENCE); x += t[l ^ %d]; barrier(CLK_LOCAL_MEM_FENCE);\n" %
        (j | 1, j % 5 + 2, 1 << (j % 20), j % 7, j % 32 + 1) for j in range(n))


# (code, few, many, how many times as long may take; None: only that it ends)
ROWS = [(branches, 10, 100, None), (branches, 100, 1000, 30), (barriers, 60, 600, 40),
        (straight, 100, 1000, 30), (branches, 10, 10000, None), (shifts, 100, 4000, 40),
        (turns, 10, 100, 30), (comparisons, 30, 300, 30), (loops, 10, 100, 12)]
# Stages that the row is about, where these are not our passes alone.
STAGES = {shifts: ["work-groups", "optimize"], turns: ["work-groups", "optimize"],
          comparisons: ["work-groups", "optimize", "codegen"], loops: ["codegen"]}
ENOUGH = 20000  # microseconds; less than that is no measure


def passes_time(sluicec, code, n):
    source = BEGIN + code(n) + "a[i] = x; }\n"
    done = subprocess.run([sluicec, "-cl-std=CL3.0", "--target=avx2", "--times", "-", "-o", "/dev/null"], input=source,
                          capture_output=True, text=True, timeout=200, check=False)
    found = dict(re.findall(r"^ *([\w-]+)\s+(\d+)", done.stderr, re.M))
    stages = STAGES.get(code, ["work-groups"])
    if done.returncode or not found.keys() >= set(stages):
        sys.exit("%s %d: %s" % (code.__name__, n, done.stderr[:500]))
    return sum(int(found[stage]) for stage in stages)


def main():
    bad = 0
    for code, few, many, most in ROWS:
        little, much = (passes_time(sys.argv[1], code, n) for n in (few, many))
        wrong = most is not None and much / max(little, ENOUGH) > most
        if wrong:  # perhaps by what else this machine does
            little, much = (min(once, passes_time(sys.argv[1], code, n)) for once, n in ((little, few), (much, many)))
            wrong = much / max(little, ENOUGH) > most
        bad += wrong
        print("%s: %d in %d us, %d in %d us%s" % (code.__name__, few, little, many, much,
                                                 ": too long" if wrong else ""))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
