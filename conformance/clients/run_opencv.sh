#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# OpenCV's functions on UMat, which run as OpenCL kernels, against its plain CPU code.
. "$(dirname "$0")/lib.sh"
need_python opencv-python-headless numpy
export OPENCV_OPENCL_DEVICE=:CPU: OPENCV_OPENCL_CACHE_ENABLE=0
expect completes limited "${LIMIT:-600}" "$work/log" "$python" "$here/opencv_umat.py"
cat "$work/log"
grep -E '^(pass|fail) ' "$work/log" | cut -d' ' -f1,2 >>"$results" || true
judge
