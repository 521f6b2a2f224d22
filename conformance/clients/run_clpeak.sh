#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clpeak: every row of every section has a number.
. "$(dirname "$0")/lib.sh"
need_program clpeak clpeak
timeout "${LIMIT:-900}" clpeak -p 0 -d 0 >"$work/log" 2>&1 || echo "exit status $?" >>"$work/log"
awk '
    /Global memory bandwidth|compute \(|Transfer bandwidth|Kernel launch latency/ {
        section = $0; gsub(/^ +| *\(.*| *:.*/, "", section); gsub(/ /, "-", section)
    }
    /No (half|double) precision support/ { print "skip " section }
    / : / && !/^ *(Platform|Device|Driver version|Compute units|Clock frequency|Kernel launch latency)/ {
        name = $1; value = $NF == "GFLOPS" || $NF ~ /bps|us|GIOPS/ ? $(NF - 1) : $NF
        print (value + 0 > 0 ? "pass " : "fail ") section "." name
    }
    /Kernel launch latency : / { print ($(NF - 1) + 0 > 0 ? "pass " : "fail ") "Kernel-launch-latency" }
    /rror|exit status/ { print "fail " $0 }
' "$work/log" >"$work/results"
# five widths in three sections and the transfers are the least there is
[ "$(grep -c ^pass "$work/results")" -ge 20 ] || echo "fail too-few-rows" >>"$work/results"
cat "$work/log"
judge clpeak
