#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_spirv.py RUN_DESIGN SLUICEC SPIRV_ASSEMBLE: a design that comes in SPIR-V takes the cycles that it takes in OpenCL C,
whether the module names lines or not; what its loops ask for is done, and places are those that it names, or the
numbers of its instructions."""
import json
import os
import subprocess
import sys
import tempfile

FAILURES = []
COUNT = 777
SOURCE = """#pragma OPENCL EXTENSION cl_intel_channels : enable
channel float line __attribute__((depth(8)));
kernel void give(global const float *from) {{
    {give}
    for (int i = 0; i < {count}; i++)
        write_channel_intel(line, from[i]);
}}
kernel void take(global float *to) {{
    float sum = 0;
    {take}
    for (int i = 0; i < {count}; i++)
        to[i] = sum += read_channel_intel(line);
}}
"""
MODULE = """OpCapability 4
OpCapability 5
OpCapability 6
OpCapability 11
OpCapability 17
OpCapability 60
OpCapability 5945
OpExtension "SPV_INTEL_blocking_pipes"
OpExtension "SPV_KHR_non_semantic_info"
%debug = OpExtInstImport "NonSemantic.Shader.DebugInfo.200"
OpMemoryModel 2 2
OpEntryPoint 6 %give "give"
OpEntryPoint 6 %take "take"
%own = OpString "own.cpp"
%header = OpString "/somewhere/include/sycl/pipes.hpp"
OpName %storage "line"
OpName %put "put"
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%bool = OpTypeBool
%float = OpTypeFloat 32
%f0 = OpConstant %float 0
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%c4 = OpConstant %uint 4
%c7 = OpConstant %uint 7
%c8 = OpConstant %uint 8
%c20 = OpConstant %uint 20
%c30 = OpConstant %uint 30
%n = OpConstant %uint {count}
%gp = OpTypePointer 5 %float
%fp = OpTypePointer 7 %float
%ep = OpTypePointer 8 %float
%kernel = OpTypeFunction %void %gp
%puts = OpTypeFunction %void %float
%st = OpTypeStruct %uint %uint %uint
%numbers = OpConstantComposite %st %c4 %c4 %c8
%sp = OpTypePointer 5 %st
%storage = OpVariable %sp 5 %numbers
%rp = OpTypePipe 0
%wp = OpTypePipe 1
%put = OpFunction %void 0 %puts
%value = OpFunctionParameter %float
%put1 = OpLabel
%slot1 = OpVariable %fp 7
%e1 = OpPtrCastToGeneric %ep %slot1
{inside}%w = OpCreatePipeFromPipeStorage %wp %storage
OpStore %slot1 %value 2 4
OpWritePipeBlockingINTEL %w %e1 %c4 %c4
OpReturn
OpFunctionEnd
%give = OpFunction %void 0 %kernel
%from = OpFunctionParameter %gp
%give1 = OpLabel
OpBranch %loop1
%loop1 = OpLabel
%i1 = OpPhi %uint %c0 %give1 %next1 %loop1
{first}%at1 = OpInBoundsPtrAccessChain %gp %from %i1
%v1 = OpLoad %float %at1 2 4
%call1 = OpFunctionCall %void %put %v1
%next1 = OpIAdd %uint %i1 %c1
%more1 = OpULessThan %bool %next1 %n
OpLoopMerge %done1 %loop1 {give}
OpBranchConditional %more1 %loop1 %done1
%done1 = OpLabel
OpReturn
OpFunctionEnd
%take = OpFunction %void 0 %kernel
%to = OpFunctionParameter %gp
%take1 = OpLabel
%slot2 = OpVariable %fp 7
%e2 = OpPtrCastToGeneric %ep %slot2
OpBranch %loop2
%loop2 = OpLabel
%i2 = OpPhi %uint %c0 %take1 %next2 %loop2
%sum = OpPhi %float %f0 %take1 %new %loop2
{second}%r = OpCreatePipeFromPipeStorage %rp %storage
OpReadPipeBlockingINTEL %r %e2 %c4 %c4
%v2 = OpLoad %float %slot2 2 4
%new = OpFAdd %float %sum %v2
%at2 = OpInBoundsPtrAccessChain %gp %to %i2
OpStore %at2 %new 2 4
%next2 = OpIAdd %uint %i2 %c1
%more2 = OpULessThan %bool %next2 %n
OpLoopMerge %done2 %loop2 {take}
OpBranchConditional %more2 %loop2 %done2
%done2 = OpLabel
OpReturn
OpFunctionEnd
"""
# What a loop asks for: as OpLoopMerge's operands, and as a pragma.
WISHES = (("0", ""), ("0x10000 7", "#pragma ii 7"), ("0x80000 0", "#pragma disable_loop_pipelining"),
          ("0x20000 1", "#pragma max_concurrency 1"), ("0x410000 5 2", "#pragma speculated_iterations 2\n#pragma ii 5"))
# Nothing; OpLine; DebugLine with a source, and with the name of its file. The wrapper of a write stands in a header of
# the compiler's: its place is that of who calls it.
LINES = {"numbered": {}, "OpLine": {"inside": "OpLine %header 87 5\n", "first": "OpLine %own 20 3\n", "second": "OpLine %own 30 4\n"},
         "DebugLine": {name: f"%{name} = OpExtInst %void %debug 103 {file} %{line} %{line} %c7 %c7\n" for name, file, line in
                       (("inside", "%header", "c8"), ("first", "%own", "c20"), ("second", "%own", "c30"))}}
PLACES = {"OpLine": {"give": ("own.cpp", 20, 3), "take": ("own.cpp", 30, 4)},
          "DebugLine": {"give": ("own.cpp", 20, 7), "take": ("own.cpp", 30, 7)}}


def expect(condition, what):
    if not condition:
        print(what)
        FAILURES.append(what)


def line_of(text, begin):
    return next(i for i, line in enumerate(text.split("\n"), 1) if line.startswith(begin))


class Tools:
    def __init__(self, run_design, sluicec, assembler, folder):
        self.run_design, self.sluicec, self.assembler, self.folder = run_design, sluicec, assembler, folder

    def assemble(self, text, name):
        path = os.path.join(self.folder, name)
        words = subprocess.run([self.assembler], input=text.encode(), capture_output=True, check=True).stdout
        with open(path, "wb") as file:
            file.write(words)
        return path

    def write(self, text, name):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def clock(self, path):
        """Of a run with a clock: cycles, and of each kernel begin, end, stalls and entries of its loops; places of calls."""
        profile = os.path.join(self.folder, "profile.json")
        subprocess.run([self.run_design, path, "-sluice-timing", "give%A", "take%B"], check=True,
                       env={**os.environ, "SLUICE_FPGA_PROFILE": profile})
        with open(profile, encoding="utf-8") as file:
            run = json.load(file)
        names = [kernel["name"] for kernel in run["kernels"]]
        rows = {names[row["kernel"]]: {key: row[key] for key in ("begin", "end", "stalled", "loops")}
                for row in run["clock"]["kernels"]}
        sites = {names[site["kernel"]]: (site["file"], site["line"], site["column"]) for site in run["sites"]}
        return run["clock"]["cycles"], rows, sites

    def loops(self, path):
        text = subprocess.run([self.sluicec, "--device=fpga", "--schedule", "-", path], capture_output=True, text=True,
                              check=True).stdout
        return {kernel["name"]: [(loop["file"], loop["line"], loop["ii"]) for loop in kernel["loops"]]
                for kernel in json.loads(text)["kernels"]}


def check_places(tools, text, path, lines, sites):
    loops = tools.loops(path)
    if lines == "numbered":
        for kernel, label, operation in (("give", "%loop1 =", "OpWritePipe"), ("take", "%loop2 =", "OpReadPipe")):
            expect(loops[kernel][0][:2] == ("SPIR-V", line_of(text, label)), f"loop of {kernel}: {loops}")
            expect(sites[kernel] == ("SPIR-V", line_of(text, operation), 1), f"{kernel} moves packets at {sites}")
        return
    expect({kernel: loop[0][:2] for kernel, loop in loops.items()} == {k: p[:2] for k, p in PLACES[lines].items()},
           f"{lines}: loops {loops}")
    expect(sites == PLACES[lines], f"{lines}: packets move at {sites}")


def check(tools, lines, give, take):
    named = {key: "" for key in ("inside", "first", "second")} | LINES[lines]
    text = MODULE.format(count=COUNT, give=give[0], take=take[0], **named)
    module = tools.assemble(text, "design.spv")
    cycles, rows, sites = tools.clock(module)
    wanted, wanted_rows, _ = tools.clock(tools.write(SOURCE.format(count=COUNT, give=give[1], take=take[1]), "design.cl"))
    expect((cycles, rows) == (wanted, wanted_rows),
           f"{lines}, {give[1]!r}, {take[1]!r}: {cycles} {rows}, not {wanted} {wanted_rows}")
    expect(rows["take"]["loops"] == [[1, COUNT]], f"{lines}: {rows}")
    if give is WISHES[0]:
        check_places(tools, text, module, lines, sites)


def main():
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(*sys.argv[1:4], folder)
        for lines in LINES:
            for take in WISHES:
                check(tools, lines, WISHES[0], take)
        for give in WISHES[1:]:
            check(tools, "numbered", give, WISHES[0])
    sys.exit(bool(FAILURES))


if __name__ == "__main__":
    main()
