#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the C and C++ sources are laid out as .clang-format says, and their section banners.

check_format.py [--write]: exit status 1 names each line that differs; --write mends what it can.
Releases of clang-format differ, so it is the one of FORMATTER and no other. A banner is one line:
"/* ---- what follows ", dashes, " */", 100 columns wide. Includes of driver, devices and the compiler's layers
name the folder below that: "base/log/error.h", not "error.h".
"""
import argparse
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FORMATTER = "clang-format-22"
FOLDERS = ("base", "conformance", "devices", "driver", "examples", "icd", "include", "kernels")
FORMATTED = (".c", ".h", ".cpp", ".hpp")
WITH_BANNERS = FORMATTED + (".cl", ".def", ".inc")
WITH_FULL_NAMES = re.compile(r"(driver|devices|kernels/(?!builtins|report|aoc)[a-z]+)/")
COLUMNS = 100
FILES_AT_ONCE = 40
BANNER = re.compile(r"/\* ?-{3,}")
BANNER_OF_ANY_WIDTH = re.compile(r"^/\* ---- (\S.*?) *-*(?: \*/\n|\n \*(?:[ -]*\*)?/\n)", re.M)


def sources(endings):
    for folder in FOLDERS:
        for path, _, names in os.walk(os.path.join(ROOT, folder)):
            yield from (os.path.join(path, name) for name in sorted(names) if name.endswith(endings))


def is_banner(line):
    return re.fullmatch(r"/\* ---- \S.* -{4,} \*/", line) and len(line) == COLUMNS


def mended_banner(match):
    return f"/* ---- {match[1]} ".ljust(COLUMNS - len(" */"), "-") + " */\n"


def bad_banners(file, write):
    with open(file, encoding="utf-8") as text:
        before = text.read()
    after = BANNER_OF_ANY_WIDTH.sub(mended_banner, before) if write else before
    if after != before:
        with open(file, "w", encoding="utf-8") as text:
            text.write(after)
    return [f"{os.path.relpath(file, ROOT)}:{number}: a broken section banner"
            for number, line in enumerate(after.splitlines(), 1)
            if BANNER.match(line) and not is_banner(line)]


def bad_includes(file):
    path = os.path.relpath(file, ROOT)
    if not WITH_FULL_NAMES.match(path):
        return []
    with open(file, encoding="utf-8") as text:
        return [f"{path}:{number}: include without its folder" for number, line in enumerate(text, 1)
                if re.match(r'#include "[^/"]+"', line)]


def run_formatter(files, write):
    """What the formatter says of some files."""
    how = ["-i"] if write else ["--dry-run", "--Werror"]
    done = subprocess.run([FORMATTER, *how, *files], cwd=ROOT, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    said = [line for line in done.stdout.splitlines() if re.search(r": (error|warning): ", line)]
    return said or ([done.stdout.strip() or "clang-format failed"] if done.returncode else [])


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--write", action="store_true", help="mend the files")
    write = options.parse_args().write
    files = list(sources(FORMATTED))
    said = [line for file in sources(WITH_BANNERS) for line in bad_banners(file, write)]
    said += [line for file in files for line in bad_includes(file)]
    parts = [files[i:i + FILES_AT_ONCE] for i in range(0, len(files), FILES_AT_ONCE)]
    try:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            said += [line for part in pool.map(lambda part: run_formatter(part, write), parts) for line in part]
    except FileNotFoundError:
        sys.exit(f"{FORMATTER} is missing")
    print("\n".join(said) if said else f"{len(files)} files are laid out as they should be")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
