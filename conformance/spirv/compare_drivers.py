#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs kernels of SPIR-V modules on two OpenCL drivers with the same random inputs, and compares.

    compare_drivers.py --one 'OCL_ICD_VENDORS=build/icd/vendors/ SLUICE_DEVICES=cpu' \\
        --other 'OCL_ICD_VENDORS=/etc/OpenCL/vendors/' --work FOLDER MODULE.spv...

Of each module the first kernel that can be called without knowing it is run: its arguments are
numbers, structs of numbers, local memory, and pointers to global memory with numbers. Numbers are
small, and buffers much larger than what indices made of them reach. Integers are compared bit for
bit, floating point within --ulps. Where the values differ, one work-item alone runs too: if that
agrees ("many"), the kernel leaves the order of work-items open, or has a data race, or a driver is
wrong with several of them.

Each driver has a process of its own, for many modules; one that dies or stands still costs the
module it was at. Prints a line for each module, and the sums at the end; the exit status is 1 when
any kernel gave other values, with one work-item or with many, failed to build, crashed or hung on
the first driver alone, or when none was compared.
"""
import argparse
import collections
import os
import pathlib
import select
import subprocess
import sys

from spirv_call import Module, NotCallable, initial_buffers
from spirv_call_run import Device, DriverError

RESULTS = ("same", "near", "many", "differs", "idle", "skipped", "both", "one", "other")


def serve(folder):
    """The process of one driver: jobs come on stdin, a line is said before and behind each."""
    device = Device()
    for line in sys.stdin:
        number, seed, items, path = line.rstrip("\n").split(" ", 3)
        print("begin", number, flush=True)
        try:
            module = Module(pathlib.Path(path).read_bytes())
            buffers = device.run(module, module.callable_kernel(), int(seed), int(items))
            pathlib.Path(folder, f"{number}.out").write_bytes(b"".join(buffers))
            print("end", number, "ok", flush=True)
        except DriverError as error:
            print("end", number, str(error).replace("\n", " | ")[:2000], flush=True)


class Driver:
    """One driver's process, started again when it is gone."""

    def __init__(self, settings, folder, limit):
        self.settings = dict(word.split("=", 1) for word in settings.split())
        self.folder, self.limit, self.process = folder, limit, None
        os.makedirs(folder, exist_ok=True)

    def start(self):
        log = open(os.path.join(self.folder, "stderr"), "ab")
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--serve", self.folder], env={**os.environ, **self.settings},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, start_new_session=True)
        log.close()
        self.pending = b""

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def line(self):
        """The next line, or None when the process is gone or has said nothing for too long."""
        while b"\n" not in self.pending:
            if not select.select([self.process.stdout], [], [], self.limit)[0]:
                return "hangs"
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                return f"dies ({self.process.wait()})"
            self.pending += data
        text, self.pending = self.pending.split(b"\n", 1)
        return text.decode(errors="replace")

    def run(self, number, seed, items, path):
        """(bytes of all buffers, None) or (None, what happened)."""
        if not self.process or self.process.poll() is not None:
            self.start()
        try:
            self.process.stdin.write(f"{number} {seed} {items} {path}\n".encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        said = self.line()
        while not said.startswith((f"end {number} ", "hangs", "dies")):
            said = self.line()
        if said == f"end {number} ok":
            file = pathlib.Path(self.folder, f"{number}.out")
            data = file.read_bytes()
            file.unlink()
            return data, None
        if not said.startswith("end"):
            self.stop()
            return None, said
        return None, said.split(" ", 2)[2]


def compare(drivers, module, kernel, job, ulps):
    """(result, remark) of one module."""
    number, seed, path = job
    (first, why), (second, other_why) = (d.run(number, seed, 0, path) for d in drivers)
    if why or other_why:
        result = "both" if why and other_why else "one" if why else "other"
        return result, f"{why or ''} / {other_why or ''}"
    worst, where = module.worst_difference(kernel, first, second)
    if first == second == b"".join(initial_buffers(kernel, seed)):
        return "idle", "wrote nothing"
    if worst <= ulps:
        return ("near", f"{worst} ulp") if worst else ("same", "")
    (first, why), (second, other_why) = (d.run(number, seed, 1, path) for d in drivers)
    if why or other_why or module.worst_difference(kernel, first, second)[0] > ulps:
        return "differs", f"{worst} ulp at {where}"
    return "many", f"{worst} ulp at {where}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--one", help="environment of the driver under test: NAME=VALUE ...")
    parser.add_argument("--other", help="environment of the driver to compare with")
    parser.add_argument("--work", help="a folder for what the processes write")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ulps", type=int, default=4, help="what floating point may differ")
    parser.add_argument("--limit", type=float, default=120, help="seconds for one module")
    parser.add_argument("--most", type=int, default=0, help="end after so many that were run")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("modules", nargs="*", help="files; @FILE has one a line")
    args = parser.parse_args()
    if args.serve:
        return serve(args.serve)
    paths = []
    for name in args.modules:
        paths += pathlib.Path(name[1:]).read_text().split() if name[0] == "@" else [name]
    drivers = [Driver(args.one, os.path.join(args.work, "one"), args.limit),
               Driver(args.other, os.path.join(args.work, "other"), args.limit)]
    counts = collections.Counter()
    for number, path in enumerate(paths):
        module = Module(pathlib.Path(path).read_bytes())
        try:
            kernel = module.callable_kernel()
        except NotCallable as reason:
            result, remark = "skipped", str(reason)
        else:
            result, remark = compare(drivers, module, kernel, (number, args.seed, path), args.ulps)
        counts[result] += 1
        print(f"{result}\t{path}\t{remark}", flush=True)
        if args.most and sum(counts.values()) - counts["skipped"] >= args.most:
            break
    for driver in drivers:
        driver.stop()
    print(", ".join(f"{name}: {counts[name]}" for name in RESULTS))
    compared = counts["same"] + counts["near"] + counts["many"] + counts["differs"]
    return 1 if counts["differs"] or counts["many"] or counts["one"] or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
