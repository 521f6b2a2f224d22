#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# silx's own tests of its OpenCL functions.
. "$(dirname "$0")/lib.sh"
need_python silx pyopencl mako scipy pytest pytest-timeout
export PYOPENCL_NO_CACHE=1
# the others fetch pictures from elsewhere
modules=${TESTS:-test_addition test_kahan test_array_utils test_stats test_doublesmooth test_projection test_linalg}
targets=()
for module in $modules; do
    "$python" -c "import silx.opencl.test.$module" 2>/dev/null && targets+=("silx.opencl.test.$module")
done
cd "$work"
limited "${LIMIT:-900}" "$work/log" "$python" -m pytest -q -p no:cacheprovider --timeout 200 -rfE \
    --junitxml="$work/junit.xml" --pyargs "${targets[@]}" || tail -60 "$work/log"
"$python" "$here/junit_rows.py" "$work/junit.xml" >>"$results"
judge
