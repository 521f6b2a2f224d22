#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compile_rules.py SOURCE RULE HEADERS INCLUDE COMPILER...: builds SOURCE with -DRULE=n and runs it, without a warning,
with and without exceptions; then builds it with -DREFUSED=m for each line "#if REFUSED == m /* words */" of that rule,
which must fail and say the words. Exit status 1 names what went wrong. All read the header as precompiled by
compile_rules.py --precompile HEADERS INCLUDE COMPILER..., for half of the time is its.
"""
import hashlib
import os
import re
import subprocess
import sys
import tempfile

STRICT = ["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror",
          "-DCL_TARGET_OPENCL_VERSION=300"]
LEAN = ["-fno-exceptions", "-fno-rtti"]
REFUSED = re.compile(r"#if REFUSED == (\d+) /\* (.*?) \*/")


def refusals(source, rule):
    """(number, words) of each thing that the rule refuses."""
    with open(source, encoding="utf-8") as file:
        text = file.read()
    section = re.search(rf"^#(?:el)?if RULE == {rule}$(.*?)^#el(?:if RULE|se)", text, re.M | re.S)
    if not section:
        sys.exit(f"{source} has no rule {rule}")
    return REFUSED.findall(section[1])


def compiled(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def command_of(compiler, flags, include, headers):
    """The command, and the header that it reads first: the compilers take what they precompiled beside it."""
    command = [compiler, *STRICT, *flags, f"-I{include}"]
    folder = hashlib.md5(" ".join(command).encode()).hexdigest()
    return command, os.path.join(headers, folder, "rules.hpp")


def precompile(headers, include, compilers):
    for compiler in compilers:
        for flags in [], LEAN:
            command, header = command_of(compiler, flags, include, headers)
            os.makedirs(os.path.dirname(header), exist_ok=True)
            with open(header, "w", encoding="utf-8") as file:
                file.write("#include <CL/sluice.hpp>\n")
            done = compiled([*command, "-x", "c++-header", header, "-o", header + ".gch"])
            if done.returncode:
                sys.exit(done.stdout)


def check_accepted(command, program):
    done = compiled([*command, "-o", program])
    if done.returncode:
        return [f"{' '.join(command)}\n{done.stdout}"]
    run = compiled([program])
    return [f"{command[0]}: {run.stdout or 'exit status'} {run.returncode}"] if run.returncode else []


def check_refused(command, number, words):
    done = compiled([*command, "-fsyntax-only", f"-DREFUSED={number}"])
    if not done.returncode:
        return [f"{command[0]} accepts REFUSED == {number}"]
    return [] if words in done.stdout else [f"{command[0]}, REFUSED == {number}: no \"{words}\" in\n{done.stdout}"]


def main():
    if sys.argv[1] == "--precompile":
        precompile(sys.argv[2], sys.argv[3], sys.argv[4:])
        return 0
    source, rule, headers, include, compilers = *sys.argv[1:5], sys.argv[5:]
    bad, refused = [], refusals(source, rule)
    with tempfile.TemporaryDirectory() as folder:
        for compiler in compilers:
            def command(flags):
                start, header = command_of(compiler, flags, include, headers)
                return [*start, "-include", header, f"-DRULE={rule}", source]
            bad += check_accepted(command([]), os.path.join(folder, "rule"))
            lean = compiled([*command(LEAN), "-fsyntax-only"])
            bad += [f"{' '.join(LEAN)}\n{lean.stdout}"] if lean.returncode else []
            for number, words in refused:
                bad += check_refused(command([]), number, words)
    print("\n".join(bad) or f"rule {rule}: {len(compilers)} compilers, {len(refused)} refusals")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
