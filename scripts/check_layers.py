#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that folders include only what the layering allows. Exit status 1 names each breach, and each folder
that no rule knows. check_calls.py checks calls by the same rules.

application -> icd -> driver -> include/sluice/device.h <- devices
                      driver -> include/sluice/build.h  <- kernels
kernels: llvm < ir < items < vector < groups < pipes < timing < passes < model < compiler; clang, dialect, spirv beside them
kernels/llvm: what lies right in it < ranges, loops, recursion < pipes
kernels/llvm/loops: what lies right in it < counts < matrix, memory, rounds
kernels/ir: what lies right in it < control_flow, affine < variables
kernels/vector: analysis < what lies right in it < operations and memory, which call each other < cost < control_flow
kernels/compiler: request < stage < builtins < frontend < program < metadata < binary < codegen < build.c < programs
kernels/spirv: grammar < module < values < builtins < instructions < functions < spirv.c
driver: base < platform < memory < program < commands < pipes < hooks.c, which puts them together
driver/base: thread < config < log < object < query
driver/program: cache < compiler < object < build < what lies right in it
driver/commands: queue < enqueue < recording < device_callbacks
devices/common: base < machine < memory < kernel < runtime; cpu and fpga on them, beside each other
devices/fpga: base < stream < cluster < host_pipe < clock, ahead and profile, which call each other < ring < io <
launch < stall < fpga.c
"""
import collections
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]', re.M)
SOURCES = (".c", ".h", ".cpp", ".hpp", ".def")

# folder: (folders whose headers it may include, outside headers it may not)
OPENCL, LLVM = r"CL/", r"(llvm|llvm-c|clang|lld)/"
RULES = {
    "include/sluice": (["include/sluice/*"], [OPENCL, LLVM]),
    "include/sluice/base": (["include/sluice"], [OPENCL, LLVM]),
    "base": (["base", "include/sluice"], [OPENCL, LLVM]),
    "include/CL": (["include/CL"], [LLVM]),
    "icd": (["icd", "driver", "include"], [LLVM]),
    "driver": (["driver", "include"], [LLVM]),
    "devices": (["devices", "include/sluice"], [OPENCL, LLVM]),
    "conformance/unit": (["conformance", "icd", "driver", "devices", "kernels", "include"], []),
    "conformance/fuzz": (["conformance", "driver", "devices", "kernels", "include"], []),
    "conformance/bench": (["conformance", "devices", "kernels", "include"], []),
    "conformance/bench/machine": (["conformance/bench/machine", "include/CL"], [LLVM]),
    "conformance/spirv": (["conformance", "kernels", "include"], []),
    "conformance/passes": (["conformance", "kernels", "include/sluice"], []),
    "conformance/probe": (["conformance", "icd", "driver", "include"], [LLVM]),
    "conformance/plugin": (["conformance", "include"], [LLVM]),
    "examples/remote_device": (["examples/remote_device", "devices", "include/sluice"], [OPENCL, LLVM]),
}
# Tests by the public API, and examples: each folder knows what its kind shares, and no other.
for test in ("aoc", "api", "binding", "clients", "fpga", "harness", "lang", "promises", "report", "timing"):
    RULES[f"conformance/{test}"] = ([f"conformance/{test}", "conformance/harness", "include/CL"], [LLVM])
RULES["conformance"] = (["include/CL"], [LLVM])
for example in ("common", "file_stream", "fir_fft", "packet_filter", "picture", "stencil", "systolic"):
    RULES[f"examples/{example}"] = ([f"examples/{example}", "examples/common", "include/CL"], [LLVM])
# Layers inside of kernels/, each on those before it; the front ends stand beside them.
LAYERS = ["llvm", "ir", "items", "vector", "groups", "pipes", "timing", "passes", "model"]
SHARED = ["kernels/builtins", "include/sluice"]
for depth, layer in enumerate(LAYERS):
    RULES[f"kernels/{layer}"] = ([f"kernels/{l}" for l in LAYERS[:depth + 1]] + SHARED, [OPENCL])
# Inside of some: what is in no folder knows none of them; then folders beside each other, and one that knows these.
PARTS = [("kernels/llvm", ["ranges", "loops", "recursion"], "pipes", []),
         ("kernels/ir", ["control_flow", "affine"], "variables", ["kernels/llvm"])]
for layer, beside, above, others in PARTS:
    below_all = [f"{layer}/*"] + others + SHARED
    RULES[layer] = (below_all, [OPENCL])
    for part in beside:
        RULES[f"{layer}/{part}"] = ([f"{layer}/{part}"] + below_all, [OPENCL])
    RULES[f"{layer}/{above}"] = ([f"{layer}/{part}" for part in beside + [above]] + below_all, [OPENCL])
LOOPS = ["kernels/llvm/*", "kernels/llvm/loops/*", "kernels/llvm/loops/counts"] + SHARED
RULES["kernels/llvm/loops/counts"] = (LOOPS, [OPENCL])
for room in ("matrix", "memory", "rounds"):
    RULES[f"kernels/llvm/loops/{room}"] = ([f"kernels/llvm/loops/{room}"] + LOOPS, [OPENCL])
# Inside of kernels/vector: these, one after the other, on what they stand on; "*" is what is in no folder.
VECTOR = [["analysis"], ["*"], ["operations", "memory"], ["cost"], ["control_flow"]]
VECTOR_ON = [f"kernels/{l}" for l in LAYERS[:LAYERS.index("vector")]] + SHARED
for depth, beside in enumerate(VECTOR):
    known = [f"kernels/vector/{part}" for parts in VECTOR[:depth + 1] for part in parts]
    for part in beside:
        RULES[f"kernels/vector/{part}".removesuffix("/*")] = (known + VECTOR_ON, [OPENCL])
FRONT = ["kernels/dialect", "kernels/clang", "kernels/llvm"]
RULES["kernels/dialect"] = (FRONT + SHARED, [OPENCL])
RULES["kernels/clang"] = (FRONT + SHARED, [OPENCL])
RULES["kernels/spirv"] = (["kernels/spirv", "kernels/llvm"] + SHARED, [OPENCL])
# Layers inside of kernels/spirv, each on those before it; spirv.c and globals.c are on top.
SPIRV = ["grammar", "module", "values", "builtins", "instructions", "functions"]
for depth, layer in enumerate(SPIRV):
    RULES[f"kernels/spirv/{layer}"] = ([f"kernels/spirv/{l}" for l in SPIRV[:depth + 1]] +
                                       ["kernels/llvm", "kernels/spirv/spirv.h"] + SHARED, [OPENCL])
# Layers inside of kernels/compiler, each on those before it and on the interface of them all, build.h.
COMPILER = ["request", "stage", "builtins", "frontend", "program", "metadata", "binary", "codegen"]
UNDER = ["kernels/spirv"] + FRONT + [f"kernels/{l}" for l in LAYERS] + SHARED
for depth, layer in enumerate(COMPILER):
    RULES[f"kernels/compiler/{layer}"] = ([f"kernels/compiler/{l}" for l in COMPILER[:depth + 1]] +
                                          ["kernels/compiler/build.h"] + UNDER, [OPENCL])
RULES["kernels/compiler"] = ([f"kernels/compiler/{l}" for l in COMPILER + ["*"]] + UNDER, [OPENCL])
RULES["kernels/compiler/programs"] = (["kernels/compiler"] + UNDER, [OPENCL])
RULES["kernels/aoc"] = (["kernels/aoc", "include/sluice"], [LLVM])
RULES["kernels/report"] = (["kernels/report", "include/sluice"], [OPENCL, LLVM])
RULES["kernels/report/input"] = (["kernels/report/input", "kernels/report/replay.h", "kernels/report/depths.h", "include/sluice"], [OPENCL, LLVM])
RULES["kernels/report/page"] = (["kernels/report", "include/sluice"], [OPENCL, LLVM])
# What is right in kernels/builtins is for all folders there, which do not know each other.
for room in ("half", "image", "integer", "math", "runtime", "work_group"):
    RULES[f"kernels/builtins/{room}"] = ([f"kernels/builtins/{room}", "kernels/builtins/*", "include/sluice"], [OPENCL])
RULES["kernels/builtins/tools"] = (["kernels/builtins/tools", "kernels/builtins/*", "kernels/compiler", "kernels/ir",
                                    "kernels/llvm", "include/sluice"], [OPENCL])
RULES["kernels/builtins"] = (["kernels/builtins", "include/sluice"], [OPENCL])
# Layers inside of driver/, each on those before it.
DRIVER = ["base", "platform", "memory", "program", "commands", "pipes"]
for depth, layer in enumerate(DRIVER):
    RULES[f"driver/{layer}"] = ([f"driver/{l}" for l in DRIVER[:depth + 1]] + ["include"], [LLVM])
# Layers inside of folders of the driver, each on those before it and on the folders before that one; files of
# the folder itself stand on all of them.
WITHIN = {
    "base": ["thread", "config", "log", "object", "query"],
    "program": ["cache", "compiler", "object", "build"],
    "commands": ["queue", "enqueue", "recording", "device_callbacks"],
}
for folder, layers in WITHIN.items():
    before = [f"driver/{l}" for l in DRIVER[:DRIVER.index(folder)]] + ["include"]
    for depth, layer in enumerate(layers):
        RULES[f"driver/{folder}/{layer}"] = ([f"driver/{folder}/{l}" for l in layers[:depth + 1]] + before, [LLVM])
# Layers inside of what devices share; cpu and fpga stand on them, beside each other.
COMMON = ["base", "machine", "memory", "kernel", "runtime"]
for depth, layer in enumerate(COMMON):
    RULES[f"devices/common/{layer}"] = ([f"devices/common/{l}" for l in COMMON[:depth + 1]] +
                                        ["include/sluice"], [OPENCL, LLVM])
SHARED_BY_DEVICES = ["devices/common", "include/sluice"]
for device in ("cpu", "fpga"):
    RULES[f"devices/{device}"] = ([f"devices/{device}"] + SHARED_BY_DEVICES, [OPENCL, LLVM])
# Layers inside of devices/fpga, each on those before it; fpga.c on top puts them together.
FPGA = [["base"], ["stream"], ["cluster"], ["host_pipe"], ["clock", "ahead", "profile"], ["ring"], ["io"], ["launch"],
        ["stall"]]
for depth, beside in enumerate(FPGA):
    known = [f"devices/fpga/{layer}" for layers in FPGA[:depth + 1] for layer in layers]
    for layer in beside:
        RULES[f"devices/fpga/{layer}"] = (known + SHARED_BY_DEVICES, [OPENCL, LLVM])
# Libraries that are loaded when a setting names them: they know what they are asked for by, nothing else; but
# one brings along what looks up the names of hosts.
RULES["devices/engines"] = (["devices/engines", "devices/fpga/stream/engine.h"], [OPENCL, LLVM])
RULES["devices/engines/ucx"] = (["devices/engines/ucx", "devices/fpga/stream/engine.h", "include/sluice/base"] +
                                [f"devices/fpga/stream/{name}" for name in ("io_lookup.h", "io_lookup.c", "io_error.h",
                                                                            "io_error.c")], [OPENCL, LLVM])
# The list of entry points has no code; the driver's prototypes come from it.
EXCEPTIONS = {("driver/base/api.h", "icd/api.def"), ("conformance/api/errors/errors_test.c", "icd/api.def")}
# C++ where only C++ will do.
# Some clients are C++ libraries: what calls them is C++ as well; and so are the binding and what uses it.
CPP_FOLDERS = ("kernels/llvm/", "kernels/clang/", "kernels/dialect/", "conformance/clients/", "include/CL/",
               "conformance/binding/", "kernels/aoc/include/", "examples/")


# One layer in several rooms, which call each other: no rule of their own.
ROOMS = {
    "conformance/api": ["commands", "errors", "memory", "pipes", "programs"],
    "conformance/fpga": ["io", "random", "stall"],
    "conformance/lang": ["barriers", "cxx", "images", "integers", "math", "matrices", "random", "shapes", "spirv", "sub_groups"],
    "conformance/passes": ["groups", "lanes", "loops", "pipes"],
    "conformance/unit": ["base", "devices", "driver", "fpga", "kernels", "spirv"],
    "include/CL": ["sluice"],
    "kernels/aoc": ["include/CL"],
}


def files():
    for top in sorted({rule.split("/")[0] for rule in RULES}):
        for folder, _, names in os.walk(os.path.join(ROOT, top)):
            for name in sorted(names):
                if name.endswith(SOURCES):
                    yield os.path.relpath(os.path.join(folder, name), ROOT)


def rule_of(path):
    matching = [rule for rule in RULES if path.startswith(rule + "/")]
    return max(matching, key=len) if matching else None


def is_known(path):
    """A rule is for what is right in its folder and for the rooms that it lists; other folders have their own."""
    rule, folder = rule_of(path), os.path.dirname(path)
    return rule and (folder == rule or os.path.relpath(folder, rule) in ROOMS.get(rule, []))


def below(path, folders):
    """Is it one of these files, anywhere in one of these folders, or right in one with /* behind its name?"""
    return any(path == folder or path.startswith(folder + "/") or os.path.dirname(path) + "/*" == folder
               for folder in folders)


def by_name(paths):
    """Lists of those with the same last part."""
    lists = collections.defaultdict(list)
    for path in paths:
        lists[os.path.basename(path)].append(path)
    return lists


def resolve(path, name, lists, allowed):
    """The file of ours that an include means, or None: beside it, else the allowed one, else of the same
    component, else any."""
    beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
    same_name = lists[os.path.basename(name)]
    if beside in same_name:
        return beside
    candidates = [f for f in same_name if f.endswith("/" + name)]
    good = [f for f in candidates if below(f, allowed)]
    same = [f for f in candidates if f.split("/")[0] == path.split("/")[0]]
    return (good or same or candidates or [None])[0]


def check(path, lists):
    allowed, outside = RULES[rule_of(path)]
    if path.endswith((".cpp", ".hpp")) and not path.startswith(CPP_FOLDERS):
        yield f"{path}: C++ outside of {', '.join(CPP_FOLDERS)}"
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        text = file.read()
    for quote, name in INCLUDE.findall(text):
        target = resolve(path, name, lists, allowed) if quote == '"' else None
        if target and not below(target, allowed) and (path, target) not in EXCEPTIONS:
            yield f"{path}: includes {target}"
        if not target and any(re.match(pattern, name) for pattern in outside):
            yield f"{path}: includes <{name}>"


def main():
    everything = sorted(files())
    lists = by_name(everything)
    breaches = [f"{path}: no rule for this folder" for path in everything if not is_known(path)]
    breaches += [b for path in everything if rule_of(path) for b in check(path, lists)]
    for breach in breaches:
        print(breach, file=sys.stderr)
    print(f"{len(everything)} files, {len(breaches)} breaches of the layering")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
