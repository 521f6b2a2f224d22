#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A tinygrad network trains four steps; the losses are those of tinygrad's own CPU code.
. "$(dirname "$0")/lib.sh"
need_package clang # tinygrad's CPU code is compiled by it
need_python tinygrad numpy
export CACHELEVEL=0
for device in CPU CL; do
    expect "$device.completes" env DEV=$device $device=1 timeout "${LIMIT:-300}" \
        "$python" "$here/tinygrad_train.py" >"$work/$device.txt"
done
paste "$work/CPU.txt" "$work/CL.txt" | tee "$work/losses.txt"
awk '{
    difference = $2 - $4
    if (difference < 0) difference = -difference
    print ($1 == "CPU" && $3 == "CL" && NF == 4 && difference < 1e-4 ? "pass" : "fail") " step-" NR
    if (NR > 1) print ($4 < last ? "pass" : "fail") " learns-" NR
    last = $4
} END { if (NR != 4) print "fail steps" }' "$work/losses.txt" >>"$results"
judge
