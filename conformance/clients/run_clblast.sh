#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# CLBlast's routine tests against its CPU reference: axpy, dot, amax.
. "$(dirname "$0")/lib.sh"
need_program clblast_test_xaxpy clblast-tests
: >"$work/results"
for routine in ${TESTS:-xaxpy xdot xamax}; do
    status=0
    timeout "${LIMIT:-600}" "clblast_test_$routine" -platform 0 -device 0 >"$work/$routine.log" 2>&1 || status=$?
    # "   12 test(s) passed", with colour codes around the numbers
    sed 's/\x1b\[[0-9;]*m//g' "$work/$routine.log" | awk -v name="$routine" -v status="$status" '
        /test\(s\) passed/ { passed += $1 }
        /test\(s\) failed/ { for (i = 1; i <= NF; i++) if ($i + 0 > 0) { failed += $i; break } }
        /not executed/ { skipped++ }
        END {
            for (i = 0; i < skipped; i++) print "skip " name "." i "-not-built"
            for (i = 0; i < passed; i++) print "pass " name "." i
            if (failed) print "fail " name ".failed:" failed
            if (status > 1 || !passed) print "fail " name ".exit-status-" status
        }' >>"$work/results"
    grep -aE 'test\(s\)|rror' "$work/$routine.log" | sort | uniq -c | sort -rn | head -5 || true
done
judge clblast
