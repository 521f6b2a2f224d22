#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# oneMKL by its SYCL interface: dense algebra, transforms, functions, random numbers.
. "$(dirname "$0")/lib.sh"
need_python intel-sycl-rt intel-opencl-rt mkl mkl-include onemkl-sycl-include onemkl-sycl-blas onemkl-sycl-lapack \
    onemkl-sycl-dft onemkl-sycl-vm onemkl-sycl-rng
environment=$(dirname "$(dirname "$python")")
export ONEAPI_DEVICE_SELECTOR='opencl:*' SYCL_CACHE_PERSISTENT=0 LD_LIBRARY_PATH=$environment/lib
built=$shared/programs/onemkl_math
mkdir -p "$shared/programs"
libraries=()
for name in blas lapack dft vm rng; do
    libraries+=("-l:$(basename "$(find "$environment/lib" -name "libmkl_sycl_$name.so.*" | head -1)")")
done
for name in intel_ilp64 tbb_thread core; do
    libraries+=("-l:$(basename "$(find "$environment/lib" -name "libmkl_$name.so.*" | head -1)")")
done
[ "$built" -nt "$here/onemkl_math.cpp" ] || untimed limited 600 "$work/compile.log" c++ -std=c++17 -O1 -w -DMKL_ILP64 \
    -I "$environment/include" -o "$built" "$here/onemkl_math.cpp" -L "$environment/lib" -Wl,--no-as-needed \
    -Wl,--allow-shlib-undefined -lsycl "${libraries[@]}" -l:libtbb.so.12 "-Wl,-rpath,$environment/lib" ||
    report fail compiles
expect completes limited "${LIMIT:-300}" "$work/log" "$built"
cat "$work/log"
grep -E '^(pass|fail) ' "$work/log" | cut -d' ' -f1,2 >>"$results" || true
judge
