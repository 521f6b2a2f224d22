#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_shapes.py RUN_DESIGN SLUICEC SLUICE-REPORT: launches in one to three dimensions, whose last groups may have fewer
items. What each work-item computes, how often its loops go round and when the last one is through are counted here, item by
item in the order in which they begin; and what a launch of millions of groups needs of memory to be counted."""
import os
import subprocess
import sys
import tempfile

from design_runs import FAILURES, Tools, expect
from check_items import GLOBALS, OPERATORS, row_of, schedule_of

WORD = 0xFFFFFFFF
FACTOR, TERM = 1664525, 1013904223
ROUND = f"x = x * {FACTOR}u + {TERM}u;"
WHERE = ("    uint at = get_global_id(0) + get_global_size(0) * (get_global_id(1) + get_global_size(1) * get_global_id(2));\n"
         "    uint x = at * 40503u + 77u;\n")

# Text, and of an item its number in the launch: the rounds of each loop.
KERNELS = {
    # Each item counts for itself.
    "own": ("    uint n = x % 7;\n#pragma nounroll\n    for (uint i = 0; i < n; i++) " + ROUND + "\n", lambda x: [x % 7]),
    # All items do the same: sizes are enough.
    "same": ("#pragma nounroll\n    for (uint i = 0; i < 5; i++) " + ROUND + "\n", lambda x: [5]),
    # A function with a loop is called twice, so that the device follows item by item.
    "twice": ("    uint n = x % 5, m = x % 3 + 1;\n    x = turn(x, n);\n    x = turn(x, m);\n", lambda x: [x % 5, x % 3 + 1]),
    # One loop in another.
    "nest": ("    uint n = x % 4, m = x % 6;\n#pragma nounroll\n    for (uint o = 0; o < n; o++)\n#pragma nounroll\n"
             "        for (uint i = 0; i < m; i++) " + ROUND + "\n", lambda x: x % 4 * [x % 6]),
}
TURN = "uint turn(uint x, uint n) {\n#pragma nounroll\n    for (uint i = 0; i < n; i++) " + ROUND + "\n    return x; }\n"
SHAPES = [((61,), (8,)), ((61, 23), (8, 4)), ((23, 61), (1, 16)), ((64, 8), (16, 2)), ((7, 9, 11), (2, 4, 3)), ((1, 5, 3), (1, 2, 2)),
          ((61, 70), (1, 1)), ((97, 97), (97, 5))]


def items_of(sizes, groups):
    """Their numbers in the launch, in the order in which they begin: nothing in these kernels is a group's, and the items of a
    row come through all groups of the row."""
    sizes, groups = ((*of, 1, 1)[:3] for of in (sizes, groups))
    for z, y in ((z, y) for z in range(0, sizes[2], groups[2]) for y in range(0, sizes[1], groups[1])):
        for k in range(z, min(z + groups[2], sizes[2])):
            for j in range(y, min(y + groups[1], sizes[1])):
                for i in range(sizes[0]):
                    yield i + sizes[0] * (j + sizes[1] * k)


def expected_of(sizes, groups, rounds, schedule):
    """Cycles, rounds of the loops, and the sum of what is computed."""
    region = schedule["items"]["regions"][0]
    loop = [row for row in schedule["loops"] if row["pipelined"]][-1]
    begin = end = total = count = 0
    for at in items_of(sizes, groups):
        x = at * 40503 + 77 & WORD
        turns = rounds(x)
        all_rounds = sum(turns)
        for _ in range(all_rounds):
            x = x * FACTOR + TERM & WORD
        total += x * (at + 1)
        count += all_rounds
        end = max(end, begin + region["depth"] + all_rounds * loop["depth"])
        # The two copies of a loop are two circuits.
        copies = [row for row in schedule["loops"] if row["pipelined"]]
        busy = max(turns, default=0) * loop["ii"] if len(copies) > 1 else all_rounds * loop["ii"]
        begin += max(region["apart"], busy, 1)
    return end, count, total & WORD


def check(tools, name, sizes, groups):
    text, rounds = KERNELS[name]
    source = tools.write("shape.cl", GLOBALS.replace("4096", "16384") + TURN + f"kernel void {name}()\n{{\n{WHERE}{text}    p[at] = x;\n}}\n"
                         f"kernel void tell() {{ uint sum = 0;\n    for (uint i = 0; i < 16384; i++) sum += (uint)p[i] * (i + 1);\n"
                         "    printf(\"%u\\n\", sum); }\n")
    schedule = schedule_of(tools, source, name)
    cycles, count, total = expected_of(sizes, groups, rounds, schedule)
    what = f"{name}:{'x'.join(map(str, sizes))}:{'x'.join(map(str, groups))}"
    profile, lines = tools.run_printing(source, [what, "+tell"])
    row = row_of(profile, name)
    leaves = [i for i, loop in enumerate(schedule["loops"]) if loop["pipelined"]]
    got = (row["end"], sum(row["loops"][i][1] for i in leaves), lines)
    expect(got == (cycles, count, [str(total)]) and profile["clock"]["exact"], f"{what}: {got}, {(cycles, count, total)} are right")


def peak_of(tools, source, launch, **settings):
    """KiB of the memory of a run."""
    with subprocess.Popen([tools.program, source, tools.options, launch], env={**tools.environment, **settings}) as child:
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    expect(child.returncode == 0, f"{launch}: {child.returncode}")
    return used.ru_maxrss


def check_many(tools):
    """Four million groups of one item: 16 bytes for each would be 64 MiB."""
    source = tools.write("many.cl", GLOBALS + "kernel void many()\n{\n" + WHERE + KERNELS["own"][0] + "    p[at & 4095] = x;\n}\n")
    plain = peak_of(tools, source, "many:4194304:1")
    timed = peak_of(tools, source, "many:4194304:1", SLUICE_FPGA_PROFILE=f"{tools.folder}/many.json")
    expect(timed < plain + 24 * 1024, f"{timed} KiB with a clock, {plain} without")


def main():
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(*sys.argv[1:4], folder)
        tools.options += " -cl-std=CL3.0"
        tools.environment["SLUICE_FPGA_OPERATORS"] = tools.write("operators", OPERATORS)
        for name in KERNELS:
            for sizes, groups in SHAPES:
                check(tools, name, sizes, groups)
        check_many(tools)
    sys.exit(1 if FAILURES else 0)


main()
