#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_arguments.py RUN_DESIGN SLUICEC SLUICE-REPORT: pipes that are arguments of kernels have their names, depths and types in
the schedule, on the page of a design and in the profile of a run, without -cl-kernel-arg-info, and operations on them wait as they
are declared."""
import json
import os
import re
import subprocess
import sys
import tempfile

SOURCE = """#pragma OPENCL EXTENSION cl_intel_fpga_host_pipe : enable
pipe int between __attribute__((blocking));
kernel void ask(read_only pipe int orders __attribute__((blocking, depth(32), intel_host_accessible)),
                write_only pipe int prices __attribute__((depth(7))))
{
    int x = 0;
    for (int i = 0; i < 9; i++) {
        read_pipe(orders, &x);
        write_pipe(between, &x);
        write_pipe(prices, &x);
    }
}
kernel void answer(write_only pipe int prices __attribute__((blocking, depth(5))))
{
    int x = 0;
    for (int i = 0; i < 9; i++) {
        read_pipe(between, &x);
        write_pipe(prices, &x);
    }
}
"""
RUNS = """kernel void give(write_only pipe int out __attribute__((blocking, depth(3))))
{
    for (int i = 0; i < 9; i++)
        write_pipe(out, &i);
}
kernel void take(read_only pipe int in __attribute__((blocking, depth(3))))
{
    int x = 0;
    for (int i = 0; i < 9; i++)
        read_pipe(in, &x);
}
"""
FAILURES = []


def expect(condition, what):
    if not condition:
        print(what)
        FAILURES.append(what)


def check_schedule(sluicec, source):
    text = subprocess.run([sluicec, "--schedule=-", source], capture_output=True, text=True, check=True).stdout
    found = {(kernel["name"], row["pipe"]): row["blocking"] for kernel in json.loads(text)["kernels"]
             for loop in kernel["loops"] for row in loop["pipes"]}
    expect(found == {("ask", "orders"): True, ("ask", "between"): True, ("ask", "prices"): False, ("answer", "between"): True,
                     ("answer", "prices"): True}, found)


def check_page(sluicec, report, source, folder):
    module, page = os.path.join(folder, "design.bin"), os.path.join(folder, "design.html")
    subprocess.run([sluicec, "--device=fpga", "-sluice-timing", "-o", module, source], capture_output=True, check=True)
    subprocess.run([report, module, "-o", page], check=True)
    with open(page, encoding="utf-8") as file:
        html = file.read()
    rows = [re.sub(r"<[^>]*>", "|", row) for row in re.findall(r"<tr[^>]*>.*?</tr>", html, re.S) if ">argument<" in row]
    words = [[word for word in row.replace("\n", "").split("|") if word.strip()] for row in rows]
    wanted = {("orders", "32", "host", "ask"), ("prices", "7", "ask", "-"), ("prices", "5", "answer", "-")}
    expect({(row[0], row[3].split()[0], *row[4:6]) for row in words} == wanted, words)
    expect(html.count('class="node host"') == 1 and html.count('class="node other"') == 2, "ends of arguments in the graph")
    expect("argument 0" not in html and "pipe argument" not in html, "an argument without a name")


def check_profile(program, report, folder):
    source, profile = os.path.join(folder, "runs.cl"), os.path.join(folder, "runs.json")
    with open(source, "w", encoding="utf-8") as file:
        file.write(RUNS)
    subprocess.run([program, source, f"-sluice-timing -s {source}", "give%a", "take%a"], check=True,
                   env={**os.environ, "SLUICE_FPGA_PROFILE": profile})
    with open(profile, encoding="utf-8") as file:
        run = json.load(file)
    expect(len(run["pipes"]) == 1, run["pipes"])
    pipe = run["pipes"][0]
    expect(pipe["name"] in ("out", "in") and pipe["declared_depth"] == 3 and pipe["depth"] == 8 and pipe["type"] == "int" and
           pipe["line"] in (1, 6), pipe)
    # who has told the name of the source finds it
    expect({site["file"] for site in run["sites"]} == {source} and pipe["file"] == source, run["sites"])
    expect(all(loop["file"] == source and loop["text"] for kernel in run["schedule"]["kernels"] for loop in kernel["loops"]), run["schedule"])
    expect({site["name"] for site in run["sites"]} == {"out", "in"}, run["sites"])
    text = subprocess.run([report, "--cycles", profile], capture_output=True, text=True, check=True).stdout
    expect("argument 0" not in text, text)


def main():
    program, sluicec, report = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "arguments.cl")
        with open(source, "w", encoding="utf-8") as file:
            file.write(SOURCE)
        check_schedule(sluicec, source)
        check_page(sluicec, report, source, folder)
        check_profile(program, report, folder)
    sys.exit(1 if FAILURES else 0)


main()
