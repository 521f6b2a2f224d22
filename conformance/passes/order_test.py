#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""order_test.py SLUICEC OBJDUMP: long blocks of functions side by side find registers.

On machines that take several registers per value LLVM's scheduler leaves some hundred values of such kernels in memory; in the
order in which they come nearly all find a register, also where one register is taken.
"""
import re
import subprocess
import sys
import tempfile

KERNEL = """kernel void {name}(global const {type} *a, global {type} *o)
{{
    size_t i = get_global_id(0);
    {type} x = a[i], s = 0;
    for (int k = 0; k < {rounds}; k++)
        s += {function}(x + ({type})0.25 * k);
    o[i] = s;
}}
"""
KERNELS = [("float", "log", 8), ("double", "exp", 8), ("float", "log10", 7)]
MOST = 24  # accesses to the stack
SPILL = re.compile(r"[yz]mm.*\(%rsp\)|\(%rsp\).*[yz]mm")


def main():
    sluicec, objdump = sys.argv[1:3]
    problems = 0
    with tempfile.TemporaryDirectory() as folder:
        source, made = f"{folder}/k.cl", f"{folder}/k.o"
        for kind, function, rounds in KERNELS:
            with open(source, "w", encoding="utf-8") as file:
                file.write(KERNEL.format(name="k", type=kind, function=function, rounds=rounds))
            subprocess.run([sluicec, "--emit=obj", "--target=avx512", source, "-o", made], check=True)
            text = subprocess.run([objdump, "-d", "--no-show-raw-insn", made], check=True, capture_output=True,
                                  text=True).stdout
            count = len(SPILL.findall(text))
            if "zmm" not in text or count > MOST:
                print(f"{function} of {kind}: {count} values go to memory and back", file=sys.stderr)
                problems += 1
    return problems > 0


sys.exit(main())
