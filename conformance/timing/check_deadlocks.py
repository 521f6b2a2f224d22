#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_deadlocks.py SLUICEC: designs whose kernels wait for each other are told when they are built, others are not."""
import os
import subprocess
import sys
import tempfile

HEAD = "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"  # line 1
EACH_OTHER = "warning: kernels wait for each other for ever: "
ONCE = "warning: kernels wait for each other for ever if loops go on so long: "
RATES = ": the rates of the pipes do not match"

# name: (source from line 2 on, what the build says, each thing that it says, or "" for nothing)
DESIGNS = {
    "both read first": ("""channel int p, q;
kernel void a(int n) { for (int i = 0; i < n; i++) {
    int x = read_channel_intel(q);
    write_channel_intel(p, x); } }
kernel void b(int n) { for (int i = 0; i < n; i++)
    write_channel_intel(q, read_channel_intel(p)); }
""", ":4:13: " + EACH_OTHER + "'a' reads q (empty) at line 4, 'b' reads p (empty) at line 7"),
    "one writes first": ("""channel int p, q;
kernel void a(int n) { for (int i = 0; i < n; i++) {
    write_channel_intel(p, i);
    i += read_channel_intel(q); } }
kernel void b(int n) { for (int i = 0; i < n; i++)
    write_channel_intel(q, read_channel_intel(p)); }
""", ""),
    "three in a ring": ("""channel int c[3];
void pass(channel int from, channel int to) { write_channel_intel(to, read_channel_intel(from)); }
kernel void a() { while (1) pass(c[2], c[0]); }
kernel void b() { while (1) pass(c[0], c[1]); }
kernel void d() { while (1) pass(c[1], c[2]); }
""", EACH_OTHER + "'a' reads c[2] (empty) at line 3, 'd' reads c[1] (empty) at line 3, "
                  "'b' reads c[0] (empty) at line 3"),
    "too shallow": ("""channel int x __attribute__((depth(2)));
channel int y __attribute__((depth(2)));
kernel void a(int n) { for (int i = 0; i < n; i++) {
    for (int k = 0; k < 7; k++)
        write_channel_intel(x, k);
    write_channel_intel(y, i); } }
kernel void b(int n) { for (int i = 0; i < n; i++) {
    int sum = read_channel_intel(y);
    for (int k = 0; k < 7; k++)
        sum += read_channel_intel(x); } }
""", ":6:9: " + EACH_OTHER + "'a' writes x (full) at line 6, 'b' reads y (empty) at line 9; x needs depth(7)"),
    "deep enough": ("""channel int x __attribute__((depth(7)));
channel int y;
kernel void a(int n) { for (int i = 0; i < n; i++) {
    for (int k = 0; k < 7; k++)
        write_channel_intel(x, k);
    write_channel_intel(y, i); } }
kernel void b(int n) { for (int i = 0; i < n; i++) {
    int sum = read_channel_intel(y);
    for (int k = 0; k < 7; k++)
        sum += read_channel_intel(x); } }
""", ""),
    "rates": ("""channel int x __attribute__((depth(500)));
channel int y;
__attribute__((max_global_work_dim(0), autorun)) kernel void a() {
    write_channel_intel(x, 1);
    write_channel_intel(x, 2);
    write_channel_intel(y, 3); }
kernel void b(global int *out) { for (int i = 0;; i++)
    out[i & 15] = read_channel_intel(x) + read_channel_intel(y); }
""", "'b' reads y (empty) at line 9; no depth is enough for x" + RATES),
    "itself": ("""channel int x;
kernel void a() { int s = read_channel_intel(x); write_channel_intel(x, s); }
""", ":3:27: warning: a kernel waits for itself for ever: 'a' reads x (empty) at line 3"),
    "sometimes": ("""channel int p, q;
kernel void a(int n) { for (int i = 0; i < n; i++) {
    if (i) read_channel_intel(q);
    write_channel_intel(p, i); } }
kernel void b(int n) { for (int i = 0; i < n; i++)
    write_channel_intel(q, read_channel_intel(p)); }
""", ""),
    "not waiting": ("""channel int p, q;
kernel void a(int n) { for (int i = 0; i < n; i++) { bool valid;
    int x = read_channel_nb_intel(q, &valid);
    write_channel_intel(p, x); } }
kernel void b(int n) { for (int i = 0; i < n; i++)
    write_channel_intel(q, read_channel_intel(p)); }
""", ""),
    "any element": ("""channel int p[2], q;
kernel void a(int n) { for (int i = 0; i < n; i++)
    write_channel_intel(p[i & 1], read_channel_intel(q)); }
kernel void b(int n) { for (int i = 0; i < n; i++)
    write_channel_intel(q, read_channel_intel(p[0])); }
kernel void c(int n) { for (int i = 0; i < n; i++) read_channel_intel(p[1]); }
""", ""),
    "items": ("""channel int p, q;
kernel void a() {
    write_channel_intel(p, get_global_id(0));
    read_channel_intel(q); }
kernel void b() {
    int x = read_channel_intel(p);
    write_channel_intel(q, x + read_channel_intel(p)); }
""", ""),
    "never run": ("""channel int p, q;
kernel void a(int n) { for (int i = 0; i < 0; i++) read_channel_intel(q); write_channel_intel(p, n); }
kernel void b() { int x = read_channel_intel(p); write_channel_intel(q, x); }
""", ""),
    "from outside": ("""channel int p, q __attribute__((io("in")));
kernel void a(int n) { for (int i = 0; i < n; i++)
    write_channel_intel(p, read_channel_intel(q)); }
kernel void b(global int *out, int n) { for (int i = 0; i < n; i++) out[i] = read_channel_intel(p); }
""", ""),
    "a server until a packet says so": ("""channel int work __attribute__((depth(64)));
channel int done __attribute__((depth(64)));
kernel void a(global int *out, int n) { int s = 0;
    for (int i = 15; i >= 0; i--) write_channel_intel(work, i);
    for (int i = 0; i < n; i++) s += read_channel_intel(done);
    out[0] = s; }
kernel void b() { int x;
    do { x = read_channel_intel(work); write_channel_intel(done, x * x); } while (x); }
""", ""),
    "as many as were written, both ways": ("""channel int x __attribute__((depth(8))), y __attribute__((depth(8)));
kernel void a(global int *out, int n) {
    for (int i = 0; i < 4; i++) write_channel_intel(x, i);
    for (int i = 0; i < n; i++) out[i] = read_channel_intel(y); }
kernel void b(global int *out, int n) {
    for (int i = 0; i < 4; i++) write_channel_intel(y, i);
    for (int i = 0; i < n; i++) out[i] = read_channel_intel(x); }
""", ""),
    "credits for the last ones": ("""channel int data __attribute__((depth(4))), credit __attribute__((depth(4)));
kernel void a(int n) { for (int i = 0; i < n; i++) {
    int c = read_channel_intel(credit); write_channel_intel(data, i + c); } }
kernel void b(global int *out, int n) {
    for (int i = 0; i < 4; i++) write_channel_intel(credit, 1);
    for (int i = 0; i < n; i++) out[i] = read_channel_intel(data); }
""", ""),
    "in a later round": ("""channel int raw __attribute__((depth(4))), sq __attribute__((depth(4)));
channel int side __attribute__((depth(4))), sums __attribute__((depth(2)));
kernel void source(global int *in, int n) { for (int i = 0; i < n; i++) {
    write_channel_intel(raw, in[i]);
    write_channel_intel(side, in[i]); } }
kernel void square(int n) { for (int i = 0; i < n; i++) {
    int v = read_channel_intel(raw);
    write_channel_intel(sq, v * v); } }
kernel void sum(int n) { for (int i = 0; i < n; i += 16) {
    int s = 0;
    for (int j = 0; j < 16; j++) s += read_channel_intel(sq);
    for (int j = 0; j < 16; j++) s -= read_channel_intel(side);
    write_channel_intel(sums, s); } }
kernel void sink(global int *out, int n) { for (int i = 0; i < n / 16; i++) out[i] = read_channel_intel(sums); }
""", ":6:5: " + ONCE + "'source' writes side (full) at line 6 in round 5, 'sum' reads sq (empty) at line 12, "
     "'square' reads raw (empty) at line 8 in round 6; side needs depth(15)"),
    "in a later round, deep enough": ("""channel int x __attribute__((depth(16))), y;
kernel void a(int n) { for (int i = 0; i < n; i++) { write_channel_intel(x, i); write_channel_intel(y, i); } }
kernel void b(global int *out, int n) { for (int i = 0; i < n; i += 16) { int s = 0;
    for (int j = 0; j < 16; j++) s += read_channel_intel(y);
    for (int j = 0; j < 16; j++) s -= read_channel_intel(x);
    out[i] = s; } }
""", ""),
    "rates that part in a later round": ("""channel int x __attribute__((depth(3))), y __attribute__((depth(3)));
kernel void a(int n) { for (int i = 0; i < n; i++) {
    write_channel_intel(x, i); write_channel_intel(x, i); write_channel_intel(y, i); } }
kernel void b(global int *out, int n) { for (int i = 0; i < n; i++)
    out[i] = read_channel_intel(x) + read_channel_intel(y); }
""", ONCE + "'a' writes x (full)"),
    "a pipe that nobody uses": ("""channel int p, q, unused __attribute__((depth(7)));
kernel void a(int n) { for (int i = 0; i < n; i++) write_channel_intel(p, read_channel_intel(q)); }
kernel void b(int n) { for (int i = 0; i < n; i++) write_channel_intel(q, read_channel_intel(p)); }
""", ":3:75: " + EACH_OTHER + "'a' reads q (empty) at line 3, 'b' reads p (empty) at line 4"),
    "two groups": ("""channel int p, q, r, s;
kernel void a(int n) { for (int i = 0; i < n; i++) write_channel_intel(p, read_channel_intel(q)); }
kernel void b(int n) { for (int i = 0; i < n; i++) write_channel_intel(q, read_channel_intel(p)); }
kernel void c() { write_channel_intel(r, read_channel_intel(s)); }
kernel void d() { write_channel_intel(s, read_channel_intel(r)); }
""", EACH_OTHER + "'a' reads q (empty) at line 3, 'b' reads p (empty) at line 4",
     EACH_OTHER + "'c' reads s (empty) at line 5, 'd' reads r (empty) at line 6"),
    "copies of a kernel": ("""channel int p[2], q[2];
__attribute__((max_global_work_dim(0), autorun, num_compute_units(2))) kernel void a() {
    write_channel_intel(p[get_compute_id(0)], read_channel_intel(q[get_compute_id(0)])); }
__attribute__((max_global_work_dim(0), autorun, num_compute_units(2))) kernel void b() {
    write_channel_intel(q[get_compute_id(0)], read_channel_intel(p[get_compute_id(0)])); }
""", ":4:47: " + EACH_OTHER),
    "beside what nobody can follow": ("""channel int p, q, side, more, items;
kernel void a(global int *in, int n) { for (int i = 0; i < n; i++) {
    int v = read_channel_intel(q);
    if (in[i]) write_channel_intel(side, v); /* some rounds */
    bool ok = write_channel_nb_intel(more, v);
    write_channel_intel(p, v + ok); } }
kernel void b(int n) { for (int i = 0; i < n; i++) {
    int v = read_channel_intel(p);
    write_channel_intel(q, v); } }
kernel void c(global int *out, int n) { int i = 0; while (out[i]) out[i++] = read_channel_intel(side); }
kernel void d(global int *out) { out[get_global_id(0)] = read_channel_intel(more); }
""", ":4:13: " + EACH_OTHER + "'a' reads q (empty) at line 4, 'b' reads p (empty) at line 9"),
    "one that computes before": ("""channel int p, q;
kernel void a(global int *in, int n) { int s = 0;
    for (int i = 0; i < n; i++) s += in[i];
    write_channel_intel(p, read_channel_intel(q) + s); }
kernel void b(int n) { write_channel_intel(q, read_channel_intel(p)); }
""", ":5:28: " + EACH_OTHER + "'a' reads q (empty) at line 5, 'b' reads p (empty) at line 6"),
    "what comes from the host before": ("""#pragma OPENCL EXTENSION cl_intel_fpga_host_pipe : enable
channel int p, q, in __attribute__((intel_host_accessible));
kernel void a(int n) { int s = 0;
    for (int i = 0; i < n; i++) s += read_channel_intel(in);
    write_channel_intel(p, read_channel_intel(q) + s); }
kernel void b(int n) { write_channel_intel(q, read_channel_intel(p)); }
""", ":6:28: " + EACH_OTHER + "'a' reads q (empty) at line 6, 'b' reads p (empty) at line 7"),
    "a loop that reads, then one that writes": ("""channel float a __attribute__((depth(8))), b __attribute__((depth(16)));
channel float mean;
kernel void split(global const float *in, int n) { for (int i = 0; i < n; i++) {
    write_channel_intel(a, in[i]);
    write_channel_intel(b, in[i]); } }
kernel void sum(int n) { float s = 0;
    for (int i = 0; i < n; i++)
        s += read_channel_intel(a);
    write_channel_intel(mean, s / n); }
kernel void centre(global float *out, int n) { float m = read_channel_intel(mean);
    for (int i = 0; i < n; i++) out[i] = read_channel_intel(b) - m; }
""", ":6:5: " + ONCE + "'split' writes b (full) at line 6 in round 17, 'centre' reads mean (empty) at line 11, "
     "'sum' reads a (empty) at line 9 in round 18; b needs room for all rounds of the loop of 'sum' at line 8"),
    "two loops against one": ("""channel int x __attribute__((depth(4))), y __attribute__((depth(4)));
kernel void a(global const int *in, int n) {
    for (int i = 0; i < n; i++)
        write_channel_intel(x, in[i]);
    for (int i = 0; i < n; i++) write_channel_intel(y, in[i]); }
kernel void b(global int *out, int n) { for (int i = 0; i < n; i++) out[i] = read_channel_intel(x) + read_channel_intel(y); }
""", ":5:9: " + ONCE + "'a' writes x (full) at line 5 in round 6, 'b' reads y (empty) at line 7; "
     "x needs room for all rounds of the loop of 'a' at line 4"),
    "blocks of a length that nobody knows": ("""channel int x __attribute__((depth(4))), y __attribute__((depth(4)));
kernel void a(global const int *in, int n, int m) { for (int k = 0; k < m; k++) {
    for (int i = 0; i < n; i++)
        write_channel_intel(x, in[i]);
    for (int i = 0; i < n; i++)
        in += read_channel_intel(y); } }
kernel void b(int n) { for (int i = 0; i < n; i++) write_channel_intel(y, read_channel_intel(x)); }
""", ":5:9: " + ONCE + "'a' writes x (full) at line 5 in round 10, 'b' writes y (full) at line 8 in round 5; "
     "x needs room for all rounds of the loop of 'a' at line 4"),
    "as many as there is room for, in other words": ("""channel int x __attribute__((depth(8))), y;
kernel void a(global const int *in, int n) {
    for (int i = 0; i < (n < 8 ? n : 8); i++) write_channel_intel(x, in[i]);
    write_channel_intel(y, n); }
kernel void b(global int *out, uchar n) { int more = read_channel_intel(y);
    for (int i = 0; i < (n & 7); i++) out[i] = read_channel_intel(x); }
""", ""),
    "as many as there is room for": ("""channel int x __attribute__((depth(8))), y;
kernel void a(global const int *in, int n) {
    for (int i = 0; i < min(n, 8); i++) write_channel_intel(x, in[i]);
    write_channel_intel(y, n); }
kernel void b(global int *out, int n) { int more = read_channel_intel(y);
    for (int i = 0; i < min(n, 8); i++) out[i] = read_channel_intel(x); }
""", ""),
    "a bound with a sign, asked without": ("""channel int x __attribute__((depth(8))), y;
kernel void a(global const int *in, int n) {
    for (uint i = 0; i < min(n, 8); i++) write_channel_intel(x, in[i]);
    write_channel_intel(y, n); }
kernel void b(global int *out, int n) { int more = read_channel_intel(y);
    for (uint i = 0; i < min(n, 8); i++) out[i] = read_channel_intel(x); }
""", ONCE + "'a' writes x (full) at line 4 in round 9, 'b' reads y (empty) at line 6"),
    "once more than the bound": ("""channel int x __attribute__((depth(8))), y;
kernel void a(global const int *in, int n) {
    for (int i = 0; i <= min(n, 8); i++) write_channel_intel(x, in[i]);
    write_channel_intel(y, n); }
kernel void b(global int *out, int n) { int more = read_channel_intel(y);
    for (int i = 0; i <= min(n, 8); i++) out[i] = read_channel_intel(x); }
""", ONCE + "'a' writes x (full) at line 4 in round 9, 'b' reads y (empty) at line 6"),
    "a bound that is passed by": ("""channel int x __attribute__((depth(8))), y;
kernel void a(global const int *in, int n) {
    for (int i = 0; i != min(n, 8); i++) write_channel_intel(x, in[i & 7]);
    write_channel_intel(y, n); }
kernel void b(global int *out, int n) { int more = read_channel_intel(y);
    for (int i = 0; i != min(n, 8); i++) out[i & 7] = read_channel_intel(x); }
""", ONCE + "'a' writes x (full) at line 4 in round 9, 'b' reads y (empty) at line 6"),
    "no sign anywhere": ("""channel int x __attribute__((depth(8))), y;
kernel void a(global const int *in, uint n) {
    for (uint i = 0; i < min(n, 8u); i++) write_channel_intel(x, in[i]);
    write_channel_intel(y, n); }
kernel void b(global int *out, uint n) { int more = read_channel_intel(y);
    for (uint i = 0; i <= min(n, 7u); i++) out[i] = read_channel_intel(x); }
""", ""),
    "asked at the end": ("""channel int x __attribute__((depth(8))), y;
kernel void a(global const int *in, int n) { int i = 0;
    do write_channel_intel(x, in[i]); while (i++ < min(n, 8));
    write_channel_intel(y, n); }
kernel void b(global int *out, int n) { int i = 0, more = read_channel_intel(y);
    do out[i] = read_channel_intel(x); while (i++ < min(n, 8)); }
""", ONCE + "'a' writes x (full) at line 4 in round 9, 'b' reads y (empty) at line 6"),
    "asked at the end, behind the step": ("""channel int x __attribute__((depth(8))), y;
kernel void a(global const int *in, int n) { int i = 0;
    do write_channel_intel(x, in[i]); while (++i < min(n, 8));
    write_channel_intel(y, n); }
kernel void b(global int *out, int n) { int i = 0, more = read_channel_intel(y);
    do out[i] = read_channel_intel(x); while (++i < min(n, 8)); }
""", ""),
    "one loop or the other": ("""channel int x __attribute__((depth(4))), y __attribute__((depth(4)));
kernel void a(global const int *in, int n, int mode) {
    if (mode) for (int i = 0; i < n; i++) write_channel_intel(x, in[i]);
    else for (int i = 0; i < n; i++) write_channel_intel(y, in[i]); }
kernel void b(global int *out, int n, int mode) { int s = 0;
    if (!mode) for (int i = 0; i < n; i++) s += read_channel_intel(y);
    for (int i = 0; i < n; i++) s += read_channel_intel(x);
    out[0] = s; }
""", ""),
    "more pipes than one are too shallow": ("""channel int x, y, z;
kernel void a() { for (;;) {
    for (int i = 0; i < 3; i++) write_channel_intel(x, i);
    for (int i = 0; i < 5; i++) write_channel_intel(y, i);
    write_channel_intel(z, 1); } }
kernel void b(global int *out) { for (int i = 0;; i++) { int s = read_channel_intel(z);
    for (int i = 0; i < 5; i++) s += read_channel_intel(y);
    for (int i = 0; i < 3; i++) s += read_channel_intel(x);
    out[i & 7] = s; } }
""", "; x needs depth(3) and y needs depth(5)"),
    "to itself": ("""channel int x __attribute__((depth(8)));
kernel void a(global int *out, int n) {
    for (int i = 0; i < 4; i++) write_channel_intel(x, i);
    for (int i = 0; i < n; i++) out[i] = read_channel_intel(x); }
""", ""),
}


def build(sluicec, source, *options, **environment):
    result = subprocess.run([sluicec, "--device=fpga", source, *(options if "-o" in options else ("-o", "/dev/null", *options))], capture_output=True, text=True,
                            check=False, env={**os.environ, **environment})
    return result.stderr if not result.returncode else "failed: " + result.stderr


def check_depths(sluicec, source):
    """Depths that the environment gives are the design's; a row that cannot be meant is said."""
    with open(source, "w", encoding="utf-8") as file:
        file.write(HEAD + DESIGNS["too shallow"][0])
    failures = 0
    for rows, wanted in {"": EACH_OTHER, "x=7": "", "x=3;x=7": "", "x=6": "; x needs depth(7)", "z=7": "the program has no pipe 'z': it has x and y",
                         "x[1]=7": "'x[1]=7' names an element: ignored; 'x' are all of them",
                         "x=-7": "'x=-7' is not NAME=PACKETS: ignored", "x": "'x' is not NAME=PACKETS: ignored",
                         "x=7,y=2": "'x=7,y=2' is not NAME=PACKETS: ignored; between rows are spaces or ';'",
                         "x=7 =2": "'=2' is not NAME=PACKETS: ignored",
                         "x=4294967296": "'x=4294967296' is not NAME=PACKETS: ignored"}.items():
        said = build(sluicec, source, SLUICE_FPGA_DEPTHS=rows)
        if not wanted in said or not wanted and said:
            print(f"SLUICE_FPGA_DEPTHS={rows}: {said!r} instead of {wanted!r}")
            failures += 1
    said = build(sluicec, source, SLUICE_FPGA_DEPTHS=" ".join(f"none{row}=9" for row in range(2000)) + " x=7")
    if said.count("\n") > 12 or "'none7'" not in said or "1992 rows more are ignored" not in said:
        print(f"2000 rows in vain: {said[:1000]!r}")
        failures += 1
    return failures


def check_settings(sluicec, source):
    """What the environment has wrong is said, and nothing else."""
    failures = 0
    for setting, wanted in {"SLUICE_FPGA_DEPHTS=x=7": "there is no SLUICE_FPGA_DEPHTS: did you mean SLUICE_FPGA_DEPTHS?",
                            "SLUICE_TIMING=1": "there is no SLUICE_TIMING: did you mean SLUICE_FPGA_TIMING?",
                            "SLUICE_FPGA_DEPTH=deep": "SLUICE_FPGA_DEPTH=deep is not strict, default or ignore-depth: ignored",
                            "SLUICE_FPGA_TIMING=perhaps": "SLUICE_FPGA_TIMING=perhaps is not 0 or 1: ignored",
                            "SLUICE_PASS_LIMIT=some": "SLUICE_PASS_LIMIT=some is not a number: ignored",
                            **{other: "" for other in ("SLUICE_LOG=off", "SLUICE_CPU=avx2", "SLUICE_FPGA_RATES=host=1", "SLUICE_FPGA_PARTS=never",
                                                       "SLUICE_FPGA_TRACE=1", "SLUICE_DEVICES=fpga", "SLUICE_FPGA_TYPE=cpu", "SLUICE_FPGA_SEED=1")}}.items():
        name, value = setting.split("=", 1)
        said = build(sluicec, source, "-w", **{name: value})
        if wanted not in said or "SLUICE" in said and not wanted:
            print(f"{setting}: {said!r} instead of {wanted!r}")
            failures += 1
    return failures


def check_switch(sluicec, source, folder):
    """A schedule goes with the program by the option, and by every word that switches it on."""
    failures, programs = 0, {}
    for word in ("No", "yes", "On", "option"):
        path = os.path.join(folder, "switch.slb")
        if word == "option":
            build(sluicec, source, "-w", "-sluice-timing", "-o", path)
        else:
            build(sluicec, source, "-w", "-o", path, SLUICE_FPGA_TIMING=word)
        with open(path, "rb") as file:
            programs[word] = b'"loops"' in file.read()
    for word, scheduled in programs.items():
        if scheduled != (word != "No"):
            print(f"SLUICE_FPGA_TIMING={word}: {'a' if scheduled else 'no'} schedule")
            failures += 1
    return failures


def check_page(sluicec, folder):
    """The page of a build begins with its warnings, each once, with a schedule or without; so does that of a module with one."""
    source, page, module = (os.path.join(folder, name) for name in ("design.cl", "page.html", "module.slb"))
    failures = 0
    with open(source, "w", encoding="utf-8") as file:
        file.write(HEAD + DESIGNS["too shallow"][0])
    report = os.path.join(os.path.dirname(os.path.abspath(sluicec)), "..", "report", "sluice-report")
    path = os.pathsep.join((os.path.dirname(report), os.environ["PATH"]))
    build(sluicec, source, "-sluice-timing", "-o", module)
    for command in ([sluicec, "--report", page, source], [sluicec, "--report", page, "-sluice-timing", source],
                    [report, module, "-o", page]):
        subprocess.run(command, capture_output=True, check=True, env={**os.environ, "PATH": path})
        with open(page, encoding="utf-8") as file:
            text = file.read()
        at = text.find("kernels wait for each other for ever: &#39;a&#39; writes x")
        at = max(at, text.find("kernels wait for each other for ever: 'a' writes x"))
        if text.count("for each other for ever") != 1 or not text.index("<h1>") < at < text.index("<div class=\"graph"):
            print(f"{command}: {text.count('for each other for ever')} times, at {at}")
            failures += 1
    return failures


WRITES = "kernel void a() { for (int i = 0; i < 100; i++) write_channel_intel(c, i); }\n"
# What is written and read by a launch, with a pipe of depth 8 in line 2: source, and what the timed build says.
TOTALS = (
    (WRITES + "kernel void b() { for (int i = 0; i < 101; i++) read_channel_intel(c); }\n",
     ":4:49: warning: 'b' reads 101 packets of c, 'a' writes 100 at line 3: launched once each, 'b' waits for ever"),
    (WRITES + "kernel void b() { for (int i = 0; i < 33; i++) for (int k = 0; k < 3; k++) read_channel_intel(c); }\n",
     "'b' reads 99 packets of c, 'a' writes 100 at line 3: launched once each, 1 stays there"),
    (WRITES + "kernel void b() { read_channel_intel(c); for (int i = 0; i < 86; i++) read_channel_intel(c); }\n",
     "'b' reads 87 packets of c, 'a' writes 100 at line 3: launched once each, 'a' waits for ever"),
    # May well be launched more often, end before, or have more work-items.
    (WRITES + "kernel void b() { for (int i = 0; i < 300; i++) read_channel_intel(c); }\n", ""),
    (WRITES + "kernel void b() { for (int i = 0; i < 20; i++) read_channel_intel(c); }\n", ""),
    (WRITES + "kernel void b(int n) { for (int i = 0; i < 101; i++) { if (i == n) break; read_channel_intel(c); } }\n", ""),
    (WRITES + "kernel void b(int n) { if (!n) return; for (int i = 0; i < 101; i++) read_channel_intel(c); }\n", ""),
    (WRITES + "kernel void b(int n) { while (n--) for (int i = 0; i < 101; i++) read_channel_intel(c); }\n", ""),
    (WRITES + "kernel void b(global int *p) { for (int i = 0; i < 51; i++) p[get_global_id(0)] += read_channel_intel(c); }\n", ""),
    (WRITES + "__attribute__((reqd_work_group_size(2, 1, 1))) kernel void b() { for (int i = 0; i < 51; i++) read_channel_intel(c); }\n", ""),
    (WRITES + "__attribute__((max_global_work_dim(0), autorun)) kernel void b() { for (int i = 0; i < 51; i++) read_channel_intel(c); }\n", ""),
)


def check_totals(sluicec, source):
    failures = 0
    for text, wanted in TOTALS:
        with open(source, "w", encoding="utf-8") as file:
            file.write(HEAD + "channel int c __attribute__((depth(8)));\n" + text)
        said = build(sluicec, source, "-sluice-timing")
        if wanted not in said or said.count("warning") != bool(wanted):
            print(f"{text}{said!r} instead of {wanted!r}")
            failures += 1
    return failures


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "design.cl")
        for name, (text, *wanted) in DESIGNS.items():
            with open(source, "w", encoding="utf-8") as file:
                file.write(HEAD + text)
            said = build(sys.argv[1], source, "-sluice-timing")
            plain = build(sys.argv[1], source)
            quiet = [build(sys.argv[1], source, "-w"), build(sys.argv[1], source, "-sluice-timing", "-w")]
            right = all(all(one in log for one in wanted) and log.count(" for ever") == sum(map(bool, wanted))
                        for log in (said, plain))
            if not right or any(" for ever" in log or "failed" in log for log in quiet):
                print(f"{name}: {said!r}, {plain!r} instead of {wanted!r}; {quiet}")
                failures += 1
        failures += check_depths(sys.argv[1], source) + check_settings(sys.argv[1], source) + check_switch(sys.argv[1], source, folder) + check_page(sys.argv[1], folder)
        failures += check_totals(sys.argv[1], source)
    print(f"{len(DESIGNS)} designs, {failures} failures")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
