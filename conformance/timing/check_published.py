#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_published.py RUN_DESIGN SLUICEC SLUICE-REPORT: eleven small designs of a published set (the benchmarks of OmniSim,
MICRO 2025), written again in OpenCL C, whose cycles in RTL simulation are known. With the II and depth that the vendor's
compiler reported for their loops the clock is within 1 % and kernels compute what the circuits did, with the built-in
table alone it is within 10 %."""
import os
import subprocess
import sys
import tempfile

from design_runs import FAILURES, HEAD, Tools, expect

STALLED = 3
N = 2025

# The published logs give II and depth of loops only. These latencies are ours, chosen with the RTL's cycles in view:
# FIFOs that show their first word, memory on the chip, short logic chained, at 200 MHz.
OPERATORS = """clock.mhz 200
integer.add 0
integer.compare 1
integer.multiply 3
constant.load 1
pipe.read 0
pipe.write 1
"""


def array(name, values):
    return f"constant int {name}[{len(values)}] = {{{', '.join(map(str, values))}}};\n"


def channels(*names, depth=2):
    return "".join(f"channel int {name} __attribute__((depth({depth})));\n" for name in names)


def summing(channel, interval, done=""):
    """Adds what it reads until a zero comes, with an II that the source asks for."""
    pragma = f"#pragma ii {interval}\n" if interval > 1 else ""
    return f"""
kernel void consumer()
{{
    int sum = 0;
{pragma}    for (;;) {{ // loop: {interval} {interval}
        int value = read_channel_intel({channel});
        sum += {'value' if interval == 1 else 'value / 3'};
        if (value == 0)
            break;
    }}
    printf("sum %d\\n", sum);
    {done}
}}
"""


def dropping(count):
    """A producer that drops what finds no room; `count`: it says how many."""
    lost = "dropped += !" if count else ""
    return f"""
kernel void producer()
{{
    int dropped = 0;
    for (int i = 0; i < {N}; i++) // loop: 1 2
        {lost}write_channel_nb_intel(fifo, data[i]);
    write_channel_intel(fifo, 0);
    printf("dropped %d\\n", dropped);
}}
"""


def dropping_until_done(depth):
    return f"""
kernel void producer()
{{
    int dropped = 0;
    bool done = false;
    for (int i = 0; !done; i++) {{ // loop: 1 {depth}
        dropped += !write_channel_nb_intel(fifo, data[i & 4095]);
        read_channel_nb_intel(finished, &done);
    }}
    printf("dropped %d\\n", dropped);
}}
"""


def threes(length):
    return array("data", [3 * (i + 1) if i < N else 0 for i in range(length)])


RETRIES = channels("fifo", "finished") + f"""
kernel void producer()
{{
    bool done = false;
    for (int i = 0; !done;) {{ // loop: 2 3
        if (write_channel_nb_intel(fifo, i == {N} ? 0 : i + 1))
            i++;
        read_channel_nb_intel(finished, &done);
    }}
}}
""" + summing("fifo", 1, "write_channel_intel(finished, 1);")

ROUND_TRIP = array("data", list(range(N))) + channels("there", "back") + f"""
kernel void controller()
{{
    int sum = 0;
    for (int i = 0; i < {N}; i++) {{ // loop: 1 3
        write_channel_intel(there, data[i]) __attribute__((latency_anchor(1)));
        sum += read_channel_intel(back) __attribute__((latency_constraint(1, exact, 1)));
    }}
    printf("sum %d\\n", sum);
}}

kernel void processor()
{{
    for (int i = 0; i < {N}; i++) // loop: 1 2
        write_channel_intel(back, 2 * read_channel_intel(there));
}}
"""

DIVIDED = channels("first", "second") + f"""
kernel void producer()
{{
    int by_first = 0, by_second = 0;
    for (int value = 3; value <= {3 * N};) {{ // loop: 2 3
        if (write_channel_nb_intel(first, value)) {{
            by_first++;
            value += 3;
        }} else if (write_channel_nb_intel(second, value)) {{
            by_second++;
            value += 3;
        }}
    }}
    write_channel_intel(first, 0);
    write_channel_intel(second, 0);
    printf("first %d second %d\\n", by_first, by_second);
}}
""" + summing("first", 3) + summing("second", 5).replace("consumer", "consumer2")

TIMER = array("data", list(range(1, N + 1))) + f"""
pipe int asked __attribute__((depth(2)));
pipe int answered __attribute__((depth(2)));

kernel void compute()
{{
#pragma disable_loop_pipelining
    for (int i = 0; i < {N}; i++) {{
        int value;
        read_pipe_block(asked, &value);
        value /= 3;
        write_pipe_block(answered, &value);
    }}
}}

kernel void timer()
{{
    int total = 0;
    for (int i = 0; i < {N}; i++) {{
        int value = data[i], cycles = 0;
        write_pipe_block(asked, &value);
        while (!get_pipe_num_packets(answered)) // loop: 1 1
            cycles++;
        read_pipe_block(answered, &value);
        total += cycles;
    }}
    printf("cycles %d\\n", total);
}}
"""

DEADLOCK = array("data", list(range(N))) + channels("there", "back") + f"""
kernel void controller()
{{
    int sum = 0;
    for (int i = 0; i < {N}; i++) {{ // loop: 1 2
        sum += read_channel_intel(back);
        write_channel_intel(there, data[i]);
    }}
    printf("sum %d\\n", sum);
}}

kernel void processor()
{{
    for (int i = 0; i < {N}; i++) // loop: 1 2
        write_channel_intel(back, 2 * read_channel_intel(there));
}}
"""


def branches(step):
    """Jumps at each multiple of `step`, to 25 or so further on."""
    return [i + step + 5 if i % step == 0 else 0 for i in range(N)]


def core(number, step, depth, report):
    """One kernel fetches, another executes and tells where to go on, which takes a while to come through."""
    instr, addr = f"instr[{number}]", f"addr[{number}]"
    told = [f'printf("{what} %d\\n", {what});' if not report else f"write_channel_intel({what}_by[{number}], {what});"
            for what in ("fetched", "executed")]
    return array(f"program{number}", branches(step)) + f"""
kernel void fetch{number}()
{{
    int fetched = 0;
    for (int i = 0; i < {N}; i++) {{ // loop: 1 {depth}
        bool jumps;
        fetched++;
        write_channel_intel({instr}, program{number}[i]);
        int target = read_channel_nb_intel({addr}, &jumps);
        if (jumps)
            i = target;
    }}
    write_channel_intel({instr}, -1);
    {told[0]}
}}

kernel void execute{number}()
{{
    int executed = 0;
    for (;;) {{ // loop: 1 2
        int value = read_channel_intel({instr});
        if (value < 0)
            break;
        if (value > 0) {{
            write_channel_intel({addr}, value);
            executed++;
        }}
    }}
    {told[1]}
}}
"""


BRANCH = channels("instr[1]", "addr[1]") + core(0, 20, 2, False)

CORES = 16
MULTICORE = channels(*[f"{name}[{CORES}]" for name in ("instr", "addr", "fetched_by", "executed_by")]) + "".join(
    core(i, 20 + i, 3, True) for i in range(CORES)) + f"""
kernel void aggregate()
{{
    int fetched = 0, executed = 0;
    for (int i = 0; i < {CORES}; i++) {{ // loop: 1 2
        fetched += read_channel_intel(fetched_by[i]);
        executed += read_channel_intel(executed_by[i]);
    }}
    printf("fetched %d executed %d\\n", fetched, executed);
}}
"""

# name; source; cycles of the RTL simulation; what the circuit has computed
DESIGNS = [
    ("retries", RETRIES, 4055, ["sum 2051325"]),
    ("round trip", ROUND_TRIP, 4053, ["sum 4098600"]),
    ("drops", threes(N) + channels("fifo") + dropping(False) + summing("fifo", 3), 2039, ["sum 684453"]),
    ("drops until done", threes(4096) + channels("fifo", "finished") + dropping_until_done(2)
     + summing("fifo", 3, "write_channel_intel(finished, 1);"), 2038, ["sum 684453"]),
    ("counted drops", threes(N) + channels("fifo") + dropping(True) + summing("fifo", 3), 2039,
     ["dropped 1348", "sum 684453"]),
    ("counted drops until done", threes(4096) + channels("fifo", "finished") + dropping_until_done(3)
     + summing("fifo", 3, "write_channel_intel(finished, 1);"), 2041, ["dropped 1358", "sum 684453"]),
    ("divided", DIVIDED, 4062, ["first 1351 second 674", "sum 1366878", "sum 684447"]),
    ("timer", TIMER, 16203, []),
    ("branch", BRANCH, 960, ["executed 51", "fetched 955"]),
    ("multicore", MULTICORE, 990, ["fetched 15519 executed 614"]),
]


def kernels_of(text):
    return [line.split("(")[0].split()[-1] for line in text.splitlines() if line.startswith("kernel void")]


def loop_table(text):
    """II and depth of each loop, as rows of a table of operators."""
    rows = [(number, line.split("// loop: ")[1]) for number, line in enumerate(text.splitlines(), 1) if "// loop: " in line]
    return "".join(f"loop {number} {row}\n" for number, row in rows)


def check(tools, design, within, table):
    name, text, cycles, _ = design
    source = tools.write(f"{name.replace(' ', '_')}.cl", HEAD + text)
    tools.environment["SLUICE_FPGA_OPERATORS"] = tools.write("operators", table)
    profile, printed = tools.run_printing(source, kernels_of(text))
    got = profile["clock"]["cycles"]
    print(f"{name}: {got} of {cycles} cycles ({100 * got / cycles - 100:+.2f} %), {', '.join(printed)}")
    expect(profile["clock"]["exact"], f"{name}: {profile['clock']['doubts']}")
    expect(abs(got - cycles) <= within * cycles, f"{name}: {got} cycles instead of {cycles}")
    return printed


def check_deadlock(tools):
    """The build says it, and the run stands still."""
    source = tools.write("deadlock.cl", HEAD + DEADLOCK)
    made = subprocess.run([tools.sluicec, "--device=fpga", tools.options, source, "-o", os.devnull],
                          capture_output=True, text=True, check=False)
    expect(made.returncode == 0 and "warning: kernels wait for each other for ever" in made.stderr, made.stderr)
    result = subprocess.run([tools.program, source, tools.options, *kernels_of(DEADLOCK)], capture_output=True, text=True,
                            env={**tools.environment, "SLUICE_FPGA_ON_STALL": "error", "SLUICE_FPGA_STALL_MS": "300"},
                            check=False, timeout=120)
    expect(result.returncode == STALLED and "cycle: " in result.stderr, f"deadlock: {result.returncode} {result.stderr}")


def main():
    wanted = sys.argv[4:]
    with tempfile.TemporaryDirectory() as folder:
        tools = Tools(*sys.argv[1:4], folder)
        for design in DESIGNS:
            if wanted and design[0] not in wanted:
                continue
            printed = check(tools, design, 0.01, OPERATORS + loop_table(HEAD + design[1]))
            expect(set(design[3]) <= set(printed), f"{design[0]}: {printed} instead of {design[3]}")
            check(tools, design, 0.10, "")
        check_deadlock(tools)
    print(f"{len(DESIGNS) + 1} designs, {len(FAILURES)} failures")
    return bool(FAILURES)


if __name__ == "__main__":
    sys.exit(main())
