#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_loops.py SLUICEC SLUICE-REPORT loops.cl: compares the schedule of each loop with the comment in its line, tries
tables of operators, and looks for the loops on the page."""
import html
import json
import os
import re
import subprocess
import sys
import tempfile

FAILURES = []


def expect(condition, what):
    if not condition:
        print(what)
        FAILURES.append(what)


def run(*command, **settings):
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **settings}, check=False)


def wanted_loops(path):
    wanted = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            found = re.search(r"// loop: (.*)", line)
            if found:
                wanted[number] = re.sub(r"@([+-]\d+)", lambda m, n=number: str(n + int(m[1])), found[1].strip())
    return wanted


def loops_of(schedule):
    return [(kernel["name"], loop) for kernel in schedule["kernels"] for loop in kernel["loops"]]


def check_loop(path, loop, wanted):
    expect(loop["why"] == wanted, f"{path}:{loop['line']}: {loop['why']!r} instead of {wanted!r}")
    if not loop["pipelined"]:
        return
    expect(loop["why"].startswith(f"II {loop['ii']}"), loop)
    expect(loop["ii"] >= max(loop["recurrence_ii"], loop["resource_ii"]), loop)
    expect(loop["depth"] >= 1, loop)
    expect(all(pipe["cycle"] < loop["depth"] for pipe in loop["pipes"]), loop)


def unexpected(said):
    """What is said beside the one thing that is wrong in loops.cl: a pragma without its number."""
    wrong = r"[^\n]*: warning: '#pragma speculated_iterations' takes a number: ignored\n[^\n]*\n[^\n]*\^\n\n?"
    return re.sub(wrong, "", said, count=1)


def check_schedule(sluicec, path):
    result = run(sluicec, path, "--schedule", "-")
    expect(not result.returncode and not unexpected(result.stderr), result.stderr)
    schedule = json.loads(result.stdout)
    expect(schedule["sluice_timing"] == 1 and schedule["clock_mhz"] == 300, "wrong head")
    wanted = wanted_loops(path)
    loops = loops_of(schedule)
    for _, loop in loops:
        check_loop(path, loop, wanted.get(loop["line"]))
    missing = set(wanted) - {loop["line"] for _, loop in loops}
    expect(not missing, f"{path}: no loops at lines {sorted(missing)}")
    expect(len(loops) > 15, "few loops")
    return loops


def check_global_memory(sluicec, path, table):
    """Bytes of an iteration, and what a memory with so many a cycle makes of them."""
    for bytes_per_cycle, wanted in ((1, "II 4: 4 bytes of global memory, 1 a cycle"),
                                    (2, "II 3: 5 accesses to many_accesses.a, 2 ports")):
        with open(table, "w", encoding="utf-8") as file:
            file.write(f"global.bytes {bytes_per_cycle}\n")
        schedule = json.loads(run(sluicec, path, "--schedule", "-", SLUICE_FPGA_OPERATORS=table).stdout)
        loops = [loop for name, loop in loops_of(schedule) if name == "many_accesses"]
        expect(schedule["global_bytes"] == bytes_per_cycle, "bytes a cycle")
        expect([loop["global_bytes"] for loop in loops] == [0, 4], f"bytes of {loops}")
        expect(loops[1]["why"] == wanted, f"{loops[1]['why']} instead of {wanted}")
        expect(loops[1]["resource_ii"] == max(3, 4 // bytes_per_cycle), str(loops[1]))


def check_operators(sluicec, path, folder):
    table = os.path.join(folder, "operators")
    with open(table, "w", encoding="utf-8") as file:
        file.write("clock.mhz 500 # a board\nfloat.add 1\nlocal.ports 1\n")
    schedule = json.loads(run(sluicec, path, "--schedule", "-", SLUICE_FPGA_OPERATORS=table).stdout)
    loops = {name: loop["why"] for name, loop in loops_of(schedule)}
    expect(schedule["clock_mhz"] == 500, "clock of the table")
    expect(loops["float_sum"] == "II 1", loops["float_sum"])
    expect(loops["many_accesses"].startswith("II 5: 5 accesses"), loops["many_accesses"])
    check_global_memory(sluicec, path, table)
    with open(table, "w", encoding="utf-8") as file:
        file.write("# wrong\nfloat.ad 1\n")
    for file, why in ((table, f"error: SLUICE_FPGA_OPERATORS: {table}: line 2: no such key\n"),
                      (folder + "/none", f"error: SLUICE_FPGA_OPERATORS: {folder}/none: No such file or directory\n")):
        result = run(sluicec, path, "--schedule", "-", SLUICE_FPGA_OPERATORS=file)
        expect(result.returncode == 1 and unexpected(result.stderr) == why, result.stderr)


def code_of(sluicec, path, folder, *options):
    """All instructions, without the numbers of metadata."""
    output = os.path.join(folder, "code.ll")
    run(sluicec, "--device=fpga", "--emit=ll", path, "-o", output, *options)
    with open(output, encoding="utf-8") as file:
        return [re.sub(r", ![a-z.]+ !\d+", "", line) for line in file if line.startswith("  ")]


def check_code(sluicec, path, folder):
    """What tells a kernel's clock of its loops is there for who asks for it only."""
    mark = re.compile(r"call void %[\w.]+\(ptr [^,]*%[\w.]+, i32 [0123], i32 \d+, i32 \d+, i64 [^,)]+\)")
    plain, timed = (sum(bool(mark.search(line)) for line in code_of(sluicec, path, folder, *options))
                    for options in ((), ("-sluice-timing",)))
    expect(plain == 0 and timed > 0, f"{plain} marks of loops without the option, {timed} with it")


def check_page(sluicec, report, path, folder, loops):
    module, page = os.path.join(folder, "m.slb"), os.path.join(folder, "m.html")
    for options, there in (([], False), (["-sluice-timing"], True)):
        run(sluicec, "--device=fpga", path, "-o", module, *options)
        expect(not run(report, module, "-o", page).returncode, "no page")
        with open(page, encoding="utf-8") as file:
            text = file.read()
        for _, loop in loops:
            expect((html.escape(loop["why"], quote=False) in html.unescape(text)) == there or loop["why"] == "II 1",
                   f"on the page: {loop['why']}")
        expect(("<h2>Loops</h2>" in text) == there, "table of loops")


LANES = """#pragma OPENCL EXTENSION cl_intel_channels : enable
channel int c;
__attribute__((num_simd_work_items(%d)%s))
__kernel void lanes(__global const int *restrict in, __global int *restrict out)
{
    int x = in[get_global_id(0)];
    %s
    out[get_global_id(0)] = x;
}
__kernel void other() { %s; }
"""


def check_lanes(sluicec, folder):
    """num_simd_work_items: what they move together, and where it has no effect, with the reason."""
    path, table = os.path.join(folder, "lanes.cl"), os.path.join(folder, "lanes.operators")
    with open(table, "w", encoding="utf-8") as file:
        file.write("global.bytes 8\n")
    size, loop = ", reqd_work_group_size(64, 1, 1)", "for (int i = 0; i < 8; i++) x = x * x + in[i];"
    read = "x += read_channel_intel(c);"
    for lanes, text, body, wanted, why in (
            (4, size, "", [(4, 32)], None), (1, size, "", [(1, 8)], None), (4, size, loop, [(2, 16)], None),
            (4, "", "", [(1, 8)], "needs reqd_work_group_size"),
            (8, ", reqd_work_group_size(36, 1, 1)", "", [(1, 8)], "has to be a multiple"), (3, size, "", [(1, 8)], "1, 2, 4, 8 or 16"),
            (4, size, read, [(1, 8)], "a kernel with pipes is not vectorised")):
        with open(path, "w", encoding="utf-8") as file:
            file.write(LANES % (lanes, text, body, "write_channel_intel(c, 1)" if body == read else ""))
        result = run(sluicec, path, "--schedule", "-", SLUICE_FPGA_OPERATORS=table)
        loops = [row for name, row in loops_of(json.loads(result.stdout)) if name == "lanes"]
        what = f"{lanes} lanes{text} {body}"
        expect([(row["ii"], row["global_bytes"]) for row in loops] == wanted, f"{what}: {loops}")
        expect([row.get("lanes", 1) for row in loops] == [1 if why else lanes], f"{what}: {loops}")
        said = f"lanes.cl:4: warning: num_simd_work_items({lanes}) of kernel 'lanes' has no effect on its schedule: "
        expect((said in result.stderr and why in result.stderr) if why else not result.stderr, f"{what}: {result.stderr}")


def main():
    sluicec, report, path = sys.argv[1:]
    loops = check_schedule(sluicec, path)
    with tempfile.TemporaryDirectory() as folder:
        check_operators(sluicec, path, folder)
        check_code(sluicec, path, folder)
        check_lanes(sluicec, folder)
        check_page(sluicec, report, path, folder, loops)
    print(f"{len(loops)} loops, {len(FAILURES)} failures")
    return bool(FAILURES)


if __name__ == "__main__":
    sys.exit(main())
