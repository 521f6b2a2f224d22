#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_side_by_side.py RUN_DESIGN SLUICEC SLUICE-REPORT: kernels without pipes whose work-items are iterations, in runs with a
clock: as many cycles as the schedule and the number of work-items say, with num_simd_work_items and without, launches of a
queue one behind the other."""
import itertools
import json
import re
import subprocess
import sys
import tempfile

from design_runs import FAILURES, HEAD, Tools, expect

# A pipe makes it a design; only its kernels have run_design's queue of their own.
DESIGN = """kernel void give() { for (int i = 0; i < 10; i++) write_channel_intel(c, i); }
kernel void take() { for (int i = 0; i < 10; i++) read_channel_intel(c); }
"""
ITEMS = "global int numbers[4096];\n%skernel void square() { size_t i = get_global_id(0); numbers[i] = numbers[i] * (int)i; }\n"
WISHES = "__attribute__((num_simd_work_items(%d), reqd_work_group_size(%d, 1, 1)))\n"


def row_of(profile, kernel):
    rows = [row for row in profile["clock"]["kernels"] if profile["kernels"][row["kernel"]]["name"] == kernel]
    expect(len(rows) == 1, f"{len(rows)} rows of {kernel}")
    return rows[0] if rows else {"begin": 0, "end": 0, "busy": 0, "runs": 0, "loops": [[0, 0]]}


def schedule_of(tools, source, kernel):
    made = subprocess.run([tools.sluicec, "--device=fpga", "-cl-std=CL3.0", "--schedule", "-", source], env=tools.environment,
                          capture_output=True, text=True, check=True)
    return [row for row in json.loads(made.stdout)["kernels"] if row["name"] == kernel][0]["loops"][0]


def check(tools, lanes, group, items):
    wishes = WISHES % (lanes, group) if lanes else ""
    source = tools.write("side.cl", HEAD + "channel int c __attribute__((depth(4)));\n" + DESIGN + ITEMS % wishes)
    what = f"{lanes} side by side, {items} work-items in groups of {group}"
    loop = schedule_of(tools, source, "square")
    iterations = items // max(lanes, 1)
    cycles = (iterations - 1) * loop["ii"] + loop["depth"]
    for settings in ({}, {"SLUICE_FPGA_TRACE": "1"}):
        profile = tools.run(source, ["give", "take", f"square:{items}:{group}"], **settings)
        row = row_of(profile, "square")
        got = (row["begin"], row["end"], row["busy"], row["runs"], row["loops"])
        expect(got == (0, cycles, cycles, 1, [[1, iterations]]), f"{what}: {got}, {cycles} cycles are right")
        expect(row_of(profile, "give")["end"] == 10, f"{what}: {row_of(profile, 'give')}")
        expect(profile["clock"]["cycles"] == max(cycles, 11), f"{what}: {profile['clock']['cycles']} of the design")
    for wish in ("--cycles", "--vcd", "--perfetto"):
        said = subprocess.run([tools.report, wish, f"{tools.folder}/run.json"], capture_output=True, text=True, check=False)
        expect(said.returncode == 0 and "square" in said.stdout, f"{what}: {said.returncode} {said.stdout} {said.stderr}")
    said = subprocess.run([tools.report, "--depths", f"{tools.folder}/run.json"], capture_output=True, text=True, check=False)
    expect(said.returncode == 0, f"{what}: {said.returncode} {said.stdout} {said.stderr}")


def check_between(tools):
    """A kernel without pipes between two with them on a queue: depths of the first move the second."""
    text = """channel int c __attribute__((depth(256)));
channel int e __attribute__((depth(256)));
global float out;
kernel void give() { for (int i = 0; i < 100; i++) write_channel_intel(c, i); }
kernel void take() { float s = 1; for (int i = 0; i < 100; i++) s = s * 1.5f + (float)read_channel_intel(c); out = s; }
kernel void again() { for (int i = 0; i < 50; i++) write_channel_intel(e, i); }
kernel void end() { for (int i = 0; i < 50; i++) read_channel_intel(e); }
"""
    source = tools.write("between.cl", HEAD + text + ITEMS % "")
    kernels = ["give", "+square:1000:10", "+again", "take", "end"]
    traced = tools.run(source, kernels, SLUICE_FPGA_TRACE="1")["clock"]["cycles"]
    said = subprocess.run([tools.report, "--depths", f"{tools.folder}/run.json"], capture_output=True, text=True, check=False).stdout
    row = next(line.split() for line in said.splitlines() if line.startswith("cycles "))
    expect(int(row[1]) == traced and int(row[2]) > traced, f"{row}, {traced} as it was")
    for title, cycles in (("no deadlock", row[2]), ("full speed", row[3])):
        depths = re.search(rf"^{title}: SLUICE_FPGA_DEPTHS='(.*)'$", said, re.M)[1]
        clock = tools.run(source, kernels, SLUICE_FPGA_DEPTHS=depths)["clock"]
        expect(clock["cycles"] == int(cycles), f"{title}: {depths} takes {clock['cycles']} cycles, not {cycles}")


def check_others(tools):
    """Work-items that do not ask which they are follow each other."""
    text = ("global int sums[4096];\n"
            "kernel void sum() { for (int n = 0; n < 100; n++) sums[n] ^= sums[(n * 7) & 4095]; }\n")
    source = tools.write("others.cl", HEAD + "channel int c __attribute__((depth(4)));\n" + DESIGN + text)
    profile = tools.run(source, ["give", "take", "sum:64:8"])
    ends = {profile["kernels"][row["kernel"]]["name"]: row["end"] for row in profile["clock"]["kernels"]}
    loop = schedule_of(tools, source, "sum")
    expect(ends == {"give": 10, "take": 11, "sum": 64 * (99 * loop["ii"] + loop["depth"])}, f"{ends}, {loop}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(*sys.argv[1:4], folder)
        tools.options += " -cl-std=CL3.0"
        for lanes, group in itertools.product((0, 2, 4, 16), (16, 64)):
            check(tools, lanes, group, 13 * group)
        check_between(tools)
        check_others(tools)
    sys.exit(1 if FAILURES else 0)


main()
