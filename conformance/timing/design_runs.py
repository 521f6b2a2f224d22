# SPDX-License-Identifier: Apache-2.0
"""Runs of designs with a clock, for the tests of it: each is a script that says in FAILURES what was not as expected."""
import json
import os
import subprocess

FAILURES = []
HEAD = "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"

# Operators of one cycle each, and none for arithmetic: what is below can be computed by hand.
OPERATORS = "integer.add 0\ninteger.multiply 5\npipe.read 1\npipe.write 1\n"


def expect(condition, what):
    if not condition:
        print(what)
        FAILURES.append(what)


class Tools:
    def __init__(self, program, sluicec, report, folder):
        self.program, self.sluicec, self.report, self.folder = program, sluicec, report, folder
        self.said = ""  # by the last run, on stderr
        self.options = "-sluice-timing"
        self.operators = self.write("operators", OPERATORS)
        self.environment = {**os.environ, "SLUICE_FPGA_OPERATORS": self.operators}

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def schedule(self, source):
        made = subprocess.run([self.sluicec, "--device=fpga", "--schedule", "-", source], env=self.environment,
                              capture_output=True, text=True, check=False)
        expect(made.returncode == 0, made.stderr)
        return json.loads(made.stdout)

    def run(self, source, kernels, **settings):
        return self.run_printing(source, kernels, **settings)[0]

    def run_printing(self, source, kernels, **settings):
        """The profile, and the lines that the kernels print, sorted."""
        profile = os.path.join(self.folder, "run.json")
        result = subprocess.run([self.program, source, self.options, *kernels], capture_output=True, text=True,
                                env={**self.environment, "SLUICE_FPGA_PROFILE": profile, **settings}, check=False,
                                timeout=120)
        self.said = result.stderr
        expect(result.returncode == 0, f"{source}: {result.returncode} {result.stderr}")
        with open(profile, encoding="utf-8") as file:
            return json.load(file), sorted(result.stdout.splitlines())


def kernel_spans(profile):
    """Kernel: (begin, end), in cycles."""
    return {profile["kernels"][row["kernel"]]["name"]: (row["begin"], row["end"]) for row in profile["clock"]["kernels"]}


def spans(profile):
    """The same of a run whose cycles are those of a circuit."""
    clock = profile["clock"]
    expect(clock["whole"] and clock["exact"], "the clock is not exact")
    return kernel_spans(profile)


def check_replay(tools, what):
    """A replay of the trace of run.json with its own depths takes as many cycles as the run."""
    path = os.path.join(tools.folder, "run.json")
    with open(path, encoding="utf-8") as file:
        cycles = json.load(file)["clock"]["cycles"]
    text = subprocess.run([tools.report, "--depths", path], capture_output=True, text=True, check=False)
    rows = [line.split() for line in text.stdout.splitlines() if line.startswith("cycles ")]
    expect(len(rows) == 1 and rows[0][1] == str(cycles), f"{what}: {cycles} cycles, {text.stdout}{text.stderr}")
    expect(len(rows) == 1 and int(rows[0][3]) <= cycles, f"{what}: {text.stdout}")
