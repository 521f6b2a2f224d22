#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds docs/environment.md against driver/base/config/config.def and against what the sources read.

Each row of the list needs one row of a table with the same default, a description and an example
that sets it; each row of a table needs a row of the list; no source reads a variable of ours that
the page does not name. Only base/environment.c, which knows whether the environment may be
believed, touches the environment at all.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROW = re.compile(r'SL_CONFIG\(\w+,\s*"(\w+)",\s*(NULL|"([^"]*)")')
READ = re.compile(r'sl_environment\("(SLUICE_\w+)"\)')
# What reads or hands on the environment, or trusts PATH; one file may.
READER = "base/environment.c"
TRUSTS = re.compile(
    r"\b(?:secure_getenv|getenv|environ|__environ|clearenv|setenv|unsetenv|putenv|AT_SECURE|GetEnv|__libc_enable_secure"
    r"|execvp|execlp|execvpe|popen|system)\b")
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.S)
FOLDERS = ("base", "driver", "devices", "icd", "kernels")


def listed():
    text = (ROOT / "driver/base/config/config.def").read_text()
    return {name: default for name, _, default in ROW.findall(text)}


def documented(text):
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith(("| `SLUICE_", "| `CL_CONFIG_", "| `CL_CONTEXT_")):
            yield cells[0].strip("`"), cells[1:]


def row_problems(name, cells, default):
    if len(cells) != 3:
        yield f"{name}: {len(cells) + 1} cells in its row, expected 4"
        return
    if cells[0].strip("`") != default:
        yield f"{name}: the page says default {cells[0] or 'none'}, the list {default or 'none'}"
    if len(cells[1]) < 20:
        yield f"{name}: no description"
    if f"{name}=" not in cells[2]:
        yield f"{name}: its example does not set it"


def source_problems(path, page):
    name, text = str(path.relative_to(ROOT)), path.read_text(errors="replace")
    for variable in READ.findall(text):
        if f"`{variable}`" not in page:
            yield f"{name}: reads {variable}, which is not documented"
    if name != READER:
        for word in sorted(set(TRUSTS.findall(NO_CODE.sub(" ", text)))):
            yield f"{name}: '{word}'; the environment is {READER}'s"


def problems():
    wanted = listed()
    page = (ROOT / "docs/environment.md").read_text()
    seen = set()
    for name, cells in documented(page):
        if name in seen:
            yield f"{name}: two rows"
        seen.add(name)
        if name not in wanted:
            yield f"{name}: documented, but not in driver/base/config/config.def"
        else:
            yield from row_problems(name, cells, wanted[name])
    for name in wanted.keys() - seen:
        yield f"{name}: in driver/base/config/config.def, but not documented"
    if not wanted:
        yield "no rows found in driver/base/config/config.def"
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.[ch]*"):
            yield from source_problems(path, page)


def main():
    found = sorted(problems())
    for problem in found:
        print(problem, file=sys.stderr)
    if not found:
        print(f"{len(listed())} variables, all documented")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
