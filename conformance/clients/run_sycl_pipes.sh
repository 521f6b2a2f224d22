#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SYCL for FPGAs, on the emulated one: pipes, I/O pipes and attributes, with the last DPC++ that has them.
. "$(dirname "$0")/lib.sh"
environment=sycl2025 need_python intel-sycl-rt==2025.3.3 intel-opencl-rt==2025.3.3
folder=$(dirname "$(dirname "$python")")
export ONEAPI_DEVICE_SELECTOR='opencl:*' SYCL_CACHE_PERSISTENT=0 LD_LIBRARY_PATH=$folder/lib SLUICE_DEVICES=fpga
export SLUICE_FPGA_IO="0=file:$work/in;1=file:$work/out"
built=$shared/programs/sycl_pipes
mkdir -p "$shared/programs"
[ "$built" -nt "$here/sycl_pipes.cpp" ] || untimed limited 600 "$work/compile.log" c++ -std=c++17 -O1 -w \
    -I "$folder/include" -o "$built" "$here/sycl_pipes.cpp" -L "$folder/lib" -lsycl \
    "-Wl,-rpath,$folder/lib" || report fail compiles
for level in -O2 -O0; do
    expect "completes$level" limited "${LIMIT:-300}" "$work/log$level" "$built" "$level" "$work/in" "$work/out"
    cat "$work/log$level"
    grep -E '^(pass|fail) ' "$work/log$level" | cut -d' ' -f1,2 >>"$results" || true
done
judge
