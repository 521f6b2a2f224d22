#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_items.py RUN_DESIGN SLUICEC SLUICE-REPORT: kernels of many work-items, with loops and barriers. What each region of
them takes is written here by hand, with a table of simple operators; when groups begin and end is found here as well, item by
item. The schedule has to say the same before anything runs, where trips are known, and runs with a clock have to take it."""
import html
import json
import subprocess
import sys
import tempfile

from design_runs import FAILURES, HEAD, Tools, expect

OPERATORS = "integer.add 0\ninteger.multiply 3\nglobal.load 10\nglobal.store 4\nlocal.load 2\nlocal.store 1\ncall 1\n"
GLOBALS = "global int p[4096];\n"


class Visit:
    """Of a region by an item: cycles until it is through, and until the next one may begin."""

    def __init__(self, region, through, apart=1):
        self.region, self.through, self.apart = region, max(through, 1), max(apart, 1)


def simulate(groups, items, copies, visits, units=1, meet=True):
    """The cycle in which the last item is through. visits(item): those of an item; of a group all have as many."""
    free = [{} for _ in range(units)]  # by region
    ended = [[] for _ in range(units)]

    def may_begin(unit):
        own = ended[unit]
        room = own[len(own) - copies] if meet and len(own) >= copies else 0
        return max(room, free[unit].get(visits(0)[0].region, 0))

    last = 0
    for group in range(groups):
        unit = min(range(units), key=may_begin)
        at = may_begin(unit)
        for step in range(len(visits(0))):
            through, begin = 0, max(at, free[unit].get(visits(0)[step].region, 0))
            for item in range(items if isinstance(items, int) else items[group]):
                visit = visits(item)[step]
                through = max(through, begin + visit.through)
                begin += visit.apart
            free[unit][visits(0)[step].region] = begin
            at = through
            last = max(last, through)
        ended[unit].append(at)
    return last


class Kernel:
    """`visits`: of a function from the depth of loops, in their order, and from an item to its regions. `known`: the schedule
    can tell."""

    def __init__(self, name, text, visits, meet=True, known=True, **more):
        self.name, self.visits, self.meet, self.known = name, visits, meet, known
        self.lanes, self.units = more.get("lanes", 1), more.get("units", 1)
        self.size = more.get("size", "reqd_work_group_size")
        attributes = ""
        if self.lanes > 1:
            attributes += f"__attribute__((num_simd_work_items({self.lanes})))"
        if self.units > 1:
            attributes += f"__attribute__((num_compute_units({self.units})))"
        self.text = f"{more.get('before', '')}{attributes}\nkernel void {name}()\n{{\n{text}}}\n"


def most(step, lanes, modulus):
    """Of the remainders of the items in a step."""
    return max(item % modulus for item in range(step * lanes, (step + 1) * lanes))


def rounds(step):
    return sum(max((item + o) % 3 + 1 for item in range(2 * step, 2 * step + 2)) for o in range(3))


def and_of(step, lanes, t):
    return 1 + max(item & t for item in range(step * lanes, (step + 1) * lanes))


def uneven(step):
    items = range(4 * step, 4 * step + 4)
    return max(item % 5 for item in items), max((item % 7 for item in items if item % 6 <= 3), default=0)


def early(item):
    return 6 if item % 6 <= 3 else 0


def inside(item):
    return min(item % 6 + 1, 4)


def behind(item):
    return item % 5 if item % 6 > 3 else 0


def second(item):
    return item % 7 if item % 6 <= 3 else 0


def clipped(item):
    return [(item + o) % 3 for o in range(item % 4) if o != 1]


BARRIER = "    barrier(CLK_LOCAL_MEM_FENCE);\n"
LOOP = "#pragma ii %d\n#pragma nounroll\n    for (int i = 0; i < %s; i++)\n        x = x * x + i;\n"

MORE = "int more(int x, int n)\n{\n#pragma nounroll\n    for (int i = 0; i < n; i++)\n        x = x * x + i;\n    return x;\n}\n"

KERNELS = [
    # A load from global memory and a store to local memory; a load from there and one to global memory.
    Kernel("mirror", "    local int all[64];\n    int l = get_local_id(0);\n    all[l] = p[get_global_id(0)];\n" + BARRIER +
           "    p[get_global_id(0)] = all[63 - l];\n", lambda depth: lambda item: [Visit(0, 11), Visit(1, 6)]),
    # The same where clang knows no column.
    Kernel("distant", "    local int all[64];\n    int l = get_local_id(0);\n    all[l] = p[get_global_id(0)];\n" + 70000 * " " +
           BARRIER + "    p[get_global_id(0)] = all[63 - l];\n", lambda depth: lambda item: [Visit(0, 11), Visit(1, 6)]),
    # Three of them; what is in the middle takes no time but its cycle.
    Kernel("thrice", "    local int all[64];\n    int l = get_local_id(0);\n    all[l] = p[l];\n" + 2 * BARRIER +
           "    int x = all[63 - l];\n" + BARRIER + "    p[l] = x;\n",
           lambda depth: lambda item: [Visit(0, 11), Visit(1, 1), Visit(2, 2), Visit(3, 4)]),
    # Five accesses to an array of two ports take three cycles.
    Kernel("ports", "    local int all[128];\n    int l = get_local_id(0);\n    all[l] = p[l];\n" + BARRIER +
           "    p[l] = all[l] + all[l + 1] + all[l + 3] + all[l + 5] + all[l + 7];\n",
           lambda depth: lambda item: [Visit(0, 11), Visit(1, 6, 3)]),
    # Of two ways the longer one counts, in cycles as well as in ports.
    Kernel("ways", "    local int all[128];\n    int l = get_local_id(0), x;\n    all[l] = l;\n" + BARRIER +
           "    if (l & 1)\n        x = all[l] + all[l + 1] + all[l + 3];\n    else\n        x = p[l];\n    p[l] = x;\n",
           lambda depth: lambda item: [Visit(0, 1), Visit(1, 14, 2)]),
    # A loop takes II cycles of each iteration from the others, and its depth for each from the item.
    Kernel("loop", "    int x = p[get_global_id(0)];\n" + LOOP % (2, 10) + "    p[get_global_id(0)] = x;\n",
           lambda depth: lambda item: [Visit(0, 14 + 10 * depth[0], 20)], meet=False),
    Kernel("before", "    local int all[64];\n    int l = get_local_id(0), x = p[l];\n" + LOOP % (3, 5) + "    all[l] = x;\n" + BARRIER +
           "    p[l] = all[63 - l];\n", lambda depth: lambda item: [Visit(0, 11 + 5 * depth[0], 15), Visit(1, 6)]),
    Kernel("behind", "    local int all[64];\n    int l = get_local_id(0);\n    all[l] = p[l];\n" + BARRIER + "    int x = all[63 - l];\n" +
           LOOP % (1, 7) + "    p[l] = x;\n", lambda depth: lambda item: [Visit(0, 11), Visit(1, 6 + 7 * depth[0], 7)]),
    # No more than three iterations of all items are under way.
    Kernel("three", "    int l = get_local_id(0), x = p[l];\n#pragma max_concurrency 3\n" + LOOP % (1, 6) + "    p[l] = x;\n",
           lambda depth: lambda item: [Visit(0, 14 + 6 * depth[0], 6 * ((depth[0] + 2) // 3))], meet=False),
    # Four iterations are one, and the last one as well.
    Kernel("rest", "    int x = p[get_global_id(0)];\n#pragma unroll 4\n    for (int i = 0; i < 9; i++)\n        x = x * x + i;\n"
           "    p[get_global_id(0)] = x;\n", lambda depth: lambda item: [Visit(0, 14 + 3 * depth[0], 3)], meet=False),
    # Two loops of a region.
    Kernel("twice", "    int l = get_local_id(0), x = p[l];\n" + LOOP % (1, 6) + LOOP % (2, 4) + "    p[l] = x;\n",
           lambda depth: lambda item: [Visit(0, 14 + 6 * depth[0] + 4 * depth[1], 8)], meet=False),
    # A nest: the outer loop's iterations come one after the other.
    Kernel("nest", "    int l = get_local_id(0), x = p[l];\n#pragma nounroll\n    for (int o = 0; o < 3; o++)\n" + LOOP % (1, 6) +
           "    p[l] = x;\n", lambda depth: lambda item: [Visit(0, 14 + 18 * depth[1], 18)], meet=False),
    # Tiles: a loop around barriers, of which each iteration loads and has a loop. What is behind the second barrier may be
    # a load and a store to local memory, or the store at the end: the longer way counts. And the loop has one group at a time.
    Kernel("tiles", "    local int all[64];\n    int l = get_local_id(0), x = 0;\n#pragma nounroll\n    for (int t = 0; t < 3; t++) {\n"
           "        all[l] = p[t * 64 + l];\n" + BARRIER + "#pragma nounroll\n        for (int k = 0; k < 4; k++)\n"
           "            x += all[(l + k) & 63] * 3;\n" + BARRIER + "    }\n    p[l] = x;\n",
           lambda depth: lambda item: [Visit(0, 11)] + 3 * [Visit(1, 4 * depth[1], 4), Visit(2, 11)]),
    # A function has the barrier.
    Kernel("calls", "    local int all[64];\n    int l = get_local_id(0);\n    all[l] = p[l];\n    wait();\n    p[l] = all[63 - l];\n",
           lambda depth: lambda item: [Visit(0, 11), Visit(1, 6)], before="void wait() { barrier(CLK_LOCAL_MEM_FENCE); }\n"),
    # How often it goes round each item knows; the next one begins when that has left the loop.
    Kernel("odd", "    int l = get_local_id(0), x = p[l];\n" + LOOP % (2, "l % 5") + "    p[l] = x;\n",
           lambda depth: lambda item: [Visit(0, 14 + item % 5 * depth[0], 2 * (item % 5))], meet=False, known=False),
    Kernel("both", "    local int all[64];\n    int l = get_local_id(0), x = p[l];\n" + LOOP % (1, "l % 3") + "    all[l] = x;\n" + BARRIER +
           "    x = all[63 - l];\n" + LOOP % (1, "l % 7") + "    p[l] = x;\n",
           lambda depth: lambda item: [Visit(0, 11 + item % 3 * depth[0], item % 3), Visit(1, 6 + item % 7 * depth[1], item % 7)],
           known=False),
    # Some return before they come to it.
    Kernel("early", "    int l = get_local_id(0), x = p[l];\n    if (l % 6 > 3)\n        return;\n" + LOOP % (2, 6) + "    p[l] = x;\n",
           lambda depth: lambda item: [Visit(0, 14 + early(item) * depth[0], 2 * early(item))], meet=False, known=False),
    # Or in it, in which iteration they know; the loop behind it is for the others.
    Kernel("inside", "    int l = get_local_id(0), x = p[l];\n#pragma nounroll\n    for (int i = 0; i < 4; i++) {\n"
           "        if (i == l % 6)\n            return;\n        x = x * x + i;\n    }\n" + LOOP % (1, "l % 5") + "    p[l] = x;\n",
           lambda depth: lambda item: [Visit(0, 14 + inside(item) * depth[0] + behind(item) * depth[1],
                                             max(inside(item), behind(item)))], meet=False, known=False),
    # Borders are left out; what is skipped does not go round at all.
    Kernel("clipped", "    int l = get_local_id(0), x = p[l];\n#pragma nounroll\n    for (int o = 0; o < l % 4; o++) {\n"
           "        if (o == 1)\n            continue;\n" + LOOP % (3, "(l + o) % 3") + "    }\n    p[l] = x;\n",
           lambda depth: lambda item: [Visit(0, 14 + sum(clipped(item)) * depth[1], 3 * sum(clipped(item)))], meet=False, known=False),
    # A function has the loop, and ends in the middle of it.
    Kernel("finds", "    int l = get_local_id(0);\n    p[l + 2048] = find(p[l] + l % 8);\n",
           lambda depth: lambda item: [Visit(0, 14 + min(item % 8 + 1, 6) * depth[0], min(item % 8 + 1, 6))], meet=False, known=False,
           before="int find(int l)\n{\n#pragma nounroll\n    for (int i = 0; i < 6; i++)\n        if (i == l)\n            return i;\n"
           "    return 9;\n}\n"),
    # Another copy of its loop goes round once and is none: what it would take is not the other's.
    Kernel("copied", "    int l = get_local_id(0), x = more(p[l], 1);\n#pragma nounroll\n    for (int o = 0; o < l % 4; o++)\n"
           "        x = more(x, 2);\n    p[l] = x;\n", lambda depth: lambda item: [Visit(0, 17 + 2 * (item % 4) * depth[1], 2 * (item % 4))],
           meet=False, known=False, before="int more(int x, int n)\n{\n    for (int i = 0; i < n; i++)\n        x = x * x + i;\n"
           "    return x;\n}\n"),
    # One that goes round once is none, whether the other comes behind it or in front, or is come to at all.
    Kernel("once", "    int l = get_local_id(0), x = more(p[l], 1);\n    p[l] = more(x, l % 3);\n",
           lambda depth: lambda item: [Visit(0, 17 + item % 3 * depth[0], item % 3)], meet=False, known=False, before=MORE),
    Kernel("afterwards", "    int l = get_local_id(0), x = more(p[l], l % 3);\n    p[l] = more(x, 1);\n",
           lambda depth: lambda item: [Visit(0, 17 + item % 3 * depth[0], item % 3)], meet=False, known=False, before=MORE),
    Kernel("sometimes", "    int l = get_local_id(0), x = p[l];\n    if (l & 1)\n        x = more(x, 1);\n    p[l] = more(x, l % 3);\n",
           lambda depth: lambda item: [Visit(0, 17 + item % 3 * depth[0], item % 3)], meet=False, known=False, before=MORE),
    # Copies of a loop by unrolling: one that goes round once is none, and items pass by some of them.
    Kernel("unrolled", "    int l = get_local_id(0), x = p[l];\n#pragma unroll\n    for (int k = 0; k < 3; k++)\n#pragma nounroll\n"
           "        for (int i = 0; i < 1 + k * (l % 3); i++)\n            x = x * x + i;\n    p[l] = x;\n",
           lambda depth: lambda item: [Visit(0, 17 + (1 + item % 3) * depth[0] + (1 + 2 * (item % 3)) * depth[1], 1 + 2 * (item % 3))],
           meet=False, known=False),
    Kernel("passed", "    int l = get_local_id(0), x = p[l];\n#pragma unroll\n    for (int k = 0; k < 3; k++)\n"
           "        if (l & 1 << k)\n#pragma nounroll\n            for (int i = 0; i < 3 + 2 * k; i++)\n                x = x * x + i;\n    p[l] = x;\n",
           lambda depth: lambda item: [Visit(0, 14 + sum((3 + 2 * k) * depth[k] for k in range(3) if item & 1 << k),
                                             max(3 + 2 * k if item & 1 << k else 0 for k in range(3)))], meet=False, known=False),
    # A function's loop twice, one behind the other, of which some come to the first only; and one that it leaves half-way.
    Kernel("again", "    int l = get_local_id(0), x = more(p[l], l % 5);\n    if (l % 6 > 3)\n        return;\n    p[l] = more(x, l % 7);\n",
           lambda depth: lambda item: [Visit(0, 14 + item % 5 * depth[0] + second(item) * depth[1], max(item % 5, second(item)))],
           meet=False, known=False, before=MORE),
    Kernel("searches", "    int l = get_local_id(0), x = find(p[l], l % 8);\n    p[l] = find(x, l % 5);\n",
           lambda depth: lambda item: [Visit(0, 14 + min(item % 8 + 1, 6) * depth[0] + (item % 5 + 1) * depth[1],
                                             max(min(item % 8 + 1, 6), item % 5 + 1))], meet=False, known=False,
           before="int find(int x, int l)\n{\n#pragma nounroll\n    for (int i = 0; i < 6; i++) {\n        if (i == l)\n"
           "            return x;\n        x = x * x + i;\n    }\n    return 9;\n}\n"),
    # Some pass by the first, or come to one of two.
    Kernel("passes", "    int l = get_local_id(0), x = p[l];\n    if (l & 1)\n        x = more(x, l % 5);\n    p[l] = more(x, l % 7);\n",
           lambda depth: lambda item: [Visit(0, 14 + (item % 5 * (item & 1) + item % 7) * depth[0], max(item % 5 * (item & 1), item % 7))],
           meet=False, known=False, before=MORE),
    Kernel("either", "    int l = get_local_id(0), x = p[l];\n    if (l & 1)\n        x = more(x, l % 5);\n    else\n"
           "        x = more(x, l % 7);\n    p[l] = x;\n",
           lambda depth: lambda item: [Visit(0, 14 + item % (5 if item & 1 else 7) * depth[0], item % (5 if item & 1 else 7))],
           meet=False, known=False, before=MORE),
    Kernel("own", "    int x = p[get_global_id(0)];\n" + LOOP % (2, "get_local_id(0) % 5") + "    p[get_global_id(0)] = x;\n",
           lambda depth: lambda item: [Visit(0, 14 + item % 5 * depth[0], 2 * (item % 5))], meet=False, known=False, units=3),
    # How many there are at most is all that is known.
    Kernel("most", "    local int all[64];\n    int l = get_local_id(0);\n    all[l] = p[get_global_id(0)];\n" + BARRIER +
           "    p[get_global_id(0)] = all[63 - l];\n", lambda depth: lambda item: [Visit(0, 11), Visit(1, 6)], size="max_work_group_size"),
    # Side by side: a step is that of four, or two, and goes round as often as the one of them that goes round most.
    Kernel("four", "    local int all[512];\n    int l = get_local_id(0);\n    all[l] = p[l];\n" + BARRIER + "    int x = all[511 - l];\n" +
           LOOP % (2, 7) + "    p[l] = x;\n", lambda depth: lambda step: [Visit(0, 11), Visit(1, 6 + 7 * depth[0], 14)], lanes=4),
    Kernel("two", "    int l = get_local_id(0), x = p[l];\n" + LOOP % (1, "l % 5") + "    p[l] = x;\n",
           lambda depth: lambda step: [Visit(0, 14 + most(step, 2, 5) * depth[0], most(step, 2, 5))], meet=False, known=False, lanes=2),
    Kernel("step", "    local int all[512];\n    int l = get_local_id(0), x = p[l];\n" + LOOP % (1, "l % 3") + "    all[l] = x;\n" + BARRIER +
           "    x = all[511 - l];\n" + LOOP % (1, "l % 7") + "    p[l] = x;\n",
           lambda depth: lambda step: [Visit(0, 11 + most(step, 8, 3) * depth[0], most(step, 8, 3)),
                                       Visit(1, 6 + most(step, 8, 7) * depth[1], most(step, 8, 7))], known=False, lanes=8),
    # Where it goes round twice each round counts by itself: one item has many rounds first, another one later.
    Kernel("rounds", "    int l = get_local_id(0), x = p[l];\n#pragma nounroll\n    for (int o = 0; o < 3; o++)\n" +
           LOOP % (1, "(l + o) % 3 + 1") + "    p[l] = x;\n",
           lambda depth: lambda step: [Visit(0, 14 + depth[1] * rounds(step), rounds(step))], meet=False, known=False, lanes=2),
    Kernel("tiled", "    local int all[512];\n    int l = get_local_id(0), x = 0;\n#pragma nounroll\n    for (int t = 0; t < 3; t++) {\n"
           "        all[l] = p[t * 64 + l];\n" + BARRIER + "#pragma nounroll\n        for (int k = 0; k < 1 + (l & t); k++)\n"
           "            x += all[(l + k) & 63] * 3;\n" + BARRIER + "    }\n    p[l] = x;\n",
           lambda depth: lambda step: [Visit(0, 11)] +
           [visit for t in range(3) for visit in (Visit(1, depth[1] * and_of(step, 4, t), and_of(step, 4, t)), Visit(2, 11))],
           known=False, lanes=4),
    # Two loops, of which some pass by the second: the most rounds in each are of different items.
    Kernel("uneven", "    int l = get_local_id(0), x = p[l];\n" + LOOP % (1, "l % 5") + "    if (l % 6 > 3)\n        return;\n" +
           LOOP % (2, "l % 7") + "    p[l] = x;\n",
           lambda depth: lambda step: [Visit(0, 14 + uneven(step)[0] * depth[0] + uneven(step)[1] * depth[1],
                                             max(uneven(step)[0], 2 * uneven(step)[1]))], meet=False, known=False, lanes=4),
    # Copies of the circuit take groups in turn, as soon as they have room.
    Kernel("copies", "    local int all[64];\n    int l = get_local_id(0);\n    all[l] = p[get_global_id(0)];\n" + BARRIER +
           "    p[get_global_id(0)] = all[63 - l];\n", lambda depth: lambda item: [Visit(0, 11), Visit(1, 6)], units=3),
    Kernel("spread", "    int x = p[get_global_id(0)];\n" + LOOP % (2, 10) + "    p[get_global_id(0)] = x;\n",
           lambda depth: lambda item: [Visit(0, 14 + 10 * depth[0], 20)], meet=False, units=2),
    Kernel("pairs", "    int x = p[get_global_id(0)];\n" + LOOP % (2, "get_local_id(0) % 5") + "    p[get_global_id(0)] = x;\n",
           lambda depth: lambda step: [Visit(0, 14 + most(step, 2, 5) * depth[0], 2 * most(step, 2, 5))], meet=False, known=False,
           units=4, lanes=2),
]


# Entries and iterations of loops for each work-item; one that they meet in is not told of.
COUNTS = {
    "nest": lambda item: [[1, 3], [3, 18]],
    "tiles": lambda item: [[0, 0], [3, 12]],
    "loop": lambda item: [[1, 10]],
    "odd": lambda item: [[1, item % 5]],
    "early": lambda item: [[1, 6] if early(item) else [0, 0]],
    "inside": lambda item: [[1, inside(item)], [1 if item % 6 > 3 else 0, behind(item)]],
    "clipped": lambda item: [[1, item % 4], [len(clipped(item)), sum(clipped(item))]],
    "copied": lambda item: [[1, item % 4], [item % 4, 2 * (item % 4)]],
    "again": lambda item: [[1, item % 5], [1 if item % 6 <= 3 else 0, second(item)]],
    "unrolled": lambda item: [[1, 1 + item % 3], [1, 1 + 2 * (item % 3)]],
    "passed": lambda item: [[1, 3 + 2 * k] if item & 1 << k else [0, 0] for k in range(3)],
    "searches": lambda item: [[1, min(item % 8 + 1, 6)], [1, item % 5 + 1]],
    "own": lambda item: [[1, item % 5]],
    "two": lambda step: [[1, most(step, 2, 5)]],
    "rounds": lambda step: [[1, 3], [3, rounds(step)]],
    "uneven": lambda step: [[1, uneven(step)[0]], [1, uneven(step)[1]]],
}
# Each work-item leaves what it has done, and they may run as vectors; of the others each tells where it is.
LEAVE = {"odd", "early", "inside", "clipped", "finds", "once", "afterwards", "sometimes", "again", "searches", "own", "two", "uneven", "pairs",
         "copied", "passes", "either"}
TELL = {"both", "step", "rounds", "tiled", "unrolled", "passed"}


def counts_of(kernel, size, groups, lanes):
    """Of all items, or steps of them, together; None: they are not written down."""
    if kernel not in COUNTS:
        return None
    items = [COUNTS[kernel](item) for item in range(size // lanes)]
    return [[groups * sum(item[loop][what] for item in items) for what in range(2)] for loop in range(len(items[0]))]


def row_of(profile, kernel):
    rows = [row for row in profile["clock"]["kernels"] if profile["kernels"][row["kernel"]]["name"] == kernel]
    expect(len(rows) == 1, f"{len(rows)} rows of {kernel}")
    return rows[0] if rows else {"end": 0}


def schedule_of(tools, source, kernel):
    made = subprocess.run([tools.sluicec, "--device=fpga", "-cl-std=CL3.0", "--schedule", "-", source], env=tools.environment,
                          capture_output=True, text=True, check=False)
    expect(made.returncode == 0, made.stderr)
    return [row for row in json.loads(made.stdout)["kernels"] if row["name"] == kernel][0]


def check_left(tools, kernel, source):
    made = subprocess.run([tools.sluicec, "--device=fpga", "-cl-std=CL3.0", "-sluice-timing", "--emit=ll", "-o", "-", source],
                          env=tools.environment, capture_output=True, text=True, check=False)
    expect(made.returncode == 0, made.stderr)
    if kernel.name in LEAVE | TELL:
        expect(("%times" in made.stdout) == (kernel.name in LEAVE), f"{kernel.name}: how it is known what work-items do")


def check_said(kernel, what, said, size, copies, visits):
    """What the schedule says of a group, and of how many more cycles many of them take each."""
    if not kernel.known:
        expect("not known" in said["why"] and "group" not in said, f"{what}: {said['why']}")
        return
    steps = size // kernel.lanes
    sum_of = said["base"] + said["each"] * steps
    expect(sum_of == simulate(1, steps, copies, visits, 1, kernel.meet), f"{what}: {said['base']} + {said['each']} n")
    if not kernel.meet:
        return
    group = said["group"]
    expect(group["cycles"] == sum_of and group["items"] == size, f"{what}: {group}")
    many = 20 * group["groups"]
    more = simulate(2 * many, steps, copies, visits) - simulate(many, steps, copies, visits)
    expect(more * group["groups"] == many * group["period"], f"{what}: {group}, {more} cycles for {many} groups")


def check(tools, kernel, size, groups, copies):
    what = f"{kernel.name}, {groups} groups of {size}, {copies} copies"
    attributes = f"__attribute__(({kernel.size}({size}, 1, 1)))"
    source = tools.write(f"{kernel.name}.cl", GLOBALS + kernel.text.replace("\nkernel", f"\n{attributes} kernel"))
    schedule = schedule_of(tools, source, kernel.name)
    check_left(tools, kernel, source)
    visits = kernel.visits([loop.get("depth", 0) for loop in schedule["loops"]])
    check_said(kernel, what, schedule["items"], size, copies, visits)
    expected = simulate(groups, size // kernel.lanes, copies, visits, kernel.units, kernel.meet)
    for settings in ({}, {"SLUICE_FPGA_TRACE": "1"}):
        profile = tools.run(source, [f"{kernel.name}:{size * groups}:{size}"], **settings)
        got = row_of(profile, kernel.name)["end"]
        counts = counts_of(kernel.name, size, groups, kernel.lanes)
        expect(not counts or counts == row_of(profile, kernel.name)["loops"], f"{what}: {row_of(profile, kernel.name)['loops']}, not {counts}")
        expect(got == expected and profile["clock"]["exact"], f"{what}: {got} cycles, {expected} are right")


def check_bounds(tools, copies):
    """Groups between kernels with pipes: as many more cycles for more groups as the schedule has said, or more where groups
    on their way are the limit."""
    for size, depth, trips in ((4, 64, 3), (7, 2, 2), (16, 5, 4), (8, 64, 1)):
        cycles = []
        for groups in (30, 50):
            loop = f"for (int i = 0; i < {size * groups}; i++)"
            text = (f"channel int in __attribute__((depth({depth}))), out __attribute__((depth({depth})));\n"
                    f"kernel void give() {{ {loop} write_channel_intel(in, i); }}\n"
                    f"__attribute__((reqd_work_group_size({size}, 1, 1)))\nkernel void meet()\n{{\n    local int all[16];\n"
                    f"    all[get_local_id(0)] = read_channel_intel(in);\n{BARRIER}    int x = all[{size - 1} - get_local_id(0)];\n"
                    f"{LOOP % (1, trips)}    write_channel_intel(out, x);\n}}\n"
                    f"kernel void take() {{ {loop} read_channel_intel(out); }}\n")
            source = tools.write("bounds.cl", HEAD + text)
            made = subprocess.run([tools.sluicec, "--device=fpga", "--schedule", "-", source], env=tools.environment,
                                  capture_output=True, text=True, check=True)
            schedule = json.loads(made.stdout)
            profile = tools.run(source, ["give", f"meet:{size * groups}:{size}", "take"])
            cycles.append(row_of(profile, "meet")["end"])
        bound = schedule["bounds"][0] if schedule["bounds"] else {"cycles": 0, "kernels": []}
        rounds = [row["rounds"] for row in bound["kernels"] if row["kernel"] == "meet"] or [1]
        group = schedule["kernels"][1]["items"]["group"]
        least = 20 * bound["cycles"] / rounds[0]
        what = f"bounds, groups of {size}, depth {depth}, {copies} copies: {cycles}, {bound}, {group}"
        expect(bound["cycles"], what)
        expect(cycles[1] - cycles[0] == least if group["groups"] == 1 else cycles[1] - cycles[0] >= least, what)


def check_rest(tools, copies):
    """The last group may have fewer work-items."""
    for kernel in KERNELS:
        if kernel.name in ("most", "odd", "early", "own"):
            source = tools.write("rest.cl", GLOBALS + kernel.text)
            visits = kernel.visits([loop.get("depth", 0) for loop in schedule_of(tools, source, kernel.name)["loops"]])
            expected = simulate(4, [16, 16, 16, 5], copies, visits, kernel.units, kernel.meet)
            got = row_of(tools.run(source, [f"{kernel.name}:53:16"]), kernel.name)["end"]
            expect(got == expected, f"rest of {kernel.name}: {got} cycles, {expected} are right")


WORDS = {
    "mirror": "'mirror': a group of 48 work-items takes 111 cycles, and with many 2 end every 111: "
              "2 groups are on their way at once (local.copies)",
    "ports": "work-items behind the barrier at line 8 are 3 cycles apart (ports of memory)",
    "behind": "work-items behind the barrier at line 8 are 7 cycles apart (the loop at line 12)",
    "tiles": "takes 856 cycles, and with many one ends every 724: work-items behind the barrier at line 10 are 4 cycles apart "
             "(the loop at line 12)",
    "both": "'both': what a group takes is not known: nobody knows before it runs how often the loop goes round at line 9",
    "four": "a group of 48 work-items, 4 side by side, takes ",
    "copies": ", and with many in each of 3 compute units 2 end every 111: ",
}


def check_words(tools):
    """What limits a kernel with barriers, on the page before anything runs, and beside the cycles of a run."""
    for kernel in KERNELS:
        if kernel.name not in WORDS:
            continue
        source = tools.write("words.cl", GLOBALS + kernel.text.replace("\nkernel", "\n__attribute__((reqd_work_group_size(48, 1, 1))) kernel"))
        module, page = f"{tools.folder}/words.slb", f"{tools.folder}/words.html"
        for command in ([tools.sluicec, "--device=fpga", *tools.options.split(), source, "-o", module],
                        [tools.report, module, "-o", page]):
            made = subprocess.run(command, env=tools.environment, capture_output=True, text=True, check=False)
            expect(made.returncode == 0, f"{command}: {made.stdout} {made.stderr}")
        tools.run(source, [f"{kernel.name}:96:48"])
        told = told_of(tools)
        with open(page, encoding="utf-8") as file:
            text = html.unescape(file.read())
        expect(WORDS[kernel.name] in text, f"{kernel.name}: not on the page")
        expect(WORDS[kernel.name] in told, f"{kernel.name}: {told}")


def check_straight(tools):
    """Kernels without loops and barriers, in a program without pipes: work-items are iterations, also of copies of the
    circuit, of which the one counts that has most groups."""
    for lanes, units, size, groups in ((1, 1, 7, 5), (1, 3, 7, 5), (4, 1, 12, 3), (4, 2, 12, 5), (1, 8, 5, 3), (2, 3, 2, 9)):
        wishes = f"__attribute__((num_simd_work_items({lanes}), num_compute_units({units}), reqd_work_group_size({size}, 1, 1)))"
        source = tools.write("square.cl", GLOBALS + wishes + "\nkernel void square() { size_t i = get_global_id(0); p[i] *= i; }\n")
        loop = schedule_of(tools, source, "square")["loops"][0]
        steps = (groups + units - 1) // units * size // lanes
        expected = (steps - 1) * loop["ii"] + loop["depth"]
        row = row_of(tools.run(source, [f"square:{size * groups}:{size}"]), "square")
        expect((row["end"], row["loops"]) == (expected, [[1, groups * size // lanes]]),
               f"straight, {lanes} lanes, {units} units, {groups} groups of {size}: {row}, {expected} cycles are right")


def check_behind(tools):
    """Launches of a queue: what is behind such a kernel begins when it ends."""
    source = tools.write("behind.cl", HEAD + "channel int c __attribute__((depth(4)));\n" + GLOBALS + KERNELS[0].text +
                         "kernel void give() { for (int i = 0; i < 10; i++) write_channel_intel(c, i); }\n"
                         "kernel void take() { for (int i = 0; i < 10; i++) read_channel_intel(c); }\n")
    end = simulate(3, 9, 2, KERNELS[0].visits([]))
    for settings in ({}, {"SLUICE_FPGA_TRACE": "1"}):
        profile = tools.run(source, ["mirror:27:9", "+give", "take"], **settings)
        got = (row_of(profile, "mirror")["end"], row_of(profile, "give")["begin"])
        expect(got == (end, end), f"behind: {got}, {end}")
    said = subprocess.run([tools.report, "--depths", f"{tools.folder}/run.json"], capture_output=True, text=True, check=False)
    expect(said.returncode == 0, f"behind: {said.stdout} {said.stderr}")


def told_of(tools):
    return subprocess.run([tools.report, "--cycles", f"{tools.folder}/run.json"], capture_output=True, text=True, check=False).stdout


def check_unclocked(tools):
    """A kernel whose sub-groups go in step has no clock, which is said; that it ran is counted all the same."""
    source = tools.write("alone.cl", GLOBALS + "kernel void alone() {\n    int x = p[get_global_id(0)];\n"
                         "    for (int i = 0; i < 5; i++)\n        x += sub_group_reduce_add(x + i);\n    p[get_global_id(0)] = x;\n}\n"
                         + KERNELS[0].text)
    for launches in (1, 3):
        profile = tools.run(source, launches * ["alone"] + ["mirror:27:9"])
        counts = {row["name"]: (row["launches"], row["ended"]) for row in profile["kernels"]}
        told = told_of(tools)
        expect(counts == {"alone": (launches, launches), "mirror": (1, 1)}, f"launches: {counts}")
        expect(f"'alone' has run {launches} time{'s' if launches > 1 else ''} without a clock" in told and "'mirror' has run" not in told, told)


def check_too_much(tools):
    """Cycles that no counter holds are not known; 80 000 regions one behind the other are."""
    source = tools.write("much.cl", GLOBALS + KERNELS[0].text.replace("\nkernel", "\n__attribute__((reqd_work_group_size(64, 1, 1))) kernel") +
                         "__attribute__((reqd_work_group_size(64, 1, 1))) kernel void much() {\n    int l = get_local_id(0), x = p[l];\n" +
                         LOOP % (2000000000, 2000000000) + BARRIER + "    p[l] = x;\n}\n"
                         "__attribute__((reqd_work_group_size(64, 1, 1))) kernel void often() {\n    int l = get_local_id(0);\n"
                         "#pragma nounroll\n    for (int i = 0; i < 40000; i++) {\n" + 2 * BARRIER + "    }\n    p[l] = l;\n}\n")
    items = {name: schedule_of(tools, source, name)["items"] for name in ("much", "often")}
    expect("not known" in items["much"]["why"] and "group" not in items["much"], f"{items['much']}")
    expect(items["often"]["group"]["cycles"] >= 80000, f"{items['often']['why']}")


def check_turns(tools):
    """What a loop is said to take in which work-items take turns: of few of them what one takes, of many an iteration a cycle."""
    source = tools.write("turns.cl", GLOBALS + "kernel void turns() {\n    int l = get_global_id(0), x = p[l];\n" + LOOP % (1, 20) +
                         "    p[l] = x;\n}\n")
    loop = schedule_of(tools, source, "turns")["loops"][0]
    for items in (1, 4, 500):
        tools.run(source, [f"turns:{items}:1"])
        expected = max(20 * loop["depth"], 20 * items * loop["ii"] + loop["depth"] - loop["ii"])
        expect(f"{expected} of them in the loop at " in told_of(tools), f"{items} items, {expected}: {told_of(tools)}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(*sys.argv[1:4], folder)
        tools.options += " -cl-std=CL3.0"
        for copies in (1, 2, 3):
            tools.environment["SLUICE_FPGA_OPERATORS"] = tools.write("items.operators", OPERATORS + f"local.copies {copies}\n")
            for kernel in [k for k in KERNELS if k.meet or copies == 1]:
                for steps, groups in {1: ((7, 4),), 2: ((1, 5), (7, 4), (48, 3)), 3: ((13, 7),)}[copies]:
                    check(tools, kernel, steps * kernel.lanes, groups, copies)
            check_bounds(tools, copies)
            check_rest(tools, copies)
            if copies == 2:
                check_behind(tools)
                check_straight(tools)
                check_words(tools)
                check_unclocked(tools)
                check_turns(tools)
                check_too_much(tools)
    sys.exit(1 if FAILURES else 0)


if __name__ == "__main__":
    main()
