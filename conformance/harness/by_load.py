#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""by_load.py LIST CTEST...: each line of the list of tests that load may spoil is "PATTERN: reason", and
each pattern is the whole name of some test that CTEST... knows. Exit status 1 names the lines that are not.
"""
import re
import subprocess
import sys


def names(ctest):
    said = subprocess.run([*ctest, "-N"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^ *Test +#[0-9]+: (\S+)", said, re.M)


def main():
    tests, bad = names(sys.argv[2:]), 0
    with open(sys.argv[1], encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            pattern, _, reason = line.strip().partition(": ")
            if line.startswith("#") or (reason and any(re.fullmatch(pattern, name) for name in tests)):
                continue
            print(f"{sys.argv[1]}:{number}: no reason, or no test has this name: {line.strip()}")
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
