#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A tinygrad network trains four steps; the losses are those of tinygrad's own CPU code.
. "$(dirname "$0")/lib.sh"
need_python tinygrad numpy
need_program clang clang # tinygrad's CPU code is compiled by it
export CACHELEVEL=0
DEV=CPU CPU=1 timeout "${LIMIT:-300}" "$python" "$here/tinygrad_train.py" >"$work/cpu.txt"
DEV=CL CL=1 timeout "${LIMIT:-300}" "$python" "$here/tinygrad_train.py" >"$work/cl.txt"
paste "$work/cpu.txt" "$work/cl.txt" | tee /dev/stderr | awk '
    { d = $2 - $4; if (d < 0) d = -d
      print ($3 == "CL" && $4 != "" && d < 1e-4 ? "pass" : "fail") " step-" NR }
    END { if (NR != 4) print "fail steps:" NR }' >"$work/results"
judge tinygrad
