#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_nests.py RUN_DESIGN SLUICEC SLUICE-REPORT [COUNT [SEED]]: random nests of loops that `continue`, `break`, `goto` and
`return` leave and go on with, so that several share the code of their ends; with variables of their own in scopes, packets
that they are read from, and flags that leave several loops. They are run here as well: how often each loop of the source was
entered and went round, what comes out, and the cycles by the rows of the schedule."""
import json
import random
import subprocess
import sys
import tempfile

from design_runs import FAILURES, HEAD, Tools, expect

# `return` has the pipe's packets and the sum, too: nothing takes time outside of loops but operations on pipes.
OPERATORS = "integer.add 0\ninteger.multiply 3\nglobal.load 10\nglobal.store 4\npipe.read 1\npipe.write 1\n"
WORD = 0xFFFFFFFF
FACTOR, TERM, GIVEN = 1664525, 1013904223, 2654435761
MOST_STEPS = 4000
KERNELS = 8  # of a program
ELSEWHERE = ["a loop or an operation was come to that the schedule has elsewhere only"]


def given(number):
    return number * GIVEN + TERM & WORD


class TooLong(Exception):
    pass


class Leave(Exception):
    """To the begin of the next round of a loop, or behind it; of none: to the kernel's end."""

    def __init__(self, loop, again):
        super().__init__()
        self.loop, self.again = loop, again


class Chance:
    """So many of eight."""

    def __init__(self, rng, most=7):
        self.shift, self.of = rng.choice(rng.shifts), rng.randrange(1, most + 1)
        self.text = f"(x >> {self.shift} & 7) < {self.of}"

    def is_so(self, x):
        return (x >> self.shift & 7) < self.of


class Step:
    def write(self, out, depth):
        out.add(depth, f"x = x * {FACTOR}u + {TERM}u;")

    def run(self, state):
        state.step()

    def graph(self, flow, behind):
        return flow.add(self, behind)


class Own(Step):
    """The same by a variable of the scope's own, to whose end all ways out of the scope come."""

    def __init__(self, nest):
        self.name = nest.name("own")

    def write(self, out, depth):
        out.add(depth, f"uint {self.name} = x * {FACTOR}u; x = {self.name} + {TERM}u;")


class Packet:
    def write(self, out, depth):
        self.line = out.add(depth, f"write_channel_intel(c{out.number}, x);")

    def run(self, state):
        state.packet(self)

    def graph(self, flow, behind):
        return flow.add(self, behind)


class Read(Packet):
    def __init__(self, nest):
        self.name = nest.name("got") if nest.rng.random() < 0.7 else ""

    def write(self, out, depth):
        read = f"read_channel_intel(r{out.number})"
        self.line = out.add(depth, f"uint {self.name} = {read}; x ^= {self.name};" if self.name else f"x ^= {read};")

    def run(self, state):
        state.x ^= given(state.read)
        state.read += 1
        state.packet(self)


class Choice:
    def __init__(self, rng, sides):
        self.chance, self.sides = Chance(rng), sides

    def write(self, out, depth):
        out.add(depth, f"if ({self.chance.text}) {{")
        out.write(self.sides[0], depth + 1)
        if self.sides[1]:
            out.add(depth, "} else {")
            out.write(self.sides[1], depth + 1)
        out.add(depth, "}")

    def run(self, state):
        so = self.chance.is_so(state.x)
        state.asked(self, so)
        state.run(self.sides[0 if so else 1])

    def graph(self, flow, behind):
        return flow.add(self, *[flow.row(side, behind) for side in self.sides])


class Exit:
    """`loop`: None: the kernel ends."""

    def __init__(self, rng, around, ends=False):
        self.chance = Chance(rng, 3)
        self.loop = around[-1] if ends else rng.choice(around + around[-1:] + [None])
        self.again = self.loop is not None and not ends and rng.random() < 0.6
        self.near = self.loop is around[-1] and self.loop.kind != "goto" and rng.random() < 0.8
        if self.loop is not None:
            self.loop.ends |= not self.again
            if not self.near:
                self.loop.named.add(self.again)

    def leaves(self, loop):
        return self.loop is not loop or not self.again

    def word(self, out):
        if self.loop is None:
            return out.end
        if not self.near:
            return f"goto {'next' if self.again else 'behind'}{self.loop.number}"
        return "continue" if self.again else "break"

    def write(self, out, depth):
        out.add(depth, f"if ({self.chance.text}) {self.word(out)};")

    def is_so(self, state):
        return self.chance.is_so(state.x)

    def run(self, state):
        so = self.is_so(state)
        state.asked(self, so)
        if so:
            raise Leave(self.loop, self.again)

    def graph(self, flow, behind):
        """The code in front of `behind`, which comes next."""
        there = flow.end if self.loop is None else flow.ways[self.loop][0 if self.again else 1]
        return flow.add(self, there, behind)


class Flag:
    """What `Raise` says to those behind the loop that it leaves. A row of three parts: it is declared, the loop, the question."""

    def __init__(self, nest):
        self.name, self.raised, self.depth = nest.name("flag"), False, len(nest.around) + 1  # in that loop only

    def write(self, out, depth):
        out.add(depth, f"bool {self.name} = false;")

    def run(self, state):
        state.flags[self] = False

    def graph(self, flow, behind):
        return flow.add(self, behind)


class Raise(Exit):
    def __init__(self, rng, around, flag):
        super().__init__(rng, around, True)
        self.flag, flag.raised = flag, True

    def write(self, out, depth):
        out.add(depth, f"if ({self.chance.text}) {{ {self.flag.name} = true; {self.word(out)}; }}")

    def run(self, state):
        state.flags[self.flag] = self.chance.is_so(state.x)
        super().run(state)


class Raised(Exit):
    def __init__(self, rng, around, flag):
        super().__init__(rng, around)
        self.flag = flag

    def write(self, out, depth):
        out.add(depth, f"if ({self.flag.name}) {self.word(out)};")

    def is_so(self, state):
        return state.flags[self.flag]


class Loop:
    def __init__(self, rng, nest):
        self.kind = rng.choice(["for", "while", "do", "ever", "forever", "step", "goto"])
        self.number = nest.count = nest.count + 1
        self.chance, self.named, self.line, self.ends = Chance(rng, 6), set(), 0, False
        self.inside = nest.body(self)
        # Some never come to their end; so one around them that only goes on behind them is no loop.
        if self.kind in ("ever", "forever"):
            self.inside += [Step()] if self.ends or rng.random() < 0.3 else [Step(), Exit(rng, [self], True), Step()]
        elif self.kind not in ("do", "goto") and not (rng.sly and rng.random() < 0.5 or any(isinstance(part, Step) for part in self.inside)):
            self.inside.append(Step())  # or the question is the same for ever

    def write(self, out, depth):
        ask = self.chance.text
        head = {"for": f"for (uint i = 0; {ask}; i++) {{", "while": f"while ({ask}) {{", "do": "do {", "ever": "while (true) {",
                "forever": "for (;;) {", "step": f"for (; {ask}; x = x * {FACTOR}u + {TERM}u) {{", "goto": f"again{self.number}: x = x * {FACTOR}u + {TERM}u;"}[self.kind]
        self.line = out.add(depth, head)
        out.write(self.inside, depth + 1)
        if True in self.named:
            out.add(depth, f"next{self.number}:;")
        out.add(depth, {"do": f"}} while ({ask});", "goto": f"if ({ask}) goto again{self.number};"}.get(self.kind, "}"))
        if False in self.named:
            out.add(depth, f"behind{self.number}:;")

    def run(self, state):
        state.begin(self)
        again = True
        while again:
            if self.kind in ("for", "while", "step"):
                again = self.chance.is_so(state.x)
                state.asked(self, again)
                if not again:
                    break
            if self.asks is None:
                state.round(self)
            try:
                if self.kind == "goto":
                    state.step()
                for part in self.inside:
                    part.run(state)
            except Leave as leave:
                if leave.loop is not self:
                    state.end(self)
                    raise
                again = leave.again
            if again and self.kind == "step":
                state.step()
            if again and self.kind in ("do", "goto"):
                again = self.chance.is_so(state.x)
                state.asked(self, again)
        state.end(self)

    def graph(self, flow, behind):
        """Which of its code leads to its begin again, and what asks first whether there is another round."""
        first = len(flow.nodes)
        if self.kind in ("for", "while", "step"):
            top = flow.add(self, None, behind)
            last = flow.add(Step(), top) if self.kind != "while" else top
            flow.ways[self] = (last, behind)
            flow.nodes[top][1][0] = flow.row(self.inside, last)
        elif self.kind in ("do", "goto"):
            last = flow.add(self, None, behind)
            flow.ways[self] = (last, behind)
            top = flow.add(Step() if self.kind == "goto" else None, flow.row(self.inside, last))
            flow.nodes[last][1][0] = top
        else:
            top = flow.add(None, None)
            flow.ways[self] = (top, behind)
            flow.nodes[top][1][0] = flow.row(self.inside, top)
        flow.settle(self, top, range(first, len(flow.nodes)))
        return top


class Nest:
    """The loops of a kernel."""

    def __init__(self, rng, packets):
        self.rng, self.count, self.around, self.packets = rng, 0, [], packets
        self.names, self.flags, self.flagged = 0, [], False
        self.parts = [Step(), Loop(rng, self)]

    def name(self, kind):
        self.names += 1
        return f"{kind}{self.names}"

    def step(self, reads=False):
        """That changes x."""
        if reads and self.packets:
            return Read(self)
        return Own(self) if self.rng.random() < 0.3 else Step()

    def exit(self):
        flag = self.flags[-1] if self.flags else None
        if flag and flag.depth == len(self.around) and self.rng.random() < 0.7:
            return Raise(self.rng, self.around, flag)
        return Exit(self.rng, self.around)

    def loop(self):
        """Sometimes with a flag."""
        if not self.around or self.rng.random() < 0.6:
            return [Loop(self.rng, self)]
        flag = Flag(self)
        self.flags.append(flag)
        loop = Loop(self.rng, self)
        self.flags.pop()
        self.flagged |= flag.raised
        return [flag, loop, Raised(self.rng, self.around, flag)] if flag.raised else [loop]

    def body(self, loop=None):
        rng = self.rng
        if loop:
            self.around.append(loop)
        parts = [self.step(rng.random() < 0.5)] if rng.random() < 0.7 else []
        for _ in range(rng.randrange(1, 4)):
            what = rng.random()
            if what < 0.4 and len(self.around) < 3 and self.count < 6:
                parts += self.loop()
            elif what < 0.65:
                # Else what was asked before may tell that a way out is none, and the loop lies outside of another one.
                parts += ([] if rng.sly and rng.random() < 0.5 else [self.step()]) + [self.exit()]
            elif what < 0.75 and len(self.around) < 4 and self.count < 6:
                parts.append(Choice(rng, [self.body(), self.body() if rng.random() < 0.4 else []]))
            elif what < 0.85 and self.packets:
                parts.append(Read(self) if rng.random() < 0.5 else Packet())
            else:
                parts.append(self.step())
        if loop:
            self.around.pop()
        return parts


class Flow:
    """Which code comes behind which: of each node its part and what may follow, first where a question is answered by yes."""

    def __init__(self, parts):
        self.nodes, self.ways, self.end = [(None, [])], {}, 0
        self.row(parts, self.end)

    def add(self, part, *behind):
        self.nodes.append((part, list(behind)))
        return len(self.nodes) - 1

    def row(self, parts, behind):
        for part in reversed(parts):
            behind = part.graph(self, behind)
        return behind

    def settle(self, loop, top, own):
        """`own`: all that stands in the loop. What does not lead to its begin again is behind it. A round begins behind the
        question whether there is one if that is what the loop does first beside straight code without packets, and not what it
        does last."""
        reached, inside, more = set(), set(), {top}
        while more:
            reached |= more
            more = {n for m in more for n in self.nodes[m][1]} & set(own) - reached
        own, more = reached, {top}
        while more:
            inside |= more
            more = {n for n in own if n not in inside and inside & set(self.nodes[n][1])}
        at = top
        while not isinstance(self.nodes[at][0], Packet) and len(self.nodes[at][1]) == 1 and self.nodes[at][1][0] != top and sum(self.nodes[at][1][0] in self.nodes[n][1] for n in own) == 1:
            at = self.nodes[at][1][0]
        part, follow = self.nodes[at]
        leaves = [n not in inside for n in follow]
        last = self.before(top, inside)
        while len(last) == 1 and self.nodes[last[0]][0] is None and last[0] != top:
            last = self.before(last[0], inside)
        loop.asks = part if len(follow) == 2 and leaves[0] != leaves[1] and last != [at] else None
        loop.stays = leaves[-1]

    def before(self, node, inside):
        return [n for n in inside if node in self.nodes[n][1]]


class Text:
    def __init__(self, lines):
        self.lines, self.number, self.end = lines, 0, ""

    def add(self, depth, line):
        self.lines.append(4 * depth * " " + line)
        return len(self.lines)

    def write(self, parts, depth):
        for part in parts:
            part.write(self, depth)


class Run:
    """What happens in a kernel: the loops begun, each with its rounds, and of each packet the loops that it is written in:
    none whose question whether there is a round comes behind it in the first one."""

    def __init__(self, x):
        self.x, self.steps, self.packets, self.read, self.visits, self.open, self.flags = x, 0, [], 0, [], [], {}

    def tick(self):
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooLong()

    def step(self):
        self.x = self.x * FACTOR + TERM & WORD
        self.tick()

    def packet(self, part):
        self.packets.append([part] + [visit for visit in map(self.visits.__getitem__, self.open) if visit[1]])

    def asked(self, part, so):
        for visit in map(self.visits.__getitem__, self.open):
            if visit[0].asks is part and visit[0].stays == so:
                visit[1] += 1
                self.tick()

    def begin(self, loop):
        self.open.append(len(self.visits))
        self.visits.append([loop, 0])

    def round(self, loop):
        assert self.visits[self.open[-1]][0] is loop
        self.visits[self.open[-1]][1] += 1
        self.tick()

    def end(self, loop):
        assert self.visits[self.open.pop()][0] is loop

    def run(self, parts):
        for part in parts:
            part.run(self)


def make_kernel(rng, packets):
    """A nest, and its run; one that ends."""
    while True:
        nest, x = Nest(rng, packets), rng.randrange(1 << 32)
        Flow(nest.parts)
        run = Run(x)
        try:
            run.run(nest.parts)
        except Leave:
            pass
        except TooLong:
            continue
        if nest.count > 1 and run.steps > 20:
            return nest, x, run


def write_program(kernels):
    out = Text([HEAD.strip(), "global uint found[%d];" % KERNELS])
    for number, (nest, x, run) in enumerate(kernels):
        out.number, out.end = number, "goto end" if number & 1 else "{ found[%d] = x; return; }" % number
        if nest.packets:
            out.add(0, f"channel uint c{number} __attribute__((depth(8192)));")
            out.add(0, f"channel uint r{number} __attribute__((depth(8192)));")
            out.add(0, f"kernel void take{number}(global uint *p) {{ for (uint i = 0; i < {len(run.packets) - run.read}; i++) p[i] = read_channel_intel(c{number}); }}")
            out.add(0, f"kernel void give{number}() {{ for (uint i = 0; i < {run.read}; i++) write_channel_intel(r{number}, i * {GIVEN}u + {TERM}u); }}")
        out.add(0, f"kernel void k{number}()")
        out.add(0, "{")
        out.add(1, f"uint x = {x}u;")
        out.write(nest.parts, 1)
        if number & 1:
            out.add(0, "end:")
        out.add(1, f"found[{number}] = x;")
        out.add(0, "}")
    out.add(0, "kernel void before() { for (uint i = 0; i < %d; i++) found[i & 3] = i; }" % (2 * MOST_STEPS))  # until all is given
    out.add(0, 'kernel void tell() { for (int i = 0; i < %d; i++) printf("%%d %%u\\n", i, found[i]); }' % len(kernels))
    return "\n".join(out.lines) + "\n"


def cycles_of(run, rows):
    """Loops that have loops inside take the time of these; a packet outside of the innermost ones is a cycle."""
    leaves = {rows[i]["line"] for i in range(len(rows))} - {rows[row["parent"]]["line"] for row in rows if row["parent"] >= 0}
    row_at = {row["line"]: row for row in rows}
    # What happens in the last round only, as the compiler finds, is behind the loop.
    inside = {line: {step["line"] for step in row["pipes"]} for line, row in row_at.items()}
    cycles = sum(not any(loop.line in leaves and part.line in inside[loop.line] for loop, _ in around) for part, *around in run.packets)
    for loop, rounds in run.visits:
        if loop.line in leaves and rounds:
            cycles += (rounds - 1) * row_at[loop.line]["ii"] + row_at[loop.line]["depth"]
    return cycles


def check_program(tools, rng, number):
    """Whether it is exact."""
    # Where questions are much alike the compiler may find more about loops than their text says.
    rng.sly = number % 4 == 3
    rng.shifts = [13, 19, 25] if rng.sly else range(10, 29)
    kernels = [make_kernel(rng, rng.random() < 0.5) for i in range(KERNELS)]
    text = write_program(kernels)
    source = tools.write("nests.cl", text)
    made = subprocess.run([tools.sluicec, "--device=fpga", "-cl-std=CL3.0", "--schedule", "-", source], env=tools.environment,
                          capture_output=True, text=True, check=False)
    expect(made.returncode == 0, made.stderr)
    schedule = {row["name"]: row["loops"] for row in json.loads(made.stdout)["kernels"]}
    names = [f"k{i}" for i in range(len(kernels))]
    profile, lines = tools.run_printing(source, ["before"] + ["+" + name for name in names] + ["+tell"] + [
        name for i, (nest, _, _) in enumerate(kernels) if nest.packets for name in (f"take{i}%A", f"give{i}")])
    expect(lines == sorted(f"{i} {run.x}" for i, (_, _, run) in enumerate(kernels)), f"{number}: {lines}: {text}")
    clock = {profile["kernels"][row["kernel"]]["name"]: row for row in profile["clock"]["kernels"]}
    before = clock["before"]["end"]
    if not profile["clock"]["exact"]:
        sly = rng.sly or any(nest.flagged for nest, _, _ in kernels)  # what a flag says a compiler may know
        expect(sly and profile["clock"]["doubts"] == ELSEWHERE, f"{number}: {profile['clock']['doubts']}: {text}")
        return False
    for name, (_, _, run) in zip(names, kernels):
        rows = schedule[name]
        lines = text.split(f"void {name}()")[1].split("kernel void")[0]
        told = {row["line"]: tuple(times) for row, times in zip(rows, clock[name]["loops"])}
        right = {}
        for loop, rounds in run.visits:
            entered, all_rounds = right.get(loop.line, (0, 0))
            right[loop.line] = (entered + 1, all_rounds + rounds)
        expect(len(told) == len(rows), f"{number} {name}: two loops have one line: {[row['line'] for row in rows]}: {lines}")
        expect({line: right.get(line, (0, 0)) for line in told} == told, f"{number} {name}: {told} is not {right}: {lines}")
        cycles = cycles_of(run, rows)
        got = clock[name]["end"] - clock[name]["begin"]
        expect(got == cycles, f"{number} {name}: {got} cycles, {cycles} are right: {told} {lines}")
        before += cycles
        expect(clock[name]["end"] == before, f"{number} {name}: ends in {clock[name]['end']}, {before} is right")
    return True


def main():
    count, seed = (int(argument) for argument in (sys.argv[4:6] + ["8", "1"][len(sys.argv[4:6]):]))
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(*sys.argv[1:4], folder)
        tools.options += " -cl-std=CL3.0"
        tools.environment["SLUICE_FPGA_OPERATORS"] = tools.write("operators", OPERATORS)
        exact = sum(check_program(tools, random.Random(1000 * seed + number), number) for number in range(count))
        expect(exact >= count - count // 8 - 1, f"{count - exact} of {count} programs are not exact")
    sys.exit(1 if FAILURES else 0)


main()
