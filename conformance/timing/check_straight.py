#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_straight.py RUN_DESIGN SLUICEC SLUICE-REPORT: latency constraints in runs with a clock, above all of code that is in no
pipelined loop. Each combination of type, cycles, order and place is a kernel; the cycles of its operations are worked out
here."""
import itertools
import json
import os
import sys
import tempfile

from design_runs import FAILURES, HEAD, Tools, check_replay, expect

TYPES = ("exact", "max", "min")
CYCLES = (-7, -1, 0, 1, 2, 8)
INNER, ROUNDS, COPIES = 3, 4, 3  # iterations of the loops in the kernels below
OPERATIONS = {"anchor first": "{anchor}; {bound};", "anchor behind": "{bound}; {anchor};",
              "branch": "{anchor}; if (get_global_size(0) < 9) {bound};",
              "two branches": "if (get_global_size(0) < 9) {anchor}; if (get_local_size(0) < 9) {bound};",
              "behind a branch": "if (get_global_size(0) > 9) write_channel_intel(z[{i}], 0); {anchor}; {bound};"}
LOOP = f"for (int k = 0; k < {INNER}; k++) write_channel_intel(z[NUMBER], k);"
PLACES = {"once": "BODY", "loop": f"for (int i = 0; i < {ROUNDS}; i++) {{ BODY }}",
          "in front of a loop": "BODY " + LOOP, "behind a loop": LOOP + " BODY",
          "outer": f"for (int o = 0; o < {ROUNDS}; o++) {{ BODY {LOOP} }}",
          "unrolled": f"\n#pragma unroll\nfor (int u = 0; u < {COPIES}; u++) {{ BODY }}\n", "units": "BODY"}


def achieved(kind, cycles):
    """Nothing else is between the two: both begin as early as they can."""
    return cycles if kind == "exact" else min(0, cycles) if kind == "max" else max(0, cycles)


class Kernel:
    def __init__(self, number, order, place, kind, cycles):
        self.number, self.place, self.what = number, place, f"{order}, {place}, {kind} {cycles}"
        self.order, self.distance, self.name = order, achieved(kind, cycles), f"k{number}"
        units = place == "units"
        element = f"[{number}][get_compute_id(0)]" if units else f"[{number}][0]"
        body = OPERATIONS[order].format(
            i=number, anchor=f"write_channel_intel(a{element}, 1) __attribute__((latency_anchor({number})))",
            bound=f"write_channel_intel(b{element}, 2) __attribute__((latency_constraint({number}, {kind}, {cycles})))")
        text = PLACES[place].replace("BODY", body).replace("NUMBER", str(number))
        attributes = "__attribute__((max_global_work_dim(0), autorun, num_compute_units(2))) " if units else ""
        self.text = f"{attributes}kernel void {self.name}() {{ {text} }}\n"

    def expected(self):
        """Cycles of the anchors, and when the kernel ends."""
        anchor, length = max(0, -self.distance), abs(self.distance) + 1
        if self.place == "behind a loop":
            return [INNER + anchor], INNER + length
        if self.place == "loop":
            return [i + anchor for i in range(ROUNDS)], ROUNDS - 1 + length
        if self.place == "outer":
            return [o * (length + INNER) + anchor for o in range(ROUNDS)], ROUNDS * (length + INNER)
        return [anchor], length + (INNER if self.place == "in front of a loop" else 0)


def check_kernel(kernel, profile, events):
    pipes = {f"{name}[{kernel.number}][0]": name for name in "ab"}
    cycles = {name: [] for name in "ab"}
    for row in events:
        name = pipes.get(profile["pipes"][row[3]]["name"]) if row[2] == "write" else None
        if name:
            cycles[name].append(row[0])
    anchors, end = kernel.expected()
    pairs = list(zip(cycles["a"], cycles["b"]))
    if kernel.place == "unrolled":  # copies use the same channels, an operation a cycle
        expect(len(pairs) == COPIES and all(b - a == kernel.distance for a, b in pairs), f"{kernel.what}: {pairs}")
        return
    if kernel.place == "units":  # they restart until pipes are full; who they are is asked first
        expect(pairs and pairs[0][1] - pairs[0][0] == kernel.distance, f"{kernel.what}: {pairs}")
        return
    expect(pairs == [(a, a + kernel.distance) for a in anchors], f"{kernel.what}: {pairs} instead of {anchors}")
    for row in profile["clock"]["kernels"]:
        if profile["kernels"][row["kernel"]]["name"] == kernel.name:
            expect(row["end"] == end, f"{kernel.what}: ends in {row['end']} instead of {end}")


def have_all_written(profile, kernels):
    """Autorun kernels: the one that is launched may end before each of them had its turn."""
    written = {pipe["name"] for pipe in profile["pipes"] if pipe["packets"]}
    return all(f"b[{kernel.number}][0]" in written for kernel in kernels)


def run_place(tools, name, place, kernels):
    count = len(kernels)
    source = tools.write(f"{name}.cl", HEAD + f"channel int a[{count}][2] __attribute__((depth(16))), "
                         f"b[{count}][2] __attribute__((depth(16))), z[{count}] __attribute__((depth(64))), e;\n"
                         + "".join(kernel.text for kernel in kernels) + "kernel void last() { write_channel_intel(e, 1); }\n")
    launched = ["last"] if place == "units" else [kernel.name for kernel in kernels]
    for _ in range(20):
        profile = tools.run(source, launched, SLUICE_FPGA_TRACE="1")
        if place != "units" or have_all_written(profile, kernels):
            break
    events = sorted(profile["clock"]["events"])
    for kernel in kernels:
        check_kernel(kernel, profile, events)


def check_place(tools, number, place):
    kinds = list(itertools.product(OPERATIONS, TYPES, CYCLES))
    for first in range(0, len(kinds), 45):
        run_place(tools, f"place{number}_{first}", place, [Kernel(i, order, place, kind, cycles) for i, (order, kind, cycles)
                                                           in enumerate(kinds[first:first + 45])])
    for order in OPERATIONS if place != "units" else []:
        for cycles in (-7, 8):
            run_place(tools, f"replay{number}", place, [Kernel(0, order, place, "exact", cycles)])
            check_replay(tools, f"{order}, {place}, exact {cycles}")


# Source; the cycles in which each kernel begins and ends.
BY_HAND = [
    # What is waited for does not count: the packet is written in 5, behind the loop, and read in 6; nine cycles later the
    # product is written. The anchor of the second pair is late by 6 - 0 cycles, too, and all that comes behind.
    ("""channel int in, out, more, rest;
kernel void give()
{
    for (int i = 0; i < 5; i++)
        write_channel_intel(rest, i);
    write_channel_intel(in, 1);
}
kernel void take()
{
    read_channel_intel(out);
    for (int i = 0; i < 5; i++)
        read_channel_intel(rest);
}
kernel void k()
{
    int v = read_channel_intel(in) __attribute__((latency_anchor(1)));
    write_channel_intel(out, v) __attribute__((latency_constraint(1, exact, 9), latency_anchor(2)));
    write_channel_intel(more, v) __attribute__((latency_constraint(2, min, 3)));
}
""".replace("rest;", "rest __attribute__((depth(8)));"), {"give": (0, 6), "take": (0, 22), "k": (0, 19)}),
    # Later in the program and earlier in the schedule: 'out' is written three cycles before 'in' is read, in 0; were it
    # not so both kernels would wait for each other.
    ("""channel int in, out;
kernel void back() { int v = read_channel_intel(out); write_channel_intel(in, v); }
kernel void k()
{
    write_channel_intel(out, 1) __attribute__((latency_constraint(1, exact, -6)));
    read_channel_intel(in) __attribute__((latency_anchor(1)));
}
""", {"back": (0, 3), "k": (0, 7)}),
]


def check_by_hand(tools):
    for number, (text, expected) in enumerate(BY_HAND):
        source = tools.write(f"hand{number}.cl", HEAD + text)
        for settings in ({}, {"SLUICE_FPGA_SEED": "5"}):
            profile = tools.run(source, list(expected), SLUICE_FPGA_TRACE="1", **settings)
            got = {profile["kernels"][row["kernel"]]["name"]: (row["begin"], row["end"]) for row in profile["clock"]["kernels"]}
            expect(got == expected, f"design {number}: {got} instead of {expected}")
            check_replay(tools, f"design {number}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(*sys.argv[1:4], folder)
        check_by_hand(tools)
        for number, place in enumerate(PLACES):
            check_place(tools, number, place)
    print(f"{len(OPERATIONS) * len(PLACES) * len(TYPES) * len(CYCLES)} constraints, {len(FAILURES)} failures")
    return bool(FAILURES)


if __name__ == "__main__":
    sys.exit(main())
