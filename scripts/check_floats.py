#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that no code of the library computes in floating point on a thread of the application.

check_floats.py ARCHIVE_OR_OBJECT...

An application may have floating-point exceptions trap, rounding to anywhere, or denormals flushed. Objects that
compute in floating point set its mode aside first (or run where that was done), and are named here with the place.
Exit status 1 names each other function, 77: another machine's code.
"""
import re
import subprocess
import sys

SET_ASIDE = {
    "format.c.o": "sl_format_pack() sets it aside",
    "printf.c.o": "called by kernels only, which run in a mode of their own (common/machine/fpmode.h)",
}
ARITHMETIC = re.compile(r"v?(cvt\w+|(add|sub|mul|div|sqrt|min|max|hadd|hsub|addsub|dp|round|rcp|rsqrt)[ps][sd]"
                        r"|u?comis[sd]|cmp\w*[ps][sd]|fn?m(add|sub)\w*|rndscale[ps][sd]|range[ps][sd])$|f(?!xsave|xrstor)\w+$")
MEMBER = re.compile(r"^(\S+):\s+file format (\S+)")
FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")


def main():
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", *sys.argv[1:]], check=True, text=True,
                             stdout=subprocess.PIPE).stdout
    member = function = ""
    found = {}
    for line in listing.splitlines():
        if match := MEMBER.match(line):
            member = match.group(1).rsplit("/", 1)[-1]
            if match.group(2) != "elf64-x86-64":
                sys.exit(77)
        elif match := FUNCTION.match(line):
            function = match.group(1)
        else:
            words = line.split("\t")
            word = words[1].split(" ")[0] if len(words) > 1 else ""
            if ARITHMETIC.match(word):
                found.setdefault((member, function), word)
    for (member, function), word in sorted(found.items()):
        if member not in SET_ASIDE:
            print(f"{member}: {function} computes in floating point ({word})", file=sys.stderr)
    for member in SET_ASIDE.keys() - {m for m, _ in found}:
        print(f"{member} computes nothing in floating point any more: take it off the list", file=sys.stderr)
        return 1
    return any(m not in SET_ASIDE for m, _ in found)


if __name__ == "__main__":
    sys.exit(main())
