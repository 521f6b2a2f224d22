#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# dpnp (SYCL by way of DPC++'s run-time, whose kernels are SPIR-V): arrays on the device against numpy's.
. "$(dirname "$0")/lib.sh"
need_python dpctl dpnp numpy
export ONEAPI_DEVICE_SELECTOR='opencl:*' SYCL_CACHE_PERSISTENT=0
LD_LIBRARY_PATH=$(dirname "$(dirname "$python")")/lib
export LD_LIBRARY_PATH
expect completes limited "${LIMIT:-600}" "$work/log" "$python" "$here/dpnp_arrays.py"
grep -E '^(pass|fail) ' "$work/log" | cut -d' ' -f1,2 >>"$results" || true
judge
