#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A tinygrad network trains four steps, and five larger ones compute: a transformer, a residual network,
# recurrence, sorting, integers. The results are those of tinygrad's own CPU code.
. "$(dirname "$0")/lib.sh"
need_package clang # tinygrad's CPU code is compiled by it
need_python tinygrad numpy
export CACHELEVEL=0
for device in CPU CL; do
    [ $device = CL ] || times=/dev/null
    expect "$device.completes" limited "${LIMIT:-300}" "$work/$device.log" env DEV=$device $device=1 \
        "$python" "$here/tinygrad_train.py"
    expect "$device.models" limited "${LIMIT:-600}" "$work/$device.models.log" env DEV=$device $device=1 \
        "$python" "$here/tinygrad_models.py"
    times=$work/times
    grep "^$device " "$work/$device.log" >"$work/$device.txt" || true
    grep -E '^[a-z_]+ [-0-9.]' "$work/$device.models.log" >"$work/$device.models" || true
done
python3 - "$work/CPU.models" "$work/CL.models" <<'P' | tee -a "$results"
import sys
expected, found = ({line.split()[0]: [float(x) for x in line.split()[1:]] for line in open(path)}
                   for path in sys.argv[1:])
for name, values in expected.items():
    pairs = list(zip(values, found.get(name, [])))
    size = max(abs(value) for value in values)
    good = len(pairs) == len(values) and all(abs(a - b) <= 1e-5 * size for a, b in pairs)
    print("pass" if good else "fail", "model-" + name)
P
paste "$work/CPU.txt" "$work/CL.txt" | tee "$work/losses.txt"
awk '{
    difference = $2 - $4
    if (difference < 0) difference = -difference
    print ($1 == "CPU" && $3 == "CL" && NF == 4 && difference < 1e-4 ? "pass" : "fail") " step-" NR
    if (NR > 1) print ($4 < last ? "pass" : "fail") " learns-" NR
    last = $4
} END { if (NR != 4) print "fail steps" }' "$work/losses.txt" >>"$results"
judge
