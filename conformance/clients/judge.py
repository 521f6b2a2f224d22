#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""judge.py RESULTS LIST: results are lines "pass|fail|skip TEST", the list lines "TEST: reason".

Fails when a test fails that is not listed, when a listed one passes or does not exist, or when
nothing passes. A list names with "*" at the end all tests that begin so.
"""
import collections
import os
import sys


def read_list(path):
    rows = {}
    if os.path.exists(path):
        with open(path) as lines:
            for line in lines:
                line = line.strip()
                if line and not line.startswith("#"):
                    name, reason = line.split(": ", 1)
                    rows[name] = reason
    return rows


def read_results(path):
    """One verdict for each test; a test that was run several times passes when each run did."""
    order = {"skip": 0, "pass": 1, "fail": 2}
    results = collections.OrderedDict()
    with open(path) as lines:
        for line in lines:
            verdict, name = line.rstrip("\n").split(" ", 1)
            before = results.get(name, verdict)
            results[name] = max(before, verdict, key=order.__getitem__)
    return results


def main():
    results = read_results(sys.argv[1])
    known = read_list(sys.argv[2])
    count = collections.Counter(results.values())
    covered = collections.defaultdict(set)
    bad = []
    for name, verdict in results.items():
        rows = [row for row in known
                if row == name or row.endswith("*") and name.startswith(row[:-1])]
        for row in rows:
            covered[row].add(verdict)
        if verdict == "fail" and not rows:
            bad.append(name)
    healed = [row for row in known if "fail" not in covered[row]]
    print("%d pass, %d fail (%d of them listed), %d skip" %
          (count["pass"], count["fail"], count["fail"] - len(bad), count["skip"]))
    for name in bad:
        print("FAILS:", name)
    for row in healed:
        print("LISTED, BUT DOES NOT FAIL:", row, "-", known[row])
    if not count["pass"]:
        print("NOTHING PASSES")
    return 1 if bad or healed or not count["pass"] else 0


if __name__ == "__main__":
    sys.exit(main())
