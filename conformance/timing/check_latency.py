#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_latency.py SLUICEC: latency constraints against the schedule. Each combination of type, cycles, order and place is
a kernel; what has to come of it is worked out here from the least and the most distance of its two operations."""
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

FAILURES = []
HEAD = "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
TYPES = ("exact", "max", "min")
CYCLES = range(-4, 9)


def expect(condition, what):
    if not condition:
        print(what)
        FAILURES.append(what)


class Shape:
    """Two operations, `A` the anchor and `C` the constrained one; `least` and `most`: cycles from A to C that the data
    between them leave (the read and the add take a cycle each), None: any."""

    def __init__(self, name, body, least, most, loop="for (int i = 0; i < 99; i++) {", unrolled=1, attribute="", rest=""):
        self.name, self.body, self.least, self.most = name, body, least, most
        self.loop, self.unrolled, self.attribute, self.rest = loop, unrolled, attribute, rest


READ, WRITE = "read_channel_intel(%a)", "write_channel_intel(%b, {})"
SHAPES = [
    Shape("behind", f"int v = {READ} A; {WRITE.format('v + 1')} C;", 2, None),
    Shape("before", f"int v = {READ} C; {WRITE.format('v + 1')} A;", None, -2),
    Shape("apart", f"int v = {READ} A; {WRITE.format('i')} C; s += v;", None, None),
    Shape("blocks", f"int v = {READ} A; if (n > i) {WRITE.format('v + 1')} C;", 2, None),
    Shape("branch", f"int v = {READ} A; if (v > 3) {WRITE.format('i')} C;", 1, None),
    Shape("unrolled", f"int v = {READ} A; {WRITE.format('v + 1')} C;", 2, None,
          loop="for (int i = 0; i < 99; i++)\n#pragma unroll\nfor (int k = 0; k < 3; k++) {", unrolled=3),
    Shape("units", f"int v = {READ} A; {WRITE.format('v + 1')} C;", 2, None,
          attribute="__attribute__((max_global_work_dim(0), autorun, num_compute_units(2))) "),
    Shape("outer", f"int v = {READ} A; {WRITE.format('v + 1')} C; for (int k = 0; k < n; k++) p[k] = i;", 2, None),
    Shape("once", f"int v = {READ} A; {WRITE.format('v + 1')} C;", 2, None, loop="{"),
]


def holds(shape, kind, cycles):
    """What is wrong in words, or None."""
    if kind != "min" and shape.least is not None and shape.least > cycles:
        return f"at least {shape.least}"
    if kind != "max" and shape.most is not None and shape.most < cycles:
        return f"at most {shape.most}"
    return None


def achieved(shape, kind, cycles):
    """By the earliest schedule: both start as early as they can."""
    natural = shape.least if shape.least is not None else shape.most if shape.most is not None else 0
    if kind == "exact":
        return cycles
    return min(natural, cycles) if kind == "max" else max(natural, cycles)


class Kernel:
    def __init__(self, number, shape, kind, cycles):
        self.name, self.number, self.shape, self.kind, self.cycles = f"k{number}", number, shape, kind, cycles
        units = shape.name == "units"
        body = shape.body
        for name, end in (("a", "[2]"), ("b", "[2]")):
            body = body.replace("%" + name, f"{name}{number}" + ("[get_compute_id(0)]" if units else ""))
        body = body.replace(" A;", f" __attribute__((latency_anchor({number})));")
        body = body.replace(" C;", f" __attribute__((latency_constraint({number}, {kind}, {cycles})));")
        anchor, constrained = body.index("latency_anchor"), body.index("latency_constraint")
        self.lines = body[:anchor].count("\n"), body[:constrained].count("\n")
        size = "[2]" if units else ""
        self.text = (f"channel int a{number}{size}, b{number}{size};\n{shape.attribute}kernel void k{number}("
                     + ("" if units else "global int *restrict p, int n") + ")\n"
                     f"{{ int s = 0;\n{shape.loop}\n" + body.replace("; ", ";\n") + "\n}"
                     + ("" if units else " p[99] = s;") + " }\n")


def write(path, kernels):
    """The lines of each kernel's two operations."""
    text, places = HEAD, {}
    for kernel in kernels:
        first = text.count("\n") + 1
        text += kernel.text
        lines = kernel.text.split("\n")
        anchor = next(i for i, line in enumerate(lines) if "latency_anchor" in line)
        constrained = next(i for i, line in enumerate(lines) if "latency_constraint" in line)
        places[kernel.name] = first + anchor, first + constrained
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return places


def compile_file(sluicec, path):
    return subprocess.run([sluicec, path, "--schedule", "-"], capture_output=True, text=True, check=False)


def check_one(kernel, row):
    loops, rest = row["loops"], row.get("pipes", [])
    shape, wanted = kernel.shape, achieved(kernel.shape, kernel.kind, kernel.cycles)
    pipes = [pipe for loop in loops for pipe in loop["pipes"]] + rest
    bound = [pipe for pipe in pipes if "constraint" in pipe]
    other = [pipe for pipe in pipes if "constraint" not in pipe]
    what = f"{shape.name}: {kernel.kind} {kernel.cycles}"
    expect(bool(rest) == (shape.name == "once"), f"{what}: {rest} outside of loops")
    expect(all(("stretch" in pipe) == (shape.name in ("outer", "once")) for pipe in pipes), f"{what}: {pipes}")
    expect(len({pipe.get("stretch") for pipe in pipes}) == 1, f"{what}: {pipes}")
    expect(len(bound) == len(other) == shape.unrolled, f"{what}: {pipes}")
    for one, two in zip(bound, other):
        expect(one["constraint"] == {"anchor": kernel.number, "type": kernel.kind, "cycles": kernel.cycles,
                                     "achieved": one["cycle"] - two["cycle"]}, f"{what}: {one}")
        got = one["cycle"] - two["cycle"]
        expect(got == wanted or shape.unrolled > 1 and kernel.kind != "exact"
               and (got <= kernel.cycles if kernel.kind == "max" else got >= kernel.cycles),
               f"{what}: {got} cycles instead of {wanted}")
    expect(all(loop["ii"] == shape.unrolled for loop in loops if loop["pipelined"]), f"{what}: II of {loops}")


def check_good(sluicec, folder, kernels):
    path = os.path.join(folder, "good.cl")
    write(path, kernels)
    result = compile_file(sluicec, path)
    expect(not result.returncode, result.stderr[:2000])
    rows = {row["name"]: row for row in json.loads(result.stdout or '{"kernels":[]}')["kernels"]}
    for kernel in kernels:
        check_one(kernel, rows.get(kernel.name, {"loops": []}))


def check_bad(sluicec, folder, kernels):
    path = os.path.join(folder, "bad.cl")
    places = write(path, kernels)
    result = compile_file(sluicec, path)
    expect(result.returncode == 1, "no error")
    said = [line for line in result.stderr.split("\n") if "cannot hold" in line]
    for kernel in kernels:
        anchor, constrained = places[kernel.name]
        mine = [line for line in said if f"latency_constraint({kernel.number}, " in line]
        wanted = (rf"^{re.escape(path)}:{constrained}:\d+: error: latency_constraint\({kernel.number}, {kernel.kind}, "
                  rf"{kernel.cycles}\) of the (write to b|read of a){kernel.number} cannot hold: it is "
                  rf"{holds(kernel.shape, kernel.kind, kernel.cycles)} cycles? behind anchor {kernel.number}, the "
                  rf"(read of a|write to b){kernel.number} at line {anchor}$")
        expect(len(mine) == kernel.shape.unrolled and all(re.match(wanted, line) for line in mine),
               f"{kernel.shape.name}: {mine} instead of {wanted}")


def check_sources(sluicec, folder):
    """Places that have no fixed distance, mistakes, and anchors that are wrong in themselves."""
    anchor, constraint = "__attribute__((latency_anchor(1)))", "__attribute__((latency_constraint(1, max, 9)))"
    read, write_b = f"int v = read_channel_intel(a) {anchor};", f"write_channel_intel(b, v) {constraint};"
    for body, code, said in [
        ("kernel void k() { for (int i = 0; i < 9; i++) { READ } for (int i = 0, v = 0; i < 9; i++) { WRITE } }", 1,
         "anchor 1, the read of a at line 3, is not in the same iteration"),
        ("kernel void k() { for (int i = 0; i < 9; i++) { READ } }\nkernel void l(int v) { WRITE }", 1,
         "anchor 1, the read of a at line 3, is not in the same iteration"),
        ("kernel void k(global int *p, int n) { for (int i = 0; i < 9; i++) { READ\n"
         "for (int k = 0; k < n; k++) p[k] = v; WRITE } }", 1, "a loop lies between it and anchor 1, the read of a at line 3"),
        ("kernel void k(global int *p, int n) { READ for (int k = 0; k < n; k++) p[k] = v; WRITE }", 1,
         "a loop lies between it and anchor 1"),
        ("kernel void k(int v) { WRITE }", 0, "x.cl:3:24: warning: a latency constraint of pipe 'b' is from anchor 1"),
        ("kernel void k() { READ }\nkernel void l() { READ }", 1,
         "x.cl:4:27: error: latency anchor 1 is at two places: the read of 'a' here and the read of 'a' at "),
        ("kernel void k() { read_channel_intel(a) __attribute__((latency_anchor(1), latency_constraint(1, max, 3))); }", 1,
         "latency anchor 1 is constrained by itself"),
        ("kernel void k() { READ write_channel_intel(b, v) __attribute__((latency_constraint(1, most, 3))); }", 1,
         "a latency is 'exact', 'max' or 'min'"),
        ("kernel void k() { READ write_channel_intel(b, v) __attribute__((latency_constraint(1, max))); }", 1,
         "'latency_constraint' takes an anchor, a type and cycles"),
        ("kernel void k(int n) { read_channel_intel(a) __attribute__((latency_anchor(n))); }", 1,
         "the numbers of a latency have to be constants"),
        ("kernel void k() { read_channel_intel(a) __attribute__((latency_anchor(1))) __attribute__((latency_anchor(2))); }",
         1, "'latency_anchor' stands here twice"),
        ("kernel void k() { READ write_channel_intel(b, v) __attribute__((latency_constraint(1, min, 100000))); }", 1,
         "more than 65536 cycles"),
        # one place in a function of two kernels is one anchor
        ("int f() { READ return v; }\nchannel int e[2];\nkernel void k() { write_channel_intel(e[0], f()); }", 0, ""),
        # two constraints that exclude each other: the second is the wrong one
        ("kernel void k() { READ write_channel_intel(b, v) __attribute__((latency_constraint(1, min, 5)));\n"
         "write_channel_intel(c, v) __attribute__((latency_constraint(2, exact, 1), latency_anchor(3)));\n"
         "write_channel_intel(d, v) __attribute__((latency_anchor(2), latency_constraint(3, max, -2))); }", 1,
         "x.cl:5:1: error: latency_constraint(3, max, -2) of the write to d cannot hold: it is at least -1 cycle behind "
         "anchor 3, the write to c at line 4"),
    ]:
        with open(os.path.join(folder, "x.cl"), "w", encoding="utf-8") as file:
            file.write(HEAD + "channel int a, b, c, d;\n"
                       + body.replace("READ", read).replace("WRITE", write_b) + "\n")
        result = compile_file(sluicec, os.path.join(folder, "x.cl"))
        expect(result.returncode == code and (said in result.stderr if said else "latency" not in result.stderr),
               f"{body}: {result.returncode} {result.stderr!r} instead of {code} {said!r}")
        plain = subprocess.run([sluicec, "--device=fpga", os.path.join(folder, "x.cl"), "-o", os.path.join(folder, "x.slb")],
                               capture_output=True, text=True, check=False)
        if "cannot hold" in result.stderr:
            expect(not plain.returncode, f"without a schedule: {plain.stderr!r}")


def check_forms(sluicec, folder):
    """All operations that move a packet take attributes, and nothing else does."""
    bound = "__attribute__((latency_constraint(1, exact, 7)))"
    for call in ("write_channel_intel(b, v)", "write_channel_nb_intel(b, v)", "v += read_channel_intel(c)",
                 "{ bool ok; v += read_channel_nb_intel(c, &ok)", "write_pipe(p, &v)", "write_pipe_block(p, &v)", "read_pipe(q, &v)",
                 "read_pipe_block(q, &v)", "v += write_pipe(r, &v)", "write_pipe_block(r, &v)", "v += read_pipe(t, &v)",
                 "read_pipe_block(t, &v)"):
        path = os.path.join(folder, "f.cl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(HEAD + "channel int a, b, c; pipe int p, q;\n"
                       "kernel void k(write_only pipe int r, read_only pipe int t, global int *restrict o) {\n"
                       "for (int i = 0; i < 9; i++) { int v = read_channel_intel(a) __attribute__((latency_anchor(1)));\n"
                       f"{call} {bound};{' }' if call[0] == '{' else ''} o[i] = v; }} }}\n")
        result = compile_file(sluicec, path)
        expect(not result.returncode, f"{call}: {result.stderr}")
        pipes = json.loads(result.stdout)["kernels"][0]["loops"][0]["pipes"] if result.stdout else []
        expect([pipe["cycle"] - pipes[0]["cycle"] for pipe in pipes] == [0, 7] and "constraint" in pipes[1], f"{call}: {pipes}")
    for call, said in (("reserve_read_pipe(q, 1)", "'reserve_read_pipe' moves no packet: it has no latency"),
                       ("barrier(CLK_LOCAL_MEM_FENCE)", "expected ';'")):
        with open(path, "w", encoding="utf-8") as file:
            file.write(HEAD + f"pipe int q;\nkernel void k() {{ {call} {bound}; }}\n")
        result = compile_file(sluicec, path)
        expect(result.returncode == 1 and said in result.stderr, f"{call}: {result.stderr}")


def check_recurrence(sluicec, folder):
    """A bound from above within a recurrence, through another iteration, makes it slower, and the reason says so."""
    with open(os.path.join(folder, "r.cl"), "w", encoding="utf-8") as file:
        file.write(HEAD + "channel int a, b;\nkernel void k(int n) { int s = 0; for (int i = 0; i < n; i++) {\n"
                   "s += read_channel_intel(a) __attribute__((latency_anchor(1)));\n"
                   "write_channel_intel(b, s) __attribute__((latency_constraint(1, exact, 20))); } }\n")
    result = compile_file(sluicec, os.path.join(folder, "r.cl"))
    loop = json.loads(result.stdout)["kernels"][0]["loops"][0]
    expect(loop["ii"] == 1 and [pipe["cycle"] for pipe in loop["pipes"]] == [0, 20], loop)


NESTED = """static int innermost(read_only pipe int p, int *v) { return read_pipe(p, v); }
static int inner(read_only pipe int p, int *v) { return innermost(p, v); }
static int __latency_control_nb_read_wrapper(read_only pipe int p, int *v, int anchor, int from, int type, int cycles)
{
    return inner(p, v);
}
static int put(write_only pipe int p, int *v) { return write_pipe(p, v); }
static int __latency_control_nb_write_wrapper(write_only pipe int p, int *v, int anchor, int from, int type, int cycles)
{
    return put(p, v);
}
kernel void k(read_only pipe int a, write_only pipe int b)
{
    for (int i = 0; i < 9; i++) {
        int v;
        __latency_control_nb_read_wrapper(a, &v, 1, 0, 0, 0);
        __latency_control_nb_write_wrapper(b, &v, -1, 1, 1, 9);
    }
}
"""


def check_nested(sluicec, folder):
    """Controls of a wrapper reach the operation however many functions lie between."""
    path = os.path.join(folder, "n.cl")
    with open(path, "w", encoding="utf-8") as file:
        file.write(NESTED)
    result = compile_file(sluicec, path)
    expect(not result.returncode, result.stderr)
    pipes = json.loads(result.stdout)["kernels"][0]["loops"][0]["pipes"] if result.stdout else []
    expect([pipe["cycle"] for pipe in pipes] == [0, 9] and "constraint" in pipes[1], f"nested wrappers: {pipes}")


def main():
    sluicec = sys.argv[1]
    kernels = [Kernel(i, *parts) for i, parts in enumerate(itertools.product(SHAPES, TYPES, CYCLES))]
    bad = [kernel for kernel in kernels if holds(kernel.shape, kernel.kind, kernel.cycles)]
    good = [kernel for kernel in kernels if kernel not in bad]
    with tempfile.TemporaryDirectory() as folder:
        table = os.path.join(folder, "operators")
        with open(table, "w", encoding="utf-8") as file:
            file.write("pipe.read 1\n")
        os.environ["SLUICE_FPGA_OPERATORS"] = table
        check_good(sluicec, folder, good)
        check_bad(sluicec, folder, bad)
        check_sources(sluicec, folder)
        check_forms(sluicec, folder)
        check_recurrence(sluicec, folder)
        check_nested(sluicec, folder)
    print(f"{len(good)} constraints hold, {len(bad)} do not, {len(FAILURES)} failures")
    return bool(FAILURES)


if __name__ == "__main__":
    sys.exit(main())
