#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# hashcat cracks a hash whose plain text is known (mode 17400, SHA3-256), with its self-test on.
. "$(dirname "$0")/lib.sh"
need_program hashcat hashcat
: >"$work/results"
for mode in ${MODES:-17400}; do
    python3 -c 'import hashlib; print(hashlib.sha3_256(b"7305").hexdigest())' >"$work/$mode.hash"
    status=0
    timeout "${LIMIT:-600}" hashcat --force -D 1,2,3 -m "$mode" -a 3 --potfile-disable \
        --logfile-disable --restore-disable -d 1 "$work/$mode.hash" '?d?d?d?d' >"$work/$mode.log" 2>&1 || status=$?
    if [ $status = 0 ] && grep -q ':7305$' "$work/$mode.log"; then
        echo "pass $mode" >>"$work/results"
    else
        echo "fail $mode" >>"$work/results"
        tail -25 "$work/$mode.log"
    fi
    if grep -qi 'self-test failed' "$work/$mode.log"; then
        echo "fail $mode.self-test" >>"$work/results"
    fi
done
judge hashcat
