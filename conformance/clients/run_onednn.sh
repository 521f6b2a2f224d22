#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# oneDNN by its SYCL interface: layers on our memory, behind and in front of our commands. It takes devices of one vendor,
# on a platform of a certain name.
. "$(dirname "$0")/lib.sh"
environment=onednn need_python onednn onednn-devel
environment=$(dirname "$(dirname "$python")")
export ONEAPI_DEVICE_SELECTOR='opencl:cpu' SYCL_CACHE_PERSISTENT=0 LD_LIBRARY_PATH=$environment/lib ONEDNN_VERBOSE=0
export SLUICE_VENDOR_ID=0x8086 SLUICE_PLATFORM_NAME='Sluice for Intel OpenCL'
built=$shared/programs/onednn_layers
mkdir -p "$shared/programs"
[ "$built" -nt "$here/onednn_layers.cpp" ] || untimed limited 600 "$work/compile.log" c++ -std=c++17 -O1 -w \
    -I "$environment/include" -o "$built" "$here/onednn_layers.cpp" -L "$environment/lib" -lsycl -ldnnl \
    -Wl,--allow-shlib-undefined "-Wl,-rpath,$environment/lib" || report fail compiles
expect completes limited "${LIMIT:-300}" "$work/log" "$built"
cat "$work/log"
grep -E '^(pass|fail) ' "$work/log" | cut -d' ' -f1,2 >>"$results" || true
judge
