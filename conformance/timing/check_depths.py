#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_depths.py RUN_DESIGN SLUICE-REPORT designs.cl [GRAPHS]: traces designs with deep pipes, runs them with the depths
that are found, and with one less of each pipe, which must stand still, or be slower; so it does with random ones,
irregular ones among them. A replay of a random design, at
its own depths, takes as many cycles as the run."""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

from check_circuits import make_design

KERNELS = ("fork join", "begin middle turn", "leave take")
# pipe: (macro, the least depth without a deadlock where all others are as below)
PIPES = {"early": ("EARLY", 5), "late": ("LATE", 1), "there": ("THERE", None), "back": ("BACK", None),
         "rest": ("REST", 7)}
STALLED = 3
FAILURES = []


def expect(condition, what):
    if not condition:
        print(what)
        FAILURES.append(what)


def report_of(report, profile, run):
    """What the traced run said, and the depths of it as text: of one in which no kernel had ended before the last was
    submitted, as happens to small ones, for what the first wrote would have to fit then."""
    for _ in range(100):
        result = run()
        text = subprocess.run([report, "--depths", profile], capture_output=True, text=True, check=False)
        expect(text.returncode == 0, text.stderr)
        if "when others had ended" not in text.stdout:
            break
    return result, text.stdout


class Design:
    def __init__(self, program, report, source, kernels, folder):
        self.program, self.report, self.source, self.kernels = program, report, source, kernels.split()
        self.profile = os.path.join(folder, kernels.replace(" ", "_") + ".json")

    def run(self, depths, options="", **settings):
        macros = " ".join(f"-D{macro}={depths.get(pipe, 64)}" for pipe, (macro, _) in PIPES.items())
        # On a busy machine the host may rest for a moment between two launches.
        environment = {**os.environ, "SLUICE_FPGA_ON_STALL": "error", "SLUICE_FPGA_STALL_MS": "5000", **settings}
        result = subprocess.run([self.program, self.source, f"{macros} {options}", *self.kernels], env=environment,
                                capture_output=True, text=True, check=False)
        expect(result.returncode in (0, STALLED), result.stderr)
        return result.returncode

    def trace(self, options=""):
        result, text = report_of(self.report, self.profile, lambda: self.run(
            {}, options, SLUICE_FPGA_PROFILE=self.profile, SLUICE_FPGA_TRACE="1"))
        expect(result == 0, "traced run")
        with open(self.profile, encoding="utf-8") as file:
            profile = json.load(file)
        expect(profile["trace"]["whole"], "the trace is not whole")
        return profile, text


def attributes(text, title):
    """Pipe: depth, of the lines to paste behind a title."""
    depths = {}
    for line in text.split(f"\n{title}:\n")[1].split("\n\n")[0].splitlines():
        place, _, rest = line.partition(": ")
        name, _, attribute = rest.partition(" __attribute__((depth(")
        expect(place.startswith("<source>:"), line)
        depths[name] = int(attribute.rstrip(")"))
    return depths


def check_used(design, profile, safe, fast):
    used = {pipe["name"].partition("[")[0]: pipe for pipe in profile["pipes"] if pipe["packets"]}
    for name, pipe in used.items():
        most = max(p["high_water"] for p in profile["pipes"] if p["name"].partition("[")[0] == name)
        expect(1 <= safe[name] <= most, f"{name}: {safe[name]} of {most}")
        expect(fast[name] >= safe[name], f"{name}: {fast[name]} below {safe[name]}")
        known = PIPES[name][1]
        expect(known in (None, safe[name]), f"{name}: {safe[name]} instead of {known}")
        if pipe["name"] == name and safe[name] > 1:
            less = design.run({**safe, name: safe[name] - 1}, SLUICE_FPGA_STALL_MS="200")
            expect(less == STALLED, f"{name}: with {safe[name] - 1} the design does not stand still")


def check_setting(design, text, safe):
    """The depths found by environment, while the source says 64."""
    for title in ("no deadlock", "full speed"):
        setting = text.split(f"{title}: SLUICE_FPGA_DEPTHS='")[1].split("'")[0]
        expect(design.run({}, SLUICE_FPGA_DEPTHS=setting) == 0, f"stands still with {setting}")
        if title == "no deadlock":
            expect(dict(row.split("=") for row in setting.split()) == {name: str(depth) for name, depth in safe.items()}, setting)
    for name, depth in safe.items():
        if depth > 1 and PIPES[name][1]:
            rows = f"none=1;{name}={depth} {name}={depth - 1};{name}=x {name}= {name}=0 {name}{name}=9 {name}=9x"
            less = design.run({}, SLUICE_FPGA_DEPTHS=rows, SLUICE_FPGA_STALL_MS="200")
            expect(less == STALLED, f"with {rows} the design does not stand still")


def check(design):
    profile, text = design.trace()
    expect("without -sluice-timing" in text, text)
    safe, fast = attributes(text, "no deadlock"), attributes(text, "full speed")
    check_used(design, profile, safe, fast)
    for depths in (safe, fast):
        expect(design.run(depths) == 0, f"stands still with {depths}")
        expect(design.run(depths, SLUICE_FPGA_SEED="9") == 0, f"stands still with {depths} and a seed")
    check_setting(design, text, safe)
    _, timed = design.trace("-sluice-timing")
    expect("by the schedule" in timed, timed)
    expect(attributes(timed, "no deadlock") == safe, timed)
    expect(design.run(attributes(timed, "full speed")) == 0, "stands still at full speed")


def check_unfinished(design, report):
    """A run that stands still has no depths to tell, and the report says so."""
    said = "no depths that are known to be enough"
    expect(said not in design.trace()[1], "said of a run that ended")
    result = design.run({"early": 4}, SLUICE_FPGA_STALL_MS="200", SLUICE_FPGA_PROFILE=design.profile, SLUICE_FPGA_TRACE="1")
    expect(result == STALLED, "ends with one packet less")
    text = subprocess.run([report, "--depths", design.profile], capture_output=True, text=True, check=False)
    expect(text.returncode == 0 and said in text.stdout, text.stdout + text.stderr)


LATER = """#pragma OPENCL EXTENSION cl_intel_channels : enable
channel int c __attribute__((depth(64)));
kernel void give() { for (int i = 0; i < 5; i++) write_channel_intel(c, i); }
kernel void take() { for (int i = 0; i < 5; i++) read_channel_intel(c); }
"""


def check_later(program, report, folder):
    """A kernel that is launched when another has ended needs that only if somebody could have known."""
    source, profile = os.path.join(folder, "later.cl"), os.path.join(folder, "later.json")
    with open(source, "w", encoding="utf-8") as file:
        file.write(LATER)
    for options in ("", "-sluice-timing"):
        for first, least in (("give!", 1), ("give", 5)):  # nobody waits for its end, or somebody has by then
            result = subprocess.run([program, source, options, first, "take@1500"], check=False, capture_output=True, text=True,
                                    env={**os.environ, "SLUICE_FPGA_PROFILE": profile, "SLUICE_FPGA_TRACE": "1"})
            expect(result.returncode == 0, result.stderr)
            text = subprocess.run([report, "--depths", profile], capture_output=True, text=True, check=False).stdout
            expect(attributes(text, "no deadlock") == {"c": least}, f"{first}: {text}")
            expect(("when others had ended" in text) == (least == 5), f"{first}: {text}")


def check_refusals(design, report, folder):
    design.run({}, SLUICE_FPGA_PROFILE=design.profile)
    damaged = os.path.join(folder, "damaged.json")
    with open(design.profile, encoding="utf-8") as file:
        profile = json.load(file)
    expect("trace" not in profile, "a trace that nobody asked for")
    with open(damaged, "w", encoding="utf-8") as file:
        json.dump({**profile, "trace": {"whole": True, "kinds": [[0, 0]], "runs": [
            {"kernel": 0, "after": 0, "end": 0, "events": "0*3 (0 7)*2"}]}}, file)
    for path, why in ((design.profile, "there is no trace in it: SLUICE_FPGA_TRACE=1 makes one"),
                      (damaged, "the trace is damaged")):
        result = subprocess.run([report, "--depths", path], capture_output=True, text=True, check=False)
        expect(result.returncode == 1 and why in result.stderr and not result.stdout, result.stderr)


# ---- random graphs -------------------------------------------------------------------------------------------------

class Pipe:
    def __init__(self, name, writer, reader, lag):
        self.name, self.writer, self.reader, self.lag, self.depth = name, writer, reader, lag, 64


class Task:
    def __init__(self, name):
        self.name = name

    def launch(self):
        return self.name


def make_irregular(pick, rounds=150, count=7):
    """Kernels one behind the other with pipes past some of them, and back to earlier ones, which read there so many rounds
    later; most pipes are used in some rounds only, by a hash that both ends know."""
    pipes = [Pipe(f"p{k}", k, k + 1, 0) for k in range(count - 1)]
    for _ in range(6):
        first = pick.randrange(count - 2)
        pipes.append(Pipe(f"p{len(pipes)}", first, pick.randrange(first + 2, count), 0))
    for _ in range(4):
        last = pick.randrange(1, count)
        pipes.append(Pipe(f"p{len(pipes)}", last, pick.randrange(last), pick.choice((3, 8, 20))))
    text = ["#pragma OPENCL EXTENSION cl_intel_channels : enable",
            "int hash(int x) { unsigned v = (unsigned)x * 2654435761u; v ^= v >> 15; return (int)(v * 2246822519u >> 16); }"]
    text += [f"channel int {pipe.name} __attribute__((depth({pipe.depth})));" for pipe in pipes]
    asked = {pipe: (pick.randrange(1, 1000), pick.choice((0, 1, 3))) for pipe in pipes}

    def operation(pipe, reads):
        salt, mask = asked[pipe]
        later, until = (pipe.lag, rounds) if reads else (0, rounds - pipe.lag)
        what = f"v ^= read_channel_intel({pipe.name})" if reads else f"write_channel_intel({pipe.name}, v)"
        return f"if (i >= {later} && i < {until} && !(hash((i - {later}) * 1009 + {salt}) & {mask})) {what};"

    for k in range(count):
        own = [operation(pipe, True) for pipe in pick.sample(pipes, len(pipes)) if pipe.reader == k]
        own.append(f"for (int j = hash(i + {k}) % {pick.randrange(1, 6)}; j > 0; j--) v = v * 3 + j;")
        own += [operation(pipe, False) for pipe in pick.sample(pipes, len(pipes)) if pipe.writer == k]
        text.append(f"kernel void k{k}() {{ for (int i = 0; i < {rounds}; i++) {{ int v = i; {' '.join(own)} }} }}")
    return [Task(f"k{k}") for k in range(count)], pipes, "\n".join(text) + "\n"


def make_graph(pick):
    while True:
        kernels, pipes, _, text = make_design(pick)
        if all(all(pipe.waits.values()) and not pipe.mask for pipe in pipes):
            return kernels, pipes, text


class Graph:
    """A design of check_circuits.py, or an irregular one, a macro for each depth; its operations all wait."""

    def __init__(self, program, report, number, folder, make=make_graph):
        self.kernels, self.pipes, text = make(random.Random(f"pipes {number}"))
        self.name, self.program, self.report = f"graph {number}", program, report
        self.source, self.profile = os.path.join(folder, f"g {number}.cl"), os.path.join(folder, f"g {number}.json")
        for pipe in self.pipes:
            text = text.replace(f"{pipe.name} __attribute__((depth({pipe.depth})))",
                                f"{pipe.name} __attribute__((depth(D_{pipe.name})))")
        with open(self.source, "w", encoding="utf-8") as file:
            file.write(text)

    def run(self, depths, stall_ms="5000"):
        """Cycles; None: it stands still."""
        macros = " ".join(f"-DD_{pipe.name}={depths.get(pipe.name, 64)}" for pipe in self.pipes)
        environment = {**os.environ, "SLUICE_FPGA_ON_STALL": "error", "SLUICE_FPGA_STALL_MS": stall_ms,
                       "SLUICE_FPGA_PROFILE": self.profile, "SLUICE_FPGA_TRACE": "1"}
        names = [kernel.launch() for kernel in self.kernels]
        result = subprocess.run([self.program, self.source, f"-sluice-timing {macros}", *names], env=environment,
                                capture_output=True, text=True, check=False)
        expect(result.returncode in (0, STALLED), result.stderr)
        if result.returncode:
            return None
        with open(self.profile, encoding="utf-8") as file:
            return json.load(file)["clock"]["cycles"]


def check_readable(design, report):
    """Pipes of SYCL are called as the program does, in settings as the linker does; all else is as it was."""
    linked, readable = "_ZN4sycl3_V13ext5intel4pipeI7NumbersfLi8EE9m_StorageE", "pipe<Numbers,float,8>"
    with open(design.profile, encoding="utf-8") as file:
        profile = file.read()

    def told(text):
        result = subprocess.run([report, "--depths", "-"], input=text, capture_output=True, text=True, check=False)
        expect(result.returncode == 0, result.stderr)
        return [" ".join(line.split()) for line in result.stdout.splitlines()]

    pipe = next(pipe["name"] for pipe in json.loads(profile)["pipes"] if pipe["packets"])
    word = re.compile(rf"\b{pipe}\b(?!\.)")
    wanted = [word.sub(linked if "SLUICE_FPGA_DEPTHS" in line else readable, line) for line in told(profile)]
    expect(told(profile.replace(f'"{pipe}"', f'"{linked}"')) == wanted, f"{pipe} as a pipe of SYCL")
    expect(any(readable in line for line in wanted) and any(linked in line for line in wanted), f"{pipe} is told")


def check_graph(graph):
    """What is found holds, is as fast as depths of 64, and one less of any pipe stands still, or is slower; in words. None:
    its kernels wait for each other whatever the depths are, as loops one behind the other in a ring may."""
    if graph.run({}, "1000") is None:
        return None
    deep, text = report_of(graph.report, graph.profile, lambda: graph.run({}))
    expect(deep is not None, f"{graph.name} stands still with depths of 64")
    safe, fast = attributes(text, "no deadlock"), attributes(text, "full speed")
    expect(set(safe) == {pipe.name for pipe in graph.pipes}, f"{graph.name}: {safe}")
    least, rows = graph.run(safe), []
    expect(least is not None, f"{graph.name} stands still with {safe}")
    expect(graph.run(fast) == deep, f"{graph.name} takes more than {deep} cycles with {fast}")
    for title, cycles in (("own", deep), ("no deadlock", least), ("full speed", deep)):
        check_predicted(text, title, cycles)
    for name, depth in safe.items():
        rows.append(f"{name}: {depth}, at full speed {fast[name]}")
        if depth > 1:
            rows[-1] += f"; {depth - 1} stands still"
            less = graph.run({**safe, name: depth - 1}, "200")
            expect(less is None, f"{graph.name}: with {depth - 1} of {name} it does not stand still")
        if fast[name] > depth:
            less = graph.run({**fast, name: fast[name] - 1})
            expect(less is not None and less > deep, f"{graph.name}: with {fast[name] - 1} of {name} it takes {less} cycles")
            rows[-1] += f"; with {fast[name] - 1} {less} cycles"
    return rows + [f"{deep} cycles, {least} with the least depths"]


def check_predicted(text, title, cycles):
    """What the table says that these depths take."""
    row = next(line.split() for line in text.splitlines() if line.startswith("cycles "))
    expect(int(row[{"own": 1, "no deadlock": 2, "full speed": 3}[title]]) == cycles, f"{title}: {cycles} cycles, {row}")


def check_replayed(program, report, number, folder):
    """A design whose operations may not wait, with the depths of its source; false: it stands still, or is not exact."""
    kernels, _, _, text = make_design(random.Random(f"replayed {number}"))
    source, profile = os.path.join(folder, f"r{number}.cl"), os.path.join(folder, f"r{number}.json")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    result = subprocess.run([program, source, "-sluice-timing", *[kernel.launch() for kernel in kernels]], check=False,
                            capture_output=True, text=True,
                            env={**os.environ, "SLUICE_FPGA_ON_STALL": "error", "SLUICE_FPGA_STALL_MS": "500",
                                 "SLUICE_FPGA_PROFILE": profile, "SLUICE_FPGA_TRACE": "1"})
    expect(result.returncode in (0, STALLED), result.stderr)
    with open(profile, encoding="utf-8") as file:
        clock = json.load(file)["clock"]
    if result.returncode or not clock["exact"]:
        return False
    found = subprocess.run([report, "--depths", profile], capture_output=True, text=True, check=False)
    expect(found.returncode == 0, f"design {number}: {found.stderr}")
    if found.returncode == 0:
        check_predicted(found.stdout, "own", clock["cycles"])
    return True


def main():
    program, report, source = sys.argv[1:4]
    graphs = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    with tempfile.TemporaryDirectory() as folder:
        designs = [Design(program, report, source, kernels, folder) for kernels in KERNELS]
        for design in designs:
            check(design)
        check_readable(designs[0], report)
        check_refusals(designs[0], report, folder)
        check_unfinished(designs[0], report)
        check_later(program, report, folder)
        checked = sum(check_graph(Graph(program, report, number, folder)) is not None for number in range(2 * graphs))
        expect(checked >= graphs, f"{checked} graphs come to their end")
        for number in range(graphs):
            irregular = Graph(program, report, f"irregular {number}", folder, make_irregular)
            expect(check_graph(irregular) is not None, f"{irregular.name} stands still")
            checked += 1
        replayed = sum(check_replayed(program, report, number, folder) for number in range(10 * graphs))
        expect(replayed > 3 * graphs, f"{replayed} designs have a clock to compare with")
    print(f"{len(designs) + checked} designs, {replayed} replayed, {len(FAILURES)} failures")
    return bool(FAILURES)


if __name__ == "__main__":
    sys.exit(main())
