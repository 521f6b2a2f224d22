# SPDX-License-Identifier: Apache-2.0
# A dataflow design and its host in Python: cells as notebooks and editors know them, or run it as a program. It needs
# pyopencl and the module sluice, which the wheel brings.

# %% the design: a stream of samples, and the average of the last eight at every place
import os
import pathlib
import tempfile

os.environ.setdefault("SLUICE_FPGA_PROFILE", str(pathlib.Path(tempfile.gettempdir()) / "moving_average.json"))

import numpy as np
import pyopencl as cl

import sluice

TAPS, COUNT = 8, 10007
SOURCE = """
#pragma OPENCL EXTENSION cl_intel_fpga_host_pipe : enable
pipe float samples __attribute__((depth(256))) __attribute__((intel_host_accessible));
pipe float averages __attribute__((depth(256))) __attribute__((intel_host_accessible));
pipe float2 extremes __attribute__((intel_host_accessible));

kernel void average(int count)
{
    float last[TAPS] = {0}, least = INFINITY, most = -INFINITY;
    for (int i = 0; i < count; i++) {
        float sum = 0, x;
        read_pipe_block(samples, &x);
        #pragma unroll
        for (int k = TAPS - 1; k > 0; k--)
            sum += last[k] = last[k - 1];
        sum = (sum + (last[0] = x)) / TAPS;
        least = fmin(least, sum);
        most = fmax(most, sum);
        write_pipe_block(averages, &sum);
    }
    float2 both = (float2)(least, most);
    write_pipe_block(extremes, &both);
}
"""

# %% build it for the first device with pipes at program scope
device = next(one for platform in cl.get_platforms() for one in platform.get_devices()
              if "cl_sluice_program_pipe" in one.extensions.split())
context = cl.Context([device])
program = cl.Program(context, SOURCE).build([f"-DTAPS={TAPS}"])
samples, averages, extremes = (sluice.Pipe(program, name) for name in ("samples", "averages", "extremes"))
print(sluice.host_pipes(program))
print(samples.info)

# %% start the kernel: it runs while the host feeds it
queue = cl.CommandQueue(context)
average = cl.Kernel(program, "average")
average(queue, (1,), (1,), np.int32(COUNT))
queue.flush()

# %% feed it: arrays as far as there is room, then what comes back, until all is through
wave = (np.sin(np.arange(COUNT) / 50) + np.random.default_rng(1).normal(0, 0.2, COUNT)).astype(np.float32)
smooth = [averages.read(0)]
sent = 0
while sum(map(len, smooth)) < COUNT:
    sent += samples.write(wave[sent:], blocking=False)
    smooth.append(averages.read(1))  # waits for one
    smooth.append(averages.read())   # and takes what is there
smooth = np.concatenate(smooth)
least, most = extremes.read(1)[0]
queue.finish()

# %% is it right?
want = np.convolve(wave.astype(np.float64), np.ones(TAPS) / TAPS)[:COUNT]
assert np.allclose(smooth, want, rtol=0, atol=1e-6), "wrong averages"
assert least == smooth.min() and most == smooth.max(), "wrong extremes"
print(f"{COUNT} averages between {least:.3f} and {most:.3f}, none off by more than {np.abs(smooth - want).max():.1e}")

# %% the same pipes without copies: the pipe's own memory as an array
average(queue, (1,), (1,), np.int32(5))
queue.flush()
with samples.map_write(5) as room:
    room[:] = [8, 16, 24, 32, 40]
print(averages.read(5))
extremes.read(1)
queue.finish()

# %% what happened in the pipes
report = sluice.profile(program)
for pipe in report["pipes"]:
    print(f"{pipe['name']:10} {pipe['packets']:6} packets, at most {pipe['high_water']} in it")
