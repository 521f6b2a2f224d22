#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_processes.py RUN_DESIGN SLUICEC SLUICE-REPORT: the calls of AMD's xcl_dataflow overlap in the clock as they would in a
circuit. Each stage takes (n - 1) II and its depth; one behind the other with arrays the calls of one region take the sum, those
that share nothing the longest of them, and in a loop rounds follow each other as fast as the slowest stage lets them. A copy of
the program without the attribute is the sum of everything."""
import sys
import tempfile

from design_runs import FAILURES, Tools, expect

OPERATORS = "integer.add 1\ninteger.multiply 3\nglobal.load 10\nglobal.store 4\nlocal.load 2\nlocal.store 1\n"
STEPS = 12  # of packets around a call, at most

STAGES = """void first(global const int *p, int *a, int n) {
    for (int i = 0; i < n; i++) a[i] = p[i];
}
void second(const int *a, int *b, int n) {
#pragma ii 3
    for (int i = 0; i < n; i++) b[i] = 5 * a[i];
}
void third(global int *q, const int *b, int n) {
    for (int i = 0; i < n; i++) q[i] = b[i];
}
pipe int c __attribute__((xcl_reqd_pipe_depth(16)));
void give(global const int *p, int n) { for (int i = 0; i < n; i++) { int v = p[i]; write_pipe_block(c, &v); } }
void take(global int *q, int n) { for (int i = 0; i < n; i++) { int v; read_pipe_block(c, &v); q[i] = v; } }
"""
FLOW = "__attribute__((xcl_dataflow)) "
CHAIN = "kernel void k(global int *p, global int *q) { int a[100], b[100]; first(p, a, 100); second(a, b, 100); third(q, b, 100); }"
APART = "kernel void k(global int *p, global int *q) { int a[100], b[100]; first(p, a, 100); first(p, b, 50); }"
PIPE = "kernel void k(global int *p, global int *q) { give(p, 100); take(q, 100); }"
LOOP = """kernel void k(global int *p, global int *q) {
    %sfor (int r = 0; r < 40; r++) { int a[100], b[100];
        first(p + 100 * r, a, 100); second(a, b, 100); third(q + 100 * r, b, 100); }
}"""


def run(tools, name, text):
    source = tools.write(name + ".cl", STAGES + text)
    profile = tools.run(source, ["k%AB"])
    rows = {profile["kernels"][row["kernel"]]["name"]: row for row in profile["clock"]["kernels"]}
    loops = {kernel["name"]: [(loop["ii"], loop["depth"]) for loop in kernel["loops"] if loop["pipelined"]] for kernel in profile["schedule"]["kernels"]}
    return profile, rows["k"]["end"] - rows["k"]["begin"], loops, rows


def takes(loops, kernel, rounds):
    [(interval, depth)] = loops[kernel]
    return (rounds - 1) * interval + depth


def main():
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(*sys.argv[1:4], folder)
        tools.environment["SLUICE_FPGA_OPERATORS"] = tools.write("operators", OPERATORS)

        profile, cycles, loops, rows = run(tools, "chain", FLOW + CHAIN)
        expect(set(rows) == {"k", "k.first", "k.second", "k.third"}, f"{set(rows)}: each call has a row")
        stages = [takes(loops, name, 100) for name in ("k.first", "k.second", "k.third")]
        expect(sum(stages) <= cycles <= sum(stages) + 3 * STEPS, f"chain: {cycles} cycles of {stages}")
        expect({row["kernel"] for row in profile["timeline"]} >= {0, 1, 2, 3}, "each call has its stretches of time")

        cycles, loops = run(tools, "apart", FLOW + APART)[1:3]
        longest = takes(loops, "k.first", 100)
        expect(longest <= cycles <= longest + 2 * STEPS, f"apart: {cycles} cycles, the longest is {longest}")

        cycles, loops = run(tools, "pipe", FLOW + PIPE)[1:3]
        stages = [takes(loops, name, 100) for name in ("k.give", "k.take")]
        expect(max(stages) <= cycles <= max(stages) + loops["k.give"][0][1] + 2 * STEPS, f"pipe: {cycles} cycles of {stages}")

        cycles, loops = run(tools, "loop", LOOP % FLOW)[1:3]
        stages = [takes(loops, name, 100) for name in ("k.first", "k.second", "k.third")]
        expect(40 * max(stages) <= cycles <= 40 * (max(stages) + STEPS) + sum(stages), f"loop: {cycles} cycles of {stages}")
        overlapped = cycles
        cycles, _, rows = run(tools, "sequence", LOOP % "")[1:]
        expect(set(rows) == {"k"} and cycles >= 40 * sum(stages) - STEPS, f"sequence: {cycles} cycles of {stages}")
        expect(overlapped < 0.75 * cycles, f"{overlapped} cycles instead of {cycles}")
    sys.exit(1 if FAILURES else 0)


main()
