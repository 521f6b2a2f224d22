#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cost_test.py INCLUDE COMPILER...: L-20. Accesses with properties become the instructions of those without, or the ones
that the property asks for. Exit status 77: not for this machine.
"""
import platform
import re
import subprocess
import sys

SOURCE = """
#include <CL/sluice.hpp>
using namespace sluice;
struct four { float at[4]; };
using annotated = annotated_ptr<int, decltype(properties{alignment<64>})>;
using streamed = annotated_ptr<int, decltype(properties{streaming})>;
extern "C" {
int read_plain(int *p) { return p[3]; }
int read_annotated(annotated p) { return p.read(3); }
int read_load(int *p) { return load(&p[3]); }
void write_plain(int *p, int v) { p[3] = v; }
void write_annotated(annotated p, int v) { p.write(v, 3); }
void write_store(int *p, int v) { store(&p[3], v); }
void write_streamed(streamed p, int v) { p.write(v, 3); }
void write_streaming(int *p, int v) { store(&p[3], v, properties{streaming}); }
void copy_plain(four *to, const four *from) { *to = *from; }
void copy_aligned(four *to, const four *from)
{
    store(to, load(from, properties{alignment<64>}), properties{alignment<64>});
}
void fetch(const int *p) { prefetch(p); }
void fetch_streaming(const int *p) { prefetch(p, properties{streaming}); }
}
"""


def functions(include, compiler):
    """name: its instructions, without labels, directives and the names of functions."""
    done = subprocess.run([compiler, "-std=c++17", "-O2", "-DCL_TARGET_OPENCL_VERSION=300", "-fcf-protection=none",
                           f"-I{include}", "-S", "-o", "-", "-x", "c++", "-"], input=SOURCE, capture_output=True, text=True,
                          check=False)
    if done.returncode:
        sys.exit(done.stderr)
    found = {}
    for name, body in re.findall(r"^(\w+):(.*?)^\s*\.size\s+\1", done.stdout, re.M | re.S):
        lines = [re.sub(r"\s+", " ", re.sub(r"\s*#.*", "", line)).strip() for line in body.splitlines()]
        found[name] = [line for line in lines if line and not line.startswith(".") and not line.endswith(":")]
    return found


def wrong(code, is_clang):
    """What is not as it should be."""
    for same, *others in (("read_plain", "read_annotated", "read_load"), ("write_plain", "write_annotated", "write_store")):
        yield from (other for other in others if code[other] != code[same])
    for one in ("write_streamed", "write_streaming"):
        if len(code[one]) != len(code["write_plain"]) or is_clang != any("movnti" in line for line in code[one]):
            yield one
    for one, words in (("copy_plain", "mov(up|dqu)"), ("copy_aligned", "mov(ap|dqa)")):
        if sum(bool(re.match(words, line)) for line in code[one]) != 2:
            yield one
    for one, words in (("fetch", "prefetcht0"), ("fetch_streaming", "prefetchnta")):
        if len(code[one]) != 2 or words not in code[one][0]:
            yield one


def main():
    if platform.machine() != "x86_64":
        return 77
    bad = 0
    for compiler in sys.argv[2:]:
        code = functions(sys.argv[1], compiler)
        for name in wrong(code, "clang" in compiler):
            print(f"{compiler}: {name}: {code[name]}")
            bad = 1
    return bad


sys.exit(main())
