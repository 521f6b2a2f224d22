#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_circuits.py RUN_DESIGN SLUICEC SLUICE-REPORT VERILATOR [COUNT [SEED]]: random designs twice, in OpenCL C and as
circuits of the same schedule (circuit.sv), for which Verilator counts cycles. In some loops go round as often as the round of the loop
around them says. Kernels end in the same cycle, pipes move as
many packets, operations that do not wait succeed as often, and what stands still does so in both.

One difference is known and counted, not compared: a circuit's later iterations go on beside an operation that waits, while the emulator
has the order of the program. So a design may stand still in the emulator and not as a circuit, never the other way round."""
import json
import os
import random
import subprocess
import sys
import tempfile

import circuit
from design_runs import FAILURES, OPERATORS, Tools, expect

HEAD = "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
STALLED = 3
STOOD_STILL = "launches stood still and have not ended"  # what they had done until then is exact


class Moved(Exception):
    """The compiler has moved an operation out of its loop: it happens in the last iteration only."""


class Pipe:
    def __init__(self, number, pick):
        self.name, self.number, self.depth = f"c{number}", number, pick.choice([1, 1, 2, 3, 4, 8, 32])
        self.mask = pick.choice([0, 0, 0, 1, 3])  # used in rounds n with !(n & mask)
        self.ahead = 0                            # of feedback: reads begin in this round
        self.waits = {True: True, False: True}    # at the end that writes, that reads


class Place:
    """An operation in the source, in `line` of the kernel, of rounds base + o * inner + i."""

    def __init__(self, line, pipe, write, base, inner):
        self.line, self.pipe, self.write, self.base, self.inner = line, pipe, write, base, inner
        self.n = f"({base} + o * {inner} + i)" if inner else f"({base} + i)"

    def conditions(self):
        return ([f"({self.n} & {self.pipe.mask}) == 0"] if self.pipe.mask else []) + (
            [f"{self.n} >= {self.pipe.ahead}"] if self.pipe.ahead and not self.write else [])

    def flat(self):
        """Of a nest that is one loop."""
        return Place(self.line, self.pipe, self.write, self.base, 0)

    def circuit(self, cycles=None):
        pipe = self.pipe
        if cycles is None:
            return circuit.Operation(pipe.number, self.write, pipe.waits[self.write])
        return circuit.Operation(pipe.number, self.write, pipe.waits[self.write], cycles[self.line], self.base, self.inner,
                                 pipe.mask, 0 if self.write else pipe.ahead)

    def happens(self, trips=1, outer=1):
        """In any of these rounds."""
        rounds = (self.base + o * self.inner + i for o in range(outer) for i in range(trips))
        return any(not n & self.pipe.mask and (self.write or n >= self.pipe.ahead) for n in rounds)

    def text(self, guarded):
        guard = f"if ({' && '.join(self.conditions())}) " if guarded and self.conditions() else ""
        if self.pipe.waits[self.write]:
            return guard + (f"write_channel_intel({self.pipe.name}, x);" if self.write else
                            f"x += read_channel_intel({self.pipe.name});")
        return guard + (f"got += write_channel_nb_intel({self.pipe.name}, x);" if self.write else
                        f"{{ bool ok; x += read_channel_nb_intel({self.pipe.name}, &ok); got += ok; }}")


class Kernel:
    """Rounds, each of which uses each pipe once, in loops, nests of loops and lines."""

    def __init__(self, number, rounds, pick):
        self.name, self.rounds, self.pick = f"k{number}", rounds, pick
        self.ends = []  # (pipe, write)
        self.lines, self.segments = [], []

    def body(self, indent, ends, base, inner, guarded):
        places = []
        for pipe, write in self.pick.sample(ends, len(ends)):
            place = Place(len(self.lines), pipe, write, base, inner)
            if not guarded and not place.happens():
                continue
            places.append(place)
            self.lines.append(indent + place.text(guarded))
            if self.pick.random() < 0.4:
                self.lines.append(indent + self.pick.choice(["x = x * x + 3;", "x ^= 5;", "x = x * 7;"]))
        return places

    def loop(self, indent, trips, ends, base, inner, more=""):
        if self.pick.random() < 0.3:
            self.lines.append(f"#pragma ii {self.pick.randint(2, 5)}")
        if self.pick.random() < 0.2:
            self.lines.append(f"#pragma speculated_iterations {self.pick.randint(0, 3)}")
        line = len(self.lines)
        self.lines.append(f"{indent}for (int i = 0; i < {trips}{more}; i++) {{")
        places = self.body(indent + "    ", ends, base, inner, True)
        self.lines.append(indent + "}")
        return line, trips, places

    def add_loops(self, kind, n, inner, outer):
        indent = "    "
        line = None
        if outer > 1:
            if self.pick.random() < 0.4:
                self.lines.append("#pragma loop_coalesce")
                line = len(self.lines)
            self.lines.append(f"    for (int o = 0; o < {outer}; o++) {{")
            indent += "    "
        cut = self.pick.randint(1, len(self.ends)) if kind == "apart" else len(self.ends)
        ends = self.pick.sample(self.ends, len(self.ends))
        loops = [self.loop(indent, inner, part, n, inner if outer > 1 else 0) for part in (ends[:cut], ends[cut:]) if part]
        if outer > 1:
            self.lines.append("    }")
        if line is not None and len(loops) == 1:
            (_, trips, places), around, outer = loops[0], outer, 1
            loops = [(line, trips * around, [place.flat() for place in places])]
        self.segments.append(("loops", outer, loops))

    def add_varied(self, most):
        """A loop around loops that do not go round as often each time; how many rounds it all is, `most` or less, or 0: it is none."""
        trips, outer = self.pick.randint(1, 3), self.pick.randint(2, 12)
        more = self.pick.choice([1, 3, 5, 11, 29]), self.pick.randint(0, 3), self.pick.choice([1, 2, 3, 5, 7])
        rounds = sum(trips + (o * more[0] >> more[1] & more[2]) for o in range(outer))
        if rounds > most:
            return 0
        text = self.pick.choice([f" + (o * {more[0]} >> {more[1]} & {more[2]})", f" + ((o + (x & 0)) * {more[0]} >> {more[1]} & {more[2]})"])
        self.lines.append(f"    for (int o = 0; o < {outer}; o++) {{")
        cut = self.pick.randint(1, len(self.ends))
        ends = self.pick.sample(self.ends, len(self.ends))
        self.segments.append(("loops", outer, [self.loop("        ", trips, part, 0, 0, text) for part in (ends[:cut], ends[cut:]) if part], more))
        self.lines.append("    }")
        return rounds

    def launch(self):
        return self.name

    def make(self):
        self.count = 1
        self.lines += [f"kernel void {self.name}()", "{", "    int x = 1, got = 0;"]
        n = 0
        even = not any(pipe.mask or pipe.ahead for pipe, _ in self.ends)
        while n < self.rounds:
            kind = self.pick.choice(["loop", "loop", "nest", "line", "apart"] + ["varied"] * (4 * even))
            varied = self.add_varied(self.rounds - n) if kind == "varied" else 0
            n += varied
            if varied or n == self.rounds:
                continue
            inner = min(self.rounds - n, self.pick.randint(2, 12))
            outer = self.pick.randint(1, max(1, (self.rounds - n) // inner)) if kind == "nest" else 1
            if kind == "line" or inner < 2:
                self.segments.append(("line", self.body("    ", self.ends, n, 0, False)))
                n += 1
            else:
                self.add_loops(kind, n, inner, outer)
                n += inner * outer
        self.lines += [f'    printf("{self.name} %d %d\\n", got, x & 0);', "}"]

    def items(self, first_line, schedule):
        loops = {loop["line"]: loop for loop in schedule}
        items = []
        for segment in self.segments:
            if segment[0] == "line":
                items += [circuit.Item([place.circuit()]) for place in segment[1]]
                continue
            _, outer, parts, *more = segment
            first = len(items)
            for line, trips, places in parts:
                places = [place for place in places if place.happens(trips, outer)]
                loop = loops.get(first_line + line)
                if not loop and not places:
                    continue  # a loop that does nothing, as the compiler sees, takes no time
                if not loop:
                    raise Moved
                cycles = {step["line"] - first_line: step["cycle"] for step in loop["pipes"]}
                if any(place.line not in cycles for place in places):
                    raise Moved
                depth = max(loop["depth"], 1) + loop.get("speculated", 0) * loop["ii"]
                items.append(circuit.Item([place.circuit(cycles) for place in places], trips, loop["ii"], depth, *more))
            if outer > 1 and len(items) > first:
                items[-1].again, items[-1].times = first, outer
        return items


# What x is compared with: no compiler knows that it is not so, by remainders of products with 7 and of squares.
WANTED = 4 * 7 ** 7


class ItemsKernel(Kernel):
    """A round is that of a work-item, or several are; each item uses each pipe once in a round, in a loop or not, or half of
    them in front of a barrier. All are unconditional, so that the circuit need not know which item it is at."""

    KINDS = ("straight", "loop", "groups")

    def make(self):
        divisors = [n for n in range(2, 5) if self.rounds % n == 0]
        self.kind = self.pick.choice(self.KINDS if divisors else ("straight", "groups"))
        self.inner = self.pick.choice(divisors) if self.kind == "loop" else 1
        self.count = self.rounds // self.inner
        self.group = self.pick.choice([n for n in range(1, 9) if self.count % n == 0])
        ends = self.pick.sample(self.ends, len(self.ends))
        cut = self.pick.randint(0, len(ends))
        self.lines += [f"kernel void {self.name}()", "{", "    int got = 0, x = get_global_id(0);"]
        if self.kind == "loop":
            self.quiet("    ")
            line, _, places = self.loop("    ", self.inner, ends, 0, 0)
            self.parts = [("loop", line, places)]
        elif self.kind == "groups":
            first = self.straight(ends[:cut])
            self.lines.append("    barrier(CLK_LOCAL_MEM_FENCE);")
            self.parts = [("part", first), ("part", self.straight(ends[cut:]))]
        else:
            first = self.straight(ends[:cut])
            self.quiet("    ")
            self.parts = [("part", first + self.straight(ends[cut:]))]
        self.lines += [f'    printf("{self.name} %d %d\\n", got, x == {WANTED});', "}"]

    def quiet(self, indent):
        """A loop without pipes, whose value is wanted."""
        self.silent = len(self.lines)
        self.trips = self.pick.randint(1, 4)
        if self.pick.random() < 0.3:
            self.lines.append(f"#pragma ii {self.pick.randint(2, 3)}")
            self.silent += 1
        self.lines += [f"{indent}for (int i = 0; i < {self.trips}; i++)", f"{indent}    x = x * x + i;"]

    def straight(self, ends):
        return self.body("    ", ends, 0, 0, False)

    def launch(self):
        return f"{self.name}:{self.count}:{self.group}"

    def chain(self, rows, places, extra):
        """Cycles of the operations of an item, one each, around the loop without pipes; (item, cycles to the next one)."""
        at, apart, operations = 0, 1, []
        for place in places:
            if extra is not None and place.line > extra and rows[extra] is not None:
                at, apart, extra = at + rows[extra]["depth"] * self.trips, max(apart, rows[extra]["ii"] * self.trips), None
            operations.append(circuit.Operation(place.pipe.number, place.write, place.pipe.waits[place.write], at))
            at += 1
        if extra is not None and rows[extra] is not None:
            at, apart = at + rows[extra]["depth"] * self.trips, max(apart, rows[extra]["ii"] * self.trips)
        return operations, apart, max(at, 1)

    def items(self, first_line, schedule):
        row = next((loop for loop in schedule if loop.get("items")), None)
        if row:  # no loop is left
            cycles = {step["line"] - first_line: step["cycle"] for step in row["pipes"]}
            operations = [place.circuit(cycles) for place in self.parts[-1][-1]]
            return [circuit.Item(operations, self.count, row["ii"], row["depth"])]
        rows = {loop["line"] - first_line: loop for loop in schedule}
        rows = {line: rows.get(line) for line in range(len(self.lines))}
        if self.kind == "groups":
            items = []
            for _, places in self.parts:
                operations, _, depth = self.chain(rows, places, None)
                items.append(circuit.Item(operations, self.group, 1, depth))
            items[-1].again, items[-1].times = 0, self.count // self.group
            return items
        if self.kind == "straight":
            operations, apart, depth = self.chain(rows, self.parts[0][1], self.silent)
            return [circuit.Item(operations, self.count, apart, depth)]
        _, line, places = self.parts[0]
        operations, apart, at = self.chain(rows, [], self.silent)
        at = at if rows[self.silent] else 0
        loop = rows[line]
        cycles = {step["line"] - first_line: step["cycle"] for step in loop["pipes"]}
        if any(place.line not in cycles for place in places):
            raise Moved
        for trip in range(self.inner):
            operations += [circuit.Operation(place.pipe.number, place.write, place.pipe.waits[place.write],
                                             at + trip * loop["ii"] + cycles[place.line]) for place in places]
        apart = max(apart, self.inner * loop["ii"])
        depth = at + (self.inner - 1) * loop["ii"] + max(loop["depth"], 1) + loop.get("speculated", 0) * loop["ii"]
        return [circuit.Item(operations, self.count, apart, depth)]


def make_design(pick, items=True):
    """Kernels in a chain with branches; sometimes with feedback, and with ends that do not wait."""
    rounds = pick.randint(6, 40)
    kernels = [Kernel(i, rounds, pick) for i in range(pick.randint(2, 5))]
    pipes = []
    for to in range(1, len(kernels)):
        for origin in set(pick.choices(range(to), k=pick.randint(1, 2))):
            pipes.append(Pipe(len(pipes), pick))
            kernels[origin].ends.append((pipes[-1], True))
            kernels[to].ends.append((pipes[-1], False))
    if pick.random() < 0.4:
        origin, to = sorted(pick.sample(range(len(kernels)), 2), reverse=True)
        pipes.append(Pipe(len(pipes), pick))
        pipes[-1].ahead = pick.randint(1, 5) * (pipes[-1].mask + 1)
        kernels[origin].ends.append((pipes[-1], True))
        kernels[to].ends.append((pipes[-1], False))
    if pick.random() < 0.3:  # loops that do not go round as often each time
        for pipe in pipes:
            pipe.mask = 0
    if pick.random() < 0.5:
        for pipe in pick.sample(pipes, pick.randint(1, len(pipes))):
            pipe.waits[pick.random() < 0.5] = False
    for i, kernel in enumerate(kernels):
        if items and not any(pipe.mask or pipe.ahead for pipe, _ in kernel.ends) and pick.random() < 0.5:
            kernels[i] = ItemsKernel(i, rounds, pick)
            kernels[i].ends = kernel.ends
    lines = HEAD.splitlines() + [f"channel int {pipe.name} __attribute__((depth({pipe.depth})));" for pipe in pipes]
    starts = {}
    for kernel in kernels:
        kernel.make()
        starts[kernel.name] = len(lines) + 1
        lines += kernel.lines
    return kernels, pipes, starts, "\n".join(lines) + "\n"


class Design:
    def __init__(self, tools, number, seed):
        self.name = f"d{number}"
        self.kernels, self.pipes, starts, self.text = make_design(random.Random(f"{seed} {number}"))
        self.source = tools.write("design.cl", self.text)
        loops = {kernel["name"]: kernel["loops"] for kernel in tools.schedule(self.source)["kernels"]}
        self.circuits = [kernel.items(starts[kernel.name], loops[kernel.name]) for kernel in self.kernels]


def emulate(tools, design):
    """The same from the emulator, and whether its clock is exact."""
    profile = os.path.join(tools.folder, "run.json")
    result = subprocess.run([tools.program, design.source, tools.options, *[kernel.launch() for kernel in design.kernels]],
                            capture_output=True, text=True, env={**tools.environment, "SLUICE_FPGA_PROFILE": profile,
                                                                   "SLUICE_FPGA_ON_STALL": "error",
                                                                   "SLUICE_FPGA_STALL_MS": "200"},
                            check=False, timeout=120)
    if result.returncode not in (0, STALLED):
        raise SystemExit(f"{design.name}: {result.returncode} {result.stderr}\n{design.text}")
    with open(profile, encoding="utf-8") as file:
        whole = json.load(file)
    printed, lines = {}, {}
    for name, got, _ in map(str.split, result.stdout.splitlines()):  # of each work-item
        printed[name] = printed.get(name, 0) + int(got)
        lines[name] = lines.get(name, 0) + 1
    printed = {kernel.name: printed[kernel.name] for kernel in design.kernels if lines.get(kernel.name) == kernel.count}
    kernels = {whole["kernels"][row["kernel"]]["name"]: (row["end"] if name_of(whole, row) in printed else None,
                                                         printed.get(name_of(whole, row)))
               for row in whole["clock"]["kernels"]}
    pipes = {pipe["name"]: pipe for pipe in whole["pipes"]}
    return result.returncode, kernels, pipes, whole["clock"]


def name_of(profile, row):
    return profile["kernels"][row["kernel"]]["name"]


def compare(tools, design, simulator, seed):
    """One word: "same"; "stands", in both; "ahead", where the circuit gets further than the emulator; "inexact", where the
    clock of the emulator says that it is."""
    ends, moved, wrong = simulator.run(design.circuits, [pipe.depth for pipe in design.pipes])
    stalled, kernels, pipes, clock = emulate(tools, design)
    what, before = f"design {design.name} of seed {seed}", len(FAILURES)
    mine = [kernels.get(kernel.name, (None, None)) for kernel in design.kernels]
    stands = any(end is None for end, _ in ends)
    expect(not wrong, f"{what}: {wrong}")
    if any(doubt != STOOD_STILL for doubt in clock["doubts"]):
        return "inexact"
    if stalled and any(own is None and end is not None for (own, _), (end, _) in zip(mine, ends)):
        return "ahead"
    expect(bool(stalled) == stands, f"{what}: stands still as a circuit only")
    stuck = {pipe for kernel, (end, _) in zip(design.kernels, ends) if end is None for pipe, _ in kernel.ends}
    for kernel, own, end in zip(design.kernels, mine, ends):
        # At the other end of a pipe later iterations go on in the circuit although this one waits for good.
        if any(pipe in stuck for pipe, _ in kernel.ends):
            own, end = own[:1], end[:1]
        expect(own == end or own[0] is None and end[0] is None, f"{what}: {kernel.name} ends in {own} instead of {end}")
    for pipe, (written, _) in zip(design.pipes, moved):
        own = pipes[pipe.name]["packets"] if pipe.name in pipes else 0
        expect(stands or own == written, f"{what}: {own} packets in {pipe.name} instead of {written}")
    if len(FAILURES) > before:
        print(design.text)
    return "stands" if stands else "same"


def main():
    program, sluicec, report, verilator = sys.argv[1:5]
    count = int(sys.argv[5]) if len(sys.argv) > 5 else 100
    seed = sys.argv[6] if len(sys.argv) > 6 else "1"
    counts = {"same": 0, "stands": 0, "ahead": 0, "inexact": 0, "moved": 0}
    with tempfile.TemporaryDirectory() as folder:
        tools, simulator = Tools(program, sluicec, report, folder), circuit.Simulator(verilator, folder)
        tools.write("operators", OPERATORS + "local.copies 1\n")  # circuits take one group after the other
        for number in range(count):
            try:
                counts[compare(tools, Design(tools, number, seed), simulator, seed)] += 1
            except Moved:
                counts["moved"] += 1
    left_out = counts["ahead"] + counts["inexact"] + counts["moved"]
    expect(left_out <= count // 5, f"{left_out} designs are not compared")
    # A wake-up that is lost would look like this: of 180 designs one stands still for want of a later iteration.
    expect(counts["ahead"] <= 1 + count // 50, f"{counts['ahead']} designs stand still in the emulator only")
    print(f"{count} designs: {counts['same']} end, {counts['stands']} stand still; not compared: {counts['ahead']} that stand "
          f"still in the emulator only, {counts['inexact']} that are not exact, {counts['moved']} of which an operation "
          f"has left its loop; {len(FAILURES)} failures")
    return bool(FAILURES)


if __name__ == "__main__":
    sys.exit(main())
