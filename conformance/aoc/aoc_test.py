#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""aoc and aocl as makefiles of published designs call them; each result is run by a host program.

    aoc_test.py AOC AOCL HOST [unittest arguments]
"""
import json
import os
import shutil
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

AOC, AOCL, HOST = (os.path.abspath(word) for word in sys.argv[1:4])

CHANNEL = """
#pragma OPENCL EXTENSION cl_intel_channels : enable
channel int line __attribute__((depth(4)));
"""
FEED = """
kernel void feed(global const int *restrict in, int n)
{ for (int i = 0; i < n; i++) write_channel_intel(line, FACTOR * in[i]); }
"""
DRAIN = """
kernel void drain(global int *restrict out, int n)
{ for (int i = 0; i < n; i++) out[i] = read_channel_intel(line) + offset(i); }
"""
OFFSET = "int offset(int i) { return ADD; }\n"
# Pipes of four packets, all of which are mapped in the end or hold one; prints what each call says.
BY_NAME = """
#include <CL/opencl.h>
#include <CL/cl_ext_intelfpga.h>
#include <stdio.h>
int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    int packet = 7, rc = clGetPlatformIDs(1, &platform, NULL) ||
                         clGetDeviceIDs(platform, CL_DEVICE_TYPE_ACCELERATOR, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_mem out = clCreatePipe(context, CL_MEM_HOST_WRITE_ONLY, sizeof packet, 4, NULL, NULL);
    cl_mem in = clCreatePipe(context, CL_MEM_HOST_READ_ONLY, sizeof packet, 4, NULL, NULL);
    size_t size = 0, unmapped = 0;
    printf("%d: %d", rc, clWritePipeIntelFPGA(out, &packet));
    void *room = clMapHostPipeIntelFPGA(out, 0, 0, &size, &rc);
    printf(" %zu %d", size, rc);
    printf(" %d", clUnmapHostPipeIntelFPGA(out, room, 8, &unmapped));
    printf(" %zu", unmapped);
    printf(" %d", clWritePipeIntelFPGA(out, &packet));
    printf(" %d, none:", clReadPipeIntelFPGA(in, &packet));
    printf(" %d", clWritePipeIntelFPGA(NULL, &packet));
    printf(" %d", clReadPipeIntelFPGA(NULL, &packet));
    printf(" %d", clUnmapHostPipeIntelFPGA(NULL, room, 4, &unmapped));
    printf(" %d", clMapHostPipeIntelFPGA(NULL, 0, 0, &size, &rc) ? 1 : rc);
    printf(", profile: %d", clGetProfileDataDeviceIntelFPGA(device, NULL, 1, 1, 1, 0, NULL, NULL, NULL));
    printf(" %d", clGetProfileDataDeviceAltera(device, NULL, 1, 1, 1, 0, NULL, NULL, &rc));
    printf(" %d %d", rc, clGetProfileDataDeviceIntelFPGA(NULL, NULL, 1, 1, 1, 0, NULL, NULL, NULL));
    printf(", reset: %d", clResetKernelsIntelFPGA(context, 1, &device));
    printf(" %d %d\\n", clResetKernelsIntelFPGA(context, 0, &device), clResetKernelsIntelFPGA(NULL, 0, NULL));
    return 0;
}
"""

OF_THE_BOARD = """
#include <CL/opencl.h>
#include <stdio.h>
static void CL_CALLBACK lost(CL_EXCEPTION_TYPE_INTEL type, const void *info, size_t bytes, void *data)
{
    printf("never: %d %d %d\\n", (int)type, (int)bytes, info == data);
}
int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    int rc = clGetPlatformIDs(1, &platform, NULL) ||
             clGetDeviceIDs(platform, CL_DEVICE_TYPE_ACCELERATOR, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    const char *text = "kernel void twice(global int *x) { *x *= 2; }";
    cl_program source = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    rc |= clBuildProgram(source, 1, &device, "", NULL, NULL);
    unsigned char bytes[200000];
    const unsigned char *binary = bytes;
    size_t length;
    rc |= clGetProgramInfo(source, CL_PROGRAM_BINARY_SIZES, sizeof length, &length, NULL);
    rc |= length > sizeof bytes || clGetProgramInfo(source, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL);
    cl_int status, created;
    cl_program program = clCreateProgramWithBinaryAndProgramDeviceIntelFPGA(context, 1, &device, &length, &binary,
                                                                            &status, &created);
    rc |= status | created | clBuildProgram(program, 1, &device, "", NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "twice", NULL);
    int *x = clSVMAllocAltera(context, 0, 4, 1024);
    *x = 21;
    rc |= (size_t)x % 1024 != 0 || clSetKernelArgSVMPointerAltera(kernel, 0, x);
    cl_event event;
    rc |= clEnqueueTask(queue, kernel, 0, NULL, &event) || clFinish(queue);
    printf("%d: %d", rc, *x);
    int *again = clSVMAllocIntelFPGA(context, 0, 4, 64);
    *again = 4;
    rc |= (size_t)again % 64 != 0 || clSetKernelArgSVMPointerIntelFPGA(kernel, 0, again) ||
          clEnqueueTask(queue, kernel, 0, NULL, NULL) || clFinish(queue);
    printf(", %d: %d", rc, *again);
    clSVMFreeIntelFPGA(context, again);
    clSVMFreeAltera(context, x);
    printf(", profile: %d %d", clGetProfileInfoIntelFPGA(event), clGetProfileInfoAltera(NULL));
    printf(", address: %d", clGetBoardExtensionFunctionAddressIntelFPGA("any", device) ? 1 : 0);
    CL_EXCEPTION_TYPE_INTEL both = CL_DEVICE_EXCEPTION_ECC_CORRECTABLE_INTEL | CL_DEVICE_EXCEPTION_ECC_NON_CORRECTABLE_INTEL;
    printf(", callback: %d", clSetDeviceExceptionCallbackIntelFPGA(1, &device, both, lost, NULL));
    printf(" %d", clSetDeviceExceptionCallbackIntelFPGA(1, &device, 4, lost, NULL));
    cl_device_id none = NULL;
    printf(" %d\\n", clSetDeviceExceptionCallbackIntelFPGA(1, &none, both, lost, NULL));
    return 0;
}
"""


class AocTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "device").mkdir()
        (self.folder / "include").mkdir()
        self.write("device/whole.cl", CHANNEL + OFFSET + FEED + DRAIN)
        self.write("include/shared.h", CHANNEL.replace("channel int line", "extern channel int line"))
        self.write("device/feed.cl", CHANNEL + FEED)
        self.write("device/drain.cl",
                   '#include "shared.h"\n' + "int offset(int);\n" + DRAIN)
        self.write("device/offset.cl", OFFSET)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def run_in(self, *words, status=0, **environment):
        done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=120,
                              env=dict(os.environ, **environment))
        self.assertEqual(done.returncode, status, f"{words}: {done.stdout}{done.stderr}")
        return done

    def aoc(self, line, status=0):
        return self.run_in(AOC, *line.split(), status=status).stderr

    def host(self, name, factor, add):
        self.assertEqual(self.run_in(HOST, name, str(factor), str(add)).stdout, "0 wrong\n")

    def depth_of(self, name):
        """What the channel of the design takes in a run of its host."""
        run = self.run_in(HOST, name, "1", "0", SLUICE_FPGA_PROFILE=str(self.folder / "run.json"))
        self.assertEqual(run.stdout, "0 wrong\n")
        return json.loads((self.folder / "run.json").read_text())["pipes"][0]["depth"]

    def test_a_source(self):
        said = self.aoc("-march=emulator -DFACTOR=3 -DADD=5 device/whole.cl")
        self.assertEqual(said, "")
        self.host("whole.aocx", 3, 5)

    def test_flags_of_boards_are_named_on_one_line(self):
        said = self.aoc("-board=s5_ref -fp-relaxed -fpc -no-interleaving=default -profile -g0 -seed=7 "
                        "-high-effort -DFACTOR=1 -DADD=AOCL_BOARD_s5_ref+1 device/whole.cl -o bin.aocx")
        self.assertEqual(said, "aoc: without meaning for an emulation: -board=s5_ref "
                               "-no-interleaving=default -profile -seed=7 -high-effort\n")
        self.host("bin.aocx", 1, 2)

    def test_flags_of_later_series(self):
        dropped = ("-ring-root-arb-balanced-rw -no-hardware-kernel-invocation-queue -no-accessor-aliasing "
                   "-disable-auto-loop-fusion -ghdl -ghdl=3 -dsploc=last -ramloc=last -timing-threshold=0.1 "
                   "-add-ini=a,b -O3 -Os")
        said = self.aoc(f"{dropped} -ffp-reassociate -ffp-contract=fast -Wno-unused -ggdb -ecc-max-latency=2 "
                        "-DFACTOR=7 -DADD=2 device/whole.cl")
        self.assertEqual(said, f"aoc: without meaning for an emulation: {dropped}\n")
        self.host("whole.aocx", 7, 2)

    def test_the_old_spelling(self):
        said = self.aoc("device/whole.cl -o old.aocx --board p385_hpc_d5 --fp-relaxed --fpc --seed 3 --profile "
                        "--no-interleaving default --const-cache-bytes 65536 -D FACTOR=-2 -D ADD=0 -v")
        self.assertIn("aoc: without meaning for an emulation: --board", said)
        self.assertIn("sluicec --device=fpga", said)
        self.host("old.aocx", -2, 0)

    def test_several_sources(self):
        self.aoc("-DFACTOR=2 -DADD=9 -I include device/feed.cl device/drain.cl device/offset.cl -o many.aocx")
        self.host("many.aocx", 2, 9)
        self.aoc("-DFACTOR=3 -DADD=8 -I include device/feed.cl device/offset.cl device/drain.cl")
        self.assertFalse((self.folder / "feed.aocx").exists())
        self.host("drain.aocx", 3, 8)

    def test_channels_without_their_pragma(self):
        self.write("plain.cl", "channel int c;\nkernel void feed(global const int *a) { write_channel_intel(c, *a); }\n"
                   "kernel void drain(global int *o) { *o = read_channel_intel(c); }\n")
        done = self.run_in(AOC, "plain.cl")
        self.assertIn("plain.cl:1:1: warning: 'channel' needs '#pragma OPENCL EXTENSION cl_intel_channels : enable'",
                      done.stdout + done.stderr)
        self.assertTrue((self.folder / "plain.aocx").exists())

    def test_functions_of_integers_as_early_compilers_took_them(self):
        words = "device/whole.cl -DFACTOR=(int)pow(2,get_work_dim()+1) -DADD=(int)(fabs(i>=0)+ceil(7/2)+sqrt(16-0*i))"
        said = self.aoc(words)
        self.assertRegex(said, r"whole\.cl:\d+:\d+: warning: call to 'fabs' is ambiguous between types: taken for that of float")
        self.assertNotIn("error", said)
        self.host("whole.aocx", 4, 8)
        # what uses double, or is wrong in another way as well, is refused for what clang says of it
        for more in ("double", "half4", "nothing"):
            self.write("device/whole.cl", CHANNEL + f"{more} more;\n".replace("more;", f"f({more} x) {{ return x; }}") +
                       OFFSET + FEED + DRAIN)
            said = self.aoc(words, status=1)
            self.assertIn("error: call to 'fabs' is ambiguous\n", said)
            self.assertNotIn("cl_khr_fp64", said)
            self.assertEqual("error: unknown type name 'nothing'" in said, more == "nothing")

    def test_objects_and_a_library(self):
        self.aoc("-c -DFACTOR=4 device/feed.cl")
        self.aoc("-c -Iinclude device/drain.cl -o d.aoco")
        self.aoc("-c -DADD=-1 device/offset.cl -o include/offset.aoclib")
        self.aoc("feed.aoco d.aoco -L include -l offset.aoclib -o linked.aocx")
        self.host("linked.aocx", 4, -1)

    def test_results_named_without_an_ending(self):
        (self.folder / "bin.d").mkdir()
        self.aoc("-DFACTOR=2 -DADD=3 device/whole.cl -o bin.d/one")
        self.aoc("-c -DFACTOR=4 -DADD=5 device/whole.cl -o two")
        self.aoc("-rtl two.aoco -o bin.d/three")
        self.aoc("bin.d/three.aocr -o ./four")
        self.assertEqual(sorted(os.listdir(self.folder / "bin.d")), ["one.aocx", "three.aocr"])
        self.host("bin.d/one.aocx", 2, 3)
        self.host("four.aocx", 4, 5)

    def test_results_in_folders_that_are_not_there(self):
        self.aoc("-DFACTOR=2 -DADD=3 device/whole.cl -o made/of_64/one.aocx")
        self.aoc("-c -DFACTOR=4 -DADD=5 device/whole.cl -o objects//two.aoco")
        self.aoc(f"objects/two.aoco -o {self.folder}/linked/two.aocx")
        self.host("made/of_64/one.aocx", 2, 3)
        self.host("linked/two.aocx", 4, 5)

    def test_linked_first(self):
        self.aoc("-rtl -DFACTOR=6 -DADD=1 device/whole.cl -report")
        self.aoc("whole.aocr -o late.aocx")
        self.host("late.aocx", 6, 1)
        page = (self.folder / "whole/reports/report.html").read_text()
        self.assertIn("<svg", page)
        self.assertIn("line", page)

    def test_a_page_is_no_condition(self):
        done = self.run_in(AOC, "-DFACTOR=5", "-DADD=4", "-report", "device/whole.cl", PATH="/nowhere")
        self.assertEqual(done.stderr, "aoc: -report: no page: sluice-report is not installed\n")
        self.assertFalse((self.folder / "whole").exists())
        self.host("whole.aocx", 5, 4)

    def library(self, words, status=0):
        return self.run_in(AOCL, "library", *words.split(), status=status).stderr

    def test_components_in_rtl(self):
        (self.folder / "rtl").mkdir()
        self.write("rtl/lib.xml", """<RTL_SPEC> <!-- <C_MODEL> <FILE name="none.cl"/> </C_MODEL> -->
            <FUNCTION name="offset" module="offset">
              <C_MODEL> <FILE name="offset.cl" /> </C_MODEL>
              <REQUIREMENTS> <FILE name="offset.v" /> </REQUIREMENTS>
            </FUNCTION>
            <FUNCTION name='twice'><C_MODEL><FILE name = 'sub/twice.cl'/></C_MODEL></FUNCTION> </RTL_SPEC>""")
        (self.folder / "rtl/sub").mkdir()
        self.write("rtl/sub/twice.cl", "int twice(int i) { return 2 * i; }\n")
        self.write("rtl/offset.cl", "int twice(int i);\n" + OFFSET.replace("ADD", "twice(3)"))
        self.library("hdl-comp-pkg rtl/lib.xml -o rtl/lib.aoco")
        self.library("create -name lib rtl/lib.aoco")
        self.assertEqual(sorted(os.listdir(self.folder / "rtl")), ["lib.aoco", "lib.xml", "offset.cl", "sub"])
        self.aoc("-DFACTOR=3 device/feed.cl device/drain.cl -Iinclude -l lib.aoclib -o rtl.aocx")
        self.host("rtl.aocx", 3, 6)

    def test_components_in_opencl(self):
        self.write("device/plain.cl", OFFSET.replace("ADD", "(INTELFPGA_CL + ALTERA_CL)"))
        self.library("ocl-comp-pkg device/plain.cl")
        self.library("create -vendor me -version 1.0 -o plain.aoclib plain.aoco")
        self.aoc("-DFACTOR=1 -Iinclude device/feed.cl device/drain.cl -l plain.aoclib -o plain.aocx")
        self.host("plain.aocx", 1, 211 + 161)

    def test_wrong_libraries(self):
        self.write("none.xml", "<RTL_SPEC><!--C_MODEL--><FUNCTION name='f'/></RTL_SPEC>")
        self.write("gone.xml", "<C_MODEL><FILE name='gone.cl'/></C_MODEL>")
        self.write("open.xml", "<C_MODEL><FILE name='")
        for line, words in (("", "want hdl-comp-pkg"), ("list", "want hdl-comp-pkg"),
                            ("create", "create: no input file"), ("create a.aoco -o", "-o needs a value"),
                            ("create -odd a", "unknown flag -odd"), ("create missing.aoco", "missing.aoco"),
                            ("hdl-comp-pkg a.xml b.xml", "takes one file"),
                            ("hdl-comp-pkg missing.xml", "missing.xml: cannot be read"),
                            ("hdl-comp-pkg none.xml", "names no C model"), ("hdl-comp-pkg open.xml", "names no C model"),
                            ("hdl-comp-pkg gone.xml", "gone.cl")):
            self.assertIn(words, self.library(line, status=1))

    def test_depth_model(self):
        for model in ("default", "strict", "ignoredepth"):
            self.aoc(f"-emulator-channel-depth-model={model} -DFACTOR=1 -DADD=0 device/whole.cl -o x.aocx")
            self.host("x.aocx", 1, 0)
            # of several sources, and of objects, where the link decides
            self.aoc(f"-emulator-channel-depth-model={model} -DFACTOR=1 -DADD=0 -I include device/feed.cl "
                     "device/drain.cl device/offset.cl -o x.aocx")
            self.assertEqual(self.depth_of("x.aocx"), 256 if model == "ignoredepth" else 4, model)
            for part in ("feed", "drain", "offset"):
                self.aoc(f"-c -DFACTOR=1 -DADD=0 -I include device/{part}.cl -o {part}.aoco")
            self.aoc(f"-emulator-channel-depth-model={model} feed.aoco drain.aoco offset.aoco -o x.aocx")
            self.assertEqual(self.depth_of("x.aocx"), 256 if model == "ignoredepth" else 4, model)
        said = self.aoc("-emulator-channel-depth-model=deep -DFACTOR=1 -DADD=0 device/whole.cl", status=1)
        self.assertIn("it takes strict, default or ignore-depth", said)

    def test_what_is_wrong_is_said(self):
        for line, words in (("-frobnicate device/whole.cl", "unknown flag -frobnicate; see aoc -help"),
                            ("-reprot device/whole.cl", "unknown flag -reprot: did you mean -report?"),
                            ("-sluice-timings device/whole.cl", "did you mean -sluice-timing?"),
                            ("-no-interlaeving=default device/whole.cl", "did you mean -no-interleaving?"),
                            ("-Z device/whole.cl", "unknown flag -Z; see aoc -help"),
                            ("device/whole.cl -o", "-o needs a value"),
                            ("-march=emulater device/whole.cl", "-march=emulater: want emulator or simulator"),
                            ("-march device/whole.cl", "-march=device/whole.cl: want"),
                            ("-report=x device/whole.cl", "-report=x takes no value"),
                            ("", "no input file"), ("device/whole.vhd", "not a source"),
                            ("-c device/feed.cl device/drain.cl -o x.aoco", "takes one source"),
                            ("device/missing.cl", "aoc: device/missing.cl: No such file or directory"),
                            ("-DFACTOR=1 -DADD=0 device/whole.cl -o device/whole.cl/x.aocx", "device/whole.cl"),
                            ("missing.aocr -o x.aocx", "missing.aocr: No such file"),
                            ("-DADD=0 device/whole.cl", "FACTOR")):
            self.assertIn(words, self.aoc(line, status=1))

    def test_questions(self):
        self.assertIn("Usage", self.run_in(AOC, "-help").stdout)
        self.assertIn("-sluice-timing", self.run_in(AOC, "-help").stdout)
        said = self.run_in(AOC, "-version").stdout
        self.assertIn("LLVM", said)
        self.assertEqual([line[8:10] for line in said.splitlines() if "Build" in line], ["21"])
        self.assertIn("emulator", self.run_in(AOC, "-list-boards").stdout)
        self.assertIn("sluice", self.run_in(AOCL, "version").stdout.lower())
        self.assertEqual(self.run_in(AOCL, "ldlibs").stdout, "-Wl,--no-as-needed -lOpenCL\n")
        self.assertIn("unknown command", self.run_in(AOCL, "transmogrify", status=1).stderr)
        self.assertIn("list-devices", self.run_in(AOCL, "help").stdout)

    def test_a_page_of_design_and_profile(self):
        """As the vendor's is called: the design, and the profile of its run, which has the design in it."""
        self.aoc("-march=emulator -DFACTOR=3 -DADD=5 device/whole.cl")
        self.run_in(HOST, "whole.aocx", "3", "5", SLUICE_FPGA_PROFILE="run.json")
        for program in (AOCL, shutil.which("sluice-report")):  # installed they lie side by side
            shutil.copy(program, self.folder)
        aocl = str(self.folder / "aocl")
        self.run_in(aocl, "report", "whole.aocx", "run.json", "-o", "run.html")
        self.assertIn("profiled for", (self.folder / "run.html").read_text())
        self.run_in(aocl, "report", "whole.aocx", "-o", "design.html")
        self.assertNotIn("profiled for", (self.folder / "design.html").read_text())
        self.assertIn("b.json: one input file only", self.run_in(aocl, "report", "a.json", "b.json", "-o", "x", status=1).stderr)

    def test_devices(self):
        self.assertRegex(self.run_in(AOCL, "list-devices").stdout, "acl0  .*passed")
        self.assertIn("DIAGNOSTIC_PASSED", self.run_in(AOCL, "diagnose").stdout)
        environment = dict(os.environ, OCL_ICD_VENDORS=str(self.folder))
        done = subprocess.run([AOCL, "diagnose"], env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("DIAGNOSTIC_FAILED", done.stdout)

    def test_as_scripts_of_cmake_take_answers_apart(self):
        words = self.run_in(AOCL, "compile-config").stdout.split()
        include = [word[2:] for word in words if word.startswith("-I")]
        self.assertGreater(len(include), 0)
        self.assertTrue(all(os.path.isdir(folder) for folder in include), include)
        text = self.run_in(AOCL, "link-config").stdout
        folders = re.findall(r"-L([^ \t\n]+)", text)
        self.assertEqual(re.findall(r"-l([^ \t\n]+)", text), ["OpenCL"])
        self.assertEqual([os.path.exists(folder + "/libOpenCL.so") for folder in folders], [True, True])
        self.assertEqual(self.run_in(AOCL, "ldflags").stdout.split(), ["-L" + folder for folder in folders])

    def test_hosts_that_say_what_they_are_for(self):
        words = self.run_in(AOCL, "compile-config").stdout.split()
        old = "CL_USE_DEPRECATED_OPENCL_1_2_APIS"
        ways = [(f"#define CL_TARGET_OPENCL_VERSION 200\n#define {old}\n", []), ("", []), (f"#define {old} 1\n", []),
                ("", [f"-D{old}"]), ("", [f"-D{old}="])]
        for defines, flags in ways:
            self.write("version.c", defines + "#include <CL/cl.h>\nint main(void) {\n"
                       "    cl_command_queue queue = clCreateCommandQueue(0, 0, 0, 0);\n"
                       "    return CL_TARGET_OPENCL_VERSION - (queue != 0);\n}\n")
            for given in (flags + words, words + flags):
                done = self.run_in("cc", "-Wall", "-Werror", *given, "-c", "version.c", "-o", "version.o")
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_makefile(self):
        self.write("host.c", "#include <CL/cl.h>\n#include <CL/cl_ext_intelfpga.h>\n"
                   "int main(void) { cl_uint n; cl_mem_flags flags = CL_CHANNEL_2_INTELFPGA | CL_MEM_BANK_1_ALTERA; "
                   "return clGetPlatformIDs(0, 0, &n) || flags != 0x30000; }\n")
        self.write("Makefile", "all: host design.aocx\n"
                   f"host: host.c\n\t$(CC) host.c -o host $$({AOCL} compile-config) $$({AOCL} link-config)\n"
                   f"%.aocx: device/whole.cl\n\t{AOC} -DFACTOR=8 -DADD=2 $< -o $@\n")
        self.run_in("make")
        self.run_in("./host")
        self.host("design.aocx", 8, 2)

    def test_a_makefile_of_the_vendors_examples(self):
        self.write("main.c", "#include <CL/opencl.h>\nint main(void) { return CL_CHANNEL_1_INTELFPGA == 0; }\n")
        self.write("Makefile", "ifeq ($(wildcard $(INTELFPGAOCLSDKROOT)/host/include/CL/opencl.h),)\n"
                   "$(error Set INTELFPGAOCLSDKROOT to the root directory of the SDK)\nendif\n"
                   "all: host design.aocx\n"
                   "host: main.c\n\t$(CC) main.c -I$(INTELFPGAOCLSDKROOT)/host/include "
                   "$(shell $(INTELFPGAOCLSDKROOT)/bin/aocl ldflags) $(shell $(INTELFPGAOCLSDKROOT)/bin/aocl ldlibs) -o host\n"
                   "%.aocx: device/whole.cl\n\t$(INTELFPGAOCLSDKROOT)/bin/aoc -DFACTOR=7 -DADD=3 $< -o $@\n")
        self.run_in("make", INTELFPGAOCLSDKROOT=os.path.join(os.path.dirname(AOCL), "../share/sluice/aoc"))
        self.run_in("./host")
        self.host("design.aocx", 7, 3)

    def test_a_host_linked_with_the_names_of_the_vendors_libraries(self):
        self.write("main.c", "#include <CL/opencl.h>\nint main(void) { cl_uint n; return clGetPlatformIDs(0, 0, &n); }\n")
        root = os.path.join(os.path.dirname(AOCL), "../share/sluice/aoc")
        for names in ("alteracl", "alteracl alterahalmmd acl_emulator_kernel_rt elf", "OpenCL elf", "intelocl elf"):
            libraries = ["-l" + name for name in names.split()]
            for flags in ([f"-L{root}/host/linux64/lib"], self.run_in(AOCL, "link-config").stdout.split()):
                self.run_in("cc", "main.c", f"-I{root}/host/include", *flags, *libraries, "-o", "host")
                self.run_in("./host")

    def test_libraries_in_front_of_what_needs_them(self):
        self.write("main.c", "#include <CL/opencl.h>\nint main(void) { cl_uint n; return clGetPlatformIDs(0, 0, &n); }\n")
        self.run_in("cc", "-c", "main.c", *self.run_in(AOCL, "compile-config").stdout.split())
        for words in (("link-config",), ("ldflags", "ldlibs")):
            libraries = [flag for word in words for flag in self.run_in(AOCL, word).stdout.split()]
            self.run_in("cc", "-Wl,--as-needed", *libraries, "-o", "host", "main.o")
            self.run_in("./host")

    def test_a_host_that_calls_the_vendors_functions_by_name(self):
        self.write("main.c", BY_NAME)
        root = os.path.join(os.path.dirname(AOCL), "../share/sluice/aoc")
        folder = f"{root}/host/linux64/lib"
        for way in ([f"-L{folder}", "-lalteracl"], [f"{folder}/libalteracl.so"], [f"{root}/libOpenCL.so"],
                    [f"-L{folder}", "-lOpenCL", "-pie"], self.run_in(AOCL, "link-config").stdout.split()):
            self.run_in("cc", "-Wall", "-Werror", "main.c", f"-I{root}/host/include", *way, "-o", "host")
            # -1111: full, -1112: empty, -38, -44, -33: no pipe, no program, no device
            self.assertEqual(self.run_in("./host").stdout, "0: 0 12 0 0 8 -1111 -1112, none: -38 -38 -38 -38, "
                             "profile: -44 -44 -44 -33, reset: 0 -30 -34\n", way)

    def test_a_host_that_calls_what_is_of_the_board(self):
        self.write("main.c", OF_THE_BOARD)
        self.run_in("cc", "-Wall", "-Werror", "main.c",
                    *self.run_in(AOCL, "compile-config").stdout.split(), *self.run_in(AOCL, "link-config").stdout.split(),
                    "-o", "host")
        # -58: no event that runs, -30: a bit of the mask that nobody knows, -33: no device
        self.assertEqual(self.run_in("./host").stdout,
                         "0: 42, 0: 8, profile: -58 -58, address: 0, callback: 0 -30 -33\n")

    def test_the_script_that_others_source(self):
        root = os.path.realpath(os.path.join(os.path.dirname(AOCL), "../share/sluice/aoc"))
        text = "source $0/init_opencl.sh && source $0/init_opencl.sh && echo $INTELFPGAOCLSDKROOT $(which aoc) $PATH"
        for shell, line in (("bash", text), ("sh", text.replace("source", "INTELFPGAOCLSDKROOT=$0; ."))):
            done = self.run_in(shell, "-c", line, root, INTELFPGAOCLSDKROOT="", PATH="/usr/bin:/bin")
            self.assertEqual(done.stdout, f"{root} {root}/bin/aoc {root}/bin:/usr/bin:/bin\n")
        done = self.run_in("sh", "-c", ". $0/init_opencl.sh", root, status=1, INTELFPGAOCLSDKROOT="")
        self.assertIn("set INTELFPGAOCLSDKROOT", done.stderr)

    def host_program(self, name, compiler, text):
        """What a host with this text answers when it has been built as makefiles do."""
        self.write(name, text)
        self.write("Makefile", f"host: {name}\n\t{compiler} {name} -o host $$({AOCL} compile-config) $$({AOCL} link-config)\n")
        self.run_in("make")
        return self.run_in("./host").stdout.strip()

    def test_hosts_find_banks_of_memory_without_asking(self):
        self.assertEqual(self.host_program(
            "bank.c", "$(CC)", "#include <CL/opencl.h>\n#include <stdio.h>\n"
            "int main(void) { printf(\"%d\\n\", CL_CHANNEL_3_INTELFPGA); return 0; }\n"), str(3 << 16))

    @unittest.skipUnless(os.path.exists("/usr/include/CL/opencl.hpp"), "no C++ binding")
    def test_hosts_find_the_old_binding(self):
        self.assertEqual(self.host_program(
            "old.cpp", "$(CXX)", "#define __CL_ENABLE_EXCEPTIONS\n#include <CL/cl.hpp>\n#include <cstdio>\n"
            "int main() {\n"
            "    std::vector<cl::Platform> platforms;\n"
            "    cl::Platform::get(&platforms);\n"
            "    cl::Context context(CL_DEVICE_TYPE_ALL, nullptr);\n"
            "    const char text[] = \"kernel void k(global int *a, local int *b) { *a = *b; }\";\n"
            "    cl::Program::Sources sources(1, std::make_pair(text, sizeof text - 1));\n"
            "    cl::Program program(context, sources);\n"
            "    VECTOR_CLASS<cl::Device> devices = context.getInfo<CL_CONTEXT_DEVICES>();\n"
            "    program.build(devices);\n"
            "    cl::Kernel kernel(program, \"k\");\n"
            "    cl::LocalSpaceArg space = cl::__local(24);\n"
            "    kernel.setArg(1, space);\n"
            "    STRING_CLASS name = kernel.getInfo<CL_KERNEL_FUNCTION_NAME>();\n"
            "    std::printf(\"%s %d \", name.c_str(), (int)space.size_);\n"
            "    try {\n"
            "        cl::Buffer none(context, CL_MEM_READ_WRITE | CL_CHANNEL_2_INTELFPGA, 0);\n"
            "    } catch (const cl::Error &e) {\n"
            "        std::printf(\"%d %d\\n\", e.err(), CL_CHANNEL_2_INTELFPGA);\n"
            "    }\n"
            "}\n"), f"k 24 -61 {2 << 16}")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[4:])
