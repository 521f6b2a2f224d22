#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Open3D for SYCL devices: its tensors against numpy's arrays.
. "$(dirname "$0")/lib.sh"
environment=open3d_env need_python open3d-xpu numpy
export ONEAPI_DEVICE_SELECTOR='opencl:cpu' SYCL_CACHE_PERSISTENT=0
LD_LIBRARY_PATH=$(dirname "$(dirname "$python")")/lib
export LD_LIBRARY_PATH
expect completes limited "${LIMIT:-600}" "$work/log" "$python" "$here/open3d_tensors.py"
cat "$work/log"
grep -E '^(pass|fail) ' "$work/log" | cut -d' ' -f1,2 >>"$results" || true
judge
