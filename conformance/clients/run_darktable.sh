#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# darktable: all its kernels are built, and a raw picture is developed with and without OpenCL.
. "$(dirname "$0")/lib.sh"
need_package darktable
export SLUICE_DEVICES=${SLUICE_DEVICES:-cpu} # it would take the FPGA emulator before a processor
settings=$work/home/settings

# It puts processors on its list of devices as switched off, which the user may change.
darktable-cltest --configdir "$settings" >"$work/cltest.log" 2>&1 || true
sed -i -E 's/^(cldevice_v4_[a-z0-9]+=([^ ]+ ){7})1 /\10 /' "$settings/darktablerc"

# develop NAME ARGUMENTS...: the picture as floating-point numbers in NAME.pfm
develop() {
    local name=$1
    shift
    rm -f "$work/$name.pfm"
    limited "${LIMIT:-900}" "$work/$name.log" darktable-cli "$work/raw.dng" "$work/$name.pfm" \
        --core "$@" --configdir "$settings" --library :memory:
}

python3 "$here/darktable_raw.py" make "$work/raw.dng"
expect cpu.completes untimed develop cpu --disable-opencl
expect cl.completes develop cl -d opencl -d perf
expect cl.builds grep -q 'OpenCL successfully initialized' "$work/cl.log"
for module in 'raw black/white point' 'white balance' demosaic exposure 'input color profile' \
    'filmic rgb' 'output color profile'; do
    expect "${module// /-}" grep -q "processed .$module' on GPU" "$work/cl.log"
done
expect picture python3 "$here/darktable_raw.py" compare "$work/cpu.pfm" "$work/cl.pfm" 0.0005
judge
