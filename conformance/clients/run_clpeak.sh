#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clpeak: every row of every section has a number, on each device.
. "$(dirname "$0")/lib.sh"
need_package clpeak clinfo
devices=$(clinfo --raw | grep -c 'CL_DEVICE_NAME ')
for ((device = 0; device < devices; device++)); do
    log=$work/device-$device.log
    expect "$device.completes" limited "${LIMIT:-1000}" "$log" clpeak -p 0 -d "$device"
    cat "$log"
    python3 "$here/clpeak_rows.py" "$log" "$device" >>"$results"
done
judge
