#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run_page.py PAGE INCLUDE COMPILER LIBRARY...: builds each ```cpp block of a page, runs it, and compares what it
prints with the ```text block behind it. Exit status 1 names what differs.
"""
import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"```cpp\n(.*?)```\n```text\n(.*?)```", re.S)
STRICT = ["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def check(number, code, want, how):
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "example.cpp"), os.path.join(folder, "example")
        with open(source, "w", encoding="utf-8") as file:
            file.write(code)
        include, compiler, libraries = how[0], how[1], how[2:]
        built = run([compiler, *STRICT, f"-I{include}", source, "-o", program, *libraries])
        if built.returncode:
            return [f"example {number} does not compile:\n{built.stdout}"]
        done = run([program])
    if done.returncode or done.stdout != want:
        return [f"example {number}: exit status {done.returncode}\n{done.stdout}instead of\n{want}"]
    return []


def main():
    with open(sys.argv[1], encoding="utf-8") as page:
        text = page.read()
    blocks = BLOCK.findall(text)
    if not blocks or len(blocks) != text.count("```cpp"):
        sys.exit("a block of the page has no output")
    bad = [line for number, (code, want) in enumerate(blocks, 1) for line in check(number, code, want, sys.argv[2:])]
    print("\n".join(bad) or f"{len(blocks)} examples")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
