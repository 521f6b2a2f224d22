#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_depths.py RUN_DESIGN SLUICE-REPORT designs.cl: traces designs with deep pipes, runs them with the depths that
are found, and with one less of each pipe, which must stand still."""
import json
import os
import subprocess
import sys
import tempfile

KERNELS = ("fork join", "begin middle turn", "leave take")
# pipe: (macro, the least depth without a deadlock where all others are as below)
PIPES = {"early": ("EARLY", 5), "late": ("LATE", 1), "there": ("THERE", None), "back": ("BACK", None),
         "rest": ("REST", 7)}
STALLED = 3
FAILURES = []


def expect(condition, what):
    if not condition:
        print(what)
        FAILURES.append(what)


class Design:
    def __init__(self, program, report, source, kernels, folder):
        self.program, self.report, self.source, self.kernels = program, report, source, kernels.split()
        self.profile = os.path.join(folder, kernels.replace(" ", "_") + ".json")

    def run(self, depths, options="", **settings):
        macros = " ".join(f"-D{macro}={depths.get(pipe, 64)}" for pipe, (macro, _) in PIPES.items())
        # On a busy machine the host may rest for a moment between two launches.
        environment = {**os.environ, "SLUICE_FPGA_ON_STALL": "error", "SLUICE_FPGA_STALL_MS": "5000", **settings}
        result = subprocess.run([self.program, self.source, f"{macros} {options}", *self.kernels], env=environment,
                                capture_output=True, text=True, check=False)
        expect(result.returncode in (0, STALLED), result.stderr)
        return result.returncode

    def trace(self, options=""):
        expect(self.run({}, options, SLUICE_FPGA_PROFILE=self.profile, SLUICE_FPGA_TRACE="1") == 0, "traced run")
        with open(self.profile, encoding="utf-8") as file:
            profile = json.load(file)
        expect(profile["trace"]["whole"], "the trace is not whole")
        text = subprocess.run([self.report, "--depths", self.profile], capture_output=True, text=True, check=False)
        expect(text.returncode == 0, text.stderr)
        return profile, text.stdout


def attributes(text, title):
    """Pipe: depth, of the lines to paste behind a title."""
    depths = {}
    for line in text.split(f"\n{title}:\n")[1].split("\n\n")[0].splitlines():
        place, _, rest = line.partition(": ")
        name, _, attribute = rest.partition(" __attribute__((depth(")
        expect(place.startswith("<source>:"), line)
        depths[name] = int(attribute.rstrip(")"))
    return depths


def check_used(design, profile, safe, fast):
    used = {pipe["name"].partition("[")[0]: pipe for pipe in profile["pipes"] if pipe["packets"]}
    for name, pipe in used.items():
        most = max(p["high_water"] for p in profile["pipes"] if p["name"].partition("[")[0] == name)
        expect(1 <= safe[name] <= most, f"{name}: {safe[name]} of {most}")
        expect(fast[name] >= safe[name], f"{name}: {fast[name]} below {safe[name]}")
        known = PIPES[name][1]
        expect(known in (None, safe[name]), f"{name}: {safe[name]} instead of {known}")
        if pipe["name"] == name and safe[name] > 1:
            less = design.run({**safe, name: safe[name] - 1}, SLUICE_FPGA_STALL_MS="200")
            expect(less == STALLED, f"{name}: with {safe[name] - 1} the design does not stand still")


def check(design):
    profile, text = design.trace()
    expect("without -sluice-timing" in text, text)
    safe, fast = attributes(text, "no deadlock"), attributes(text, "full speed")
    check_used(design, profile, safe, fast)
    for depths in (safe, fast):
        expect(design.run(depths) == 0, f"stands still with {depths}")
        expect(design.run(depths, SLUICE_FPGA_SEED="9") == 0, f"stands still with {depths} and a seed")
    _, timed = design.trace("-sluice-timing")
    expect("by the schedule" in timed, timed)
    expect(attributes(timed, "no deadlock") == safe, timed)
    expect(design.run(attributes(timed, "full speed")) == 0, "stands still at full speed")


def check_refusals(design, report, folder):
    design.run({}, SLUICE_FPGA_PROFILE=design.profile)
    damaged = os.path.join(folder, "damaged.json")
    with open(design.profile, encoding="utf-8") as file:
        profile = json.load(file)
    expect("trace" not in profile, "a trace that nobody asked for")
    with open(damaged, "w", encoding="utf-8") as file:
        json.dump({**profile, "trace": {"whole": True, "kinds": [[0, 0]], "runs": [
            {"kernel": 0, "after": 0, "end": 0, "events": "0*3 (0 7)*2"}]}}, file)
    for path, why in ((design.profile, "there is no trace in it: SLUICE_FPGA_TRACE=1 makes one"),
                      (damaged, "the trace is damaged")):
        result = subprocess.run([report, "--depths", path], capture_output=True, text=True, check=False)
        expect(result.returncode == 1 and why in result.stderr and not result.stdout, result.stderr)


def main():
    program, report, source = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        designs = [Design(program, report, source, kernels, folder) for kernels in KERNELS]
        for design in designs:
            check(design)
        check_refusals(designs[0], report, folder)
    print(f"{len(designs)} designs, {len(FAILURES)} failures")
    return bool(FAILURES)


if __name__ == "__main__":
    sys.exit(main())
