#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pyopencl's own tests, from its source archive, on each device.
. "$(dirname "$0")/lib.sh"
need_python pyopencl pytest pytest-timeout mako scipy numpy scikit-build-core nanobind
need_source pyopencl
cd "$source_folder/test"
export PYOPENCL_NO_CACHE=1
tests=${TESTS:-test_wrapper.py test_enqueue_copy.py test_arrays_in_structs.py test_clrandom.py}
# shellcheck disable=SC2086 # one word for each file
limited "${LIMIT:-1200}" "$work/log" "$python" -m pytest -q -p no:cacheprovider --timeout 300 -rfE \
    --junitxml="$work/junit.xml" $tests || tail -60 "$work/log"
"$python" "$here/junit_rows.py" "$work/junit.xml" >>"$results"
judge
