#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_long.py RUN_DESIGN SLUICEC SLUICE-REPORT: loops whose numbers of cycles need more than 32 bits, or nearly all of them:
their schedule takes no more memory than any other, and bounds, runs and reports say what was computed by hand."""
import resource
import subprocess
import sys
import tempfile

from design_runs import FAILURES, HEAD, Tools, expect, spans

MEMORY = 3 << 30
INT32_MAX = (1 << 31) - 1

# Accesses to an array, whose ports are looked for within the interval.
ARRAY = """channel int c __attribute__((depth(4)));
kernel void give()
{
    int own[8];
    for (int i = 0; i < 8; i++) own[i] = i;
#pragma ii %d
    for (int i = 0; i < 10; i++) {
        own[i & 7] += own[(i * 3) & 7];
        write_channel_intel(c, own[i & 3]);
    }
}
kernel void take() { for (int i = 0; i < 10; i++) read_channel_intel(c); }
"""

# A round of the loop outside is three iterations, and three more for nothing.
ROUNDS = """channel int c __attribute__((depth(4)));
kernel void give()
{
    for (int o = 0; o < 4; o++)
#pragma ii %d
#pragma speculated_iterations 3
        for (int i = 0; i < 3; i++)
            write_channel_intel(c, o + i);
}
kernel void take() { for (int i = 0; i < 12; i++) read_channel_intel(c); }
"""


def scarce():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def rows_of(tools, source, kernel):
    whole = tools.schedule(source)
    return [row for row in whole["kernels"] if row["name"] == kernel][0]["loops"], whole["bounds"]


def check_array(tools, interval):
    source = tools.write("array.cl", HEAD + ARRAY % interval)
    made = subprocess.run([tools.sluicec, "--device=fpga", "--schedule", "-", source], env=tools.environment,
                          capture_output=True, text=True, check=False, preexec_fn=scarce)
    expect(made.returncode == 0, f"II {interval}: {made.stderr}")
    loop = rows_of(tools, source, "give")[0][1]
    expect(loop["pipelined"] and loop["ii"] == interval and loop["limit"] == "pragma", f"II {interval}: {loop}")
    if not loop["pipelined"]:
        return None
    last = 9 * interval + loop["pipes"][0]["cycle"] + 1
    for settings in ({}, {"SLUICE_FPGA_TRACE": "1"}):
        profile = tools.run(source, ["give", "take"], **settings)
        # the first loop of `give` takes its eight iterations in front of that
        first = rows_of(tools, source, "give")[0][0]
        last_read = last + 7 * first["ii"] + first["depth"] + 1
        expect("clock" in profile, f"II {interval}: there is no clock")
        got = spans(profile)["take"] if "clock" in profile else None
        expect(got == (0, last_read), f"II {interval}: {got} instead of {last_read}")
    for wish in ("--cycles", "--vcd", "--perfetto", "--depths"):
        said = subprocess.run([tools.report, wish, f"{tools.folder}/run.json"], capture_output=True, text=True, check=False)
        if wish == "--depths" and interval > INT32_MAX:  # between two operations: a trace has no room for that
            expect(said.returncode == 1 and "the trace is not whole" in said.stderr, f"II {interval}: {wish}: {said}")
        else:
            expect(said.returncode == 0, f"II {interval}: {wish}: {said.returncode} {said.stderr}")
    return loop["depth"], loop["pipes"][0]["cycle"]


def check_rounds(tools, interval):
    source = tools.write("rounds.cl", HEAD + ROUNDS % interval)
    loops, bounds = rows_of(tools, source, "give")
    round_of = (2 + 3) * interval + loops[1]["depth"]
    expect([bound["cycles"] for bound in bounds] == [round_of], f"II {interval}: {bounds}, not {round_of}")
    profile = tools.run(source, ["give", "take"])
    got = spans(profile) if "clock" in profile else None
    expect(got and got["give"] == (0, 4 * round_of), f"II {interval}: {got}, not {4 * round_of}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(*sys.argv[1:4], folder)
        found = [check_array(tools, interval) for interval in (1000, 1500000000, 4294967295)]
        expect(found.count(found[0]) == len(found), f"depth and cycle of the write: {found}")
        for interval in (5, 1000000000, 4000000000):
            check_rounds(tools, interval)
    sys.exit(1 if FAILURES else 0)


main()
