#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# LightGBM: trees grown with histograms made by OpenCL kernels against those of its CPU code.
. "$(dirname "$0")/lib.sh"
need_python lightgbm numpy
expect completes limited "${LIMIT:-600}" "$work/log" "$python" "$here/lightgbm_train.py"
cat "$work/log"
grep -E '^(pass|fail) ' "$work/log" | cut -d' ' -f1,2 >>"$results" || true
judge
