#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_throughput.py RUN_DESIGN SLUICEC SLUICE-REPORT [COUNT [SEED]]: how fast the build says that designs of constant rates can
be at best, beside how fast they are: each is run for N rounds and for 2 N, and the second N take as many cycles as was said.
Those that stand still have no bound."""
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

from design_runs import FAILURES, HEAD, Tools, expect

ROUNDS = 720  # whole numbers of the periods that designs have, as a rule
STALLED = 3

TAKE_ARGUMENT = """kernel void take(read_only pipe int in __attribute__((blocking)))
{
    int x;
    for (int i = 0; i < ROUNDS; i++)
        read_pipe(in, &x);
}
"""
# Source; kernels; cycles of a round of all kernels together; what the critical cycle is said to be.
BY_HAND = [
    # The reader takes a packet every three cycles.
    ("""channel int c __attribute__((depth(2)));
kernel void give() { for (int i = 0; i < ROUNDS; i++) write_channel_intel(c, i); }
kernel void take()
{
#pragma ii 3
    for (int i = 0; i < ROUNDS; i++)
        read_channel_intel(c);
}
""", ["give", "take"], Fraction(3), "'take' goes round every 3 cycles at line 7"),
    ("""channel int c __attribute__((depth(2)));
kernel void give() { for (int i = 0; i < ROUNDS; i++) write_channel_intel(c, i); }
kernel void take()
{
    for (int i = 0; i < ROUNDS; i++)
        read_channel_intel(c);
}
""", ["give", "take"], Fraction(1), "'take' goes round every cycle at line 6"),
    # Nine cycles for the way there and back (check_cycles.py counts them), with one packet on it, and with two.
    ("""channel int there __attribute__((depth(1))), back __attribute__((depth(1)));
kernel void turn()
{
    write_channel_intel(there, 1);
    for (int i = 0; i < ROUNDS; i++)
        write_channel_intel(there, read_channel_intel(back));
}
kernel void multiply()
{
    for (int i = 0; i < ROUNDS; i++) {
        int x = read_channel_intel(there);
        write_channel_intel(back, x * x);
    }
}
""", ["turn", "multiply"], Fraction(9), "the way round: 'turn' reads back at line 7, 'turn' writes there at line 7, "
                                        "'multiply' reads there at line 12, 'multiply' writes back at line 13"),
    ("""channel int there __attribute__((depth(2))), back __attribute__((depth(2)));
kernel void turn()
{
    write_channel_intel(there, 1);
    write_channel_intel(there, 1);
    for (int i = 0; i < ROUNDS; i++)
        write_channel_intel(there, read_channel_intel(back));
}
kernel void multiply()
{
    for (int i = 0; i < ROUNDS; i++) {
        int x = read_channel_intel(there);
        write_channel_intel(back, x * x);
    }
}
""", ["turn", "multiply"], Fraction(9, 2), None),
    # Room for one packet, written in one cycle and read in the next: two cycles each.
    ("""channel int c __attribute__((depth(1)));
kernel void give() { for (int i = 0; i < ROUNDS; i++) write_channel_intel(c, i); }
kernel void take() { for (int i = 0; i < ROUNDS; i++) read_channel_intel(c); }
""", ["give", "take"], Fraction(2), "the way round: 'give' writes c at line 3 (depth 1), 'take' reads c at line 4"),
    # A round of the outer loop: 8 iterations and 3 that are speculated, II 2, of depth 1: 7 * 2 + 1 + 6 cycles, and two for
    # the packets outside of the loop. A compute unit that starts by itself passes them on, each in two cycles.
    ("""channel int c __attribute__((depth(16))), d __attribute__((depth(16))), e __attribute__((depth(16)));
__attribute__((max_global_work_dim(0), autorun)) kernel void pass() { write_channel_intel(d, read_channel_intel(c)); }
kernel void give()
{
    for (int o = 0; o < ROUNDS; o++) {
        write_channel_intel(e, o);
#pragma ii 2
#pragma speculated_iterations 3
        for (int i = 0; i < 8; i++)
            write_channel_intel(c, i);
        write_channel_intel(e, o);
    }
}
kernel void take()
{
    for (int i = 0; i < ROUNDS; i++) {
        for (int j = 0; j < 2; j++)
            read_channel_intel(e);
        for (int j = 0; j < 8; j++)
            read_channel_intel(d);
    }
}
""", ["give", "take"], Fraction(23), "'give' takes 23 cycles for a round at line 6"),
    # Work-items follow each other every two cycles: that is how often one end of a pipe is used by each.
    ("""channel int c __attribute__((depth(8)));
kernel void give()
{
    int i = (int)get_global_id(0);
    write_channel_intel(c, i);
    write_channel_intel(c, i + 1);
}
kernel void take() { for (int i = 0; i < 2 * ROUNDS; i++) read_channel_intel(c); }
""", ["give:ROUNDS", "take"], Fraction(2), None),
    # Work-items with loops: the four packets of one come in four cycles, and the one behind it begins in the fifth.
    ("""channel int c __attribute__((depth(8)));
kernel void give()
{
    int i = (int)get_global_id(0);
    for (int j = 0; j < 4; j++)
        write_channel_intel(c, i + j);
}
kernel void take() { for (int i = 0; i < 4 * ROUNDS; i++) read_channel_intel(c); }
""", ["give:ROUNDS", "take"], Fraction(4), None),
    # Two cycles apart: the loop is free for the next item in the ninth, although the last packet of the one before comes in the seventh.
    ("""channel int c __attribute__((depth(8)));
kernel void give()
{
    int i = (int)get_global_id(0);
#pragma ii 2
    for (int j = 0; j < 4; j++)
        write_channel_intel(c, i + j);
}
kernel void take() { for (int i = 0; i < 4 * ROUNDS; i++) read_channel_intel(c); }
""", ["give:ROUNDS", "take"], Fraction(8), "'give' goes round every 8 cycles at line 3"),
    # They take turns in a loop without packets, of eight iterations, and each takes one cycle of it however long it has to wait
    # for its own last product.
    ("""channel int c __attribute__((depth(8))), d __attribute__((depth(8)));
kernel void give()
{
    unsigned x = (unsigned)get_global_id(0);
    write_channel_intel(d, 1);
    for (int j = 0; j < 8; j++)
        x = x * x + 3;
    for (int j = 0; j < 3; j++)
        write_channel_intel(c, (int)x + j);
}
kernel void take()
{
    for (int i = 0; i < ROUNDS; i++) {
        read_channel_intel(d);
        read_channel_intel(c);
        read_channel_intel(c);
        read_channel_intel(c);
    }
}
""", ["give:ROUNDS", "take"], Fraction(8), "'give' goes round every 8 cycles at line 3"),
    # In a ring: an item begins every four cycles, but the answer takes longer, and two packets may be on the way.
    ("""channel int there __attribute__((depth(2))), back __attribute__((depth(2)));
kernel void turn()
{
    write_channel_intel(there, 1);
    write_channel_intel(there, 1);
    for (int i = 0; i < 2 * ROUNDS; i++)
        write_channel_intel(there, read_channel_intel(back));
}
kernel void multiply()
{
    int x = (int)get_global_id(0);
    for (int j = 0; j < 2; j++) {
        x += read_channel_intel(there);
        write_channel_intel(back, x * x);
    }
}
""", ["turn", "multiply:ROUNDS"], None, None),
    # Pipes that are arguments hold nobody up as far as the build knows, but their kernels are as slow as they are.
    ("""kernel void give(write_only pipe int out __attribute__((blocking)))
{
#pragma ii 4
    for (int i = 0; i < ROUNDS; i++)
        write_pipe(out, &i);
}
""" + TAKE_ARGUMENT, ["give%a", "take%a"], Fraction(4), "'give' goes round every 4 cycles at line 5"),
]


def check_unrolled(tools):
    """What #pragma unroll asks of loops with packets changes nothing: each iteration of the source is one, in the schedule and in
    the run; kernels alone, step by step, take as many cycles. A loop that is unrolled as a whole has none."""
    for count, known, factor, depth in ((1, True, "4", 1), (3, False, "2", 2), (5, True, "4", 3), (64, True, "8", 8), (101, False, "4", 4),
                                        (101, False, "", 1), (103, True, "4", 16)):
        trips = str(count) if known else f"n[0] + {count}"
        source = tools.write("unrolled.cl", f"""{HEAD}channel int c __attribute__((depth({depth})));
global int n[2];
kernel void give()
{{
    int x = 7;
#pragma unroll {factor}
    for (int i = 0; i < {trips}; i++) {{
        x = x * x + i;
        write_channel_intel(c, x);
    }}
}}
kernel void take()
{{
    int s = 1;
#pragma ii 2
#pragma unroll {factor}
    for (int i = 0; i < {trips}; i++)
        s = s * 3 + read_channel_intel(c);
    n[1] = s;
}}
""")
        made = subprocess.run([tools.sluicec, "--device=fpga", "-cl-std=CL3.0", "--schedule", "-", source], env=tools.environment,
                              capture_output=True, text=True, check=False)
        expect(made.returncode == 0, made.stderr)
        rows = {kernel["name"]: kernel["loops"] for kernel in json.loads(made.stdout)["kernels"]}
        profile = tools.run(source, ["give", "take"])
        expect(profile["clock"]["exact"], f"{count} of {factor}")
        got = {profile["kernels"][row["kernel"]]["name"]: (row["end"], row["loops"]) for row in profile["clock"]["kernels"]}
        if known and count <= int(factor):
            expect(not rows["give"] or rows["give"][0]["trips"] <= 1, f"{count} of {factor}: {rows}")
            continue
        write, read = rows["give"][0], rows["take"][0]
        late, freed = [0, 0], [-1] * depth
        for i in range(count):
            begin = [i * row["ii"] + row["pipes"][0]["cycle"] for row in (write, read)]
            late[0] = max(late[0], freed[i] + 1 - begin[0])
            late[1] = max(late[1], begin[0] + late[0] + 1 - begin[1])
            freed.append(begin[1] + late[1])
        for number, (name, row) in enumerate((("give", write), ("take", read))):
            end = (count - 1) * row["ii"] + row["depth"] + late[number]
            expect(len(row["pipes"]) == 1 and "unrolled" not in row and "so it is not unrolled" in row["why"], f"{count} of {factor}: {row}")
            expect(got[name] == (end, [[1, count]]), f"{count} of {factor}, {name}: {got[name]}, {end} and {count} are right")


class Kernel:
    def __init__(self, number, rate, pick):
        self.name, self.rate, self.pick = f"k{number}", rate, pick  # rounds for one of the design
        self.ends = []                                              # (pipe, write, packets in a round)
        self.before = []                                            # lines in front of the loop

    def move(self, pipe, write):
        again = f"x = x * {self.pick.choice([3, 5])} + 1; " if self.pick.random() < 0.3 else ""
        return again + (f"write_channel_intel({pipe}, x);" if write else f"x += read_channel_intel({pipe});")

    def loop(self, indent, packets, ends):
        pragma = [f"#pragma ii {self.pick.randint(2, 4)}"] if self.pick.random() < 0.3 else []
        return pragma + [f"{indent}for (int i = 0; i < {packets}; i++) {{",
                         *[f"{indent}    {self.move(pipe, write)}" for pipe, write in ends], indent + "}"]

    def body(self):
        """Of a round: lines, or loops inside."""
        lines, ends = [], self.pick.sample(self.ends, len(self.ends))
        straight = self.pick.random() < 0.5
        while ends:
            packets = ends[0][2]
            if straight or packets == 1:
                pipe, write, _ = ends.pop(0)
                lines += ["        " + self.move(pipe, write)] * packets
                continue
            together = [end for end in ends if end[2] == packets and (end is ends[0] or self.pick.random() < 0.5)]
            ends = [end for end in ends if end not in together]
            lines += self.loop("        ", packets, [end[:2] for end in together])
        return lines

    def text(self):
        body = self.body()
        inside = any("for (" in line for line in body)
        pragma = []
        if not inside and self.pick.random() < 0.3:
            pragma = [f"#pragma ii {self.pick.randint(2, 6)}"]
        if inside and len(self.ends) == 1 and self.pick.random() < 0.7:
            pragma = ["#pragma loop_coalesce"]
        return "\n".join([f"kernel void {self.name}()", "{", "    int x = 1;", *self.before, *pragma,
                          f"    for (int o = 0; o < {self.rate} * ROUNDS; o++) {{", *body, "    }",
                          '    printf("%d\\n", x & 0);', "}"])


def make_design(pick):
    """Kernels in a chain with branches, each with a rate of its own, and sometimes a ring."""
    kernels = [Kernel(i, pick.choice([1, 1, 2, 3]), pick) for i in range(pick.randint(2, 5))]
    pipes = []

    def join(origin, to, ahead):
        name = f"c{len(pipes)}"
        packets = math.lcm(origin.rate, to.rate) * pick.choice([1, 1, 2])
        most = max(packets // origin.rate, packets // to.rate)
        depth = max(pick.choice([1, 2, 3, 5, 8, 16]), most if pick.random() < 0.7 else 1)
        if ahead:
            ahead = packets // to.rate * pick.randint(1, 4)
            origin.before += [f"    for (int i = 0; i < {ahead}; i++) write_channel_intel({name}, i);"]
            depth = max(depth, ahead)
        pipes.append((name, depth))
        origin.ends.append((name, True, packets // origin.rate))
        to.ends.append((name, False, packets // to.rate))

    for to in range(1, len(kernels)):
        for origin in set(pick.choices(range(to), k=pick.randint(1, 2))):
            join(kernels[origin], kernels[to], False)
    if pick.random() < 0.5:
        origin, to = sorted(pick.sample(range(len(kernels)), 2), reverse=True)
        join(kernels[origin], kernels[to], True)
    text = HEAD + "".join(f"channel int {name} __attribute__((depth({depth})));\n" for name, depth in pipes)
    return kernels, text + "\n".join(kernel.text() for kernel in kernels) + "\n"


def bounds_of(tools, text):
    return tools.schedule(tools.write("bound.cl", text.replace("ROUNDS", str(ROUNDS))))["bounds"]


def cycles_of(tools, text, kernels, rounds):
    """None: it stands still."""
    profile = os.path.join(tools.folder, "run.json")
    source = tools.write("run.cl", text.replace("ROUNDS", str(rounds)))
    environment = {**tools.environment, "SLUICE_FPGA_PROFILE": profile, "SLUICE_FPGA_ON_STALL": "error",
                   "SLUICE_FPGA_STALL_MS": "200"}
    result = subprocess.run([tools.program, source, tools.options, *[name.replace("ROUNDS", str(rounds)) for name in kernels]],
                            capture_output=True, text=True, env=environment, check=False, timeout=120)
    if result.returncode == STALLED:
        return None
    expect(result.returncode == 0, f"{result.returncode} {result.stderr}\n{text}")
    with open(profile, encoding="utf-8") as file:
        clock = json.load(file)["clock"]
    expect(clock["exact"], "the clock is not exact")
    return clock["cycles"]


def in_words(tools, text):
    """The page."""
    source = tools.write("words.cl", text.replace("ROUNDS", str(ROUNDS)))
    module, page = (os.path.join(tools.folder, name) for name in ("words.bin", "words.html"))
    subprocess.run([tools.sluicec, "--device=fpga", "-o", module, "-sluice-timing", source], env=tools.environment, check=True,
                   capture_output=True)
    subprocess.run([tools.report, module, "-o", page], check=True, capture_output=True)
    with open(page, encoding="utf-8") as file:
        return file.read()


def check_by_hand(tools):
    for number, (text, kernels, cycles, why) in enumerate(BY_HAND):
        text = HEAD + text
        bounds = bounds_of(tools, text)
        if "_pipe(" in text:  # which kernels they join is not known
            expect([bound["pipes"] for bound in bounds] == [[{"pipe": "out", "kernel": "give", "packets": 1}],
                                                             [{"pipe": "in", "kernel": "take", "packets": 1}]], bounds)
            bounds = bounds[:1]
        expect(len(bounds) == 1, f"hand {number}: {bounds}")
        rounds = {row["kernel"]: row["rounds"] for row in bounds[0]["kernels"]}
        said = Fraction(bounds[0]["cycles"], rounds["multiply" if cycles is None else "give" if "give" in rounds else "turn"])
        cycles = said if cycles is None else cycles  # the run alone says whether it is right
        expect(said == cycles, f"hand {number}: {said} instead of {cycles}")
        expect(why is None or bounds[0]["why"] == why, f"hand {number}: {bounds[0]['why']}")
        took = [cycles_of(tools, text, kernels, ROUNDS * n) for n in (1, 2)]
        expect(took[1] - took[0] == cycles * ROUNDS, f"hand {number}: {took} is not {cycles} for a round")
        page = in_words(tools, text)
        expect(bounds[0]["why"].replace("'", "&#39;") in page or bounds[0]["why"] in page, f"hand {number}: not on the page")


def check_random(tools, count, seed):
    met = stands = 0
    for number in range(count):
        kernels, text = make_design(random.Random(f"{seed} {number}"))
        what = f"design {number} of seed {seed}"
        names = [kernel.name for kernel in kernels]
        bounds = bounds_of(tools, text)
        took = [cycles_of(tools, text, names, ROUNDS * n) for n in (1, 2)]
        if None in took:
            expect(not bounds, f"{what} stands still, and is said to be as fast as {bounds}\n{text}")
            stands += 1
            continue
        expect(len(bounds) == 1, f"{what}: {bounds}\n{text}")
        rounds = {row["kernel"]: row["rounds"] for row in bounds[0]["kernels"]} if bounds else {names[0]: 1}
        said = Fraction(bounds[0]["cycles"] if bounds else 0, rounds[names[0]]) * kernels[0].rate * ROUNDS
        expect(took[1] - took[0] == said, f"{what}: {took[1] - took[0]} cycles and not {float(said)}: {bounds}\n{text}")
        met += 1
    expect(met > count // 2, f"only {met} designs of {count} end")
    print(f"{met} designs are as fast as was said, {stands} stand still")


def main():
    program, sluicec, report = sys.argv[1:4]
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 10
    seed = int(sys.argv[5]) if len(sys.argv) > 5 else 35
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(program, sluicec, report, folder)
        check_by_hand(tools)
        tools.options += " -cl-std=CL3.0"
        check_unrolled(tools)
        tools.options = tools.options.replace(" -cl-std=CL3.0", "")
        check_random(tools, count, seed)
    print(f"{len(FAILURES)} failures")
    return bool(FAILURES)


if __name__ == "__main__":
    sys.exit(main())
