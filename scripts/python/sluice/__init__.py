# SPDX-License-Identifier: Apache-2.0
"""Sluice's pipes and reports for programs that use pyopencl. Packets are numpy arrays, reports dictionaries.

    program = pyopencl.Program(context, source).build()
    samples, sums = sluice.Pipe(program, "samples"), sluice.Pipe(program, "sums")
    program.add(queue, (1,), (1,), ...)       # kernels run in a queue of their own
    samples.write(numpy.arange(100))          # waits for room
    print(sums.read(100))                     # waits for packets
    print(sums.read())                        # what is there now
    with samples.map_write(16) as room:       # the pipe's own memory
        room[:] = 1
    print(sluice.profile(program)["pipes"])   # with SLUICE_FPGA_PROFILE set

A pipe's packets are numbers or vectors of OpenCL C; others need a dtype. A value that the packets cannot hold is refused
(TypeError, ValueError), never changed on the way; only fractions are rounded to the pipe's floating point.
"""
from .calls import Error
from .pipes import Mapping, Pipe, host_pipes
from .reports import profile, schedule

__all__ = ["Error", "Mapping", "Pipe", "host_pipes", "profile", "schedule"]
