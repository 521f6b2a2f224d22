#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_cycles.py RUN_DESIGN SLUICEC SLUICE-REPORT [COUNT [SEED]]: runs designs with a clock. Those below have cycles that
were computed by hand; random ones are compared with the longest ways through all their operations, found here by
relaxing every pair of them."""
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

from design_runs import FAILURES, HEAD, OPERATORS, Tools, check_replay, expect, spans

# Source; the cycles in which each kernel begins and ends.
BY_HAND = [
    # A loop of n iterations takes depth + (n - 1) II: its depth is the write's cycle, all arithmetic being free. The
    # packet is read a cycle later, and so on for all of them.
    ("""channel int c __attribute__((depth(4)));
kernel void give() { for (int i = 0; i < 10; i++) write_channel_intel(c, i); }
kernel void take() { for (int i = 0; i < 10; i++) read_channel_intel(c); }
""", {"give": (0, 10), "take": (0, 11)}),
    # Every third cycle a packet is taken: reads are in cycles 1, 4, ... 28. With room for two, write n waits for read
    # n - 2: writes are in 0, 1, 2, 5, 8 ... 23.
    ("""channel int c __attribute__((depth(2)));
kernel void give() { for (int i = 0; i < 10; i++) write_channel_intel(c, i); }
kernel void take()
{
#pragma ii 3
    for (int i = 0; i < 10; i++)
        read_channel_intel(c);
}
""", {"give": (0, 24), "take": (0, 29)}),
    # Two loops of a kernel, one after the other: writes in 0 to 4, then 5 to 9. Operations outside of loops take a
    # cycle each: the read in 10 waits for a write in 10 (5 + 5 + the cycle of the first 'last' packet): 11.
    ("""channel int c __attribute__((depth(16))), last __attribute__((depth(1)));
kernel void give()
{
    for (int i = 0; i < 5; i++)
        write_channel_intel(c, i);
    for (int i = 0; i < 5; i++)
        write_channel_intel(c, i);
    write_channel_intel(last, 1);
}
kernel void take()
{
    read_channel_intel(last);
    for (int i = 0; i < 10; i++)
        read_channel_intel(c);
}
""", {"give": (0, 11), "take": (0, 22)}),
    # Feedback of one packet: read in t, the product five cycles behind the read's result, written in t + 6, read by
    # 'turn' in t + 7 and written in t + 8, read again in t + 9. The first one is read in 1, after the write in 0. Ten
    # rounds: the last read of 'multiply' is in 1 + 9 * 9 = 82, its write in 88, read by 'turn' in 89 and written in 90.
    ("""channel int there __attribute__((depth(1))), back __attribute__((depth(1)));
kernel void turn()
{
    write_channel_intel(there, 1);
    for (int i = 0; i < 10; i++)
        write_channel_intel(there, read_channel_intel(back));
}
kernel void multiply()
{
    for (int i = 0; i < 10; i++) {
        int x = read_channel_intel(there);
        write_channel_intel(back, x * x);
    }
}
""", {"turn": (0, 91), "multiply": (0, 89)}),
    # Iterations that are ahead go on: 'take' is busy with 'go' (read in 1 to 20) and reads 'out' in 21, 23, 25, 27 only,
    # as there is room for one, which is written a cycle after it was freed. 'square' reads in 1, 2, 3, 4 nevertheless;
    # its products, five cycles later in the schedule, are written in 7, 22, 24, 26.
    ("""channel int in __attribute__((depth(8))), out __attribute__((depth(1))), go __attribute__((depth(8)));
kernel void give() { for (int i = 0; i < 4; i++) write_channel_intel(in, i); }
kernel void square()
{
    for (int i = 0; i < 4; i++) {
        int x = read_channel_intel(in);
        write_channel_intel(out, x * x);
    }
}
kernel void late()
{
    for (int i = 0; i < 20; i++)
        write_channel_intel(go, i);
}
kernel void take()
{
    for (int i = 0; i < 20; i++)
        read_channel_intel(go);
    for (int i = 0; i < 4; i++)
        read_channel_intel(out);
}
""", {"give": (0, 4), "square": (0, 27), "late": (0, 20), "take": (0, 28)}),
    # Four iterations run behind the last one for nothing: a round of the inner loop takes (5 - 1) + 1 + 4 cycles. Writes
    # are in 0 to 4, 9 to 13 and 18 to 22, and what runs for nothing is over in 27. A loop whose iterations are 3 cycles
    # apart begins a second time in 3 * 3 + 1 + 2 * 3, and one without iterations takes no time.
    ("""channel int c __attribute__((depth(8))), d __attribute__((depth(8)));
kernel void give()
{
    for (int o = 0; o < 3; o++) {
#pragma speculated_iterations 4
        for (int i = 0; i < 5; i++)
            write_channel_intel(c, i);
    }
}
kernel void take() { for (int i = 0; i < 15; i++) read_channel_intel(c); }
kernel void slow()
{
    int none = get_global_size(0) - 1;
    for (int o = 0; o < 2; o++) {
#pragma ii 3
#pragma speculated_iterations 2
        for (int i = 0; i < 4; i++)
            write_channel_intel(d, i);
#pragma speculated_iterations 50
        for (int i = 0; i < none; i++)
            write_channel_intel(d, i);
    }
}
kernel void drop() { for (int i = 0; i < 8; i++) read_channel_intel(d); }
""", {"give": (0, 27), "take": (0, 24), "slow": (0, 32), "drop": (0, 27)}),
    # The second write to c is done in the last round only, as the compiler finds: it is behind the loop, which goes round 1, 1
    # and 2 times, II 5, and its write is in cycle 5. With a write in front that is three times 1 + 6 + 1, and 5.
    ("""channel uint c __attribute__((depth(16)));
kernel void give()
{
    uint x = 613548008u;
    for (int j = 0; j < 3; j++) {
        write_channel_intel(c, x);
        do {
            x = x * 1664525u + 1013904223u;
            write_channel_intel(c, x);
            if ((x >> 13 & 7) < 1) goto next;
            write_channel_intel(c, x);
        next:;
        } while ((x >> 13 & 7) < 1);
        x = x * 1664525u + 1013904223u;
    }
}
kernel void take() { for (int i = 0; i < 10; i++) read_channel_intel(c); }
""", {"give": (0, 29), "take": (0, 30)}),
    # A nest that is one loop has no way out between its rounds: 15 packets are read in 1 to 15, their products written in
    # 7 to 21 and read a cycle later.
    ("""channel int in __attribute__((depth(16))), out __attribute__((depth(16)));
kernel void give() { for (int i = 0; i < 15; i++) write_channel_intel(in, i); }
kernel void square()
{
#pragma loop_coalesce 2
    for (int o = 0; o < 3; o++)
        for (int i = 0; i < 5; i++) {
            int x = read_channel_intel(in);
            write_channel_intel(out, x * x);
        }
}
kernel void take() { for (int i = 0; i < 15; i++) read_channel_intel(out); }
""", {"give": (0, 15), "square": (0, 22), "take": (0, 23)}),
    # What stands around the inner loop is part of its first and last iterations: 'go' is read in 1, 5 and 9, 'c' written
    # a cycle behind the begin of each, in 2 to 13, and 'done' in 5, 9 and 13.
    ("""channel int go __attribute__((depth(4))), c __attribute__((depth(16))), done __attribute__((depth(4)));
kernel void start() { for (int i = 0; i < 3; i++) write_channel_intel(go, i); }
kernel void rows()
{
#pragma loop_coalesce
    for (int o = 0; o < 3; o++) {
        int x = read_channel_intel(go);
        for (int i = 0; i < 4; i++)
            write_channel_intel(c, x);
        write_channel_intel(done, x);
    }
}
kernel void take() { for (int i = 0; i < 12; i++) read_channel_intel(c); }
kernel void stop() { for (int i = 0; i < 3; i++) read_channel_intel(done); }
""", {"start": (0, 3), "rows": (0, 14), "take": (0, 15), "stop": (0, 15)}),
    # Each compute unit has the schedule of the kernel: it reads in 1, 4, 7 and 10 and writes a cycle later, and its loop
    # has run dry in 12; 'take' reads from both a cycle later still.
    ("""channel int c[2] __attribute__((depth(8))), d[2] __attribute__((depth(8)));
kernel void give()
{
    for (int i = 0; i < 4; i++) {
        write_channel_intel(c[0], i);
        write_channel_intel(c[1], i);
    }
}
__attribute__((max_global_work_dim(0))) __attribute__((autorun)) __attribute__((num_compute_units(2)))
kernel void unit()
{
#pragma ii 3
    for (int i = 0; i < 4; i++)
        write_channel_intel(d[get_compute_id(0)], read_channel_intel(c[get_compute_id(0)]));
}
kernel void take()
{
    for (int i = 0; i < 4; i++) {
        read_channel_intel(d[0]);
        read_channel_intel(d[1]);
    }
}
""", {"give": (0, 4), "unit": (0, 12), "unit.1": (0, 12), "take": (0, 13)}),
]


def check_by_hand(tools):
    for number, (text, expected) in enumerate(BY_HAND):
        source = tools.write(f"hand{number}.cl", HEAD + text)
        kernels = [line.split("(")[0].split()[-1] for line in text.splitlines() if line.startswith("kernel")]
        kernels = [kernel for kernel in kernels if kernel != "unit"]  # starts by itself
        for settings in ({}, {"SLUICE_FPGA_SEED": "5"}):
            got = spans(tools.run(source, kernels, **settings))
            expect(got == expected, f"design {number}: {got} instead of {expected}")


# ---- random designs ------------------------------------------------------------------------------------------------

class Kernel:
    """Rounds of operations, in loops or not; each round uses each of its pipes once, or only every so many rounds. If it is
    plain no loop is entered twice."""

    def __init__(self, number, rounds, pick, plain):
        self.kinds = ["loop", "loop", "line"] if plain else ["loop", "loop", "nest", "line"]
        self.name, self.rounds, self.pick = f"k{number}", rounds, pick
        self.reads, self.writes = [], []
        self.lines, self.segments = [], []

    def add(self, text):
        self.lines.append(text)

    def body(self, indent):
        """Operations of a round with their lines, one each."""
        made = []
        reads, writes = self.reads[:], self.writes[:]
        self.pick.shuffle(reads)
        self.pick.shuffle(writes)
        for pipe in reads:
            made.append((len(self.lines), pipe, False))
            guard = f"if (n % {pipe.every} == 0) " if pipe.every > 1 else ""
            self.add(f"{indent}{guard}x += read_channel_intel({pipe.name});")
        for _ in range(self.pick.randrange(3)):
            self.add(indent + self.pick.choice(["x = x * x + 3;", "x ^= n;", "x = x * 7;"]))
        for pipe in writes:
            made.append((len(self.lines), pipe, True))
            guard = f"if (n % {pipe.every} == 0) " if pipe.every > 1 else ""
            self.add(f"{indent}{guard}write_channel_intel({pipe.name}, x);")
        return made

    def make(self):
        self.add(f"kernel void {self.name}()")
        self.add("{")
        self.add("    int x = 1, n = 0;")
        left = self.rounds
        while left:
            kind = self.pick.choice(self.kinds)
            if kind == "line":
                self.segments.append(("line", self.body("    ")))
                self.add("    n++;")
                left -= 1
                continue
            inner = self.pick.randint(2, max(2, left // 2))
            outer = self.pick.randint(1, max(1, left // inner)) if kind == "nest" else 1
            if inner * outer > left:
                continue
            indent = "    "
            if kind == "nest":
                self.add(f"    for (int o = 0; o < {outer}; o++)")
                indent += "    "
            if self.pick.random() < 0.4:
                self.add(f"#pragma ii {self.pick.randint(2, 7)}")
            line = len(self.lines)
            self.add(f"{indent}for (int i = 0; i < {inner}; i++) {{")
            operations = self.body(indent + "    ")
            self.add(indent + "    n++;")
            self.add(indent + "}")
            self.segments.append(("loop", line, outer, inner, operations))
            left -= inner * outer
        self.add("}")

    def events(self, first_line, schedule):
        """(nominal cycle, pipe, write) in the order of the program, and when the kernel ends."""
        loops = {loop["line"]: loop for loop in schedule}
        events, at, n = [], 0, 0
        for segment in self.segments:
            if segment[0] == "line":
                for _, pipe, write in segment[1]:
                    if n % pipe.every == 0:
                        events.append((at, pipe, write))
                        at += 1
                n += 1
                continue
            _, line, outer, inner, operations = segment
            loop = loops[first_line + line]
            cycles = {step["line"]: step["cycle"] for step in loop["pipes"]}
            for _ in range(outer):
                for i in range(inner):
                    for place, pipe, write in operations:
                        if n % pipe.every == 0:
                            events.append((at + i * loop["ii"] + cycles[first_line + place], pipe, write))
                    n += 1
                at += (inner - 1) * loop["ii"] + loop["depth"]
        return events, at


class Pipe:
    def __init__(self, number, pick, plain):
        self.name, self.depth = f"c{number}", pick.randint(1, 6)
        self.every = 1 if plain else pick.choice([1, 1, 1, 2, 3])


def make_design(pick, plain):
    rounds = pick.randint(6, 24)
    kernels = [Kernel(i, rounds, pick, plain) for i in range(pick.randint(2, 5))]
    pipes = []
    for to in range(1, len(kernels)):
        for origin in set(pick.choices(range(to), k=pick.randint(1, 2))):
            pipes.append(Pipe(len(pipes), pick, plain))
            kernels[origin].writes.append(pipes[-1])
            kernels[to].reads.append(pipes[-1])
    lines = HEAD.splitlines() + [f"channel int {pipe.name} __attribute__((depth({pipe.depth})));" for pipe in pipes]
    starts = {}
    for kernel in kernels:
        kernel.make()
        starts[kernel.name] = len(lines) + 1
        lines += kernel.lines
    return kernels, pipes, starts, "\n".join(lines) + "\n"


def longest_ways(kernels, pipes, nominal):
    """When each kernel ends. All constraints are edges; times grow until none is violated."""
    times, edges, begin = [], [], {}
    ends = {pipe.name: ([], []) for pipe in pipes}
    for kernel in kernels:
        events, _ = nominal[kernel.name]
        begin[kernel.name] = len(times)
        for number, (cycle, pipe, write) in enumerate(events):
            own = len(times)
            times.append(cycle)
            for before in range(number):
                if events[before][0] <= cycle:
                    edges.append((begin[kernel.name] + before, own, cycle - events[before][0]))
            ends[pipe.name][write].append(own)
    for pipe in pipes:
        reads, writes = ends[pipe.name]
        for end in (reads, writes):
            edges += [(a, b, 1) for a, b in zip(end, end[1:])]
        edges += [(w, r, 1) for w, r in zip(writes, reads)]
        edges += [(r, w, 1) for r, w in zip(reads, writes[pipe.depth:])]
    changed = True
    while changed:
        changed = False
        for origin, to, cycles in edges:
            if times[origin] + cycles > times[to]:
                times[to] = times[origin] + cycles
                changed = True
    result = {}
    for kernel in kernels:
        events, end = nominal[kernel.name]
        late = max((times[begin[kernel.name] + i] - cycle for i, (cycle, _, _) in enumerate(events)), default=0)
        result[kernel.name] = (0, end + late)
    return result


def check_text(tools):
    """The report in words, and what it refuses."""
    source = tools.write("text.cl", HEAD + BY_HAND[1][0])
    tools.run(source, ["give", "take"])
    profile = os.path.join(tools.folder, "run.json")
    text = subprocess.run([tools.report, "--cycles", profile], capture_output=True, text=True, check=False)
    expect(text.returncode == 0 and text.stdout.startswith("29 cycles, 0.096 us at 300 MHz\n'take' has most to do: 28 "
           "cycles without waiting, 28 of them in the loop at <source>:7 (II 3: #pragma ii)\n"), text.stdout + text.stderr)
    rows = [line.split() for line in text.stdout.splitlines()]
    for row in (["give", "1", "0", "24", "24", "14"], ["c", "2", "10", "14", "1"]):
        expect(row in rows, text.stdout)
    with open(profile, encoding="utf-8") as file:
        whole = json.load(file)
    without = {key: value for key, value in whole.items() if key != "clock"}
    lost = {**whole, "clock": {**whole["clock"], "whole": False}}
    for damaged, why in ((without, "there is no clock in it"), (lost, "not that of a whole run")):
        path = tools.write("damaged.json", json.dumps(damaged))
        result = subprocess.run([tools.report, "--cycles", path], capture_output=True, text=True, check=False)
        expect(result.returncode == 1 and why in result.stderr and not result.stdout, result.stderr)


MERGED = """channel int in __attribute__((depth(64))), out __attribute__((depth(64))), go __attribute__((depth(64)));
kernel void give() {{ for (int i = 0; i < {rows} * {columns}; i++) write_channel_intel(in, i); }}
kernel void start() {{ for (int i = 0; i < {rows}; i++) write_channel_intel(go, i); }}
kernel void nest()
{{
#pragma loop_coalesce
{pragma}
    for (int o = 0; o < {rows}; o++) {{
        {head}
        for (int i = 0; i < {columns}; i++) {{
            int x = read_channel_intel(in);
            write_channel_intel(out, x * x);
        }}
    }}
}}
kernel void drop() {{ for (int i = 0; i < {rows}; i++) {drop} }}
kernel void take()
{{
{slow}
    for (int i = 0; i < {rows} * {columns}; i++)
        read_channel_intel(out);
}}
"""


def check_merged(tools):
    """Loops that are one: many rounds at once, as without a trace, take the cycles of each by itself."""
    for number, (rows, columns) in enumerate(itertools.product((1, 3, 40), (1, 9, 100))):
        for pragma, head, slow in (("", "", ""), ("#pragma ii 2", "read_channel_intel(go);", ""), ("", "", "#pragma ii 3")):
            drop = ";" if head else "read_channel_intel(go);"
            source = tools.write(f"merged{number}.cl", HEAD + MERGED.format(rows=rows, columns=columns, pragma=pragma, head=head,
                                                                            slow=slow, drop=drop))
            clocks = [tools.run(source, ["give", "start", "nest", "drop", "take"], **settings)["clock"]
                      for settings in ({}, {"SLUICE_FPGA_TRACE": "1"})]
            for key in ("cycles", "exact", "kernels", "pipes", "sites"):
                expect(clocks[0][key] == clocks[1][key], f"{rows} x {columns} {pragma} {head} {slow}: {key}: {clocks[0][key]} "
                                                         f"instead of {clocks[1][key]}")


def check_apart(tools):
    """Loops that are entered again at once: 5 times 9 + 6 cycles, by the clock and by the trace, and one more until the last
    packet is read. One without operations on pipes between takes its time in both, and so do rounds of one that leave their
    operation out. With room for four `give` does not end before `take` is submitted."""
    source = tools.write("apart.cl", HEAD + """channel int c __attribute__((depth(4)));
kernel void give() { for (int t = 0; t < 5; t++) for (int i = 0; i < 10; i++) write_channel_intel(c, i * (i ^ t)); }
kernel void take() { for (int i = 0; i < 50; i++) read_channel_intel(c); }
""")
    profile = tools.run(source, ["give", "take"], SLUICE_FPGA_TRACE="1")
    expect(profile["clock"]["cycles"] == 76, profile["clock"])
    check_replay(tools, "a loop entered again")
    source = tools.write("silent.cl", HEAD + """channel int c __attribute__((depth(4)));
kernel void give()
{
    for (int t = 0; t < 5; t++) {
        int x = t;
        for (int i = 0; i < 30; i++) x = x * x + i;
        write_channel_intel(c, x);
    }
    for (int i = 0; i < 64; i++) if ((i & 7) == 5) write_channel_intel(c, i);
}
kernel void take() { for (int i = 0; i < 13; i++) read_channel_intel(c); }
""")
    profile = tools.run(source, ["give", "take"], SLUICE_FPGA_TRACE="1")
    expect(profile["clock"]["cycles"] > 5 * 30 + 64, profile["clock"])
    check_replay(tools, "a loop without operations")


def check_memory(tools):
    """A memory that moves eight bytes a cycle, what all loops together need, and one without a limit. 'load' moves 16 bytes
    in an iteration, so it has II 2 then: it writes in 1, 3 ... 63, 'store' reads in 2 to 64 and is through two cycles later.
    Else loads take 64 cycles and stores 16: writes in 64 to 95, reads in 65 to 96, and the last store ends in 113."""
    source = tools.write("memory.cl", HEAD + """global ulong data[64];
channel ulong c __attribute__((depth(4)));
kernel void load() { for (int i = 0; i < 32; i++) write_channel_intel(c, data[i] + data[i + 32]); }
kernel void store() { for (int i = 0; i < 32; i++) data[i] = read_channel_intel(c); }
""")
    tools.options += " -cl-std=CL3.0"
    slow = tools.write("slow", OPERATORS + "global.bytes 8\nglobal.load 1\nglobal.store 1\n")
    for table, cycles, words in ((slow, 66, ", which takes 96 cycles at 8 bytes a cycle: 30 more than the kernels take"),
                                 (tools.operators, 113, "")):
        profile = tools.run(source, ["load", "store"], SLUICE_FPGA_OPERATORS=table)
        text = subprocess.run([tools.report, "--cycles", os.path.join(tools.folder, "run.json")], capture_output=True,
                              text=True, check=False).stdout
        expect(f"\nloops move 768 bytes of global memory{words}\n" in text, text)
        expect(profile["clock"]["cycles"] == cycles, f"{profile['clock']['cycles']} instead of {cycles}")
    tools.options = "-sluice-timing"


def check_random(tools, number, seed):
    pick, plain = random.Random(f"{seed} {number}"), number % 2 == 1
    kernels, pipes, starts, text = make_design(pick, plain)
    source = tools.write(f"random{number}.cl", text)
    loops = {kernel["name"]: kernel["loops"] for kernel in tools.schedule(source)["kernels"]}
    nominal = {kernel.name: kernel.events(starts[kernel.name], loops[kernel.name]) for kernel in kernels}
    expected = longest_ways(kernels, pipes, nominal)
    got = spans(tools.run(source, [kernel.name for kernel in kernels], SLUICE_FPGA_TRACE="1"))
    if plain:
        check_replay(tools, f"design {number} of seed {seed}")
    expect(got == expected, f"design {number} of seed {seed}: {got} instead of {expected}")
    if got != expected:
        print(text)


def main():
    program, sluicec, report = sys.argv[1:4]
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 8
    seed = sys.argv[5] if len(sys.argv) > 5 else "1"
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(program, sluicec, report, folder)
        check_by_hand(tools)
        check_text(tools)
        check_merged(tools)
        check_apart(tools)
        check_memory(tools)
        for number in range(count):
            check_random(tools, number, seed)
    print(f"{len(BY_HAND)} designs by hand and {count} random ones, {len(FAILURES)} failures")
    return bool(FAILURES)


if __name__ == "__main__":
    sys.exit(main())
