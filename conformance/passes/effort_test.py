#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""effort_test.py SL_OPT: functions that LLVM's optimiser would take minutes for are kept from it.

Those of more than 100 000 instructions (a block counts as 15) or 1000 loops, and no others: each generated
function is one step below the limit or above it. The marked ones must neither be inlined nor optimised.
"""
import re
import subprocess
import sys
import tempfile

BLOCK = 15


def straight(instructions):
    """One block: its instructions, the return one of them."""
    lines = ["  %%v%d = add i32 %s, %d" % (k, "%%v%d" % (k - 1) if k else "%x", k)
             for k in range(instructions - 1)]
    return "\n".join(lines + ["  ret i32 %%v%d" % (instructions - 2)])


def loops(count):
    """Blocks one behind the other, each of which is a loop."""
    lines = ["  br label %b0"]
    for k in range(count):
        lines += ["b%d:" % k, "  %%c%d = icmp eq i32 %%x, %d" % (k, k),
                  "  br i1 %%c%d, label %%b%d, label %%b%d" % (k, k, k + 1)]
    return "\n".join(lines + ["b%d:" % count, "  ret i32 %x"])


FUNCTIONS = {
    "fits": (straight(100000 - BLOCK), False),
    "large": (straight(100001 - BLOCK), True),
    "turns": (loops(1000), False),
    "many_turns": (loops(1001), True),
}


def module():
    text = 'target triple = "spir64-unknown-unknown"\n'
    for name, (body, _) in FUNCTIONS.items():
        text += "define internal spir_func i32 @%s(i32 %%x) {\nentry:\n%s\n}\n" % (name, body)
    text += "define spir_kernel void @k(ptr addrspace(1) %p, i32 %x) {\n"
    for name in FUNCTIONS:
        text += "  %%%s = call spir_func i32 @%s(i32 %%x)\n" % (name, name)
        text += "  store volatile i32 %%%s, ptr addrspace(1) %%p\n" % name
    return text + "  ret void\n}\n"


def attributes(text, name):
    number = re.search(r"^define internal i32 @%s\([^)]*\) (?:#(\d+) )?\{" % name, text, re.M).group(1)
    group = number and re.search(r"^attributes #%s = \{(.*)\}" % number, text, re.M)
    return group.group(1).split() if group else []


def main():
    with tempfile.NamedTemporaryFile("w", suffix=".ll") as file:
        file.write(module())
        file.flush()
        done = subprocess.run([sys.argv[1], "-O0", "-then=effort", file.name], capture_output=True,
                              text=True, timeout=100, check=True)
    wrong = 0
    for name, (_, spared) in FUNCTIONS.items():
        found = attributes(done.stdout, name)
        if {"optnone" in found, "noinline" in found} != {spared}:
            print("%s: %s" % (name, " ".join(found)))
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
