#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the same test programs on several vendors' libraries and prints one table.

    compare_icd.py BUILD_FOLDER NAME=VENDORS_FOLDER... [--filter TEXT] [--device cpu]

Each cell is passed/failed/skipped cases, or "hang" or "crash". A case that fails on one library
only is listed below the table: a test that nobody passes is suspect. The lists of known failures
apply, so "failed" means unexpectedly failed.
"""
import argparse
import collections
import os
import re
import subprocess
import sys

CASE = re.compile(r"^\[ +(OK|FAILED|SKIPPED|ERROR) +\] (\w+)$")


def find_programs(build, text):
    for folder in ("api", "lang"):
        path = os.path.join(build, "conformance", folder)
        for name in sorted(os.listdir(path)):
            full = os.path.join(path, name)
            if name.startswith(folder + "_") and text in name and os.path.isfile(full):
                yield name, full


def run(program, vendors, device, limit):
    environment = dict(os.environ, OCL_ICD_VENDORS=vendors)
    if device:
        environment["SLUICE_TEST_DEVICE"] = device
    try:
        done = subprocess.run([program], env=environment, timeout=limit, text=True,
                              errors="replace", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return "hang", {}
    cases = {}
    for line in done.stdout.splitlines():
        match = CASE.match(line)
        if match:
            cases.setdefault(match.group(2), match.group(1))
    if done.returncode == 77:
        return "none", cases
    if done.returncode not in (0, 1):
        return "hang" if done.returncode == 3 else "crash", cases
    count = collections.Counter(cases.values())
    return "%d/%d/%d" % (count["OK"], count["FAILED"], count["SKIPPED"]), cases


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("libraries", nargs="+", metavar="NAME=VENDORS_FOLDER")
    parser.add_argument("--filter", default="")
    parser.add_argument("--device", default="")
    parser.add_argument("--limit", type=float, default=600, help="seconds per program")
    options = parser.parse_args()
    libraries = [item.split("=", 1) for item in options.libraries]
    print("%-18s" % "program" + "".join("%14s" % name for name, _ in libraries))
    failures = collections.defaultdict(list)
    broken = 0
    for name, path in find_programs(options.build, options.filter):
        row = "%-18s" % name
        for library, vendors in libraries:
            cell, cases = run(path, vendors, options.device, options.limit)
            row += "%14s" % cell
            broken += cell in ("hang", "crash")
            for case, verdict in cases.items():
                if verdict == "FAILED":
                    failures[name + " " + case].append(library)
        print(row, flush=True)
    for case, who in sorted(failures.items()):
        note = " (nobody passes: suspect)" if len(who) == len(libraries) > 1 else ""
        print("fails: %s: %s%s" % (case, ", ".join(who), note))
    return 1 if failures or broken else 0


if __name__ == "__main__":
    sys.exit(main())
