#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Piglit's OpenCL profile; TESTS is a pattern of its test names, e.g. '^api@'.
. "$(dirname "$0")/lib.sh"
need_package piglit
export PIGLIT_PLATFORM=surfaceless_egl
rm -rf "$work/run"
limited "${LIMIT:-1400}" "$work/log" piglit run --timeout 60 --overwrite --jobs 1 \
    ${TESTS:+-t "$TESTS"} cl "$work/run" || tail -5 "$work/log"
python3 "$here/piglit_rows.py" "$work/run" >>"$results"
judge
