#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_advice.py RUN_DESIGN SLUICEC SLUICE-REPORT: what `sluice-report --cycles` says of a run in words, and what to change.
The cycles in it are worked out by hand, with a table of simple operators."""
import subprocess
import sys
import tempfile

from design_runs import FAILURES, HEAD, Tools, expect

OPERATORS = "integer.add 0\ninteger.multiply 3\nglobal.load 10\nglobal.store 4\nlocal.load 2\nlocal.store 1\npipe.read 1\npipe.write 1\n"
GLOBALS = "global int p[4096];\n"


def told(tools, what="--cycles"):
    report = subprocess.run([tools.report, what, f"{tools.folder}/run.json"], capture_output=True, text=True, check=False)
    expect(report.returncode == 0, report.stderr)
    return report.stdout


def says(text, *parts):
    for part in parts:
        expect(part in text, f"'{part}' is missing in:\n{text}")


def check_units(tools):
    """Of compute units that do unlike much the one with most, and the memory of all."""
    source = tools.write("units.cl", HEAD + GLOBALS + """channel int c[3] __attribute__((depth(4)));
channel int d[3] __attribute__((depth(16)));
kernel void feed()
{
    for (int i = 0; i < 4; i++)
        write_channel_intel(c[0], i);
    for (int i = 0; i < 12; i++)
        write_channel_intel(c[1], i);
    for (int i = 0; i < 8; i++)
        write_channel_intel(c[2], i);
}
__attribute__((max_global_work_dim(0), autorun, num_compute_units(3))) kernel void mid()
{
    while (1) {
        int x = read_channel_intel(c[get_compute_id(0)]);
        p[get_compute_id(0) * 64 + x] = x;
        write_channel_intel(d[get_compute_id(0)], x);
    }
}
kernel void done()
{
    for (int i = 0; i < 4; i++)
        read_channel_intel(d[0]);
    for (int i = 0; i < 12; i++)
        read_channel_intel(d[1]);
    for (int i = 0; i < 8; i++)
        read_channel_intel(d[2]);
}
""")
    # Nobody waits for kernels that start by themselves, so another one waits for what they have done.
    profile = tools.run(source, ["feed", "done"])
    counts = {profile["kernels"][row["kernel"]]["name"]: row["loops"][0] for row in profile["clock"]["kernels"]}
    # Each begins one more, whose packet never comes; whether it had when the program ended is open.
    begun = [counts[name] for name in ("mid", "mid.1", "mid.2")]
    expect(all(runs == [1, packets] or runs == [1, packets + 1] for runs, packets in zip(begun, (4, 12, 8))), f"{counts}")
    text = told(tools)
    says(text, f"mid.1          1          {begun[1][1]} ", "; of 3 compute units the one with most\n",
         f"loops move {4 * sum(runs for _, runs in begun)} bytes of global memory")
    rows = [line for line in text.splitlines() if line.startswith("mid") and "line 16" in line]
    expect(len(rows) == 1, f"{rows}")


def check_empty(tools):
    """Entries without an iteration take nothing: a loop has no more cycles than its kernel had to do."""
    source = tools.write("empty.cl", HEAD + GLOBALS + """channel int c __attribute__((depth(4)));
kernel void give()
{
    for (int i = 0; i < 40; i++) {
#pragma nounroll
        for (int j = 0; j < (i % 4 ? 0 : ROUNDS); j++)
            write_channel_intel(c, p[i * 64 + j]);
    }
}
kernel void take() { for (int i = 0; i < 10 * ROUNDS; i++) read_channel_intel(c); }
""")
    options = tools.options
    for rounds in (3, 8): # fewer iterations than entries, and more
        tools.options = f"{options} -DROUNDS={rounds}"
        tools.run(source, ["give", "take"])
        cycles = 10 * (11 + rounds - 1)
        says(told(tools), f"'give' has most to do: {cycles} cycles without waiting, {cycles} of them in the loop at <source>:8 ",
             "<source>:8: it is entered 40 times")


def check_entered(tools):
    """A short loop is entered again and again: what it takes until its first iteration ends is what counts. If it is always as
    long it is to be unrolled."""
    text = HEAD + GLOBALS + """channel int c __attribute__((depth(4)));
kernel void give()
{
    const int n = LENGTH;
    for (int i = 0; i < 50; i++)
#pragma nounroll
        for (int j = 0; j < n; j++)
            write_channel_intel(c, p[i * 64 + j]);
}
kernel void take() { for (int i = 0; i < 50 * ROUNDS; i++) read_channel_intel(c); }
"""
    options = tools.options
    entered = "<source>:9: it is entered 50 times, and each time its first iteration takes 11 cycles before the loop is left"
    unroll = "<source>:9: it is entered 50 times, and goes round 3 times each: #pragma unroll makes that one iteration"
    for length, rounds, advice in (("ROUNDS + p[4000]", 3, entered), ("ROUNDS", 3, unroll),
                                   ("ROUNDS", 60, "<source>:9: an iteration starts in each cycle")):
        tools.options = f"{options} -DROUNDS={rounds}"
        tools.run(tools.write("entered.cl", text.replace("LENGTH", length)), ["give", "take"])
        says(told(tools), f"'give' has most to do: {50 * (11 + rounds - 1)} cycles without waiting", advice)
    # As it says: each round of the loop around takes the three cycles in which the pipe takes three packets.
    tools.options = f"{options} -DROUNDS=3"
    tools.run(tools.write("entered.cl", text.replace("LENGTH", "ROUNDS").replace("nounroll", "unroll")), ["give", "take"])
    says(told(tools), f"'give' has most to do: {49 * 3 + 13} cycles without waiting")
    tools.options = options


def check_turns(tools):
    """Work-items that take turns in a loop: a few of them leave it idle. Those of a kernel without loops start in each cycle."""
    source = tools.write("turns.cl", GLOBALS + """kernel void turns()
{
    int l = get_global_id(0), x = p[l];
#pragma nounroll
    for (int i = 0; i < 20; i++)
        x = x * x + i;
    p[l] = x;
}
kernel void square() { p[get_global_id(0)] *= 3; }
""")
    tools.run(source, ["turns:1:1"])
    says(told(tools), "<source>:6: an iteration of a work-item takes 3 cycles, in which 2 more could begin theirs: more work-items")
    tools.run(source, ["turns:500:1"])
    says(told(tools), "<source>:6: an iteration starts in each cycle")
    tools.run(source, ["square:500:1"])
    says(told(tools), "<source>:10: a work-item starts in each cycle; more work for each (num_simd_work_items)")


def check_depths(tools):
    """Two kernels that wait for each other by turns: nobody says that depth helps but who has looked."""
    source = tools.write("depths.cl", HEAD + """channel int c __attribute__((depth(2)));
kernel void give()
{
    for (int i = 0; i < 40; i++) {
#pragma ii 3
        for (int j = 0; j < 8; j++)
            write_channel_intel(c, j);
        for (int j = 0; j < 8; j++)
            write_channel_intel(c, j);
    }
}
kernel void take()
{
    for (int i = 0; i < 40; i++) {
        for (int j = 0; j < 8; j++)
            read_channel_intel(c);
#pragma ii 3
        for (int j = 0; j < 8; j++)
            read_channel_intel(c);
    }
}
""")
    tools.run(source, ["give", "take"], SLUICE_FPGA_TRACE="1")
    says(told(tools), "packets, by turns: whether a greater depth than 2 helps is found by sluice-report --depths")
    says(told(tools, "--depths"), "\nno deadlock: SLUICE_FPGA_DEPTHS='c=1'\n")


def check_own(tools):
    """A kernel that waits for itself: a read, a product and the way back take five cycles a round. What others could do sooner
    would help nobody."""
    source = tools.write("own.cl", HEAD + """channel int back __attribute__((depth(2))), out __attribute__((depth(4)));
kernel void turn()
{
    write_channel_intel(back, 3);
    for (int i = 0; i < 101; i++) {
        int x = read_channel_intel(back);
        x *= x;
        write_channel_intel(back, x);
        write_channel_intel(out, x);
    }
}
kernel void take()
{
#pragma ii 2
    for (int i = 0; i < 101; i++)
        read_channel_intel(out);
}
""")
    tools.run(source, ["turn", "take"])
    says(told(tools), "'take' has most to do", "\n- a shorter way round makes it faster: ", f"\n- back: 'turn' waits {100 * 4} cycles for packets that it writes itself\n")
    expect("without the pragma" not in told(tools), told(tools))


def check_unprofiled(tools):
    """A program that nothing can be counted of says so, and leaves no file."""
    source = tools.write("bare.cl", GLOBALS + "kernel void square() { p[get_global_id(0)] *= 3; }\n")
    run = subprocess.run([tools.program, source, "-cl-std=CL3.0", "square:7"], capture_output=True, text=True, check=False,
                         env={**tools.environment, "SLUICE_FPGA_PROFILE": f"{tools.folder}/bare.json"})
    expect(run.returncode == 0, run.stderr)
    expect(run.stderr.count("a program without pipes that was built without -sluice-timing has no profile") == 1, run.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(*sys.argv[1:4], folder)
        tools.options += " -cl-std=CL3.0"
        tools.environment["SLUICE_FPGA_OPERATORS"] = tools.write("advice.operators", OPERATORS)
        for check in (check_units, check_empty, check_entered, check_turns, check_depths, check_own, check_unprofiled):
            check(tools)
    sys.exit(1 if FAILURES else 0)


main()
