#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_large.py SLUICE-REPORT: the page of a profile with ten thousand kernels, in a grid with feedback, takes no more than
5 MiB and 2 s of a processor, and says what it leaves out; as copies of one kernel they are one node."""
import json
import os
import resource
import subprocess
import sys
import tempfile

SIDE = 100
MOST_BYTES, MOST_SECONDS = 5 << 20, 2.0
FAILURES = []


def expect(condition, what):
    if not condition:
        print(what)
        FAILURES.append(what)


def make_profile(side):
    """Each kernel sends to the one at its right and the one below; the last one to the first."""
    count = side * side
    kernels = [{"name": f"element_{i // side}_{i % side}", "file": "grid.cl", "line": i % side + 1, "autorun": i % 2 == 0,
                "unit": [i % side, i // side, 0], "launches": 1, "run_ns": 5000 + i, "stall_ns": 40000} for i in range(count)]
    ends = [(i, i + 1) for i in range(count) if (i + 1) % side] + [(i, i + side) for i in range(count - side)] + [(count - 1, 0)]
    pipes = [{"name": f"link[{i // side}][{i % side}]", "type": "float", "kind": "channel", "packet_bytes": 4,
              "declared_depth": 8, "depth": 8, "file": "grid.cl", "line": 1, "host": "", "io": "", "writer": writer,
              "reader": reader, "packets": 1000 + i, "mean_fill": 1.5, "high_water": 8, "full_ns": 3000 * (i % 20),
              "empty_ns": 4000 * (i % 15)} for i, (writer, reader) in enumerate(ends)]
    sites = [{"kernel": ends[i][op == "read"], "pipe": i, "op": op, "blocking": True, "file": "grid.cl", "line": 5, "column": 5,
              "stalls": 6, "stall_ns": 3000} for i in range(len(ends)) for op in ("write", "read")]
    spans = [{"kernel": i % count, "start_ns": 10 + i, "end_ns": 900 + i, "state": "run", "pipe": -1} for i in range(10000)]
    return {"sluice_profile": 1, "program": "grid.cl", "device": "Sluice FPGA emulator", "time_ns": 81234, "kernels": kernels,
            "pipes": pipes, "sites": sites, "timeline": spans}


def copies(profile):
    """The same, of one autorun kernel."""
    kernels = [{**kernel, "name": f"element.{i}" if i else "element", "line": 3, "autorun": True}
               for i, kernel in enumerate(profile["kernels"])]
    return {**profile, "kernels": kernels}


def fours(profile):
    """The same, of 2500 kernels with four copies each."""
    kernels = [{**kernel, "name": f"element.{i}", "line": i // 4 + 1, "autorun": True}
               for i, kernel in enumerate(profile["kernels"])]
    return {**profile, "kernels": kernels}


def page_of(report, profile_text):
    """The page, within the limits."""
    with tempfile.TemporaryDirectory() as folder:
        profile, page = os.path.join(folder, "large.json"), os.path.join(folder, "large.html")
        with open(profile, "w", encoding="utf-8") as file:
            json.dump(profile_text, file)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = subprocess.run([report, profile, "-o", page], capture_output=True, text=True, check=False)
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = usage.ru_utime + usage.ru_stime - before.ru_utime - before.ru_stime
        expect(result.returncode == 0 and not result.stderr, result.stderr)
        with open(page, encoding="utf-8") as file:
            text = file.read()
    size = len(text.encode())
    expect(size <= MOST_BYTES, f"{size} bytes")
    expect(seconds <= MOST_SECONDS, f"{seconds} s")
    print(f"{SIDE * SIDE} kernels: {size / (1 << 20):.2f} MiB, {seconds:.2f} s")
    return text


def main():
    profile = make_profile(SIDE)
    text = page_of(sys.argv[1], profile)
    expect("There is no graph of so many kernels and pipes." in text, "the graph that is missing is not mentioned")
    for rows in (SIDE * SIDE, 2 * SIDE * (SIDE - 1) + 1):
        expect(f"and {rows - 4000} more" in text, f"what is left out of {rows} rows is not mentioned")
    text = page_of(sys.argv[1], copies(profile))
    graph = text[text.index("<svg"):text.index("</svg>")]
    expect(graph.count('class="node ') == 1 and graph.count('class="edge"') == 1, "not one node with one edge")
    expect(f"element × {SIDE * SIDE}" in graph and f"link × {len(profile['pipes'])}" in graph, "no multiplicities")
    expect(f"{SIDE * SIDE} units, {SIDE} × {SIDE}" in text, "no units")
    text = page_of(sys.argv[1], fours(profile))
    expect(text.count('<details class="units">') == 1000 and "and 1500 more" in text, "not as many groups as have rows")
    print(f"{len(FAILURES)} failures")
    return bool(FAILURES)


if __name__ == "__main__":
    sys.exit(main())
