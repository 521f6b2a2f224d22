#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Documents that are to be read in an evening stay within their lines, and files that documents and remarks
name by their path are there.
"""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST_LINES = {"docs/architecture.md": 250, "docs/performance.md": 200, "docs/performance_kernels.md": 200,
              "docs/performance_pipes.md": 200, "docs/conformance.md": 200}
# A path is from the top of the tree, or from one of these, as a component's own includes are.
TOPS = ("base", "kernels", "driver", "devices", "include", "conformance", "docs", "scripts", "icd", "examples")
STARTS = ("", "kernels/", "driver/", "devices/", "include/", "kernels/builtins/", "kernels/vector/", "devices/common/",
          "devices/fpga/")
PATH = re.compile(r"(?<![\w/.<-])((?:[a-z_]\w*/)+\w+\.(?:c|h|cpp|cl|def|py|md))\b")
REMARK = re.compile(r"/\*.*?\*/", re.S)
REMARKED = (".c", ".h", ".cpp", ".hpp")


def files():
    for top in TOPS:
        for folder, _, names in os.walk(ROOT / top):
            yield from (pathlib.Path(folder, name).relative_to(ROOT) for name in names)


def texts(path):
    """What is prose in it, and where that begins."""
    text = (ROOT / path).read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".md":
        yield 0, text
    if path.suffix in REMARKED and path.parts[0] != "conformance":
        yield from ((text.count("\n", 0, m.start()), m.group()) for m in REMARK.finditer(text))


def stale(path, folders, known):
    for line, text in texts(path):
        for match in PATH.finditer(text):
            name = match.group(1)
            places = [ROOT / (start + name) for start in STARTS] + [ROOT / path.parent / name]
            is_there = any(p.exists() for p in places) or name.split("/")[0] not in folders and name in known
            if "NAME" not in name and not is_there:
                yield f"{path}:{line + text.count(chr(10), 0, match.start()) + 1}: there is no {name}"


def main():
    all_files = sorted(files()) + [pathlib.Path("README.md"), pathlib.Path("CONTRIBUTING.md")]
    folders = set(TOPS)
    for start in filter(None, STARTS):
        folders |= {folder for folder in os.listdir(ROOT / start) if (ROOT / start / folder).is_dir()}
    known = {"/".join(path.parts[k:]) for path in all_files for k in range(len(path.parts))}
    problems = [p for path in all_files for p in stale(path, folders, known)]
    for path, most in MOST_LINES.items():
        lines = (ROOT / path).read_text().count("\n")
        if lines > most:
            problems.append(f"{path}: {lines} lines, {most} at most")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(all_files)} files, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
