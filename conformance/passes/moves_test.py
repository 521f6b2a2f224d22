#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""moves_test.py SLUICEC OBJDUMP: extremes that a loop carries on are moves under a condition.

Each kernel is a task with one loop, whose only branches are then those that end its loops. A branch on the data would jump over a
plain move between registers.
"""
import re
import subprocess
import sys
import tempfile

HEAD = "__attribute__((max_global_work_dim(0))) kernel void %s(global const int *restrict a, global int *restrict b, int n, int p)\n"
LOOPS = {
    "two": "int r = b[0]; for (int i = 1; i < n; i++) { r = max(a[i], r - p); b[i] = r; }",
    "three": "int r = b[0]; for (int i = 1; i < n; i++)"
             " { r = max(max(b[n + i] + a[i], r - p), b[n + n + i] - p); b[i] = r; }",
    "path": "int r = b[0]; for (int i = 1; i < n; i++)"
            " { r = a[i] + min(min(r, a[n + i]), a[n + i + 1]); b[i] = r; }",
    "gaps": "int h = 0, f = 0; for (int i = 1; i < n; i++)"
            " { f = max(f - p, h - a[0]); h = max(max(a[n + i] + a[i], f), 0); b[i] = h; }",
}
JUMP = re.compile(r"\tj([a-z]+)\s+0x[0-9a-f]+")
COPY = re.compile(r"\tmovl\s+%\w+, %\w+$")


def skipped_copies(text):
    """How many branches jump over no more than a copy of a register."""
    lines = [line for line in text.splitlines() if "\t" in line]
    return sum(1 for k, line in enumerate(lines[:-1])
               if JUMP.search(line) and "jmp" not in line and COPY.search(lines[k + 1]))


def main():
    sluicec, objdump = sys.argv[1:3]
    problems = 0
    with tempfile.TemporaryDirectory() as folder:
        source, made = f"{folder}/loops.cl", f"{folder}/loops.o"
        with open(source, "w", encoding="utf-8") as file:
            file.writelines(HEAD % name + "{ " + body + " }\n" for name, body in LOOPS.items())
        for level in ("sse4.2", "avx2", "avx512"):
            subprocess.run([sluicec, "--device=fpga", "--emit=obj", f"--target={level}", source, "-o", made], check=True)
            text = subprocess.run([objdump, "-d", "--no-show-raw-insn", made], check=True, capture_output=True,
                                  text=True).stdout
            for name in LOOPS:
                code = text.split(f"<{name}>:")[1].split("\n\n")[0]
                if "cmov" not in code or skipped_copies(code):
                    print(f"{name}, {level}: a branch for an extreme", file=sys.stderr)
                    problems += 1
    return problems > 0


sys.exit(main())
