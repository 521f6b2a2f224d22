# SPDX-License-Identifier: Apache-2.0
"""wheel_use.py WORD FOLDER: a kernel on each device of Sluice through pyopencl; driver and compiler process are those
of FOLDER. Prints "pass|fail WORD.TEST".
"""
import pathlib
import sys
import time

import numpy as np
import pyopencl as cl
import sluice

WORD, FOLDER = sys.argv[1:3]
COUNT = 1013
SOURCE = "kernel void k(global float *a, float f) { size_t i = get_global_id(0); a[i] = sin(f * i) + rint(f); }"


def say(test, good):
    print("pass" if good else "fail", f"{WORD}.{test}")


def compilers():
    """The programs that our children run."""
    for process in pathlib.Path("/proc").iterdir():
        try:
            if process.name.isdigit():
                yield str((process / "exe").readlink())
        except OSError:
            continue


def run(device):
    context = cl.Context([device])
    queue = cl.CommandQueue(context)
    buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4 * COUNT)
    begin = time.time()
    kernel = cl.Program(context, SOURCE).build().k
    kernel(queue, (COUNT,), None, buffer, np.float32(0.37))
    result = np.empty(COUNT, np.float32)
    cl.enqueue_copy(queue, result, buffer)
    print(f"{device.name.strip()}: first kernel after {1000 * (time.time() - begin):.0f} ms")
    wanted = np.sin(np.float32(0.37) * np.arange(COUNT, dtype=np.float32)) + np.rint(np.float32(0.37))
    return bool(np.allclose(result, wanted, rtol=0, atol=1e-6)), any(
        name.startswith(f"{FOLDER}/libexec/") for name in compilers())


def through_a_pipe(devices):
    """By the module that the wheel brings beside the driver."""
    fpga = [device for device in devices if "cl_sluice_program_pipe" in device.extensions.split()]
    context = cl.Context(fpga)
    program = cl.Program(context, """#pragma OPENCL EXTENSION cl_intel_fpga_host_pipe : enable
        pipe int in __attribute__((intel_host_accessible)); pipe int out __attribute__((intel_host_accessible));
        kernel void k() { for (int i = 0; i < 3; i++) { int v; read_pipe_block(in, &v); v *= 3;
                          write_pipe_block(out, &v); } }""").build()
    queue = cl.CommandQueue(context)
    program.k(queue, (1,), (1,))
    queue.flush()
    sluice.Pipe(program, "in").write([1, 2, 3])
    return list(sluice.Pipe(program, "out").read(3))


def main():
    found = [platform for platform in cl.get_platforms() if platform.name == "Sluice"]
    say("platform", len(found) == 1)
    devices = found[0].get_devices() if found else []
    say("devices", len(devices) == 2)
    for number, device in enumerate(devices):
        values, own = run(device)
        say(f"values_{number}", values)
        say(f"compiler_{number}", own)
    say("pipes", through_a_pipe(devices) == [3, 6, 9])
    maps = pathlib.Path("/proc/self/maps").read_text(encoding="utf-8")
    say("library", f"{FOLDER}/lib/libsluice.so" in maps)


main()
