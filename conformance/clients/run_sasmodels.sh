#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sasmodels: some eighty models of small-angle scattering, special functions and long quadratures, each
# against the values its authors give.
. "$(dirname "$0")/lib.sh"
need_python sasmodels pyopencl siphash24
export PYOPENCL_NO_CACHE=1 SAS_OPENCL=0
cd "$work"
expect completes limited "${LIMIT:-600}" "$work/log" "$python" -m sasmodels.model_test -v -e opencl ${TESTS:-all}
awk '/^test_[a-z0-9_]+ / { name = $1 }
    name && /(\.\.\. |^)(ok|FAIL|ERROR)$/ { print ($NF == "ok" ? "pass " : "fail ") name; name = "" }' \
    "$work/log" >>"$results"
tail -3 "$work/log"
judge
