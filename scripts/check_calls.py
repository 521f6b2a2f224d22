#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_calls.py BUILD: checks that what is compiled there calls only what the layering allows.

The rules are those of check_layers.py: an object may use functions and data of files whose headers its source
may include, and what these headers of ours declare for others to define. Exit status 1 names each breach.
"""
import collections
import os
import re
import subprocess
import sys

import check_layers

COMPONENTS = ("base", "driver", "devices", "icd", "kernels")
OBJECT = re.compile(r"/CMakeFiles/[^/]+\.dir/.*\.o$")
# They stand in for functions of the C library; who calls those does not call them.
STAND_INS = {"kernels/builtins/runtime/memory.c", "kernels/clang/descriptor_path.c", "kernels/compiler/programs/heap.c"}
# A table of what a layer needs of those above it, which one of them fills in.
FILLED_IN_ABOVE = {("sl_hooks", "driver/hooks.c")}


def sources_in(build, source):
    """The paths of an object's sources below the tree or the build: one, or those that were compiled together."""
    together = os.path.join(build, source)
    if "/Unity/" in source and os.path.exists(together):
        with open(together, encoding="utf-8") as file:
            return [os.path.relpath(path, check_layers.ROOT) for path in re.findall(r'#include "([^"]+)"', file.read())]
    path = re.sub("CMakeFiles/[^/]+\\.dir/", "", source).replace("__", "..")
    return [os.path.normpath(path)]


def objects(build):
    """(object, its sources); generated ones have the path of their folder in the build. Stale objects are left out."""
    for top in COMPONENTS:
        for folder, _, names in os.walk(os.path.join(build, top)):
            for name in sorted(names):
                path = os.path.join(folder, name)
                if not OBJECT.search(path):
                    continue
                sources = sources_in(build, os.path.relpath(path, build)[:-len(".o")])
                if any(os.path.exists(os.path.join(root, sources[0])) for root in (check_layers.ROOT, build)):
                    yield path, sources


def symbols(build):
    """What each list of sources uses, and which sources define a symbol. What the linker merges has no one source."""
    used, defined = collections.defaultdict(set), collections.defaultdict(set)
    sources = dict(objects(build))
    if not sources:
        return used, defined
    lines = subprocess.run(["nm", "-A", *sources], capture_output=True, text=True, check=True).stdout
    for path, kind, name in re.findall(r"^(.*\.o):[0-9a-f ]* ([A-Za-z]) (\S+)$", lines, re.M):
        if kind == "U":
            used[tuple(sources[path])].add(name)
        elif kind in "TDBR":
            defined[name] |= set(sources[path]) - STAND_INS
    return used, defined


def declared(allowed):
    """All words outside of comments in those headers of include/ that may be included."""
    words = set()
    for folder, _, names in os.walk(os.path.join(check_layers.ROOT, "include")):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), check_layers.ROOT)
            if check_layers.below(path, allowed):
                with open(os.path.join(check_layers.ROOT, path), encoding="utf-8") as file:
                    words |= set(re.findall(r"\w+", re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)))
    return words


def breaches(used, defined):
    interfaces = {}
    for sources in sorted(used):
        rule = check_layers.rule_of(sources[0])
        allowed = [folder for source in sources for folder in check_layers.RULES[check_layers.rule_of(source)][0]]
        if rule not in interfaces:
            interfaces[rule] = declared(allowed)
        for name in sorted(used[sources] - interfaces[rule]):
            there = defined.get(name)
            if there and not any(check_layers.below(path, allowed) or (name, path) in FILLED_IN_ABOVE for path in there):
                yield f"{', '.join(sources)}: calls {name} of {', '.join(sorted(there))}"


def main():
    used, defined = symbols(sys.argv[1])
    if not used:
        print(f"nothing is compiled in {sys.argv[1]}")
        return 77
    found = list(breaches(used, defined))
    for breach in found:
        print(breach, file=sys.stderr)
    print(f"{len(used)} objects, {len(found)} calls against the layering")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
