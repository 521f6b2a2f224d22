#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The example of a device that others write, as they would: from an installed tree alone.
#
# run_remote.sh CMAKE BUILD-FOLDER EXAMPLE-FOLDER PROGRAM...
#
# Installs into a folder of its own, builds the example with that folder's headers and library, puts it where the driver
# looks, and runs the programs of the suites on it.
set -euo pipefail
cmake=$1 build=$2 example=$3
shift 3
place=$(mktemp -d "${TMPDIR:-/tmp}/sluice-remote-XXXXXX")
trap 'rm -rf "$place"' EXIT
for component in Unspecified device; do
    DESTDIR='' "$cmake" --install "$build" --component "$component" --prefix "$place/first" >"$place/log" ||
        { cat "$place/log"; exit 1; }
done
# The tree is moved, so that nothing in it can be what was configured.
mv "$place/first" "$place/prefix"
documents=$place/prefix/share/doc/sluice-device-dev
[ -f "$documents/write_a_device.md" ] || { echo "the page for authors is not installed"; exit 1; }
diff -r "$example" "$documents/examples/remote_device" || { echo "the installed example is another one"; exit 1; }
cp -r "$documents/examples/remote_device" "$place/example"
PKG_CONFIG_PATH=$(dirname "$(find "$place/prefix" -name sluice-device.pc)")
export PKG_CONFIG_PATH
mkdir "$place/devices"
make -s -f "$place/example/makefile" OUT="$place/devices"
folder=$(pkg-config --variable=device_folder sluice-device)
mkdir -p "$folder"
mv "$place"/devices/* "$folder/"
mkdir "$place/vendors"
find "$place/prefix" -name libsluice.so >"$place/vendors/sluice.icd"
export OCL_ICD_VENDORS=$place/vendors/ SLUICE_CACHE_DIR=$place/cache SLUICE_PLUGIN_CONFIG='' SLUICE_BUILD=whole
export SLUICE_TEST_DEVICE=0 SLUICE_DEVICES=remote
SLUICE_DEVICES=remote,cpu "$1" >"$place/out" 2>&1 || { cat "$place/out"; echo "$1 fails beside another device"; exit 1; }
# A second copy in one process cannot have the memory, and says so.
mkdir "$place/copy"
cp "$folder"/remote*.so "$folder"/remote_worker "$place/copy/"
SLUICE_PLUGIN_PATH=$place/copy "$1" >"$place/out" 2>&1 || { cat "$place/out"; echo "$1 fails beside a copy"; exit 1; }
grep -q 'remote: the card.s memory has one place in a process.*another copy of this library has it' "$place/out" ||
    { cat "$place/out"; echo "a second copy does not say why it is not there"; exit 1; }
for program in "$@"; do
    "$program" >"$place/out" 2>&1 || { cat "$place/out"; echo "$program fails on the example's device"; exit 1; }
    echo "$(basename "$program"): $(grep -c '^\[       OK' "$place/out") cases"
done
