# SPDX-License-Identifier: Apache-2.0
"""python_pipes.py EXAMPLE SLUICEC: the module sluice against pyopencl: arrays through pipes in each way, what is wrong
told, reports, and the example. Prints "pass|fail TEST".
"""
import contextlib
import io
import os
import runpy
import sys
import threading

import numpy as np
import pyopencl as cl

import python_packets
import sluice

EXAMPLE, SLUICEC = sys.argv[1:3]
SOURCE = """
#pragma OPENCL EXTENSION cl_intel_fpga_host_pipe : enable
#define HOST __attribute__((intel_host_accessible))
struct item { int key; uchar flag[3]; };
pipe int in __attribute__((depth(17))) HOST;
pipe int out __attribute__((depth(17))) HOST;
pipe float3 vectors_in HOST;
pipe float3 vectors_out HOST;
pipe struct item items_in __attribute__((depth(4))) HOST;
pipe struct item items_out __attribute__((depth(4))) HOST;
pipe long rows_in[2] HOST;
pipe long rows_out[2] HOST;
kernel void triple(int n) { for (int i = 0; i < n; i++) { int v; read_pipe_block(in, &v); v *= 3; write_pipe_block(out, &v); } }
kernel void turn() { float3 v; read_pipe_block(vectors_in, &v); v = v.zyx; write_pipe_block(vectors_out, &v); }
kernel void mark() { struct item i; read_pipe_block(items_in, &i); i.key++; i.flag[2] = 9; write_pipe_block(items_out, &i); }
kernel void cross() { long a, b; read_pipe_block(rows_in[0], &a); read_pipe_block(rows_in[1], &b);
                      write_pipe_block(rows_out[1], &a); write_pipe_block(rows_out[0], &b); }
"""
PROGRAM = CONTEXT = None


def say(test, good):
    print("pass" if good else "fail", test)


def launch(name, *arguments):
    queue = cl.CommandQueue(CONTEXT)
    cl.Kernel(PROGRAM, name)(queue, (1,), (1,), *arguments)
    queue.flush()
    return queue


def refused(kind, call, code=None):
    try:
        call()
    except kind as error:
        return code is None or error.code == code
    return False


def numbers(count):
    """More than the pipe holds, so both threads wait for the kernel."""
    data = np.arange(count, dtype=np.int32) * 7 - 3000
    source, sink = sluice.Pipe(PROGRAM, "in"), sluice.Pipe(PROGRAM, "out")
    queue = launch("triple", np.int32(count))
    writer = threading.Thread(target=source.write, args=(data,))
    writer.start()
    got = sink.read(count)
    writer.join()
    queue.finish()
    return got.dtype == np.int32 and np.array_equal(got, data * 3)


def without_waiting():
    source, sink = sluice.Pipe(PROGRAM, "in"), sluice.Pipe(PROGRAM, "out")
    none = len(sink.read()) == 0 and len(sink.read(5, blocking=False)) == 0
    wrote = source.write(np.arange(100), blocking=False)
    launch("triple", np.int32(wrote)).finish()
    return none and wrote >= 17 and np.array_equal(sink.read(), 3 * np.arange(wrote))


def maps():
    source, sink = sluice.Pipe(PROGRAM, "in"), sluice.Pipe(PROGRAM, "out")
    with source.map_write(5) as room:
        room[:] = [5, 4, 3, 2, 1][:len(room)]
        count = len(room)
    launch("triple", np.int32(count)).finish()
    mapping = sink.map_read()
    first = list(mapping.array)
    mapping.give_back(1)
    rest = list(mapping.array)
    mapping.give_back()
    with sink.map_read() as nothing:
        empty = len(nothing) == 0
    return first == [15, 12, 9, 6, 3][:count] and rest == first[1:] and empty and len(sink.read()) == 0


def vectors():
    source, sink = sluice.Pipe(PROGRAM, "vectors_in"), sluice.Pipe(PROGRAM, "vectors_out")
    source.write(np.array([1, 2, 3, 0]))
    launch("turn").finish()
    got = sink.read(1)
    return got.shape == (1, 4) and list(got[0][:3]) == [3, 2, 1]


def structures():
    kind = np.dtype([("key", np.int32), ("flag", np.uint8, 3)], align=True)
    source, sink = (sluice.Pipe(PROGRAM, name, kind) for name in ("items_in", "items_out"))
    source.write(np.array([(41, [1, 2, 3])], kind))
    launch("mark").finish()
    got = sink.read(1)[0]
    return got["key"] == 42 and list(got["flag"]) == [1, 2, 9] and \
        refused(TypeError, lambda: sluice.Pipe(PROGRAM, "items_in")) and \
        refused(TypeError, lambda: sluice.Pipe(PROGRAM, "items_in", np.int32))


def elements():
    for row in range(2):
        sluice.Pipe(PROGRAM, f"rows_in[{row}]").write([100 + row])
    launch("cross").finish()
    return [sluice.Pipe(PROGRAM, f"rows_out[{row}]").read(1)[0] for row in range(2)] == [101, 100]


def facts():
    info = sluice.Pipe(PROGRAM, "in").info
    names = sluice.host_pipes(PROGRAM)
    return info["packet_size"] == 4 and info["declared_capacity"] == 17 and info["type"] == "int" and \
        info["host"] == "writes" and {"in", "out", "items_in"} <= set(names)


def refusals():
    source = sluice.Pipe(PROGRAM, "in")
    return refused(sluice.Error, lambda: sluice.Pipe(PROGRAM, "nobody"), -30) and \
        refused(sluice.Error, source.read, -59) and \
        refused(ValueError, lambda: sluice.Pipe(PROGRAM, "vectors_in").write([1.0, 2.0])) and \
        refused(ValueError, lambda: sluice.schedule("kernel void k() { nonsense; }", compiler=SLUICEC))


def nothing_changes():
    """What is refused leaves the pipe as it was, written or assigned to its memory."""
    source, sink = sluice.Pipe(PROGRAM, "in"), sluice.Pipe(PROGRAM, "out")
    good = all(refused(kind, lambda data=data: source.write(data)) for kind, data in
               ((TypeError, [1, 1.7]), (TypeError, "7"), (ValueError, [1, 2**31]), (ValueError, [[1], [2]])))
    with source.map_write(2) as room:
        room[:] = 5
        good &= refused(TypeError, lambda: room.__setitem__(0, 1.7)) and \
            refused(ValueError, lambda: room.__setitem__(0, np.int64(2**31)))
        count = len(room)
    mapping = source.map_write(1)
    good &= refused(ValueError, lambda: mapping.give_back(2)) and refused(ValueError, lambda: mapping.give_back(-1))
    mapping.array[:] = 6
    mapping.give_back()
    launch("triple", np.int32(count + 1)).finish()
    return good and list(sink.read()) == [15] * count + [18] and refused(ValueError, lambda: sink.read(-1)) and \
        refused(ValueError, lambda: source.map_write(-1)) and refused(TypeError, lambda: sink.read(1.5)) and \
        refused(TypeError, lambda: sluice.Pipe(PROGRAM, "in", np.float32))


def reports():
    loops = sluice.schedule("kernel void k(global int *a, int n) { for (int i = 0; i < n; i++) a[i] += i; }",
                            ["-cl-std=CL1.2"], compiler=SLUICEC)
    profile = sluice.profile(PROGRAM)
    packets = {row["name"]: row["packets"] for row in profile["pipes"]}
    return isinstance(loops, dict) and "k" in str(loops) and packets["in"] > 1000


def example():
    with contextlib.redirect_stdout(io.StringIO()) as text:
        runpy.run_path(EXAMPLE)
    return "10007 averages" in text.getvalue() and "averages    10012 packets" in text.getvalue()


def main():
    global PROGRAM, CONTEXT
    os.environ["SLUICE_FPGA_PROFILE"] = os.path.join(os.environ["SLUICE_CACHE_DIR"], "profile.json")
    device = next(one for platform in cl.get_platforms() for one in platform.get_devices()
                  if "cl_sluice_program_pipe" in one.extensions.split())
    CONTEXT = cl.Context([device])
    PROGRAM = cl.Program(CONTEXT, SOURCE).build()
    say("numbers", numbers(1013) and numbers(1))
    for test in (without_waiting, maps, vectors, structures, elements, facts, refusals, nothing_changes, reports,
                 example):
        say(test.__name__, test())
    for test in python_packets.TESTS:
        say(f"packets.{test.__name__}", test())


main()
