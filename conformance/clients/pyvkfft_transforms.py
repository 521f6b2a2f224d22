# SPDX-License-Identifier: Apache-2.0
"""Transforms random arrays with pyvkfft on OpenCL; prints "pass|fail CASE error"."""
import numpy as np
import pyopencl as cl
import pyopencl.array
from pyvkfft.fft import fftn, ifftn

# radix 2, small primes, a prime that needs Bluestein's algorithm, two and three dimensions
SHAPES = [(64,), (360,), (1009,), (64, 64), (30, 42), (16, 20, 24)]
LIMITS = {np.complex64: 5e-7, np.complex128: 1e-12}


def relative(found, expected):
    return np.linalg.norm(found - expected) / np.linalg.norm(expected)


def main():
    device = [d for p in cl.get_platforms() for d in p.get_devices() if d.type & cl.device_type.CPU][0]
    queue = cl.CommandQueue(cl.Context([device]))
    random = np.random.RandomState(0)
    for dtype, limit in LIMITS.items():
        for shape in SHAPES:
            data = (random.rand(*shape) + 1j * random.rand(*shape)).astype(dtype)
            source = cl.array.to_device(queue, data)
            there = fftn(source, cl.array.empty_like(source), cl_queue=queue)
            forward = relative(there.get(), np.fft.fftn(data))
            back = ifftn(there, cl.array.empty_like(source), cl_queue=queue)
            both = relative(back.get(), data)
            good = forward < limit and both < limit
            print("pass" if good else "fail", "%s-%s" % ("x".join(map(str, shape)), dtype.__name__),
                  "%.2e %.2e" % (forward, both), flush=True)


main()
