#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_spelling.py SLUICEC: pragmas of loops that are misspelt or malformed, and channels that do not exist, are named where
they stand, with what may have been meant; what is right, or of others, is not."""
import os
import re
import subprocess
import sys
import tempfile

HEAD = "#pragma OPENCL EXTENSION cl_intel_channels : enable\nchannel int data, done[2];\n"  # lines 1 and 2
LOOP = "kernel void k(global int *o, int n) {{\n    {}\n    for (int i = 0; i < n; i++) o[i] = i;\n}}\n"  # at 4:5
IGNORED = "what is behind it is ignored"
FAILURES = []

# The pragma: what is said of it, at 4:13 unless it stands elsewhere.
PRAGMAS = {
    "#pragma ivdepp": "unknown pragma 'ivdepp' ignored; did you mean 'ivdep'?",
    "#pragma unrol 4": "unknown pragma 'unrol' ignored; did you mean 'unroll'?",
    "#pragma UNROLL": "unknown pragma 'UNROLL' ignored; did you mean 'unroll'?",
    "#pragma max_concurency 2": "unknown pragma 'max_concurency' ignored; did you mean 'max_concurrency'?",
    "#pragma ii foo": "'#pragma ii' takes a number: ignored",
    "#pragma ii": "'#pragma ii' takes a number: ignored",
    "#pragma ii 0": "'#pragma ii' takes a number from 1 on: ignored",
    "#pragma ii -1": "'#pragma ii' takes a number: ignored",
    "#pragma loop_coalesce 0": f"'#pragma loop_coalesce' takes a number from 1 on or nothing: {IGNORED}",
    "#pragma ivdep safelen(0)": "'#pragma ivdep' takes 'safelen(N)' with a number from 1 on: that is ignored",
    "#pragma ivdep array(o) safelen(-1)": "'#pragma ivdep' takes 'safelen(N)' with a number from 1 on: that is ignored",
    "#pragma ii 2 3": f"'#pragma ii' takes a number: {IGNORED}",
    "#pragma speculated_iterations x": "'#pragma speculated_iterations' takes a number: ignored",
    "#pragma loop_coalesce x": f"'#pragma loop_coalesce' takes a number or nothing: {IGNORED}",
    "#pragma nofusion 1": f"'#pragma nofusion' takes nothing: {IGNORED}",
    "#pragma ivdep foo": f"'#pragma ivdep' takes 'array(NAME)' and 'safelen(N)': {IGNORED}",
}
FINE = ("#pragma ivdep", "#pragma ivdep array(o)", "#pragma ivdep safelen(4)", "#pragma ivdep array(o) safelen(4)", "#pragma ii 2",
        "#pragma ii (2)", "#pragma ii N", "#pragma loop_coalesce", "#pragma loop_coalesce 2", "#pragma max_concurrency 0",
        "#pragma unroll", "#pragma unroll 2", "#pragma nounroll", "#pragma speculated_iterations 0", "#pragma omp for",
        "#pragma once_upon_a_time", "#pragma HLS pipeline", "#pragma disable_loop_pipelining", "#pragma nofusion",
        "#pragma max_interleaving 1", "_Pragma(\"ii 3\")")

# Line 3 of a source, where in it something is said, and what.
WORDS = {
    "#pragma OPENCL EXTENSION cl_intel_chanels : enable": (26, "did you mean 'cl_intel_channels'?"),
    "#pragma OPENCL EXTENSION cl_khr_fp46 : enable": (26, "did you mean 'cl_khr_fp16'?"),
    "#pragma OPENCL EXTENSION cl_intel_fpga_hostpipe : enable": (26, "did you mean 'cl_intel_fpga_host_pipe'?"),
    "channel int q __attribute__((dpeth(4)));": (30, "unknown attribute 'dpeth' ignored; did you mean 'depth'?"),
    "channel int q __attribute__((xcl_reqd_pipe_dpeth(4)));": (30, "did you mean 'xcl_reqd_pipe_depth'?"),
    "__attribute__((autorunn)) kernel void q() { read_channel_intel(data); }": (16, "did you mean 'autorun'?"),
    "__attribute__((reqd_work_group_sze(4, 1, 1))) kernel void q() {}": (16, "did you mean 'reqd_work_group_size'?"),
    "kernel void q(read_only pipe int p __attribute__((blockin))) {}": (51, "did you mean 'blocking'?"),
    "kernel void q() { int y[4] __attribute__((numbancs(2))); }": (43, "did you mean 'numbanks'?"),
    "kernel void q() { int y[4] __attribute__((numbanks(3))); }": (43, "'numbanks' takes a power of two, not 3: ignored"),
    "kernel void q() { int y[4] __attribute__((bankwidth(0))); }": (43, "'bankwidth' takes a power of two, not 0: ignored"),
    "kernel void q() { int y[4] __attribute__((numreadports(-1))); }": (43, "'numreadports' takes a number from 1 on, not -1: ignored"),
    "channel int q __attribute__((fortytwo(4)));": (30, "unknown attribute 'fortytwo' ignored [-W"),
}
# The same where it is an error, the only one.
LATENCIES = {
    "kernel void q() { read_channel_intel(data) __attribute__((latency_ancor(1))); }":
        (59, "unknown attribute 'latency_ancor' of an operation; did you mean 'latency_anchor'?"),
    "kernel void q() { write_channel_intel(data, 1) __attribute__((latency_constrain(1, max, 4))); }":
        (63, "unknown attribute 'latency_constrain' of an operation; did you mean 'latency_constraint'?"),
}

# A statement at 3:17 and what is said of it.
CHANNELS = {
    "write_channel_intel(dta, 1);": "'write_channel_intel' must be a channel: there is none named 'dta'; did you mean 'data'?",
    "write_channel_intel(don[1], 1);": "must be a channel: there is none named 'don'; did you mean 'done'?",
    "int v = 1 + read_channel_intel(elsewhere);": "must be a channel: there is none named 'elsewhere'\n",
    "bool f; read_channel_nb_intel(Data, &f);": "must be a channel: there is none named 'Data'; did you mean 'data'?",
}

# Statements, the name in them that nobody knows, and what is said of it.
FUNCTIONS = {
    "int v = read_channel_intle(data);": "use of undeclared identifier 'read_channel_intle'; did you mean 'read_channel_intel'?\n",
    "write_chanel_intel(data, 1);": "use of undeclared identifier 'write_chanel_intel'; did you mean 'write_channel_intel'?\n",
    "bool f; read_channel_nb_inte(data, &f);": "'read_channel_nb_inte'; did you mean 'read_channel_nb_intel'?\n",
    "int v = compute_it_all(1);": "use of undeclared identifier 'compute_it_all'\n",
    "int v = read_channel_intel + 1;": "use of undeclared identifier 'read_channel_intel'\n",
}


def said(sluicec, folder, text):
    source = os.path.join(folder, "s.cl")
    with open(source, "w", encoding="utf-8") as file:
        file.write(HEAD + text)
    result = subprocess.run([sluicec, "--device=fpga", "-DN=2", "-o", os.path.join(folder, "s.slb"), source], capture_output=True, text=True, timeout=120,
                            check=False)
    return result.returncode, result.stdout + result.stderr


def expect(condition, what):
    if not condition:
        print(what)
        FAILURES.append(what)


def main():
    sluicec = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        for pragma, words in PRAGMAS.items():
            code, text = said(sluicec, folder, LOOP.format(pragma))
            expect(code == 0 and f"s.cl:4:13: warning: {words}" in text, f"{pragma}: {text}")
            expect(len(re.findall(r"4:\d+: warning", text)) == 1, f"{pragma}: {text}")
        code, text = said(sluicec, folder, "".join(LOOP.format(pragma).replace(" k(", f" k{n}(") for n, pragma in enumerate(FINE)))
        expect(code == 0 and "pragma" not in text, text)
        for line, (column, words) in WORDS.items():
            code, text = said(sluicec, folder, line + "\n")
            expect(code == 0 and f"s.cl:3:{column}: warning: " in text and words in text, f"{line}: {text}")
        for line, (column, words) in LATENCIES.items():
            code, text = said(sluicec, folder, line + "\n")
            expect(code != 0 and f"s.cl:3:{column}: error: {words}" in text and text.count("error:") == 1, f"{line}: {text}")
        for statement, words in CHANNELS.items():
            code, text = said(sluicec, folder, "kernel void k() { " + statement + " }\n")
            expect(code != 0 and words in text, f"{statement}: {text}")
            expect(len(re.findall(r"s\.cl:3:\d+: error: ", text)) == 1 and text.count("error:") == 1, text)
            expect("warning" not in text, text)
        for statement, words in FUNCTIONS.items():
            code, text = said(sluicec, folder, "kernel void k() { " + statement + " }\n")
            expect(code != 0 and words in text and text.count("did you mean") == words.count("did you mean"), f"{statement}: {text}")
    sys.exit(1 if FAILURES else 0)


main()
