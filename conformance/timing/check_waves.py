#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_waves.py RUN_DESIGN SLUICEC SLUICE-REPORT CLOCK.SCHEMA.JSON [COUNT [SEED]]: runs with a clock as waveforms
(sluice-report --vcd) and as traces for Perfetto (--perfetto), read here and compared with a simulation of the design,
cycle by cycle: what is in each pipe in each cycle, when it is read and written, when kernels run. The clock in their
profiles is as the schema says, and the page of such a run has its cycles."""
import html.parser
import json
import os
import random
import subprocess
import sys
import tempfile

from check_asking import Hazard, Run, bind, make_design
from design_runs import FAILURES, HEAD, Tools, expect

BY_HAND = HEAD + """channel int c __attribute__((depth(2)));
channel int grid[2][2] __attribute__((depth(1)));
kernel void give() { for (int i = 0; i < 4; i++) write_channel_intel(c, i); write_channel_intel(grid[1][0], 1); }
kernel void take()
{
#pragma ii 3
    for (int i = 0; i < 4; i++)
        read_channel_intel(c);
    read_channel_intel(grid[1][0]);
}
"""


TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}
KEYWORDS = {"$schema", "title", "description", "type", "required", "additionalProperties", "properties", "items",
            "prefixItems", "enum", "minimum"}


def faults(value, schema, where="clock"):
    """What of a value is not as the schema says; the keywords that ours uses."""
    if schema is False:
        return [f"{where} should not be there"]
    expect(set(schema) <= KEYWORDS, f"{where}: {set(schema) - KEYWORDS}")
    found = []
    if "type" in schema and not (isinstance(value, TYPES[schema["type"]])
                                 and isinstance(value, bool) == (schema["type"] == "boolean")):
        return [f"{where} is no {schema['type']}"]
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{where} is {value!r}")
    if value < schema["minimum"] if "minimum" in schema else False:
        found.append(f"{where} is {value}")
    if isinstance(value, dict):
        found += [f"{where} has no {key}" for key in schema.get("required", []) if key not in value]
        for key, member in value.items():
            found += faults(member, schema["properties"].get(key, False), f"{where}.{key}")
    if isinstance(value, list):
        first = schema.get("prefixItems", [])
        for at, item in enumerate(value):
            found += faults(item, first[at] if at < len(first) else schema["items"], f"{where}[{at}]")
    return found


class Waves:
    """A value change dump: {"scope.scope.name": [(cycle, value)]}, and its last cycle."""

    def __init__(self, text):
        self.signals, self.end = {}, 0
        codes, scopes, words, now = {}, [], text.split(), 0
        at = 0
        while at < len(words):
            word = words[at]
            if word.startswith("$") and word not in ("$dumpvars", "$end"):
                last = words.index("$end", at)
                if word == "$scope":
                    expect(words[at + 1] == "module", text[:1000])
                    scopes.append(words[at + 2])
                elif word == "$upscope":
                    scopes.pop()
                elif word == "$var":
                    kind, bits, code, name = words[at + 1:last]
                    expect(kind == "wire" and code not in codes, f"{name}: {kind} {code}")
                    codes[code] = ".".join(scopes + [name]), int(bits)
                    self.signals[codes[code][0]] = []
                at = last + 1
                continue
            if word[0] == "#":
                expect(int(word[1:]) >= now, f"{word} behind {now}")
                now = self.end = int(word[1:])
            elif word[0] == "b":
                at += 1
                self.signals[codes[words[at]][0]].append((now, int(word[1:], 2)))
                expect(codes[words[at]][1] == 32, word)
            elif word[0] in "01":
                self.signals[codes[word[1:]][0]].append((now, int(word[0])))
                expect(codes[word[1:]][1] == 1, word)
            at += 1
        expect(not scopes, "scopes are open")

    def values(self, name, cycles):
        """Its value in each of so many cycles."""
        result, value, changes = [], None, dict(self.signals[name])
        for cycle in range(cycles):
            value = changes.get(cycle, value)
            result.append(value)
        return result


def slices(trace, process):
    """{track's name: [(name, begin, end)]} of a process of the trace."""
    pid = next(event["pid"] for event in trace["traceEvents"]
               if event["name"] == "process_name" and event["args"]["name"] == process)
    tracks = {event["tid"]: event["args"]["name"] for event in trace["traceEvents"]
              if event["name"] == "thread_name" and event["pid"] == pid}
    result = {name: [] for name in tracks.values()}
    for event in trace["traceEvents"]:
        if event["ph"] == "X" and event["pid"] == pid:
            result[tracks[event["tid"]]].append((event["name"], event["ts"], event["ts"] + event["dur"]))
    return result


def report(tools, kind, profile):
    made = subprocess.run([tools.report, *([kind] if kind != "-o-" else ["-o", "-"]), profile], capture_output=True, text=True, check=False)
    expect(made.returncode == 0 and not made.stderr, f"{kind}: {made.stderr}")
    return made.stdout


def run(tools, source, kernels, **settings):
    """(waves, trace) of a run."""
    profile, _ = tools.run_printing(source, kernels, SLUICE_FPGA_TRACE="1", **settings)
    found = faults(profile["clock"], tools.schema)
    expect(not found, f"{source}: {found[:5]}")
    path = os.path.join(tools.folder, "run.json")
    return profile["clock"], Waves(report(tools, "--vcd", path)), json.loads(report(tools, "--perfetto", path))


def check_by_hand(tools):
    clock, waves, trace = run(tools, tools.write("waves.cl", BY_HAND), ["give", "take"])
    # Writes in 0, 1, 2 (the first read is in 1) and 5; the packet for the grid in 6. Reads in 1, 4, 7, 10, then in 11.
    expected = {
        "design.pipes.c.written": {0, 1, 2, 5}, "design.pipes.c.read": {1, 4, 7, 10},
        "design.pipes.c.full": {3, 4}, "design.pipes.c.empty": {0}, "design.kernels.give.waits": {3, 4},
        "design.kernels.take.waits": {0}, "design.kernels.give.runs": set(range(7)),
        "design.kernels.take.runs": set(range(12)), "design.pipes.grid_1__0_.written": {6},
        "design.pipes.grid_1__0_.read": {11}, "design.pipes.grid_0__0_.written": set(),
    }
    for name, cycles in expected.items():
        got = {cycle for cycle, value in enumerate(waves.values(name, 20)) if value}
        expect(got == cycles, f"{name}: {got} instead of {cycles}")
    fill = waves.values("design.pipes.c.fill", 12)
    expect(fill == [0, 1, 1, 2, 2, 1, 2, 2, 1, 1, 1, 0], f"fill {fill}")
    expect(waves.end == clock["cycles"] == 12, f"{waves.end} {clock['cycles']}")
    expect(slices(trace, "kernels") == {"give": [("c full", 3, 5), ("runs", 0, 7)],
                                        "take": [("c empty", 0, 1), ("runs", 0, 12)]}, str(slices(trace, "kernels")))
    expect(slices(trace, "pipes")["c"] == [("empty", 0, 1), ("full", 3, 5)], str(slices(trace, "pipes")))
    expect(trace["otherData"]["cycles"] == 12 and trace["otherData"]["clock_mhz"] == 300, str(trace["otherData"]))


class Page(html.parser.HTMLParser):
    """What a report page has: rows of tables by their heading, texts of the clock's box, bars of the timeline."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.words, self.bars, self.classes = {}, [], [], set()
        self.heading, self.text, self.box, self.svg = "", "", False, None
        self.paths = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.text = self.text if tag == "code" else ""
        self.box |= attributes.get("class") == "clock"
        self.classes.add(attributes.get("class"))
        if tag == "svg":
            self.svg = attributes.get("id", self.svg)  # the bars are a picture in it
        if tag == "tr":
            self.tables.setdefault(self.heading, []).append([])
        if tag == "rect" and self.svg == "cycles":
            self.bars.append((attributes["class"], float(attributes["x"]), float(attributes["width"])))

        if tag == "path" and self.svg == "fills":
            self.paths.append(attributes["d"])

    def handle_data(self, data):
        self.text += data

    def handle_endtag(self, tag):
        if tag == "code":
            return
        if tag == "h2":
            self.heading = self.text
        elif tag in ("td", "th"):
            self.tables[self.heading][-1].append(self.text)
        elif tag in ("p", "li") and self.box:
            self.words.append(self.text)
        elif tag == "div":
            self.box = False
        self.text = ""

    def cell(self, table, row, column):
        rows = self.tables[table]
        return next(cells[rows[0].index(column)] for cells in rows if cells[0] == row)


def check_page(tools):
    """The page of the design above, of whose run run.json is the profile."""
    text = report(tools, "-o-", os.path.join(tools.folder, "run.json"))
    expect("waits, pipe full" in text and "running or waiting" not in text, "the key of a page with events")
    page = Page(text)
    expect(page.words[0] == "12 cycles, 0.040 us at 300 MHz", str(page.words))
    expect(page.words[1].startswith("'take' has most to do: 11 cycles without waiting, 10 of them in the loop at"),
           str(page.words))
    expect("c: 'give' waits 2 cycles for room, as 'take' has most to do" in page.words, str(page.words))
    for row, column, value in (("give", "end", "7"), ("give", "waits", "2 (29 %)"), ("take", "cycles", "12")):
        expect(page.cell("Kernels", row, column) == value, f"{row} {column}: {page.tables}")
    expect(page.cell("Pipes", "c", "writer waits (full)") == "2", str(page.tables))
    expect(page.cell("Loops", "take", "cycles") == "10" and page.cell("Loops", "give", "iterations") == "4",
           str(page.tables["Loops"]))
    expect("running" not in page.tables["Kernels"][0], "time of the emulator beside cycles")
    # A thousand units are twelve cycles.
    bars = [(state, round(x / 1000 * 12, 1), round((x + width) / 1000 * 12, 1)) for state, x, width in page.bars]
    expect(bars == [("run", 0, 3), ("full", 3, 5), ("run", 5, 7), ("empty", 0, 1), ("run", 1, 12)], str(bars))
    expect("kernel most" in page.classes or "node kernel most" in page.classes, str(page.classes))
    expect(page.cell("Loops", "take", "source") == "for (int i = 0; i < 4; i++)", str(page.tables["Loops"]))
    expect(page.cell("Pipes", "c", "cycles a packet") == "3.00", str(page.tables["Pipes"]))
    # Written in 0, 1, 2, 5 and read in 1, 4, 7, 10; two packets are 22 units high.
    bottom, heights = page.paths[0].split("V")[0].split()[-1], [part.split()[0] for part in page.paths[0].split("V")[1:-1]]
    fills = [round((float(bottom) - float(height)) / 11, 1) for height in heights]
    expect(fills == [1, 1, 2, 2, 1, 2, 2, 1, 1, 1, 0, 0], f"{fills} of {page.paths}")
    expect(len(page.paths) == 2, str(page.paths))


def check_left_out(tools):
    """The same, but that nothing was kept from cycle 5 on."""
    with open(os.path.join(tools.folder, "run.json"), encoding="utf-8") as file:
        profile = json.load(file)
    clock = profile["clock"]
    clock["events"], clock["events_left_out"] = [event for event in clock["events"] if event[0] < 5], 9
    page = Page(report(tools, "-o-", tools.write("left_out.json", json.dumps(profile))))
    bars = [(state, round(x / 1000 * 12, 1), round((x + width) / 1000 * 12, 1)) for state, x, width in page.bars]
    expect(bars == [("run", 0, 2), ("unknown", 2, 7), ("empty", 0, 1), ("run", 1, 4), ("unknown", 4, 12)], str(bars))


RING = HEAD + """channel int there __attribute__((depth(1))), back __attribute__((depth(1)));
kernel void turn()
{
    write_channel_intel(there, 1);
    for (int i = 0; i < 100; i++)
        write_channel_intel(there, read_channel_intel(back));
    read_channel_intel(back);
}
kernel void multiply()
{
    for (int i = 0; i < 101; i++) {
        int x = read_channel_intel(there);
        write_channel_intel(back, x * x);
    }
}
"""


def check_ring(tools):
    """Kernels that only wait for each other: once round is read, product, write, read and write (check_cycles.py): 9 cycles."""
    profile = tools.run(tools.write("ring.cl", RING), ["turn", "multiply"])
    path = os.path.join(tools.folder, "run.json")
    page, text = Page(report(tools, "-o-", path)), report(tools, "--cycles", path)
    once = profile["clock"]["cycles"] / 101
    expect(8.9 < once < 9.1, f"once round takes {once} cycles")
    words = (f"kernels wait for each other in a ring, 101 times {once:.1f} cycles: 'multiply' for packets of 'turn' (there), "
             "'turn' for packets of 'multiply' (back)")
    other = (f"kernels wait for each other in a ring, 101 times {once:.1f} cycles: 'turn' for packets of 'multiply' (back), "
             "'multiply' for packets of 'turn' (there)")
    expect(page.words[1] in (words, other) and page.words[1] in text, f"{page.words} {text}")
    expect("node kernel ring" in page.classes and "node kernel most" not in page.classes, str(page.classes))


POLLS = HEAD + """channel int c __attribute__((depth(4)));
kernel void give()
{
#pragma ii 500
    for (int i = 0; i < 4; i++)
        write_channel_intel(c, i);
}
kernel void take()
{
    int got = 0;
#pragma ii 3
    for (int i = 0; i < 700; i++) {
        bool ok;
        read_channel_nb_intel(c, &ok);
        got += ok;
    }
    printf("%d\\n", got);
}
"""


def check_polls(tools):
    """Attempts in vain that follow each other are a row of the events, and a pulse each of the waveform."""
    clock, waves, _ = run(tools, tools.write("polls.cl", POLLS), ["give", "take"])
    rows = [row for row in clock["events"] if row[2] == "empty"]
    expect(len(rows) < 20 and sum(1 + (row[6] if len(row) > 6 else 0) for row in rows) == 696, f"{len(rows)} rows: {rows[:30]}")
    got = {cycle for cycle, value in enumerate(waves.values("design.pipes.c.read", 2100)) if value}
    expect(got == {3, 501, 1002, 1503}, f"read in {got}")
    empty = {cycle for cycle, value in enumerate(waves.values("design.pipes.c.empty", 2100)) if value}
    expect(empty == set(range(0, 2100, 3)) - got, f"empty in {sorted(empty)[:20]}")


def check_refused(tools):
    """Profiles that have no events, and what their page says of bars that have no waits."""
    source = tools.write("refused.cl", BY_HAND)
    profile = tools.run(source, ["give", "take"])
    untold, told = "running or waiting: SLUICE_FPGA_TRACE=1 tells them apart", "waits, pipe full"
    text = report(tools, "-o-", os.path.join(tools.folder, "run.json"))
    expect(untold in text and told not in text, "the key of a page without events")
    expect({state for state, _, _ in Page(text).bars} == {"run"}, str(Page(text).bars))
    tools.write("plain.json", json.dumps({key: value for key, value in profile.items() if key != "clock"}))
    for name, why in (("run.json", "the clock kept no events"), ("plain.json", "there is no clock in it")):
        for kind in ("--vcd", "--perfetto"):
            output = os.path.join(tools.folder, "none")
            made = subprocess.run([tools.report, kind, os.path.join(tools.folder, name), "-o", output],
                                  capture_output=True, text=True, check=False)
            expect(made.returncode == 1 and why in made.stderr and not os.path.exists(output), made.stderr)


def simulate(kernels, pipes, schedule):
    """({pipe: fills by cycle}, {pipe: cycles of writes}, {pipe: cycles of reads}) of the design."""
    runs = [Run(kernel, schedule[kernel.name][0]) for kernel in kernels]
    fills = {pipe.name: [] for pipe in pipes}
    moves = {True: {pipe.name: set() for pipe in pipes}, False: {pipe.name: set() for pipe in pipes}}
    for pipe in pipes:
        pipe.packets = []
    now = 0
    while not all(one.has_ended() for one in runs) and now < 10000:
        for pipe in pipes:
            fills[pipe.name].append(len(pipe.packets))
        seen = {name: fill[-1] for name, fill in fills.items()}
        for pipe, write, value in [move for one in runs for move in one.step(now, seen)]:
            moves[write][pipe.name].add(now)
            if write:
                pipe.packets.append(value)
            else:
                pipe.packets.pop(0)
        now += 1
    return fills, moves[True], moves[False]


def check_random(tools, number, seed):
    """True: the design could be compared."""
    pick = random.Random(f"{seed} {number}")
    kernels, pipes, text = make_design(pick)
    source = tools.write(f"wave{number}.cl", text)
    schedule = {kernel["name"]: kernel["loops"] for kernel in tools.schedule(source)["kernels"]}
    try:
        fills, writes, reads = simulate(kernels, pipes, schedule)
    except Hazard:
        return False
    clock, waves, trace = run(tools, source, [kernel.name for kernel in kernels], **bind(tools, []))
    if not clock["exact"]:
        return False
    for pipe in pipes:
        name, what = f"design.pipes.{pipe.name}", f"design {number} of seed {seed}: {pipe.name}"
        cycles = len(fills[pipe.name])
        got = waves.values(name + ".fill", cycles)
        expect(got == fills[pipe.name], f"{what} has {got} instead of {fills[pipe.name]}")
        for signal, expected in (("written", writes), ("read", reads)):
            got = {cycle for cycle, value in enumerate(waves.values(f"{name}.{signal}", cycles)) if value}
            expect(got == expected[pipe.name], f"{what} is {signal} in {got} instead of {expected[pipe.name]}")
        counted = dict((event["ts"], event["args"]["packets"]) for event in trace["traceEvents"]
                       if event["ph"] == "C" and event["name"] == pipe.name)
        value, traced = 0, []
        for cycle in range(cycles):
            value = counted.get(cycle, value)
            traced.append(value)
        expect(traced == fills[pipe.name], f"{what} has {traced} in the trace")
    return True


def main():
    program, sluicec, report_program, schema = sys.argv[1:5]
    count = int(sys.argv[5]) if len(sys.argv) > 5 else 8
    seed = sys.argv[6] if len(sys.argv) > 6 else "1"
    compared = 0
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(program, sluicec, report_program, folder)
        with open(schema, encoding="utf-8") as file:
            tools.schema = json.load(file)
        expect(len(faults({"cycles": -1, "exact": 1, "doubts": [2], "events": [[1, 2, "x"]]}, tools.schema)) == 8,
               "the schema is not looked at")
        check_by_hand(tools)
        check_page(tools)
        check_left_out(tools)
        check_ring(tools)
        check_polls(tools)
        check_refused(tools)
        for number in range(count):
            compared += check_random(tools, number, seed)
    expect(compared >= count // 2, "most designs could not be compared")
    print(f"{compared} of {count} designs compared, {len(FAILURES)} failures")
    return bool(FAILURES)


if __name__ == "__main__":
    sys.exit(main())
