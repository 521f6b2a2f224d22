#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The wheel of scripts/wheel, made of the build folder in $SLUICE_TEST_BUILD: installed by an ordinary user into an
# environment that has pyopencl and nothing else of OpenCL, and again after its folder was moved.
. "$(dirname "$0")/lib.sh"
: "${SLUICE_TEST_BUILD:?names the build folder}"
need_package python3-venv binutils
"$here/../../scripts/wheel" --from "$SLUICE_TEST_BUILD" --out "$work" >"$work/made" || { cat "$work/made"; exit 1; }
cat "$work/made"
place=$(mktemp -d "${TMPDIR:-/tmp}/sluice-wheel-XXXXXX")
trap 'rm -rf "$place"' EXIT
cp "$work"/sluice_opencl-*.whl "$here/wheel_use.py" "$place"
as_user=()
if [ "$(id -u)" = 0 ]; then
    chmod 755 "$place"
    chown -R 65534:65534 "$place"
    as_user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
fi
unset "${!OCL_ICD_@}" "${!SLUICE_@}"
export HOME=$place XDG_CACHE_HOME=$place/cache
cd "$place"
log=$work/pip.log
"${as_user[@]}" /usr/bin/python3 -m venv venv >"$log" 2>&1 || install_failed venv "$log"
"${as_user[@]}" venv/bin/pip install --disable-pip-version-check pyopencl ./sluice_opencl-*.whl >>"$log" 2>&1 ||
    install_failed "pyopencl and the wheel" "$log"
package=$(echo venv/lib/python3*/site-packages/sluice_opencl)

# A program that dies is a row too, whatever it had said by then.
use() {
    "${as_user[@]}" "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; echo "fail $3.ends"; }
    grep -E '^(pass|fail) ' "$work/log" || true
}
use venv/bin/python wheel_use.py found "$place/$package" | tee -a "$results"
printf 'kernel void k(global int *a) { a[get_global_id(0)] = 3; }\n' >k.cl
expect sluicec "${as_user[@]}" venv/bin/sluicec k.cl -o "$place/k.slb"
expect registers test "$("${as_user[@]}" venv/bin/python -m sluice_opencl --register)" = "$place/venv/etc/OpenCL/vendors"
expect icd test -f "$(cat venv/etc/OpenCL/vendors/sluice.icd)"
rm -rf "$XDG_CACHE_HOME" # so that the moved compiler has work
"${as_user[@]}" mkdir moved
"${as_user[@]}" mv "$package" moved/
eval "$(PYTHONPATH=$place/moved /usr/bin/python3 -B -m sluice_opencl)"
use venv/bin/python wheel_use.py moved "$place/moved/sluice_opencl" | tee -a "$results"
judge
