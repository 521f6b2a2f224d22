#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_ahead.py RUN_DESIGN [COUNT [SEED]]: random designs whose operations all wait, so that with a clock kernels run ahead of
it, some of them two or three times; in a third of them all kernels do the same for long, joined by narrow pipes, and in some
others rounds have nothing to do with each other, and deep pipes join slow and fast kernels. Some go round several times where others do once. Some use tables, and variables at program scope and buffers, each its own, and one that all of them read. Each runs
without a clock; with it; with it and a trace, and with it and a seed, where
nothing runs ahead. What kernels print, which of them end, reports of those that do not, cycles and packets are the same."""
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

from ahead_designs import (BETWEEN_ROWS, BOTH, BUFFERS, BURSTS, BY_DATA, CAST, COPIES, COUNTED, ELEMENTS, FED, FOUND, HEAD, IN_LOOPS, ONCE, ONE_BY_DATA,
                           READERS, READ_AHEAD, SHARES, STANDS_FAR, STANDS_INSIDE, STANDS_STILL, TOLD, UNSAID, WRITTEN_AHEAD)

# Packets of several numbers: how one is made of x and n, and what a kernel takes of it, v.
WIDE = {"int4": ("(int4)(x, x + 1, x ^ 5, n)", "v.x + v.z * v.w"), "int16": ("(int16)(x, n, x ^ n, n, (int4)(n), (int8)(x + 3))", "v.s0 + v.s2 * v.sf"),
        "Three": ("(Three){x, n, {n, x >> 3}}", "v.a + v.b * v.c[1] + v.c[0]"),
        "Many": ("(Many){x, {n, x ^ n, 7, n + 1}}", "(int)v.a + v.b[1] * v.b[3]")}
STALLED = 3
FAILURES = []


class Pipe:
    def __init__(self, number, pick):
        self.name = f"c{number}"
        self.type = pick.choice(["int", "int", "int", "int", "short", "long", "int4", "int16", "Three", "Many"])
        self.depth = pick.choice([1, 1, 2, 3, 4, 8, 16, 32, 64, 200])
        self.mask = pick.choice([0, 0, 0, 0, 1, 3])  # used in rounds n with !(n & mask)
        self.times = pick.choice([1] * 12 + [2, 3, 5, 6, 8, 9, 12, 40])  # so often in each of them
        self.often = None  # or as often as the round's number says

    def write(self):
        value = {**{name: made for name, (made, _) in WIDE.items()}, "short": "(short)(x >> 3)", "long": "(long)x * 977"}.get(self.type, "x")
        return f"write_channel_intel({self.name}, {value});"

    def read(self):
        if self.type in WIDE:
            return f"{{ {self.type} v = read_channel_intel({self.name}); x = x * 31 + {WIDE[self.type][1]}; }}"
        return f"x = x * 31 + (int)read_channel_intel({self.name});"


def parts(pick, rounds):
    """Rounds as several loops."""
    cuts = sorted(pick.randrange(rounds + 1) for _ in range(pick.choice([0, 0, 1, 2, 3])))
    return [b - a for a, b in zip([0] + cuts, cuts + [rounds]) if b > a]


NESTS = {6: [(2, 3), (3, 2)], 8: [(2, 4), (2, 2, 2), (8, 1)], 9: [(3, 3)], 12: [(3, 4), (2, 3, 2)], 40: [(5, 8)]}


def several(pick, text, times):
    """The operation so often: written out, in a loop, or a nest, with more around it or not."""
    around = pick.random() < 0.5
    if 1 < times <= 12 and pick.random() < 0.4:
        return "".join(f" {text} x = x * 3 + {n};" if around else f"\n            {text}" for n in range(times))
    counts = pick.choice(NESTS.get(times, []) + [(times,)]) if times > 1 else ()
    for depth, count in reversed(list(enumerate(counts))):
        before, behind = (f"x ^= b{depth} + 5; ", f" x = x * 3 + b{depth};") if around else ("", f" x += b{depth};")
        text = f"for (int b{depth} = 0; b{depth} < {count}; b{depth}++) {{ {before}{text}{behind} }}"
    return text


# How often in round n, up to 40 times.
OFTEN = ["(n & 7)", "(n * 5 >> 1 & 3)", "(n % 3 ? 1 : 20)", "(n & 16 ? n & 15 : 0)", "((uint)n * 2654435761u >> 27)", "(n & 63 ? 2 : 40)"]


def as_often(pick, text, often):
    """The operation that often, as a loop or another, with more around it or in two of them or not."""
    more = pick.choice(["", " x += q;", " x ^= window[q & 7];", " if (x & 8) x += 3;"])
    form = pick.choice(["for (int q = 0; q < K; q++) { OP }", "for (int q = 0, m = K; q < m; q++) { OP }", "for (int q = K; q > 0; q--) { OP }",
                        "{ int q = K; while (q) { OP q--; } }", "if (K) { int q = 0; do { OP } while (++q < K); }",
                        "for (int b = 0; b < K; b += 4) for (int q = b; q < min(b + 4, (int)K); q++) { OP }",
                        "for (int q = 0; q < (K + 1) / 2; q++) { OP } for (int q = 0; q < K / 2; q++) { OP }"])
    return form.replace("OP", text + more).replace("K", often)


class Kernel:
    def __init__(self, number, pick):
        self.name, self.pick = f"k{number}", pick
        self.operations = []  # pipe, whether it writes; in each round
        self.autorun = self.even = False  # even: the same in all rounds
        self.apart = False  # nothing of a round is used in the next one
        self.spread = 1  # so many rounds do what is one of others

    def body(self, indent):
        """Of round n, in some order: reads first in most cases."""
        pick, order = self.pick, list(self.operations)
        pick.shuffle(order)
        if pick.random() < 0.8:
            order.sort(key=lambda o: o[1])
        lines = ["x = n * 7;"] if self.apart else []
        inner = ["inner", "nest", "long", "both", "some", "until", "perhaps", "varied"]
        if self.even or self.apart:
            kind = pick.choice(["none"] * 4 + inner)
        else:
            kind = pick.choice(["none", "none", "none", "private", "local", "loop", "choice", "own", "own", "table"] + inner + ["buffer", "buffer", "given"] * (not self.autorun))
        for pipe, writes in order:
            text = pipe.write() if writes else pipe.read()
            if pipe.often:
                lines.append(as_often(pick, text, pipe.often))
                continue
            each = pipe.times // self.spread
            first = pick.randrange(1, each) if each > 1 and pick.random() < 0.25 else 0  # the others elsewhere in the round
            for times in (first, each - first):
                now = several(pick, text, times) if times else ""
                now = f"if ((n & {pipe.mask}) == 0) {{ {now} }}" if pipe.mask else now
                lines.insert(pick.randrange(len(lines) + 1) if times == first else len(lines), now)
        extra = {"private": "window[n & 7] = x; x += window[(n + 3) & 7];",
                 "local": "shared[n & 15] ^= x; x += shared[(n + 5) & 15];",
                 "loop": "for (int j = 0; j < (n & 3); j++) x = x * 5 + j;",
                 "choice": "if (x & 4) x += 3; else x ^= 77;",
                 "own": f"own_{self.name}[n & 15] ^= x; x += own_{self.name}[(n + 5) & 15];",
                 "buffer": "memory[n & 31] ^= x; x += memory[(n + 5) & 31];",
                 "given": "x += given[x & 31] + n;",
                 "inner": "for (int j = 0; j < 7; j++) x = (x >> 1) ^ (x * j + window[j]);",
                 "nest": "for (int j = 0; j < 3; j++) for (int k = 0; k < 2; k++) x = (x ^ window[j + k]) * 3 + k;",
                 "long": "for (int j = 0; j < 70; j++) x = (x >> 1) ^ (x * 3 + shared[j & 15]);",
                 "some": "for (int j = 0; j < (x & 7); j++) x = x * 5 + j;",
                 "until": "for (uint t = (uint)x >> 22; t; t >>= 3) x += (int)t * 3;",
                 "perhaps": "if (x & 2) for (int j = 0; j < (x & 12); j++) x = x * 3 + window[j & 7];",
                 "table": "x += table[x & 7];"}
        for name in {"both": ("inner", "nest"), "varied": ("some", "inner", "until", "perhaps")}.get(kind, (kind,)):
            if name in extra:
                lines.insert(pick.randrange(len(lines) + 1), extra[name])
        return "".join(f"{indent}{line}\n" for line in lines)

    def source(self, rounds):
        pick, text, first = self.pick, "", 0
        rounds *= self.spread
        if self.autorun:
            return ("__attribute__((max_global_work_dim(0))) __attribute__((autorun))\n"
                    f"kernel void {self.name}(void)\n{{\n    int x = 1, n = 0;\n    int window[8] = {{0}};\n"
                    "    local int shared[16];\n    for (int j = 0; j < 16; j++)\n        shared[j] = 0;\n"
                    f"    while (1) {{\n{self.body('        ')}        n++;\n    }}\n}}\n")
        for count in [rounds] if self.even else parts(pick, rounds):
            pragma = pick.choice(["", "", "", "#pragma ii 3\n", "#pragma ii 2\n"])
            if self.apart:
                pragma = pick.choice(["", "", "#pragma ii 2\n", "#pragma ii 4\n", "#pragma ii 7\n"])
            inner = 1 if self.even or self.apart else pick.choice([1, 1, 4, 16])
            if inner > 1 and count >= inner:
                text += (f"    for (int o = 0; o < {count // inner}; o++)\n{pragma}        for (int i = 0; i < {inner}; i++) {{\n"
                         f"            int n = {first} + o * {inner} + i;\n{self.body('            ')}        }}\n")
                first += count // inner * inner
                count %= inner
            if count:
                text += (f"{pragma}    for (int n = {first}; n < {first + count}; n++) {{\n{self.body('        ')}    }}\n")
                first += count
            if pick.random() < 0.2:
                text += f'    printf("{self.name} at {first} %d\\n", x);\n'
        return (f"kernel void {self.name}(global int *memory, global const int *given)\n{{\n    int x = 1;\n    int window[8] = {{0}};\n    local int shared[16];\n"
                f"    for (int j = 0; j < 16; j++)\n        shared[j] = 0;\n{text}    printf(\"{self.name} %d\\n\", x);\n}}\n")


def design(pick):
    """Its source, and the kernels to launch."""
    rounds = pick.choice([5, 40, 200, 700, 1500, 3000])
    kernels = [Kernel(n, pick) for n in range(pick.choice([2, 2, 3, 4, 6]))]
    pipes = []

    def join(writer, reader):
        pipe = Pipe(len(pipes), pick)
        pipes.append(pipe)
        kernels[writer].operations.append((pipe, True))
        kernels[reader].operations.append((pipe, False))

    for n in range(1, len(kernels)):
        join(pick.randrange(n), n)
    for _ in range(pick.choice([0, 0, 1, 1, 2, 3])):
        a, b = sorted(pick.sample(range(len(kernels)), 2))
        join(a, b)
    if pick.random() < 0.15:  # the way back, which may be for ever
        a, b = sorted(pick.sample(range(len(kernels)), 2))
        join(b, a)
    for kernel in kernels[1:-1]:
        kernel.autorun = pick.random() < 0.25
    if pick.random() < 0.33:
        rounds = pick.choice([700, 1500, 3000])
        for pipe in pipes:
            pipe.mask, pipe.depth = 0, pick.choice([1, 1, 2, 3, 4, 7, 8, 8, 9, 64])
            pipe.type = "int" if pipe.type in WIDE and pick.random() < 0.8 else pipe.type
        for kernel in kernels:
            kernel.even = True
    elif pick.random() < 0.33:
        rounds = pick.choice([700, 1500, 3000])
        for pipe in pipes:
            pipe.mask, pipe.depth = 0, pick.choice([8, 12, 16, 32, 64, 64, 200])
        for kernel in kernels:
            kernel.apart = True
    if pick.random() < 0.5:  # often: in loops that end by data
        rounds = min(rounds, 700)
        for pipe in pipes:
            pipe.often = pick.choice(OFTEN) if pick.random() < 0.5 else None
    for kernel in kernels:
        if any(pipe.often for pipe, _ in kernel.operations):
            continue
        common = math.gcd(*(pipe.times for pipe, _ in kernel.operations))
        if pick.random() < 0.6 and not any(pipe.mask for pipe, _ in kernel.operations):
            kernel.spread = pick.choice([n for n in range(1, common + 1) if common % n == 0])
    text = HEAD + "".join(f"global int own_{k.name}[16];\n" for k in kernels)
    text += "".join(f"channel {p.type} {p.name} __attribute__((depth({p.depth})));\n" for p in pipes)
    return text + "".join(k.source(rounds) for k in kernels), [f"{k.name}%{chr(65 + n)}Z" for n, k in enumerate(kernels) if not k.autorun]


def run(program, place, options, names, **settings):
    """Status, what was printed, the report of a stall, the profile."""
    environment = dict(os.environ, SLUICE_FPGA_ON_STALL="error", SLUICE_FPGA_STALL_MS="150", **settings)
    done = subprocess.run([program, place, options] + names, env=environment, capture_output=True, text=True, timeout=300)
    profile = None
    if "SLUICE_FPGA_PROFILE" in settings:
        with open(settings["SLUICE_FPGA_PROFILE"], encoding="utf-8") as file:
            profile = json.load(file)
    told = [line.split(" fpga: ")[-1] for line in done.stderr.splitlines() if " waits to " in line or "cycle: " in line]
    return done.returncode, sorted(done.stdout.splitlines()), sorted(told), profile


def facts(profile):
    """Cycles and packets of what has come to its end: nobody waits for kernels that start by themselves."""
    clock, waited_for = profile["clock"], [not k["autorun"] for k in profile["kernels"]]
    joined = [waited_for[p["writer"]] and waited_for[p["reader"]] for p in profile["pipes"]]
    return {
        "whole": (clock["whole"], clock["exact"], clock["doubts"]),
        "end": clock["cycles"] if all(waited_for) else 0,
        "kernels": [k for k in clock["kernels"] if waited_for[k["kernel"]]],
        "sites": [s for s in clock["sites"] if waited_for[profile["sites"][s["site"]]["kernel"]]],
        "pipes": [p for p in clock["pipes"] if joined[p["pipe"]]],
        "packets": [p["packets"] for p, j in zip(profile["pipes"], joined) if j],
    }


def compare(program, folder, number, seed):
    pick = random.Random(f"{seed}/{number}")
    source, names = design(pick)
    pick.shuffle(names)
    times = pick.choice([1, 1, 2, 3])
    names = [name for first in names for name in [first] + [f"+{first}"] * (times - 1)]
    return compare_ways(program, folder, source, names, times, f"seed {seed}, design {number}", pick.randrange(1, 1000))


def compare_ways(program, folder, source, names, times, title, order):
    """Ahead of the clock, not, and in another order it is the same design. Whether it stands still."""
    path = os.path.join(folder, "d.cl")
    with open(path, "w", encoding="utf-8") as file:
        file.write(source)
    plain = run(program, path, "-cl-std=CL3.0", names)
    ways = {}
    for way, settings in (("ahead", {}), ("traced", {"SLUICE_FPGA_TRACE": "1"}),
                          ("seeded", {"SLUICE_FPGA_SEED": str(order)})):
        ways[way] = run(program, path, "-cl-std=CL3.0 -sluice-timing", names, SLUICE_FPGA_PROFILE=os.path.join(folder, "p.json"),
                        **settings)
    stalled = plain[0] == STALLED
    exact = times == 1 or not stalled  # what comes behind a launch that was ended depends on how far it had come
    for way, (status, printed, told, profile) in ways.items():
        clock = facts(profile)
        if way == "ahead":
            first = clock
        wrong = [what for what, good in (
            ("status", status == plain[0] and status in (0, STALLED)), ("values", printed == plain[1] or not exact),
            ("report", told == plain[2] or times > 1 or not stalled),
            ("cycles", clock == first or not exact),
            ("fill", all(p["mean_fill"] <= p["high_water"] <= p["depth"] for p in profile["pipes"]))
        ) if not good]
        if wrong:
            FAILURES.append(title)
            print(f"{title}, {way}: {', '.join(wrong)} differ ({status}, {plain[0]})")
            print(source)
            print(plain[1], printed, plain[2], told, sep="\n")
            print(json.dumps(first), json.dumps(clock), sep="\n")
    return stalled


def check_between(program, folder):
    for number in range(3):
        compare_ways(program, folder, BETWEEN_ROWS, ["give%A", "turn%B", "take"], 1, f"between rows {number}", number + 1)


def check_elements(program, folder):
    for number, (depth, missing) in enumerate(((1, 0), (16, 0), (100, 0), (4, 7))):
        source = ELEMENTS.replace("DEPTH", str(depth)).replace("MISSING", str(missing))
        if compare_ways(program, folder, source, ["give", "turn", "take"], 1, f"elements {number}", number + 1) != (missing > 0):
            FAILURES.append("elements")
            print(f"elements {number}: whether it ends")


def check_fed(program, folder):
    sizes = sum(500 if i == 500 else (i * 2654435761 % 2**32) >> 28 for i in range(2000))
    for number, (depth, pragma, more) in enumerate(((1, "", 0), (3, "#pragma ii 7", 0), (64, "", 0), (64, "#pragma ii 9", 0), (64, "#pragma ii 4", 0), (300, "#pragma ii 2", 0), (8, "", -20), (64, "", -900))):
        source = FED.replace("DEPTH", str(depth)).replace("PRAGMA", pragma).replace("COUNT", str(sizes + more))
        for reads in ("", "#define READS\n"):
            if compare_ways(program, folder, reads + source, ["size", "plain", "burst"], 1, f"fed {number} {reads}", number + 1) != (more != 0):
                FAILURES.append("fed")
                print(f"fed {number} {reads}: whether it ends")


def check_by_data(program, folder):
    for number, (depth, unroll) in enumerate(((1, ""), (64, ""), (64, "2"), (300, "4"))):
        source = COPIES.replace("DEPTH", str(depth)).replace("UNROLL", unroll)
        compare_ways(program, folder, source, ["give", "burst", "take"], 1, f"copies {number}", number + 1)
    compare_ways(program, folder, BOTH, ["size", "give", "take"], 1, "both pipes of one kernel", 1)
    for number, (depth, pragma) in enumerate(((1, ""), (64, ""), (64, "#pragma ii 3"), (600, "#pragma ii 2"))):
        source = BURSTS.replace("DEPTH", str(depth)).replace("PRAGMA", pragma)
        compare_ways(program, folder, source, ["give", "burst", "size", "take"], 1, f"bursts {number}", number + 1)
    compare_ways(program, folder, ONCE, ["give", "take"], 1, "once", 1)
    for depth in (2, 64):
        compare_ways(program, folder, ONE_BY_DATA.replace("DEPTH", str(depth)), ["give", "turn", "mix", "take"], 1, f"one by data {depth}", depth)
    for number, depth in enumerate((1, 8, 64)):
        compare_ways(program, folder, BY_DATA.replace("DEPTH", str(depth)), ["give", "turn", "take"], 1, f"by data {depth}", number + 1)


def check_in_loops(program, folder):
    number = 0
    for depth in (1, 3, 64):
        for last in (700, 500):
            for buffers in ("ABC", "AAA") if depth == 3 else ("ABC",):
                names = [f"{name}%{buffer}" for name, buffer in zip(("give", "turn", "take"), buffers)]
                number += 1
                if compare_ways(program, folder, IN_LOOPS.replace("DEPTH", str(depth)).replace("LAST", str(last)), names, 1, f"in loops {number}", number) != (last == 500):
                    FAILURES.append("in loops")
                    print(f"in loops {number}: whether it ends")


def check_left(program, folder):
    """Launches that are ended leave no more packets than the depth, however far ahead they were, or the next ones find room."""
    path = os.path.join(folder, "s.cl")
    with open(path, "w", encoding="utf-8") as file:
        file.write(STANDS_STILL)
    status, _, told, _ = run(program, path, "-sluice-timing", ["give", "+give", "+give", "take", "+take"],
                             SLUICE_FPGA_PROFILE=os.path.join(folder, "p.json"))
    fills = [(int(a), int(b)) for a, b in re.findall(r"full: (\d+) of (\d+)", "\n".join(told))]
    if status != STALLED or fills != [(1, 1)] * 3:
        FAILURES.append("left")
        print(f"launches that were ended: {status}", *told, sep="\n")


def check_fill(program, folder):
    """Whatever launches that were ended had moved ahead, no pipe is said to hold more than its depth, or less than nothing."""
    path = os.path.join(folder, "f.cl")
    for source, names in ((READ_AHEAD, ["give", "+give", "+give"]), (WRITTEN_AHEAD, ["take", "+take", "drain%A", "+drain%A", "never"]),
                          (WRITTEN_AHEAD, ["take", "drain%A", "+drain%A", "+drain%A", "never", "+never"])):
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        status, _, told, profile = run(program, path, "-cl-std=CL3.0 -sluice-timing", names, SLUICE_FPGA_PROFILE=os.path.join(folder, "p.json"))
        fills = [(int(a), int(b)) for a, b in re.findall(r"(?:full|empty): (\d+) of (\d+)", "\n".join(told))]
        fills += [(most, p["depth"]) for p in profile["pipes"] for most in (p["high_water"], p["mean_fill"])]
        if status != STALLED or any(fill > depth for fill, depth in fills):
            FAILURES.append("fill")
            print(f"launches that were ended: {names}, {status}, {fills}", *told, sep="\n")


def check_inside(program, folder):
    """A round in which a kernel stands still has begun, whether it is ahead of its clock or not."""
    path = os.path.join(folder, "i.cl")
    with open(path, "w", encoding="utf-8") as file:
        file.write(STANDS_INSIDE)
    for settings in ({}, {"SLUICE_FPGA_SEED": "3"}):
        status, _, _, profile = run(program, path, "-sluice-timing", ["give", "turn", "back"],
                                    SLUICE_FPGA_PROFILE=os.path.join(folder, "p.json"), **settings)
        loops = {profile["kernels"][k["kernel"]]["name"]: k["loops"] for k in profile["clock"]["kernels"]}
        if status != STALLED or loops != {"give": [[1, 3]], "turn": [[1, 1]], "back": [[1, 1]]}:
            FAILURES.append("inside")
            print(f"a kernel that stands still in a round: {status}, {loops}, {settings}")


def check_far(program, folder):
    """Of launches that are ended together no clock goes on with what another one had moved ahead."""
    for number, names in enumerate((["give", "turn", "take"], ["take", "turn", "give"], ["turn", "take", "give"])):
        if not compare_ways(program, folder, STANDS_FAR, names, 1, f"far {number}", number + 1):
            FAILURES.append("far")
            print(f"far {number}: it ends")


def chosen(combinations):
    """Each fifth, or with SLUICE_TEST_ALL in the environment all."""
    return combinations[::1 if os.environ.get("SLUICE_TEST_ALL") else 5]


def check_shared(program, folder):
    """Of a variable, or a buffer, that two kernels use, each sees what it would without a clock."""
    path = os.path.join(folder, "h.cl")
    for source, names in ((SHARES, ["give", "take"]), (TOLD, ["put%A", "get"]), (BUFFERS, ["put%A", "get%A"]), (BUFFERS, ["get%A", "put%A"]), (BUFFERS, ["put%A", "get%A@50"]),
                          (BUFFERS, ["put%A", "get%B"]), (BUFFERS, ["put%A", "+put%B", "get%B", "+get%A"]),
                          (READERS, ["put%AB", "get%AA"]), (READERS, ["put%AB", "get%AB"]), (READERS, ["get%AB", "put%AB"]), (READERS, ["put%AB", "get%BA"]),
                          (READERS, ["put%AB", "get%AC"]),
                          *chosen([*[(CAST, [f"put%{a}", f"get%{b}"]) for a in "A05" for b in "A015"],
                                   *[(UNSAID, [f"put%{a}", f"get%{b}{c}"]) for a in "A05" for b in "A05" for c in "AB0156"],
                                   *[(READERS, [f"put%{a}{b}", f"get%{a}{b}"]) for a in "05" for b in "A16"]]),
                          *[(design, [f"tell%A{a}", f"+put%{a}", "get%A@50"]) for design in (FOUND, COUNTED) for a in "05"]):
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        plain = run(program, path, "-cl-std=CL3.0", names)[:2]
        timed = run(program, path, "-cl-std=CL3.0 -sluice-timing", names, SLUICE_FPGA_PROFILE=os.path.join(folder, "p.json"))[:2]
        if plain != timed or plain[0]:
            FAILURES.append("shared")
            print(f"memory of two kernels: {names}, {plain}, {timed}")


def main():
    program = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    seed = sys.argv[3] if len(sys.argv) > 3 else "1"
    with tempfile.TemporaryDirectory() as folder:
        check_left(program, folder)
        check_fill(program, folder)
        check_inside(program, folder)
        check_far(program, folder)
        check_between(program, folder)
        check_by_data(program, folder)
        check_elements(program, folder)
        check_fed(program, folder)
        check_in_loops(program, folder)
        check_shared(program, folder)
        stalled = sum(compare(program, folder, number, seed) for number in range(count))
    print(f"{count} designs, {stalled} stand still; {len(FAILURES)} failures")
    sys.exit(1 if FAILURES else 0)


main()
