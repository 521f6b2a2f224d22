#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is the machine code of a kernel the same from OpenCL C and from SPIR-V?

    spirv_code.py SLUICEC FILE.cl [OPTION...]    e.g. spirv_code.py build/test/kernels/compiler/sluicec a.cl -DN=512

For each kernel of the file: instructions from OpenCL C, and by clang's writer of SPIR-V with -O0, -O1 and -O2 `same`,
`registers` (the same operations) or how many times as many. Both without the promise that work-groups are whole, which
SPIR-V does not make; with -cl-std=CL1.2 text has it, and kernels that require a size are compared by the form that
launches of whole groups run. Unlike times this does not depend on what else the machine does.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

CLANG, OBJDUMP = "clang-22", "llvm-objdump-22"
EXTENSIONS = "--spirv-ext=all,-SPV_ALTERA_arbitrary_precision_integers,-SPV_INTEL_function_pointers"


def functions(sluicec, source, options, folder):
    """Name -> instructions, without places and padding."""
    made = Path(folder, "code.o")
    subprocess.run([sluicec, "--emit=obj", *options, "-o", made, source], check=True)
    text = subprocess.run([OBJDUMP, "-d", "--no-show-raw-insn", made], check=True, capture_output=True,
                          text=True).stdout
    found = {}
    for name, body in re.findall(r"<([^>\n]+)>:\n(.*?)(?:\n\n|\Z)", text, re.S):
        lines = [re.sub(r"^\s*[0-9a-f]+:\s+", "", line).split("#")[0].split("<")[0].strip()
                 for line in body.split("\n")]
        lines = [re.sub(r"^(j\w+|callq)\s.*", r"\1", line) for line in lines if line]
        found[name] = [line for line in lines if "nop" not in line.split()[0]]
    return found


def compare(text, spirv):
    if text == spirv:
        return "same"
    if [line.split()[0] for line in text] == [line.split()[0] for line in spirv]:
        return "registers"
    return f"{len(spirv) / len(text):.2f}"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sluicec, source, options = sys.argv[1], sys.argv[2], sys.argv[3:]
    with tempfile.TemporaryDirectory() as folder:
        text = functions(sluicec, source, ["-cl-std=CL3.0", *options], folder)
        others = []
        for level in ("-O0", "-O1", "-O2"):
            module = Path(folder, "code.spv")
            subprocess.run([CLANG, "--target=spirv64", "-w", "-x", "cl", level, "-cl-std=CL1.2", "-mllvm", EXTENSIONS,
                            *options, "-c", source, "-o", module], check=True)
            others.append(functions(sluicec, module, [], folder))
        if "-cl-std=CL1.2" in options:
            others = [{name: other.get(f"{name}.whole.kernel", code) for name, code in other.items()} for other in others]
        for name, code in text.items():
            if all(name in other for other in others):
                print(f"{name:24} {len(code):6}", *(f"{compare(code, other[name]):>9}" for other in others))


if __name__ == "__main__":
    main()
