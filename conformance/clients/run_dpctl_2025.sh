#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# dpctl's tests with DPC++'s run-time of 2025.0, the last of the FPGA tools, which shows accelerators: on each device.
. "$(dirname "$0")/lib.sh"
environment=dpctl2025 need_python dpctl==0.18.3 'dpcpp-cpp-rt==2025.0.*' 'intel-cmplr-lib-ur==2025.0.*' \
    'intel-cmplr-lib-rt==2025.0.*' 'intel-sycl-rt==2025.0.*' numpy pytest pytest-timeout
export ONEAPI_DEVICE_SELECTOR='opencl:*' SYCL_CACHE_PERSISTENT=0
LD_LIBRARY_PATH=$(dirname "$(dirname "$python")")/lib
export LD_LIBRARY_PATH
tests=$("$python" -c 'import dpctl.tests; print(dpctl.tests.__path__[0])')
files=()
for file in ${TESTS:-context event kernel_submit platform program queue_memcpy usm}; do
    files+=("$tests/test_sycl_$file.py")
done
# Cython's example is left out, which needs a compiler of Python's extensions. A crash leaves no XML: junit_rows.py fails.
for device in cpu fpga; do
    SLUICE_DEVICES=$device limited "${LIMIT:-700}" "$work/$device.log" "$python" -m pytest -q -p no:cacheprovider \
        --timeout 300 --junit-xml "$work/$device.xml" -k "not cython_api" "${files[@]}" || true
    "$python" "$here/junit_rows.py" "$work/$device.xml" | sed "s/ / $device./" >>"$results"
done
judge
