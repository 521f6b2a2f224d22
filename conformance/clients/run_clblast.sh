#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# CLBlast's routine tests against its CPU reference, in each precision: axpy, dot, amax; three routines of
# level 2 and three of level 3, and one that copies through local memory.
. "$(dirname "$0")/lib.sh"
need_package clblast-tests
for routine in ${TESTS:-xaxpy xdot xamax xgemv xtrsv xhbmv xgemm xtrsm xher2k xomatcopy}; do
    log=$work/$routine.log
    expect "$routine.completes" limited "${LIMIT:-600}" "$log" "clblast_test_$routine" -platform 0 -device 0
    python3 "$here/clblast_rows.py" "$log" "$routine" >>"$results"
done
judge
