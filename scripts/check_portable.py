#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the C sources of driver, devices and compiler are no single compiler's or processor's.

check_portable.py BUILD [COMPILER]: each command of BUILD/compile_commands.json once more with another
compiler (by itself one for AArch64: SLUICE_CROSS_CC, default aarch64-linux-gnu-gcc), syntax only, warnings
being errors. Exit status 1 names each file that does not compile, 77: there is no such compiler. Headers
of libraries are this machine's.
"""
import json
import os
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDERS = ("base", "driver", "devices", "icd", "kernels")
WITH_VALUE = ("-o", "-MF", "-MT", "-MQ")
DROPPED = ("-c", "-MD", "-MMD")


def is_compiler(word):
    return os.path.basename(word).rstrip("0123456789.-") in ("cc", "gcc", "clang", "c99", "x86_64-linux-gnu-gcc")


def portable(command, cross):
    """The command's words for the other compiler."""
    words = shlex.split(command)
    while words and not is_compiler(words[0]):
        words.pop(0)  # ccache and the like
    out, rest = [cross, "-fsyntax-only", "-Werror"], iter(words[1:])
    for word in rest:
        if word in WITH_VALUE:
            next(rest)
        elif word not in DROPPED and not word.startswith(("-m", "-fsanitize")):
            out.append(word)
    return out


def commands(build, cross):
    seen = {}
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        for entry in json.load(file):
            path = os.path.relpath(entry["file"], ROOT)
            if not path.endswith(".c") or not path.startswith(tuple(f + "/" for f in FOLDERS)):
                continue
            words = portable(entry["command"], cross)
            seen.setdefault(tuple(words), (path, entry["directory"], words))
    return sorted(seen.values())


def main():
    wanted = sys.argv[2] if len(sys.argv) > 2 else os.environ.get("SLUICE_CROSS_CC", "aarch64-linux-gnu-gcc")
    cross = shutil.which(wanted)
    if not cross:
        print(f"no compiler {wanted}")
        return 77
    here = subprocess.run(["gcc", "-print-multiarch"], capture_output=True, text=True, check=False).stdout.strip()
    also = ["-idirafter", "/usr/include/" + here] if here else []

    def compiled(job):
        path, directory, words = job
        done = subprocess.run(words + also, cwd=directory, capture_output=True, text=True, check=False)
        return path, done.returncode, done.stderr

    jobs, bad = commands(sys.argv[1], cross), 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, status, messages in pool.map(compiled, jobs):
            if status:
                bad += 1
                print(f"{path}:\n{messages}")
    print(f"{len(jobs)} files, {bad} of them not for {os.path.basename(cross)}")
    return 1 if bad or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
