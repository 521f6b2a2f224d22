#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_sizing.py RUN_DESIGN SLUICE-REPORT: depths of the pipes of three designs of papers on the sizes of FIFOs (FIFOAdvisor,
ASP-DAC 2026, and Stream-HLS, whose benchmarks these are), written from what they say: each nest of loops is a kernel, each
array between two of them a pipe. What is found is run, and one less of each pipe stands still, or is slower."""
import json
import os
import subprocess
import sys
import tempfile

from check_depths import FAILURES, STALLED, check_graph, expect

HEAD = "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"

# y = A' (A x): the second product needs a row of A again, when the first one is through with it.
N = 12
ATAX = f"""
kernel void load_x() {{ for (int i = 0; i < {N}; i++) write_channel_intel(x, i + 1); }}
kernel void load_a()
{{
    for (int i = 0; i < {N * N}; i++) {{
        write_channel_intel(a_first, i % 7);
        write_channel_intel(a_again, i % 7);
    }}
}}
kernel void multiply()
{{
    int stored[{N}];
    for (int i = 0; i < {N}; i++)
        stored[i] = read_channel_intel(x);
    for (int i = 0; i < {N}; i++) {{
        int sum = 0;
        for (int k = 0; k < {N}; k++)
            sum += read_channel_intel(a_first) * stored[k];
        write_channel_intel(ax, sum);
    }}
}}
kernel void multiply_transposed()
{{
    int sums[{N}];
    for (int i = 0; i < {N}; i++)
        sums[i] = 0;
    for (int i = 0; i < {N}; i++) {{
        int factor = read_channel_intel(ax);
#pragma ivdep
        for (int k = 0; k < {N}; k++)
            sums[k] += read_channel_intel(a_again) * factor;
    }}
    for (int i = 0; i < {N}; i++)
        write_channel_intel(y, sums[i]);
}}
kernel void store()
{{
    int sum = 0;
    for (int i = 0; i < {N}; i++)
        sum += read_channel_intel(y) * (i + 1);
    printf("result %d\\n", sum);
}}
"""


def atax():
    a = [[(i * N + k) % 7 for k in range(N)] for i in range(N)]
    ax = [sum(a[i][k] * (k + 1) for k in range(N)) for i in range(N)]
    return sum(sum(a[i][k] * ax[i] for i in range(N)) * (k + 1) for k in range(N))


# Fifteen products of matrices, a binary tree. One factor is stored before the rows of the other are read.
SIDE, LEAVES = 3, 16


def tree():
    """(source, pipes): matrix n of a level is pipe m{level}_{n}."""
    size = SIDE * SIDE
    pipes = [f"m{level}_{n}" for level in range(5) for n in range(LEAVES >> level)]
    text = f"""
kernel void load()
{{
    for (int i = 0; i < {size}; i++) {{
        {' '.join(f"write_channel_intel(m0_{n}, (i + {n}) % 3);" for n in range(LEAVES))}
    }}
}}
"""
    for level in range(4):
        for n in range(LEAVES >> level + 1):
            text += f"""
kernel void product{level}_{n}()
{{
    int right[{size}], row[{SIDE}];
    for (int i = 0; i < {size}; i++)
        right[i] = read_channel_intel(m{level}_{2 * n + 1});
    for (int i = 0; i < {SIDE}; i++) {{
        for (int k = 0; k < {SIDE}; k++)
            row[k] = read_channel_intel(m{level}_{2 * n});
        for (int j = 0; j < {SIDE}; j++) {{
            int sum = 0;
#pragma unroll
            for (int k = 0; k < {SIDE}; k++)
                sum += row[k] * right[k * {SIDE} + j];
            write_channel_intel(m{level + 1}_{n}, sum);
        }}
    }}
}}
"""
    return text + f"""
kernel void store()
{{
    int sum = 0;
    for (int i = 0; i < {size}; i++)
        sum += read_channel_intel(m4_0) % 1000 * (i + 1);
    printf("result %d\\n", sum);
}}
""", pipes


def tree_result():
    level = [[[(i * SIDE + k + n) % 3 for k in range(SIDE)] for i in range(SIDE)] for n in range(LEAVES)]
    while len(level) > 1:
        level = [[[sum(a[i][k] * b[k][j] for k in range(SIDE)) for j in range(SIDE)] for i in range(SIDE)]
                 for a, b in zip(level[::2], level[1::2])]
    return sum(value % 1000 * (i + 1) for i, value in enumerate(sum(level[0], [])))


# The feed-forward block of a transformer: two layers, and the token itself added behind them.
TOKENS, WIDTH, HIDDEN = 6, 4, 8


def layer(name, inputs, outputs, weights, take, give, last):
    return f"""
kernel void {name}()
{{
    int stored[{inputs * outputs}], token[{inputs}];
    for (int i = 0; i < {inputs * outputs}; i++)
        stored[i] = read_channel_intel({weights});
    for (int t = 0; t < {TOKENS}; t++) {{
        for (int k = 0; k < {inputs}; k++)
            token[k] = read_channel_intel({take});
        for (int j = 0; j < {outputs}; j++) {{
            int sum = 0;
#pragma unroll
            for (int k = 0; k < {inputs}; k++)
                sum += token[k] * stored[j * {inputs} + k];
            write_channel_intel({give}, {'sum' if last else 'max(sum, 0)'});
        }}
    }}
}}
"""


FORWARD = f"""
kernel void load_tokens()
{{
    for (int i = 0; i < {TOKENS * WIDTH}; i++) {{
        write_channel_intel(tokens, i % 5 - 2);
        write_channel_intel(kept, i % 5 - 2);
    }}
}}
kernel void load_weights()
{{
    for (int i = 0; i < {WIDTH * HIDDEN}; i++) {{
        write_channel_intel(first_weights, i % 3 - 1);
        write_channel_intel(second_weights, i % 4 - 1);
    }}
}}
""" + layer("expand", WIDTH, HIDDEN, "first_weights", "tokens", "hidden", False) + layer(
    "contract", HIDDEN, WIDTH, "second_weights", "hidden", "contracted", True) + f"""
kernel void add()
{{
    int sum = 0;
    for (int i = 0; i < {TOKENS * WIDTH}; i++)
        sum += (read_channel_intel(contracted) + read_channel_intel(kept)) * (i + 1);
    printf("result %d\\n", sum);
}}
"""


def forward():
    value = [[(t * WIDTH + k) % 5 - 2 for k in range(WIDTH)] for t in range(TOKENS)]
    hidden = [[max(0, sum(token[k] * ((j * WIDTH + k) % 3 - 1) for k in range(WIDTH))) for j in range(HIDDEN)]
              for token in value]
    out = [[sum(row[k] * ((j * HIDDEN + k) % 4 - 1) for k in range(HIDDEN)) + token[j] for j in range(WIDTH)]
           for row, token in zip(hidden, value)]
    return sum(v * (i + 1) for i, v in enumerate(sum(out, [])))


class Design:
    """As check_depths.Graph."""

    class Pipe:
        def __init__(self, name):
            self.name = name

    def __init__(self, program, report, name, text, pipes, result, folder):
        self.name, self.program, self.report, self.result = name, program, report, result
        self.pipes = [Design.Pipe(pipe) for pipe in pipes]
        self.source, self.profile = os.path.join(folder, f"{name}.cl"), os.path.join(folder, f"{name}.json")
        self.kernels = [line.split("(")[0].split()[-1] for line in text.splitlines() if line.startswith("kernel void")]
        with open(self.source, "w", encoding="utf-8") as file:
            file.write(HEAD + "".join(f"channel int {pipe} __attribute__((depth(D_{pipe})));\n" for pipe in pipes) + text)

    def run(self, depths, stall_ms="5000"):
        """Cycles; None: it stands still."""
        macros = " ".join(f"-DD_{pipe.name}={depths.get(pipe.name, 64)}" for pipe in self.pipes)
        environment = {**os.environ, "SLUICE_FPGA_ON_STALL": "error", "SLUICE_FPGA_STALL_MS": stall_ms,
                       "SLUICE_FPGA_PROFILE": self.profile, "SLUICE_FPGA_TRACE": "1"}
        made = subprocess.run([self.program, self.source, f"-sluice-timing {macros}", *self.kernels], env=environment,
                              capture_output=True, text=True, check=False)
        expect(made.returncode in (0, STALLED), f"{self.name}: {made.stderr}")
        if made.returncode:
            return None
        expect(made.stdout == f"result {self.result}\n", f"{self.name}: {made.stdout} instead of {self.result}")
        with open(self.profile, encoding="utf-8") as file:
            return json.load(file)["clock"]["cycles"]


def main():
    program, report = sys.argv[1:3]
    text, pipes = tree()
    with tempfile.TemporaryDirectory() as folder:
        for design in (
                Design(program, report, "atax", ATAX, ["x", "a_first", "a_again", "ax", "y"], atax(), folder),
                Design(program, report, "k15mmtree", text, pipes, tree_result(), folder),
                Design(program, report, "FeedForward", FORWARD,
                       ["tokens", "kept", "first_weights", "second_weights", "hidden", "contracted"], forward(), folder)):
            print(f"{design.name}, {len(design.kernels)} kernels, {len(design.pipes)} pipes:")
            for row in check_graph(design):
                print("   ", row)
    print(f"{len(FAILURES)} failures")
    return bool(FAILURES)


if __name__ == "__main__":
    sys.exit(main())
