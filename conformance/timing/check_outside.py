#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_outside.py RUN_DESIGN SLUICEC SLUICE-REPORT: designs with the world outside at ends of pipes: the rates that are set
for it, rows of settings that cannot be meant, and ends that nothing comes to while others ask."""
import os
import select
import subprocess
import sys
import tempfile

from design_runs import FAILURES, HEAD, Tools, expect, kernel_spans

# Source, kernels, rates that all mean the same, and the cycles of the kernels.
OUTSIDE = [
    # A packet every third cycle: there in 0, 3, 6 ... 27, read in 1, 4, ... 28, ten of them. At 300 MHz.
    ("""channel uint in __attribute__((depth(4), io("in")));
kernel void take() { for (int i = 0; i < 10; i++) read_channel_intel(in); }
""", ["take"], ["in=1/3", "io=2/6", "other=1/9;*=1/3", "in=400MB/s", "in=0.4GB/s\nin=1/1"], {"take": (0, 29)}),
    # The same, twenty cycles later.
    ("""channel uint in __attribute__((depth(4), io("in")));
kernel void take() { for (int i = 0; i < 10; i++) read_channel_intel(in); }
""", ["take"], ["in=1/3+20", "host=1/1;in=400000kB/s+20"], {"take": (0, 49)}),
    # Room for two, and a packet leaves every third cycle, the first in 1: write n waits for number n - 2, which leaves in
    # 1 + 3 (n - 2): the last one is written in 1 + 3 * 7 + 1 = 23.
    ("""channel uint out __attribute__((depth(2), io("out")));
kernel void give() { for (int i = 0; i < 10; i++) write_channel_intel(out, i); }
""", ["give"], ["out=1/3"], {"give": (0, 24)}),
    # Faster than a kernel can be, and without a rate.
    ("""channel uint in __attribute__((depth(4), io("in")));
channel uint out __attribute__((depth(2), io("out")));
kernel void copy() { for (int i = 0; i < 16; i++) write_channel_intel(out, read_channel_intel(in)); }
""", ["copy"], ["in=7/1;out=5/1"], {"copy": (0, 18)}),
    ("""channel uint in __attribute__((depth(4), io("in")));
kernel void take() { for (int i = 0; i < 10; i++) read_channel_intel(in); }
""", ["take"], ["", "out=1/100"], {"take": (0, 10)}),
]


def check_faulty_rates(tools):
    """Rows that cannot be meant are named, and the others hold."""
    source = tools.write("rates.cl", HEAD + OUTSIDE[0][0])
    for row in ("in=0/4", "in=1/0", "in=4", "in=1/4+", "=1/4", "in=x", "in=5XB/s", "in=1/4x", "in=0.0B/s"):
        tools.said = ""
        profile, _ = tools.run_printing(source, ["take"], SLUICE_LOG="warn", SLUICE_FPGA_RATES=f"{row};io=1/3",
                                        SLUICE_FPGA_IO="in=file:" + tools.write("in", "x" * 64))
        expect(f"SLUICE_FPGA_RATES: {row} is not NAME=PACKETS/CYCLES" in tools.said, f"{row}: {tools.said}")
        expect(kernel_spans(profile) == {"take": (0, 29)}, f"{row}: {kernel_spans(profile)}")


def check_unknown_rates(tools):
    """So are all that cannot be meant, and names that the program does not have."""
    source = tools.write("rates.cl", HEAD + OUTSIDE[0][0])
    tools.said = ""
    profile, _ = tools.run_printing(source, ["take"], SLUICE_LOG="warn,build:debug", SLUICE_CACHE="0",
                                    SLUICE_FPGA_RATES="in1/3;ni=1/7;in=1/3;=;host=1/9;out=4kB/s",
                                    SLUICE_FPGA_IO="in=file:" + tools.write("in", "x" * 64))
    for row in ("in1/3", "="):
        expect(f"SLUICE_FPGA_RATES: {row} is not NAME=PACKETS/CYCLES" in tools.said, f"{row}: {tools.said}")
    for name in ("ni", "out"):
        expect(f"SLUICE_FPGA_RATES: the program has no pipe or I/O peripheral '{name}'" in tools.said, f"{name}: {tools.said}")
    for name in ("host", "in"):
        expect(f"peripheral '{name}'" not in tools.said, tools.said)
    expect(kernel_spans(profile) == {"take": (0, 29)}, f"{kernel_spans(profile)}")
    tools.said = ""
    tools.run_printing(source, ["take"], SLUICE_LOG="warn,build:debug", SLUICE_CACHE="0",
                       SLUICE_FPGA_RATES=";".join(f"none{row}=1/7" for row in range(2000)) + ";in=1/3",
                       SLUICE_FPGA_IO="in=file:" + tools.write("in", "x" * 64))
    expect("1992 rows more are ignored" in tools.said and "'none8'" not in tools.said, tools.said[:1000])


def check_outside(tools):
    for number, (text, kernels, rates, expected) in enumerate(OUTSIDE):
        source = tools.write(f"outside{number}.cl", HEAD + text)
        rows = "in=file:" + tools.write("in", "x" * 64) + ";out=file:" + os.path.join(tools.folder, "out")
        for setting in rates:
            profile, _ = tools.run_printing(source, kernels, SLUICE_FPGA_IO=rows, SLUICE_FPGA_RATES=setting)
            expect(kernel_spans(profile) == expected, f"outside design {number}, {setting}: {kernel_spans(profile)}")


# One kernel asks for packets of an end without a rate again and again. Whoever asks that kernel has an answer before any come.
POLLING = """pipe int in __attribute__((depth(4), io("in")));
pipe int ctl __attribute__((depth(4)));
kernel void watch()
{
    int x = 0;
    while (get_pipe_num_packets(in) == 0)
        ;
    read_pipe(in, &x);
    write_pipe(ctl, &x);
}
kernel void work()
{
    int got = 0, x = 0;
    for (int i = 0; i < 10; i++)
        got += read_pipe(ctl, &x) == 0;
    printf("worked %d\\n", got);
}
"""


def check_polling(tools):
    fifo, patience = os.path.join(tools.folder, "fifo"), 60
    os.mkfifo(fifo)
    held = os.open(fifo, os.O_RDWR)
    settings = {"SLUICE_FPGA_PROFILE": os.path.join(tools.folder, "run.json"), "SLUICE_FPGA_IO": "in=fifo:" + fifo}
    with subprocess.Popen([tools.program, tools.write("polling.cl", POLLING), "-sluice-timing", "watch", "work"],
                          env={**tools.environment, **settings}, stdout=subprocess.PIPE) as run:
        ready, _, _ = select.select([run.stdout], [], [], patience)
        line = run.stdout.readline() if ready else b"nothing"
        expect(line == b"worked 0\n", f"beside a kernel that asks for packets: {line}")
        os.write(held, bytes(4))
        expect(run.wait(patience) == 0, "the kernel that asks for packets does not end")
    os.close(held)


# A kernel asks about what another one would send that waits for a peripheral in vain, beside a stream that never rests.
RESTLESS = """#pragma OPENCL EXTENSION cl_intel_channels : enable
channel char endless __attribute__((depth(64), io("endless"))), away __attribute__((depth(64), io("away")));
channel int silent __attribute__((depth(4), io("silent"))), ctl __attribute__((depth(4)));
__attribute__((max_global_work_dim(0), autorun)) kernel void stream()
{
    for (;;)
        write_channel_intel(away, read_channel_intel(endless));
}
__attribute__((max_global_work_dim(0), autorun)) kernel void forward()
{
    for (;;)
        write_channel_intel(ctl, read_channel_intel(silent));
}
kernel void work()
{
    int got = 0;
    bool ok;
    for (int i = 0; i < 3; i++) {
        read_channel_nb_intel(ctl, &ok);
        got += ok;
    }
    printf("worked %d\\n", got);
}
"""


def check_restless(tools):
    fifo, patience = os.path.join(tools.folder, "silent"), 60
    os.mkfifo(fifo)
    held = os.open(fifo, os.O_RDWR)
    settings = {"SLUICE_FPGA_PROFILE": os.path.join(tools.folder, "run.json"),
                "SLUICE_FPGA_IO": f"endless=file:/dev/zero;away=null:;silent=fifo:{fifo}"}
    try:
        result = subprocess.run([tools.program, tools.write("restless.cl", RESTLESS), "-sluice-timing", "work"],
                                env={**tools.environment, **settings}, capture_output=True, text=True, check=False,
                                timeout=patience)
        expect(result.stdout == "worked 0\n" and not result.returncode, f"beside a stream: {result.stdout} {result.stderr}")
    except subprocess.TimeoutExpired:
        expect(False, "a question beside a stream that never rests has no answer")
    os.close(held)


def main():
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(*sys.argv[1:4], folder)
        check_outside(tools)
        check_faulty_rates(tools)
        check_unknown_rates(tools)
        check_polling(tools)
        check_restless(tools)
    print(f"{len(OUTSIDE)} designs by hand, {len(FAILURES)} failures")
    return bool(FAILURES)


if __name__ == "__main__":
    sys.exit(main())
