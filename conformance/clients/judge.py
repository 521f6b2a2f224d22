#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""judge.py RESULTS LIST: results are lines "pass|fail|skip TEST", the list lines "TEST: reason".

Fails when a test fails that is not listed, when a listed one passes, or when nothing passes.
"""
import collections
import os
import sys


def read_list(path):
    if not os.path.exists(path):
        return {}
    with open(path) as lines:
        rows = [line.strip() for line in lines]
    rows = [row for row in rows if row and not row.startswith("#")]
    return dict(row.split(": ", 1) for row in rows)


def main():
    results = collections.OrderedDict()
    with open(sys.argv[1]) as lines:
        for line in lines:
            verdict, name = line.rstrip("\n").split(" ", 1)
            results[name] = verdict
    known = read_list(sys.argv[2])
    count = collections.Counter(results.values())
    bad = [n for n, v in results.items() if v == "fail" and n not in known]
    healed = [n for n, v in results.items() if v == "pass" and n in known]
    print("%d pass, %d fail (%d of them listed), %d skip" %
          (count["pass"], count["fail"], count["fail"] - len(bad), count["skip"]))
    for name in bad:
        print("FAILS:", name)
    for name in healed:
        print("PASSES, BUT IS LISTED:", name, "-", known[name])
    return 1 if bad or healed or not count["pass"] else 0


if __name__ == "__main__":
    sys.exit(main())
