#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_tidy.py BUILD: clang-tidy with the checks of .clang-tidy over the C sources of base, driver, devices,
icd and kernels, as BUILD/compile_commands.json compiles them. Exit status 1 names each finding.
"""
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TIDY = "clang-tidy-22"
FOLDERS = ("base", "driver", "devices", "icd", "kernels")
FILES_AT_ONCE = 20


def sources(build):
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        found = {os.path.relpath(entry["file"], ROOT) for entry in json.load(file)}
    return sorted(path for path in found
                  if path.endswith(".c") and path.startswith(tuple(folder + "/" for folder in FOLDERS)))


def main():
    build, files = os.path.abspath(sys.argv[1]), sources(sys.argv[1])

    def tidy(part):
        done = subprocess.run([TIDY, "-p", build, "--quiet", *part], cwd=ROOT, capture_output=True, text=True)
        return done.returncode, done.stdout + (done.stderr if done.returncode and not done.stdout else "")

    parts = [files[i:i + FILES_AT_ONCE] for i in range(0, len(files), FILES_AT_ONCE)]
    try:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(tidy, parts))
    except FileNotFoundError:
        sys.exit(f"{TIDY} is missing")
    bad = [text for status, text in results if status]
    print("\n".join(bad) if bad else f"{len(files)} files, nothing found")
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main())
