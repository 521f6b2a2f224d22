#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pyvkfft: Fourier transforms there and back, against numpy.
. "$(dirname "$0")/lib.sh"
need_package build-essential ocl-icd-opencl-dev # PyPI has its source only
need_python pyvkfft pyopencl numpy
export PYOPENCL_NO_CACHE=1
expect completes limited "${LIMIT:-300}" "$work/log" "$python" "$here/pyvkfft_transforms.py"
cat "$work/log"
grep -E '^(pass|fail) ' "$work/log" | cut -d' ' -f1,2 >>"$results" || true
judge
