#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_examples.py SLUICE-REPORT PROGRAM,ARGUMENT,... ...: runs examples with a clock and a trace. A replay takes as many
cycles as the run, and so do runs with the depths that are found."""
import json
import os
import subprocess
import sys
import tempfile

FAILURES = []


def expect(condition, what):
    if not condition:
        print(what)
        FAILURES.append(what)


def run(command, folder, **settings):
    """Its cycles, and where the profile is."""
    profile = os.path.join(folder, "run.json")
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False,
                            env={**os.environ, "SLUICE_FPGA_TIMING": "1", "SLUICE_FPGA_PROFILE": profile, **settings})
    expect(result.returncode == 0, f"{command}: {result.stdout}{result.stderr}")
    with open(profile, encoding="utf-8") as file:
        return json.load(file)["clock"]["cycles"], profile


def check(report, command, folder):
    cycles, profile = run(command, folder, SLUICE_FPGA_TRACE="1")
    name = os.path.basename(command[0])
    found = subprocess.run([report, "--depths", profile], capture_output=True, text=True, check=False)
    expect(found.returncode == 0, f"{name}: {found.stderr}")
    own, safe, fast = next(map(int, line.split()[1:]) for line in found.stdout.splitlines() if line.startswith("cycles "))
    expect(own == cycles, f"{name}: {cycles} cycles, replayed {own}")
    for title, predicted in (("no deadlock", safe), ("full speed", fast)):
        setting = found.stdout.split(f"\n{title}: SLUICE_FPGA_DEPTHS='")[1].split("'")[0]
        if setting:
            taken, _ = run(command, folder, SLUICE_FPGA_DEPTHS=setting)
            expect(taken == predicted, f"{name} with {setting}: {taken} cycles instead of {predicted}")
    print(f"{name}: {cycles} cycles, {safe} with the least depths, {fast} at full speed")


def main():
    for program in sys.argv[2:]:
        with tempfile.TemporaryDirectory() as folder:
            check(sys.argv[1], program.split(","), folder)
    print(f"{len(sys.argv) - 2} examples, {len(FAILURES)} failures")
    return bool(FAILURES)


if __name__ == "__main__":
    sys.exit(main())
