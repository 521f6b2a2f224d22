#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clinfo and clinfo -l complete with no error line, as a table and raw, and under valgrind.
. "$(dirname "$0")/lib.sh"
need_package clinfo valgrind

# clinfo prints a failed query as "<name: error -30>" or with "???"
clean() {
    ! grep -E '<[^>]*error|error -[0-9]+|\?\?\?|[Ss]egmentation|NULL dispatch' "$1"
}

expect info.completes limited 60 "$work/info.log" clinfo
expect info.clean clean "$work/info.log"
expect info.platform grep -q '^Number of platforms  *1$' "$work/info.log"
expect raw.completes limited 60 "$work/raw.log" clinfo --raw
expect raw.clean clean "$work/raw.log"
expect list.completes limited 60 "$work/list.log" clinfo -l
expect list.devices grep -q 'Device #0' "$work/list.log"
expect valgrind untimed limited 300 "$work/valgrind.log" valgrind --error-exitcode=9 --quiet clinfo
judge
