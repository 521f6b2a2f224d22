# SPDX-License-Identifier: Apache-2.0
"""Designs as circuits (circuit.sv): their tables, and Verilator, which counts cycles."""
import os
import subprocess

KERNELS, PIPES, ITEMS, OPERATIONS, WORDS = 6, 12, 255, 768, 8192

MAIN = """#include "Vtop.h"
#include "verilated.h"
int main(int argc, char **argv)
{
    VerilatedContext context;
    context.commandArgs(argc, argv);
    Vtop top{&context};
    while (!context.gotFinish()) {
        top.clk = !top.clk;
        top.eval();
    }
}
"""


class Operation:
    """In rounds n = base + o * inner + i with !(n & mask) and n >= ahead."""

    def __init__(self, pipe, write, waits=True, cycle=0, base=0, inner=0, mask=0, ahead=0):
        self.row = (cycle, pipe, int(write), int(waits), mask, ahead, base, inner)


class Item:
    """Iterations of an innermost loop, or an operation outside of loops (one trip, depth 1). In round o of the loop around
    it has (o * factor >> shift) & mask more trips."""

    def __init__(self, operations, trips=1, interval=1, depth=1, more=(0, 0, 0)):
        self.operations, self.trips, self.interval, self.depth = operations, trips, interval, depth
        self.factor, self.shift, self.mask = more
        self.again, self.times = 0xffffffff, 1  # the loop around: behind the last trip go back there, so often in all


def table(items):
    words = [0] * WORDS
    words[0] = len(items)
    assert len(items) <= ITEMS and sum(len(item.operations) for item in items) <= OPERATIONS
    place = 0
    for number, item in enumerate(items):
        trips = item.trips | item.factor << 16 | item.shift << 24 | item.mask << 28
        length = max(item.depth, item.interval if trips > 1 else 1)
        words[8 + number * 8:16 + number * 8] = (trips, item.interval, item.depth, length, item.again, item.times,
                                                 place, len(item.operations))
        for operation in item.operations:
            words[2048 + place * 8:2056 + place * 8] = operation.row
            place += 1
    return "\n".join(f"{word:x}" for word in words) + "\n"


class Simulator:
    def __init__(self, verilator, folder):
        self.folder = os.path.join(folder, "verilated")
        main_file = os.path.join(folder, "main.cpp")
        with open(main_file, "w", encoding="utf-8") as file:
            file.write(MAIN)
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "circuit.sv")
        made = subprocess.run([verilator, "--cc", "--exe", "--build", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-O3",
                               "--unroll-count", "8", "--top-module", "top", "-Mdir", self.folder, source, main_file],
                              capture_output=True, text=True, check=False)
        if made.returncode:
            raise SystemExit(made.stdout[-3000:] + made.stderr[-3000:])

    def run(self, kernels, depths):
        """Of lists of items and of depths: (cycle in which it ends or None, successes of what does not wait) of kernels,
        (packets written, read) of pipes, and what went wrong."""
        assert len(kernels) <= KERNELS and len(depths) <= PIPES
        for number in range(KERNELS):
            with open(os.path.join(self.folder, f"kernel{number}"), "w", encoding="utf-8") as file:
                file.write(table(kernels[number] if number < len(kernels) else []))
        with open(os.path.join(self.folder, "depths"), "w", encoding="utf-8") as file:
            file.write("\n".join(f"{depth:x}" for depth in depths + [1] * (PIPES - len(depths))) + "\n")
        ran = subprocess.run([os.path.join(self.folder, "Vtop"), f"+design={self.folder}"], capture_output=True, text=True,
                             check=True)
        ends, moved, wrong = [], [], []
        for line in ran.stdout.splitlines():
            words = line.split()
            if words[0] == "kernel":
                ends.append((int(words[3]) if words[2] == "1" else None, int(words[4])))
            elif words[0] == "pipe":
                moved.append((int(words[2]), int(words[3])))
            elif "$finish" not in line:
                wrong.append(line)
        return ends[:len(kernels)], moved[:len(depths)], wrong
