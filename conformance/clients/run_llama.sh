#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# llama.cpp's SYCL back end, built with DPC++ 2025: what a small model of random weights says, against numpy. The back end
# takes GPUs of a platform with "OpenCL" in its name only.
. "$(dirname "$0")/lib.sh"
environment=sycl2025 need_python cyllama-sycl==0.2.18 gguf numpy intel-sycl-rt==2025.3.3 intel-opencl-rt==2025.3.3
export ONEAPI_DEVICE_SELECTOR='opencl:*' SYCL_CACHE_PERSISTENT=0
LD_LIBRARY_PATH=$(dirname "$(dirname "$python")")/lib
export LD_LIBRARY_PATH SLUICE_DEVICES=cpu SLUICE_CPU_TYPE=gpu SLUICE_PLATFORM_NAME='Sluice OpenCL'
mkdir -p "$work/models"
expect completes limited "${LIMIT:-900}" "$work/log" "$python" "$here/llama_logits.py" "$work/models"
grep -E '^(pass|fail) ' "$work/log" | cut -d' ' -f1,2 >>"$results" || true
judge
