#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_tasks.py RUN_DESIGN SLUICEC SLUICE-REPORT [COUNT [SEED]]: kernels of one work-item without pipes. Random ones, of loops in
one another and one behind the other that go round as often as their data says, are run here as well, and the cycles of each
loop added up: (n - 1) II and its depth for n rounds that are any."""
import json
import random
import subprocess
import sys
import tempfile

from design_runs import FAILURES, HEAD, Tools, expect

OPERATORS = "integer.add 0\ninteger.multiply 3\nglobal.load 10\nglobal.store 4\nlocal.load 2\nlocal.store 1\ncall 1\n"
GLOBALS = "global uint p[4096];\n"
TASKS = ["", "__attribute__((max_global_work_dim(0)))", "__attribute__((task))", "__attribute__((reqd_work_group_size(1, 1, 1)))"]
WORD = 0xFFFFFFFF
FACTOR, TERM = 1664525, 1013904223


class Loop:
    """`most`: it goes round less often; `ways`: of its rounds those with this bit of x do what is inside; 0: all."""

    def __init__(self, rng, depth):
        self.kind = rng.choice(["for", "while", "do", "break", "ever", "left", "goto", "again", "own"])
        self.most = rng.choice([3, 4, 7, 23]) if depth else rng.choice([3, 5, 9])
        self.shift, self.interval = rng.randrange(3, 20), rng.choice([1, 1, 2, 5])
        self.inside = [] if depth == 2 or rng.random() < 0.4 else [Loop(rng, depth + 1) for _ in range(rng.randrange(1, 3))]
        self.ways = 1 << rng.randrange(8, 16) if self.inside and rng.random() < 0.4 else 0
        self.said = rng.random() < 0.5
        if self.kind in ("goto", "again"):
            self.interval, self.said = 1, False  # no pragma is a jump's
        self.line = 0

    def write(self, lines, depth):
        """C, and the line of the loop."""
        pad, name = 4 * (depth + 1) * " ", f"n{len(lines)}"
        lines.append(f"{pad}uint {name} = (x >> {self.shift}) % {self.most};")
        if not self.inside and self.interval > 1:
            lines.append(f"#pragma ii {self.interval}")
        if self.said:
            lines.append("#pragma nounroll")
        self.line = len(lines) + 1
        head = {"for": f"for (uint i = 0; i < {name}; i++) {{", "while": f"while ({name} > 0) {{ {name}--;",
                "do": "do {", "break": f"for (;;) {{ if ({name} == 0) break; {name}--;",
                "ever": f"for (; 1;) {{ if ({name} == 0) break; {name}--;", "left": f"do {{ if ({name} == 0) break; {name}--;",
                "own": f"for (;;) {{ uint own{name} = {name}--; if (own{name} == 0) break;",
                "goto": f"again{name}: if ({name} == 0) goto behind{name}; {name}--;", "again": f"again{name}: {name}--;"}
        lines.append(pad + head[self.kind])
        lines.append(f"{pad}    x = x * {FACTOR}u + {TERM}u;")
        if self.ways:
            lines.append(f"{pad}    if (x & {self.ways}) {{")
        for loop in self.inside:
            loop.write(lines, depth + 1)
        if self.ways:
            lines.append(f"{pad}    }}")
        tail = {"do": f"}} while ({name}-- > 0);", "left": "} while (x & 64);", "goto": f"goto again{name}; behind{name}:;",
                "again": f"if ({name} + 1 != 0) goto again{name};"}
        lines.append(pad + tail.get(self.kind, "}"))

    def run(self, x, schedule):
        """x behind it, its cycles."""
        most, rounds, cycles = (x >> self.shift) % self.most + (self.kind in ("do", "again")), 0, 0
        while rounds < most and (self.kind != "left" or not rounds or x & 64):
            rounds += 1
            x = x * FACTOR + TERM & WORD
            for loop in self.inside if not self.ways or x & self.ways else []:
                x, more = loop.run(x, schedule)
                cycles += more
        if self.inside:
            return x, cycles
        row = schedule[self.line]
        expect(row["pipelined"] and row["ii"] >= self.interval, f"{row}")
        return x, (rounds - 1) * row["ii"] + row["depth"] if rounds else 0


def row_of(profile, kernel):
    rows = [row for row in profile["clock"]["kernels"] if profile["kernels"][row["kernel"]]["name"] == kernel]
    expect(len(rows) == 1, f"{len(rows)} rows of {kernel}")
    return rows[0] if rows else {"begin": -1, "end": -1, "runs": 0}


def loops_of(tools, source, kernel):
    made = subprocess.run([tools.sluicec, "--device=fpga", "-cl-std=CL3.0", "--schedule", "-", source], env=tools.environment,
                          capture_output=True, text=True, check=False)
    expect(made.returncode == 0, made.stderr)
    return [row["loops"] for row in json.loads(made.stdout)["kernels"] if row["name"] == kernel][0]


def told_of(tools):
    return subprocess.run([tools.report, "--cycles", f"{tools.folder}/run.json"], capture_output=True, text=True, check=False).stdout


def check_random(tools, rng, number):
    """A task, launched several times: x goes on where the launch before has left it."""
    loops = [Loop(rng, 0) for _ in range(rng.randrange(1, 4))]
    lines = [GLOBALS.strip(), "global uint state = %d;" % rng.randrange(1 << 32), f"{rng.choice(TASKS)} kernel void task()", "{",
             "    uint x = state;"]
    for loop in loops:
        loop.write(lines, 0)
    lines += ["    state = x;", "}"]
    x = int(lines[1].split()[-1][:-1])
    source = tools.write("task.cl", "\n".join(lines) + "\n")
    schedule = {row["line"]: row for row in loops_of(tools, source, "task")}
    launches, cycles = rng.randrange(1, 4), 0
    for _ in range(launches):
        for loop in loops:
            x, more = loop.run(x, schedule)
            cycles += more
    for settings in ({}, {"SLUICE_FPGA_TRACE": "1"}):
        profile = tools.run(source, ["task"] + (launches - 1) * ["+task"], **settings)
        got = row_of(profile, "task")
        expect((got["end"], got["runs"]) == (cycles, launches) and profile["clock"]["exact"],
               f"task {number}: {got}, {cycles} cycles are right:\n" + "\n".join(lines))


# Text, bytes of global memory in a cycle, cycles from the depths of its loops. Operators as above.
BY_HAND = [
    # Nothing goes round; no loops; no rounds.
    ("kernel void k() { p[3] = 4; }", 0, lambda depth: 0),
    ("kernel void k() { for (uint i = 0; i < p[7]; i++) p[i] *= 3; }", 0, lambda depth: 0),
    ("kernel void k() { for (int i = 0; i < 101; i++) p[i] = p[i] * 3; }", 0, lambda depth: 100 + depth[0]),
    # Four bytes are read and four written in each of 37 rounds, of 3 in a cycle: II 3.
    ("kernel void k() {\n#pragma nounroll\n    for (int i = 0; i < 37; i++) p[i] *= 3; }", 3, lambda depth: 36 * 3 + depth[0]),
    ("kernel void k() {\n#pragma nounroll\n    for (int i = 0; i < 37; i++) p[i] *= 3; }", 8, lambda depth: 36 + depth[0]),
    # A triangle: rows of 0, 1, ... 10.
    ("kernel void k() {\n#pragma nounroll\n    for (int o = 0; o < 11; o++)\n#pragma nounroll\n        for (int i = 0; i < o; i++) p[i] *= 3; }",
     0, lambda depth: 45 + 10 * depth[1]),
    # The end of the inner loop is that of the outer one's round: 1000, 62 and 3 go into a histogram, II 3.
    ("kernel void k() {\n    local uint bins[64];\n    uint i = 0, n = p[5] + 7;\n    while (i < n) {\n        uint x = p[100 + i++] + 1000;\n"
     "        while (x) {\n            bins[x & 63]++;\n            x >>= 4;\n        }\n    }\n    p[4000] = bins[3]; }",
     0, lambda depth: 7 * (2 * 3 + depth[1])),
    # One loop of two: 55 rounds.
    ("kernel void k() {\n#pragma loop_coalesce 2\n#pragma ivdep\n    for (int o = 0; o < 5; o++)\n#pragma ivdep\n"
     "        for (int i = 0; i < 11; i++) p[o * 64 + i] = o + i; }", 0, lambda depth: 54 + depth[0]),
    # Copies by unrolling: of 1, 3 and 5 rounds, and one round is no loop; some of others are passed by, and one of those takes longer.
    ("kernel void k() {\n    uint x = p[3], n = p[1] + 2;\n#pragma unroll\n    for (uint k = 0; k < 3; k++)\n#pragma nounroll\n"
     "        for (uint i = 0; i < 1 + k * n; i++) x = x * x + i;\n    p[0] = x; }", 0, lambda depth: 2 * 3 + depth[0] + 4 * 3 + depth[1]),
    ("kernel void k() {\n    uint x = p[3], n = p[1] + 4;\n#pragma nounroll\n    for (uint o = 0; o < n; o++)\n#pragma unroll\n"
     "        for (uint k = 0; k < 3; k++) {\n            if (o == k) break;\n#pragma nounroll\n"
     "            for (uint i = 0; i < 2 + k; i++) x = k == 1 ? x * x * x + i : x * x + i;\n        }\n    p[0] = x; }", 0,
     lambda depth: 3 * (3 + depth[1]) + 2 * (12 + depth[2]) + 9 + depth[3]),
    # Two iterations are one, and the last one is by itself: the loop inside is there twice.
    ("kernel void k() {\n    uint x = p[3], n = p[1] + 5;\n#pragma unroll 2\n    for (uint k = 0; k < n; k++)\n#pragma nounroll\n"
     "        for (uint i = 0; i < 3; i++) x = x * x + i;\n    p[0] = x; }", 0, lambda depth: 3 * (6 + depth[1]) + 2 * (6 + depth[2])),
    # Three rounds run for nothing.
    ("kernel void k() {\n#pragma speculated_iterations 3\n#pragma nounroll\n    for (int i = 0; i < 20; i++) p[i] = i; }", 0,
     lambda depth: 19 + depth[0] + 3),
    # Eight iterations are one, or three, whether their number is known or not; the last one may be of fewer.
    ("kernel void k() {\n#pragma unroll 8\n    for (int i = 0; i < 101; i++) p[i] = p[i] * 3; }", 0, lambda depth: 12 + depth[0]),
    ("kernel void k() {\n    int n = p[99] + 101;\n#pragma unroll 8\n    for (int i = 0; i < n; i++) p[i] = p[i] * 3; }", 0,
     lambda depth: 12 + depth[0]),
    ("kernel void k() {\n    int n = p[99] + 5;\n#pragma nounroll\n    for (int o = 0; o < n; o++)\n#pragma ivdep\n#pragma unroll 3\n"
     "        for (int i = 0; i < o; i++) p[i] = p[i] * 3; }", 0, lambda depth: 1 + 4 * depth[1]),
    ("kernel void k() {\n    int n = p[99];\n#pragma unroll 8\n    for (int i = 0; i < n; i++) p[i] = p[i] * 3; }", 0, lambda depth: 0),
    # One that is all unrolled is none.
    ("kernel void k() {\n#pragma nounroll\n    for (int o = 0; o < 30; o++)\n#pragma unroll\n        for (int i = 0; i < 4; i++)\n"
     "            p[o * 4 + i] = o; }", 0, lambda depth: 29 + depth[0]),
    # A function has the loop, and is called three times.
    ("void f(uint from) {\n#pragma nounroll\n    for (uint i = 0; i < 9; i++) p[from + i] = i; }\n"
     "kernel void k() { f(0); f(p[70] + 30); f(p[70] + 50); }", 0, lambda depth: 3 * 8 + sum(depth)),
    # Out of both loops in the third round of the fourth row; by a jump, and by the kernel's end.
    ("kernel void k() {\n    int n = p[99] + 7, m = p[98] + 5, e = p[97] + 17;\n    for (int o = 0; o < n; o++)\n        for (int i = 0; i < m; i++) {\n"
     "            if (o * 5 + i == e) goto out;\n            p[200 + o * 5 + i] = o; }\nout:\n    p[4001] = 1; }", 0,
     lambda depth: 3 * 4 + 2 + 4 * depth[1]),
    ("kernel void k() {\n    int n = p[99] + 7, m = p[98] + 5, e = p[97] + 17;\n    for (int o = 0; o < n; o++)\n        for (int i = 0; i < m; i++) {\n"
     "            if (o * 5 + i == e) return;\n            p[200 + o * 5 + i] = o; } }", 0, lambda depth: 3 * 4 + 2 + 4 * depth[1]),
    # Three times one loop of two: 54 rounds behind the first one.
    ("kernel void k() {\n#pragma nounroll\n    for (int r = 0; r < 3; r++) {\n#pragma loop_coalesce 2\n#pragma ivdep\n"
     "        for (int o = 0; o < 5; o++)\n#pragma ivdep\n            for (int i = 0; i < 11; i++) p[o * 64 + i] = o + i + r; } }", 0,
     lambda depth: 3 * (54 + depth[1])),
    # Loops of a function, in a loop; and those of two calls.
    ("void f(uint from) {\n#pragma nounroll\n    for (uint i = 0; i < 3; i++)\n#pragma nounroll\n        for (uint j = 0; j < 4; j++)\n"
     "            p[from + i * 4 + j] = i; }\nkernel void k() {\n#pragma nounroll\n    for (uint n = 0; n < 6; n++) f(n * 12 + p[70]); }", 0,
     lambda depth: 6 * 3 * (3 + depth[2])),
    ("void f(uint from) {\n#pragma nounroll\n    for (uint i = 0; i < 3; i++)\n#pragma nounroll\n        for (uint j = 0; j < 4; j++)\n"
     "            p[from + i * 4 + j] = i; }\nkernel void k() {\n#pragma nounroll\n    for (uint n = 0; n < 6; n++) { f(p[70]); f(100); } }", 0,
     lambda depth: 6 * 3 * (3 + depth[2] + 3 + depth[4])),
    # Two loops of a macro have one place, and a pragma that counts for both.
    ("#define NEST for (uint o = 0; o < n; o++) for (uint i = 0; i < m; i++)\n"
     "kernel void k() {\n    uint n = p[5] + 6, m = p[6] + 9;\n#pragma ii 7\n    NEST\n        p[200 + o * 64 + i] = i; }", 0,
     lambda depth: 6 * (8 * 7 + depth[1])),
    # The outer loop goes on where the inner one ends, and the way back of both is one block: 17 and 9 rounds of the inner one.
    ("kernel void k() {\n    uint x = p[5] + 9, y = p[6];\n    for (;;) {\n        y++;\n        for (uint i = 0; i < x; i++) {\n"
     "            if (y > 40 && i == 30) return;\n            p[200 + i] = y; }\n        if (y & 1) { x += 8; continue; }\n        if (y > 3) break;\n"
     "        x -= 8; } }", 0, lambda depth: 2 * (8 + depth[1]) + 2 * (16 + depth[1])),
    # The outer one is none, since nothing leads from the inner one back: three rounds, behind the question of a fourth.
    ("kernel void k() {\n    uint x = p[5];\n    while (p[6] == 0) {\n        while (true) {\n            if (x == 3) goto out;\n"
     "            p[100 + x++] = 5; } }\nout:\n    p[4001] = x; }", 0, lambda depth: 2 + depth[0]),
    # A condition that is a constant is none. Left at its top in the sixth round, which is none so far.
    ("kernel void k() {\n    uint i = 0, n = p[5] + 5;\n    for (; 1;) {\n        if (i == n) break;\n        p[100 + i++] = 4; } }", 0, lambda depth: 4 + depth[0]),
    ("kernel void k() {\n    uint i = 0, n = p[5] + 5;\n    do {\n        if (i == n) break;\n        p[100 + i++] = 4;\n    } while (i != p[6] + 77); }", 0,
     lambda depth: 4 * 14 + depth[0]),
    # A variable of the scope's own, to whose end the ways by `break` and `continue` come: 11 rounds, and two of the loop behind
    # the outer one, which it is written in.
    ("kernel void k() {\n    uint x = p[5] + 11;\n    for (;;) {\n        uint left = x--;\n        p[100 + left] = 5;\n        if (left & 3) continue;\n"
     "        uint more = p[6] + 2;\n        if (left == 0) {\n            for (uint i = 0; i < more; i++) p[200 + i] = 7;\n            break; } } }", 0,
     lambda depth: 11 + depth[0] + 1 + depth[1]),
    # Behind the innermost loop comes nothing but the kernel's end, though a scope ends there: the one around it is none, and a
    # question of the outermost one, which the jump makes.
    ("kernel void k() {\n    uint x = p[5];\nagain:\n    x++;\n    for (uint i = p[6]; i < p[7] + 5; i++) {\n        for (;;) {\n"
     "            p[100 + x] = 5;\n            x += 3;\n            if (x > 14) return; } }\n    if (x < 3) goto again; }", 0, lambda depth: 4 + depth[1]),
    # What is promised to have one work-item may ask which: iterations are II apart all the same.
    ("__attribute__((max_global_work_dim(0))) kernel void k() {\n#pragma nounroll\n    for (int i = get_global_id(0); i < 40; i++) p[i] = i; }",
     0, lambda depth: 39 + depth[0]),
]


def check_by_hand(tools):
    for text, rate, cycles in BY_HAND:
        tools.environment["SLUICE_FPGA_OPERATORS"] = tools.write("operators", OPERATORS + f"global.bytes {rate}\n")
        source = tools.write("hand.cl", GLOBALS + text + "\n")
        expected = cycles([row.get("depth", 0) for row in loops_of(tools, source, "k")])
        got = row_of(tools.run(source, ["k", "+k"]), "k")
        expect((got["runs"], got["end"]) == (2, 2 * expected), f"{got}, twice {expected} are right: {text}")
        expect("without a clock" not in told_of(tools), f"{text}: {told_of(tools)}")


def check_behind(tools):
    """A task between kernels with pipes on a queue, and beside one on another queue: what is behind it begins when it ends."""
    source = tools.write("behind.cl", HEAD + "channel int c __attribute__((depth(4)));\n" + GLOBALS +
                         "kernel void task() {\n#pragma nounroll\n    for (int i = 0; i < 100; i++) p[i] *= 3; }\n"
                         "kernel void give() { for (int i = 0; i < 10; i++) write_channel_intel(c, i); }\n"
                         "kernel void take() { for (int i = 0; i < 10; i++) read_channel_intel(c); }\n")
    once = 99 + loops_of(tools, source, "task")[0]["depth"]
    for settings in ({}, {"SLUICE_FPGA_TRACE": "1"}, {"SLUICE_FPGA_SEED": "3"}):
        profile = tools.run(source, ["task", "+task", "+give", "take", "+task"], **settings)
        rows = {name: row_of(profile, name) for name in ("task", "give", "take")}
        got = (rows["give"]["begin"], rows["take"]["begin"], rows["task"]["end"], rows["task"]["runs"], rows["task"]["busy"])
        expect(got == (2 * once, 0, rows["take"]["end"] + once, 3, 3 * once), f"behind: {got}, {once} once")
        if "SLUICE_FPGA_TRACE" in settings:
            said = subprocess.run([tools.report, "--depths", f"{tools.folder}/run.json"], capture_output=True, text=True, check=False)
            expect(said.returncode == 0, f"behind: {said.stdout} {said.stderr}")


def check_between_packets(tools):
    """A kernel goes through a nest behind each packet, and once more behind a part of them: packets are there all the time."""
    source = tools.write("between.cl", HEAD + "channel int c __attribute__((depth(16)));\n" + GLOBALS +
                         "kernel void give() { for (int i = 0; i < 10; i++) write_channel_intel(c, i); }\n"
                         "kernel void take() {\n    for (int i = 0; i < 10; i++) {\n        int v = read_channel_intel(c);\n"
                         "#pragma nounroll\n        for (int o = 0; o < v; o++)\n#pragma nounroll\n            for (int n = 0; n < o; n++)\n"
                         "                p[64 * o + n] = v;\n        if (v & 1)\n#pragma nounroll\n            for (int n = 0; n < 7; n++)\n"
                         "                p[n] = v;\n    }\n}\n")
    rows = loops_of(tools, source, "take")
    give = loops_of(tools, source, "give")[0]["pipes"][0]["cycle"]
    nests = sum(max(o - 1, 0) + (rows[2]["depth"] if o else 0) for v in range(10) for o in range(v))
    cycles = give + 1 + 10 + nests + 5 * (6 + rows[3]["depth"])
    told = [[1, 10], [10, 45], [45, sum(o for v in range(10) for o in range(v))], [5, 35]]
    for settings in ({}, {"SLUICE_FPGA_TRACE": "1"}, {"SLUICE_FPGA_SEED": "3"}):
        got = row_of(tools.run(source, ["give", "take"], **settings), "take")
        expect((got["end"], got["loops"]) == (cycles, told), f"between: {got}, {cycles} cycles and {told} are right")


def check_initializer(tools):
    """What constructs objects at program scope is no task."""
    source = tools.write("before.clcpp", GLOBALS + "struct State { uint x; State() : x(1) {\n    for (uint i = 0; i < p[3] + 5; i++)\n"
                         "        x = x * 3 + p[(i + x) & 63]; } };\nglobal State state;\n"
                         "kernel void k() {\n    for (uint i = 0; i < state.x - 238; i++)\n        p[i] = p[i] * 3 + state.x;\n}\n")
    tools.options = tools.options.replace("CL3.0", "CLC++2021")
    got = row_of(tools.run(source, ["k"]), "k")
    expect(got["loops"] == [[1, 5]], f"{got}: 5 rounds are right")


def main():
    count, seed = (int(argument) for argument in (sys.argv[4:6] + ["20", "1"][len(sys.argv[4:6]):]))
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(*sys.argv[1:4], folder)
        tools.options += " -cl-std=CL3.0"
        tools.environment["SLUICE_FPGA_OPERATORS"] = tools.write("operators", OPERATORS)
        for number in range(count):
            check_random(tools, random.Random(1000 * seed + number), number)
        check_behind(tools)
        check_between_packets(tools)
        check_by_hand(tools)
        check_initializer(tools)
    sys.exit(1 if FAILURES else 0)


main()
