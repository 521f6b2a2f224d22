#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""timed.py run_design FOLDER [NAME...]: what the clock of a design costs.

Runs designs with and without a clock in turns, compares what they print, and tells the processor's
time of the least of ROUNDS runs and how many times as long those with a clock take. Fails if fewer
than LEAST operations a second are done with it. Kernels of many work-items have none.
"""
import json
import os
import subprocess
import sys
import tempfile

ROUNDS = 5
LEAST = 20e6

# name, file, options, kernels. Runs of a few milliseconds would tell little: what a thread has taken
# since the last tick of the kernel's clock may not be counted so far.
DESIGNS = [
    ("stream, depth 64", "streams.cl", "-DSTREAM=20000000", ["stream_give", "stream_take"]),
    ("stream, depth 1", "streams.cl", "-DSTREAM=20000000", ["narrow_give", "narrow_take"]),
    ("float4, slow reader", "streams.cl", "-DSTREAM=5000000", ["wide_give", "wide_pass", "wide_take"]),
    ("FIR and FFT", "fir_fft.cl", "-DBLOCKS=40960", ["fir_give", "fir", "fft", "power", "fir_take"]),
    ("systolic 8 x 8", "systolic.cl", "-DTILES=2000", ["systolic_left", "systolic_above", "systolic_take"]),
    ("packet filter", "packet_filter.cl", "-DPACKETS=3000000",
     ["filter_give", "filter_classify", "filter_forward", "filter_take"]),
    ("chain of 41 kernels", "chain.cl", "-DPACKETS=400000",
     ["chain_give"] + [f"chain_{n}{s}" for n in range(10) for s in "abcd" if (n, s) != (9, "d")] + ["chain_take"]),
    ("chain, one comes late", "chain.cl", "-DPACKETS=400000",
     ["chain_give"] + [f"chain_{n}{s}" for n in range(10) for s in "abcd" if (n, s) != (9, "d")] + ["chain_take@30"]),
    ("taps", "inner_loops.cl", "-DROUNDS=5000000", ["taps_give", "taps", "taps_take"]),
    ("window", "inner_loops.cl", "-DROUNDS=5000000", ["window_give", "window", "window_take"]),
    ("rows of 64", "inner_loops.cl", "-DROUNDS=1000000", ["rows_give", "rows", "rows_take"]),
    ("four for one", "inner_loops.cl", "-DROUNDS=2000000", ["four_give", "four", "four_take"]),
    ("nest", "inner_loops.cl", "-DROUNDS=1000000", ["nest_give", "nest", "nest_take"]),
    ("two of one", "inner_loops.cl", "-DROUNDS=2000000", ["pairs_give", "pairs", "pairs_take"]),
    ("some rounds", "inner_loops.cl", "-DROUNDS=2000000", ["some_give", "some", "some_take"]),
    ("perhaps some", "inner_loops.cl", "-DROUNDS=2000000", ["maybe_give", "maybe", "maybe_take"]),
    ("packets by data", "inner_loops.cl", "-DROUNDS=1000000", ["burst_give", "burst", "burst_take"]),
    ("packets until", "inner_loops.cl", "-DROUNDS=100000", ["until_give", "until", "until_take"]),
    ("stencil", "stencil.cl", "-DLINES=20000", ["stencil_give", "stencil", "stencil_take"]),
]

# Kernels of many work-items, on one queue behind what fills their buffers.
FILL = ["fill%A:1048576:256", "+fill%B:1048576:256", "+rows%C:1048576:256", "+sizes%S"]
DESIGNS += [(name, "items.cl", "", FILL + times * ["+" + kernel] + ["+sum%B"]) for name, times, kernel in (
    ("saxpy", 50, "saxpy%SAB:65536:256"),
    ("sparse rows", 50, "spmv%SCAB:65536:128"),
    ("mandelbrot", 20, "mandelbrot%B:262144:64"),
    ("n-body", 50, "nbody%SAB:16384:64"),
    ("convolution", 10, "convolution%SAB:523264:256"),
    ("binary search", 10, "search%SCB:1048576:128"),
)]


def run(program, path, options, kernels, profile):
    """Seconds and what was printed."""
    environment = dict(os.environ, RUN_DESIGN_TIME="1")
    environment.pop("SLUICE_FPGA_PROFILE", None)
    if profile:
        environment["SLUICE_FPGA_PROFILE"] = profile
        options += " -sluice-timing"
    done = subprocess.run([program, path, options] + kernels, env=environment, capture_output=True,
                          text=True, timeout=300, check=True)
    seconds = [line.split()[1] for line in done.stderr.splitlines() if line.startswith("seconds ")]
    return float(seconds[0]), sorted(done.stdout.splitlines())


def operations(profile):
    with open(profile, encoding="utf-8") as file:
        pipes = json.load(file)["pipes"]
    return sum(2 * pipe["packets"] for pipe in pipes)


def measure(program, folder, design):
    name, file, options, kernels = design
    path = os.path.join(folder, file)
    with tempfile.TemporaryDirectory() as place:
        profile = os.path.join(place, "run.json")
        plain, timed, count = [], [], 0
        for number in range(ROUNDS):
            plain.append(run(program, path, options, kernels, None))
            timed.append(run(program, path, options, kernels, profile))
            count = count or operations(profile)
            if plain[number][1] != timed[number][1]:
                sys.exit(f"{name}: {plain[number][1]} without a clock, {timed[number][1]} with it")
            os.remove(profile)
        with_it, without = min(timed)[0], min(plain)[0]
    ratio, rate = with_it / without, count / with_it
    print(f"{name:21} {count:9} operations  {without * 1e3:8.1f} ms  {with_it * 1e3:8.1f} ms  "
          f"{ratio:6.2f} x  {rate / 1e6:6.1f} M/s", flush=True)
    return not count or rate >= LEAST


def main():
    program, folder = sys.argv[1:3]
    wanted = sys.argv[3:]
    chosen = [d for d in DESIGNS if not wanted or any(w in d[0] for w in wanted)]
    good = [measure(program, folder, design) for design in chosen]
    sys.exit(0 if all(good) else 1)


main()
