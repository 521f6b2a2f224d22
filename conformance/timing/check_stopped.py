#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_stopped.py RUN_DESIGN SLUICE-REPORT: the profile of a run that stood still says so, whether its launches were ended or
somebody ended the process; it counts what was waited for in vain, and nothing made of it advises anything."""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

# 'a' waits for 'b' and 'b' for 'a' in the tenth round, 'c' for 'a'; 'beside' has a pipe to itself.
STOPS = """#pragma OPENCL EXTENSION cl_intel_channels : enable
channel int there __attribute__((depth(4)));
channel int back __attribute__((depth(4)));
channel int on __attribute__((depth(4)));
channel int alone __attribute__((depth(4)));
kernel void a(void) {
    for (int i = 0; i < 100; i++) {
        for (int k = 0; k < 8; k++)
            write_channel_intel(there, i);
        write_channel_intel(on, read_channel_intel(back));
    }
}
kernel void b(void) {
    for (int i = 0; i < 100; i++) {
        write_channel_intel(back, i);
        for (int k = 0; k < NINE; k++)
            read_channel_intel(there);
    }
}
kernel void c(void) {
    for (int i = 0; i < 100; i++)
        read_channel_intel(on);
}
kernel void beside(void) {
    write_channel_intel(alone, 1);
    read_channel_intel(alone);
}
"""
KERNELS = ("a", "b", "c", "beside")
STALL_MS = 300
RED, STOOD_STILL = "#e00000", "The run stood still and did not end."
FAILURES = []


def expect(condition, what):
    if not condition:
        print(what)
        FAILURES.append(what)


def environment(profile, on_stall, trace):
    return {**os.environ, "SLUICE_FPGA_PROFILE": profile, "SLUICE_FPGA_ON_STALL": on_stall,
            "SLUICE_FPGA_STALL_MS": str(STALL_MS), "SLUICE_FPGA_TRACE": trace}


def run_to_end(program, folder, nine, options, trace="1"):
    source, profile = os.path.join(folder, "stops.cl"), os.path.join(folder, "run.json")
    with open(source, "w", encoding="utf-8") as file:
        file.write(STOPS)
    result = subprocess.run([program, source, f"-DNINE={nine} {options}", *KERNELS], capture_output=True, text=True,
                            env=environment(profile, "error", trace), timeout=60, check=False)
    expect(result.returncode == (3 if nine == 9 else 0), f"{nine}: {result.returncode}\n{result.stderr}")
    return profile


def interrupt(command, settings):
    """By default launches wait on, until somebody has enough: what has no handler for that leaves no other file."""
    profile = settings["SLUICE_FPGA_PROFILE"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=settings) as child:
        for _ in range(600):
            if os.path.exists(profile) and os.path.getsize(profile):
                break
            time.sleep(0.05)
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        expect(child.wait() == -signal.SIGINT, "it was not interrupted")
    expect(os.path.exists(profile), "an interrupted run leaves no profile")
    return profile


def run_interrupted(program, folder, options):
    return interrupt([program, os.path.join(folder, "stops.cl"), f"-DNINE=9 {options}", *KERNELS],
                     environment(os.path.join(folder, "interrupted.json"), "report", "1"))


def check_profile(profile, ends):
    with open(profile, encoding="utf-8") as file:
        run = json.load(file)
    pipes = {pipe["name"]: pipe for pipe in run["pipes"]}
    expect({name: pipe["packets"] for name, pipe in pipes.items()} == {"there": 80, "back": 9, "on": 9, "alone": 1}, pipes)
    least = 0.8 * STALL_MS * 1e6
    for name in ("there", "back", "on"):
        expect(pipes[name]["empty_ns"] >= least, f"{name}: waited {pipes[name]['empty_ns']} ns")
        expect(sum(site["stall_ns"] for site in run["sites"] if run["pipes"][site["pipe"]]["name"] == name) >= least, name)
    expect(pipes["alone"]["empty_ns"] < least, "beside waited")
    waits = [row for row in run["timeline"] if row["state"] == "empty" and row["end_ns"] - row["start_ns"] >= least]
    expect(sorted(run["kernels"][row["kernel"]]["name"] for row in waits) == ["a", "b", "c"], waits)
    ended = {kernel["name"]: kernel["ended"] for kernel in run["kernels"]}
    expect(ended == {"a": 0, "b": 0, "c": 0, "beside": 1}, ended)
    expect([(stall["ends"], stall["lasts"]) for stall in run.get("stalls", [])] == [(ends, True)], run.get("stalls"))
    for stall in run.get("stalls", []):
        expect("cycle: " in stall["text"] and sorted(stall["stall"]["cycle"]) == ["a", "b"], stall)
        expect(sorted(row["kernel"] for row in stall["stall"]["kernels"]) == ["a", "b", "c"], stall)
    if "clock" in run:
        expect(not run["clock"]["exact"] and any("stood still" in doubt for doubt in run["clock"]["doubts"]), run["clock"])


def text_of(report, profile, what):
    return subprocess.run([report, what, profile], capture_output=True, text=True, check=True).stdout


def edges_of(report, profile, folder):
    """Colours of the pipes on the page, and the page."""
    page = os.path.join(folder, "run.html")
    subprocess.run([report, profile, "-o", page], check=True)
    with open(page, encoding="utf-8") as file:
        html = file.read()
    names = [json_pipe["name"] for json_pipe in json.load(open(profile, encoding="utf-8"))["pipes"]]
    edges = re.findall(r'id="p(\d+)" class="edge">.*?<path[^>]* stroke="([^"]*)"', html, re.S)
    return {names[int(at)]: colour for at, colour in edges}, html


def check_stopped(report, profile, folder, timed):
    colours, html = edges_of(report, profile, folder)
    expect({name for name, colour in colours.items() if colour == RED} == {"there", "back", "on"}, colours)
    expect("#2e7d32" not in colours.values() and '></span>flows' not in html, "something flows on the page")
    body = html[html.index("<body>"):]
    expect(re.search(r"\.stall pre\{[^}]*white-space:pre-wrap", html), "what a report says at the end of its lines is cut off")
    expect(0 < body.find(STOOD_STILL) < body.index("<svg"), "the page does not begin with it")
    expect("cycle: " in body[:body.index("<svg")], "the page does not say the cycle")
    expect("kept kernels waiting" not in body and "kernels waited" not in body, "a warning of what was waited")
    if not timed:
        return
    for name, text in (("page", body), ("--cycles", text_of(report, profile, "--cycles"))):
        expect("the run stood still and did not end" in text, f"{name}: {text[:2000]}")
        expect("has most to do" not in text and "make it faster" not in text and "depth of" not in text, f"{name} advises")
    picture = body[body.index("<svg"):body.index("</svg>")]
    expect(picture.count("stands still") == 3 and "waits 0 of 0" not in picture, "the graph")
    cycles = text_of(report, profile, "--cycles")
    expect("cycle: " in cycles, "--cycles does not say the cycle")
    with open(profile, encoding="utf-8") as file:
        run = json.load(file)
    since = {run["kernels"][row["kernel"]]["name"]: row["end"] for row in run["clock"]["kernels"]}
    for name, pipe in {"a": "back", "b": "there", "c": "on"}.items():
        words = rf"stands still since {since[name]}: reads {pipe} \(empty\)"
        expect(re.search(rf"^{name} .* {words}$", cycles, re.M), cycles)
        expect(f"stands still since {since[name]}: {pipe} empty" in html, f"{name}: the table")
    # by the clock 'c' is ahead of the others: its last wait, too, ends with the run
    waited = [int(cycles) for cycles in re.findall(r"<title>c: empty for (\d+) cycles?</title>", html)]
    expect(waited and waited[-1] >= run["clock"]["cycles"] - since["c"] > 1, f"the timeline in cycles: {waited}")
    expect(re.search(r"^kernel +entries +iterations +loop$", cycles, re.M), f"cycles of loops that have not ended: {cycles}")
    spans = [span for span in json.loads(text_of(report, profile, "--perfetto"))["traceEvents"] if span["ph"] == "X"]
    end = max(span["ts"] + span["dur"] for span in spans)
    last = {span["name"] for span in spans if span["pid"] == 1 and span["ts"] + span["dur"] == end}
    expect(last == {"runs", "back empty", "there empty", "on empty"}, f"waits that last: {last} of {spans}")
    expect(sum(span["name"] == "runs" and span["ts"] + span["dur"] == end for span in spans) == 3, f"who runs to the end: {spans}")
    wave = text_of(report, profile, "--vcd")
    expect(re.findall(r"^#(\d+)$", wave, re.M)[-1] == str(end), f"the waveform does not end in cycle {end}")
    depths = text_of(report, profile, "--depths")
    expect("no depths that are known to be enough" in depths and "cycle: " in depths, f"--depths: {depths}")
    expect("is full on the way round: deeper pipes do not help" in depths, f"--depths: {depths}")
    expect("no deadlock" not in depths and "SLUICE_FPGA_DEPTHS" not in depths, f"--depths of a run that did not end: {depths}")


def check_whole(report, profile, folder):
    """One that ends has nothing of it."""
    colours, html = edges_of(report, profile, folder)
    expect(RED not in colours.values() and STOOD_STILL not in html, "a run that ended stood still")
    expect("has most to do" in text_of(report, profile, "--cycles"), "a run that ended has no advice")
    with open(profile, encoding="utf-8") as file:
        run = json.load(file)
    expect("stalls" not in run and run["clock"]["exact"], "a run that ended is not exact")
    expect([kernel["ended"] for kernel in run["kernels"]] == [1, 1, 1, 1], run["kernels"])


# 'give' writes more than fits before it writes what 'take' reads first; the reader of 'late' comes when 'early' has ended.
ROOM = """#pragma OPENCL EXTENSION cl_intel_channels : enable
channel int data[2] __attribute__((depth(5)));
channel int first __attribute__((depth(4)));
kernel void give(void) {
    for (int i = 0; i < 9; i++)
        write_channel_intel(data[1], i);
    write_channel_intel(first, 1);
}
kernel void take(void) {
    read_channel_intel(first);
    for (int i = 0; i < 9; i++)
        read_channel_intel(data[1]);
}
"""


def check_room(program, report, folder):
    """Which pipe has to be deeper, and with that and nothing less the run ends."""
    source, profile = os.path.join(folder, "room.cl"), os.path.join(folder, "room.json")
    with open(source, "w", encoding="utf-8") as file:
        file.write(ROOM)

    def run(kernels, **more):
        settings = {**environment(profile, "error", "1"), **more}
        return subprocess.run([program, source, "-sluice-timing", *kernels], capture_output=True, text=True, env=settings, timeout=60,
                              check=False).returncode

    expect(run(("give", "take")) == 3, "the run did not stand still")
    depths = text_of(report, profile, "--depths")
    expect("so this pipe has to be deeper:\n  data[1] holds 5: more than 5, for what 'give' writes\n" in depths, depths)
    expect("SLUICE_FPGA_DEPTHS='data=256'" in depths and "no deadlock" not in depths, depths)
    expect(run(("give",)) == 3, "without its reader it did not stand still")
    depths = text_of(report, profile, "--depths")
    expect("Whoever reads has to come, or this pipe has to be deeper:\n  data[1] holds 5" in depths, depths)
    expect(run(("give", "take"), SLUICE_FPGA_DEPTHS="data=256") == 0, "it stands still with what was said")
    depths = text_of(report, profile, "--depths")
    expect("no deadlock: SLUICE_FPGA_DEPTHS='data=9 first=1'" in depths, depths)
    expect(run(("give", "take"), SLUICE_FPGA_DEPTHS="data=8") == 3, "it ends with less")


def check_names(program, folder):
    """Of a profile's file: the number of the process, what cannot be written, and who else writes it."""
    source = os.path.join(folder, "stops.cl")

    def start(name):
        return subprocess.Popen([program, source, "-DNINE=5 ", *KERNELS], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                env=environment(os.path.join(folder, name), "error", "0"))

    run = start("p%p-%%p.json")
    said = run.communicate()[1]
    expect(os.path.exists(os.path.join(folder, f"p{run.pid}-%p.json")) and "SLUICE_FPGA_PROFILE" not in said, f"{os.listdir(folder)} {said}")
    said = start("none/p.json").communicate()[1]
    expect("No such file or directory" in said.split("nothing on the device")[0], f"not before the run: {said}")
    said = start("").communicate()[1]
    expect("Is a directory" in said.split("nothing on the device")[0], f"a folder, not before the run: {said}")
    first = environment(os.path.join(folder, "shared.json"), "error", "0")
    with subprocess.Popen([program, source, "-DNINE=9 ", *KERNELS], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          env={**first, "SLUICE_FPGA_STALL_MS": "3000"}) as slow:
        time.sleep(1)
        start("shared.json").communicate()
        said = slow.communicate()[1]
    expect("another process has written it meanwhile" in said, said)


def check_argument(program, report, folder):
    """The depth of a pipe of the host's is its own business: there is no setting for it."""
    source, profile = os.path.join(folder, "argument.cl"), os.path.join(folder, "argument.json")
    with open(source, "w", encoding="utf-8") as file:
        file.write("""#pragma OPENCL EXTENSION cl_intel_channels : enable
channel int first __attribute__((depth(4)));
kernel void give(__attribute__((blocking)) write_only pipe int out) {
    for (int i = 0; i < 9; i++)
        write_pipe(out, &i);
    write_channel_intel(first, 1);
}
kernel void take(__attribute__((blocking)) read_only pipe int in) {
    int x;
    read_channel_intel(first);
    for (int i = 0; i < 9; i++)
        read_pipe(in, &x);
}
""")
    result = subprocess.run([program, source, "-sluice-timing", "give%a", "take%a"], capture_output=True, text=True,
                            env=environment(profile, "error", "1"), timeout=60, check=False)
    expect(result.returncode == 3, f"the run did not stand still: {result.returncode} {result.stderr}")
    depths = text_of(report, profile, "--depths")
    expect("argument 'out': clCreatePipe with 256 packets" in depths and "SLUICE_FPGA_DEPTHS" not in depths, depths)


# 'serve' never ends; it and 'last' wait for 'ask', which somebody starts later.
GOES_ON = """#pragma OPENCL EXTENSION cl_intel_channels : enable
channel int there __attribute__((depth(4)));
channel int back __attribute__((depth(4)));
channel int done __attribute__((depth(4)));
kernel void serve(void) {
    for (;;)
        write_channel_intel(back, read_channel_intel(there));
}
kernel void last(void) {
    read_channel_intel(done);
}
kernel void ask(void) {
    for (int i = 0; i < ROUNDS; i++) {
        write_channel_intel(there, i);
        read_channel_intel(back);
    }
    write_channel_intel(done, 1);
}
"""


def check_goes_on(program, report, folder):
    """A stall that was reported and is over is not what the run ended with, although a launch is still under way; one
    of those that were told may go on alone, and then it is."""
    source, profile = os.path.join(folder, "goes_on.cl"), os.path.join(folder, "goes_on.json")
    with open(source, "w", encoding="utf-8") as file:
        file.write(GOES_ON)
    result = subprocess.run([program, source, "-sluice-timing -DROUNDS=9", "serve!", "last", "ask@2500"], capture_output=True,
                            text=True, env={**environment(profile, "report", "0"), "SLUICE_FPGA_STALL_MS": "20"}, timeout=60, check=False)
    expect(result.returncode == 0, f"{result.returncode}\n{result.stderr}")
    with open(profile, encoding="utf-8") as file:
        run = json.load(file)
    expect([(stall["ends"], stall["lasts"]) for stall in run.get("stalls", [])] == [(False, False)], run.get("stalls"))
    expect({kernel["name"]: kernel["ended"] for kernel in run["kernels"]} == {"ask": 1, "last": 1, "serve": 0}, run["kernels"])
    expect(run["clock"]["exact"], run["clock"]["doubts"])
    _, html = edges_of(report, profile, folder)
    expect(STOOD_STILL not in html and "stood still for a while" in html, "the page of a run that went on")
    expect("has most to do" in text_of(report, profile, "--cycles"), "a run that went on has no advice")


# In its last round 'sum' computes; 'hear' waits for it meanwhile.
COMPUTES = """#pragma OPENCL EXTENSION cl_intel_channels : enable
channel int there __attribute__((depth(4)));
channel uint back __attribute__((depth(4)));
kernel void sum(void) {
    uint x = 0;
    for (int i = 0; i < 20; i++) {
        x += read_channel_intel(there);
        for (ulong n = 0; i == 19 && n < LONG; n++)
            x = (x ^ x >> 7) * 2654435761u;
    }
    write_channel_intel(back, x);
}
kernel void ask(void) {
    for (int i = 0; i < 20; i++)
        write_channel_intel(there, i);
}
kernel void hear(void) {
    read_channel_intel(back);
}
"""


def check_computes(program, report, folder):
    """A kernel that computes for long, or for ever: the profile says so, and in the end whether it came through."""
    source, profile = os.path.join(folder, "computes.cl"), os.path.join(folder, "computes.json")
    with open(source, "w", encoding="utf-8") as file:
        file.write(COMPUTES)
    settings = {**environment(profile, "report", "1"), "SLUICE_FPGA_STALL_MS": "20"}
    for options in ("-sluice-timing", ""):
        command = [program, source, f"{options} -DLONG={1 << 62}ul", "hear", "sum", "ask"]
        interrupt(command, settings)
        with open(profile, encoding="utf-8") as file:
            run = json.load(file)
        expect([(stall["ends"], stall["lasts"]) for stall in run.get("stalls", [])] == [(False, True)], run.get("stalls"))
        for stall in run.get("stalls", []):
            # nobody can see that 'ask' has nothing left to do
            expect("sum" in stall["stall"]["computes"] and "since a kernel computes: " in stall["text"], stall)
            expect([(row["kernel"], row["pipe"], row["state"]) for row in stall["stall"]["kernels"]] == [("hear", "back", "empty")], stall)
        expect({pipe["name"]: pipe["packets"] for pipe in run["pipes"]} == {"there": 20, "back": 0}, run["pipes"])
        ended = {kernel["name"]: kernel["ended"] for kernel in run["kernels"]}
        expect((ended["sum"], ended["hear"]) == (0, 0), ended)
        colours, html = edges_of(report, profile, folder)
        expect(STOOD_STILL in html and colours["back"] == RED and "since a kernel computes: " in html, "the page of a kernel that computes")
        if options:
            expect(not run["clock"]["exact"], run["clock"])
            expect("since a kernel computes: " in text_of(report, profile, "--cycles"), "--cycles of a kernel that computes")
            expect("no depths that are known to be enough" in text_of(report, profile, "--depths"), "--depths of a kernel that computes")
        os.remove(profile)
        command[2] = f"{options} -DLONG={1 << 30}ul"
        result = subprocess.run(command, capture_output=True, text=True, env=settings, timeout=60, check=False)
        expect(result.returncode == 0 and "since a kernel computes: " in result.stderr, f"{result.returncode}\n{result.stderr}")
        with open(profile, encoding="utf-8") as file:
            run = json.load(file)
        expect([(stall["ends"], stall["lasts"]) for stall in run.get("stalls", [])] == [(False, False)], run.get("stalls"))
        expect({pipe["name"]: pipe["packets"] for pipe in run["pipes"]} == {"there": 20, "back": 1}, run["pipes"])
        expect(not options or run["clock"]["exact"], run.get("clock"))
        os.remove(profile)


def check_alone(program, report, folder):
    """Nobody waits for the kernel that computes: nothing is said, and the profile has it all the same."""
    source, profile = os.path.join(folder, "computes.cl"), os.path.join(folder, "alone.json")
    settings = {**environment(profile, "report", "1"), "SLUICE_FPGA_STALL_MS": "20"}
    command = [program, source, f"-sluice-timing -DLONG={1 << 62}ul", "sum", "ask"]
    interrupt(command, settings)
    with open(profile, encoding="utf-8") as file:
        run = json.load(file)
    expect([(stall["ends"], stall["lasts"], stall["stall"]["kernels"]) for stall in run.get("stalls", [])] == [(False, True, [])], run.get("stalls"))
    expect({pipe["name"]: pipe["packets"] for pipe in run["pipes"]} == {"there": 20, "back": 0} and not run["clock"]["exact"], run["clock"])
    expect(STOOD_STILL in edges_of(report, profile, folder)[1], "the page of a kernel that computes alone")
    os.remove(profile)
    command[2] = f"-sluice-timing -DLONG={1 << 30}ul"
    result = subprocess.run(command, capture_output=True, text=True, env=settings, timeout=60, check=False)
    expect(result.returncode == 0 and "computes" not in result.stderr, f"{result.returncode}\n{result.stderr}")
    with open(profile, encoding="utf-8") as file:
        run = json.load(file)
    expect([stall["lasts"] for stall in run.get("stalls", [])] == [False] and run["clock"]["exact"], f"{run.get('stalls')} {run['clock']}")


def check_silent(program, folder):
    """A kernel without pipes computes for long and ends: what is stopped later did not stand still."""
    source, profile = os.path.join(folder, "silent.cl"), os.path.join(folder, "silent.json")
    with open(source, "w", encoding="utf-8") as file:
        file.write("kernel void longer(global volatile uint *p) {\n    uint x = p[7];\n    for (ulong n = 0; n < LONG; n++)\n"
                   "        x = (x ^ x >> 7) * 2654435761u;\n    p[3] = x;\n}\n")
    settings = {**environment(profile, "report", "0"), "SLUICE_FPGA_STALL_MS": "20"}
    for most, lasts in ((1 << 30, False), (1 << 62, True)):
        command = [program, source, f"-sluice-timing -DLONG={most}ul", "longer%A"]
        if lasts:
            interrupt(command, settings)
        else:
            result = subprocess.run(command, capture_output=True, text=True, env=settings, timeout=60, check=False)
            expect(result.returncode == 0, result.stderr)
        with open(profile, encoding="utf-8") as file:
            run = json.load(file)
        expect([stall["lasts"] for stall in run.get("stalls", [])] == [lasts], f"it computes, {lasts}: {run.get('stalls')}")
        os.remove(profile)


def main():
    program, report = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for options in ("-sluice-timing", ""):
            profile = run_to_end(program, folder, 9, options, trace="1" if options else "0")
            check_profile(profile, True)
            check_stopped(report, profile, folder, bool(options))
            profile = run_interrupted(program, folder, options)
            check_profile(profile, False)
            check_stopped(report, profile, folder, bool(options))
            os.remove(profile)
        check_goes_on(program, report, folder)
        check_computes(program, report, folder)
        check_alone(program, report, folder)
        check_silent(program, folder)
        check_room(program, report, folder)
        check_argument(program, report, folder)
        check_names(program, folder)
        check_whole(report, run_to_end(program, folder, 8, "-sluice-timing"), folder)
    sys.exit(1 if FAILURES else 0)


main()
