#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SYCL: kernels that DPC++'s run-time compiles while the program runs, against loops of the host; and dpctl's own tests.
. "$(dirname "$0")/lib.sh"
need_python intel-sycl-rt intel-opencl-rt dpctl numpy pytest pytest-timeout
environment=$(dirname "$(dirname "$python")")
export ONEAPI_DEVICE_SELECTOR='opencl:*' SYCL_CACHE_PERSISTENT=0 LD_LIBRARY_PATH=$environment/lib
built=$shared/programs/sycl_kernels
mkdir -p "$shared/programs"
[ "$built" -nt "$here/sycl_kernels.cpp" ] || untimed limited 600 "$work/compile.log" c++ -std=c++17 -O1 -w \
    -I "$environment/include" -o "$built" "$here/sycl_kernels.cpp" -L "$environment/lib" -lsycl -pthread \
    "-Wl,-rpath,$environment/lib" || report fail compiles
expect completes limited "${LIMIT:-600}" "$work/log" "$built"
# No line at all: `completes` has failed.
grep -E '^(pass|fail) ' "$work/log" | cut -d' ' -f1,2 >>"$results" || true
expect printf-says grep -q '^said 41 aloud$' "$work/log"
for line in 'item 2 of 77, -0.5 4d' 'item 7 of 77, 0.75 4d' 'item 12 of 77, 2 4d'; do
    expect "stream-says-$(echo "$line" | cut -d" " -f2)" grep -qx "$line" "$work/log"
done
# The launch ends with an error, or the process with a signal: what it says is judged, not its status.
limited 300 "$work/assertion" "$built" failed-assertion || true
expect failed-assertion grep -q "Assertion .n > 40. failed" "$work/assertion"
expect ends-with-it bash -c '! grep -q "^pass failed-assertion" "$1"' - "$work/assertion"

# Files of dpctl's tests; Cython's own example is left out, which needs a compiler of Python's extensions.
# What fails is a row of the XML; where a crash left none, junit_rows.py fails.
tests=$("$python" -c 'import dpctl.tests; print(dpctl.tests.__path__[0])')
for file in ${TESTS:-context device event kernel_submit platform program queue queue_memcpy timer usm}; do
    limited "${LIMIT:-600}" "$work/$file.log" "$python" -m pytest -q -p no:cacheprovider --timeout 300 \
        --junit-xml "$work/$file.xml" -k "not cython_api" "$tests/test_sycl_$file.py" || true
    "$python" "$here/junit_rows.py" "$work/$file.xml" | sed "s/ / $file./" >>"$results"
done
judge
