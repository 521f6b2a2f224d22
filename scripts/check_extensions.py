#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the tables of docs/extensions.md against include/sluice/base/extension.def: the same extensions, each
once, with the devices that its features leave.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LISTED = re.compile(r'SL_EXTENSION\("(cl_\w+)",[^"]*?(SL_EXT_\w+),\s*([^"]*?)\)\s*$', re.M)
ROW = re.compile(r"^\| `(cl_\w+)` \| (\w+) \|", re.M)
ONE_DEVICE = {"SL_FEATURE_DATAFLOW": "FPGA", "SL_FEATURE_CALLER_RUNS": "CPU"}


def devices(scope, features):
    if scope == "SL_EXT_PLATFORM":
        return "platform"
    return next((name for flag, name in ONE_DEVICE.items() if flag in features), "both")


def main():
    listed = [
        (name, devices(scope, features))
        for name, scope, features in LISTED.findall((ROOT / "include/sluice/base/extension.def").read_text())
    ]
    rows = ROW.findall((ROOT / "docs/extensions.md").read_text())
    problems = [f"{row}: not in include/sluice/base/extension.def" for row in rows if row not in listed]
    problems += [f"{row}: not in docs/extensions.md" for row in listed if row not in rows]
    problems += [f"{row}: {rows.count(row)} rows" for row in set(rows) if rows.count(row) > 1]
    if not listed:
        problems.append("no rows found in include/sluice/base/extension.def")
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        print(f"{len(listed)} extensions, all documented")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
