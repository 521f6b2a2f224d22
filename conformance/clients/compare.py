#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The same clients on several vendors' libraries in turns; prints one table and what differs.

    compare.py FOLDER NAME=FILE.icd... [--clients NAME,...] [--rounds 2]

A cell is passed / failed / skipped tests and the least processor seconds of the rounds, a compiler
process's included. Clients run on the processor only, so that the work is the same everywhere.
"""
import argparse
import collections
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import judge  # noqa: E402

ALL = [name[4:-3] for name in sorted(os.listdir(HERE)) if re.fullmatch(r"run_\w+\.sh", name)]


def run(client, name, icd, folder, limit):
    """Results by test, and processor seconds; None where the script did not get to its end."""
    work = os.path.join(folder, client + "-" + name)
    environment = dict(os.environ, SLUICE_CLIENT_PLATFORM=icd, SLUICE_DEVICES="cpu")
    with open(os.path.join(folder, client + "-" + name + ".log"), "wb") as log:
        try:
            subprocess.run([os.path.join(HERE, "run_%s.sh" % client), work], env=environment, timeout=limit,
                           stdout=log, stderr=log, stdin=subprocess.DEVNULL, check=False)
        except subprocess.TimeoutExpired:
            return {}, None
    results = judge.read_results(os.path.join(work, "results"))
    with open(os.path.join(work, "times")) as times:
        return results, sum(float(line.split()[0]) for line in times)


def cell(results, seconds):
    count = collections.Counter(results.values())
    least = "%.1f s" % min(seconds) if seconds else "no end"
    return "%d / %d / %d, %s" % (count["pass"], count["fail"], count["skip"], least)


def differences(client, found):
    """Tests that do not end alike everywhere; a test that a library does not have is left out."""
    for test in sorted(set().union(*found.values())):
        verdicts = {name: results[test] for name, results in found.items() if test in results}
        if len(set(verdicts.values())) > 1:
            yield "%s %s: %s" % (client, test, ", ".join("%s %s" % row for row in verdicts.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("libraries", nargs="+", metavar="NAME=FILE.icd")
    parser.add_argument("--clients", default=",".join(ALL))
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--limit", type=float, default=1500, help="seconds for one run")
    options = parser.parse_args()
    libraries = dict(text.split("=", 1) for text in options.libraries)
    os.makedirs(options.folder, exist_ok=True)
    folder = os.path.abspath(options.folder)
    differ = []
    print("| client | %s |\n|---|%s" % (" | ".join(libraries), "---|" * len(libraries)))
    for client in options.clients.split(","):
        found, seconds = {}, collections.defaultdict(list)
        for _ in range(options.rounds):
            for name, icd in libraries.items():
                found[name], used = run(client, name, os.path.abspath(icd), folder, options.limit)
                seconds[name] += [used] if used is not None else []
        print("| %s | %s |" % (client, " | ".join(cell(found[name], seconds[name]) for name in libraries)),
              flush=True)
        differ += differences(client, found)
    print("\n".join(["", "Not alike:"] + differ if differ else ["", "All alike."]))


if __name__ == "__main__":
    main()
